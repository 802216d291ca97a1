package course

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"pillbox/geom"
	"pillbox/shapes"
)

// boxed is a line in the frame of a box, as the textbook program computes it.
type boxed struct {
	*program
	solid *shapes.Box
	ray   geom.Ray

	center, half geom.Vec3
	f, d         geom.Vec3    // the origin relative to the center, and the direction, in the world
	axes, frame  [3]geom.Vec3 // the axes that the normals have, and those of the frame

	local, in, out [3]float64 // for each slab, the direction along its axis, and where the line enters and leaves it
	near, far      float64    // where the line enters and leaves the box
	entry, exit    int        // the slabs to which near and far belong
	most           float64    // the program's infinity
}

// box intersects the line with the three slabs.
func (p *program) box(b *shapes.Box, r geom.Ray) met {
	p.flavor = 200 + p.style%2
	s := boxed{program: p, solid: b, ray: r}
	s.enterFrame()
	if m, isDone := s.eachFace(); isDone {
		return m
	}
	for i := range s.frame {
		if m, isDone := s.slab(i); isDone {
			return m
		}
	}
	if p.style%2 == 1 {
		s.intersectAll()
	} else {
		s.intersectInTurn()
	}
	s.selectSlabs()
	if s.misses() {
		return met{}
	}
	return s.crossings()
}

// enterFrame computes the frame of the box, and the line relative to its center.
func (s *boxed) enterFrame() {
	p, m := s.program, s.solid.Rotation
	c := p.vec("box: the center c", s.solid.Center)
	half := p.vec("box: half_extents", s.solid.HalfExtents)
	switch {
	case p.slips("the half extents are in the wrong order: y, z, x"):
		half = geom.Vec3{X: half.Y, Y: half.Z, Z: half.X}
	case p.slips("the half extents are in the wrong order: z, x, y"):
		half = geom.Vec3{X: half.Z, Y: half.X, Z: half.Y}
	}
	f := p.minus("box: f = o - c", p.vec("box: the origin o", s.ray.Origin), c)
	d := p.vec("box: the direction d", s.ray.Dir)
	axes, rows := [3]geom.Vec3{m.X, m.Y, m.Z}, basis()
	if t := transposed(m); p.slips("box: the box is turned the wrong way: rows are used as columns, also for the normals") {
		axes = [3]geom.Vec3{t.X, t.Y, t.Z}
	}
	if p.slips("the box's axes are ignored") {
		axes = rows
	}
	frame := axes
	if t := transposed(m); p.slips("box: origin and direction are turned the wrong way: rows are used as columns") {
		frame = [3]geom.Vec3{t.X, t.Y, t.Z}
	}
	if p.slips("box: origin and direction are not turned into the box's frame") {
		frame = rows
	}
	if p.slips("box: axes x and y are exchanged") {
		frame[0], frame[1] = frame[1], frame[0]
	}
	if p.slips("box: axes y and z are exchanged") {
		frame[1], frame[2] = frame[2], frame[1]
	}
	if p.slips("box: axes x and z are exchanged") {
		frame[0], frame[2] = frame[2], frame[0]
	}
	s.center, s.half, s.f, s.d, s.axes, s.frame = c, half, f, d, axes, frame
}

// A faceTest is the slip of testing each of the six faces by itself, with a fixed epsilon: a point in the plane of a face
// belongs to the face if it lies beyond its edges by less than beyond. A point near an edge then belongs to two faces.
type faceTest struct {
	name   string
	beyond float64
	second bool // far is the second of the distances, not the last
}

// faceTests returns these slips for each typical epsilon.
var faceTests = sync.OnceValue(func() []faceTest {
	var all []faceTest
	for _, e := range thresholds() {
		for _, second := range [...]bool{false, true} {
			end := map[bool]string{true: " [the second]", false: ""}[second]
			all = append(all,
				faceTest{withNumber(wideFaces, e) + end, e, second},
				faceTest{withNumber(smallFaces, e) + end, -e, second})
		}
	}
	return all
})

const (
	wideFaces  = "each of the six faces is tested by itself, and a fixed epsilon makes it larger"
	smallFaces = "each of the six faces is tested by itself, and a fixed epsilon makes it smaller"
)

// eachFace makes the mistakes of programs that test each of the six faces by itself. It returns false if the program makes
// none of them.
func (s *boxed) eachFace() (m met, isDone bool) {
	if !s.maySlip() {
		return met{}, false
	}
	for i := range faceTests() {
		if x := &faceTests()[i]; s.slips(x.name) {
			return s.hitFaces(x), true
		}
	}
	return met{}, false
}

