package course

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// nearestQuestion is a ray and several solids.
type nearestQuestion struct {
	ray    geom.Ray
	solids solids
}

// MarshalJSON writes the ray's fields, and the solids as objects with their types.
func (q *nearestQuestion) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		rayFields
		Solids solids `json:"solids"`
	}{rayFieldsOf(q.ray), q.solids})
}

// nearestAnswer is an answer in the stage nearest: what a ray hits first.
type nearestAnswer struct {
	Object int // index in the list; -1: nothing
	T      float64
	Normal geom.Vec3 `course:"unit"`
}

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (s nearestAnswer) MarshalJSON() ([]byte, error) {
	if s.Object < 0 {
		return []byte(`{"object":null,"t":null,"normal":null}`), nil
	}
	return json.Marshal(map[string]any{"object": s.Object, "t": finite(s.T), "normal": finite(tripleOf(s.Normal))})
}

// nearestStage returns the stage about which of several solids a ray hits first.
func nearestStage() kind {
	return &stageOf[nearestQuestion, nearestAnswer]{
		asks: nearestAsks(), solve: solveNearest, judge: judgeNearest,
		read: func(_ *nearestQuestion, r *reader) nearestAnswer {
			if r.field("object") == nil {
				return nearestAnswer{Object: -1}
			}
			if r.fields["object"] == -1.0 {
				r.fail("object", "must be null if the ray meets nothing, got -1")
			}
			return nearestAnswer{r.integer("object", 0, math.MaxInt32), r.number("t"), r.vec("normal")}
		},
		scale: func(q *nearestQuestion) float64 { return q.leeway() / Leeway },
		derive: func(q *nearestQuestion) Derivation {
			return Derivation{Args: []string{"explain", "-", "--ray=" + rayText(q.ray), "--section", "tests,hit"}, Stdin: q.solids.toml()}
		},
		keepers: nearestKeepers(), slips: nearestSlips(), features: nearestFeatures(), pixels: nearestPixels(),
		books: books[nearestQuestion, nearestAnswer]{lesson: "tree.md", styles: solidStyles, run: (*program).nearest},
	}
}

// toml formats the solids as a scene.
func (all solids) toml() string {
	text := ""
	for _, s := range all {
		text += toml(s)
	}
	return text
}

// leeway returns the largest leeway of the question's solids.
func (q *nearestQuestion) leeway() float64 {
	e := 0.0
	for _, s := range q.solids {
		e = max(e, leewayOf(q.ray, s))
	}
	return e
}

// sorted returns the solids in the order in which a scene numbers them: spheres, capsules, boxes. It drops
// cylinders, because the stages that call it have none.
func sorted(all solids) solids {
	var out solids
	for _, want := range [...]string{"sphere[0]", "capsule[0]", "box[0]"} {
		for _, s := range all {
			if label(s) == want {
				out = append(out, s)
			}
		}
	}
	return out
}

// anySolid returns a random sphere, capsule or box. Its center is the argument at. The farthest part of its surface
// is about the distance reach from the center.
func (d *dice) anySolid(at geom.Vec3, reach float64) shapes.Shape {
	switch d.IntN(3) {
	case 0:
		return &shapes.Sphere{Center: at, Radius: reach * d.between(0.4, 1)}
	case 1:
		u := d.direction()
		half := reach * d.between(0.2, 0.6)
		return &shapes.Capsule{A: at.AddScaled(-half, u), B: at.AddScaled(half, u), Radius: reach * d.between(0.2, 0.4)}
	}
	h := func() float64 { return reach * d.between(0.2, 0.55) }
	return &shapes.Box{Center: at, HalfExtents: geom.Vec3{X: h(), Y: h(), Z: h()}, Rotation: d.rotation()}
}

// row returns a ray and n solids along it, all ahead of its origin.
func (d *dice) row(n int) (geom.Ray, solids) {
	r := geom.Ray{Origin: d.point(5), Dir: d.direction()}
	unit := d.length(1, 1)
	var all solids
	for i := range n {
		at := r.At(unit*float64(4+3*i)).AddScaled(0.3*unit*d.Float64(), d.across(r.Dir))
		all = append(all, d.anySolid(at, unit))
	}
	d.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return r, sorted(all)
}

// entered returns a random solid of about the given size that a ray enters at distance t.
func (d *dice) entered(r geom.Ray, t, size float64) shapes.Shape {
	s := d.anySolid(r.At(t+2*size), size)
	span, _ := s.Span(r)
	return moved(s, func(p geom.Vec3) geom.Vec3 { return p.AddScaled(t-span.Near.T, r.Dir) }, 1)
}

