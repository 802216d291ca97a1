package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"pillbox/cmd/render/diff"
	"pillbox/cmd/render/golden"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
	"pillbox/scenes"
)

// annotatedProject creates a project with one accepted scene, scenes/annotations.toml, with the given antialiasing.
func annotatedProject(t *testing.T, antialias string) {
	t.Helper()
	text, err := scenes.Files().ReadFile("annotations.toml")
	if err != nil {
		t.Fatal(err)
	}
	programtest.InFolder(t, map[string]string{"scenes/annotations.toml": string(text)})
	fixture.Edit(t, "scenes/annotations.toml", "antialias = 3", antialias)
	if got := (programtest.Invocation{}).Run("golden", "accept", "annotations"); got.Status != cli.StatusDone {
		t.Fatalf("%+v", got)
	}
}

// TestGoldenAnnotationsInDocs compares the example in docs/golden.md with the output of the program.
func TestGoldenAnnotationsInDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/golden.md")
	if err != nil {
		t.Fatal(err)
	}
	annotatedProject(t, "antialias = 3")
	fixture.Edit(t, "scenes/annotations.toml", "half_extents = [2, 0.2, 1.2]", "half_extents = [2, 0.2, 1.25]")
	fixture.Edit(t, "scenes/annotations.toml", "offset = [-100, -30]", "offset = [-97, -31.5]")
	got := programtest.Invocation{}.Run("golden", "check", "--explain-limit", "1000")
	example := ""
	for line := range strings.Lines(got.Stdout) {
		if !strings.HasPrefix(line, "1 golden") {
			example += "    " + line
		}
	}
	if got.Status != cli.StatusDifferent || !strings.Contains(string(page), "\n"+example+"\n") {
		t.Errorf("docs/golden.md does not contain\n%s", example)
	}
}

