package course

import (
	"image"
	"image/color"
	"math"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/shade"
)

// sight is a textbook program that follows rays through a scene to find the color they see.
type sight struct {
	*program
	st     *follow.Prepared
	solids solids
	lights lights
	camera geom.Ray // the ray from the camera
	tests  int      // the number of rays so far

	unknown bool // the color depends on rounding
}

func (p *program) sight(st *follow.Prepared) *sight {
	s := &sight{program: p, st: st}
	for i := range st.Scene.Objects.Len() {
		s.solids = append(s.solids, st.Scene.Solid(i))
	}
	for i := range st.Lights {
		s.lights = append(s.lights, st.Lights[i].Light)
	}
	return s
}

// mirror answers a question about the color that a ray sees in a scene.
func (p *program) mirror(q *mirrorQuestion) light {
	s := p.sight(q.st)
	s.camera = q.ray
	c := p.rgb("the answer's color", s.follow(q.st.ViewerRay(q.ray), 0))
	if s.unknown {
		return unknownLight()
	}
	return light{c.R, c.G, c.B}
}

// mostRays is the largest number of rays that a program follows for one pixel.
const mostRays = 200

// hit returns the first solid that a ray hits, or -1. It also returns the distance at, whether the ray leaves the solid
// there, and all crossings m with the solid.
func (s *sight) hit(d *accel.SecondaryRay, reach float64, shadow bool) (object int, at float64, inside bool, m met) {
	p := s.program
	object, at = -1, reach
	leaves := d.Object != accel.None
	for k, solid := range s.solids {
		own := leaves && int32(k) == d.Object
		if own && !d.Inside && !p.slips("a ray that leaves a solid can hit it again: the own solid is not skipped") {
			continue
		}
		if own && (p.slips("a ray that is reflected inside a solid skips this solid") || shadow && p.slips("shadow rays skip the own solid even inside of it") || !shadow && p.slips("reflected rays skip the own solid even inside of it")) {
			continue
		}
		if leaves && k > int(d.Object) && p.slips("solids after the own solid are skipped") || leaves && k < int(d.Object) && p.slips("solids before the own solid are skipped") {
			continue
		}
		if shadow && p.slips("in shadows, each solid overwrites the result: the last solid in the list, other than the point's own, decides") {
			object, at = -1, reach
		}
		x := p.meet(solid, d.Ray)
		p.flavor = 0
		if !x.ok {
			continue
		}
		enclosed := false
		for _, e := range d.Eye {
			enclosed = enclosed || e == int32(k)
		}
		i := 0
		switch {
		case own:
			i = 1
		case enclosed && leaves && !p.slips("after a reflection, solids around the eye are hit where the ray enters them"):
			i = 1
		case p.slips("solids around the eye are like all others: rays hit them only where they enter them"):
		case !leaves && x.t[0] <= 0 && !p.slips("rays from the eye do not see solids from inside"):
			i = 1
		case leaves && x.t[0] <= 0 && p.slips("rays that leave a solid hit another one where they leave it, if the near crossing lies behind"):
			i = 1
		}
		t := x.t[i]
		if own && d.Inside && !shadow && math.Abs(t) < 1e-9*(x.t[1]-x.t[0]) { // a wrong ray leaves its solid at once, or not at all
			s.unknown = true
		}
		if (p.less("0 < t: the solid is ahead", 0, t) || own && d.Inside) && p.less("t < the smallest t so far", t, at) {
			object, at, inside, m = k, t, i == 1, x
		}
		if object == 0 && p.slips("the solid with the index 0 counts as nothing found yet: any later solid that is hit replaces it") {
			at = reach
		}
		if object >= 0 && p.slips("the search ends at the first solid that is hit") {
			break
		}
	}
	return object, at, inside, m
}

// background returns what a ray sees that hits nothing.
func (s *sight) background(d geom.Vec3) shade.Color {
	p := s.program
	if p.slips("the background is black") {
		return shade.Color{}
	}
	b := s.st.Scene.Image.Background
	top, bottom := p.linear("the background's top", b.Top), p.linear("the background's bottom", b.Bottom)
	share := s.shareOfTop(d)
	if p.slips("top and bottom are exchanged") {
		top, bottom = bottom, top
	}
	if p.slips("the background is mixed before it is made linear") {
		c := fraction(b.Bottom).Mix(fraction(b.Top), share)
		return shade.FromSRGB(c.R, c.G, c.B)
	}
	return p.rgb("the background", bottom.Mix(top, share))
}

