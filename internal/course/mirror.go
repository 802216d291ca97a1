package course

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/sampler"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// sceneJSON encodes a scene for a question. It lists every solid, with the defaults filled in. It returns an error if
// the scene uses features that the course does not cover.
func sceneJSON(st *follow.Prepared) (json.RawMessage, error) {
	s := st.Scene
	if err := checkScene(s); err != nil {
		return nil, err
	}
	c := s.CameraFor(st.Size.X, st.Size.Y)
	type background struct {
		Top    string `json:"top"`
		Bottom string `json:"bottom"`
	}
	out := struct {
		Width      int               `json:"width"`
		Height     int               `json:"height"`
		Antialias  int               `json:"antialias"`
		Background background        `json:"background"`
		Camera     cameraFields      `json:"camera"`
		Ambient    float64           `json:"ambient"`
		Bounces    int               `json:"bounces"`
		Lights     lights            `json:"lights"`
		Solids     []json.RawMessage `json:"solids"`
	}{
		Width: st.Size.X, Height: st.Size.Y, Antialias: st.Antialias, Camera: cameraFieldsOf(&c),
		Ambient: s.Shading.Ambient.Top.R, Bounces: s.Shading.Bounces, Solids: []json.RawMessage{},
	}
	out.Background.Top, _ = hexOf(s.Image.Background.Top)
	out.Background.Bottom, _ = hexOf(s.Image.Background.Bottom)
	for i := range st.Lights {
		out.Lights = append(out.Lights, st.Lights[i].Light)
	}
	for i := range s.Objects.Len() {
		m := s.Objects.Material(i)
		hex, _ := hexOf(m.Albedo)
		data, err := solidJSON(s.Solid(i), look{hex, &m.Mirror})
		if err != nil {
			return nil, err
		}
		out.Solids = append(out.Solids, data)
	}
	return json.Marshal(out)
}

// checkScene returns an error if a scene uses features that the course does not cover.
func checkScene(s *scene.Scene) error {
	no := func(what string) error { return fmt.Errorf("%s: the course has no %s", s.Name, what) }
	a := s.Shading.Ambient
	_, top := hexOf(s.Image.Background.Top)
	_, bottom := hexOf(s.Image.Background.Bottom)
	switch {
	case s.Image.Background.Transparent:
		return no("transparent background")
	case s.Image.Adaptive && s.Image.Antialias > 1:
		return no("adaptive antialiasing")
	case !s.Shading.Shadows:
		return no("scenes without shadows")
	case s.Fog != nil:
		return no("fog")
	case len(s.Sections) > 0:
		return no("sections")
	case s.Shading.Occlusion.Enabled:
		return no("ambient occlusion")
	case a.Top != a.Bottom || a.Top.R != a.Top.G || a.Top.G != a.Top.B:
		return no("ambient light but a number")
	case !top || !bottom:
		return no("background but of colors \"#rrggbb\"")
	case len(s.Lights) == 0:
		return no("scenes without lights")
	}
	for i := range s.Lights {
		if s.Lights[i].IsSpot() {
			return no("spot lights")
		}
		if s.Lights[i].HasSize() {
			return no("lights with a size")
		}
		if _, ok := hexOf(s.Lights[i].Color); !ok {
			return no("light but of colors \"#rrggbb\"")
		}
	}
	for i := range s.Objects.Len() {
		m := s.Objects.Material(i)
		if _, ok := hexOf(m.Albedo); !ok || m.Checker != nil {
			return no("material but of colors \"#rrggbb\"")
		}
	}
	return nil
}

// mirrorQuestion asks for the color that a ray sees in a scene.
type mirrorQuestion struct {
	st   *follow.Prepared
	text string // of the scene, in TOML
	file string // path of the scene; "" if it is not in a file
	ray  geom.Ray

	most float64 // the tolerance; 0 until it is computed
}

// MarshalJSON encodes the question as docs/course/protocol.md describes it.
func (q *mirrorQuestion) MarshalJSON() ([]byte, error) {
	s, err := sceneJSON(q.st)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		rayFields
		SceneFile string          `json:"scene_file,omitempty"`
		Scene     json.RawMessage `json:"scene"`
	}{rayFieldsOf(q.ray), q.file, s})
}

