package tomltext

import "github.com/pelletier/go-toml/v2/unstable"

// Section is a table that begins with a header, and its text up to the next header.
type Section struct {
	Path   string // such as camera, sphere[1] or material."a b"
	Header Extent
	End    int // the offset after the last key's value, or after the header if there are no keys
}

// Outline returns the sections of a file's [Text] in order, up to the first syntax error.
func Outline(text []byte) []Section {
	var sections []Section
	w := walker{text: text, elements: make(map[string]int)}
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		n := p.Expression()
		switch {
		case n.Kind != unstable.KeyValue:
			w.expression(n)
			header := w.header(n)
			sections = append(sections, Section{string(w.path), header, header.End})
		case len(sections) > 0:
			sections[len(sections)-1].End = rawExtent(n).End
		}
	}
	return sections
}
