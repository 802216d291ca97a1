// Package markup parses XML files that describe robots and meshes: elements with attributes and text, each with its
// position.
//
// Comments, processing instructions and document types are skipped. Errors in the markup or in a value are [*problem.Error]
// with line and column, counted in characters.
package markup

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"pillbox/problem"
)

// Limits of a file.
const (
	MaxBytes    = 64 << 20
	MaxDepth    = 500       // nesting depth of elements
	MaxElements = 1_000_000 // elements and attributes together
)

// Element is an element and its children, in file order.
type Element struct {
	Name     string // without its prefix
	Space    string // the namespace of its prefix
	Attrs    []xml.Attr
	Children []*Element
	Text     string // text directly in the element, without surrounding space

	file         *file
	start        int // offset of its first byte
	line, column int // position of that byte, from 1
}

type file struct {
	name string
	text []byte
}

// Parse parses a file and returns its root element. The name is used in messages only.
func Parse(name string, r io.Reader) (*Element, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxBytes {
		return nil, &problem.Error{File: name, Severity: problem.SeverityError, Code: problem.CodeTooLarge, Message: fmt.Sprintf("must have at most %d MiB", MaxBytes>>20)}
	}
	text = bytes.TrimRight(bytes.TrimPrefix(UTF8(text), []byte("\uFEFF")), "\x00") // some programs append zero bytes
	blankDeclaration(text)
	p := &parser{file: &file{name, text}, line: 1, column: 1}
	return p.parse()
}

// blankDeclaration replaces an XML declaration by spaces. Its contents are ignored: text that is not UTF-8 is an error
// whatever encoding is declared, and some programs write invalid versions.
func blankDeclaration(text []byte) {
	end := bytes.Index(text, []byte("?>"))
	if end < 0 || !bytes.HasPrefix(text, []byte("<?xml ")) {
		return
	}
	for i := range text[:end+2] {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}

// parser reads elements and keeps track of the position.
type parser struct {
	*file
	offset, line, column int
	elements             int
}

// advance moves the position forward to an offset.
func (p *parser) advance(to int) {
	p.line, p.column = move(p.text[p.offset:to], p.line, p.column)
	p.offset = to
}

// move returns the position after a text that starts at the given line and column.
func move(text []byte, line, column int) (int, int) {
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		line += bytes.Count(text, []byte("\n"))
		column = 1
		text = text[i+1:]
	}
	return line, column + utf8.RuneCount(text)
}

func (p *parser) parse() (root *Element, err error) {
	d := xml.NewDecoder(bytes.NewReader(p.text))
	var open []*Element
	var texts [][]byte // text of each open element
	for {
		start := int(d.InputOffset())
		token, err := d.Token()
		if err == io.EOF && root != nil {
			return root, nil
		}
		if err != nil {
			p.advance(min(int(d.InputOffset()), len(p.text)))
			return nil, p.syntax(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			p.advance(start)
			e := &Element{Name: token.Name.Local, Space: token.Name.Space, Attrs: token.Copy().Attr, file: p.file, start: start, line: p.line, column: p.column}
			switch p.elements += 1 + len(e.Attrs); {
			case len(open) == MaxDepth:
				return nil, e.Wrong("", problem.CodeTooDeep, "elements must nest at most %d deep", MaxDepth)
			case p.elements > MaxElements:
				return nil, e.Wrong("", problem.CodeTooLarge, "must be one of at most %d elements and attributes", MaxElements)
			case len(open) > 0:
				in := open[len(open)-1]
				in.Children = append(in.Children, e)
			case root != nil:
				return nil, e.Wrong("", problem.CodeSyntax, "a file must have one outermost element")
			default:
				root = e
			}
			open, texts = append(open, e), append(texts, nil)
		case xml.CharData:
			if len(open) > 0 {
				texts[len(open)-1] = append(texts[len(open)-1], token...)
			}
		case xml.EndElement:
			last := len(open) - 1
			open[last].Text = string(bytes.TrimSpace(texts[last]))
			open, texts = open[:last], texts[:last]
		}
	}
}

// syntax returns an error in the markup with its position.
func (p *parser) syntax(err error) error {
	message := err.Error()
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax):
		message = syntax.Msg
	case err == io.EOF:
		message = "there is no element"
	}
	return &problem.Error{
		File: p.name, Line: p.line, Column: p.column, EndColumn: p.column + 1,
		Severity: problem.SeverityError, Code: problem.CodeSyntax, Message: "is no XML: " + message,
	}
}

// Where returns the position of the element, for errors and notes.
func (e *Element) Where() problem.Error {
	return problem.Error{File: e.file.name, Line: e.line, Column: e.column, EndColumn: e.column + 1 + utf8.RuneCountInString(e.Name)}
}

// File returns the name of the file that the element is in.
func (e *Element) File() string { return e.file.name }

// Attr returns the value of an attribute without surrounding space, and whether the attribute exists.
func (e *Element) Attr(name string) (value string, ok bool) {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value), true
		}
	}
	return "", false
}

// Get returns the value of an attribute without surrounding space, or "" if the attribute does not exist.
func (e *Element) Get(name string) string {
	value, _ := e.Attr(name)
	return value
}

// Child returns the first child with a name, or nil.
func (e *Element) Child(name string) *Element {
	for _, c := range e.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Wrong returns an error about the value of an attribute. If attr is empty or the attribute does not exist, it is about
// the element.
func (e *Element) Wrong(attr string, code problem.Code, format string, args ...any) *problem.Error {
	found := e.Where()
	found.Severity, found.Code = problem.SeverityError, code
	found.Key, found.Message = e.Name, fmt.Sprintf(format, args...)
	if attr == "" {
		return &found
	}
	found.Key += "." + attr
	if value, ok := e.Attr(attr); ok {
		found.Value = excerpt(value)
		found.Line, found.Column, found.EndColumn = e.placeOf(attr)
	}
	return &found
}

// excerpt returns a value for a message: quoted and shortened.
func excerpt(value string) string {
	const most = 60
	if letters := []rune(value); len(letters) > most {
		value = string(letters[:most-4]) + " ..."
	}
	return strconv.Quote(value)
}

// placeOf returns the position of the value of an attribute, which may have a prefix.
func (e *Element) placeOf(attr string) (line, column, end int) {
	const space = " \t\r\n"
	text := e.file.text[e.start:]
	i := bytes.IndexAny(text, space)
	for i >= 0 && i < len(text) {
		i += len(text[i:]) - len(bytes.TrimLeft(text[i:], space))
		equals := bytes.IndexByte(text[i:], '=')
		if equals < 0 {
			break
		}
		name := strings.TrimSpace(string(text[i : i+equals]))
		i += equals + 1
		i += len(text[i:]) - len(bytes.TrimLeft(text[i:], space))
		if i >= len(text) {
			break
		}
		length := bytes.IndexByte(text[i+1:], text[i])
		if length < 0 {
			break
		}
		if name[strings.IndexByte(name, ':')+1:] == attr {
			line, column = move(text[:i+1], e.line, e.column)
			value, _, _ := bytes.Cut(text[i+1:i+1+length], []byte("\n"))
			return line, column, column + max(1, utf8.RuneCount(value))
		}
		i += length + 2
	}
	return e.line, e.column, e.column + 1 + utf8.RuneCountInString(e.Name)
}
