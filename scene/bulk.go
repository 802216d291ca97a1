package scene

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"

	"golang.org/x/sync/errgroup"

	"pillbox/scene/tomltext"
	"pillbox/shade"
)

// MaxBulkBytes is the largest size of the file of a [[bulk]] table.
const MaxBulkBytes = 1 << 30

// Bulk says where the solids of a [[bulk]] table come from.
type Bulk struct {
	Path  string // of the file in the scene's folder, with slashes
	File  string // the same as messages have it: beginning with the folder of the scene's name
	First int    // the number of its first solid
	Count int    // of solids

	lines []run // of the file
}

// run says that the solids from the given one on, counted from 0, stand on successive lines
// from the given one on.
type run struct{ solid, line int }

// appendLine adds the line of the next solid to runs.
func appendLine(runs []run, solid, line int) []run {
	if n := len(runs); n > 0 && line-runs[n-1].line == solid-runs[n-1].solid {
		return runs
	}
	return append(runs, run{solid, line})
}

// line returns the line of the i-th solid.
func (b *Bulk) line(i int) int {
	after := sort.Search(len(b.lines), func(k int) bool { return b.lines[k].solid > i })
	r := b.lines[after-1]
	return r.line + i - r.solid
}

// BulkLine returns the file and the line, from 1, that the solid with the given number comes
// from, 0 <= number < len(s.Objects), and false if the solid has a table of its own. The
// name of the file is that of [Bulk.File].
func (s *Scene) BulkLine(number int) (file string, line int, ok bool) {
	after := sort.Search(len(s.Bulks), func(i int) bool { return s.Bulks[i].First > number })
	if after == 0 {
		return "", 0, false
	}
	b := &s.Bulks[after-1]
	if number >= b.First+b.Count {
		return "", 0, false
	}
	return b.File, b.line(number - b.First), true
}

// bulk is a [[bulk]] table while it is read.
type bulk struct {
	Bulk
	kind kind

	// What the table has for fields that are empty or not there.
	numbers   numbers
	defaulted [slots]bool // which of the numbers the table has
	surface   shade.Material

	materials  *materials
	data       []byte // of the file
	columns    []column
	flawed     bool // some columns are wrong, and so may be any solid
	chunks     []*chunk
	errors     cappedErrors
	duplicates cappedErrors // names that other solids have
	warnings   Errors

	// Indices of columns, or -1.
	index struct{ color, material, name, channels, degrees, quaternion, axes int }

	passedBytes, passedLines int // by reread
}

// bulk reads a table and its file.
func (l *loader) bulk(t table, m bulkTable) {
	b := &bulk{materials: l.materials}
	opened := l.open(t, b, m.File)
	k, known := t.word("shape", m.Shape, kindNames())
	b.kind = kind(k)
	b.surface = l.surface(t, m.Material, m.Color)
	if m.Radius != nil {
		b.numbers[slotRadius], b.defaulted[slotRadius] = t.number("radius", m.Radius, sizes()), true
		if known && b.kind == boxKind {
			t.warn("radius", CodeUnusedKey, "has no effect on a box")
		}
	}
	if m.HalfExtents != nil {
		v := t.vector("half_extents", m.HalfExtents, sizes())
		copy(b.numbers[slotSize:], []float64{v.X, v.Y, v.Z})
		copy(b.defaulted[slotSize:], []bool{true, true, true})
		if known && b.kind != boxKind {
			t.warn("half_extents", CodeUnusedKey, "has no effect on a %s", kindNames()[b.kind])
		}
	}
	if !opened || !known {
		l.incomplete = true
		return
	}
	b.read()
	l.errors += b.errors.count
	l.bulks = append(l.bulks, b)
}

// open reads the text of the file that the table names.
func (l *loader) open(t table, b *bulk, v any) bool {
	name, ok := t.text("file", v)
	if !ok {
		return false
	}
	b.Path = path.Clean(name)
	b.File = filepath.Join(filepath.Dir(l.scene.Name), filepath.FromSlash(b.Path))
	if slices.Contains(strings.Split(name, "/"), "..") || !fs.ValidPath(b.Path) {
		t.wrong("file", CodeUnreadableFile, `must be in the scene's folder or below, without ".."`)
		return false
	}
	if l.files == nil {
		t.wrong("file", CodeUnreadableFile, "cannot be read: Decode reads no files, but Load and DecodeFS do")
		return false
	}
	var err error
	b.data, err = readRegular(l.files, b.Path)
	var failed *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p := t.wrong("file", CodeUnreadableFile, "there is no such file")
		l.speller.suggest(&p.Error, b.Path, neighbours(l.files, b.Path))
	case errors.As(err, &failed):
		t.wrong("file", CodeUnreadableFile, "cannot be read: %v", failed.Err) // without the name, which the message has
	case err != nil:
		t.wrong("file", CodeUnreadableFile, "cannot be read: %v", err)
	}
	return err == nil
}

// readRegular reads a file of an acceptable size, and no device or pipe.
func readRegular(files fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > MaxBulkBytes:
		return nil, fmt.Errorf("larger than %d MiB", MaxBulkBytes>>20)
	}
	return fs.ReadFile(files, name)
}

// neighbours returns the files in the folder of the named one.
func neighbours(files fs.FS, name string) []string {
	var names []string
	entries, _ := fs.ReadDir(files, path.Dir(name)) // none if there is no such folder either
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, path.Join(path.Dir(name), e.Name()))
		}
	}
	return names
}

