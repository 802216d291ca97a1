package scene

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// speller looks for the words that unknown ones probably stand for, until it has compared
// maxCompared pairs of words: a file may have ten thousand wrong names and as many right ones.
type speller struct {
	compared int
	stopped  bool
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
	e.Suggestion = Nearest(word, known)
	return e.Suggestion
}

// listed returns words, at least one, as a list that is cut where it gets long.
func listed(words []string) string {
	const most = 12
	if rest := len(words) - most; rest > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), rest)
	}
	return strings.Join(words, ", ")
}

// otherWord returns what to say of a key that other programs use for solids, and the known key
// that stands for it, if any does. It says nothing of other words, nor where solids are unknown.
func otherWord(key string, known []string) (says, suggestion string) {
	if !slices.Contains(known, KindBox.String()) {
		return "", ""
	}
	const has = "unknown key: Pillbox has spheres, capsules and boxes; "
	switch strings.TrimSuffix(strings.ToLower(key), "s") {
	case "ball", "orb":
		return "unknown key", KindSphere.String()
	case "pill", "rod":
		return "unknown key", KindCapsule.String()
	case "boxe", "cube", "cuboid", "block", "brick", "aabb", "obb":
		return "unknown key", KindBox.String()
	case "plane", "floor", "ground", "quad", "rectangle", "disc", "disk":
		return has + "a plane is a wide, thin box", KindBox.String()
	case "cylinder", "cone", "tube":
		return has + "a capsule is a cylinder with round ends", KindCapsule.String()
	case "mesh", "meshe", "triangle", "polygon", "torus", "ellipsoid":
		return has + "anything else has to be put together from these", ""
	}
	return "", ""
}

// maxWord is how many letters a word has at most that others are compared with. The time that
// takes grows with the square of the length.
const maxWord = 64

// Nearest returns the known word that the given one, a typing mistake, most probably stands for: the one with
// the fewest edits to it, the first of several. One edit in three letters is allowed, one in
// a shorter word, but never all letters; case does not count. It returns "" if no known word
// is that near, or the given one has more than maxWord letters.
func Nearest(word string, known []string) string {
	if utf8.RuneCountInString(word) > maxWord {
		return ""
	}
	letters := []rune(strings.ToLower(word))
	best, most := "", min(max(1, len(letters)/3), len(letters)-1)
	for _, k := range known {
		// Every letter more or less is an edit, so most words need no closer look.
		if d := utf8.RuneCountInString(k) - len(letters); max(d, -d) > most {
			continue
		}
		if n := edits(letters, []rune(strings.ToLower(k)), most); n <= most {
			best, most = k, n-1
		}
	}
	return best
}

// edits returns how many letters must be inserted, removed, replaced or swapped with their
// neighbor to make t from s, or any larger number than most if these are more: the optimal
// string alignment distance (Boytsov, "Indexing methods for approximate dictionary searching",
// 2011, section 2.1). The lengths differ by at most that many letters. So letters that stand
// further apart need not be compared (Ukkonen, "Algorithms for approximate string matching",
// 1985, section 2).
func edits(s, t []rune, most int) int {
	older, old, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		older, old, row = old, row, older
		from, to := max(0, i-most), min(len(t), i+most+1)
		row[from] = i + 1 // right at the beginning of t, and more than most elsewhere
		for j := from; j < to; j++ {
			replace := old[j]
			if s[i] != t[j] {
				replace++
			}
			row[j+1] = min(replace, old[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		if to < len(t) {
			row[to+1] = most + 1
		}
	}
	return row[len(t)]
}
