package course

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/shade"
	"pillbox/shapes"
)

// ahead returns the textbook program's answer to a question about the first crossing ahead of a ray's origin.
func (p *program) ahead(q *aheadQuestion) distance {
	m := p.meet(q.shape, q.ray)
	p.flavor = 0
	p.limitHits()
	i, ok := p.first(m)
	near, far := m.t[0], m.t[1]
	for n, e := range thresholds() {
		if ok && m.t[i] <= e && p.slips(fixedNumbers().nearAlone[n]) {
			return distance{}
		}
	}
	switch {
	case !ok && p.slips("a miss is not null, but 0"):
		return distance{0, true}
	case !ok && p.slips("a miss is not null, but -1"):
		return distance{-1, true}
	case !m.ok:
		return distance{}
	case p.slips("the sign of the root is dropped"):
		return distance{min(math.Abs(near), math.Abs(far)), true}
	case near <= 0 && far > 0 && p.slips("from inside, the hit is at the origin"):
		return distance{0, true}
	case p.slips("the root of the least magnitude is chosen"):
		if math.Abs(near) < math.Abs(far) {
			return distance{near, true}
		}
		return distance{far, true}
	case p.slips("negative roots become 0"):
		return distance{max(0, near), true}
	case !ok:
		return distance{}
	}
	return distance{m.t[i], true}
}

// fixedNumbers returns the names of slips with fixed numbers: hits nearer than an epsilon, one of the [thresholds], or
// beyond 10^2, 10^3 and so on do not count.
var fixedNumbers = sync.OnceValue(func() (names struct {
	near, nearAlone []string
	far             [9]string
}) {
	for _, e := range thresholds() {
		names.near = append(names.near, withNumber(fixedNear, e))
		names.nearAlone = append(names.nearAlone, withNumber(fixedNear+", and the far crossing does not count then", e))
	}
	for i := range names.far {
		names.far[i] = fmt.Sprintf("distant hits are cut off, from 1e%d on", i+2)
	}
	return names
})

// fixedNear is the mistake that hits nearer than a fixed epsilon do not count.
const fixedNear = "a fixed epsilon hides near hits"

// withNumber returns the name of a slip with a number. Slips that differ only in the number are the same mistake: usually
// several numbers give the same answers.
func withNumber(name string, x float64) string { return fmt.Sprintf("%s [%g]", name, x) }

// plainName returns the name of a slip without what withNumber adds.
func plainName(name string) string {
	name, _, _ = strings.Cut(name, " [")
	return name
}

// limitHits finds out whether the program excludes hits by their distance.
func (p *program) limitHits() {
	for i, e := range thresholds() {
		if p.slips(fixedNumbers().near[i]) {
			p.nearLimit, p.farLimit = e, math.Inf(1)
		}
	}
	for i, name := range fixedNumbers().far {
		if p.slips(name) {
			p.farLimit = math.Pow(10, float64(i+2))
		}
	}
}

// first returns the index of the first crossing ahead of the ray's origin. It returns false if no crossing lies ahead.
func (p *program) first(m met) (i int, ok bool) {
	switch {
	case !m.ok:
		return 0, false
	case p.farLimit > 0:
		for i, t := range m.t {
			if t > p.nearLimit && t < p.farLimit {
				return i, true
			}
		}
		return 0, false
	case p.slips(textOrder) && m.t[0] > 0 && textLess(m.t[1], m.t[0]):
		return 1, true
	case p.slips("the near crossing counts if either lies ahead"):
		return 0, m.t[0] > 0 || m.t[1] > 0
	case p.slips("the near crossing counts, even behind the origin"):
		return 0, true
	case p.slips("the crossing with the smaller |t| counts, if it lies ahead"):
		if math.Abs(m.t[1]) < math.Abs(m.t[0]) {
			i = 1
		}
		return i, m.t[i] > 0
	case p.slips("the far crossing counts only if the near one lies ahead, too"):
		return 1, m.t[0] > 0
	case p.less("0 < near: the near crossing is ahead", 0, m.t[0]):
		return 0, true
	}
	return 1, p.less("0 < far: the far crossing is ahead", 0, m.t[1])
}

// segment returns the textbook program's answer to a question about a segment and a sphere.
func (p *program) segment(q *segmentQuestion) segmentAnswer {
	a, b, c := p.vec("the end a", q.seg.A), p.vec("the end b", q.seg.B), p.vec("the center c", q.sphere.Center)
	radius := p.num("the radius r", q.sphere.Radius)
	w := p.minus("w = b - a", b, a)
	t := 0.0
	if length2 := p.num("|w|², with w = b - a", p.dot("w · w, with w = b - a", w, w)); !p.zero("|w|² = 0, a segment that is a point", length2) {
		t = p.num("t = (c - a) · w / |w|², with w = b - a", p.dot("(c - a) · w, with w = b - a", p.minus("c - a", c, a), w)/length2)
		most := 1.0
		if p.slips("the parameter is clamped to the length") {
			most = w.Norm()
		}
		t = p.limit("t, limited to 0..1", t, 0, most)
	}
	if p.slips("only the ends are tested") {
		if t = 0; b.Sub(c).Norm2() < a.Sub(c).Norm2() {
			t = 1
		}
	}
	at := p.addScaled(a, t, w)
	switch {
	case p.slips("the closest point is a - t w, a minus in place of the plus"):
		at = a.AddScaled(-t, w)
	case p.slips("the closest point is b + t w: it starts at b"):
		at = b.AddScaled(t, w)
	case p.slips("the closest point is b - t w: it starts at b"):
		at = b.AddScaled(-t, w)
	case p.slips("the closest point is a + t b: b is taken for a vector"):
		at = a.AddScaled(t, b)
	case p.slips("the closest point is (1 - t) b + t a: the ends are exchanged"):
		at = b.AddScaled(t, a.Sub(b))
	case p.slips("the closest point is a + w / |w| t: w is made a unit vector"):
		if w != (geom.Vec3{}) {
			at = a.AddScaled(t, w.Unit())
		}
	case p.slips("the closest point is the center of the sphere"):
		at = c
	case p.slips("the closest point is that of the sphere's surface"):
		at = c.AddScaled(radius, at.Sub(c).Unit())
	}
	at = p.vec("the closest point", at)
	gap := p.minus("the vector from c to the closest point", at, c)
	d2 := p.num("the squared distance from c", p.dot("its square", gap, gap))
	r2 := p.square("r²", radius)
	touches := p.most("squared distance <= r²", d2, r2)
	if w := p.at("distance <= r", testStep); w != nil { // without a mistake, comparing squares is exact
		touches = w.test(math.Sqrt(d2)-radius, true)
	}
	inA, inB := a.Sub(c).Norm2() <= r2, b.Sub(c).Norm2() <= r2
	switch {
	case p.slips("touches is true only where an end is inside the sphere"):
		touches = inA || inB
	case p.slips("touches is true only where both ends are inside the sphere"):
		touches = inA && inB
	case p.slips("touches is false where both ends are inside the sphere"):
		touches = touches && !(inA && inB)
	case p.slips("touches is false where an end is inside the sphere"):
		touches = touches && !inA && !inB
	case p.slips("touches is true only where exactly one end is inside the sphere"):
		touches = inA != inB
	case p.slips("touches is false where the closest point is an end"):
		touches = touches && t > 0 && t < 1
	case p.slips("touches is false where the closest point is an end, unless the segment is a point"):
		touches = touches && (t > 0 && t < 1 || a == b)
	case p.slips("touches is false where the closest point is a"):
		touches = touches && t > 0
	case p.slips("touches is false where the closest point is b"):
		touches = touches && t < 1
	case p.slips("touches belongs to the endless line, not to the segment"):
		if l2 := w.Norm2(); l2 > 0 {
			far := a.AddScaled(c.Sub(a).Dot(w)/l2, w)
			touches = far.Sub(c).Norm2() <= r2
		}
	case p.slips("touches belongs to the endless line, not to the segment; a segment of length 0 always touches"):
		touches = true
		if l2 := w.Norm2(); l2 > 0 {
			far := a.AddScaled(c.Sub(a).Dot(w)/l2, w)
			touches = far.Sub(c).Norm2() <= r2
		}
	case p.slips("touches compares the distances along x, y and z with r one by one"):
		touches = gap.MaxAbs() <= radius
	case p.slips("touches is false for a segment of length 0"):
		touches = touches && a != b
	case p.slips("touches is true for a segment of length 0"):
		touches = touches || a == b
	case p.slips("touches compares the distance of the middle of the segment"):
		touches = a.Add(b).Scale(0.5).Sub(c).Norm2() <= r2
	case p.slips("touches compares the distance of a"):
		touches = inA
	case p.slips("touches compares the distance of b"):
		touches = inB
	}
	if p.slips("the point is not relative to a") {
		at = at.Sub(a)
	}
	return segmentAnswer{touches, p.vec("closest", at)}
}

