package course

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pillbox/geom"
	"pillbox/shapes"
)

// A style is a choice of textbook formulas: one of three for spheres (style % sphereStyles), and usually one of two for
// each other solid. In the styles from sphereStyles on, the balls of a capsule are always computed right, as in a program
// that has separate code for them.
const (
	sphereStyles = 3
	solidStyles  = 2 * sphereStyles
)

// met holds the crossings of a line with a solid.
type met struct {
	ok     bool
	t      [2]float64 // near and far
	normal [2]geom.Vec3
	enter  geom.Vec3 // the outward normal of the face through which the line enters a box
}

// The method meet computes where the line of r crosses the solid s.
func (p *program) meet(s shapes.Shape, r geom.Ray) met {
	switch s := s.(type) {
	case *shapes.Sphere:
		return p.sphere(s, r)
	case *shapes.Capsule:
		return p.capsule(s, r)
	case *shapes.Cylinder:
		return p.cylinder(s, r)
	case *shapes.Box:
		return p.box(s, r)
	}
	panic("course: a solid of an unknown kind")
}

// crossings answers a question about where a line crosses a solid.
func (p *program) crossings(q *lineQuestion) crossings {
	r := q.ray
	_, isBox := q.shape.(*shapes.Box) // the slabs of a box have such a slip of their own
	switch {
	case p.slips("the solid's center, or the end a of its axis, is not subtracted from the ray's origin"):
		r.Origin = r.Origin.Add(placeOf(q.shape))
	case p.slips("the solid's center, or the end a of its axis, is added to the ray's origin"):
		r.Origin = r.Origin.AddScaled(2, placeOf(q.shape))
	}
	var moved directionSlip
	if !isBox {
		_, isCylinder := q.shape.(*shapes.Cylinder)
		moved = p.movedDirection(!isCylinder)
		r.Dir = moved.of(r.Dir, placeOf(q.shape))
	}
	p.unitNormals = p.style >= sphereStyles
	m := p.meet(q.shape, r)
	p.flavor = 0
	if moved.onlyRoots {
		for i, t := range m.t {
			m.normal[i] = rightNormal(q.shape)(q.ray.At(t), i)
		}
	}
	if !m.ok {
		return crossings{}
	}
	c := crossings{Count: 2, T: m.t[:], Normals: m.normal[:]}
	for _, t := range m.t {
		c.Points = append(c.Points, p.point("the points o + t d", q.ray, t))
	}
	if p.slips(textOrder) && textLess(c.T[1], c.T[0]) {
		slices.Reverse(c.T)
		slices.Reverse(c.Points)
		slices.Reverse(c.Normals)
	}
	if p.slips("t is measured in the point's x, not along the ray") {
		for i := range c.T {
			c.T[i] = c.Points[i].X
		}
	}
	if b, ok := q.shape.(*shapes.Box); ok {
		c.Face = p.face(b, m.enter)
	}
	if m.t[0] == m.t[1] {
		c.keep(0)
	}
	p.report(q, &c)
	return c
}

// A directionSlip is a way to move the direction of a ray like a point. The zero value leaves it as it is.
type directionSlip struct {
	name      string
	unit      bool // the result is made a unit vector
	onlyRoots bool // normals are computed from points of the right ray
}

// movedDirections returns the ways to move directions like points.
func movedDirections() []directionSlip {
	const name = "the direction is moved like a point: the center, or the end a of the axis, is subtracted from it"
	return []directionSlip{
		{name, false, false},
		{name + " [to find t]", false, true},
		{name + " [and made a unit vector]", true, false},
		{name + " [and made a unit vector, to find t]", true, true},
	}
}

// movedDirection returns the way in which the program moves the ray's direction. Each style computes other roots from it,
// because its formula is for directions of length 1. isRound is true for spheres and capsules, whose normals follow from points alone.
func (p *program) movedDirection(isRound bool) directionSlip {
	if !p.maySlip() {
		return directionSlip{}
	}
	p.flavor = 700 + p.style
	defer func() { p.flavor = 0 }()
	for _, s := range movedDirections() {
		if (isRound || !s.onlyRoots) && p.slips(s.name) {
			return s
		}
	}
	return directionSlip{}
}

// of returns the direction that the program uses in place of dir. The parameter place is what is subtracted.
func (s *directionSlip) of(dir, place geom.Vec3) geom.Vec3 {
	switch {
	case s.name == "":
		return dir
	case s.unit:
		return dir.Sub(place).Unit()
	}
	return dir.Sub(place)
}

// report changes the crossings as a program does that makes a mistake with the lists of its answer.
func (p *program) report(q *lineQuestion, c *crossings) {
	ahead := func(float64) bool { return true }
	near, far := slices.Min(c.T), slices.Max(c.T)
	normal := func(i int) geom.Vec3 { return c.Normals[i] }
	switch {
	case p.slips("crossings behind the origin are omitted"):
		ahead = func(t float64) bool { return t > 0 }
	case p.slips("crossings behind the origin are omitted, but not one at the origin"):
		ahead = func(t float64) bool { return t >= 0 }
	case p.slips("a solid behind the origin is said to be missed"):
		ahead = func(t float64) bool { return c.T[len(c.T)-1] >= 0 }
	case p.slips("the crossings are in the wrong order"):
		slices.Reverse(c.T)
		slices.Reverse(c.Points)
		slices.Reverse(c.Normals)
	case p.slips("the crossings are in the wrong order, except for the normals"):
		slices.Reverse(c.T)
		slices.Reverse(c.Points)
	case p.slips("the crossings are in the wrong order, only in the list t"):
		slices.Reverse(c.T)
	case p.slips("the normals are in the wrong order"):
		slices.Reverse(c.Normals)
	case p.slips("only the first crossing is reported"):
		c.keep(0)
	case p.slips("only the last crossing is reported"):
		c.keep(1)
	case p.slips("both crossings have the same normal: that of the first"):
		normal = func(int) geom.Vec3 { return c.Normals[0] }
	case p.slips("both crossings have the same normal: that of the second"):
		last := c.Normals[len(c.Normals)-1]
		normal = func(int) geom.Vec3 { return last }
	case p.slips("the normal is the direction of the ray"):
		normal = func(int) geom.Vec3 { return q.ray.Dir }
	case p.slips("the normal is the opposite of the direction of the ray"):
		normal = func(int) geom.Vec3 { return q.ray.Dir.Neg() }
	case p.slips("the normal is the direction from the ray's origin to the point"):
		normal = func(i int) geom.Vec3 { return c.Points[i].Sub(q.ray.Origin).Unit() }
	case p.slips("the normal is turned toward the ray"):
		normal = func(i int) geom.Vec3 { return towardViewer(c.Normals[i], q.ray) }
	case p.slips("the normal is divided by the radius twice"):
		normal = func(i int) geom.Vec3 { return c.Normals[i].Div(sizeOf(q.shape)) }
	case p.slips("touching is taken for missing"):
		if small, ok := grown(q.shape, -leewayOf(q.ray, q.shape)); ok {
			_, inside := small.Span(q.ray)
			ahead = func(float64) bool { return inside }
		}
	}
	for i := range c.Normals {
		c.Normals[i] = normal(i)
	}
	p.roundOff(q, c)
	c.drop(ahead)
	if b, ok := q.shape.(*shapes.Box); ok && c.Count == 1 && c.T[0] == far && near != far {
		c.Face = faceName(b, c.Normals[0]) // of the only crossing that is left
	}
}

