package scene

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// keysOf lists the keys of the tables that are read into a T. The lists in format.go are the only place where the keys
// of the format are stated: reading, [Scene.Validate], [Schema], [Scene.WriteTOML], the [[animate]] tables, the tables
// in docs/scene.md and the classes of the Python package follow from them.
type keysOf[T any] struct {
	about string // a sentence about the table, for the schema
	list  []key[T]
	rules []ruleSet
}

// key is a key of the tables that are read into a T.
type key[T any] struct {
	name     string
	form     form
	unset    any    // the value of a missing key, with the type of a value in a file; nil for none
	unit     string // of its numbers: "pixels", "degrees" and so on; "" for scene units and for numbers without a unit
	about    string // what the key means, as Markdown without a full stop
	required bool
	fixed    bool // whether [[animate]] tables cannot change the key, although they can change its table

	// field returns a pointer to the place of the value in a T. The type depends on the form.
	field func(*T) any

	// applies reports whether x has the key: whether [Scene.Validate] checks the value and [Scene.WriteTOML] writes it.
	// nil means always. Instead, has returns the field of x that tells this; reading sets it.
	applies func(x *T) bool
	has     func(x *T) *bool
}

// with returns a list with the keys and rules of another list in addition.
func (k keysOf[T]) with(more keysOf[T]) keysOf[T] {
	k.list, k.rules = slices.Concat(k.list, more.list), slices.Concat(k.rules, more.rules)
	return k
}

// embedded returns the keys of a T for tables that are read into an O, of which T is a part.
func embedded[O, T any](k keysOf[T], part func(*O) *T) keysOf[O] {
	outer := keysOf[O]{rules: k.rules}
	for _, inner := range k.list {
		x := key[O]{name: inner.name, form: inner.form, unset: inner.unset, unit: inner.unit, about: inner.about, required: inner.required, fixed: inner.fixed}
		x.field = func(o *O) any { return inner.field(part(o)) }
		x.applies = func(o *O) bool { return inner.isIn(part(o)) }
		if inner.has != nil {
			x.has = func(o *O) *bool { return inner.has(part(o)) }
		}
		outer.list = append(outer.list, x)
	}
	return outer
}

func (k *key[T]) isIn(x *T) bool {
	switch {
	case k.has != nil:
		return *k.has(x)
	case k.applies != nil:
		return k.applies(x)
	}
	return true
}

// rawTable holds the values of a table in the file, by key.
type rawTable map[string]any

// has reports whether the table has all of the keys.
func (g rawTable) has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { return g[key] == nil })
}

// read reads a table with the value v. It reports unknown keys, invalid values and violated rules. A nil v counts as an
// empty table. If v is not a table, read reports an error and returns false, with the defaults in x.
func (k keysOf[T]) read(t table, v any) (x T, g rawTable, ok bool) {
	g, ok = k.readInto(t, v, &x)
	return x, g, ok
}

// readInto is read for an x that is zero.
func (k *keysOf[T]) readInto(t table, v any, x *T) (g rawTable, ok bool) {
	if g, ok = t.values(v); len(g) > 0 {
		k.reportUnknown(t, g)
	}
	for i := range k.list {
		key := &k.list[i]
		value, there := g[key.name]
		switch {
		case there && key.has != nil:
			*key.has(x) = true
		case there:
		case key.unset != nil:
			value = key.unset
		case !key.required || !ok:
			continue
		}
		key.form.read(t, key.name, value, key.field(x))
	}
	if ok {
		for _, set := range k.rules {
			set.check(t, g)
		}
	}
	return g, ok
}

// validValues reads a table without required keys and rules, as read does. It returns the values that are valid.
func (k keysOf[T]) validValues(t table, v any) rawTable {
	g, _ := t.values(v)
	k.reportUnknown(t, g)
	var x T
	valid := make(rawTable)
	for i := range k.list {
		key := &k.list[i]
		value, there := g[key.name]
		if !there {
			continue
		}
		before := t.report.errors
		if key.form.read(t, key.name, value, key.field(&x)); t.report.errors == before {
			valid[key.name] = value
		}
	}
	return valid
}

// values returns the values of a table, and false if v is neither a table nor nil.
func (t table) values(v any) (rawTable, bool) {
	if v == nil {
		return nil, true
	}
	if t.isBroken() {
		t.report.errors++ // so that the table, and the tables around it, count as invalid
	}
	values, ok := v.(map[string]any)
	if !ok {
		t.wrong("", CodeWrongType, "must be a table")
	}
	return values, ok
}

