package play_test

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/aov"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// sighting is a scene and a pixel of its picture. The answers to questions about the pixel are recomputed by rendering
// changed scenes, without any code of the explanations.
type sighting struct {
	t     *testing.T
	scene *scene.Scene
	size  image.Point
	at    image.Point
}

// sightingOf returns the pixel of a request. A ray becomes the only pixel of a picture with parallel rays.
func sightingOf(t *testing.T, request object) *sighting {
	t.Helper()
	s, err := scene.Decode("s.toml", []byte(request["text"].(string)))
	if err != nil {
		t.Fatal(err)
	}
	if pixel, ok := request["pixel"].([]any); ok {
		size := image.Pt(s.Image.Width, s.Image.Height)
		if width, ok := request["width"].(float64); ok {
			size = image.Pt(int(width), int(request["height"].(float64)))
		}
		return &sighting{t, s, size, image.Pt(int(pixel[0].(float64)), int(pixel[1].(float64)))}
	}
	var x [6]float64
	for i, v := range request["ray"].([]any) {
		x[i] = v.(float64)
	}
	return (&sighting{t: t, scene: s}).from(geom.Vec3{X: x[0], Y: x[1], Z: x[2]}, geom.Vec3{X: x[3], Y: x[4], Z: x[5]})
}

// from returns the same scene seen along a ray.
func (v *sighting) from(origin, dir geom.Vec3) *sighting {
	up := geom.Vec3{Y: 1}
	if math.Abs(dir.Y) > 0.9*dir.Norm() {
		up = geom.Vec3{X: 1}
	}
	other := *v
	s := *v.scene
	s.Camera = &camera.Camera{Projection: camera.Orthographic, Position: origin, LookAt: origin.Add(dir), Up: up, ViewHeight: 1}
	other.scene, other.size, other.at = &s, image.Pt(1, 1), image.Point{}
	return &other
}

// with returns the same pixel of a changed copy of the scene.
func (v *sighting) with(change func(*scene.Scene)) *sighting {
	other := *v
	s := *v.scene
	change(&s)
	other.scene = &s
	return &other
}

func (v *sighting) prepare(antialias, times int) *pillbox.Prepared {
	v.t.Helper()
	at := image.Rect(v.at.X, v.at.Y, v.at.X+1, v.at.Y+1)
	region := image.Rectangle{at.Min.Mul(times), at.Max.Mul(times)}
	p, err := pillbox.Prepare(v.scene, pillbox.Picture{Size: v.size.Mul(times), Antialias: antialias, Region: region})
	if err != nil {
		v.t.Fatal(err)
	}
	return p
}

// sees returns the value of a view at the pixel.
func (v *sighting) sees(k aov.Kind) []float32 {
	v.t.Helper()
	views, err := aov.Render(v.t.Context(), v.prepare(1, 1), []aov.Kind{k}, pillbox.Work{Workers: 1})
	if err != nil {
		v.t.Fatal(err)
	}
	return views[0].Values
}

// colors renders the pixel with times x times pixels in its place, and antialias x antialias samples in each.
func (v *sighting) colors(antialias, times int) []shade.Color {
	v.t.Helper()
	film, err := v.prepare(antialias, times).Render(v.t.Context(), pillbox.Work{Workers: 1, Linear: true})
	if err != nil {
		v.t.Fatal(err)
	}
	return film.Linear
}

// object returns the number of the solid that the pixel shows, -1 for none.
func (v *sighting) object() int {
	if n := v.sees(aov.Object)[0]; n == n {
		return int(n)
	}
	return -1
}

// ray returns the ray through the center of the pixel.
func (v *sighting) ray() geom.Ray {
	view, err := v.scene.View(v.size.X, v.size.Y)
	if err != nil {
		v.t.Fatal(err)
	}
	return view.Through(float64(v.at.X)+0.5, float64(v.at.Y)+0.5)
}

