// Package povray writes scenes for POV-Ray, which then renders the same picture.
//
// Conventions: coordinates are those of the scene. POV-Ray's are left-handed, but the picture is not mirrored, because
// the file contains all vectors of the camera. Colors are linear (assumed_gamma 1). Every number has enough digits to
// be read back exactly. POV-Ray's tolerances are absolute. In scenes so small or large that this would be visible,
// lengths are scaled by a power of two, which the first lines of the file state.
//
// The formulas are those of the reference of POV-Ray 3.7 (povray.org, "Scene Description Language").
package povray

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// Write writes s as a file for POV-Ray 3.7. It returns an error if s is not valid, if its camera is degenerate, or if
// writing fails; then w may have received part of the file. [Notes] lists what the picture shows differently.
func Write(w io.Writer, s *scene.Scene) error {
	if err := s.Validate(); err != nil {
		return err
	}
	view, err := s.View(s.Image.Width, s.Image.Height)
	if err != nil {
		return err
	}
	s = s.Shaded()
	t := &writer{Writer: bufio.NewWriterSize(w, 1<<16), scene: s, view: view, eye: s.CameraFor(s.Image.Width, s.Image.Height),
		written: make(map[shapes.Sphere]bool)}
	t.center, t.radius = s.BoundingSphere()
	t.unit = unit(max(t.radius, view.Position().Sub(t.center).Norm()))
	t.head()
	t.camera()
	t.lights()
	t.background()
	t.solids()
	return t.Flush()
}

// Notes lists what POV-Ray shows differently from Pillbox, as sentences without a period.
func Notes(s *scene.Scene) (notes []string) {
	if s.Outline != nil {
		notes = append(notes, "the lines of the outline are not exported")
	}
	if s.Fog != nil {
		notes = append(notes, "fog is not exported, because POV-Ray's grows with the distance in another way")
	}
	if s.LightsWhole() {
		notes = append(notes, "light passes through what sections take away, also with light = \"whole\"")
	}
	if slices.ContainsFunc(hulls(s), func(h []int) bool { return len(h) > 1 }) {
		notes = append(notes, "POV-Ray mixes a ghost again where a ray leaves all its solids and enters another one")
	}
	s = s.Shaded()
	if slices.ContainsFunc(s.Lights, func(l scene.Light) bool { return l.Visible && l.IsSpot() }) {
		notes = append(notes, "mirrors do not show spot lights")
	}
	if s.Shading.Occlusion.Enabled {
		notes = append(notes, "POV-Ray shows ambient light without occlusion")
	}
	if slices.ContainsFunc(s.Lights, func(l scene.Light) bool { return l.HasSize() }) {
		notes = append(notes, "lights with a size become area lights, whose penumbras have other noise")
	}
	for i := range s.Objects.Len() {
		if s.Objects.Material(i).Mirror > 0 && s.Shading.Bounces > 0 {
			instead := "shows a mirror black, not matte,"
			if s.Objects.HasGhosts() { // see crossings
				instead = "continues to reflect, which Pillbox does not,"
			}
			return append(notes, fmt.Sprintf("POV-Ray %s where a ray was reflected %d times before", instead, s.Shading.Bounces))
		}
	}
	return notes
}

// writer writes a scene. The embedded bufio.Writer keeps the first error, which its method Flush returns.
type writer struct {
	*bufio.Writer
	scene  *scene.Scene
	view   *camera.View
	eye    camera.Camera
	center geom.Vec3 // center of a sphere around all solids
	radius float64
	unit   float64 // factor for lengths: a power of two, so no digit is lost

	written map[shapes.Sphere]bool // spheres and ends of capsules that were written
	cuts    map[int]cut            // what sections do to solids, by object number
}

// cut says what sections do to a solid.
type cut struct {
	scene.Cut
	depth float64 // of its cut faces: see layered
}

