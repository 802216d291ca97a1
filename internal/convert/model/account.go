package model

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/scene"
)

// Account is what of a file could not be shown, or is shown otherwise: each kind once, with its
// number and the place of the first.
type Account struct{ entries []entry }

type entry struct {
	place scene.Error // File, Line and Column
	noun  string
	fate  string
	count int
}

// LeftOut notes that something is left out, whose noun is in the singular, and where it stands.
func (a *Account) LeftOut(noun string, at scene.Error) { a.Note(noun, "left out", at) }

// Note notes the fate of something, both in the singular: "cylinder", "shown as a capsule".
func (a *Account) Note(noun, fate string, at scene.Error) {
	i := slices.IndexFunc(a.entries, func(e entry) bool { return e.noun == noun && e.fate == fate })
	if i < 0 {
		i = len(a.entries)
		a.entries = append(a.entries, entry{at, noun, fate, 0})
	}
	a.entries[i].count++
}

// Add notes what another account has.
func (a *Account) Add(b Account) { a.entries = append(a.entries, b.entries...) }

// Notes returns a note for each entry, with the place of the first of its kind.
func (a *Account) Notes() scene.Errors {
	var notes scene.Errors
	for _, e := range a.entries {
		note := e.place
		note.Severity, note.Message = scene.SeverityInfo, e.String()
		notes = append(notes, &note)
	}
	return notes
}

func (e entry) String() string {
	switch {
	case e.count == 1:
		return fmt.Sprintf("1 %s is %s", e.noun, e.fate)
	case strings.Contains(e.fate, " a "):
		return fmt.Sprintf("%d %s are %s each", e.count, plural(e.noun), e.fate)
	}
	return fmt.Sprintf("%d %s are %s", e.count, plural(e.noun), e.fate)
}

// plural returns the plural of a noun.
func plural(noun string) string {
	if head, rest, ok := strings.Cut(noun, " of "); ok {
		return plural(head) + " of " + rest
	}
	if head, rest, ok := strings.Cut(noun, " from "); ok {
		return plural(head) + " from " + rest
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
