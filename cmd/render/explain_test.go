package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/explain/diagram"
)

// handAndArm is a scene of two capsules, a ball and a box. One of the names contains a comma.
const handAndArm = `
[image]
width = 40
height = 30
antialias = 2

[camera]
position = [0, 0, 10]
look_at = [0, 0, 0]

[[sphere]]
center = [0, 3, 0]
radius = 1

[[capsule]]
name = "arm, left"
a = [0, 0, 0]
b = [4, 0, 0]
radius = 1

[[capsule]]
name = "hand"
a = [2, 1.9, 0]
b = [5, 3, 0]
radius = 0.9

[[box]]
name = "floor"
center = [0, -3, 0]
half_extents = [5, 0.5, 5]
`

func TestExplainRefuses(t *testing.T) {
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small, "pair.toml": handAndArm, "empty.toml": "[image]\nwidth = 4\nheight = 4\n", "wrong.toml": programtest.Wrong})
	const help = "\nrun 'render explain --help' for help\n"
	for _, test := range []struct{ args, stderr string }{
		{"", "want one of --pixel, --ray, --segment and --capsules"},
		{"small.toml", "want one of --pixel, --ray, --segment and --capsules"},
		{"small.toml --pixel 1,2 --ray 0,0,0,1,0,0", "want one of --pixel, --ray, --segment and --capsules"},
		{"--pixel 1,2", "want one scene, got none"},
		{"small.toml small.toml --pixel 1,2", "want one scene, got 2: small.toml small.toml"},
		{"small.toml --pixel 1", `--pixel: must be X,Y, column and row counted from 0, got "1"`},
		{"small.toml --pixel -1,2", `--pixel: must be X,Y, column and row counted from 0, got "-1,2"`},
		{"small.toml --pixel 1,2.5", `got "1,2.5"`},
		{"small.toml --pixel 40,0", "--pixel: pixel must lie inside the picture of 40 x 30 pixels, counted from 0, got 40,0"},
		{"small.toml --width 20 --pixel 20,0", "inside the picture of 20 x 15 pixels"},
		{"small.toml --ray 0,0,0,1,0", `--ray: must be OX,OY,OZ,DX,DY,DZ, 6 numbers, got "0,0,0,1,0"`},
		{"small.toml --ray 0,0,0,1,0,x", `numbers of at most 1e+15 in magnitude, got "0,0,0,1,0,x"`},
		{"small.toml --ray 0,0,0,1,0,inf", `numbers of at most 1e+15 in magnitude`},
		{"small.toml --ray 0,0,0,0,0,0", "--ray: the direction must not be zero"},
		{"small.toml --segment 0,0,0", `--segment: must be AX,AY,AZ,BX,BY,BZ, 6 numbers, got "0,0,0"`},
		{"small.toml --pixel 1,2 --json --markdown", "want --json or --markdown, not both"},
		{"small.toml --segment 0,0,0,1,0,0 --width 3", "--width needs --pixel or --ray"},
		{"small.toml --pixel 1,2 --colors dark", "--colors needs --diagram"},
		{"--capsules 0,0,0,4,0,0,1,2,1.9,0,5,3,0,0.9 --theme dark", "--theme needs a scene"},
		{"small.toml --pixel 1,2 --brief --verbose", "want --brief or --verbose, not both"},
		{"small.toml --pixel 1,2 --brief --section hit", "want --brief or --section, not both"},
		{"small.toml --pixel 1,2 --brief --json", "want --brief or --json, not both"},
		{"small.toml --pixel 1,2 --section hit --json", "want --section or --json, not both"},
		{"small.toml --pixel 1,2 --section hit,colour", `--section: must be camera, tree, tests, hit, lights, mirror, color, line, samples or pixel, got "hit,colour"`},
		{"small.toml --segment 0,0,0,1,0,0 --brief", "--brief needs --pixel or --ray"},
		{"small.toml --segment 0,0,0,1,0,0 --section hit", "--section needs --pixel or --ray"},
		{"small.toml --pixel 1,2 --diagram x.png --colors blue", `--colors: must be light or dark, got "blue"`},
		{"small.toml --pixel 1,2 --diagram x.gif", "output must end in .png, .jpg, .jpeg, .tiff, .tif, .bmp or .svg, got"},
		{"small.toml --pixel 1,2 --diagram x.png --solid bill", `--solid: no solid of small.toml is named "bill"; give a name, or kind and index such as sphere[3]`},
		{"pair.toml --capsules hand", `--capsules: must be NAME,NAME, got "hand"`},
		{"pair.toml --capsules hand,foot", `--capsules: no solid of pair.toml is named "foot"`},
		{"pair.toml --capsules hand,floor", `--capsules: box "floor" is neither a capsule nor a sphere`},
		{"pair.toml --capsules hand,sphere[0] --diagram x.png --solid hand", "--capsules has its own two solids; leave out --solid"},
		{"--capsules 1,2,3", `--capsules: without a scene it must be A, B and radius of both, 14 numbers, got "1,2,3"`},
		{"--capsules 0,0,0,0,0,0,-1,0,0,0,0,0,0,1", "--capsules: capsule 1: R: must be finite and not negative, got -1"},
	} {
		got := programtest.Invocation{}.Run(append([]string{"explain"}, strings.Fields(test.args)...)...)
		if got.Status != cli.StatusWrong || got.Stdout != "" || !strings.Contains(got.Stderr, test.stderr) || !strings.HasSuffix(got.Stderr, help) {
			t.Errorf("explain %s: status %d, stdout %q, stderr %q, want %q", test.args, got.Status, got.Stdout, got.Stderr, test.stderr)
		}
	}
	got := programtest.Invocation{}.Run("explain", "wrong.toml", "--pixel", "0,0")
	if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "wrong.toml:4:10: sphere[0].radius") {
		t.Errorf("explain wrong.toml: %+v", got)
	}
	if got := (programtest.Invocation{}).Run("explain", "none.toml", "--pixel", "0,0"); got.Status != cli.StatusFile {
		t.Errorf("explain none.toml: %+v", got)
	}
	programtest.WantFiles(t, "empty.toml", "pair.toml", "small.toml", "wrong.toml")
}