func nearestAsks() []ask[nearestQuestion] {
	// among adds other solids to the solid of a line; they are behind the origin or far ahead.
	among := func(d *dice, next func() lineQuestion) (nearestQuestion, bool) {
		line := next()
		if d.IntN(4) == 0 {
			line = d.fromWithin(line)
		}
		far := 4 * (lineScale(&line) + sizeOf(line.shape))
		others := solids{line.shape, d.anySolid(line.ray.At(-far), far/3), d.anySolid(line.ray.At(3*far), far/3)}
		return nearestQuestion{line.ray, sorted(others)}, true
	}
	lines := slices.Concat(
		linesAt(1, "a sphere among others", sphereAsks(), among),
		linesAt(7, "a box among others", boxAsks(), among),
		linesAt(3, "a capsule among others", capsuleAsks(), among),
	)
	return append(lines, []ask[nearestQuestion]{
		{Ordinary, "one behind the other", func(d *dice) nearestQuestion {
			r, all := d.row(3 + d.IntN(5))
			return nearestQuestion{r, all}
		}},
		{Ordinary, "some behind the origin", func(d *dice) nearestQuestion {
			r, all := d.row(4 + d.IntN(4))
			r.Origin = r.At(d.length(1, 1) * float64(5+3*d.IntN(3)+1)) // between two of the solids, or near that
			return nearestQuestion{r, all}
		}},
		{Ordinary, "scattered", func(d *dice) nearestQuestion {
			var all solids
			for range 5 + d.IntN(6) {
				all = append(all, d.anySolid(d.point(6), d.length(2, 2)))
			}
			all = sorted(all)
			for {
				q := nearestQuestion{toward(d.point(9), d.point(4)), all}
				if q.clear() {
					return q
				}
			}
		}},
		{Degenerate, "the same solid twice", func(d *dice) nearestQuestion {
			r, all := d.row(3)
			var twice solids
			for _, s := range all {
				twice = append(twice, s, s)
			}
			return nearestQuestion{r, sorted(twice)}
		}},
		{Degenerate, "inside of one", func(d *dice) nearestQuestion {
			r, all := d.row(3)
			i := d.IntN(len(all))
			c := all[i].Bounds().Center()
			r.Origin = c
			return nearestQuestion{geom.Ray{Origin: c, Dir: d.direction()}, all}
		}},
		{Degenerate, "inside of all", func(d *dice) nearestQuestion {
			c := geom.Vec3{X: float64(d.IntN(9) - 4), Y: float64(d.IntN(9) - 4), Z: float64(d.IntN(9) - 4)}
			var all solids
			for i := range 4 {
				all = append(all, &shapes.Sphere{Center: c.AddScaled(0.1, d.direction()), Radius: float64(2 + i)})
			}
			d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			return nearestQuestion{geom.Ray{Origin: c, Dir: d.direction()}, all}
		}},
		{Degenerate, "next to the surface of one", func(d *dice) nearestQuestion {
			d.everyScale()
			_, all := d.row(3)
			return nearestQuestion{d.nextToSurface(all[d.IntN(len(all))]).ray, all}
		}},
		{Degenerate, "nearly the same distance", func(d *dice) nearestQuestion {
			d.everyScale()
			r, all := d.row(3)
			first := solveNearest(&nearestQuestion{r, all})
			other := d.entered(r, first.T+2*d.nearMiss()*d.unit(), d.unit())
			return nearestQuestion{r, sorted(append(all, other))}
		}},
		{Degenerate, "nearly missed", func(d *dice) nearestQuestion {
			d.everyScale()
			_, all := d.row(3)
			i := d.IntN(len(all))
			if _, ok := all[i].(*shapes.Box); ok {
				all[i] = &shapes.Sphere{Center: all[i].Bounds().Center(), Radius: d.unit()}
			}
			q := d.grazing(all[i])
			return nearestQuestion{q.ray, sorted(all)}
		}},
		{Degenerate, "all behind", func(d *dice) nearestQuestion {
			r, all := d.row(4)
			r.Dir = r.Dir.Neg()
			return nearestQuestion{r, all}
		}},
	}...)
}

// clear reports whether the ray's line certainly crosses or certainly misses each solid: it is not nearly tangent to any.
func (q *nearestQuestion) clear() bool {
	for _, s := range q.solids {
		if c := tolerantChord(q.ray, s); c.possible != c.certain {
			return false
		}
	}
	return true
}

func solveNearest(q *nearestQuestion) nearestAnswer {
	best := nearestAnswer{Object: -1, T: math.Inf(1)}
	for i, s := range q.solids {
		if h, ok := s.Intersect(q.ray, 0, math.Inf(1)); ok && h.T < best.T {
			best = nearestAnswer{i, h.T, towardViewer(h.Normal, q.ray)}
		}
	}
	if best.Object < 0 {
		return nearestAnswer{Object: -1}
	}
	return best
}

// towardViewer returns the normal n or its opposite, whichever is on the side from which the ray comes.
func towardViewer(n geom.Vec3, r geom.Ray) geom.Vec3 {
	if n.Dot(r.Dir) > 0 {
		return n.Neg()
	}
	return n
}

