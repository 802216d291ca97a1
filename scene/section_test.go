package scene

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/problem"
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
		`on = "part.hand"`:                    {1, 2, 3, 4},
		`on = "part.finger/bone"`:             {3, 4, 5},
		`on = "part.hand/thumb[0]"`:           {3, 4},
		`except = ["material.steel", "ball"]`: {1, 2, 3, 4, 5},
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
	for _, w := range ghost.Warnings {
		if strings.Contains(w.Message, light) {
			t.Errorf("a light in a ghost: %v", w)
		}
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

// TestPlacedSections compares sections of parts with those of the same scene, flattened by hand.
func TestPlacedSections(t *testing.T) {
	const part = `
		[material.metal]
		[part.knob]
		[[part.knob.sphere]]
		name = "ball"
		center = [0, 0, 0]
		radius = 1
		[[part.knob.section]]
		name = "open"
		point = [0, 0.25, 0]
		normal = [0, 2, 0]
		hatch = true
		LIMIT
		[part.pair]
		[[part.pair.sphere]]
		name = "bead"
		center = [1, 0, 0]
		radius = 0.5
		material = "metal"
		[[part.pair.place]]
		part = "knob"
		name = "top"
		scale = 2
		[[part.pair.box]]
		name = "slab"
		center = [0, 0, 0]
		half_extents = [1, 1, 1]
	`
	const placed = `
		[[sphere]]
		name = "other"
		center = [0, 0, 0]
		radius = 3
		[[section]]
		point = [0, 0, 2.5]
		normal = [0, 0, 1]
		on = "other"
		[[place]]
		part = "pair"
		name = "left"
		count = 2
		quaternion = [0.5, 0.5, 0.5, 0.5] # x to y, y to z, z to x
		position = [10, 20, 30]
		step = { position = [5, 0, 0] }
	`
	// Of the placed solids: the beads are 1 and 3, the balls 2 and 4, and the slabs 5 and 6.
	for limit, want := range map[string][2][]Range{
		"":                                 {{{2, 1}}, {{4, 1}}},
		"on = \"ball\"":                    {{{2, 1}}, {{4, 1}}},
		"except = \"ball\"":                {nil, nil},
		"on = \"ball\"\nlight = \"whole\"": {{{2, 1}}, {{4, 1}}},
	} {
		s := decode(t, strings.ReplaceAll(part, "LIMIT", limit)+placed)
		if len(s.Sections) != 3 || s.Sections[0].Name != "" || s.Sections[0].Point.Z != 2.5 {
			t.Fatalf("%q: sections %+v", limit, s.Sections)
		}
		for i, x := range s.Sections[1:] {
			point := geom.Vec3{X: 10 + 5*float64(i), Y: 20, Z: 30.5}
			if name := []string{"left[0]/top/open", "left[1]/top/open"}[i]; x.Name != name || x.Point != point || x.Normal != (geom.Vec3{Z: 1}) ||
				x.Hatch.Distance != 0.2 || x.Hatch.Width != 0.04 || !x.Limited || !slices.Equal(x.Solids, want[i]) {
				t.Errorf("%q: section %d is %+v", limit, i+1, x)
			}
		}
		var b strings.Builder
		if err := s.WriteTOML(&b); err != nil {
			t.Fatal(err)
		}
		if again := decode(t, b.String()); !reflect.DeepEqual(again.Cuts(true), s.Cuts(true)) || want[0] != nil && !sameSections(s, again) {
			t.Errorf("%q: after writing and reading, %+v", limit, again.Sections)
		}
	}

	// Materials, parts and names are limited to the copy.
	s := decode(t, `
		[[section]]
		point = [0, 0, 0]
		normal = [0, 0, 1]
	`+strings.ReplaceAll(part, "LIMIT", "")+`
		[[part.pair.section]]
		point = [0, 0, 0]
		normal = [1, 0, 0]
		on = ["metal", "knob"]
		[[part.pair.section]]
		point = [0, 0, 0]
		normal = [1, 0, 0]
		except = ["slab", "top/ball"]
	`+placed)
	want := [][]Range{nil, nil, {{1, 2}}, {{1, 1}}, {{2, 1}}, {{3, 2}}, {{3, 1}}, {{4, 1}}}
	if len(s.Sections) != len(want) {
		t.Fatalf("%d sections, want %d", len(s.Sections), len(want))
	}
	for i := 2; i < len(want); i++ {
		if got := s.Sections[i].Solids; !slices.Equal(got, want[i]) {
			t.Errorf("section %d cuts %v, want %v", i, got, want[i])
		}
	}

	// They move with their placement.
	moving := decode(t, strings.ReplaceAll(part, "LIMIT", "")+placed+`
		[[animate]]
		target = "left[1].position"
		times = [0, 1]
		values = [[0, 0, 0], [0, 0, 8]]
	`)
	at, err := moving.At(0.5)
	if err != nil {
		t.Fatal(err)
	}
	if x := at.Sections[2]; len(at.Sections) != 3 || x.Point != (geom.Vec3{X: 5, Z: 4.5}) || !slices.Equal(x.Solids, []Range{{4, 1}}) || at.Sections[1].Point.X != 10 {
		t.Errorf("at 0.5 s: %+v", at.Sections)
	}
}

// TestPlacedSectionProblems checks the messages about sections of parts.
func TestPlacedSectionProblems(t *testing.T) {
	const part = `
		[part.p]
		[[part.p.sphere]]
		center = [0, 0, 0]
		radius = 1e-3
		[[part.p.section]]
		point = [0, 0, 0]
		normal = [0, 0, 1]
	`
	for text, want := range map[string]string{
		part + "[[place]]\npart = \"p\"\ncount = 9":                                                          "place[0]: placements must make at most 8 sections, but they make 9, 9 of them here",
		"[[section]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]" + part + "[[place]]\npart = \"p\"\ncount = 8":   "place[0]: placements must make at most 7 sections besides the 1 of the scene itself, but they make 8, 8 of them here",
		part + "on = \"ball\"\n[[place]]\npart = \"p\"\ncount = 2\n":                                         "part.p.section[0].on: must be the name of a solid, placement, part or material, got \"ball\"",
		"[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n" + part + "name = \"x\"\nexcept = [\"p\", \"ball\"]\n": "part.p.section[0].except[1]: must be the name of a solid, placement, part or material, got \"ball\"",
		part + "hatch = true\nhatch_distance = 1e12\n[[place]]\npart = \"p\"\nscale = 1e9\n":                 "place[0]: puts place[0]/part.p.section[0] outside the limits: hatch_distance: must lie between 1e-15 and 1e+15, got 1e+21",
	} {
		_, err := Decode("test.toml", []byte(text))
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s\nproblems %v, want %s", text, err, want)
		}
	}
}

