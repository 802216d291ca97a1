// Package formula evaluates formulas step by step. It prints each formula with its symbols, with numbers in place of
// the symbols, and with its result.
//
// A [Derivation] introduces symbols, defines others by formulas and claims relations. Printed steps are correct:
// evaluated with the printed digits, a formula gives the printed result. [Check] tests that. Formulas are evaluated
// in the order in which they are written, and each operation rounds once, as in package geom. So a derivation gives
// the same bits as the code that it explains. With [Integer] nothing is rounded.
//
// Conventions: a formula is written as
//
//	r² - |f + b d|²        + - and juxtaposition of a number and a vector, ² and |norm|
//	-(f · d) / a           · is the inner product, × the vector product, * of two numbers
//	max(0, o.x, (1, 2, 3) · n)
//	floor(u / s)
//	0 <= y <= L
//
// Terms are evaluated from left to right, and products before sums. A leading minus is applied after its product. This
// is the order of the corresponding line of Go with the methods of package geom. The product * of two vectors, which
// then represent colors, is taken channel by channel. A derivation must not be used concurrently.
package formula

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// node is a part of a formula.
type node any

type (
	literal struct{ text string }
	symbol  struct {
		name string
		part int // 0 for all of it, 1, 2, 3 for .x, .y, .z
	}
	group  struct{ in node } // (in)
	tuple  struct{ x [3]node }
	norm   struct{ of node }
	square struct{ of node }
	minus  struct{ of node }
	binary struct {
		op   string // "+", "-", "*", "·", "×", "/", or " " for juxtaposition
		l, r node
	}
	call struct {
		function string
		args     []node
	}
	relation struct {
		terms []node
		ops   []string // "<", "<=", ">", ">=", "=", one less than terms
	}
)

// parser reads a formula by recursive descent.
type parser struct {
	text  string
	token string // "" at the end
	rest  string
}

// parse parses a formula.
func parse(text string) (n node, err error) {
	p := &parser{text: text, rest: text}
	defer func() {
		if e, ok := recover().(syntaxError); ok {
			err = e
		}
	}()
	p.next()
	n = p.relation()
	if p.token != "" {
		p.fail()
	}
	return n, nil
}

type syntaxError string

func (e syntaxError) Error() string { return string(e) }

func (p *parser) fail() {
	panic(syntaxError(fmt.Sprintf("formula %q: unexpected %q before %q", p.text, p.token, p.rest)))
}

// next reads the next token.
func (p *parser) next() {
	p.rest = strings.TrimLeft(p.rest, " ")
	length := 0
	switch c, size := utf8.DecodeRuneInString(p.rest); {
	case p.rest == "":
	case unicode.IsLetter(c):
		length = strings.IndexFunc(p.rest+" ", func(c rune) bool {
			return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '\'' && c != '.'
		})
	case unicode.IsDigit(c) && c < utf8.RuneSelf:
		length = numberLength(p.rest)
	case strings.HasPrefix(p.rest, "<=") || strings.HasPrefix(p.rest, ">="):
		length = 2
	default:
		length = size
	}
	p.token, p.rest = p.rest[:length], p.rest[length:]
}

// numberLength returns the length of the number at the beginning of s. The number has no sign.
func numberLength(s string) int {
	i := 0
	for i < len(s) {
		c := s[i]
		exponent := (c == '+' || c == '-') && s[i-1] == 'e'
		if !('0' <= c && c <= '9' || c == '.' || c == 'e' || exponent) {
			break
		}
		i++
	}
	return i
}

// accept returns the current token if it is one of the given tokens, and then reads the next token. Otherwise, it
// returns false.
func (p *parser) accept(tokens ...string) (string, bool) {
	for _, t := range tokens {
		if p.token == t {
			p.next()
			return t, true
		}
	}
	return "", false
}

func (p *parser) expect(token string) {
	if _, ok := p.accept(token); !ok {
		p.fail()
	}
}

func (p *parser) relation() node {
	r := relation{terms: []node{p.sum()}}
	for {
		op, ok := p.accept("<", "<=", ">", ">=", "=")
		if !ok {
			break
		}
		r.ops = append(r.ops, op)
		r.terms = append(r.terms, p.sum())
	}
	if len(r.ops) == 0 {
		return r.terms[0]
	}
	return r
}

func (p *parser) sum() node {
	var n node
	if _, ok := p.accept("-"); ok {
		n = minus{p.product()}
	} else {
		n = p.product()
	}
	for {
		op, ok := p.accept("+", "-")
		if !ok {
			return n
		}
		n = binary{op, n, p.product()}
	}
}

