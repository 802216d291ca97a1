package scene

import (
	"slices"

	"pillbox/internal/tomltext"
)

// libraryTables are the tables of files that scenes include. They draw nothing.
var libraryTables = []string{"theme", "material", "part"}

// IsScene reports whether a file that begins with the given bytes has a table of the scene format at its top, such as
// [camera] or [[sphere]], other than the tables of themes and of other files that scenes only include. The file may be invalid.
// Other programs' TOML files have other tables.
func IsScene(head []byte) bool {
	root := tomltext.Recover(head).Root
	for _, k := range fileKeys().List {
		if slices.Contains(libraryTables, k.Name) {
			continue
		}
		switch root[k.Name].(type) {
		case map[string]any, []map[string]any:
			return true
		}
	}
	return false
}
