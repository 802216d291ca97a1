package main

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

// A screen is standard output or standard error, and what it can show.
type screen struct {
	io.Writer
	columns int  // the terminal's width in cells; 0 if this is not a terminal
	color   bool // escape sequences for colors are understood and wanted
}

// printf prints as [fmt.Printf] does, with every text among the arguments made fit for a line: names
// of files, and what stands in them, may hold anything. All that is printed for people goes through
// here; only the format itself has line breaks.
func (s *screen) printf(format string, args ...any) {
	fit := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case fitted:
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

// flowIndent is how far lines are set in that continue another one.
const flowIndent = 4

// flow returns text that begins in the given column, from 0, and on a terminal goes on in the next
// line where a word would be cut in two.
func (s *screen) flow(column int, line string) fitted { return s.flowFrom(column, flowIndent, line) }

// flowFrom is flow for text whose further lines begin in the column indent.
func (s *screen) flowFrom(column, indent int, line string) fitted {
	var b strings.Builder
	for i, word := range strings.Split(text.Escape(line), " ") {
		width := uniseg.StringWidth(word)
		switch {
		case i == 0:
		case s.isTerminal() && column+1+width > s.columns:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += width
	}
	return fitted(b.String())
}

// fitted is text that is fit to be printed as it is, escape sequences of our own included.
type fitted string

// Escape sequences.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	plain  = "\x1b[0m"
)

// paint returns text in the given color, where the screen has colors.
func (s *screen) paint(color, line string) fitted {
	line = text.Escape(line)
	if !s.color {
		return fitted(line)
	}
	return fitted(color + line + plain)
}

func (s *screen) isTerminal() bool { return s.columns > 0 }

// usualColumns is assumed where a terminal does not report its width, as over a serial line.
const usualColumns = 80

func screenOn(f *os.File) screen {
	s := screen{Writer: f}
	if !term.IsTerminal(int(f.Fd())) {
		return s
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	s.columns = cmp.Or(width, usualColumns)
	s.color = wantsColor(os.Getenv)
	return s
}

// wantsColor reports whether a terminal gets colors, by the conventions of no-color.org
// and TERM. An old Windows console, which sets neither TERM nor WT_SESSION, would show the
// escape sequences as they are.
func wantsColor(getenv func(string) string) bool {
	if getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		return false
	}
	return runtime.GOOS != "windows" || getenv("TERM") != "" || getenv("WT_SESSION") != ""
}

// A sticky writer keeps its first error and writes nothing after it, so that a command may
// print line after line and the error is looked at once, at the end.
type sticky struct {
	io.Writer
	err error
}

func (s *sticky) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.Writer.Write(p)
	s.err = err
	return n, err
}