// shareOfTop returns the share of the top color in what a ray in the direction d sees of the background. A [program.plain]
// program does not limit the share, because the right one lies between 0 and 1.
func (s *sight) shareOfTop(d geom.Vec3) float64 {
	p := s.program
	if p.plain() {
		p.flavor = 600
		defer func() { p.flavor = 0 }()
	}
	up := p.vec("the camera's up in the background", s.st.View.Up())
	switch {
	case p.slips("the background follows the world's y, not the camera's up"):
		up = geom.Vec3{Y: 1}
	case p.slips("the camera's up in the background is not made a unit vector"):
		up = s.st.Scene.CameraFor(s.st.Size.X, s.st.Size.Y).Up
	case p.slips("the background depends on the direction of the camera ray, not of the reflected ray"):
		d = s.camera.Dir
	}
	share := p.num("the share of top, (1 + d · up) / 2", (1+p.dot("d · up", d, up))/2)
	if !p.plain() {
		share = p.limit("the share of top, 0..1", share, 0, 1)
	}
	if !p.maySlip() {
		return share
	}
	for _, w := range wrongShares() {
		if p.slips(w.name) {
			share = w.of(d.Dot(up))
		}
	}
	return share
}

// A wrongShare is a wrong formula for the share of the top color in the background. The function of gets d · up.
type wrongShare struct {
	name string
	of   func(x float64) float64
}

func wrongShares() []wrongShare {
	square := func(x float64) float64 { return float64(x * x) }
	return []wrongShare{
		{"the background does not change with the direction: only its bottom is seen", func(float64) float64 { return 0 }},
		{"the background does not change with the direction: only its top is seen", func(float64) float64 { return 1 }},
		{"the background does not change with the direction: the average of top and bottom is seen", func(float64) float64 { return 0.5 }},
		{"the share of top is its square", func(x float64) float64 { return square((1 + x) / 2) }},
		{"the share of top is smoothed: 3 s² - 2 s³", func(x float64) float64 { return square((1+x)/2) * (2 - x) }},
		{"the share of top is d · up, at least 0, in place of (1 + d · up) / 2", func(x float64) float64 { return max(0, x) }},
		{"the share of top is d · up, in place of (1 + d · up) / 2", func(x float64) float64 { return x }},
		{"the share of top is 1 + d · up / 2: without parentheses, only d · up is halved", func(x float64) float64 { return 1 + x/2 }},
		{"the share of top is 1 + d · up / 2, at most 1: without parentheses, only d · up is halved", func(x float64) float64 { return min(1, 1+x/2) }},
		{"the share of top is 1 + d · up, at most 1: it is not halved", func(x float64) float64 { return min(1, 1+x) }},
		{"the share of top is 1 where d · up > 0, and 0 elsewhere", func(x float64) float64 {
			if x > 0 {
				return 1
			}
			return 0
		}},
		{"the share of top is |d · up|", math.Abs},
		{"the share of top is 1 + d · up", func(x float64) float64 { return 1 + x }},
	}
}

