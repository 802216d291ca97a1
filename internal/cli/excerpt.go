package cli

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Excerpt is a line of text as a terminal shows it. The cells [From, To) are marked, at least one.
type Excerpt struct {
	Text     string
	From, To int
}

const (
	leastWidth = 8 // narrower, there would be no room for a mark

	tabWidth = 4
	ellipsis = "…"
)

// A glyph is what a terminal shows in one place: one or more characters of the line.
type glyph struct {
	text string
	at   int // cells to its left
	wide int // cells it takes
}

// NewExcerpt shows the line with its characters [column, end), counted from 1, marked. If it
// has more than width cells, the surroundings of the mark are shown.
func NewExcerpt(line string, column, end, width int) Excerpt {
	line, column, end = surroundings(line, column, end, width)
	glyphs, from, to := layOut(strings.Map(harmless, line), column, end)
	if n := len(glyphs); n == 0 || glyphs[n-1].at+glyphs[n-1].wide <= width {
		return assemble(glyphs, 0, from, to)
	}
	return window(glyphs, from, to, width)
}

// surroundings cuts off what is too far from the mark to be shown, for a line may be as long as a
// file, and returns where the mark is in the rest.
func surroundings(line string, column, end, width int) (part string, from, to int) {
	// Few glyphs have more characters. The bound is wider than any terminal.
	const perCell, widest = 16, 1 << 16
	reach := perCell * min(max(width, leastWidth), widest)
	start, stop, before, char := 0, len(line), 0, 1
	for i := range line {
		if char-column == -reach {
			start, before = i, char-1
		}
		if char-column == reach {
			stop = i
			break
		}
		char++
	}
	return line[start:stop], column - before, end - before
}

// layOut splits the line into glyphs and finds the cells of its characters [column, end).
func layOut(line string, column, end int) (glyphs []glyph, from, to int) {
	at, char := 0, 1
	from = -1
	state := -1
	for line != "" {
		var cluster string
		var wide int
		cluster, line, wide, state = uniseg.FirstGraphemeClusterInString(line, state)
		g := newGlyph(cluster, at, wide)
		next := char + utf8.RuneCountInString(cluster)
		if from < 0 && column < next {
			from = at
		}
		at += g.wide
		if char < end {
			to = at
		}
		char = next
		glyphs = append(glyphs, g)
	}
	if from < 0 {
		from = at // something is missing at the end of the line
	}
	return glyphs, from, max(to, from+1)
}

// newGlyph returns the glyph for a cluster of characters; tabs become spaces.
func newGlyph(cluster string, at, wide int) glyph {
	if cluster == "\t" {
		wide = tabWidth - at%tabWidth
		cluster = strings.Repeat(" ", wide)
	}
	return glyph{cluster, at, wide}
}

// harmless replaces characters that would move the cursor, change the terminal or reverse
// the direction of writing, and bytes that are no UTF-8, by one replacement character each.
func harmless(r rune) rune {
	const joiner = '\u200d' // makes one emoji of several
	if unicode.IsPrint(r) || r == '\t' || r == joiner {
		return r
	}
	return unicode.ReplacementChar
}

// window shows at most width cells of a line that has more, from a few before the mark on.
func window(glyphs []glyph, from, to, width int) Excerpt {
	width = max(width, leastWidth)
	room := width - 2*uniseg.StringWidth(ellipsis)
	first := 0
	for first < len(glyphs)-1 && glyphs[first].at < from-room/3 {
		first++
	}
	start := glyphs[first].at
	stop := first
	for stop < len(glyphs) && glyphs[stop].at+glyphs[stop].wide <= start+room {
		stop++
	}
	x := assemble(glyphs[first:stop], start, from, min(to, start+room))
	if first > 0 {
		x.Text = ellipsis + x.Text
		x.From += uniseg.StringWidth(ellipsis)
		x.To += uniseg.StringWidth(ellipsis)
	}
	if stop < len(glyphs) {
		x.Text += ellipsis
	}
	return x
}

// assemble joins glyphs, the first of which has start cells to its left.
func assemble(glyphs []glyph, start, from, to int) Excerpt {
	var b strings.Builder
	for _, g := range glyphs {
		b.WriteString(g.text)
	}
	return Excerpt{b.String(), from - start, to - start}
}
