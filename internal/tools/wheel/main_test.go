package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"pillbox/internal/version"
)

// TestWheel checks that a wheel contains the package and the program, and that its record has the hash of every
// other file. The same files must give the same bytes.
func TestWheel(t *testing.T) {
	var built [2]bytes.Buffer
	for i := range built {
		w := wheel{platform: "a_1.b_2"}
		if err := w.write(&built[i], os.DirFS("../../../python"), "render-windows-amd64.exe", []byte("code"), []byte("MIT")); err != nil {
			t.Fatal(err)
		}
		if want := "pillbox-" + version.Number + "-py3-none-a_1.b_2.whl"; w.name() != want {
			t.Errorf("%s, want %s", w.name(), want)
		}
	}
	if !bytes.Equal(built[0].Bytes(), built[1].Bytes()) {
		t.Error("two wheels differ")
	}
	r, err := zip.NewReader(bytes.NewReader(built[0].Bytes()), int64(built[0].Len()))
	if err != nil {
		t.Fatal(err)
	}
	found, record := map[string]string{}, ""
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		found[f.Name] = string(data)
		if executable := f.Mode()&0o111 != 0; executable != (f.Name == "pillbox/bin/render.exe") {
			t.Errorf("%s has the mode %v", f.Name, f.Mode())
		}
		hash := sha256.Sum256(data)
		if strings.HasSuffix(f.Name, "/RECORD") {
			record += f.Name + ",,\n"
		} else {
			record += fmt.Sprintf("%s,sha256=%s,%d\n", f.Name, base64.RawURLEncoding.EncodeToString(hash[:]), len(data))
		}
	}
	info := "pillbox-" + version.Number + ".dist-info/"
	if found[info+"RECORD"] != record {
		t.Errorf("the record is %s, want %s", found[info+"RECORD"], record)
	}
	if found["pillbox/bin/render.exe"] != "code" || found[info+"NOTICE"] != "MIT" || !strings.Contains(found["pillbox/__init__.py"], `__version__ = "`+version.Number+`"`) {
		t.Errorf("a file is missing or has another version among %d", len(found))
	}
	if !strings.HasSuffix(found[info+"WHEEL"], "Tag: py3-none-a_1\nTag: py3-none-b_2\n") {
		t.Errorf("%s", found[info+"WHEEL"])
	}
}
