package play

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// TestHeadersAndKeys compares the functions that find headers and keys in lines with equivalent regular
// expressions. Some lines are incomplete.
func TestHeadersAndKeys(t *testing.T) {
	headerLine := regexp.MustCompile(`(?m)^[ \t]*\[\[?[ \t]*([A-Za-z_"'][^\]\n#=]*)`)
	keyLine := regexp.MustCompile(`^[ \t]*([A-Za-z0-9_-]+)[ \t]*[=.]`)
	rng := rand.New(rand.NewPCG(1, 2))
	const letters = "[[[]]\n\n==..##  \t\"'_-aZz9@`{é"
	headers, keys := 0, 0
	for range 20_000 {
		text := make([]byte, rng.IntN(24))
		for i := range text {
			text[i] = letters[rng.IntN(len(letters))]
		}
		got, want := headersOf(text), headerLine.FindAllSubmatchIndex(text, -1)
		if len(got) != len(want) {
			t.Fatalf("%q: headers %v, want %v", text, got, want)
		}
		for i, h := range got {
			if h != (header{want[i][0], want[i][2], want[i][3]}) {
				t.Fatalf("%q: header %v, want %v", text, h, want[i])
			}
		}
		headers += len(got)
		key, ok := keyOf(text)
		if m := keyLine.FindSubmatch(text); ok != (m != nil) || ok && string(key) != string(m[1]) {
			t.Fatalf("%q: key %q %v, want %q", text, key, ok, m)
		}
		if ok {
			keys++
		}
	}
	if headers < 500 || keys < 500 {
		t.Errorf("only %d headers and %d keys", headers, keys)
	}
}
