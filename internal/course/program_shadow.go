package course

import (
	"math"
	"slices"
	"sync"

	"pillbox/geom"
	"pillbox/shade"
)

// shadowRules are the parts of computing shadows that slips with names of their own change. The zero value is right.
type shadowRules struct {
	front, near, lift float64 // n · L, distances of hits and heights of the ray's start that are taken for 0
	either            bool    // a solid also blocks the light if only the far crossing is between the point and the light
	anySide           bool    // lights behind the surface are like others
	endsBehind        bool    // lights after one behind the surface do not arrive
	behindCounts      bool    // solids are tested for lights behind the surface, too; such a light is blocked if none is

	toward  func(l *shade.Light, dir geom.Vec3) geom.Vec3               // changes the direction of the light
	ray     func(l *shade.Light, n geom.Vec3, r *geom.Ray)              // changes the shadow ray
	tests   func(q *shadowQuestion, i, k int) bool                      // reports whether solid k is tested for light i
	t       func(t [2]float64) float64                                  // the distance that counts, not the near one
	end     func(l *shade.Light, t, reach float64) (least, end float64) // t and the distance of the light, as they are compared
	gather  func(l *shade.Light, all []meeting) (blocked bool)          // whether the solids block the light, not if any does
	answers func(q *shadowQuestion, arrives []bool)                     // changes the answer
}

// meeting is the result of testing one solid for a shadow.
type meeting struct {
	line, ahead bool // whether the ray's line crosses the solid, and does so ahead of the point
	blocks      bool
}

func blocks(m meeting) bool { return m.blocks }

// shadowSlip is a slip with a name of its own, and what it changes.
type shadowSlip struct {
	name, advice, lesson string
	change               func(r *shadowRules)
}

// fromTheLight is the advice about shadow rays that start at the light.
const fromTheLight = "Such a ray ends on the solid of the point, where rounding decides whether it is blocked, and it misses a solid that contains the light. Cast it from the point to the light, and skip the solid of the point."

// isPoint reports whether l is a point light.
func isPoint(l *shade.Light) bool { return !l.Directional }

// backward makes the shadow ray of a point light run from the light to the point.
func backward(l *shade.Light, _ geom.Vec3, r *geom.Ray) {
	if isPoint(l) {
		*r = geom.Ray{Origin: l.Position, Dir: r.Dir.Neg()}
	}
}

// everySolid is the rule that no solid is skipped.
func everySolid(*shadowQuestion, int, int) bool { return true }

// shadowSlips returns the slips of the stage shadow. Of slips with the same answers, a verdict names the first.
var shadowSlips = sync.OnceValue(func() []shadowSlip {
	return slices.Concat(shadowRaySlips(), solidSlips(), meetingSlips(), shadowAnswerSlips(), shadowEpsilons())
})

