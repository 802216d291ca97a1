package main

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"pillbox/internal/cli"
	"pillbox/internal/fixture"
	"pillbox/scenes"
)

// annotatedProject creates a project with one accepted scene, scenes/annotations.toml.
func annotatedProject(t *testing.T) {
	t.Helper()
	text, err := scenes.Files().ReadFile("annotations.toml")
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, map[string]string{"scenes/annotations.toml": string(text)})
	if got := (invocation{}).run("golden", "accept", "annotations"); got.status != cli.StatusDone {
		t.Fatalf("%+v", got)
	}
}

// TestGoldenAnnotationsInDocs compares the example in docs/golden.md with the output of the program.
func TestGoldenAnnotationsInDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/golden.md")
	if err != nil {
		t.Fatal(err)
	}
	annotatedProject(t)
	fixture.Edit(t, "scenes/annotations.toml", "half_extents = [2, 0.2, 1.2]", "half_extents = [2, 0.2, 1.25]")
	fixture.Edit(t, "scenes/annotations.toml", "offset = [-100, -30]", "offset = [-97, -31.5]")
	got := invocation{}.run("golden", "check", "--explain-limit", "1000")
	example := ""
	for line := range strings.Lines(got.stdout) {
		if !strings.HasPrefix(line, "1 golden") {
			example += "    " + line
		}
	}
	if got.status != cli.StatusDifferent || !strings.Contains(string(page), "\n"+example+"\n") {
		t.Errorf("docs/golden.md does not contain\n%s", example)
	}
}

// TestGoldenAnnotations moves a label in an accepted scene. All reports must describe the moved label before they
// count pixels. If all changed pixels are under masks, the label must not be reported, because only pixels decide
// the verdict.
func TestGoldenAnnotations(t *testing.T) {
	annotatedProject(t)
	const moved, equal, pixels = `label "hidden corner" moved by (3.0, -1.5) pixels`, "all pixels outside the annotations are equal", " pixels of 235200 changed"
	fixture.Edit(t, "scenes/annotations.toml", "offset = [-100, -30]", "offset = [-97, -31.5]")
	inOrder := func(name, text string) {
		t.Helper()
		for _, want := range []string{moved, equal, pixels} {
			_, after, found := strings.Cut(text, want)
			if !found {
				t.Fatalf("%s: no %q, in this place, in\n%s", name, want, text)
			}
			text = after
		}
	}
	got := invocation{}.run("golden", "check", "--ci", "--junit", "golden.xml", "--github")
	if got.status != cli.StatusDifferent {
		t.Errorf("%+v", got)
	}
	inOrder("check", got.stdout)
	inOrder("JUnit", strings.ReplaceAll(readText(t, "golden.xml"), "&#34;", `"`))
	inOrder("pending", invocation{}.run("golden", "pending").stdout)
	inOrder("review", invocation{stdin: strings.NewReader("q\n")}.run("golden", "review").stdout)
	if got := (invocation{}).run("golden", "report"); got.status != cli.StatusDone {
		t.Errorf("%+v", got)
	}
	page := strings.ReplaceAll(readText(t, "report.html"), "&#34;", `"`)
	if i := strings.Index(page, moved+"\n"+equal); i < 0 || i > strings.Index(page, "pixels changed") {
		t.Error("the page does not begin with the annotations")
	}

	var record goldenRecord
	got = invocation{}.run("golden", "check", "--ci", "--json")
	if err := json.Unmarshal([]byte(got.stdout), &record); err != nil {
		t.Fatalf("%+v: %v", got, err)
	}
	texts := record.Texts
	if texts == nil || texts.Elsewhere != 0 || len(texts.Changes) != 1 {
		t.Fatalf("%s", got.stdout)
	}
	c := texts.Changes[0]
	if c.Kind != "label" || c.Text != moved || c.Want.Text != "hidden corner" || c.Got.Text != c.Want.Text ||
		math.Abs(c.Got.At[0]-c.Want.At[0]-3) > 1e-9 || math.Abs(c.Got.At[1]-c.Want.At[1]+1.5) > 1e-9 {
		t.Errorf("%+v, %+v, %+v", c, c.Want, c.Got)
	}

	writeText(t, "golden/annotations.golden.toml", "reason = \"labels may move\"\ntolerance = { max_pixels = 100000 }\n")
	got = invocation{}.run("golden", "check", "--ci")
	if got.status != cli.StatusDone || !strings.HasPrefix(got.stdout, "annotations: within tolerance: "+moved+"\n    "+equal+"\n    ") {
		t.Errorf("within a tolerance: %+v", got)
	}
	writeText(t, "golden/annotations.golden.toml", "reason = \"anything may change\"\nmasks = [[0, 0, 560, 420]]\n")
	got = invocation{}.run("golden", "check", "--ci")
	if got.status != cli.StatusDone || strings.Contains(got.stdout, "label") {
		t.Errorf("under a mask: %+v", got)
	}
	removeFile(t, "golden/annotations.golden.toml")

	// Labels are not reported if the picture does not show the accepted ones, or if the accepted scene is missing.
	removeFile(t, "golden/annotations.scene.toml")
	got = invocation{}.run("golden", "check", "--ci")
	if got.status != cli.StatusDifferent || strings.Contains(got.stdout, "label") || !strings.Contains(got.stdout, "cause unknown") {
		t.Errorf("without the accepted scene: %+v", got)
	}
	if got := (invocation{}).run("golden", "accept", "annotations"); got.status != cli.StatusDone {
		t.Fatalf("%+v", got)
	}
	fixture.Edit(t, "scenes/annotations.toml", `text = "hidden corner"`, `text = "hidden corner" # at the back`)
	got = invocation{}.run("golden", "check", "--ci")
	if got.status != cli.StatusDone || !strings.HasPrefix(got.stdout, "annotations: identical\n") {
		t.Errorf("equal pictures: %+v", got)
	}
	fixture.Edit(t, "golden/annotations.scene.toml", "offset = [-97, -31.5]", "offset = [-100, -30]")
	fixture.Edit(t, "scenes/annotations.toml", "radius = 0.7", "radius = 0.75")
	got = invocation{}.run("golden", "check", "--ci")
	if got.status != cli.StatusDifferent || strings.Contains(got.stdout, "moved") || !strings.Contains(got.stdout, "no longer gives the accepted picture") {
		t.Errorf("a replaced copy of the scene: %+v", got)
	}
}

