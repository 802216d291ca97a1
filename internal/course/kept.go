package course

import (
	"context"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shade"
	"pillbox/shapes"
)

// keeper is the mistake of a program that keeps a value from one question to the next, such as a sum that begins at 0 only
// once. The function start returns a function that must be called for the questions of an exam in order. It computes the
// answers of the program, and keeps the value.
type keeper[Q, A any] struct {
	Mistake
	start func() func(q *Q) A
}

// keptMistake returns the mistake that a value is kept. what names the value.
func keptMistake(what, lesson string) Mistake {
	return Mistake{what + " is kept from one question to the next", "Each question is independent of the others. Set " + what + " to its first value at the beginning of each question.", lesson}
}

func (s *stageOf[Q, A]) keeperMistakes() []Mistake { return mistakesOf(s.keepers) }

func (s *stageOf[Q, A]) keeper(k int) func(q question, fields answer, wrong bool) fit {
	solve := s.keepers[k].start()
	return func(q question, fields answer, wrong bool) fit {
		a := q.(*asked[Q, A])
		return a.compare(solve(&a.q), fields, wrong)
	}
}

// keptValue returns the mistake that a value is kept from one question to the next. It returns none if the answers are not
// those of such a program, or if mistakes are tried only on some of the questions.
func (e *Exam) keptValue(ctx context.Context, all []tried) []Mistake {
	if e.stride() > 1 {
		return nil
	}
	if m := e.keeper(ctx); m != nil || e.Stage.Name == pictureName {
		return m
	}
	return e.repeats(ctx, all)
}

// keeper returns the first keeper of the stage that gives the learner's answers.
func (e *Exam) keeper(ctx context.Context) []Mistake {
	enough := leastAlikeInMost
	if e.Stage.Name == pictureName { // a picture consists of many answers
		enough = leastAlike
	}
	for k, m := range e.Stage.kind().keeperMistakes() {
		next := e.Stage.kind().keeper(k)
		var s score
		most := (1 - enoughPairAlike) * float64(max(1, len(e.wrong)))
		for i := 0; i < e.opt.Count && e.answered[i] && float64(s.differ) <= most && ctx.Err() == nil; i++ {
			fields, wrong := e.wrong[i]
			switch next(e.question(i), fields, wrong) {
			case agrees:
				s.agree++
			case differs:
				s.differ++
			}
		}
		if s.agree >= enough && s.share() >= enoughPairAlike && float64(s.agree) >= enoughPairAlike*float64(len(e.wrong)) {
			return []Mistake{m}
		}
	}
	return nil
}

// repeats returns the mistake that wrong answers repeat a number or vector of the answer to the question before.
func (e *Exam) repeats(ctx context.Context, all []tried) []Mistake {
	const leastRepeats = 4
	var wrong []tried
	repeated := make(map[string]bool)
	fitting := 0
	for i := range e.opt.Count {
		fields, ok := e.wrong[i]
		if !ok || ctx.Err() != nil {
			continue
		}
		_, head := e.head(i)
		t := tried{question: e.question(i), caseName: caseName{head.Class, head.Case}, fields: fields, wrong: true, ended: ctx.Err}
		wrong = append(wrong, t)
		if i == 0 {
			continue
		}
		before, ok := e.wrong[i-1]
		if !ok {
			before = rightFields(&tried{question: e.question(i - 1)})
		}
		right := rightFields(&t)
		fits := false
		for field, value := range fields {
			if field != "id" && hasNumber(value) && equalValues(value, before[field]) && !equalValues(value, right[field]) {
				if isTelling(value) {
					repeated[inJSON(value)] = true
				}
				fits = true
			}
		}
		if fits {
			fitting++
		}
	}
	if len(repeated) < leastRepeats || float64(fitting) < enoughCommon*float64(len(wrong)) {
		return nil
	}
	where := commonPlace(wrong, e.cases)
	if feature := e.commonFeature(all); feature != "" {
		where = feature
	}
	return []Mistake{{"the answer to the question before is repeated" + where, "The wrong answers contain values of the answer before. Each question is independent of the others: set every variable at the beginning of each question.", e.Stage.Lesson}}
}

// hasNumber reports whether a value of JSON contains a number.
func hasNumber(value any) bool {
	switch v := value.(type) {
	case float64:
		return true
	case []any:
		return slices.ContainsFunc(v, hasNumber)
	}
	return false
}

