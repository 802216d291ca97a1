package tomltext

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Recovery is what [Recover] could read of a file that is not TOML.
type Recovery struct {
	Root   map[string]any  // the values of the tables without syntax errors; nil if none exist
	Text   []byte          // the file's [Text] with spaces in place of what could not be read
	Broken map[string]bool // paths of tables with a syntax error, of which Root has the header alone
	Lost   []string        // lines of what Root lacks besides: keys before the first header, and headers
	Errors []*SyntaxError  // at least one, sorted
}

// maxSyntaxErrors is how many tables with syntax errors are reported. What comes behind is not read.
const maxSyntaxErrors = 100

// maxRecovered bounds the bytes that are decoded again for errors that concern several tables, such as
// a table that another one makes impossible.
const maxRecovered = 1 << 26

// Recover reads a file that [Parse] refuses. It cuts the text before every line that looks like the
// header of a table, and decodes each of these sections alone. A section that is not TOML counts as a
// table without keys, and gives one error; all other tables keep their places and indices. Before the first
// header every line with an error is left out, and gives one. The arrays are paths of arrays of tables, such as
// sphere or part.*.sphere, for headers that lack a pair of brackets.
//
// In multi-line strings and arrays a line may look like a header. It does no harm as long as the string
// or array itself has no syntax error.
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
	text     []byte // in which broken sections are blank
	arrays   []string
	sections []section
}

// section is a header and what stands below it, or what stands before the first header.
type section struct {
	Extent
	header string // as it should be; empty if none exists, or it cannot be guessed
	broken bool
	again  bool // another section has the same header
}

// headerLine matches lines that look like a header. If a line in an array begins with a bracket, a digit, a quote or
// another bracket follows.
var headerLine = regexp.MustCompile(`(?m)^[ \t]*\[{1,2}[ \t]*[A-Za-z_]`)

// arrayLine matches elements of arrays that headerLine takes for headers.
var arrayLine = regexp.MustCompile(`^[ \t]*\[{1,2}[ \t]*(true|false|inf|nan)\b`)

// cut fills the sections, and reports those that are not TOML.
func (r *recovery) cut() {
	starts := []int{0}
	for _, at := range headerLine.FindAllIndex(r.text, -1) {
		if at[0] > 0 && !arrayLine.Match(r.text[at[0]:]) {
			starts = append(starts, at[0])
		}
	}
	starts = append(starts, len(r.text))
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

// whole returns how many of the pieces that begin at the given places make a section that is TOML: more
// than one if a string or an array has lines that look like headers. The error is that of the first.
func (r *recovery) whole(starts []int) (n int, err *SyntaxError) {
	const most = 8
	for n := 1; n <= most && n < len(starts); n++ {
		wrong := r.decodable(starts[0], starts[n])
		if wrong == nil {
			return n, nil
		}
		err = cmp.Or(err, wrong)
		// Only what has no end yet can go on behind a header.
		if !unfinished(r.text[starts[0]:starts[n]]) {
			break
		}
	}
	return 0, err
}

// decodable returns why a piece of the text is not TOML, or nil. If only numbers are too large, it
// replaces them.
func (r *recovery) decodable(start, end int) *SyntaxError {
	piece := r.text[start:end]
	if err := Valid(piece); err != nil {
		return err.(*SyntaxError)
	}
	if i, deep := tooDeep(piece); deep {
		return tooDeepError(i)
	}
	if bytes.HasPrefix(piece, []byte("\uFEFF")) {
		return &SyntaxError{Extent{0, 3}, "a second byte order mark: remove it"}
	}
	_, err := decode(piece)
	if err == nil {
		return nil
	}
	if replaced, ok := replaceHuge(piece); ok {
		if _, worse := decode(replaced); worse == nil {
			copy(piece, replaced)
			return nil
		}
	}
	var e *SyntaxError
	errors.As(err, &e)
	return e
}

// withoutLines blanks every line of a section that has an error, and reports whether the section is then TOML. It
// reports the errors behind the last one, too. That is tried before the first header only, where keys do not belong
// together.
func (r *recovery) withoutLines(e Extent) bool {
	if r.isTable(e) {
		return false
	}
	piece := r.text[e.Start:e.End]
	before, reported := bytes.Clone(piece), len(r.Errors)
	var lost []string
	for budget := maxRecovered; budget >= 0 && len(r.Errors) <= maxSyntaxErrors; budget -= max(1, len(piece)) {
		at := r.Errors[len(r.Errors)-1].Start
		start := bytes.LastIndexByte(r.text[e.Start:at], '\n') + 1 + e.Start
		end := min(e.End, lineEnd(r.text, min(at, len(r.text)-1))+1)
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
			break // the lines depend on each other, or are none
		}
		r.Errors = append(r.Errors, next)
	}
	copy(piece, before)
	r.Errors = r.Errors[:reported]
	return false
}

// spaces overwrites all of a text but its ends of lines.
func spaces(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

// unfinished reports whether a string or a bracket in the text has no end.
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

// giveUp leaves out all from an offset on.
func (r *recovery) giveUp(start int) {
	last := r.Errors[len(r.Errors)-1]
	last.Message += " (the rest of the file was not read: too many tables have syntax errors)"
	r.Lost = append(r.Lost, "[")
	r.sections = append(r.sections, section{Extent: Extent{start, len(r.text)}, broken: true})
}

// isTable reports whether a section begins with a header, or what looks like one.
func (r *recovery) isTable(e Extent) bool {
	return bytes.HasPrefix(bytes.TrimLeft(r.text[e.Start:e.End], " \t"), []byte("["))
}

// headerOf returns the header at the beginning of a section, repaired if need be, and "" if there is
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

// checkHeaders reports tables that are repeated, and arrays of tables that lack brackets.
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

// isNamed reports whether the path is one of the arrays.
func (r *recovery) isNamed(path string) bool {
	return slices.ContainsFunc(r.arrays, func(pattern string) bool {
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

// fail reports a section by its header.
func (r *recovery) fail(s *section, message string) {
	line := firstLine(string(r.original[s.Start:s.End]))
	start := s.Start + len(line) - len(strings.TrimLeft(line, " \t"))
	r.Errors = append(r.Errors, &SyntaxError{Extent{start, start + len(strings.TrimSpace(line))}, message})
	s.broken = true
}

// blank overwrites a broken section with its header, if it is known, and spaces.
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

// decode decodes what is left. Sections that are TOML each may not be so together.
func (r *recovery) decode() {
	for budget := max(maxRecovered, len(r.text)); budget >= len(r.text); budget -= max(1, len(r.text)) {
		root, ok := decodeChunks(r.text, r.arrays, chunkSize)
		if ok {
			r.Root = root
			return
		}
		root, err := decode(r.text)
		if err == nil {
			r.Root = root
			return
		}
		var e *SyntaxError
		errors.As(err, &e)
		i := slices.IndexFunc(r.sections, func(s section) bool { return s.Start <= e.Start && e.Start < s.End && !s.broken })
		if i < 0 || len(r.Errors) >= maxSyntaxErrors {
			break
		}
		s := &r.sections[i]
		s.broken, s.header = true, ""
		r.blank(s)
		r.Errors = append(r.Errors, e)
	}
	r.Lost = append(r.Lost, "[")
}

// locate notes the paths of broken tables.
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

// pathOf returns the path of a header as written there, without indices.
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

// cutLast cuts the index from a path of an element.
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
