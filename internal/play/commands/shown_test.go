package commands

import (
	"strings"
	"testing"

	"pillbox/scene"
)

// TestShownAnimation checks that the page of an animated scene without --time has the scene of its picture, whose solids are
// where their tables say, and with --time the scene at this time.
func TestShownAnimation(t *testing.T) {
	const text = "[animation]\nduration = 2\n[[animate]]\ntarget = 'b.center'\ntimes = [0, 2]\nvalues = [[1, 0, 0], [-1, 0, 0]]\n" +
		"[[sphere]]\nname = 'b'\ncenter = [0, 5, 0]\nradius = 1\n"
	s, err := scene.Decode("s.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	still, err := new(paging).shown(s, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	again, err := scene.Decode("page.toml", []byte(still.Text))
	if err != nil || again.Moves() || !strings.Contains(still.Text, "center = [0, 5, 0]") || still.Time != nil {
		t.Errorf("the page has the scene %s, %v", still.Text, err)
	}
	seconds := 1.5
	timed, err := (&paging{moment: &seconds}).shown(s, []byte(text))
	if err != nil || timed.Text != text || timed.Time != &seconds {
		t.Errorf("with --time, the page has %+v, %v", timed, err)
	}
}
