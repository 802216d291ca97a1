// Package lessons holds the lessons and their scenes.
package lessons

import "embed"

//go:embed *.md *.toml
var files embed.FS

// Files returns the pages of the lessons, README.md, which lists them in order, and their scenes.
func Files() embed.FS { return files }
