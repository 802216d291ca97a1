package regress

import (
	"cmp"
	"fmt"
	"image"
	"reflect"
	"slices"
	"strings"
	"sync"

	"pillbox"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// centers returns the numbers of the solids that a picture shows at the centers of its pixels, in row-major
// order, accel.None where it shows none.
func centers(p *pillbox.Prepared) []int32 {
	st := follow.Of(p)
	size := st.Size
	numbers := make([]int32, size.X*size.Y)
	parallel.For(size.Y, func(y int) {
		hits := make([]accel.Hit, size.X)
		row := st.View.Packet(image.Rect(0, y, size.X, y+1), 1)
		st.World.Nearest(&row, hits)
		for x, hit := range hits {
			numbers[y*size.X+x] = hit.Object
		}
	})
	return numbers
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

// A naming calls what a picture of a scene shows by the tables of the scene's own file: all copies that a
// placement makes by one name, and all rows of a bulk table.
type naming struct {
	*scene.Scene
	shown      []int32              // at the centers of the pixels
	numbers    func() map[solid]int // of the solids
	placements func() []scene.Placement
}

// newNaming returns the naming of a scene, given what the picture shows at the centers of the pixels.
func newNaming(s *scene.Scene, shown []int32) *naming {
	numbers := sync.OnceValue(func() map[solid]int { return numbersOf(s) })
	return &naming{s, shown, numbers, sync.OnceValue(s.Placements)}
}

// A source is what a solid comes from: a placement, a bulk table, or else itself.
type source struct {
	table string
	index int
}

func (n *naming) source(number int) source {
	from, ok := n.Origin(number)
	if ok && (from.Table == "place" || from.Table == "bulk") {
		return source{from.Table, from.Index}
	}
	return source{"", number}
}

// background is what a picture shows where it shows no solid.
const background = "the background"

// label returns what the source of a solid is called.
func (n *naming) label(number int32) string {
	if number == accel.None {
		return background
	}
	from := n.source(int(number))
	switch from.table {
	case "place":
		if name := n.placements()[from.index].Name; name != "" {
			return fmt.Sprintf("place %q", name)
		}
		return fmt.Sprintf("place[%d]", from.index)
	case "bulk":
		file, _ := n.Origin(int(number))
		return file.File.Path
	}
	return n.Label(int(number))
}

// labelOf returns what a solid of another scene is called in this one. One that is not there is called what it
// was, and former if that is the label of something else.
func (n *naming) labelOf(other *naming, number int32) string {
	if number == accel.None {
		return background
	}
	if i, ok := n.numbers()[solidOf(other.Scene, int(number))]; ok {
		return n.label(int32(i))
	}
	label := other.label(number)
	isIndex := strings.HasSuffix(label, "]") // which may be that of another table now
	if isIndex && other.hasAllOf(n, label) {
		return "former " + label
	}
	return label
}

// hasAllOf reports whether all solids that another scene calls by a label are in this one: then what this one
// calls so is something else.
func (n *naming) hasAllOf(other *naming, label string) bool {
	for i := range other.Objects.Len() {
		if _, same := n.numbers()[solidOf(other.Scene, i)]; !same && other.label(int32(i)) == label {
			return false
		}
	}
	return true
}

// findEffects counts the pixels of a unit by what they show in the present scene and in s.
func (t *trial) findEffects(u *unit, s *scene.Scene) error {
	if t.names == nil {
		pic := pillbox.Picture{Size: t.Diff.Got}
		var err error
		if t.tree, err = pillbox.Prepare(t.present.Scene, pic); err != nil {
			return err
		}
		t.names = newNaming(t.present.Scene, centers(t.tree))
	}
	shown, err := t.shown(s)
	if err != nil {
		return err
	}
	before := newNaming(s, shown)
	type pair struct{ on, before int32 } // numbers
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
	if len(u.effects) > maxEffects {
		others := Effect{On: "other solids", Before: "other solids"}
		for _, e := range u.effects[maxEffects-1:] {
			others.Pixels += e.Pixels
		}
		u.effects = append(u.effects[:maxEffects-1], others)
	}
	return nil
}

// shown returns the numbers of the solids that the picture of another scene shows at the centers of its pixels. If
// the solids are those of the present scene, it needs no tree of its own, and if the camera is the same no rays.
func (t *trial) shown(s *scene.Scene) ([]int32, error) {
	size := t.Diff.Got
	if !scene.SameSolids(s, t.present.Scene) {
		p, err := pillbox.Prepare(s, pillbox.Picture{Size: size})
		if err != nil {
			return nil, err
		}
		return centers(p), nil
	}
	if s.CameraFor(size.X, size.Y) == t.present.Scene.CameraFor(size.X, size.Y) {
		return t.names.shown, nil
	}
	p, err := t.tree.Prepare(s, pillbox.Picture{Size: size})
	if err != nil {
		return nil, err
	}
	return centers(p), nil
}

// maxEffects is how many effects of an edit a report has; the last one may sum up the smallest.
const maxEffects = 100
