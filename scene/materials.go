package scene

import (
	"sync"
	"sync/atomic"
)

// materials are the surfaces of a file by name. They are safe for concurrent use once all are
// there.
type materials struct {
	named map[string]*material
	names []string // sorted

	mu      sync.Mutex
	unknown map[*Error]string // the errors about unknown names, which they have
}

// material is a named surface, and whether a solid has it.
type material struct {
	index uint32 // in the tables of objects
	used  atomic.Bool
}

func newMaterials() *materials { return &materials{named: make(map[string]*material)} }

// add adds a material. Its name is the last one until all are sorted.
func (m *materials) add(name string, index uint32) {
	m.named[name] = &material{index: index}
	m.names = append(m.names, name)
}

// use returns the index of the material of a name, for a solid, and false if none exists.
func (m *materials) use(name string) (index uint32, ok bool) {
	found, ok := m.named[name]
	if !ok {
		return 0, false
	}
	if !found.used.Load() { // so that goroutines do not compete in storing it
		found.used.Store(true)
	}
	return found.index, true
}

// reportUnknown notes that e is about an unknown name, for [materials.suggest].
func (m *materials) reportUnknown(e *Error, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.unknown == nil {
		m.unknown = make(map[*Error]string)
	}
	m.unknown[e] = name
}

// suggest adds to errors about unknown names the known ones nearest to them. It does so in the
// order of the errors, when all are there: so it does not depend on goroutines where the speller
// stops.
func (m *materials) suggest(errors Errors, s *speller) {
	// A file with one wrong name often repeats it in ten thousand rows.
	suggestions := make(map[string]string)
	for _, e := range errors {
		name, ok := m.unknown[e]
		if !ok {
			continue
		}
		suggestion, again := suggestions[name]
		if !again {
			suggestion = s.suggest(e, name, m.names)
			suggestions[name] = suggestion
		}
		e.Suggestion = suggestion
	}
}
