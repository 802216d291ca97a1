package typeface

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Script says where a part of a line is.
type Script int

const (
	OnLine Script = iota
	Subscript
	Superscript
)

// Size returns the factor of the size of letters.
func (s Script) Size() float64 {
	if s == OnLine {
		return 1
	}
	return 0.7
}

// Drop returns how far the baseline is below that of the line, as a multiple of the size of letters on the line.
func (s Script) Drop() float64 {
	return [...]float64{OnLine: 0, Subscript: 0.18, Superscript: -0.38}[s]
}

// Run is a part of a line of text with one look.
type Run struct {
	Text   string
	Script Script
	Italic bool
}

// Runs divides a line of text into runs by its markup:
//
//   - _{x} is a subscript, and ^{x} a superscript; a sign and digits need no braces after ^, as in x^2 and 10^-3;
//   - *x* is italic if x begins and ends without a space, and no letter or digit is before the first or after the last *;
//   - \_, \^ and \* are these characters.
//
// Other characters, such as _ without a brace, stand for themselves. Decomposed letters are composed (Unicode
// Normalization Form C).
func Runs(line string) []Run {
	p := markup{rest: Composed(line)}
	p.parse(Run{}, false)
	return p.runs
}

// Composed returns a text in which decomposed letters are composed (Unicode Normalization Form C).
func Composed(text string) string { return norm.NFC.String(text) }

// Plain returns a text without its markup. It may have several lines.
func Plain(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		var b strings.Builder
		for _, r := range Runs(line) {
			b.WriteString(r.Text)
		}
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}

// LineWidth returns the width of a line of text with markup, for a size of the letters on the line.
func LineWidth(line string, size float64, bold bool) (width float64) {
	for _, r := range Runs(line) {
		width += r.Width(size, bold)
	}
	return width
}

// Width returns the width of the run, for a size of the letters on the line.
func (r *Run) Width(size float64, bold bool) float64 {
	face := Styled(bold, r.Italic)
	return float64(float64(face.Width(r.Text))*float64(size*r.Script.Size())) / float64(face.UnitsPerEm())
}

// markup reads the runs of a line.
type markup struct {
	runs []Run
	rest string
	last rune // the character before the rest, or 0
}

// parse reads the rest of the line with a look. In an italic part, it stops after the * that ends it.
func (p *markup) parse(look Run, italic bool) {
	for p.rest != "" {
		r, size := utf8.DecodeRuneInString(p.rest)
		after := p.rest[size:]
		switch {
		case r == '\\' && after != "" && strings.ContainsRune("_^*", rune(after[0])):
			p.add(look, after[:1], after[1:])
		case r == '_' || r == '^':
			if inner, behind, ok := script(r, p.last, after); ok && look.Script == OnLine {
				part := look
				part.Script = Subscript
				if r == '^' {
					part.Script = Superscript
				}
				p.rest, p.last = inner, 0
				p.parse(part, false)
				p.rest, p.last = behind, '}'
			} else {
				p.add(look, p.rest[:size], after)
			}
		case r == '*' && italic && closes(p.last, after):
			p.rest, p.last = after, r
			return
		case r == '*' && !look.Italic && opens(p.last, after):
			p.rest, p.last = after, 0
			part := look
			part.Italic = true
			p.parse(part, true)
		default:
			p.add(look, p.rest[:size], after)
		}
	}
}

// add adds a character with a look.
func (p *markup) add(look Run, character, rest string) {
	if n := len(p.runs); n > 0 && p.runs[n-1].Script == look.Script && p.runs[n-1].Italic == look.Italic {
		p.runs[n-1].Text += character
	} else {
		look.Text = character
		p.runs = append(p.runs, look)
	}
	p.last, _ = utf8.DecodeLastRuneInString(character)
	p.rest = rest
}

// script returns what is in a subscript or superscript after its sign, and what is behind it.
func script(sign, before rune, after string) (inner, behind string, ok bool) {
	if braced, ok := strings.CutPrefix(after, "{"); ok {
		end := strings.IndexByte(braced, '}')
		if end <= 0 {
			return "", "", false
		}
		return braced[:end], braced[end+1:], true
	}
	if sign == '_' || before == 0 || unicode.IsSpace(before) {
		return "", "", false
	}
	start := 0
	if r, size := utf8.DecodeRuneInString(after); strings.ContainsRune("+-−", r) {
		start = size
	}
	end := start
	for end < len(after) && after[end] >= '0' && after[end] <= '9' {
		end++
	}
	return after[:end], after[end:], end > start
}

// opens reports whether a * between the given character and text begins an italic part, which has an end.
func opens(before rune, after string) bool {
	first, _ := utf8.DecodeRuneInString(after)
	if isWord(before) || !isWord(first) {
		return false
	}
	last := first
	for i, r := range after {
		if r == '*' && closes(last, after[i+1:]) {
			return true
		}
		last = r
	}
	return false
}

// closes reports whether a * between the given character and text ends an italic part.
func closes(before rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	return before != 0 && !unicode.IsSpace(before) && before != '\\' && (after == "" || !isWord(next))
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