// shadowRaySlips returns the slips with the direction and the start of the shadow ray.
func shadowRaySlips() []shadowSlip {
	toward := func(name, advice string, is func(l *shade.Light) bool) shadowSlip {
		return shadowSlip{name, advice, "", func(r *shadowRules) {
			r.toward = func(l *shade.Light, dir geom.Vec3) geom.Vec3 {
				if is(l) {
					return dir.Neg()
				}
				return dir
			}
		}}
	}
	ray := func(name, advice string, f func(l *shade.Light, n geom.Vec3, r *geom.Ray)) shadowSlip {
		return shadowSlip{name, advice, "", func(r *shadowRules) { r.ray = f }}
	}
	isSun := func(l *shade.Light) bool { return l.Directional }
	any := func(*shade.Light) bool { return true }
	return []shadowSlip{
		toward("the direction of a light is not reversed", "direction is the direction in which the light travels; the shadow ray has the opposite direction.", isSun),
		toward("the vector to a point light is reversed", "The shadow ray runs from the point to the light: position - point.", isPoint),
		toward("the vector to a light is reversed", "The shadow ray runs from the point to the light.", any),
		ray("the ray is cast away from the light", "The shadow ray runs from the point to the light. Only n · L uses the right direction.", func(_ *shade.Light, _ geom.Vec3, r *geom.Ray) { r.Dir = r.Dir.Neg() }),
		ray("the ray is cast away from a directional light", "The shadow ray runs toward the light, against the direction in which light travels. Only n · L uses the right direction.", func(l *shade.Light, _ geom.Vec3, r *geom.Ray) {
			if l.Directional {
				r.Dir = r.Dir.Neg()
			}
		}),
		ray("the shadow ray starts at the origin of the scene", "The ray to a light starts at the point.", func(_ *shade.Light, _ geom.Vec3, r *geom.Ray) { r.Origin = geom.Vec3{} }),
		ray("the shadow ray starts at the light", fromTheLight, backward),
		{"the shadow ray starts at the light, and nothing blocks directional lights", fromTheLight + " A directional light has no position: the ray toward it does not end.", "", func(r *shadowRules) {
			r.ray = backward
			r.gather = func(l *shade.Light, all []meeting) bool { return isPoint(l) && slices.ContainsFunc(all, blocks) }
		}},
		ray("the shadow ray starts at the light, with the same direction", "", func(l *shade.Light, _ geom.Vec3, r *geom.Ray) {
			if isPoint(l) {
				r.Origin = l.Position
			}
		}),
		ray("the shadow ray has the direction of the normal", "", func(_ *shade.Light, n geom.Vec3, r *geom.Ray) { r.Dir = n }),
		ray("the shadow ray has the direction of the light's position", "", func(l *shade.Light, _ geom.Vec3, r *geom.Ray) {
			if isPoint(l) {
				r.Dir = l.Position.Unit()
			}
		}),
	}
}

// solidSlips returns the slips with the solids that are tested.
func solidSlips() []shadowSlip {
	tests := func(name, advice string, f func(q *shadowQuestion, i, k int) bool) shadowSlip {
		return shadowSlip{name, advice, "", func(r *shadowRules) { r.tests = f }}
	}
	others := func(name, advice string, f func(q *shadowQuestion, k int) bool) shadowSlip { // of the solids that are not the point's own
		return tests(name, advice, func(q *shadowQuestion, _, k int) bool { return k != q.solid && f(q, k) })
	}
	kind := func(name, of string) shadowSlip {
		return others(name, "", func(q *shadowQuestion, k int) bool { return label(q.solids[k]) != of })
	}
	const one, any = "only one solid is tested", "Any other solid may block the light: test all of them."
	return []shadowSlip{
		others(one, any, func(q *shadowQuestion, k int) bool { return k == 0 || k == 1 && q.solid == 0 }),
		others(one+" [0]", any, func(_ *shadowQuestion, k int) bool { return k == 0 }),
		others("the last solid is never tested", "The loop must include the last index of the list.", func(q *shadowQuestion, k int) bool { return k < len(q.solids)-1 }),
		others("the first solid is never tested", "The loop must begin at index 0.", func(_ *shadowQuestion, k int) bool { return k > 0 }),
		tests("the solid that is skipped is the one before the own solid in the list", "", func(q *shadowQuestion, _, k int) bool { return k != q.solid-1 }),
		tests("the solid that is skipped is the one after the own solid in the list", "", func(q *shadowQuestion, _, k int) bool { return k != q.solid+1 }),
		tests("the first solid is skipped, not the own solid", "", func(_ *shadowQuestion, _, k int) bool { return k != 0 }),
		tests("the last solid is skipped, not the own solid", "", func(q *shadowQuestion, _, k int) bool { return k != len(q.solids)-1 }),
		tests("the index of the light is compared with the point's solid, in place of the index of the solid in the loop", "", func(q *shadowQuestion, i, _ int) bool { return i != q.solid }),
		tests("each light is tested only with the solid that has the light's index", "", func(q *shadowQuestion, i, k int) bool { return k == i && k != q.solid }),
		tests("the own solid is not skipped", "", everySolid),
		others("all solids of the own solid's kind are skipped", "", func(q *shadowQuestion, k int) bool { return label(q.solids[k]) != label(q.solids[q.solid]) }),
		others("all solids up to the own solid are skipped", "", func(q *shadowQuestion, k int) bool { return k > q.solid }),
		others("all solids after the own solid are skipped", "", func(q *shadowQuestion, k int) bool { return k < q.solid }),
		kind("spheres cast no shadows", "sphere[0]"), kind("capsules cast no shadows", "capsule[0]"), kind("boxes cast no shadows", "box[0]"),
	}
}

