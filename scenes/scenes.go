// Package scenes holds the scenes that are shipped.
package scenes

import "embed"

//go:embed *.toml
var files embed.FS

// Files returns the scenes: NAME.toml each, and nothing else. Some name files that are not among them.
func Files() embed.FS { return files }
