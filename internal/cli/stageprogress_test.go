package cli

import (
	"strings"
	"testing"
	"time"
)

// TestStageProgress checks the progress line: each update replaces it, it fits on the terminal, and Clear removes
// it.
func TestStageProgress(t *testing.T) {
	var out strings.Builder
	screen := Screen{Writer: &out, Columns: 30}
	begin := func(label string) *StageProgress {
		return &StageProgress{to: &screen, label: label, stop: make(chan struct{})}
	}
	g := begin("loading a.toml")
	g.tick(stageDelay)
	g.Update(0, 1000)
	g.tick(stageDelay / 2)
	if out.Len() > 0 {
		t.Errorf("%q is shown at once", out.String())
	}
	g.tick(stageDelay)
	g.Update(250, 1000)
	g.tick(9500 * time.Millisecond)
	g.tick(10 * time.Second)
	g.Update(1000, 1000)
	g.tick(11 * time.Second)
	g.Clear()
	want := "\rloading a.toml   0% [0s]" + "\rloading a.toml  25% [9s]" + "\rloading a.toml  25% [10s]" + "\rloading a.toml 100% [11s]" +
		"\r" + strings.Repeat(" ", 25) + "\r"
	if out.String() != want {
		t.Errorf("%q is shown, want %q", out.String(), want)
	}

	out.Reset()
	g = begin("loading a scene with a very long name.toml")
	g.Update(1, 3)
	g.tick(time.Second)
	if got := out.String(); got != "\rloading a scene wit  33% [1s]" {
		t.Errorf("%q is shown", got)
	}

	out.Reset()
	for _, g := range []*StageProgress{NewStageProgress(&Screen{Writer: &out}, false, "x"), NewStageProgress(&screen, true, "x"), begin("x")} {
		g.Update(1, 2)
		g.Clear()
	}
	if out.Len() > 0 {
		t.Errorf("%q is shown without a terminal, with --quiet or of a short stage", out.String())
	}
}
