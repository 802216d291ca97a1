package tomltext

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"

	"pillbox/internal/text"
)

// maxLine is a length in bytes. Mistakes are not searched for in lines of this length or more.
const maxLine = 1 << 9

// maxPairs is the number of first fixes that are combined with a second fix.
const maxPairs = 8

// fixed is a line after fixing a mistake, and the mistake.
type fixed struct{ line, why string }

// mistake is a common mistake and its fix.
type mistake struct {
	why   string
	wrong *regexp.Regexp
	right string // replacement for [regexp.Regexp.ReplaceAllString]
}

// mistakes returns the mistakes in the order in which they are tried on a line without its comment. A fix counts if the
// result is TOML.
var mistakes = sync.OnceValue(func() []mistake {
	return []mistake{
		{"put each key on its own line", regexp.MustCompile(`^(.*?\S)[\s;,]+([\w.-]+\s*=.*)$`), "$1\n$2"},
		{"remove the comma", regexp.MustCompile(`^(.*\S)\s*,+\s*$`), "$1"},
		{"remove the semicolon", regexp.MustCompile(`^(.*\S)\s*;+\s*$`), "$1"},
		{"comments begin with #", regexp.MustCompile(`^(\s*)(?://+|/\*+|;+|--+|%+)\s*(.*)$`), "$1# $2"},
		{"comments begin with #", regexp.MustCompile(`^(.*\S)\s*(?://|/\*|;|--)\s*(.*)$`), "$1 # $2"},
		{"use a decimal point, not a comma", regexp.MustCompile(`^([^=]*=\s*[+-]?\d+),(\d+)\s*$`), "$1.$2"},
		{"put = between the key and its value", regexp.MustCompile(`^(\s*[\w.-]+)\s*(?::=|=>|==+|->|:)\s*(.*)$`), "$1 = $2"},
		{"put = between the key and its value", regexp.MustCompile(`^(\s*[\w.-]+)\s+([^=\s].*)$`), "$1 = $2"},
		{"true and false must be lower case", regexp.MustCompile(`\bT(?:rue|RUE)\b`), "true"},
		{"true and false must be lower case", regexp.MustCompile(`\bF(?:alse|ALSE)\b`), "false"},
		{"use true or false", regexp.MustCompile(`=\s*(?i:yes|on)$`), "= true"},
		{"use true or false", regexp.MustCompile(`=\s*(?i:no|off)$`), "= false"},
		{"use straight quotes", regexp.MustCompile("[“”„‟«»″]"), `"`},
		{"use straight quotes", regexp.MustCompile("[‘’‚‛′`´]"), `'`},
		{"unbalanced brackets in the header", regexp.MustCompile(`^(\s*\[\[[^\[\]]*?)\s*\]?$`), "$1]]"},
		{"unbalanced brackets in the header", regexp.MustCompile(`^(\s*\[[^\[\]]*?)\s*(?:\]\]+)?$`), "$1]"},
		{"put keys on their own lines below the header", regexp.MustCompile(`^(\s*\[[^\]]*\]+)\s*(.*)$`), "$1\n$2"},
		{"nothing may follow a header on its line", regexp.MustCompile(`^(\s*\[[^\]]*\]+)\s*.*$`), "$1"},
		{"names with spaces need quotes", regexp.MustCompile(`^(\s*\[+[\w.]*\.)\s*([^"'.\]]+?)\s*(\]+)$`), `$1"$2"$3`},
		{"unclosed string", regexp.MustCompile(`^([^=]*=\s*)'([^'"]*)"?$`), `$1"$2"`},
		{"unclosed string", regexp.MustCompile(`^([^=]*=\s*)"([^'"]*)'?$`), `$1"$2"`},
		{"unclosed string", regexp.MustCompile(`^([^=]*=\s*)([^'"]*)["']$`), `$1"$2"`},
		{"unclosed string", regexp.MustCompile(`^(.*["'])([^"']*?)([\]}]+)$`), `$1$2"$3`},
		{"arrays use square brackets", regexp.MustCompile(`^([^=]*=\s*)[({<](.*)[)}>]$`), "$1[$2]"},
		{"arrays need square brackets and commas", regexp.MustCompile(`^([^=]*=\s*)([^\s,\[\]]+)[\s,]+([^\s,\[\]]+)[\s,]+([^\s,\[\]]+)$`), "$1[$2, $3, $4]"},
		{"arrays need square brackets and commas", regexp.MustCompile(`^([^=]*=\s*\[?)\s*([^\s,\[\]]+)[\s,;]+([^\s,\[\]]+)[\s,;]+([^\s,\[\]]+?)\s*\]$`), "$1$2, $3, $4]"},
		{"array elements must be separated by commas", regexp.MustCompile(`(["'\w\]])\s+(["'\w\[.+-])`), "$1, $2"},
		{"numbers need a digit before the decimal point", regexp.MustCompile(`([=\[,+\s-])\.(\d)`), "${1}0.$2"},
		{"numbers need a digit after the decimal point", regexp.MustCompile(`(\d)\.([eE,\]}\s]|$)`), "$1.0$2"},
		{"numbers must not have leading zeros", regexp.MustCompile(`([=\[,\s][+-]?)0+(\d)`), "$1$2"},
		{"numbers must not have a unit", regexp.MustCompile(`^([^=]*=\s*[+-]?\d[\d.]*)\s*(?:deg|degrees|rad|°|px|%|mm|cm|m|km|in|ft|f|d|s|ms)$`), "$1"},
		{"numbers must not have two signs", regexp.MustCompile(`([=\[,\s])\+?-+\+?(\d)`), "$1-$2"},
		{"a string needs quotes", regexp.MustCompile(`^([^=]*=\s*)([^"'\[\]{}#=,\d\s+.-][^"'\[\]{}#=,]*)$`), `$1"$2"`},
		{"a string needs quotes", regexp.MustCompile(`([=\[,]\s*)([A-Za-z_][\w -]*?)(\s*(?:[,\]}]|$))`), `$1"$2"$3`},
		{"put / between folders, not \\", regexp.MustCompile(`^(.*["'][^"'\\]*)\\+([^"'\\]*\.\w+["'].*)$`), "$1/$2"},
		{"put / between folders, not \\", regexp.MustCompile(`^(.*["'][^"'\\]*)\\+([^"'\\]*)\\+([^"'\\]*\.\w+["'].*)$`), "$1/$2/$3"},
		{"backslashes in strings must be doubled", regexp.MustCompile(`\\`), `\\`},
		{"keys must not contain spaces", regexp.MustCompile(`^(\s*\w+)\s+(\w+)(\s*=.*)$`), "${1}_$2$3"},
		{"keys must not contain spaces", regexp.MustCompile(`^(\s*\w+)\s+(\w+)\s+(\w+)(\s*=.*)$`), "${1}_${2}_$3$4"},
		{"only a comment may follow a value", regexp.MustCompile(`^([^=]*=\s*(?:"[^"]*"|'[^']*'|[^\s"'\[\]{}#,]+))\s+[^\s=].*$`), "$1"},
		{"a key with characters other than A-Z, a-z, 0-9, _ and - needs quotes", regexp.MustCompile(`^(\s*)([\w -]*[^\w\s."'=\[\]{}()<>#-][^"'=\[\]{}()<>]*?)(\s*=.*)$`), `$1"$2"$3`},
		{"a string that contains ' needs double quotes", regexp.MustCompile(`^([^=]*=\s*)'([^"\\]*[^"\\,\s]'[^"\\,\]][^"\\]*)'$`), `$1"$2"`},
		{`a string that contains " needs single quotes`, regexp.MustCompile(`^([^=]*=\s*)"([^"'\\](?:[^'\\]*[^'\\,\s])?"[^'\\,\]][^'\\]*)"$`), `$1'$2'`},
		{"extra comma", regexp.MustCompile(`([\[,])\s*,+`), "$1"},
	}
})

