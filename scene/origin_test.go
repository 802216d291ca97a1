package scene

import (
	"slices"
	"testing"

	"pillbox/shapes"
)

// TestLabelOfAlteredCopy adds solids to a copied scene, or removes some, without detaching it from its file. Every
// solid must still have a label, but no origin in the file.
func TestLabelOfAlteredCopy(t *testing.T) {
	read := decode(t, `
[part.finger]
sphere = [{ center = [0, 0, 0], radius = 1 }]
capsule = [{ name = "bone", a = [0, 0, 0], b = [0, 1, 0], radius = 0.2 }]
[[place]]
part = "finger"
name = "index"
count = 3
step = { position = [3, 0, 0] }
`)
	if got := read.Label(1); got != "index[1]/sphere[0]" {
		t.Fatalf("the scene as it was read: %s", got)
	}
	more, fewer := *read, *read
	more.Spheres = append(slices.Clone(read.Spheres), make([]shapes.Sphere, 9)...)
	more.Objects = NewObjects(append(read.Objects.List(), make([]Object, 9)...)...)
	fewer.Spheres, fewer.Objects = read.Spheres[:1], NewObjects(read.Objects.List()[2:]...)
	for _, s := range []*Scene{&more, &fewer} {
		for number := range s.Objects.Len() {
			if _, ok := s.Origin(number); ok {
				t.Errorf("solid %d of %d comes from a table", number, s.Objects.Len())
			}
			if _, _, ok := s.BulkLine(number); ok {
				t.Errorf("solid %d of %d comes from a row", number, s.Objects.Len())
			}
			if s.Label(number) == "" {
				t.Errorf("solid %d of %d has no label", number, s.Objects.Len())
			}
			s.Decimal(number)
		}
		if len(s.Placements()) > 0 {
			t.Error("an altered copy has placements")
		}
		if got := s.Label(0); got != "sphere[0]" {
			t.Errorf("the first solid is %s", got)
		}
		s.Sites(nil, 0)
	}
}
