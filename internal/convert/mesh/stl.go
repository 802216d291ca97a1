package mesh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/text"
	"pillbox/problem"
)

// Sizes of a binary STL file.
const (
	stlHeader   = 80 + 4 // a comment, and the number of triangles
	stlTriangle = 4*3*4 + 2
)

// readSTL reads an STL file. The file is binary if its length agrees with its number of triangles, or if it is not a
// text, even if it begins with "solid", as some binary files do.
func readSTL(name string, text []byte) (*builder, error) {
	if len(text) >= stlHeader {
		count := binary.LittleEndian.Uint32(text[stlHeader-4:])
		size := int64(stlHeader) + int64(count)*stlTriangle
		if size == int64(len(text)) {
			return readBinarySTL(name, text[stlHeader:])
		}
	}
	if plain := markup.UTF8(text); isTextSTL(plain) {
		return readTextSTL(name, plain)
	}
	if len(text) < stlHeader {
		return nil, wrong(name, problem.CodeSyntax, "is not an STL file: it neither begins with \"solid\" nor has a binary header")
	}
	count := binary.LittleEndian.Uint32(text[stlHeader-4:])
	size := int64(stlHeader) + int64(count)*stlTriangle
	if size > int64(len(text)) {
		return nil, wrong(name, problem.CodeSyntax, "ends too early: %d triangles need %d bytes, and the file has %d", count, size, len(text))
	}
	return readBinarySTL(name, text[stlHeader:size]) // some programs append bytes
}

// isTextSTL reports whether a file begins as a text and has no zero bytes, as the coordinates in binary files have.
func isTextSTL(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
	return len(text) >= 5 && bytes.EqualFold(text[:5], []byte("solid")) && bytes.IndexByte(bytes.TrimRight(text, "\x00"), 0) < 0
}

func readBinarySTL(name string, text []byte) (*builder, error) {
	b := newBuilder()
	for i := 0; i+stlTriangle <= len(text); i += stlTriangle {
		var corners [3]geom.Vec3
		for j := range corners {
			at := text[i+12*(j+1):] // after the normal
			corners[j] = geom.Vec3{X: float32At(at), Y: float32At(at[4:]), Z: float32At(at[8:])}
		}
		if why := b.polygon(corners[:]); why != "" {
			return nil, wrong(name, problem.CodeOutOfRange, "triangle %d: %s", i/stlTriangle, why)
		}
	}
	return b, nil
}

func float32At(b []byte) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// readTextSTL reads the vertices of each facet. It skips all other words, because the name of a solid may contain any
// words.
func readTextSTL(name string, text []byte) (*builder, error) {
	b := newBuilder()
	var corners []geom.Vec3
	line, inFacet := 0, false
	for row := range rows(text) {
		line++
		words := bytes.Fields(row)
		if len(words) == 0 {
			continue
		}
		switch string(bytes.ToLower(words[0])) {
		case "facet":
			inFacet, corners = true, corners[:0]
		case "endfacet", "endsolid":
			inFacet = false
		case "outer":
			corners = corners[:0]
		case "vertex":
			p, err := parseVertex(name, line, words[1:])
			if err != nil {
				return nil, err
			}
			corners = append(corners, p)
		case "endloop":
			if len(corners) < 3 {
				return nil, wrongAt(name, line, problem.CodeWrongLength, "a facet must have three vertices, got %d", len(corners))
			}
			if why := b.polygon(corners); why != "" {
				return nil, wrongAt(name, line, problem.CodeOutOfRange, "%s", why)
			}
			corners = corners[:0]
		}
	}
	if inFacet {
		return nil, wrongAt(name, line, problem.CodeSyntax, "the file ends inside a facet")
	}
	return b, nil
}

// parseVertex parses the first three words on a line as coordinates.
func parseVertex(name string, line int, words [][]byte) (geom.Vec3, error) {
	if len(words) < 3 {
		return geom.Vec3{}, wrongAt(name, line, problem.CodeWrongType, "a vertex must be three numbers")
	}
	var x [3]float64
	for i := range x {
		var err error
		x[i], err = parseLocalNumber(string(words[i]))
		got := text.Shorten(text.Escape(string(words[i])))
		switch {
		case errors.Is(err, strconv.ErrSyntax):
			return geom.Vec3{}, wrongAt(name, line, problem.CodeWrongType, "a vertex must be three numbers, got %s", got)
		case !(math.Abs(x[i]) <= geom.MaxCoordinate):
			return geom.Vec3{}, wrongAt(name, line, problem.CodeOutOfRange, "%s, got %s", notCoordinate(), got)
		}
	}
	return geom.Vec3{X: x[0], Y: x[1], Z: x[2]}, nil
}
