package course

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shade"
	"pillbox/shapes"
)

// shadowQuestion is a point on one of several solids, on the side seen by a viewer.
type shadowQuestion struct {
	ray    geom.Ray // the viewer's ray to the point; used in the derivation only
	point  geom.Vec3
	normal geom.Vec3
	solid  int
	lights lights
	solids solids
}

// MarshalJSON encodes the question as docs/course/protocol.md describes it.
func (q *shadowQuestion) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Point  triple `json:"point"`
		Normal triple `json:"normal"`
		Solid  int    `json:"solid"`
		Lights lights `json:"lights"`
		Solids solids `json:"solids"`
	}{tripleOf(q.point), tripleOf(q.normal), q.solid, q.lights, q.solids})
}

// shadowAnswer is the answer of the stage: for each light, whether it reaches the point.
type shadowAnswer struct{ Arrives []bool }

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (a shadowAnswer) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"arrives": append([]bool{}, a.Arrives...)})
}

// shadowStage returns the stage about which lights reach a point.
func shadowStage() kind {
	return &stageOf[shadowQuestion, shadowAnswer]{
		asks: shadowAsks(), solve: solveShadow,
		read: func(q *shadowQuestion, r *reader) shadowAnswer {
			return shadowAnswer{r.flags("arrives", len(q.lights), ", one for each light")}
		},
		judge: judgeShadow,
		scale: func(*shadowQuestion) float64 { return 1 },
		derive: func(q *shadowQuestion) Derivation {
			return Derivation{
				Args:  []string{"explain", "-", "--ray=" + rayText(q.ray), "--section", "hit,lights"},
				Stdin: q.lights.toml() + q.solids.toml(),
			}
		},
		keepers: shadowKeepers(), features: shadowFeatures(), words: true, pixels: shadowPixels(),
		books:  books[shadowQuestion, shadowAnswer]{lesson: "shadows.md", styles: solidStyles, run: (*program).shadow},
		random: []random[shadowQuestion, shadowAnswer]{towardPoint(), acne(), onlyLights(false), onlyLights(true)},
	}
}

// seen completes a question with the point that a viewer sees. The argument from is the viewer's position, and to is a
// point toward which the viewer looks. The viewer sees the first solid on this ray. The result is false if the ray hits
// nothing, or if the viewer is inside a solid.
func (q *shadowQuestion) seen(from, to geom.Vec3) bool {
	q.ray = toward(from, to)
	s := solveNearest(&nearestQuestion{q.ray, q.solids})
	if s.Object < 0 {
		return false
	}
	for _, other := range q.solids {
		if shapes.Contains(other, from) {
			return false
		}
	}
	q.solid, q.point, q.normal = s.Object, q.ray.At(s.T), s.Normal
	return true
}