// chord returns where the whole line of the ray crosses one solid, seen from both sides of it.
func (v *sighting) chord(object int) (near, far float64, crosses bool) {
	const away = 64 // the solids of the lessons are smaller
	alone := *v
	alone.scene = only(v.scene, object)
	r := v.ray()
	bounds := v.scene.Solid(object).Bounds()
	t := bounds.Min.Add(bounds.Max).Scale(0.5).Sub(r.Origin).Dot(r.Dir) // beside the solid
	front := float64(alone.from(r.At(t-away), r.Dir).sees(aov.Depth)[0])
	back := float64(alone.from(r.At(t+away), r.Dir.Scale(-1)).sees(aov.Depth)[0])
	if math.IsInf(front, 1) || math.IsInf(back, 1) {
		return 0, 0, false
	}
	return t - away + front, t + away - back, true
}

// only returns a scene with one solid of s, cut as in s.
func only(s *scene.Scene, object int) *scene.Scene {
	one := scene.New()
	one.Sections, one.Objects = s.Sections, scene.NewObjects(s.Objects.Of(object))
	switch x := s.Solid(object).(type) {
	case *shapes.Sphere:
		one.Spheres = []shapes.Sphere{*x}
	case *shapes.Capsule:
		one.Capsules = []shapes.Capsule{*x}
	case *shapes.Box:
		one.Boxes = []shapes.Box{*x}
	case *shapes.Cylinder:
		one.Cylinders = []shapes.Cylinder{*x}
	}
	return one
}

// crossed answers how often the line crosses a solid.
func (v *sighting) crossed(object int) string {
	const touch = 1e-3 // depths are 32-bit floats
	near, far, crosses := v.chord(object)
	isBeside := false // a line that touches an edge or a rim misses it if it is rounded
	axes := must(v.scene.View(v.size.X, v.size.Y)).Axes()
	for _, side := range []geom.Vec3{axes.X, axes.Y, axes.X.Scale(-1), axes.Y.Scale(-1)} {
		r := v.ray()
		_, _, beside := v.from(r.Origin.Add(side.Scale(1e-9)), r.Dir).chord(object)
		isBeside = isBeside || beside
	}
	switch {
	case !crosses && !isBeside:
		return "never"
	case !crosses, far-near < touch:
		return "once: it touches"
	}
	return "twice"
}

