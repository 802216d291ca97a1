package scene

import (
	"maps"
	"slices"

	"pillbox/internal/keytable"
	"pillbox/problem"
)

// foreignFile is a kind of TOML file that is no scene. It is recognized by its tables, of which a scene has none.
type foreignFile struct {
	tables  []string
	message string // what the file is, and what to do with it
}

func foreignFiles() []foreignFile {
	return []foreignFile{
		{keysWithout(panelsFileKeys().Names(), fileKeys().Names()), "a figure with panels is no scene; only render draws it, and check checks it"},
	}
}

// keysWithout returns the keys that are not among others.
func keysWithout(keys, others []string) []string {
	return slices.DeleteFunc(keys, func(key string) bool { return slices.Contains(others, key) })
}

// withoutForeignTables reports the first of the tables of each kind of foreign file that the file has, and returns the other keys.
func withoutForeignTables(t keytable.Table, root map[string]any) map[string]any {
	for _, kind := range foreignFiles() {
		found := slices.DeleteFunc(kind.tables, func(key string) bool { return root[key] == nil })
		if len(found) == 0 {
			continue
		}
		t.WrongKey(found[0], problem.CodeUnknownKey, "%s", kind.message)
		root = maps.Clone(root)
		for _, key := range found {
			delete(root, key)
		}
	}
	return root
}