// drop removes the crossings for whose distance keep returns false.
func (c *crossings) drop(keep func(t float64) bool) {
	var kept crossings
	for i, t := range c.T {
		if keep(t) {
			kept.Count++
			kept.T, kept.Points, kept.Normals = append(kept.T, t), append(kept.Points, c.Points[i]), append(kept.Normals, c.Normals[i])
		}
	}
	if kept.Count > 0 {
		kept.Face = c.Face
	}
	*c = kept
}

// rounded returns the names of the slips of rounding to a fixed number of decimals: only t, or all numbers.
var rounded = sync.OnceValue(func() (names [13][2]string) {
	for n := range names {
		names[n] = [2]string{fmt.Sprintf("t is rounded to %d decimals", n), fmt.Sprintf("numbers are rounded to %d decimals", n)}
	}
	return names
})

// roundOff rounds the crossings as a program does that writes numbers with a fixed number of decimals.
func (p *program) roundOff(q *lineQuestion, c *crossings) {
	for n, names := range rounded() {
		onlyT, all := n > 1 && p.slips(names[0]), n > 1 && p.slips(names[1])
		if !onlyT && !all {
			continue
		}
		unit := math.Pow(10, float64(-n))
		short := func(x float64) float64 { return math.Round(x/unit) * unit }
		for i, t := range c.T {
			c.T[i] = short(t)
			if c.Points[i] = q.ray.At(c.T[i]); round(q.shape) {
				c.Normals[i] = rightNormal(q.shape)(c.Points[i], i)
			}
			for _, v := range [...]*geom.Vec3{&c.Points[i], &c.Normals[i]} {
				if all {
					*v = geom.Vec3{X: short(v.X), Y: short(v.Y), Z: short(v.Z)}
				}
			}
		}
	}
}

// cut answers a question about where a line crosses a cut solid.
func (p *program) cut(q *cutQuestion) cutCrossings {
	m := p.meet(q.shape, q.ray)
	p.flavor = 0
	if !m.ok {
		return cutCrossings{}
	}
	k := kept{met: m, face: [2]int{-1, -1}}
	last := len(q.sections) - 1
	for i := range q.sections {
		if i > 0 && p.slips("only the first section is used") || i < last && p.slips("only the last section is used") || p.slips("no section is used") {
			continue
		}
		before := k
		if !p.section(q, i, &k) {
			return cutCrossings{}
		}
		if k.t[0] > k.t[1] && p.slips("a section that leaves nothing is ignored") {
			k = before
		}
	}
	whole := kept{met: m, face: [2]int{-1, -1}}
	switch {
	case k.t[1] < k.t[0] && p.slips("lines that miss what is left are reported as if nothing were cut"):
		k = whole
	case k.t[1] < k.t[0] && p.slips("the crossings are sorted after the cut"):
		k.t[0], k.t[1], k.normal[0], k.normal[1], k.face[0], k.face[1] = k.t[1], k.t[0], k.normal[1], k.normal[0], k.face[1], k.face[0]
	case p.slips("crossings are discarded instead of intervals cut"):
		k = whole
		k.gone = func(t float64) bool {
			return slices.ContainsFunc(q.sections, func(s shapes.Section) bool { return s.Beyond(q.ray.At(t)) > 0 })
		}
	case p.less("cut: t_far < t_near, a miss", k.t[1], k.t[0]):
		return cutCrossings{}
	}
	return p.reportCut(q, &k, &m)
}

// kept is what sections leave of a line in a solid.
type kept struct {
	met
	face [2]int               // the sections in which it begins and ends, or -1
	gone func(t float64) bool // a crossing that is not reported; may be nil
}

// section cuts k with section i. It returns false if nothing is left of the line because it is parallel to the section.
func (p *program) section(q *cutQuestion, i int, k *kept) bool {
	point, n := p.vec("cut: the section's point S", q.sections[i].Point), p.vec("cut: the section's normal N", q.sections[i].Normal)
	if p.slips("the side that is taken away is kept") {
		n = n.Neg()
	}
	height := p.dot("cut: f · N", p.minus("cut: f = o - S", q.ray.Origin, point), n)
	rise := p.dot("cut: d · N", q.ray.Dir, n)
	if p.slips("the side that is taken away is kept, with the right normals") {
		height, rise = -height, -rise
	}
	if w := p.at("cut: d · N = 0, a line parallel to a section misses", zeroStep); w != nil && w.test(rise, true) || rise == 0 && p.slips("lines parallel to a section always miss") {
		return false
	}
	outside := p.slips("planes that the line crosses outside of the solid are ignored")
	if outside && rise == 0 {
		return true
	}
	if p.zero("cut: d · N = 0, a line parallel to the section", rise) {
		return !p.less("cut: 0 < f · N, a miss of a line parallel to the section", 0, height)
	}
	s := p.num("cut: s = -(f · N) / (d · N)", -height/rise)
	end := 1
	if p.less("cut: d · N < 0, the line enters the kept side at s", rise, 0) {
		end = 0
	}
	if end == 1 && p.slips("only the entry is cut") || end == 0 && p.slips("only the exit is cut") ||
		outside && (s <= k.t[0] || k.t[1] <= s) {
		return true
	}
	cuts := end == 0 && p.less("cut: t_near < s, a later entry", k.t[0], s) || end == 1 && p.less("cut: s < t_far, an earlier exit", s, k.t[1])
	switch {
	case p.slips("the intervals are joined instead of intersected"):
		cuts = end == 0 && s < k.t[0] || end == 1 && k.t[1] < s
	case p.slips("the cut face has no edge"):
		cuts = true
	}
	if cuts {
		k.t[end], k.normal[end], k.face[end] = s, p.vec("cut: the normal of a cut face", n), i
	}
	return true
}

// reportCut returns the crossings at the ends of k. The crossings with the whole solid are those of m.
func (p *program) reportCut(q *cutQuestion, k *kept, m *met) cutCrossings {
	var c cutCrossings
	for i, t := range k.t {
		if i == 1 && k.t[0] == t || k.gone != nil && k.gone(t) || t <= 0 && p.slips("crossings behind the origin are omitted") || t < 0 && p.slips("crossings behind the origin are omitted, but not one at the origin") {
			continue
		}
		n, face := k.normal[i], k.face[i]
		if face >= 0 {
			switch {
			case p.slips("the cut face has the normal of the solid"):
				n = m.normal[i]
			case p.slips("the cut face has the normal of the solid, computed from the point"):
				if n = m.normal[i]; round(q.shape) {
					n = rightNormal(q.shape)(q.ray.At(t), i)
				}
			case p.slips("the sections are numbered from 1"):
				face++
			case p.slips("the sections are numbered from the last to the first"):
				face = len(q.sections) - 1 - face
			case p.slips("cut faces are called solid"):
				face = -1
			}
		}
		if p.slips("the normals are turned toward the ray") {
			n = towardViewer(n, q.ray)
		}
		c.add(shapes.Hit{T: t, Normal: n}, face)
	}
	return c
}