// nearest returns the textbook program's answer to the question which solid a ray hits first.
func (p *program) nearest(q *nearestQuestion) nearestAnswer {
	best, inside := nearestAnswer{Object: -1, T: math.Inf(1)}, false
	kinds := [...]string{"sphere[0]", "capsule[0]", "box[0]"}
	skips := [...]string{"spheres are skipped", "capsules are skipped", "boxes are skipped"}
	outside := [...]string{"spheres are not hit from inside", "capsules are not hit from inside", "boxes are not hit from inside"}
	turned := [...]string{"normals of spheres are not turned toward the ray", "normals of capsules are not turned toward the ray", "normals of boxes are not turned toward the ray"}
	kind := func(list [3]string, s shapes.Shape) bool {
		for i, k := range kinds {
			if p.slips(list[i]) && label(s) == k {
				return true
			}
		}
		return false
	}
	hits, far := 0, 0.0
	p.limitHits()
	var first, last geom.Vec3 // the normals of the first and the last hit in the list
	for k, s := range q.solids {
		if kind(skips, s) || k == 0 && p.slips("the first solid is never tested") || k == len(q.solids)-1 && p.slips("the last solid is never tested") {
			continue
		}
		m := p.meet(s, q.ray)
		p.flavor = 0
		i, ok := p.first(m)
		if !ok || i == 1 && kind(outside, s) {
			continue
		}
		hits++
		t := m.t[i]
		if last = m.normal[i]; hits == 1 {
			first = last
		}
		if p.slips("the far crossing decides which solid is the closest") {
			t = m.t[1]
		}
		if p.slips("the distance of the center decides which solid is the closest") {
			t = s.Bounds().Center().Sub(q.ray.Origin).Norm()
		}
		better := p.less("t < the smallest t so far", t, best.T)
		switch {
		case best.Object < 0: // the first hit is the nearest so far
		case p.slips("the first solid in the list that is hit is chosen"):
			better = false
		case p.slips("the last solid in the list that is hit is chosen"):
			better = true
		case p.slips("the farthest solid is chosen"):
			better = t > best.T
		case best.Object == 0 && p.slips("the solid with the index 0 counts as nothing found yet: any later solid that is hit replaces it"):
			better = true
		}
		if better {
			n := m.normal[i]
			if i == 1 && p.slips("from inside, the normal is that of the near crossing") {
				n = m.normal[0]
			}
			far = m.t[1]
			best, inside = nearestAnswer{k, t, n}, i == 1
			if p.slips("the index is that in the list of the solids that are hit, not in the list of all solids") {
				best.Object = hits - 1
			}
		}
		if k == 0 && best.Object == 0 && p.slips("the search stops at the first solid if that is hit") {
			break
		}
	}
	if p.slips("the solid with the index 0 counts as nothing: a test of the index takes 0 for false") && best.Object == 0 || best.Object < 0 {
		return nearestAnswer{Object: -1}
	}
	if p.slips("t is that of the far crossing") {
		best.T = far
	}
	best.T = p.num("t of the hit", best.T)
	best.Object = int(p.num("the index of the solid", float64(best.Object)))
	if best.Object < 0 || best.Object >= len(q.solids) {
		return best
	}
	if s := q.solids[best.Object]; !kind(turned, s) {
		if p.style == 0 && p.less("0 < n · d, turn the normal", 0, p.dot("n · d", best.Normal, p.turner(q.ray))) || p.style > 0 && inside && !p.slips("normals are not turned where the ray starts inside") {
			best.Normal = best.Normal.Neg()
		}
	}
	switch {
	case p.slips("the normal belongs to the last solid that is hit"):
		best.Normal = towardViewer(last, q.ray)
	case p.slips("the normal belongs to the first solid that is hit"):
		best.Normal = towardViewer(first, q.ray)
	case p.slips("solids are counted from 1"):
		best.Object++
	case p.slips("solids are counted by kind"):
		best.Object = countOfKind(q.solids, best.Object)
	}
	best.Normal = p.vec("the normal", best.Normal)
	return best
}

// turner returns the vector v that decides whether the normal n is turned: a program turns n if n · v > 0. In a right
// program, v is the ray's direction.
func (p *program) turner(r geom.Ray) geom.Vec3 {
	if p.slips("the normal is turned by its product with the ray's origin, n · o in place of n · d") {
		return r.Origin
	}
	return r.Dir
}

