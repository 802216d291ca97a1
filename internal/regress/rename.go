package regress

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// A rename is a change of the name or of the file of something whose contents may have changed as well: a file, a part, a
// material, or a table of an array.
type rename struct {
	kind     string // fileKind, part, material, or the key of the array
	scope    string // of a table of an array: the name of the part that contains the array in the present version, or ""
	from, to place
	at       location // of the name in the present text
}

// A place is where something is defined: its file and its name there. The name of a file is its path, and its file is "".
type place struct{ file, name string }

// fileKind is the kind of the rename of a file.
const fileKind = "file"

// tableKinds are the kinds of tables that are found by their names, whichever file defines them.
func tableKinds() []string { return []string{"material", "part"} }

// isMove reports whether something is in another file than before, or is a file in another place.
func (r *rename) isMove() bool { return r.kind == fileKind || r.from.file != r.to.file }

// inverse returns the rename that undoes r.
func (r *rename) inverse() rename {
	back := *r
	back.from, back.to = r.to, r.from
	return back
}

// edit returns r as an edit.
func (r *rename) edit() *edit {
	e := &edit{Edit: Edit{Path: r.at.path, Name: r.at.name, Action: ActionRenamed, File: r.to.file, Before: r.from.name, After: r.to.name}, places: r.at.places}
	if r.isMove() {
		e.Action = ActionMoved
	}
	switch {
	case r.kind == fileKind:
		e.File, e.Line = r.to.name, 1
	case r.isMove() && r.from.name == r.to.name:
		e.Before, e.After = r.from.file, r.to.file
	case r.isMove():
		e.Before, e.After = r.from.String(), r.to.String()
	}
	return e
}

// String returns the name and the file.
func (p place) String() string { return p.name + " in " + cmp.Or(p.file, theScene) }

// holds reports whether an edit is of something inside what was renamed.
func (r *rename) holds(e *Edit) bool {
	if r.kind == fileKind {
		return e.File == r.to.name
	}
	return e.File == r.to.file && strings.HasPrefix(e.Path, strings.TrimSuffix(r.at.path, ".name")+".")
}

// renames are all renames between two versions, in the order in which they are applied: first those of files, then those
// of parts and materials, and last those of tables of arrays.
type renames struct {
	list []rename
	kept map[string]bool // texts that look like references to something that was renamed, but refer to something else
}

// findRenames returns what was renamed from a to b.
func findRenames(a, b documents) renames {
	var found renames
	add := func(list []rename) {
		found.list = append(found.list, list...)
		a = found.applied(a, list)
	}
	was := references(a)
	add(renamedFiles(a, b))
	for _, kind := range tableKinds() {
		add(renamedTables(a, b, kind))
	}
	add(renamedElements(a, b))
	if len(found.list) == 0 {
		return found
	}
	found.kept = make(map[string]bool)
	is := references(b)
	for s := range was {
		t := s
		for _, r := range found.list {
			t = r.reference(t)
		}
		found.kept[s] = s != t && is[s] && !is[t]
	}
	return found
}

// applied returns the documents after the given renames. It does not modify docs.
func (all *renames) applied(docs documents, list []rename) documents {
	if len(list) == 0 {
		return docs
	}
	docs = docs.clone()
	for _, r := range list {
		r.apply(docs, all.kept)
	}
	return docs
}

// around returns the index of the innermost rename that holds an edit, or the constant none.
func (all *renames) around(e *Edit) int {
	for i := len(all.list) - 1; i >= 0; i-- {
		if all.list[i].holds(e) {
			return i
		}
	}
	return none
}

// undone returns the documents of the present version without the renames that u, by their index, selects.
func (all *renames) undone(docs documents, u undone) documents {
	var list []rename
	for i := len(all.list) - 1; i >= 0; i-- {
		if u[i] {
			list = append(list, all.list[i].inverse())
		}
	}
	return all.applied(docs, list)
}

// renamedFiles returns the files that were moved: those with similar contents, and then those with the same name in
// another folder.
func renamedFiles(a, b documents) (found []rename) {
	for _, isOf := range []func(any) bool{isTable, isSheet} {
		var gone, come []candidateName
		for _, file := range slices.Sorted(maps.Keys(a)) {
			if _, ok := b[file]; !ok && isOf(a[file]) {
				gone = append(gone, candidateName{place{"", file}, contentsOf(a[file]), path.Base(file)})
			}
		}
		for _, file := range slices.Sorted(maps.Keys(b)) {
			if _, ok := a[file]; !ok && isOf(b[file]) {
				come = append(come, candidateName{place{"", file}, contentsOf(b[file]), path.Base(file)})
			}
		}
		for _, p := range pairNames(gone, come) {
			found = append(found, rename{kind: fileKind, from: p[0], to: p[1], at: location{path: fileTitle(b[p[1].name], p[1].name)}})
		}
	}
	return found
}

