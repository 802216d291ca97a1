// Package sourcehash identifies a program by its source files.
package sourcehash

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"io/fs"
	"path"
)

// Of returns the SHA-256, in hexadecimal, of the names and contents of all files. Except in WebAssembly (.wasm), a
// line end \r\n counts as \n, because checkouts on Windows may contain \r\n. Of returns an error if a file or folder
// cannot be read.
func Of(files fs.FS) (string, error) {
	all, one := sha256.New(), sha256.New()
	buffer := make([]byte, 16<<10)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := files.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		one.Reset()
		if err := hashFile(one, file, buffer, path.Ext(name) != ".wasm"); err != nil {
			return err
		}
		all.Write(one.Sum(append([]byte(name), 0)))
		return nil
	})
	return hex.EncodeToString(all.Sum(nil)), err
}

// hashFile adds everything that r reads to a hash, part by part through the buffer. In a text, a line end \r\n counts as \n.
func hashFile(to hash.Hash, r io.Reader, buffer []byte, isText bool) error {
	held := 0 // 1 if the buffer begins with the \r that ended the last part
	for {
		n, err := r.Read(buffer[held:])
		part := buffer[:held+n]
		held = 0
		if isText {
			if err == nil && bytes.HasSuffix(part, []byte("\r")) {
				held, part = 1, part[:len(part)-1]
			}
			if bytes.Contains(part, []byte("\r\n")) {
				part = bytes.ReplaceAll(part, []byte("\r\n"), []byte("\n"))
			}
		}
		to.Write(part)
		if held == 1 {
			buffer[0] = '\r'
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
