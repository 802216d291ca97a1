package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const lesson = "# Title\n" +
	"\n" +
	"The root is 4.256, see [the scene](lesson.toml).\n" +
	"\n" +
	"<!-- only: Tested | The winner -->\n" +
	"```console\n" +
	"$ first --diagram a.png\n" +
	"old\n" +
	"$ second\n" +
	"```\n" +
	"\n" +
	"![a drawing](a.png)\n" +
	"\n" +
	"```text\n" +
	"constant = 0.0031308\n" +
	"```\n" +
	"\n" +
	"The end.\n"

func parsed(t *testing.T, text string) *page {
	t.Helper()
	p, err := parse("lesson.md", text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParseKeepsText(t *testing.T) {
	for _, text := range []string{lesson, "# No block\n", "```console\n$ only\n```\n"} {
		if got := parsed(t, text).text(); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

func TestParseLines(t *testing.T) {
	lines := strings.Split(lesson, "\n")
	p := parsed(t, lesson)
	for _, x := range p.parts {
		if x.block != nil && lines[x.line-1] != prompt+x.block.commands[0].line {
			t.Errorf("block at line %d, which is %q", x.line, lines[x.line-1])
		}
	}
	for at, line := range p.sentences() {
		if lines[at-1] != line {
			t.Errorf("%q at line %d, which is %q", line, at, lines[at-1])
		}
	}
}

func TestParseErrors(t *testing.T) {
	for name, text := range map[string]string{
		"without end":  "a\n```console\n$ x\n",
		"empty":        "a\n```console\n```\n",
		"output first": "a\n```console\nx\n$ x\n```\n",
	} {
		if _, err := parse("lesson.md", text); err == nil || !strings.HasPrefix(err.Error(), "lesson.md:2: ") {
			t.Errorf("%s: %v, want an error at line 2", name, err)
		}
	}
}

const output = `title

  Tested: a ball

    t = 4.256

    Inner

      deep

  Light

    cos = 1

  The winner

    p = 0
`

func TestRefreshed(t *testing.T) {
	p := parsed(t, lesson)
	print := func(string) (string, error) { return output, nil }
	fresh, stale, err := p.refreshed(print)
	if err != nil {
		t.Fatal(err)
	}
	if len(stale) != 1 || stale[0].line != 7 {
		t.Fatalf("stale %v, want the block at line 7", stale)
	}
	again := parsed(t, fresh.text())
	if _, stale, err := again.refreshed(print); err != nil || len(stale) > 0 {
		t.Errorf("stale %v, error %v after refreshing", stale, err)
	}
	broken := errors.New("broken")
	if _, _, err := p.refreshed(func(string) (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	if _, _, err := p.refreshed(func(string) (string, error) { return "nothing\n", nil }); err == nil {
		t.Error("an output without the sections to keep is no error")
	}
}

func TestExcerpt(t *testing.T) {
	for _, c := range []struct {
		only []string
		want string
	}{
		{nil, strings.TrimRight(output, "\n")},
		{[]string{"Tested"}, "  ...\n\n  Tested: a ball\n\n    t = 4.256\n\n  ..."},
		{[]string{"Inner"}, "  ...\n\n    Inner\n\n      deep\n\n  ..."},
		{[]string{"Light", "The winner"}, "  ...\n\n  Light\n\n    cos = 1\n\n  The winner\n\n    p = 0"},
	} {
		got, err := keep{only: c.only}.of(output)
		if err != nil || strings.Join(got, "\n") != c.want {
			t.Errorf("%q: got\n%s\n(%v), want\n%s", c.only, strings.Join(got, "\n"), err, c.want)
		}
	}
	if got, err := excerpt("", nil); err != nil || got != nil {
		t.Errorf("no output gives %q, %v", got, err)
	}
}

// TestChosenLines checks which lines of a command's output a lesson keeps if it lists the first words of lines. A
// line that begins with "=" continues the previous one, so both must be kept. A word that begins no line must be
// an error.
func TestChosenLines(t *testing.T) {
	const text = "  Tested\n\n    t  = 1\n    tx = 2\n    p  = o\n       = 3\n\n  Light\n\n    t  = 5   far\n"
	got, err := keep{lines: []string{"p", "t"}}.of(text)
	if want := "  t  = 1\n  p  = o\n     = 3\n  t  = 5   far"; err != nil || strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\n(%v), want\n%s", strings.Join(got, "\n"), err, want)
	}
	if _, err := (keep{lines: []string{"t", "q"}}).of(text); err == nil {
		t.Error("a word that begins no line is no error")
	}
}

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lesson.toml"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	right := strings.Replace(lesson, "old", "t = 4.256", 1) + "Round numbers, such as 2.5 and 0.25, are the author's.\n"
	if err := parsed(t, right).verify(dir, []string{"a.png"}); err != nil {
		t.Errorf("a page that is right: %v", err)
	}
	for name, c := range map[string]struct {
		from, to, want string
		made           []string
	}{
		"number":      {"4.256", "4.257", "4.257", []string{"a.png"}},
		"short one":   {"The end.", "Not before 4.26.", "the number 4.26", []string{"a.png"}},
		"small one":   {"The end.", "Not 0.0123 later.", "the number 0.0123", []string{"a.png"}},
		"stored":      {"The end.", "Half is sRGB 187.", "the number sRGB 187", []string{"a.png"}},
		"link":        {"(lesson.toml)", "(nowhere.toml)", "nowhere.toml", []string{"a.png"}},
		"description": {"![a drawing]", "![]", "description", []string{"a.png"}},
		"not made":    {"", "", "no command of this page makes the picture a.png", nil},
		"not shown":   {"", "", "b.png is made but not shown", []string{"a.png", "b.png"}},
	} {
		err := parsed(t, strings.Replace(right, c.from, c.to, 1)).verify(dir, c.made)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.want)
		}
	}
}

// TestOutputRunsOurProgramsOnly checks that a page can run no programs except those of the lessons.
func TestOutputRunsOurProgramsOnly(t *testing.T) {
	r := &runner{programs: []program{{"render ", "does-not-exist"}}}
	for _, line := range []string{"rm -r x", "renderx y", "render x | y", "render $HOME", "render x"} {
		if _, err := r.output(line); err == nil {
			t.Errorf("%q runs", line)
		}
	}
	_, err := r.output("ls")
	if want := "`ls`: must begin with render, go run ./traps or go run ./figures"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if _, err := r.output("render x"); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("the error for a missing program is %v", err)
	}
}

// TestLessonsAreComplete checks that the index links to every lesson, and that each lesson asks a question and has
// a scene.
func TestLessonsAreComplete(t *testing.T) {
	const folder = "../../../../docs/lessons"
	index, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages = slices.DeleteFunc(pages, func(name string) bool {
		base := filepath.Base(name)
		return base == "README.md" || base == "glossary.md" || base == "vectors.md" || base == "capsule-numbers.md" // not lessons about a scene
	})
	if len(pages) < 9 {
		t.Fatalf("only %d lessons", len(pages))
	}
	for _, name := range pages {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(index), "("+filepath.Base(name)+")") {
			t.Errorf("%s: not in the index", name)
		}
		for _, want := range []string{"\n## Question\n", "<details><summary>", ".toml", "```console\n", "(README.md)"} {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
	}
}
