package scene

import (
	"cmp"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// remains are what the sections of a scene leave of some solids.
type remains struct {
	scene *Scene
	whole []Range // the solids that no section cuts
	cut   []Cut   // those that sections divide
	most  int     // the number of sections together that supports of a divided solid consider
}

// mostSearched limits how many supports are computed to find how far divided solids extend in one direction.
const mostSearched = 1 << 23

// remains returns what sections leave of some solids: nil means all. frames is the number of scenes for which the result is computed.
func (s *Scene) remains(on []Range, frames int) *remains {
	r := s.uncut(on)
	if len(s.Sections) == 0 {
		return r
	}
	r.whole = united(slices.Clone(r.whole))
	framed := (&Section{Limited: true, Solids: r.whole}).limit(s.Objects.Len())
	var singles, pairs float64 // searches
	var gone []Range
	for _, c := range s.Cuts(false) {
		gone = append(gone, Range{int(c.Object), 1})
		if n := len(c.By); n > 0 && framed[c.Object] {
			slices.SortFunc(c.By, comparePlanes) // so that the bits of supports do not depend on the order of the sections
			r.cut = append(r.cut, c)
			singles, pairs = singles+float64(n), pairs+float64(n*(n-1)/2)
		}
	}
	singles, pairs = float64(singles*searchSteps), float64(pairs*searchSteps*searchSteps)
	switch most := mostSearched / float64(frames); {
	case singles+pairs <= most:
		r.most = 2
	case singles <= most:
		r.most = 1
	}
	r.cut = slices.DeleteFunc(r.cut, r.isGone)
	r.whole = common(r.whole, others(united(gone), s.Objects.Len()))
	return r
}

// isEmpty reports whether nothing is left.
func (r *remains) isEmpty() bool { return len(r.whole) == 0 && len(r.cut) == 0 }

// uncut returns some solids as if there were no sections.
func (s *Scene) uncut(on []Range) *remains { return &remains{scene: s, whole: s.ranges(on)} }

// comparePlanes orders sections by their normals and points.
func comparePlanes(a, b shapes.Section) int {
	n, m, p, q := a.Normal, b.Normal, a.Point, b.Point
	return cmp.Or(cmp.Compare(n.X, m.X), cmp.Compare(n.Y, m.Y), cmp.Compare(n.Z, m.Z),
		cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.Z, q.Z))
}

// isGone reports whether two sections together leave nothing of a solid: then the searches for its support find lower and lower
// values.
func (r *remains) isGone(c Cut) bool {
	d := r.dual(&c, geom.Vec3{})
	return r.cutSupport(&c, d.from, geom.Vec3{X: 1}, math.Inf(-1)) < -d.whole(geom.Vec3{X: -1})
}

// support returns the largest position, along a direction from a point, of what is left of the solids.
func (r *remains) support(from, along geom.Vec3) float64 {
	far := r.scene.extent(r.whole, from, along).high
	if len(r.whole) == 0 {
		far = math.Inf(-1)
	}
	for i := range r.cut {
		far = max(far, r.cutSupport(&r.cut[i], from, along, far))
	}
	return far
}

// supports returns the supports in some directions.
func (r *remains) supports(from geom.Vec3, along [6]geom.Vec3) (far [6]float64) {
	for i := range far {
		far[i] = r.support(from, along[i])
	}
	return far
}

// farthest returns the number of the first of the solids that extend the farthest along a direction from a point.
func (r *remains) farthest(from, along geom.Vec3) (number int) {
	farthest := math.Inf(-1)
	consider := func(n int, far float64) {
		if far > farthest || far == farthest && n < number {
			farthest, number = far, n
		}
	}
	for _, w := range r.whole {
		for n := w.First; n < w.First+w.Count; n++ {
			consider(n, r.scene.extent([]Range{{n, 1}}, from, along).high)
		}
	}
	for i := range r.cut {
		consider(int(r.cut[i].Object), r.cutSupport(&r.cut[i], from, along, farthest))
	}
	return number
}

// cutSupport returns the largest position, along a direction from a point, of what sections leave of a solid. It is exact if
// at most r.most sections together limit the solid there, otherwise it may be too large. If it is less than least, cutSupport
// returns any value that is less than least.
//
// The support of the solid x.n, subject to x.a <= b for the normal a of a section, is the minimum of h(n - q a) + q b over
// all q >= 0, where h(n) is the support of the whole solid. Every q gives an upper bound.
func (r *remains) cutSupport(c *Cut, from, along geom.Vec3, least float64) float64 {
	d := r.dual(c, from)
	far := d.whole(along)
	for i := 0; i < len(c.By) && r.most > 0 && far >= least; i++ {
		if r.most == 1 || len(c.By) == 1 {
			far = min(far, d.search(along, c.By[i:i+1], least))
			continue
		}
		for j := range i {
			far = min(far, d.search(along, []shapes.Section{c.By[i], c.By[j]}, least))
		}
	}
	return far
}

// dual computes supports of one solid.
type dual struct {
	scene *Scene
	solid []Range
	from  geom.Vec3
}

func (r *remains) dual(c *Cut, from geom.Vec3) *dual {
	return &dual{scene: r.scene, solid: []Range{{int(c.Object), 1}}, from: from}
}

// whole returns the support of the whole solid in a direction of any length.
func (d *dual) whole(along geom.Vec3) float64 {
	unit, ok := geom.Direction(along)
	if !ok {
		return 0
	}
	return float64(d.scene.extent(d.solid, d.from, unit).high * along.Norm())
}

// searchSteps is how many values of q a search tries about.
const searchSteps = 90

// search returns the support in a direction of what sections leave, see [remains.cutSupport].
func (d *dual) search(along geom.Vec3, by []shapes.Section, least float64) float64 {
	if len(by) == 0 {
		return d.whole(along)
	}
	at := float64(by[0].Point.Sub(d.from).Dot(by[0].Normal))
	value := func(q float64) float64 {
		more := float64(q * at)
		return d.search(along.AddScaled(-q, by[0].Normal), by[1:], least-more) + more
	}
	return leastConvex(value, least)
}

// leastConvex returns the minimum of a convex function of numbers from 0, by a golden-section search. It ends as soon as it
// finds a value of less than least.
func leastConvex(f func(float64) float64, least float64) float64 {
	const golden = 0.6180339887498949
	best, end := f(0), 1.0
	for value := f(end); value < best && end < 0x1p30; value = f(end) {
		best, end = value, 2*end
	}
	low, high := 0.0, end
	a, b := end-float64(golden*end), float64(golden*end)
	atA, atB := f(a), f(b)
	for range searchSteps {
		if best = min(best, atA, atB); best < least {
			break
		}
		if atA <= atB {
			high, b, atB = b, a, atA
			a = high - float64(golden*(high-low))
			atA = f(a)
		} else {
			low, a, atA = a, b, atB
			b = low + float64(golden*(high-low))
			atB = f(b)
		}
	}
	return best
}
