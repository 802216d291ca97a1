package scene

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/internal/tomltext"
)

// report collects the problems of a file.
type report struct {
	file     string // for messages
	text     []byte
	readable []byte // the text with invalid TOML replaced by spaces
	problems []*problem
	errors   int             // number of problems that are errors
	typos    map[string]bool // known keys that were suggested for unknown ones
	speller  *speller        // shared by all files of a scene

	huge       *problem        // error about a number too large to be represented, or nil
	broken     map[string]bool // tables with syntax errors, by their paths
	lacksNames bool            // a syntax error may hide the name of a part or material
}

// problem is an Error whose position is determined later, when all problems are known.
type problem struct {
	Error
	table   string          // the path of the table that holds the key
	atKey   bool            // whether the position is that of the key, not of its value
	spelled bool            // whether to set Value to the text of the file at the position
	located bool            // whether extent is set
	extent  tomltext.Extent // the position
}

// table is a table of the file while it is being read: the path that its keys have in common, and the
// report for its problems.
type table struct {
	report *report
	name   string // empty for the whole file
	index  int    // index within an array of tables, otherwise -1
	errors int    // number of errors in the report before the table was read
}

func (r *report) table(name string) table { return r.element(name, -1) }

func (r *report) element(name string, index int) table { return table{r, name, index, r.errors} }

// valid reports whether the table has no errors so far.
func (t table) valid() bool { return t.report.errors == t.errors }

// key returns the full path of a key of the table or, for "", the path of the table itself.
func (t table) key(key string) string {
	path := t.name
	if t.index >= 0 {
		path += "[" + strconv.Itoa(t.index) + "]"
	}
	if path != "" && key != "" {
		path += "."
	}
	return path + key
}

// add appends a problem with a key of the table, or with the table itself if key is "".
func (t table) add(key string, s Severity, code Code, format string, args []any) *problem {
	p := &problem{
		Error: Error{Key: t.key(key), Severity: s, Code: code, Message: fmt.Sprintf(format, args...)},
		table: t.key(""),
	}
	if t.isBroken() {
		t.report.errors++ // the syntax error is reported already
		return p
	}
	t.report.add(p)
	return p
}

// add appends a problem.
func (r *report) add(p *problem) {
	r.problems = append(r.problems, p)
	if p.Severity == SeverityError {
		r.errors++
	}
}

// wrong reports an invalid value.
func (t table) wrong(key string, code Code, format string, args ...any) *problem {
	p := t.add(key, SeverityError, code, format, args)
	p.spelled = true
	return p
}

// wrongKey reports a key that is not allowed.
func (t table) wrongKey(key string, code Code, format string, args ...any) *problem {
	p := t.add(key, SeverityError, code, format, args)
	p.atKey = true
	return p
}

// missing reports a missing key. If key is "", it reports another problem of the table. The position is that of the
// table. It reports nothing if the key was suggested for an unknown key of the table.
func (t table) missing(key string, code Code, format string, args ...any) {
	if !t.report.typos[t.key(key)] {
		t.add(key, SeverityError, code, format, args)
	}
}

// warn adds a warning: something that can be rendered but is probably a mistake.
func (t table) warn(key string, code Code, format string, args ...any) *problem {
	return t.add(key, SeverityWarning, code, format, args)
}

// unknown reports an unknown key of a table with the given values and known keys.
func (t table) unknown(key string, values map[string]any, known []string) {
	p := t.wrongKey(tomltext.QuoteKey(key), CodeUnknownKey, "unknown key")
	isBeside := func(word string) bool {
		// In any order: one equal key is enough.
		for k := range values {
			if plainWord(k) == word {
				return true
			}
		}
		return false
	}
	if where := keyHome(t, key); where != "" {
		p.Message += where
	} else if y, ok := t.report.speller.keySynonym(key, known, isBeside); ok {
		y.explain(&p.Error)
	} else if t.report.speller.suggest(&p.Error, key, known) == "" {
		p.Message += ", want one of " + strings.Join(known, ", ")
	}
	if p.Suggestion == "" {
		return
	}
	if t.report.typos == nil {
		t.report.typos = make(map[string]bool)
	}
	t.report.typos[t.key(p.Suggestion)] = true
}

// keyHome says where an unknown key of a table belongs, if it is a key of the whole file or if it stands before the
// first header and is a key of a table of settings. Otherwise it returns "". In TOML, a key below a header belongs to
// the header's table, whatever blank lines are between them.
func keyHome(t table, key string) string {
	if key == "include" || key == "format" {
		return ": it belongs before the first [table] of the file"
	}
	if t.key("") != "" {
		return ""
	}
	homes := []struct {
		table string
		keys  []string
	}{
		{"image", imageKeys().names()},
		{"camera", cameraKeys().names()},
		{"shading", shadingKeys().names()},
		{"animation", animationKeys().names()},
		{"overlaps", overlapsKeys().names()},
	}
	for _, h := range homes {
		if slices.Contains(h.keys, key) {
			return ": it belongs in the table [" + h.table + "]"
		}
	}
	return ""
}

// The method got sets the value that the message shows, in place of the text of the file at the position.
func (p *problem) got(format string, args ...any) {
	p.Value, p.spelled = fmt.Sprintf(format, args...), false
}

// list returns the elements of an array of tables, and reports an error if v is anything else.
func (r *report) list(key string, v any) []any {
	list, ok := tablesOf(v)
	if !ok {
		r.table("").wrong(key, CodeWrongType, "must be an array of tables, each written [[%s]]", key)
	}
	return list
}

// tablesOf returns the elements of an array of tables, none for nil. It returns false if v is anything else.
func tablesOf(v any) (list []any, ok bool) {
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

// located returns the problems with their positions, sorted by position.
func (r *report) located() Errors {
	if len(r.problems) == 0 {
		return nil
	}
	paths := make([]string, 0, 2*len(r.problems))
	for _, p := range r.problems {
		paths = append(paths, p.Key, p.table)
	}
	places := tomltext.Locate(r.readable, paths)
	for _, p := range r.problems {
		if !p.located {
			p.setExtent(r.text, places)
		}
	}
	slices.SortStableFunc(r.problems, func(p, q *problem) int { return cmp.Compare(p.extent.Start, q.extent.Start) })
	return withPositions(r.file, r.text, r.problems)
}

// setExtent sets the problem's extent to that of its key or value, if these are in the file, and otherwise to that of
// its table.
func (p *problem) setExtent(text []byte, places map[string]tomltext.Location) {
	at := places[p.Key]
	switch {
	case at.Found && p.atKey:
		p.extent = at.Key
	case at.Found:
		p.extent = at.Value
	default:
		p.extent = places[p.table].Value
	}
	if p.spelled && at.Found {
		written := text[p.extent.Start:p.extent.End]
		p.Value, p.Message = excerpt(written), orUnrepresentable(p.Code, p.Message, written)
	}
}

// orUnrepresentable returns the message about a number that is out of range. If the number, written as in the file, reads
// as zero or as infinite although it is neither, the message says so.
func orUnrepresentable(code Code, message string, written []byte) string {
	const longest = 4096 // bytes; another value may have megabytes
	if code != CodeOutOfRange && code != CodeNotFinite || len(written) > longest {
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
