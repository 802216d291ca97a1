package text

import (
	"os/exec"
	"testing"
)

// TestShellQuoted checks that a shell reads a quoted word as the word, and that harmless words are not quoted.
func TestShellQuoted(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	for _, word := range []string{"", "a.toml", "-o", "a b", "it's", `\`, "$HOME", "`x`", "a\nb", "\x1b[31m", "\xff", "::error::x", "ä", "a\u202eb", "#", "*", "~"} {
		quoted := ShellQuoted(word)
		got, err := exec.Command(bash, "-c", "printf %s "+quoted).Output()
		if string(got) != word || err != nil {
			t.Errorf("%q is quoted as %s, which bash reads as %q, %v", word, quoted, got, err)
		}
		if Escape(quoted) != quoted {
			t.Errorf("%q is quoted as %q, which is not safe to show", word, quoted)
		}
	}
	for _, word := range []string{"a.toml", "-o", "--ray=1,2,-3", "scenes/x_1@2+3:4"} {
		if quoted := ShellQuoted(word); quoted != word {
			t.Errorf("%q is quoted without need: %s", word, quoted)
		}
	}
}
