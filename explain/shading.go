package explain

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/shade"
	"pillbox/shapes"
)

// side returns how many samples the pixel has in each direction.
func (x *Pixel) side() int {
	if x.Weight > 1 {
		return 1
	}
	return x.Antialias
}

// cameraSteps derives the camera ray of a sample.
func (t *Tracer) cameraSteps(x *Pixel, s *Sample) []formula.Step {
	p := t.stage.PixelRays(x.At, x.side())
	d := formula.New[formula.Float]()
	d.Given("i", formula.Real(float64(p.X0+s.Column)), "sample column")
	d.Given("j", formula.Real(float64(p.Y0+s.Row)), "row")
	d.Given("n", formula.Real(p.Density), "samples across a pixel")
	d.Given("W", formula.Real(float64(t.stage.Size.X)), "the picture's width")
	d.Given("H", formula.Real(float64(t.stage.Size.Y)), "height")
	d.Let("x", "(i + 0.5) / n - W / 2", "pixels right of the picture's middle")
	d.Let("y", "H / 2 - (j + 0.5) / n", "pixels above it")
	d.Given("R", formula.Vector(p.DX), "a pixel to the right")
	d.Given("U", formula.Vector(p.DY), "a pixel up")
	if p.Parallel {
		d.Given("P", formula.Vector(p.Origin), "the camera's position")
		d.Let("o", "P + y U + x R", "the ray starts beside it")
		d.Given("d", formula.Vector(p.Dir), "all rays have the direction")
		return d.All()
	}
	d.Given("F", formula.Vector(p.Dir), "forward, one unit")
	d.Let("v", "F + y U + x R", "through the sample on the plane one unit ahead")
	d.Given("o", formula.Vector(p.Origin), "the camera's position")
	d.Let("d", "v / |v|", "the ray's direction")
	return d.All()
}

// raySteps states the ray and how its direction was brought to unit length.
func (x *Ray) raySteps() []formula.Step {
	d := formula.New[formula.Float]()
	d.Given("o", formula.Vector(x.Path.Ray.Origin), "from")
	if x.Toward == x.Path.Ray.Dir {
		d.Given("d", formula.Vector(x.Toward), "along")
		return d.All()
	}
	d.Given("v", formula.Vector(x.Toward), "toward")
	if x.Toward.Unit() == x.Path.Ray.Dir {
		d.Let("d", "v / |v|", "the direction, brought to unit length")
	} else { // so short or long that squares under- or overflow
		d.Given("d", formula.Vector(x.Path.Ray.Dir), "brought to unit length:")
	}
	return d.All()
}

// mirrorSteps derives the ray into which the mirror at the end of a path sends it.
func mirrorSteps(q *follow.Path) []formula.Step {
	d := formula.New[formula.Float]()
	d.Know("d", formula.Vector(q.Ray.Dir), "the direction of the ray")
	d.Know("N", formula.Vector(q.Normal), "the normal that faces it")
	d.Let("g", "-2 * (d · N)", "")
	d.Let("v", "d + g N", "the direction, mirrored")
	d.Let("d", "v / |v|", "the new direction, with its length brought back to 1")
	d.Given("o", formula.Vector(q.Mirror.Ray.Origin), "from the point")
	return d.All()
}

// test derives the roots of a solid and what becomes of them.
func (t *Tracer) test(from *accel.SecondaryRay, kind rayKind, s *accel.SolidStep) []formula.Step {
	d := rayDerivation(from.Ray)
	if c := lineChord(d, t.shape(s.Object)); c.OK {
		t.judge(d, kind, from, s)
	}
	return d.All()
}

