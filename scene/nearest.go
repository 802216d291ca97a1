package scene

import "strings"

// nearest returns the known word that the given one was probably meant to be: the one with
// the fewest edits to it, the first of several. One edit in three letters is allowed, one in
// a shorter word, but never all letters; case does not count. It returns "" if no known word
// is that near.
func nearest(word string, known []string) string {
	word = strings.ToLower(word)
	length := len([]rune(word))
	best, fewest := "", max(1, length/3)+1
	for _, k := range known {
		// Every letter more or less is an edit, so most words need no closer look.
		if d := len([]rune(k)) - length; max(d, -d) >= fewest {
			continue
		}
		if n := edits(word, strings.ToLower(k)); n < fewest && n < length {
			best, fewest = k, n
		}
	}
	return best
}

// edits returns how many letters must be inserted, removed, replaced or swapped with their
// neighbour to make b from a: the optimal string alignment distance (Boytsov, "Indexing
// methods for approximate dictionary searching", 2011, section 2.1).
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	older, old, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		older, old, row = old, row, older
		row[0] = i + 1
		for j := range t {
			replace := old[j]
			if s[i] != t[j] {
				replace++
			}
			row[j+1] = min(replace, old[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
	}
	return row[len(t)]
}
