package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestClosestWord(t *testing.T) {
	known := []string{"center", "radius", "name", "material", "color", "a", "b"}
	for word, want := range map[string]string{
		"radius": "radius", "Radius": "radius", "raduis": "radius", "radiu": "radius", "radiuss": "radius", "rad": "",
		"centre": "center", "centr": "center", "colour": "color", "matreial": "material", "materials": "material",
		"nmae": "name", "nam": "name", "nane": "name", "size": "", "A": "a", "c": "", "": "", "ab": "a", "größe": "",
	} {
		if got := ClosestWord(word, known); got != want {
			t.Errorf("ClosestWord(%q) = %q, want %q", word, got, want)
		}
	}
}

// TestClosestWordToLongWord checks that ClosestWord ignores very long words, because its time would grow with the
// square of their length.
func TestClosestWordToLongWord(t *testing.T) {
	long := strings.Repeat("a", maxWord)
	if got := ClosestWord(long[1:]+"b", []string{long}); got != long {
		t.Errorf("got %q, want %q", got, long)
	}
	if got := ClosestWord(long+"b", []string{long}); got != "" {
		t.Errorf("got %q for a word of %d letters, want none", got, maxWord+1)
	}
}

// TestEditsAgainstDefinition compares the number of edits between two words with the recursive definition.
func TestEditsAgainstDefinition(t *testing.T) {
	var slow func(a, b string) int
	slow = func(a, b string) int {
		if a == "" || b == "" {
			return len(a) + len(b)
		}
		i, j := len(a)-1, len(b)-1
		replace := slow(a[:i], b[:j])
		if a[i] != b[j] {
			replace++
		}
		n := min(replace, slow(a[:i], b)+1, slow(a, b[:j])+1)
		if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
			n = min(n, slow(a[:i-1], b[:j-1])+1)
		}
		return n
	}
	rng := rand.New(rand.NewPCG(5, 6))
	word := func() string {
		b := make([]byte, rng.IntN(6))
		for i := range b {
			b[i] = "abc"[rng.IntN(3)]
		}
		return string(b)
	}
	for range 5000 {
		a, b := word(), word()
		want := slow(a, b)
		difference := max(len(a)-len(b), len(b)-len(a))
		for most := difference; most < 7; most++ {
			if got := edits([]rune(a), []rune(b), most); got != want && (got <= most || want <= most) {
				t.Fatalf("edits(%q, %q, %d) = %d, want %d", a, b, most, got, want)
			}
		}
	}
}

// TestDidYouMean checks the end of a message about a misspelled word.
func TestDidYouMean(t *testing.T) {
	if got := DidYouMean("width", "'--%s'"); got != "; did you mean '--width'?" {
		t.Errorf("got %q", got)
	}
	if got := DidYouMean("", "%q"); got != "" {
		t.Errorf("without a similar word: got %q", got)
	}
}