// inside answers whether the ray starts inside a solid.
func (v *sighting) inside(object int) string {
	near, far, crosses := v.chord(object)
	return yes(crosses && near < 0 && far > 0)
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// part answers on which part of a capsule the line enters it.
func (v *sighting) part(object int) string {
	c := v.scene.Solid(object).(*shapes.Capsule)
	near, _, crosses := v.chord(object)
	if !crosses {
		return "nowhere"
	}
	axis := c.B.Sub(c.A)
	switch x := v.ray().At(near).Sub(c.A).Dot(axis) / axis.Dot(axis); {
	case x < 0:
		return "on the ball around A"
	case x > 1:
		return "on the ball around B"
	}
	return "on the body"
}

// named returns the choice for a solid.
func (v *sighting) named(object int) string {
	if object < 0 {
		return "none: the background"
	}
	return v.scene.Label(object)
}

// arrives answers whether a light arrives: it renders the pixel with this light alone, with and without shadows.
func (v *sighting) arrives(light int) string {
	alone := func(shadows bool) float64 {
		c := v.with(func(s *scene.Scene) {
			s.Lights = s.Lights[light : light+1]
			s.Shading.Ambient, s.Shading.Shadows, s.Shading.Bounces = shade.Gradient{}, shadows, 0
			s.Fog = nil
		}).colors(1, 1)[0]
		return c.R + c.G + c.B
	}
	lit, open := alone(true), alone(false)
	switch l := v.scene.Lights[light]; {
	case open == 0 && l.IsSpot():
		return "no, the point is outside its cone"
	case open == 0:
		return "no, the surface faces away from it"
	case lit == 0:
		return "no, a solid blocks it"
	case lit < open:
		return "in part: solids hide some of it"
	}
	return "yes, it arrives"
}

// sky answers how much of the sky is open.
func (v *sighting) sky() string {
	switch share := v.sees(aov.Occlusion)[0]; {
	case share == 1:
		return "all of it"
	case share > 0.6:
		return "more than 60 %"
	case share >= 0.4:
		return "about half"
	}
	return "less than 40 %"
}

// mirrored answers what a mirror shows: it looks along the reflected ray.
func (v *sighting) mirrored() string {
	r, n, depth := v.ray(), v.sees(aov.Normal), float64(v.sees(aov.Depth)[0])
	normal := geom.Vec3{X: float64(n[0]), Y: float64(n[1]), Z: float64(n[2])}
	reflected := r.Dir.Sub(normal.Scale(2 * r.Dir.Dot(normal)))
	return v.named(v.from(r.At(depth).Add(normal.Scale(1e-4)), reflected).object())
}

// tested answers how many of the solids are tested.
func (v *sighting) tested() string {
	entered := v.sees(aov.Cost)[0]
	all := float32(v.scene.Objects.Len())
	switch { // the cost counts the nodes, too, so it is an upper bound
	case entered <= all/4:
		return "up to a quarter"
	case entered <= all/2:
		return "up to half"
	}
	return "more than half"
}

// side answers on which side of the center the ray of the pixel leads. Parallel rays lead straight ahead.
func (v *sighting) side() string {
	switch middle := 2*v.at.X + 1; {
	case must(v.scene.View(v.size.X, v.size.Y)).Parallel():
		return "straight ahead, neither left nor right"
	case middle < v.size.X:
		return "left of the picture's center"
	case middle > v.size.X:
		return "right of it"
	}
	return "straight ahead, neither left nor right"
}

// changed answers what becomes of the color.
func (v *sighting) changed(to *sighting, antialias int) string {
	luminance := func(v *sighting) float64 {
		c := v.colors(antialias, 1)[0]
		return 0.2126*c.R + 0.7152*c.G + 0.0722*c.B
	}
	switch was, is := luminance(v), luminance(to); {
	case is > was:
		return "it gets brighter"
	case is < was:
		return "it gets darker"
	}
	return "it stays the same"
}

// same answers whether all samples of the pixel see the same color: it renders each of them as a pixel.
func (v *sighting) same(antialias int) string {
	all := v.colors(1, antialias)
	return yes(!slices.ContainsFunc(all, func(c shade.Color) bool { return c != all[0] }))
}

// touched counts the solids that a segment touches.
func (v *sighting) touched(length float64) string {
	n := 0
	for object := range v.scene.Objects.Len() {
		if near, far, crosses := v.chord(object); crosses && near <= length && far >= 0 {
			n++
		}
	}
	return fmt.Sprint(n)
}

// answerOf recomputes the answer to a question about a request. The second result is false for questions that no
// picture answers.
func answerOf(t *testing.T, request object) (answer string, ok bool) {
	t.Helper()
	p := request["prediction"].(object)
	supposed := request
	if set, ok := p["set"]; ok {
		supposed = maps.Clone(request)
		changed := ask[edited](t, engine(), "edit", object{"text": request["text"], "set": set})
		supposed["text"] = apply(request["text"].(string), changed.Edits)
	}
	if s, ok := request["segment"].([]any); ok {
		a, b := [3]float64{}, [3]float64{}
		for i := range a {
			a[i], b[i] = s[i].(float64), s[i+3].(float64)
		}
		dir := geom.Vec3{X: b[0] - a[0], Y: b[1] - a[1], Z: b[2] - a[2]}
		length := dir.Norm()
		if length == 0 {
			dir.X = 1 // any line through the point
		}
		along := object{"text": supposed["text"], "ray": []any{a[0], a[1], a[2], dir.X, dir.Y, dir.Z}}
		return sightingOf(t, along).touched(length), true
	}
	if request["capsules"] != nil {
		return "", false
	}
	if p["kind"] == "wrong" {
		return wrongPixels(t, supposed["text"], p["mistake"]), true
	}
	v := sightingOf(t, supposed)
	antialias := v.scene.Image.Antialias
	if n, ok := request["antialias"].(float64); ok {
		antialias = int(n)
	}
	number := func() int {
		name := p["object"].(string)
		for i := range v.scene.Objects.Len() {
			if v.scene.Objects.Name(i) == name {
				return i
			}
		}
		t.Fatalf("there is no solid %q", name)
		return 0
	}
	light, _ := p["light"].(float64)
	switch p["kind"] {
	case "hit":
		return v.named(v.object()), true
	case "crossings":
		return v.crossed(number()), true
	case "inside":
		return v.inside(number()), true
	case "part":
		return v.part(number()), true
	case "side":
		return v.side(), true
	case "light":
		return v.arrives(int(light)), true
	case "sky":
		return v.sky(), true
	case "mirror":
		return v.mirrored(), true
	case "color":
		return sightingOf(t, request).changed(v, antialias), true
	case "tests":
		return v.tested(), true
	case "samples":
		return v.same(antialias), true
	}
	return "", false
}

// wrongPixels answers how many pixels differ in two pictures of a scene, one of them with a mistake.
func wrongPixels(t *testing.T, text, mistake any) string {
	t.Helper()
	right, faulty := frames{}, frames{}
	render(t, engine(), &right, object{"text": text})
	render(t, engine(), &faulty, object{"text": text, "trap": mistake})
	wrong, all := 0, len(right.image.Pix)/4
	for i := range all {
		if string(right.image.Pix[4*i:4*i+4]) != string(faulty.image.Pix[4*i:4*i+4]) {
			wrong++
		}
	}
	switch {
	case wrong == 0:
		return "none of them"
	case float64(wrong)/float64(all) <= 0.25:
		return "up to a quarter"
	}
	return "more than a quarter"
}

// TestAnswersAreThoseOfPictures recomputes the answer to each question of the lessons by rendering, and to more questions
// about each of their examples: about every solid and every light.
func TestAnswersAreThoseOfPictures(t *testing.T) {
	e := engine()
	tried := map[string]int{}
	lessons := ask[struct {
		Lessons []struct {
			Name     string
			Examples []object
		}
	}](t, e, "scenes", object{}).Lessons
	for _, l := range lessons {
		questions := ask[struct {
			Questions []struct {
				Example    int
				Prediction object
			}
		}](t, e, "lesson", object{"name": l.Name}).Questions
		for i, example := range l.Examples {
			request := requestOf(example)
			var predictions []object
			for _, q := range questions {
				if q.Example == i {
					predictions = append(predictions, q.Prediction)
				}
			}
			for _, p := range append(predictions, furtherQuestions(t, request)...) {
				request["prediction"] = p
				want, ok := answerOf(t, request)
				if !ok {
					continue
				}
				kind := p["kind"].(string)
				tried[kind]++
				if got := judge(t, e, request); got != want {
					t.Errorf("%s, example %d, %v: the answer is %q, pictures give %q", l.Name, i, p, got, want)
				}
			}
		}
	}
	t.Log(tried)
	for _, kind := range strings.Fields("hit crossings part inside side light sky mirror color tests samples touches wrong") {
		if tried[kind] == 0 {
			t.Errorf("no question %q was tried", kind)
		}
	}
}

// furtherQuestions returns questions about each solid and each light of an example, if it has a ray or a pixel.
func furtherQuestions(t *testing.T, request object) []object {
	t.Helper()
	if request["ray"] == nil && request["pixel"] == nil {
		return nil
	}
	v := sightingOf(t, request)
	list := []object{{"kind": "hit"}}
	if request["pixel"] != nil {
		list = append(list, object{"kind": "side"}, object{"kind": "samples"})
	}
	hit := v.object()
	if hit >= 0 {
		for i, l := range v.scene.Lights {
			if l.Irradiance(1) == (shade.Color{}) {
				continue // whether it arrives makes no difference
			}
			list = append(list, object{"kind": "light", "light": float64(i)})
		}
		if v.scene.Objects.Material(hit).Mirror > 0 && v.scene.Shading.Bounces > 0 {
			list = append(list, object{"kind": "mirror"})
		}
	}
	for i := range min(v.scene.Objects.Len(), 6) {
		name := v.scene.Objects.Name(i)
		if name == "" {
			continue
		}
		list = append(list, object{"kind": "crossings", "object": name}, object{"kind": "inside", "object": name})
		if _, ok := v.scene.Solid(i).(*shapes.Capsule); ok {
			list = append(list, object{"kind": "part", "object": name})
		}
	}
	return list
}
