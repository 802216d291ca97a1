package sourcehash_test

import (
	"fmt"
	"io/fs"
	"strings"
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

// TestLineEndsOfLongFiles checks that line ends count as \n wherever the reader happens to divide the file.
func TestLineEndsOfLongFiles(t *testing.T) {
	hash := func(text string, oneByOne bool) string {
		files := fs.FS(fstest.MapFS{"a.go": {Data: []byte(text)}})
		if oneByOne {
			files = slow{files}
		}
		sum, err := sourcehash.Of(files)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	for _, line := range []string{"x\n", "\n", "xy\n", "\r\rx\n"} {
		unix := strings.Repeat(line, 20_000) + "\r"
		windows := strings.ReplaceAll(unix, "\n", "\r\n")
		for name, got := range map[string]string{"Windows": hash(windows, false), "Windows, byte by byte": hash(windows, true), "byte by byte": hash(unix, true)} {
			if want := hash(unix, false); got != want {
				t.Errorf("%q, %s: %s, want %s", line, name, got, want)
			}
		}
	}
}

// slow is a file system whose files are read byte by byte.
type slow struct{ fs.FS }

func (s slow) Open(name string) (fs.File, error) {
	f, err := s.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if folder, ok := f.(fs.ReadDirFile); ok {
		return folder, nil
	}
	return slowFile{f}, nil
}

type slowFile struct{ fs.File }

func (f slowFile) Read(p []byte) (int, error) { return f.File.Read(p[:min(1, len(p))]) }
