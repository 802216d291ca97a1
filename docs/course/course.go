// Package course holds the chapters of the course, its protocol, and a solution.
package course

import "embed"

//go:embed [0-9]*.md protocol.md solutions/tracer.mjs
var files embed.FS

// Files returns the chapters, such as 01-sphere.md, protocol.md, and solutions/tracer.mjs.
func Files() embed.FS { return files }
