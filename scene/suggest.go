package scene

import (
	"fmt"
	"strings"

	"pillbox/internal/text"
)

// speller finds the known words that unknown words probably mean. It stops after comparing maxCompared
// pairs of words, because a file may have ten thousand unknown and ten thousand known names.
type speller struct {
	compared int
	stopped  bool
	keys     dictionary // synonyms of keys; nil until needed
	columns  dictionary // synonyms of columns; nil until needed
}

// maxCompared is enough for 250 different unknown names in a file of 1,000 materials. Comparing the
// longest words takes a few microseconds.
const maxCompared = 1 << 18

// suggest sets the suggestion of e to the known word that is most similar to the given word, or to "" if none is
// similar. It returns the suggestion. The call that exceeds maxCompared adds a note to e instead, which says that the
// search ends here. Later calls do nothing.
func (s *speller) suggest(e *Error, word string, known []string) string {
	if s.stopped {
		return ""
	}
	if s.compared += len(known); s.compared > maxCompared {
		s.stopped = true
		e.Message += " (from here on no similar word is looked for: there are too many)"
		return ""
	}
	e.Suggestion = text.ClosestWord(word, known)
	return e.Suggestion
}

// listed returns words as a list for a message. It omits words if there are many.
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
