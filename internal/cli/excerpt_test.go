package cli

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

// TestExcerptMark checks the text of an excerpt and the position of the marks under it, in columns of a terminal.
func TestExcerptMark(t *testing.T) {
	for _, test := range []struct {
		name        string
		line        string
		column, end int
		text, marks string
	}{
		{"value", `radius = -1`, 10, 12, `radius = -1`, `         ^^`},
		{"first character", `x = 1`, 1, 2, `x = 1`, `^`},
		{"tab before", "\tx = 1", 6, 7, `    x = 1`, `        ^`},
		{"tab inside", "a\tx", 3, 4, `a   x`, `    ^`},
		{"marked tab", "a\tx", 2, 3, `a   x`, ` ^^^`},
		{"accents", `é = "ü"`, 5, 8, `é = "ü"`, `    ^^^`},
		{"wide characters", `name = "日本", y`, 13, 14, `name = "日本", y`, `              ^`},
		{"marked wide character", `日本`, 2, 3, `日本`, `  ^^`},
		{"combining accent", "e\u0301 = 1", 6, 7, "e\u0301 = 1", `    ^`},
		{"half of a cluster", "e\u0301 = 1", 2, 3, "e\u0301 = 1", `^`},
		{"emoji of several characters", "👩‍🚀 = 1", 7, 8, "👩‍🚀 = 1", `     ^`},
		{"escape sequence", "a\x1b[31m", 2, 3, "a\uFFFD[31m", ` ^`},
		{"direction override", "a\u202eb", 3, 4, "a\uFFFDb", `  ^`},
		{"broken UTF-8", "a\xff\xfeb", 4, 5, "a\uFFFD\uFFFDb", `   ^`},
		{"behind the end", `x =`, 4, 4, `x =`, `   ^`},
		{"far behind the end", `x =`, 40, 50, `x =`, `   ^`},
		{"nothing marked", `x = 1`, 5, 5, `x = 1`, `    ^`},
		{"empty line", ``, 1, 1, ``, `^`},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := NewExcerpt(test.line, test.column, test.end, 80)
			marks := strings.Repeat(" ", x.From) + strings.Repeat("^", x.To-x.From)
			if x.Text != test.text || marks != test.marks {
				t.Errorf("got\n%q\n%q, want\n%q\n%q", x.Text, marks, test.text, test.marks)
			}
		})
	}
}

// TestExcerptWindow moves a mark along lines wider than the terminal. The excerpt must fit on the terminal and
// contain the mark.
func TestExcerptWindow(t *testing.T) {
	for _, unit := range []string{"x", "日", "\t", "e\u0301", "x\ty日"} {
		for width := 8; width < 60; width += 7 {
			line := strings.Repeat(unit, 40) + "#" + strings.Repeat(unit, 40)
			column := len([]rune(line[:strings.Index(line, "#")])) + 1
			for lead := 0; lead < column; lead++ {
				cut := string([]rune(line)[lead:])
				x := NewExcerpt(cut, column-lead, column-lead+1, width)
				if n := uniseg.StringWidth(x.Text); n > width {
					t.Fatalf("%q in %d cells is %d wide: %q", cut, width, n, x.Text)
				}
				if got := cell(x.Text, x.From); got != "#" || x.To != x.From+1 {
					t.Fatalf("%q in %d cells marks %q in %q, want #", cut, width, got, x.Text)
				}
			}
		}
	}
}

// cell returns the character of text at column n of a terminal.
func cell(text string, n int) string {
	for at, state := 0, -1; text != ""; {
		var cluster string
		var wide int
		cluster, text, wide, state = uniseg.FirstGraphemeClusterInString(text, state)
		if at += wide; at > n {
			return cluster
		}
	}
	return ""
}

func TestExcerptShowsBothSides(t *testing.T) {
	x := NewExcerpt(strings.Repeat("a", 100)+"#"+strings.Repeat("b", 100), 101, 102, 40)
	if a, b := strings.Count(x.Text, "a"), strings.Count(x.Text, "b"); a < 10 || b < 10 {
		t.Errorf("got %q, want both sides of #", x.Text)
	}
}

func TestExcerptLongMark(t *testing.T) {
	x := NewExcerpt("key = "+strings.Repeat("9", 500), 7, 507, 40)
	if x.To <= x.From || x.To > 40 || !strings.HasSuffix(x.Text, ellipsis) {
		t.Errorf("got %+v, want a mark inside 40 cells", x)
	}
}

// TestExcerptOfHugeLine checks that the excerpt of a huge line is right and needs little memory.
func TestExcerptOfHugeLine(t *testing.T) {
	const n = 1 << 22
	short := NewExcerpt(strings.Repeat("a", 100)+"#"+strings.Repeat("b", 100), 101, 102, 40)
	line := strings.Repeat("a", n) + "#" + strings.Repeat("b", n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	long := NewExcerpt(line, n+1, n+2, 40)
	runtime.ReadMemStats(&after)
	if long != short {
		t.Errorf("got %+v, want %+v", long, short)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > n {
		t.Errorf("%d bytes of memory were needed", used)
	}
	if x := NewExcerpt(line, n+1, 2*n+2, 40); x.To > 40 || !strings.HasSuffix(x.Text, "b"+ellipsis) {
		t.Errorf("got %+v, want a mark to the edge", x)
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add("radius = -1", 10, 12, 80)
	f.Add("\t日本\xff\x1b", 3, 1, 0)
	f.Fuzz(func(t *testing.T, line string, column, end, width int) {
		x := NewExcerpt(line, column, end, width)
		if x.From < 0 || x.To <= x.From {
			t.Errorf("NewExcerpt(%q, %d, %d, %d) = %+v, want a mark", line, column, end, width, x)
		}
		if strings.ContainsAny(x.Text, "\x1b\t\r\n") {
			t.Errorf("NewExcerpt(%q, ...) shows %q", line, x.Text)
		}
	})
}