// textOrder is the mistake of sorting distances as text. [textLess] reports whether the text of a comes before that of b.
const textOrder = "your two distances are in the wrong order: they are sorted as text, as sort() does in JavaScript without a function that compares numbers"

func textLess(a, b float64) bool { return jsText(a) < jsText(b) }

// jsText returns a number as JavaScript writes it.
func jsText(x float64) string {
	format := byte('f')
	if size := math.Abs(x); size < 1e-6 || size >= 1e21 {
		format = 'e'
	}
	return strconv.FormatFloat(x, format, -1, 64)
}

// point returns o + t d.
func (p *program) point(step string, r geom.Ray, t float64) geom.Vec3 {
	switch {
	case p.slips("points are o - t d in place of o + t d"):
		return r.At(-t)
	case p.slips("points are t d: the origin is missing"):
		return r.Dir.Scale(t)
	case p.slips("points are o + d: the distance is missing"):
		return r.At(1)
	case p.slips("points are t o + d: the distance multiplies the origin"):
		return r.Dir.AddScaled(t, r.Origin)
	}
	return p.vec(step, p.along(r, t))
}

// ballLine is what the formulas for the crossings of a line and a sphere begin with.
type ballLine struct {
	f, d       geom.Vec3 // from the center to the line's origin, and the line's direction
	radius, r2 float64   // the radius, and its square
}

// roots returns the crossings of a line and a sphere, by one of three formulas.
func (p *program) roots(c geom.Vec3, radius float64, r geom.Ray) (near, far float64, ok bool) {
	o, d := p.vec("sphere: the origin o", r.Origin), p.vec("sphere: the direction d", r.Dir)
	c, radius = p.vec("sphere: the center c", c), p.num("sphere: the radius r", radius)
	r2 := p.square("sphere: r²", radius)
	x := ballLine{p.minus("sphere: f = o - c", o, c), d, radius, r2}
	switch p.style % sphereStyles {
	case 1:
		return p.quadraticRoots(&x)
	case 2:
		return p.geometricRoots(&x)
	}
	return p.chordRoots(&x)
}

// quadraticRoots solves a t² + b t + c = 0.
func (p *program) quadraticRoots(x *ballLine) (near, far float64, ok bool) {
	f, d, r2 := x.f, x.d, x.r2
	a := p.dot("sphere: a = d · d", d, d)
	b := p.num("sphere: b = 2 f · d", 2*p.dot("sphere: f · d in b", f, d))
	cc := p.take("sphere: c = f · f - r²", p.dot("sphere: f · f", f, f), r2)
	disc := p.take("sphere: the discriminant b² - 4 a c", p.square("sphere: b²", b), p.num("sphere: 4 a c", 4*float64(a*cc)))
	p.slips(largeSquares) // from far away, this style has that mistake in any case
	if p.less("sphere: discriminant < 0, a miss", disc, 0) {
		return 0, 0, false
	}
	h := p.root("sphere: h = √discriminant", disc)
	if p.slips("sphere: a root is (-b ± h / 2) / a: h alone is halved") {
		return -b - h/2, -b + h/2, true
	}
	if p.slips("sphere: a root is -b ± h / 2a: only h is divided") {
		return -b - h/(2*a), -b + h/(2*a), true
	}
	return p.num("sphere: near = (-b - h) / 2a", (-b-h)/(2*a)), p.num("sphere: far = (-b + h) / 2a", (-b+h)/(2*a)), true
}

// geometricRoots goes from the point of the line that is closest to the center to both sides.
func (p *program) geometricRoots(x *ballLine) (near, far float64, ok bool) {
	f, d, r2 := x.f, x.d, x.r2
	to := f.Neg()
	tca := p.dot("sphere: t_ca = (c - o) · d", to, d)
	if p.slips("sphere: the line is said to miss if the center lies behind the origin (t_ca < 0)") && tca < 0 {
		return 0, 0, false
	}
	l := p.addScaled(to, -tca, d)
	right := p.product(l, l) // is the same if d has length 1, and more precise
	if math.Abs(d.Norm2()-1) > 1e-9 {
		right = f.Norm2() - float64(tca*tca)
	}
	dist2 := p.num("sphere: d² = |c - o|² - t_ca²", right)
	if p.slips("sphere: d² = |c - o|² + t_ca², a plus in place of the minus") {
		dist2 = f.Norm2() + float64(tca*tca)
	}
	if p.slips("sphere: d² = |c - o|² - t_ca: t_ca is not squared") {
		dist2 = f.Norm2() - tca
	}
	if p.less("sphere: r² < d², a miss", r2, dist2) {
		return 0, 0, false
	}
	h := p.root("sphere: t_hc = √(r² - d²)", p.take("sphere: r² - d²", r2, dist2))
	if p.slips("sphere: t_hc = √(r² + d²), a plus in place of the minus") {
		h = math.Sqrt(r2 + dist2)
	}
	return p.take("sphere: t_ca - t_hc", tca, h), p.plus("sphere: t_ca + t_hc", tca, h), true
}

// chordRoots finds the middle of the chord from the vector l that leads to it from the center.
func (p *program) chordRoots(x *ballLine) (near, far float64, ok bool) {
	f, d, radius, r2 := x.f, x.d, x.radius, x.r2
	b := p.num("sphere: b = -(f · d)", -p.dot("sphere: f · d", f, d))
	l := p.vec("sphere: l = f + b d", p.addScaled(f, b, d))
	if p.slips("sphere: l = f - b d, a minus in place of the plus") {
		l = f.AddScaled(-b, d)
	}
	if p.slips("sphere: l = f, without b d") {
		l = f
	}
	disc := p.take("sphere: disc = r² - |l|²", r2, p.num("sphere: |l|²", p.dot("sphere: l · l", l, l)))
	if p.slips("sphere: disc = r - |l|: neither is squared") {
		disc = radius - l.Norm()
	}
	c0 := f.Norm2() - float64(radius*radius) // of t² + 2 b t + c0 = 0
	switch {
	case p.slips(largeSquares):
		disc = float64(b*b) - c0
	case p.slips(unmatched + ": b² - 4 c with b = f · d, and halved roots"), p.slips(unmatched + ": b² - 4 c with b = f · d"):
		disc = float64(b*b) - 4*c0
	}
	touches := p.zero("sphere: disc = 0, a line that touches", disc)
	if !touches && p.less("sphere: disc < 0, a miss", disc, 0) {
		return 0, 0, false
	}
	if touches && disc != 0 {
		return b, b, true
	}
	h := p.root("sphere: h = √disc", disc)
	if p.slips("sphere: h = r - |l|, without squares and root") {
		h = radius - l.Norm()
	}
	return p.chordEnds(b, h, radius)
}

