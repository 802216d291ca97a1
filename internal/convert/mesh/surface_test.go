package mesh_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/geom"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// colorOf reads the mesh m.obj in a folder and returns its color, with the notes about it.
func colorOf(t *testing.T, folder fstest.MapFS) (model.Color, string) {
	t.Helper()
	s := &model.Scene{}
	l := mesh.Library{Source: model.Source{Name: "m.obj", Folder: folder}, Scene: s}
	m, err := l.Open(geom.Vec3{X: 1, Y: 1, Z: 1}, "m.obj")
	if err != nil {
		t.Fatal(err)
	}
	c := l.Color("m.obj", m, problem.Error{})
	var lines []string
	for _, n := range s.Account.Notes() {
		lines = append(lines, n.Message)
	}
	return c, strings.Join(lines, "\n")
}

// file returns a file of a folder.
func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// triangleOBJ returns a Wavefront file with the given lines before its only triangle.
func triangleOBJ(lines string) *fstest.MapFile {
	return file("v 0 0 0\nv 1 0 0\nv 0 1 0\n" + lines + "\nf 1 2 3\n")
}

// TestColorOfSpaces checks that any white space may follow the first word of a line.
func TestColorOfSpaces(t *testing.T) {
	for _, space := range []string{" ", "\t", "\v", "\f", "\u00a0", " \v "} {
		for _, name := range []string{"red", "dark red"} {
			folder := fstest.MapFS{
				"m.obj": triangleOBJ(fmt.Sprintf("mtllib%sa.mtl\nusemtl%[1]s%s", space, name)),
				"a.mtl": file(fmt.Sprintf("newmtl%s%s\nKd%[1]s1%[1]s0%[1]s0\n", space, name)),
			}
			if c, notes := colorOf(t, folder); c != "#ff0000" || notes != "" {
				t.Errorf("%q, %s: %q, %s", space, name, c, notes)
			}
		}
	}
}

// TestColorOfMaterials checks which files and statements determine the color of a material.
func TestColorOfMaterials(t *testing.T) {
	const (
		libraryA = "newmtl red\nKd 1 0 0\nnewmtl both\nKd 1 0 0\nnewmtl commented # x\nKd 1 0 0 # x\n"
		libraryB = "newmtl green\nKd 0 1 0\nnewmtl both\nKd 0 1 0\n"
	)
	for _, c := range []struct {
		what, lines, mtl string
		want             model.Color
		notes            string
	}{
		{what: "two files", lines: "mtllib a.mtl b.mtl\nusemtl green", want: "#00ff00"},
		{what: "the first of two files", lines: "mtllib a.mtl b.mtl\nusemtl both", want: "#ff0000"},
		{what: "two statements", lines: "mtllib a.mtl\nmtllib b.mtl\nusemtl red", want: "#ff0000"},
		{what: "a later statement", lines: "mtllib a.mtl\nusemtl green\nmtllib b.mtl", want: "#00ff00"},
		{what: "a name with a space", lines: "mtllib a b.mtl\nusemtl blue", want: "#0000ff"},
		{what: "a comment after a file", lines: "mtllib a.mtl # b.mtl\nusemtl green", notes: `1 color of a mesh not shown: m.obj: a.mtl has no material "green"`},
		{what: "a comment after a material", lines: "mtllib a.mtl\nusemtl red # x", want: "#ff0000"},
		{what: "a comment after newmtl", lines: "mtllib a.mtl\nusemtl commented", want: "#ff0000"},
		{what: "a name with #", mtl: "newmtl red#1\nKd 0 0 1\nnewmtl red #1\nKd 1 0 0\n", lines: "mtllib m.mtl\nusemtl red #1", want: "#ff0000"},
		{what: "one file is missing", lines: "mtllib none.mtl a.mtl\nusemtl red", want: "#ff0000"},
		{what: "missing in two files", lines: "mtllib a.mtl b.mtl\nusemtl x", notes: `1 color of a mesh not shown: m.obj: its 2 files of materials have no material "x"`},
		{what: "no files", lines: "usemtl x"},
		{what: "a texture", mtl: "newmtl x\nKd 1 1 1\nmap_Kd white wood.png # x\n", lines: "mtllib m.mtl\nusemtl x", want: "#000000"},
		{what: "a texture with options", mtl: "newmtl x\nmap_Kd -s 1 1 1 white wood.png\n", lines: "mtllib m.mtl\nusemtl x", want: "#000000"},
		{what: "a missing texture", mtl: "newmtl x\nKd 1 0 0\nmap_Kd none.png\n", lines: "mtllib m.mtl\nusemtl x", want: "#ff0000",
			notes: "1 texture of a mesh not shown: m.obj: none.png was not found in the model's folder; --root DIR allows another folder"},
		{what: "an unreadable texture", mtl: "newmtl x\nmap_Kd a.mtl\nKd 1 0 0\n", lines: "mtllib m.mtl\nusemtl x", want: "#ff0000",
			notes: "1 texture of a mesh not shown: m.obj: a.mtl is neither a PNG nor a JPEG"},
		{what: "only a missing texture", mtl: "newmtl x\nmap_Kd none.png\n", lines: "mtllib m.mtl\nusemtl x",
			notes: "1 color of a mesh not shown: m.obj: none.png was not found in the model's folder; --root DIR allows another folder"},
		{what: "NaN", mtl: "newmtl x\nKd 1 nan 0\n", lines: "mtllib m.mtl\nusemtl x", notes: `1 color of a mesh not shown: m.obj: m.mtl has an invalid color "Kd 1 nan 0"`},
		{what: "infinity", mtl: "newmtl x\nKd inf\n", lines: "mtllib m.mtl\nusemtl x", notes: `1 color of a mesh not shown: m.obj: m.mtl has an invalid color "Kd inf"`},
	} {
		folder := fstest.MapFS{"m.obj": triangleOBJ(c.lines), "a.mtl": file(libraryA), "b.mtl": file(libraryB), "a b.mtl": file("newmtl blue\nKd 0 0 1\n"), "m.mtl": file(c.mtl),
			"white wood.png": pictureOf(t, image.NewGray(image.Rect(0, 0, 1, 1)))}
		if got, notes := colorOf(t, folder); got != c.want || notes != c.notes {
			t.Errorf("%s: %q, %s; want %q, %s", c.what, got, notes, c.want, c.notes)
		}
	}
}

