package mesh_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// Corners and faces of a tetrahedron, which the tests write in every format.
var (
	corners = [4]geom.Vec3{{}, {X: 1}, {Y: 2}, {Z: 0.5}}
	faces   = [4][3]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}
)

func textSTL() string {
	var b strings.Builder
	b.WriteString("solid a vertex of fame\n")
	for _, f := range faces {
		b.WriteString(" facet normal 0 0 0\n  outer loop\n")
		for _, i := range f {
			p := corners[i]
			fmt.Fprintf(&b, "   vertex %e %g %g\r\n", p.X, p.Y, p.Z)
		}
		b.WriteString("  endloop\n endfacet\n")
	}
	return b.String() + "endsolid\n"
}

func binarySTL(comment string) string {
	b := bytes.NewBuffer(make([]byte, 80))
	copy(b.Bytes(), comment)
	binary.Write(b, binary.LittleEndian, uint32(len(faces)))
	for _, f := range faces {
		binary.Write(b, binary.LittleEndian, [3]float32{})
		for _, i := range f {
			p := corners[i]
			binary.Write(b, binary.LittleEndian, [3]float32{float32(p.X), float32(p.Y), float32(p.Z)})
		}
		binary.Write(b, binary.LittleEndian, uint16(7))
	}
	return b.String()
}

func msh() string {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, [4]int32{4, 4, 0, 4})
	for range 2 { // vertices, and as many normals
		for _, p := range corners {
			binary.Write(&b, binary.LittleEndian, [3]float32{float32(p.X), float32(p.Y), float32(p.Z)})
		}
	}
	for _, f := range faces {
		binary.Write(&b, binary.LittleEndian, [3]int32{int32(f[0]), int32(f[1]), int32(f[2])})
	}
	return b.String()
}

func obj(form string, index func(int) int) string {
	var b strings.Builder
	b.WriteString("# a tetrahedron\nmtllib a.mtl\no a\n")
	for _, p := range corners {
		fmt.Fprintf(&b, "v %g %g \\\n %g 1.0\nvn 0 0 1\nvt 0 0\n", p.X, p.Y, p.Z)
	}
	for _, f := range faces {
		fmt.Fprintf(&b, "f "+form+" "+form+" "+form+"\n", index(f[0]), index(f[1]), index(f[2]))
	}
	return b.String()
}

// utf16 returns a text in UTF-16 with a byte order mark.
func utf16(text string) string {
	b := []byte("\xff\xfe")
	for i := range len(text) {
		b = append(b, text[i], 0)
	}
	return string(b)
}

func dae(unit, scene, primitives string) string {
	return `<?xml version="1.0"?><COLLADA version="1.4.1"><asset><unit meter="` + unit + `"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
 <source id="p"><float_array id="a" count="12">0 0 0 1 0 0
   0 2 0 <!-- a comment --> 0 0 0.5</float_array><technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
 <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>` + primitives + `
</mesh></geometry></library_geometries>` + scene + `</COLLADA>`
}

const (
	triangles = `<triangles count="4"><input semantic="NORMAL" source="#n" offset="0"/><input semantic="VERTEX" source="#v" offset="1"/>
  <p>9 0 9 2 9 1 9 0 9 1 9 3 9 0 9 3 9 2 9 1 9 2 9 3</p></triangles>`
	polylist = `<polylist count="4"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist>`
	polygons = `<polygons count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>`
	strips   = `<tristrips count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 3</p><p>1 3 0 2</p></tristrips>`
)

