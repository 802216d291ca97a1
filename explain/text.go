package explain

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"
)

// TextStyle is the layout of text. The zero value is plain and 100 columns wide.
type TextStyle struct {
	Columns int  // lines wrap there; 0 means 100
	Color   bool // with escape sequences for a terminal
}

// usualColumns is the default of TextStyle.Columns.
const usualColumns = 100

// WriteText writes the document for a terminal.
func (d *Document) WriteText(w io.Writer, style TextStyle) error {
	if style.Columns == 0 {
		style.Columns = usualColumns
	}
	t := &textWriter{out: bufio.NewWriter(w), style: style}
	for i, b := range d.Blocks() {
		if i > 0 {
			t.line("")
		}
		t.block(b)
	}
	return t.out.Flush()
}

// textWriter writes blocks, indented below the last heading.
type textWriter struct {
	out    *bufio.Writer // keeps its first error
	style  TextStyle
	indent string
}

// A step of indentation.
const indentation = "  "

// Looks of text on a terminal, as parameters of SGR escape sequences.
const (
	lookHeading  = "1"  // bold
	lookNote     = "2"  // dim
	lookAccepted = "32" // green
	lookRejected = "33" // yellow, which is legible on light and dark
)

func (t *textWriter) block(b Block) {
	switch b := b.(type) {
	case Heading:
		t.indent = strings.Repeat(indentation, b.Level-1)
		t.wrapped(b.Text, "", lookHeading)
		t.indent += indentation
	case Answer:
		t.wrapped(b.Text, "", lookHeading)
	case Shares:
		t.wrapped(sharesText(b.Parts), "", "")
	case Paragraph:
		t.wrapped(b.Text, "", "")
	case List:
		for _, x := range b.Items {
			lead := strings.Repeat(indentation, x.Depth)
			t.wrapped(lead+x.Text, lead+indentation, lookOf(x.Verdict))
		}
	case Equations:
		t.equations(b.Steps)
	}
}

func lookOf(v Verdict) string {
	switch v {
	case Accepts:
		return lookAccepted
	case Rejects:
		return lookRejected
	}
	return ""
}

// line writes a line as it is.
func (t *textWriter) line(s string) {
	t.out.WriteString(s)
	t.out.WriteByte('\n')
}

// wrapped writes text, which may begin with spaces. Every line but the first begins with the string hanging.
func (t *textWriter) wrapped(text, hanging, look string) {
	for _, line := range wrap(text, t.style.Columns-len(t.indent), hanging) {
		t.line(t.indent + t.looking(line, look))
	}
}

func (t *textWriter) looking(s, look string) string {
	if !t.style.Color || look == "" {
		return s
	}
	return "\x1b[" + look + "m" + s + "\x1b[0m"
}

// wrap breaks text at spaces into lines of at most width runes; longer words have lines of their own. Every line but
// the first begins with the string hanging.
func wrap(text string, width int, hanging string) []string {
	lead := text[:len(text)-len(strings.TrimLeft(text, " "))]
	words := strings.Fields(text)
	var lines []string
	line := lead
	for i, word := range words {
		switch {
		case i == 0:
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " "
		default:
			lines = append(lines, line)
			line = hanging
		}
		line += word
	}
	return append(lines, line)
}

// equations writes steps with their symbols in a column.
func (t *textWriter) equations(steps []Step) {
	column := 0
	for _, s := range steps {
		if s.Formula != "" && s.Symbol != "" {
			column = max(column, utf8.RuneCountInString(s.Symbol))
		}
	}
	for len(steps) > 0 {
		if n := givens(steps); n > 0 {
			t.wrapped(sentence(steps[:n]), indentation, "")
			steps = steps[n:]
			continue
		}
		t.step(steps[0], column)
		steps = steps[1:]
	}
}

// givens returns how many of the first steps are given values.
func givens(steps []Step) int {
	for i, s := range steps {
		if s.Symbol == "" || s.Formula != "" {
			return i
		}
	}
	return len(steps)
}

// sentence returns given values as one sentence.
func sentence(steps []Step) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 {
			b.WriteString(", ")
		}
		if s.Note != "" {
			b.WriteString(s.Note + " ")
		}
		b.WriteString(s.Symbol + " = " + s.Result)
	}
	return b.String()
}

// step writes an equation, a relation or a sentence.
func (t *textWriter) step(s Step, column int) {
	look := lookOf(s.Verdict)
	if s.Formula == "" {
		t.wrapped(s.Note, "", look)
		return
	}
	if look == "" {
		look = lookNote
	}
	note := ""
	if s.Note != "" {
		note = noteGap + s.Note
	}
	lead, parts := partsOf(s)
	if lead != "" {
		lead += strings.Repeat(" ", max(0, column-utf8.RuneCountInString(lead)))
	}
	if t.noted(lead+strings.Join(parts, ""), note, look) {
		return
	}
	// The step does not fit on one line: write the formula and the note first, then each further part on a
	// line of its own.
	if first := lead + parts[0]; !t.noted(first, note, look) {
		t.line(t.indent + first)
		t.wrapped(note, noteGap, look)
	}
	before := strings.Repeat(" ", column)
	for _, part := range parts[1:] {
		if lead == "" {
			before, part = indentation, strings.TrimPrefix(part, relationGap)
		}
		t.wrapped(before+part, before+noteGap, "")
	}
}

// Separators: between an equation and its note, and between the forms of a relation.
const (
	noteGap     = "   "
	relationGap = ": "
)

// noted writes a line with its note if both fit on one line. Otherwise it writes nothing and returns false.
func (t *textWriter) noted(line, note, look string) bool {
	if utf8.RuneCountInString(t.indent+line+note) > t.style.Columns {
		return false
	}
	t.line(t.indent + line + t.looking(note, look))
	return true
}

// partsOf returns the symbol of an equation, and its formula, numbers and result as separate parts, so that
// the line can be broken between them. For a relation, the symbol is empty. partsOf omits a part that is
// the same as the part before it.
func partsOf(s Step) (lead string, parts []string) {
	between := " = "
	parts = []string{between + s.Formula}
	if s.Symbol == "" {
		between = relationGap
		parts[0] = s.Formula
	}
	if s.Numbers != s.Formula {
		parts = append(parts, between+s.Numbers)
	}
	if s.Result != s.Numbers {
		parts = append(parts, between+s.Result)
	}
	return s.Symbol, parts
}
