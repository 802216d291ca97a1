package tomltext

import (
	"bytes"
	"slices"
	"sync/atomic"

	"github.com/BurntSushi/toml"

	"pillbox/internal/parallel"
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

// stretch is a piece of a file that is decoded, or that a reader of plain tables has understood.
type stretch[T any] struct {
	text    []byte
	isPlain bool
	read    T
	root    map[string]any // what is decoded
}

// stretchesOf cuts a file into stretches. All but the first begin with a header of an array.
func stretchesOf[T any](text []byte, arrays []string, size int, read func([]byte) (T, int)) []stretch[T] {
	chunks := split(text, arrays, size)
	stretches := make([][]stretch[T], len(chunks))
	parallel.For(len(chunks), func(i int) { stretches[i] = plainStretches(chunks[i], arrays, read) })
	return slices.Concat(stretches...)
}

// plainStretches cuts a chunk where the reader stops, and behind that before the next header. Each time it goes on to a
// header twice as far away, as decoding has a cost for each piece.
func plainStretches[T any](text []byte, arrays []string, read func([]byte) (T, int)) (stretches []stretch[T]) {
	for skip := 0; len(text) > 0; skip = max(1<<10, 2*skip) {
		made, n := read(text)
		if n > 0 {
			stretches = append(stretches, stretch[T]{text: text[:n], isPlain: true, read: made})
			text = text[n:]
		}
		if len(text) > 0 {
			n = nextHeader(text, arrays, min(skip, len(text)))
			stretches = append(stretches, stretch[T]{text: text[:n]})
			text = text[n:]
		}
	}
	return stretches
}

// decodeChunks decodes the chunks of a TOML file, several at once. It returns false if they do
// not give the values of the file as a whole: if it is short or wrong, or if a table goes on
// in another chunk.
func decodeChunks(data []byte, arrays []string, size int) (root map[string]any, ok bool) {
	var stretches []stretch[struct{}]
	for _, text := range split(data, arrays, size) {
		stretches = append(stretches, stretch[struct{}]{text: text})
	}
	root, _, ok = decodeStretches(stretches, arrays)
	return root, ok
}

// decodeStretches decodes the stretches of a TOML file that no reader has understood, several at once. It returns false
// if all stretches together may not give the values of the file as a whole, and if there is one to decode.
//
// Stretches that are TOML each end outside of strings and arrays, and all but the first begin
// with a header. So together they mean what the file means, unless two of them have the same
// top-level key. Even then they do if it is an array of tables in both.
func decodeStretches[T any](stretches []stretch[T], arrays []string) (root map[string]any, plain []PlainChunk[T], ok bool) {
	if len(stretches) < 2 && !(len(stretches) == 1 && stretches[0].isPlain) {
		return nil, nil, false
	}
	var failed atomic.Bool
	parallel.For(len(stretches), func(i int) {
		s := &stretches[i]
		if s.isPlain || failed.Load() {
			return // one that failed is enough
		}
		if _, deep := tooDeep(s.text); deep || Valid(s.text) != nil || toml.Unmarshal(s.text, &s.root) != nil {
			failed.Store(true)
		}
	})
	if failed.Load() {
		return nil, nil, false
	}
	root = make(map[string]any)
	for i := range stretches {
		s := &stretches[i]
		if s.isPlain {
			plain = append(plain, PlainChunk[T]{s.text, s.read, lengths(root, arrays)})
		} else if !join(root, s.root) {
			return nil, nil, false
		}
	}
	return root, plain, len(plain) == 0 || areTables(root, arrays)
}

// lengths returns how many elements each of the arrays has so far.
func lengths(root map[string]any, arrays []string) map[string]int {
	n := make(map[string]int, len(arrays))
	for _, name := range arrays {
		tables, _ := root[name].([]map[string]any)
		n[name] = len(tables)
	}
	return n
}

// areTables reports whether each of the arrays is one of tables with headers, or not there.
func areTables(root map[string]any, arrays []string) bool {
	return !slices.ContainsFunc(arrays, func(name string) bool {
		v, there := root[name]
		_, isArray := v.([]map[string]any)
		return there && !isArray
	})
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
