package scene

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"pillbox/internal/archive"
	"pillbox/internal/keytable"
	"pillbox/internal/osfile"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/problem"
)

// MaxBulkBytes is the largest size of the file of a [[bulk]] table.
const MaxBulkBytes = 1 << 30

// run is a sequence of solids on consecutive lines of a file. The fields are the index of the first of these solids,
// and its line in the file.
type run struct{ solid, line int }

// appendLine adds the line of the next solid to runs.
func appendLine(runs []run, solid, line int) []run {
	if n := len(runs); n > 0 && line-runs[n-1].line == solid-runs[n-1].solid {
		return runs
	}
	return append(runs, run{solid, line})
}

// line returns the line of the i-th solid.
func (b *bulk) line(i int) int {
	after := sort.Search(len(b.lines), func(k int) bool { return b.lines[k].solid > i })
	r := b.lines[after-1]
	return r.line + i - r.solid
}

// bulk is a [[bulk]] table with the rows of its file.
type bulk struct {
	File
	table keytable.Table
	kind  Kind
	count int   // number of its solids
	first int   // number of solids of this kind in the part before those of this table
	lines []run // of the file

	// Defaults from the table for empty fields and missing columns.
	numbers   numbers
	defaulted [slots]bool // which of the numbers the table defines
	surface   uint32      // index of the material in tables
	bare      bool        // the table defines no surface
	directed  bool        // the ends of the axis must differ
	exact     bool        // whether radius and rowTexts keep the digits of numbers that are not the shortest decimals of their float64
	radius    string      // text of the table's radius, if that is long
	rowTexts  longTexts

	speller   *keytable.Speller // of the scene; for the header
	materials *materials
	tables    *tables
	columns   []column
	positions map[string]int // index of each known column, by name
	flawed    bool           // some columns are invalid, so any solid may be
	solids                   // one per row, also for invalid rows
	texts     []rows         // the text of the file in pieces, kept only if the file has names, which may turn out to be duplicates

	errors     cappedErrors
	duplicates cappedErrors // errors about names that other solids have
	warnings   problem.Errors

	// Indices of columns, or -1.
	index struct{ color, material, name, channels, degrees, quaternion, axes, value int }
}

// bulk reads a table and its file.
func (l *loader) bulk(p *part, src *source, t keytable.Table, m bulkTable, g keytable.RawTable) {
	b := &bulk{table: t, speller: l.Speller, materials: l.materials, tables: l.tables, bare: !g.Has("material") && !g.Has("color")}
	var content fs.File
	var opened bool
	if m.file != nil {
		if b.File, content, opened = l.open(t, "file", src.folder, m.file); opened {
			defer content.Close()
		}
	}
	name, _ := g["shape"].(string)
	_, known := ParseKind(name)
	b.kind = Kind(m.shape)
	b.directed = b.kind.row().traits().directed
	b.exact = l.long != nil && p == l.scene.root && b.kind.row().traits().pill
	b.surface = l.surface(t, m.material, m.color)
	if g.Has("radius") {
		b.numbers[slotRadius], b.defaulted[slotRadius] = m.radius, true
		if b.exact && l.long.has(l.Text, b.numbers[slotRadius]) {
			b.radius = l.longText(t, "radius", tomltext.Locate(l.Text, []string{t.Key("radius")}))
		}
		if known && !b.kind.has(slotRadius, keytable.Sizes()) {
			t.Warn("radius", problem.CodeUnusedKey, "has no effect on a %s", b.kind)
		}
	}
	if v := m.halfExtents; g.Has("half_extents") {
		copy(b.numbers[slotSize:], []float64{v.X, v.Y, v.Z})
		copy(b.defaulted[slotSize:], []bool{true, true, true})
		if known && !b.kind.has(slotSize, keytable.Sizes()) {
			t.Warn("half_extents", problem.CodeUnusedKey, "has no effect on a %s", b.kind)
		}
	}
	if !opened || !known {
		l.incomplete = true
		return
	}
	if done := b.readTable(archive.TableOf(content), l.progress); done != nil {
		b = done
	} else if err := b.read(content, l.progress); err != nil {
		reportUnreadable(t, "file", err)
		l.incomplete = true
		return
	}
	l.Errors += b.errors.count
	l.bulks = append(l.bulks, b)
	p.bulks = append(p.bulks, b)
}

