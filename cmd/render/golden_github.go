package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pillbox/scene"
)

// GitHub shows at most ten annotations of a step.
const maxAnnotations = 10

// summaryVariable names the file that GitHub Actions shows as the summary of a step.
const summaryVariable = "GITHUB_STEP_SUMMARY"

// annotate prints annotations for GitHub Actions and appends to the step's summary.
func (c *goldenChecking) annotate(done []*judgement) error {
	var lines []string
	for _, j := range done {
		lines = append(lines, annotations(j)...)
	}
	if more := len(lines) - maxAnnotations; more > 0 {
		lines = lines[:maxAnnotations-1]
		lines = append(lines, annotation(place{}, "golden", fmt.Sprintf("%d more problems; see the summary", more+1)))
	}
	for _, line := range lines {
		fmt.Fprintln(c.out, line)
	}
	name := os.Getenv(summaryVariable)
	if name == "" {
		return nil
	}
	return appendTo(name, c.summary(done))
}

// place is where an annotation stands. Line and column count from 1; 0 is none.
type place struct {
	file         string
	line, column int
}

// annotations returns the annotations of a judgement: one, or one for each problem of the
// scene.
func annotations(j *judgement) []string {
	if j.verdict.passes() {
		return nil
	}
	var problems scene.Errors
	if !errors.As(j.err, &problems) {
		at := place{file: cmp.Or(j.origin.file, j.scene, j.picture()), line: cmp.Or(j.origin.line, 1)}
		text := string(j.verdict) + j.detail()
		if why := j.sentence(); why != "" {
			text += "\n" + why
		}
		return []string{annotation(at, "golden "+j.name, text)}
	}
	var lines []string
	for _, e := range problems {
		if e.Severity == scene.SeverityError {
			text := strings.TrimPrefix(e.Error(), e.Place()+" ")
			lines = append(lines, annotation(place{e.File, e.Line, e.Column}, "golden "+j.name, text))
		}
	}
	return lines
}

// annotation returns a workflow command of GitHub Actions.
func annotation(at place, title, text string) string {
	var properties []string
	add := func(key, value string) { properties = append(properties, key+"="+escapeProperty(value)) }
	if at.file != "" {
		add("file", filepath.ToSlash(at.file))
		add("line", fmt.Sprint(at.line))
	}
	if at.column > 0 {
		add("col", fmt.Sprint(at.column))
	}
	add("title", title)
	return "::error " + strings.Join(properties, ",") + "::" + escapeData(text)
}

// escapeData and escapeProperty escape as the toolkit of GitHub Actions does.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}

// summary returns the verdicts as a table in Markdown, all but the identical ones.
func (c *goldenChecking) summary(done []*judgement) string {
	counts := make(tally)
	var rows strings.Builder
	for _, j := range done {
		counts[j.verdict]++
		if j.verdict == identical {
			continue
		}
		accept := ""
		if j.verdict.pending() {
			accept = "<code>" + tableCell(c.acceptCommand(&j.reference)) + "</code>"
		}
		what := strings.TrimPrefix(j.detail(), ": ")
		if why := j.sentence(); why != "" {
			what += "\n" + why
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", tableCell(j.name), j.verdict, tableCell(what), accept)
	}
	text := fmt.Sprintf("### Golden pictures\n\n%v\n", counts)
	if rows.Len() > 0 {
		text += "\n| scene | verdict | what | accept |\n|---|---|---|---|\n" + rows.String()
	}
	return text + "\n"
}

// tableCell returns text for a cell of a table.
func tableCell(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", "|", "&#124;", "\r", "", "\n", "<br>").Replace(text)
}

// appendTo adds text to the end of a file, which others append to as well.
func appendTo(name, text string) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