// read reads the solids.
func (b *bulk) read() {
	var err error
	b.data, err = tomltext.Text(b.data) // CSV and TOML have the same encoding
	r := newRows(b.File, b.data, 1)
	var syntax *tomltext.SyntaxError
	if errors.As(err, &syntax) {
		b.errors.add(func() *Error { return r.problem(syntax.Extent, CodeSyntax, syntax.Message) })
		return
	}
	if !b.readHeader(&r) {
		return
	}
	b.index.color, b.index.material, b.index.name = b.find(columnColor), b.find(columnMaterial), b.find(columnName)
	b.index.channels, b.index.degrees, b.index.quaternion = b.find(columnChannel), b.find(columnDegrees), b.find(columnQuaternion)
	b.index.axes = b.find(columnAxes)
	b.flawed = b.errors.count > 0
	header := int(r.csv.InputOffset())
	b.chunks = b.split(b.data[header:], 1+bytes.Count(b.data[:header], []byte("\n")))
	inParallel(len(b.chunks), func(i int) { b.chunks[i].read() })
	if b.index.name < 0 {
		b.data = nil // only for names it is read again
	}
	for _, c := range b.chunks {
		b.errors.join(&c.errors)
		b.Count += len(c.objects)
	}
}

// inParallel calls f with 0, 1, ... n - 1 on as many goroutines as there are processors.
func inParallel(n int, f func(i int)) {
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		workers.Go(func() error {
			f(i)
			return nil
		})
	}
	_ = workers.Wait() // f returns no errors
}

// appendBulk copies the solids that were read into the scene, whose slices have room for them.
func (l *loader) appendBulk(b *bulk) {
	s, number := l.scene, b.First
	for _, c := range b.chunks {
		index := number - l.first[b.kind]
		switch b.kind {
		case sphereKind:
			copy(s.Spheres[index:], c.spheres)
		case capsuleKind:
			copy(s.Capsules[index:], c.capsules)
		case boxKind:
			copy(s.Boxes[index:], c.boxes)
		}
		copy(s.Objects[number:], c.objects)
		for i := range c.objects {
			l.valid[number+i] = !b.flawed
		}
		for _, i := range c.invalid {
			l.valid[number+i] = false
		}
		for _, r := range c.lines {
			b.lines = appendLine(b.lines, number-b.First+r.solid, r.line)
		}
		number += len(c.objects)
	}
	b.chunks = nil
	s.Bulks = append(s.Bulks, b.Bulk)
}

// reread returns the row of the i-th solid, which must not come before the one of the last call.
func (b *bulk) reread(i int) *rows {
	line := b.line(i)
	for ; b.passedLines < line-1; b.passedLines++ {
		b.passedBytes += bytes.IndexByte(b.data[b.passedBytes:], '\n') + 1
	}
	r := newRows(b.File, b.data[b.passedBytes:], line)
	_ = r.next() // has been read without an error before
	return &r
}

// warn reports something about the i-th solid, at the beginning of its line.
func (b *bulk) warn(i int, key string, code Code, message string) {
	b.warnings = append(b.warnings, &Error{
		File: b.File, Line: b.line(i), Column: 1, EndColumn: 1,
		Key: key, Severity: SeverityWarning, Code: code, Message: message,
	})
}

// bulkProblems returns the problems of bulk files, sorted by place.
func (l *loader) bulkProblems() Errors {
	var all Errors
	for _, b := range l.bulks {
		b.errors.join(&b.duplicates)
		all = slices.Concat(all, b.errors.sorted(), b.warnings)
	}
	slices.SortStableFunc(all, comparePlaces)
	// Two tables may have one file. Its problems are then there twice, but not always in turn:
	// several may stand at one place.
	seen := make(map[Error]bool, len(all))
	return slices.DeleteFunc(all, func(e *Error) bool {
		again := seen[*e]
		seen[*e] = true
		return again
	})
}

func comparePlaces(e, f *Error) int {
	return cmp.Or(cmp.Compare(e.File, f.File), cmp.Compare(e.Line, f.Line), cmp.Compare(e.Column, f.Column))
}

// maxBulkErrors is how many errors of a bulk file are reported. A program that writes one wrong
// value may write a million.
const maxBulkErrors = 100

// cappedErrors holds the first errors of a file and counts all.
type cappedErrors struct {
	list  Errors
	count int
}

// add counts an error, which it calls describe for if it is among the first.
func (s *cappedErrors) add(describe func() *Error) {
	if s.count++; s.count <= maxBulkErrors+1 {
		s.list = append(s.list, describe())
	}
}

// join adds the errors of another chunk.
func (s *cappedErrors) join(t *cappedErrors) {
	s.list = append(s.list, t.list...)
	s.count += t.count
}

// sorted returns the first errors, and at the place of the next one how many more there are.
func (s *cappedErrors) sorted() Errors {
	slices.SortStableFunc(s.list, comparePlaces)
	rest := s.count - maxBulkErrors
	if rest <= 1 {
		return s.list
	}
	last := *s.list[maxBulkErrors]
	last.EndColumn, last.Key, last.Value, last.Suggestion = last.Column, "", "", ""
	last.Code, last.Message = CodeMoreErrors, fmt.Sprintf("and %d errors more in this file", rest)
	return append(s.list[:maxBulkErrors:maxBulkErrors], &last)
}