// meetingSlips returns the slips with the crossings that count, and with what they decide together.
func meetingSlips() []shadowSlip {
	counts := func(name, advice string, f func(t [2]float64) float64) shadowSlip {
		return shadowSlip{name, advice, "", func(r *shadowRules) { r.t = f }}
	}
	end := func(name string, f func(l *shade.Light, t, reach float64) (float64, float64)) shadowSlip {
		return shadowSlip{name, "", "", func(r *shadowRules) { r.end = f }}
	}
	gather := func(name, advice string, f func(l *shade.Light, all []meeting) bool) shadowSlip {
		return shadowSlip{name, advice, "", func(r *shadowRules) { r.gather = f }}
	}
	last := func(_ *shade.Light, all []meeting) bool { return len(all) > 0 && all[len(all)-1].blocks }
	const overwrites = ": only the last solid in the list, other than the point's own, decides"
	// until returns a slip with a search that ends at the first solid for which ends returns true.
	until := func(name string, ends func(m meeting) bool) shadowSlip {
		return gather(name, "", func(_ *shade.Light, all []meeting) bool {
			if i := slices.IndexFunc(all, ends); i >= 0 {
				all = all[:i+1]
			}
			return slices.ContainsFunc(all, blocks)
		})
	}
	return []shadowSlip{
		{"lights behind the surface arrive", "If n · L is not greater than 0, the surface faces away: its own solid blocks the light.", "", func(r *shadowRules) { r.anySide = true }},
		{"the loop over the lights ends at a light behind the surface", "Such a light does not arrive, but the next one may: go on with it.", "", func(r *shadowRules) { r.endsBehind = true }},
		{"solids behind the point block light", "The shadow ray starts at the point: roots below 0 do not count.", "traps.md#hits-behind-the-eye", func(r *shadowRules) { r.near = math.Inf(-1) }},
		counts("the exit from a solid counts instead of the entry", "A solid blocks the light where the ray enters it. A point on its surface is outside of every other solid. If the ray starts at the light, it enters solids where a ray from the point leaves them: start at the point.", func(t [2]float64) float64 { return t[1] }),
		counts("the far crossing counts where the near one lies behind", "", func(t [2]float64) float64 {
			if t[0] <= 0 {
				return t[1]
			}
			return t[0]
		}),
		counts("|t| counts", "", func(t [2]float64) float64 { return math.Abs(t[0]) }),
		end("the distance of a light is compared with t²", func(_ *shade.Light, t, reach float64) (float64, float64) { return float64(t * t), reach }),
		end("a solid at less than half of the light's distance blocks it", func(_ *shade.Light, t, reach float64) (float64, float64) { return t, reach / 2 }),
		end("a solid blocks a point light only beyond it", func(l *shade.Light, t, reach float64) (float64, float64) {
			if isPoint(l) {
				return reach, t
			}
			return t, reach
		}),
		gather("nothing casts a shadow", "Cast a ray from the point to each light, and test whether it hits a solid on the way. If your program does, check that the result leaves the loop: a return inside of a callback, as in forEach, ends only the callback.", func(*shade.Light, []meeting) bool { return false }),
		gather("nothing blocks directional lights", "A directional light casts shadows, too: its distance is infinite, and any solid ahead blocks it.", func(l *shade.Light, all []meeting) bool { return isPoint(l) && slices.ContainsFunc(all, blocks) }),
		gather("nothing blocks point lights", "Cast a ray to point lights, too. A solid blocks one if it is hit at 0 < t < distance.", func(l *shade.Light, all []meeting) bool { return !isPoint(l) && slices.ContainsFunc(all, blocks) }),
		gather("the test for solids in the way is reversed", "A light that faces the surface arrives if nothing is in the way.", func(_ *shade.Light, all []meeting) bool { return !slices.ContainsFunc(all, blocks) }),
		gather("a light is blocked only if all solids block it", "", func(_ *shade.Light, all []meeting) bool {
			return !slices.ContainsFunc(all, func(m meeting) bool { return !m.blocks })
		}),
		gather("each solid overwrites the result"+overwrites, "", last),
		{"each solid overwrites the result, also for lights behind the surface" + overwrites, "", "", func(r *shadowRules) { r.behindCounts, r.gather = true, last }},
		gather("each solid that the ray's line hits overwrites the result: the last one of them decides", "", func(_ *shade.Light, all []meeting) bool {
			return last(nil, slices.DeleteFunc(all, func(m meeting) bool { return !m.line }))
		}),
		until("the search ends at the first solid that is tested", func(meeting) bool { return true }),
		until("the search ends at the first solid that the ray hits, before or beyond the light", func(m meeting) bool { return m.ahead }),
		until("the search ends at the first solid that the ray's line crosses, also behind the point or beyond the light", func(m meeting) bool { return m.line }),
	}
}

