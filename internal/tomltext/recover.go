package tomltext

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"

	"pillbox/internal/text"
)

// Recovery is the result of [Recover]: the readable parts of a file that is not TOML, and its errors.
type Recovery struct {
	Root   map[string]any  // values of the tables without syntax errors; nil if they could not be decoded
	Text   []byte          // the file's [Text], with spaces in place of unreadable parts
	Broken map[string]bool // paths of tables with a syntax error; these are empty in Root
	Lost   []string        // other lines that are missing in Root: headers, and keys before the first header
	Errors []*SyntaxError  // at least one, sorted
}

// maxSyntaxErrors is the number of syntax errors after which Recover stops reading.
const maxSyntaxErrors = 100

// maxRecovered limits the number of bytes that are decoded again after errors that involve several
// tables, such as conflicting headers.
const maxRecovered = 1 << 26

// Recover reads a file with syntax errors. It divides the text into sections, before every line that looks like a
// header, and decodes each section separately. A section that is not TOML becomes a table without keys, with one error.
// All other tables keep their positions and indices. Before the first header, each invalid line is skipped, with one
// error. After 100 errors, Recover ignores the rest of the file. arrays lists the paths of arrays of tables, such as
// sphere or part.*.sphere; Recover uses it to detect headers with too few brackets.
//
// A line of a multi-line string or array may look like a header. Recover accepts up to seven such lines in a table, if
// the strings and arrays have no syntax errors themselves.
func Recover(data []byte, arrays ...string) Recovery {
	text := WithoutMark(data)
	r := recovery{original: text, text: bytes.Clone(text), arrays: arrays, Recovery: Recovery{Broken: make(map[string]bool)}}
	r.cut()
	r.checkHeaders()
	for i := range r.sections {
		r.blank(&r.sections[i])
	}
	r.decode()
	r.locate()
	r.Text = r.text
	slices.SortStableFunc(r.Errors, func(a, b *SyntaxError) int { return cmp.Compare(a.Start, b.Start) })
	return r.Recovery
}

type recovery struct {
	Recovery
	original []byte
	text     []byte // the text in which broken sections are replaced by spaces
	arrays   []string
	sections []section
}

// section is a header with the text below it, or the text before the first header.
type section struct {
	Extent
	header string // the header, repaired if necessary; empty if the section has no header or it cannot be repaired
	broken bool
	again  bool // another section has the same header
}

// headerLine matches lines that look like a header: one or two brackets, followed either by a letter or an underscore,
// or by a quoted key and the rest of a complete header. Most lines of arrays that begin with a bracket do not look like
// this.
var headerLine = text.Pattern(`(?m)^[ \t]*\[{1,2}[ \t]*(?:[A-Za-z_]|` +
	`(?:"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[\w-]+))*[ \t]*\]{1,2}[ \t]*(?:#.*)?\r?$)`)

// arrayLine matches elements of arrays that headerLine would match.
var arrayLine = text.Pattern(`^[ \t]*\[{1,2}[ \t]*(true|false|inf|nan)\b`)

// LastHeader returns the offset of the last line that looks like a header, or 0 if there is none.
func LastHeader(text []byte) int {
	starts := headers(text)
	return starts[len(starts)-1]
}

// headers returns 0 and the offsets of the later lines that look like headers.
func headers(text []byte) []int {
	starts := []int{0}
	for _, at := range headerLine().FindAllIndex(text, -1) {
		if at[0] > 0 && !arrayLine().Match(text[at[0]:]) {
			starts = append(starts, at[0])
		}
	}
	return starts
}

// cut divides the text into sections, and reports those that are not TOML.
func (r *recovery) cut() {
	starts := append(headers(r.text), len(r.text))
	for i := 0; i+1 < len(starts); {
		if len(r.Errors) >= maxSyntaxErrors {
			r.giveUp(starts[i])
			return
		}
		s := section{Extent: Extent{starts[i], starts[i+1]}}
		n, err := r.whole(starts[i:])
		if err == nil {
			s.End = starts[i+n]
			i += n
		} else {
			r.Errors = append(r.Errors, diagnose(r.original, s.Extent, err))
			s.broken = !r.withoutLines(s.Extent)
			i++
		}
		s.header = r.headerOf(s.Extent)
		r.sections = append(r.sections, s)
	}
}

// whole returns the number of pieces of text, beginning at the given offsets, that together are a valid section. It is
// more than one if a string or an array has lines that look like headers. If no number of pieces is valid, whole
// returns the error of the first piece.
func (r *recovery) whole(starts []int) (n int, err *SyntaxError) {
	const most = 8
	for n := 1; n <= most && n < len(starts); n++ {
		wrong := r.decodable(starts[0], starts[n])
		if wrong == nil {
			return n, nil
		}
		err = cmp.Or(err, wrong)
		// Only an unfinished string or array can continue after a line that looks like a header.
		if !unfinished(r.text[starts[0]:starts[n]]) {
			break
		}
	}
	return 0, err
}