// camera returns the textbook program's answer to a question about the ray through a pixel.
func (p *program) camera(q *cameraQuestion) start {
	x := p.plus("X + 0.5", float64(q.pixel.X), 0.5)
	y := p.plus("Y + 0.5", float64(q.pixel.Y), 0.5)
	w, h := float64(q.width), float64(q.height)
	switch {
	case p.slips("rays go through pixel corners instead of centers"):
		x, y = x-0.5, y-0.5
	case p.slips("the width minus one is used"):
		x, y = (x-0.5)*w/max(1, w-1), (y-0.5)*h/max(1, h-1)
	case p.slips("the width minus one is used, with + 0.5"):
		x, y = x*w/max(1, w-1), y*h/max(1, h-1)
	case p.slips("the width minus one is used [and one column or row gives 0 / 0]"):
		x, y = (x-0.5)*w/(w-1), (y-0.5)*h/(h-1)
	case p.slips("the size of a pixel is the width divided by W - 1"):
		x, y = x*w/max(1, w-1), y*w/max(1, w-1)
	case p.slips("the center of the picture is rounded to a whole pixel"):
		x, y = x+w/2-math.Floor(w/2), y+h/2-math.Floor(h/2)
	case p.slips("the center of the picture is rounded to a whole pixel, and rays go through corners"):
		x, y = x-0.5+w/2-math.Floor(w/2), y-0.5+h/2-math.Floor(h/2)
	case p.slips("row and column are exchanged"):
		x, y = y, x
	}
	s := p.cameraRay(&q.camera, w, h, x, y)
	return start{p.vec("the origin", s.Origin), p.vec("the direction", s.Dir)}
}

// cameraRay returns the camera ray through the point (px, py) of a picture, as the textbook program computes it. The
// point is measured in pixels from the picture's top left corner, and w x h is the size of the picture.
func (p *program) cameraRay(c *camera.Camera, w, h, px, py float64) start {
	f := p.frame(c)
	w, h = p.num("the width W in pixels", w), p.num("the height H in pixels", h)
	if p.slips("the width W and the height H are exchanged") {
		w, h = h, w
	}
	pixel := p.pixelSize(c, w, h)
	x, y := p.imagePlace(w, h, px, py)
	offset := p.vec("the offset in the image plane, x R + y U", f.right.Scale(pixel*x).AddScaled(pixel*y, f.up))
	if c.Projection == camera.Orthographic {
		return p.parallelRay(&f, offset)
	}
	return p.perspectiveRay(&f, offset)
}

// viewFrame is a camera's place and its directions F, R and U.
type viewFrame struct {
	position, lookAt   geom.Vec3
	forward, right, up geom.Vec3
}

// frame computes the directions of a camera.
func (p *program) frame(c *camera.Camera) viewFrame {
	position, lookAt, up := p.vec("position", c.Position), p.vec("look_at", c.LookAt), p.vec("the camera's up", c.Up)
	forward := p.unit("F = (look_at - position) / its length", p.minus("look_at - position", lookAt, position))
	right := p.unit("R = F × up / its length", p.cross("F × up", forward, up))
	u := p.cross("U = R × F", right, forward)
	if p.slips("U is the camera's up, not R × F") {
		u = up.Unit()
	}
	if p.slips("U = R × up in place of R × F") {
		u = right.Cross(up)
	}
	switch {
	case p.slips("R and U are exchanged"):
		right, u = u, right
	case p.slips("up is (0, 1, 0) for all cameras"):
		right = forward.Cross(geom.Vec3{Y: 1}).Unit()
		u = right.Cross(forward)
	case p.slips("x is mirrored"):
		right = right.Neg()
	case p.slips("the picture is upside down"):
		u = u.Neg()
	case p.slips("the handedness is wrong"):
		right, u = right.Neg(), u.Neg()
	case p.slips("the camera looks backward"):
		forward, right = forward.Neg(), right.Neg()
	case p.slips("the camera looks backward, but its picture is not mirrored"):
		forward = forward.Neg()
	case p.slips("R is not made a unit vector, but U is"):
		right = right.Scale(forward.Cross(up).Norm())
	case p.slips("F is not made a unit vector after R and U are computed from one"):
		if c.Projection == camera.Perspective {
			forward = lookAt.Sub(position)
		}
	case p.slips("U is the camera's up, as long as it is"):
		u = up
	}
	return viewFrame{position, lookAt, forward, right, u}
}

// pixelSize returns the size of a pixel in the image plane. The picture has w x h pixels.
func (p *program) pixelSize(c *camera.Camera, w, h float64) float64 {
	rows := h
	switch {
	case p.slips("the size of a pixel is the height divided by W, not by H"):
		rows = w
	case p.slips("the size of a pixel is the height divided by H - 1"):
		rows = h - 1
	case p.slips("the size of a pixel is the height divided by H + 1"):
		rows = h + 1
	case p.slips("the size of a pixel is the height divided by the larger of W and H"):
		rows = max(w, h)
	case p.slips("the size of a pixel is the height divided by the smaller of W and H"):
		rows = min(w, h)
	}
	view := p.num("view_height", c.ViewHeight)
	if c.Projection == camera.Perspective {
		view = p.num("height = 2 tan(fov / 2)", 2*p.tan("tan(fov / 2)", p.num("fov / 2", p.num("fov", c.FOV.Degrees())/2)))
		if p.slips("tan(fov / 2) of perspective cameras is divided by the aspect ratio W / H") {
			view /= w / h
		}
		if p.slips("the tangent is halved instead of the angle") {
			view = c.FOV.Tan() / 2
		}
		if p.slips("the height of perspective cameras is multiplied by the distance to look_at") {
			view *= c.LookAt.Sub(c.Position).Norm()
		}
	} else {
		if p.slips("view_height is the width of the picture") {
			view *= h / w
		}
		if p.slips("view_height is multiplied by W / H") {
			view *= w / h
		}
		if p.slips("fov is used for orthographic cameras, too") {
			view = 2 * (c.FOV / 2).Tan()
		}
		if p.slips("view_height is not used: it is taken to be 2") {
			view = 2
		}
	}
	return p.num("the size of a pixel, height / H", view/rows)
}

// imagePlace returns the place of the point (px, py) of a picture with w x h pixels: its distance from the center, in pixels,
// to the right and upward.
func (p *program) imagePlace(w, h, px, py float64) (x, y float64) {
	x, y = p.take("x = X + 0.5 - W / 2", px, p.num("W / 2", w/2)), p.take("y = H / 2 - (Y + 0.5)", p.num("H / 2", h/2), py)
	aspect := w / h
	switch {
	case p.slips("x is divided by the aspect ratio W / H: pixels are not square"):
		x /= aspect
	case p.slips("x is multiplied by the aspect ratio W / H once too often"):
		x *= aspect
	case p.slips("x is divided by the aspect ratio twice: the aspect ratio is inverted"):
		x /= aspect * aspect
	case p.slips("y is multiplied by the aspect ratio W / H"):
		y *= aspect
	case p.slips("y is divided by the aspect ratio W / H"):
		y /= aspect
	case p.slips("the aspect ratio W / H is divided as integers"):
		x *= math.Floor(aspect) / aspect
	case p.slips("x and y are exchanged"):
		x, y = y, x
	case p.slips("W / 2 and H / 2 are exchanged"):
		x, y = px-h/2, w/2-py
	}
	return x, y
}