// TestExplainRefusesTheSameFlagFirst runs explain with several flags that each need another flag. The error must
// always be about the same one of them, here --width.
func TestExplainRefusesTheSameFlagFirst(t *testing.T) {
	const args = "explain small.toml --segment 0,0,0,1,0,0 --colors dark --solid ball --antialias 2 --height 4 --width 3"
	const want = "render: --width needs --pixel or --ray\n"
	for range 20 {
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...).Stderr; !strings.HasPrefix(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

func TestExplainPixelAsRendered(t *testing.T) {
	programtest.InFolder(t, map[string]string{"pair.toml": handAndArm})
	if got := (programtest.Invocation{}).Run("pair.toml"); got.Status != cli.StatusDone {
		t.Fatal(got)
	}
	f, err := os.Open("pair.png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	got := programtest.Invocation{}.Run("explain", "pair.toml", "--pixel", "23,15", "--json")
	var x struct {
		Query   string
		Pixel   [2]int
		Hit     struct{ Name string }
		Color   struct{ SRGB8 [3]uint8 }
		Samples []json.RawMessage
	}
	if err := json.Unmarshal([]byte(got.Stdout), &x); err != nil || got.Stderr != "" {
		t.Fatalf("%v: %+v", err, got)
	}
	r, g, b, _ := img.At(23, 15).RGBA()
	if want := [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}; x.Color.SRGB8 != want {
		t.Errorf("explained %v, rendered %v", x.Color.SRGB8, want)
	}
	if x.Query != "pixel" || x.Pixel != [2]int{23, 15} || x.Hit.Name != "arm, left" || len(x.Samples) != 4 {
		t.Errorf("explained %+v", x)
	}
	one := programtest.Invocation{}.Run("explain", "pair.toml", "--pixel", "23,15", "--json", "--antialias", "1")
	if err := json.Unmarshal([]byte(one.Stdout), &x); err != nil || len(x.Samples) != 1 {
		t.Errorf("--antialias 1: %v, %d samples", err, len(x.Samples))
	}
}

// TestExplainPrints checks the text that explain prints for each form of its command line.
func TestExplainPrints(t *testing.T) {
	programtest.InFolder(t, map[string]string{"pair.toml": handAndArm})
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"pair.toml", "--pixel", "23,15"}, "pair.toml: pixel 23,15 of 40 x 30\n"},
		{[]string{"pair.toml", "--pixel", "23,15"}, "Tested: capsule \"arm, left\"\n"},
		{[]string{"pair.toml", "--pixel", "23,15"}, "  2: column 1, row 0: hits capsule \"arm, left\" at"},
		{[]string{"pair.toml", "--pixel", "23,15", "--verbose"}, "Sample 4 of 4: column 1, row 1 of the pixel's grid\n"},
		{[]string{"pair.toml", "--pixel", "23,15", "--markdown"}, "# pair.toml: pixel 23,15 of 40 x 30\n\n"},
		{[]string{"pair.toml", "--ray", "0,0,10,0,0,-5"}, "  the ray's origin o = (0, 0, 10), its direction as given v = (0, 0, -5)\n  d = v / |v| = (0, 0, -5) / |(0, 0, -5)| = (0, 0, -1)   its unit direction\n"},
		{[]string{"pair.toml", "--ray", "0,0,10,0,0,-5"}, "t_near > 0: 9 > 0   accepted: t_near is the first hit so far\n"},
		{[]string{"pair.toml", "--segment", "-9,3,0,-1,3,0"}, "The segment touches 1 of 4 solids.\n"},
		{[]string{"pair.toml", "--segment", "-9,3,0,-1,3,0"}, "sphere[0]: touched\n"},
		{[]string{"pair.toml", "--capsules", "arm, left,hand"}, "capsule \"arm, left\" and capsule \"hand\" are touching\n"},
		{[]string{"pair.toml", "--capsules", "sphere[0], hand"}, "sphere[0] and capsule \"hand\" are apart\n"},
		{[]string{"--capsules", "0,0,0,4,0,0,1,2,1.9,0,5,3,0,0.9"}, "capsule 1 and capsule 2 are touching\n"},
		{[]string{"--capsules", "0,0,0,4,0,0,1,2,1.9,0,5,3,0,0.9", "--json"}, `"relation": "touching"`},
		{[]string{"--schema"}, `"$schema": "https://json-schema.org/draft/2020-12/schema"`},
	} {
		got := programtest.Invocation{}.Run(append([]string{"explain"}, test.args...)...)
		if got.Status != cli.StatusDone || got.Stderr != "" || !strings.Contains(got.Stdout, test.want) {
			t.Errorf("explain %q: status %d, stderr %q, no %q in\n%s", test.args, got.Status, got.Stderr, test.want, got.Stdout)
		}
	}
}