// reportUnknown reports the unknown keys of a table. It runs before values are read, because a misspelled key is not
// reported as missing.
func (k *keysOf[T]) reportUnknown(t table, g rawTable) {
	known := 0
	for i := range k.list {
		if _, there := g[k.list[i].name]; there {
			known++
		}
	}
	if known == len(g) {
		return
	}
	names := k.names()
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if !slices.Contains(names, name) {
			t.unknown(name, g, names)
		}
	}
}

// names returns the names of the keys.
func (k keysOf[T]) names() []string {
	names := make([]string, len(k.list))
	for i := range k.list {
		names[i] = k.list[i].name
	}
	return names
}

// check returns an error if x has a value that scene files do not allow. path precedes the key in its message.
func (k keysOf[T]) check(path string, x *T) error {
	for i := range k.list {
		key := &k.list[i]
		if key.form.check == nil || !key.isIn(x) {
			continue
		}
		if err := key.form.check(path+key.name, key.field(x)); err != nil {
			return err
		}
	}
	return nil
}

// write writes the keys that x has.
func (k keysOf[T]) write(w *tomlWriter, x *T) {
	for i := range k.list {
		if key := &k.list[i]; key.isIn(x) {
			w.Key(key.name, key.form.text(w, key.field(x)))
		}
	}
}

// inline returns x as an inline table.
func (k keysOf[T]) inline(w *tomlWriter, x *T) string {
	var parts []string
	for i := range k.list {
		if key := &k.list[i]; key.isIn(x) {
			parts = append(parts, key.name+" = "+key.form.text(w, key.field(x)))
		}
	}
	if len(parts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// tableOfKeys is what does not depend on the type into which a table is read.
type tableOfKeys interface {
	description() string
	keys() []keyInfo
	ruleSets() []ruleSet
}

// keyInfo is a key without its place in a T.
type keyInfo struct {
	name            string
	form            form
	unset           any
	unit, about     string
	required, fixed bool
}

func (k keysOf[T]) description() string { return k.about }

func (k keysOf[T]) ruleSets() []ruleSet { return k.rules }

func (k keysOf[T]) keys() []keyInfo {
	all := make([]keyInfo, len(k.list))
	for i := range k.list {
		x := &k.list[i]
		all[i] = keyInfo{x.name, x.form, x.unset, x.unit, x.about, x.required, x.fixed}
	}
	return all
}

// rule is a rule between the keys of a table: a table with all keys in with must have all keys in needs or, if any is
// set, at least one of them. A rule with neither forbids the keys in with together.
type rule struct {
	with, needs []string
	any         bool
	at          string // the key that the message is about; "" for the table
	code        Code
	message     string
}

// ruleSet is a list of rules of which only the first violated one is reported.
type ruleSet []rule

func (s ruleSet) check(t table, g rawTable) {
	for i := range s {
		r := &s[i]
		if !r.isViolated(g) {
			continue
		}
		if r.at != "" && g.has(r.at) {
			t.wrongKey(r.at, r.code, "%s", r.message)
		} else {
			t.missing(r.at, r.code, "%s", r.message)
		}
		return
	}
}

func (r *rule) isViolated(g rawTable) bool {
	if !g.has(r.with...) {
		return false
	}
	if r.any {
		return !slices.ContainsFunc(r.needs, func(key string) bool { return g.has(key) })
	}
	return len(r.needs) == 0 || !g.has(r.needs...)
}

// needsAll returns a rule that a table with a key must have other keys, too, which are separated by spaces.
func needsAll(key, others, message string) rule {
	return rule{with: []string{key}, needs: strings.Fields(others), at: key, code: CodeMissingKey, message: message}
}

// together returns the rules that a table has both keys or neither.
func together(a, b string) []ruleSet {
	one := func(a, b string) ruleSet {
		return ruleSet{{with: []string{a}, needs: []string{b}, at: b, code: CodeMissingKey, message: "missing"}}
	}
	return []ruleSet{one(a, b), one(b, a)}
}

// needsAny returns a rule that a table must have at least one of the keys, which are separated by spaces.
func needsAny(keys, message string) rule {
	return rule{needs: strings.Fields(keys), any: true, code: CodeMissingKey, message: message}
}

// excludes returns a rule that forbids a key together with another one.
func excludes(key, other, message string) rule {
	return rule{with: []string{other, key}, at: key, code: CodeConflict, message: message}
}

// atMostOne returns the rules that a table has the keys of at most one form. The keys of a form are separated by spaces.
func atMostOne(forms ...string) (sets []ruleSet) {
	for i, later := range forms {
		var set ruleSet
		for _, earlier := range forms[:i] {
			for first := range strings.FieldsSeq(earlier) {
				for second := range strings.FieldsSeq(later) {
					set = append(set, excludes(second, first, fmt.Sprintf(conflict, first)))
				}
			}
		}
		if set != nil {
			sets = append(sets, set)
		}
	}
	return sets
}
