package course

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// crossings is an answer in the stages sphere, box, capsule and cylinder: where a line crosses a solid.
type crossings struct {
	Count   int
	T       []float64
	Points  []geom.Vec3
	Normals []geom.Vec3 `course:"unit"`
	Face    string      // the face of a box through which the line enters; "" for other solids
}

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (c crossings) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Count   int    `json:"count"`
		T       []any  `json:"t"`
		Points  []any  `json:"points"`
		Normals []any  `json:"normals"`
		Face    string `json:"face,omitempty"`
	}{c.Count, finites(c.T, func(t float64) any { return t }), finites(c.Points, anyTriple), finites(c.Normals, anyTriple), c.Face})
}

func anyTriple(v geom.Vec3) any { return tripleOf(v) }

// finites converts values to JSON values, in which NaN and infinities are null.
func finites[T any](list []T, of func(T) any) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = finite(of(x))
	}
	return out
}

// lineStage returns a stage about a line and one kind of solid. The argument lesson is the page about it, and
// portrait is the solid in the picture of the stage's canvas.
func lineStage(asks []ask[lineQuestion], read func(*lineQuestion, *reader) crossings, lesson string, portrait shapes.Shape) kind {
	randoms := []random[lineQuestion, crossings]{shortFloats(lesson)}
	if _, ok := portrait.(*shapes.Box); ok {
		randoms = append(randoms, onEdges(), ownFace())
	}
	if _, ok := portrait.(*shapes.Capsule); ok {
		randoms = append(randoms, exactlyParallel())
	}
	return &stageOf[lineQuestion, crossings]{
		asks: asks, solve: solveLine, read: read, judge: judgeLine, scale: lineScale, derive: deriveLine,
		random:  randoms,
		keepers: lineKeepers(portrait, lesson),
		slips:   lineSlips(lesson, portrait), loosen: loosenLine, features: lineFeatures(portrait),
		pixels: linePixels(portrait),
		books:  books[lineQuestion, crossings]{lesson: lesson, styles: solidStyles, run: (*program).crossings},
	}
}

// loosenLine sets parts of a wrong answer to values that [alike] considers equal to anything: the normals and the face
// of crossings at a wrong distance.
func loosenLine(q *lineQuestion, a *crossings) {
	c := tolerantChord(q.ray, q.shape)
	a.Normals = slices.Clone(a.Normals)
	for i, t := range a.T {
		if c.possible && (c.near.has(t) || c.far.has(t)) {
			continue
		}
		a.Normals[i] = anything()
		if i == 0 && a.Face != "" {
			a.Face = anyFace
		}
	}
}

// lineScale returns the length to which the tolerance is relative: [leewayOf] returns Leeway times this length.
func lineScale(q *lineQuestion) float64 { return leewayOf(q.ray, q.shape) / Leeway }

// solveLine returns where the line crosses the solid.
func solveLine(q *lineQuestion) crossings {
	span, ok := q.shape.Span(q.ray)
	c := crossings{}
	if !ok {
		return c
	}
	for _, h := range []shapes.Hit{span.Near, span.Far} {
		c.T = append(c.T, h.T)
		c.Points = append(c.Points, q.ray.At(h.T))
		c.Normals = append(c.Normals, h.Normal)
		c.Count++
		if span.Tangent {
			break
		}
	}
	if b, ok := q.shape.(*shapes.Box); ok {
		c.Face = faceName(b, span.Near.Normal)
	}
	return c
}

// faceName returns the name of the face that has the outward normal n.
func faceName(b *shapes.Box, n geom.Vec3) string {
	axis := b.Across(n)
	sign := "+"
	if part(b.Rotation.TransposeMulVec(n), axis) < 0 {
		sign = "-"
	}
	return sign + string("xyz"[axis])
}

// part returns component i of a vector, 0 to 2.
func part(v geom.Vec3, i int) float64 { return [...]float64{v.X, v.Y, v.Z}[i] }

// readLine decodes an answer, without the face of a box.
func readLine(_ *lineQuestion, r *reader) crossings {
	c := crossings{Count: r.integer("count", 0, 2)}
	why := fmt.Sprintf(" because count is %d", c.Count)
	c.T = r.numbers("t", c.Count, why)
	c.Points = r.vecs("points", c.Count, why)
	c.Normals = r.vecs("normals", c.Count, why)
	return c
}

