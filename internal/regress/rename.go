package regress

import "slices"

// A rename is a part or a material whose name was changed.
type rename struct {
	file     string
	kind     string // part or material
	from, to string
}

// findRenames returns the parts and materials that were renamed. It compares the names that only a defines with those
// that only b defines. It pairs two of them if their tables are equal. If there is only one such name in a file of a
// and one in the same file of b, an equal value of one key suffices.
func findRenames(a, b documents) []rename {
	var found []rename
	for file, was := range a {
		for _, kind := range []string{"material", "part"} {
			found = append(found, renamesIn(file, kind, tablesOf(was, kind), tablesOf(b[file], kind))...)
		}
	}
	return slices.DeleteFunc(found, func(r rename) bool { return defines(a, r.kind, r.to) || defines(b, r.kind, r.from) })
}

// tablesOf returns the tables of a kind in a file, by name; nil if none exist.
func tablesOf(doc any, kind string) table {
	root, _ := doc.(table)
	all, _ := root[kind].(table)
	return all
}

// defines reports whether one of the files defines a part or a material, as kind says, with the given name.
func defines(docs documents, kind, name string) bool {
	for _, doc := range docs {
		if _, ok := tablesOf(doc, kind)[name]; ok {
			return true
		}
	}
	return false
}

func renamesIn(file, kind string, was, is table) (found []rename) {
	gone, come := missingFrom(was, is), missingFrom(is, was)
	only := len(gone) == 1 && len(come) == 1
	for _, from := range gone {
		for k, to := range come {
			if equal(was[from], is[to]) || only && isAlike(was[from], is[to]) {
				found = append(found, rename{file, kind, from, to})
				come = slices.Delete(come, k, k+1)
				break
			}
		}
	}
	return found
}

// missingFrom returns the keys of a that b does not have, sorted.
func missingFrom(a, b table) (keys []string) {
	for _, key := range sortedKeys(a, nil) {
		if _, ok := b[key]; !ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// isAlike reports whether two tables have a value in common.
func isAlike(a, b any) bool {
	ta, _ := a.(table)
	tb, _ := b.(table)
	for key, v := range ta {
		if equal(v, tb[key]) {
			return true
		}
	}
	return false
}

// apply returns the documents with the new name in place of the old one, references included.
func (r *rename) apply(docs documents) documents {
	renamed := make(documents, len(docs))
	for file, doc := range docs {
		switch doc := doc.(type) {
		case table:
			t := r.inTable(doc)
			if all := tablesOf(t, r.kind); file == r.file {
				all[r.to] = all[r.from] // all is a copy, so this does not modify the original
				delete(all, r.from)
			}
			renamed[file] = t
		case *sheet:
			renamed[file] = r.inSheet(doc)
		default:
			renamed[file] = doc
		}
	}
	return renamed
}

// inTable returns a copy of a table in which all references to the old name are replaced.
func (r *rename) inTable(t table) table {
	renamed := make(table, len(t))
	for key, v := range t {
		if key == r.kind && v == any(r.from) {
			v = r.to
		}
		renamed[key] = r.inValue(v)
	}
	return renamed
}

func (r *rename) inValue(v any) any {
	if t, ok := v.(table); ok {
		return r.inTable(t)
	}
	list, ok := tables(v)
	if !ok {
		return v
	}
	renamed := make([]table, len(list))
	for i, t := range list {
		renamed[i] = r.inTable(t)
	}
	return renamed
}

func (r *rename) inSheet(s *sheet) *sheet {
	column := slices.Index(s.header, r.kind)
	if column < 0 {
		return s
	}
	renamed := &sheet{s.header, s.blank, slices.Clone(s.rows)}
	for i := range renamed.rows {
		if fields := &renamed.rows[i].fields; (*fields)[column] == r.from {
			*fields = slices.Clone(*fields)
			(*fields)[column] = r.to
		}
	}
	return renamed
}
