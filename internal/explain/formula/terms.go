package formula

import (
	"io"
	"strings"
)

// formulaWriter receives the pieces of a formula.
type formulaWriter interface {
	io.StringWriter
	symbol(s symbol, at position)
}

// Term is a piece of a formula: a symbol, or text before, between or after symbols.
type Term struct {
	Text   string // as it is written; for a symbol, with its part, such as v.x
	Symbol string // the symbol, such as v; "" for text
	Part   int    // 0 for all of the symbol's value, 1, 2, 3 for its x, y, z
	Sign   bool   // a number in place of the symbol needs parentheses if it has a sign
}

// Terms returns the pieces of the step's formula; joined, they are its text. It returns nil if the step has no formula.
func (s Step) Terms() []Term {
	if s.Formula == "" {
		return nil
	}
	n, err := parse(s.Formula)
	if err != nil {
		panic(err) // cannot happen: the derivation has evaluated the formula
	}
	w := &termWriter{}
	printer{w}.node(n, leading)
	return w.terms
}

// termWriter collects the pieces that a printer writes.
type termWriter struct{ terms []Term }

// WriteString adds text. If the last piece is text, it extends this piece.
func (w *termWriter) WriteString(text string) (int, error) {
	if last := len(w.terms) - 1; last >= 0 && w.terms[last].Symbol == "" {
		w.terms[last].Text += text
	} else {
		w.terms = append(w.terms, Term{Text: text})
	}
	return len(text), nil
}

func (w *termWriter) symbol(s symbol, at position) {
	w.terms = append(w.terms, Term{Text: s.String(), Symbol: s.name, Part: s.part, Sign: at == following})
}

// textWriter writes a formula with a text in place of each symbol.
type textWriter struct {
	strings.Builder
	text func(symbol) string
}

// symbol writes a symbol's text. If the text has a sign and follows an operator, it is written in parentheses.
func (w *textWriter) symbol(s symbol, at position) {
	text := w.text(s)
	if at == following && strings.HasPrefix(text, "-") {
		text = "(" + text + ")"
	}
	w.WriteString(text)
}
