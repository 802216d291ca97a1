package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pillbox/problem"
)

// Account lists the elements of a file that were skipped or are shown differently, and the problems of invalid
// elements. It counts skipped or changed elements by kind and keeps the position of the first of each kind. The zero
// value is empty.
type Account struct {
	entries  []entry
	index    map[entryKey]int // of the entries
	problems problem.Errors
	more     int // number of problems beyond maxProblems
}

type entry struct {
	entryKey
	place problem.Error // File, Line and Column
	count int
}

// entryKey identifies an entry.
type entryKey struct{ noun, fate string }

// maxProblems is the largest number of problems that an account lists one by one.
const maxProblems = 100

// Skip counts a skipped element. The noun is the element's kind in the singular.
func (a *Account) Skip(noun string, at problem.Error) { a.Note(noun, "skipped", at) }

// SkipBecause counts a skipped element like [Account.Skip]. It adds a reason, such as "cannot be read".
func (a *Account) SkipBecause(noun, reason string, at problem.Error) {
	a.Note(noun, "skipped: "+reason, at)
}

// SkipUnlessApproximate counts an element that is skipped because the user did not request approximations.
func (a *Account) SkipUnlessApproximate(noun string, at problem.Error) {
	a.Note(noun, "skipped (--approximate shows what contains it)", at)
}

// Tolerate adds a problem of one element as a warning that the element was skipped, and returns nil. It returns err
// unchanged if err concerns the whole file: its size, its syntax, or a missing file that it needs.
func (a *Account) Tolerate(err error) error {
	var found *problem.Error
	if !errors.As(err, &found) {
		return err
	}
	switch found.Code {
	case problem.CodeSyntax, problem.CodeTooLarge, problem.CodeTooDeep, problem.CodeUnreadableFile, problem.CodeCycle:
		return err
	}
	skipped := *found
	skipped.Message += " (skipped)"
	a.Warn(&skipped)
	return nil
}

// Warn adds a problem as a warning, unless it is the same as the previous one. Problems beyond [maxProblems] are only
// counted.
func (a *Account) Warn(found *problem.Error) {
	if n := len(a.problems); n > 0 && a.problems[n-1].Line == found.Line && a.problems[n-1].Column == found.Column && a.problems[n-1].Message == found.Message {
		return // an element that is used twice
	}
	if len(a.problems) == maxProblems {
		a.more++
		return
	}
	warning := *found
	warning.Severity = problem.SeverityWarning
	a.problems = append(a.problems, &warning)
}

// Note counts an element of the file. The noun is its kind, and fate states what happened to it, both in the
// singular, such as "cylinder" and "shown as a capsule". The parameter at is its position in the file.
func (a *Account) Note(noun, fate string, at problem.Error) { a.NoteMany(noun, fate, 1, at) }

// NoteMany is like [Account.Note] for several elements, of which the parameter at is the position of the first.
func (a *Account) NoteMany(noun, fate string, count int, at problem.Error) {
	k := entryKey{noun, fate}
	i, ok := a.index[k]
	if !ok {
		if a.index == nil {
			a.index = make(map[entryKey]int)
		}
		i = len(a.entries)
		a.index[k] = i
		a.entries = append(a.entries, entry{entryKey: k, place: at})
	}
	a.entries[i].count += count
}

// Add adds the entries and problems of another account.
func (a *Account) Add(b Account) {
	a.entries = append(a.entries, b.entries...)
	for _, p := range b.problems {
		a.Warn(p)
	}
	a.more += b.more
}

// Notes returns a warning for each problem, followed by a note for each kind of element, with the position of the first.
func (a *Account) Notes() problem.Errors {
	notes := slices.Clone(a.problems)
	if a.more > 0 {
		last := *a.problems[len(a.problems)-1]
		last.Key, last.Value, last.Suggestion = "", "", ""
		last.Message = fmt.Sprintf("%d more problems", a.more)
		notes = append(notes, &last)
	}
	for _, e := range a.entries {
		note := e.place
		note.Severity, note.Message = problem.SeverityInfo, e.String()
		notes = append(notes, &note)
	}
	return notes
}

// nothing returns the error for a file with nothing that can be shown. It lists what was skipped, so that the user sees
// which option would show it.
func (a *Account) nothing() error {
	message := "nothing to show: the file has no spheres, capsules, boxes or cylinders"
	if len(a.problems)+len(a.entries) > 0 {
		message += " that can be shown"
	}
	if n := len(a.problems) + a.more; n == 1 {
		message += "; 1 warning"
	} else if n > 1 {
		message += fmt.Sprintf("; %d warnings", n)
	}
	for i := range a.entries {
		message += "; " + a.entries[i].String()
	}
	return errors.New(message)
}

func (e entry) String() string {
	switch {
	case e.count == 1:
		return fmt.Sprintf("1 %s %s", e.noun, e.fate)
	case strings.HasPrefix(e.fate, "shown as a"):
		return fmt.Sprintf("%d %s %s each", e.count, plural(e.noun), e.fate)
	}
	return fmt.Sprintf("%d %s %s", e.count, plural(e.noun), e.fate)
}

// plural returns the plural of a noun.
func plural(noun string) string {
	for _, link := range []string{" of ", " from ", " without ", " fitted "} {
		if head, rest, ok := strings.Cut(noun, link); ok {
			return plural(head) + link + rest
		}
	}
	for _, ending := range []string{"s", "sh", "ch", "x"} {
		if strings.HasSuffix(noun, ending) {
			return noun + "es"
		}
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(stem, "a") {
		return stem + "ies"
	}
	return noun + "s"
}
