package suite

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/internal/osfile"
	"pillbox/internal/text"
	"pillbox/problem"
)

// An annotation is a message about a line of a file.
type annotation struct {
	Location    // without a file, the annotation is about the whole run
	Title, Text string
	Level       string // error or warning; "" means error
}

// annotations returns the annotations for a result that does not pass. If the scene is invalid, there is one for each
// error. Otherwise the first contains the verdict and all causes, and each further edit that changed pixels has one at
// its line.
func annotations(r *Result) []annotation {
	if r.Verdict.Passes() {
		return nil
	}
	title := "golden " + r.Name
	var problems problem.Errors
	if !errors.As(r.Err, &problems) {
		at := r.place()
		text := r.Summary()
		if cause := r.Cause(); cause != "" {
			text += "\n" + cause
		}
		return append(append([]annotation{{Location: at, Title: title, Text: text}}, r.moreEdits(title)...), r.damages(title)...)
	}
	list := r.damages(title)
	for _, e := range problems {
		if e.Severity == problem.SeverityError {
			text := strings.TrimPrefix(e.Error(), e.Position()+" ")
			list = append(list, annotation{Location: Location{e.File, e.Line, e.Column}, Title: title, Text: text})
		}
	}
	return list
}

// place returns the location to which a message about a result points.
func (r *Result) place() Location {
	if r.Verdict == Damaged {
		return Location{File: r.Damage[0].File, Line: max(r.Damage[0].Line, 1)}
	}
	return Location{File: cmp.Or(r.Origin.File, r.Scene, r.Picture()), Line: cmp.Or(r.Origin.Line, 1)}
}

// damages returns an annotation for each damage, except for the first of a result whose only problem is the damage.
func (r *Result) damages(title string) (list []annotation) {
	for i, d := range r.Damage {
		if i > 0 || r.Verdict != Damaged {
			list = append(list, annotation{Location: Location{d.File, max(d.Line, 1), d.Column}, Title: title, Text: d.String()})
		}
	}
	return list
}

// moreEdits returns annotations at the edits that changed pixels, except for the first.
func (r *Result) moreEdits(title string) (list []annotation) {
	for i, e := range r.Edits() {
		if i > 0 && e.Pixels > 0 {
			text := fmt.Sprintf("%s: undoing it changes %s", e.Text, text.Count(e.Pixels, "pixel"))
			list = append(list, annotation{Location: e.At, Title: title, Text: text})
		}
	}
	return list
}

// maxAnnotations is the number of error annotations that GitHub shows per step of a job.
const maxAnnotations = 10

// GitHubAnnotations returns the annotations of results as workflow commands of GitHub Actions, one per line. If there
// are more than GitHub shows, the last one states how many are missing. Causes that results have in common come first, and
// results that have only such causes get no annotation of their own. GitHub expects paths relative to the root of the
// repository, which path returns.
func GitHubAnnotations(results []*Result, path PathFunc) []string {
	var lines []string
	failed := slices.DeleteFunc(slices.Clone(results), func(r *Result) bool { return r.Verdict.Passes() })
	causes := FindSharedCauses(failed)
	for _, c := range causes {
		a := annotation{Location: c.At, Title: "golden", Text: fmt.Sprintf("%s: changes %s: %s", c.Text, text.Count(len(c.Changed), "golden"), c.List(maxListed))}
		lines = append(lines, a.command(path))
	}
	for _, r := range causes.Rest(failed) {
		for _, a := range annotations(r) {
			lines = append(lines, a.command(path))
		}
	}
	if more := len(lines) - maxAnnotations; more > 0 {
		rest := annotation{Title: "golden", Text: fmt.Sprintf("%d more problems; see the summary", more+1)}
		lines = append(lines[:maxAnnotations-1], rest.command(path))
	}
	return append(lines, warningLines(results, path)...)
}

// maxListed is the largest number of results that a message about a shared cause lists.
const maxListed = 40

// warningLines returns the warnings of results as workflow commands. GitHub shows as many of them as errors.
func warningLines(results []*Result, path PathFunc) (lines []string) {
	for _, r := range results {
		for _, warning := range r.Warnings {
			if len(lines) < maxAnnotations {
				a := annotation{Location: Location{File: r.sidecar(), Line: 1}, Title: "golden " + r.Name, Text: warning, Level: "warning"}
				lines = append(lines, a.command(path))
			}
		}
	}
	return lines
}

// command returns the annotation as a workflow command.
func (a *annotation) command(path PathFunc) string {
	var properties []string
	add := func(key, value string) { properties = append(properties, key+"="+text.EscapeWorkflowProperty(value)) }
	if a.File != "" {
		add("file", path(a.File))
		add("line", fmt.Sprint(a.Line))
	}
	if a.Column > 0 {
		add("col", fmt.Sprint(a.Column))
	}
	add("title", a.Title)
	return "::" + cmp.Or(a.Level, "error") + " " + strings.Join(properties, ",") + "::" + text.EscapeWorkflowData(a.Text)
}

// MarkdownSummary returns the verdicts in Markdown: a table of the causes that several results have in common, and a table of
// all other results except the identical ones.
func MarkdownSummary(results []*Result, accept CommandFunc) string {
	counts := make(Tally)
	for _, r := range results {
		counts[r.Verdict]++
	}
	causes := FindSharedCauses(results)
	var rows strings.Builder
	for _, r := range causes.Rest(results) {
		if r.Verdict == Identical {
			continue
		}
		command := ""
		if r.Verdict.Pending() {
			command = code(accept(&r.Reference))
		}
		what := slices.DeleteFunc(append(r.Details(), r.Cause()), func(s string) bool { return s == "" })
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", code(r.Name), r.Verdict, text.EscapeMarkdown(strings.Join(what, "\n")), command)
	}
	text := fmt.Sprintf("### Golden pictures\n\n%v\n", counts) + causes.markdown()
	if rows.Len() > 0 {
		text += "\n| scene | verdict | what | accept |\n|---|---|---|---|\n" + rows.String()
	}
	return text + "\n"
}

// fromRoot returns a path relative to the root of the git work tree; without git, as it is.
func fromRoot(name string) string {
	if rel, ok := osfile.InWorkTree(name); ok {
		return rel
	}
	return filepath.ToSlash(name)
}

// markdown returns a table of the causes.
func (s SharedCauses) markdown() string {
	if len(s) == 0 {
		return ""
	}
	var rows strings.Builder
	for _, c := range s {
		place := ""
		if c.At.File != "" {
			place = code(fmt.Sprintf("%s:%d", fromRoot(c.At.File), c.At.Line))
		}
		fmt.Fprintf(&rows, "| %s | %s | %s: %s |\n", text.EscapeMarkdown(c.Text), place, text.Count(len(c.Changed), "golden"), text.EscapeMarkdown(c.List(maxListed)))
	}
	return "\n| cause | place | changes |\n|---|---|---|\n" + rows.String()
}

// code formats s as code, so that GitHub does not turn parts of it into links or mentions.
func code(s string) string { return "<code>" + text.EscapeMarkdown(s) + "</code>" }