func TestExplainColorsOnTerminalOnly(t *testing.T) {
	programtest.InFolder(t, map[string]string{"pair.toml": handAndArm})
	args := []string{"explain", "pair.toml", "--segment", "-9,3,0,-1,3,0"}
	plain := programtest.Invocation{}.Run(args...)
	narrow := programtest.Invocation{OutColumns: 60}.Run(args...)
	colored := programtest.Invocation{OutColumns: 200, Color: true}.Run(args...)
	if strings.Contains(plain.Stdout+narrow.Stdout, "\x1b") || !strings.Contains(colored.Stdout, "\x1b[1m") {
		t.Error("colors are not where they belong")
	}
	if strings.Count(narrow.Stdout, "\n") <= strings.Count(plain.Stdout, "\n") {
		t.Error("a narrow terminal wraps no line")
	}
	if strings.Count(colored.Stdout, "\n") != strings.Count(plain.Stdout, "\n") {
		t.Error("a wide terminal is filled")
	}
}

func TestExplainDiagram(t *testing.T) {
	programtest.InFolder(t, map[string]string{"pair.toml": handAndArm})
	for _, args := range [][]string{
		{"pair.toml", "--pixel", "23,15", "--diagram", "a.png"},
		{"pair.toml", "--pixel", "0,0", "--solid", "floor", "--colors", "dark", "--diagram", "b.png"},
		{"pair.toml", "--segment", "-9,3,0,-1,3,0", "--diagram", "c.png"},
		{"pair.toml", "--capsules", "arm, left,hand", "--diagram", "d.png"},
	} {
		got := programtest.Invocation{}.Run(append([]string{"explain"}, args...)...)
		if got.Status != cli.StatusDone || got.Stderr != "" || got.Stdout == "" {
			t.Errorf("explain %q: %+v", args, got)
		}
		f, err := os.Open(args[len(args)-1])
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(f)
		f.Close()
		if err != nil || config.Width != 1200 || config.Height != 800 {
			t.Errorf("explain %q: %v, %d x %d", args, err, config.Width, config.Height)
		}
	}
	programtest.WantFiles(t, "a.png", "b.png", "c.png", "d.png", "pair.toml")
}

