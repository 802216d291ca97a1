package svg

import (
	"bytes"
	"testing"

	"pillbox/internal/geom2"
)

// TestWriter checks how lengths are rounded, how paths are written, and that texts are escaped.
func TestWriter(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, 100)
	w.Title("")
	w.Title("a < b & c")
	w.Printf("%s %s %s", w.Path([]geom2.Point{geom2.Pt(-0.001, 0.126), geom2.Pt(3, -1.5)}, true), w.Length(2), Rounded(0.0004, 1000))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "<title>a &lt; b &amp; c</title>\nM0 0.13L3 -1.5Z 2 0"; b.String() != want {
		t.Errorf("wrote %q, want %q", &b, want)
	}
}
