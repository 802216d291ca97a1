package prose

import (
	"io/fs"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox/docs/lessons"
)

func TestParse(t *testing.T) {
	const page = "# A *title*\n\nSome `r²` and\n[a link](x.md).\n\n<!-- only: x -->\n```console\n$ render x\nout\n```\n\n![A figure\nin two lines](x.png)\n\n" +
		"- one\n  more\n- **two**\n\n1. first\n2. second\n\n| a | b |\n|---|---|\n| c *d* | e |\n\n<details><summary>Answer</summary>\n\nYes.\n\n</details>\n"
	want := []Block{
		{Type: Heading, Level: 1, Spans: []Span{{Text: "A "}, {Text: "title", Emphasis: true}}},
		{Type: Paragraph, Spans: []Span{{Text: "Some "}, {Text: "r²", Code: true}, {Text: " and "}, {Text: "a link", Link: "x.md"}, {Text: "."}}},
		{Type: Code, Text: "$ render x\nout", Commands: []string{"render x"}},
		{Type: List, Items: [][]Span{{{Text: "one more"}}, {{Text: "two", Strong: true}}}},
		{Type: List, Ordered: true, Items: [][]Span{{{Text: "first"}}, {{Text: "second"}}}},
		{Type: Table, Rows: []Row{{{{Text: "a"}}, {{Text: "b"}}}, {{{Text: "c "}, {Text: "d", Emphasis: true}}, {{Text: "e"}}}}},
		{Type: Details, Spans: []Span{{Text: "Answer"}}, Blocks: []Block{{Type: Paragraph, Spans: []Span{{Text: "Yes."}}}}},
	}
	if got := Parse(page); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
}

// TestLessonsLoseNoWords checks that the blocks of a lesson contain every word outside figures and comments, in the
// same order.
func TestLessonsLoseNoWords(t *testing.T) {
	names, err := fs.Glob(lessons.Files(), "*.md")
	if err != nil || len(names) < 13 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(lessons.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		at := 0
		found := func(words string) {
			for _, word := range strings.Fields(words) {
				next := strings.Index(text[at:], word)
				if next < 0 || strings.Count(text[at:at+next], "\n\n") > 12 {
					t.Fatalf("%s: %q is not where it was", name, word)
				}
				at += next + len(word)
			}
		}
		n := 0
		var walk func([]Block)
		walk = func(blocks []Block) {
			for _, b := range blocks {
				for _, list := range slices.Concat([][]Span{b.Spans}, b.Items, slices.Concat(rowsOf(b.Rows)...)) {
					for _, s := range list {
						if s.Link == "" { // a link's text lacks the marks of code
							found(s.Text)
							n += len(s.Text)
						}
					}
				}
				found(b.Text)
				n += len(b.Text)
				walk(b.Blocks)
			}
		}
		walk(Parse(text))
		if n < len(text)*6/10 {
			t.Errorf("%s: %d of %d letters are in blocks", name, n, len(text))
		}
	}
}

// rowsOf returns the rows of a table as lists of cells.
func rowsOf(rows []Row) [][][]Span {
	var out [][][]Span
	for _, row := range rows {
		out = append(out, row)
	}
	return out
}

func FuzzParse(f *testing.F) {
	f.Add("# a\n\n- b\n```\nc")
	f.Add("<details><summary>")
	f.Fuzz(func(t *testing.T, text string) { Parse(text) })
}

// TestSpansEqualRegexp compares the function spans, which finds code, emphasis and links in a line of Markdown,
// with a regular expression. It tests all lines of the lessons and random lines with many marks.
func TestSpansEqualRegexp(t *testing.T) {
	marked := regexp.MustCompile("`([^`]+)`" + `|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)]+)\)`)
	want := func(text string) (out []Span) {
		add := func(s Span) {
			if s.Text != "" {
				out = append(out, s)
			}
		}
		last := 0
		for _, at := range marked.FindAllStringSubmatchIndex(text, -1) {
			group := func(i int) string {
				if at[2*i] < 0 {
					return ""
				}
				return text[at[2*i]:at[2*i+1]]
			}
			add(Span{Text: text[last:at[0]]})
			add(Span{Text: group(1), Code: true})
			add(Span{Text: group(2), Strong: true})
			add(Span{Text: group(3), Emphasis: true})
			add(Span{Text: strings.ReplaceAll(group(4), "`", ""), Link: group(5)})
			last = at[1]
		}
		add(Span{Text: text[last:]})
		return out
	}
	var lines []string
	names, _ := fs.Glob(lessons.Files(), "*.md") // the pattern is valid
	for _, name := range names {
		data, err := fs.ReadFile(lessons.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Split(string(data), "\n")...)
	}
	pieces := []string{"`", "*", "**", "[", "]", "(", ")", "](", "a", "é", " ", "b c", "\t"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		line := ""
		for range 1 + random.IntN(14) {
			line += pieces[random.IntN(len(pieces))]
		}
		lines = append(lines, line)
	}
	for _, line := range lines {
		if got, want := spans(line), want(line); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %+v, want %+v", line, got, want)
		}
	}
}
