package mesh_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/geom"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/scene"
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
	c := l.Color("m.obj", m, scene.Error{})
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
		folder := fstest.MapFS{
			"m.obj": triangleOBJ(fmt.Sprintf("mtllib%sa.mtl\nusemtl%[1]sdark red", space)),
			"a.mtl": file(fmt.Sprintf("newmtl%sdark red\nKd%[1]s1%[1]s0%[1]s0\n", space)),
		}
		if c, notes := colorOf(t, folder); c != "#ff0000" || notes != "" {
			t.Errorf("%q: %q, %s", space, c, notes)
		}
	}
}
