package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pillbox/internal/text"
)

func TestShorten(t *testing.T) {
	for _, c := range []string{"", "a", strings.Repeat("ö", text.MaxQuoted), strings.Repeat("ö", text.MaxQuoted+1), strings.Repeat("aö漢", 1000), strings.Repeat("\xff", 100)} {
		short, middle := text.Shorten(c), text.ShortenMiddle(c)
		if n := utf8.RuneCountInString(c); n <= text.MaxQuoted {
			if short != c || middle != c {
				t.Errorf("%q: got %q and %q, want no change", c, short, middle)
			}
			continue
		}
		if n := utf8.RuneCountInString(short); n != text.MaxQuoted || utf8.ValidString(short) != utf8.ValidString(c) {
			t.Errorf("%q: %q has %d characters", c, short, n)
		}
		if n := utf8.RuneCountInString(middle); n != text.MaxQuoted || utf8.ValidString(middle) != utf8.ValidString(c) {
			t.Errorf("%q: %q has %d characters", c, middle, n)
		}
		if n := utf8.RuneCountInString(text.ShortenTo(c, 1)); n != 1 || text.ShortenTo(c, len(c)) != c {
			t.Errorf("%q: shortened to one character, it has %d", c, n)
		}
		before, after, _ := strings.Cut(middle, "…")
		if !strings.HasPrefix(short, before) || !strings.HasSuffix(c, after) || !strings.HasPrefix(c, strings.TrimSuffix(short, "…")) {
			t.Errorf("%q: got %q and %q", c, short, middle)
		}
	}
}
