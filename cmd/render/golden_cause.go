package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"pillbox/golden"
	"pillbox/regress"
)

// study finds out why and how visibly a picture differs, which takes longer than to see
// that it does.
func (j *judgement) study(ctx context.Context) {
	if j.verdict != changed && j.verdict != tolerated && j.verdict != resized {
		return
	}
	if err := cmp.Or(j.weigh(), j.explainChange(ctx)); err != nil {
		j.fail(err)
	}
}

// weigh finds how visible the difference is.
func (j *judgement) weigh() error {
	if j.diff.Got != j.diff.Want {
		return nil
	}
	flip, err := golden.CompareFLIP(j.got, j.want, j.diff.Tolerance.Masks...)
	j.flip = &flip
	return err
}

// explainChange finds why the pictures differ, if it is known what was accepted.
func (j *judgement) explainChange(ctx context.Context) error {
	if j.before == nil {
		return nil
	}
	diff := j.diff
	if j.verdict == tolerated {
		// What is tolerated does not count as changed, but it has a cause all the same.
		var err error
		diff, err = golden.Compare(j.got, j.want, golden.Tolerance{Masks: diff.Tolerance.Masks})
		if err != nil {
			return err
		}
	}
	why, err := regress.Explain(ctx, j.before, j.present, regress.Comparison{Want: j.want, Got: j.got, Diff: diff})
	if err != nil {
		return err
	}
	j.why = &why
	j.origin = j.causePlace()
	return nil
}

// sentence says why the picture differs; it is empty if there is nothing to explain.
func (j *judgement) sentence() string {
	switch {
	case j.why != nil && j.why.Pixels == 0 && j.verdict == tolerated:
		return "" // all under masks
	case j.why != nil:
		return j.why.Text
	case j.verdict == changed || j.verdict == tolerated || j.verdict == resized:
		return fmt.Sprintf("cause unknown: without a valid %s nobody knows what was accepted", j.accepted())
	default:
		return ""
	}
}

// causePlace returns the place at which the first changed solid or light begins: the first
// line of the scene's file if there is none or it has no header of its own.
func (j *judgement) causePlace() place {
	i := slices.IndexFunc(j.why.Causes, func(c regress.Cause) bool { return c.Present >= 0 })
	if i < 0 {
		return place{line: 1}
	}
	cause := j.why.Causes[i]
	kind, index := "light", cause.Present
	if cause.Subject == regress.SubjectSolid {
		if file, line, ok := j.present.BulkLine(cause.Present); ok {
			return place{file: file, line: line}
		}
		kind, index = j.present.Kind(cause.Present)
	}
	return place{line: headerLine(j.source, kind, index)}
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