func shadowAsks() []ask[shadowQuestion] {
	// scattered returns solids in the cells of a grid, which do not touch each other.
	scattered := func(d *dice, unit float64) solids {
		var all solids
		for cell := range 27 {
			if d.IntN(2) > 0 {
				continue
			}
			at := geom.Vec3{X: float64(cell%3 - 1), Y: float64(cell/3%3 - 1), Z: float64(cell/9 - 1)}
			all = append(all, d.anySolid(at.Scale(3*unit), 1.3*unit))
		}
		if len(all) == 0 {
			all = append(all, d.anySolid(geom.Vec3{}, unit))
		}
		return sorted(all)
	}
	around := func(d *dice, unit float64, how func(q *shadowQuestion)) shadowQuestion {
		for {
			q := shadowQuestion{solids: scattered(d, unit)}
			if !q.seen(d.direction().Scale(unit*d.between(2, 6)), d.direction().Scale(4*unit)) {
				continue
			}
			q.lights = d.anyLights(1+d.IntN(4), geom.Vec3{}, 3*unit)
			how(&q)
			return q
		}
	}
	nextToPoint := ask[shadowQuestion]{Degenerate, "next to the point", func(d *dice) shadowQuestion {
		return d.placedBetween(func(dist float64) float64 { return math.Abs(d.nearMiss()) * dist })
	}}
	nextToLight := ask[shadowQuestion]{Degenerate, "next to the light", func(d *dice) shadowQuestion {
		nearMiss := 1e-10 * float64(1+d.turn/2%4) // other stages have questions with larger distances
		if d.turn%2 == 0 {
			nearMiss = -nearMiss
		}
		return d.placedBetween(func(dist float64) float64 { return dist * (1 + nearMiss) })
	}}
	lines := slices.Concat(
		linesAt(1, "light along a line at a sphere", sphereAsks(), (*dice).lit),
		linesAt(8, "light along a line at a box", boxAsks(), (*dice).lit),
		linesAt(3, "light along a line at a capsule", capsuleAsks(), (*dice).lit),
	)
	return append(lines, []ask[shadowQuestion]{
		{Ordinary, "scattered", func(d *dice) shadowQuestion {
			return around(d, d.length(1, 1), func(*shadowQuestion) {})
		}},
		{Ordinary, "something before the light", func(d *dice) shadowQuestion { return d.blocked(0.5) }},
		{Ordinary, "something beyond the light", func(d *dice) shadowQuestion { return d.blocked(1.6) }},
		{Ordinary, "something behind the point", func(d *dice) shadowQuestion { return d.blocked(-0.6) }},
		{Degenerate, "on the floor beside a ball", func(d *dice) shadowQuestion {
			// The ball stands on the floor. Close to the contact, the distance to the blocking solid is small.
			r := float64(1+d.IntN(8)) / 4
			floor := &shapes.Box{HalfExtents: geom.Vec3{X: 16, Y: 0.5, Z: 16}, Center: geom.Vec3{Y: -0.5}, Rotation: geom.Identity()}
			q := shadowQuestion{solids: solids{&shapes.Sphere{Center: geom.Vec3{Y: r}, Radius: r}, floor}}
			side := geom.Vec3{X: 1}
			at := side.Scale(r * d.between(0.02, 0.3))
			for !q.seen(at.Add(geom.Vec3{X: 20 * r, Y: 0.5 * r * d.Float64(), Z: d.between(-1, 1)}), at) || q.solid != 1 {
				at = at.AddScaled(0.1*r, side)
			}
			q.lights = lights{{Directional: true, Direction: geom.Vec3{X: d.between(0.5, 1), Y: -0.3}.Unit(), Color: shade.White(), Intensity: 0.5}}
			return q
		}},
		{Degenerate, "the point's own solid", func(d *dice) shadowQuestion {
			q := shadowQuestion{solids: solids{d.anySolid(d.point(3), 2)}}
			for !q.seen(q.solids[0].Bounds().Center().Add(d.direction().Scale(9)), q.solids[0].Bounds().Center()) {
			}
			q.lights = d.anyLights(4, q.point, 4)
			for i := range q.lights { // most lights are in front of the surface
				if dir, _ := q.lights[i].Toward(q.point); dir.Dot(q.normal) < 0 && q.lights[i].Directional {
					q.lights[i].Direction = q.lights[i].Direction.Neg()
				}
			}
			return q
		}},
		{Degenerate, "the light behind the surface", func(d *dice) shadowQuestion {
			return around(d, 1, func(q *shadowQuestion) {
				for i := range q.lights {
					if dir, _ := q.lights[i].Toward(q.point); dir.Dot(q.normal) > 0 {
						q.lights[i].Directional, q.lights[i].Direction = true, dir
					}
				}
			})
		}},
		nextToPoint, nextToPoint, nextToLight, nextToLight,
		{Degenerate, "something before the light, more beyond it", func(d *dice) shadowQuestion {
			for {
				q := d.placedBetween(func(dist float64) float64 { return 0.5 * dist })
				own := q.solids[q.solid]
				dir, dist := q.lights[0].Toward(q.point)
				r := geom.Ray{Origin: q.point, Dir: dir}
				for range 3 {
					q.solids = append(q.solids, d.entered(r, dist*d.between(1.1, 3), dist*d.between(0.2, 0.5)))
				}
				d.Shuffle(len(q.solids), func(i, j int) { q.solids[i], q.solids[j] = q.solids[j], q.solids[i] })
				q.solids = sorted(q.solids)
				if q.seen(q.ray.Origin, q.point) && q.solids[q.solid] == own {
					return q
				}
			}
		}},
		{Degenerate, "light that grazes something", (*dice).grazed},
		{Degenerate, "light that grazes the surface", func(d *dice) shadowQuestion {
			d.everyScale()
			unit := d.unit()
			ball := &shapes.Sphere{Center: d.point(3), Radius: unit}
			q := shadowQuestion{solids: solids{ball}}
			q.seen(ball.Center.AddScaled(9*unit, d.direction()), ball.Center)
			to := d.across(q.normal).AddScaled(d.nearMiss(), q.normal).Unit()
			q.lights = lights{d.lightAt(q.point, to, unit*d.between(2, 6))}
			return q
		}},
		{Degenerate, "no lights", func(d *dice) shadowQuestion {
			return around(d, 1, func(q *shadowQuestion) { q.lights = lights{} })
		}},
	}...)
}