// TestDiffAnnotations checks that diff compares the annotations of two scenes only if the pictures differ and show
// them.
func TestDiffAnnotations(t *testing.T) {
	const scene = `image = { width = 80, height = 60, background = "white" }
camera = { position = [0, 0, 9], look_at = [0, 0, 0], projection = "orthographic", view_height = 6 }
animation = { duration = 1 }
sphere = [{ name = "ball", center = [0, 0, 0], radius = 1 }]
label = [{ text = "A", on = "ball", size = 9 }]
animate = [{ target = "ball.center", times = [0, 1], values = [[0, 0, 0], [1, 0, 0]] }]
`
	moved := strings.Replace(scene, `size = 9`, `size = 9, offset = [0, 3]`, 1)
	inFolder(t, map[string]string{"a.toml": scene, "b.toml": moved})
	for _, args := range []string{"a.toml -o a.png", "b.toml -o b.png --width 160", "a.toml -o a1.png --time 1", "b.toml -o b1.png --time 1"} {
		if got := (invocation{}).run(strings.Fields(args)...); got.status != cli.StatusDone {
			t.Fatalf("%+v", got)
		}
	}
	const first = "label \"A\" moved by (0.0, 3.0) pixels\nall pixels outside the annotations are equal\n"
	for _, c := range []struct{ args, stdin, want string }{
		{"a1.png b1.png --want-scene a.toml --got-scene b.toml --time 1", "", first},
		{"a1.png b1.png --want-scene a.toml --got-scene - --time 1", "b.toml", first},
		{"a1.png b1.png --want-scene a.toml --got-scene b.toml", "", ""}, // shows the label elsewhere
		{"a.png b.png --want-scene a.toml --got-scene b.toml", "", ""},   // other sizes, equal texts
		{"a.png a.png --want-scene a.toml --got-scene b.toml", "", "no pixel differs"},
	} {
		run := invocation{}
		if c.stdin != "" {
			run.stdin = strings.NewReader(readText(t, c.stdin))
		}
		got := run.run(append([]string{"diff"}, strings.Fields(c.args)...)...)
		if !strings.HasPrefix(got.stdout, c.want) || c.want == "" && strings.Contains(got.stdout, "label") || got.status > cli.StatusDifferent {
			t.Errorf("diff %s: %+v", c.args, got)
		}
	}
	var record struct{ Annotations *annotationsRecord }
	got := invocation{}.run("diff", "a1.png", "b1.png", "--want-scene", "a.toml", "--got-scene", "b.toml", "--time", "1", "--json")
	if err := json.Unmarshal([]byte(got.stdout), &record); err != nil || record.Annotations == nil || len(record.Annotations.Changes) != 1 {
		t.Errorf("%+v: %v", got, err)
	}
	for _, args := range []string{"--want-scene a.toml", "--time 1", "--want-scene - --got-scene -", "--want-scene a.toml --got-scene b.toml -o a.toml"} {
		if got := (invocation{}).run(append([]string{"diff", "a.png", "b.png"}, strings.Fields(args)...)...); got.status != cli.StatusWrong {
			t.Errorf("%s: %+v", args, got)
		}
	}
}
