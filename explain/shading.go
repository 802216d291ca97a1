package explain

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/shade"
	"pillbox/shapes"
)

// side returns the number of traced samples in each row of the pixel: n for n x n samples, and 1 for a
// single one.
func (x *Pixel) side() int {
	if x.Weight > 1 {
		return 1
	}
	return x.Antialias
}

// cameraSteps derives the camera ray of a sample.
func (t *Tracer) cameraSteps(x *Pixel, s *Sample) []formula.Step {
	p := t.prepared.PixelRays(x.At, x.side())
	d := formula.New[formula.Float]()
	d.Given("i", formula.Real(float64(p.X0+s.Column)), "sample column")
	d.Given("j", formula.Real(float64(p.Y0+s.Row)), "row")
	d.Given("n", formula.Real(p.Density), "samples across a pixel")
	d.Given("W", formula.Real(float64(t.prepared.Size.X)), "the picture's width")
	d.Given("H", formula.Real(float64(t.prepared.Size.Y)), "height")
	d.Let("x", "(i + 0.5) / n - W / 2", "pixels to the right of the picture's center")
	d.Let("y", "H / 2 - (j + 0.5) / n", "pixels above it")
	d.Given("R", formula.Vector(p.DX), "one pixel to the right")
	d.Given("U", formula.Vector(p.DY), "one pixel up")
	position := "the camera's position"
	if note := t.prepared.Scene.FramingNote(t.prepared.Size.X, t.prepared.Size.Y); note != "" && t.prepared.Scene.Framing != nil {
		position += ", " + note
	}
	if p.Parallel {
		d.Given("P", formula.Vector(p.Origin), position)
		d.Let("o", "P + y U + x R", "the ray's origin")
		d.Given("d", formula.Vector(p.Dir), "the direction of all rays")
		return t.ofCamera(d.All(), "P")
	}
	d.Given("F", formula.Vector(p.Dir), "one unit forward")
	d.Let("v", "F + y U + x R", "toward the sample on the plane one unit ahead")
	d.Given("o", formula.Vector(p.Origin), position)
	d.Let("d", "v / |v|", "the ray's direction")
	return t.ofCamera(d.All(), "o")
}

// raySteps states the ray and derives its unit direction.
func (x *Ray) raySteps() []formula.Step {
	d := formula.New[formula.Float]()
	d.Given("o", formula.Vector(x.Path.Ray.Origin), "the ray's origin")
	if x.Toward == x.Path.Ray.Dir {
		d.Given("d", formula.Vector(x.Toward), "its direction")
		return d.All()
	}
	d.Given("v", formula.Vector(x.Toward), "its direction as given")
	if x.Toward.Unit() == x.Path.Ray.Dir {
		d.Let("d", "v / |v|", "its unit direction")
	} else { // so short or long that its square underflows or overflows
		d.Given("d", formula.Vector(x.Path.Ray.Dir), "its unit direction")
	}
	return d.All()
}

// mirrorSteps derives the mirror ray at the end of a path.
func mirrorSteps(q *follow.Path) []formula.Step {
	d := formula.New[formula.Float]()
	d.Know("d", formula.Vector(q.Ray.Dir), "the direction of the ray")
	d.Know("N", formula.Vector(q.Normal), "the normal that faces it")
	d.Let("g", "-2 * (d · N)", "")
	d.Let("v", "d + g N", "the reflected direction")
	d.Let("d", "v / |v|", "the mirror ray's direction, normalized")
	d.Given("o", formula.Vector(q.Mirror.Ray.Origin), "its origin")
	return d.All()
}