// decodable returns the syntax error of a piece of the text, or nil. If the only errors are numbers
// that are too large, it replaces these numbers.
func (r *recovery) decodable(start, end int) *SyntaxError {
	piece := r.text[start:end]
	if err := Valid(piece); err != nil {
		return err.(*SyntaxError)
	}
	if i, deep := tooDeep(piece); deep {
		return tooDeepError(i)
	}
	if bytes.HasPrefix(piece, []byte("\uFEFF")) {
		return syntax(Extent{0, 3}, "a second byte order mark: remove it")
	}
	_, wrong := decode(piece)
	if wrong == nil {
		return nil
	}
	if replaced, ok := replaceHuge(piece); ok {
		if _, worse := decode(replaced); worse == nil {
			copy(piece, replaced)
			return nil
		}
	}
	return wrong
}

// withoutLines replaces every invalid line of a section by spaces. It returns true if the section is TOML afterwards.
// Otherwise it undoes its changes and returns false. The section's first error must be the last of r.Errors;
// withoutLines appends the others. It works only before the first header, where keys are independent of each other.
func (r *recovery) withoutLines(e Extent) bool {
	if r.isTable(e) {
		return false
	}
	piece := r.text[e.Start:e.End]
	before, reported := bytes.Clone(piece), len(r.Errors)
	var lost []string
	for budget := maxRecovered; budget >= 0 && len(r.Errors) <= maxSyntaxErrors; budget -= max(1, len(piece)) {
		wrong := r.Errors[len(r.Errors)-1].Extent // more than a line if a block string is not closed
		start := bytes.LastIndexByte(r.text[e.Start:wrong.Start], '\n') + 1 + e.Start
		end := min(e.End, lineEnd(r.text, min(max(wrong.Start, wrong.End-1), len(r.text)-1))+1)
		if start >= end {
			break // the end of the section
		}
		lost = append(lost, string(r.text[start:end]))
		spaces(r.text[start:end])
		err := r.decodable(e.Start, e.End)
		if err == nil {
			r.Lost = append(r.Lost, lost...)
			return true
		}
		next := diagnose(r.text, e, err)
		if next.Start < end || !utf8.Valid(before) {
			break // the lines depend on each other, or the text is not UTF-8
		}
		r.Errors = append(r.Errors, next)
	}
	copy(piece, before)
	r.Errors = r.Errors[:reported]
	return false
}

// spaces overwrites a text with spaces, except for line breaks.
func spaces(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

// unfinished reports whether a string or a bracket in the text is not closed.
func unfinished(text []byte) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			long := bytes.HasPrefix(text[i:], []byte(`"""`)) || bytes.HasPrefix(text[i:], []byte("'''"))
			end := stringEnd(text, i)
			if long && (end < i+5 || !bytes.HasSuffix(text[:end+1], text[i:i+3])) {
				return true
			}
			i = end
		case '#':
			i = lineEnd(text, i)
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
	}
	return depth > 0
}

// giveUp drops the text after an offset.
func (r *recovery) giveUp(start int) {
	last := r.Errors[len(r.Errors)-1]
	last.Message += " (the rest of the file was not read: too many tables have syntax errors)"
	r.Lost = append(r.Lost, "[")
	r.sections = append(r.sections, section{Extent: Extent{start, len(r.text)}, broken: true})
}

// isTable reports whether a section begins with a bracket, as a header does.
func (r *recovery) isTable(e Extent) bool {
	return bytes.HasPrefix(bytes.TrimLeft(r.text[e.Start:e.End], " \t"), []byte("["))
}

// headerOf returns the header at the beginning of a section, repaired if necessary, or "" if there is
// none or it cannot be repaired.
func (r *recovery) headerOf(e Extent) string {
	if !r.isTable(e) {
		return ""
	}
	line := firstLine(string(r.text[e.Start:min(e.End, e.Start+maxLine)]))
	if isTOML(line) {
		return line
	}
	if f, ok := repair(line); ok {
		return firstLine(f.line)
	}
	return ""
}

// checkHeaders reports duplicate tables, and headers of arrays of tables with too few brackets.
func (r *recovery) checkHeaders() {
	first := make(map[string]int) // offsets of headers, by path
	seen := make(map[string]bool) // arrays
	for i, path := range r.paths() {
		s := &r.sections[i]
		switch {
		case s.header == "" || s.broken:
		case isArray(s.header):
			name, _, _ := cutLast(path)
			seen[name] = true
		case r.isNamed(pathOf(s.header)):
			name := pathOf(s.header)
			r.fail(s, fmt.Sprintf("%s is an array of tables: write `[[%s]]`", shorten(name), shorten(name)))
			s.header = "[[" + name + "]]"
		default:
			if at, again := first[path]; again {
				r.fail(s, fmt.Sprintf("the table [%s] appears twice, first on line %d", shorten(path), 1+bytes.Count(r.text[:at], []byte("\n"))))
				s.header, s.again = "", true
				continue
			}
			first[path] = s.Start
		}
	}
}