// chordEnds returns the ends of a chord. Its middle is at the distance b, and h is half of its length.
func (p *program) chordEnds(b, h, radius float64) (near, far float64, ok bool) {
	near, far = p.take("sphere: t_near = b - h", b, h), p.plus("sphere: t_far = b + h", b, h)
	switch {
	case p.slips("sphere: t = h ± b: the roots are exchanged with a sign"):
		return h - b, h + b, true
	case p.slips("sphere: t = -h and h: b is missing"):
		return -h, h, true
	case p.slips(unmatched + ": b² - 4 c with b = f · d, and halved roots"), p.slips(unmatched + ": b² - c, but halved roots"):
		return (b - h) / 2, (b + h) / 2, true
	case p.slips(unmatched + ": the root is halved, but not b"):
		return 2*b - h, 2*b + h, true
	case p.slips("the roots are not halved"):
		return 2*b - 2*h, 2*b + 2*h, true
	case p.slips("sphere: the distance to the line is forgotten: h = r"):
		return b - radius, b + radius, true
	case p.slips("sphere: both roots are b: h is missing"):
		return b, b, true
	case p.slips("sphere: both roots are the near one"):
		return near, near, true
	case p.slips("sphere: both roots are the far one"):
		return far, far, true
	case p.slips("sphere: near and far are exchanged"):
		return far, near, true
	case p.slips("sphere: a line with a negative far root is said to miss") && far < 0:
		return 0, 0, false
	case p.slips("sphere: a line with a negative near root is said to miss") && near < 0:
		return 0, 0, false
	case p.slips("sphere: the roots are made positive"):
		return math.Abs(near), math.Abs(far), true
	}
	return near, far, true
}

// Mistakes with the quadratic formula.
const (
	largeSquares = "the discriminant is a difference of large squares"
	unmatched    = "the factors of the quadratic formula do not match"
)

// ball returns the crossings of a line with a ball of a capsule.
func (p *program) ball(c geom.Vec3, radius float64, r geom.Ray) (near, far float64, ok bool) {
	if p.style >= sphereStyles {
		return (&program{}).roots(c, radius, r)
	}
	return p.roots(c, radius, r)
}

func (p *program) sphere(s *shapes.Sphere, r geom.Ray) met {
	p.flavor = 100 + p.style%sphereStyles
	if p.unitNormals {
		p.flavor += sphereStyles
	}
	near, far, ok := p.roots(s.Center, s.Radius, r)
	m := met{ok: ok, t: [2]float64{near, far}}
	if !ok {
		return m
	}
	for i, t := range m.t {
		away := p.minus("sphere: n = p - c", p.along(r, t), s.Center)
		switch {
		case p.slips("sphere: n = p: the center is not subtracted, and not made a unit vector"):
			m.normal[i] = r.At(t)
		case p.slips("sphere: n = p - 2 c: the center is subtracted twice"):
			m.normal[i] = away.Sub(s.Center).Unit()
		case p.slips("sphere: n = (p - c) / |p|: divided by the wrong length"):
			m.normal[i] = away.Div(r.At(t).Norm())
		case p.slips("sphere: n = (p - c) / t: divided by the distance"):
			m.normal[i] = away.Div(t)
		case p.slips("sphere: n = (p - c) / r²"):
			m.normal[i] = away.Div(float64(s.Radius * s.Radius))
		case p.slips("sphere: n = p - o: the ray's origin in place of the center"):
			m.normal[i] = r.At(t).Sub(r.Origin).Unit()
		case p.unitNormals:
			m.normal[i] = away.Unit()
		case p.style%sphereStyles == 0:
			m.normal[i] = p.unit("sphere: n = (p - c) / |p - c|", away)
		default:
			m.normal[i] = p.vec("sphere: n = (p - c) / r", away.Div(p.num("sphere: the r in n = (p - c) / r", s.Radius)))
		}
	}
	switch {
	case p.slips("sphere: the near normal is wrong, reversed"):
		m.normal[0] = m.normal[0].Neg()
	case p.slips("sphere: the far normal is wrong, reversed"):
		m.normal[1] = m.normal[1].Neg()
	}
	return m
}

// basis returns the coordinate axes.
func basis() [3]geom.Vec3 { return [3]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} }

// along holds the numbers that a textbook program computes from a line, and the axis and the radius of a capsule or a
// cylinder. The axis goes from a to b.
type along struct {
	u         geom.Vec3 // unit vector from a to b
	length    float64   // of the axis
	f         geom.Vec3 // from a to the line's origin
	y, dy     float64   // height of the origin above a along u, and its change along the line
	f2, d2    geom.Vec3 // the parts across the axis of f and of the line's direction
	q         float64   // squared length of d2
	r2        float64   // squared radius
	near, far float64   // distances of the crossings with the infinite cylinder
	parallel  bool      // the line is parallel to the axis
	missed    bool      // the line is said to miss because it is parallel to the axis
	ok        bool      // the line crosses the infinite cylinder
	l         geom.Vec3 // from the axis to the point of the line that is closest to it
}

// axis computes the crossings of the line of r with the infinite cylinder around the axis from a to b. The array s
// holds the names of the steps, from [axisSteps].
func (p *program) axis(s *[21]string, a, b geom.Vec3, radius float64, r geom.Ray) along {
	var x along
	o, d := p.vec(s[0], r.Origin), r.Dir
	w := p.minus(s[1], b, a)
	x.length = p.num(s[2], p.length(w))
	x.u = p.unit(s[3], w)
	x.f = p.minus(s[4], o, a)
	x.y, x.dy = p.dot(s[5], x.f, x.u), p.dot(s[6], d, x.u)
	y, dy := x.y, x.dy
	switch {
	case p.slips("d2 = d - y u: y in place of dy"):
		dy = y
	case p.slips("f2 = f - dy u: dy in place of y"):
		y = dy
	}
	x.f2, x.d2 = p.vec(s[7], p.addScaled(x.f, -y, x.u)), p.vec(s[8], p.addScaled(d, -dy, x.u))
	switch {
	case p.slips("f2 = f + y u, a plus in place of the minus"):
		x.f2 = x.f.AddScaled(y, x.u)
	case p.slips("d2 = d + dy u, a plus in place of the minus"):
		x.d2 = d.AddScaled(dy, x.u)
	case p.slips("f2 = f: the part along the axis is not subtracted"):
		x.f2 = x.f
	case p.slips("d2 = d: the part along the axis is not subtracted"):
		x.d2 = d
	}
	x.q = p.num(s[9], p.dot(s[10], x.d2, x.d2))
	x.r2 = p.square(s[11], p.num(s[12], radius))
	across := x.d2.Norm2()
	if across <= shapes.ParallelSine*shapes.ParallelSine {
		across = 0
	}
	x.parallel = p.zero(s[19], across)
	if w := p.at(s[20], zeroStep); w != nil {
		x.missed = w.test(across, true)
	}
	middle := 0.0
	x.l = x.f2
	if !x.parallel {
		middle = p.num(s[13], -p.product(x.f2, x.d2)/p.num(s[17], x.q))
		x.l = p.addScaled(x.f2, middle, x.d2)
	}
	disc := p.take(s[14], x.r2, p.product(x.l, x.l))
	x.ok = !p.less(s[15], disc, 0)
	h := p.root(s[16], disc/p.num(s[18], x.q))
	switch {
	case p.slips("h = √disc / |d2|² in place of √(disc / |d2|²): the root must include the division"):
		h = math.Sqrt(disc) / x.q
	case p.slips("h = √disc: disc is not divided by |d2|²"):
		h = math.Sqrt(disc)
	case p.slips("disc is multiplied by |d2|² in place of divided"):
		h = math.Sqrt(float64(disc * x.q))
	case (p.slips(alongUnit) || p.slips(alongUnit+" [the body ends at planes]")) && !x.parallel:
		middle, h = float64(middle*math.Sqrt(x.q)), float64(h*math.Sqrt(x.q))
	case p.slips("the middle of the chord is -(f2 · d2): not divided by |d2|²") && !x.parallel:
		middle = -x.f2.Dot(x.d2)
	case p.slips("a root is (-b ± √discriminant) / 2 * a: without parentheses, it is multiplied by a, which is |d2|², in place of divided") && !x.parallel:
		middle, h = float64(float64(middle*x.q)*x.q), float64(float64(h*x.q)*x.q)
	case p.slips("nothing is divided by |d2|²: the formulas for a direction of length 1 are used for d2, which is shorter") && !x.parallel:
		middle = -x.f2.Dot(x.d2)
		l := x.f2.AddScaled(middle, x.d2)
		disc = x.r2 - l.Norm2()
		x.ok, h = !(disc < 0), math.Sqrt(disc)
	}
	if x.parallel {
		h = math.Inf(1)
	}
	x.near, x.far = middle-h, middle+h
	if p.slips("heights are measured from the wrong end") {
		x.y -= x.length
	}
	return x
}