// parallelRay returns the ray of an orthographic camera. The parameter offset is the place of its pixel in the image plane.
func (p *program) parallelRay(f *viewFrame, offset geom.Vec3) start {
	position, lookAt, forward := f.position, f.lookAt, f.forward
	origin := p.vec("the origin of an orthographic ray, position + offset", position.Add(offset))
	dir := forward
	switch {
	case p.slips("orthographic rays start at the position"):
		origin = position
	case p.slips("orthographic rays have a perspective direction"):
		dir = forward.Add(offset).Unit()
	case p.slips("orthographic rays start at the position and have a perspective direction"):
		origin, dir = position, forward.Add(offset).Unit()
	case p.slips("orthographic rays start at look_at + offset"):
		origin = lookAt.Add(offset)
	case p.slips("orthographic rays start at the offset: the position is missing"):
		origin = offset
	case p.slips("orthographic rays start one unit ahead, in the image plane"):
		origin = origin.Add(forward)
	case p.slips("orthographic rays point backward"):
		dir = forward.Neg()
	case p.slips("orthographic rays point at look_at, instead of being parallel"):
		dir = lookAt.Sub(origin).Unit()
	}
	return start{origin, dir}
}

// perspectiveRay returns the ray of a perspective camera. The parameter offset is the place of its pixel in the image plane.
func (p *program) perspectiveRay(f *viewFrame, offset geom.Vec3) start {
	position, forward := f.position, f.forward
	v := p.unit("the direction, (F + offset) / its length", p.vec("F + offset", forward.Add(offset)))
	switch {
	case p.slips("the direction is F - offset"):
		v = forward.Sub(offset).Unit()
	case p.slips("the direction is the offset: F is missing"):
		v = offset.Unit()
	case p.slips("the position is added to the direction"):
		v = position.Add(forward).Add(offset).Unit()
	case p.slips("the position is subtracted from the direction once too often"):
		v = forward.Add(offset).Sub(position).Unit()
	}
	origin := p.vec("the origin of a perspective ray, position", position)
	if p.slips("the ray starts on the image plane") {
		origin = origin.Add(forward).Add(offset)
	}
	return start{origin, v}
}

// toward returns the unit vector from the point at to a light, and the light's distance.
func (p *program) toward(l *shade.Light, at geom.Vec3) (dir geom.Vec3, reach float64) {
	if l.Directional {
		dir = p.vec("a directional light: L = -direction", l.Direction.Neg())
		reach = math.Inf(1)
		if p.slips("a directional light is taken to be 1 away") {
			reach = 1
		}
		return dir, reach
	}
	v := p.minus("a point light: position - point", p.vec("a point light: the position", l.Position), at)
	reach = p.num("a point light: its distance |position - point|", p.length(v))
	if p.slips("a point light: its distance is measured from (0, 0, 0)") {
		reach = l.Position.Norm()
	}
	return p.unit("a point light: L = (position - point) / its length", v), reach
}

// lambert returns the textbook program's answer to a question about the color of a point that is lit by lights.
func (p *program) lambert(q *lambertQuestion) colorAnswer {
	c := p.matte(q.albedo, q.ambient, q.lights, p.vec("the point", q.point), p.vec("the normal n", q.normal), func(int, geom.Vec3, float64) bool { return true })
	c = p.rgb("the answer's color", c)
	if p.slips("the color is limited to 1") {
		c = shade.Color{R: min(1, c.R), G: min(1, c.G), B: min(1, c.B)}
	}
	a := colorAnswer{R: c.R, G: c.G, B: c.B}
	if p.slips("srgb is that of the albedo, not of the color") {
		c = q.albedo
	}
	for _, x := range [...]float64{c.R, c.G, c.B} {
		a.SRGB = append(a.SRGB, p.encode(x))
	}
	return a
}

// matte returns the light that a point of a matte surface reflects, as the textbook program computes it. The function
// arrives reports whether light i reaches the point.
func (p *program) matte(albedo shade.Color, ambient float64, all lights, at, n geom.Vec3, arrives func(i int, dir geom.Vec3, reach float64) bool) shade.Color {
	ambient = p.num("ambient", ambient)
	switch {
	case p.slips("ambient: missing"):
		ambient = 0
	case p.slips("ambient light is decoded like a color"):
		ambient = shade.FromSRGB(min(1, ambient), 0, 0).R
	}
	sums := lightSums{total: shade.Gray(ambient)}
	for i := range all {
		l := &all[i]
		if i == 0 && p.slips("the first light is skipped") || i == len(all)-1 && p.slips("the last light is skipped") || i > 0 && p.slips("only the first light is used") {
			continue
		}
		if l.Directional && p.slips("directional lights are skipped") || !l.Directional && p.slips("point lights are skipped") {
			continue
		}
		dir, reach := p.toward(l, at)
		sums.last = shade.Color{}
		cos := p.dot("n · L", n, dir)
		w := p.cosine(cos)
		if p.less("n · L <= 0: the light is behind the surface", cos, 0) && w == 0 {
			continue
		}
		if !arrives(i, dir, reach) {
			continue
		}
		w = p.fallOff(l, w, reach)
		strength, w := p.strength(l, w)
		add := strength.Scale(w)
		if p.slips("each light is limited to 1") {
			add = add.Clamp()
		}
		sums.count++
		sums.brightest = shade.Color{R: max(sums.brightest.R, add.R), G: max(sums.brightest.G, add.G), B: max(sums.brightest.B, add.B)}
		sums.lastArrived, sums.last = add, add
		if cos > 0 {
			sums.faced = &add
		}
		sums.total = sums.total.Add(add)
	}
	return p.scattered(albedo, ambient, p.total(&sums, ambient, len(all)))
}

// lightSums is what a program computes from the lights that reach a point.
type lightSums struct {
	total       shade.Color  // ambient light and all others
	brightest   shade.Color  // the brightest light, in each channel
	lastArrived shade.Color  // the last light that arrives
	last        shade.Color  // the last light; black if it does not arrive
	faced       *shade.Color // the last light in front of the surface; nil if there is none
	count       int          // the number of lights that arrive
}

