package cast

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
)

// Format is a text or binary format of rays, segments and their crossings.
//
// An input row has six numbers. For a ray these are its origin ox, oy, oz and its direction dx, dy, dz; for a
// segment, its ends ax, ay, az and bx, by, bz.
//
// The output has a row for each crossing, with these fields:
//
//   - ray: the number of the input row, counted from 0
//   - t: a distance, or a fraction of a segment's length
//   - x, y, z: the point
//   - nx, ny, nz: the outward normal
//   - object, name: the solid's object number and name
//   - inside: whether the solid was hit from inside
//   - face, only for scenes with sections: the name of the section on whose cut face the point lies, or "section 0" for
//     one without a name; empty on the solid's own surface
//   - touches, only for segments: as in [Hit]
//
// If a segment touches a solid without crossing its surface, t, the point and the normal are empty. A ray or
// segment that hits nothing has one row, in which all fields but ray are empty, and touches is false. With
// [Options.Count] there is one row for each input row, with the fields ray, count and, for segments, touches:
// whether it touches any solid. With [Options.KeepGoing], a last field, error, follows. Numbers have the fewest
// digits from which they can be read back exactly.
type Format uint8

const (
	// CSV has a header with the names of the fields, in any order, and one row per line. Other columns
	// of the input and blank lines are ignored. A field must not contain a line break. Unprintable
	// characters in names are escaped as in Go strings.
	CSV Format = iota

	// JSONLines has one object per line, with the names of the fields as keys. Other keys of the input
	// and blank lines are ignored. An empty field is null.
	JSONLines

	// Float64 is binary: little-endian 64-bit floats without separators, six per ray or segment in the
	// input. An empty field is NaN, false is 0 and true is 1. The field called name is omitted, face is the index of the section, and the
	// field called error is 1 or empty.
	Float64

	// Records is binary. Input rows are the same as in Float64. The output consists of little-endian records
	// without separators. The record of a crossing has HitBytes bytes: ray, an int64; t, the point and
	// the normal, seven float64; object, an int32; inside, touches and error, one byte each, 0 or 1; and
	// a byte that is Face in [Hit]. If a ray hits nothing, t is +Inf, the point and the normal are NaN, and object is -1. With
	// Count a record has CountBytes bytes: ray, an int64; count, an int32; a byte 0; touches and error,
	// one byte each; and a byte 0.
	Records
)

// isBinary reports whether the input consists of numbers rather than lines.
func (f Format) isBinary() bool { return f == Float64 || f == Records }

// String returns the name of the format, which [ParseFormat] accepts.
func (f Format) String() string {
	names := formatNames()
	if int(f) >= len(names) {
		return fmt.Sprintf("Format(%d)", int(f))
	}
	return names[f]
}

func formatNames() []string { return []string{"csv", "jsonl", "f64", "records"} }

// ParseFormat returns the format with the given name: csv, jsonl, f64 or records.
func ParseFormat(name string) (Format, error) {
	if i := slices.Index(formatNames(), name); i >= 0 {
		return Format(i), nil
	}
	return 0, fmt.Errorf("must be csv, jsonl, f64 or records")
}

// recordBytes is the size of an input row in [Float64].
const recordBytes = 6 * 8

// rows returns the rows of text, including their line breaks.
func (f Format) rows(text []byte) iter.Seq[[]byte] {
	if f.isBinary() {
		return slices.Chunk(text, recordBytes)
	}
	return bytes.Lines(text)
}

// whole returns the length of the complete rows at the start of text.
func (f Format) whole(text []byte) int {
	if f.isBinary() {
		return len(text) / recordBytes * recordBytes
	}
	return bytes.LastIndexByte(text, '\n') + 1
}

// isBlank reports whether row is a blank line, which does not count as a row.
func (f Format) isBlank(row []byte) bool { return !f.isBinary() && len(bytes.TrimSpace(row)) == 0 }

// line returns the line number n, or 0 if the format has no lines.
func (f Format) line(n int64) int64 {
	if f.isBinary() {
		return 0
	}
	return n
}