// judgeNearest accepts any solid that may be the first within the leeway. Of two identical solids, only the first in the
// list is right.
func judgeNearest(q *nearestQuestion, given nearestAnswer) *problem {
	want := solveNearest(q)
	objects := func(what string) *problem {
		number := func(s nearestAnswer) any {
			if s.Object < 0 {
				return nil
			}
			return s.Object
		}
		p := differ("object", what, number(want), number(given))
		p.alone = given.Object >= 0 && want.Object >= 0 && math.Abs(given.T-want.T) <= q.leeway() && near(given.Normal, want.Normal, 1e-9)
		return p
	}
	if given.Object < 0 {
		for _, s := range q.solids {
			if firstAhead(s, tolerantChord(q.ray, s), distance{}) != "" {
				return objects("the ray meets something")
			}
		}
		return nil
	}
	if given.Object >= len(q.solids) {
		return objects("there is no such solid: they are counted from 0")
	}
	s := q.solids[given.Object]
	if what := firstAhead(s, tolerantChord(q.ray, s), distance{given.T, true}); what != "" {
		if given.Object == want.Object {
			return differ("t", what, want.T, given.T)
		}
		return objects("this solid is not met at that t: " + what)
	}
	if want.Object >= 0 && comesBefore(q, want.Object, given) {
		return objects(fmt.Sprintf("solid %d comes first", want.Object))
	}
	for i := range q.solids {
		if comesBefore(q, i, given) {
			return objects(fmt.Sprintf("solid %d comes before it", i))
		}
	}
	n := towardViewer(normalAt(s, q.ray, given.T), q.ray)
	if !normalPasses(s, q.ray, given.T, given.Normal) {
		return differ("normal", "is not the unit normal that faces the ray", tripleOf(n), tripleOf(given.Normal))
	}
	return nil
}

// comesBefore reports whether the ray certainly hits a solid before the given answer, or the solid is the same as the given
// one and stands before it in the list.
func comesBefore(q *nearestQuestion, solid int, given nearestAnswer) bool {
	s := q.solids[solid]
	if solid < given.Object && s == q.solids[given.Object] {
		return true
	}
	c := tolerantChord(q.ray, s)
	switch least := given.T - 2*c.leeway; {
	case !c.certain:
		return false
	case c.near.lo > 0:
		return c.near.hi < least
	default:
		return c.far.lo > 0 && c.far.hi < least
	}
}

// normalAt returns the outward normal of a solid where a ray crosses the surface, at about the distance t. For a box, it
// is the normal at the crossing whose distance is closest to t.
func normalAt(s shapes.Shape, r geom.Ray, t float64) geom.Vec3 {
	if _, ok := s.(*shapes.Box); !ok {
		away, _ := outward(s, r.At(t))
		return away.Unit()
	}
	span, _ := s.Span(r)
	if math.Abs(span.Near.T-t) <= math.Abs(span.Far.T-t) {
		return span.Near.Normal
	}
	return span.Far.Normal
}

// normalPasses reports whether a vector is the normal of a solid at t, on the side from which the ray comes. At an edge,
// the normal of any adjoining face passes.
func normalPasses(s shapes.Shape, r geom.Ray, t float64, given geom.Vec3) bool {
	e := leewayOf(r, s)
	if given.Dot(r.Dir) > 2*ulps+2*e/s.Bounds().Size().Norm() {
		return false
	}
	if b, ok := s.(*shapes.Box); ok {
		for _, n := range [...]geom.Vec3{given, given.Neg()} {
			if judgeBoxNormal(b, r.At(t), n, "normal", nil, e) == nil {
				return true
			}
		}
		return false
	}
	away, radius := outward(s, r.At(t))
	n := away.Unit()
	most := 4*e/radius + ulps
	return near(given, n, most) || near(given.Neg(), n, most)
}

// nearestSlips returns the slips of the stage nearest: errors with one number or vector of the question or answer,
// such as a wrong sign.
func nearestSlips() []change[nearestQuestion, nearestAnswer] {
	const lesson = "tree.md"
	return append(slipsOf(lesson, []input[nearestQuestion]{
		{what: "the ray's origin", vector: func(q *nearestQuestion) []*geom.Vec3 { return []*geom.Vec3{&q.ray.Origin} }},
		{what: "the direction", vector: func(q *nearestQuestion) []*geom.Vec3 { return []*geom.Vec3{&q.ray.Dir} }},
	}, asking[nearestQuestion, nearestAnswer]), resultSlips[nearestQuestion](lesson, []input[nearestAnswer]{
		{what: "the normal", vector: func(a *nearestAnswer) []*geom.Vec3 { return []*geom.Vec3{&a.Normal} }},
		{what: "t", number: func(a *nearestAnswer) []*float64 { return []*float64{&a.T} }},
	})...)
}
