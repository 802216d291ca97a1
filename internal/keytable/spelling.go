package keytable

import (
	"cmp"
	"slices"
	"strings"

	"pillbox/internal/text"
	"pillbox/problem"
)

// Speller finds the known words that unknown words probably mean. It stops after comparing MaxCompared
// pairs of words, because a file may have ten thousand unknown and ten thousand known names.
type Speller struct {
	compared   int
	Stopped    bool // whether it has stopped
	vocabulary *Vocabulary
	keys       dictionary // synonyms of keys; nil until needed
	columns    dictionary // synonyms of columns; nil until needed
}

// NewSpeller returns a speller for the files of one scene.
func NewSpeller(v *Vocabulary) *Speller { return &Speller{vocabulary: v} }

// Vocabulary is what a speller knows about a format.
type Vocabulary struct {
	Keys    func() []Synonym // also of words that are values
	Columns func() []Synonym // of the columns of bulk files
	Solid   string           // a key of each table that may hold solids: there, synonyms without a key apply

	// Home says where an unknown key of a table belongs, if it is a key of another table. Otherwise it returns "".
	Home func(t Table, key string) string
}

// MaxCompared is enough for 250 different unknown names in a file of 1,000 materials. Comparing the
// longest words takes a few microseconds.
const MaxCompared = 1 << 18

// Suggest sets the suggestion of e to the known word that is most similar to the given word, or to "" if none is
// similar. It returns the suggestion. The call that exceeds MaxCompared adds a note to e instead, which says that the
// search ends here. Later calls do nothing.
func (s *Speller) Suggest(e *problem.Error, word string, known []string) string {
	if s.Stopped {
		return ""
	}
	if s.compared += len(known); s.compared > MaxCompared {
		s.Stopped = true
		e.Message += " (from here on no similar word is looked for: there are too many)"
		return ""
	}
	e.Suggestion = text.ClosestWord(word, known)
	return e.Suggestion
}

// Synonym is a key of this format, with the words that other programs and formats use for it. A word
// may belong to several synonyms; the first whose key is allowed in the table counts.
type Synonym struct {
	Key   string
	Note  string // explanation of the key; "" if the words differ from it only in name
	Words string // separated by spaces, in lower case, without underscores and hyphens
}

// Synonyms returns the synonyms of rows of a key, a note and words.
func Synonyms(rows [][3]string) []Synonym {
	all := make([]Synonym, len(rows))
	for i, r := range rows {
		all[i] = Synonym{Key: r[0], Note: r[1], Words: r[2]}
	}
	return all
}

// dictionary holds synonyms by their words.
type dictionary map[string][]Synonym

func newDictionary(list []Synonym) dictionary {
	d := make(dictionary)
	for _, y := range list {
		for w := range strings.FieldsSeq(y.Words) {
			d[w] = append(d[w], y)
		}
	}
	return d
}

// find returns the synonym for a word whose key is among known, and false if no synonym has such a key.
func (d dictionary) find(word string, known []string, solid string) (Synonym, bool) {
	for _, y := range d[PlainWord(word)] {
		if slices.Contains(known, cmp.Or(y.Key, solid)) {
			return y, true
		}
	}
	return Synonym{}, false
}

// keySynonym returns the synonym for an unknown key or value whose key is among known, and false if no known key has
// the same meaning. isBeside must report whether the same table also has the given word as a key.
func (s *Speller) keySynonym(word string, known []string, isBeside func(string) bool) (Synonym, bool) {
	if end, ok := numberedEnd(PlainWord(word), isBeside); ok && slices.Contains(known, "a") && slices.Contains(known, "b") {
		return Synonym{Key: end}, true
	}
	if s.keys == nil {
		s.keys = newDictionary(s.vocabulary.Keys())
	}
	return s.keys.find(word, known, s.vocabulary.Solid)
}

// ColumnSynonym returns the synonym for an unknown column of a bulk file, and false if it has no synonym.
func (s *Speller) ColumnSynonym(word string, known []string) (Synonym, bool) {
	if s.columns == nil {
		s.columns = newDictionary(s.vocabulary.Columns())
	}
	return s.columns.find(word, known, s.vocabulary.Solid)
}

// Explain adds the synonym to an error about an unknown word.
func (y Synonym) Explain(e *problem.Error) {
	e.Suggestion = y.Key
	if y.Note != "" {
		e.Message += ": " + y.Note
	}
}

// PlainWord returns a word in the form of the table of synonyms: lower case, without separators.
func PlainWord(word string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(word))
}

// numberedEnd returns the end of an axis, a or b, that a word with a number means, such as p0 or point2. If the table
// also has the word with 2, the word with 1 means a. Otherwise the word with 0 means a and the word with 1 means b.
// numberedEnd returns false for other words.
func numberedEnd(word string, isBeside func(string) bool) (end string, ok bool) {
	stem := strings.TrimRight(word, "012")
	if !slices.Contains([]string{"p", "point", "end", "center", "v", "pt", "vertex"}, stem) || len(word) != len(stem)+1 {
		return "", false
	}
	if word[len(stem)] == '0' || word[len(stem)] == '1' && isBeside(stem+"2") {
		return "a", true
	}
	return "b", true
}
