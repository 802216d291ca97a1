package main

import (
	"fmt"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
)

func TestGoldenJUnit(t *testing.T) {
	goldenProject(t)
	fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]")
	fixture.Edit(t, "scenes/ball.toml", "radius = 2", "radius = -2")
	programtest.WriteText(t, "scenes/fourth & <last>.toml", programtest.Small)
	got := programtest.Invocation{}.Run("golden", "check", "--ci", "--junit", "out.xml")
	if got.Status != cli.StatusWrong {
		t.Fatalf("got %+v", got)
	}
	for _, want := range []string{`tests="4" failures="2" errors="1"`, `name="fourth &amp; &lt;last&gt;"`, "capsule[0].a[0] of &#34;arm&#34;, -1 to -0.9: 13 by itself"} {
		if text := programtest.ReadText(t, "out.xml"); !strings.Contains(text, want) {
			t.Errorf("got\n%swant %s in it", text, want)
		}
	}
}

func TestGoldenGitHub(t *testing.T) {
	goldenProject(t)
	fixture.Edit(t, "scenes/pills.toml", "half_extents = [4, 0.1, 4]", "half_extents = [4, 0.1, 3.9]")
	fixture.Edit(t, "scenes/ball.toml", "radius = 2", "radius = -2")
	programtest.WriteText(t, "scenes/a, b.toml", programtest.Small)
	programtest.WriteText(t, "summary.md", "before\n")
	t.Setenv("GITHUB_STEP_SUMMARY", "summary.md")
	got := programtest.Invocation{}.Run("golden", "check", "--ci", "--github")
	for _, want := range []string{
		"\n::error file=scenes/a%2C b.toml,line=1,title=golden a%2C b::new: no picture was accepted yet\n",
		"\n::error file=scenes/ball.toml,line=13,col=10,title=golden ball::sphere[0].radius: must be positive and finite, got -2\n",
		"\n::error file=scenes/pills.toml,line=23,title=golden pills::changed: ",
		`%0A`,
		`box[0].half_extents[2] of "floor", 4 to 3.9: 48 by itself`,
	} {
		if !strings.Contains(got.Stdout, want) {
			t.Errorf("got\n%swant %q in it", got.Stdout, want)
		}
	}
	summary := programtest.ReadText(t, "summary.md")
	for _, want := range []string{
		"before\n### Golden pictures\n",
		"\n| scene | verdict | what | accept |\n|---|---|---|---|\n| <code>a, b</code> | new | ",
		"<code>render golden accept &#39;a, b&#39;</code> |\n",
		"\n| <code>pills</code> | changed | ",
	} {
		if !strings.Contains(summary, want) {
			t.Errorf("got\n%swant %q in it", summary, want)
		}
	}
	if strings.Contains(summary, "second") {
		t.Error("an identical scene is in the table")
	}
}

func TestGoldenGitHubAtMostTen(t *testing.T) {
	for _, n := range []int{10, 11, 25} {
		contents := make(map[string]string)
		for i := range n {
			contents[fmt.Sprintf("scenes/s%02d.toml", i)] = programtest.Small
		}
		programtest.InFolder(t, contents)
		t.Setenv("GITHUB_STEP_SUMMARY", "")
		got := programtest.Invocation{}.Run("golden", "check", "--ci", "--github").Stdout
		if lines := strings.Count(got, "::error "); lines != 10 {
			t.Errorf("%d annotations for %d scenes, want 10", lines, n)
		}
		more := fmt.Sprintf("::error title=golden::%d more problems; see the summary\n", n-9)
		if strings.HasSuffix(got, more) != (n > 10) {
			t.Errorf("%d scenes end with %q", n, got[strings.LastIndex(got, "::error"):])
		}
	}
}
