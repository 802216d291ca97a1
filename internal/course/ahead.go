package course

import (
	"encoding/json"
	"fmt"
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

// aheadQuestion is a ray and a solid. The answer is the first point ahead of the ray's origin at which the ray crosses
// the solid's surface.
type aheadQuestion lineQuestion

// MarshalJSON writes the ray's fields, and the solid as an object with its type.
func (q *aheadQuestion) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		rayFields
		Solid solid `json:"solid"`
	}{rayFieldsOf(q.ray), solid{q.shape}})
}

// distance is an answer in the stage ahead: whether there is a crossing ahead of the ray's origin, and its distance.
type distance struct {
	T  float64
	OK bool
}

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (d distance) MarshalJSON() ([]byte, error) {
	if !d.OK {
		return []byte(`{"t":null}`), nil
	}
	return json.Marshal(map[string]any{"t": finite(d.T)})
}

// aheadStage returns the stage about the first crossing ahead of the ray's origin.
func aheadStage() kind {
	var asks []ask[aheadQuestion]
	for _, of := range []struct {
		noun string
		asks []ask[lineQuestion]
	}{{"sphere", sphereAsks()}, {"box", boxAsks()}, {"capsule", capsuleAsks()}} {
		for _, a := range of.asks {
			asks = append(asks, ask[aheadQuestion]{a.class, of.noun + ": " + a.name, func(d *dice) aheadQuestion { return aheadQuestion(a.make(d)) }})
		}
	}
	return &stageOf[aheadQuestion, distance]{
		asks: asks, solve: solveAhead, judge: judgeAhead,
		read: func(_ *aheadQuestion, r *reader) distance {
			t, ok := r.numberOrNull("t")
			return distance{t, ok}
		},
		scale:   func(q *aheadQuestion) float64 { return lineScale((*lineQuestion)(q)) },
		derive:  func(q *aheadQuestion) Derivation { return deriveLine((*lineQuestion)(q)) },
		library: aheadMistakes(), alone: aheadAlone(), slips: aheadSlips(), features: aheadFeatures(), pairSample: 200, pixels: aheadPixels(),
		books: books[aheadQuestion, distance]{lesson: "sphere.md#from-inside", styles: solidStyles, run: (*program).ahead},
	}
}

func solveAhead(q *aheadQuestion) distance {
	h, ok := q.shape.Intersect(q.ray, 0, math.Inf(1))
	return distance{h.T, ok}
}

// judgeAhead returns the first error in the answer, or nil. If the origin is so close to the surface that the distance is
// within the tolerance, two answers are right: one that counts the crossing at the origin, with t greater than 0, and one
// that does not count it.
func judgeAhead(q *aheadQuestion, given distance) *problem {
	want := solveAhead(q)
	p := firstAhead(q.shape, tolerantChord(q.ray, q.shape), given)
	if p == "" {
		return nil
	}
	var expected, got any
	if want.OK {
		expected = want.T
	}
	if given.OK {
		got = given.T
	}
	return differ("t", p, expected, got)
}

// firstAhead says what is wrong with a given distance of the ray's first crossing with a solid. It returns "" if the
// distance is right.
func firstAhead(s shapes.Shape, c chord, given distance) string {
	switch {
	case !given.OK && c.certain && c.far.lo > 0:
		return "the solid is there and lies ahead"
	case !given.OK:
		return ""
	case !c.possible:
		return "the line misses the solid"
	case c.far.hi <= 0:
		return "the whole solid lies behind the origin"
	case !(given.T > 0):
		return "must lie ahead of the origin, be greater than 0"
	case c.near.has(given.T):
		return ""
	case c.far.has(given.T) && c.certain && c.near.lo > 0:
		return "is where the ray leaves the solid, it enters before that"
	case c.far.has(given.T):
		return ""
	}
	return fmt.Sprintf("is off by more than the leeway of %.2g", c.leeway)
}

