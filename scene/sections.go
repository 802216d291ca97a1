package scene

import (
	"bytes"
	"slices"
	"sync/atomic"

	"github.com/BurntSushi/toml"
)

// sectionSize is how many bytes of a scene file, about, are worth a goroutine of their own.
const sectionSize = 1 << 16

// sections cuts a TOML file before headers of solids, such as [[sphere]], into parts of at
// least size bytes but for the last. What looks like a header may stand in a string.
func sections(text []byte, size int) [][]byte {
	var all [][]byte
	for len(text) > 0 {
		n := nextHeader(text, size)
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}

// nextHeader returns the offset of the first line behind the given offset that begins with a
// header of a solid, or the length of the text.
func nextHeader(text []byte, offset int) int {
	for offset < len(text) {
		n := bytes.Index(text[offset:], []byte("\n[["))
		if n < 0 {
			break
		}
		offset += n + len("\n")
		name, _, _ := bytes.Cut(text[offset+len("[["):min(offset+20, len(text))], []byte("]]"))
		if slices.Contains(kindNames(), string(name)) {
			return offset
		}
	}
	return len(text)
}

// decodeSections decodes the sections of a TOML file at once. It returns false if they do not
// tell what the file as a whole means: if it is short or wrong, or if a table goes on in
// another section.
//
// Sections that are TOML each end outside of strings and arrays, and all but the first begin
// with a header. So together they mean what the file means, unless two of them have the same
// top-level key. Even then they do if it is an array of tables in both, [[sphere]] say.
func decodeSections(text []byte, size int) (root map[string]any, ok bool) {
	parts := sections(text, size)
	if len(parts) < 2 {
		return nil, false
	}
	roots := make([]map[string]any, len(parts))
	var failed atomic.Bool
	inParallel(len(parts), func(i int) {
		if failed.Load() {
			return
		}
		if _, deep := tooDeep(parts[i]); deep || toml.Unmarshal(parts[i], &roots[i]) != nil {
			failed.Store(true)
		}
	})
	if failed.Load() {
		return nil, false
	}
	root = roots[0]
	for _, more := range roots[1:] {
		if !join(root, more) {
			return nil, false
		}
	}
	return root, true
}

// join adds the top-level keys of another section, unless both have one that is not an array
// of tables.
func join(root, more map[string]any) bool {
	// In any order: every key is joined on its own.
	for key, value := range more {
		present, there := root[key]
		former, wasArray := present.([]map[string]any)
		tables, isArray := value.([]map[string]any)
		switch {
		case !there:
			root[key] = value
		case wasArray && isArray:
			root[key] = append(former, tables...)
		default:
			return false
		}
	}
	return true
}
