package suite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/internal/osfile"
	"pillbox/internal/text"
)

// Assert checks scenes as the command 'render golden check' does. It reports a test error for each scene that does not pass,
// with the text of that command: the verdict, the causes and their solids, where the new picture is, and the command that
// accepts it. A cause that several scenes have in common is one error. The test continues.
//
// Paths start at the folder of the package under test, where the commands must run. Assert writes NAME.new.png beside the
// golden of a scene that does not pass, and removes it once the scene passes. To compare an image without a scene, use
// [pillbox/golden.Assert].
func Assert(t testing.TB, o Options) {
	t.Helper()
	refs, err := Find(o)
	if err != nil {
		t.Errorf("goldens: %v", err)
		return
	}
	files := osfile.Outputs{RefuseLinks: true}
	ctx := t.Context()
	finish := func(r *Result) {
		r.Study(ctx)
		if err := r.UpdateProposal(files.Write); err != nil && r.Verdict != Failed {
			r.SetFailed(fmt.Errorf("%s; %w", r.Summary(), err))
		}
		r.Release()
	}
	var failed []*Result
	for r := range Run(ctx, o, refs, finish) {
		for _, warning := range r.Warnings {
			t.Logf("warning: %s", text.Escape(warning))
		}
		if !r.Verdict.Passes() {
			failed = append(failed, r)
		}
	}
	causes := FindSharedCauses(failed)
	for _, c := range causes {
		t.Errorf("%s", escapeLines(append([]string{c.Title(filepath.ToSlash), c.List(maxListed)}, o.toDo(c.Most())...)))
	}
	for _, r := range causes.Rest(failed) {
		lines := append([]string{r.Name + ": " + string(r.Verdict)}, r.Details()...)
		if cause := r.Cause(); cause != "" {
			lines = append(lines, strings.Split(cause, "\n")...)
		}
		t.Errorf("%s", escapeLines(append(lines, o.toDo([]Change{{Result: r}})...)))
	}
}

// toDo returns lines that state where new pictures are and how to accept them.
func (o *Options) toDo(changed []Change) (lines []string) {
	for _, c := range changed {
		if r := c.Result; r.Verdict.Pending() {
			if osfile.Exists(r.Proposal()) {
				lines = append(lines, "got "+filepath.ToSlash(r.Proposal()))
			}
			lines = append(lines, "accept with "+o.AcceptCommand(&r.Reference))
		}
	}
	return lines
}

// escapeLines joins texts, made safe for a terminal. All lines but the first are indented.
func escapeLines(texts []string) string {
	lines := strings.Split(strings.Join(texts, "\n"), "\n")
	for i, line := range lines {
		lines[i] = text.Escape(line)
	}
	return strings.Join(lines, "\n\t")
}

// UpdateProposal writes the present picture of a result beside the golden, see [Result.Propose]. If the result passes, it
// instead removes such files, which earlier checks and reviews may have written.
func (r *Result) UpdateProposal(write WriteFunc) error {
	if r.Verdict.Passes() {
		return r.Tidy()
	}
	return r.Propose(write)
}

// AcceptCommand returns the command line that accepts a reference.
func (o *Options) AcceptCommand(r *Reference) string {
	words := []string{"render", "golden", "accept"}
	if o.Golden != "" {
		words = append(words, "--golden", o.Golden)
	}
	arg := r.Argument()
	if strings.HasPrefix(arg, "-") {
		words = append(words, "--")
	}
	words = append(words, arg)
	for i, w := range words {
		words[i] = text.ShellQuoted(w)
	}
	return strings.Join(words, " ")
}
