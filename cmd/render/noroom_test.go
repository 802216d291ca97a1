package main

import (
	"os"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
)

// TestTextsWithoutRoomAreWarnings checks that render and check warn about texts without a free place, and that --quiet
// suppresses the warnings.
func TestTextsWithoutRoomAreWarnings(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "[image]\nwidth = 40\nheight = 36\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n" +
		"[[label]]\ntext = \"A\"\nat = [0, 0, 0]\nsize = 24\n[[label]]\ntext = \"B\"\nat = [0, 0, 0]\nsize = 24\n"
	if err := os.WriteFile("s.toml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	const warning = "s.toml:14:1: warning: label[1]: the text overlaps another text or the edge of the picture, because no place near it is free; move it, or use a smaller size\n"
	for _, test := range []struct {
		args        []string
		out, stderr string
	}{
		{[]string{"s.toml"}, "", warning},
		{[]string{"check", "s.toml"}, warning, ""},
		{[]string{"--quiet", "s.toml"}, "", ""},
		{[]string{"check", "--quiet", "s.toml"}, "", ""},
	} {
		got := programtest.Invocation{}.Run(test.args...)
		if got.Status != 0 || got.Stdout != test.out || !strings.Contains(got.Stderr, test.stderr) || test.stderr == "" && strings.Contains(got.Stderr, "warning:") {
			t.Errorf("%v: %+v", test.args, got)
		}
	}
}

// crowdedScene has, in this order, a label without a free place and a light without an effect.
const crowdedScene = "[image]\nwidth = 40\nheight = 36\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nname = \"s\"\n" +
	"[[label]]\ntext = \"A\"\nat = [0, 0, 0]\nsize = 24\n[[label]]\ntext = \"B\"\nat = [0, 0, 0]\nsize = 24\n[[sphere]]\ncenter = [0, 0, 99]\nradius = 1\n"

// TestWarningsAreInLineOrder checks that warnings about the places of texts stand among the others, in the order of lines, and
// that figures with panels and films print them, too.
func TestWarningsAreInLineOrder(t *testing.T) {
	t.Chdir(t.TempDir())
	film := "[animation]\nduration = 0.2\nfps = 10\n[[animate]]\ntarget = \"s.radius\"\ntimes = [0, 1]\nvalues = [1, 2]\n"
	for name, text := range map[string]string{
		"s.toml": crowdedScene, "film.toml": crowdedScene + film, "figure.toml": "[[panel]]\nscene = \"s.toml\"\n[[panel]]\nscene = \"s.toml\"\nview = \"front\"\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	lines := func(args ...string) (all []string) {
		got := programtest.Invocation{}.Run(args...)
		if got.Status != 0 {
			t.Fatalf("%v: %+v", args, got)
		}
		for line := range strings.Lines(got.Stdout + got.Stderr) {
			if _, after, isWarning := strings.Cut(line, ".toml:"); isWarning && strings.Contains(after, "warning: ") {
				all = append(all, after[:strings.Index(after, ":")])
			}
		}
		return all
	}
	for args, want := range map[string]string{
		"s.toml": "15 19", "check s.toml": "15 19", "figure.toml --width 90": "15 19 15 19", "animate film.toml -o f%02d.png": "19 15",
	} {
		if got := strings.Join(lines(strings.Fields(args)...), " "); got != want {
			t.Errorf("render %s warns of lines %s, want %s", args, got, want)
		}
	}
}

// TestCrowdedPictures checks the warning about annotations that leave little room for the solids. It names those that take the
// most.
func TestCrowdedPictures(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "[image]\nwidth = 120\nheight = 90\n[legend]\nsize = 16\n[colormap]\nrange = [0, 1]\nlabel = \"length\"\n" +
		"[material.m]\ncolor = \"red\"\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nmaterial = \"m\"\n[[sphere]]\ncenter = [1, 0, 0]\nradius = 1\nvalue = 0.5\n"
	if err := os.WriteFile("s.toml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	const warning = "s.toml:6:1: warning: colormap: the annotations leave little room for the solids in a picture of 120 x 90 pixels; use smaller sizes or a larger picture\n"
	if got := (programtest.Invocation{}).Run("check", "s.toml"); !strings.Contains(got.Stdout, warning) {
		t.Errorf("check prints %s", got.Stdout)
	}
	if err := os.WriteFile("t.toml", []byte(strings.Replace(strings.Replace(text, "width = 120", "width = 640", 1), "height = 90", "height = 480", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := (programtest.Invocation{}).Run("check", "t.toml"); strings.Contains(got.Stdout, "little room") {
		t.Errorf("check of a large picture prints %s", got.Stdout)
	}
}
