package main

import (
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

func TestGoldenReport(t *testing.T) {
	goldenProject(t)
	fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]")
	programtest.WriteText(t, "scenes/broken.toml", programtest.Wrong)
	before := fixture.Snapshot(t)
	got := programtest.Invocation{}.Run("golden", "report")
	const says = "scenes/broken.toml:4:10: sphere[0].radius: must be positive and finite, got -1\n"
	if got.Status != cli.StatusWrong || got.Stdout != "" || !strings.HasPrefix(got.Stderr, says) {
		t.Fatalf("got %+v", got)
	}
	page := programtest.ReadText(t, "report.html")
	before["report.html"] = page
	wantSnapshot(t, "golden report", before)
	for _, want := range []string{"<h2>broken</h2>", "<h2>pills</h2>", "render golden accept pills", "2 identical:"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestGoldenReportOfNothing(t *testing.T) {
	goldenProject(t)
	got := programtest.Invocation{}.Run("golden", "report", "-o", "-")
	if got.Status != cli.StatusDone || !strings.Contains(got.Stdout, "Every scene gives the accepted picture.") {
		t.Errorf("exit status %d, and %d bytes without what was wanted", got.Status, len(got.Stdout))
	}
	if osfile.Exists("report.html") {
		t.Error("-o - wrote a file, too")
	}
}
