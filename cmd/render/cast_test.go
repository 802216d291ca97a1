package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/osfile"
)

// aRay is a CSV file with one ray. The ray starts inside the ball of the scene in the constant small, and hits the
// ball's surface from inside.
const aRay = "ox,oy,oz,dx,dy,dz\n0.3,0.2,0,0,0,9\n"

// aHit is the expected output for aRay.
const aHit = "ray,t,x,y,z,nx,ny,nz,object,name,inside\n0,2,0.3,0.2,2,0,0,1,0,ball,true\n"

func TestCast(t *testing.T) {
	jsonRay := `{"ox":0.3,"oy":0.2,"oz":0,"dx":0,"dy":0,"dz":9}` + "\n"
	jsonHit := `{"ray":0,"t":2,"x":0.3,"y":0.2,"z":2,"nx":0,"ny":0,"nz":1,"object":0,"name":"ball","inside":true}` + "\n"
	segment := "ax,ay,az,bx,by,bz\n0.3,0.2,8,0.3,0.2,-8\n"
	for _, c := range []struct {
		args, stdin string
		want        programtest.Outcome
	}{
		{"cast small.toml", aRay, programtest.Outcome{Stdout: aHit}},
		{"cast small.toml --rays -", aRay, programtest.Outcome{Stdout: aHit}},
		{"cast small.toml --rays rays.csv --workers 3", "", programtest.Outcome{Stdout: aHit}},
		{"cast - --rays rays.csv", programtest.Small, programtest.Outcome{Stdout: aHit}},
		{"cast small.toml --rays rays.JSONL", "", programtest.Outcome{Stdout: jsonHit}},
		{"cast small.toml --format jsonl", jsonRay, programtest.Outcome{Stdout: jsonHit}},
		{"cast small.toml --line", aRay, programtest.Outcome{Stdout: strings.Replace(aHit, "0,2,", "0,-2,0.3,0.2,-2,0,0,-1,0,ball,false\n0,2,", 1)}},
		{"cast small.toml --count", aRay, programtest.Outcome{Stdout: "ray,count\n0,1\n"}},
		{"cast small.toml --line --count", aRay, programtest.Outcome{Stdout: "ray,count\n0,2\n"}},
		{"cast small.toml --segments", segment, programtest.Outcome{Stdout: "ray,t,x,y,z,nx,ny,nz,object,name,inside,touches\n0,0.375,0.3,0.2,2,0,0,1,0,ball,false,true\n"}},
		{"cast small.toml --segments --count", segment, programtest.Outcome{Stdout: "ray,count,touches\n0,2,true\n"}},
		{"cast small.toml", aRay + "0,0,0,0,0,x\n", programtest.Outcome{Status: cli.StatusWrong, Stdout: aHit, Stderr: "render: <stdin>:3: dz: must be a number, got \"x\"\n"}},
		{"cast small.toml --keep-going", "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,x\n", programtest.Outcome{Status: cli.StatusWrong,
			Stdout: "ray,t,x,y,z,nx,ny,nz,object,name,inside,error\n0,,,,,,,,,,,\"dz: must be a number, got \"\"x\"\"\"\n",
			Stderr: "render: 1 of 1 ray could not be cast; the field error says why\n"}},
	} {
		programtest.InFolder(t, map[string]string{"small.toml": programtest.Small, "rays.csv": aRay, "rays.JSONL": jsonRay})
		if got := (programtest.Invocation{Stdin: strings.NewReader(c.stdin)}).Run(strings.Fields(c.args)...); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.args, got, c.want)
		}
	}
}

// TestCastToFile checks that cast either writes a complete output file or none. With --keep-going, the file may
// contain errors.
func TestCastToFile(t *testing.T) {
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small, "rays.csv": aRay, "bad.csv": aRay + "\n1\n"})
	if got := (programtest.Invocation{}).Run("cast", "small.toml", "--rays", "rays.csv", "-o", "hits.csv"); got != (programtest.Outcome{}) {
		t.Errorf("%+v", got)
	}
	if data, err := os.ReadFile("hits.csv"); string(data) != aHit {
		t.Errorf("hits.csv has %q, %v", data, err)
	}
	if got := (programtest.Invocation{}).Run("cast", "small.toml", "--rays", "bad.csv", "-o", "none.csv"); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "bad.csv:4: must have as many fields") {
		t.Errorf("%+v", got)
	}
	if osfile.Exists("none.csv") {
		t.Error("none.csv is there")
	}
	if got := (programtest.Invocation{}).Run("cast", "small.toml", "--rays", "bad.csv", "-o", "kept.csv", "--keep-going"); got.Status != cli.StatusWrong {
		t.Errorf("%+v", got)
	}
	if data, err := os.ReadFile("kept.csv"); strings.Count(string(data), "\n") != 3 {
		t.Errorf("kept.csv has %q, %v", data, err)
	}
}