// cosine returns the factor by which a light counts whose direction L has the cosine n · L.
func (p *program) cosine(cos float64) float64 {
	w := p.max("max(0, n · L)", 0, cos)
	w = p.num("the cosine, max(0, n · L)", w)
	if p.slips("|n · L| in place of max(0, n · L)") {
		w = math.Abs(cos)
	}
	switch {
	case p.slips("the angle is used in place of its cosine: 1 - angle / 90°"):
		w = max(0, 1-math.Acos(max(-1, min(1, cos)))*2/math.Pi)
	case p.slips("the sine is used in place of the cosine"):
		w = 0
		if cos > 0 {
			w = math.Sqrt(max(0, 1-float64(cos*cos)))
		}
	case p.slips("half Lambert: (n · L + 1) / 2 in place of max(0, n · L)"):
		w = (cos + 1) / 2
	case p.slips("half Lambert, squared, in place of max(0, n · L)"):
		w = float64((cos + 1) * (cos + 1) / 4)
	case p.slips("a surface is lit fully if it faces the light at all: no cosine"):
		w = 0
		if cos > 0 {
			w = 1
		}
	}
	return w
}

// fallOff returns the factor w of a light, after the slips with the distance of a point light.
func (p *program) fallOff(l *shade.Light, w, reach float64) float64 {
	if l.Directional {
		return w
	}
	switch {
	case p.slips("point lights fall off with 1 / distance²"):
		w /= float64(reach * reach)
	case p.slips("point lights fall off with 1 / distance"):
		w /= reach
	case p.slips("point lights fall off with 1 / (1 + distance)"):
		w /= 1 + reach
	case p.slips("point lights fall off with 1 / (1 + distance²)"):
		w /= 1 + float64(reach*reach)
	case p.slips("point lights fall off with 1 / (4 π distance²)"):
		w /= float64(4 * math.Pi * reach * reach)
	}
	return w
}

// strength returns the color of a light times its intensity, and the factor w by which it counts.
func (p *program) strength(l *shade.Light, w float64) (shade.Color, float64) {
	intensity := p.num("intensity", l.Intensity)
	if l.Directional {
		intensity = p.num("the intensity of a directional light", intensity)
	} else {
		intensity = p.num("the intensity of a point light", intensity)
	}
	if p.slips("the intensity is decoded like a color") {
		intensity = shade.FromSRGB(min(1, intensity), 0, 0).R
	}
	strength := p.linear("a light's color", l.Color).Scale(intensity)
	switch {
	case p.slips("the intensity is added to the light's color"):
		strength = l.Color.Add(shade.Gray(l.Intensity))
	case p.slips("the light's color is ignored"):
		strength = shade.Gray(l.Intensity)
	case p.slips("the intensity is multiplied before the light's color is made linear"):
		f := fraction(l.Color).Scale(l.Intensity)
		strength = shade.Color{R: linearOf(f.R), G: linearOf(f.G), B: linearOf(f.B)}
	case p.slips("the cosine is multiplied before the light's color is made linear"):
		f := fraction(l.Color).Scale(w)
		strength, w = shade.FromSRGB(f.R, f.G, f.B).Scale(l.Intensity), 1
	}
	return strength, w
}

// total returns the light that reaches a point. The scene has n lights.
func (p *program) total(s *lightSums, ambient float64, n int) shade.Color {
	total := s.total
	light := total.Sub(shade.Gray(ambient))
	switch {
	case p.slips("the brightest light is used in place of the sum"):
		total = s.brightest.Add(shade.Gray(ambient))
	case p.slips("only the last light is used: the sum is replaced instead of added to"):
		total = s.lastArrived.Add(shade.Gray(ambient))
	case p.slips("only the last light counts"):
		total = s.last.Add(shade.Gray(ambient))
	case p.slips("the last light replaces ambient light and the other lights") && s.count > 0:
		total = s.lastArrived
	case p.slips("the last light in front of the surface replaces ambient light and the other lights") && s.faced != nil:
		total = *s.faced
	case p.slips("ambient light is added once for each light"):
		total = light.Add(shade.Gray(ambient * float64(n)))
	case p.slips("ambient light is used only if no light arrives") && s.count > 0:
		total = light
	case p.slips("ambient light is used only if there is a light") && n == 0:
		total = shade.Color{}
	case p.slips("ambient light is multiplied by the lights"):
		total = light.Scale(ambient)
	case p.slips("lights and ambient light are mixed: the lights have the weight 1 - ambient"):
		total = light.Scale(1 - ambient).Add(shade.Gray(ambient))
	case p.slips("the larger of ambient light and lights is used, not the sum"):
		total = shade.Color{R: max(ambient, light.R), G: max(ambient, light.G), B: max(ambient, light.B)}
	case p.slips("the lights are averaged, not added") && n > 0:
		total = light.Div(float64(n)).Add(shade.Gray(ambient))
	case p.slips("lights and ambient light are averaged"):
		total = total.Div(float64(n + 1))
	case p.slips("the sum of all light is limited to 1"):
		total = total.Clamp()
	}
	return total
}

// scattered returns the color of a surface that the total light reaches.
func (p *program) scattered(albedo shade.Color, ambient float64, total shade.Color) shade.Color {
	light := total.Sub(shade.Gray(ambient))
	a := p.linear("the albedo", albedo)
	c := shade.Lambert(a, total)
	switch {
	case p.slips("the albedo is added to the light"):
		c = a.Add(total)
	case p.slips("ambient light is not multiplied by the albedo"):
		c = a.Mul(light).Add(shade.Gray(ambient))
	case p.slips("only ambient light is multiplied by the albedo"):
		c = a.Scale(ambient).Add(light)
	case p.slips("the albedo is multiplied twice"):
		c = a.Mul(a).Mul(total)
	case p.slips("the albedo is multiplied twice, except for ambient light"):
		c = a.Mul(a.Mul(light).Add(shade.Gray(ambient)))
	case p.slips("the albedo is not used"):
		c = total
	case p.slips("the light is multiplied by 1 - albedo"):
		c = shade.White().Sub(a).Mul(total)
	case p.slips("the light is the same for all channels: its average"):
		c = a.Scale((total.R + total.G + total.B) / 3)
	}
	return p.rgb("the color, albedo times light", c)
}

