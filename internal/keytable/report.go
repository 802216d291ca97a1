package keytable

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/internal/tomltext"
	"pillbox/problem"
)

// Report collects the problems of a file.
type Report struct {
	File     string // for messages
	Text     []byte
	Readable []byte // the text with invalid TOML replaced by spaces
	Problems []*Problem
	Errors   int             // number of problems that are errors
	typos    map[string]bool // known keys that were suggested for unknown ones
	Speller  *Speller        // shared by all files of a scene

	Huge       *Problem        // error about a number too large to be represented, or nil
	Broken     map[string]bool // tables with syntax errors, by their paths
	LacksNames bool            // a syntax error may hide the name of a part or material
}

// Problem is a [problem.Error] whose position is determined later, when all problems are known.
type Problem struct {
	problem.Error
	Table   string          // the path of the table that holds the key
	AtKey   bool            // whether the position is that of the key, not of its value
	Spelled bool            // whether to set Value to the text of the file at the position
	Located bool            // whether Extent is set
	Extent  tomltext.Extent // the position
}

// Table is a table of the file while it is being read: the path that its keys have in common, and the
// report for its problems.
type Table struct {
	Report *Report
	Name   string // empty for the whole file
	Index  int    // index within an array of tables, otherwise -1
	Errors int    // number of errors in the report before the table was read
}

// Table returns the table with a path, whose problems the report collects.
func (r *Report) Table(name string) Table { return r.Element(name, -1) }

// Element returns an element of the array of tables with a path.
func (r *Report) Element(name string, index int) Table { return Table{r, name, index, r.Errors} }

// Valid reports whether the table has no errors so far.
func (t Table) Valid() bool { return t.Report.Errors == t.Errors }

// Key returns the full path of a key of the table or, for "", the path of the table itself.
func (t Table) Key(key string) string {
	path := t.Name
	if t.Index >= 0 {
		path += "[" + strconv.Itoa(t.Index) + "]"
	}
	if path != "" && key != "" {
		path += "."
	}
	return path + key
}

// Add appends a problem with a key of the table, or with the table itself if key is "".
func (t Table) Add(key string, s problem.Severity, code problem.Code, format string, args []any) *Problem {
	p := &Problem{
		Error: problem.Error{Key: t.Key(key), Severity: s, Code: code, Message: fmt.Sprintf(format, args...)},
		Table: t.Key(""),
	}
	if t.isBroken() {
		t.Report.Errors++ // the syntax error is reported already
		return p
	}
	t.Report.Add(p)
	return p
}

// Add appends a problem.
func (r *Report) Add(p *Problem) {
	r.Problems = append(r.Problems, p)
	if p.Severity == problem.SeverityError {
		r.Errors++
	}
}

// Wrong reports an invalid value.
func (t Table) Wrong(key string, code problem.Code, format string, args ...any) *Problem {
	p := t.Add(key, problem.SeverityError, code, format, args)
	p.Spelled = true
	return p
}

// WrongKey reports a key that is not allowed.
func (t Table) WrongKey(key string, code problem.Code, format string, args ...any) *Problem {
	p := t.Add(key, problem.SeverityError, code, format, args)
	p.AtKey = true
	return p
}

// Missing reports a missing key. If key is "", it reports another problem of the table. The position is that of the
// table. It reports nothing if the key was suggested for an unknown key of the table.
func (t Table) Missing(key string, code problem.Code, format string, args ...any) {
	if !t.Report.typos[t.Key(key)] {
		t.Add(key, problem.SeverityError, code, format, args)
	}
}

// Warn adds a warning: something that can be rendered but is probably a mistake.
func (t Table) Warn(key string, code problem.Code, format string, args ...any) *Problem {
	return t.Add(key, problem.SeverityWarning, code, format, args)
}

// unknown reports an unknown key of a table with the given values and known keys.
func (t Table) unknown(key string, values map[string]any, known []string) {
	p := t.WrongKey(tomltext.QuoteKey(key), problem.CodeUnknownKey, "unknown key")
	isBeside := func(word string) bool {
		// In any order: one equal key is enough.
		for k := range values {
			if PlainWord(k) == word {
				return true
			}
		}
		return false
	}
	if where := t.Report.Speller.vocabulary.Home(t, key); where != "" {
		p.Message += where
	} else if y, ok := t.Report.Speller.keySynonym(key, known, isBeside); ok {
		y.Explain(&p.Error)
	} else if t.Report.Speller.Suggest(&p.Error, key, known) == "" {
		p.Message += ", want one of " + strings.Join(known, ", ")
	}
	if p.Suggestion == "" {
		return
	}
	if t.Report.typos == nil {
		t.Report.typos = make(map[string]bool)
	}
	t.Report.typos[t.Key(p.Suggestion)] = true
}