// unquotedColor matches colors without quotes, such as #fff4e0, which TOML reads as comments.
var unquotedColor = text.Pattern(`([=,\[:]\s*)#([0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})\b`)

// repair returns a fixed line for a line that is not TOML. It adds quotes to all colors without quotes, and then fixes
// as few other mistakes as possible, at most two. It returns false if it finds no fix.
func repair(line string) (f fixed, ok bool) {
	if len(line) >= maxLine {
		return fixed{}, false
	}
	if better := unquotedColor().ReplaceAllString(line, `$1"#$2"`); better != line {
		f := fixed{better, "a color needs quotes"}
		if isTOML(better) {
			return f, true
		}
		line = better
	}
	code, comment := cutComment(line)
	all := fixes(code)
	for _, f := range all {
		if isTOML(f.line + comment) {
			return f, true
		}
	}
	all = all[:min(len(all), maxPairs)]
	for _, f := range all {
		for _, g := range fixes(f.line) {
			if isTOML(g.line + comment) {
				return fixed{g.line, f.why}, true
			}
		}
	}
	return fixed{}, false
}

// fixes returns, for each possible fix, the line after this fix.
func fixes(code string) (all []fixed) {
	for _, m := range mistakes() {
		if line := m.wrong.ReplaceAllString(code, m.right); line != code && strings.TrimSpace(line) != "" {
			all = append(all, fixed{line, m.why})
		}
	}
	if line, ok := closed(code); ok {
		all = append(all, fixed{line, "unclosed bracket"})
	}
	if line := strings.TrimRight(code, "]})"); line != code && strings.TrimSpace(line) != "" {
		for rest := code; rest != line; {
			rest = rest[:len(rest)-1]
			all = append(all, fixed{rest, "unmatched closing bracket"})
		}
	}
	return all
}

