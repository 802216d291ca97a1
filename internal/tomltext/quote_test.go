package tomltext

import "testing"

// FuzzQuote checks that parsing a quoted string or key gives the original text.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a", "a b", `"\`, "\n\t\r\b\f\x00\x1b\x7f", "größe", "\u202e\u2028\U0001f600\U000e0001", "\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := string([]rune(s)) // U+FFFD for invalid UTF-8
		text := QuoteKey(s) + " = " + Quote(s) + "\n"
		root, err := Parse([]byte(text))
		if err != nil || len(root) != 1 || root[want] != want {
			t.Errorf("%q is written %q and read %q, %v", s, text, root, err)
		}
	})
}
