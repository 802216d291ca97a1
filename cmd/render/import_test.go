package main

import (
	"os"
	"strings"
	"testing"

	"pillbox/disk"
)

// ballRobot is a robot of one ball and a mesh.
const ballRobot = `<robot name="ball"><link name="base"><collision name="hull"><geometry><sphere radius="0.5"/><mesh/></geometry></collision></link></robot>`

func TestImport(t *testing.T) {
	note := "ball.urdf:1:93: note: 1 mesh is left out\n"
	ray := "ox,oy,oz,dx,dy,dz\n0,0,9,0,0,-1\n"
	hit := "ray,t,x,y,z,nx,ny,nz,object,name,inside\n0,8.5,0,0,0.5,0,0,1,0,base/hull,false\n"
	inFolder(t, map[string]string{"ball.urdf": ballRobot, "other": ballRobot})
	for _, c := range []struct {
		args, output, stdin, note string
	}{
		{"import ball.urdf", "ball.toml", "", note},
		{"import ball.urdf -o a.toml --quiet", "a.toml", "", ""},
		{"import ball.urdf -o a.toml", "a.toml", "", note},
		{"import other --format urdf -o b.TOML", "b.TOML", "", strings.Replace(note, "ball.urdf", "other", 1)},
		{"import - --format urdf -o c.toml", "c.toml", ballRobot, strings.Replace(note, "ball.urdf", "<stdin>", 1)},
	} {
		if got := (invocation{stdin: strings.NewReader(c.stdin)}).run(strings.Fields(c.args)...); got != (outcome{stderr: c.note}) {
			t.Errorf("%s: %+v", c.args, got)
		}
		if got := (invocation{stdin: strings.NewReader(ray)}).run("cast", c.output); got != (outcome{stdout: hit}) {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
	toml := invocation{}.run("import", "ball.urdf", "-o", "-", "--quiet")
	if got := (invocation{stdin: strings.NewReader(toml.stdout)}).run("check", "-"); got.status != 0 || toml.stderr != "" {
		t.Errorf("%+v, %+v", toml, got)
	}
}

// TestImportBulk: a scene and its tables appear together or not at all.
func TestImportBulk(t *testing.T) {
	balls := `<robot><link name="base"><collision><geometry>` + strings.Repeat(`<sphere radius="1"/>`, 1001) + `</geometry></collision></link></robot>`
	inFolder(t, map[string]string{"balls.urdf": balls})
	if got := (invocation{}).run("import", "balls.urdf"); got != (outcome{}) {
		t.Errorf("%+v", got)
	}
	if got := names(t); len(got) != 3 || !got["balls-base-spheres.csv"] || !got["balls.toml"] {
		t.Errorf("files %v", got)
	}
	if got := (invocation{}).run("check", "balls.toml", "--overlaps", "off"); got.status != 0 {
		t.Errorf("%+v", got)
	}
	if err := os.Mkdir("other-base-spheres.csv", 0o755); err != nil {
		t.Fatal(err)
	}
	if got := (invocation{}).run("import", "balls.urdf", "-o", "other.toml"); got.status != statusFile || disk.Exists("other.toml") {
		t.Errorf("%+v", got)
	}
	if n := len(names(t)); n != 4 {
		t.Errorf("%d files, want no new one", n)
	}
	if got := (invocation{}).run("import", "balls.urdf", "-o", "balls-base-spheres.csv"); got.status != statusWrong {
		t.Errorf("%+v", got)
	}
}

func TestImportRefuses(t *testing.T) {
	inFolder(t, map[string]string{"ball.urdf": ballRobot, "ball.toml": "", "bad.urdf": "<robot>\n<link name='ä' name2='1'><collision><geometry><sphere radius='x'/></geometry></collision></link></robot>", "none.urdf": "<robot><link name='a'/></robot>", "a.xyzzy": ""})
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"import", statusWrong, "want one file, got none"},
		{"import a.xyzzy", statusWrong, `no format has the extension ".xyzzy"; --format says what the file is`},
		{"import -", statusWrong, "want --format to say what standard input is"},
		{"import ball.urdf", statusWrong, "ball.toml is there already; '-o ball.toml' replaces it"},
		{"import ball.urdf -o x.png", statusWrong, `output must end in .toml, got "x.png"`},
		{"import ball.urdf --format pdf", statusWrong, `--format: must be `},
		{"import ball.urdf --joint elbow", statusWrong, `--joint: must be NAME=VALUE, got "elbow"`},
		{"import ball.urdf --joint elbow=inf", statusWrong, `--joint: must end in a number`},
		{"import ball.urdf --joint elbow=1 -o x.toml", statusWrong, `no joint "elbow"`},
		{"import bad.urdf", statusWrong, "bad.urdf:2:63: sphere.radius: must be numbers of at most 1e+15 in magnitude, got \"x\"\n"},
		{"import none.urdf", statusWrong, "nothing is left to show"},
		{"import gone.urdf", statusFile, "gone.urdf"},
		{"import ball.urdf -o gone/x.toml", statusFile, "gone"},
	} {
		got := invocation{}.run(strings.Fields(c.args)...)
		if got.status != c.status || !strings.Contains(got.stderr, c.says) || got.stdout != "" {
			t.Errorf("%s: %+v, want status %d and %s", c.args, got, c.status, c.says)
		}
	}
	if got := names(t); len(got) != 5 {
		t.Errorf("files %v", got)
	}
	// A terminal shows the line, of standard input too.
	got := invocation{errColumns: 80, stdin: strings.NewReader("<robot>\n<link/></robot>")}.run("import", "-", "--format", "urdf", "-o", "x.toml")
	if !strings.Contains(got.stderr, "<link/></robot>") {
		t.Errorf("%+v", got)
	}
}