// isTelling reports whether a value of JSON contains a number that is not an integer. Two answers rarely have such a number in
// common by chance.
func isTelling(value any) bool {
	switch v := value.(type) {
	case float64:
		return v != math.Trunc(v)
	case []any:
		return slices.ContainsFunc(v, isTelling)
	}
	return false
}

// lambertKeepers returns the keepers of a stage whose answer is a sum of light.
func lambertKeepers() []keeper[lambertQuestion, colorAnswer] {
	const lesson = "lambert.md"
	answer := func(c shade.Color) colorAnswer {
		a := colorAnswer{R: c.R, G: c.G, B: c.B}
		for _, x := range [...]float64{c.R, c.G, c.B} {
			a.SRGB = append(a.SRGB, int(shade.EncodeSRGB8(x)))
		}
		return a
	}
	// total returns the light that arrives, without the ambient light if bare is set.
	total := func(q *lambertQuestion, bare bool) shade.Color {
		white := *q
		white.albedo = shade.White()
		if bare {
			white.ambient = 0
		}
		a := solveLambert(&white)
		return shade.Color{R: a.R, G: a.G, B: a.B}
	}
	sum := func(of func(q *lambertQuestion, sum *shade.Color) shade.Color) func() func(q *lambertQuestion) colorAnswer {
		return func() func(q *lambertQuestion) colorAnswer {
			var kept shade.Color
			return func(q *lambertQuestion) colorAnswer { return answer(of(q, &kept)) }
		}
	}
	return []keeper[lambertQuestion, colorAnswer]{
		{keptMistake("the sum of the light", lesson), sum(func(q *lambertQuestion, kept *shade.Color) shade.Color {
			*kept = kept.Add(total(q, false))
			return q.albedo.Mul(*kept)
		})},
		{keptMistake("the sum of the light", lesson), sum(func(q *lambertQuestion, kept *shade.Color) shade.Color {
			*kept = kept.Add(total(q, true))
			return q.albedo.Mul(kept.Add(shade.Gray(q.ambient)))
		})},
		{keptMistake("the color", lesson), sum(func(q *lambertQuestion, kept *shade.Color) shade.Color {
			*kept = kept.Add(q.albedo.Mul(total(q, false)))
			return *kept
		})},
	}
}

// nearestKeepers returns the keepers of the search for the nearest solid.
func nearestKeepers() []keeper[nearestQuestion, nearestAnswer] {
	least := keptMistake("the smallest t so far", "tree.md")
	search := func(forgets bool) func() func(q *nearestQuestion) nearestAnswer {
		return func() func(q *nearestQuestion) nearestAnswer {
			kept := nearestAnswer{Object: -1, T: math.Inf(1)}
			return func(q *nearestQuestion) nearestAnswer {
				if forgets {
					kept.Object = -1
				}
				for i, s := range q.solids {
					if h, ok := s.Intersect(q.ray, 0, kept.T); ok {
						kept = nearestAnswer{i, h.T, towardViewer(h.Normal, q.ray)}
					}
				}
				if kept.Object < 0 {
					return nearestAnswer{Object: -1}
				}
				return kept
			}
		}
	}
	return []keeper[nearestQuestion, nearestAnswer]{{least, search(true)}, {least, search(false)}}
}

// overlapKeepers returns the keepers of the search for the least distance of two capsules.
func overlapKeepers() []keeper[overlapQuestion, relation] {
	order := []relation{overlaps, touches, apart}
	return []keeper[overlapQuestion, relation]{{keptMistake("the smallest distance so far", "exact.md"), func() func(q *overlapQuestion) relation {
		kept := len(order) - 1
		return func(q *overlapQuestion) relation {
			kept = min(kept, slices.Index(order, solveOverlap(q)))
			return order[kept]
		}
	}}}
}

// shadowKeepers returns the keepers of the search for a solid that blocks a light: from one light to the next, or also from
// one question to the next.
func shadowKeepers() []keeper[shadowQuestion, shadowAnswer] {
	light := Mistake{"that a light is blocked is kept for the lights after it", "Each light has its own ray. Set the variable for its result at the beginning of each light.", "shadows.md"}
	search := func(each bool) func() func(q *shadowQuestion) shadowAnswer {
		return func() func(q *shadowQuestion) shadowAnswer {
			blocked := false
			return func(q *shadowQuestion) shadowAnswer {
				blocked = blocked && !each
				a := solveShadow(q)
				for i, arrives := range a.Arrives {
					blocked = blocked || !arrives && q.obstacle(&q.lights[i]) != facesAway
					a.Arrives[i] = arrives && !blocked
				}
				return a
			}
		}
	}
	return []keeper[shadowQuestion, shadowAnswer]{{light, search(true)}, {keptMistake("that a light is blocked", "shadows.md"), search(false)}}
}

