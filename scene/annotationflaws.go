package scene

import (
	"fmt"

	"pillbox/internal/keytable"
	"pillbox/problem"
)

// LabelTable returns the table that defines the label with the given index in s.Annotations.Labels. The result key is
// the table's full key, such as label[2] or part.leg.label[0]. The result file is the name of the file with the table:
// the scene's own or an included one. LabelTable returns false if s was not read from a file, is detached from it, or
// has more or fewer labels than were read.
func (s *Scene) LabelTable(index int) (key, file string, ok bool) {
	if s.root == nil || len(s.noteTables.labels) != len(s.Annotations.Labels) {
		return "", "", false
	}
	t := s.noteTables.labels[index]
	return t.Key(""), t.Report.File, true
}

// AnnotationFlaw is something wrong with the place of an annotation in the picture.
type AnnotationFlaw struct {
	Table   string // the table of the scene file: "label", "dimension", "angle", "title", "legend", "colormap", "scale_bar" or "axes"
	Index   int    // of a label, dimension or angle, in the list of the scene's Annotations
	Message string
}

// AnnotationWarnings returns warnings about flaws, sorted by position. data is the file that s was decoded from. Copies of an
// annotation in a part have one warning.
func (s *Scene) AnnotationWarnings(data []byte, flaws []AnnotationFlaw) (all problem.Errors) {
	l := locator{scene: s, data: data}
	copies := make(map[keytable.Table]int)
	var order []keytable.Table
	first := make(map[keytable.Table]*problem.Error)
	for _, f := range flaws {
		t, ok := s.tableOf(&f)
		if copies[t]++; ok && copies[t] > 1 {
			continue
		}
		e := &problem.Error{File: s.Name, Key: fmt.Sprintf("%s[%d]", f.Table, f.Index)}
		if ok {
			e = l.table(t)
			order, first[t] = append(order, t), e
		}
		e.Severity, e.Code, e.Message = problem.SeverityWarning, problem.CodeNoRoom, f.Message
		all = append(all, e)
	}
	for _, t := range order {
		if n := copies[t]; n > 1 {
			first[t].Message = fmt.Sprintf("in %d copies: %s", n, first[t].Message)
		}
	}
	if len(l.files) > 0 {
		l.locate()
	}
	return all.Sorted(s.Name)
}

// tableOf returns the table of an annotation. It returns false if the annotation was not read from a file.
func (s *Scene) tableOf(f *AnnotationFlaw) (keytable.Table, bool) {
	if s.root == nil {
		return keytable.Table{}, false
	}
	var list []keytable.Table
	switch f.Table {
	case "label":
		list = s.noteTables.labels
	case "dimension":
		list = s.noteTables.dimensions
	case "angle":
		list = s.noteTables.angles
	default:
		return s.root.table.Report.Table(f.Table), true
	}
	if f.Index >= len(list) {
		return keytable.Table{}, false
	}
	return list[f.Index], true
}