func TestExplainCompletes(t *testing.T) {
	programtest.InFolder(t, map[string]string{"scene.toml": programtest.Small})
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"explain", ""}, "toml :8"},
		{[]string{"explain", "scene.toml", "--diagram", ""}, "png jpg jpeg tiff tif bmp svg :8"},
		{[]string{"explain", "scene.toml", "--section", "hit,c"}, "hit,camera hit,tree hit,tests hit,hit hit,lights hit,mirror hit,color hit,line hit,samples hit,pixel :6"},
		{[]string{"explain", "scene.toml", "--colors", ""}, "light dark :4"},
		{[]string{"explain", "scene.toml", "--pixel", ""}, ":4"},
		{[]string{"explain", "scene.toml", "--pi"}, "--pixel :4"},
	} {
		got := programtest.Invocation{}.Run(append([]string{"__completeNoDesc"}, test.args...)...)
		if words := strings.Join(strings.Fields(got.Stdout), " "); words != test.want {
			t.Errorf("completing %q gives %s, want %s", test.args, words, test.want)
		}
	}
}

// TestExplainDiagramOfMiss checks the diagrams of a ray that hits nothing. Kinds of diagrams that need a hit are
// omitted.
func TestExplainDiagramOfMiss(t *testing.T) {
	files := map[string]string{"empty.toml": "[image]\nwidth = 4\nheight = 4\n", "pair.toml": handAndArm}
	programtest.InFolder(t, files)
	for name := range files {
		for _, kind := range diagram.Kinds() {
			for _, query := range [][]string{{"--pixel", "0,0"}, {"--ray", "0,99,0,0,1,0"}} {
				needsHit := slices.Contains([]diagram.Kind{diagram.Light, diagram.Disc, diagram.Sky}, kind)
				if needsHit || kind == diagram.Camera && query[0] == "--ray" {
					continue
				}
				args := append([]string{"explain", name}, query...)
				without := programtest.Invocation{}.Run(args...)
				got := programtest.Invocation{}.Run(append(args, "--diagram", "x.svg", "--draw", string(kind))...)
				if got.Status != cli.StatusDone || got.Stdout != without.Stdout || got.Stderr != without.Stderr {
					t.Fatalf("%q: %+v, want %+v", args, got, without)
				}
				missed := strings.Contains(programtest.ReadText(t, "x.svg"), ">The ray hits no solid; ")
				if want := kind != diagram.Camera && kind != diagram.Path; missed != want {
					t.Errorf("%q, %s: the diagram says that the ray hits no solid: %v, want %v", args, kind, missed, want)
				}
				removeFile(t, "x.svg")
			}
		}
	}
}

// TestExplainDraw checks that --draw with a kind of diagram that does not fit the query is an error, and that no
// file is written.
func TestExplainDraw(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small, "o.toml": strings.Replace(programtest.Small, "[camera]\n", "[camera]\nprojection = \"orthographic\"\nview_height = 9\n", 1)})
	for args, want := range map[string]string{
		"s.toml --pixel 0,0 --draw light":        "--draw light: the ray of the first sample hits no solid",
		"s.toml --ray 0,0,9,0,0,1 --draw light":  "--draw light: the ray hits no solid",
		"s.toml --ray 0,0,9,0,0,1 --draw camera": "--draw camera needs --pixel",
		"o.toml --pixel 1,1 --draw camera":       "--draw camera: an orthographic camera has no eye",
		"s.toml --pixel 0,0 --draw sky":          "--draw sky: the ray of the first sample hits no solid; choose another pixel",
		"s.toml --pixel 20,15 --draw disc":       "--draw disc: no light has a size; give a light a radius",
		"s.toml --pixel 20,15 --draw sky":        "--draw sky: the scene has no ambient occlusion; add the table [shading.occlusion]",
	} {
		got := programtest.Invocation{}.Run(strings.Fields("explain " + args + " --diagram x.svg")...)
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, want) || got.Stdout != "" {
			t.Errorf("%s: %+v, want %s", args, got, want)
		}
	}
	programtest.WantFiles(t, "o.toml", "s.toml")
}