func aheadMistakes() []variant[aheadQuestion, distance] {
	const lesson = "sphere.md#from-inside"
	// of returns a wrong solution. It answers with what choose returns for the distances of the two crossings of the line
	// and the solid. If the line misses the solid, the answer is a miss.
	of := func(choose func(near, far float64) distance) func(*aheadQuestion) distance {
		return func(q *aheadQuestion) distance {
			span, ok := q.shape.Span(q.ray)
			if !ok {
				return distance{}
			}
			return choose(span.Near.T, span.Far.T)
		}
	}
	yes := func(t float64) distance { return distance{t, true} }
	missing := func(t float64) func(*aheadQuestion) distance {
		return func(q *aheadQuestion) distance {
			if d := solveAhead(q); d.OK {
				return d
			}
			return yes(t)
		}
	}
	return []variant[aheadQuestion, distance]{
		{Mistake{"a negative near root is accepted", "The smaller root of the line may lie behind the origin. The hit is the smallest root greater than 0.", "traps.md#hits-behind-the-eye"},
			of(func(near, _ float64) distance { return yes(near) })},
		{Mistake{"solids are not seen from inside", "If the near root lies behind the origin, the far one may still lie ahead: the origin is inside.", lesson},
			of(func(near, _ float64) distance {
				if near > 0 {
					return yes(near)
				}
				return distance{}
			})},
		{Mistake{"the far root is returned although both lie behind", "From inside the far root is the hit, but it must be greater than 0, too.", "traps.md#hits-behind-the-eye"},
			of(func(near, far float64) distance {
				if near > 0 {
					return yes(near)
				}
				return yes(far)
			})},
		{Mistake{"the far root is preferred", "The ray reaches the nearer crossing first: the smaller root, if it is greater than 0.", lesson},
			of(func(near, far float64) distance {
				if far > 0 {
					return yes(far)
				}
				return distance{}
			})},
		{Mistake{"the sign of the root is dropped", "A root of -2 lies behind the origin, not 2 ahead.", "traps.md#hits-behind-the-eye"},
			of(func(near, far float64) distance { return yes(min(math.Abs(near), math.Abs(far))) })},
		{Mistake{"a miss is not null", "Where the ray hits nothing, t is null. 0 and -1 are distances.", lesson},
			missing(0)},
		{Mistake{"a miss is not null", "Where the ray hits nothing, t is null. 0 and -1 are distances.", lesson},
			missing(-1)},
		{Mistake{"from inside, the hit is at the origin", "A ray that starts inside meets the surface where it leaves the solid: at the far root.", lesson},
			of(func(near, far float64) distance {
				switch {
				case near > 0:
					return yes(near)
				case far > 0:
					return yes(0)
				}
				return distance{}
			})},
		{Mistake{"the root of the least magnitude is chosen", "A root below 0 lies behind the origin, however near it is. Choose the smallest root that is greater than 0.", "traps.md#hits-behind-the-eye"},
			of(func(near, far float64) distance {
				if math.Abs(near) < math.Abs(far) {
					return yes(near)
				}
				return yes(far)
			})},
		{Mistake{"negative roots become 0", "A root below 0 lies behind the origin. Skip it instead of moving it to the origin.", lesson},
			of(func(near, _ float64) distance { return yes(max(0, near)) })},
	}
}

// aheadAlone returns the mistakes of the stage ahead that use a fixed number: an epsilon that hides near crossings, or a
// largest distance. There is a variant for each typical number, such as 1e-3.
func aheadAlone() []variant[aheadQuestion, distance] {
	const lesson = "sphere.md#from-inside"
	near := Mistake{"a fixed epsilon hides near hits", "0.001 may be larger than a whole solid. Compare with 0.", "traps.md#a-fixed-epsilon"}
	far := Mistake{"distant hits are cut off", "There is no largest distance: start with infinity, not with some large number.", lesson}
	all := epsilons(near, func(q *aheadQuestion, epsilon float64) distance {
		h, ok := q.shape.Intersect(q.ray, epsilon, math.Inf(1))
		return distance{h.T, ok}
	})
	all = append(all, epsilons(near, func(q *aheadQuestion, epsilon float64) distance { // a first crossing that is too near is a miss
		h, ok := q.shape.Intersect(q.ray, 0, math.Inf(1))
		return distance{h.T, ok && h.T > epsilon}
	})...)
	return append(all, limits(far, func(q *aheadQuestion, limit float64) distance {
		h, ok := q.shape.Intersect(q.ray, 0, limit)
		return distance{h.T, ok}
	})...)
}

// aheadSlips returns the slips of the stage ahead: errors with one number or vector of the question or answer,
// such as a wrong sign.
func aheadSlips() []change[aheadQuestion, distance] {
	const lesson = "sphere.md#from-inside"
	return append(slipsOf(lesson, []input[aheadQuestion]{
		{what: "the ray's origin", vector: func(q *aheadQuestion) []*geom.Vec3 { return []*geom.Vec3{&q.ray.Origin} }},
		{what: "the direction", vector: func(q *aheadQuestion) []*geom.Vec3 { return []*geom.Vec3{&q.ray.Dir} }},
	}, asking[aheadQuestion, distance]), resultSlips[aheadQuestion](lesson, []input[distance]{
		{what: "t", number: func(d *distance) []*float64 { return []*float64{&d.T} }},
	})...)
}