// light is an answer in the stage mirror: a linear color.
type light struct {
	R, G, B float64 `course:"unit"`
}

// unknownLight means the answer of a wrong program if the answer depends on rounding and cannot be predicted.
func unknownLight() light { return light{math.Inf(1), math.Inf(1), math.Inf(1)} }

func (l light) unknown() bool { return l == unknownLight() }

// isUnknown reports whether a is the unknown answer of a wrong program, such as [unknownLight].
func isUnknown(a any) bool {
	u, ok := a.(interface{ unknown() bool })
	return ok && u.unknown()
}

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (l light) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"color": finite(triple{l.R, l.G, l.B})})
}

// mirrorStage returns the stage about the color that a ray sees in a scene with mirrors.
func mirrorStage() kind {
	return &stageOf[mirrorQuestion, light]{
		asks: sceneAsks(), solve: solveMirror,
		read: func(_ *mirrorQuestion, r *reader) light {
			c := r.vec("color")
			return light{c.X, c.Y, c.Z}
		},
		judge: func(q *mirrorQuestion, given light) *problem {
			want := solveMirror(q)
			most := q.tolerance()
			for _, d := range [...]float64{given.R - want.R, given.G - want.G, given.B - want.B} {
				if !(math.Abs(d) <= most) {
					return differ("color", colorWords(geom.Vec3{X: want.R, Y: want.G, Z: want.B}, geom.Vec3{X: given.R, Y: given.G, Z: given.B}), triple{want.R, want.G, want.B}, triple{given.R, given.G, given.B})
				}
			}
			return nil
		},
		scale: func(*mirrorQuestion) float64 { return 1 },
		derive: func(q *mirrorQuestion) Derivation {
			return Derivation{Args: []string{"explain", "-", "--ray=" + rayText(q.ray), "--brief"}, Stdin: q.text}
		},
		random: mirrorParts(), pixels: mirrorPixels(),
		books: books[mirrorQuestion, light]{lesson: "mirrors.md", styles: solidStyles, run: (*program).mirror, kinds: 18},
	}
}

func (q *mirrorQuestion) see(r geom.Ray) shade.Color {
	return q.st.Follow(q.st.ViewerRay(r), sampler.Position{}, nil).Color
}

func solveMirror(q *mirrorQuestion) light {
	c := q.see(q.ray)
	return light{c.R, c.G, c.B}
}

// size returns the length to which rounding errors are relative. It is the distance from the ray's origin to the far
// side of the scene's bounding sphere. If the largest coordinate of the sphere's center is larger, it is that
// coordinate.
func (q *mirrorQuestion) size() float64 {
	center, radius := q.st.Scene.BoundingSphere()
	return max(center.Sub(q.ray.Origin).Norm()+radius, center.MaxAbs())
}

// sides returns the directions along and against the axes.
func sides() [6]geom.Vec3 { return [...]geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} }

// spread estimates the effect of rounding on the color. It moves the ray's origin along each axis by the fraction by of
// [mirrorQuestion.size], and also changes each component of the ray's direction by the number by. It returns the largest
// change of a color channel.
func (q *mirrorQuestion) spread(by float64) float64 {
	length := by * q.size()
	c := q.see(q.ray)
	most := 0.0
	for _, v := range sides() {
		for _, r := range [...]geom.Ray{
			{Origin: q.ray.Origin.AddScaled(length, v), Dir: q.ray.Dir},
			{Origin: q.ray.Origin, Dir: q.ray.Dir.AddScaled(by, v).Unit()},
		} {
			d := q.see(r).Sub(c)
			most = max(most, math.Abs(d.R), math.Abs(d.G), math.Abs(d.B))
		}
	}
	return most
}

// tolerance returns the accepted error of a color channel. It is 16 times [Leeway], plus four times the largest
// change of the color when the ray moves by [Leeway]. The first part is for the conversion of the materials' colors
// from sRGB, whose curve has an exponent of 2.4.
func (q *mirrorQuestion) tolerance() float64 {
	if q.most == 0 {
		q.most = 16*Leeway + 4*q.spread(Leeway)
	}
	return q.most
}

