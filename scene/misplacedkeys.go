package scene

import (
	"slices"

	"pillbox/internal/keytable"
)

// placeOfKey says where an unknown key of a table belongs, if it is a key of the whole file or if it stands before the
// first header and is a key of a table of settings. Otherwise it returns "". In TOML, a key below a header belongs to
// the header's table, whatever blank lines are between them.
func placeOfKey(t keytable.Table, key string) string {
	if key == "include" || key == "format" {
		return ": it belongs before the first [table] of the file"
	}
	if t.Key("") != "" {
		return ""
	}
	homes := []struct {
		table string
		keys  []string
	}{
		{"image", imageKeys().Names()},
		{"camera", cameraKeys().Names()},
		{"shading", shadingKeys().Names()},
		{"animation", animationKeys().Names()},
		{"overlaps", overlapsKeys().Names()},
	}
	for _, h := range homes {
		if slices.Contains(h.keys, key) {
			return ": it belongs in the table [" + h.table + "]"
		}
	}
	return ""
}
