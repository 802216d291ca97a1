package scene

import (
	"strings"
	"unicode/utf8"
)

// nearest returns the known word that the given one most probably stands for: the one with
// the fewest edits to it, the first of several. One edit in three letters is allowed, one in
// a shorter word, but never all letters; case does not count. It returns "" if no known word
// is that near.
func nearest(word string, known []string) string {
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
// neighbour to make t from s, or any larger number than most if these are more: the optimal
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
