package main

import (
	"strings"
	"testing"

	"pillbox/internal/cli"
	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

func TestGoldenReport(t *testing.T) {
	goldenProject(t)
	fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]")
	writeText(t, "scenes/broken.toml", wrong)
	before := fixture.Snapshot(t)
	got := invocation{}.run("golden", "report")
	const says = "scenes/broken.toml:4:10: sphere[0].radius: must be positive and finite, got -1\n"
	if got.status != cli.StatusWrong || got.stdout != "" || !strings.HasPrefix(got.stderr, says) {
		t.Fatalf("got %+v", got)
	}
	page := readText(t, "report.html")
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
	got := invocation{}.run("golden", "report", "-o", "-")
	if got.status != cli.StatusDone || !strings.Contains(got.stdout, "Every scene gives the accepted picture.") {
		t.Errorf("exit status %d, and %d bytes without what was wanted", got.status, len(got.stdout))
	}
	if osfile.Exists("report.html") {
		t.Error("-o - wrote a file, too")
	}
}