// shadowAnswerSlips returns the slips that change the finished answer.
func shadowAnswerSlips() []shadowSlip {
	answers := func(name, advice string, f func(q *shadowQuestion, arrives []bool)) shadowSlip {
		return shadowSlip{name, advice, "", func(r *shadowRules) { r.answers = f }}
	}
	never := func(directional bool) func(q *shadowQuestion, arrives []bool) {
		return func(q *shadowQuestion, arrives []bool) {
			for i := range arrives {
				arrives[i] = arrives[i] && q.lights[i].Directional != directional
			}
		}
	}
	all := func(of func(arrives []bool) bool) func(q *shadowQuestion, arrives []bool) {
		return func(_ *shadowQuestion, arrives []bool) {
			for i, x := 0, len(arrives) > 0 && of(arrives); i < len(arrives); i++ {
				arrives[i] = x
			}
		}
	}
	return []shadowSlip{
		answers("the answer is reversed", "arrives is true where the light reaches the point, false where something blocks it.", func(_ *shadowQuestion, arrives []bool) {
			for i := range arrives {
				arrives[i] = !arrives[i]
			}
		}),
		answers("no light ever arrives", "Something always counts as an obstacle, perhaps the solid of the point itself: skip it, and look at 0 < t < distance.", func(_ *shadowQuestion, arrives []bool) { clear(arrives) }),
		answers("only the first light is tested", "Each light has its own ray: answer for each of them.", all(func(arrives []bool) bool { return arrives[0] })),
		answers("all lights have the answer of the last one", "", all(func(arrives []bool) bool { return arrives[len(arrives)-1] })),
		answers("a light that is blocked blocks all later lights, too", "", func(_ *shadowQuestion, arrives []bool) {
			for i := 1; i < len(arrives); i++ {
				arrives[i] = arrives[i] && arrives[i-1]
			}
		}),
		answers("the lights are answered in the opposite order", "", func(_ *shadowQuestion, arrives []bool) { slices.Reverse(arrives) }),
		answers("point lights never arrive", "", never(false)), answers("directional lights never arrive", "", never(true)),
	}
}

// shadowEpsilons returns the slips with a fixed epsilon: one for each typical epsilon.
func shadowEpsilons() []shadowSlip {
	const (
		page    = "traps.md#a-fixed-epsilon"
		lifted  = "the shadow ray starts above the surface"
		lift    = "A fixed distance is too large in a small scene and nothing in a large one. Start at the point, and skip its solid."
		grazing = "a fixed epsilon decides about light that grazes the surface"
	)
	// Rays from the light must not be blocked where they end: hits closer than margin to the point do not count.
	fromLight := func(margin func(reach float64) float64) func(r *shadowRules) {
		return func(r *shadowRules) {
			r.ray, r.either = backward, true
			r.tests = func(q *shadowQuestion, i, k int) bool { return k != q.solid || isPoint(&q.lights[i]) }
			r.end = func(_ *shade.Light, t, reach float64) (float64, float64) { return t, margin(reach) }
		}
	}
	var all []shadowSlip
	for _, e := range thresholds() {
		add := func(name, variant, advice, lesson string, change func(r *shadowRules)) {
			all = append(all, shadowSlip{withNumber(name, e) + variant, advice, lesson, change})
		}
		for _, own := range [...]struct {
			variant string
			change  func(r *shadowRules)
		}{
			{"", func(*shadowRules) {}},
			{" with its own solid", func(r *shadowRules) { r.tests = everySolid }},
			{" with its own solid, from inside, too", func(r *shadowRules) { r.tests, r.either = everySolid, true }},
		} {
			add(fixedNear, own.variant, nearAdvice, page, func(r *shadowRules) { r.near = e; own.change(r) })
			add(lifted, own.variant, lift, page, func(r *shadowRules) { r.lift = e; own.change(r) })
		}
		add(grazing, "", "A light with a small n · L > 0 is still in front of the surface. Compare n · L with 0.", "", func(r *shadowRules) { r.front = e })
		add("the shadow ray starts at the light", " before its end", fromTheLight, "", fromLight(func(reach float64) float64 { return reach - e }))
		add("the shadow ray starts at the light", " of its length", fromTheLight, "", fromLight(func(reach float64) float64 { return float64(reach * (1 - e)) }))
	}
	return all
}