// hitFaces returns the crossings of the line with the faces that x finds.
func (s *boxed) hitFaces(x *faceTest) met {
	type hit struct {
		t float64
		n geom.Vec3
	}
	var all []hit
	for i, axis := range s.axes {
		v := axis.Dot(s.d)
		if v == 0 {
			continue
		}
		for _, sign := range [...]float64{-1, 1} {
			t := (float64(sign*part(s.half, i)) - axis.Dot(s.f)) / v
			at := s.f.AddScaled(t, s.d)
			inside := func(k int) bool { return math.Abs(s.axes[k%3].Dot(at)) <= part(s.half, k%3)+x.beyond }
			if inside(i+1) && inside(i+2) {
				all = append(all, hit{t, axis.Scale(sign)})
			}
		}
	}
	if len(all) == 0 {
		return met{}
	}
	slices.SortStableFunc(all, func(a, b hit) int { return cmp.Compare(a.t, b.t) })
	near, far := all[0], all[len(all)-1]
	if x.second {
		far = all[min(1, len(all)-1)]
	}
	return met{true, [2]float64{near.t, far.t}, [2]geom.Vec3{near.n, far.n}, near.n}
}

// slab intersects the line with slab i. The result isDone is true if that decides the answer.
func (s *boxed) slab(i int) (m met, isDone bool) {
	p := s.program
	from, along := s.frame[i], s.frame[i]
	if p.slips("box: the origin is not turned into the box's frame") {
		from = basis()[i]
	}
	if p.slips("box: the direction is not turned into the box's frame") {
		along = basis()[i]
	}
	h := s.extent(i)
	x, v := s.project(i, from, along)
	if v == 0 && math.Abs(x) == h && p.slips("one NaN invalidates all slabs") {
		nan := math.NaN()
		return met{ok: true, t: [2]float64{nan, nan}, normal: [2]geom.Vec3{nowhere(), nowhere()}, enter: s.frame[i]}, true
	}
	if w := p.at("box: d' = 0, a line parallel to a slab misses", zeroStep); w != nil && w.test(v, true) {
		return met{}, true
	}
	s.local[i], s.in[i], s.out[i] = v, math.Inf(-1), math.Inf(1)
	if p.slips([...]string{"box: the slab of x is never tested", "box: the slab of y is never tested", "box: the slab of z is never tested"}[i]) {
		return met{}, false
	}
	if p.zero("box: d' = 0, a line parallel to the slab", v) {
		outside := math.Abs(x)
		if p.slips("box: for lines parallel to a slab, o' is compared with h but not with -h") {
			outside = x
		}
		return met{}, p.less("box: h < |o'|, a miss of a line parallel to the slab", h, outside)
	}
	s.in[i], s.out[i] = p.planes(h, x, v)
	return met{}, false
}

// extent returns half the size of the box along axis i.
func (s *boxed) extent(i int) float64 {
	p, half := s.program, s.half
	h := part(half, i)
	j, k := (i+1)%3, (i+2)%3
	if j > k {
		j, k = k, j
	}
	if p.slips([...]string{"box: the half extent of y is used for x", "box: the half extent of x is used for y", "box: the half extent of x is used for z"}[i]) {
		h = part(half, j)
	}
	if p.slips([...]string{"box: the half extent of z is used for x", "box: the half extent of z is used for y", "box: the half extent of y is used for z"}[i]) {
		h = part(half, k)
	}
	if p.slips("box: the smallest half extent is used for all axes") {
		h = min(half.X, half.Y, half.Z)
	}
	if p.slips("box: the largest half extent is used for all axes") {
		h = max(half.X, half.Y, half.Z)
	}
	return h
}

// project returns the line's origin x and direction v along axis i of the frame. The argument from is the axis for the
// origin, and along is the one for the direction.
func (s *boxed) project(i int, from, along geom.Vec3) (x, v float64) {
	p := s.program
	x, v = p.dot("box: o' = axis · f", from, s.f), p.dot("box: d' = axis · d", along, s.d)
	if p.slips("box: the center is subtracted after the turn: axis · o - c in place of axis · (o - c)") {
		x = from.Dot(s.ray.Origin) - part(s.center, i)
	}
	if p.slips([...]string{"box: the slab of x is tested with the direction of y", "box: the slab of y is tested with the direction of z", "box: the slab of z is tested with the direction of x"}[i]) {
		v = s.frame[(i+1)%3].Dot(s.d)
	}
	if p.slips("box: the direction is moved like a point: axis · (d - c) in place of axis · d") {
		v = along.Dot(s.d.Sub(s.center))
	}
	if v == 0 && p.slips("a direction of 0 is replaced by a tiny number") {
		v = 1e-300
	}
	return x, v
}

