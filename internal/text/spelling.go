package text

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxWord is the largest number of letters in a word that is compared with others. The time for a
// comparison grows with the square of this number.
const maxWord = 64

// ClosestWord returns the known word that is most similar to a misspelled word. This is the word that needs the fewest
// edits, or the first of these on a tie. ClosestWord ignores case. For a word of n letters, it allows n / 3 edits, but
// at least one and at most n - 1. It returns "" if no known word is that similar, or if the misspelled word has more
// than 64 letters.
func ClosestWord(word string, known []string) string {
	if utf8.RuneCountInString(word) > maxWord {
		return ""
	}
	letters := []rune(strings.ToLower(word))
	best, most := "", min(max(1, len(letters)/3), len(letters)-1)
	for _, k := range known {
		// Each letter of difference in length is an edit, which rules out most words.
		if d := utf8.RuneCountInString(k) - len(letters); max(d, -d) > most {
			continue
		}
		if n := edits(letters, []rune(strings.ToLower(k)), most); n <= most {
			best, most = k, n-1
		}
	}
	return best
}

// edits returns how many letters must be inserted, removed, replaced or swapped with their neighbor to turn s into t.
// This is the optimal string alignment distance (Boytsov, "Indexing methods for approximate dictionary searching",
// 2011, section 2.1). If more than limit edits are needed, the result is some number above limit. The lengths of s and
// t must differ by no more than limit. The function compares only letters whose indices differ by no more than limit,
// which suffices (Ukkonen, "Algorithms for approximate string matching", 1985, section 2).
func edits(s, t []rune, limit int) int {
	older, old, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		older, old, row = old, row, older
		from, to := max(0, i-limit), min(len(t), i+limit+1)
		row[from] = i + 1 // exact at the beginning of t, and more than limit elsewhere
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
			row[to+1] = limit + 1
		}
	}
	return row[len(t)]
}

// DidYouMean returns the end of a message about a misspelled word, such as `; did you mean '--width'?`, or "" if near, the
// similar word, is "". The verb in format quotes near, as '--%s' and %q do.
func DidYouMean(near, format string) string {
	if near == "" {
		return ""
	}
	return "; " + Guess(fmt.Sprintf(format, near))
}

// Guess returns the question whether a word was meant, such as "did you mean 'width'?". The word must have its quotes.
func Guess(quoted string) string { return "did you mean " + quoted + "?" }
