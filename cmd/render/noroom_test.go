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
