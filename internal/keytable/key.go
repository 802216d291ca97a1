// Package keytable is the machinery of the scene format without the scene: tables of keys, and what follows from them.
// [Keys] lists the keys of a table of the file, each with its [Form], the type of its values. From the list follow reading
// and checking values, writing them as TOML, and their JSON [Schema]. A [Report] collects the problems of a file, with
// their positions; a [Table] is the place in the file that a problem is about. A [Speller] finds what a misspelled word
// means. The lists themselves, the words of the format and the types that hold the values are in package scene.
//
// Conventions: a value is what package tomltext returns, so a number is a float64 or an int64, and an array is a []any.
// Forms return zero for an invalid value, after they report it.
package keytable

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillbox/problem"
)

// Keys lists the keys of the tables that are read into a T. The lists in scene/format.go are the only place where the keys
// of the format are stated: reading, [pillbox/scene.Scene.Validate], [pillbox/scene.Schema], [pillbox/scene.Scene.WriteTOML], the [[animate]] tables, the tables
// in docs/scene.md and the classes of the Python package follow from them. Some are built once and shared by all goroutines,
// so nobody may change a list: [Keys.With] and [Keys.Where] return new ones.
type Keys[T any] struct {
	About string // a sentence about the table, for the schema
	List  []Key[T]
	Rules []RuleSet
}

// Key is a key of the tables that are read into a T.
type Key[T any] struct {
	Name     string
	Form     Form
	Unset    any    // the value of a missing key, with the type of a value in a file; nil for none
	Unit     string // of its numbers: "pixels", "degrees" and so on; "" for scene units and for numbers without a unit
	About    string // what the key means, as Markdown without a full stop
	Required bool
	Fixed    bool // whether [[animate]] tables cannot change the key, although they can change its table

	// Field returns a pointer to the place of the value in a T. The type depends on the form.
	Field func(*T) any

	// Applies reports whether x has the key: whether [Keys.Check] checks the value and [Keys.Write] writes it.
	// nil means always. Instead, Has returns the field of x that tells this; reading sets it.
	Applies func(x *T) bool
	Has     func(x *T) *bool
}

// With returns a list with the keys and rules of another list in addition.
func (k Keys[T]) With(more Keys[T]) Keys[T] {
	k.List, k.Rules = slices.Concat(k.List, more.List), slices.Concat(k.Rules, more.Rules)
	return k
}

// Where returns a list with the keys whose names satisfy keep, and with all rules.
func (k Keys[T]) Where(keep func(name string) bool) Keys[T] {
	k.List = slices.DeleteFunc(slices.Clone(k.List), func(x Key[T]) bool { return !keep(x.Name) })
	return k
}

// Embedded returns the keys of a T for tables that are read into an O, of which T is a part.
func Embedded[O, T any](k Keys[T], part func(*O) *T) Keys[O] {
	outer := Keys[O]{Rules: k.Rules}
	for _, inner := range k.List {
		x := Key[O]{Name: inner.Name, Form: inner.Form, Unset: inner.Unset, Unit: inner.Unit, About: inner.About, Required: inner.Required, Fixed: inner.Fixed}
		x.Field = func(o *O) any { return inner.Field(part(o)) }
		x.Applies = func(o *O) bool { return inner.isIn(part(o)) }
		if inner.Has != nil {
			x.Has = func(o *O) *bool { return inner.Has(part(o)) }
		}
		outer.List = append(outer.List, x)
	}
	return outer
}

func (k *Key[T]) isIn(x *T) bool {
	switch {
	case k.Has != nil:
		return *k.Has(x)
	case k.Applies != nil:
		return k.Applies(x)
	}
	return true
}

// RawTable holds the values of a table in the file, by key.
type RawTable map[string]any

// Has reports whether the table has all of the keys.
func (g RawTable) Has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { return g[key] == nil })
}

// Read reads a table with the value v. It reports unknown keys, invalid values and violated rules. A nil v counts as an
// empty table. If v is not a table, Read reports an error and returns false, with the defaults in x.
func (k Keys[T]) Read(t Table, v any) (x T, g RawTable, ok bool) {
	g, ok = k.ReadInto(t, v, &x)
	return x, g, ok
}

// ReadInto is [Keys.Read] for an x that is zero.
func (k *Keys[T]) ReadInto(t Table, v any, x *T) (g RawTable, ok bool) {
	if g, ok = t.values(v); len(g) > 0 {
		k.reportUnknown(t, g)
	}
	for i := range k.List {
		key := &k.List[i]
		value, there := g[key.Name]
		switch {
		case there && key.Has != nil:
			*key.Has(x) = true
		case there:
		case key.Unset != nil:
			value = key.Unset
		case !key.Required || !ok:
			continue
		}
		key.Form.Read(t, key.Name, value, key.Field(x))
	}
	if ok {
		for _, set := range k.Rules {
			set.Check(t, g)
		}
	}
	return g, ok
}

// ValidValues reads a table without required keys and rules, as Read does. It returns the values that are valid.
func (k Keys[T]) ValidValues(t Table, v any) RawTable {
	g, _ := t.values(v)
	k.reportUnknown(t, g)
	var x T
	valid := make(RawTable)
	for i := range k.List {
		key := &k.List[i]
		value, there := g[key.Name]
		if !there {
			continue
		}
		before := t.Report.Errors
		if key.Form.Read(t, key.Name, value, key.Field(&x)); t.Report.Errors == before {
			valid[key.Name] = value
		}
	}
	return valid
}

