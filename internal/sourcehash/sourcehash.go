// Package sourcehash identifies a program by its source files.
package sourcehash

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
)

// Of returns the SHA-256, in hexadecimal, of the names and contents of all files. Except in WebAssembly (.wasm), a
// line end \r\n counts as \n, because checkouts on Windows may contain \r\n. Of returns an error if a file or folder
// cannot be read.
func Of(files fs.FS) (string, error) {
	all := sha256.New()
	var content bytes.Buffer // of one file after the other
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content.Reset()
		if err := read(&content, files, name); err != nil {
			return err
		}
		data := content.Bytes()
		if path.Ext(name) != ".wasm" && bytes.Contains(data, []byte("\r\n")) {
			data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
		}
		sum := sha256.Sum256(data)
		all.Write(append(append([]byte(name), 0), sum[:]...))
		return nil
	})
	return hex.EncodeToString(all.Sum(nil)), err
}

// read appends the content of a file to a buffer.
func read(to *bytes.Buffer, files fs.FS, name string) error {
	file, err := files.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil {
		to.Grow(int(info.Size()) + bytes.MinRead) // ReadFrom needs room to see the end
	}
	_, err = to.ReadFrom(file)
	return err
}