// alongUnit is the slip of measuring distances across the axis.
const alongUnit = "distances are measured across the axis, along d2 / |d2|: they are not divided by |d2|"

var (
	capsuleSteps  = sync.OnceValue(func() *[21]string { return axisSteps("capsule") })
	cylinderSteps = sync.OnceValue(func() *[21]string { return axisSteps("cylinder") })
)

// axisSteps returns the names of the steps of [program.axis]. Each begins with the noun solid, such as "capsule".
func axisSteps(solid string) *[21]string {
	s := [21]string{"the origin o", "w = b - a", "the length |w|", "u = w / |w|", "f = o - a", "the height y = f · u", "dy = d · u", "f2 = f - y u, across the axis", "d2 = d - dy u, across the axis",
		"|d2|² in -(f2 · d2) / |d2|² and disc / |d2|²", "|d2|² = d2 · d2", "r²", "the radius r", "the middle -(f2 · d2) / |d2|²", "disc = r² - |l|²", "disc < 0, a miss", "h = √(disc / |d2|²)", "|d2|² in -(f2 · d2) / |d2|²", "|d2|² in √(disc / |d2|²)",
		"|d2|² = 0, a line parallel to the axis", "|d2|² = 0, a line parallel to the axis misses"}
	for i := range s {
		s[i] = solid + ": " + s[i]
	}
	return &s
}

// pill is a line and a capsule, as the textbook program computes where they cross.
type pill struct {
	*program
	solid *shapes.Capsule
	ray   geom.Ray

	a, b     geom.Vec3 // the ends of the axis
	isPoint  bool      // the axis has the length 0
	noBalls  bool
	oneByOne bool // the first of all crossings is where the line enters, the second where it leaves
	nearest  int  // the only ball that is tested, or -1

	all   []float64       // the crossings: those of the body come first
	body  int             // the number of crossings with the body
	parts map[float64]int // the part to which a crossing belongs: 0 is the body, 1 and 2 are the balls
}

// capsule intersects the line with the body, which is a cylinder without an end, and with the balls around the ends of the
// axis. The line enters the capsule at the first of the crossings, and leaves it at the last.
func (p *program) capsule(c *shapes.Capsule, r geom.Ray) met {
	p.flavor = 300 + p.style/sphereStyles
	s := pill{program: p, solid: c, ray: r, nearest: -1, parts: make(map[float64]int)}
	s.a, s.b = p.vec("capsule: the end a", c.A), p.vec("capsule: the end b", c.B)
	if p.slips("capsule: a and b are exchanged only for the axis") {
		s.b = s.a.AddScaled(2, s.a.Sub(s.b))
	}
	end := s.b
	s.isPoint = p.zero("capsule: |w|² = 0, a capsule that is a ball", s.b.Sub(s.a).Norm2())
	s.noBalls = p.slips("the ends are left open")
	if s.isPoint {
		s.b = s.a
		if p.slips("an axis of zero length divides by zero, and every line misses") {
			return met{}
		}
	} else if s.crossBody() {
		return met{}
	}
	s.crossBalls()
	near, far, ok := s.chord()
	if !ok {
		return met{}
	}
	s.b = end
	return met{ok: true, t: [2]float64{near, far}, normal: [2]geom.Vec3{s.normal(near), s.normal(far)}}
}

// crossBody finds the crossings with the body. It returns true if the line is said to miss the capsule.
func (s *pill) crossBody() (misses bool) {
	p := s.program
	x := p.axis(capsuleSteps(), s.a, s.b, s.solid.Radius, s.ray)
	if !x.ok && p.style < sphereStyles || x.missed {
		return true
	}
	if rules, ok := s.endRules(); ok {
		return s.byEnds(&x, rules)
	}
	lowest, highest := s.heights(x.length)
	if p.slips("only the ball at the end nearer to the origin is tested") {
		if s.nearest = 0; x.y >= x.length/2 {
			s.nearest = 1
		}
	}
	if !x.ok || x.parallel {
		return x.parallel && p.slips("capsule: a line parallel to the axis is said to miss")
	}
	if p.slips(alongUnit+" [the body ends at planes]") || p.slips(unitHeight+" [the body ends at planes]") {
		s.clip(&x, lowest, highest)
		return false
	}
	for i, t := range [...]float64{x.near, x.far} {
		if i == 0 && p.slips("capsule: the near crossing of the body is forgotten") || i == 1 && p.slips("capsule: the far crossing of the body is forgotten") {
			continue
		}
		if p.slips("capsule: the height is that of the middle of the chord, for both crossings") {
			t0 := (x.near + x.far) / 2
			if y := x.y + float64(t0*x.dy); y < 0 || y > x.length {
				continue
			}
		}
		y := p.plus("capsule: the height y + t dy of a crossing", x.y, p.times("capsule: t dy, the height along the line", t, x.dy))
		if p.slips("capsule: |height| is compared with the length: the height runs from 0 at a to the length at b") {
			y = math.Abs(y)
		}
		if p.less("capsule: height < 0, below the body", y, lowest) || p.less("capsule: length < height, above the body", highest, y) {
			continue
		}
		s.all = append(s.all, t)
		s.parts[t] = 0
	}
	s.body = len(s.all)
	return false
}