// lit returns a question about a ball and two lights. The function next generates lines, each with a solid. lit moves
// the second line so that it begins at the origin of the first. The ball's surface passes through this common origin,
// there is a light along each line, and the solids of both lines may block the lights. lit returns false if it finds
// no viewer who sees the ball at the common origin, for example because this point is inside a solid.
func (d *dice) lit(next func() lineQuestion) (shadowQuestion, bool) {
	one := next()
	p, unit := one.ray.Origin, sizeOf(one.shape)
	if shapes.Contains(one.shape, p) {
		return shadowQuestion{}, false
	}
	two := one.nextBeside(next)
	for range 8 {
		n := one.ray.Dir.Add(two.ray.Dir).AddScaled(0.7, d.direction()).Unit()
		ball := &shapes.Sphere{Center: p.AddScaled(-unit, n), Radius: unit}
		q := shadowQuestion{solids: d.inOrder(ball, one.shape, two.shape)}
		if q.seen(p.AddScaled(4*unit, n.AddScaled(0.7, d.direction()).Unit()), p) && q.solids[q.solid] == shapes.Shape(ball) {
			q.lights = lights{d.lightAlong(one, q.point), d.lightAlong(two, q.point)}
			return q, true
		}
	}
	return shadowQuestion{}, false
}

// lightAlong returns a light that shines on p, the origin of a line, from the line's direction. It is a directional
// light or a point light at any distance. If the line enters its solid, the point light may also be inside the solid,
// or a tiny distance before or behind the solid's surface.
func (d *dice) lightAlong(line lineQuestion, p geom.Vec3) shade.Light {
	light := d.lightAt(p, line.ray.Dir, lineScale(&line)*d.between(0.1, 2))
	if line.ray.Dir.MaxAbs() == 1 { // the ray to the light is exactly along an axis only for a directional light
		return shade.Light{Directional: true, Direction: line.ray.Dir.Neg(), Color: light.Color, Intensity: light.Intensity}
	}
	span, ok := line.shape.Span(line.ray)
	depth := span.Far.T - span.Near.T
	if !ok || !(span.Near.T > 0) || depth < 1e-6*span.Near.T || d.IntN(3) == 0 {
		return light
	}
	dist := span.Near.T + float64(d.between(0.1, 0.9)*depth)
	if d.IntN(2) == 0 {
		dist = span.Near.T * (1 + float64(d.tilt()))
	}
	light.Directional, light.Direction, light.Position = false, geom.Vec3{}, p.AddScaled(dist, line.ray.Dir)
	return light
}

// inOrder returns the solids in the order in which a scene numbers them: grouped by kind. Solids of the same kind are
// in random order.
func (d *dice) inOrder(all ...shapes.Shape) solids {
	d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return sorted(all)
}

// lightAt returns a light. The argument to is the direction of the light as seen from the point p. The light is a point
// light at the distance dist, or a directional light.
func (d *dice) lightAt(p, to geom.Vec3, dist float64) shade.Light {
	l := shade.Light{Position: p.AddScaled(dist, to), Color: d.anyColor(120), Intensity: d.between(0.2, 0.9)}
	if d.IntN(2) == 0 {
		l.Directional, l.Direction, l.Position = true, to.Neg(), geom.Vec3{}
	}
	return l
}

// placedBetween returns a question about a ball under a point light. A ray from the ball to the light enters another
// solid. If the light is at the distance dist, the ray enters that solid at the distance enters(dist).
func (d *dice) placedBetween(enters func(dist float64) float64) shadowQuestion {
	d.everyScale()
	unit := d.unit()
	for {
		ball := &shapes.Sphere{Center: d.point(3), Radius: unit}
		n := d.direction()
		side := d.across(n)
		q := shadowQuestion{solids: solids{ball}}
		eye := ball.Center.AddScaled(unit, n).Add(n.AddScaled(-1.2, side).Scale(6 * unit))
		if !q.seen(eye, ball.Center.AddScaled(unit, n)) {
			continue
		}
		to := n.AddScaled(1.2, side).Unit()
		dist := unit * d.between(3, 6)
		light := shade.Light{Position: q.point.AddScaled(dist, to), Color: d.anyColor(120), Intensity: d.between(0.2, 0.9)}
		q.lights = lights{light}
		other := d.entered(geom.Ray{Origin: q.point, Dir: to}, enters(dist), unit*d.between(0.2, 1))
		q.solids = d.inOrder(ball, other)
		if q.seen(eye, ball.Center.AddScaled(unit, n)) && q.solids[q.solid] == shapes.Shape(ball) {
			return q
		}
	}
}