// planes returns where a line meets the two planes of a slab, in order. The slab reaches from -h to h, the line's origin is
// at x, and its direction along the axis is v.
func (p *program) planes(h, x, v float64) (t0, t1 float64) {
	t0 = p.num("box: t0 = (-h - o') / d'", p.take("box: -h - o'", -h, x)/v)
	t1 = p.num("box: t1 = (h - o') / d'", p.take("box: h - o'", h, x)/v)
	if p.slips("box: the order of t0 and t1 depends on the sign of o', not of d'") && (x > 0) == (v > 0) {
		t0, t1 = t1, t0
	}
	switch {
	case p.slips("box: t0 = -h - o' / d': without parentheses, only o' is divided"):
		t0, t1 = -h-x/v, h-x/v
	case p.slips("box: t0 = -(h - o') / d': a minus stands before the parentheses"):
		t0, t1 = -(h-x)/v, (h-x)/v
	case p.slips("box: t1 = (h + o') / d', a plus in place of the minus"):
		t1 = (h + x) / v
	case p.slips("box: t0 = (-h + o') / d', a plus in place of the minus"):
		t0 = (-h + x) / v
	}
	if p.slips("box: slabs reach from 0 to h") {
		t0 = (0 - x) / v
	}
	if p.slips("box: slabs reach from 0 to 2 h") {
		t0, t1 = (0-x)/v, (2*h-x)/v
	}
	if p.slips("box: o' is added instead of subtracted in t0 and t1") {
		t0, t1 = (-h+x)/v, (h+x)/v
	}
	if p.slips("box: t0 and t1 are multiplied by d' instead of divided") {
		t0, t1 = float64((-h-x)*v), float64((h-x)*v)
	}
	if p.slips("box: t0 and t1 are not divided by d'") {
		t0, t1 = -h-x, h-x
	}
	if p.slips("box: t0 and t1 are divided by |d'|") {
		t0, t1 = (-h-x)/math.Abs(v), (h-x)/math.Abs(v)
	}
	if p.less("box: t1 < t0, exchange them", t1, t0) {
		t0, t1 = t1, t0
	}
	return t0, t1
}

// intersectAll intersects the slabs by the maximum of all entries and the minimum of all exits.
func (s *boxed) intersectAll() {
	p, in, out := s.program, s.in, s.out
	entry, exit := last(in), last([3]float64{-out[0], -out[1], -out[2]})
	near := p.max("box: near = max(max(t0x, t0y), t0z)", p.max("box: max(t0x, t0y)", in[0], in[1]), in[2])
	far := p.min("box: far = min(min(t1x, t1y), t1z)", p.min("box: min(t1x, t1y)", out[0], out[1]), out[2])
	for i := range 3 {
		if near == in[i] {
			entry = i
		}
		if far == out[i] {
			exit = i
		}
	}
	if p.slips("box: near is the entry into the middle slab in place of the last") {
		near = in[0] + in[1] + in[2] - max(in[0], in[1], in[2]) - min(in[0], in[1], in[2])
	}
	s.near, s.far, s.entry, s.exit = near, far, entry, exit
}

// intersectInTurn intersects the slabs one after the other.
func (s *boxed) intersectInTurn() {
	p := s.program
	near, far, entry, exit := math.Inf(-1), math.Inf(1), 0, 0
	if p.slips("box: the first entry is sought from 0 on: near starts with 0") {
		near = 0
	}
	for i := range 3 {
		if math.IsInf(s.in[i], -1) && math.IsInf(s.out[i], 1) { // a line parallel to the slab, and in it
			continue
		}
		if p.less("box: near < t0, a later entry", near, s.in[i]) {
			near, entry = s.in[i], i
		}
		if p.less("box: t1 < far, an earlier exit", s.out[i], far) {
			far, exit = s.out[i], i
		}
	}
	s.near, s.far, s.entry, s.exit = near, far, entry, exit
}