// fileTitle returns the path of a file's edits: csv beads.csv or include parts.toml.
func fileTitle(doc any, name string) string {
	if isTable(doc) {
		return "include " + name
	}
	return "csv " + name
}

func isTable(doc any) bool { _, ok := doc.(table); return ok }
func isSheet(doc any) bool { _, ok := doc.(*sheet); return ok }

// renamedTables returns the parts or materials that have another name or are in another file.
func renamedTables(a, b documents, kind string) (found []rename) {
	was, is := definitions(a, kind), definitions(b, kind)
	add := func(from, to place) {
		found = append(found, rename{kind: kind, from: from, to: to, at: location{}.key(kind).key(to.name)})
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		from, to := was[name], is[name]
		if _, ok := is[name]; ok && from != to && (a[to] != nil || b[from] != nil) { // otherwise, one file replaces another
			add(place{from, name}, place{to, name})
		}
	}
	gone, come := only(was, is), only(is, was)
	if len(gone) == 0 || len(come) == 0 {
		return found
	}
	for _, p := range pairNames(candidatesFor(a, kind, gone), candidatesFor(b, kind, come)) {
		add(p[0], p[1])
	}
	return found
}

// only returns the places of the names that a has and b does not have, sorted by name.
func only(a, b map[string]string) (places []place) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[name]; !ok {
			places = append(places, place{a[name], name})
		}
	}
	return places
}

// candidatesFor returns the parts or materials, as kind says, in the given places.
func candidatesFor(docs documents, kind string, places []place) (all []candidateName) {
	used := uses(docs, kind)
	for _, p := range places {
		all = append(all, candidateName{place: p, contents: contentsOf(tablesOf(docs[p.file], kind)[p.name]).with(used[p.name])})
	}
	return all
}

// definitions returns the file that defines each part or material, as kind says.
func definitions(docs documents, kind string) map[string]string {
	files := make(map[string]string)
	for file, doc := range docs {
		for name := range tablesOf(doc, kind) {
			files[name] = file
		}
	}
	return files
}

// tablesOf returns the tables of a kind in a file, by name; nil if none exist.
func tablesOf(doc any, kind string) table {
	root, _ := doc.(table)
	all, _ := root[kind].(table)
	return all
}

// renamedElements returns the tables of arrays that have another name, in the scene and in parts that both versions have.
func renamedElements(a, b documents) (found []rename) {
	for _, file := range slices.Sorted(maps.Keys(b)) {
		if file == ownFile {
			was, _ := a[file].(table)
			is, _ := b[file].(table)
			found = append(found, renamedIn(was, is, file, "", location{})...)
		}
		was, is := tablesOf(a[file], "part"), tablesOf(b[file], "part")
		for _, name := range sortedKeys(is, nil) {
			p, _ := was[name].(table)
			q, _ := is[name].(table)
			found = append(found, renamedIn(p, q, file, name, location{}.key("part").key(name))...)
		}
	}
	return found
}

// renamedIn returns the renamed tables of the arrays in a table, which is the scene or a part. A name that the table has
// in both versions is not part of a rename.
func renamedIn(was, is table, file, scope string, at location) (found []rename) {
	namesA, namesB := namesIn(was), namesIn(is)
	for _, key := range sortedKeys(is, nil) {
		as, _ := tables(was[key])
		bs, _ := tables(is[key])
		if len(as) == 0 || len(bs) == 0 || !slices.ContainsFunc(bs, func(t table) bool { s, _ := t["name"].(string); return s != "" && !namesA[s] }) {
			continue
		}
		var here []rename
		for i, j := range match(tableRecords(as), tableRecords(bs)) {
			if j == none {
				continue
			}
			from, _ := as[i]["name"].(string)
			to, _ := bs[j]["name"].(string)
			if from != to && from != "" && to != "" && !namesB[from] && !namesA[to] {
				here = append(here, rename{kind: key, scope: scope, from: place{file, from}, to: place{file, to}, at: at.key(key).element(j, bs[j]).key("name")})
			}
		}
		if len(here) <= maxListEdits {
			found = append(found, here...)
		}
	}
	return found
}

// namesIn returns the names of the tables of all arrays in a table.
func namesIn(t table) map[string]bool {
	names := make(map[string]bool)
	for _, v := range t {
		list, _ := tables(v)
		for _, e := range list {
			if name, ok := e["name"].(string); ok {
				names[name] = true
			}
		}
	}
	return names
}
