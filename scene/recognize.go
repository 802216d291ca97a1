package scene

import (
	"bytes"
	"io"
	"maps"
	"slices"

	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
)

// IsScene reports whether a file has a table of the scene format at its top, such as [camera] or [[sphere]], other than the tables
// of themes and of other files that scenes only include. The file may be invalid. Other programs' TOML files have other tables.
// IsScene reads only as much as it needs, and at most [MaxBytes].
func IsScene(r io.Reader) (bool, error) { return hasTable(r, "theme", "material", "part") }

// IsSceneOrParts is [IsScene] for files with parts, too.
func IsSceneOrParts(r io.Reader) (bool, error) { return hasTable(r, "theme", "material") }

// windowBytes is how much of a file is searched for tables at once.
const windowBytes = 1 << 16

// hasTable reports whether a file has a table of the scene format other than those of a library, which draw nothing. The table of
// another format ends the search.
func hasTable(r io.Reader, library ...string) (bool, error) {
	r = io.LimitReader(r, MaxBytes)
	var window []byte
	for {
		n := len(window)
		window = append(window, make([]byte, max(n, windowBytes))...)
		read, err := io.ReadFull(r, window[n:])
		window = window[:n+read]
		isEnd := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !isEnd {
			return false, err
		}
		has, other := tablesIn(window, library)
		if has || other || isEnd {
			return has, nil
		}
		// A table that may go on is read again. If it is large, the window grows.
		if at := tomltext.LastHeader(window); at > 0 {
			window = bytes.Clone(window[at:])
		}
	}
}

// tablesIn reports whether a text has a table of the scene format that is not one of a library, and whether it has a table of
// another format.
func tablesIn(text []byte, library []string) (has, other bool) {
	keys := fileKeys().List
	root := tomltext.Recover(text).Root
	for _, name := range slices.Sorted(maps.Keys(root)) {
		switch root[name].(type) {
		case map[string]any, []map[string]any:
		default:
			continue
		}
		if !slices.ContainsFunc(keys, func(k keytable.Key[rawFile]) bool { return k.Name == name }) {
			other = true
		} else if !slices.Contains(library, name) {
			has = true
		}
	}
	return has, other
}
