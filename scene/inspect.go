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
	"pillbox/internal/accel"
	"pillbox/internal/keytable"
	"pillbox/internal/parallel"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/shade"
	"pillbox/shapes"
)

// inspector finds solids that can be rendered but are probably misplaced: those that contain the eye or
// a light, or that lie outside the view. After sort it is safe for concurrent use.
type inspector struct {
	points  []point // the eye and the lights, sorted by X
	frustum frustum // empty if all solids count as visible

	cuts, lightCuts map[int][]shapes.Section // see [Scene.cutsByNumber]
	objects         Objects                  // of the scene
}

// point is a point that should lie outside all solids.
type point struct {
	geom.Vec3
	radius float64        // of a ball of light
	table  keytable.Table // the table whose position this is; for a light of a placement, the table of that placement
	place  *place         // the outermost placement of the light; nil if it has none
	code   problem.Code
	noun   string
}

func lightPoint(t keytable.Table, light shade.Light) point {
	return point{Vec3: light.Position, radius: light.Radius, table: t, code: problem.CodeLightInside, noun: "light"}
}

// findings are the results of an inspector for some solids, in the order of their object numbers.
type findings struct {
	around  map[int]cappedList // the solids that contain a point, by the index of the point
	outside cappedList         // solids outside the view that are not from a placement

	// placed holds the first solid of each run of solids outside the view that come from the same
	// placement of the scene. The solids of a placement have consecutive numbers within a kind, so
	// there are few runs.
	placed []placedSolid
}

// placedSolid is a solid and the placement of the scene that made it.
type placedSolid struct {
	number int
	place  *place
}