// sceneText builds the text of a scene for a question.
type sceneText struct {
	*dice
	strings.Builder
	unit float64
	eye  geom.Vec3 // the camera's position in units of the scene; 0: [viewpoint]
	up   geom.Vec3 // of the camera; 0: the text does not contain it
}

// solid adds a solid. With mirror 0 it is not a mirror.
func (t *sceneText) solid(s shapes.Shape, mirror float64) {
	hex, _ := hexOf(t.anyColor(40))
	name := fmt.Sprintf("m%d", strings.Count(t.String(), "\n"))
	fmt.Fprintf(t, "[material.%s]\ncolor = %q\nmirror = %s\n%smaterial = %q\n", name, hex, numberText(mirror), toml(s), name)
}

// viewpoint is the usual position of the camera in units of the scene.
var viewpoint = geom.Vec3{X: 3, Y: 4, Z: 12}

// head adds everything except the solids.
func (t *sceneText) head(bounces int, all lights) {
	top, _ := hexOf(t.anyColor(100))
	bottom, _ := hexOf(t.anyColor(100))
	fmt.Fprintf(t, "[image]\nwidth = 32\nheight = 24\nbackground = { top = %q, bottom = %q }\n", top, bottom)
	fmt.Fprintf(t, "[camera]\nposition = %s\nlook_at = [0, 0, 0]\n", tomlVec(cmp.Or(t.eye, viewpoint).Scale(t.unit)))
	if t.up != (geom.Vec3{}) {
		fmt.Fprintf(t, "up = %s\n", tomlVec(t.up))
	}
	fmt.Fprintf(t, "[shading]\nambient = %s\nbounces = %d\n%s", numberText(t.between(0.05, 0.25)), bounces, all.toml())
}

// prepared parses the text and prepares the scene. It panics if the text is not a valid scene.
func (t *sceneText) prepared() *follow.Prepared {
	s, err := scene.Decode("question.toml", []byte(t.String()))
	if err != nil {
		panic(fmt.Sprintf("course: a question has an invalid scene: %v", err))
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		panic(fmt.Sprintf("course: the scene of a question cannot be rendered: %v", err))
	}
	return follow.Of(p)
}

// question calls the function ray until the color of the returned ray hardly depends on rounding, and returns a question
// with this ray. Other rays are no use: mirrors can magnify a rounding error until the ray hits another solid.
func (t *sceneText) question(ray func() geom.Ray) mirrorQuestion {
	const steady = 1e-6
	st := t.prepared()
	for {
		q := mirrorQuestion{st: st, text: t.String(), file: t.sceneFile(), ray: ray()}
		if q.spread(1e-9) < steady {
			return q
		}
	}
}

// along returns the question about the ray r. It returns false if the color depends too much on rounding.
func (t *sceneText) along(r geom.Ray) (mirrorQuestion, bool) {
	const steady = 0.01 // so the tolerance is small, and an answer that ignores a near miss is wrong
	q := mirrorQuestion{st: t.prepared(), text: t.String(), file: t.sceneFile(), ray: r}
	return q, q.spread(4*Leeway) < steady && q.lightSpread(4*Leeway) < steady
}

// lightSpread returns the largest change of the color when one of the point lights moves along an axis by the given
// fraction of the scene's size. The ray stays the same.
func (q *mirrorQuestion) lightSpread(by float64) float64 {
	c := q.see(q.ray)
	length := by * q.size()
	moved := *q.st
	most := 0.0
	for i := range q.st.Lights {
		if q.st.Lights[i].Directional {
			continue
		}
		for _, v := range sides() {
			moved.Lights = slices.Clone(q.st.Lights)
			moved.Lights[i].Position = moved.Lights[i].Position.AddScaled(length, v)
			d := (&mirrorQuestion{st: &moved}).see(q.ray).Sub(c)
			most = max(most, math.Abs(d.R), math.Abs(d.G), math.Abs(d.B))
		}
	}
	return most
}

