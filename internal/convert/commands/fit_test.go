package commands_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
)

// cubeSTL returns two cubes with edges of length 1, one from x = 0 to 1 and one from x = 2 to 3, as STL.
func cubeSTL() string {
	var b strings.Builder
	b.WriteString("solid cubes\n")
	for x := 0; x <= 2; x += 2 {
		for _, q := range [][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
			for _, t := range [][3]int{{q[0], q[1], q[2]}, {q[0], q[2], q[3]}} {
				b.WriteString("facet normal 0 0 0\nouter loop\n")
				for _, i := range t {
					fmt.Fprintf(&b, "vertex %d %d %d\n", x+i&1, i>>1&1, i>>2)
				}
				b.WriteString("endloop\nendfacet\n")
			}
		}
	}
	return b.String() + "endsolid\n"
}

// TestFit checks that fit writes at most the given number of solids, which contain the mesh, as a scene or as a
// part.
func TestFit(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"cubes.stl": cubeSTL(),
		"use.toml":  "include = [\"part.toml\"]\n[[place]]\npart = \"cubes\"\nposition = [0, 0, 5]\n",
	})
	for _, c := range []struct {
		args, output, note string
		hits               string // distances of three rays from above: through each cube, and between them
	}{
		{"fit cubes.stl", "cubes.toml", "a box of 1.50 times its volume", "8 8 8"},
		{"fit cubes.stl -n 2 -o two.toml", "two.toml", "2 solids of 1.00 times its volume", "8 - 8"},
		{"fit cubes.stl -n 9 --shape box -o nine.toml", "nine.toml", "2 solids of 1.00 times its volume", "8 - 8"},
		{"fit cubes.stl -n 2 --scale 2 -o large.toml", "large.toml", "2 solids of 1.00 times its volume", "7 7 -"},
		{"fit cubes.stl -n 2 --part -o part.toml", "use.toml", "2 solids of 1.00 times its volume", "3 - 3"},
	} {
		got := programtest.Invocation{}.Run(strings.Fields(c.args)...)
		if want := "cubes.stl: note: 1 mesh fitted by " + c.note + "\n"; got != (programtest.Outcome{Stderr: want}) {
			t.Errorf("%s: %+v, want %q", c.args, got, want)
		}
		rays := "ox,oy,oz,dx,dy,dz\n0.4,0.5,9,0,0,-1\n1.5,0.5,9,0,0,-1\n2.6,0.5,9,0,0,-1\n"
		cast := programtest.Invocation{Stdin: strings.NewReader(rays)}.Run("cast", c.output)
		var hits []string
		for _, line := range strings.Split(strings.TrimSpace(cast.Stdout), "\n")[1:] {
			distance := strings.Split(line, ",")[1]
			var x float64
			if n, _ := fmt.Sscan(distance, &x); n == 1 {
				hits = append(hits, fmt.Sprintf("%.0f", x))
			} else {
				hits = append(hits, "-")
			}
		}
		if got := strings.Join(hits, " "); got != c.hits {
			t.Errorf("%s: hits at %s, want %s (%s)", c.args, got, c.hits, cast.Stderr)
		}
	}
	spheres := programtest.Invocation{}.Run("fit", "cubes.stl", "--shape", "sphere", "-o", "-", "--quiet")
	if !strings.Contains(spheres.Stdout, "[[sphere]]") || strings.Contains(spheres.Stdout, "[[box]]") || spheres.Stderr != "" {
		t.Errorf("%+v", spheres)
	}
}

// TestFitNotes checks that the note about a file that a mesh names does not propose a flag that the command lacks.
func TestFitNotes(t *testing.T) {
	programtest.InFolder(t, map[string]string{"m.obj": "mtllib a.mtl\nmtllib ../b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl x\nf 1 2 3\n"})
	got := programtest.Invocation{}.Run("fit", "m.obj", "-o", "m.toml")
	if want := "note: 1 color of a mesh not shown: m.obj: a.mtl was not found in the mesh's folder\n"; got.Status != 0 || !strings.HasSuffix(got.Stderr, want) {
		t.Errorf("%+v, want %q", got, want)
	}
}