// heights returns the heights between which a crossing belongs to the body.
func (s *pill) heights(length float64) (lowest, highest float64) {
	p := s.program
	endless := p.slips("the cylinder has no end")
	s.noBalls = s.noBalls || endless
	switch {
	case endless, p.slips("the body has no end, beside the balls"):
		return math.Inf(-1), math.Inf(1)
	case p.slips(unitHeight), p.slips(unitHeight + " [the body ends at planes]"):
		return 0, 1
	case p.slips("the body reaches beyond the ends"):
		return -s.solid.Radius, length + s.solid.Radius
	}
	if p.maySlip() {
		for _, e := range thresholds() {
			if p.slips(withNumber(longBody, e)) {
				return -e, length + e
			}
		}
	}
	return 0, length
}

// endRules are the parts of finding the crossings one by one that slips change: see [pill.byEnds]. The zero value is right.
type endRules struct {
	unitHeights bool // the height along b - a is compared with 1
	otherBall   bool // beyond an end, the ball at the other end decides
	misses      bool // a line that leaves through a ball misses
	only        int  // the near (1) or the far (2) crossing with a ball counts, wherever the line enters or leaves
}

// endRules returns the rules of a program that finds the crossings one by one. It returns false for other programs.
func (s *pill) endRules() (rules endRules, ok bool) {
	p := s.program
	if !p.maySlip() {
		return rules, false
	}
	switch {
	case p.slips(unitHeight + " [|w|² and 1]"):
		rules.unitHeights = true
	case p.slips("capsule: beyond an end of the axis, the ball at the other end is tested"):
		rules.otherBall = true
	case p.slips("capsule: a line that leaves through a ball is said to miss"):
		rules.misses = true
	case p.slips("capsule: the near crossing with a ball counts also where the line leaves"):
		rules.only = 1
	case p.slips("capsule: the far crossing with a ball counts also where the line enters"):
		rules.only = 2
	default:
		return rules, false
	}
	return rules, true
}

// byEnds finds the two crossings one by one, as some programs do: a crossing with the infinite cylinder is one of the capsule
// if its height is between the ends. Otherwise, the ball at the end beyond which it lies decides. byEnds returns true if the
// line misses.
func (s *pill) byEnds(x *along, rules endRules) (misses bool) {
	p := s.program
	end := x.length
	if rules.unitHeights {
		end = 1 / x.length
	}
	s.noBalls, s.oneByOne = true, true
	for i, t := range [...]float64{x.near, x.far} {
		y := x.y + float64(t*x.dy)
		if x.parallel {
			y = math.Inf(1)
			if (x.dy > 0) == (i == 0) {
				y = math.Inf(-1)
			}
		}
		if 0 <= y && y <= end {
			s.all = append(s.all, t)
			continue
		}
		ball := s.b
		if (y < 0) != rules.otherBall {
			ball = s.a
		}
		near, far, ok := p.ball(ball, s.solid.Radius, s.ray)
		p.flavor = 300 + p.style/sphereStyles
		if !ok || i == 1 && rules.misses {
			return true
		}
		if rules.only == 1 || rules.only == 0 && i == 0 {
			far = near
		}
		s.all = append(s.all, far)
	}
	return false
}

// clip finds the crossings with the body where it is cut off at the planes of its ends: at the heights lowest and highest.
func (s *pill) clip(x *along, lowest, highest float64) {
	near, far := x.near, x.far
	switch {
	case x.dy != 0:
		in, out := (lowest-x.y)/x.dy, (highest-x.y)/x.dy
		near, far = max(near, min(in, out)), min(far, max(in, out))
	case x.y < lowest || highest < x.y:
		return
	}
	if near <= far {
		s.all = append(s.all, near, far)
		s.parts[near], s.parts[far], s.body = 0, 0, 2
	}
}

// unitHeight is the slip of comparing the height along a unit vector with 1, or that along b - a with the length.
const unitHeight = "the height and the length have different units"

// longBody is the slip of taking crossings just beyond an end of the axis for crossings with the body.
const longBody = "capsule: a fixed epsilon makes the body longer"

// crossBalls finds the crossings with the balls.
func (s *pill) crossBalls() {
	p := s.program
	half := p.slips("capsule: only the outer half of each ball counts, but with the wrong sign")
	ends, forgotten := [2]geom.Vec3{s.a, s.b}, [2]bool{p.slips("capsule: the ball at end a is forgotten"), p.slips("capsule: the ball at end b is forgotten")}
	radii := p.num("capsule: the radius of the balls", s.solid.Radius)
	for k, end := range ends {
		if forgotten[k] || s.noBalls && !s.isPoint || s.nearest >= 0 && k != s.nearest {
			continue
		}
		if p.slips("capsule: both balls are at end a") {
			end = s.a
		}
		if p.slips("capsule: both balls are at end b") {
			end = s.b
		}
		if s.body == 2 && p.slips("capsule: the balls are tested only if the body has fewer than two crossings") {
			continue
		}
		if s.body > 0 && p.slips("capsule: the balls are tested only if the body has no crossing") {
			continue
		}
		near, far, ok := p.ball(end, p.num([...]string{"capsule: the radius of the ball at a", "capsule: the radius of the ball at b"}[k], radii), s.ray)
		p.flavor = 300 + p.style/sphereStyles
		if !ok {
			continue
		}
		for i, t := range [...]float64{near, far} {
			if i == 1 && p.slips("capsule: only the near crossing of each ball counts") || i == 0 && p.slips("capsule: only the far crossing of each ball counts") {
				continue
			}
			if along := s.ray.At(t).Sub(s.a).Dot(s.b.Sub(s.a)); half && (along > 0) == (k == 0) {
				continue
			}
			s.all = append(s.all, t)
			s.parts[t] = 1 + k
		}
	}
	p.flavor = 300 + p.style/sphereStyles
}

// chord returns where the line enters and leaves the capsule. It returns false if the line misses.
func (s *pill) chord() (near, far float64, ok bool) {
	p := s.program
	if len(s.all) > 0 && p.slips("capsule: crossings behind the origin are dropped before the smallest one is taken") {
		s.all = slices.DeleteFunc(s.all, func(t float64) bool { return t <= 0 })
	}
	all := s.all
	if len(all) == 0 {
		return 0, 0, false
	}
	near, far = slices.Min(all), slices.Max(all)
	switch {
	case s.oneByOne:
		near, far = all[0], all[1]
	case p.slips("the roots are not sorted"):
		near, far = all[0], all[len(all)-1]
	case p.slips("the roots are not sorted, and those of the balls come first"):
		balls := slices.Concat(all[s.body:], all[:s.body])
		near, far = balls[0], balls[len(balls)-1]
	case p.slips("capsule: the first crossing found counts, not the smallest"):
		near = all[0]
	case p.slips("capsule: the last crossing found counts, not the largest"):
		far = all[len(all)-1]
	case p.slips("capsule: the crossings are sorted as text, as sort() does in JavaScript without a function that compares numbers"):
		slices.SortFunc(all, func(a, b float64) int { return strings.Compare(jsText(a), jsText(b)) })
		near, far = all[0], all[len(all)-1]
	case p.slips("capsule: the two smallest crossings count"):
		slices.Sort(all)
		far = all[min(1, len(all)-1)]
	case p.slips("capsule: the two largest crossings count"):
		slices.Sort(all)
		near = all[max(0, len(all)-2)]
	}
	return near, far, true
}