// test derives the roots of a solid and why each is accepted or rejected.
func (t *Tracer) test(from *accel.SecondaryRay, kind rayKind, s *accel.SolidStep) []formula.Step {
	d := derive.Ray(from.Ray)
	if c := derive.Of(t.shape(s.Object)).Chord(d); c.OK {
		cut, isCut := t.left(s.Object, kind).(*shapes.Cut)
		if isCut {
			d.Note("This is the whole solid; %s.", t.divided(cut))
		}
		if !isCut || derive.Clip(d, cut, t.prepared.Scene.SectionLabel) {
			t.judge(d, kind, from, s)
		}
	}
	return t.ofSolid(s.Object, d.All())
}

// surfaceSteps derives the point and the normal of a closest hit.
func (t *Tracer) surfaceSteps(q *follow.Path) []formula.Step {
	if i, ok := q.Hit.Section(); ok {
		return t.faceSteps(q, t.left(q.Hit.Object, cameraRay).(*shapes.Cut), i)
	}
	d := derive.Ray(q.Ray)
	d.Silent = true
	c := derive.Of(t.shape(q.Hit.Object)).Chord(d)
	d.Silent = false
	d.Given("t", formula.Real(q.Hit.T), "the hit is at distance")
	part := c.NearPart
	if q.Hit.Inside {
		part = c.FarPart
	}
	switch {
	case part == "":
	case q.Hit.Inside:
		d.Note("Hit from inside, on its %s.", part)
	default:
		d.Note("Hit on its %s.", part)
	}
	d.Let("p", "o + t d", "the point")
	derive.Of(t.shape(q.Hit.Object)).Normal(d, derive.End{Root: "t", Normal: "n", Part: part})
	t.face(d, q)
	return t.ofSolid(q.Hit.Object, d.All())
}

// face derives the normal N that faces the ray from the outward normal n.
func (t *Tracer) face(d *derive.Derivation, q *follow.Path) {
	if q.Hit.Inside {
		d.Let("N", "-n", "hit from inside: the normal is flipped to face the ray")
	} else {
		d.Let("N", "n", "it faces the ray")
	}
}

// lightSteps derives the light that arrives from one light source, or why none does.
func (t *Tracer) lightSteps(q *follow.Path, a *follow.LightSample) []formula.Step {
	return t.ofLight(a.Index, t.arrival(q, a))
}

func (t *Tracer) arrival(q *follow.Path, a *follow.LightSample) []formula.Step {
	d := formula.New[formula.Float]()
	d.Know("p", formula.Vector(q.Hit.Point), "the point")
	d.Know("N", formula.Vector(q.Normal), "the normal")
	t.placeLight(d, a)
	if a.Light.Directional {
		d.Let("L", "-D", "toward the light")
	} else {
		d.Let("v", "P - p", "from the point to the light")
		if d.HoldsThen("|v| = 0", "the light is at the point: there is no direction to it") {
			d.Given("L", formula.Vector(a.Dir), "toward the light")
		} else {
			d.Let("L", "v / |v|", "toward the light")
		}
	}
	d.Let("cos", "N · L", "cosine of the angle of incidence")
	switch a.Visibility {
	case follow.FacesAway:
		d.Judge("cos <= 0", formula.Rejects, "the surface faces away from the light")
		return d.All()
	case follow.Outside:
		shareSteps(d, a)
		return d.All()
	case follow.Enclosed:
		d.Decide(formula.Rejects, fmt.Sprintf("the light is outside %s, which blocks it from inside", t.label(a.Object)))
		return d.All()
	case follow.Blocked:
		reason := fmt.Sprintf("%s blocks the light at %s", t.label(a.Object), formula.Short(a.T))
		if len(a.Points) > 0 {
			reason = visibleText(a) + " of the light are visible"
		}
		d.Decide(formula.Rejects, reason)
		return d.All()
	}
	switch {
	case len(a.Points) > 0:
		d.Decide(formula.Accepts, fmt.Sprintf("%s of the light are visible: with their weights, the share %s of it arrives", visibleText(a), formula.Short(a.Fraction)))
	case a.Traversal == nil && a.Cap.IsInside() && a.Light.HasSize():
		d.Decide(formula.Accepts, "the light arrives: the point is inside its ball")
	case a.Traversal == nil:
		d.Decide(formula.Accepts, "the light arrives: the scene has no shadows")
	case a.Light.Directional:
		d.Decide(formula.Accepts, "nothing blocks the light")
	default:
		d.Decide(formula.Accepts, "nothing blocks the light, at distance "+formula.Short(a.Reach))
	}
	cos := "cos"
	if a.Light.HasSize() {
		d.Given("whole", formula.Real(a.Received), "Lambert's law over the part of the light above the horizon gives")
		cos = "whole"
	}
	if a.Light.IsSpot() {
		shareSteps(d, a)
		cos = "(" + cos + " * share)"
	}
	if a.Light.HasSize() {
		d.Given("part", formula.Real(a.Fraction), "of this, the part that solids do not hide is")
		cos = "(" + cos + " * part)"
	}
	sum := "C * I * " + cos
	d.Given("C", light(a.Light.Color), "the light's color")
	d.Given("I", formula.Real(a.Light.Intensity), "intensity")
	d.Let(fmt.Sprintf("E%d", a.Index), sum, "the light that it adds")
	return d.All()
}

