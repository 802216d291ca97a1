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
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if path.Ext(name) != ".wasm" {
			data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
		}
		sum := sha256.Sum256(data)
		all.Write(append(append([]byte(name), 0), sum[:]...))
		return nil
	})
	return hex.EncodeToString(all.Sum(nil)), err
}