// unit returns the factor by which lengths are multiplied in a scene of the given extent. It is 1 except for very small
// and very large scenes. In these, two limits of POV-Ray would be visible: points within 1e-3 of a surface count as points
// on it, and hits at distances above 1e7 are ignored.
func unit(extent float64) float64 {
	const least, most = 1, 1 << 20
	_, exponent := math.Frexp(extent)
	switch {
	case extent < least:
		return math.Ldexp(1, 5-exponent)
	case extent > most:
		return math.Ldexp(1, 20-exponent)
	}
	return 1
}

// put writes strings one after the other.
func (t *writer) put(parts ...string) {
	for _, p := range parts {
		_, _ = t.WriteString(p) // Flush returns the error
	}
}

func (t *writer) head() {
	s := t.scene
	flags := ""
	if s.Image.Background.Transparent {
		flags = " +UA"
	}
	if n := s.Image.Antialias; n > 1 {
		flags += fmt.Sprintf(" +AM1 +A0.0 +R%d -J", n)
	} else {
		flags += " -A"
	}
	t.put("// Made by render export. To render this as scene.pov:\n",
		fmt.Sprintf("// povray +Iscene.pov +Oscene.png -D +W%d +H%d%s\n", s.Image.Width, s.Image.Height, flags))
	if t.unit != 1 {
		t.put("// Lengths are ", shortestDecimal(t.unit), " times the scene's.\n")
	}
	t.put("#version 3.7;\n", fmt.Sprintf("global_settings { assumed_gamma 1 max_trace_level %d adc_bailout 0 }\n", s.Shading.Bounces+1+t.crossings()))
}

// crossings returns how often a ray may cross the surfaces of ghosts. POV-Ray counts this like reflections.
func (t *writer) crossings() (n int) {
	const most = 32 // twice as often as 8 hulls, in and out
	for _, h := range hulls(t.scene) {
		n += 2 * len(h)
	}
	return min(n, most)
}

func (t *writer) camera() {
	axes, image := t.view.Axes(), t.scene.Image
	aspect := float64(image.Width) / float64(image.Height)
	height, ahead, kind := 1.0, 1.0, "perspective"
	if t.view.Parallel() {
		kind, height = "orthographic", t.eye.ViewHeight*t.unit
	} else {
		ahead = 0.5 / (t.eye.FOV / 2).Tan()
	}
	t.put("camera { ", kind, " location ", t.point(t.view.Position()), " right ", vector(axes.X.Scale(height*aspect)),
		" up ", vector(axes.Y.Scale(height)), " direction ", vector(axes.Z.Scale(-ahead)), " }\n")
}

// lights writes the lights, and the part of the ambient light that depends on the direction. Ambient light is (bottom +
// top) / 2 + (top - bottom) / 2 * N.up, where N is the normal. The first term is written as the ambient light of the
// finish. The second is written as two lights without shadows, from above and from below, one of which is negative: by
// Lambert's law only one of them reaches a surface.
func (t *writer) lights() {
	s := t.scene
	for _, l := range s.PlacedLights(t.view) {
		switch {
		case l.Directional && l.HasSize():
			t.sun(&l.Light)
		case l.Directional:
			t.parallel(l.Direction, l.Strength(), "")
		default:
			t.put("light_source { ", t.point(l.Position), " rgb ", color(l.Strength()), t.spotlight(&l.Light), t.area(l.Radius*t.unit), " }\n")
			t.ball(&l)
		}
	}
	if g := s.Shading.Ambient; !g.IsEven() {
		up, half := t.view.Up(), g.Top.Sub(g.Bottom).Scale(0.5)
		t.parallel(up.Neg(), half, shadowless)
		t.parallel(up, half.Scale(-1), shadowless)
	}
	t.put("#default { finish { ambient ", t.ambient(1), " diffuse 1 } }\n")
}

// ball writes the ball of a visible light. Only mirrors show it, and only from outside.
func (t *writer) ball(l *scene.PlacedLight) {
	if l.Visible && l.Radius > 0 && !l.IsSpot() {
		t.put("sphere { ", t.point(l.Position), ", ", t.length(l.Radius), " pigment { rgb ", color(l.Strength()),
			" } finish { ambient 0 diffuse 0 emission 1 } ", unseenInside, " no_image no_shadow }\n")
	}
}