// shareSteps derives the share of a spot light's strength that is emitted toward the point.
func shareSteps(d *derive.Derivation, a *follow.LightSample) {
	cone := a.Light.Cone
	falloff := cone.Falloff()
	d.Let("beam", "-(D · L)", "cosine of the angle between the cone's axis and the direction from the light to the point")
	d.Given("outer", formula.Real(falloff.Outer), fmt.Sprintf("at half the cone, %s degrees, the cosine", formula.Short(cone.Angle.Degrees()/2)))
	full := "outer"
	if cone.Edge > 0 {
		d.Given("inner", formula.Real(falloff.Inner), fmt.Sprintf("where the edge ends, at %s degrees,", formula.Short((cone.Angle/2-cone.Edge).Degrees())))
		full = "inner"
	}
	switch {
	case d.Holds("beam >= " + full):
		d.Judge("beam >= "+full, formula.Accepts, "the light has its full strength")
		d.Given("share", formula.Real(a.Share), "so of its strength the")
	case d.Holds("beam > outer"):
		d.Let("u", "(beam - outer) / (inner - outer)", "0 on the cone's border, 1 where the edge ends")
		d.Let("share", "u * u * (3 - 2 * u)", "of the light's strength")
	default:
		d.Judge("beam <= outer", formula.Rejects, "the point is outside the light's cone")
	}
}

// placeLight derives the direction D of a spot light or directional light, and the position P of a spot
// light or point light.
func (t *Tracer) placeLight(d *derive.Derivation, a *follow.LightSample) {
	lights := t.prepared.Scene.Lights
	isAttached := len(lights) > 0 && lights[a.Index].Attached
	if isAttached {
		axes := t.prepared.View.Axes()
		d.Given("R", formula.Vector(axes.X), "the camera's axes: right")
		d.Given("U", formula.Vector(axes.Y), "up")
		d.Given("B", formula.Vector(axes.Z), "back toward the viewer")
	}
	switch {
	case isAttached && (a.Light.Directional || a.Light.IsSpot()):
		d.Given("q", formula.Vector(lights[a.Index].Direction), "the light's direction in these axes")
		d.Let("w", "q.x R + q.y U + q.z B", "")
		d.Let("D", "w / |w|", "the light's direction")
	case a.Light.Directional || a.Light.IsSpot():
		d.Given("D", formula.Vector(a.Light.Direction), "the light's direction")
	}
	switch {
	case a.Light.Directional:
	case isAttached:
		d.Given("O", formula.Vector(t.prepared.View.Position()), "the camera's position")
		d.Given("q", formula.Vector(lights[a.Index].Position), "the light's position relative to it, in these axes")
		d.Let("P", "O + (q.x R + q.y U + q.z B)", "the light's position")
	default:
		d.Given("P", formula.Vector(a.Light.Position), "the light's position")
	}
}

