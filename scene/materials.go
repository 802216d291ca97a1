package scene

import (
	"sync"
	"sync/atomic"

	"pillbox/internal/keytable"
	"pillbox/problem"
)

// materials are the materials of a scene by name. They are safe for concurrent use after all are added.
type materials struct {
	named map[string]*material
	names []string // sorted

	lost map[string]string // see [loader.lost]

	mu      sync.Mutex
	unknown map[*problem.Error]string // errors about unknown names, with these names
}

// material is a named material, and whether a solid uses it.
type material struct {
	index uint32 // index in the tables of objects
	used  atomic.Bool
}

func newMaterials() *materials { return &materials{named: make(map[string]*material)} }

// addMaterial adds a material.
func (m *materials) addMaterial(name string, index uint32) {
	m.named[name] = &material{index: index}
	m.names = append(m.names, name)
}

// use returns the index of the named material and records that it is used. It returns false if there is no such
// material.
func (m *materials) use(name string) (index uint32, ok bool) {
	found, ok := m.named[name]
	if !ok {
		return 0, false
	}
	if !found.used.Load() { // avoids contention between goroutines
		found.used.Store(true)
	}
	return found.index, true
}

// reportUnknown records that e is about an unknown name, for [materials.suggest].
func (m *materials) reportUnknown(e *problem.Error, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e.Message += m.lost[name]
	if m.unknown == nil {
		m.unknown = make(map[*problem.Error]string)
	}
	m.unknown[e] = name
}

// suggest adds the most similar known names to errors about unknown names. Call it after all errors are collected and
// sorted. The speller stops after a limited number of comparisons, so the order of the errors decides which of them
// get a suggestion. A sorted list makes this independent of goroutines.
func (m *materials) suggest(errors problem.Errors, s *keytable.Speller) {
	// Cached, because a file often repeats the same wrong name in thousands of rows.
	suggestions := make(map[string]string)
	for _, e := range errors {
		name, ok := m.unknown[e]
		if !ok {
			continue
		}
		suggestion, again := suggestions[name]
		if !again {
			suggestion = s.Suggest(e, name, m.names)
			suggestions[name] = suggestion
		}
		e.Suggestion = suggestion
	}
}
