package scene

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"sort"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/shapes"
)

// inspector looks at solids for what can be rendered but is hardly meant. Once it has all
// points it is safe for concurrent use.
type inspector struct {
	points  []point // the eye and the lights, sorted by X
	frustum []plane // around the view; none: everything is in view
}

// point is a point that should lie in the open.
type point struct {
	geom.Vec3
	table table // has the point as its position
	code  Code
	noun  string
}

// findings is what an inspector finds among some solids, in the order of their numbers.
type findings struct {
	around  map[int]crowd // by the index of a point: the solids that it lies in
	outside crowd         // the solids outside the view
}

// lieAround adds a solid that the given point lies in.
func (f *findings) lieAround(point, number int) {
	if f.around == nil {
		f.around = make(map[int]crowd)
	}
	c := f.around[point]
	c.add(number)
	f.around[point] = c
}

// crowd is how many solids there are, and the first of them.
type crowd struct {
	count int
	first []int // at most mostOutside + 1
}

// mostOutside is how many solids outside the view are reported. More are hardly by accident.
const mostOutside = 10

func (c *crowd) add(number int) {
	if c.count++; len(c.first) <= mostOutside {
		c.first = append(c.first, number)
	}
}

// join adds solids that come behind those of c.
func (c *crowd) join(d crowd) {
	room := mostOutside + 1 - len(c.first)
	c.count += d.count
	c.first = append(c.first, d.first[:min(room, len(d.first))]...)
}

// plane is a plane and its unit normal.
type plane struct{ point, normal geom.Vec3 }

// look adds the camera of the given table, for a picture of width by height pixels. If one
// of them is 0, because the file has it wrong, nobody knows what is in view.
func (in *inspector) look(t table, v *camera.View, width, height int) {
	if !v.Parallel() {
		in.add(point{Vec3: v.Position(), table: t, code: CodeEyeInside, noun: "eye"})
	}
	if width > 0 && height > 0 {
		in.frustum = frustum(v.Packet(image.Rect(0, 0, width, height), 1))
	}
}

// frustum returns the planes around a picture's rays, with their normals to the outside.
func frustum(p geom.Packet) []plane {
	planes := []plane{{p.Origin, p.Dir.Neg()}}
	w, h := p.DX.Scale(p.CenterX), p.DY.Scale(p.CenterY)
	for _, half := range []geom.Vec3{w, w.Neg(), h, h.Neg()} {
		side := half.Unit()
		if p.Parallel {
			planes = append(planes, plane{p.Origin.Add(half), side})
			continue
		}
		// Perpendicular to the outermost rays, which run along Dir + half.
		planes = append(planes, plane{p.Origin, side.Sub(p.Dir.Scale(half.Norm())).Unit()})
	}
	return planes
}

func (in *inspector) add(p point) { in.points = append(in.points, p) }

// sort must be called between the last point and the first solid.
func (in *inspector) sort() {
	slices.SortStableFunc(in.points, func(p, q point) int { return cmp.Compare(p.X, q.X) })
}

// inspect looks at a solid, which lies within the given ball.
func (in *inspector) inspect(f *findings, number int, s shapes.Shape, center geom.Vec3, radius float64) {
	for _, p := range in.frustum {
		if center.Sub(p.point).Dot(p.normal) > radius {
			f.outside.add(number)
			break
		}
	}
	if len(in.points) == 0 {
		return
	}
	bounds := s.Bounds()
	first := sort.Search(len(in.points), func(i int) bool { return in.points[i].X >= bounds.Min.X })
	for i := first; i < len(in.points) && in.points[i].X <= bounds.Max.X; i++ {
		if p := in.points[i].Vec3; bounds.Contains(p) && shapes.Contains(s, p) {
			f.lieAround(i, number)
		}
	}
}

// inspect looks at all solids with nothing wrong and reports what it finds.
func (l *loader) inspect() {
	l.inspector.sort()
	const most = 1 << 14 // solids at a time: enough to be worth a goroutine
	parts := make([]findings, (len(l.sound)+most-1)/most)
	inParallel(len(parts), func(i int) {
		for number := i * most; number < min((i+1)*most, len(l.sound)); number++ {
			if l.sound[number] {
				l.inspectSolid(&parts[i], number)
			}
		}
	})
	var outside crowd
	for i := range parts {
		outside.join(parts[i].outside)
	}
	l.reportOutside(outside)
	for i, p := range l.inspector.points {
		var around crowd
		for k := range parts {
			around.join(parts[k].around[i])
		}
		l.reportInside(p, around)
	}
}

func (l *loader) inspectSolid(f *findings, number int) {
	s, in := l.scene, &l.inspector
	switch {
	case number < l.first[capsuleKind]:
		x := &s.Spheres[number]
		in.inspect(f, number, x, x.Center, x.Radius)
	case number < l.first[boxKind]:
		x := &s.Capsules[number-l.first[capsuleKind]]
		axis := geom.Segment{A: x.A, B: x.B}
		in.inspect(f, number, x, axis.At(0.5), float64(axis.Length()/2)+x.Radius)
	default:
		x := &s.Boxes[number-l.first[boxKind]]
		in.inspect(f, number, x, x.Center, x.HalfExtents.Norm())
	}
}

// reportInside reports a point with the given solids around it.
func (l *loader) reportInside(p point, around crowd) {
	switch around.count {
	case 0:
	case 1:
		p.table.warn("position", p.code, "the %s lies inside %s", p.noun, l.label(around.first[0]))
	default:
		p.table.warn("position", p.code, "the %s lies inside %s and %d more", p.noun, l.label(around.first[0]), around.count-1)
	}
}

func (l *loader) reportOutside(c crowd) {
	const message = "lies wholly outside the view"
	for i, number := range c.first {
		if rest := c.count - i; i == mostOutside && rest > 1 {
			l.warnOf(number, CodeOutsideView, fmt.Sprintf("%s, like %d more", message, rest-1))
			return
		}
		l.warnOf(number, CodeOutsideView, message)
	}
}

// warnOf reports something about a solid.
func (l *loader) warnOf(number int, code Code, message string) {
	t := l.tableOf(number)
	if b, i := l.bulkOf(number); b != nil {
		b.warn(i, t.key(""), code, message)
		return
	}
	t.warn("", code, "%s", message)
}