// encode returns the 8-bit sRGB value of a channel in linear light.
func (p *program) encode(x float64) int {
	right := x
	x = p.limit("a channel, limited to 0..1 before it is encoded", p.num("a channel before it is encoded", x), 0, 1)
	out := float64(shade.EncodeSRGB8(x))
	exact := 255 * srgb(x)
	if x > 1 || x < 0 {
		out = math.Floor(exact + 0.5)
	}
	power := func(e float64) float64 { return math.Floor(255*math.Pow(x, e) + 0.5) }
	switch {
	case p.slips("srgb is rounded down, not to the nearest step"):
		out = math.Floor(exact)
	case p.slips("srgb is rounded up, not to the nearest step"):
		out = math.Ceil(exact)
	case p.slips("srgb is multiplied by 256 and rounded down"):
		out = min(255, math.Floor(exact/255*256))
	case p.slips("srgb is multiplied by 255.999 and rounded down"):
		out = math.Floor(exact / 255 * 255.999)
	case p.slips("srgb is multiplied by 256, not by 255"):
		out = math.Floor(exact/255*256 + 0.5)
	case p.slips("srgb is multiplied by 254, not by 255"):
		out = math.Floor(exact/255*254 + 0.5)
	case p.slips("srgb is one step too high"):
		out = math.Floor(exact + 1.5)
	case p.slips("srgb is one step too low"):
		out = math.Floor(exact - 0.5)
	case p.slips(withoutGamma), p.slips("srgb is linear: not encoded"):
		out = math.Floor(255*x + 0.5)
	case p.slips("srgb is encoded twice"):
		out = math.Floor(255*srgb(srgb(x)) + 0.5)
	case p.slips("srgb is decoded instead of encoded"):
		out = math.Floor(255*shade.FromSRGB(x, x, x).R + 0.5)
	case p.slips(powerCurves), p.slips("srgb is encoded with a power of 1/2.2"):
		out = power(1 / 2.2)
	case p.slips("srgb is encoded with a power of 1/2.4, without the rest of the curve"):
		out = power(1 / 2.4)
	case p.slips("srgb is encoded with a square root"):
		out = power(0.5)
	case p.slips("srgb is encoded with a power of 2.2"):
		out = power(2.2)
	case p.slips("srgb is encoded with a power of 1/1.8"):
		out = power(1 / 1.8)
	case p.slips("the sRGB curve has the exponent 1/2.2 in place of 1/2.4"):
		if x > 0.0031308 {
			out = math.Floor(255*(1.055*math.Pow(x, 1/2.2)-0.055) + 0.5)
		}
	case p.slips("the sRGB curve lacks its linear part"):
		out = math.Floor(255*max(0, 1.055*math.Pow(x, 1/2.4)-0.055) + 0.5)
	case p.slips("the sRGB curve lacks - 0.055"):
		if x > 0.0031308 {
			out = min(255, math.Floor(255*1.055*math.Pow(x, 1/2.4)+0.5))
		}
	case p.slips("the sRGB curve lacks - 0.055, and values above 255 are possible"):
		if x > 0.0031308 {
			out = math.Floor(255*1.055*math.Pow(x, 1/2.4) + 0.5)
		}
	case p.slips("the sRGB curve has + 0.055 in place of - 0.055"):
		if x > 0.0031308 {
			out = math.Floor(255*(1.055*math.Pow(x, 1/2.4)+0.055) + 0.5)
		}
	case p.slips("the sRGB curve has the exponent 2.4 in place of 1/2.4"):
		if x > 0.0031308 {
			out = math.Floor(255*(1.055*math.Pow(x, 2.4)-0.055) + 0.5)
		}
	case p.slips("the sRGB curve lacks the factor 1.055"):
		if x > 0.0031308 {
			out = math.Floor(255*(math.Pow(x, 1/2.4)-0.055) + 0.5)
		}
	case p.slips("the sRGB curve is linear below 0.04045 in place of 0.0031308"):
		if x <= 0.04045 {
			out = math.Floor(255*12.92*x + 0.5)
		}
	case p.slips("the sRGB curve is divided by 12.92 near 0 instead of multiplied"):
		if x <= 0.0031308 {
			out = math.Floor(255*x/12.92 + 0.5)
		}
	case p.slips("values above 1 wrap around: the remainder of 256"):
		out = math.Mod(math.Floor(255*srgb(max(0, right))+0.5), 256)
	}
	if notNumber(out) || math.Abs(out) > 1e6 {
		return -1
	}
	return int(p.num("srgb, 0 to 255", out))
}

// integer is an integer of any size.
type integer = *big.Int

// vector3 is a vector of integers.
type vector3 [3]integer

func (v vector3) sub(w vector3) vector3 {
	var d vector3
	for i := range d {
		d[i] = new(big.Int).Sub(v[i], w[i])
	}
	return d
}

func (v vector3) dot(w vector3) integer {
	sum := new(big.Int)
	for i := range v {
		sum.Add(sum, new(big.Int).Mul(v[i], w[i]))
	}
	return sum
}

func (v vector3) cross(w vector3) vector3 {
	var c vector3
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = new(big.Int).Sub(new(big.Int).Mul(v[j], w[k]), new(big.Int).Mul(v[k], w[j]))
	}
	return c
}

// wholes returns the two ends of a capsule's axis as vectors of big integers.
func (c *integers) wholes() (a, b vector3) {
	p, q := c.in3()
	for i := range 3 {
		a[i], b[i] = big.NewInt(p[i]), big.NewInt(q[i])
	}
	return a, b
}

// overlap computes whether two capsules overlap, touch or are apart, from the distance of their axes. That is the distance of
// an end of one axis from the other axis, or the length of the common perpendicular.
func (p *program) overlap(q *overlapQuestion) relation {
	s := axisPair{program: p, flat: len(q.A.P) == 2, reach: p.reach(q), least: 2}
	s.r2 = p.squaredReach(q, s.reach)
	one, two := q.A, q.B
	if p.slips("z is ignored") || p.slips("the axes are tested in the plane, x and y only, if they cross there") {
		one, two = one.flattened(), two.flattened()
	}
	a, b := one.wholes()
	c, d := two.wholes()
	if p.slips("only the centers of the axes are tested") {
		w := a.sub(c).sub(d.sub(b))
		return signed(w.dot(w).Cmp(new(big.Int).Lsh(s.r2, 2)))
	}
	switch {
	case p.slips("the ends of the second capsule are exchanged with those of the first"):
		b, c = c, b
	case p.slips("the end q of the first capsule is taken for a vector"):
		for i := range b {
			b[i] = new(big.Int).Add(a[i], b[i])
		}
	}
	s.a, s.b, s.c, s.d = a, b, c, d
	s.testEnds()
	if parallel := s.testPerpendicular(); parallel && p.slips("parallel axes are always apart") {
		return apart
	}
	return s.relation()
}