// TestNotesTakenAwayStops checks that the search for annotations that point to what sections take away has a limit.
func TestNotesTakenAwayStops(t *testing.T) {
	const copies, labels = 100_000, 15
	s := decode(t, fmt.Sprintf("[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 0.01\n[[place]]\npart = \"p\"\nname = \"a\"\ncount = %d\nstep = { position = [0.1, 0, 0] }\n"+
		"[[section]]\npoint = [0, -1, 0]\nnormal = [0, 1, 0]\n", copies)+strings.Repeat("[[label]]\ntext = \"t\"\non = \"a\"\n", labels))
	n := 0
	for _, w := range s.Warnings {
		if strings.Contains(w.Message, "which sections remove") {
			n++
		}
	}
	if want := maxTakenAway / copies; n != want {
		t.Errorf("%d warnings, want %d", n, want)
	}
}

// TestSectionsThatTakeAllAway checks the warning about sections that together remove all solids.
func TestSectionsThatTakeAllAway(t *testing.T) {
	const text = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n[[sphere]]\ncenter = [5, 0, 0]\nradius = 1\n" +
		"[[section]]\npoint = [-2, 0, 0]\nnormal = [1, 0, 0]\n"
	for x, want := range map[string]bool{text: true, strings.Replace(text, "[-2", "[0", 1): false, strings.Replace(text, "[-2", "[2", 1): false} {
		s, err := Decode("test.toml", []byte(x))
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(s.Warnings, func(w *problem.Error) bool {
			return w.Code == problem.CodeNoSolids && strings.HasPrefix(w.Message, "sections take all")
		})
		if got != want || len(s.Warnings) > 1 {
			t.Errorf("%s\nwarnings %v, want one: %v", x, s.Warnings, want)
		}
	}
}
