package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"pillbox/internal/cli"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/scene"
)

// MostShown is the largest number of problems of a scene that are printed in full on a terminal.
const MostShown = 20

// mostAlike is the largest number of problems that are printed one by one although they differ only in their place.
const mostAlike = 3

// ReportProblems prints problems as text, or all of them as JSON objects.
func (p *Env) ReportProblems(to cli.Screen, problems []*problem.Error, asJSON bool) {
	if asJSON {
		PrintJSON(to, problems)
	} else {
		p.PrintProblems(to, problems)
	}
}

// PrintProblems prints a line for each problem. If more than [mostAlike] errors or warnings differ only in their place, it
// prints the first of them, and a line with the number of the others. On a terminal, it prints only [MostShown] problems like
// that. It groups the others by kind, and prints one line per group: the number of problems and the first one.
func (p *Env) PrintProblems(to cli.Screen, problems []*problem.Error) {
	shown, more := fold(problems)
	var rest problem.Errors
	if to.IsTerminal() && len(shown) > MostShown {
		for _, e := range shown[MostShown:] {
			rest = append(append(rest, e), more[e]...)
		}
		shown = shown[:MostShown]
	}
	p.printEach(to, shown, more)
	if len(rest) == 0 {
		return
	}
	to.Printf("%s:\n", to.Paint(cli.Bold, fmt.Sprintf("%d more", len(rest))))
	for _, g := range rest.Groups() {
		to.Printf("%7d %-8s %v\n", g.Count, string(g.Severity)+":", g.First)
	}
	to.Printf("'render check --all' shows all of them, 'render check --json' as JSON\n")
}

// fold returns the problems to print, and for some of them the other ones that differ only in their place.
func fold(problems problem.Errors) (shown problem.Errors, more map[*problem.Error]problem.Errors) {
	more = make(map[*problem.Error]problem.Errors)
	folded := make(map[*problem.Error]bool)
	for _, alike := range problems.Alike() {
		if len(alike) > mostAlike && alike[0].Severity != problem.SeverityInfo {
			more[alike[0]] = alike[1:]
			for _, e := range alike[1:] {
				folded[e] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(problems), func(e *problem.Error) bool { return folded[e] }), more
}

// PrintAllProblems prints a line for each problem. On a terminal it also prints the line of the file with the place
// marked.
func (p *Env) PrintAllProblems(to cli.Screen, problems []*problem.Error) {
	p.printEach(to, problems, nil)
}

// printEach prints problems like [Env.PrintAllProblems], each followed by the number of others like it.
func (p *Env) printEach(to cli.Screen, problems []*problem.Error, more map[*problem.Error]problem.Errors) {
	sources := make(map[string][]string)
	for _, e := range problems {
		if to.IsTerminal() {
			lines, ok := sources[e.File]
			if !ok {
				lines = p.source(e.File)
				sources[e.File] = lines
			}
			PrintProblem(to, e, lines)
		} else {
			to.Printf("%v\n", e)
		}
		if others := more[e]; len(others) > 0 {
			to.Printf("    and %d more like it, the last in line %d\n", len(others), others[len(others)-1].Line)
		}
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
func PrintProblem(to cli.Screen, e *problem.Error, lines []string) {
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
	case problem.SeverityWarning:
		mark = cli.Yellow
	case problem.SeverityInfo:
		mark = cli.Cyan
	}
	to.Printf("%s%s%s\n", number, rule, x.Text)
	to.Printf("%*s%s%*s%s\n", len(number), "", rule, x.From, "", to.Paint(mark, strings.Repeat("^", x.To-x.From)))
}
