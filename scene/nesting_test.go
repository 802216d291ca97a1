package scene_test

import (
	"errors"
	"strings"
	"testing"

	"pillbox/scene"
)

// TestDecodeDeepNesting feeds what a recursive reader would choke on.
func TestDecodeDeepNesting(t *testing.T) {
	for name, text := range map[string]string{
		"arrays":         "a = " + strings.Repeat("[", 3_000_000),
		"inline tables":  "a = " + strings.Repeat("{a=", 1_000_000),
		"key":            strings.Repeat("a.", 1_000_000) + "a = 1",
		"header":         "[" + strings.Repeat("a.", 1_000_000) + "a]",
		"on many lines":  "a = " + strings.Repeat("[\n", 1_000_000),
		"behind strings": `x = "]]" # ]` + "\ny = '''\n]'''\na = " + strings.Repeat("[", 1_000_000),
	} {
		_, err := scene.Decode("deep.toml", []byte(text))
		var e *scene.Error
		if !errors.As(err, &e) || e.Code != scene.CodeSyntax || e.Line < 1 || !strings.Contains(e.Message, "nested") {
			t.Errorf("%s: Decode = %.200v, want a syntax error about nesting", name, err)
		}
	}
}

// TestDecodeDotsAndBracketsThatDoNotNest has more than a hundred of each.
func TestDecodeDotsAndBracketsThatDoNotNest(t *testing.T) {
	text := "# " + strings.Repeat("[.", 500) + "\n" +
		strings.Repeat("[[sphere]]\ncenter = [1.5, 2.5, 3.5]\nradius = 0.5\n", 200) +
		"[[sphere]]\ncenter = [1.0, 2.0, 3.0]\nradius = 1.0\nname = \"" + strings.Repeat("[.", 500) + "\"\n"
	if _, err := scene.Decode("flat.toml", []byte(text)); err != nil {
		t.Error(err)
	}
}