// follow returns the color that a ray sees. The argument depth is the number of reflections before it.
func (s *sight) follow(d accel.SecondaryRay, depth int) shade.Color {
	p := s.program
	if s.tests++; s.tests > mostRays {
		return shade.Color{}
	}
	k, at, inside, m := s.hit(&d, math.Inf(1), false)
	if k == 0 && p.slips("the solid with the index 0 counts as nothing: a test of the index takes 0 for false") {
		k = -1
	}
	if k < 0 {
		if depth > 0 && p.slips("a reflected ray that hits nothing sees black") {
			return shade.Color{}
		}
		return s.background(d.Ray.Dir)
	}
	point := p.point("the point o + t d", d.Ray, at)
	n := m.normal[0]
	if inside {
		n = m.normal[1]
		if !p.slips("the normal is not turned where the ray is inside a solid") {
			n = n.Neg()
		}
	}
	n = p.vec("the normal n", n)
	x := sightPoint{sight: s, ray: d, depth: depth, solid: k, point: point, n: n, inside: inside}
	material := s.st.Scene.Objects.Material(k)
	matte := p.matte(material.Albedo, s.st.Ambient(n).R, s.lights, point, n, x.arrives)
	mirror := material.Mirror
	if p.slips("all solids have the mirror of the first") {
		mirror = s.st.Scene.Objects.Material(0).Mirror
	}
	share := p.num("mirror", mirror)
	bounces := s.bounces()
	switch {
	case depth >= bounces && p.slips("after the last bounce, solids are black in mirrors"):
		return shade.Color{}
	case mirror == 0:
		return matte
	case depth >= bounces:
		return x.afterLast(matte, share)
	}
	next := x.reflectedRay()
	step := 1
	if p.slips("depth does not grow: there is no last bounce") {
		step = 0
	}
	if p.slips("depth grows by 2") {
		step = 2
	}
	seen := p.rgb("what the mirror shows", s.follow(next, depth+step))
	return p.mixed(matte, seen, material.Albedo, share)
}

// bounces returns the depth from which mirrors reflect no more rays.
func (s *sight) bounces() int {
	p := s.program
	bounces := int(p.num("bounces", float64(s.st.Scene.Shading.Bounces)))
	switch {
	case p.slips("there are no mirrors"):
		bounces = 0
	case p.slips("one bounce too many"):
		bounces++
	case p.slips("one bounce too few"):
		bounces = max(0, bounces-1)
	case p.slips("after the last bounce, solids are black in mirrors"):
		bounces++
	}
	return bounces
}

// sightPoint is a point that a ray has reached.
type sightPoint struct {
	*sight
	ray    accel.SecondaryRay
	depth  int // the number of reflections before the ray
	solid  int
	point  geom.Vec3
	n      geom.Vec3 // the normal that faces the ray
	inside bool      // the ray is inside of the solid
}

// leave returns a ray from the point in the direction dir.
func (x *sightPoint) leave(dir geom.Vec3) accel.SecondaryRay {
	return accel.SecondaryRay{Ray: geom.Ray{Origin: x.point, Dir: dir}, Object: int32(x.solid), Inside: x.inside, Eye: x.ray.Eye}
}

// arrives reports whether light i, in the direction dir at the distance reach, reaches the point.
func (x *sightPoint) arrives(i int, dir geom.Vec3, reach float64) bool {
	p, s := x.program, x.sight
	switch {
	case p.slips("nothing casts a shadow"), x.depth > 0 && p.slips("nothing casts a shadow in mirrors"), x.depth == 0 && p.slips("shadows are only cast in mirrors"):
		return true
	case i > 0 && p.slips("only the first light has shadows"), s.lights[i].Directional && p.slips("directional lights have no shadows"), !s.lights[i].Directional && p.slips("point lights have no shadows"):
		return true
	case p.slips("solids beyond a point light block it"):
		reach = math.Inf(1)
	}
	if !(x.n.Dot(dir) > 0) {
		return false
	}
	away := x.leave(dir)
	if p.slips("shadow rays start at the eye") {
		away.Ray.Origin = x.ray.Ray.Origin
	}
	blocker, _, _, _ := s.hit(&away, reach, true)
	if blocker >= 0 && p.slips("mirrors cast no shadows") && s.st.Scene.Objects.Material(blocker).Mirror > 0 {
		return true
	}
	return blocker < 0
}

// afterLast returns the color of a mirror that reflects no more rays. The color matte is that without the mirror, and share
// is its mirror.
func (x *sightPoint) afterLast(matte shade.Color, share float64) shade.Color {
	p := x.program
	switch {
	case p.slips("after the last bounce, the mirror term is black: (1 - m) matte"):
		return matte.Scale(1 - share)
	case p.slips("after the last bounce, mirrors are black"):
		return shade.Color{}
	case p.slips("after the last bounce, mirrors see the background"):
		return matte.Mix(x.background(x.ray.Ray.Dir), share)
	case p.slips("after the last bounce, mirrors see the background in the reflected direction"):
		return matte.Mix(x.background(shade.Reflect(x.ray.Ray.Dir, x.n)), share)
	case p.slips("after the last bounce, mirrors are white"):
		return matte.Mix(shade.White(), share)
	}
	return matte
}

