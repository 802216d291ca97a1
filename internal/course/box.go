package course

import (
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// boxStage returns the stage about the crossings of a line and a box.
func boxStage() kind { return lineStage(boxAsks(), readBox, "box.md", portraitBox()) }

// boxAsks returns the kinds of questions about a line and a box.
func boxAsks() []ask[lineQuestion] {
	box := func(d *dice) *shapes.Box {
		h := geom.Vec3{X: d.length(0.4, 3), Y: d.length(0.4, 3), Z: d.length(0.4, 3)}
		return &shapes.Box{Center: d.point(5), HalfExtents: h, Rotation: d.rotation()}
	}
	// An upright box has faces parallel to the coordinate planes, so a ray can run exactly within a face.
	upright := func(d *dice) *shapes.Box {
		eighths := func(from, n int) float64 { return float64(from+d.IntN(n)) / 8 }
		return &shapes.Box{
			Center:      geom.Vec3{X: eighths(-32, 65), Y: eighths(-32, 65), Z: eighths(-32, 65)},
			HalfExtents: geom.Vec3{X: eighths(2, 20), Y: eighths(2, 20), Z: eighths(2, 20)},
			Rotation:    geom.Identity(),
		}
	}
	inner := func(b *shapes.Box) float64 { return min(b.HalfExtents.X, b.HalfExtents.Y, b.HalfExtents.Z) }
	// along returns a ray parallel to an axis of an upright box, through a point p given in multiples of its half extents.
	along := func(d *dice, b *shapes.Box, p geom.Vec3, dir geom.Vec3) geom.Ray {
		h := b.HalfExtents
		at := b.Center.Add(geom.Vec3{X: p.X * h.X, Y: p.Y * h.Y, Z: p.Z * h.Z})
		return geom.Ray{Origin: at.AddScaled(-float64(8+d.IntN(8)), dir), Dir: dir}
	}
	return append([]ask[lineQuestion]{
		{Ordinary, "through", func(d *dice) lineQuestion {
			b := box(d)
			return lineQuestion{d.rayInto(b, b.Center, inner(b)), b}
		}},
		{Ordinary, "anywhere", func(d *dice) lineQuestion {
			b := box(d)
			for {
				r := toward(d.point(12), d.inBall(b.Center, 1.2*b.HalfExtents.Norm()))
				if c := tolerantChord(r, b); c.certain || !c.possible {
					return lineQuestion{r, b}
				}
			}
		}},
		{Ordinary, "past", func(d *dice) lineQuestion {
			b := box(d)
			r := d.rayInto(b, b.Center, inner(b))
			return lineQuestion{toward(r.Origin, b.Center.AddScaled(b.HalfExtents.Norm()*d.between(1.1, 2), d.across(r.Dir))), b}
		}},
		{Degenerate, "parallel, inside", func(d *dice) lineQuestion {
			b, dir := upright(d), d.axis()
			side := d.acrossAxis(dir)
			return lineQuestion{along(d, b, side.Scale(float64(d.IntN(4))/4), dir), b}
		}},
		{Degenerate, "parallel, outside", func(d *dice) lineQuestion {
			b, dir := upright(d), d.axis()
			return lineQuestion{along(d, b, d.acrossAxis(dir).Scale(float64(5+d.IntN(4))/4), dir), b}
		}},
		{Degenerate, "in a face", func(d *dice) lineQuestion {
			b, dir := upright(d), d.axis()
			return lineQuestion{along(d, b, d.acrossAxis(dir), dir), b}
		}},
		{Degenerate, "through an edge", func(d *dice) lineQuestion {
			b := upright(d)
			one, h := d.axis(), b.HalfExtents
			two := d.acrossAxis(one)
			edge := one.Add(two)
			p := b.Center.Add(geom.Vec3{X: edge.X * h.X, Y: edge.Y * h.Y, Z: edge.Z * h.Z})
			inward := edge.Neg().AddScaled(0.5*d.Float64(), one.Cross(two)).Unit()
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(1, 8), inward), Dir: inward}, b}
		}},
		{Degenerate, "touching an edge", func(d *dice) lineQuestion { return d.touchingEdge(upright(d)) }},
		{Degenerate, "inside", func(d *dice) lineQuestion {
			b := box(d)
			return lineQuestion{geom.Ray{Origin: d.inBall(b.Center, inner(b)), Dir: d.direction()}, b}
		}},
		{Degenerate, "behind", func(d *dice) lineQuestion {
			b := box(d)
			r := d.rayInto(b, b.Center, inner(b))
			return lineQuestion{geom.Ray{Origin: r.Origin, Dir: r.Dir.Neg()}, b}
		}},
		{Degenerate, "on the surface", func(d *dice) lineQuestion {
			b, out := upright(d), d.axis()
			h := b.HalfExtents
			origin := b.Center.Add(geom.Vec3{X: out.X * h.X, Y: out.Y * h.Y, Z: out.Z * h.Z})
			for {
				if dir := d.direction(); math.Abs(dir.Dot(out)) > 0.2 {
					return lineQuestion{geom.Ray{Origin: origin, Dir: dir}, b}
				}
			}
		}},
	}, closeBoxes(box)...)
}