// surfaceSteps derives the point and the normal where a ray ends.
func (t *Tracer) surfaceSteps(q *follow.Path) []formula.Step {
	d := rayDerivation(q.Ray)
	d.Silent = true
	c := lineChord(d, t.shape(q.Hit.Object))
	d.Silent = false
	d.Given("t", formula.Real(q.Hit.T), "it is hit at the distance")
	part := c.NearPart
	if q.Hit.Inside {
		part = c.FarPart
	}
	switch {
	case part == "":
	case q.Hit.Inside:
		d.Note("from inside, on its %s", part)
	default:
		d.Note("on its %s", part)
	}
	d.Let("p", "o + t d", "the point that is hit")
	normalAt(d, t.shape(q.Hit.Object), end{"t", "n", part})
	if q.Hit.Inside {
		d.Let("N", "-n", "seen from inside the normal is turned to face the ray")
	} else {
		d.Let("N", "n", "it faces the ray")
	}
	return d.All()
}

// arrivalSteps derives what a light does.
func (t *Tracer) arrivalSteps(q *follow.Path, a *follow.LightSample) []formula.Step {
	d := formula.New[formula.Float]()
	d.Know("p", formula.Vector(q.Hit.Point), "the point")
	d.Know("N", formula.Vector(q.Normal), "the normal")
	t.placeLight(d, a)
	if a.Light.Directional {
		d.Let("L", "-D", "toward the light")
	} else {
		d.Let("v", "P - p", "from the point to the light")
		if d.HoldsThen("|v| = 0", "the light lies on the point and has no direction") {
			d.Given("L", formula.Vector(a.Dir), "toward the light")
		} else {
			d.Let("L", "v / |v|", "toward the light")
		}
	}
	d.Let("cos", "N · L", "the cosine of the angle at which it arrives")
	switch a.Visibility {
	case follow.FacesAway:
		d.Judge("cos <= 0", formula.Rejects, "the surface faces away from the light")
		return d.All()
	case follow.Enclosed:
		d.Decide(formula.Rejects, fmt.Sprintf("the light is outside %s, which blocks it from inside", t.label(a.Object)))
		return d.All()
	case follow.Blocked:
		d.Decide(formula.Rejects, fmt.Sprintf("%s blocks the light at %s", t.label(a.Object), short(a.T)))
		return d.All()
	}
	switch {
	case a.Walk == nil:
		d.Decide(formula.Accepts, "the light arrives: the scene has no shadows")
	case a.Light.Directional:
		d.Decide(formula.Accepts, "nothing blocks the light")
	default:
		d.Decide(formula.Accepts, "nothing blocks the light on the "+short(a.Reach)+" to it")
	}
	d.Given("C", light(a.Light.Color), "the light's color")
	d.Given("I", formula.Real(a.Light.Intensity), "intensity")
	d.Let(fmt.Sprintf("E%d", a.Index), "C * I * cos", "what it adds")
	return d.All()
}

// placeLight derives where a light stands, P, or along what it travels, D.
func (t *Tracer) placeLight(d *derivation, a *follow.LightSample) {
	lights := t.stage.Scene.Lights
	isAttached := len(lights) > 0 && lights[a.Index].Attached
	if isAttached {
		axes := t.stage.View.Axes()
		d.Given("R", formula.Vector(axes.X), "the camera's axes: right")
		d.Given("U", formula.Vector(axes.Y), "up")
		d.Given("B", formula.Vector(axes.Z), "back toward the viewer")
	}
	switch {
	case isAttached && a.Light.Directional:
		d.Given("q", formula.Vector(lights[a.Index].Direction), "along them the light travels")
		d.Let("w", "q.x R + q.y U + q.z B", "")
		d.Let("D", "w / |w|", "the light travels along")
	case isAttached:
		d.Given("O", formula.Vector(t.stage.View.Position()), "the camera's position")
		d.Given("q", formula.Vector(lights[a.Index].Position), "from there, along the axes, the light is at")
		d.Let("P", "O + (q.x R + q.y U + q.z B)", "the light's position")
	case a.Light.Directional:
		d.Given("D", formula.Vector(a.Light.Direction), "the light travels along")
	default:
		d.Given("P", formula.Vector(a.Light.Position), "the light's position")
	}
}