// lineKeepers returns the keepers of the crossings of a line with a solid of the same kind as s: the last entry and the first
// exit of a box, the smallest and the largest root of a capsule, or the first two distances of a sphere.
func lineKeepers(s shapes.Shape, lesson string) []keeper[lineQuestion, crossings] {
	switch s.(type) {
	case *shapes.Sphere:
		return []keeper[lineQuestion, crossings]{{keptMistake("the list of distances", lesson), keptRoots(func(near, far float64, q *lineQuestion) (float64, float64, bool) {
			switch span, ok := q.shape.Span(q.ray); {
			case !ok:
				return near, far, false
			case math.IsInf(near, 1): // the list is empty
				return span.Near.T, span.Far.T, true
			}
			return near, far, true
		}, math.Inf(1), math.Inf(1))}}
	case *shapes.Box:
		return []keeper[lineQuestion, crossings]{{keptMistake("the interval from near to far", lesson), keptRoots(func(near, far float64, q *lineQuestion) (float64, float64, bool) {
			line := slabsOf(q)
			in, out, ok := line.enclosed()
			return max(near, in[0], in[1], in[2]), min(far, out[0], out[1], out[2]), ok
		}, math.Inf(-1), math.Inf(1))}}
	case *shapes.Capsule:
		return []keeper[lineQuestion, crossings]{{keptMistake("the list of roots", lesson), keptRoots(func(near, far float64, q *lineQuestion) (float64, float64, bool) {
			b := bodyOf(q)
			if b.length == 0 || !b.ok && !b.parallel() {
				return near, far, false
			}
			if span, ok := q.shape.Span(q.ray); ok {
				return min(near, span.Near.T), max(far, span.Far.T), true
			}
			return near, far, true
		}, math.Inf(1), math.Inf(-1))}}
	}
	return nil
}

// keptRoots returns the start of a keeper of two distances, which begin at near and far. The function next updates them, or
// returns false for lines about which the program decides before it uses them. The normals and the face depend on the
// program.
func keptRoots(next func(near, far float64, q *lineQuestion) (float64, float64, bool), near, far float64) func() func(q *lineQuestion) crossings {
	return func() func(q *lineQuestion) crossings {
		near, far := near, far
		return func(q *lineQuestion) crossings {
			right := solveLine(q)
			n, f, ok := next(near, far, q)
			if !ok {
				return right
			}
			near, far = n, f
			switch {
			case near > far:
				return crossings{}
			case right.Count == 2 && near == right.T[0] && far == right.T[1]:
				return right
			}
			c := crossingsAt(q.ray, func(geom.Vec3, int) geom.Vec3 { return anything() }, near, far)
			if _, ok := q.shape.(*shapes.Box); ok {
				c.Face = anyFace
			}
			return c
		}
	}
}

// cameraKeepers returns the keepers of the camera that a program prepares only once, with or without the size of the picture.
func cameraKeepers() []keeper[cameraQuestion, start] {
	first := func(size bool) func() func(q *cameraQuestion) start {
		return func() func(q *cameraQuestion) start {
			var kept *cameraQuestion
			return func(q *cameraQuestion) start {
				asked := *q
				if kept == nil {
					kept = &asked
				}
				if asked.camera = kept.camera; size {
					asked.width, asked.height = kept.width, kept.height
				}
				return solveCamera(&asked)
			}
		}
	}
	m := keptMistake("the camera of the first question", "camera.md")
	m.Advice = "Each question has its own camera, and its own size of the picture. Compute F, R, U and the size of a pixel for each question."
	return []keeper[cameraQuestion, start]{{m, first(true)}, {m, first(false)}}
}

// pictureKeepers returns the keeper of a sum of samples that begins at 0 only once, before the first picture.
func pictureKeepers() []keeper[pictureQuestion, pictureAnswer] {
	return []keeper[pictureQuestion, pictureAnswer]{{unresetSum(), func() func(q *pictureQuestion) pictureAnswer {
		var sum shade.Color
		return func(q *pictureQuestion) pictureAnswer {
			p := newPainter(q.st)
			p.average = sumOnto(&sum)
			return p.paint()
		}
	}}}
}