// blocker returns the test of the solid that blocks a light. The light must be blocked.
func blocker(a *follow.LightSample) *accel.SolidStep {
	for _, s := range a.Traversal.Steps {
		if s.Solid != nil && s.Solid.Object == a.Object {
			return s.Solid
		}
	}
	panic("explain: the blocker was not tested")
}

// colorSteps derives the color at the end of a path.
func (t *Tracer) colorSteps(q *follow.Path) []formula.Step {
	d := formula.New[formula.Float]()
	t.ambient(d, q)
	sum := []string{"ambient"}
	for i := range q.Lights {
		if a := &q.Lights[i]; a.Visibility.Arrives() {
			name := fmt.Sprintf("E%d", a.Index)
			d.Know(name, light(a.Irradiance), fmt.Sprintf("light %d adds", a.Index))
			sum = append(sum, name)
		}
	}
	d.Let("E", strings.Join(sum, " + "), "the light that arrives in total")
	t.albedo(d, q)
	d.Let("matte", "albedo * E", "diffuse reflection")
	m := q.Material.Mirror
	switch {
	case q.Mirror != nil:
		d.Given("m", formula.Real(m), "the mirror's share")
		d.Given("mirror", light(q.Mirror.Color), "the color of the mirror ray")
		d.Let("color", "(1 - m) matte + m mirror", "")
	case m > 0:
		d.Note("Without the mirror: the ray has no bounces left.")
		d.Let("color", "matte", "")
	default:
		d.Let("color", "matte", "the surface has no mirror")
	}
	t.fogSteps(d, q)
	t.ghostSteps(d, q)
	return d.All()
}

// fogSteps derives the color of a path in the fog of the scene from the color without fog.
func (t *Tracer) fogSteps(d *derive.Derivation, q *follow.Path) {
	if q.Fog == nil {
		return
	}
	f := t.prepared.Fog
	if q.IsSolid() {
		d.Know("p", formula.Vector(q.Hit.Point), "the point")
		d.Given("e", formula.Vector(t.prepared.View.Position()), "the camera's position")
		d.Given("v", formula.Vector(t.prepared.View.Axes().Z.Neg()), "its viewing direction")
		d.Let("z", "(p - e) · v", "the depth")
		d.Given("near", formula.Real(f.Near), "where the fog begins")
	}
	switch {
	case q.Fog.Share == 0:
		d.Note("There is no fog up to this depth.")
		return
	case !q.IsSolid():
		d.Given("f", formula.Real(q.Fog.Share), "the share of the fog before the background")
	case !(q.Fog.Depth < f.Far):
		d.Given("far", formula.Real(f.Far), "where the fog reaches its strength")
		d.Given("f", formula.Real(q.Fog.Share), "the share of the fog there and beyond")
	default:
		d.Given("far", formula.Real(f.Far), "where the fog reaches its strength")
		d.Given("strength", formula.Real(f.Strength), "")
		d.Let("f", "strength (z - near) / (far - near)", "the share of the fog")
	}
	d.Given("fog", light(f.Color), "the color of the fog")
	d.Let("color", "(1 - f) color + f fog", "")
}

