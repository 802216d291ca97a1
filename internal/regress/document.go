package regress

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"pillbox/internal/tomltext"
	"pillbox/scene"
)

type table = map[string]any

// ownFile is the key of the scene's own file in [documents].
const ownFile = ""

// documents holds the files of a version by path. A value is a table for a TOML file, a *sheet for a valid CSV file,
// and otherwise the file's content as []byte.
type documents map[string]any

// documents parses the files of a version. It ignores errors: the scene was decoded from these files, so it does not
// use a file that cannot be parsed.
func (v *Version) documents() documents {
	root, err := tomltext.Parse(v.Text, kindNames()...)
	if err != nil {
		return documents{ownFile: v.Text}
	}
	docs := documents{ownFile: root}
	for name, data := range v.Files {
		docs[name] = data
		if included(root, name) {
			if t, err := tomltext.Parse(data); err == nil {
				docs[name] = t
			}
		} else if s, err := readSheet(data); err == nil {
			docs[name] = s
		}
	}
	return docs
}

// kindNames returns the TOML keys of all arrays of solids.
func kindNames() (names []string) {
	for _, k := range scene.Kinds() {
		names = append(names, k.String())
	}
	return names
}

// included reports whether a scene's file includes the named one.
func included(root table, name string) bool {
	list, _ := root["include"].([]any)
	return slices.ContainsFunc(list, func(v any) bool {
		s, _ := v.(string)
		return strings.TrimPrefix(s, "./") == name
	})
}

// A sheet is a parsed CSV file.
type sheet struct {
	header []string
	blank  int // number of lines before the header
	rows   []row
}

// A row is a row of a sheet.
type row struct {
	fields []string // without surrounding whitespace
	line   int      // line number in the file
	blank  int      // number of blank lines before it, which must be kept: tracks of [[animate]] may refer to rows by line
}

// readSheet parses a CSV file as scenes do: it ignores blank lines and whitespace around fields.
func readSheet(data []byte) (*sheet, error) {
	text, err := tomltext.Text(data)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	s := new(sheet)
	next, end := 1, 0 // the line after the previous row, and the offset at which that row ends
	for {
		fields, err := r.Read()
		switch {
		case err == io.EOF && s.header == nil:
			return nil, io.ErrUnexpectedEOF
		case err == io.EOF:
			return s, nil
		case err != nil:
			return nil, err
		case len(fields) == 1 && fields[0] == "":
			continue
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		line, _ := r.FieldPos(0)
		blank := line - next
		next += bytes.Count(text[end:r.InputOffset()], []byte("\n"))
		end = int(r.InputOffset())
		if s.header == nil {
			s.header, s.blank = fields, blank
			continue
		}
		if len(fields) != len(s.header) {
			return nil, fmt.Errorf("row %d has %d fields, want %d", len(s.rows)+1, len(fields), len(s.header))
		}
		s.rows = append(s.rows, row{fields, line, blank})
	}
}

// table returns a row as a table that maps the names of the columns to the values of the row.
func (s *sheet) table(r row) table {
	t := make(table, len(r.fields))
	for i, name := range s.header {
		t[name] = cell(r.fields[i])
	}
	return t
}

// encode returns the text of a document.
func encode(doc any) []byte {
	var b bytes.Buffer
	switch doc := doc.(type) {
	case []byte:
		return doc
	case table:
		return tomltext.Encode(doc)
	case *sheet:
		write := func(blank int, fields []string) {
			b.WriteString(strings.Repeat("\n", blank))
			w := csv.NewWriter(&b)
			_ = w.Write(fields)
			w.Flush()
		}
		write(doc.blank, doc.header)
		for _, r := range doc.rows {
			write(r.blank, r.fields)
		}
	}
	return b.Bytes()
}

// lines sets the Line, in the present version, of each edit whose Line is 0.
func (v *Version) lines(edits []*edit) {
	paths := make(map[string][]string) // by file
	for _, e := range edits {
		if e.Line == 0 {
			paths[e.File] = append(paths[e.File], e.places...)
		}
	}
	for file, wanted := range paths {
		data := v.Text
		if file != ownFile {
			data = v.Files[file]
		}
		text, _ := tomltext.Text(data)
		places := tomltext.Locate(text, wanted)
		for _, e := range edits {
			if e.File == file && e.Line == 0 {
				e.Line = lineOf(text, places, e.places)
			}
		}
	}
}

// lineOf returns the line of the first path that exists in the text, or 1 if none exists. places contains the
// locations of the paths in the text.
func lineOf(text []byte, places map[string]tomltext.Location, paths []string) int {
	for _, path := range paths {
		if at := places[path]; at.Found {
			return 1 + bytes.Count(text[:at.Key.Start], []byte("\n"))
		}
	}
	return 1
}
