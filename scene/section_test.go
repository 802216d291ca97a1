package scene

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
)

// TestSectionSolids checks which solids the keys on and except mean.
func TestSectionSolids(t *testing.T) {
	const rest = `
		[material.steel]
		[material.wood]
		[part.finger]
		[[part.finger.capsule]]
		name = "bone"
		a = [0, 0, 0]
		b = [0, 1, 0]
		radius = 0.2
		material = "wood"
		[part.hand]
		[[part.hand.place]]
		part = "finger"
		name = "thumb"
		[[part.hand.sphere]]
		center = [0, 0, 0]
		radius = 1
		[[place]]
		part = "hand"
		name = "left"
		count = 2
		step = { position = [9, 0, 0] }
		[[place]]
		part = "finger"
		[[sphere]]
		name = "ball"
		center = [0, 0, 0]
		radius = 1
		material = "steel"
	`
	// Spheres: ball 0, those of the hands 1 and 2. Capsules: those of the hands 3 and 4, the lone finger 5.
	for limit, want := range map[string][]int{
		``:                                    {0, 1, 2, 3, 4, 5},
		`on = "ball"`:                         {0},
		`except = "ball"`:                     {1, 2, 3, 4, 5},
		`on = ["steel", "wood"]`:              {0, 3, 4, 5},
		`on = "finger"`:                       {3, 4, 5},
		`on = "hand"`:                         {1, 2, 3, 4},
		`on = "left"`:                         {1, 2, 3, 4},
		`on = "left[1]"`:                      {2, 4},
		`on = "left/thumb/bone"`:              {3, 4},
		`on = "left[0]/thumb"`:                {3},
		`on = ["place[1]", "sphere[0]"]`:      {0, 5},
		`except = ["hand", "finger"]`:         {0},
		`except = ["hand", "finger", "ball"]`: nil,
	} {
		s := decode(t, "[[section]]\nname = \"cut\"\npoint = [0, 0, 0]\nnormal = [0, 0, 2]\n"+limit+rest)
		var got []int
		in := s.Sections[0].limit(s.Objects.Len())
		for i := range s.Objects.Len() {
			if in == nil || in[i] {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: solids %v, want %v", limit, got, want)
		}
		var b strings.Builder
		if err := s.WriteTOML(&b); err != nil {
			t.Fatal(err)
		}
		if len(want) == 0 {
			continue // the section is not written
		}
		if again := decode(t, b.String()); !reflect.DeepEqual(again.Cuts(false), s.Cuts(false)) || again.Sections[0].Normal != (geom.Vec3{Z: 1}) {
			t.Errorf("%s: after writing and reading, %+v", limit, again.Sections)
		}
	}
}

// TestSectionMoves checks that a section can be animated by its name and by its key, and keeps its solids.
func TestSectionMoves(t *testing.T) {
	for _, target := range []string{"cut", "section[0]"} {
		name := "name = \"cut\"\n"
		if target != "cut" {
			name = ""
		}
		s := decode(t, "[[section]]\n"+name+`
			point = [0, 0, 0]
			normal = [0, 0, 1]
			on = "ball"
			[[sphere]]
			name = "ball"
			center = [0, 0, 0]
			radius = 1
			[[animate]]
			target = "`+target+`.point"
			times = [0, 1]
			values = [[0, 0, -2], [0, 0, 2]]
		`)
		for seconds, want := range map[float64]int{0: 0, 0.5: 1, 1: -1} { // removed, one section, whole
			at, err := s.At(seconds)
			if err != nil {
				t.Fatal(err)
			}
			got := -1
			if cuts := at.Cuts(false); len(cuts) == 1 {
				got = len(cuts[0].By)
			}
			if got != want || !at.Sections[0].Limited {
				t.Errorf("%s at %v: %d sections, want %d: %+v", target, seconds, got, want, at.Sections)
			}
		}
	}
}

// TestInsideOfCutSolids checks that warnings about an eye or a light inside a solid respect sections and ghosts, and that
// dimensions of removed solids get a warning.
func TestInsideOfCutSolids(t *testing.T) {
	const eye, light, dimension = "the eye lies inside", "the light lies inside", "which sections remove"
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{eye, light}},
		{"[[section]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]", nil},
		{"[[section]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nlight = \"whole\"", []string{light}},
		{"[[section]]\npoint = [0, 0, 0]\nnormal = [0, 0, -1]", []string{eye, light}},
		{"[[section]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\non = \"other\"", []string{eye, light}},
		{"[[section]]\npoint = [0, 0, -3]\nnormal = [0, 0, 1]", []string{dimension}},
	} {
		s := decode(t, c.text+`
			[camera]
			position = [0, 0, 1]
			look_at = [0, 0, -9]
			[[light]]
			position = [0, 0, 0.5]
			[[sphere]]
			name = "ball"
			center = [0, 0, 0]
			radius = 2
			[[sphere]]
			name = "other"
			center = [0.1, 0, 0]
			radius = 0.2
			[[dimension]]
			on = "ball"
			across = "diameter"
		`)
		var got []string
		for _, w := range s.Warnings {
			for _, known := range []string{eye, light, dimension} {
				if strings.Contains(w.Message, known) {
					got = append(got, known)
				}
			}
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: warnings %q, want %q: %v", c.text, got, c.want, s.Warnings)
		}
	}
	ghost := decode(t, "[[light]]\nposition = [0, 0, 0]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nghost = 0.5")
	if len(ghost.Warnings) > 0 {
		t.Errorf("a light in a ghost: %v", ghost.Warnings)
	}
}

