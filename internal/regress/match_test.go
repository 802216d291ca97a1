package regress

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/tomltext"
)

// spheres returns unnamed spheres with the given x and, after a colon, radius.
func spheres(t *testing.T, list string) []record {
	t.Helper()
	var text strings.Builder
	for _, s := range strings.Fields(list) {
		x, radius, _ := strings.Cut(s, ":")
		fmt.Fprintf(&text, "[[sphere]]\ncenter = [%s, 0, 0]\nradius = %s\n", x, radius)
	}
	root, err := tomltext.Parse([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	list2, _ := tables(root["sphere"])
	return tableRecords(list2)
}

// TestMatchNeverGuesses checks which spheres without names are paired: never one of several pairs that are equally good.
func TestMatchNeverGuesses(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"0:1", "1:1 -1:1", "[-1]"},                     // either may be the moved one
		{"1:1 -1:1", "0:1", "[-1 -1]"},                  // either may be gone
		{"0:1", "0.5:1 -1:1", "[0]"},                    // one is closer
		{"0:1 9:1", "1:1 -1:1 9:2", "[-1 2]"},           // the others are clear
		{"0:1 1:1 2:1", "0.5:1 1.5:1 2.5:1", "[0 1 2]"}, // only one way gives each a partner
		{"2:1 0:1 1:1", "1.5:1 2.5:1 0.5:1", "[1 2 0]"}, // in any order
		{"0:1 1:1", "0.5:1 1.5:1 -0.5:1", "[-1 -1]"},    // several ways
		{"0:1 0:1", "0:2 0:3", "[0 1]"},                 // equal ones are interchangeable
		{"0:1 0:1", "0:2", "[0 -1]"},                    // so it does not matter which is gone
		{"0:1", "0:2 0:2", "[0]"},                       // nor which is new
		{"0:1 0:1", "0:2 0:3 0:4", "[-1 -1]"},           // but which of three is new does
		{"0:1 5:1", "0:2 5:2", "[0 1]"},                 // the same place
		{"0:1 0:4", "0:2 0:3", "[-1 -1]"},               // a cycle of equal pairs
		{"0:1 0:1 0:1", "1:1 -1:1", "[0 1 -1]"},         // each comes from one of them
		{"0:1 9:1", "1:1 -1:1 8:1 10:1", "[-1 -1]"},     // two ties apart
		{"0:1 0.25:1", "1:1 -1:1", "[1 0]"},             // the closest pair leaves one way for the other
	} {
		a, b := spheres(t, c.a), spheres(t, c.b)
		if got := fmt.Sprint(match(a, b)); got != c.want {
			t.Errorf("%s to %s: got %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// TestMatchTracks checks that a track whose target alone changes is paired with its former version, but not if two matches
// are equally good, or if other values differ, too.
func TestMatchTracks(t *testing.T) {
	track := func(target string, end float64) table {
		return table{"target": target, "keys": []any{0.0, 1.0}, "values": []any{0.0, end}}
	}
	for name, test := range map[string]struct {
		a, b []table
		want []int
	}{
		"target":           {[]table{track("ball.radius", 1)}, []table{track("cup.radius", 1)}, []int{0}},
		"target of one":    {[]table{track("ball.radius", 1), track("cup.radius", 2)}, []table{track("cup.radius", 2), track("dish.radius", 1)}, []int{1, 0}},
		"two as good":      {[]table{track("ball.radius", 1)}, []table{track("cup.radius", 1), track("dish.radius", 1)}, []int{none}},
		"target and value": {[]table{track("ball.radius", 1)}, []table{track("cup.radius", 2)}, []int{none}},
		"value":            {[]table{track("ball.radius", 1)}, []table{track("ball.radius", 2)}, []int{0}},
	} {
		if got := match(tableRecords(test.a), tableRecords(test.b)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