// addOutside adds a solid outside the view. pl is the placement that it comes from, or nil.
func (f *findings) addOutside(number int, pl *place) {
	switch n := len(f.placed); {
	case pl == nil:
		f.outside.addNumber(number)
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
	c.addNumber(number)
	f.around[point] = c
}

// cappedList is a list of solids that keeps the first of them and counts all.
type cappedList struct {
	count int
	first []int // at most maxOutside + 1
}

// maxOutside is the number of solids outside the view that are reported individually. If there are more, they are
// usually outside on purpose, and one more report states their number.
const maxOutside = 10

func (c *cappedList) addNumber(number int) {
	if c.count++; len(c.first) <= maxOutside {
		c.first = append(c.first, number)
	}
}

// join appends the solids of d to those of c.
func (c *cappedList) join(d cappedList) {
	room := maxOutside + 1 - len(c.first)
	c.count += d.count
	c.first = append(c.first, d.first[:min(room, len(d.first))]...)
}

// plane is a plane and its unit normal.
type plane struct{ point, normal geom.Vec3 }

// setView sets the view of the camera of the given table, for a picture of width by height pixels. If width or height
// is 0, because it is invalid in the file, all solids count as visible.
func (in *inspector) setView(t keytable.Table, v *camera.View, width, height int) {
	if !v.Parallel() {
		in.addPoint(point{Vec3: v.Position(), table: t, code: problem.CodeEyeInside, noun: "eye"})
	}
	if width > 0 && height > 0 {
		in.frustum = frustumOf(v, width, height)
	}
}

// frustum holds the planes around the rays of a picture, with normals that point out of the view.
type frustum []plane

// frustumOf returns the planes around a view's picture of the given size in pixels.
func frustumOf(v *camera.View, width, height int) frustum {
	p := v.Packet(image.Rect(0, 0, width, height), 1)
	planes := frustum{{p.Origin, p.Dir.Neg()}}
	w, h := p.DX.Scale(p.CenterX), p.DY.Scale(p.CenterY)
	for _, half := range []geom.Vec3{w, w.Neg(), h, h.Neg()} {
		side := half.Unit()
		if p.Parallel {
			planes = append(planes, plane{p.Origin.Add(half), side})
			continue
		}
		// The normal is perpendicular to the outermost rays on this side, which run along Dir + half.
		planes = append(planes, plane{p.Origin, side.Sub(p.Dir.Scale(half.Norm())).Unit()})
	}
	return planes
}

func (in *inspector) addPoint(p point) { in.points = append(in.points, p) }

// sort prepares the inspector after the last point is added and before the first solid is inspected.
func (in *inspector) sort() {
	slices.SortStableFunc(in.points, func(p, q point) int { return cmp.Compare(p.X, q.X) })
}

// excludes reports whether a ball lies wholly outside the view.
func (f frustum) excludes(center geom.Vec3, radius float64) bool {
	return slices.ContainsFunc(f, func(p plane) bool { return center.Sub(p.point).Dot(p.normal) > radius })
}

// findAround records the points that lie in a solid. It omits a light with a size if the light's ball extends beyond
// the solid's bounds, because that light also reaches other solids.
func (in *inspector) findAround(f *findings, number int, s shapes.Shape) {
	if len(in.points) == 0 {
		return
	}
	bounds := s.Bounds()
	first := sort.Search(len(in.points), func(i int) bool { return in.points[i].X >= bounds.Min.X })
	for i := first; i < len(in.points) && in.points[i].X <= bounds.Max.X; i++ {
		p := in.points[i]
		r := geom.Vec3{X: p.radius, Y: p.radius, Z: p.radius}
		if bounds.Contains(p.Sub(r)) && bounds.Contains(p.Add(r)) && shapes.Contains(s, p.Vec3) {
			if rest := in.rest(&p, number, s); rest != nil && shapes.Contains(rest, p.Vec3) {
				f.addContaining(i, number)
			}
		}
	}
}

// rest returns what hides the rest of the scene from a point in a solid: what sections leave of the solid, or nil. For a
// light, this is what blocks light, which ghosts do not.
func (in *inspector) rest(p *point, number int, s shapes.Shape) shapes.Shape {
	cuts := in.cuts
	if p.code != problem.CodeEyeInside {
		if cuts = in.lightCuts; in.objects.IsGhost(number) {
			return nil
		}
	}
	by, isCut := cuts[number]
	switch {
	case !isCut:
		return s
	case len(by) == 0:
		return nil
	}
	return &shapes.Cut{Whole: s, By: by}
}

// cutsByNumber returns the sections that divide each solid that sections cut or remove, by object number.
func (s *Scene) cutsByNumber(lit bool) map[int][]shapes.Section {
	cuts := make(map[int][]shapes.Section)
	for _, c := range s.Cuts(lit) {
		cuts[int(c.Object)] = c.By
	}
	return cuts
}

// maxInspections is the largest number of pairs of a point and a solid that are tested. A pair counts only if the
// point lies within the solid's extent along x. The tests take at most about a second. A thousand lights inside a
// thousand solids are an eighth of this number.
const maxInspections = 1 << 23

// limitPoints drops the last lights, in file order, so that the number of pairs does not exceed
// maxInspections.
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
			p.table.Warn(p.key(), problem.CodeTooManyLights, "this %s and %d later lights were not checked for being inside solids: there are too many", p.noun, len(points)-i-1)
			return
		}
	}
}

// The method beside returns, for each point, the number of valid solids whose extent along x includes the point.
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
	// changes[k] counts the extents along x that begin between points k-1 and k, in the order of x, minus the extents
	// that end there.
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

// inspected is the number of solids that each goroutine inspects at a time.
const inspected = 1 << 14

// inParts divides the solids into ranges of object numbers and calls f for them concurrently, with the index of the
// range and its limits: from <= number < to. The ranges depend only on the number of solids.
func (l *loader) inParts(f func(part, from, to int)) {
	n := len(l.valid)
	parallel.For(n/inspected+1, func(part int) { f(part, part*inspected, min((part+1)*inspected, n)) })
}

