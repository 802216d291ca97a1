package explain

import (
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// TestTallySaysWhyNodesAreSkipped checks the summary of a traversal with skipped nodes. Nodes that are skipped
// before any hit must be counted as farther than the light, and nodes that are skipped later as farther than a
// hit.
func TestTallySaysWhyNodesAreSkipped(t *testing.T) {
	root := accel.NodeStep{Outcome: accel.Entered}
	skipped := accel.NodeStep{Depth: 1, Outcome: accel.Farther}
	missed, found := accel.SolidStep{Outcome: accel.Missed}, accel.SolidStep{Outcome: accel.Accepted}
	var traversal follow.Traversal
	traversal.Node(root)
	traversal.Node(skipped)
	traversal.Solid(missed)
	traversal.Node(skipped)
	if got, want := tallyText(traversal.Tally()), "3 nodes: 1 entered, 0 missed, 2 skipped because they are farther than the light. 1 solid tested."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	traversal.Solid(found)
	traversal.Node(skipped)
	const want = "4 nodes: 1 entered, 0 missed, 1 skipped because they are farther than a hit, " +
		"2 skipped because they are farther than the light. 2 solids tested."
	if got := tallyText(traversal.Tally()); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWalkTellsNumbersApart checks that different numbers are printed differently, with more than six digits if
// necessary. The scene is far from the origin.
func TestWalkTellsNumbersApart(t *testing.T) {
	from, to := boundsText(geom.Bounds{Min: geom.Vec3{X: 1e12, Y: -1}, Max: geom.Vec3{X: 1e12 + 1, Y: 1}})
	if from != "(1e+12, -1, 0)" || to != "(1000000000001, 1, 0)" {
		t.Errorf("%s to %s", from, to)
	}
	for _, test := range []struct {
		numbers []float64
		want    string
	}{
		{[]float64{1.0 / 3, 2.0 / 3}, "0.333333 0.666667"},
		{[]float64{1e7, 1e7 - 1, 1e7}, "1e+07 9999999 1e+07"},
		{[]float64{1e7 - 1, 1e7 + 1}, "9999999 10000001"},
		{[]float64{1, math.Nextafter(1, 2)}, "1 1.0000000000000002"},
		{[]float64{0, math.Copysign(0, -1), math.Inf(1)}, "0 0 Inf"},
		{[]float64{math.NaN(), math.NaN()}, "NaN NaN"},
	} {
		if got := strings.Join(formula.Apart(formula.Readable, test.numbers...), " "); got != test.want {
			t.Errorf("%v: %s, want %s", test.numbers, got, test.want)
		}
	}

	s, err := scene.Decode("far.toml", []byte("[[sphere]]\ncenter = [0, 0, -10000000]\nradius = 1\n[[sphere]]\ncenter = [0, 0, -10000001]\nradius = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(prepared)
	w := tracer.writer(Verbose)
	steps := w.steps(&aimed(t, tracer, geom.Ray{Dir: geom.Vec3{Z: -1}}).traced().Traversal)
	const want = "sphere[1]: t = 1e+07 and 10000002, rejected: not closer than sphere[0] at 9999999"
	if !slices.ContainsFunc(steps, func(i Item) bool { return i.Text == want }) {
		t.Errorf("%q is not in %+v", want, steps)
	}
}

// TestOwnSolidFromInsideSaysWhy checks the derivation of a shadow ray inside a solid that contains the light. It
// must state this as the reason why the solid does not block the light.
func TestOwnSolidFromInsideSaysWhy(t *testing.T) {
	x := explained(t, "../scenes/inside-sphere.toml", image.Pt(10, 10))
	if !x.Samples[0].Hit.Inside {
		t.Fatal("the pixel does not show the inside")
	}
	data, err := x.JSON(Verbose)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); !strings.Contains(text, "the light is inside this convex solid") || strings.Contains(text, "leaves it outward") {
		t.Error("the derivations of shadow rays do not say that the light is inside")
	}
}