// unseenInside makes a surface invisible for rays that leave the solid.
const unseenInside = "interior_texture { pigment { rgbt 1 } }"

// spotlight returns the keywords that make a point light a spot light. With tightness 0, its falloff is the same cubic
// of the cosine as in [shade.Falloff.At].
func (t *writer) spotlight(l *shade.Light) string {
	if !l.IsSpot() {
		return ""
	}
	half := l.Cone.Angle.Degrees() / 2
	to := l.Position.AddScaled(max(t.radius, l.Position.Sub(t.center).Norm()), l.Direction) // far enough away that rounding keeps the digits of the direction
	return " spotlight radius " + shortestDecimal(half-l.Cone.Edge.Degrees()) + " falloff " + shortestDecimal(half) + " tightness 0 point_at " + t.point(to)
}

// area returns the keywords that make a light a disc of the given radius, which faces each point that it lights. Lambert's law
// applies to each point of the disc. It returns "" for the radius 0.
func (t *writer) area(radius float64) string {
	if radius == 0 {
		return ""
	}
	// POV-Ray subdivides grids of 2^k + 1 points per side, between neighboring points that differ in visibility. With
	// adaptive 2 it begins with 5 x 5 points.
	side := 5
	for side*side < 4*t.scene.Shading.SampleCount() {
		side = 2*side - 1
	}
	d := shortestDecimal(2 * radius)
	return fmt.Sprintf(" area_light <%s,0,0>, <0,%s,0>, %d, %d circular orient jitter adaptive 2 area_illumination on", d, d, side, side)
}

// sun writes a directional light with an angle. POV-Ray's area lights cannot be parallel, so the light is written as a
// distant disc. The distance is 2,000 times the radius of the scene, or less if POV-Ray would otherwise ignore the
// disc. At 2,000 times, the direction of the light differs by less than 0.03 degrees within the scene.
func (t *writer) sun(l *shade.Light) {
	const far, most = 2000, 4e6
	away := min(far*t.radius, max(4*t.radius, most/t.unit))
	if away == 0 {
		away = 1
	}
	half := l.Angle / 2
	if most := geom.Angle(89); half > most { // a disc does not cover more of the sky
		half = most
	}
	t.put("light_source { ", t.point(t.center.AddScaled(-away, l.Direction)), " rgb ", color(l.Strength()), t.area(away*half.Tan()*t.unit), " }\n")
}

// shadowless makes a light ignore all solids. It also makes the light ignore its cone and its size, so scenes without
// shadows are written with another keyword: see [writer.surface].
const shadowless = " shadowless"

// parallel writes a light whose rays all have the direction along. POV-Ray requires a position for such a light; the
// position is chosen outside all solids.
func (t *writer) parallel(along geom.Vec3, c shade.Color, keywords string) {
	from := t.center.AddScaled(-4*t.radius, along)
	t.put("light_source { ", t.point(from), " rgb ", color(c), " parallel point_at ", t.point(t.center), keywords, " }\n")
}

// ambient returns a share of the constant term of the ambient light: see [writer.lights].
func (t *writer) ambient(share float64) string {
	return "rgb " + color(t.scene.Shading.Ambient.Level().Scale(share))
}

// background writes the background. POV-Ray's own background is transparent with the flag +UA, and black in mirrors. A
// gradient uses the range from 1/4 to 3/4 of its pattern, because patterns repeat at 0 and 1.
func (t *writer) background() {
	b, up := t.scene.Image.Background, t.view.Up()
	switch {
	case b.Transparent:
	case b.IsEven():
		t.put("background { rgb ", color(b.Top), " }\n")
	default:
		t.put("sky_sphere { pigment { function { 0.5 + 0.25*(x*", signed(up.X), " + y*", signed(up.Y), " + z*", signed(up.Z), ") } color_map { [0.25 rgb ",
			color(b.Bottom), "] [0.75 rgb ", color(b.Top), "] } } }\n")
	}
}

