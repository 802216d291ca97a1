package scene

import (
	"sync"
	"sync/atomic"

	"pillbox/shade"
)

// materials are the surfaces of a file by name. They are safe for concurrent use once all are
// there.
type materials struct {
	named map[string]*material
	names []string // sorted
	meant sync.Map // by names that are not there: the one that each was probably meant to be
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

// suggest returns the name that was probably meant by one that is not there, or "". As far as
// anyone can tell, a solid has that material.
func (m *materials) suggest(name string) string {
	// Whoever writes a wrong name once often writes it ten thousand times.
	meant, known := m.meant.Load(name)
	if !known {
		meant = nearest(name, m.names)
		m.meant.Store(name, meant)
	}
	m.use(meant.(string))
	return meant.(string)
}
