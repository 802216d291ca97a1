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

// Run is a part of a line of text in one font.
type Run struct {
	Text   string
	Script Script
	Italic bool
	Signs  bool // whether the letters are those of the font [Signs]

	// If the run is a combining mark, such as an arrow over a letter, On is the character that the mark belongs to, with the
	// marks between them. Otherwise it is empty. A mark is a run of its own.
	On string
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
	return inFonts(p.runs)
}

// inFonts divides runs into such of one font, and makes runs of combining marks. A mark has the look of its character.
func inFonts(runs []Run) (divided []Run) {
	regular := Regular()
	var base Run // the last character, and in On its marks
	for _, r := range runs {
		joins := false // whether the next character may belong to the last run
		for rest := r.Text; rest != ""; {
			c, size := utf8.DecodeRuneInString(rest)
			part := r
			_, usual := regular.Index(c)
			part.Text, part.Signs = rest[:size], !usual
			rest = rest[size:]
			if joins = joins && divided[len(divided)-1].Signs == part.Signs; unicode.Is(unicode.Mn, c) {
				part.Script, part.Italic, part.On = base.Script, base.Italic, base.Text+base.On
				base.On += part.Text
				divided, joins = append(divided, part), false
				continue
			}
			if base = part; joins {
				divided[len(divided)-1].Text += part.Text
			} else {
				divided, joins = append(divided, part), true
			}
		}
	}
	return divided
}

// Composed returns a text in which decomposed letters are composed (Unicode Normalization Form C), but a letter that no font
// has is decomposed, so that marks are drawn over it: ẑ is z with a circumflex.
func Composed(text string) string {
	text = norm.NFC.String(text)
	if hasAll(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		letter := string(r)
		if parts := norm.NFD.String(letter); !hasAll(letter) && hasAll(parts) {
			letter = parts
		}
		b.WriteString(letter)
	}
	return b.String()
}

// hasAll reports whether the fonts have all characters of a text.
func hasAll(text string) bool {
	_, i := Missing(text)
	return i < 0
}

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

// LineReach returns how far the letters of a line reach above and below the baseline.
func LineReach(line string, size float64, bold bool) (above, below float64) {
	for _, r := range Runs(line) {
		_, down := r.Shift(size, bold)
		face := r.face(bold)
		scale := float64(size*r.Script.Size()) / float64(face.UnitsPerEm())
		for _, c := range r.Text {
			letter, _ := face.Index(c)
			least, most := face.Bounds(letter)
			above = max(above, float64(float64(-least.Y)*scale)-down)
			below = max(below, float64(float64(most.Y)*scale)+down)
		}
	}
	return above, below
}

// Width returns the width of the run, for a size of the letters on the line. A mark on a character has no width.
func (r *Run) Width(size float64, bold bool) float64 {
	if r.On != "" {
		return 0
	}
	face := r.face(bold)
	return float64(float64(face.Width(r.Text))*float64(size*r.Script.Size())) / float64(face.UnitsPerEm())
}

// Shift returns how far the run is to the right of the end of the previous run, and below the baseline of the line. A mark is
// over or under the middle of its character, and higher over a high one.
func (r *Run) Shift(size float64, bold bool) (right, down float64) {
	down = float64(r.Script.Drop() * size)
	if r.On == "" {
		return 0, down
	}
	face, base := r.face(bold), []rune(r.On)
	mark, _ := face.Index([]rune(r.Text)[0])
	least, most := face.Bounds(mark)
	on := Run{Text: string(base[:1]), Script: r.Script, Italic: r.Italic}
	on.Signs = !on.isUsual()
	low, high := on.bounds(bold)
	units := float64(float64(low.X+high.X-least.X-most.X) / 2)
	units -= float64(on.face(bold).Width(on.Text))
	lift := 0 // from the place over a letter without an ascender
	if over := most.Y < -xHeight; over {
		lift = max(0, -low.Y-xHeight)
		for _, other := range base[1:] {
			below := Run{Text: string(other), Signs: true}
			if least, most := below.bounds(bold); most.Y < -xHeight {
				lift += most.Y - least.Y + markGap
			}
		}
	}
	scale := float64(size*r.Script.Size()) / float64(face.UnitsPerEm())
	return float64(units * scale), down - float64(float64(lift)*scale)
}

// xHeight is the height, in font units, of the letters without an ascender over which the marks of [Signs] are.
const xHeight = 1120

// markGap is the distance between two marks over a character, in font units.
const markGap = 100

// isUsual reports whether the Go fonts have the letters of the run.
func (r *Run) isUsual() bool {
	_, ok := Regular().Index([]rune(r.Text)[0])
	return ok
}

// bounds returns the box around the first letter of the run, in font units.
func (r *Run) bounds(bold bool) (least, most Point) {
	face := r.face(bold)
	letter, _ := face.Index([]rune(r.Text)[0])
	return face.Bounds(letter)
}

// face returns the font of the run.
func (r *Run) face(bold bool) *Face {
	if r.Signs {
		return Signs()
	}
	return Styled(bold, r.Italic)
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
			p.addCharacter(look, after[:1], after[1:])
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
				p.addCharacter(look, p.rest[:size], after)
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
			p.addCharacter(look, p.rest[:size], after)
		}
	}
}

// addCharacter adds a character with a look.
func (p *markup) addCharacter(look Run, character, rest string) {
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
	if r, size := utf8.DecodeRuneInString(after); isSign(r) {
		start = size
	}
	end := start
	for end < len(after) && after[end] >= '0' && after[end] <= '9' {
		end++
	}
	charge := end // the end of a charge: a sign, or digits and a sign
	if r, size := utf8.DecodeRuneInString(after[end:]); start == 0 && isSign(r) {
		charge += size
	}
	if isCharge := charge > end || 0 < start && start == end; isCharge && endsCharge(after[charge:]) {
		return after[:charge], after[charge:], true
	}
	return after[:end], after[end:], end > start
}

func isSign(r rune) bool { return r == '+' || r == '-' || r == '−' }

// endsCharge reports whether a sign before the given text is that of a charge, as in Na^+ and SO_{4}^2-, and not an operator or the sign of a
// number: whether the text is empty or begins with a space, a closing bracket or quotation mark, a slash, a bar or a punctuation mark,
// but not with a decimal point.
func endsCharge(after string) bool {
	r, size := utf8.DecodeRuneInString(after)
	if r == '.' {
		r, _ = utf8.DecodeRuneInString(after[size:])
		return len(after) == size || unicode.IsSpace(r)
	}
	return after == "" || unicode.IsSpace(r) || strings.ContainsRune(`)]},;:!?/|"”’»`, r)
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
