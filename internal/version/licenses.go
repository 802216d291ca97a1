package version

import (
	"compress/gzip"
	_ "embed" // for notice
	"io"
	"strings"
)

// notice is the file NOTICE, compressed. internal/tools/notice writes both.
//
//go:embed NOTICE.gz
var notice string

// WriteLicenses writes a list of all works that the programs, the page and the wheels contain, and their licenses. Its
// error is that of w.
func WriteLicenses(w io.Writer) error {
	z, err := gzip.NewReader(strings.NewReader(notice))
	if err != nil {
		return err
	}
	_, err = io.Copy(w, z)
	return err
}
