package selection

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pillbox/internal/text"
)

// Limits of a selection.
const (
	MaxLength = 10_000 // characters
	MaxDepth  = 100    // of nested parentheses and operators
)

// Error is a mistake in a selection. Column counts characters from 1.
type Error struct {
	Column     int
	Message    string // what is wrong
	Value      string // the wrong word, or "" at the end of the text
	Suggestion string // a word that may be meant, or ""
}

func (e *Error) Error() string {
	s := fmt.Sprintf("column %d: %s", e.Column, e.Message)
	if e.Value != "" {
		s += ", got " + strconv.Quote(text.Shorten(e.Value))
	}
	return s + text.DidYouMean(e.Suggestion, "%q")
}

// Parse parses a selection. The error is an [*Error].
func Parse(expression string) (*Selection, error) {
	length := len([]rune(expression))
	if length > MaxLength {
		return nil, &Error{Column: MaxLength + 1, Message: fmt.Sprintf("a selection must have at most %d characters, not %d", MaxLength, length)}
	}
	tokens, err := split(expression)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens, selection: new(Selection), end: length + 1}
	for _, pr := range properties() {
		p.properties = append(p.properties, &pr)
	}
	root, err := p.union()
	if err == nil && !p.done() {
		err = p.expected(`want "and" or "or"`)
	}
	if err != nil {
		return nil, err
	}
	p.selection.root = root
	return p.selection, nil
}

// token is a word, a quoted text or a sign.
type token struct {
	text   string
	column int
	quoted bool
}

// signs are the characters that are tokens by themselves, even without space around them.
const signs = "(),&|!<>="

// split splits a text into tokens.
func split(expression string) (tokens []token, err error) {
	runes := []rune(expression)
	for i := 0; i < len(runes); {
		start := i
		switch c := runes[i]; {
		case unicode.IsSpace(c):
			i++
			continue
		case c == '"' || c == '\'':
			for i++; i < len(runes) && runes[i] != c; i++ {
			}
			if i == len(runes) {
				return nil, &Error{Column: start + 1, Message: "the quotation mark is not closed", Value: string(runes[start:])}
			}
			i++
			tokens = append(tokens, token{string(runes[start+1 : i-1]), start + 1, true})
			continue
		case strings.ContainsRune("<>=!", c) && i+1 < len(runes) && runes[i+1] == '=':
			i += 2
		case strings.ContainsRune(signs, c):
			i++
		default:
			for i < len(runes) && !unicode.IsSpace(runes[i]) && !strings.ContainsRune(signs, runes[i]) {
				i++
			}
		}
		tokens = append(tokens, token{text: string(runes[start:i]), column: start + 1})
	}
	return tokens, nil
}

type parser struct {
	tokens     []token
	next       int
	depth      int
	end        int // column after the text
	selection  *Selection
	properties []*property
}

func (p *parser) done() bool { return p.next == len(p.tokens) }

// word returns the next token without advancing. For a synonym or plural of a keyword, and for a sign such as &, it
// returns the keyword. At the end, and for a text in quotes, it returns "".
func (p *parser) word() string {
	if p.done() || p.tokens[p.next].quoted {
		return ""
	}
	t := p.tokens[p.next].text
	if k := keyword(t); k != "" {
		return k
	}
	switch t {
	case "&":
		return "and"
	case "|":
		return "or"
	case "!":
		return "not"
	}
	return t
}

// acceptWord advances past the next token if this is the given keyword or sign. Otherwise it returns false.
func (p *parser) acceptWord(word string) bool {
	if p.word() != word {
		return false
	}
	p.next++
	return true
}

// expected returns an error for a next token that the grammar does not allow. The message says what is expected
// instead.
func (p *parser) expected(message string) error {
	if p.done() {
		return &Error{Column: p.end, Message: message + ", but the selection ends"}
	}
	t := p.tokens[p.next]
	e := &Error{Column: t.column, Message: message, Value: t.text}
	if p.next > 0 {
		// A word such as AND is a value; the user may have meant the keyword.
		before := p.tokens[p.next-1]
		if word := strings.ToLower(before.text); !before.quoted && word != before.text && keyword(word) != "" {
			e.Column, e.Value, e.Suggestion = before.column, before.text, word
			return e
		}
	}
	if !t.quoted && keyword(t.text) == "" {
		e.Suggestion = text.ClosestWord(t.text, names())
	}
	return e
}