// reflectedRay returns the ray that leaves a mirror at the point.
func (x *sightPoint) reflectedRay() accel.SecondaryRay {
	p := x.program
	next := x.leave(x.reflected(x.ray.Ray.Dir, x.n))
	switch {
	case p.slips("the reflected ray starts at the eye"):
		next.Ray.Origin = x.ray.Ray.Origin
	case p.slips("the reflected ray starts at the center of the solid"):
		next.Ray.Origin = x.solids[x.solid].Bounds().Center()
	case p.slips("the reflected ray starts at (0, 0, 0)"):
		next.Ray.Origin = geom.Vec3{}
	}
	return next
}

// mixed returns the color of a mirror from the color matte of its surface, the color that is seen in it, and the mirror's
// share.
func (p *program) mixed(matte, seen, albedo shade.Color, share float64) shade.Color {
	c := matte.Mix(seen, share)
	switch {
	case p.slips("(1 - m) matte + mirror: the mirror is not multiplied by m"):
		c = matte.Scale(1 - share).Add(seen)
	case p.slips("matte + m mirror: the matte color is not multiplied by 1 - m"):
		c = matte.Add(seen.Scale(share))
	case p.slips("matte + mirror: without weights"):
		c = matte.Add(seen)
	case p.slips("m matte + (1 - m) mirror: the weights are exchanged"):
		c = seen.Mix(matte, share)
	case p.slips("m matte + m mirror"):
		c = matte.Add(seen).Scale(share)
	case p.slips("(1 - m) matte + m² mirror"):
		c = matte.Scale(1 - share).Add(seen.Scale(share * share))
	case p.slips("the matte color and the mirror are averaged"):
		c = matte.Mix(seen, 0.5)
	case p.slips("only the mirror is seen: no matte color"):
		c = seen
	case p.slips("m mirror: the matte color is missing"):
		c = seen.Scale(share)
	case p.slips("the mirror is tinted: multiplied by the albedo"):
		c = matte.Mix(seen.Mul(albedo), share)
	case p.slips("what the mirror shows is limited to 1"):
		c = matte.Mix(seen.Clamp(), share)
	case p.slips("the whole color is multiplied by the albedo once more"):
		c = c.Mul(albedo)
	case p.slips("matte (1 - m + m mirror): the mirror is multiplied by the matte color"):
		c = matte.Scale(1 - share).Add(matte.Mul(seen).Scale(share))
	case p.slips("matte and mirror are mixed as sRGB"):
		x := shade.Color{R: srgb(matte.R), G: srgb(matte.G), B: srgb(matte.B)}.Mix(shade.Color{R: srgb(seen.R), G: srgb(seen.G), B: srgb(seen.B)}, share)
		c = shade.FromSRGB(x.R, x.G, x.B)
	case p.slips("the larger of matte and mirror is used, for each channel"):
		c = shade.Color{R: max(matte.R, seen.R), G: max(matte.G, seen.G), B: max(matte.B, seen.B)}
	case p.slips("mirrors with m < 1 show nothing: only m = 1 reflects") && share < 1:
		c = matte
	case p.slips("every mirror reflects fully: m is taken for true or false"):
		c = seen
	}
	return p.rgb("the color of a mirror, (1 - m) matte + m mirror", c)
}

// reflected returns the direction of a reflected ray. A [program.plain] program does not make it a unit vector, because
// the right direction already has length 1. In such a program, a wrong direction may have another length, and the later
// formulas use it as it is.
func (s *sight) reflected(d, n geom.Vec3) geom.Vec3 {
	p := s.program
	wrong := s.wrongReflection() // before the steps of the formula: of equal mistakes, the first one is named
	along := p.num("2 (d · n)", 2*p.dot("d · n", d, n))
	r := p.vec("r = d - 2 (d · n) n", p.addScaled(d, -along, n))
	if wrong != nil {
		r = wrong(d, n, s.camera.Dir)
	}
	if r.Norm() < 1e-9 { // rounding alone decides about the direction
		s.unknown = true
	}
	const unit = "r, made a unit vector"
	if p.plain() && p.at(unit, unitStep) == nil {
		return r
	}
	return p.unit(unit, r)
}