// blocker returns the test of the solid that blocks a light.
func blocker(a *follow.LightSample) *accel.SolidStep {
	for _, s := range a.Walk.Steps {
		if s.Solid != nil && s.Solid.Object == a.Object {
			return s.Solid
		}
	}
	panic("explain: a blocker that was not tested")
}

// colorSteps derives the color at the end of a path.
func (t *Tracer) colorSteps(q *follow.Path) []formula.Step {
	d := formula.New[formula.Float]()
	t.ambient(d, q)
	sum := []string{"ambient"}
	for i := range q.Lights {
		if a := &q.Lights[i]; a.Visibility == follow.Visible {
			name := fmt.Sprintf("E%d", a.Index)
			d.Know(name, light(a.Irradiance), fmt.Sprintf("light %d adds", a.Index))
			sum = append(sum, name)
		}
	}
	d.Let("E", strings.Join(sum, " + "), "all light that arrives")
	t.albedo(d, q)
	d.Let("matte", "albedo * E", "what a matte surface sends back")
	m := q.Material.Mirror
	switch {
	case q.Mirror != nil:
		d.Given("m", formula.Real(m), "share of the mirror")
		d.Given("mirror", light(q.Mirror.Color), "what the mirror shows")
		d.Let("color", "(1 - m) matte + m mirror", "")
	case m > 0:
		d.Note("The mirror is left out: the ray has no bounce left.")
		d.Let("color", "matte", "")
	default:
		d.Let("color", "matte", "the surface has no mirror")
	}
	return d.All()
}

// ambient derives the ambient light on the surface where a path ends.
func (t *Tracer) ambient(d *derivation, q *follow.Path) {
	g := t.stage.Scene.Shading.Ambient
	if g.IsEven() {
		d.Given("ambient", light(g.Top), "")
		return
	}
	d.Know("N", formula.Vector(q.Normal), "the normal")
	d.Given("top", light(g.Top), "ambient light from straight up")
	d.Given("bottom", light(g.Bottom), "from straight down")
	d.Given("up", formula.Vector(t.stage.View.Up()), "and the camera's up:")
	d.Let("k", "(1 + N · up) / 2", "0 on a surface that faces straight down, 1 straight up")
	d.Let("ambient", "(1 - k) bottom + k top", "")
}

// albedo derives the color of the surface where a path ends.
func (t *Tracer) albedo(d *derivation, q *follow.Path) {
	cell, ok := t.stage.Cell(&q.Hit)
	if !ok {
		d.Given("albedo", light(q.Albedo), "")
		return
	}
	b := t.shape(q.Hit.Object).(*shapes.Box)
	along := [3][2]string{{"Y", "Z"}, {"X", "Z"}, {"X", "Y"}}[b.Across(q.Normal)]
	axes := map[string]geom.Vec3{"X": b.Rotation.X, "Y": b.Rotation.Y, "Z": b.Rotation.Z}
	d.Know("p", formula.Vector(q.Hit.Point), "the point")
	d.Given("c", formula.Vector(b.Center), "The face is checkered. The box has the center")
	d.Given(along[0], formula.Vector(axes[along[0]]), "and along the face the axes")
	d.Given(along[1], formula.Vector(axes[along[1]]), "")
	d.Given("s", formula.Real(q.Material.Checker.Size), "the squares have the edge")
	d.Let("u", along[0]+" · (p - c)", "where the point lies on the face, from its middle")
	d.Let("v", along[1]+" · (p - c)", "")
	d.Let("i", "floor(u / s)", "and in which square")
	d.Let("j", "floor(v / s)", "")
	if cell.IsOdd() {
		d.Given("albedo", light(q.Albedo), "i + j is odd, where the checker has")
	} else {
		d.Given("albedo", light(q.Albedo), "i + j is even, where the material has")
	}
}