// TestFitRefuses checks that the message for an invalid command line or mesh names the problem, and that no file is
// written.
func TestFitRefuses(t *testing.T) {
	programtest.InFolder(t, map[string]string{"cubes.stl": cubeSTL(), "bad.stl": "solid\nfacet\nouter loop\nvertex 1 2\n", "there.toml": "", "there.stl": cubeSTL(), "a.ply": "ply"})
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"fit", cli.StatusWrong, "want one mesh"},
		{"fit a.ply", cli.StatusWrong, "must end in .dae, .msh, .obj, .stl"},
		{"fit none.stl", cli.StatusFile, "none.stl"},
		{"fit bad.stl", cli.StatusWrong, "bad.stl:4:1: a vertex must be three numbers"},
		{"fit there.stl", cli.StatusWrong, "there.toml is there already"},
		{"fit cubes.stl -o cubes.stl", cli.StatusWrong, ".toml"},
		{"fit cubes.stl --scale 2e14 -o x.toml", cli.StatusWrong, "cubes.stl: solids may come to be farther from the origin than 1e+14"},
		{"fit cubes.stl -n 0", cli.StatusWrong, "must be 1 to 1000"},
		{"fit cubes.stl --shape ball", cli.StatusWrong, `must be some of sphere,capsule,cylinder,box, separated by commas, got "ball"`},
		{"fit cubes.stl --scale 0", cli.StatusWrong, "must be 1e-15 to"},
		{"fit cubes.stl --scale 1e15 -o x.toml", cli.StatusWrong, "1e+15"},
	} {
		got := programtest.Invocation{}.Run(strings.Fields(c.args)...)
		if got.Status != c.status || !strings.Contains(got.Stderr, c.says) || got.Stdout != "" {
			t.Errorf("%s: %+v, want status %d and %s", c.args, got, c.status, c.says)
		}
	}
	for _, name := range []string{"cubes.toml", "bad.toml", "x.toml"} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}

// TestImportMeshes checks that import --fit replaces the meshes of a robot by solids, and that the scene can then
// be exported for a simulator.
func TestImportMeshes(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"cubes.stl": cubeSTL(),
		"r.urdf":    `<robot name="r"><link name="base"><collision name="hull"><geometry><mesh filename="cubes.stl"/></geometry></collision></link></robot>`,
		"r.xml":     `<mujoco><asset><mesh name="m" file="cubes.stl"/></asset><worldbody><body name="base"><geom name="hull" type="mesh" mesh="m"/></body></worldbody></mujoco>`,
	})
	for _, file := range []string{"r.urdf", "r.xml"} {
		got := programtest.Invocation{}.Run("import", file, "-o", "none.toml")
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "--approximate shows what contains it") {
			t.Errorf("%s: %+v", file, got)
		}
		for args, says := range map[string]string{
			"--approximate": "fitted: cubes.stl by a box of 1.50 times its volume",
			"--fit 4":       "fitted: cubes.stl by 2 solids of 1.00 times its volume",
		} {
			got := programtest.Invocation{}.Run(append(strings.Fields("import "+file+" --force -o s.toml"), strings.Fields(args)...)...)
			if got.Status != cli.StatusDone || !strings.Contains(got.Stderr, says) {
				t.Errorf("%s %s: %+v, want %s", file, args, got, says)
			}
			for _, back := range []string{"back.urdf", "back.xml"} {
				if got := (programtest.Invocation{}).Run("export", "s.toml", "-o", back); got != (programtest.Outcome{}) {
					t.Errorf("%s: %+v", back, got)
				}
				if got := (programtest.Invocation{}).Run("import", back, "--force", "-o", "again.toml"); got != (programtest.Outcome{}) {
					t.Errorf("%s: %+v", back, got)
				}
				rays := "ox,oy,oz,dx,dy,dz\n0.4,0.5,9,0,0,-1\n1.5,0.5,9,0,0,-1\n2.6,0.5,-9,0,0,1\n"
				want := programtest.Invocation{Stdin: strings.NewReader(rays)}.Run("cast", "s.toml")
				if got := (programtest.Invocation{Stdin: strings.NewReader(rays)}).Run("cast", "again.toml"); got != want {
					t.Errorf("%s: %+v, want %+v", back, got, want)
				}
			}
		}
	}
}