// inspect inspects all valid solids and reports the findings.
func (l *loader) inspect() {
	if len(l.inspector.frustum) == 0 && len(l.inspector.points) == 0 {
		return // no solid can be outside the view or around a point
	}
	l.limitPoints()
	l.inspector.sort()
	l.inspector.objects = l.scene.Objects
	if len(l.inspector.points) > 0 && !l.failed() {
		l.inspector.cuts, l.inspector.lightCuts = l.scene.cutsByNumber(false), l.scene.cutsByNumber(true)
	}
	chunks := make([]findings, len(l.valid)/inspected+1)
	l.inParts(func(part, from, to int) {
		for from < to {
			from = l.inspectKind(&chunks[part], from, to)
		}
	})
	l.reportOutside(chunks)
	reported := make(map[*place]bool) // one warning about a placement is enough
	for i, p := range l.inspector.points {
		var around cappedList
		for k := range chunks {
			around.join(chunks[k].around[i])
		}
		if around.count > 0 && !reported[p.place] {
			reported[p.place] = p.place != nil
			l.reportInside(p, around)
		}
	}
}

// inspectKind inspects solid number from and the solids after it that have the same kind and a number below to. It
// returns the number after the last inspected solid.
func (l *loader) inspectKind(f *findings, from, to int) (next int) {
	k, i := l.scene.Of(from)
	row, first := k.row(), from-i
	next = min(to, first+l.scene.Count(k))
	for number := from; number < next; number++ {
		if !l.valid[number] {
			continue
		}
		s := row.solid(l.scene, number-first)
		if l.inspector.frustum.excludes(row.ball(s)) {
			f.addOutside(number, l.scene.outermostPlace(number))
		}
		l.inspector.findAround(f, number, s)
	}
	return next
}

// key returns the key of the point in p.table, or "" if the point comes from a placement, whose table
// has no such key.
func (p *point) key() string {
	if p.place != nil {
		return ""
	}
	return "position"
}

// reportInside reports a point with the given solids around it, at least one.
func (l *loader) reportInside(p point, around cappedList) {
	first, more := around.first[0], ""
	if around.count > 1 {
		more = fmt.Sprintf(" and %d more", around.count-1)
	}
	label := l.scene.locatedLabel(first)
	if p.code == problem.CodeEyeInside && !accel.Encloses(l.inspector.rest(&p, first, l.scene.Solid(first)), p.Vec3) {
		p.table.Warn(p.key(), p.code, "the eye lies on the surface of %s%s: it counts as outside, and rays into the solid show its surface from inside", label, more)
		return
	}
	p.table.Warn(p.key(), p.code, "the %s lies inside %s%s", p.noun, label, more)
}

// reportOutside reports solids outside the view: one solid for each placement, and each solid that is not from a
// placement. If there are more than maxOutside + 1, the last report states how many are not listed.
func (l *loader) reportOutside(chunks []findings) {
	const message = "lies wholly outside the view"
	var all cappedList
	reported := make(map[*place]bool)
	for i := range chunks {
		for _, p := range chunks[i].placed {
			if !reported[p.place] {
				reported[p.place] = true
				all.addNumber(p.number)
			}
		}
	}
	for i := range chunks {
		all.join(chunks[i].outside)
	}
	for i, number := range all.first {
		if rest := all.count - i; i == maxOutside && rest > 1 {
			l.warnOf(number, problem.CodeOutsideView, fmt.Sprintf("%s, like %d more", message, rest-1))
			return
		}
		l.warnOf(number, problem.CodeOutsideView, message)
	}
}

// warnOf adds a warning about a solid, at its table or row or, if it comes from placements, at the
// outermost placement.
func (l *loader) warnOf(number int, code problem.Code, message string) {
	switch o, _ := l.scene.origin(number); {
	case len(o.placed) > 0:
		o.placed[0].table.Warn("", code, "%s %s", text.EscapeName(o.path()), message)
	case o.bulk != nil:
		o.bulk.warn(o.index, l.scene.Key(number), code, message)
	default:
		o.part.element(o.kind, o.index).Warn("", code, "%s", message)
	}
}
