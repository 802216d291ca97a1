package mesh

import (
	"encoding/binary"

	"pillbox/geom"
	"pillbox/problem"
)

// readMSH reads the binary format of MuJoCo: the counts of vertices, normals, texture coordinates and faces, followed by
// these. Source: MuJoCo's XML reference, "asset/mesh".
func readMSH(name string, text []byte) (*builder, error) {
	const header = 4 * 4
	if len(text) < header {
		return nil, wrong(name, problem.CodeSyntax, "ends within its header")
	}
	var counts [4]int64
	for i := range counts {
		counts[i] = int64(int32(binary.LittleEndian.Uint32(text[4*i:])))
	}
	vertices, faces := counts[0], counts[3]
	size := header + 12*vertices + 12*counts[1] + 8*counts[2] + 12*faces
	if min(counts[0], counts[1], counts[2], counts[3]) < 0 || size != int64(len(text)) {
		return nil, wrong(name, problem.CodeSyntax, "has %d bytes, which are not those of %d vertices and %d faces", len(text), vertices, faces)
	}
	b := newBuilder()
	vertex := func(i uint32) geom.Vec3 {
		at := text[header+12*int64(i):]
		return geom.Vec3{X: float32At(at), Y: float32At(at[4:]), Z: float32At(at[8:])}
	}
	for i := range faces {
		at := text[size-12*(faces-i):]
		var corners [3]geom.Vec3
		for j := range corners {
			index := binary.LittleEndian.Uint32(at[4*j:])
			if int64(index) >= vertices {
				return nil, wrong(name, problem.CodeOutOfRange, "face %d: vertex %d is missing: there are %d", i, index, vertices)
			}
			corners[j] = vertex(index)
		}
		if why := b.polygon(corners[:]); why != "" {
			return nil, wrong(name, problem.CodeOutOfRange, "face %d: %s", i, why)
		}
	}
	return b, nil
}
