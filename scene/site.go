package scene

import (
	"cmp"
	"slices"

	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
	"pillbox/problem"
)

// Site is where a solid is in the files of its scene, as notes without messages.
type Site struct {
	Header     *problem.Error // at the solid's table or row or, if it comes from placements, at the outermost placement
	Definition *problem.Error // for a solid from a placement, at its table or row in its part; otherwise nil
}

// Sites returns the site of each solid with one of the given object numbers, 0 <= number < s.Objects.Len(). data is the file
// that s was decoded from. In a scene that was not read from a file, or is detached from it, the notes have keys and no lines.
func (s *Scene) Sites(data []byte, numbers ...int) map[int]Site {
	sites := make(map[int]Site)
	l := locator{scene: s, data: data}
	for _, number := range numbers {
		if _, done := sites[number]; !done {
			sites[number] = l.site(number)
		}
	}
	l.locate()
	return sites
}

// locator finds the positions of tables. It reads each file only once.
type locator struct {
	scene *Scene
	data  []byte // text of the scene's own file
	files []locatedFile
}

// locatedFile is a TOML file and the tables to find in it.
type locatedFile struct {
	*keytable.Report
	tables []*keytable.Problem
}

func (l *locator) site(number int) Site {
	o, ok := l.scene.origin(number)
	switch {
	case !ok:
		return Site{Header: &problem.Error{File: l.scene.Name, Key: l.scene.Key(number), Severity: problem.SeverityInfo}}
	case len(o.placed) == 0:
		header := l.solid(o)
		header.Key = l.scene.Key(number)
		return Site{Header: header}
	default:
		return Site{Header: l.table(o.placed[0].table), Definition: l.solid(o)}
	}
}

// solid returns an empty note at the table or row of a solid.
func (l *locator) solid(o origin) *problem.Error {
	if o.bulk == nil {
		return l.table(o.part.element(o.kind, o.index))
	}
	return &problem.Error{Severity: problem.SeverityInfo, File: o.bulk.Name, Line: o.bulk.line(o.index), Column: 1, EndColumn: 1}
}

// table returns an empty note at a table. locate sets its position later.
func (l *locator) table(t keytable.Table) *problem.Error {
	p := &keytable.Problem{Error: problem.Error{Key: t.Key(""), Severity: problem.SeverityInfo}}
	i := slices.IndexFunc(l.files, func(f locatedFile) bool { return f.Report == t.Report })
	if i < 0 {
		i = len(l.files)
		l.files = append(l.files, locatedFile{Report: t.Report})
	}
	l.files[i].tables = append(l.files[i].tables, p)
	return &p.Error
}

func (l *locator) locate() {
	for _, f := range l.files {
		text := f.Text // an included file
		if f.Report == l.scene.root.table.Report {
			text, _ = tomltext.Text(l.data) // the scene was decoded from it, so it is UTF-8
		}
		paths := make([]string, len(f.tables))
		for i, p := range f.tables {
			paths[i] = p.Key
		}
		places := tomltext.Locate(text, paths)
		for _, p := range f.tables {
			p.Extent = places[p.Key].Value
		}
		slices.SortFunc(f.tables, func(p, q *keytable.Problem) int { return cmp.Compare(p.Extent.Start, q.Extent.Start) })
		keytable.WithPositions(f.File, text, f.tables)
	}
}