func (p *parser) product() node {
	n := p.factor()
	for {
		op, ok := p.accept("*", "·", "×", "/")
		if !ok {
			if !p.atFactor() {
				return n
			}
			op = " "
		}
		n = binary{op, n, p.factor()}
	}
}

// atFactor reports whether the token begins another factor. It returns false for "|", which ends a norm at this
// position.
func (p *parser) atFactor() bool {
	c, _ := utf8.DecodeRuneInString(p.token)
	return p.token == "(" || p.token == "√" || unicode.IsLetter(c) || unicode.IsDigit(c) && c < utf8.RuneSelf
}

func (p *parser) factor() node {
	n := p.atom()
	for {
		if _, ok := p.accept("²"); !ok {
			return n
		}
		n = square{n}
	}
}

func (p *parser) atom() node {
	token := p.token
	c, _ := utf8.DecodeRuneInString(token)
	switch {
	case token == "(":
		p.next()
		first := p.sum()
		if _, ok := p.accept(","); ok {
			second := p.sum()
			p.expect(",")
			t := tuple{[3]node{first, second, p.sum()}}
			p.expect(")")
			return t
		}
		p.expect(")")
		return group{first}
	case token == "|":
		p.next()
		n := norm{p.sum()}
		p.expect("|")
		return n
	case token == "√":
		p.next()
		return call{token, []node{p.atom()}}
	case unicode.IsLetter(c):
		p.next()
		if p.token == "(" && (token == "min" || token == "max" || token == "floor") {
			return p.call(token)
		}
		return newSymbol(token)
	case unicode.IsDigit(c):
		p.next()
		return literal{token}
	}
	p.fail()
	return nil
}

func (p *parser) call(function string) node {
	c := call{function: function}
	p.expect("(")
	for {
		c.args = append(c.args, p.sum())
		if _, ok := p.accept(","); !ok {
			if len(c.args) == 1 && function != "floor" {
				p.fail() // a reader would look for the other arguments
			}
			p.expect(")")
			return c
		}
	}
}

func newSymbol(token string) node {
	switch token {
	case "Inf", "NaN":
		return literal{token}
	}
	if i := len(token) - 2; i > 0 && token[i] == '.' {
		return symbol{token[:i], 1 + strings.IndexByte("xyz", token[i+1])}
	}
	return symbol{name: token}
}

// String returns the symbol as it is written in formulas.
func (s symbol) String() string {
	if s.part == 0 {
		return s.name
	}
	return s.name + "." + "xyz"[s.part-1:s.part]
}

// show returns the text of a formula, in which text(s) replaces the symbol s.
func show(n node, text func(symbol) string) string {
	w := &textWriter{text: text}
	printer{w}.node(n, leading)
	return w.String()
}

// printer writes formulas.
type printer struct{ formulaWriter }

// position is the position of a part of a formula. It decides whether a sign needs parentheses.
type position uint8

const (
	leading   position = iota // at the beginning of the formula or of a parenthesis
	following                 // after an operator
)

// node writes a part of a formula.
func (p printer) node(n node, at position) {
	switch n := n.(type) {
	case literal:
		p.WriteString(n.text)
	case symbol:
		p.symbol(n, at)
	case group:
		p.WriteString("(")
		p.node(n.in, leading)
		p.WriteString(")")
	case tuple:
		p.list("(", n.x[:])
	case norm:
		p.WriteString("|")
		p.node(n.of, leading)
		p.WriteString("|")
	case square:
		p.node(n.of, following)
		p.WriteString("²")
	case minus:
		p.WriteString("-")
		p.node(n.of, following)
	case binary:
		p.node(n.l, at)
		if n.op == " " {
			p.WriteString(" ")
		} else {
			p.WriteString(" " + n.op + " ")
		}
		p.node(n.r, following)
	case call:
		if n.function == "√" {
			p.WriteString("√")
			p.node(n.args[0], following)
			return
		}
		p.list(n.function+"(", n.args)
	case relation:
		p.node(n.terms[0], leading)
		for i, op := range n.ops {
			p.WriteString(" " + op + " ")
			p.node(n.terms[i+1], leading)
		}
	}
}

func (p printer) list(open string, args []node) {
	p.WriteString(open)
	for i, a := range args {
		if i > 0 {
			p.WriteString(", ")
		}
		p.node(a, leading)
	}
	p.WriteString(")")
}
