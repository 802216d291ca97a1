package keytable

import (
	"maps"
	"testing"

	"golang.org/x/image/colornames"

	"pillbox/shade"
)

// TestColorNames compares the named colors with those of SVG 1.1. CSS adds one.
func TestColorNames(t *testing.T) {
	want := map[string]shade.Color{"rebeccapurple": shade.FromSRGB8(0x66, 0x33, 0x99)}
	for name, c := range colornames.Map {
		want[name] = shade.FromSRGB8(c.R, c.G, c.B)
	}
	if got := namedColors(); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if names := ColorNames(); len(names) != len(want) || names[0] != "aliceblue" {
		t.Errorf("the names are %q", names)
	}
}