// normal returns the normal at the crossing t.
func (s *pill) normal(t float64) geom.Vec3 {
	p := s.program
	at := p.along(s.ray, t)
	w := p.sub(s.b, s.a)
	share := 0.0
	if s.a != s.b {
		share = p.limit("capsule: the share of the closest point of the axis, 0..1", p.num("capsule: (p - a) · w / |w|²", p.product(p.sub(at, s.a), w)/p.product(w, w)), 0, 1)
	}
	n := p.unit("capsule: n = (p - foot) / |p - foot|", p.minus("capsule: p - foot", at, s.foot(share, w)))
	if p.slips("capsule: the normal is divided by the radius twice") {
		n = n.Div(s.solid.Radius)
	}
	if k := s.parts[t]; k > 0 && p.slips("capsule: normals on the balls are reversed") || k == 0 && p.slips("capsule: normals on the body are reversed") ||
		k == 1 && p.slips("capsule: normals on the ball at a are reversed") || k == 2 && p.slips("capsule: normals on the ball at b are reversed") {
		n = n.Neg()
	}
	return n
}

// foot returns the point of the axis from which a normal points. The axis reaches from a to a + w. The argument share is
// the parameter of the closest point.
func (s *pill) foot(share float64, w geom.Vec3) geom.Vec3 {
	p, a, b := s.program, s.a, s.b
	onBody := share > 0 && share < 1
	foot := p.addScaled(a, share, w)
	switch {
	case p.slips("capsule: the normal points from end a"), p.slips("the normal of the body points from the end a") && onBody, p.slips("capsule: normals at the far end point from a") && share >= 1:
		return a
	case p.slips("capsule: the normal points from end b"), p.slips("the normal of the body points from the end b") && onBody, p.slips("capsule: normals at the end a point from b") && share <= 0:
		return b
	case p.slips("capsule: the normal points from the middle of the axis"), p.slips("the normal of the body points from the middle of the axis") && onBody:
		return a.AddScaled(0.5, w)
	case p.slips("capsule: the normal of the body leans along the axis: it points from the nearer end") && onBody:
		if share > 0.5 {
			return b
		}
		return a
	}
	return foot
}

// discs returns where a line crosses the planes of a cylinder's discs. The line must not be parallel to them.
func (p *program) discs(x *along) (atA, atB float64) {
	atA = p.num("cylinder: the disc at a: t = -y / dy", -x.y/x.dy)
	atB = p.num("cylinder: the disc at b: t = (length - y) / dy", p.take("cylinder: length - y", x.length, x.y)/x.dy)
	switch {
	case p.slips("cylinder: the disc at b: t = length - y / dy: without parentheses, only y is divided"):
		atB = x.length - x.y/x.dy
	case p.slips("cylinder: the disc at b: t = length / dy - y: without parentheses, only the length is divided"):
		atB = x.length/x.dy - x.y
	case p.slips("cylinder: the disc at b: t = length / dy: y is missing"):
		atB = x.length / x.dy
	case p.slips(slabFromMinus), p.slips(discFromMinus):
		atA = (-x.length - x.y) / x.dy
	case p.slips("cylinder: the disc at b is measured from a: t = t of the disc at a + length"):
		atB = atA + x.length
	}
	return atA, atB
}

// Slips with the height of a cylinder's disc at a: for all lines, or for all lines that are not parallel to the discs.
const (
	slabFromMinus = "cylinder: the slab between the discs reaches from -length to length: the height runs from 0 at a to the length at b"
	discFromMinus = "cylinder: the disc at a is put at the height -length, but it is at 0"
)

// onlyNormals is a slip of programs that exchange the discs of a cylinder. Programs that exchange nothing usually give the same
// answers, and are more frequent.
const onlyNormals = "cylinder: the normals of the discs are exchanged, but their distances are not"

// discBFirst reports whether a line meets a cylinder's disc at b before the disc at a. The first result decides whether
// the distances of the discs are exchanged, the second whether their normals are. The right results are equal, but they are
// found in different ways. Style 2 compares the distances. Style 4 compares the distances for the first result, and uses
// the sign of dy, the direction along the axis, for the second. All other styles use the sign of dy for both.
func (p *program) discBFirst(dy, atA, atB float64) (distances, normals bool) {
	switch p.style {
	case 2:
		first := p.less("cylinder: t of the disc at b < t of the disc at a", atB, atA)
		return first, first
	case 4:
		return atB < atA, dy < 0
	}
	first := p.less("cylinder: dy < 0, the line meets the disc at b first", dy, 0)
	return first, first
}

// parallelHeight returns the height above the end a of a line that is parallel to the discs, or a wrong height. The line
// can cross the cylinder only if the height is from 0 to the length.
func (p *program) parallelHeight(y, length float64) float64 {
	switch {
	case p.slips(slabFromMinus), p.slips("cylinder: for a line parallel to the discs, |y| is compared with the length: y runs from 0 at a to the length at b"):
		return math.Abs(y)
	case p.slips("cylinder: for a line parallel to the discs, |y| is compared with half the length: y runs from 0 at a to the length at b"):
		return 2 * math.Abs(y)
	case p.slips("cylinder: for a line parallel to the discs, the upper limit is half the length") && y > 0:
		return 2 * y
	case p.slips("cylinder: for a line parallel to the discs, the height is measured from b"):
		return y - length
	}
	return y
}