// mirrored returns a question about a small mirror at the common origin of two lines. The mirror reflects the
// question's ray along the first line. A light shines on the mirror along the second line. mirrored returns false if
// something hides the mirror, or if the color depends on rounding.
func (d *dice) mirrored(next func() lineQuestion) (mirrorQuestion, bool) {
	seen := next()
	if d.IntN(2) == 0 {
		seen = d.fromWithin(seen)
	}
	p, unit, out := seen.ray.Origin, sizeOf(seen.shape), seen.ray.Dir
	shadow := seen.nextBeside(next)
	beside := shade.Light{Position: p.AddScaled(unit*d.between(0.05, 0.5), out.AddScaled(0.8, d.direction())), Color: shade.White(), Intensity: [...]float64{0.5, 8}[d.IntN(2)]}
	both := lights{d.lightAlong(shadow, p), beside} // the second light shines on what the mirror shows
	for try := range 8 {
		n := out // the ray comes back as it came, exactly
		if try > 0 || out.MaxAbs() < 1 && d.IntN(4) > 0 {
			n = out.AddScaled(d.Float64(), shadow.ray.Dir).AddScaled(0.7*d.Float64(), d.direction()).Unit()
		}
		plate := d.plate(p, n, 0.3*unit)
		in := shade.Reflect(out, n)
		dist := unit * [...]float64{0.1, 3, 1, 0.01}[try%4]
		r := geom.Ray{Origin: p.AddScaled(-dist, in), Dir: in}
		all := solids{plate, seen.shape, shadow.shape}
		if n.Dot(out) < 0.1 || n.Dot(shadow.ray.Dir) < 0.1 || solveNearest(&nearestQuestion{r, all}).Object != 0 {
			continue
		}
		switch d.IntN(4) { // add a solid at nearly the distance of the mirror, or of what it shows
		case 0:
			all = append(all, d.entered(r, dist+float64(2*d.tilt()*unit), 0.3*unit))
		case 1, 2:
			if span, ok := seen.shape.Span(seen.ray); ok && span.Near.T > 0 {
				all = append(all, d.entered(seen.ray, span.Near.T+float64(2*d.tilt()*unit), 0.3*unit))
			}
		}
		t := &sceneText{dice: d, unit: unit}
		t.head(1+d.IntN(2), both)
		for _, i := range d.Perm(len(all)) {
			mirror := float64(d.IntN(2)) * d.between(0.2, 0.6)
			if i == 0 {
				mirror = d.between(0.3, 0.7)
			}
			t.solid(all[i], mirror)
		}
		return t.along(r)
	}
	return mirrorQuestion{}, false
}

// besideEye returns a question about a solid that a mirror shows. The solid is just behind the eye, or the eye is
// inside of it, close to the surface.
func (d *dice) besideEye() mirrorQuestion {
	d.everyScale()
	for {
		t := &sceneText{dice: d, unit: d.unit()}
		r := geom.Ray{Origin: d.point(3), Dir: d.direction()}
		back := geom.Ray{Origin: r.Origin, Dir: r.Dir.Neg()}
		t.head(1+d.IntN(2), lights{{Position: r.At(t.unit).AddScaled(0.5*t.unit, d.across(r.Dir)), Color: shade.White(), Intensity: 0.5}})
		t.solid(d.entered(back, d.nearMiss()*t.unit, t.unit), 0)
		t.solid(d.plate(r.At(2*t.unit), back.Dir.AddScaled(0.1, d.direction()).Unit(), t.unit), d.between(0.3, 0.7))
		if q, ok := t.along(r); ok {
			return q
		}
	}
}

// plate returns a thin square box. One of its two large faces has the center p and the outward normal n.
func (d *dice) plate(p, n geom.Vec3, size float64) *shapes.Box {
	side := d.across(n)
	thin := size / 8
	return &shapes.Box{
		Center: p.AddScaled(-thin, n), HalfExtents: geom.Vec3{X: size, Y: size, Z: thin},
		Rotation: geom.Mat3{X: side, Y: n.Cross(side).Unit(), Z: n},
	}
}

