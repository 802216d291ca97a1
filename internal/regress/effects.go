package regress

import (
	"cmp"
	"image"
	"reflect"
	"slices"

	"pillbox"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// centers returns the numbers of the solids that a picture shows at the centers of its pixels, in row-major
// order, accel.None where it shows none.
func centers(s *scene.Scene, size image.Point) ([]int32, error) {
	p, err := pillbox.Prepare(s, pillbox.Picture{Size: size})
	if err != nil {
		return nil, err
	}
	st := follow.Of(p)
	numbers := make([]int32, size.X*size.Y)
	parallel.For(size.Y, func(y int) {
		hits := make([]accel.Hit, size.X)
		row := st.View.Packet(image.Rect(0, y, size.X, y+1), 1)
		st.World.Nearest(&row, hits)
		for x, hit := range hits {
			numbers[y*size.X+x] = hit.Object
		}
	})
	return numbers, nil
}

// A solid is what two scenes know a solid by: another number does not make it another one.
type solid struct {
	shape any // comparable
	name  string
}

func solidOf(s *scene.Scene, number int) solid {
	return solid{reflect.ValueOf(s.Solid(number)).Elem().Interface(), s.Objects.Name(number)}
}

// numbersOf returns the solids of a scene by what they are known by; of equal ones the first.
func numbersOf(s *scene.Scene) map[solid]int {
	numbers := make(map[solid]int, s.Objects.Len())
	for i := s.Objects.Len() - 1; i >= 0; i-- {
		numbers[solidOf(s, i)] = i
	}
	return numbers
}

// A naming knows the solids of a scene.
type naming struct {
	*scene.Scene
	numbers map[solid]int
	shown   []int32 // at the centers of the pixels
}

func newNaming(s *scene.Scene, size image.Point) (*naming, error) {
	shown, err := centers(s, size)
	return &naming{s, numbersOf(s), shown}, err
}

// background is what a picture shows where it shows no solid.
const background = "the background"

// label returns what a solid of the scene is called.
func (n *naming) label(number int32) string {
	if number == accel.None {
		return background
	}
	return n.Label(int(number))
}

// labelOf returns what a solid of another scene is called in this one. One that is not there is called what it
// was, and former if that may be the label of another one.
func (n *naming) labelOf(other *naming, number int32) string {
	if number == accel.None {
		return background
	}
	was := solidOf(other.Scene, int(number))
	if i, ok := n.numbers[was]; ok {
		return n.Label(i)
	}
	label := other.label(number)
	if was.name == "" && other.hasAnotherCalled(n, label) {
		return "former " + label
	}
	return label
}

// hasAnotherCalled reports whether the solid that another scene calls by a label is in this one too, so that
// it is another solid than the one that this one calls so.
func (n *naming) hasAnotherCalled(other *naming, label string) bool {
	for i := range other.Objects.Len() {
		if other.Label(i) == label {
			_, same := n.numbers[solidOf(other.Scene, i)]
			return same
		}
	}
	return true
}

// findEffects counts the pixels of a unit by what they show in the present scene and in s.
func (t *trial) findEffects(u *unit, s *scene.Scene) error {
	if t.names == nil {
		var err error
		if t.names, err = newNaming(t.present.Scene, t.Diff.Got); err != nil {
			return err
		}
	}
	before, err := newNaming(s, t.Diff.Got)
	if err != nil {
		return err
	}
	type pair struct{ on, before int32 }
	counts := make(map[pair]int)
	for i, on := range t.names.shown {
		if u.pixels.has(i) {
			counts[pair{on, before.shown[i]}]++
		}
	}
	sums := make(map[Effect]int) // by labels: with Pixels 0
	for p, n := range counts {
		sums[Effect{On: t.names.label(p.on), Before: t.names.labelOf(before, p.before)}] += n
	}
	for e, n := range sums {
		e.Pixels = n
		u.effects = append(u.effects, e)
	}
	slices.SortFunc(u.effects, func(a, b Effect) int {
		return cmp.Or(cmp.Compare(b.Pixels, a.Pixels), cmp.Compare(a.On, b.On), cmp.Compare(a.Before, b.Before))
	})
	return nil
}
