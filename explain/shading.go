package explain

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/accel"
	"pillbox/shade"
	"pillbox/stage"
)

// side returns how many samples the pixel has in each direction.
func (x *Pixel) side() int {
	if x.Weight > 1 {
		return 1
	}
	return x.Antialias
}

// cameraSteps derives the camera ray of a sample.
func (t *Tracer) cameraSteps(x *Pixel, s *Sample) []Step {
	p := t.stage.Pixel(x.At, x.side())
	d := newDerivation[float]()
	d.given("i", real(float64(p.X0+s.Column)), "sample column")
	d.given("j", real(float64(p.Y0+s.Row)), "row")
	d.given("n", real(p.Density), "samples across a pixel")
	d.given("W", real(float64(t.stage.Size.X)), "the picture's width")
	d.given("H", real(float64(t.stage.Size.Y)), "height")
	d.let("x", "(i + 0.5) / n - W / 2", "pixels right of the picture's middle")
	d.let("y", "H / 2 - (j + 0.5) / n", "pixels above it")
	d.given("R", vector(p.DX), "a pixel to the right")
	d.given("U", vector(p.DY), "a pixel up")
	if p.Parallel {
		d.given("P", vector(p.Origin), "the camera's position")
		d.let("o", "P + y U + x R", "the ray starts beside it")
		d.given("d", vector(p.Dir), "all rays have the direction")
		return d.steps
	}
	d.given("F", vector(p.Dir), "forward, one unit")
	d.let("v", "F + y U + x R", "through the sample on the plane one unit ahead")
	d.given("o", vector(p.Origin), "the camera's position")
	d.let("d", "v / |v|", "the ray's direction")
	return d.steps
}

// raySteps tells the ray and how its direction was brought to unit length.
func (x *Ray) raySteps() []Step {
	d := newDerivation[float]()
	d.given("o", vector(x.Path.Ray.Origin), "from")
	if x.Toward == x.Path.Ray.Dir {
		d.given("d", vector(x.Toward), "along")
		return d.steps
	}
	d.given("v", vector(x.Toward), "toward")
	if x.Toward.Unit() == x.Path.Ray.Dir {
		d.let("d", "v / |v|", "the direction, brought to unit length")
	} else { // so short or long that squares under- or overflow
		d.given("d", vector(x.Path.Ray.Dir), "brought to unit length:")
	}
	return d.steps
}

// mirrorSteps derives the ray into which the mirror at the end of a path sends it.
func mirrorSteps(q *stage.Path) []Step {
	d := newDerivation[float]()
	d.know("d", vector(q.Ray.Dir))
	d.know("N", vector(q.Normal))
	d.let("g", "-2 * (d · N)", "")
	d.let("v", "d + g N", "the direction, mirrored")
	d.let("d", "v / |v|", "the new direction, with its length brought back to 1")
	d.given("o", vector(q.Mirror.Ray.Origin), "from the point")
	return d.steps
}

// test derives the roots of a solid and what becomes of them.
func (t *Tracer) test(from *accel.Departure, e errand, s *accel.SolidStep) []Step {
	d := rayDerivation(from.Ray)
	if c := lineChord(d, t.solids().at(s.Object)); c.ok {
		t.judge(d, e, from, s)
	}
	return d.steps
}

// surfaceSteps derives the point and the normal where a ray ends.
func (t *Tracer) surfaceSteps(q *stage.Path) []Step {
	d := rayDerivation(q.Ray)
	d.silent = true
	c := lineChord(d, t.solids().at(q.Hit.Object))
	d.silent = false
	d.given("t", real(q.Hit.T), "it is hit at the distance")
	switch {
	case c.nearPart == "":
	case q.Hit.Inside:
		d.note("from inside, on its %s", c.farPart)
	default:
		d.note("on its %s", c.nearPart)
	}
	d.let("p", "o + t d", "the point that is hit")
	surfaceNormal(d, t.solids().at(q.Hit.Object), c, q.Hit.Inside)
	if q.Hit.Inside {
		d.let("N", "-n", "seen from inside the normal is turned to face the ray")
	} else {
		d.let("N", "n", "it faces the ray")
	}
	return d.steps
}

// arrivalSteps derives what a light does.
func (t *Tracer) arrivalSteps(q *stage.Path, a *stage.Arrival) []Step {
	d := newDerivation[float]()
	d.know("p", vector(q.Hit.Point))
	d.know("N", vector(q.Normal))
	if a.Light.Directional {
		d.given("D", vector(a.Light.Direction), "the light travels along")
		d.let("L", "-D", "toward the light")
	} else {
		d.given("P", vector(a.Light.Position), "the light's position")
		d.let("v", "P - p", "from the point to the light")
		if d.holdsThen("|v| = 0", "the light lies on the point and has no direction") {
			d.given("L", vector(a.Dir), "toward the light")
		} else {
			d.let("L", "v / |v|", "toward the light")
		}
	}
	d.let("cos", "N · L", "the cosine of the angle at which it arrives")
	switch a.Fate {
	case stage.FacesAway:
		d.judge("cos <= 0", Rejects, "the surface faces away from the light")
		return d.steps
	case stage.Enclosed:
		d.verdict(Rejects, fmt.Sprintf("the light is outside %s, which blocks it from inside", t.solids().label(a.Object)))
		return d.steps
	case stage.Blocked:
		d.verdict(Rejects, fmt.Sprintf("%s blocks the light at %s", t.solids().label(a.Object), short(a.T)))
		return d.steps
	}
	switch {
	case a.Walk == nil:
		d.verdict(Accepts, "the light arrives: the scene has no shadows")
	case a.Light.Directional:
		d.verdict(Accepts, "nothing blocks the light")
	default:
		d.verdict(Accepts, "nothing blocks the light on the "+short(a.Reach)+" to it")
	}
	d.given("C", light(a.Light.Color), "the light's colour")
	d.given("I", real(a.Light.Intensity), "intensity")
	d.let(fmt.Sprintf("E%d", a.Index), "C * I * cos", "what it adds")
	return d.steps
}