// sceneAsks returns the kinds of questions about scenes with mirrors.
func sceneAsks() []ask[mirrorQuestion] {
	text := func(d *dice) *sceneText { return &sceneText{dice: d, unit: d.length(1, 1)} }
	suns := func(t *sceneText) lights { return t.anyLights(1+t.IntN(2), geom.Vec3{Y: 6 * t.unit}, 4*t.unit) }
	floor := func(t *sceneText, mirror float64) {
		u := t.unit
		t.solid(&shapes.Box{Center: geom.Vec3{Y: -2.5 * u}, HalfExtents: geom.Vec3{X: 9 * u, Y: 0.5 * u, Z: 9 * u}, Rotation: geom.Identity()}, mirror)
	}
	// grid adds solids to some of 3 x 3 cells above the floor.
	grid := func(t *sceneText, mirror func() float64) {
		for cell := range 9 {
			at := geom.Vec3{X: float64(cell%3-1) * 3 * t.unit, Z: float64(cell/3-1) * 3 * t.unit}
			if cell != 4 && t.IntN(3) == 0 {
				continue
			}
			t.solid(t.anySolid(at, 1.3*t.unit), mirror())
		}
	}
	from := func(t *sceneText) func() geom.Ray {
		return func() geom.Ray {
			eye := geom.Vec3{X: t.unit * t.between(-6, 6), Y: t.unit * t.between(1, 6), Z: t.unit * t.between(8, 12)}
			return toward(eye, geom.Vec3{X: t.unit * t.between(-4, 4), Y: t.unit * t.between(-2.5, 1), Z: t.unit * t.between(-4, 4)})
		}
	}
	some := func(t *sceneText) func() float64 {
		return func() float64 { return float64(t.IntN(2)) * t.between(0.2, 0.9) }
	}
	// alone returns a question about a scene with a single mirror, seen from outside or from inside. The mirror is a
	// sphere, a capsule or a box, in turn.
	alone := func(d *dice, inside bool) mirrorQuestion {
		d.everyScale()
		t := text(d)
		u := t.unit
		t.head(1+d.IntN(3), append(suns(t), shade.Light{Position: d.direction().Scale(0.3 * u), Color: shade.White(), Intensity: 0.5}))
		center := d.direction().Scale(0.2 * u)
		var s shapes.Shape = &shapes.Sphere{Center: center, Radius: 2 * u}
		axis := d.direction()
		switch d.turn % 3 {
		case 1:
			s = &shapes.Capsule{A: center.AddScaled(-1.5*u, axis), B: center.AddScaled(1.5*u, axis), Radius: 1.2 * u}
		case 2:
			s = &shapes.Box{Center: center, HalfExtents: geom.Vec3{X: 1.2 * u, Y: 1.6 * u, Z: 2 * u}, Rotation: d.rotation()}
		}
		t.solid(s, [...]float64{d.between(0.3, 1), 1e-9, 1, 1e-6, d.between(0.3, 1), 1e-3, d.between(0.3, 1)}[d.turn%7])
		return t.question(func() geom.Ray {
			switch {
			case inside:
				return geom.Ray{Origin: center.AddScaled(0.9*u*d.Float64(), d.direction()), Dir: d.direction()}
			case d.turn%5 == 4: // the mirror lies behind
				out := d.direction()
				return toward(out.Scale(7*u), out.Scale(14*u).AddScaled(u, d.direction()))
			}
			return toward(d.direction().Scale(7*u), center.AddScaled(d.between(0, 2.5)*u, d.direction()))
		})
	}
	insideBox := ask[mirrorQuestion]{Degenerate, "inside a box", func(d *dice) mirrorQuestion {
		t := text(d)
		t.eye = geom.Vec3{X: 3.1, Y: 2.3, Z: 5.7} // inside, too: the walls lie beyond the light
		var around lights                         // one light inside, one outside
		for _, y := range [...]float64{4, 8} {
			around = append(around, shade.Light{Position: geom.Vec3{X: d.between(-3, 3), Y: y, Z: d.between(-3, 3)}, Color: shade.White(), Intensity: 0.5})
		}
		t.head(1+d.IntN(3), around)
		ball := geom.Vec3{X: d.between(-2, 2), Y: -1}
		t.solid(&shapes.Sphere{Center: ball, Radius: 1}, 0.5)
		t.solid(&shapes.Box{HalfExtents: geom.Vec3{X: 6, Y: 5, Z: 7}, Rotation: geom.Identity()}, 0.4)
		return t.question(func() geom.Ray {
			eye := geom.Vec3{X: d.between(-2, 2), Y: d.between(1, 3), Z: d.between(-3, 3)}
			if d.turn%2 == 0 {
				return toward(eye, ball.AddScaled(0.7, d.direction()))
			}
			return geom.Ray{Origin: eye, Dir: d.direction()}
		})
	}}
	facing := ask[mirrorQuestion]{Degenerate, "two mirrors face each other", func(d *dice) mirrorQuestion {
		t := text(d)
		t.head(2+d.IntN(8), suns(t))
		for _, x := range [...]float64{-4, 4} {
			t.solid(&shapes.Box{Center: geom.Vec3{X: x}, HalfExtents: geom.Vec3{X: 0.5, Y: 3, Z: 3}, Rotation: geom.Identity()}, 0.8)
		}
		return t.question(func() geom.Ray {
			return toward(geom.Vec3{X: d.between(-3.4, 3.4), Y: d.between(-2, 2), Z: d.between(-2, 2)}, geom.Vec3{X: 3.5, Y: d.between(-2, 2), Z: d.between(-2, 2)})
		})
	}}
	// The scenes of behind contain spheres that lie one behind the other. The scene lists them in random order.
	behind := ask[mirrorQuestion]{Degenerate, "one behind the other", func(d *dice) mirrorQuestion {
		d.everyScale()
		t := text(d)
		t.head(d.IntN(3), suns(t))
		dir := d.direction()
		ways := []float64{2, 5, 8}
		d.Shuffle(len(ways), func(i, j int) { ways[i], ways[j] = ways[j], ways[i] })
		for _, way := range ways {
			t.solid(&shapes.Sphere{Center: dir.Scale(way * t.unit), Radius: t.unit * d.between(0.5, 1.2)}, some(t)())
		}
		return t.question(func() geom.Ray {
			return toward(dir.Scale(-t.unit), dir.Scale(9*t.unit).AddScaled(0.4*t.unit, d.direction()))
		})
	}}
	// The scenes of grazed contain a ball and a directional light. At the point at which the rays are aimed, the light is
	// almost tangent to the ball.
	grazed := ask[mirrorQuestion]{Degenerate, "light that grazes the surface", func(d *dice) mirrorQuestion {
		t := text(d)
		n := d.direction()
		sun := d.anyLights(1, geom.Vec3{}, 1)[0]
		sun.Directional, sun.Direction = true, d.across(n).AddScaled(d.nearMiss(), n).Unit().Neg()
		t.head(0, lights{sun})
		t.solid(&shapes.Sphere{Radius: 1}, 0)
		return t.question(func() geom.Ray { return toward(n.AddScaled(0.5, d.direction()).Scale(5), n) })
	}}
	// In the scenes of bright, lights are so bright that colors exceed 1, and the camera's up vector is neither parallel to
	// y nor a unit vector.
	bright := ask[mirrorQuestion]{Degenerate, "a tilted camera and bright lights", func(d *dice) mirrorQuestion {
		t := text(d)
		noon := shade.Light{Directional: true, Direction: d.direction().Sub(geom.Vec3{Y: 2}).Unit(), Color: shade.White(), Intensity: 8}
		t.up = d.across(viewpoint.Unit()).AddScaled(0.1*d.between(-1, 1), viewpoint.Unit()).Scale(d.length(0.5, 2))
		t.head(1+d.IntN(3), append(suns(t), noon))
		grid(t, func() float64 { return d.between(0.3, 0.9) })
		floor(t, 0.4)
		return t.question(from(t))
	}}
	lines := slices.Concat(
		linesAt(1, "a mirror shows a line at a sphere", sphereAsks(), (*dice).mirrored),
		linesAt(12, "a mirror shows a line at a box", boxAsks(), (*dice).mirrored),
		linesAt(5, "a mirror shows a line at a capsule", capsuleAsks(), (*dice).mirrored),
	)
	return append([]ask[mirrorQuestion]{ // lines last: the stage picture uses the first kinds
		bright, bright, insideBox, insideBox, facing, facing, behind, grazed, grazed,
		{Degenerate, "a mirror shows what is next to the eye", (*dice).besideEye},
		{Degenerate, "one mirror", func(d *dice) mirrorQuestion { return alone(d, false) }},
		{Degenerate, "inside of one mirror", func(d *dice) mirrorQuestion { return alone(d, true) }},
		{Ordinary, "a few solids", func(d *dice) mirrorQuestion {
			t := text(d)
			t.head(4, suns(t))
			grid(t, some(t))
			floor(t, 0)
			return t.question(from(t))
		}},
		{Ordinary, "mirrors everywhere", func(d *dice) mirrorQuestion {
			t := text(d)
			t.head(1+d.IntN(5), suns(t))
			grid(t, func() float64 { return d.between(0.3, 0.9) })
			floor(t, 0.4)
			return t.question(from(t))
		}},
		{Degenerate, "no bounces", func(d *dice) mirrorQuestion {
			t := text(d)
			t.head(0, suns(t))
			grid(t, func() float64 { return 0.5 })
			floor(t, 0.3)
			return t.question(from(t))
		}},
		{Degenerate, "solids that touch", func(d *dice) mirrorQuestion {
			t := text(d)
			t.head(3, suns(t))
			for x := range 3 {
				t.solid(&shapes.Sphere{Center: geom.Vec3{X: float64(2*x - 2), Y: -1}, Radius: 1}, 0.6)
			}
			floor(t, 0.2)
			return t.question(from(t))
		}},
	}, lines...)
}