// selectSlabs makes the mistakes of programs that take other slabs for the last entry and the first exit.
func (s *boxed) selectSlabs() {
	p := s.program
	// outermost returns the slab with the largest of the numbers, times sign, among those that limit the line.
	outermost := func(x [3]float64, sign float64) int {
		for i := range x {
			if x[i] *= sign; math.IsInf(x[i], 0) {
				x[i] = math.Inf(-1)
			}
		}
		return last(x)
	}
	joined := p.slips("the slabs are joined instead of intersected")
	if joined || p.slips("the first entry is used instead of the last") {
		s.entry = outermost(s.in, -1)
		s.near = s.in[s.entry]
	}
	if joined || p.slips("the last exit is used instead of the first") {
		s.exit = outermost(s.out, 1)
		s.far = s.out[s.exit]
	}
	if p.slips("the last entry is not compared with the first exit, and where it lies beyond, the answer is one crossing") {
		if s.far <= s.near {
			s.far, s.exit = s.near, s.entry
		}
	}
	s.most = p.infinity()
	s.near, s.far = max(s.near, -s.most), min(s.far, s.most)
}

// misses reports whether the line is said to miss the box.
func (s *boxed) misses() bool {
	p := s.program
	return p.less("box: far < near, a miss", s.far, s.near) ||
		p.slips("box: a box behind the origin is said to be missed (far < 0)") && s.far < 0 ||
		p.slips("box: a box around the origin is said to be missed (near < 0)") && s.near < 0
}

// sign returns the sign of the line's direction along axis i.
func (s *boxed) sign(i int) float64 {
	if s.slips("box: the sign of the normals depends on o', not on d'") {
		return -math.Copysign(1, s.axes[i].Dot(s.f))
	}
	return math.Copysign(1, s.local[i])
}

// crossings returns where the line enters and leaves the box, with the normals.
func (s *boxed) crossings() met {
	p := s.program
	n := [2]geom.Vec3{s.axes[s.entry].Scale(-s.sign(s.entry)), s.axes[s.exit].Scale(s.sign(s.exit))}
	if p.slips("the search starts at 0") && s.near <= 0 {
		if s.near, n[0] = 0, (geom.Vec3{}); s.far < 0 {
			return met{}
		}
	}
	if s.near == -s.most { // the normals depend on the program
		n[0] = anything()
	}
	if s.far == s.most {
		n[1] = anything()
	}
	enter := n[0]
	if p.slips("box: the face is the one through which the line leaves") {
		enter = n[1]
	}
	n, enter = s.wrongNormals(n, enter)
	n, enter = s.searchedNormals(n, enter)
	return met{true, [2]float64{s.near, s.far}, n, enter}
}

// wrongNormals returns the normals, and the normal that decides which face is named, after the mistakes that programs make
// with them.
func (s *boxed) wrongNormals(n [2]geom.Vec3, enter geom.Vec3) ([2]geom.Vec3, geom.Vec3) {
	p, entry, exit, axes := s.program, s.entry, s.exit, &s.axes
	switch {
	case p.slips("box: the near normal is reversed"):
		n[0] = n[0].Neg()
	case p.slips("box: the far normal is reversed"):
		n[1] = n[1].Neg()
	case p.slips("box: the normals are not turned back into the world"):
		n[0], n[1] = basis()[entry].Scale(-s.sign(entry)), basis()[exit].Scale(s.sign(exit))
	case p.slips("box: the normals are turned back the wrong way: rows are used as columns"):
		t := transposed(s.solid.Rotation)
		n[0], n[1] = [3]geom.Vec3{t.X, t.Y, t.Z}[entry].Scale(-s.sign(entry)), [3]geom.Vec3{t.X, t.Y, t.Z}[exit].Scale(s.sign(exit))
	case p.slips("box: the far normal is that of the near face"):
		n[1] = n[0]
	case p.slips("box: the far normal is the opposite of the near one"):
		n[1] = n[0].Neg()
	case p.slips("box: the normals do not depend on the direction's sign: always the positive axis"):
		n = [2]geom.Vec3{axes[entry], axes[exit]}
	case p.slips("the normal is always that of the positive face"):
		n = [2]geom.Vec3{axes[entry], axes[exit]}
		enter = n[0]
	case p.slips("box: the normals do not depend on the direction's sign: always the negative axis"):
		n = [2]geom.Vec3{axes[entry].Neg(), axes[exit].Neg()}
	case p.slips("box: the normals are exchanged"):
		n[0], n[1] = n[1], n[0]
	case p.slips("box: the normal points from the center to the point"):
		n = [2]geom.Vec3{s.ray.At(s.near).Sub(s.solid.Center).Unit(), s.ray.At(s.far).Sub(s.solid.Center).Unit()}
	case p.slips("box: the face has the largest local coordinate, not the largest share of the half extent"):
		for i, t := range [...]float64{s.near, s.far} {
			at := s.solid.Rotation.TransposeMulVec(s.ray.At(t).Sub(s.solid.Center))
			k := last([3]float64{math.Abs(at.X), math.Abs(at.Y), math.Abs(at.Z)})
			n[i] = axes[k].Scale(math.Copysign(1, part(at, k)))
		}
	}
	return n, enter
}