// wrongReflection returns the wrong formula that the program has for a reflected direction, or nil.
func (s *sight) wrongReflection() func(d, n, camera geom.Vec3) geom.Vec3 {
	p := s.program
	if !p.maySlip() {
		return nil
	}
	p.flavor = 500 + p.style
	defer func() { p.flavor = 0 }()
	var wrong func(d, n, camera geom.Vec3) geom.Vec3
	for _, w := range wrongReflections() {
		if p.slips(w.name) {
			wrong = w.of
		}
	}
	return wrong
}

// plain reports whether the program omits steps that change nothing as long as all directions and normals have length 1,
// such as making a reflected direction a unit vector. Half of the styles are plain.
func (p *program) plain() bool { return p.style >= sphereStyles }

// A wrongReflection is a wrong formula for the direction of a reflected ray.
type wrongReflection struct {
	name string
	of   func(d, n, camera geom.Vec3) geom.Vec3 // camera is the direction of the camera ray
}

func wrongReflections() []wrongReflection {
	// sum returns the formula x d + y n + z (d · n) n.
	sum := func(name string, x, y, z float64) wrongReflection {
		return wrongReflection{name, func(d, n, _ geom.Vec3) geom.Vec3 {
			return d.Scale(x).AddScaled(y+float64(z*d.Dot(n)), n)
		}}
	}
	return []wrongReflection{
		sum("r = d - (d · n) n: the factor 2 is missing", 1, 0, -1),
		sum("r = d + (d · n) n: the factor 2 is missing, and there is a plus in place of the minus", 1, 0, 1),
		sum("r = d + 2 (d · n) n, a plus in place of the minus", 1, 0, 2),
		sum("r = 2 (d · n) n - d, the opposite direction", -1, 0, 2),
		sum("r = (d · n) n - d: the opposite direction, and the factor 2 is missing", -1, 0, 1),
		sum("r = -d - 2 (d · n) n: d has the wrong sign", -1, 0, -2),
		sum("r = d - 4 (d · n) n: the factor 2 is there twice", 1, 0, -4),
		sum("r = -2 (d · n) n: d is missing", 0, 0, -2),
		sum("r = 2 (d · n) n: d is missing", 0, 0, 2),
		sum("r = (d · n) n", 0, 0, 1),
		sum("r = -(d · n) n", 0, 0, -1),
		sum("r = d - 2 n: the factor d · n is missing", 1, -2, 0),
		sum("r = d + 2 n: the factor d · n is missing", 1, 2, 0),
		sum("r = d - n", 1, -1, 0),
		sum("r = n - d", -1, 1, 0),
		sum("r = d + n", 1, 1, 0),
		sum("r = 2 n - d", -1, 2, 0),
		sum("r = n: the reflected ray has the direction of the normal", 0, 1, 0),
		sum("r = -n: the reflected ray has the opposite direction of the normal", 0, -1, 0),
		sum("r = d: the ray goes straight on", 1, 0, 0),
		sum("r = -d: the ray goes straight back", -1, 0, 0),
		{"r = d - 2 |d · n| n: without the sign of d · n", func(d, n, _ geom.Vec3) geom.Vec3 {
			return d.AddScaled(-2*math.Abs(d.Dot(n)), n)
		}},
		{"r = d - 2 (d · n)² n: d · n is squared", func(d, n, _ geom.Vec3) geom.Vec3 {
			return d.AddScaled(-2*float64(d.Dot(n)*d.Dot(n)), n)
		}},
		{"r = d - 2 (d · n): the factor n is missing, and the number is subtracted from each component", func(d, n, _ geom.Vec3) geom.Vec3 {
			c := 2 * d.Dot(n)
			return d.Sub(geom.Vec3{X: c, Y: c, Z: c})
		}},
		{"r = d - 2 d n n, component by component, without the dot product", func(d, n, _ geom.Vec3) geom.Vec3 {
			return d.Sub(geom.Vec3{X: 2 * float64(d.X*n.X) * n.X, Y: 2 * float64(d.Y*n.Y) * n.Y, Z: 2 * float64(d.Z*n.Z) * n.Z})
		}},
		{"r = d - 2 (d · n) d: d in place of n", func(d, n, _ geom.Vec3) geom.Vec3 { return d.AddScaled(-2*d.Dot(n), d) }},
		{"r = n - 2 (d · n) d: n and d are exchanged", func(d, n, _ geom.Vec3) geom.Vec3 { return n.AddScaled(-2*d.Dot(n), d) }},
		{"the direction of the camera ray is reflected, at every mirror", func(_, n, camera geom.Vec3) geom.Vec3 {
			return camera.AddScaled(-2*camera.Dot(n), n)
		}},
	}
}