// open opens the file that a key of a table names, relative to the given folder. It reports an error if the file is
// outside the scene's folder, missing, not a regular file or too large.
func (l *loader) open(t keytable.Table, key, folder string, v any) (file File, content fs.File, ok bool) {
	name, ok := t.Text(key, v)
	if !ok {
		return File{}, nil, false
	}
	if slices.Contains(strings.Split(name, "/"), "..") || !fs.ValidPath(path.Clean(name)) {
		t.Wrong(key, problem.CodeUnreadableFile, `must be in the scene's folder or below, without ".."`)
		return File{}, nil, false
	}
	if l.files == nil {
		t.Wrong(key, problem.CodeUnreadableFile, "cannot be read: Decode reads files only with the option WithFiles")
		return File{}, nil, false
	}
	file = l.file(path.Join(folder, name))
	content, err := openRegular(l.files, file.Path)
	switch {
	case err != nil && strings.Contains(name, `\`):
		t.Wrong(key, problem.CodeUnreadableFile, `there is no such file: put / between folders, not \`).Suggestion = strings.ReplaceAll(name, `\`, "/")
	case errors.Is(err, fs.ErrNotExist):
		p := t.Wrong(key, problem.CodeUnreadableFile, "there is no such file")
		if !l.Speller.Stopped { // listing a folder takes long
			l.Speller.Suggest(&p.Error, path.Clean(name), neighbors(l.files, folder, name))
		}
	case err != nil:
		reportUnreadable(t, key, err)
	case !l.opened[file]:
		l.opened[file] = true
		l.scene.Files = append(l.scene.Files, file)
	}
	return file, content, err == nil
}

// reportUnreadable reports that the file named by a key cannot be read.
func reportUnreadable(t keytable.Table, key string, err error) {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err // without the name, which the message has
	}
	t.Wrong(key, problem.CodeUnreadableFile, "cannot be read: %v", err)
}

// openRegular opens a regular file that is not too large. It returns an error for a device or a pipe.
func openRegular(files fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, osfile.ErrNotRegular
	case info.Size() > MaxBulkBytes:
		return nil, errTooLarge()
	}
	return files.Open(name)
}

// neighbors returns the files in the folder of the named file, as paths relative to the given folder.
func neighbors(files fs.FS, folder, name string) []string {
	var names []string
	below := path.Dir(path.Clean(name))
	entries, _ := fs.ReadDir(files, path.Join(folder, below)) // empty if the folder does not exist either
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, path.Join(below, e.Name()))
		}
	}
	return names
}

// place returns the position of the i-th solid in the file, as file:line.
func (b *bulk) place(i int) string { return fmt.Sprintf("%s:%d", text.EscapeName(b.Name), b.line(i)) }

// reread reads the row of the i-th solid again. The file must have a column of names, because only then is its text
// kept.
func (b *bulk) reread(i int) *rows {
	line := b.line(i)
	at := b.texts[sort.Search(len(b.texts), func(k int) bool { return b.texts[k].line > line })-1]
	text := at.text
	for range line - at.line {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	r := newRows(b.Name, text, line)
	_ = r.next() // the row was read without an error before
	return &r
}

// warn adds a warning about the i-th solid, at the beginning of its line.
func (b *bulk) warn(i int, key string, code problem.Code, message string) {
	b.warnings = append(b.warnings, &problem.Error{
		File: b.Name, Line: b.line(i), Column: 1, EndColumn: 1,
		Key: key, Severity: problem.SeverityWarning, Code: code, Message: message,
	})
}

// bulkProblems returns the problems of bulk files, each of them once, sorted by file and position.
func (l *loader) bulkProblems() problem.Errors {
	var all problem.Errors
	for _, b := range l.bulks {
		b.errors.join(&b.duplicates)
		all = append(append(all, b.errors.sorted()...), b.warnings...)
	}
	slices.SortStableFunc(all, comparePlaces)
	// If two tables read the same file, each of its problems occurs twice in all. The two are not always next to each
	// other, because several problems may have the same position.
	seen := make(map[problem.Error]bool, len(all))
	return slices.DeleteFunc(all, func(e *problem.Error) bool {
		again := seen[*e]
		seen[*e] = true
		return again
	})
}

func comparePlaces(e, f *problem.Error) int {
	return cmp.Or(cmp.Compare(e.File, f.File), cmp.Compare(e.Line, f.Line), cmp.Compare(e.Column, f.Column))
}

// maxBulkErrors is the number of errors of a [[bulk]] table that are reported individually. If there are two or more
// further errors, they are only counted: a program with one bug may write a million invalid rows.
const maxBulkErrors = 100

// cappedErrors keeps the first errors of a file and counts all.
type cappedErrors struct {
	list      problem.Errors
	count     int
	countOnly bool // only counts
}

// addError counts an error. Unless countOnly is set, it calls describe for the first maxBulkErrors + 1 errors and keeps
// them.
func (s *cappedErrors) addError(describe func() *problem.Error) {
	if s.count++; s.count <= maxBulkErrors+1 && !s.countOnly {
		s.list = append(s.list, describe())
	}
}

// join adds the errors of t.
func (s *cappedErrors) join(t *cappedErrors) {
	s.list = append(s.list, t.list...)
	s.count += t.count
}

// sorted returns the kept errors in order of position. If more than maxBulkErrors + 1 errors were
// counted, the last one states the number of errors after the first maxBulkErrors.
func (s *cappedErrors) sorted() problem.Errors {
	slices.SortStableFunc(s.list, comparePlaces)
	rest := s.count - maxBulkErrors
	if rest <= 1 {
		return s.list
	}
	last := *s.list[maxBulkErrors]
	last.EndColumn, last.Key, last.Value, last.Suggestion = last.Column, "", "", ""
	last.Code, last.Message = problem.CodeMoreErrors, fmt.Sprintf("and %d errors more in this file", rest)
	return append(s.list[:maxBulkErrors:maxBulkErrors], &last)
}
