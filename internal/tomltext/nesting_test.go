package tomltext

import (
	"errors"
	"strings"
	"testing"
)

// TestParseDeepNesting parses values that nest so deeply that a recursive parser would overflow its stack.
func TestParseDeepNesting(t *testing.T) {
	for name, text := range map[string]string{
		"arrays":         "a = " + strings.Repeat("[", 3_000_000),
		"inline tables":  "a = " + strings.Repeat("{a=", 1_000_000),
		"key":            strings.Repeat("a.", 1_000_000) + "a = 1",
		"header":         "[" + strings.Repeat("a.", 1_000_000) + "a]",
		"on many lines":  "a = " + strings.Repeat("[\n", 1_000_000),
		"behind strings": `x = "]]" # ]` + "\ny = '''\n]'''\na = " + strings.Repeat("[", 1_000_000),
	} {
		_, err := Parse([]byte(text))
		var e *SyntaxError
		if !errors.As(err, &e) || !strings.Contains(e.Message, "nested") {
			t.Errorf("%s: Parse = %.200v, want a syntax error about nesting", name, err)
		}
	}
}

// TestParseDotsAndBracketsThatDoNotNest parses a file with more than MaxNesting dots and brackets that are not
// nested in each other.
func TestParseDotsAndBracketsThatDoNotNest(t *testing.T) {
	many := strings.Repeat("[.", 5*MaxNesting)
	text := "# " + many + "\n" +
		strings.Repeat("[[sphere]]\ncenter = [1.5, 2.5, 3.5]\nradius = 0.5\n", 2*MaxNesting) +
		"[[sphere]]\ncenter = [1.0, 2.0, 3.0]\nradius = 1.0\nname = \"" + many + "\"\n"
	if _, err := Parse([]byte(text)); err != nil {
		t.Error(err)
	}
}
