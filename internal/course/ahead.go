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
		scale:  func(q *aheadQuestion) float64 { return lineScale((*lineQuestion)(q)) },
		derive: func(q *aheadQuestion) Derivation { return deriveLine((*lineQuestion)(q)) },
		slips:  aheadSlips(), features: aheadFeatures(), pixels: aheadPixels(),
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
