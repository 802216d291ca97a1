// Package web holds the page of the playground: HTML, styles and JavaScript modules, as a browser
// gets them.
//
// Conventions: the files of the folder page are served unchanged. All are written by hand, except the
// folder vendor, which scripts/web makes. The page sends its engine the requests that package play defines.
package web

import (
	"embed"
	"io/fs"
)

//go:embed page
var page embed.FS

// Files returns the files of the page, index.html at its root. It is immutable and safe for
// concurrent use.
func Files() fs.FS {
	files, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // the folder's name is valid
	}
	return files
}
