package tomltext

import (
	"bytes"
	"pillbox/internal/parallel"
	"slices"
	"sync/atomic"

	"github.com/BurntSushi/toml"
)

// chunkSize is about how many bytes of a file are worth a goroutine of their own.
const chunkSize = 1 << 16

// split cuts a TOML file before headers [[NAME]] of the given arrays of tables, into chunks of
// at least size bytes except for the last. What looks like a header may appear in a string.
func split(text []byte, arrays []string, size int) [][]byte {
	var all [][]byte
	for len(text) > 0 {
		n := nextHeader(text, arrays, size)
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}

// nextHeader returns the offset of the first line behind the given offset that begins with the
// header of one of the arrays, or the length of the text.
func nextHeader(text []byte, arrays []string, offset int) int {
	for offset < len(text) {
		n := bytes.Index(text[offset:], []byte("\n[["))
		if n < 0 {
			break
		}
		offset += n + len("\n")
		header := text[offset+len("[["):]
		if slices.ContainsFunc(arrays, func(name string) bool { return bytes.HasPrefix(header, []byte(name+"]]")) }) {
			return offset
		}
	}
	return len(text)
}

// decodeChunks decodes the chunks of a TOML file, several at once. It returns false if they do
// not give the values of the file as a whole: if it is short or wrong, or if a table goes on
// in another chunk.
//
// Chunks that are TOML each end outside of strings and arrays, and all but the first begin
// with a header. So together they mean what the file means, unless two of them have the same
// top-level key. Even then they do if it is an array of tables in both.
func decodeChunks(data []byte, arrays []string, size int) (root map[string]any, ok bool) {
	chunks := split(data, arrays, size)
	if len(chunks) < 2 {
		return nil, false
	}
	roots := make([]map[string]any, len(chunks))
	var failed atomic.Bool
	parallel.For(len(chunks), func(i int) {
		if failed.Load() {
			return // one that failed is enough
		}
		if _, deep := tooDeep(chunks[i]); deep || toml.Unmarshal(chunks[i], &roots[i]) != nil {
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

// join adds the top-level keys of another chunk, unless both have one that is not an array of
// tables.
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