// pixel returns the color that the program computes for the pixel (x, y) of a picture.
func (p *program) pixel(st *follow.Prepared, x, y int) color.NRGBA {
	s := p.sight(st)
	w, h := st.Size.X, st.Size.Y
	n := int(p.num("antialias", float64(st.Antialias)))
	n = max(1, min(n, 4))
	switch {
	case p.slips("x is mirrored: columns run from right to left"):
		x = w - 1 - x
	case p.slips("y is mirrored: rows run from the bottom to the top"):
		y = h - 1 - y
	case p.slips("pixels are written column by column: x must run fastest"):
		x, y = (y*w+x)/h, (y*w+x)%h
	case p.slips("x and y of a pixel are exchanged"):
		x, y = y, x
	case p.slips("columns are one pixel too far to the right"):
		x--
	case p.slips("columns are one pixel too far to the left"):
		x++
	case p.slips("rows are one pixel too low"):
		y--
	case p.slips("rows are one pixel too high"):
		y++
	}
	c := st.Scene.CameraFor(w, h)
	var sum shade.Color
	var bytes [3]float64
	seen := 0
	for k := range n * n {
		i, j := float64(k%n), float64(k/n)
		if p.slips("only the samples of the diagonal are used") && k%n != k/n {
			continue
		}
		if p.slips("the last sample is missing") && k == n*n-1 && n > 1 {
			continue
		}
		du, dv := p.num("x of a sample in its pixel, (i + 0.5) / n", (i+0.5)/float64(n)), p.num("y of a sample in its pixel, (j + 0.5) / n", (j+0.5)/float64(n))
		switch {
		case p.slips("samples are at i / n, not at (i + 0.5) / n"):
			du, dv = i/float64(n), j/float64(n)
		case p.slips("samples are at (i + 1) / n, not at (i + 0.5) / n"):
			du, dv = (i+1)/float64(n), (j+1)/float64(n)
		case p.slips("samples are at i + 0.5 / n: without parentheses, only 0.5 is divided"):
			du, dv = i+0.5/float64(n), j+0.5/float64(n)
		case p.slips("samples are at i / (n - 1): on the border of the pixel"):
			du, dv = i/max(1, float64(n)-1), j/max(1, float64(n)-1)
		case p.slips("samples are at (i + 0.5) / n², in a corner of the pixel"):
			du, dv = (i+0.5)/float64(n*n), (j+0.5)/float64(n*n)
		case p.slips("samples are at i / n - 0.5, around the corner of the pixel"):
			du, dv = i/float64(n)-0.5, j/float64(n)-0.5
		case p.slips("all samples are in the same place, that of the first: i / n and j / n are divided as integers, which gives 0"):
			du, dv = 0.5/float64(n), 0.5/float64(n)
		case p.slips("all samples are in the center of the pixel"):
			du, dv = 0.5, 0.5
		case p.slips("samples are at 0.5 + i / n, not at (i + 0.5) / n"):
			du, dv = 0.5+i/float64(n), 0.5+j/float64(n)
		case p.slips("samples are spread over two pixels"):
			du, dv = 2*(i+0.5)/float64(n)-0.5, 2*(j+0.5)/float64(n)-0.5
		}
		ray := p.cameraRay(&c, float64(w), float64(h), float64(x)+du, float64(y)+dv)
		s.camera = geom.Ray{Origin: ray.Origin, Dir: ray.Dir}
		s.tests = 0
		light := p.rgb("a sample", s.follow(st.CameraRay(s.camera), 0))
		if !p.slips("samples are not limited to 1 before they are averaged") {
			light = light.Clamp()
		}
		seen++
		sum = sum.Add(light)
		for i, x := range [...]float64{light.R, light.G, light.B} {
			bytes[i] += float64(p.encode(x))
		}
		if p.slips("only the first sample is used") {
			break
		}
		if p.slips("only the last sample is used") {
			sum, seen = light, 1
		}
	}
	total := p.num("the number of samples, n²", float64(n*n))
	if p.slips("the sum is divided by n, not by n²") {
		total = float64(n)
	}
	if seen < n*n && seen > 0 && total == float64(n*n) {
		total = float64(seen)
		if p.slips("the last sample is missing") {
			total = float64(n * n)
		}
	}
	mean := p.rgb("the average of the samples", sum.Div(total))
	out := [3]float64{float64(p.encode(mean.R)), float64(p.encode(mean.G)), float64(p.encode(mean.B))}
	if p.slips("samples are encoded before they are averaged") {
		for i := range out {
			out[i] = bytes[i] / total
		}
	}
	b := func(x float64) uint8 { return uint8(int(x)) }
	return color.NRGBA{R: b(out[0]), G: b(out[1]), B: b(out[2]), A: 255}
}

