package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"pillbox/internal/text"
)

// Screen is standard output or standard error together with the capabilities of its terminal.
type Screen struct {
	io.Writer
	Columns int  // the terminal's width in cells; 0 if this is not a terminal
	Rows    int  // the terminal's height; 0 if it is unknown
	Color   bool // the terminal supports colors and the user wants them
	ASCII   bool // the locale supports only ASCII characters
	Events  bool // progress is printed as lines of JSON, see [Event], for a program that reads them

	file   *os.File // the terminal; nil if the output is not a terminal, or in tests
	closed error    // why nothing can be written: the process started without this output
}

// Printf prints like [fmt.Printf], but escapes every argument that is a string, an error or a [fmt.Stringer], because
// names and contents of files may contain control characters. It does not escape [Fitted] text. Programs print all text
// for people with Printf. Line breaks must be in the format, because Printf escapes line breaks in arguments.
//
// If the output is closed, Printf prints nothing. Text for people is never the whole result of a command, as data is: the
// exit status or a file remains.
func (s *Screen) Printf(format string, args ...any) {
	if s.closed != nil {
		return
	}
	fit := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case Fitted:
			fit[i] = string(arg)
		case string:
			fit[i] = text.Escape(arg)
		case error:
			fit[i] = text.Escape(arg.Error())
		case fmt.Stringer:
			fit[i] = text.Escape(arg.String())
		default:
			fit[i] = arg
		}
	}
	fmt.Fprintf(s, format, fit...)
}

// FlowIndent is the indentation of lines that continue another one.
const FlowIndent = 4

// Flow returns text that starts in the given column, counted from 0. On a terminal it is wrapped between words.
func (s *Screen) Flow(column int, line string) Fitted { return s.FlowFrom(column, FlowIndent, line) }

// FlowFrom returns text that starts in the given column, like [Screen.Flow]. The parameter indent is the
// indentation of continuation lines.
func (s *Screen) FlowFrom(column, indent int, line string) Fitted {
	var b strings.Builder
	for i, word := range strings.Split(text.Escape(line), " ") {
		width := uniseg.StringWidth(word)
		switch {
		case i == 0:
		case s.IsTerminal() && column+1+width > s.Columns:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += width
	}
	return Fitted(b.String())
}

// Fitted is text that [Screen.Printf] prints without escaping it, because it is escaped already or contains escape
// sequences of the program.
type Fitted string

// Escape sequences.
const (
	Bold   = "\x1b[1m"
	Red    = "\x1b[1;31m"
	Yellow = "\x1b[1;33m"
	Cyan   = "\x1b[1;36m"
	Plain  = "\x1b[0m"
)

// Paint returns text in the given color if the screen has colors.
func (s *Screen) Paint(color, line string) Fitted {
	line = text.Escape(line)
	if !s.Color {
		return Fitted(line)
	}
	return Fitted(color + line + Plain)
}

// CheckOpen returns an error if the output is closed, so that all data written to it would be lost.
func (s *Screen) CheckOpen() error { return s.closed }

// IsTerminal reports whether the output goes to a terminal.
func (s *Screen) IsTerminal() bool { return s.Columns > 0 }

// usualColumns is the width assumed for a terminal that does not report its own, such as a serial line.
const usualColumns = 80

// ScreenOn returns the screen for a file.
func ScreenOn(f *os.File) Screen {
	if isClosed(f) {
		closed := closedFile{"standard output"}
		_, err := closed.Write(nil)
		return Screen{Writer: closed, closed: err}
	}
	s := Screen{Writer: f}
	if !term.IsTerminal(int(f.Fd())) {
		return s
	}
	s.file = f
	s.Color = wantsColor(os.Getenv)
	s.ASCII = !hasUTF8(os.Getenv)
	s.Measure()
	return s
}

// Measure updates the size of the terminal and reports whether it has changed.
func (s *Screen) Measure() (changed bool) {
	if s.file == nil {
		return false
	}
	width, height, err := term.GetSize(int(s.file.Fd()))
	if err != nil {
		width, height = 0, 0
	}
	was := *s
	s.Columns, s.Rows = cmp.Or(width, usualColumns), height
	return s.Columns != was.Columns || s.Rows != was.Rows
}

// hasUTF8 reports whether the locale uses UTF-8. As POSIX specifies, the first of the three variables with a value
// decides. If none has a value, Windows and macOS use UTF-8, and other systems do not.
func hasUTF8(getenv func(string) string) bool {
	locale := strings.ToLower(cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")))
	if locale == "" {
		return runtime.GOOS == "windows" || runtime.GOOS == "darwin"
	}
	return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
}

// wantsColor reports whether to print colors on a terminal, following no-color.org and TERM. On Windows, a console
// without TERM and WT_SESSION is an old one, which shows escape sequences as text.
func wantsColor(getenv func(string) string) bool {
	if getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		return false
	}
	return runtime.GOOS != "windows" || getenv("TERM") != "" || getenv("WT_SESSION") != ""
}

// Sticky is a writer that stores its first error and then writes nothing more. So a command can print line after line,
// and check for an error only at the end.
type Sticky struct {
	io.Writer
	Err error
}

func (s *Sticky) Write(p []byte) (int, error) {
	if s.Err != nil {
		return 0, s.Err
	}
	n, err := s.Writer.Write(p)
	s.Err = err
	return n, err
}
