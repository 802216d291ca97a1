// Package prose reads the pages of the lessons for the playground: a small part of Markdown, as blocks of text.
package prose

import (
	"slices"
	"strconv"
	"strings"
)

// Block is a part of a page. Its type determines which other fields are set.
type Block struct {
	Type    Type     `json:"type"`
	Level   int      `json:"level,omitempty"`   // of a heading: 1 for the title
	Spans   []Span   `json:"spans,omitempty"`   // of a heading, a paragraph, and the summary of details
	Items   [][]Span `json:"items,omitempty"`   // of a list
	Ordered bool     `json:"ordered,omitempty"` // of a list: its items are numbered
	Rows    []Row    `json:"rows,omitempty"`    // of a table; the first holds the heads of the columns
	Text    string   `json:"text,omitempty"`    // of code
	Blocks  []Block  `json:"blocks,omitempty"`  // of details
	Example *int     `json:"example,omitempty"` // of an example: its number among those of the lesson

	Commands []string `json:"-"` // of code: the lines after the prompt "$ ", without it
}

// Row is a row of a table: its cells.
type Row [][]Span

// Type is the type of a block.
type Type string

// The types of blocks. Parse returns no Example: package play turns the commands that are examples into such blocks.
const (
	Heading   Type = "heading"
	Paragraph Type = "paragraph"
	List      Type = "list"
	Table     Type = "table"
	Code      Type = "code"
	Details   Type = "details"
	Example   Type = "example"
)

// Span is a piece of text. At most one of Code, Strong, Emphasis and Link is set.
type Span struct {
	Text     string `json:"text"`
	Code     bool   `json:"code,omitempty"`
	Strong   bool   `json:"strong,omitempty"`
	Emphasis bool   `json:"emphasis,omitempty"`
	Link     string `json:"link,omitempty"` // an address, as it is in the page
}

// Marks of the part of Markdown that the lessons use.
const (
	fence        = "```"
	prompt       = "$ "
	comment      = "<!--"
	figure       = "!["
	item         = "- "
	first        = "1. "
	column       = "|"
	detailsBegin = "<details><summary>"
	summaryEnd   = "</summary>"
	detailsEnd   = "</details>"
)

// Parse reads a page. It omits comments and figures, and joins the lines of a paragraph. It accepts every text:
// whatever it does not recognize becomes a paragraph.
func Parse(text string) []Block {
	p := &parser{lines: strings.Split(text, "\n")}
	return p.blocks("")
}

type parser struct{ lines []string }

func (p *parser) next() string {
	line := p.lines[0]
	p.lines = p.lines[1:]
	return line
}

// blocks reads blocks up to a line that equals the argument end. If end is "" or there is no such line, it reads all
// lines.
func (p *parser) blocks(end string) []Block {
	var out []Block
	for len(p.lines) > 0 {
		line := p.next()
		rest, isDetails := strings.CutPrefix(line, detailsBegin)
		switch level := headingLevel(line); {
		case end != "" && line == end:
			return out
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, comment):
		case strings.HasPrefix(line, figure):
			p.paragraph(line)
		case level > 0:
			out = append(out, Block{Type: Heading, Level: level, Spans: spans(line[level+1:])})
		case strings.HasPrefix(line, fence):
			out = append(out, p.code())
		case isDetails:
			summary, _, _ := strings.Cut(rest, summaryEnd)
			out = append(out, Block{Type: Details, Spans: spans(summary), Blocks: p.blocks(detailsEnd)})
		case strings.HasPrefix(line, item), strings.HasPrefix(line, first):
			out = append(out, p.list(line))
		case strings.HasPrefix(line, column):
			out = append(out, p.table(line))
		default:
			out = append(out, Block{Type: Paragraph, Spans: spans(p.paragraph(line))})
		}
	}
	return out
}

// headingLevel returns the level of the heading in a line. It returns 0 for a line without a heading.
func headingLevel(line string) int {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level > 0 && strings.HasPrefix(line[level:], " ") {
		return level
	}
	return 0
}

func (p *parser) code() Block {
	b := Block{Type: Code}
	var lines []string
	for len(p.lines) > 0 {
		line := p.next()
		if line == fence {
			break
		}
		if command, ok := strings.CutPrefix(line, prompt); ok {
			b.Commands = append(b.Commands, command)
		}
		lines = append(lines, line)
	}
	b.Text = strings.Join(lines, "\n")
	return b
}

