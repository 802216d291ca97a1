package regress

import (
	"cmp"
	"context"
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

// centers returns, for each pixel in row-major order, the number of the solid that is visible at its center, or
// accel.None. If ctx ends, it returns the cause of ctx.
func centers(ctx context.Context, p *pillbox.Prepared) ([]int32, error) {
	st, ended, release := follow.Of(p).Until(ctx)
	defer release()
	size := st.Size
	numbers := make([]int32, size.X*size.Y)
	parallel.For(size.Y, func(y int) {
		if ended() {
			return
		}
		hits := make([]accel.Hit, size.X)
		row := st.View.Packet(image.Rect(0, y, size.X, y+1), 1)
		st.World.Nearest(&row, hits)
		for x, hit := range hits {
			numbers[y*size.X+x] = hit.Object
		}
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return numbers, nil
}

// A solid identifies a solid in two versions of a scene. It does not depend on the solid's number, which changes when
// another solid is inserted.
type solid struct {
	shape any // comparable
	name  string
}

func solidOf(s *scene.Scene, number int) solid {
	return solid{reflect.ValueOf(s.Solid(number)).Elem().Interface(), s.Objects.Name(number)}
}

// numbersOf returns the number of each solid of a scene. For equal solids, it is the least of their numbers.
func numbersOf(s *scene.Scene) map[solid]int {
	numbers := make(map[solid]int, s.Objects.Len())
	for i := s.Objects.Len() - 1; i >= 0; i-- {
		numbers[solidOf(s, i)] = i
	}
	return numbers
}

// A naming returns the labels of a scene's solids for reports. All solids of a placement, with all its copies, have the
// same label, and so do all solids of a bulk table.
type naming struct {
	*scene.Scene
	shown      []int32              // the solid visible at the center of each pixel
	numbers    func() map[solid]int // the number of each solid
	placements func() []scene.Placement
}

// newNaming returns the naming of a scene; shown contains the solid visible at the center of each pixel.
func newNaming(s *scene.Scene, shown []int32) *naming {
	numbers := sync.OnceValue(func() map[solid]int { return numbersOf(s) })
	return &naming{s, shown, numbers, sync.OnceValue(s.Placements)}
}

// A source is the origin of a solid: a placement, a bulk table, or the solid itself.
type source struct {
	table string // "place", "bulk" or, for the solid itself, ""
	index int    // of the table or, for the solid itself, the solid's number
}

func (n *naming) source(number int) source {
	from, ok := n.Origin(number)
	if ok && (from.Table == "place" || from.Table == "bulk") {
		return source{from.Table, from.Index}
	}
	return source{"", number}
}

// background is the label of pixels that show no solid.
const background = "the background"

// label returns the label of a solid. For a solid from a placement or a bulk table, this is the label of the placement
// or the table.
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

// labelOf returns the label of a solid of the scene other. If n's scene contains the same solid, the result is the
// label there. Otherwise it is the label in other. If that label ends in an index, such as sphere[3], then sphere[3] in
// n's scene is either a changed version of the solid or a different solid. It is different if other contains it, too;
// then "former" precedes the label.
func (n *naming) labelOf(other *naming, number int32) string {
	if number == accel.None {
		return background
	}
	if i, ok := n.numbers()[solidOf(other.Scene, int(number))]; ok {
		return n.label(int32(i))
	}
	label := other.label(number)
	isIndex := strings.HasSuffix(label, "]") // an index, which may be that of another table in this scene
	if isIndex && other.hasAllOf(n, label) {
		return "former " + label
	}
	return label
}

// hasAllOf reports whether n's scene contains every solid that has the given label in the scene other. It returns true
// if no solid has the label.
func (n *naming) hasAllOf(other *naming, label string) bool {
	for i := range other.Objects.Len() {
		if _, same := n.numbers()[solidOf(other.Scene, i)]; !same && other.label(int32(i)) == label {
			return false
		}
	}
	return true
}

// findEffects sets u.effects: it counts the pixels that undoing the unit u changes, by what they show in the present
// scene and in s, the scene without the unit. While there is time, it also counts the pixels in which soft light
// changes: penumbras and ambient occlusion.
func (t *trial) findEffects(ctx context.Context, u *unit, s *scene.Scene) error {
	if t.names == nil {
		pic := pillbox.Picture{Size: t.Diff.Got, Antialias: 1}
		var err error
		if t.tree, err = pillbox.Prepare(t.present.Scene, pic); err != nil {
			return err
		}
		shown, err := centers(ctx, t.tree)
		if err != nil {
			return err
		}
		t.names = newNaming(t.present.Scene, shown)
	}
	other, shown, err := t.shown(ctx, s)
	if err != nil {
		return err
	}
	before := newNaming(s, shown)
	a, _, release := follow.Of(t.tree).Until(ctx)
	defer release()
	b, _, leave := follow.Of(other).Until(ctx)
	defer leave()
	type pair struct{ on, before int32 } // solids' numbers
	labels := make(map[pair]Effect)      // by solids, with Pixels 0
	pixels := make(map[Effect][]int)
	for i, on := range t.names.shown {
		if !u.pixels.has(i) {
			continue
		}
		p := pair{on, before.shown[i]}
		e, ok := labels[p]
		if !ok {
			e = Effect{On: t.names.label(p.on), Before: t.names.labelOf(before, p.before)}
			labels[p] = e
		}
		pixels[e] = append(pixels[e], i)
	}
	for e, changed := range pixels {
		e.Pixels = len(changed)
		if e.On == e.Before && e.On != background {
			e.Penumbra, e.Sky = softChanges(a, b, changed, func() bool { return ctx.Err() == nil && t.hasTime() })
		}
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

// shown prepares another scene and returns the solid visible at the center of each pixel. It reuses the present scene's
// acceleration structure if the solids are the same, and traces no rays if the camera is the same, too.
func (t *trial) shown(ctx context.Context, s *scene.Scene) (*pillbox.Prepared, []int32, error) {
	size := t.Diff.Got
	prepare := pillbox.Prepare
	if scene.SameSolids(s, t.present.Scene) {
		prepare = t.tree.Prepare
	}
	p, err := prepare(s, pillbox.Picture{Size: size, Antialias: 1})
	if err != nil {
		return nil, nil, err
	}
	if scene.SameSolids(s, t.present.Scene) && s.CameraFor(size.X, size.Y) == t.present.Scene.CameraFor(size.X, size.Y) {
		return p, t.names.shown, nil
	}
	shown, err := centers(ctx, p)
	return p, shown, err
}

// maxEffects is the largest number of effects that are listed for an edit. If there are more, the last one sums up the
// smallest effects.
const maxEffects = 100