// judgeLine returns the first error in the crossings of a line and a solid, or nil. It judges all distances before the first
// point, all points before the first normal, and the face of a box last, so that everything before an error is right.
func judgeLine(q *lineQuestion, given crossings) *problem {
	want := solveLine(q)
	c := tolerantChord(q.ray, q.shape)
	if c.refuses(given.Count) || given.Count == 0 && want.Count > 0 && q.isExact() {
		return differ("count", countWords(given.Count, want.Count), want.Count, given.Count)
	}
	for _, judge := range [...]func(i int) *problem{
		func(i int) *problem { return judgeDistance(&c, given, want, i) },
		func(i int) *problem { return judgePoint(q, &c, given, want, i) },
		func(i int) *problem { return judgeNormal(q, c.leeway, given, want, i) },
	} {
		for i := range given.Count {
			if p := judge(i); p != nil {
				return p
			}
		}
	}
	if b, ok := q.shape.(*shapes.Box); ok && given.Count > 0 {
		return judgeFace(b, given, want, c.leeway)
	}
	return nil
}

// isExact reports whether the usual formulas find without rounding errors whether the line crosses the solid. The solid must
// be a sphere or a box. The line and the box must be parallel to the axes, or the line touches an edge of the box as
// [lineQuestion.touchesEdge] describes. All other numbers must be multiples of 1/32 with a magnitude of at most 64. Such a
// question has no tolerance for touching: the answer must not be a miss if the line touches the solid.
func (q *lineQuestion) isExact() bool {
	numbers := []geom.Vec3{q.ray.Origin}
	switch s := q.shape.(type) {
	case *shapes.Sphere:
		numbers = append(numbers, s.Center, geom.Vec3{X: s.Radius})
	case *shapes.Box:
		numbers = append(numbers, s.Center, s.HalfExtents)
		if s.Rotation != geom.Identity() {
			return false
		}
	case *shapes.Capsule, *shapes.Cylinder: // programs normalize their axes, which may round
		return false
	}
	for _, v := range numbers {
		for i := range 3 {
			if x := part(v, i) * 32; x != math.Trunc(x) || math.Abs(x) > 64*32 {
				return false
			}
		}
	}
	b, isBox := q.shape.(*shapes.Box)
	return q.ray.Dir.MaxAbs() == 1 || isBox && isDiagonal(q.ray.Dir) && q.touchesEdge(b)
}

// isDiagonal reports whether a direction is at 45 degrees to two axes and perpendicular to the third.
func isDiagonal(v geom.Vec3) bool {
	parts := []float64{math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)}
	slices.Sort(parts)
	return parts[0] == 0 && parts[1] == parts[2]
}

func countWords(given, want int) string {
	words := [...]string{"misses the solid", "has one point in common with the surface", "crosses the surface twice"}
	if given > 2 || given < 0 {
		return "is no count of crossings"
	}
	return fmt.Sprintf("the whole line %s; your answer is that it %s", words[want], words[given])
}

// judgeDistance returns the error in the distance of crossing i, or nil. The argument c states where it may be.
func judgeDistance(c *chord, given, want crossings, i int) *problem {
	t := given.T[i]
	if c.at(i, given.Count).has(t) {
		return nil
	}
	var right any
	if i < len(want.T) {
		right = want.T[i]
	}
	return differ(nth("t", i), fmt.Sprintf("is off by more than the leeway of %.2g", c.leeway), right, t)
}

// judgePoint returns the error in the point of crossing i, or nil. The point must lie on the line, and about as
// far from the origin as the argument c states.
func judgePoint(q *lineQuestion, c *chord, given, want crossings, i int) *problem {
	p, e := given.Points[i], c.leeway
	along := p.Sub(q.ray.Origin).Dot(q.ray.Dir)
	if c.at(i, given.Count).widened(e).has(along) && near(p, q.ray.At(along), 2*e) {
		return nil
	}
	return differ(nth("points", i), fmt.Sprintf("is not the point at t, within the leeway of %.2g", e), tripleAt(want.Points, i), tripleOf(p))
}

// judgeNormal returns the error in the normal of crossing i, whose point is right, or nil. The leeway is e.
func judgeNormal(q *lineQuestion, e float64, given, want crossings, i int) *problem {
	p, n := given.Points[i], given.Normals[i]
	field, right := nth("normals", i), tripleAt(want.Normals, i)
	switch s := q.shape.(type) {
	case *shapes.Box:
		return judgeBoxNormal(s, p, n, field, right, e)
	case *shapes.Cylinder:
		return judgeCylinderNormal(s, p, n, field, right, e)
	case *shapes.Sphere, *shapes.Capsule:
		away, radius := outward(s, p)
		if !(away.Norm() > 0) || !near(n, away.Unit(), 4*e/radius+ulps) {
			return differ(field, normalWords(n, away), right, tripleOf(n))
		}
	}
	return nil
}