// searchedNormals returns the normals of programs that search for the face on which a point lies.
func (s *boxed) searchedNormals(n [2]geom.Vec3, enter geom.Vec3) ([2]geom.Vec3, geom.Vec3) {
	if !s.maySlip() {
		return n, enter
	}
	for i := range foundFaces() {
		if x := &foundFaces()[i]; s.slips(x.name) {
			for k, t := range [...]float64{s.near, s.far} {
				normal, ok := x.search.find(s.solid, s.ray.At(t))
				if n[k] = normal; !ok { // the normal depends on the program
					n[k] = anything()
				}
			}
			if x.named {
				enter = n[0]
			}
		}
	}
	return n, enter
}

// infinity returns the number that a program uses in place of infinity.
func (p *program) infinity() float64 {
	for i, name := range largeNumbers() {
		if p.slips(name) {
			return math.Pow(10, float64(i+2))
		}
	}
	return math.Inf(1)
}

// largeNumbers returns the names of the slips of using 10^2, 10^3 and so on in place of infinity.
var largeNumbers = sync.OnceValue(func() (names [9]string) {
	for i := range names {
		names[i] = fmt.Sprintf("a large number, 1e%d, stands for infinity", i+2)
	}
	return names
})

// foundFace is the slip of searching for the face on which a point lies.
type foundFace struct {
	name   string
	search faceSearch
	named  bool // the search also decides about the face
}

// foundFaces returns these slips for each typical epsilon and each order of the search.
var foundFaces = sync.OnceValue(func() []foundFace {
	var all []foundFace
	for _, last := range [...]bool{false, true} {
		for i, signs := range [][]float64{nil, {1, -1}, {-1, 1}} {
			for _, named := range [...]bool{false, true} {
				for _, e := range thresholds() {
					name := fmt.Sprintf("the face is found with an epsilon, %g", e)
					name += map[bool]string{true: ", the last that fits", false: ", the first that fits"}[last]
					name += [...]string{"", ", + before -", ", - before +"}[i]
					name += map[bool]string{true: "", false: ", only for the normals"}[named]
					all = append(all, foundFace{name, faceSearch{e, last, signs}, named})
				}
			}
		}
	}
	return all
})

// face returns the name of the face of a box with the normal n.
func (p *program) face(b *shapes.Box, n geom.Vec3) string {
	switch n {
	case anything():
		return anyFace
	case geom.Vec3{}:
		return ""
	}
	name := faceName(b, n)
	next := map[byte]string{'x': "y", 'y': "z", 'z': "x"}
	switch {
	case p.slips("box: the face is that of the ray's direction, not that of the normal"):
		return faceName(b, n.Neg())
	case p.slips("box: the face is named along the world's axes"):
		k := last([3]float64{math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z)})
		return map[bool]string{true: "-", false: "+"}[part(n, k) < 0] + string("xyz"[k])
	case p.slips("box: the name of the face has the wrong letter: y for x, z for y, x for z"):
		return name[:1] + next[name[1]]
	case p.slips("box: the name of the face has the wrong letter: z for x, x for y, y for z"):
		return name[:1] + next[next[name[1]][0]]
	case p.slips("box: the face is always a positive one"):
		return "+" + name[1:]
	case p.slips("box: the face is always a negative one"):
		return "-" + name[1:]
	case p.slips("box: the sign of the face is wrong for x") && name[1] == 'x', p.slips("box: the sign of the face is wrong for y") && name[1] == 'y', p.slips("box: the sign of the face is wrong for z") && name[1] == 'z':
		return faceName(b, n.Neg())
	}
	return name
}
