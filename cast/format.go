package cast

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
)

// Format is how rays and what they meet are written.
//
// A ray has the fields ox, oy, oz, its origin, and dx, dy, dz, its direction; a segment has ax, ay, az
// and bx, by, bz, its ends.
//
// What is met has the fields ray, which counts the input's rows from 0; t, a distance or a segment's
// fraction; the point x, y, z; the outward normal nx, ny, nz; object and name, the solid's; and
// inside, whether it was hit from inside. Segments have touches besides. With [Options.Count] the
// fields are ray, count and touches, whether the segment touches any solid. With [Options.KeepGoing]
// the last is error. There is a row for each crossing, and one for a ray that meets nothing, with all
// fields empty but ray and, false, touches. Numbers are written in as many digits as bring back the
// same bits.
type Format uint8

const (
	// CSV has a header with the names of the fields, in any order, and a row in each line. Other
	// columns of the input are left unread, and so are blank lines. No field may hold a line break. What
	// cannot be printed in a name is written as in Go strings.
	CSV Format = iota

	// JSONLines has an object in each line, with the names of the fields as keys. Other keys of the
	// input are left unread, and so are blank lines. What is empty is null.
	JSONLines

	// Float64 has 64-bit floats, little endian, and nothing between them: six to a ray. What is empty
	// is NaN, false 0 and true 1; there is no name, and an error is 1 or empty.
	Float64
)

// String returns the name of the format, as [ParseFormat] knows it.
func (f Format) String() string {
	names := formatNames()
	if int(f) >= len(names) {
		return fmt.Sprintf("Format(%d)", int(f))
	}
	return names[f]
}

func formatNames() []string { return []string{"csv", "jsonl", "f64"} }

// ParseFormat returns the format of a name: csv, jsonl or f64.
func ParseFormat(name string) (Format, error) {
	if i := slices.Index(formatNames(), name); i >= 0 {
		return Format(i), nil
	}
	return 0, fmt.Errorf("must be csv, jsonl or f64")
}

// recordBytes is the size of a ray or segment in [Float64].
const recordBytes = 6 * 8

// rows returns the rows of some text, with the line breaks that end them.
func (f Format) rows(text []byte) iter.Seq[[]byte] {
	if f == Float64 {
		return slices.Chunk(text, recordBytes)
	}
	return bytes.Lines(text)
}

// whole returns how much of some text is whole rows.
func (f Format) whole(text []byte) int {
	if f == Float64 {
		return len(text) / recordBytes * recordBytes
	}
	return bytes.LastIndexByte(text, '\n') + 1
}

// isBlank reports whether a row is none, but a blank line.
func (f Format) isBlank(row []byte) bool { return f != Float64 && len(bytes.TrimSpace(row)) == 0 }

// line returns the number of a line, or 0 if the format has no lines.
func (f Format) line(n int64) int64 {
	if f == Float64 {
		return 0
	}
	return n
}
