package main

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
)

func TestGoldenJUnit(t *testing.T) {
	goldenProject(t)
	edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]")
	edit(t, "scenes/ball.toml", "radius = 2", "radius = -2")
	writeText(t, "scenes/fourth & <last>.toml", small)
	got := invocation{}.run("golden", "check", "--ci", "--junit", "out.xml")
	if got.status != statusWrong {
		t.Fatalf("got %+v", got)
	}
	var suites junitSuites
	if err := xml.Unmarshal([]byte(readText(t, "out.xml")), &suites); err != nil {
		t.Fatal(err)
	}
	s := suites.Suites[0]
	if s.Tests != 4 || s.Failures != 2 || s.Errors != 1 || len(s.Cases) != 4 {
		t.Fatalf("got %+v", s)
	}
	if c := s.Cases[0]; c.Name != "ball" || c.Error == nil || !strings.Contains(c.Error.Message, "sphere[0].radius") {
		t.Errorf("got %+v", c)
	}
	if c := s.Cases[1]; c.Name != "fourth & <last>" || c.Failure == nil || c.Failure.Type != "new" {
		t.Errorf("got %+v", c)
	}
	if c := s.Cases[2]; c.Name != "pills" || c.Failure == nil || !strings.Contains(c.Failure.Text, `capsule "arm" moved`) {
		t.Errorf("got %+v", c)
	}
	if c := s.Cases[3]; c.Name != "second" || c.Failure != nil || c.Error != nil {
		t.Errorf("got %+v", c)
	}
}

func TestGoldenGitHub(t *testing.T) {
	goldenProject(t)
	edit(t, "scenes/pills.toml", "half_extents = [4, 0.1, 4]", "half_extents = [4, 0.1, 3.9]")
	edit(t, "scenes/ball.toml", "radius = 2", "radius = -2")
	writeText(t, "scenes/a, b.toml", small)
	writeText(t, "summary.md", "before\n")
	t.Setenv(summaryVariable, "summary.md")
	got := invocation{}.run("golden", "check", "--ci", "--github")
	for _, want := range []string{
		"\n::error file=scenes/a%2C b.toml,line=1,title=golden a%2C b::new: no picture was accepted yet\n",
		"\n::error file=scenes/ball.toml,line=13,col=10,title=golden ball::sphere[0].radius: must be positive and finite, got -2\n",
		"\n::error file=scenes/pills.toml,line=20,title=golden pills::changed: ",
		`%0A`,
		`box "floor" resized`,
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("got\n%swant %q in it", got.stdout, want)
		}
	}
	summary := readText(t, "summary.md")
	for _, want := range []string{
		"before\n### Golden pictures\n",
		"\n| scene | verdict | what | accept |\n|---|---|---|---|\n| a, b | new | ",
		"<code>render golden accept 'a, b'</code> |\n",
		"\n| pills | changed | ",
	} {
		if !strings.Contains(summary, want) {
			t.Errorf("got\n%swant %q in it", summary, want)
		}
	}
	if strings.Contains(summary, "| second |") {
		t.Error("an identical scene is in the table")
	}
}

func TestGoldenGitHubAtMostTen(t *testing.T) {
	for _, n := range []int{10, 11, 25} {
		contents := make(map[string]string)
		for i := range n {
			contents[fmt.Sprintf("scenes/s%02d.toml", i)] = small
		}
		inFolder(t, contents)
		t.Setenv(summaryVariable, "")
		got := invocation{}.run("golden", "check", "--ci", "--github").stdout
		if lines := strings.Count(got, "::error "); lines != 10 {
			t.Errorf("%d annotations for %d scenes, want 10", lines, n)
		}
		more := fmt.Sprintf("::error title=golden::%d more problems; see the summary\n", n-9)
		if strings.HasSuffix(got, more) != (n > 10) {
			t.Errorf("%d scenes end with %q", n, got[strings.LastIndex(got, "::error"):])
		}
	}
}

func TestTableCell(t *testing.T) {
	if got, want := tableCell("a|b <br>\r\n&"), "a&#124;b &lt;br><br>&amp;"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