// reach returns the sum of the radii.
func (p *program) reach(q *overlapQuestion) int64 {
	ra, rb := q.A.Radius, q.B.Radius
	reach := ra + rb
	switch {
	case p.slips("the radii are subtracted: r1 - r2"):
		reach = ra - rb
	case p.slips("the radii are multiplied: r1 r2"):
		reach = ra * rb
	case p.slips("only r1 counts"):
		reach = ra
	case p.slips("only r2 counts"):
		reach = rb
	case p.slips("r1 counts twice"):
		reach = 2 * ra
	case p.slips("r2 counts twice"):
		reach = 2 * rb
	case p.slips("the larger radius counts, not the sum"):
		reach = max(ra, rb)
	case p.slips("the smaller radius counts, not the sum"):
		reach = min(ra, rb)
	case p.slips("the radii are doubled: 2 (r1 + r2)"):
		reach = 2 * (ra + rb)
	case p.slips("the radii are halved: diameters are taken for radii"):
		reach = (ra + rb) / 2
	case p.slips("r2 is doubled: r1 + 2 r2"):
		reach = ra + 2*rb
	case p.slips("r1 is doubled: 2 r1 + r2"):
		reach = 2*ra + rb
	case p.slips("the radii do not count"):
		reach = 0
	case p.slips("the sum of the radii is one too large"):
		reach++
	case p.slips("the sum of the radii is one too small"):
		reach--
	}
	return reach
}

// squaredReach returns the square of reach, the sum of the radii.
func (p *program) squaredReach(q *overlapQuestion, reach int64) integer {
	ra, rb := q.A.Radius, q.B.Radius
	r2 := new(big.Int).Mul(big.NewInt(reach), big.NewInt(reach))
	switch {
	case p.slips("the sum of the radii is not squared"):
		r2.SetInt64(reach)
	case p.slips("r1² + r2² in place of (r1 + r2)²"):
		r2.Add(new(big.Int).Mul(big.NewInt(ra), big.NewInt(ra)), new(big.Int).Mul(big.NewInt(rb), big.NewInt(rb)))
	case p.slips("2 (r1 + r2) in place of (r1 + r2)²"):
		r2.SetInt64(2 * reach)
	}
	return r2
}

// axisPair is the axes of two capsules, as the textbook program compares their distance with the sum of the radii.
type axisPair struct {
	*program
	flat       bool    // the capsules are given in the plane
	a, b, c, d vector3 // the ends of the first axis and of the second one
	reach      int64   // the sum of the radii
	r2         integer // its square
	least      int     // the sign of the least distance so far, minus the sum of the radii; 2 before the first test
}

// take takes the sign of another distance into account.
func (s *axisPair) take(sign int) {
	if !s.slips("the first test that is not \"apart\" decides: a touch that is found first hides an overlap") || s.least > 0 {
		s.least = min(s.least, sign)
	}
}

// testEnds compares the distance of each end from the other axis.
func (s *axisPair) testEnds() {
	p, a, b, c, d := s.program, s.a, s.b, s.c, s.d
	type pair struct {
		end, from, to vector3
		name          string
	}
	for i, x := range [...]pair{
		{a, c, d, "the first end of the first capsule is not tested"}, {b, c, d, "the second end of the first capsule is not tested"},
		{c, a, b, "the first end of the second capsule is not tested"}, {d, a, b, "the second end of the second capsule is not tested"},
	} {
		if p.slips(x.name) || i < 2 && p.slips("the ends of the first capsule are not tested") || i > 1 && p.slips("the ends of the second capsule are not tested") || p.slips("no end is tested against the other axis") ||
			i > 1 && p.slips("only the ends of the first capsule are tested") || i < 2 && p.slips("only the ends of the second capsule are tested") {
			continue
		}
		s.take(p.beside(x.end, x.from, x.to, s.r2))
	}
}

// testPerpendicular compares the length of the common perpendicular, if both of its feet are on the axes. It reports whether
// the axes are parallel: then there is no single one.
func (s *axisPair) testPerpendicular() (parallel bool) {
	p := s.program
	u, v, w := p.differ("the first axis u = b - a", s.b, s.a), p.differ("the second axis v = d - c", s.d, s.c), p.differ("w = c - a, from the first axis to the second", s.c, s.a)
	n := p.crossed("n = u × v", u, v)
	if p.slips("in the cross product of the axes, y has the wrong sign") {
		n[1] = new(big.Int).Neg(n[1])
	}
	nn := p.dot3("n · n", n, n)
	skip := p.slips("only the ends of the axes are tested") || p.slips(onlyCorners) ||
		p.slips("only the ends of the first capsule are tested") || p.slips("only the ends of the second capsule are tested") || s.flat && p.slips("crossing axes are not tested in the plane") || !s.flat && p.slips("skew axes are not tested: in space only the ends count")
	if nn.Sign() <= 0 || skip {
		return nn.Sign() == 0
	}
	if p.feetInside(u, v, w, n, nn) {
		sign := s.crossing(w, n, nn)
		if p.slips("the common perpendicular alone decides if its feet are inside: the ends do not count") {
			s.least = 2
		}
		s.take(sign)
	}
	return false
}

// feetInside reports whether the feet of the common perpendicular are on the axes u and v. The vector w leads from the first
// axis to the second one, n is u × v, and nn is n · n.
func (p *program) feetInside(u, v, w, n vector3, nn integer) bool {
	s, t := p.dot3("the foot s on the first axis, (w × v) · n", p.crossed("w × v", w, v), n), p.dot3("the foot t on the second axis, (w × u) · n", p.crossed("w × u", w, u), n)
	if p.slips("the feet have the wrong sign: w is reversed") {
		s.Neg(s)
		t.Neg(t)
	}
	if p.slips("the feet of the two axes are exchanged: s is computed with u and t with v") {
		s, t = t, s
	}
	if p.slips("s is tested twice, t never") {
		t = s
	}
	if p.slips("t is tested twice, s never") {
		s = t
	}
	inside := true
	tests := [...]struct {
		name, strict string
		x, y         integer
	}{
		{"0 <= s is not tested", "0 < s in place of 0 <= s", new(big.Int), s}, {"s <= 1 is not tested", "s < 1 in place of s <= 1", s, nn},
		{"0 <= t is not tested", "0 < t in place of 0 <= t", new(big.Int), t}, {"t <= 1 is not tested", "t < 1 in place of t <= 1", t, nn},
	}
	for i, x := range tests {
		cmp := x.x.Cmp(x.y)
		if p.slips(x.name) || i < 2 && p.slips("the foot on the first axis is not tested") || i > 1 && p.slips("the foot on the second axis is not tested") || p.slips("the feet are not tested: the axes are endless lines") {
			continue
		}
		if cmp > 0 || cmp == 0 && p.slips(x.strict) || cmp == 0 && p.slips("the feet are tested with < in place of <=") {
			inside = false
		}
	}
	return inside
}