// ambient derives the ambient light on the surface where a path ends.
func (t *Tracer) ambient(d *derive.Derivation, q *follow.Path) {
	g := t.prepared.Scene.Shading.Ambient
	o := q.Occlusion
	switch {
	case t.prepared.Scene.Shading.Flat:
		d.Given("ambient", light(g.Top), "flat colors: white light from all directions, and no other")
		return
	case g.IsEven() && o == nil:
		d.Given("ambient", light(g.Top), "")
		return
	case g.IsEven():
		d.Given("sky", light(g.Top), "ambient light under an open sky")
		share(d, "open", o.Above.Open+o.Below.Open, o.Above.All+o.Below.All, "")
		d.Let("ambient", "open sky", "what arrives")
		return
	}
	d.Know("N", formula.Vector(q.Normal), "the normal")
	d.Given("top", light(g.Top), "ambient light from above")
	d.Given("bottom", light(g.Bottom), "from below")
	d.Given("up", formula.Vector(t.prepared.View.Up()), "the camera's up direction")
	d.Let("k", "(1 + N · up) / 2", "0 if the surface faces straight down, 1 if straight up")
	if o == nil {
		d.Let("ambient", "(1 - k) bottom + k top", "")
		return
	}
	part := func(symbol string, p shade.Part, where string) {
		if p.All == 0 {
			p = shade.Part{Open: o.Above.Open + o.Below.Open, All: o.Above.All + o.Below.All}
			where = "in the whole sky, because none is " + where
		}
		share(d, symbol, p.Open, p.All, " "+where)
	}
	part("over", o.Above, "above the horizon")
	part("under", o.Below, "below the horizon")
	d.Let("ambient", "((1 - k) * under) bottom + (k * over) top", "what arrives")
}

// share derives the fraction of the sampled directions that are open, open / all. The parameter where is
// added to the notes and says which directions these are, such as " above the horizon". It may be empty.
func share(d *derive.Derivation, symbol string, open, all int, where string) {
	d.Given("a", formula.Real(float64(open)), "open directions"+where)
	d.Given("b", formula.Real(float64(all)), "all directions"+where)
	d.Let(symbol, "a / b", "")
}

// albedo derives the color of the surface where a path ends.
func (t *Tracer) albedo(d *derive.Derivation, q *follow.Path) {
	cell, ok := t.prepared.Cell(&q.Hit)
	if !ok {
		note := t.faceNote(&q.Hit)
		if text := t.valueText(&q.Hit); text != "" {
			d.Note("%s", text)
			note = "in linear light"
		}
		d.Given("albedo", light(q.Albedo), note)
		return
	}
	b := t.shape(q.Hit.Object).(*shapes.Box)
	along := [3][2]string{{"Y", "Z"}, {"X", "Z"}, {"X", "Y"}}[b.Across(q.Normal)]
	axes := map[string]geom.Vec3{"X": b.Rotation.X, "Y": b.Rotation.Y, "Z": b.Rotation.Z}
	d.Know("p", formula.Vector(q.Hit.Point), "the point")
	d.Given("c", formula.Vector(b.Center), "the face is checkered; the box has the center")
	d.Given(along[0], formula.Vector(axes[along[0]]), "the axes along the face")
	d.Given(along[1], formula.Vector(axes[along[1]]), "")
	d.Given("s", formula.Real(q.Material.Checker.Size), "the size of a square")
	d.Let("u", along[0]+" · (p - c)", "position on the face, from its center")
	d.Let("v", along[1]+" · (p - c)", "")
	d.Let("i", "floor(u / s)", "the square")
	d.Let("j", "floor(v / s)", "")
	if cell.IsOdd() {
		d.Given("albedo", light(q.Albedo), "i + j is odd: the checker's albedo")
	} else {
		d.Given("albedo", light(q.Albedo), "i + j is even: the material's albedo")
	}
}

// backgroundSteps derives the color of a ray without a hit, which may end at a light.
func (t *Tracer) backgroundSteps(q *follow.Path) []formula.Step {
	d := derive.Ray(q.Ray)
	b := &t.prepared.Scene.Image.Background
	switch {
	case q.Light > 0:
		t.glowSteps(d, q)
	case b.Transparent:
		d.Note("The background is transparent: the sample has no color.")
	case b.IsEven():
		d.Given("color", light(b.Top), "the background's")
	default:
		d.Given("top", light(b.Top), "the background's color at the top")
		d.Given("bottom", light(b.Bottom), "at the bottom")
		d.Given("up", formula.Vector(t.prepared.View.Up()), "the camera's up direction")
		d.Let("k", "(1 + d · up) / 2", "0 if the ray points straight down, 1 if straight up")
		d.Let("color", "(1 - k) bottom + k top", "")
	}
	t.fogSteps(d, q)
	t.ghostSteps(d, q)
	return d.All()
}