// touchingEdge returns a line that touches an edge of the upright box b at 45 degrees. It moves and resizes the box so that
// [lineQuestion.touchesEdge] holds.
func (d *dice) touchingEdge(b *shapes.Box) lineQuestion {
	one := d.axis()
	two := d.acrossAxis(one)
	three := one.Cross(two)
	size := math.Ldexp(1, d.IntN(6)-3)
	// The line leaves the slab of the first axis where it enters that of the second.
	widths := [3]float64{size * [...]float64{0.5, 1, 2}[d.IntN(3)], size, math.Abs(three.Dot(b.HalfExtents))}
	b.Center = three.Scale(three.Dot(b.Center))
	b.HalfExtents = geom.Vec3{}
	for i, axis := range [...]geom.Vec3{one, two, three} {
		b.HalfExtents = b.HalfExtents.AddScaled(widths[i]*(axis.X+axis.Y+axis.Z), axis)
	}
	edge := inBox(b, one.Add(two).AddScaled(float64(1+d.IntN(3))/4, three)) // not at the middle of the edge
	past := one.Sub(two)
	return lineQuestion{geom.Ray{Origin: edge.AddScaled(-size, past), Dir: past.Scale(math.Sqrt(0.5))}, b}
}

// touchesEdge reports whether the line, at 45 degrees to two axes of the upright box b, touches an edge, and every formula finds
// that it enters its last slab exactly where it leaves the first. Rounding hides this of most lines, because the numbers of
// the two axes are rounded in different ways. So the box's center must be 0 along both axes, and the half extents, the
// coordinates of the origin and their difference to the edge must be 0 or powers of two. Then each product or quotient with
// a component of the direction has the digits of the component or of its inverse, and each sum of such products is the
// product with the sum. Both axes get the same distance, whichever terms a formula adds, multiplies or fuses first.
func (q *lineQuestion) touchesEdge(b *shapes.Box) bool {
	last, first := math.Inf(-1), math.Inf(1)
	for i := range 3 {
		d, h := part(q.ray.Dir, i), part(b.HalfExtents, i)
		if d == 0 {
			continue
		}
		o := math.Copysign(1, d) * part(q.ray.Origin, i)
		if part(b.Center, i) != 0 || !isPowerOfTwo(h) || !isPowerOfTwo(o) {
			return false
		}
		last, first = max(last, -h-o), min(first, h-o)
	}
	return last == first && isPowerOfTwo(last)
}

// isPowerOfTwo reports whether x is 0 or a power of two with either sign.
func isPowerOfTwo(x float64) bool {
	digits, _ := math.Frexp(math.Abs(x))
	return x == 0 || digits == 0.5
}

// readBox reads the answer about a box.
func readBox(q *lineQuestion, r *reader) crossings {
	c := readLine(q, r)
	if c.Count > 0 {
		c.Face = r.word("face", "+x", "-x", "+y", "-y", "+z", "-z")
	}
	return c
}

// slabs is a line and a box in the form in which most programs compute with them. The vector o goes from the box's
// center to the line's origin, and d is the line's direction. Element i of o and d is the coordinate along axis i of
// the box, and h[i] is the half extent.
type slabs struct {
	b       *shapes.Box
	r       geom.Ray
	o, d, h [3]float64
	axes    [3]geom.Vec3
}

func slabsOf(q *lineQuestion) slabs {
	b := q.shape.(*shapes.Box)
	m := b.Rotation
	f := q.ray.Origin.Sub(b.Center)
	s := slabs{b: b, r: q.ray, axes: [3]geom.Vec3{m.X, m.Y, m.Z}}
	for i, axis := range s.axes {
		s.o[i], s.d[i], s.h[i] = axis.Dot(f), axis.Dot(q.ray.Dir), part(b.HalfExtents, i)
	}
	return s
}

