package cli

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Excerpt is a line of text as shown on a terminal. The caller marks the cells From to To-1, at least one cell.
type Excerpt struct {
	Text     string
	From, To int
}

const (
	leastWidth = 8 // a narrower excerpt has no room for a mark

	tabWidth = 4
	ellipsis = "…"
)

// A glyph is what a terminal shows at one position: one or more characters of the line.
type glyph struct {
	text string
	at   int // number of cells to the left of it
	wide int // number of cells it takes
}

// NewExcerpt returns an excerpt of the line. The mark is at the characters column, ..., end - 1 of the line,
// counted from 1. If the line takes more than width cells, the excerpt contains only the part around the mark.
func NewExcerpt(line string, column, end, width int) Excerpt {
	line, column, end = surroundings(line, column, end, width)
	glyphs, from, to := layOut(strings.Map(harmless, line), column, end)
	if n := len(glyphs); n == 0 || glyphs[n-1].at+glyphs[n-1].wide <= width {
		return assemble(glyphs, 0, from, to)
	}
	return window(glyphs, from, to, width)
}

// surroundings cuts off text that is too far from the mark to be shown, because a line may be as long as a file. It
// returns the remaining part and the position of the mark in it.
func surroundings(line string, column, end, width int) (part string, from, to int) {
	// A glyph rarely has more than perCell characters. No terminal has more than widest cells.
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

// layOut splits the line into glyphs. It also returns which cells the characters column, ..., end - 1 take: the
// cells from, ..., to - 1.
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
		from = at // the mark is after the end of the line
	}
	return glyphs, from, max(to, from+1)
}

// newGlyph returns the glyph for a cluster of characters. It replaces a tab by spaces.
func newGlyph(cluster string, at, wide int) glyph {
	if cluster == "\t" {
		wide = tabWidth - at%tabWidth
		cluster = strings.Repeat(" ", wide)
	}
	return glyph{cluster, at, wide}
}

// harmless replaces a character by the replacement character if it would move the cursor, change the terminal's state
// or reverse the direction of writing. It does the same for a byte that is not valid UTF-8.
func harmless(r rune) rune {
	const joiner = '\u200d' // makes one emoji of several
	if unicode.IsPrint(r) || r == '\t' || r == joiner {
		return r
	}
	return unicode.ReplacementChar
}

// window returns an excerpt of a line that has more than width cells. The excerpt starts a few cells before the mark. It
// has at most width cells, or leastWidth if that is more.
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

// assemble joins glyphs to an excerpt. The first glyph has start cells to its left in the line; the mark is at the cells
// [from, to) of the line.
func assemble(glyphs []glyph, start, from, to int) Excerpt {
	var b strings.Builder
	for _, g := range glyphs {
		b.WriteString(g.text)
	}
	return Excerpt{b.String(), from - start, to - start}
}