// glowSteps derives the color of a reflected ray that ends at a light.
func (t *Tracer) glowSteps(d *derive.Derivation, q *follow.Path) {
	l := &t.prepared.Lights[q.Light-1]
	d.Given("c", formula.Vector(l.Position), "the center of the light")
	d.Given("r", formula.Real(l.Radius), "the radius of its ball")
	d.Given("t", formula.Real(q.Hit.T), "the distance at which the ray enters the ball, before any solid")
	d.Given("color", light(t.prepared.Glow(q.Light-1, q.Ray.Dir)), "that of the light, times its intensity and the share of its cone")
}

// mostTerms is the largest number of samples whose sum is printed.
const mostTerms = 4

// averageSteps derives the color of a pixel from those of its samples.
func (t *Tracer) averageSteps(x *Pixel) []formula.Step {
	d := formula.New[formula.Float]()
	if x.Seen == 0 && x.Covered == 0 {
		d.Note("No sample has a color: the pixel is transparent.")
		t.annotationSteps(d, x)
		return d.All()
	}
	if x.Weight > 1 {
		d.Note("The neighboring pixels look alike: one sample counts for all %d.", x.Weight)
	}
	terms := t.terms(d, x)
	isVeiled := x.opacity != float64(x.Seen) // samples are transparent in part
	switch {
	case len(terms) == 0:
		d.Note("No sample has a color.")
	case isVeiled && len(terms) <= mostTerms:
		d.Given("w", formula.Real(x.opacity), "the sum of the opacities of the samples")
		d.Let("c", fmt.Sprintf("(%s) / w", strings.Join(terms, " + ")), "the average of the samples, linear light")
	case len(terms) == 1:
		d.Let("c", terms[0], "linear light")
	case len(terms) <= mostTerms:
		d.Let("c", fmt.Sprintf("(%s) / %d", strings.Join(terms, " + "), x.Seen), "the average of the samples, linear light")
	default:
		d.Given("c", light(x.average), fmt.Sprintf("the average of %d samples, linear light:", len(terms)))
	}
	if x.Covered > 0 {
		t.outlineSteps(d, x)
	}
	for i, v := range [3]float64{x.Linear.R, x.Linear.G, x.Linear.B} {
		t.encode(d, []string{"red", "green", "blue"}[i], v)
	}
	all := x.Antialias * x.Antialias
	switch {
	case isVeiled && x.Covered > 0:
		d.Note("The opacities of %d samples have the sum %s, and lines cover the share %s of the pixel: alpha is %d.", all, formula.Short(x.opacity), formula.Short(x.Covered), x.Rendered.A)
	case isVeiled:
		d.Note("The opacities of %d samples have the sum %s: alpha is %d.", all, formula.Short(x.opacity), x.Rendered.A)
	case x.Seen < all && x.Covered > 0:
		d.Note("%d of %d samples have a color, and lines cover the share %s of the pixel: alpha is %d.", x.Seen, all, formula.Short(x.Covered), x.Rendered.A)
	case x.Seen < all:
		d.Note("%d of %d samples have a color: alpha is %d.", x.Seen, all, x.Rendered.A)
	}
	t.annotationSteps(d, x)
	return d.All()
}

