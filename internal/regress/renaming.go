package regress

import (
	"path"
	"slices"
	"strings"
)

// clone returns a deep copy of the documents, which [rename.apply] can modify.
func (docs documents) clone() documents {
	c := make(documents, len(docs))
	for file, doc := range docs {
		c[file] = clone(doc)
	}
	return c
}

func clone(v any) any {
	switch v := v.(type) {
	case table:
		c := make(table, len(v))
		for key, x := range v {
			c[key] = clone(x)
		}
		return c
	case *sheet:
		return &sheet{v.header, v.blank, slices.Clone(v.rows)}
	case []any:
		if list, ok := tables(v); ok && len(list) > 0 {
			return clone(list)
		}
		return slices.Clone(v)
	case []table:
		c := make([]table, len(v))
		for i, t := range v {
			c[i] = clone(t).(table)
		}
		return c
	}
	return v
}

// apply gives what was renamed its new name, and changes all references to it, except the kept ones. It modifies docs.
func (r *rename) apply(docs documents, kept map[string]bool) {
	switch {
	case r.kind == fileKind:
		r.moveFile(docs)
	case slices.Contains(tableKinds(), r.kind):
		r.moveTable(docs)
	default:
		r.renameElement(docs)
	}
	for _, doc := range docs {
		if s, ok := doc.(*sheet); ok {
			r.inSheet(s)
		}
		walk(doc, func(t table) {
			if t[r.kind] == any(r.from.name) && slices.Contains(tableKinds(), r.kind) {
				t[r.kind] = r.to.name
			}
			for _, key := range referenceKeys() {
				if v, ok := t[key]; ok {
					t[key] = inStrings(v, func(s string) string {
						if kept[s] {
							return s
						}
						return r.reference(s)
					})
				}
			}
		})
	}
}

// moveFile moves a file, and changes the paths by which other files refer to it and it refers to others.
func (r *rename) moveFile(docs documents) {
	was := make(map[string]string) // the former path of each file
	for file := range docs {
		was[file] = file
	}
	if doc, ok := docs[r.from.name]; ok {
		delete(docs, r.from.name)
		docs[r.to.name], was[r.to.name] = doc, r.from.name
	}
	for file, doc := range docs {
		walk(doc, func(t table) {
			if s, ok := t["file"].(string); ok {
				t["file"] = r.moved(s, folderOf(was[file]), folderOf(file))
			}
		})
		if root, ok := doc.(table); ok && file == ownFile && root["include"] != nil {
			root["include"] = inStrings(root["include"], func(s string) string { return r.moved(s, ".", ".") })
		}
	}
}

func folderOf(file string) string { return path.Dir(file) }

// moved returns the path of a file from the folder to. In the folder from, its former path was name.
func (r *rename) moved(name, from, to string) string {
	whole := path.Join(from, name)
	switch {
	case r.kind == fileKind && whole == r.from.name:
		whole = r.to.name
	case from == to:
		return name
	}
	return relative(to, whole)
}

// relative returns the path of a file from a folder. Both are relative to the same folder.
func relative(folder, file string) string {
	up := ""
	for folder != "." {
		if rest, ok := strings.CutPrefix(file, folder+"/"); ok {
			return up + rest
		}
		folder, up = path.Dir(folder), up+"../"
	}
	return up + file
}

// moveTable moves a part or a material to its new name and file.
func (r *rename) moveTable(docs documents) {
	all := tablesOf(docs[r.from.file], r.kind)
	v, ok := all[r.from.name]
	if !ok {
		return
	}
	delete(all, r.from.name)
	if len(all) == 0 {
		delete(docs[r.from.file].(table), r.kind)
	}
	if docs[r.to.file] == nil {
		docs[r.to.file] = table{}
	}
	root, ok := docs[r.to.file].(table)
	if !ok {
		return
	}
	if tablesOf(root, r.kind) == nil {
		root[r.kind] = table{}
	}
	tablesOf(root, r.kind)[r.to.name] = v
	walk(v, func(t table) {
		if s, ok := t["file"].(string); ok {
			t["file"] = r.moved(s, folderOf(r.from.file), folderOf(r.to.file))
		}
	})
}

// renameElement renames a table of an array in the scene or in a part.
func (r *rename) renameElement(docs documents) {
	for _, doc := range docs {
		scope, _ := doc.(table)
		if r.scope != "" {
			scope, _ = tablesOf(doc, "part")[r.scope].(table)
		}
		list, _ := tables(scope[r.kind])
		for _, t := range list {
			if t["name"] == any(r.from.name) {
				t["name"] = r.to.name
			}
		}
	}
}

func (r *rename) inSheet(s *sheet) {
	column := slices.Index(s.header, r.kind)
	if column < 0 || !slices.Contains(tableKinds(), r.kind) {
		return
	}
	for i := range s.rows {
		if fields := &s.rows[i].fields; (*fields)[column] == r.from.name {
			*fields = slices.Clone(*fields)
			(*fields)[column] = r.to.name
		}
	}
}

// referenceKeys lists the keys whose texts refer to something by its name, other than the keys part, material, file and
// include.
func referenceKeys() []string {
	return []string{"on", "except", "fit", "target", "materials", "allow", "at", "from", "to"}
}

// references returns all texts of the [referenceKeys].
func references(docs documents) map[string]bool {
	all := make(map[string]bool)
	for _, doc := range docs {
		walk(doc, func(t table) {
			for _, key := range referenceKeys() {
				inStrings(t[key], func(s string) string { all[s] = true; return s })
			}
		})
	}
	return all
}

// inStrings returns a copy of a value in which f has replaced all texts. It replaces texts in arrays, but not in tables.
func inStrings(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		c := make([]any, len(v))
		for i, x := range v {
			c[i] = inStrings(x, f)
		}
		return c
	}
	return v
}

// reference returns a text that refers to a solid, a placement or anything else by its path, such as index/bone.radius,
// with the new name in place of the old one.
func (r *rename) reference(s string) string {
	from, to := r.from.name, r.to.name
	switch {
	case r.kind == fileKind:
		from, to = path.Base(from)+":", path.Base(to)+":"
		if rest, ok := strings.CutPrefix(s, from); ok {
			return to + rest
		}
		return strings.ReplaceAll(s, "/"+from, "/"+to)
	case r.kind == "part":
		if rest, ok := strings.CutPrefix(s, "part."+from+"/"); ok {
			return "part." + to + "/" + rest
		}
		fallthrough
	case r.kind == "material":
		if s == from {
			return to
		}
	case r.scope == "":
		if rest, ok := strings.CutPrefix(s, from); ok && endsName(rest) {
			return to + rest
		}
	default:
		for i := range s {
			if rest, ok := strings.CutPrefix(s[i:], "/"+from); ok && endsName(rest) {
				return s[:i] + "/" + to + rest
			}
		}
	}
	return s
}

// endsName reports whether a name may end before the rest of a path.
func endsName(rest string) bool { return rest == "" || strings.ContainsRune("[/.", rune(rest[0])) }