func (t *writer) solids() {
	s := t.scene
	t.declareChecker()
	t.cuts = t.layered(s.Cuts(false))
	for number := range s.Objects.Len() {
		if !s.Objects.IsGhost(number) && !t.isRemoved(number) {
			t.solid(number)
		}
	}
	for _, h := range hulls(s) {
		t.hull(slices.DeleteFunc(h, t.isRemoved))
	}
}

// layered returns the cuts by object number. Where solids overlap, their cut faces coincide, and that of the first solid must
// be visible. So each face is a little deeper than those of the cut solids before that may overlap it: by a millionth of the
// radius, which POV-Ray still distinguishes, or less if the last one would be visibly deeper. The faces of ghosts come after
// opaque ones, which hide them, and are farther from those of other hulls: a ray that has passed one hull must meet the next.
func (t *writer) layered(list []scene.Cut) map[int]cut {
	all := hulls(t.scene)
	gap := min(2e-3/t.unit, 0.02/float64(len(all))*t.radius)
	layer := make(map[int32]int) // 0 for an opaque solid, or the number of its hull
	for i, h := range all {
		for _, number := range h {
			layer[int32(number)] = i + 1
		}
	}
	slices.SortStableFunc(list, func(a, b scene.Cut) int { return cmp.Compare(layer[a.Object], layer[b.Object]) })
	steps, most := t.overlapSteps(list)
	step := min(1e-6, 1e-3/float64(most+1)) * t.radius
	cuts := make(map[int]cut, len(list))
	for i, c := range list {
		cuts[int(c.Object)] = cut{c, float64(steps[i])*step + float64(layer[c.Object])*gap}
	}
	return cuts
}

// overlapSteps returns a number for each cut solid that is greater than those of the solids before whose bounds overlap its
// own, and the largest of these numbers.
func (t *writer) overlapSteps(list []scene.Cut) (steps []int, most int) {
	const maxCompared = 1 << 14 // each with all before it
	steps = make([]int, len(list))
	if len(list) > maxCompared {
		for i := range steps {
			steps[i] = i
		}
		return steps, len(list)
	}
	bounds := make([]geom.Bounds, len(list))
	for i, c := range list {
		if len(c.By) == 0 {
			continue // it is removed
		}
		bounds[i] = t.scene.Solid(int(c.Object)).Bounds()
		for j := range i {
			if steps[j] >= steps[i] && len(list[j].By) > 0 && bounds[j].Overlaps(bounds[i]) {
				steps[i] = steps[j] + 1
			}
		}
		most = max(most, steps[i])
	}
	return steps, most
}

// isRemoved reports whether a section removes the whole solid.
func (t *writer) isRemoved(number int) bool {
	c, isCut := t.cuts[number]
	return isCut && len(c.By) == 0
}

// hulls returns the object numbers of the solids of each hull of ghosts.
func hulls(s *scene.Scene) (list [][]int) {
	index := make(map[shade.Surface]int)
	for number := range s.Objects.Len() {
		if !s.Objects.IsGhost(number) {
			continue
		}
		look := s.Objects.Material(number).Surface()
		i, known := index[look]
		if !known {
			i = len(list)
			index[look], list = i, append(list, nil)
		}
		list[i] = append(list[i], number)
	}
	return list
}

// hull writes the solids of a hull of ghosts. It merges them, which removes the surfaces inside the hull.
func (t *writer) hull(numbers []int) {
	if len(numbers) > 1 {
		t.put("merge {\n")
		defer t.put(" no_shadow }\n")
	}
	for _, number := range numbers {
		t.solid(number)
	}
}

func (t *writer) solid(number int) {
	if _, isCut := t.cuts[number]; isCut {
		t.put("intersection { ")
	}
	switch x := t.scene.Solid(number).(type) {
	case *shapes.Sphere:
		t.sphere(*x, number)
	case *shapes.Capsule:
		t.capsule(*x, number)
	case *shapes.Box:
		t.box(x, number)
	case *shapes.Cylinder:
		t.put("cylinder { ", t.point(x.A), ", ", t.point(x.B), ", ", t.length(x.Radius))
		t.surface(number, "")
	}
}