// values returns the values of a table, and false if v is neither a table nor nil.
func (t Table) values(v any) (RawTable, bool) {
	if v == nil {
		return nil, true
	}
	if t.isBroken() {
		t.Report.Errors++ // so that the table, and the tables around it, count as invalid
	}
	values, ok := v.(map[string]any)
	if !ok {
		t.Wrong("", problem.CodeWrongType, "must be a table")
	}
	return values, ok
}

// reportUnknown reports the unknown keys of a table. It runs before values are read, because a misspelled key is not
// reported as missing.
func (k *Keys[T]) reportUnknown(t Table, g RawTable) {
	known := 0
	for i := range k.List {
		if _, there := g[k.List[i].Name]; there {
			known++
		}
	}
	if known == len(g) {
		return
	}
	names := k.Names()
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if !slices.Contains(names, name) {
			t.unknown(name, g, names)
		}
	}
}

// Names returns the names of the keys.
func (k Keys[T]) Names() []string {
	names := make([]string, len(k.List))
	for i := range k.List {
		names[i] = k.List[i].Name
	}
	return names
}

// Check returns an error if x has a value that scene files do not allow. path precedes the key in its message.
func (k Keys[T]) Check(path string, x *T) error {
	for i := range k.List {
		key := &k.List[i]
		if key.Form.Check == nil || !key.isIn(x) {
			continue
		}
		if err := key.Form.Check(path+key.Name, key.Field(x)); err != nil {
			return err
		}
	}
	return nil
}

// write writes the keys that x has.
func (k Keys[T]) write(w *Writer, x *T) {
	for i := range k.List {
		if key := &k.List[i]; key.isIn(x) {
			w.Key(key.Name, key.Form.Text(w, key.Field(x)))
		}
	}
}

// Inline returns x as an inline table.
func (k Keys[T]) Inline(w *Writer, x *T) string {
	var parts []string
	for i := range k.List {
		if key := &k.List[i]; key.isIn(x) {
			parts = append(parts, key.Name+" = "+key.Form.Text(w, key.Field(x)))
		}
	}
	if len(parts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// Description is what does not depend on the type into which a table is read.
type Description interface {
	description() string
	Keys() []KeyInfo
	ruleSets() []RuleSet
}

// KeyInfo is a key without its place in a T.
type KeyInfo struct {
	Name            string
	Form            Form
	Unset           any
	Unit, About     string
	Required, Fixed bool
}

func (k Keys[T]) description() string { return k.About }

func (k Keys[T]) ruleSets() []RuleSet { return k.Rules }

// Keys returns the keys without their places in a T.
func (k Keys[T]) Keys() []KeyInfo {
	all := make([]KeyInfo, len(k.List))
	for i := range k.List {
		x := &k.List[i]
		all[i] = KeyInfo{x.Name, x.Form, x.Unset, x.Unit, x.About, x.Required, x.Fixed}
	}
	return all
}

// Rule is a rule between the keys of a table: a table with all keys in With must have all keys in Needs or, if Any is set,
// at least one of them. A rule without Needs forbids the keys in With together.
type Rule struct {
	With, Needs []string
	Any         bool
	At          string // the key that the message is about; "" for the table
	Code        problem.Code
	Message     string
}

// RuleSet is a list of rules of which only the first violated one is reported.
type RuleSet []Rule

// Check reports the first rule that the values g of a table violate.
func (s RuleSet) Check(t Table, g RawTable) {
	for i := range s {
		r := &s[i]
		if !r.isViolated(g) {
			continue
		}
		if r.At != "" && g.Has(r.At) {
			t.WrongKey(r.At, r.Code, "%s", r.Message)
		} else {
			t.Missing(r.At, r.Code, "%s", r.Message)
		}
		return
	}
}

func (r *Rule) isViolated(g RawTable) bool {
	if !g.Has(r.With...) {
		return false
	}
	if r.Any {
		return !slices.ContainsFunc(r.Needs, func(key string) bool { return g.Has(key) })
	}
	return len(r.Needs) == 0 || !g.Has(r.Needs...)
}

// NeedsAll returns a rule that a table with a key must have other keys, too, which are separated by spaces.
func NeedsAll(key, others, message string) Rule {
	return Rule{With: []string{key}, Needs: strings.Fields(others), At: key, Code: problem.CodeMissingKey, Message: message}
}

// Together returns the rules that a table has both keys or neither.
func Together(a, b string) []RuleSet {
	one := func(a, b string) RuleSet {
		return RuleSet{{With: []string{a}, Needs: []string{b}, At: b, Code: problem.CodeMissingKey, Message: "missing"}}
	}
	return []RuleSet{one(a, b), one(b, a)}
}

// NeedsAny returns a rule that a table must have at least one of the keys, which are separated by spaces.
func NeedsAny(keys, message string) Rule {
	return Rule{Needs: strings.Fields(keys), Any: true, Code: problem.CodeMissingKey, Message: message}
}

// Excludes returns a rule that forbids a key together with another one.
func Excludes(key, other, message string) Rule {
	return Rule{With: []string{other, key}, At: key, Code: problem.CodeConflict, Message: message}
}

// AtMostOne returns the rules that a table has the keys of at most one form. The keys of a form are separated by spaces.
func AtMostOne(forms ...string) (sets []RuleSet) {
	for i, later := range forms {
		var set RuleSet
		for _, earlier := range forms[:i] {
			for first := range strings.FieldsSeq(earlier) {
				for second := range strings.FieldsSeq(later) {
					set = append(set, Excludes(second, first, fmt.Sprintf(Conflict, first)))
				}
			}
		}
		if set != nil {
			sets = append(sets, set)
		}
	}
	return sets
}
