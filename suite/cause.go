package suite

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"pillbox/golden"
	"pillbox/regress"
)

// Study finds out why and how visibly a picture differs, which takes longer than to see that it
// does. It must come before [Result.Release].
func (r *Result) Study(ctx context.Context) {
	if !r.differs() {
		return
	}
	if err := cmp.Or(r.weigh(), r.explain(ctx)); err != nil {
		r.Fail(err)
	}
}

// weigh finds how visible the difference is.
func (r *Result) weigh() error {
	if r.Diff.Got != r.Diff.Want {
		return nil
	}
	flip, err := golden.CompareFLIP(r.Got, r.Want, r.Diff.Tolerance.Masks...)
	r.FLIP = &flip
	return err
}

// explain finds why the pictures differ, if it is known what was accepted.
func (r *Result) explain(ctx context.Context) error {
	if r.before == nil {
		return nil
	}
	diff := r.Diff
	if r.Verdict == Tolerated {
		// What is tolerated does not count as changed, but it has a cause all the same.
		var err error
		diff, err = golden.Compare(r.Got, r.Want, golden.Tolerance{Masks: diff.Tolerance.Masks})
		if err != nil {
			return err
		}
	}
	why, err := regress.Explain(ctx, r.before, r.present,
		regress.Comparison{Want: r.Want, Got: r.Got, Diff: diff, Render: r.renderer})
	if err != nil {
		return err
	}
	r.Why = &why
	r.Origin = r.origin()
	return nil
}

// origin returns the place at which the first changed solid or light begins: the first line of the
// scene's file if there is none or it has no header of its own.
func (r *Result) origin() Place {
	i := slices.IndexFunc(r.Why.Causes, func(c regress.Cause) bool { return c.Present >= 0 })
	if i < 0 {
		return Place{File: r.Scene, Line: 1}
	}
	cause := r.Why.Causes[i]
	kind, index := "light", cause.Present
	if cause.Subject == regress.SubjectSolid {
		if file, line, ok := r.present.BulkLine(cause.Present); ok {
			return Place{File: file, Line: line}
		}
		kind, index = r.present.Kind(cause.Present)
	}
	return Place{File: r.Scene, Line: headerLine(r.source, kind, index)}
}

// headerLine returns the line of the header of an element of an array of tables, or 1 if
// the file writes the array in another way.
func headerLine(source []byte, kind string, index int) int {
	line := 0
	for text := range bytes.Lines(source) {
		line++
		head, _, _ := strings.Cut(string(text), "#")
		if strings.Join(strings.Fields(head), "") != "[["+kind+"]]" {
			continue
		}
		if index == 0 {
			return line
		}
		index--
	}
	return 1
}