// list reads a list whose first item begins in a line. Its items begin with a dash, or with the numbers 1, 2, 3, ...
func (p *parser) list(line string) Block {
	b := Block{Type: List, Ordered: strings.HasPrefix(line, first)}
	for {
		mark := item
		if b.Ordered {
			mark = strconv.Itoa(len(b.Items)+1) + ". "
		}
		text, ok := strings.CutPrefix(line, mark)
		if !ok {
			p.lines = append([]string{line}, p.lines...)
			return b
		}
		for len(p.lines) > 0 && strings.HasPrefix(p.lines[0], "  ") {
			text += " " + strings.TrimSpace(p.next())
		}
		b.Items = append(b.Items, spans(text))
		if len(p.lines) == 0 {
			return b
		}
		line = p.next()
	}
}

// table reads a table whose heads are in a line. It omits the line below the heads.
func (p *parser) table(line string) Block {
	b := Block{Type: Table}
	for {
		var row Row
		for cell := range strings.SplitSeq(strings.Trim(line, column+" "), " "+column+" ") {
			row = append(row, spans(cell))
		}
		b.Rows = append(b.Rows, row)
		if len(b.Rows) == 1 && len(p.lines) > 0 && strings.HasPrefix(p.lines[0], column+"--") {
			p.next()
		}
		if len(p.lines) == 0 || !strings.HasPrefix(p.lines[0], column) {
			return b
		}
		line = p.next()
	}
}

// paragraph returns the line and those that continue it.
func (p *parser) paragraph(line string) string {
	lines := []string{line}
	for len(p.lines) > 0 && strings.TrimSpace(p.lines[0]) != "" && !begins(p.lines[0]) {
		lines = append(lines, p.next())
	}
	return strings.Join(lines, " ")
}

// begins reports whether a line begins a block that ends the paragraph above it.
func begins(line string) bool {
	return slices.ContainsFunc([]string{fence, item, column, comment, detailsBegin, detailsEnd, figure}, func(mark string) bool {
		return strings.HasPrefix(line, mark)
	})
}

// spans splits text at code, emphasis and links.
func spans(text string) []Span {
	var out []Span
	last := 0 // the end of the previous mark
	for at := 0; at < len(text); {
		s, length := markedSpan(text[at:])
		if length == 0 {
			at++
			continue
		}
		if at > last {
			out = append(out, Span{Text: text[last:at]})
		}
		if s.Text != "" {
			out = append(out, s)
		}
		at += length
		last = at
	}
	if last < len(text) {
		out = append(out, Span{Text: text[last:]})
	}
	return out
}

// markedSpan returns the marked span at the beginning of text, and its length including its marks. The length is 0 if no
// such span begins there. markedSpan uses no regular expressions, because they are slow, and the playground needs the
// list of lessons before its first picture.
func markedSpan(text string) (s Span, length int) {
	switch text[0] {
	case '`':
		if code, ok := enclosed(text, "`", "`"); ok {
			return Span{Text: code, Code: true}, len(code) + 2
		}
	case '*':
		if strong, ok := enclosed(text, "**", "*"); ok && strings.HasPrefix(text[2+len(strong):], "**") {
			return Span{Text: strong, Strong: true}, len(strong) + 4
		}
		if emphasis, ok := enclosed(text, "*", "*"); ok && !strings.ContainsRune(" \t\n", rune(emphasis[0])) {
			return Span{Text: emphasis, Emphasis: true}, len(emphasis) + 2
		}
	case '[':
		label, ok := enclosed(text, "[", "]")
		if !ok {
			break
		}
		if address, ok := enclosed(text[len(label)+2:], "(", ")"); ok {
			return Span{Text: strings.ReplaceAll(label, "`", ""), Link: address}, len(label) + len(address) + 4
		}
	}
	return Span{}, 0
}

// enclosed returns the text between begin and the next end. It returns false if text does not start with begin,
// contains no end after it, or has nothing in between.
func enclosed(text, begin, end string) (string, bool) {
	rest, ok := strings.CutPrefix(text, begin)
	inside, _, closed := strings.Cut(rest, end)
	return inside, ok && closed && inside != ""
}
