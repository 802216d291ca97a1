package scene

import (
	"fmt"
	"strings"

	"pillbox/internal/text"
)

// speller looks for the words that unknown ones probably represent, until it has compared
// maxCompared pairs of words: a file may have ten thousand wrong names and as many right ones.
type speller struct {
	compared int
	stopped  bool
	keys     dictionary // of synonyms; nil: not needed yet
	columns  dictionary // likewise
}

// maxCompared lets a file of 1,000 materials have 250 different wrong names. The longest words
// take a few microseconds each.
const maxCompared = 1 << 18

// suggest adds to e the known word nearest to the given one, if any is near, and returns it. The
// first error that gets none because the speller has stopped says so.
func (s *speller) suggest(e *Error, word string, known []string) string {
	if s.stopped {
		return ""
	}
	if s.compared += len(known); s.compared > maxCompared {
		s.stopped = true
		e.Message += " (from here on no similar word is looked for: there are too many)"
		return ""
	}
	e.Suggestion = text.Nearest(word, known)
	return e.Suggestion
}

// listed returns words, at least one, as a list that is cut where it gets long.
func listed(words []string) string {
	const most = 12
	shown, rest := words, len(words)-most
	if rest > 1 {
		shown = words[:most]
	}
	var short []string
	for _, word := range shown {
		short = append(short, text.ShortenMiddle(word))
	}
	if rest > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(short, ", "), rest)
	}
	return strings.Join(short, ", ")
}