func (t *writer) sphere(x shapes.Sphere, solid int) {
	t.put("sphere { ", t.point(x.Center), ", ", t.length(x.Radius))
	t.surface(solid, "")
	if !t.scene.Objects.IsGhost(solid) {
		t.written[x] = true
	}
}

// capsule writes an open cylinder and two spheres, or one sphere if the ends coincide. The surfaces of the cylinder and
// the spheres extend into the capsule, which is visible only from inside. If camera rays may start there, merge removes
// the inner surfaces; merge is slow. Otherwise, capsule omits a sphere that was already written for an earlier solid:
// the two spheres coincide, and Pillbox shows the earlier one. A ghost is always merged.
func (t *writer) capsule(x shapes.Capsule, solid int) {
	if x.A == x.B {
		t.sphere(shapes.Sphere{Center: x.A, Radius: x.Radius}, solid)
		return
	}
	_, isCut := t.cuts[solid]
	isGhost := t.scene.Objects.IsGhost(solid)
	inside := isCut || isGhost || t.seenFromInside(x)
	r := t.length(x.Radius)
	ends := ""
	for _, end := range []geom.Vec3{x.A, x.B} {
		if s := (shapes.Sphere{Center: end, Radius: x.Radius}); inside || !t.written[s] {
			t.written[s] = t.written[s] || !isGhost
			ends += "sphere { " + t.point(end) + ", " + r + " } "
		}
	}
	cylinder := "cylinder { " + t.point(x.A) + ", " + t.point(x.B) + ", " + r
	if !isCut && !isGhost { // only closed cylinders have an inside
		cylinder += " open"
	}
	switch {
	case inside:
		t.put("merge { ", cylinder, " } ", ends)
	case ends != "":
		t.put("union { ", cylinder, " } ", ends)
	default:
		t.put(cylinder, " ")
	}
	t.surface(solid, "")
}

// seenFromInside reports whether camera rays may start inside a capsule. For an orthographic camera, it reports whether
// the capsule meets the plane in which all rays start.
func (t *writer) seenFromInside(x shapes.Capsule) bool {
	eye := t.view.Position()
	if t.view.Parallel() {
		z := t.view.Axes().Z
		a, b := x.A.Sub(eye).Dot(z), x.B.Sub(eye).Dot(z)
		return min(a, b) <= x.Radius && max(a, b) >= -x.Radius
	}
	nearest, _ := geom.Segment{A: x.A, B: x.B}.Closest(eye)
	return nearest.Sub(eye).Norm() <= x.Radius
}

func (t *writer) box(x *shapes.Box, solid int) {
	h, m := x.HalfExtents.Scale(t.unit), x.Rotation
	t.put("box { ", vector(h.Neg()), ", ", vector(h))
	t.surface(solid, " matrix <"+join(m.X)+","+join(m.Y)+","+join(m.Z)+","+join(x.Center.Scale(t.unit))+">")
}

// declareChecker writes the function for the squares of checkered boxes, if the scene has any. The function finds the face
// on which a point lies, and returns 1/4 for even squares and 3/4 for odd ones.
func (t *writer) declareChecker() {
	s := t.scene
	for i := range s.Boxes {
		if s.Objects.Material(s.Number(scene.KindBox, i)).Checker != nil {
			t.put(`#declare Square = function(u, v, edge) { 0.25 + 0.5*abs(mod(floor(u/edge) + floor(v/edge), 2)) }
#declare Checker = function(x, y, z, hx, hy, hz, edge) {
	select(abs(x)-hx - max(abs(y)-hy, abs(z)-hz),
		select(abs(y)-hy - (abs(z)-hz), Square(x, y, edge), Square(x, z, edge)),
		Square(y, z, edge)) }
`)
			return
		}
	}
}

