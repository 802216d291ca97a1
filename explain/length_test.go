package explain

import (
	"encoding/json"
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
)

// TestLength compares the length of explanations with what their JSON lists.
func TestLength(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 3))
	for range effort.Of(20, 100, 2000) {
		tracer := New(prepared(t, randomScene(rng), pillbox.Picture{Antialias: 2}))
		size := tracer.prepared.Size
		x, err := tracer.Pixel(image.Pt(rng.IntN(size.X), rng.IntN(size.Y)))
		if err != nil {
			t.Fatal(err)
		}
		for _, detail := range []Detail{Usual, Verbose} {
			var all any
			data, err := x.JSON(detail)
			if err == nil {
				err = json.Unmarshal(data, &all)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, want := x.length(detail, true), listedIn(all, detail); got != want {
				t.Fatalf("detail %d: length %d, but the JSON lists %d:\n%s", detail, got, want, data)
			}
		}
	}
}

func prepared(t *testing.T, s *scene.Scene, p pillbox.Picture) *pillbox.Prepared {
	t.Helper()
	out, err := pillbox.Prepare(s, p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// listedIn counts the tests of solids and the derivations in a part of an explanation as JSON, and if it is verbose, the nodes.
func listedIn(part any, detail Detail) int {
	n := 0
	switch part := part.(type) {
	case []any:
		for _, item := range part {
			n += listedIn(item, detail)
		}
	case map[string]any:
		_, isTest := part["outcome"].(string)
		_, isPath := part["seen"]
		_, isLight := part["fate"]
		if _, isDerived := part["steps"]; isDerived && (isTest || isPath || isLight) {
			n += derivationLength
		}
		if walk, ok := part["walk"].(map[string]any); ok && detail == Verbose {
			nodes, _ := walk["steps"].([]any)
			n += len(nodes)
		}
		tests, _ := part["tests"].([]any)
		n += len(tests)
		for key, item := range part {
			if key != "walk" {
				n += listedIn(item, detail)
			}
		}
	}
	return n
}

// TestManyCrossings checks that a usual explanation of a ray whose line crosses many solids derives only the test of the hit,
// and that a verbose one of still more solids is refused.
func TestManyCrossings(t *testing.T) {
	explained := func(count int) *Ray {
		text := fmt.Sprintf("[image]\nwidth = 8\nheight = 8\n[[place]]\npart = \"p\"\ncount = %d\nstep = { position = [%g, %g, %g] }\n"+
			"[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 3\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n", count, 2.5/float64(count), 5/float64(count), 7.5/float64(count))
		s, err := scene.Decode("many.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		x, err := New(prepared(t, s, pillbox.Picture{})).Ray(s.Camera.Position, geom.Vec3{X: 0.06, Y: -0.06, Z: -1})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x := explained(3000)
	if n := x.traced().Traversal.Tally().Solids; n <= manyCrossings {
		t.Fatalf("only %d solids are tested", n)
	}
	var derived []int32
	for _, b := range x.Document(Usual).Blocks() {
		if h, ok := b.(Heading); ok && strings.HasPrefix(h.Text, "Tested: ") {
			object, ok := Solid(x.tracer.prepared.Scene, strings.TrimPrefix(h.Text, "Tested: "))
			if !ok {
				t.Fatal(h.Text)
			}
			derived = append(derived, object)
		}
	}
	if len(derived) != 1 || derived[0] != x.traced().Hit.Object {
		t.Errorf("the tests of %v are derived, want only that of the hit %d", derived, x.traced().Hit.Object)
	}
	x = explained(60_000)
	for _, err := range []error{CheckJSON(x, Usual), CheckDocument(x, Usual), CheckDocument(x, Brief)} {
		if err != nil {
			t.Error(err)
		}
	}
	for _, err := range []error{CheckJSON(x, Verbose), CheckDocument(x, Verbose)} {
		if err == nil || !strings.Contains(err.Error(), "omit --verbose") {
			t.Errorf("a verbose explanation of thousands of tests is not refused: %v", err)
		}
	}
}
