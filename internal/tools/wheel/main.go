// Command wheel packs the Python package and the program render into a wheel, a zip file that pip installs.
// The same files give the same bytes.
//
//	go run ./internal/tools/wheel -program FILE -platform TAG -license FILE -o FOLDER
//
// The platform is a tag of Python's packaging, such as win_amd64; several are joined by dots. The command
// prints the name of the wheel.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"pillbox/internal/osfile"
	"pillbox/internal/version"
)

func main() {
	var w wheel
	var program, license, folder string
	flag.StringVar(&program, "program", "", "the program render")
	flag.StringVar(&w.platform, "platform", "", "the platform of the program")
	flag.StringVar(&license, "license", "NOTICE", "the licenses")
	flag.StringVar(&folder, "o", ".", "the folder for the wheel")
	flag.Parse()
	if err := w.build(os.DirFS("python"), program, license, folder); err != nil {
		fmt.Fprintf(os.Stderr, "wheel: %v\n", err)
		os.Exit(1)
	}
	fmt.Println(w.name())
}

// entryPoints makes an installer write the command render, which runs the program of the wheel.
const entryPoints = "[console_scripts]\nrender = pillbox.__main__:main\n"

// wheel is a wheel that is being built.
type wheel struct {
	platform string
	zip      *zip.Writer
	record   strings.Builder // the list of files, with their hashes
}

func (w *wheel) name() string {
	return fmt.Sprintf("pillbox-%s-py3-none-%s.whl", version.Number, w.platform)
}

// info returns the path, in the wheel, of the metadata file with the given name.
func (w *wheel) info(name string) string {
	return fmt.Sprintf("pillbox-%s.dist-info/%s", version.Number, name)
}

// build writes the wheel to a folder.
func (w *wheel) build(python fs.FS, program, license, folder string) error {
	code, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	licenses, err := os.ReadFile(license)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := w.write(&out, python, path.Base(filepath.ToSlash(program)), code, licenses); err != nil {
		return err
	}
	var files osfile.Outputs
	return files.Write(filepath.Join(folder, w.name()), func(to io.Writer) error {
		_, err := out.WriteTo(to)
		return err
	})
}

// write writes the wheel: PEP 427 describes its files.
func (w *wheel) write(to io.Writer, python fs.FS, program string, code, licenses []byte) error {
	w.zip = zip.NewWriter(to)
	sources, err := fs.Glob(python, "pillbox/*.py")
	if err != nil {
		return err
	}
	for _, name := range append(sources, "pillbox/py.typed") {
		data, err := fs.ReadFile(python, name)
		if err != nil {
			return err
		}
		if err := w.addFile(name, 0o644, data); err != nil {
			return err
		}
	}
	inside := "pillbox/bin/render"
	if strings.HasSuffix(program, ".exe") {
		inside += ".exe"
	}
	if err := w.addFile(inside, 0o755, code); err != nil {
		return err
	}
	metadata := "Metadata-Version: 2.1\nName: pillbox\nVersion: " + version.Number + `
Summary: A ray tracer for spheres, capsules, boxes and cylinders, with the same pixels on every machine
License: MIT
License-File: NOTICE
Requires-Python: >=3.9
`
	about := "Wheel-Version: 1.0\nGenerator: pillbox\nRoot-Is-Purelib: false\n"
	for platform := range strings.SplitSeq(w.platform, ".") {
		about += "Tag: py3-none-" + platform + "\n"
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{"METADATA", []byte(metadata)}, {"WHEEL", []byte(about)}, {"entry_points.txt", []byte(entryPoints)}, {"NOTICE", licenses}} {
		if err := w.addFile(w.info(f.name), 0o644, f.data); err != nil {
			return err
		}
	}
	record := w.info("RECORD")
	if err := w.addFile(record, 0o644, []byte(w.record.String()+record+",,\n")); err != nil {
		return err
	}
	return w.zip.Close()
}

// addFile adds a file to the wheel, and a line with its hash to the wheel's record.
func (w *wheel) addFile(name string, mode fs.FileMode, data []byte) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	header.SetMode(mode)
	to, err := w.zip.CreateHeader(header)
	if err != nil {
		return err
	}
	hash := sha256.Sum256(data)
	fmt.Fprintf(&w.record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(hash[:]), len(data))
	_, err = to.Write(data)
	return err
}