// grazed returns a question about a ball under a light. The ray to the light is almost tangent to another solid, passing
// just inside or outside.
func (d *dice) grazed() shadowQuestion {
	d.everyScale()
	unit := d.unit()
	for {
		var other shapes.Shape = &shapes.Sphere{Center: d.point(3), Radius: unit * d.between(0.5, 1)}
		if d.IntN(2) == 0 {
			at := d.point(3)
			other = &shapes.Capsule{A: at, B: at.AddScaled(unit, d.direction()), Radius: unit * d.between(0.3, 0.6)}
		}
		r := d.grazing(other).ray
		n := r.Dir.AddScaled(0.7, d.direction()).Unit()
		ball := &shapes.Sphere{Center: r.Origin.AddScaled(-unit, n), Radius: unit}
		q := shadowQuestion{solids: d.inOrder(ball, other)}
		if !q.seen(r.Origin.AddScaled(4*unit, n.AddScaled(0.7, d.direction()).Unit()), r.Origin) || q.solids[q.solid] != shapes.Shape(ball) {
			continue
		}
		q.lights = lights{d.lightAt(q.point, r.Dir, 20*unit)}
		return q
	}
}

// blocked returns a question about a ball under a light. The middle of another solid lies on the line from a point
// of the ball to the light, at the fraction way of the light's distance. It lies before the light if way is from 0
// to 1, beyond the light if way is larger, and behind the point if way is negative.
func (d *dice) blocked(way float64) shadowQuestion {
	unit := d.length(1, 1)
	for {
		ball := &shapes.Sphere{Center: d.point(3), Radius: unit}
		q := shadowQuestion{solids: solids{ball}}
		q.seen(ball.Center.AddScaled(9*unit, d.direction()), ball.Center)
		to := q.normal.AddScaled(0.5, d.direction()).Unit()
		dist := unit * d.between(5, 9)
		light := shade.Light{Position: q.point.AddScaled(dist, to), Color: d.anyColor(120), Intensity: d.between(0.2, 0.9)}
		if way == 0.5 && d.IntN(2) == 0 {
			light = shade.Light{Directional: true, Direction: to.Neg(), Color: light.Color, Intensity: light.Intensity}
		}
		other := d.anySolid(q.point.AddScaled(way*dist, to), unit)
		q.lights = append(d.anyLights(d.IntN(2), q.point, 3*unit), light)
		eye := q.ray.Origin
		third := d.anySolid(ball.Center.AddScaled(-4*unit, q.normal), unit)
		q.solids = sorted(solids{ball, other, third})
		if q.seen(eye, ball.Center) && q.solids[q.solid] == shapes.Shape(ball) {
			return q
		}
	}
}

// solveShadow applies the renderer's rules: a solid never shadows points on its own lit side; another solid does if the ray
// to the light enters it.
func solveShadow(q *shadowQuestion) shadowAnswer {
	a := shadowAnswer{make([]bool, len(q.lights))}
	for i := range q.lights {
		a.Arrives[i] = q.obstacle(&q.lights[i]) == nothing
	}
	return a
}

// judgeShadow judges the answer for each light. For some lights, rounding decides: the ray to the light touches a
// solid or grazes the surface, within the leeway, and nothing else certainly blocks the light. Then both answers are
// right.
func judgeShadow(q *shadowQuestion, given shadowAnswer) *problem {
	want := solveShadow(q)
	for i, arrives := range given.Arrives {
		if arrives == want.Arrives[i] || q.unsure(&q.lights[i]) {
			continue
		}
		what := "nothing blocks this light"
		if !want.Arrives[i] {
			what = "this light does not arrive: the surface faces away"
			if k := q.obstacle(&q.lights[i]); k >= 0 {
				what = fmt.Sprintf("this light does not arrive: solid %d blocks the light", k)
			}
		}
		return differ(fmt.Sprintf("arrives[%d]", i), what, want.Arrives[i], arrives)
	}
	return nil
}

// Results of obstacle that are not a solid.
const (
	nothing   = -1
	facesAway = -2
)