// annotationSteps derives the color of the pixel under annotations, layer by layer. They are mixed in sRGB, rounded after
// each layer.
func (t *Tracer) annotationSteps(d *derive.Derivation, x *Pixel) {
	if len(x.Annotations) == 0 {
		return
	}
	d.Note("The annotations are drawn over the rendered pixel, one after the other, in sRGB values from 0 to 255.")
	d.Given("u", srgb(x.Rendered), "the rendered pixel, sRGB")
	d.Given("α", formula.Real(float64(x.Rendered.A)), "its alpha")
	for i := range x.Annotations {
		l := &x.Annotations[i]
		d.Given("q", formula.Real(l.Covered), fmt.Sprintf("the share of the pixel that %s covers", layerName(l)))
		d.Given("k", srgb(l.Color), "its color, sRGB")
		if l.Covered == 1 {
			d.Let("u", "k", "it covers the whole pixel")
			d.Given("α", formula.Real(255), "")
			continue
		}
		d.Let("β", "255 q", "the weight of its color")
		d.Let("γ", "α (1 - q)", "the weight of the pixel below")
		d.Let("m", "(β k + γ u) / (β + γ)", "both together")
		d.Given("u", srgb(l.Over), "rounded: the pixel so far")
		d.Given("α", formula.Real(float64(l.Over.A)), "its alpha: β + γ, rounded")
	}
}

// srgb returns the sRGB values of a pixel as a color of a derivation.
func srgb(c color.NRGBA) formula.Value[formula.Float] {
	return light(shade.Color{R: float64(c.R), G: float64(c.G), B: float64(c.B)})
}

// outlineSteps derives the color of a pixel with lines of the outline.
func (t *Tracer) outlineSteps(d *derive.Derivation, x *Pixel) {
	lines := "Lines of the outline cover"
	if t.prepared.Scene.Outline.HiddenDashed {
		lines = "Lines of the outline, including dashed ones of hidden edges, cover"
	}
	d.Note("%s the share %s of the pixel.", lines, formula.Short(x.Covered))
	d.Given("l", light(x.ink), t.inkNote())
	if x.rest == 0 {
		d.Let("c", "l", "nothing else is visible")
		return
	}
	d.Given("a", formula.Real(float64(x.line)), "the weight of the lines")
	d.Given("b", formula.Real(float64(x.rest)), "the weight of the samples")
	d.Let("c", "(a l + b c) / (a + b)", "both together, linear light")
}

// inkNote explains the color of the lines in a pixel.
func (t *Tracer) inkNote() string {
	if t.prepared.Fog == nil {
		return "their color, linear light"
	}
	return "their color in the fog at their depth, linear light"
}

// terms returns the symbols of the samples to average, each as often as it counts.
func (t *Tracer) terms(d *derive.Derivation, x *Pixel) []string {
	var terms []string
	for i := range x.Samples {
		s := &x.Samples[i]
		if !s.Seen {
			continue
		}
		c := s.Color.ClampTo(s.Alpha)
		name := fmt.Sprintf("s%d", i+1)
		d.Know(name, light(c), fmt.Sprintf("sample %d sees", i+1))
		terms = append(terms, slices.Repeat([]string{name}, x.Weight)...)
		if c != s.Color {
			d.Note("Sample %d is clamped to 0..%s.", i+1, formula.Short(s.Alpha))
		}
	}
	return terms
}

// encode derives the 8-bit sRGB value of a channel.
func (t *Tracer) encode(d *derive.Derivation, channel string, v float64) {
	code := shade.EncodeSRGB8(v)
	d.Know(channel, formula.Real(v), fmt.Sprintf("the %s channel is", channel))
	half := func(k float64) float64 { return shade.FromSRGB(k/255, 0, 0).R }
	lower, upper := half(float64(code)-0.5), half(float64(code)+0.5)
	d.Know("lower", formula.Real(lower), fmt.Sprintf("sRGB %d starts at", code))
	d.Know("upper", formula.Real(upper), "and ends below")
	relation := "lower <= " + channel + " < upper"
	switch {
	case code == 0:
		relation = channel + " < upper"
	case code == 255:
		relation = "lower <= " + channel
	}
	note := fmt.Sprintf("sRGB %d", code)
	if !d.Holds(relation) { // exactly at a threshold, which is computed less accurately here
		d.Note("%s: %s", channel, note)
		return
	}
	d.Claim(relation, note)
}