// Got sets the value that the message shows, in place of the text of the file at the position.
func (p *Problem) Got(format string, args ...any) {
	p.Value, p.Spelled = fmt.Sprintf(format, args...), false
}

// List returns the elements of an array of tables, and reports an error if v is anything else.
func (r *Report) List(key string, v any) []any {
	list, ok := TablesOf(v)
	if !ok {
		r.Table("").Wrong(key, problem.CodeWrongType, "must be an array of tables, each written [[%s]]", key)
	}
	return list
}

// TablesOf returns the elements of an array of tables, none for nil. It returns false if v is anything else.
func TablesOf(v any) (list []any, ok bool) {
	switch v := v.(type) {
	case nil:
		return nil, true
	case []any: // written as an array of inline tables
		return v, true
	case []map[string]any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = v[i]
		}
		return list, true
	}
	return nil, false
}

// InOrder returns the problems with their positions, sorted by position.
func (r *Report) InOrder() problem.Errors {
	if len(r.Problems) == 0 {
		return nil
	}
	paths := make([]string, 0, 2*len(r.Problems))
	for _, p := range r.Problems {
		paths = append(paths, p.Key, p.Table)
	}
	places := tomltext.Locate(r.Readable, paths)
	for _, p := range r.Problems {
		if !p.Located {
			p.setExtent(r.Text, places)
		}
	}
	slices.SortStableFunc(r.Problems, func(p, q *Problem) int { return cmp.Compare(p.Extent.Start, q.Extent.Start) })
	return WithPositions(r.File, r.Text, r.Problems)
}

// setExtent sets the problem's extent to that of its key or value, if these are in the file, and otherwise to that of
// its table.
func (p *Problem) setExtent(text []byte, places map[string]tomltext.Location) {
	at := places[p.Key]
	switch {
	case at.Found && p.AtKey:
		p.Extent = at.Key
	case at.Found:
		p.Extent = at.Value
	default:
		p.Extent = places[p.Table].Value
	}
	if p.Spelled && at.Found {
		written := text[p.Extent.Start:p.Extent.End]
		p.Value, p.Message = Excerpt(written), OrUnrepresentable(p.Code, p.Message, written)
	}
}

// OrUnrepresentable returns the message about a number that is out of range. If the number, written as in the file, reads
// as zero or as infinite although it is neither, the message says so.
func OrUnrepresentable(code problem.Code, message string, written []byte) string {
	const longest = 4096 // bytes; another value may have megabytes
	if code != problem.CodeOutOfRange && code != problem.CodeNotFinite || len(written) > longest {
		return message
	}
	number := strings.ToLower(strings.ReplaceAll(string(written), "_", ""))
	x, err := strconv.ParseFloat(number, 64)
	mantissa, _, _ := strings.Cut(number, "e")
	switch {
	case errors.Is(err, strconv.ErrRange):
		return fmt.Sprintf("too large: numbers above %.4g in magnitude read as infinite", math.MaxFloat64)
	case err == nil && x == 0 && strings.ContainsAny(mantissa, "123456789"):
		return fmt.Sprintf("too small: numbers below %g in magnitude read as 0", math.SmallestNonzeroFloat64)
	}
	return message
}

// PlacedProblem returns an error with a known position.
func PlacedProblem(at tomltext.Extent, code problem.Code, message string) *Problem {
	return &Problem{Error: problem.Error{Severity: problem.SeverityError, Code: code, Message: message}, Extent: at, Located: true}
}

// isBroken reports whether a table has a syntax error.
func (t Table) isBroken() bool { return len(t.Report.Broken) > 0 && t.Report.Broken[t.Key("")] }

// Indexed returns the path of an element of an array, such as sphere[3].
func Indexed(table string, i int) string { return table + "[" + strconv.Itoa(i) + "]" }
