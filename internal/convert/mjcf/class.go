package mjcf

import (
	"maps"
	"slices"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/text"
	"pillbox/scene"
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

func (cs *classes) add(name string, parent *class) *class {
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
			return e.Wrong("class", scene.CodeMissingKey, "is missing")
		case cs.named[name] != nil:
			return e.Wrong("class", scene.CodeDuplicateName, "must be unique among default classes")
		}
		c = cs.add(name, parent)
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

// of returns the class that an attribute of e names, or the argument otherwise if the attribute does not exist.
func (cs *classes) of(e *markup.Element, attr string, otherwise *class) (*class, error) {
	name, ok := e.Attr(attr)
	if !ok {
		return otherwise, nil
	}
	c := cs.named[name]
	if c == nil {
		err := e.Wrong(attr, scene.CodeUnknownValue, "must be the name of a default class")
		err.Suggestion = text.ClosestWord(name, slices.Sorted(maps.Keys(cs.named)))
		return nil, err
	}
	return c, nil
}

// tag is an element with its defaults.
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

// with returns the first element that has one of the attributes: the element itself or one of its defaults. It returns
// nil if none has.
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

// source returns the first element that has the attribute: the element itself or one of its defaults. If none has it,
// source returns the element.
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

// Defaults of switches.
const off, on = false, true

// is returns the value of an attribute that is true or false. If the attribute does not exist, it returns the argument
// otherwise.
func (t tag) is(attr string, otherwise bool) (bool, error) {
	words := []string{"false", "true"}
	if otherwise {
		words = []string{"true", "false"}
	}
	word, err := t.word(attr, words...)
	return word == "true", err
}

// numbers parses an attribute with several numbers into into. An element may contain only the first few; the others
// come from its defaults.
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