// pictureOf returns a picture as a PNG.
func pictureOf(t *testing.T, img image.Image) *fstest.MapFile {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return file(b.String())
}

// TestColorNotes checks that the number of notes does not grow with the number of materials and uses of a mesh.
func TestColorNotes(t *testing.T) {
	var obj, mtl strings.Builder
	obj.WriteString("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\n")
	for i := range 50 {
		fmt.Fprintf(&obj, "usemtl missing%d\nf 1 2 3\nusemtl m%[1]d\nf 1 2 3\n", i)
		fmt.Fprintf(&mtl, "newmtl m%d\nKd 1 1 1\nmap_Kd %[1]d.png\n", i)
	}
	for i := range 150 {
		fmt.Fprintf(&obj, "mtllib %d.mtl\n", i)
	}
	s := &model.Scene{}
	l := mesh.Library{Source: model.Source{Name: "m.obj", Folder: fstest.MapFS{"m.obj": file(obj.String()), "a.mtl": file(mtl.String())}}, Scene: s, NoRoot: true}
	var p model.Part
	for i := range 3 {
		m, err := l.Open(geom.Vec3{X: 1, Y: 1, Z: float64(1 + i)}, "m.obj")
		if err != nil {
			t.Fatal(err)
		}
		l.Color("m.obj", m, problem.Error{})
		l.Add(&p, "m.obj", m, nil, model.Pose{}, model.Label{}, problem.Error{})
	}
	var got []string
	for _, n := range s.Account.Notes() {
		got = append(got, n.Message)
	}
	want := []string{
		"50 colors of a mesh not shown: m.obj: 0.mtl was not found in the mesh's folder",
		"50 textures of a mesh not shown: m.obj: 0.png was not found in the mesh's folder (this is the first of them)",
		"2 lines of m.obj skipped",
		"51 libraries of materials beyond the first 100 of m.obj skipped",
		"3 meshes fitted: m.obj by a box of 1.00 times its volume",
	}
	if !slices.Equal(got[:min(4, len(got))], want[:4]) || !strings.HasPrefix(got[len(got)-1], "3 meshes fitted") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
