// Package scenes holds the scenes that are shipped.
package scenes

import "embed"

//go:embed *.toml
var files embed.FS

// Files returns the scenes as files NAME.toml. Some scenes refer to files that it does not contain.
func Files() embed.FS { return files }
