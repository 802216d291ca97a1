package tomltext

import (
	"bytes"
	"slices"
	"sync/atomic"

	"pillbox/internal/parallel"
)

// chunkSize is the approximate number of bytes that each goroutine decodes at a time.
const chunkSize = 1 << 16

// split divides a TOML file into chunks of at least size bytes; the last may be smaller. Each chunk except the first
// begins with a line that looks like a header [[NAME]] of one of the given arrays of tables. This line may be part of a
// string.
func split(text []byte, arrays []string, size int) [][]byte {
	var all [][]byte
	for len(text) > 0 {
		n := nextHeader(text, arrays, size)
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}

// nextHeader returns the offset of a line that begins with the header of one of the arrays: the first such line after
// the given offset. Without such a line, it returns the length of the text.
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

// stretch is a piece of a file. Either it is plain, and the fast reader for plain tables has read it, or it must be
// decoded.
type stretch[T any] struct {
	text    []byte
	isPlain bool
	read    T              // result of the fast reader
	root    map[string]any // decoded values
}

// stretchesOf divides a file into stretches. All but the first begin with a header of one of the arrays. It first
// splits the file into chunks of at least size bytes, see split, and then divides the chunks concurrently. The function
// read is that of [ParsePlain].
func stretchesOf[T any](text []byte, arrays []string, size int, read func([]byte) (T, int)) []stretch[T] {
	chunks := split(text, arrays, size)
	stretches := make([][]stretch[T], len(chunks))
	parallel.For(len(chunks), func(i int) { stretches[i] = plainStretches(chunks[i], arrays, read) })
	return slices.Concat(stretches...)
}

// plainStretches divides a chunk into stretches. It calls the function read, which reads plain tables and returns the
// offset where it stopped. The text from this offset to a later header becomes a stretch to decode. This repeats until
// the end of the chunk. Because decoding has a fixed cost per stretch, the minimum length of the stretches to decode
// doubles each time.
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

// decodeChunks decodes a TOML file in chunks, concurrently. It returns false if this may give other
// values than decoding the whole file: if a chunk is invalid or a table continues in another chunk. It
// also returns false for a short file.
func decodeChunks(data []byte, arrays []string, size int) (root map[string]any, ok bool) {
	var stretches []stretch[struct{}]
	for _, text := range split(data, arrays, size) {
		stretches = append(stretches, stretch[struct{}]{text: text})
	}
	root, _, ok = decodeStretches(stretches, arrays)
	return root, ok
}

// decodeStretches decodes the stretches of a TOML file that are not plain, concurrently. It returns false if this may
// give other values than decoding the whole file, or if there is only one stretch and it is not plain.
//
// If every stretch is valid TOML by itself, each ends outside of strings and arrays, and all but the first begin with a
// header. Then together they have the values of the whole file, provided that no two of them have the same top-level
// key. Only the key of an array of tables may occur in several stretches.
func decodeStretches[T any](stretches []stretch[T], arrays []string) (root map[string]any, plain []PlainChunk[T], ok bool) {
	if len(stretches) < 2 && !(len(stretches) == 1 && stretches[0].isPlain) {
		return nil, nil, false
	}
	var failed atomic.Bool
	parallel.For(len(stretches), func(i int) {
		s := &stretches[i]
		if s.isPlain || failed.Load() {
			return // nothing to decode, or the result would not be used
		}
		if _, deep := tooDeep(s.text); deep || Valid(s.text) != nil {
			failed.Store(true)
			return
		}
		var wrong *SyntaxError
		if s.root, wrong = decode(s.text); wrong != nil {
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

// lengths returns the number of elements that each of the arrays has in root.
func lengths(root map[string]any, arrays []string) map[string]int {
	n := make(map[string]int, len(arrays))
	for _, name := range arrays {
		tables, _ := root[name].([]map[string]any)
		n[name] = len(tables)
	}
	return n
}

// areTables reports whether each of the arrays either is an array of tables with headers or does not
// exist.
func areTables(root map[string]any, arrays []string) bool {
	return !slices.ContainsFunc(arrays, func(name string) bool {
		v, there := root[name]
		_, isArray := v.([]map[string]any)
		return there && !isArray
	})
}

// join adds the top-level keys of more to root. It returns false if both contain the same key, unless it is an array of
// tables in both.
func join(root, more map[string]any) bool {
	// The keys may come in any order: they are independent of each other.
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