// blocker returns the test of the solid that blocks a light.
func blocker(a *stage.Arrival) *accel.SolidStep {
	for _, s := range a.Walk.Steps {
		if s.Solid != nil && s.Solid.Object == a.Object {
			return s.Solid
		}
	}
	panic("explain: a blocker that was not tested")
}

// colorSteps derives the colour at the end of a path.
func (t *Tracer) colorSteps(q *stage.Path) []Step {
	d := newDerivation[float]()
	d.given("ambient", light(t.stage.Scene.Shading.Ambient), "")
	sum := []string{"ambient"}
	for i := range q.Lights {
		if a := &q.Lights[i]; a.Fate == stage.Arrives {
			name := fmt.Sprintf("E%d", a.Index)
			d.know(name, light(a.Adds))
			sum = append(sum, name)
		}
	}
	d.let("E", strings.Join(sum, " + "), "all light that arrives")
	d.given("albedo", light(q.Material.Albedo), "")
	d.let("matte", "albedo * E", "what a matte surface sends back")
	m := q.Material.Mirror
	switch {
	case q.Mirror != nil:
		d.given("m", real(m), "share of the mirror")
		d.given("mirror", light(q.Mirror.Color), "what the mirror shows")
		d.let("colour", "(1 - m) matte + m mirror", "")
	case m > 0:
		d.note("The mirror is left out: the ray has no bounce left.")
		d.let("colour", "matte", "")
	default:
		d.let("colour", "matte", "the surface has no mirror")
	}
	return d.steps
}

// backgroundSteps derives what a ray sees that meets nothing.
func (t *Tracer) backgroundSteps(q *stage.Path) []Step {
	d := rayDerivation(q.Ray)
	b := &t.stage.Scene.Image.Background
	switch {
	case b.Transparent:
		d.note("The background is transparent: the ray sees nothing.")
	case b.Top == b.Bottom:
		d.given("colour", light(b.Top), "the background's")
	default:
		d.given("top", light(b.Top), "the background's colours,")
		d.given("bottom", light(b.Bottom), "")
		d.given("up", vector(t.stage.View.Up()), "and the camera's up:")
		d.let("k", "(1 + d · up) / 2", "0 straight down, 1 straight up")
		d.let("colour", "(1 - k) bottom + k top", "")
	}
	return d.steps
}

// mostTerms is the number of samples up to which their sum is written out.
const mostTerms = 4

// developSteps derives what the picture shows from what the samples see.
func (t *Tracer) developSteps(x *Pixel) []Step {
	d := newDerivation[float]()
	if x.Seen == 0 {
		d.note("No sample sees anything: the pixel is transparent.")
		return d.steps
	}
	if x.Weight > 1 {
		d.note("The pixels around look alike: one sample counts for all %d.", x.Weight)
	}
	terms := t.terms(d, x)
	switch {
	case len(terms) == 1:
		d.let("c", terms[0], "linear light")
	case len(terms) <= mostTerms:
		d.let("c", fmt.Sprintf("(%s) / %d", strings.Join(terms, " + "), x.Seen), "the average of what the samples see, linear light")
	default:
		d.given("c", light(x.Linear), fmt.Sprintf("the average of %d samples, linear light:", len(terms)))
	}
	for i, v := range [3]float64{x.Linear.R, x.Linear.G, x.Linear.B} {
		t.encode(d, []string{"red", "green", "blue"}[i], v)
	}
	if all := x.Antialias * x.Antialias; x.Seen < all {
		d.note("%d of %d samples see something: alpha is %d.", x.Seen, all, x.SRGB8.A)
	}
	return d.steps
}

// terms returns the names of the samples to be averaged, each as often as it counts.
func (t *Tracer) terms(d *derivation[float], x *Pixel) []string {
	var terms []string
	for i := range x.Samples {
		s := &x.Samples[i]
		if !s.Seen {
			continue
		}
		c := s.Color.Clamp()
		name := fmt.Sprintf("s%d", i+1)
		d.know(name, light(c))
		terms = append(terms, slices.Repeat([]string{name}, x.Weight)...)
		if c != s.Color {
			d.note("Sample %d is clamped to 0..1.", i+1)
		}
	}
	return terms
}

// encode tells how a channel becomes an 8-bit sRGB value.
func (t *Tracer) encode(d *derivation[float], channel string, v float64) {
	code := shade.Encode8(v)
	d.know(channel, real(v))
	half := func(k float64) float64 { return shade.FromSRGB(k/255, 0, 0).R }
	lower, upper := half(float64(code)-0.5), half(float64(code)+0.5)
	d.know("lower", real(lower))
	d.know("upper", real(upper))
	relation := "lower <= " + channel + " < upper"
	switch {
	case code == 0:
		relation = channel + " < upper"
	case code == 255:
		relation = "lower <= " + channel
	}
	note := fmt.Sprintf("sRGB %d is nearest", code)
	if !d.holds(relation) { // on the very threshold, which is computed less exactly here
		d.note("%s: %s", channel, note)
		return
	}
	d.claim(relation, note)
}
