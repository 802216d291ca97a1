package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"pillbox/internal/cli"
	"pillbox/internal/text"
	"pillbox/scene"
)

// MostShown is the largest number of problems of a scene that are printed in full on a terminal.
const MostShown = 20

// ReportProblems prints problems as text, or all of them as JSON objects.
func (p *Env) ReportProblems(to cli.Screen, problems []*scene.Error, asJSON bool) {
	if asJSON {
		PrintJSON(to, problems)
	} else {
		p.PrintProblems(to, problems)
	}
}

// PrintProblems prints a line for each problem. On a terminal, only the first [mostShown] problems get a line each.
// printProblems groups the others by kind, and prints one line per group: the number of problems and the first one.
func (p *Env) PrintProblems(to cli.Screen, problems []*scene.Error) {
	if !to.IsTerminal() || len(problems) <= MostShown {
		p.PrintAllProblems(to, problems)
		return
	}
	p.PrintAllProblems(to, problems[:MostShown])
	rest := scene.Errors(problems[MostShown:])
	to.Printf("%s:\n", to.Paint(cli.Bold, fmt.Sprintf("%d more", len(rest))))
	for _, g := range rest.Groups() {
		to.Printf("%7d %-8s %v\n", g.Count, string(g.Severity)+":", g.First)
	}
	to.Printf("'render check --all' shows all of them, 'render check --json' as JSON\n")
}

// PrintAllProblems prints a line for each problem. On a terminal it also prints the line of the file with the place
// marked.
func (p *Env) PrintAllProblems(to cli.Screen, problems []*scene.Error) {
	sources := make(map[string][]string)
	for _, e := range problems {
		if !to.IsTerminal() {
			to.Printf("%v\n", e)
			continue
		}
		lines, ok := sources[e.File]
		if !ok {
			lines = p.source(e.File)
			sources[e.File] = lines
		}
		PrintProblem(to, e, lines)
	}
}

// PrintJSON prints each value as JSON on a line of its own.
func PrintJSON[T any](w io.Writer, values []T) {
	for _, v := range values {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err == nil { // never fails for the types that are printed
			// A write error is remembered by the sticky writer.
			_, _ = w.Write(text.EscapeJSON(b.Bytes()))
		}
	}
}

// source reads a file again, to show the lines with problems, and returns its lines. If the file cannot be
// read again, such as a pipe or a device, or is too large, it returns a single empty line.
func (p *Env) source(name string) []string {
	var data []byte
	if p.archive != nil && name == p.archive.Name {
		data = p.archive.Scene
	} else if name == StandardInput {
		data, _ = io.ReadAll(p.In)
		p.In = bytes.NewReader(data)
	} else if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() <= scene.MaxBulkBytes {
		data, _ = os.ReadFile(name)
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	return strings.Split(text, "\n")
}

// PrintProblem prints a problem and the line of the file with the place marked.
func PrintProblem(to cli.Screen, e *scene.Error, lines []string) {
	place := e.Position()
	message := strings.TrimPrefix(e.Error(), place)
	to.Printf("%s%s\n", to.Paint(cli.Bold, place), message)
	if e.Line < 1 || e.Line > len(lines) {
		return
	}
	number := fmt.Sprintf("%5d", e.Line)
	const rule = " | "
	x := cli.NewExcerpt(strings.TrimSuffix(lines[e.Line-1], "\r"), e.Column, e.EndColumn, to.Columns-len(number+rule))
	mark := cli.Red
	switch e.Severity {
	case scene.SeverityWarning:
		mark = cli.Yellow
	case scene.SeverityInfo:
		mark = cli.Cyan
	}
	to.Printf("%s%s%s\n", number, rule, x.Text)
	to.Printf("%*s%s%*s%s\n", len(number), "", rule, x.From, "", to.Paint(mark, strings.Repeat("^", x.To-x.From)))
}