// times returns the distances at which the line enters and leaves each slab. If the line is parallel to a slab, they
// are infinite or NaN.
func (s *slabs) times() (in, out [3]float64) {
	for i := range 3 {
		t0, t1 := (-s.h[i]-s.o[i])/s.d[i], (s.h[i]-s.o[i])/s.d[i]
		if t0 > t1 || math.Signbit(s.d[i]) {
			t0, t1 = t1, t0
		}
		in[i], out[i] = t0, t1
	}
	return in, out
}

// transposed returns the transpose of a matrix.
func transposed(m geom.Mat3) geom.Mat3 {
	return geom.Mat3{
		X: geom.Vec3{X: m.X.X, Y: m.Y.X, Z: m.Z.X},
		Y: geom.Vec3{X: m.X.Y, Y: m.Y.Y, Z: m.Z.Y},
		Z: geom.Vec3{X: m.X.Z, Y: m.Y.Z, Z: m.Z.Z},
	}
}

// faceSearch is the search of a faulty program for the face on which a point lies: a face whose plane is closer to the
// point than epsilon. If several planes are as close, as in a small scene, the search finds the first or the last axis.
// The signs are those that are tried for each axis, in order. If signs is empty, the sign of the coordinate is used.
type faceSearch struct {
	epsilon float64
	last    bool
	signs   []float64
}

// find returns the normal of the face that the search finds, or false if it finds none.
func (f *faceSearch) find(b *shapes.Box, p geom.Vec3) (n geom.Vec3, ok bool) {
	at := b.Rotation.TransposeMulVec(p.Sub(b.Center))
	for axis, dir := range [...]geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z} {
		signs := f.signs
		if len(signs) == 0 {
			signs = []float64{math.Copysign(1, part(at, axis))}
		}
		for _, sign := range signs {
			if math.Abs(float64(sign*part(at, axis))-part(b.HalfExtents, axis)) < f.epsilon {
				n, ok = dir.Scale(sign), true
				break
			}
		}
		if ok && !f.last {
			break
		}
	}
	return n, ok
}

// ownFace returns the mistake of a program that compares the point of a crossing with all faces, also with the one on
// which it lies: rounding decides whether the crossing counts. So some answers lack the first crossing, some the second
// and some both.
func ownFace() random[lineQuestion, crossings] {
	lacks := func(q *lineQuestion, given crossings) (lack int, ok bool) {
		want := solveLine(q)
		size := lineScale(q) * 0x1p-20
		switch {
		case want.Count != 2 || given.Count > 1:
			return 0, false
		case given.Count == 0:
			return 0, true
		case math.Abs(given.T[0]-want.T[1]) <= size:
			return 1, true
		}
		return 2, math.Abs(given.T[0]-want.T[0]) <= size
	}
	return random[lineQuestion, crossings]{
		Mistake: Mistake{"rounding decides whether a crossing counts: its point is compared with its own face, too", "The point where a line crosses the plane of a face has the coordinate h only up to rounding, so a test such as |x| <= h drops many of the crossings. Compare the other two coordinates only, or intersect the slabs.", "box.md"},
		may: func(q *lineQuestion, given crossings) bool {
			_, ok := lacks(q, given)
			return ok
		},
		sorts: 3,
		sort: func(q *lineQuestion, given crossings) int {
			lack, _ := lacks(q, given)
			return lack
		},
	}
}

// onEdges returns the mistake of a program that tests each of the six faces by itself. A crossing at an edge belongs to two
// faces, and by rounding it may lie outside of both. The mistake explains a wrong answer if a right crossing is on an edge. If
// all wrong answers are about lines that only touch the box, nothing shows that the faces are the cause.
func onEdges() random[lineQuestion, crossings] {
	return random[lineQuestion, crossings]{
		Mistake: Mistake{
			"only lines through an edge or in a face are wrong, as if each of the six faces were tested by itself",
			"A crossing at an edge lies in two faces. By rounding, it may be outside of both, or inside of both. Intersect the three slabs instead: the line is inside the box where it is inside all of them.", "box.md",
		},
		may:    func(q *lineQuestion, _ crossings) bool { return q.onEdge() },
		always: true,
		sorts:  1,
		sort:   func(q *lineQuestion, _ crossings) int { return solveLine(q).Count - 2 },
	}
}

// onEdge reports whether the line enters or leaves the box at an edge, up to rounding.
func (q *lineQuestion) onEdge() bool {
	b := q.shape.(*shapes.Box)
	for _, p := range solveLine(q).Points {
		faces := 0
		at := b.Rotation.TransposeMulVec(p.Sub(b.Center))
		for i := range 3 {
			if math.Abs(math.Abs(part(at, i))-part(b.HalfExtents, i)) <= nearFact*lineScale(q) {
				faces++
			}
		}
		if faces > 1 {
			return true
		}
	}
	return false
}
