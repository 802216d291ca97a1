package molecule_test

import (
	"slices"
	"strings"
	"testing"

	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/internal/convert/molecule"
)

// TestGhost checks that the atoms with a ghost get their space-filling spheres in the hull: in addition to what other styles
// show, and instead of the opaque spheres of the style SpaceFill.
func TestGhost(t *testing.T) {
	for name, style := range map[string]molecule.Style{"spacefill": molecule.SpaceFill, "sticks": molecule.Sticks, "balls": molecule.BallsAndSticks, "tube": molecule.Tube} {
		all := read(t, molecule.ReadPDB, twoChains(), molecule.Options{})
		plain := read(t, molecule.ReadPDB, twoChains(), molecule.Options{Style: style})
		s := read(t, molecule.ReadPDB, twoChains(), molecule.Options{Style: style, Ghost: "chain A and not ion"})
		isHull := func(x model.Sphere) bool { return x.InHull }
		var hull []model.Sphere
		for _, x := range s.Spheres {
			if isHull(x) {
				hull = append(hull, x)
			}
		}
		if len(hull) != 15 {
			t.Fatalf("%s: %d spheres in the hull, want 15", name, len(hull))
		}
		for _, x := range hull {
			if !slices.ContainsFunc(all.Spheres, func(y model.Sphere) bool {
				return x.Center == y.Center && x.Radius == y.Radius && x.Name == y.Name && strings.HasPrefix(x.Name, "A.")
			}) {
				t.Errorf("%s: %+v is not the sphere of an atom of chain A", name, x)
			}
		}
		others := slices.DeleteFunc(slices.Clone(s.Spheres), isHull)
		want := plain.Spheres
		if style == molecule.SpaceFill {
			want = slices.DeleteFunc(slices.Clone(want), func(x model.Sphere) bool {
				return slices.ContainsFunc(hull, func(h model.Sphere) bool { return h.Name == x.Name })
			})
		}
		if !slices.Equal(others, want) || !slices.Equal(s.Capsules, plain.Capsules) {
			t.Errorf("%s: the ghost changes the other solids", name)
		}
		if loaded := modeltest.Load(t, s); !loaded.Objects.HasGhosts() || len(loaded.Materials) == 0 {
			t.Errorf("%s: the written scene has no ghosts", name)
		}
	}
	for options, want := range map[molecule.Options]string{
		{Ghost: "chain Z"}:                  `--ghost: selects nothing in m: column 7: no atom has chain "Z"`,
		{Ghost: "watre"}:                    `--ghost: column 1: want a selection such as chain A, ligand or not water, got "watre"; did you mean "water"?`,
		{Ghost: "water", Select: "chain A"}: `--ghost: selects none of the shown atoms of m`,
		{Ghost: "water", NoWater: true}:     `--ghost: selects none of the shown atoms of m`,
	} {
		_, err := molecule.ReadPDB(model.Source{Name: "m", Text: strings.NewReader(twoChains())}, options)
		if err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", options, err, want)
		}
	}
	near := read(t, molecule.ReadPDB, twoChains(), molecule.Options{Select: "not water", Ghost: "within 3.5 of water"})
	if n := len(near.Spheres); n != 18 || !near.Spheres[n-1].InHull || near.Spheres[n-2].InHull {
		t.Errorf("the atom near the hidden water has no ghost: %+v", near.Spheres[n-1])
	}
}
