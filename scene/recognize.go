package scene

import "pillbox/internal/tomltext"

// IsScene reports whether a file that begins with the given bytes has a table of the scene format at its top, such as
// [camera] or [[sphere]]. The file may be invalid. Other programs' TOML files have other tables.
func IsScene(head []byte) bool {
	root := tomltext.Recover(head).Root
	for _, k := range fileKeys().List {
		switch root[k.Name].(type) {
		case map[string]any, []map[string]any:
			return true
		}
	}
	return false
}