// TestExplainSegmentWithoutSolids checks that a diagram of an empty scene is an error, and that no file is written.
func TestExplainSegmentWithoutSolids(t *testing.T) {
	programtest.InFolder(t, map[string]string{"empty.toml": "[image]\nwidth = 4\nheight = 4\n"})
	got := programtest.Invocation{}.Run("explain", "empty.toml", "--segment", "0,0,0,1,0,0", "--diagram", "x.png")
	if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "\nrender: --diagram: the scene has no solids to draw\n") {
		t.Errorf("%+v", got)
	}
	programtest.WantFiles(t, "empty.toml")
}

// TestExplainSVG writes a diagram as SVG for each kind of query. The file must be valid XML and contain the texts
// of the diagram.
func TestExplainSVG(t *testing.T) {
	programtest.InFolder(t, map[string]string{"pair.toml": handAndArm})
	for i, test := range []struct {
		query []string
		want  string
	}{
		{[]string{"--pixel", "23,15"}, "<image "},
		{[]string{"--ray", "0,3,9,0,0,-1"}, ">t_near = 8<"},
		{[]string{"--segment", "-9,3,0,-1,3,0"}, ">P<"},
		{[]string{"--capsules", "arm, left,hand"}, ">p1<"},
	} {
		file := fmt.Sprintf("%d.svg", i)
		got := programtest.Invocation{}.Run(slices.Concat([]string{"explain", "pair.toml", "--diagram", file}, test.query)...)
		if got.Status != cli.StatusDone || got.Stderr != "" {
			t.Fatalf("%q: %+v", test.query, got)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(data, new(struct {
			XMLName xml.Name `xml:"svg"`
		})); err != nil || !strings.Contains(string(data), test.want) {
			t.Errorf("%q: %v, or no %s in\n%.400s", test.query, err, test.want, data)
		}
	}
}

// TestExplainTellsLess checks the shorter explanations of --brief and --section. The output of --section must
// include the definitions of all symbols in it.
func TestExplainTellsLess(t *testing.T) {
	programtest.InFolder(t, map[string]string{"pair.toml": handAndArm})
	lines := func(args ...string) []string {
		got := programtest.Invocation{}.Run(append([]string{"explain", "pair.toml", "--pixel", "23,15"}, args...)...)
		if got.Status != cli.StatusDone || got.Stderr != "" {
			t.Fatalf("%q: %+v", args, got)
		}
		return strings.Split(strings.TrimRight(got.Stdout, "\n"), "\n")
	}
	all, brief := lines(), lines("--brief")
	if len(brief) >= 60 || len(brief) >= len(all) {
		t.Errorf("%d lines of %d are brief", len(brief), len(all))
	}
	part := lines("--section", "pixel,hit")
	at, shared := 0, 0
	for _, line := range part {
		next := slices.Index(all[at:], line)
		switch isDefinition := strings.Contains(line, " = "); {
		case next >= 0:
			at += next
			shared++
		case !isDefinition: // of a symbol that the explanation defines in another section
			t.Fatalf("--section prints %q, which the explanation does not print there", line)
		}
	}
	if shared < len(part)/2 {
		t.Errorf("--section shares %d of %d lines with the explanation", shared, len(part))
	}
	for heading, want := range map[string]bool{"    Closest hit: capsule \"arm, left\"": true, "  The pixel": true, "    Color": false, "    Traversal of the tree": false} {
		if got := slices.Contains(part, heading); got != want {
			t.Errorf("--section pixel,hit tells %q: %v", heading, got)
		}
	}
}

// TestExplainSolidNobodyMeets checks that explain --solid also shows the crossings with a solid that lies behind
// the ray's origin.
func TestExplainSolidNobodyMeets(t *testing.T) {
	programtest.InFolder(t, map[string]string{"pair.toml": handAndArm})
	got := programtest.Invocation{}.Run("explain", "pair.toml", "--ray", "0,3,9,0,0,1", "--solid", "sphere[0]", "--section", "line")
	for _, want := range []string{"The whole line: sphere[0]", "Two crossings: the line enters at t_near, behind", "P2", "n2 ", "-10", "-8"} {
		if !strings.Contains(got.Stdout, want) || got.Status != cli.StatusDone {
			t.Errorf("no %q in %+v", want, got)
		}
	}
}