// closed returns a line with the missing closing brackets added at its end. It returns false for a line that ends with
// a comma or an opening bracket, because such a value continues in the next line.
func closed(code string) (string, bool) {
	var missing []byte
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"', '\'':
			i = stringEnd([]byte(code), i)
		case '[':
			missing = append(missing, ']')
		case '{':
			missing = append(missing, '}')
		case ']', '}':
			if len(missing) > 0 {
				missing = missing[:len(missing)-1]
			}
		}
	}
	if len(missing) == 0 || strings.HasSuffix(code, ",") || strings.HasSuffix(code, "[") || strings.HasSuffix(code, "{") {
		return code, false
	}
	for i := len(missing) - 1; i >= 0; i-- {
		code += string(missing[i])
	}
	return code, true
}

// cutComment splits a line into its code and its comment. The whitespace before the comment belongs to the comment.
func cutComment(line string) (code, comment string) {
	end := len(line)
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"', '\'':
			i = stringEnd([]byte(line), i)
		case '#':
			end = i
			i = len(line)
		}
	}
	code = strings.TrimRight(line[:end], " \t")
	return code, line[len(code):]
}

// isTOML reports whether a line is TOML by itself. The line must be short, because isTOML decodes it.
func isTOML(line string) bool {
	if _, deep := tooDeep([]byte(line)); deep {
		return false
	}
	_, wrong := decode([]byte(line))
	return wrong == nil
}

// diagnose returns the error in a section that is not TOML, with advice how to fix it. If no common mistake explains
// the error, it returns err, which is the decoder's error with a position in the section.
func diagnose(file []byte, section Extent, err *SyntaxError) *SyntaxError {
	piece := file[section.Start:section.End]
	at := min(err.Start, len(piece))
	if e := cmp.Or(wrongByte(piece, at), err); e != err || err.final {
		e.shift(section.Start)
		return e.namingFirst(file)
	}
	start := failing(piece, at)
	line := firstLine(string(piece[start:]))
	offset := section.Start + start
	e := explain(line)
	switch {
	case e != nil:
		e.shift(offset)
	case blockStringEnd().MatchString(err.Message):
		e = syntax(Extent{offset, section.End}, "unclosed string: end it with the three quotes that begin it")
	default:
		e = syntax(Extent{section.Start + at, min(section.Start+err.End, section.End)}, "%s", err.Message)
	}
	e.Extent = wholeCharacters(file, Extent{e.Start, max(e.Start, e.End)})
	return e
}

// explain returns the error in a line, with its extent in the line. It returns nil if it recognizes no mistake.
func explain(line string) *SyntaxError {
	code, _ := cutComment(line)
	trimmed := strings.TrimSpace(code)
	start := strings.Index(code, trimmed)
	all := Extent{start, len(code)}
	if word := noNumber().FindString(trimmed); word != "" {
		start := len(code) - len(word)
		return syntax(Extent{start, len(code)}, "TOML has no value %s: write a number, or remove the key", word)
	}
	if arithmetic().MatchString(trimmed) {
		return syntax(all, "TOML has no arithmetic: write the result")
	}
	if f, ok := repair(line); ok {
		fix, more := f.line, false
		fix, _, more = strings.Cut(fix, "\n")
		if fix, _ = cutComment(fix); more {
			return syntax(difference(line, fix), "%s: write `%s` and the rest on the next line", f.why, shorten(strings.TrimSpace(fix)))
		}
		return syntax(difference(line, f.line), "%s: write `%s`", f.why, shorten(strings.TrimSpace(orComment(fix, f.line))))
	}
	switch {
	case bareKey().MatchString(trimmed):
		return syntax(all, "a key needs = and a value: write `%s = ...`", shorten(trimmed))
	case noValue().MatchString(trimmed):
		return syntax(Extent{len(code), len(code)}, "the value is missing: write `%s ...`", shorten(trimmed))
	case strings.HasPrefix(trimmed, "="):
		return syntax(Extent{start, start + 1}, "the key before = is missing")
	case trimmed != "" && strings.Trim(trimmed, "]}),; ") == "", closingValue().MatchString(trimmed):
		return syntax(all, "unmatched closing bracket")
	case unclosedKey().MatchString(trimmed):
		return syntax(all, "unclosed string: a key has two quotes or none")
	case noLine().MatchString(trimmed):
		return syntax(all, "a line must be `key = value`, a [header] or a # comment")
	}
	return nil
}