// tracer is a small ray tracer. Initially it computes the same colors as package follow. Mistakes in pictures change some
// of its fields.
type tracer struct {
	st     *follow.Prepared
	solids solids

	albedo  func(shade.Color) shade.Color
	light   func(shade.Light) shade.Light
	shadows bool
	bounces int
	missed  func(dir geom.Vec3) shade.Color // the color of the background

	metNothing, metSolid, metMirror, metInside bool // what the rays have met; metMirror: before the last bounce
	aroundEye                                  bool // a solid contains the eye
}

func newTracer(st *follow.Prepared) *tracer {
	t := &tracer{
		st: st, shadows: true, bounces: st.Scene.Shading.Bounces,
		albedo: func(c shade.Color) shade.Color { return c },
		light:  func(l shade.Light) shade.Light { return l },
		missed: func(dir geom.Vec3) shade.Color { c, _ := st.Background(dir); return c },
	}
	for i := range st.Scene.Objects.Len() {
		t.solids = append(t.solids, st.Scene.Solid(i))
	}
	return t
}

// see returns the color that a viewer's ray sees.
func (t *tracer) see(r geom.Ray) shade.Color {
	ray := t.st.ViewerRay(r)
	t.aroundEye = len(ray.Eye) > 0
	return t.follow(ray, 0)
}