func TestCastRefuses(t *testing.T) {
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small, "rays.csv": aRay, "rays.f64": "", "wrong.toml": programtest.Wrong})
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"cast", cli.StatusWrong, "want one scene, got none"},
		{"cast -", cli.StatusWrong, "standard input must begin with an archive"},
		{"cast small.toml --segments --line", cli.StatusWrong, "want --line or --segments, not both"},
		{"cast small.toml --format xml", cli.StatusWrong, `--format: must be csv, jsonl, f64 or records, got "xml"`},
		{"cast small.toml --workers 0", cli.StatusWrong, "--workers: must be 1 to"},
		{"cast small.toml --rays rays.csv -o rays.csv", cli.StatusWrong, "output rays.csv would replace the input"},
		{"cast small.toml --rays rays.csv -o small.toml", cli.StatusWrong, "output small.toml would replace the input"},
		{"cast small.toml --rays none.csv", cli.StatusFile, "none.csv"},
		{"cast small.toml --rays rays.csv -o small.toml/hits.csv", cli.StatusFile, "small.toml/hits.csv"},
		{"cast small.toml --rays rays.f64", cli.StatusWrong, "would be noise"},
		{"cast wrong.toml --rays rays.csv", cli.StatusWrong, "wrong.toml:4"},
		{"cast small.toml --segments --rays rays.csv", cli.StatusWrong, `rays.csv:1: want a header with the columns ax,ay,az,bx,by,bz, got "ox,oy`},
	} {
		got := programtest.Invocation{OutColumns: 80}.Run(strings.Fields(c.args)...)
		if got.Status != c.status || !strings.Contains(got.Stderr, c.says) || got.Stdout != "" {
			t.Errorf("%s: %+v, want status %d and %s", c.args, got, c.status, c.says)
		}
	}
}

// TestCastInterrupted checks that an interrupt ends cast while it waits for rays, without an output file.
func TestCastInterrupted(t *testing.T) {
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small})
	ctx, cancel := context.WithCancel(context.Background())
	rays, typed := io.Pipe()
	defer typed.Close()
	go func() {
		io.WriteString(typed, aRay) // returns when cast has read the ray
		cancel()
	}()
	if got := (programtest.Invocation{Ctx: ctx, Stdin: rays}).Run("cast", "small.toml", "-o", "hits.csv"); got != (programtest.Outcome{Status: cli.StatusInterrupted, Stdout: "", Stderr: "render: interrupted\n"}) {
		t.Errorf("%+v", got)
	}
	if n := len(programtest.Names(t)); n != 1 {
		t.Errorf("%d files, want only the scene", n)
	}
}

// TestCastEqualsExplain checks that cast and explain print the same digits for a ray. Package cast tests this for
// many rays.
func TestCastEqualsExplain(t *testing.T) {
	demo, err := os.ReadFile("../../scenes/demo.toml")
	if err != nil {
		t.Fatal(err)
	}
	programtest.InFolder(t, map[string]string{"demo.toml": string(demo)})
	rng := rand.New(rand.NewPCG(61, 62))
	met := 0
	for range 30 {
		var n []string
		for i := range 6 {
			x := 4*rng.Float64() - 2
			switch i {
			case 1:
				x = 4
			case 4:
				x = -4
			}
			n = append(n, strconv.FormatFloat(x, 'g', -1, 64))
		}
		ray := strings.Join(n, ",")
		got := programtest.Invocation{Stdin: strings.NewReader("ox,oy,oz,dx,dy,dz\n" + ray)}.Run("cast", "demo.toml")
		why := programtest.Invocation{}.Run("explain", "demo.toml", "--json", "--ray", ray)
		var x struct {
			Hit *struct {
				Object        int
				Name          string
				T             json.Number
				Point, Normal [3]json.Number
				Inside        bool
			}
		}
		if err := json.Unmarshal([]byte(why.Stdout), &x); err != nil {
			t.Fatal(err, why)
		}
		want := "0,,,,,,,,,,"
		if h := x.Hit; h != nil {
			met++
			want = fmt.Sprintf("0,%v,%v,%v,%v,%v,%v,%v,%v,%v,%v", h.T, h.Point[0], h.Point[1], h.Point[2], h.Normal[0], h.Normal[1], h.Normal[2], h.Object, h.Name, h.Inside)
		}
		_, row, _ := strings.Cut(strings.TrimSpace(got.Stdout), "\n")
		fields := strings.Split(row, ",")
		for i, field := range fields {
			if field == "-0" {
				fields[i] = "0" // explain omits the sign
			}
		}
		if strings.Join(fields, ",") != want {
			t.Errorf("%s meets %s, explained as %s", ray, row, want)
		}
	}
	if met < 10 {
		t.Errorf("only %d rays meet something", met)
	}
}

