package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"pillbox/scene"
)

// Escape sequences.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	plain  = "\x1b[0m"
)

// printProblems prints a line, or a JSON object, for each problem. A terminal also gets the
// line of the file with a mark under the place.
func (p *program) printProblems(to screen, problems []*scene.Error, asJSON bool) {
	if asJSON {
		printJSON(to, problems)
		return
	}
	sources := make(map[string][]string)
	for _, e := range problems {
		if !to.isTerminal() {
			fmt.Fprintln(to, e)
			continue
		}
		lines, ok := sources[e.File]
		if !ok {
			lines = p.source(e.File)
			sources[e.File] = lines
		}
		printProblem(to, e, lines)
	}
}

// printJSON prints each value on a line of its own.
func printJSON[T any](w io.Writer, values []T) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, v := range values {
		// Only writing can fail, and a sticky writer remembers that.
		_ = enc.Encode(v)
	}
}

// source returns the lines of a file that was read before, as far as it is still there. What a
// pipe or a device held is gone.
func (p *program) source(name string) []string {
	var data []byte
	if name == standardInput {
		data, _ = io.ReadAll(p.in)
		p.in = bytes.NewReader(data)
	} else if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() <= scene.MaxBulkBytes {
		data, _ = os.ReadFile(name)
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	return strings.Split(text, "\n")
}

// printProblem prints a problem and its place in the lines of its file.
func printProblem(to screen, e *scene.Error, lines []string) {
	place := e.Place()
	message := strings.TrimPrefix(e.Error(), place)
	fmt.Fprintln(to, to.paint(bold, place)+message)
	if e.Line < 1 || e.Line > len(lines) {
		return
	}
	number := fmt.Sprintf("%5d", e.Line)
	const rule = " | "
	x := newExcerpt(strings.TrimSuffix(lines[e.Line-1], "\r"), e.Column, e.EndColumn, to.columns-len(number+rule))
	mark := red
	switch e.Severity {
	case scene.SeverityWarning:
		mark = yellow
	case scene.SeverityInfo:
		mark = cyan
	}
	fmt.Fprintln(to, number+rule+x.text)
	fmt.Fprintln(to, strings.Repeat(" ", len(number))+rule+strings.Repeat(" ", x.from)+to.paint(mark, strings.Repeat("^", x.to-x.from)))
}

// paint returns text in the given colour, where the screen has colours.
func (s *screen) paint(color, text string) string {
	if !s.color {
		return text
	}
	return color + text + plain
}
