package main

import (
	"cmp"
	"io"
	"os"
	"runtime"

	"golang.org/x/term"
)

// A screen is standard output or standard error, and what it can show.
type screen struct {
	io.Writer
	columns int  // the terminal's width in cells; 0 if this is not a terminal
	color   bool // escape sequences for colours are understood and wanted
}

func (s *screen) isTerminal() bool { return s.columns > 0 }

// usualColumns is assumed where a terminal does not tell its width, as over a serial line.
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

// wantsColor reports whether a terminal gets colours, by the conventions of no-color.org
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