// crossing returns the sign of the length of the common perpendicular minus the sum of the radii. See feetInside for the
// arguments.
func (s *axisPair) crossing(w, n vector3, nn integer) int {
	p, r2 := s.program, s.r2
	wn := p.dot3("w · n", w, n)
	left, right := new(big.Int).Mul(wn, wn), p.whole("(r1 + r2)² (n · n)", new(big.Int).Mul(r2, nn))
	switch {
	case p.slips(cutQuotient) || p.slips(cutPerpendicular):
		left, right = new(big.Int).Quo(left, nn), r2
	case p.slips("w · n is not squared"):
		left = new(big.Int).Abs(wn)
	case p.slips("(w · n)² is compared with (r1 + r2)² without n · n"):
		right = r2
	case p.slips("(w · n)² is compared with (r1 + r2) n · n: the radii are not squared"):
		right = new(big.Int).Mul(big.NewInt(s.reach), nn)
	case p.slips("the common perpendicular is taken to have length 0: skew axes count as crossing"):
		left = new(big.Int)
	case p.slips("(w · n)² is compared with (r1 + r2)² (n · n)²: n · n is squared"):
		right = new(big.Int).Mul(right, nn)
	}
	sign := left.Cmp(right)
	if p.slips("the relation of crossing axes is reversed") {
		sign = -sign
	}
	if sign == 0 && p.slips("axes with a common perpendicular of exactly r1 + r2 overlap") {
		sign = -1
	}
	if sign == 0 && p.slips("axes with a common perpendicular of exactly r1 + r2 are apart") {
		sign = 1
	}
	return sign
}

// relation returns the answer, once all distances have been compared.
func (s *axisPair) relation() relation {
	p, least := s.program, s.least
	if least == 2 {
		return apart
	}
	switch {
	case least == 0 && p.slips("touching counts as overlapping, for all pairs"):
		least = -1
	case least == 0 && p.slips("touching counts as apart, for all pairs"):
		least = 1
	case p.slips("the relation is reversed"):
		least = -least
	case least == 0 && s.reach == 0 && p.slips("points in common count as overlapping if both radii are 0"):
		least = -1
	}
	return signed(least)
}

const (
	cutQuotient      = "a quotient is cut off to an integer: multiply the other side of the comparison instead of dividing"
	cutFoot          = "an end beside an axis: the quotient |f × w|² / |w|² is cut off to an integer"
	cutPerpendicular = "crossing axes: the quotient (w · n)² / (n · n) is cut off to an integer"
	onlyCorners      = "only the distances between the ends are tested"
)

// withoutSquare is the mistake of omitting the denominator of a squared distance.
const withoutSquare = "the squared distance from the axis is not multiplied out: |f × w|² is compared with r² without |w|²"

// beside compares the squared distance of the point end from a segment with r2. The ends of the segment are from and
// to. The result is -1 if the squared distance is smaller than r2, 0 if it equals r2, and 1 if it is larger.
func (p *program) beside(end, from, to vector3, r2 integer) int {
	w, f := p.differ("an end beside an axis: the axis w", to, from), p.differ("an end beside an axis: f, from the first end of the axis", end, from)
	num, den := p.dot3("an end beside an axis: f · w", f, w), p.dot3("an end beside an axis: w · w", w, w)
	if p.slips("the point is projected from the wrong end of the axis") {
		num.Sub(den, num)
	}
	low := p.upTo("an end beside an axis: f · w <= 0, the first end is closest", num, new(big.Int))
	if num.Sign() < 0 && p.slips("a foot before the first end is not moved to the end") || p.slips("an axis is an endless line for the ends of the other") && den.Sign() > 0 {
		low = false
	}
	if low {
		d2 := p.dot3("an end beside an axis: f · f", f, f)
		if p.slips("the squared distance of a first end is compared with r1 + r2, not squared") {
			return d2.Cmp(new(big.Int).Sqrt(r2))
		}
		if p.slips("the squared distance of a first end is not compared, but taken to be far") {
			return 1
		}
		return d2.Cmp(r2)
	}
	high := p.upTo("an end beside an axis: w · w <= f · w, the second end is closest", den, num)
	if p.slips("a foot beyond the second end is not moved to the end") || p.slips("an axis is an endless line for the ends of the other") {
		high = false
	}
	if high {
		g := p.differ("an end beside an axis: g, from the second end of the axis", end, to)
		if p.slips("beyond the second end, the distance to the first end is used") {
			g = f
		}
		if p.slips("the squared distance of a second end is not compared, but taken to be far") {
			return 1
		}
		if p.slips("the squared distance of a second end is compared with r1 + r2, not squared") {
			return g.dot(g).Cmp(new(big.Int).Sqrt(r2))
		}
		return g.dot(g).Cmp(r2)
	}
	if p.slips(onlyCorners) || p.slips("the perpendicular on an axis is not tested: only distances between ends count") {
		g := end.sub(to)
		return min(f.dot(f).Cmp(r2), g.dot(g).Cmp(r2))
	}
	if p.slips("the perpendicular on an axis is not tested: such ends are taken to be far") {
		return 1
	}
	n := p.crossed("an end beside an axis: f × w", f, w)
	left, right := p.dot3("an end beside an axis: |f × w|²", n, n), p.whole("an end beside an axis: (r1 + r2)² |w|²", new(big.Int).Mul(r2, den))
	switch {
	case p.slips("|f × w|² is compared with (r1 + r2) |w|²: the radii are not squared"):
		right = new(big.Int).Mul(new(big.Int).Sqrt(r2), den)
	case p.slips("|f × w| is not squared: it is compared with (r1 + r2)² |w|²"):
		left = new(big.Int).Sqrt(left)
	case p.slips("|f × w|² is compared with |w|²: the radii are missing"):
		right = den
	case p.slips(withoutSquare):
		right = r2
	case p.slips(cutQuotient) || p.slips(cutFoot):
		if den.Sign() > 0 {
			left, right = new(big.Int).Quo(left, den), r2
		}
	case p.slips("the foot of an end is cut off to whole coordinates"):
		if den.Sign() > 0 {
			var g vector3
			for i := range g {
				g[i] = new(big.Int).Sub(f[i], new(big.Int).Quo(new(big.Int).Mul(num, w[i]), den))
			}
			left, right = g.dot(g), r2
		}
	case p.slips("|f × w|² is compared with r² |w|⁴"):
		right = new(big.Int).Mul(right, den)
	case p.slips("|f|² - (f · w) in place of |f|² - (f · w)² / |w|²: the projection is not squared"):
		left = new(big.Int).Sub(new(big.Int).Mul(f.dot(f), den), num)
	}
	return left.Cmp(right)
}

// countOfKind returns the number of solids before number k that are of the same kind.
func countOfKind(all solids, k int) int {
	n := 0
	for _, other := range all[:k] {
		if label(other) == label(all[k]) {
			n++
		}
	}
	return n
}
