package regress

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

// none stands for no solid, no light and no cause.
const none = -1

// solid is a solid of either scene, whatever its kind.
type solid struct {
	number    int
	kind      scene.Kind
	index     int // within the kind
	name      string
	label     string
	shape     any // the shapes value, such as a shapes.Sphere: comparable
	bounds    geom.Bounds
	placement int                // of the scene's own that made it, or none
	trail     func() scene.Trail // of a solid that a placement made
	material  shade.Material     // without a checker if the solid is no box
}

// solidsOf returns the solids of s by number.
func solidsOf(s *scene.Scene) []solid {
	all := make([]solid, 0, s.Objects.Len())
	placed := len(s.Placements()) > 0
	for number := range s.Objects.Len() {
		kind, index := s.Of(number)
		o := s.Objects.Of(number)
		placement := none
		if placed {
			placement = placementOf(s, number)
		}
		if kind != scene.KindBox {
			o.Material.Checker = nil
		}
		trail := func() scene.Trail {
			t, _ := s.Trail(number)
			return t
		}
		x := s.Solid(number)
		shape := reflect.ValueOf(x).Elem().Interface() // what x points to
		all = append(all, solid{number, kind, index, o.Name, s.Label(number), shape, x.Bounds(), placement, trail, o.Material})
	}
	return all
}

// placementOf returns the index of the scene's own placement that made a solid, or none.
func placementOf(s *scene.Scene, number int) int {
	if from, ok := s.Origin(number); ok && from.Table == "place" {
		return from.Index
	}
	return none
}

// matcher finds which solid of scene b each solid of scene a has become.
type matcher struct {
	a, b   []solid
	ab, ba []int // the partner of each, or none
}

// match pairs solids of the same name; then, of those left, solids that are equal but for
// the name; then those that placements made and that have the same path; then those of one kind
// that are alike, the most alike first. It returns the partner in b of each solid in a, or none.
func match(a, b []solid) []int {
	m := matcher{a: a, b: b, ab: slices.Repeat([]int{none}, len(a)), ba: slices.Repeat([]int{none}, len(b))}
	m.byKey(func(x *solid) (any, bool) { return x.name, x.name != "" })
	m.byKey(func(x *solid) (any, bool) {
		return struct {
			shape any
			shade.Surface
		}{x.shape, x.material.Surface()}, true
	})
	m.byKey(func(x *solid) (any, bool) { return x.kind.String() + x.label, x.placement != none })
	for _, kind := range scene.Kinds() {
		m.alike(rest(a, m.ab, kind), rest(b, m.ba, kind))
	}
	return m.ab
}

func (m *matcher) join(i, j int) { m.ab[i], m.ba[j] = j, i }

// byKey pairs the solids left that have the same key, in their order.
func (m *matcher) byKey(key func(*solid) (k any, ok bool)) {
	free := map[any][]int{}
	for j := range m.b {
		if k, ok := key(&m.b[j]); ok && m.ba[j] == none {
			free[k] = append(free[k], j)
		}
	}
	for i := range m.a {
		k, ok := key(&m.a[i])
		if !ok || m.ab[i] != none || len(free[k]) == 0 {
			continue
		}
		m.join(i, free[k][0])
		free[k] = free[k][1:]
	}
}

// rest returns the numbers of the solids of a kind that have no partner.
func rest(all []solid, partner []int, kind scene.Kind) []int {
	var left []int
	for i := range all {
		if all[i].kind == kind && partner[i] == none {
			left = append(left, i)
		}
	}
	return left
}

// maxCandidates is the largest number of pairs that are weighed against each other. Beyond
// it, when hundreds of unnamed solids have changed at once, they are paired in file order.
const maxCandidates = 1 << 16

// alike pairs those of the given solids that may be versions of one solid: fewest different
// properties first, then the nearest, then in file order.
func (m *matcher) alike(as, bs []int) {
	if len(as)*len(bs) > maxCandidates {
		for k := range min(len(as), len(bs)) {
			m.join(as[k], bs[k])
		}
		return
	}
	type candidate struct {
		i, j, actions int
		distance      float64
	}
	var all []candidate
	for _, i := range as {
		for _, j := range bs {
			a, b := &m.a[i], &m.b[j]
			actions := compareSolids(a, b).actions
			if canPass(a, b, actions) {
				all = append(all, candidate{i, j, len(actions), apart(a, b)})
			}
		}
	}
	slices.SortFunc(all, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.actions, y.actions), cmp.Compare(x.distance, y.distance),
			cmp.Compare(x.i, y.i), cmp.Compare(x.j, y.j))
	})
	for _, c := range all {
		if m.ab[c.i] == none && m.ba[c.j] == none {
			m.join(c.i, c.j)
		}
	}
}

// canPass reports whether b may be what a has become. Two different names speak against it
// unless the shape is the same. Solids that lie apart must differ in their place and surface only.
func canPass(a, b *solid, actions []Action) bool {
	switch {
	case a.shape == b.shape:
		return true
	case a.name != b.name && a.name != "" && b.name != "":
		return false
	case a.bounds.Overlaps(b.bounds):
		return true
	}
	return !slices.ContainsFunc(actions, func(x Action) bool {
		return x != ActionMoved && x != ActionRecolored && x != ActionRefinished
	})
}

func apart(a, b *solid) float64 {
	return math.Sqrt(a.bounds.Min.Sub(b.bounds.Min).Norm2() + a.bounds.Max.Sub(b.bounds.Max).Norm2())
}

// matchLights pairs lights of one kind: those of the same name, then equal ones, and then, of those
// left, in the order in which they stand, those with the fewest differences first. It returns the
// partner in b of each light in a, or none.
func matchLights(a, b []scene.Light) []int {
	partner := slices.Repeat([]int{none}, len(a))
	taken := make([]bool, len(b))
	pair := func(alike func(a, b *scene.Light) bool) {
		for i := range a {
			for j := range b {
				if partner[i] == none && !taken[j] && a[i].Directional == b[j].Directional && alike(&a[i], &b[j]) {
					partner[i], taken[j] = j, true
				}
			}
		}
	}
	pair(func(a, b *scene.Light) bool { return a.Name == b.Name && a.Name != "" })
	const most = 4 // place or direction, color, intensity, name
	for differences := range most + 1 {
		pair(func(a, b *scene.Light) bool { return len(compareLights(a, b).actions) == differences })
	}
	return partner
}
