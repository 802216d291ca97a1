package mjcf

import (
	"maps"
	"slices"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/text"
	"pillbox/problem"
)

// classes holds the default classes. A class contains values for attributes that an element does not have.
type classes struct {
	main  *class
	named map[string]*class
}

// class is a default class. It inherits from its parent.
type class struct {
	parent   *class
	elements map[string][]*markup.Element // by element name, the last first
	chains   map[string][]*markup.Element // the same, followed by the elements of all ancestors; filled on demand
}

func (cs *classes) addClass(name string, parent *class) *class {
	c := &class{parent: parent, elements: make(map[string][]*markup.Element), chains: make(map[string][]*markup.Element)}
	cs.named[name] = c
	return c
}

// read reads a default element. The outermost element is the class main, whatever its name.
func (cs *classes) read(e *markup.Element, parent *class) error {
	c := cs.main
	if parent != nil {
		name := e.Get("class")
		switch {
		case name == "":
			return e.Wrong("class", problem.CodeMissingKey, "is missing")
		case cs.named[name] != nil:
			return e.Wrong("class", problem.CodeDuplicateName, "must be unique among default classes")
		}
		c = cs.addClass(name, parent)
	} else if name := e.Get("class"); name != "" {
		cs.named[name] = c
	}
	for _, d := range e.Children {
		if d.Name == "default" {
			if err := cs.read(d, c); err != nil {
				return err
			}
			continue
		}
		c.elements[d.Name] = slices.Insert(c.elements[d.Name], 0, d)
	}
	return nil
}

// of returns the default class that the attribute attr of e names. The parameter otherwise is the result if e does
// not have this attribute.
func (cs *classes) of(e *markup.Element, attr string, otherwise *class) (*class, error) {
	name, ok := e.Attr(attr)
	if !ok {
		return otherwise, nil
	}
	c := cs.named[name]
	if c == nil {
		err := e.Wrong(attr, problem.CodeUnknownValue, "must be the name of a default class")
		err.Suggestion = text.ClosestWord(name, slices.Sorted(maps.Keys(cs.named)))
		return nil, err
	}
	return c, nil
}

// tag is an element of the model, together with the elements of its default classes. These supply the attributes that
// the element itself lacks.
type tag struct {
	*markup.Element
	defaults []*markup.Element // in order of precedence
}

// tagged returns an element with the defaults of a class. All classes must have been read.
func tagged(e *markup.Element, c *class) tag { return tag{e, c.chain(e.Name)} }

func (c *class) chain(name string) []*markup.Element {
	if c == nil {
		return nil
	}
	chain, known := c.chains[name]
	if !known {
		chain = append(slices.Clone(c.elements[name]), c.parent.chain(name)...)
		c.chains[name] = chain
	}
	return chain
}

// with returns the first element that has at least one of the given attributes. It searches the tag's own element, then
// its defaults. If none of them has such an attribute, it returns nil.
func (t tag) with(attrs ...string) *markup.Element {
	if has(t.Element, attrs) {
		return t.Element
	}
	for _, e := range t.defaults {
		if has(e, attrs) {
			return e
		}
	}
	return nil
}

func has(e *markup.Element, attrs []string) bool {
	for _, a := range attrs {
		if _, ok := e.Attr(a); ok {
			return true
		}
	}
	return false
}

// source returns the element that supplies an attribute: the tag's own element if it has the attribute, else the first
// of its defaults that has it. If none has it, source returns the tag's own element.
func (t tag) source(attr string) *markup.Element {
	if e := t.with(attr); e != nil {
		return e
	}
	return t.Element
}

func (t tag) get(attr string) string { return t.source(attr).Get(attr) }

func (t tag) vector(attr string, otherwise geom.Vec3) (geom.Vec3, error) {
	return t.source(attr).Vector(attr, otherwise)
}

func (t tag) float(attr string, otherwise float64) (float64, error) {
	return t.source(attr).Float(attr, otherwise)
}

func (t tag) word(attr string, words ...string) (string, error) {
	return t.source(attr).Word(attr, words...)
}

// The constants off and on are values for the parameter otherwise of [tag.is].
const off, on = false, true

// is returns the value of the attribute attr, which is true or false in the file. If the attribute does not exist, the
// result is the parameter otherwise.
func (t tag) is(attr string, otherwise bool) (bool, error) {
	words := []string{"false", "true"}
	if otherwise {
		words = []string{"true", "false"}
	}
	word, err := t.word(attr, words...)
	return word == "true", err
}

// numbers parses an attribute that consists of several numbers, and stores them in the slice into. An element may state
// only the first few numbers, but not fewer than the parameter least; the others come from its defaults.
func (t tag) numbers(attr string, least int, into []float64) error {
	for _, e := range slices.Backward(t.defaults) {
		if err := fill(e, attr, least, into); err != nil {
			return err
		}
	}
	return fill(t.Element, attr, least, into)
}

func fill(e *markup.Element, attr string, least int, into []float64) error {
	x, err := e.Floats(attr, least, len(into))
	copy(into, x)
	return err
}
