package pillbox_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox"
	"pillbox/internal/fixture/shipped"
	"pillbox/scene"
)

// nested returns a random scene with nested parts, which are rotated, scaled, and placed in rows and rings. Solids
// have surfaces of their own or those of their placements.
func nested(rnd *rand.Rand) string {
	var b strings.Builder
	number := func(least, most float64) float64 { return least + (most-least)*rnd.Float64() }
	vector := func(r float64) string {
		return fmt.Sprintf("[%v, %v, %v]", number(-r, r), number(-r, r), number(-r, r))
	}
	surface := func() string {
		return []string{"", "\nmaterial = \"mirror\"", "\ncolor = \"teal\"", "\nmaterial = \"checked\""}[rnd.IntN(4)]
	}
	rotation := func() string {
		switch rnd.IntN(4) {
		case 0:
			return "\nrotate = " + vector(180)
		case 1:
			return fmt.Sprintf("\naxis = %s\nangle = %v", vector(1), number(-200, 200))
		case 2:
			return fmt.Sprintf("\nquaternion = [1, %v, %v, %v]", number(-1, 1), number(-1, 1), number(-1, 1))
		}
		return ""
	}
	b.WriteString("[image]\nwidth = 64\nheight = 48\n[material.mirror]\nmirror = 0.5\n[material.checked]\nchecker = { color = \"red\", size = 0.3 }\n" +
		"[[light]]\ndirection = [-1, -2, -1]\n[[light]]\nattach = \"camera\"\nposition = [1, 1, 0]\nintensity = 0.3\n")
	const depth = 4
	for d := range depth {
		path := fmt.Sprintf("part.p%d.", d)
		if d == depth-1 {
			path = ""
		} else {
			fmt.Fprintf(&b, "[part.p%d]\n", d)
		}
		fmt.Fprintf(&b, "[[%ssphere]]\ncenter = %s\nradius = %v%s\n", path, vector(1), number(0.1, 0.5), surface())
		fmt.Fprintf(&b, "[[%scapsule]]\na = %s\nb = %s\nradius = %v%s\n", path, vector(1), vector(1), number(0.05, 0.3), surface())
		fmt.Fprintf(&b, "[[%sbox]]\ncenter = %s\nhalf_extents = [%v, 0.2, 0.3]%s%s\n", path, vector(1), number(0.1, 0.4), rotation(), surface())
		for i := range min(d, 2) {
			fmt.Fprintf(&b, "[[%splace]]\npart = \"p%d\"\nposition = %s\nscale = %v%s%s\ncount = %d\nstep = { position = %s, axis = [0.1, 1, 0], angle = %v }\n",
				path, d-1-i, vector(3), number(0.5, 1.2), rotation(), surface(), 1+rnd.IntN(3), vector(1), number(10, 90))
		}
	}
	return b.String()
}

// TestFlat checks that a random scene of nested parts has the same picture as a scene that lists its solids one by
// one. A fixed hash of all pictures checks that they are the same on all machines.
func TestFlat(t *testing.T) {
	all := sha256.New()
	solids := 0
	for seed := range uint64(12) {
		text := nested(rand.New(rand.NewPCG(seed, 7)))
		s, err := scene.Decode("nested.toml", []byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var flat bytes.Buffer
		if err := s.WriteTOML(&flat); err != nil {
			t.Fatal(err)
		}
		again, err := scene.Decode("flat.toml", flat.Bytes())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, want := pillbox.Hash(shipped.Render(t, s, pillbox.Options{}).Image), pillbox.Hash(shipped.Render(t, again, pillbox.Options{}).Image)
		if got != want {
			t.Errorf("seed %d: the scene hashes to %s, written out to %s\n%s", seed, got, want, text)
		}
		fmt.Fprintln(all, got)
		solids += s.Objects.Len()
	}
	const want = "e4653ebae0017574009d15df1278efcb720c96506ffcabd3b4f59575cd4d359f"
	if got := fmt.Sprintf("%x", all.Sum(nil)); got != want {
		t.Errorf("all pictures, of %d solids, hash to %s, want %s", solids, got, want)
	}
}
