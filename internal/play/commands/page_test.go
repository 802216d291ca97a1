package commands_test

import (
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
)

// TestPageRefuses checks errors of render page, which leave no file.
func TestPageRefuses(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small, "bad.toml": "[[sphere]]\n"})
	for _, test := range []struct {
		args   string
		status int
		says   string
	}{
		{"page s.toml", cli.StatusWrong, "this program was built without the viewer, which releases and wheels contain"},
		{"page s.toml", cli.StatusWrong, "go build -overlay DIR/overlay.json"},
		{"page bad.toml", cli.StatusWrong, "bad.toml:1:1: sphere[0].center"},
		{"page none.toml", cli.StatusFile, "none.toml"},
		{"page s.toml -o s.toml", cli.StatusWrong, "would replace the input"},
		{"page s.toml -o page.png", cli.StatusWrong, "page.png"},
		{"page s.toml -o page.svg", cli.StatusWrong, "output page.svg would be HTML, but its extension is for an SVG picture"},
		{"page s.toml --time 1", cli.StatusWrong, "--time: s.toml has no [animation]"},
		{"page s.toml --theme none", cli.StatusFile, "--theme: there is neither a file none"},
		{"page", cli.StatusWrong, "want one scene"},
	} {
		got := programtest.Invocation{}.Run(strings.Fields(test.args)...)
		if got.Status != test.status || got.Stdout != "" || !strings.Contains(got.Stderr, test.says) {
			t.Errorf("%s: %+v, want status %d and %q", test.args, got, test.status, test.says)
		}
	}
	programtest.WantFiles(t, "bad.toml", "s.toml")
}