// orComment returns the part of a fixed line to show in a message: fix, which is the line without its comment, or the
// whole line if it consists only of a comment.
func orComment(fix, line string) string {
	if strings.TrimSpace(fix) == "" {
		return line
	}
	return fix
}

var (
	bareKey = text.Pattern(`^[\w-]+(\s*\.\s*[\w-]+)*$`)
	noValue = text.Pattern(`^[^=]*=$`)

	blockStringEnd = text.Pattern(`^unexpected EOF; expected (?:'"""'|"'''"|'''''.*)$`) // the decoder's message

	closingValue = text.Pattern(`^[^=]*=\s*[\]})]+$`)
	unclosedKey  = text.Pattern(`^(?:"[^"]*|'[^']*)$`)
	noLine       = text.Pattern(`^[^\w"'\[-]|^[^=\[]*$`)
	arithmetic   = text.Pattern(`^[^"']*[=\[,]\s*[+-]?[\d.]+(?:\s*[*/^]\s*|\s*\+\s*|\s+-\s+)\(?[\d.]+\)?\s*(?:[,\]]|$)`)

	noNumber = text.Pattern(`\b(?:NaN|NAN|Inf|INF|[Ii]nfinity|null|NULL|None|nil|undefined)$`)
)

// difference returns the extent of the part of a line that a fix replaces. It is empty if the fix only
// inserts text.
func difference(line, fix string) Extent {
	code, _ := cutComment(line)
	if strings.HasPrefix(fix[min(len(fix), len(code)):], `"#`) || len(fix) > len(code) && unquotedColor().MatchString(line) {
		code = line
	}
	start, end := 0, 0
	for start < min(len(code), len(fix)) && code[start] == fix[start] {
		start++
	}
	for end < min(len(code), len(fix))-start && code[len(code)-1-end] == fix[len(fix)-1-end] {
		end++
	}
	return Extent{start, len(code) - end}
}

// failing returns the offset of the line in which the error of a section begins. This is the line of the first text
// that belongs to no valid expression. If there is no such text, it is the line that contains the offset at, where the
// decoder stopped.
func failing(piece []byte, at int) int {
	var p unstable.Parser
	p.Reset(piece)
	end := 0
	for p.NextExpression() {
		switch n := p.Expression(); n.Kind {
		case unstable.KeyValue:
			end = rawExtent(n).End
		default:
			w := walker{text: piece}
			end = w.header(n).End
		}
	}
	if p.Error() == nil {
		end = at // the decoder is stricter, so its position is better
		return bytes.LastIndexByte(piece[:end], '\n') + 1
	}
	for {
		rest := bytes.TrimLeft(piece[end:], " \t\r")
		switch {
		case len(rest) == 0:
			return bytes.LastIndexByte(piece[:min(at, len(piece))], '\n') + 1
		case rest[0] == '\n':
			end = len(piece) - len(rest) + 1
		case rest[0] == '#':
			end = len(piece) - len(rest) + max(1, bytes.IndexByte(rest, '\n'))
			if !bytes.Contains(rest, []byte("\n")) {
				end = len(piece)
			}
		default:
			return bytes.LastIndexByte(piece[:len(piece)-len(rest)], '\n') + 1
		}
	}
}

// LoneReturn is the message about a carriage return that does not belong to a line break.
const LoneReturn = "a carriage return without a line feed: end lines with LF or CR LF"

// wrongByte finds a byte that is not allowed in TOML, on the line of the decoder's position or before. It
// returns nil if there is none.
func wrongByte(piece []byte, at int) *SyntaxError {
	end := lineEnd(piece, min(at, max(0, len(piece)-1)))
	for i := 0; i < min(end+1, len(piece)); {
		c, size := utf8.DecodeRune(piece[i:])
		switch {
		case c == utf8.RuneError && size == 1:
			return syntax(Extent{i, i + 1}, "invalid UTF-8 byte 0x%02x: save the file as UTF-8", piece[i])
		case c == 0:
			return syntax(Extent{i, i + 1}, "a NUL byte: save the file as UTF-8, not as UTF-16")
		case c == 0xFEFF && i == 0:
			return syntax(Extent{i, i + size}, "a second byte order mark: remove it")
		case c == '\r' && !bytes.HasPrefix(piece[i+1:], []byte("\n")):
			return syntax(Extent{i, i + 1}, LoneReturn)
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f:
			return syntax(Extent{i, i + 1}, "a control character, U+%04X: remove it", c)
		}
		i += size
	}
	return nil
}

// shorten returns s as one short, printable line.
func shorten(s string) string {
	s = text.Shorten(strings.Join(strings.Fields(s), " "))
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}
