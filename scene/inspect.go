package scene

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"sort"
	"sync/atomic"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/parallel"
	"pillbox/internal/text"
	"pillbox/shapes"
)

// inspector finds solids that can be rendered but are probably misplaced: around the eye or a
// light, or outside the view. Once it has all points it is safe for concurrent use.
type inspector struct {
	points  []point // the eye and the lights, sorted by X
	frustum []plane // around the view; none: everything is in view
}

// point is a point that should lie outside all solids.
type point struct {
	geom.Vec3
	table table // has the point as its position
	code  Code
	noun  string
}

func lightPoint(t table, position geom.Vec3) point {
	return point{Vec3: position, table: t, code: CodeLightInside, noun: "light"}
}

// findings is what an inspector finds among some solids, in the order of their numbers.
type findings struct {
	around  map[int]cappedList // by the index of a point: the solids that it lies in
	outside cappedList         // the solids outside the view that no placement made

	// placed holds, for each run of solids outside the view that one placement of the scene made, the
	// first. Solids of a kind and a placement have numbers in a row, so there are few runs.
	placed []placedSolid
}

// placedSolid is a solid and the placement of the scene that made it.
type placedSolid struct {
	number int
	place  *place
}

// addOutside adds a solid outside the view, which the given placement made, or none.
func (f *findings) addOutside(number int, pl *place) {
	switch n := len(f.placed); {
	case pl == nil:
		f.outside.add(number)
	case n == 0 || f.placed[n-1].place != pl:
		f.placed = append(f.placed, placedSolid{number, pl})
	}
}

// addContaining adds a solid that contains the given point.
func (f *findings) addContaining(point, number int) {
	if f.around == nil {
		f.around = make(map[int]cappedList)
	}
	c := f.around[point]
	c.add(number)
	f.around[point] = c
}

// cappedList is a list of solids that keeps the first of them and counts all.
type cappedList struct {
	count int
	first []int // at most maxOutside + 1
}

// maxOutside is how many solids outside the view are reported. Where there are more, they
// usually are there on purpose.
const maxOutside = 10

func (c *cappedList) add(number int) {
	if c.count++; len(c.first) <= maxOutside {
		c.first = append(c.first, number)
	}
}

// join adds solids that come behind those of c.
func (c *cappedList) join(d cappedList) {
	room := maxOutside + 1 - len(c.first)
	c.count += d.count
	c.first = append(c.first, d.first[:min(room, len(d.first))]...)
}

// plane is a plane and its unit normal.
type plane struct{ point, normal geom.Vec3 }

// setView adds the camera of the given table, for a picture of width by height pixels. If one
// of them is 0, because the file has it wrong, what is in view is unknown.
func (in *inspector) setView(t table, v *camera.View, width, height int) {
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

// isOutside reports whether a ball lies wholly outside the view.
func (in *inspector) isOutside(center geom.Vec3, radius float64) bool {
	return slices.ContainsFunc(in.frustum, func(p plane) bool { return center.Sub(p.point).Dot(p.normal) > radius })
}

// findAround notes the points that lie in a solid.
func (in *inspector) findAround(f *findings, number int, s shapes.Shape) {
	if len(in.points) == 0 {
		return
	}
	bounds := s.Bounds()
	first := sort.Search(len(in.points), func(i int) bool { return in.points[i].X >= bounds.Min.X })
	for i := first; i < len(in.points) && in.points[i].X <= bounds.Max.X; i++ {
		if p := in.points[i].Vec3; bounds.Contains(p) && shapes.Contains(s, p) {
			f.addContaining(i, number)
		}
	}
}

// maxInspections is the largest number of pairs of a point and a solid beside it that are examined. They take
// a second at worst. A thousand lights inside a thousand solids take an eighth of that.
const maxInspections = 1 << 23

// limitPoints drops the lights, in file order, from the one on with which the pairs would exceed maxInspections.
func (l *loader) limitPoints() {
	points := l.inspector.points
	if len(points)*len(l.valid) <= maxInspections {
		return
	}
	pairs := 0
	for i, n := range l.beside(points) {
		if pairs += n; pairs > maxInspections {
			p := points[i]
			l.inspector.points = points[:i]
			p.table.warn("position", CodeTooManyLights, "this %s and %d later lights were not checked for being inside solids: there are too many", p.noun, len(points)-i-1)
			return
		}
	}
}

// beside returns how many valid solids are beside each point: reach from its left to its right, or end there.
func (l *loader) beside(points []point) []int {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(points[i].X, points[j].X) })
	sorted := make([]float64, len(points))
	for k, i := range order {
		sorted[k] = points[i].X
	}
	// How many solids begin to be beside the k-th point from the left, less those that end before it.
	changes := make([]atomic.Int64, len(points)+1)
	l.inParts(func(_, from, to int) {
		for number := from; number < to; number++ {
			if !l.valid[number] {
				continue
			}
			b := l.scene.Solid(number).Bounds()
			first := sort.SearchFloat64s(sorted, b.Min.X)
			behind := first + sort.Search(len(sorted)-first, func(k int) bool { return sorted[first+k] > b.Max.X })
			if first < behind {
				changes[first].Add(1)
				changes[behind].Add(-1)
			}
		}
	})
	beside, now := make([]int, len(points)), 0
	for k, i := range order {
		now += int(changes[k].Load())
		beside[i] = now
	}
	return beside
}