// surface writes the end of a solid: first its appearance, then its transformation. In this order, the transformation
// also moves a checker with its box.
func (t *writer) surface(solid int, matrix string) {
	o := t.scene.Objects.Of(solid)
	m := &o.Material
	cut, isCut := t.cuts[solid]
	if kind, box := t.scene.Of(solid); kind != scene.KindBox || m.Checker == nil {
		t.put(" pigment { ", pigment(m, m.Albedo), " }")
	} else {
		t.put(" pigment { function { Checker(x,y,z,", join(t.scene.Boxes[box].HalfExtents.Scale(t.unit)), ",", t.length(m.Checker.Size),
			") } color_map { [0.5 ", pigment(m, m.Albedo), "] [0.5 ", pigment(m, m.Checker.Albedo), "] } }")
	}
	t.put(t.finish(m))
	if isCut {
		t.put(matrix, " }")
		matrix = ""
		for i := range cut.By {
			t.cutFace(&cut.By[i], m, cut.depth)
		}
	}
	if !t.scene.Shading.Shadows || m.Ghost != nil {
		t.put(" no_shadow")
	}
	t.put(matrix, " }")
	if o.Name != "" {
		t.put(" // ", strconv.QuoteToASCII(o.Name))
	}
	t.put("\n")
}

// pigment returns the color of a surface of the material m that has the albedo c. A ghost transmits the light of what lies
// behind.
func pigment(m *shade.Material, c shade.Color) string {
	if m.Ghost == nil {
		return "rgb " + color(c)
	}
	return "rgbt <" + join(geom.Vec3{X: c.R, Y: c.G, Z: c.B}) + "," + shortestDecimal(1-m.Ghost.Share) + ">"
}

// finish returns the finish of a material, or "" for the default. Without bounces, Pillbox shows mirrors as matte. It
// includes the inner side of ghosts.
func (t *writer) finish(m *shade.Material) string {
	if m.Ghost != nil {
		return " " + unseenInside
	}
	if m.Mirror == 0 || t.scene.Shading.Bounces == 0 {
		return ""
	}
	own := 1 - m.Mirror
	return " finish { ambient " + t.ambient(own) + " diffuse " + shortestDecimal(own) + " reflection " + shortestDecimal(m.Mirror) + " }"
}

// cutFace writes the half-space that a section keeps, with the appearance of the cut face of a solid, moved to a depth.
func (t *writer) cutFace(x *shapes.Section, m *shade.Material, depth float64) {
	point := x.Point.AddScaled(-depth, x.Normal)
	c, s := m.Albedo, &t.scene.Sections[x.Index]
	if s.HasColor {
		c = s.Color
	}
	look := pigment(m, c)
	if s.Hatch.Enabled {
		look = t.hatch(s, m, c)
	}
	t.put(" plane { ", vector(x.Normal), ", 0 translate ", t.point(point), " pigment { ", look, " }", t.finish(m), " }")
}

// hatch returns the pigment of a cut face of the material m, with the lines of a section between areas of the albedo c.
func (t *writer) hatch(s *scene.Section, m *shade.Material, c shade.Color) string {
	l := s.Lines()
	a := l.Across.Div(t.unit)
	n := fmt.Sprintf("(x*%s + y*%s + z*%s - %s)", signed(a.X), signed(a.Y), signed(a.Z), signed(l.Across.Dot(l.Origin)))
	return fmt.Sprintf("function { %s - floor(%s) } color_map { [%s %s] [%[3]s %[5]s] }", n, n, shortestDecimal(l.Share), pigment(m, s.Hatch.Color), pigment(m, c))
}

func (t *writer) point(v geom.Vec3) string { return vector(v.Scale(t.unit)) }

func (t *writer) length(x float64) string { return shortestDecimal(x * t.unit) }

func vector(v geom.Vec3) string { return "<" + join(v) + ">" }

func color(c shade.Color) string { return vector(geom.Vec3{X: c.R, Y: c.G, Z: c.B}) }

func join(v geom.Vec3) string {
	return strings.Join([]string{shortestDecimal(v.X), shortestDecimal(v.Y), shortestDecimal(v.Z)}, ",")
}

// shortestDecimal returns the shortest text that parses to x.
func shortestDecimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// signed formats a number for a formula. It adds parentheses, because a sign must not follow an operator.
func signed(x float64) string { return "(" + shortestDecimal(x) + ")" }