// backgroundSteps derives what a ray sees that meets nothing.
func (t *Tracer) backgroundSteps(q *follow.Path) []formula.Step {
	d := rayDerivation(q.Ray)
	b := &t.stage.Scene.Image.Background
	switch {
	case b.Transparent:
		d.Note("The background is transparent: the ray sees nothing.")
	case b.IsEven():
		d.Given("color", light(b.Top), "the background's")
	default:
		d.Given("top", light(b.Top), "the background's colors,")
		d.Given("bottom", light(b.Bottom), "")
		d.Given("up", formula.Vector(t.stage.View.Up()), "and the camera's up:")
		d.Let("k", "(1 + d · up) / 2", "0 straight down, 1 straight up")
		d.Let("color", "(1 - k) bottom + k top", "")
	}
	return d.All()
}

// mostTerms is the number of samples up to which their sum is written out.
const mostTerms = 4

// developSteps derives what the picture shows from what the samples see.
func (t *Tracer) developSteps(x *Pixel) []formula.Step {
	d := formula.New[formula.Float]()
	if x.Seen == 0 {
		d.Note("No sample sees anything: the pixel is transparent.")
		return d.All()
	}
	if x.Weight > 1 {
		d.Note("The pixels around look alike: one sample counts for all %d.", x.Weight)
	}
	terms := t.terms(d, x)
	switch {
	case len(terms) == 1:
		d.Let("c", terms[0], "linear light")
	case len(terms) <= mostTerms:
		d.Let("c", fmt.Sprintf("(%s) / %d", strings.Join(terms, " + "), x.Seen), "the average of what the samples see, linear light")
	default:
		d.Given("c", light(x.Linear), fmt.Sprintf("the average of %d samples, linear light:", len(terms)))
	}
	for i, v := range [3]float64{x.Linear.R, x.Linear.G, x.Linear.B} {
		t.encode(d, []string{"red", "green", "blue"}[i], v)
	}
	if all := x.Antialias * x.Antialias; x.Seen < all {
		d.Note("%d of %d samples see something: alpha is %d.", x.Seen, all, x.SRGB8.A)
	}
	return d.All()
}

// terms returns the names of the samples to be averaged, each as often as it counts.
func (t *Tracer) terms(d *derivation, x *Pixel) []string {
	var terms []string
	for i := range x.Samples {
		s := &x.Samples[i]
		if !s.Seen {
			continue
		}
		c := s.Color.Clamp()
		name := fmt.Sprintf("s%d", i+1)
		d.Know(name, light(c), fmt.Sprintf("sample %d sees", i+1))
		terms = append(terms, slices.Repeat([]string{name}, x.Weight)...)
		if c != s.Color {
			d.Note("Sample %d is clamped to 0..1.", i+1)
		}
	}
	return terms
}

// encode derives how a channel becomes an 8-bit sRGB value.
func (t *Tracer) encode(d *derivation, channel string, v float64) {
	code := shade.Encode8(v)
	d.Know(channel, formula.Real(v), fmt.Sprintf("the %s part is", channel))
	half := func(k float64) float64 { return shade.FromSRGB(k/255, 0, 0).R }
	lower, upper := half(float64(code)-0.5), half(float64(code)+0.5)
	d.Know("lower", formula.Real(lower), fmt.Sprintf("sRGB %d begins at", code))
	d.Know("upper", formula.Real(upper), fmt.Sprintf("sRGB %d ends below", code))
	relation := "lower <= " + channel + " < upper"
	switch {
	case code == 0:
		relation = channel + " < upper"
	case code == 255:
		relation = "lower <= " + channel
	}
	note := fmt.Sprintf("sRGB %d is nearest", code)
	if !d.Holds(relation) { // on the very threshold, which is computed less exactly here
		d.Note("%s: %s", channel, note)
		return
	}
	d.Claim(relation, note)
}