// TestCastDocs runs the command of the example in docs/cast.md, and compares the output with that in the page.
func TestCastDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/cast.md")
	if err != nil {
		t.Fatal(err)
	}
	demo, err := os.ReadFile("../../scenes/demo.toml")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?s)\$ cat rays.csv\n(.*?)\n\n    \$ render (.*?)\n(.*?)\n\n`).FindStringSubmatch(string(page))
	if m == nil {
		t.Fatal("the page has no example")
	}
	plain := func(indented string) string { return strings.ReplaceAll("\n"+indented, "\n    ", "\n")[1:] + "\n" }
	programtest.InFolder(t, map[string]string{"scenes/demo.toml": string(demo), "rays.csv": plain(m[1])})
	if got := (programtest.Invocation{}).Run(strings.Fields(m[2])...); got != (programtest.Outcome{Stdout: plain(m[3])}) {
		t.Errorf("%+v, want %s", got, plain(m[3]))
	}
}

// TestCastNames checks the CSV table that --names writes, with the number, kind and name of each solid. The output
// in the format f64 must use the same numbers.
func TestCastNames(t *testing.T) {
	const scene = "[[capsule]]\na = [0, 5, 0]\nb = [1, 5, 0]\nradius = 0.5\n" +
		"[[sphere]]\nname = \"a, \\\"b\\\"\\n\"\ncenter = [9, 0, 0]\nradius = 1\n[[sphere]]\nname = \"ball\"\ncenter = [0, 0, 0]\nradius = 1\n"
	var rays bytes.Buffer
	if err := binary.Write(&rays, binary.LittleEndian, []float64{0, 0, 9, 0, 0, -1}); err != nil {
		t.Fatal(err)
	}
	programtest.InFolder(t, map[string]string{"s.toml": scene, "r.f64": rays.String(), "r.csv": aRay})
	programtest.MustRun(t, "cast s.toml --rays r.f64 -o h.f64 --names n.csv")
	table, err := csv.NewReader(strings.NewReader(programtest.ReadText(t, "n.csv"))).ReadAll()
	want := [][]string{{"object", "kind", "name"}, {"0", "sphere", `a, "b"\n`}, {"1", "sphere", "ball"}, {"2", "capsule", ""}}
	if err != nil || !reflect.DeepEqual(table, want) {
		t.Errorf("%q, %v, want %q", table, err, want)
	}
	row := make([]float64, 10)
	if err := binary.Read(strings.NewReader(programtest.ReadText(t, "h.f64")), binary.LittleEndian, row); err != nil || row[8] != 1 {
		t.Errorf("%v, %v, want the object 1", row, err)
	}
	programtest.MustRun(t, "cast s.toml --rays r.csv -o h.csv --names m.csv")
	if programtest.ReadText(t, "m.csv") != programtest.ReadText(t, "n.csv") {
		t.Error("the format of the rays changes the table")
	}
	for args, says := range map[string]string{
		"--rays r.csv --names -": "--names: must name a file", "--rays r.csv --names=": "--names: must name a file",
		"--rays r.csv --names s.toml": "output s.toml would replace the input", "--rays r.csv --names r.csv": "output r.csv would replace the input",
		"--rays r.csv -o x.csv --names ./x.csv": "-o and --names would share the file ./x.csv",
	} {
		got := programtest.Invocation{}.Run(append([]string{"cast", "s.toml"}, strings.Fields(args)...)...)
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, says) {
			t.Errorf("cast s.toml %s: %+v, want %q", args, got, says)
		}
	}
}

// TestCastOmitsWarningsAboutPictures checks that cast prints no warnings about the camera and the lights, which it
// does not use. It must print all other warnings.
func TestCastOmitsWarningsAboutPictures(t *testing.T) {
	const scene = "[camera]\nposition = [0, 0, 0]\nlook_at = [0, 0, -1]\n[[light]]\nposition = [0, 0.5, 0]\n[material.idle]\ncolor = \"red\"\n" +
		"[[sphere]]\nname = \"ball\"\ncenter = [0, 0, 0]\nradius = 1\n[[sphere]]\nname = \"behind\"\ncenter = [0, 0, 9]\nradius = 1\n"
	programtest.InFolder(t, map[string]string{"s.toml": scene, "r.csv": aRay})
	codes := func(args string) string {
		return programtest.Invocation{}.Run(strings.Fields(args)...).Stderr
	}
	all := codes("s.toml")
	for _, says := range []string{"s.toml:2:12: warning: camera.position", "light[0].position", "sphere[1]: lies wholly outside the view"} {
		if !strings.Contains(all, says) {
			t.Fatalf("a render prints %q, want %q", all, says)
		}
	}
	for _, args := range []string{"cast s.toml --rays r.csv", "explain s.toml --segment 0,0,0,1,0,0", "explain s.toml --capsules ball,behind"} {
		if got := codes(args); strings.Count(got, "warning") != 1 || !strings.Contains(got, "material.idle") {
			t.Errorf("render %s prints %q, want only the unused material", args, got)
		}
	}
}
