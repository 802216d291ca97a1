package scene

import (
	"sync"
	"sync/atomic"

	"pillbox/shade"
)

// materials are the surfaces of a file by name. They are safe for concurrent use once all are
// there.
type materials struct {
	named       map[string]*material
	names       []string // sorted
	suggestions sync.Map // by unknown name: the known one nearest to it, or ""
}

// material is a named surface, and whether a solid has it.
type material struct {
	shade.Material
	used atomic.Bool
}

// add adds a material, whose name comes behind those that are there.
func (m *materials) add(name string, surface shade.Material) {
	m.named[name] = &material{Material: surface}
	m.names = append(m.names, name)
}

// use returns the material of a name, for a solid, and false if there is none.
func (m *materials) use(name string) (shade.Material, bool) {
	found, ok := m.named[name]
	if !ok {
		return shade.Material{}, false
	}
	if !found.used.Load() { // so that goroutines do not compete in storing it
		found.used.Store(true)
	}
	return found.Material, true
}

// suggest returns the known name nearest to an unknown one, or "". That material then counts as
// used: a solid probably refers to it.
func (m *materials) suggest(name string) string {
	// A file with one wrong name often repeats it in ten thousand rows.
	suggestion, known := m.suggestions.Load(name)
	if !known {
		suggestion = nearest(name, m.names)
		m.suggestions.Store(name, suggestion)
	}
	m.use(suggestion.(string))
	return suggestion.(string)
}
