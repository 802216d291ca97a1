package sourcehash_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"pillbox/internal/sourcehash"
)

func ExampleOf() {
	unix, _ := sourcehash.Of(fstest.MapFS{"a.go": {Data: []byte("package a\n")}})
	windows, _ := sourcehash.Of(fstest.MapFS{"a.go": {Data: []byte("package a\r\n")}})
	fmt.Println(unix == windows)
	// Output: true
}

// TestOf checks that the hash depends on every name and byte of the files. The kind of line ends must matter in
// .wasm files only.
func TestOf(t *testing.T) {
	files := func() fstest.MapFS {
		return fstest.MapFS{"a.go": {Data: []byte("x\ny\n")}, "b/k.wasm": {Data: []byte("\r\n")}}
	}
	hash := func(files fstest.MapFS) string {
		t.Helper()
		sum, err := sourcehash.Of(files)
		if err != nil || len(sum) != 64 {
			t.Fatalf("Of: %q, %v", sum, err)
		}
		return sum
	}
	base := hash(files())
	ends := files()
	ends["a.go"].Data = []byte("x\r\ny\r\n")
	if got := hash(ends); got != base {
		t.Errorf("other line ends give the hash %s, want %s", got, base)
	}
	for what, change := range map[string]func(fstest.MapFS){
		"another byte":      func(f fstest.MapFS) { f["a.go"].Data[0]++ },
		"binary line ends":  func(f fstest.MapFS) { f["b/k.wasm"].Data = []byte("\n") },
		"another name":      func(f fstest.MapFS) { f["c.go"] = f["a.go"]; delete(f, "a.go") },
		"one more file":     func(f fstest.MapFS) { f["c.go"] = &fstest.MapFile{} },
		"one file less":     func(f fstest.MapFS) { delete(f, "b/k.wasm") },
		"a byte, elsewhere": func(f fstest.MapFS) { f["b/k.wasm"].Data = append(f["b/k.wasm"].Data, 0) },
	} {
		changed := files()
		change(changed)
		if hash(changed) == base {
			t.Errorf("%s gives the same hash", what)
		}
	}
}
