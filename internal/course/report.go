package course

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Span is a part of a verdict for people. Its text may contain line breaks.
type Span struct {
	Text string `json:"text"`
	Look Look   `json:"look,omitempty"`
}

// Look is the way to emphasize a span. "" means plain text.
type Look string

const (
	Good   Look = "good"   // the stage is passed
	Bad    Look = "bad"    // the stage is not passed
	Strong Look = "strong" // the wrong field
	Name   Look = "name"   // the name of a mistake
	Flow   Look = "flow"   // a long sentence, which may be wrapped; it starts in column 2
)

// spans collects the spans of a report.
type spans []Span

func (s *spans) add(look Look, format string, args ...any) {
	*s = append(*s, Span{fmt.Sprintf(format, args...), look})
}

// Report returns the verdict for people, with a command that derives the first wrong answer.
func (v *Verdict) Report() []Span {
	out := spans(v.Findings())
	if v.First != nil && !v.Passed {
		out.add("", "This derives the question:\n%s\n", v.First.Derive.Command())
	}
	return out
}

// Findings returns the report without the command, for readers without a terminal.
func (v *Verdict) Findings() []Span {
	var out spans
	if v.Passed {
		answers := fmt.Sprintf("all %d answers are right", v.Questions)
		if v.Questions == 1 {
			answers = "the answer is right"
		}
		out.add("", "%s: ", v.Stage)
		out.add(Good, "passed:")
		out.add("", " %s\n", answers)
		return out
	}
	out.add("", "%s: ", v.Stage)
	out.add(Bad, "not passed:")
	out.add("", " %d of %d answers are right, %d before the first that is wrong", v.Right, v.Questions, v.Before)
	missing := func(questions, answered int) {
		if answered < questions {
			out.add("", ", %d not answered", questions-answered)
		}
		out.add("", "\n")
	}
	missing(v.Questions, v.Answered)
	for _, c := range v.Classes {
		if c.Questions > 0 {
			out.add("", "  %-10s  %d of %d wrong", c.Class, c.Wrong, c.Questions)
			missing(c.Questions, c.Answered)
		}
	}
	w := v.First
	if w == nil {
		return out
	}
	out.add("", "\nQuestion %d, %s: %s\n", w.ID, w.Class, w.Case)
	out.add("", "  question  %s\n  answer    %s\n  expected  %s\n\n", w.Question, inJSON(w.Answer), inJSON(w.Expected))
	out.add(Strong, "%s", w.Field)
	out.add("", ": %s", w.Problem)
	if w.Want != nil || w.Got != nil {
		out.add("", "; expected %s, got %s", inJSON(w.Want), inJSON(w.Got))
	}
	out.add("", "\n")
	switch {
	case len(v.Mistakes) == 0:
	case v.Basis == Common:
		out.add("", "\nWhat the wrong answers have in common: ")
	case v.Basis == Possible && len(v.Mistakes) > 1:
		out.add("", "\nTwo mistakes that together would explain the wrong answers:\n")
	case v.Basis == Possible:
		out.add("", "\nA mistake that would explain the wrong answers: ")
	case len(v.Mistakes) == 1:
		out.add("", "\nThe wrong answers are those of a known mistake: ")
	default:
		out.add("", "\nKnown mistakes that explain the wrong answers, alone or together:\n")
	}
	for _, m := range v.Mistakes {
		out.add(Name, "%s", m.Name)
		out.add("", ".\n  ")
		out.add(Flow, "%s", m.Advice)
		out.add("", "\n  Read docs/lessons/%s\n", m.Lesson)
	}
	out.add("", "\nThe lesson: docs/lessons/%s\n", w.Lesson)
	return out
}

// Report returns the comparison as text for people.
func (c *Comparison) Report() []Span {
	var out spans
	out.add("", "%s\n", c.Summary())
	if c.First != nil {
		out.add("", "  %s\n", c.First.Text())
	}
	return out
}

// TextOf joins spans.
func TextOf(all []Span) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.Text)
	}
	return b.String()
}

// inJSON returns a value as JSON.
func inJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