// meet returns the first solid that the ray d hits within reach, the distance of the hit, and whether the hit is
// from inside. If the ray hits nothing, object is -1.
func (t *tracer) meet(d *accel.SecondaryRay, reach float64) (object int, at float64, inside bool) {
	object, at = -1, reach
	for k, s := range t.solids {
		span, ok := s.Span(d.Ray)
		own := int32(k) == d.Object
		if !ok || own && !d.Inside {
			continue
		}
		near, far := span.Near.T, span.Far.T
		enclosed := false
		for _, e := range d.Eye {
			enclosed = enclosed || e == int32(k)
		}
		x, in := near, false
		switch {
		case own || enclosed && d.Object != accel.None:
			x, in = far, true
		case near <= 0 && d.Object == accel.None:
			x, in = far, true
		}
		if (x > 0 || own) && x < at {
			object, at, inside = k, x, in
		}
	}
	return object, at, inside
}

func (t *tracer) follow(d accel.SecondaryRay, depth int) shade.Color {
	k, at, inside := t.meet(&d, math.Inf(1))
	if k < 0 {
		t.metNothing = true
		return t.missed(d.Ray.Dir)
	}
	t.metSolid, t.metInside = true, t.metInside || inside
	p := d.Ray.At(at)
	n := crossingNormal(t.solids[k], d.Ray, inside)
	leave := func(dir geom.Vec3) accel.SecondaryRay {
		return accel.SecondaryRay{Ray: geom.Ray{Origin: p, Dir: dir}, Object: int32(k), Inside: inside, Eye: d.Eye}
	}
	sum := t.st.Ambient(n)
	for i := range t.st.Lights {
		l := t.light(t.st.Lights[i].Light)
		dir, reach := l.Toward(p)
		cos := n.Dot(dir)
		if !(cos > 0) {
			continue
		}
		away := leave(dir)
		if blocker, _, _ := t.meet(&away, reach); t.shadows && blocker >= 0 {
			continue
		}
		sum = sum.Add(l.Irradiance(cos))
	}
	material := t.st.Scene.Objects.Material(k)
	matte := shade.Lambert(t.albedo(material.Albedo), sum)
	if material.Mirror == 0 || depth >= t.bounces {
		return matte
	}
	t.metMirror = true
	return matte.Mix(t.follow(leave(shade.Reflect(d.Ray.Dir, n)), depth+1), material.Mirror)
}