// shadowRules returns the rules by which the program computes shadows.
func (p *program) shadowRules() (r shadowRules) {
	if !p.maySlip() {
		return r
	}
	for _, s := range shadowSlips() {
		if p.slips(s.name) {
			s.change(&r)
		}
	}
	return r
}

// shadow returns the textbook program's answer to the question which lights reach a point.
func (p *program) shadow(q *shadowQuestion) shadowAnswer {
	rules := p.shadowRules()
	a := shadowAnswer{make([]bool, len(q.lights))}
	point, n := p.vec("the point", q.point), p.vec("the normal n", q.normal)
	for i := range q.lights {
		l := &q.lights[i]
		dir, reach := p.toward(l, point)
		if rules.toward != nil {
			dir = rules.toward(l, dir)
		}
		behind := p.most("n · L <= 0: the light is behind the surface", p.dot("n · L", n, dir), rules.front)
		if behind && rules.endsBehind {
			break
		}
		if behind && !rules.behindCounts && !rules.anySide {
			continue
		}
		r := geom.Ray{Origin: point, Dir: dir}
		if rules.lift > 0 {
			r.Origin = point.AddScaled(rules.lift, n)
		}
		if rules.ray != nil {
			rules.ray(l, n, &r)
		}
		a.Arrives[i] = !p.blocked(q, &rules, i, r, reach, behind && rules.behindCounts)
	}
	if rules.answers != nil {
		rules.answers(q, a.Arrives)
	}
	return a
}

// blocked reports whether the solids block light i, which is at the distance reach on the ray r. The result is none if no
// solid is tested.
func (p *program) blocked(q *shadowQuestion, rules *shadowRules, i int, r geom.Ray, reach float64, none bool) bool {
	var all []meeting
	for k, s := range q.solids {
		if rules.tests == nil && k == q.solid || rules.tests != nil && !rules.tests(q, i, k) {
			continue
		}
		m := p.meet(s, r)
		p.flavor = 0
		x := meeting{line: m.ok, ahead: m.ok && m.t[0] > 0, blocks: m.ok && p.between(rules, &m, &q.lights[i], reach)}
		switch {
		case rules.gather != nil:
			all = append(all, x)
		case x.blocks:
			return true
		}
	}
	if rules.gather == nil || rules.behindCounts && len(all) == 0 {
		return none
	}
	return rules.gather(&q.lights[i], all)
}

// between reports whether a solid with the crossings m blocks the light l at the distance reach.
func (p *program) between(rules *shadowRules, m *met, l *shade.Light, reach float64) bool {
	t := m.t[0]
	if rules.t != nil {
		t = rules.t(m.t)
	}
	if p.within(rules, t, l, reach) {
		return true
	}
	return rules.either && p.within(rules, m.t[1], l, reach)
}

// within reports whether a crossing at the distance t is between the point and the light l at the distance reach.
func (p *program) within(rules *shadowRules, t float64, l *shade.Light, reach float64) bool {
	ahead := p.less("0 < t: the solid is ahead of the point", rules.near, t)
	if rules.end != nil {
		t, reach = rules.end(l, t, reach)
	}
	return ahead && p.less("t < the distance of the light", t, reach)
}
