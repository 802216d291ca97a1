package urdf_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/internal/convert/urdf"
)

// cubeOBJ returns a cube from -1 to 1 as an OBJ file.
func cubeOBJ() string {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "v %d %d %d\n", i&1*2-1, i>>1&1*2-1, i>>2&1*2-1)
	}
	return b.String() + "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n"
}

// TestReadMeshes checks that meshes are found beside the robot and in packages, scaled, and replaced by solids that
// contain them. A missing file must be reported once.
func TestReadMeshes(t *testing.T) {
	folder := fstest.MapFS{
		"robots/arm/urdf/x.obj":       {Data: []byte(cubeOBJ())},
		"robots/arm/meshes/link.obj":  {Data: []byte(cubeOBJ())},
		"robots/hand/meshes/palm.obj": {Data: []byte(cubeOBJ())},
		"robots/arm/meshes/bad.stl":   {Data: []byte("solid\nfacet\nouter loop\nvertex 1 2\n")},
	}
	mesh := func(name, more string) string {
		return `<collision><origin xyz="5 0 0" rpy="0 0 1.5707963267948966"/><geometry><mesh filename="` + name + `"` + more + `/></geometry></collision>`
	}
	robot := `<robot name="r"><link name="a">` +
		mesh("x.obj", ` scale="1 2 3"`) +
		mesh("package://arm/meshes/link.obj", "") +
		mesh("package:///hand/meshes/palm.obj", "") +
		mesh("package://arm/meshes/none.stl", "") +
		mesh("package://arm/meshes/none.stl", ` scale="2 2 2"`) +
		mesh("package://arm/meshes/bad.stl", "") +
		mesh("../../../../secret.stl", "") + `</link></robot>`
	src := model.Source{Name: "urdf/r.urdf", Text: strings.NewReader(robot), Folder: folder, Dir: "robots/arm/urdf"}
	m, err := urdf.Read(src, urdf.Options{Approximate: true})
	if err != nil {
		t.Fatal(err)
	}
	s := modeltest.Load(t, m)
	if len(s.Boxes) != 3 || s.Objects.Len() != 3 {
		t.Fatalf("%d boxes of %d solids, want 3", len(s.Boxes), s.Objects.Len())
	}
	for i, half := range []geom.Vec3{{X: 1, Y: 2, Z: 3}, {X: 1, Y: 1, Z: 1}, {X: 1, Y: 1, Z: 1}} {
		// The origin rotates by a quarter turn about z, and moves.
		for corner := range 8 {
			sign := func(bit int) float64 { return float64(corner>>bit&1*2 - 1) }
			p := geom.Vec3{X: 5 - sign(1)*half.Y, Y: sign(0) * half.X, Z: sign(2) * half.Z}
			b := s.Boxes[i]
			q := b.Rotation.TransposeMulVec(p.Sub(b.Center))
			for _, x := range [][2]float64{{q.X, b.HalfExtents.X}, {q.Y, b.HalfExtents.Y}, {q.Z, b.HalfExtents.Z}} {
				if over := math.Abs(x[0]) - x[1]; over > 0 || over < -1e-6 {
					t.Errorf("box %d: corner %v is %v outside", i, p, over)
				}
			}
		}
	}
	var notes []string
	for _, n := range m.Account.Notes() {
		notes = append(notes, n.Message)
	}
	want := []string{
		"1 mesh fitted: x.obj by a box of 1.00 times its volume",
		"1 mesh fitted: package://arm/meshes/link.obj by a box of 1.00 times its volume",
		"1 mesh fitted: package:///hand/meshes/palm.obj by a box of 1.00 times its volume",
		"2 meshes skipped: package://arm/meshes/none.stl was not found in the folder of --root",
		"1 mesh skipped: package://arm/meshes/bad.stl line 4: a vertex must be three numbers",
		"1 mesh skipped: ../../../../secret.stl lies outside of the folder of --root",
	}
	if got := strings.Join(notes, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("notes\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if got, want := filepath.ToSlash(strings.Join(m.Files, " ")), "urdf/x.obj meshes/link.obj ../hand/meshes/palm.obj meshes/bad.stl"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
}

// TestMeshAbsolute checks absolute paths and file URLs of meshes in the readable folder.
func TestMeshAbsolute(t *testing.T) {
	path := filepath.ToSlash(t.TempDir())
	folder := fstest.MapFS{"my robot/x.obj": {Data: []byte(cubeOBJ())}}
	for _, name := range []string{
		path + "/my robot/x.obj", "file://" + path + "/my robot/x.obj", "file://localhost" + path + "/my%20robot/x.obj",
		"file:" + path + "/my robot/x.obj", "FILE://" + path + "/my%20robot/x.obj", "file:x.obj", "file://x.obj", "file:my%20robot/x.obj",
	} {
		robot := `<robot><link name="l"><collision><geometry><mesh filename="` + name + `"/></geometry></collision></link></robot>`
		m, err := urdf.Read(model.Source{Name: "r.urdf", Text: strings.NewReader(robot), Folder: folder, Dir: "my robot", Path: path}, urdf.Options{Approximate: true})
		if err != nil {
			t.Fatal(err)
		}
		if s := modeltest.Load(t, m); len(s.Boxes) != 1 {
			t.Errorf("%s: %v", name, m.Account.Notes())
		}
	}
}

// TestMeshOutside checks the message about a mesh outside the readable folders. It suggests --root unless --root
// was given.
func TestMeshOutside(t *testing.T) {
	const robot = `<robot name="r"><link name="l"><collision><geometry><mesh filename="../x.obj"/></geometry></collision><collision><geometry><sphere radius="1"/></geometry></collision></link></robot>`
	for dir, want := range map[string]string{"": "x.obj lies outside of the model's folder; --root DIR allows another folder", ".": "x.obj lies outside of the folder of --root"} {
		m, err := urdf.Read(model.Source{Name: "r.urdf", Text: strings.NewReader(robot), Folder: fstest.MapFS{}, Dir: dir}, urdf.Options{Approximate: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Account.Notes().Error(); !strings.HasSuffix(got, want) {
			t.Errorf("folder %q: %s, want %s", dir, got, want)
		}
	}
}
