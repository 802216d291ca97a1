// Package web holds the page of the playground: HTML, styles and JavaScript modules, as a browser
// gets them.
//
// Conventions: everything is served as written in the folder page. Only the folder vendor is
// made by a tool, scripts/web. The page asks its engine in requests that package play defines.
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