// inspected is how many solids are worth a goroutine.
const inspected = 1 << 14

// inParts calls f for parts of all solids, at once. They depend on the number of solids only.
func (l *loader) inParts(f func(part, from, to int)) {
	n := len(l.valid)
	parallel.For(n/inspected+1, func(part int) { f(part, part*inspected, min((part+1)*inspected, n)) })
}

// inspect examines all valid solids and reports what it finds.
func (l *loader) inspect() {
	l.limitPoints()
	l.inspector.sort()
	chunks := make([]findings, len(l.valid)/inspected+1)
	l.inParts(func(part, from, to int) {
		for from < to {
			from = l.inspectKind(&chunks[part], from, to)
		}
	})
	l.reportOutside(chunks)
	for i, p := range l.inspector.points {
		var around cappedList
		for k := range chunks {
			around.join(chunks[k].around[i])
		}
		l.reportInside(p, around)
	}
}

// inspectKind examines the solids from the given number on that are of one kind, and returns the number of the
// next, at most to.
func (l *loader) inspectKind(f *findings, from, to int) (next int) {
	k, i := l.scene.Of(from)
	row, first := k.row(), from-i
	next = min(to, first+l.scene.Count(k))
	for number := from; number < next; number++ {
		if !l.valid[number] {
			continue
		}
		s := row.solid(l.scene, number-first)
		if l.inspector.isOutside(row.ball(s)) {
			f.addOutside(number, l.scene.outermostPlace(number))
		}
		l.inspector.findAround(f, number, s)
	}
	return next
}

// reportInside reports a point with the given solids around it.
func (l *loader) reportInside(p point, around cappedList) {
	switch around.count {
	case 0:
	case 1:
		p.table.warn("position", p.code, "the %s lies inside %s", p.noun, l.scene.locatedLabel(around.first[0]))
	default:
		p.table.warn("position", p.code, "the %s lies inside %s and %d more", p.noun, l.scene.locatedLabel(around.first[0]), around.count-1)
	}
}

// reportOutside reports the solids outside the view that chunks found: one of each placement, for one
// warning is enough there.
func (l *loader) reportOutside(chunks []findings) {
	const message = "lies wholly outside the view"
	var all cappedList
	reported := make(map[*place]bool)
	for i := range chunks {
		for _, p := range chunks[i].placed {
			if !reported[p.place] {
				reported[p.place] = true
				all.add(p.number)
			}
		}
	}
	for i := range chunks {
		all.join(chunks[i].outside)
	}
	for i, number := range all.first {
		if rest := all.count - i; i == maxOutside && rest > 1 {
			l.warnOf(number, CodeOutsideView, fmt.Sprintf("%s, like %d more", message, rest-1))
			return
		}
		l.warnOf(number, CodeOutsideView, message)
	}
}

// warnOf reports something about a solid: in its table or row or, if placements made it, in the
// outermost of these.
func (l *loader) warnOf(number int, code Code, message string) {
	switch o, _ := l.scene.origin(number); {
	case len(o.placed) > 0:
		o.placed[0].table.warn("", code, "%s %s", text.EscapeName(o.path()), message)
	case o.bulk != nil:
		o.bulk.warn(o.index, l.scene.Key(number), code, message)
	default:
		o.part.element(o.kind, o.index).warn("", code, "%s", message)
	}
}