// isNamed reports whether the path matches one of the arrays.
func (r *recovery) isNamed(path string) bool {
	return slices.ContainsFunc(r.arrays, func(pattern string) bool {
		path := path
		for {
			star := strings.Index(pattern, "*")
			if star < 0 {
				return path == pattern
			}
			rest, ok := strings.CutPrefix(path, pattern[:star])
			if !ok {
				return false
			}
			pattern = pattern[star+1:]
			key := strings.IndexByte(rest, '.')
			if strings.HasPrefix(rest, `"`) {
				key = stringEnd([]byte(rest), 0) + 1
			}
			if key < 0 {
				return false
			}
			path = rest[key:]
		}
	})
}

// fail reports an error of a section at its header.
func (r *recovery) fail(s *section, message string) {
	line := firstLine(string(r.original[s.Start:s.End]))
	start := s.Start + len(line) - len(strings.TrimLeft(line, " \t"))
	r.Errors = append(r.Errors, syntax(Extent{start, start + len(strings.TrimSpace(line))}, "%s", message))
	s.broken = true
}

// blank overwrites a broken section with its repaired header, if there is one, and spaces.
func (r *recovery) blank(s *section) {
	if !s.broken {
		return
	}
	piece := r.text[s.Start:s.End]
	line := firstLine(string(piece))
	if !r.isTable(s.Extent) {
		line = string(piece)
	}
	spaces(piece)
	switch atEnd := s.End == len(r.text); {
	case s.again:
	case s.header == "":
		r.Lost = append(r.Lost, line)
	case len(s.header) < len(piece), len(s.header) == len(piece) && atEnd:
		copy(piece, s.header)
		if !atEnd {
			piece[len(piece)-1] = '\n'
		}
	default:
		s.header, r.Lost = "", append(r.Lost, line)
	}
}

// decode decodes all sections together. Even if each section is TOML by itself, together they may not
// be.
func (r *recovery) decode() {
	for budget := max(maxRecovered, len(r.text)); budget >= len(r.text); budget -= max(1, len(r.text)) {
		root, ok := decodeChunks(r.text, r.arrays, chunkSize)
		if ok {
			r.Root = root
			return
		}
		root, e := decode(r.text)
		if e == nil {
			r.Root = root
			return
		}
		i := slices.IndexFunc(r.sections, func(s section) bool { return s.Start <= e.Start && e.Start < s.End && !s.broken })
		if i < 0 || len(r.Errors) >= maxSyntaxErrors {
			break
		}
		s := &r.sections[i]
		s.broken, s.header = true, ""
		r.blank(s)
		r.Errors = append(r.Errors, e.namingFirst(r.text))
	}
	r.Lost = append(r.Lost, "[")
}

// locate records the paths of broken tables.
func (r *recovery) locate() {
	for i, path := range r.paths() {
		if s := &r.sections[i]; s.broken && path != "" {
			r.Broken[path] = true
		}
	}
}

// paths returns the path of each section's table, "" if it has no header.
func (r *recovery) paths() []string {
	all := make([]string, len(r.sections))
	w := walker{elements: make(map[string]int)}
	for i := range r.sections {
		if r.sections[i].header == "" {
			continue
		}
		w.text = []byte(r.sections[i].header)
		var p unstable.Parser
		p.Reset(w.text)
		if p.NextExpression() && p.Expression().Kind != unstable.KeyValue {
			w.expression(p.Expression())
			all[i] = string(w.path)
		}
	}
	return all
}

// pathOf returns the path in the header of a table, without indices, or "" for the header of an array.
func pathOf(header string) string {
	w := walker{text: []byte(header)}
	var p unstable.Parser
	p.Reset(w.text)
	if p.NextExpression() && p.Expression().Kind == unstable.Table {
		w.expression(p.Expression())
	}
	return string(w.path)
}

func isArray(header string) bool { return strings.HasPrefix(strings.TrimLeft(header, " \t"), "[[") }

// cutLast splits the path of an element, such as sphere[1], into the path of its array and the index. It returns false
// if the path has no index.
func cutLast(path string) (array, index string, ok bool) {
	i := strings.LastIndexByte(path, '[')
	if i < 0 {
		return path, "", false
	}
	return path[:i], path[i:], true
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r")
}