// TestRead reads a tetrahedron in every variant of every format. The vertices and the volume that the triangles
// enclose must be right.
func TestRead(t *testing.T) {
	one := func(i int) int { return i + 1 }
	back := func(i int) int { return i - 4 }
	files := map[string]string{
		"text.stl":       textSTL(),
		"binary.STL":     binarySTL("made by hand"),
		"solid.stl":      binarySTL("solid of revolution"),
		"more.stl":       binarySTL("made by hand") + "trailing bytes",
		"a.msh":          msh(),
		"plain.obj":      obj("%d", one),
		"normals.obj":    obj("%d//1", one),
		"backward.obj":   obj("%d/1/1", back),
		"triangles.dae":  dae("1", "", triangles),
		"polylist.dae":   dae("1", "", polylist),
		"polygons.dae":   dae("1", "", polygons),
		"strips.dae":     dae("1", "", strips),
		"comma.dae":      dae("1,0", "", triangles),
		"utf16.dae":      utf16(dae("1", "", triangles)),
		"convex.dae":     strings.NewReplacer("<mesh>", "<convex_mesh>", "</mesh>", "</convex_mesh>").Replace(dae("1", "", triangles)),
		"hull.dae":       strings.Replace(dae("1", `<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#hull"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>`, triangles), "</geometry>", `</geometry><geometry id="hull"><convex_mesh convex_hull_of="#g"/></geometry>`, 1),
		"solidmore.stl":  binarySTL("solid of revolution") + "trailing bytes",
		"utf16.stl":      utf16(textSTL()),
		"bom.stl":        "\ufeff" + textSTL(),
		"utf16.obj":      utf16(obj("%d", one)),
		"continued.obj":  strings.ReplaceAll(strings.ReplaceAll(obj("%d", one), "f ", "f \\\n"), "v ", "v \\\r\n"),
		"curves.obj":     obj("%d", one) + "cstype bezier\ndeg 3\ncurv 0 1 1 2 3 4\nend\n",
		"fans.dae":       dae("1", "", strings.ReplaceAll(polygons, "polygons", "trifans")),
		"lines.dae":      dae("1", "", `<lines><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines>`+triangles),
		"cr.stl":         strings.ReplaceAll(textSTL(), "\n", "\r"),
		"cr.obj":         strings.ReplaceAll(obj("%d", one), "\n", "\r"),
		"crlf.obj":       "\ufeff" + strings.ReplaceAll(obj("%d", one), "\n", "\r\n"),
		"lines.obj":      obj("%d", one) + "l 1 2\nf 1 2\nf 3\np 1\n",
		"dir/scaled.dae": dae("0.5", `<library_visual_scenes><visual_scene id="s"><node><scale>2 2 2</scale><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>`, polylist),
	}
	for name, text := range files {
		m, err := mesh.Read(name, strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var sum float64
		for _, f := range m.Triangles {
			a, b, c := m.Vertices[f[0]], m.Vertices[f[1]], m.Vertices[f[2]]
			sum += a.Dot(b.Cross(c)) / 6
		}
		if len(m.Vertices) != 4 || len(m.Triangles) != 4 || math.Abs(sum-1.0/6) > 1e-12 {
			t.Errorf("%s: %d vertices, %d triangles, volume %v; want 4, 4 and %v", name, len(m.Vertices), len(m.Triangles), sum, 1.0/6)
		}
		for _, p := range corners {
			found := false
			for _, q := range m.Vertices {
				found = found || p == q
			}
			if !found {
				t.Errorf("%s: no vertex %v in %v", name, p, m.Vertices)
			}
		}
	}
}

// TestSkipped checks that the elements that are not shown are counted.
func TestSkipped(t *testing.T) {
	one := func(i int) int { return i + 1 }
	for name, c := range map[string]struct {
		text string
		want []mesh.Skipped
	}{
		"a.obj": {obj("%d", one) + "l 1 2\nf 1 2\nf 3\np 1\nl 2 3\ncurv 0 1 1 2\nsurf 0 1 0 1 1 2 3 4\n", []mesh.Skipped{
			{"line", 2}, {"face of fewer than three corners", 2}, {"point", 1}, {"curve", 1}, {"curved surface", 1}}},
		"a.dae": {dae("1", "", `<lines><p/></lines><linestrips><p/></linestrips>`+triangles), []mesh.Skipped{{"list of lines", 2}}},
		"b.dae": {strings.Replace(dae("1", "", triangles), "</geometry>", `</geometry><geometry id="s"><spline/></geometry>`, 1), []mesh.Skipped{{"spline", 1}}},
		"a.stl": {textSTL(), nil},
	} {
		m, err := mesh.Read(name, strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Skipped, c.want) {
			t.Errorf("%s: %v, want %v", name, m.Skipped, c.want)
		}
		var account model.Account
		m.NoteSkipped(&account, name, problem.Error{File: name})
		if notes := account.Notes(); len(notes) != len(c.want) {
			t.Errorf("%s: %v", name, notes)
		} else if name == "a.obj" && notes[1].Message != "2 faces of fewer than three corners of a.obj skipped" {
			t.Errorf("%s: %s", name, notes[1].Message)
		}
	}
}

// TestNodes checks nodes with several transformations, of which the last is applied first, and nodes that are
// instantiated several times.
func TestNodes(t *testing.T) {
	text := dae("1", `<library_nodes><node id="n"><matrix>0 -1 0 1  1 0 0 0  0 0 1 0  0 0 0 1</matrix><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="s">
 <node><translate>10 0 0</translate><rotate>0 0 1 90</rotate><instance_node url="#n"/></node>
 <node><instance_node url="#n"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>`, triangles)
	m, err := mesh.Read("a.dae", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Triangles) != 8 {
		t.Fatalf("%d triangles, want 8", len(m.Triangles))
	}
	// (1, 0, 0) by the matrix is (1, 1, 0); by the rotation, this is (-1, 1, 0); by the translation, (9, 1, 0).
	for _, want := range []geom.Vec3{{X: 9, Y: 1}, {X: 1, Y: 1}} {
		found := false
		for _, p := range m.Vertices {
			found = found || p.Sub(want).Norm() < 1e-12
		}
		if !found {
			t.Errorf("no vertex at %v in %v", want, m.Vertices)
		}
	}
}

// TestRefuses checks the errors for damaged files. They must contain the name of the file and, in text formats, the
// line.
func TestRefuses(t *testing.T) {
	endless := dae("1", `<library_visual_scenes><visual_scene id="s"><node id="n"><instance_node url="#n"/><instance_node url="#n"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>`, triangles)
	cases := []struct {
		name, text, want string
		line             int
	}{
		{"a.ply", "ply", "must end in .dae, .msh, .obj, .stl", 0},
		{"a.stl", "", "is not an STL file", 0},
		{"a.stl", "solid a\nendsolid a\n", "has no triangles", 0},
		{"a.stl", binarySTL("")[:200], "ends too early: 4 triangles need 284 bytes, and the file has 200", 0},
		{"a.stl", binarySTL("solid of revolution")[:200], "ends too early: 4 triangles need 284 bytes, and the file has 200", 0},
		{"a.stl", textSTL()[:strings.Index(textSTL(), "outer")], "ends inside a facet", 3},
		{"a.stl", textSTL()[:strings.Index(textSTL(), "endfacet")], "ends inside a facet", 8},
		{"a.stl", "solid\nfacet\nouter loop\nvertex 0 0 x\n", "three numbers, got x", 4},
		{"a.stl", "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nendloop\n", "three vertices, got 2", 6},
		{"a.stl", "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 0 nan 0\nendloop\n", "finite and at most 1e+15 in magnitude, got nan", 6},
		{"a.stl", "solid\nfacet\nouter loop\nvertex 0 0 0\n", "ends inside a facet", 4},
		{"a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\nv 0 1 0\n", "\"3\" must be the number of a vertex above", 3},
		{"a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 -3\n", "\"-3\" must be", 3},
		{"a.obj", "v 0 0\n", "three numbers", 1},
		{"a.obj", "v 1e300 0 0\nv 0 0 0\nv 0 1 0\nf 1 2 3", "at most 1e+15 in magnitude, got 1e300", 1},
		{"a.obj", "v 0 0 0\nv 1 -1e999 0\n", "at most 1e+15 in magnitude, got -1e999", 2},
		{"a.obj", "v 0 nan 0\n", "finite and at most 1e+15 in magnitude, got nan", 1},
		{"a.stl", binarySTL("")[:96] + "\x00\x00\xc0\x7f" + binarySTL("")[100:], "triangle 0: coordinates must be finite and at most 1e+15 in magnitude, got [NaN, ", 0},
		{"a.obj", "", "has no triangles", 0},
		{"a.msh", "", "ends within its header", 0},
		{"a.msh", msh()[:100], "has 100 bytes, which are not those of 4 vertices and 4 faces", 0},
		{"a.msh", strings.Replace(msh(), "\x03\x00\x00\x00", "\x04\x00\x00\x00", 1), "vertex 4 is missing", 0},
		{"a.msh", "\xff\xff\xff\xff" + msh()[4:], "-1 vertices", 0},
		{"a.dae", "<a/>", "must be <COLLADA>", 1},
		{"a.dae", "<COLLADA>", "is no XML", 1},
		{"a.dae", strings.Replace(dae("1", "", triangles), "9 0 9 2", "9 0 9 4", 1), "vertex 4 is missing", 5},
		{"a.dae", strings.Replace(dae("1", "", triangles), "9 2 9 3<", "9 2<", 1), "ends within a polygon", 6},
		{"a.dae", strings.Replace(dae("1", "", polylist), "<vcount>3", "<vcount>", 1), "fewer polygons", 5},
		{"a.dae", strings.Replace(dae("1", "", polylist), "0 2 1", "0 -2 1", 1), "not negative", 5},
		{"a.dae", dae("0", "", triangles), "must be from", 1},
		{"a.dae", endless, "at most 100 deep", 7},
	}
	for _, c := range cases {
		_, err := mesh.Read(c.name, strings.NewReader(c.text))
		var problem *problem.Error
		if !errors.As(err, &problem) || !strings.Contains(problem.Message, c.want) || problem.File != c.name {
			t.Errorf("%s: %.60q: %v, want %q", c.name, c.text, err, c.want)
		} else if problem.Line != c.line {
			t.Errorf("%s: %.60q: line %d, want %d", c.name, c.text, problem.Line, c.line)
		}
	}
}

// FuzzRead checks that no input causes a panic, and that every mesh that is read is valid.
func FuzzRead(f *testing.F) {
	f.Add(uint8(0), textSTL())
	f.Add(uint8(0), binarySTL("solid"))
	f.Add(uint8(1), obj("%d//1", func(i int) int { return i + 1 }))
	f.Add(uint8(3), msh())
	for _, p := range []string{triangles, polylist, polygons, strips} {
		f.Add(uint8(2), dae("1", "", p))
	}
	f.Fuzz(func(t *testing.T, format uint8, text string) {
		m, err := mesh.Read("a"+[...]string{".stl", ".obj", ".dae", ".msh"}[format%4], strings.NewReader(text))
		if err != nil {
			return
		}
		for _, f := range m.Triangles {
			for _, i := range f {
				if !geom.IsCoordinate(m.Vertices[i]) {
					t.Fatalf("vertex %v", m.Vertices[i])
				}
			}
		}
		if len(m.Triangles) == 0 {
			t.Fatal("no triangles")
		}
	})
}