// discsAndSide returns the crossings of a line and a cylinder. It computes the crossings with the side and with each disc,
// and keeps the first and the last of them.
func (p *program) discsAndSide(x *along, a, b geom.Vec3, radius float64, r geom.Ray) met {
	p.flavor = 401
	m := met{t: [2]float64{math.Inf(1), math.Inf(-1)}}
	add := func(t float64, normal geom.Vec3) {
		m.ok = true
		if t < m.t[0] {
			m.t[0], m.normal[0] = t, normal
		}
		if t > m.t[1] {
			m.t[1], m.normal[1] = t, normal
		}
	}
	edgeless := p.slips("a disc has no edge, but lines that miss the infinite cylinder miss")
	squared := p.slips("a distance is compared with the squared radius")
	if (edgeless || squared) && !x.ok {
		return met{}
	}
	noEnd := p.slips("the side has no end")
	openA, openB := p.slips("the side has no end at a, and no disc"), p.slips("the side has no end at b, and no disc")
	if x.dy == 0 {
		openA, openB = false, false
	}
	for _, t := range [...]float64{x.near, x.far} {
		y := p.plus("cylinder: the height y + t dy of a crossing", x.y, p.times("cylinder: t dy, the height along the line", t, x.dy))
		if p.slips("cylinder: |height| is compared with the length: the height runs from 0 at a to the length at b") {
			y = math.Abs(y)
		}
		if x.ok && !x.parallel &&
			(p.most("cylinder: 0 <= height, above the disc at a", 0, y) || noEnd || openA) && (p.most("cylinder: height <= length, below the disc at b", y, x.length) || noEnd || openB) {
			across := p.sub(p.along(r, t), a)
			add(t, p.unit("cylinder: the normal of the side", p.addScaled(across, -y, x.u)))
		}
	}
	discs := [2]float64{}
	if x.dy != 0 {
		discs[0], discs[1] = p.discs(x)
	}
	for i, center := range [...]geom.Vec3{a, b} {
		if x.dy == 0 || p.slips("the discs are left out: the ends are open") || openA && i == 0 || openB && i == 1 || i == 0 && p.slips("cylinder: the disc at a is forgotten") || i == 1 && p.slips("cylinder: the disc at b is forgotten") {
			continue
		}
		normal := x.u.Neg()
		if i == 1 {
			normal = x.u
		}
		t := discs[i]
		e := p.minus("cylinder: e, from the center of a disc to a point", p.along(r, t), center)
		limit := p.square("cylinder: the r² of a disc", radius)
		switch {
		case edgeless:
			limit = math.Inf(1)
		case squared:
			limit *= limit
		}
		if p.most("cylinder: |e|² <= r², a point of a disc", p.num("cylinder: |e|²", p.dot("cylinder: e · e", e, e)), limit) {
			add(t, normal)
		}
	}
	return m
}

func (p *program) cylinder(c *shapes.Cylinder, r geom.Ray) met {
	p.flavor = 400
	a, b := p.vec("cylinder: the end a", c.A), p.vec("cylinder: the end b", c.B)
	x := p.axis(cylinderSteps(), a, b, c.Radius, r)
	if x.missed || x.parallel && p.slips("lines parallel to the axis always miss") ||
		x.d2 == (geom.Vec3{}) && p.slips("lines exactly parallel to the axis always miss: 0 / 0 is NaN, and comparisons with NaN are false") {
		return met{}
	}
	if p.slips("the ends are round") {
		return (&program{}).capsule(&shapes.Capsule{A: c.A, B: c.B, Radius: c.Radius}, r)
	}
	if p.style%2 == 1 {
		return p.discsAndSide(&x, a, b, c.Radius, r)
	}
	endless := p.slips("the cylinder has no end")
	if x.parallel && p.slips("the cylinder has no end, and lines along the axis give NaN") {
		nan := math.NaN()
		return met{ok: true, t: [2]float64{nan, nan}, normal: [2]geom.Vec3{nowhere(), nowhere()}}
	}
	if !x.ok || endless && x.parallel {
		return met{}
	}
	endless = endless || p.slips("the cylinder has no end, and lines along the axis give NaN")
	if p.slips("cylinder: a is taken for the middle: the discs are half the length before and behind it") {
		x.y += x.length / 2
	}
	m := met{ok: true, t: [2]float64{x.near, x.far}}
	disc := [2]bool{}
	if p.slips(unitHeight) {
		x.length = 1
	}
	if endless || x.dy == 0 && p.slips("lines parallel to the discs are never outside") {
	} else if x.dy != 0 {
		disc = p.clipAtDiscs(&x, &m)
	} else if y := p.parallelHeight(x.y, x.length); p.less("cylinder: height < 0, a miss of a line parallel to the discs", y, 0) || p.less("cylinder: length < height, a miss of a line parallel to the discs", x.length, y) {
		return met{}
	}
	if p.less("cylinder: far < near, a miss", m.t[1], m.t[0]) {
		return met{}
	}
	p.sideNormals(&x, &m, disc, a, b, r)
	return m
}

// clipAtDiscs cuts the crossings m of a line with the endless side at the planes of the discs. It returns which ends of m are
// crossings with a disc then. The line must not be parallel to the discs.
func (p *program) clipAtDiscs(x *along, m *met) (disc [2]bool) {
	p.flavor = 400 + p.style
	lower, upper := p.discs(x)
	below, above := x.u.Neg(), x.u
	switch {
	case p.slips("cylinder: the normal of the disc at a is reversed"):
		below = x.u
	case p.slips("cylinder: the normal of the disc at b is reversed"):
		above = x.u.Neg()
	case p.slips("cylinder: the normals of the discs are reversed"):
		below, above = above, below
	}
	lo, hi := shapes.Hit{T: lower, Normal: below}, shapes.Hit{T: upper, Normal: above}
	distances, normals := p.discBFirst(x.dy, lower, upper)
	if distances && !p.slips(onlyNormals) {
		lo.T, hi.T = hi.T, lo.T
	}
	if normals && !p.slips("cylinder: the distances to the discs are exchanged, but their normals are not") {
		lo.Normal, hi.Normal = hi.Normal, lo.Normal
	}
	if !p.slips("cylinder: the disc where the line enters is forgotten") && p.most("cylinder: near <= the first disc", x.near, lo.T) {
		m.t[0], m.normal[0], disc[0] = lo.T, lo.Normal, true
	}
	if !p.slips("cylinder: the disc where the line leaves is forgotten") && p.most("cylinder: the second disc <= far", hi.T, x.far) {
		m.t[1], m.normal[1], disc[1] = hi.T, hi.Normal, true
	}
	p.flavor = 400
	return disc
}

// sideNormals sets the normals of the crossings m that are on the side, and makes the mistakes of programs that confuse the
// normals of side and discs. disc states which crossings are on a disc.
func (p *program) sideNormals(x *along, m *met, disc [2]bool, a, b geom.Vec3, r geom.Ray) {
	side := func(i int) geom.Vec3 { // the right normal
		f := r.At(m.t[i]).Sub(a)
		return f.AddScaled(-f.Dot(x.u), x.u).Unit()
	}
	for i, t := range m.t {
		if disc[i] && !p.slips("the normal of the side is used on the discs") {
			continue
		}
		f := p.sub(p.along(r, t), a)
		across := p.vec("cylinder: the normal of the side, before it is made a unit vector", p.addScaled(f, -p.product(f, x.u), x.u))
		if p.slips("the normal of the side leans along the axis") {
			across = f
		}
		if p.slips("cylinder: the normal of the side points from b") {
			across = r.At(t).Sub(b)
		}
		if p.slips("cylinder: the normal of the side points from the middle") {
			across = r.At(t).Sub(a.Add(b).Scale(0.5))
		}
		m.normal[i] = p.unit("cylinder: the normal of the side", across)
	}
	switch {
	case p.slips("cylinder: the second normal is that of the part through which the line enters"):
		if disc[0] {
			m.normal[1] = m.normal[0]
		} else {
			m.normal[1] = side(1)
		}
	case p.slips("cylinder: the near normal is reversed"):
		m.normal[0] = m.normal[0].Neg()
	case p.slips("cylinder: the far normal is reversed"):
		m.normal[1] = m.normal[1].Neg()
	case p.slips("cylinder: the near normal is that of the side"):
		m.normal[0] = side(0)
	case p.slips("cylinder: the far normal is that of the side"):
		m.normal[1] = side(1)
	}
}