// nth returns the name of element i of a list.
func nth(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

// tripleAt returns element i of a list, or nil if the list is shorter.
func tripleAt(list []geom.Vec3, i int) any {
	if i < len(list) {
		return tripleOf(list[i])
	}
	return nil
}

// outward returns the vector to a point from a sphere's center or a capsule's axis, and the radius.
func outward(s shapes.Shape, p geom.Vec3) (away geom.Vec3, radius float64) {
	switch s := s.(type) {
	case *shapes.Sphere:
		return p.Sub(s.Center), s.Radius
	case *shapes.Capsule:
		q, _ := geom.Segment{A: s.A, B: s.B}.Closest(p)
		return p.Sub(q), s.Radius
	}
	panic("course: a solid without a center")
}

// normalWords describes the error in the normal n. The vector away points outward.
func normalWords(n, away geom.Vec3) string {
	switch length := n.Norm(); {
	case math.Abs(length-1) > 1e-6:
		return fmt.Sprintf("must have length 1, has length %.6g", length)
	case n.Dot(away) < 0:
		return "points inward, must point outward"
	}
	return "is not the outward normal at the point"
}

// judgeCylinderNormal judges the normal at a crossing with a cylinder. On a rim, the normals of the side and of the disc
// are both right.
func judgeCylinderNormal(c *shapes.Cylinder, p, n geom.Vec3, field string, want any, e float64) *problem {
	u, length := axisOf(c)
	f := p.Sub(c.A)
	y := f.Dot(u)
	across := f.AddScaled(-y, u)
	onA, onB := math.Abs(y) <= 4*e, math.Abs(y-length) <= 4*e
	onSide := math.Abs(across.Norm()-c.Radius) <= 4*e
	switch {
	case onA && near(n, u.Neg(), ulps), onB && near(n, u, ulps), onSide && near(n, across.Unit(), 4*e/c.Radius+ulps):
		return nil
	}
	away := across
	switch {
	case onA:
		away = u.Neg()
	case onB:
		away = u
	}
	return differ(field, normalWords(n, away), want, tripleOf(n))
}

// judgeBoxNormal judges the normal at a crossing with a box. At an edge, the normal of any face that contains the point is right.
func judgeBoxNormal(b *shapes.Box, p, n geom.Vec3, field string, want any, e float64) *problem {
	for _, right := range facesAt(b, p, 4*e) {
		if near(n, right, ulps) {
			return nil
		}
	}
	what := "is not the outward normal of a face at the point"
	if math.Abs(n.Norm()-1) > 1e-6 {
		what = normalWords(n, geom.Vec3{})
	}
	return differ(field, what, want, tripleOf(n))
}

// judgeFace judges the face through which a line enters a box. At an edge, any face that contains the point is right.
func judgeFace(b *shapes.Box, given, want crossings, e float64) *problem {
	for _, n := range facesAt(b, given.Points[0], 4*e) {
		if given.Face == faceName(b, n) {
			return nil
		}
	}
	return differ("face", "is not a face through which the line enters", want.Face, given.Face)
}

// facesAt returns the outward normals of the faces of a box that lie within the given distance of a point on its surface.
func facesAt(b *shapes.Box, p geom.Vec3, within float64) []geom.Vec3 {
	p = b.Rotation.TransposeMulVec(p.Sub(b.Center))
	var all []geom.Vec3
	for axis := range 3 {
		for _, sign := range [...]float64{-1, 1} {
			if math.Abs(sign*part(p, axis)-part(b.HalfExtents, axis)) <= within {
				all = append(all, [...]geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z}[axis].Scale(sign))
			}
		}
	}
	return all
}

// crossingsAt returns an answer with crossings at the distances ts. The function normal computes the normals. Faulty
// variants call crossingsAt after they have computed their roots.
func crossingsAt(r geom.Ray, normal func(p geom.Vec3, i int) geom.Vec3, ts ...float64) crossings {
	c := crossings{Count: len(ts), T: ts}
	for i, t := range ts {
		p := r.At(t)
		c.Points = append(c.Points, p)
		c.Normals = append(c.Normals, normal(p, i))
	}
	return c
}

// rightNormal returns a function that computes the outward normal of a sphere or a capsule at a point.
func rightNormal(s shapes.Shape) func(geom.Vec3, int) geom.Vec3 {
	return func(p geom.Vec3, _ int) geom.Vec3 {
		away, _ := outward(s, p)
		return away.Unit()
	}
}
