package main

import (
	"bytes"
	"image"
	"os"
	"reflect"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
)

// inPanelsFolder changes to a new folder with two scenes and a figure with the given keys.
func inPanelsFolder(t *testing.T, panels string) {
	t.Helper()
	t.Chdir(t.TempDir())
	const square = "image = { width = 120, height = 80, background = \"ivory\" }\n"
	for name, text := range map[string]string{
		"a.toml":    square + "camera = { direction = [0, 0, -1], projection = \"orthographic\" }\nsphere = [{ name = \"ball\", center = [0, 0, 0], radius = 1 }]\nlabel = [{ text = \"Ball\", on = \"ball\", size = 12 }]\nline = [{ from = [0, 0, 0], to = [30, 0, 0] }]\n",
		"b.toml":    square + "camera = { direction = [0, 0, -1], projection = \"orthographic\" }\nbox = [{ center = [0, 0, 0], half_extents = [3, 2, 1] }]\n",
		"c.toml":    square + "sphere = [{ center = [0, 0, 0], radius = 1 }]\n",
		"dark.toml": "[theme]\nink = \"red\"\n",
		"fig.toml":  panels,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const twoPanels = "[panels]\ngap = 10\nsize = 20\n[[panel]]\nscene = \"a.toml\"\n[[panel]]\nscene = \"b.toml\"\nview = \"top\"\ntitle = \"From *above*\"\n"

func mustRun(t *testing.T, args ...string) {
	t.Helper()
	if got := (programtest.Invocation{}).Run(args...); got.Status != 0 {
		t.Fatalf("%q: %+v", args, got)
	}
}

// contains reports whether a picture has another one at a place.
func contains(whole, part *image.NRGBA, at image.Point) bool {
	for y := range part.Rect.Dy() {
		for x := range part.Rect.Dx() {
			if whole.NRGBAAt(at.X+x, at.Y+y) != part.NRGBAAt(x, y) {
				return false
			}
		}
	}
	return true
}

// TestPanels checks that each panel has the pixels of its scene's own picture, annotations included, and that nothing is
// drawn beside it; and that SVG and PDF have the texts.
func TestPanels(t *testing.T) {
	inPanelsFolder(t, twoPanels)
	mustRun(t, "fig.toml")
	mustRun(t, "a.toml")
	mustRun(t, "b.toml", "--view", "top")
	whole := readPNG(t, "fig.png")
	if got, want := whole.Rect.Size(), image.Pt(120+10+120, 32+80); got != want {
		t.Fatalf("the figure has %v pixels, want %v", got, want)
	}
	for name, at := range map[string]image.Point{"a.png": {0, 32}, "b.png": {130, 32}} {
		if !contains(whole, readPNG(t, name), at) {
			t.Errorf("the figure lacks the pixels of %s at %v", name, at)
		}
	}
	for y := range whole.Rect.Dy() { // the line in a.toml leads out of its panel
		if c := whole.NRGBAAt(125, y); c.R != 255 || c.G != 255 || c.B != 255 {
			t.Fatalf("the gap has the color %v at %d", c, y)
		}
	}
	mustRun(t, "fig.toml", "-o", "fig.svg")
	svg := string(readFile(t, "fig.svg"))
	for _, want := range []string{">(a)<", ">(b)<", ">From <", ">above<", ">Ball<", `<svg x="130" y="32" width="120" height="80" overflow="hidden">`} {
		if !strings.Contains(svg, want) {
			t.Errorf("fig.svg lacks %s", want)
		}
	}
	mustRun(t, "fig.toml", "-o", "fig.pdf")
	mustRun(t, "fig.toml", "-o", "wide.png", "--width", "500", "--theme", "dark")
	mustRun(t, "fig.toml", "-o", "light.png", "--width", "500")
	if wide := readPNG(t, "wide.png"); wide.Rect.Dx() != 500 || hashOfPNG(t, "wide.png") == hashOfPNG(t, "light.png") {
		t.Errorf("the wide figure has %d columns, or the theme has no effect", wide.Rect.Dx())
	}
	if got := (programtest.Invocation{}).Run("check", "fig.toml"); got.Status != 0 {
		t.Errorf("check: %+v", got)
	}
}

// TestPanelsFromStandardInput checks that a figure from standard input is the one from a file, and that scenes from standard
// input are still rendered.
func TestPanelsFromStandardInput(t *testing.T) {
	inPanelsFolder(t, twoPanels)
	mustRun(t, "fig.toml")
	for _, name := range []string{"fig.toml", "b.toml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := programtest.Invocation{Stdin: bytes.NewReader(text)}.Run("-", "-o", "in.png")
		if got.Status != 0 {
			t.Fatalf("%s: %+v", name, got)
		}
		mustRun(t, name, "-o", "want.png")
		if !reflect.DeepEqual(readPNG(t, "in.png"), readPNG(t, "want.png")) {
			t.Errorf("%s from standard input is another picture", name)
		}
	}
}

// TestCheckOfPanelsFromStandardInput checks that check reads figures from standard input as from files, and names it in messages.
func TestCheckOfPanelsFromStandardInput(t *testing.T) {
	const wrong = "<stdin>:2:1: panel[0].scen: unknown key"
	check := func(text string, args ...string) programtest.Outcome {
		return programtest.Invocation{Stdin: strings.NewReader(text)}.Run(args...)
	}
	inPanelsFolder(t, twoPanels)
	if got := check(twoPanels, "check", "-", "--theme", "none"); got.Status != 0 || got.Stdout != "" || !strings.Contains(got.Stderr, "--theme has no effect") {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{"check", "-"}, {"-", "-o", "in.png"}} {
		if got := check("[[panel]]\nscen = \"a.toml\"\n", args...); got.Status != 2 || !strings.Contains(got.Stdout+got.Stderr, wrong) {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// TestPanelsOfCommonScale measures a ball of radius 1 beside a box of half extent 2 upward: with a common scale, the ball is
// half as high.
func TestPanelsOfCommonScale(t *testing.T) {
	inPanelsFolder(t, "[panels]\nscale = \"common\"\nletters = false\n[[panel]]\nscene = \"a.toml\"\n[[panel]]\nscene = \"b.toml\"\n")
	mustRun(t, "fig.toml")
	whole := readPNG(t, "fig.png")
	background := whole.NRGBAAt(1, 1)
	height := func(x int) (n int) {
		for y := 33; y < 80; y++ { // below the label
			if whole.NRGBAAt(x, y) != background {
				n++
			}
		}
		return n
	}
	ball, box := height(14), height(136+60) // left of the line, which begins in the middle of the ball
	if ball < box/2-1 || ball > box/2+1 {
		t.Errorf("the ball is %d pixels high, the box %d", ball, box)
	}
}

// TestPanelProblems checks the messages about figures with panels.
func TestPanelProblems(t *testing.T) {
	for _, test := range []struct {
		panels, want string
		status       int
	}{
		{"[panels]\ncolums = 2\n[[panel]]\n", "fig.toml:2:1: panels.colums: unknown key, did you mean `columns`?", 2},
		{"[panels]\n[[panel]]\n", "fig.toml:2:1: panel[0].scene: missing", 2},
		{"[panels]\n", "panel: missing: a figure has at least one [[panel]]", 2},
		{"[[panel]]\nscene = \"../a.toml\"\n", "must be in the figure's folder or below", 2},
		{"[[panel]]\nscene = \"a.toml\"\nview = \"up\"\n", "panel[0].view: must be", 2},
		{"panels.scale = \"common\"\n[[panel]]\nscene = \"c.toml\"\n", "scale = \"common\" needs orthographic cameras, and that of panel[0], c.toml, is perspective", 2},
	} {
		inPanelsFolder(t, test.panels)
		got := (programtest.Invocation{}).Run("fig.toml")
		if got.Status != test.status || !strings.Contains(got.Stderr, test.want) {
			t.Errorf("%q: status %d, %s, want %s", test.panels, got.Status, got.Stderr, test.want)
		}
		if _, err := os.Stat("fig.png"); err == nil {
			t.Errorf("%q: a picture was written", test.panels)
		}
	}
	inPanelsFolder(t, twoPanels)
	if got := (programtest.Invocation{}).Run("fig.toml", "--view", "top"); got.Status != 2 || !strings.Contains(got.Stderr, "--view: fig.toml is a figure with panels") {
		t.Errorf("--view: %+v", got)
	}
	if got := (programtest.Invocation{}).Run("fig.toml", "-o", "a.toml.png", "--width", "1"); got.Status != 2 || !strings.Contains(got.Stderr, "needs more pixels") {
		t.Errorf("--width 1: %+v", got)
	}
}