// TestNotesTakenAway checks which annotations of cut solids get a warning. The sections cut the ball and the bar, keep the
// low end of the bar, and remove the bead.
func TestNotesTakenAway(t *testing.T) {
	const ball, bead = "points to what section[0] takes away: give coordinates instead of a name", "points to sphere \"bead\", which sections remove"
	for text, want := range map[string]string{
		"[[label]]\ntext = \"t\"\non = \"ball\"":             ball,
		"[[label]]\ntext = \"t\"\non = \"bead\"":             bead,
		"[[label]]\ntext = \"t\"\non = [\"ball\", \"bead\"]": ball,
		"[[label]]\ntext = \"t\"\non = \"whole\"":            "",
		"[[label]]\ntext = \"t\"\non = [\"ball\", \"low\"]":  "",
		// At the center of the two, another solid is left.
		"[[label]]\ntext = \"t\"\non = [\"ball\", \"bead\", \"whole\"]": "",
		"[[label]]\ntext = \"t\"\nat = [0, 0, 0]":                       "",
		"[[marker]]\nat = \"ball\"":                                     ball,
		"[[marker]]\nat = \"bar.a\"":                                    "",
		"[[marker]]\nat = \"bar.b\"":                                    ball,
		"[[line]]\nfrom = \"ball\"\nto = [1, 0, 0]":                     ball,
		"[[arrow]]\nfrom = [1, 0, 0]\nto = \"bead\"":                    bead,
		"[[arrow]]\nfrom = \"bar.a\"\nto = [1, 0, 0]":                   "",
		"[[angle]]\nat = [1, 0, 0]\nfrom = \"bar.a\"\nto = \"bar.b\"":   ball,
		"[[dimension]]\non = \"bead\"":                                  "measures sphere \"bead\", which sections remove",
		"[[dimension]]\non = \"ball\"":                                  "",
		"[[dimension]]\nfrom = [0, 0, 0]\nto = [1, 0, 0]":               "",
		"[part.p]\n[[part.p.sphere]]\nname = \"s\"\ncenter = [0, 0, 0]\nradius = 1\n[[part.p.marker]]\nat = \"s\"\n[[place]]\npart = \"p\"\ncount = 2\nstep = { position = [0, 0, -2] }\n": "in 1 of 2 copies: " + ball,
	} {
		s := decode(t, text+`
			[camera]
			position = [0, 0, 30]
			look_at = [0, 0, 0]
			[[section]]
			point = [0, 0, -0.5]
			normal = [0, 0, 1]
			except = "whole"
			[[sphere]]
			name = "ball"
			center = [0, 0, 0]
			radius = 1
			[[sphere]]
			name = "bead"
			center = [0.5, 0, 0.5]
			radius = 0.5
			[[sphere]]
			name = "whole"
			center = [0, 0, 0]
			radius = 2
			[[sphere]]
			name = "low"
			center = [0, 0, -4]
			radius = 0.5
			[[capsule]]
			name = "bar"
			a = [0, 3, -1]
			b = [3, 3, 1]
			radius = 0.25
			[overlaps]
			allow = [["*", "*"]]
		`)
		got := ""
		for _, w := range s.Warnings {
			got += w.Message
		}
		if got != want {
			t.Errorf("%s\nwarnings %q, want %q", text, got, want)
		}
	}
}