// names returns all words of the language.
func names() (all []string) {
	for _, k := range Keywords() {
		all = append(append(all, k.Name), k.Synonyms...)
	}
	return slices.DeleteFunc(all, func(s string) bool { return len(s) < 2 })
}

// nested increases the nesting depth by one, and returns an error if it is too large.
func (p *parser) nested() error {
	if p.depth++; p.depth > MaxDepth {
		return p.expected(fmt.Sprintf("parentheses and operators must nest at most %d deep", MaxDepth))
	}
	return nil
}

func (p *parser) union() (node, error) {
	n, err := p.intersection()
	for err == nil && p.acceptWord("or") {
		var m node
		m, err = p.intersection()
		n = or{n, m}
	}
	return n, err
}

func (p *parser) intersection() (node, error) {
	n, err := p.factor()
	for err == nil && p.acceptWord("and") {
		var m node
		m, err = p.factor()
		n = and{n, m}
	}
	return n, err
}

func (p *parser) factor() (node, error) {
	if err := p.nested(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	switch {
	case p.acceptWord("not"):
		n, err := p.factor()
		return not{n}, err
	case p.acceptWord("byres"):
		n, err := p.factor()
		return whole{of: n}, err
	case p.acceptWord("bychain"):
		n, err := p.factor()
		return whole{of: n, chain: true}, err
	case p.acceptWord("within"):
		return p.within()
	case p.acceptWord("("):
		n, err := p.union()
		if err == nil && !p.acceptWord(")") {
			err = p.expected(`want "and", "or" or ")"`)
		}
		return n, err
	}
	return p.atoms()
}

func (p *parser) within() (node, error) {
	if p.done() {
		return nil, p.expected("want a distance")
	}
	d, err := strconv.ParseFloat(p.tokens[p.next].text, 64)
	if err != nil || !(d >= 0) || math.IsInf(d, 0) || p.tokens[p.next].quoted {
		return nil, p.expected(`want a distance, a number of at least 0, as in "within 5 of ligand"`)
	}
	p.next++
	if !p.acceptWord("of") {
		return nil, p.expected(`want "of"`)
	}
	n, err := p.factor()
	return within{d, n}, err
}

// atoms parses a class, or a property and its values.
func (p *parser) atoms() (node, error) {
	name := p.word()
	for _, c := range classes() {
		if name == c.name {
			p.next++
			return class{c.has}, nil
		}
	}
	for _, pr := range p.properties {
		if name == pr.name {
			p.next++
			return p.values(pr)
		}
	}
	return nil, p.expected("want a selection such as chain A, ligand or not water")
}

// values parses the values of a property.
func (p *parser) values(pr *property) (node, error) {
	l := &list{selection: p.selection, first: len(p.selection.values)}
	if v, ok, err := p.comparison(pr); ok || err != nil {
		p.selection.values = append(p.selection.values, v)
		l.last = len(p.selection.values)
		return l, err
	}
	for first := true; first || p.acceptWord(",") || p.isValue(); first = false {
		if !p.isValue() {
			return nil, p.expected("want " + pr.example())
		}
		v, err := p.value(pr)
		if err != nil {
			return nil, err
		}
		p.selection.values = append(p.selection.values, v)
	}
	l.last = len(p.selection.values)
	return l, nil
}

// example describes the values of a property, for messages.
func (pr *property) example() string {
	switch {
	case pr.both:
		return "a name or a number, such as ALA or 10-20"
	case pr.text == nil:
		return "a number or a range, such as 10-20"
	case pr.exact:
		return "a chain, such as A"
	}
	return "a name (a word of the language needs quotes)"
}

// isValue reports whether the next token can be a value.
func (p *parser) isValue() bool {
	if p.done() {
		return false
	}
	t := p.tokens[p.next]
	return t.quoted || keyword(t.text) == "" && !strings.ContainsAny(t.text[:1], signs)
}

// numbers matches a number or a range in one word.
var numbers = text.Pattern(`^(-?\d+(?:\.\d+)?)([A-Za-z]?)(?:[-:](-?\d+(?:\.\d+)?)([A-Za-z]?))?$`)

// value parses a value: a word, or a range such as 10-20 or 10 to 20.
func (p *parser) value(pr *property) (value, error) {
	t := p.tokens[p.next]
	v := value{property: pr, text: t.text, column: t.column}
	m := numbers().FindStringSubmatch(t.text)
	if pr.number == nil || pr.both && (t.quoted || m == nil) {
		p.next++
		v.pattern = !t.quoted && strings.ContainsAny(t.text, "*?")
		if v.pattern && strings.ContainsAny(t.text, `\[`) {
			v.text = strings.NewReplacer(`\`, `\\`, "[", `\[`).Replace(t.text)
		}
		return v, nil
	}
	if m == nil || t.quoted || !pr.coded && (m[2] != "" || m[4] != "") {
		return v, p.expected("want " + pr.example())
	}
	p.next++
	v.isRange, v.low = true, boundOf(m[1], m[2])
	v.high = v.low
	if m[3] != "" {
		v.high = boundOf(m[3], m[4])
	} else if p.acceptWord("to") || p.takeSign("-") {
		if err := p.upper(&v); err != nil {
			return v, err
		}
	}
	if v.high.x < v.low.x {
		return v, &Error{Column: t.column, Message: "a range must begin with its smaller number", Value: v.text}
	}
	return v, nil
}

// takeSign advances past the next token if this is the given sign, without quotes. Otherwise it returns false.
func (p *parser) takeSign(sign string) bool {
	if p.done() || p.tokens[p.next].quoted || p.tokens[p.next].text != sign {
		return false
	}
	p.next++
	return true
}

// upper parses the upper end of a range, after "to" or "-", and sets it in v.
func (p *parser) upper(v *value) error {
	b, ok := p.bound(v.property)
	if !ok {
		return p.expected("want the end of the range, a number")
	}
	v.text += " to " + p.tokens[p.next].text
	v.high = b
	p.next++
	return nil
}

// bound parses the next token as a number, without advancing. It returns false if the token is not a number of a kind
// that the property can have.
func (p *parser) bound(pr *property) (bound, bool) {
	if p.done() || p.tokens[p.next].quoted {
		return bound{}, false
	}
	m := numbers().FindStringSubmatch(p.tokens[p.next].text)
	if m == nil || m[3] != "" || m[2] != "" && !pr.coded {
		return bound{}, false
	}
	return boundOf(m[1], m[2]), true
}

// boundOf returns the bound with a number, which must match the pattern numbers, and an insertion code. A number that
// is too large becomes infinite.
func boundOf(number, code string) bound {
	x, err := strconv.ParseFloat(number, 64)
	if err != nil { // too large
		x = math.Inf(1)
		if number[0] == '-' {
			x = math.Inf(-1)
		}
	}
	return bound{x: x, code: strings.ToUpper(code)}
}

// comparison parses a comparison of a property with a number, such as < 20. ok is false if the property is not a
// number, or if the next token is not a comparison. It returns an error if no number follows the comparison.
func (p *parser) comparison(pr *property) (v value, ok bool, err error) {
	least, most := bound{x: math.Inf(-1)}, bound{x: math.Inf(1)}
	if pr.number == nil || p.done() || p.tokens[p.next].quoted {
		return v, false, nil
	}
	t := p.tokens[p.next]
	switch t.text {
	case "<", "<=", ">", ">=", "=", "==", "!=":
	default:
		return v, false, nil
	}
	p.next++
	b, ok := p.bound(pr)
	if !ok {
		return v, false, p.expected("want a number after " + t.text)
	}
	v = value{property: pr, text: t.text + " " + p.tokens[p.next].text, column: t.column, isRange: true, low: least, high: most}
	p.next++
	switch t.text {
	case "<", "<=":
		v.high = b
		v.high.open = t.text == "<"
	case ">", ">=":
		v.low = b
		v.low.open = t.text == ">"
	default:
		v.low, v.high = b, b
		v.outside = t.text == "!="
	}
	return v, true, nil
}