// obstacle returns the index of the first solid that blocks a light, or facesAway if the light is behind the surface, or
// nothing if it reaches the point.
func (q *shadowQuestion) obstacle(l *shade.Light) int {
	dir, reach := l.Toward(q.point)
	if !(q.normal.Dot(dir) > 0) {
		return facesAway
	}
	r := geom.Ray{Origin: q.point, Dir: dir}
	for k, s := range q.solids {
		if k == q.solid {
			continue
		}
		if span, ok := s.Span(r); ok && span.Near.T > 0 && span.Near.T < reach {
			return k
		}
	}
	return nothing
}

// unsure reports whether rounding may decide if a light reaches the point.
func (q *shadowQuestion) unsure(l *shade.Light) bool {
	dir, reach := l.Toward(q.point)
	r := geom.Ray{Origin: q.point, Dir: dir}
	size := max(q.point.MaxAbs(), l.Position.MaxAbs())
	if cos := q.normal.Dot(dir); math.Abs(cos) <= ulps+Leeway*size/min(reach, math.MaxFloat64) {
		return true
	} else if cos < 0 {
		return false
	}
	sure, maybe := false, false
	for k, s := range q.solids {
		if k == q.solid {
			continue
		}
		c := tolerantChord(r, s)
		e := 2 * c.leeway
		switch {
		case c.certain && c.near.lo > e && c.near.hi < reach-e:
			sure = true
		case c.possible && c.near.hi > -e && c.near.lo < reach+e:
			maybe = true
		}
	}
	return maybe && !sure
}

// acne returns the mistake that points are in their own shadow. The mistake explains a wrong answer if the answer
// errs in one way only: a light that reaches the point is reported as blocked.
func acne() random[shadowQuestion, shadowAnswer] {
	m := Mistake{"points are in their own shadow", "By rounding, the point lies slightly inside or outside its solid, so the shadow ray may hit that solid at t near 0. A convex solid never shadows its own lit side: skip it.", "traps.md#acne"}
	return random[shadowQuestion, shadowAnswer]{Mistake: m, may: func(q *shadowQuestion, given shadowAnswer) bool {
		return q.errsOnlyAt(given, func(l *shade.Light) bool {
			return solveShadow(&shadowQuestion{point: q.point, normal: q.normal, solid: q.solid, lights: lights{*l}, solids: q.solids}).Arrives[0]
		})
	}}
}

// towardPoint returns the mistake that shadow rays run from a point light to the point, where rounding or an epsilon
// decides. It explains a wrong answer about a point light if the light is reported as blocked, perhaps by the solid of the
// point, or if what blocks the light contains it, is close to the point, or closer than the largest usual epsilon.
func towardPoint() random[shadowQuestion, shadowAnswer] {
	m := Mistake{"only answers about point lights are wrong, as if the shadow ray started at the light", fromTheLight, "shadows.md"}
	return random[shadowQuestion, shadowAnswer]{Mistake: m, always: true, may: func(q *shadowQuestion, given shadowAnswer) bool {
		const close = 0.02 // of the distance of the light
		return q.errsOnlyAt(given, func(l *shade.Light) bool {
			dir, reach := l.Toward(q.point)
			r := geom.Ray{Origin: q.point, Dir: dir}
			blocked := slices.ContainsFunc(q.solids, func(s shapes.Shape) bool {
				span, ok := s.Span(r)
				return ok && span.Near.T > max(close*reach, thresholds()[0]) && span.Far.T < reach
			})
			return isPoint(l) && !blocked && q.normal.Dot(dir) > 0
		})
	}}
}

// errsOnlyAt reports whether all wrong answers are about lights for which the function may returns true.
func (q *shadowQuestion) errsOnlyAt(given shadowAnswer, may func(l *shade.Light) bool) bool {
	want := solveShadow(q)
	for i, arrives := range given.Arrives {
		if l := &q.lights[i]; arrives != want.Arrives[i] && !may(l) && !q.unsure(l) {
			return false
		}
	}
	return true
}

// onlyLights returns the mistake that all wrong answers are about one kind of light: directional lights if the argument
// is true, or point lights if it is false.
func onlyLights(directional bool) random[shadowQuestion, shadowAnswer] {
	m := Mistake{"only answers about point lights are wrong", "The ray to one runs from the point along (position - point) / |position - point|, and ends at t = |position - point|: check that the direction has length 1.", "shadows.md"}
	if directional {
		m = Mistake{"only answers about directional lights are wrong", "The ray to one runs from the point along -direction, and does not end.", "shadows.md"}
	}
	return random[shadowQuestion, shadowAnswer]{Mistake: m, always: true, may: func(q *shadowQuestion, given shadowAnswer) bool {
		return q.errsOnlyAt(given, func(l *shade.Light) bool { return l.Directional == directional })
	}}
}
