package mesh

import (
	"bytes"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/problem"
)

// readOBJ reads the vertices and faces of a Wavefront file. A line that ends in a backslash continues on the next line.
// Faces may have negative indices, which count back from the last vertex.
func readOBJ(name string, text []byte) (*builder, error) {
	b := newBuilder()
	text = markup.UTF8(text)
	var vertices, corners []geom.Vec3
	var joined []byte
	line := 0
	for row := range rows(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		line++
		if part, ok := bytes.CutSuffix(row, []byte(`\`)); ok {
			joined = append(append(joined, part...), ' ')
			continue
		}
		if len(joined) > 0 {
			joined = append(joined, row...)
			row = joined
		}
		words := bytes.Fields(row)
		joined = joined[:0]
		if len(words) == 0 {
			continue
		}
		switch string(words[0]) {
		case "v":
			p, err := parseVertex(name, line, words[1:])
			if err != nil {
				return nil, err
			}
			vertices = append(vertices, p)
		case "l":
			b.skip("line")
		case "p":
			b.skip("point")
		case "curv":
			b.skip("curve")
		case "surf":
			b.skip("curved surface")
		case "mtllib":
			b.addLibrary(slashes(rest(row)))
		case "usemtl":
			b.surface = surface{material: rest(row)}
		case "f":
			corners = corners[:0]
			for _, word := range words[1:] {
				i, ok := vertexIndex(word, len(vertices))
				if !ok {
					return nil, wrongAt(name, line, problem.CodeOutOfRange, "%q must be the number of a vertex above: the file has %d of them so far", word, len(vertices))
				}
				corners = append(corners, vertices[i])
			}
			if len(corners) < 3 { // a line or a point, which has no area
				b.skip("face of fewer than three corners")
				continue
			}
			if why := b.polygon(corners); why != "" {
				return nil, wrongAt(name, line, problem.CodeOutOfRange, "%s", why)
			}
		}
	}
	return b, nil
}

// vertexIndex parses the vertex of a corner, written as "v", "v/vt", "v//vn" or "v/vt/vn", and returns its index from
// 0. v counts from 1 or, if negative, back from the last vertex.
func vertexIndex(word []byte, count int) (int, bool) {
	number, _, _ := bytes.Cut(word, []byte("/"))
	i, err := strconv.Atoi(string(number))
	switch {
	case err != nil:
		return 0, false
	case i < 0:
		i += count
	default:
		i--
	}
	return i, 0 <= i && i < count
}
