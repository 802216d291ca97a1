// Package mesh reads triangle meshes: STL, text and binary, Wavefront OBJ, COLLADA (DAE), and the binary format of
// MuJoCo (MSH).
//
// Normals, animations and skins are ignored. Polygons are split into triangles. A mesh has one color: the mean of the colors
// and textures that an OBJ or a COLLADA file states. Lengths are in the units of the file. COLLADA files state the length of their
// unit, so their lengths are converted to meters. Like most programs for robots, the reader ignores the
// up-axis of COLLADA and keeps the axes of the file.
//
// Sources: the STL format as described by the Library of Congress (fdd000504 to fdd000506); Wavefront's
// "Object Files (.obj)"; the COLLADA 1.4.1 specification of the Khronos Group.
package mesh

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// Limits of a file.
const (
	MaxBytes     = 256 << 20
	MaxTriangles = 5_000_000
)

// Mesh is a surface made of triangles. It need not be closed. In a mesh from [Read], all vertices are different, and each
// is a corner of a triangle.
type Mesh struct {
	Vertices  []geom.Vec3 // finite, at most geom.MaxCoordinate in magnitude
	Triangles [][3]int    // indices of vertices, counterclockwise seen from outside

	Skipped []Skipped // elements of the file without area, and curved ones

	surfaces  []painted // in the order in which the file uses them
	libraries []string  // the names in its statements mtllib
	file      string    // path of the file in the source's folder, or its base name if no library read it
}

// Skipped counts elements of one kind that a reader skipped.
type Skipped struct {
	Noun  string // in the singular
	Count int
}

// skip counts a skipped element.
func (b *builder) skip(noun string) {
	for i := range b.mesh.Skipped {
		if s := &b.mesh.Skipped[i]; s.Noun == noun {
			s.Count++
			return
		}
	}
	b.mesh.Skipped = append(b.mesh.Skipped, Skipped{noun, 1})
}

// NoteSkipped notes what is missing from a mesh with the given name.
func (m *Mesh) NoteSkipped(account *model.Account, name string, where problem.Error) {
	for _, s := range m.Skipped {
		account.NoteMany(s.Noun+" of "+name, "skipped", s.Count, where)
	}
}

// Extensions returns the file extensions that [Read] supports, lower-case, with the dot.
func Extensions() []string { return []string{".dae", ".msh", ".obj", ".stl"} }

// Read reads a mesh. The extension of the name determines the format; the name is also used in messages. The error is a
// [*problem.Error] or an error of r. A file without triangles is an error.
func Read(name string, r io.Reader) (*Mesh, error) {
	read := map[string]func(string, []byte) (*builder, error){".stl": readSTL, ".obj": readOBJ, ".dae": readDAE, ".msh": readMSH}[strings.ToLower(path.Ext(name))]
	if read == nil {
		return nil, wrong(name, problem.CodeUnknownValue, "is not a mesh that can be read: its name must end in %s", strings.Join(Extensions(), ", "))
	}
	text, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxBytes {
		return nil, wrong(name, problem.CodeTooLarge, "must have at most %d MiB", MaxBytes>>20)
	}
	b, err := read(name, text)
	if err != nil {
		return nil, err
	}
	if len(b.mesh.Triangles) == 0 {
		return nil, wrong(name, problem.CodeMissingKey, "has no triangles")
	}
	b.mesh.file = path.Base(filepath.ToSlash(name))
	return &b.mesh, nil
}

// rows yields the lines of a text without their ends, which are LF, CR LF or CR.
func rows(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			row, rest := text, []byte(nil)
			if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
				row, rest = text[:i], text[i+1:]
				if text[i] == '\r' && len(rest) > 0 && rest[0] == '\n' {
					rest = rest[1:]
				}
			}
			if !yield(row) {
				return
			}
			text = rest
		}
	}
}

// parseLocalNumber parses a number, whose decimal point may be a comma: some programs write the decimals of the user's language.
func parseLocalNumber(word string) (float64, error) {
	if strings.Count(word, ",") == 1 && !strings.Contains(word, ".") {
		word = strings.Replace(word, ",", ".", 1)
	}
	return strconv.ParseFloat(word, 64)
}

// wrong returns an error about a whole file.
func wrong(name string, code problem.Code, format string, args ...any) error {
	return &problem.Error{File: name, Severity: problem.SeverityError, Code: code, Message: fmt.Sprintf(format, args...)}
}

// wrongAt returns an error about a line of a file.
func wrongAt(name string, line int, code problem.Code, format string, args ...any) error {
	return &problem.Error{File: name, Line: line, Column: 1, Severity: problem.SeverityError, Code: code, Message: fmt.Sprintf(format, args...)}
}

// builder collects triangles and merges equal vertices.
type builder struct {
	mesh      Mesh
	index     map[geom.Vec3]int
	surface   surface // of the next polygons
	surfaceAt map[surface]int
	libraries int // number of words in mesh.libraries
}

func newBuilder() *builder {
	return &builder{index: make(map[geom.Vec3]int), surfaceAt: make(map[surface]int)}
}

// vertex returns the index of a vertex.
func (b *builder) vertex(p geom.Vec3) int {
	p = geom.Vec3{X: p.X + 0, Y: p.Y + 0, Z: p.Z + 0} // -0 becomes 0
	i, ok := b.index[p]
	if !ok {
		i = len(b.mesh.Vertices)
		b.mesh.Vertices = append(b.mesh.Vertices, p)
		b.index[p] = i
	}
	return i
}

// notCoordinate describes a point whose coordinates are invalid in a scene.
func notCoordinate() string {
	return fmt.Sprintf("coordinates must be finite and at most %g in magnitude", geom.MaxCoordinate)
}

// polygon adds a polygon as a fan of triangles around its first corner. It omits triangles with two equal corners. If the
// polygon is not valid, it adds nothing and describes the problem; otherwise problem is "".
func (b *builder) polygon(corners []geom.Vec3) (problem string) {
	for _, p := range corners {
		if !geom.IsCoordinate(p) {
			return fmt.Sprintf("%s, got %v", notCoordinate(), p)
		}
	}
	if len(b.mesh.Triangles)+max(0, len(corners)-2) > MaxTriangles {
		return fmt.Sprintf("must have at most %d triangles", MaxTriangles)
	}
	for i := 2; i < len(corners); i++ {
		p, q, r := corners[0], corners[i-1], corners[i]
		if p != q && q != r && r != p {
			b.mesh.Triangles = append(b.mesh.Triangles, [3]int{b.vertex(p), b.vertex(q), b.vertex(r)})
			b.paint(p, q, r)
		}
	}
	return ""
}