// crossingNormal returns the solid's outward normal at the point where the ray's line enters the solid. If inside is
// true, it returns instead the normal at the point where the line leaves the solid, turned inward.
func crossingNormal(s shapes.Shape, r geom.Ray, inside bool) geom.Vec3 {
	span, _ := s.Span(r)
	if inside {
		return span.Far.Normal.Neg()
	}
	return span.Near.Normal
}

// withoutGamma treats all color values as linear.
func (t *tracer) withoutGamma() {
	t.albedo = fraction
	t.light = func(l shade.Light) shade.Light {
		l.Color = fraction(l.Color)
		return l
	}
	t.missed = func(dir geom.Vec3) shade.Color {
		b := t.st.Scene.Image.Background
		return shade.Gradient{Top: fraction(b.Top), Bottom: fraction(b.Bottom)}.Toward(dir, t.st.View.Up())
	}
}

// mirrorParts returns the mistakes that are recognized only by the rays with wrong answers, such as all rays that meet
// a mirror.
func mirrorParts() []random[mirrorQuestion, light] {
	const lesson = "mirrors.md"
	// where returns the mistake that explains wrong answers for rays with a property. has returns a field that the
	// tracer sets if the ray has the property.
	where := func(name, advice string, has func(t *tracer) *bool) random[mirrorQuestion, light] {
		return random[mirrorQuestion, light]{Mistake: Mistake{name, advice, lesson}, always: true, may: func(q *mirrorQuestion, _ light) bool {
			t := newTracer(q.st)
			t.see(q.ray)
			return *has(t)
		}}
	}
	return []random[mirrorQuestion, light]{
		where("only rays of an eye inside a solid have wrong colors", "The color is right if no solid contains the eye. A solid around the eye is hit where the ray leaves it, by the camera ray, by shadow rays and by reflected rays. Find these solids anew for each question.",
			func(t *tracer) *bool { return &t.aroundEye }),
		where("only rays that meet a solid from inside have wrong colors", "The color is right for all rays that meet no solid from inside. Check which crossing counts there, the normal, and the solids that the next ray skips.",
			func(t *tracer) *bool { return &t.metInside }),
		where("only rays that meet a mirror have wrong colors", "The color is right for all rays that meet no mirror. Check the reflected ray: its origin, its direction, the solid that it skips, and how its color is mixed.",
			func(t *tracer) *bool { return &t.metMirror }),
		where("only rays that reach the background have wrong colors", "The color is right for all rays that do not reach the background.",
			func(t *tracer) *bool { return &t.metNothing }),
		where("only rays that meet a solid have wrong colors", "Rays that meet nothing have the right color.",
			func(t *tracer) *bool { return &t.metSolid }),
	}
}