// paint returns the picture that the program computes. If p.visit is not nil, only the names of the steps are
// collected. Then about every hundredth pixel is enough, and paint computes no others.
func (p *program) paint(q *pictureQuestion) pictureAnswer {
	img := image.NewNRGBA(image.Rectangle{Max: q.st.Size})
	for y := range q.st.Size.Y {
		for x := range q.st.Size.X {
			if p.visit == nil || (x*31+y*17)%97 == 0 {
				img.SetNRGBA(x, y, p.pixel(q.st, x, y))
			}
		}
	}
	return pictureAnswer{img: img}
}

// A program is excluded early if too many of the first pixels of a wrong picture differ: more than three times as many as a
// share of all allows, and a few.
const (
	firstPixels = 256
	fewPixels   = 3
)

// paints reports whether the program paints a picture: the learner's wrong one, or the right one. A few pixels may
// differ. As soon as too many do, paints ends.
func (p *program) paints(q *pictureQuestion, a pictureAnswer, wrong bool) bool {
	if a.img == nil || a.img.Bounds().Size() != q.st.Size {
		return false
	}
	share := maxShare
	if wrong {
		if !p.looksLike(q, a.img) {
			return false
		}
		share = alikeShare
	}
	all, changed := q.st.Size.X*q.st.Size.Y, 0
	for i := range all {
		k := i * spread % all
		if x, y := k%q.st.Size.X, k/q.st.Size.X; largestStep(p.pixel(q.st, x, y), pixelAt(a.img, x, y)) > maxStep {
			changed++
		}
		isFirst := wrong && i < firstPixels
		if float64(changed) > share*float64(all) || isFirst && float64(changed) > 3*share*firstPixels+fewPixels {
			return false
		}
	}
	return true
}

// spread is a prime. The multiples of it, modulo the number of pixels of a picture, are pixels in all its parts.
const spread = 7919

// looksLike reports whether the program computes the same colors as the learner's wrong picture. It compares a few of
// the wrong pixels. Up to an eighth of them may differ, and up to half of the first ones, for every number of first ones
// from two on. So most programs are excluded after two pixels.
func (p *program) looksLike(q *pictureQuestion, given image.Image) bool {
	if q.marks == nil {
		q.marks = marksOf(q, given)
	}
	wrong := 0
	for i, at := range q.marks {
		if largestStep(p.pixel(q.st, at.X, at.Y), pixelAt(given, at.X, at.Y)) > maxStep {
			wrong++
		}
		if n := i + 1; 8*wrong > len(q.marks) || n > 1 && 2*wrong > n {
			return false
		}
	}
	return true
}

// marksOf returns at most 24 pixels in which a picture differs from the right one.
func marksOf(q *pictureQuestion, given image.Image) []image.Point {
	const most = 24
	right := solvePicture(q).img
	all := []image.Point{}
	for y := range q.st.Size.Y {
		for x := range q.st.Size.X {
			if largestStep(pixelAt(given, x, y), pixelAt(right, x, y)) > maxStep {
				all = append(all, image.Pt(x, y))
			}
		}
	}
	if len(all) <= most {
		return all
	}
	some := make([]image.Point, most)
	for i := range some {
		some[i] = all[i*spread%len(all)]
	}
	return some
}