// TestGoldenAnnotations moves a label in an accepted scene. All reports must describe the moved label before they
// count pixels. If all changed pixels are under masks, the label must not be reported, because only pixels decide
// the verdict.
func TestGoldenAnnotations(t *testing.T) {
	annotatedProject(t, "antialias = 1")
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
	got := programtest.Invocation{}.Run("golden", "check", "--ci", "--junit", "golden.xml", "--github")
	if got.Status != cli.StatusDifferent {
		t.Errorf("%+v", got)
	}
	inOrder("check", got.Stdout)
	inOrder("JUnit", strings.ReplaceAll(programtest.ReadText(t, "golden.xml"), "&#34;", `"`))
	inOrder("pending", programtest.Invocation{}.Run("golden", "pending").Stdout)
	inOrder("review", programtest.Invocation{Stdin: strings.NewReader("q\n")}.Run("golden", "review").Stdout)
	if got := (programtest.Invocation{}).Run("golden", "report"); got.Status != cli.StatusDone {
		t.Errorf("%+v", got)
	}
	page := strings.ReplaceAll(programtest.ReadText(t, "report.html"), "&#34;", `"`)
	if i := strings.Index(page, moved+"\n"+equal); i < 0 || i > strings.Index(page, "pixels changed") {
		t.Error("the page does not begin with the annotations")
	}

	var record golden.Record
	got = programtest.Invocation{}.Run("golden", "check", "--ci", "--json")
	if err := json.Unmarshal([]byte(got.Stdout), &record); err != nil {
		t.Fatalf("%+v: %v", got, err)
	}
	texts := record.Texts
	if texts == nil || texts.Elsewhere != 0 || len(texts.Changes) != 1 {
		t.Fatalf("%s", got.Stdout)
	}
	c := texts.Changes[0]
	if c.Kind != "label" || c.Text != moved || c.Want.Text != "hidden corner" || c.Got.Text != c.Want.Text ||
		math.Abs(c.Got.At[0]-c.Want.At[0]-3) > 1e-9 || math.Abs(c.Got.At[1]-c.Want.At[1]+1.5) > 1e-9 {
		t.Errorf("%+v, %+v, %+v", c, c.Want, c.Got)
	}

	programtest.WriteText(t, "golden/annotations.golden.toml", "reason = \"labels may move\"\ntolerance = { max_pixels = 100000 }\n")
	got = programtest.Invocation{}.Run("golden", "check", "--ci")
	if got.Status != cli.StatusDone || !strings.HasPrefix(got.Stdout, "annotations: within tolerance: "+moved+"\n    "+equal+"\n    ") {
		t.Errorf("within a tolerance: %+v", got)
	}
	programtest.WriteText(t, "golden/annotations.golden.toml", "reason = \"anything may change\"\nmasks = [[0, 0, 560, 420]]\n")
	got = programtest.Invocation{}.Run("golden", "check", "--ci")
	if got.Status != cli.StatusDone || strings.Contains(got.Stdout, "label") {
		t.Errorf("under a mask: %+v", got)
	}
	removeFile(t, "golden/annotations.golden.toml")

	// Labels are not reported if the picture does not show the accepted ones, or if the accepted scene is missing.
	removeFile(t, "golden/annotations.scene.toml")
	got = programtest.Invocation{}.Run("golden", "check", "--ci")
	if got.Status != cli.StatusDifferent || strings.Contains(got.Stdout, "label") || !strings.Contains(got.Stdout, "cause unknown") {
		t.Errorf("without the accepted scene: %+v", got)
	}
	if got := (programtest.Invocation{}).Run("golden", "accept", "annotations"); got.Status != cli.StatusDone {
		t.Fatalf("%+v", got)
	}
	fixture.Edit(t, "scenes/annotations.toml", `text = "hidden corner"`, `text = "hidden corner" # at the back`)
	got = programtest.Invocation{}.Run("golden", "check", "--ci")
	if got.Status != cli.StatusDone || !strings.HasPrefix(got.Stdout, "annotations: identical\n") {
		t.Errorf("equal pictures: %+v", got)
	}
	fixture.Edit(t, "golden/annotations.scene.toml", "offset = [-97, -31.5]", "offset = [-100, -30]")
	fixture.Edit(t, "scenes/annotations.toml", "radius = 0.7", "radius = 0.75")
	got = programtest.Invocation{}.Run("golden", "check", "--ci")
	if got.Status != cli.StatusDifferent || strings.Contains(got.Stdout, "moved") || !strings.Contains(got.Stdout, "no longer gives the accepted picture") {
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
	programtest.InFolder(t, map[string]string{"a.toml": scene, "b.toml": moved})
	for _, args := range []string{"a.toml -o a.png", "b.toml -o b.png --width 160", "a.toml -o a1.png --time 1", "b.toml -o b1.png --time 1"} {
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...); got.Status != cli.StatusDone {
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
		run := programtest.Invocation{}
		if c.stdin != "" {
			run.Stdin = strings.NewReader(programtest.ReadText(t, c.stdin))
		}
		got := run.Run(append([]string{"diff"}, strings.Fields(c.args)...)...)
		if !strings.HasPrefix(got.Stdout, c.want) || c.want == "" && strings.Contains(got.Stdout, "label") || got.Status > cli.StatusDifferent {
			t.Errorf("diff %s: %+v", c.args, got)
		}
	}
	var record struct {
		Annotations *diff.AnnotationsRecord
		Text        string
		Why         struct {
			Pixels, Renderer int
			Text             string
			Edits            []struct {
				Path  string
				Alone int
			}
		}
	}
	got := programtest.Invocation{}.Run("diff", "a1.png", "b1.png", "--want-scene", "a.toml", "--got-scene", "b.toml", "--time", "1", "--json")
	if err := json.Unmarshal([]byte(got.Stdout), &record); err != nil || record.Annotations == nil || len(record.Annotations.Changes) != 1 {
		t.Errorf("%+v: %v", got, err)
	}
	if w := record.Why; len(w.Edits) != 1 || w.Edits[0].Path != "label[0].offset" || w.Edits[0].Alone != w.Pixels || w.Pixels == 0 || w.Renderer != 0 || !strings.HasPrefix(record.Text, fmt.Sprintf("%d pixels of 4800 changed", w.Pixels)) {
		t.Errorf("causes: %+v", record)
	}
	if text := (programtest.Invocation{}).Run("diff", "a1.png", "b1.png", "--want-scene", "a.toml", "--got-scene", "b.toml", "--time", "1"); !strings.Contains(text.Stdout, "\n"+record.Why.Text+"\n") {
		t.Errorf("no causes in %+v", text)
	}
	for _, args := range []string{"--want-scene a.toml", "--time 1", "--want-scene - --got-scene -", "--want-scene a.toml --got-scene b.toml -o a.toml"} {
		if got := (programtest.Invocation{}).Run(append([]string{"diff", "a.png", "b.png"}, strings.Fields(args)...)...); got.Status != cli.StatusWrong {
			t.Errorf("%s: %+v", args, got)
		}
	}
}
