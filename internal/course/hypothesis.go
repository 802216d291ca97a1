package course

import (
	"cmp"
	"slices"
)

// change is a mistake as a small change of the right solution, so that it can occur together with others. edit receives
// a copy of the question and may change the copy, but nothing that it points to. The right solution then answers the
// changed question. If edit returned a function, that function changes the answer.
type change[Q, A any] struct {
	Mistake
	edit func(q *Q) (tell func(*A))
}

// asking returns the edit of a [change] that changes the question with f and leaves the answer.
func asking[Q, A any](f func(q *Q)) func(q *Q) func(*A) {
	return func(q *Q) func(*A) {
		f(q)
		return nil
	}
}

// telling returns the edit of a [change] that leaves the question and changes the answer with f.
func telling[Q, A any](f func(q *Q, a *A)) func(q *Q) func(*A) {
	return func(q *Q) func(*A) { return func(a *A) { f(q, a) } }
}

// hypothesis is one mistake, or two that a program makes at once, as indices into the mistakes of a stage.
type hypothesis []int

// answers returns what a program answers if it has the mistakes of a hypothesis. It returns two answers if two variants
// contradict each other: it is then unknown what a program with both would answer.
func (a *asked[Q, A]) answers(h hypothesis) []A {
	if len(h) == 2 && h[1] < len(a.library) { // two variants; the indices ascend
		one, two := a.library[h[0]].solve(&a.q), a.library[h[1]].solve(&a.q)
		switch {
		case a.stageOf.judge(&a.q, one) == nil:
			return []A{two}
		case a.stageOf.judge(&a.q, two) == nil:
			return []A{one}
		}
		return []A{one, two}
	}
	q, solve := a.q, a.solve
	var tells []func(*A)
	for _, m := range h {
		if v, ok := a.variant(m); ok {
			solve = v.solve
		} else if tell := a.changes[m-len(a.library)].edit(&q); tell != nil {
			tells = append(tells, tell)
		}
	}
	out := solve(&q)
	for _, tell := range tells {
		tell(&out)
	}
	return []A{out}
}

// variant returns mistake m if it is a variant.
func (s *stageOf[Q, A]) variant(m int) (variant[Q, A], bool) {
	switch changed := len(s.library) + len(s.changes); {
	case m < len(s.library):
		return s.library[m], true
	case m >= changed:
		return s.alone[m-changed], true
	}
	return variant[Q, A]{}, false
}

// fits compares the answers of a hypothesis with the learner's answer, which is wrong if wrong is set.
func (a *asked[Q, A]) fits(h hypothesis, fields answer, wrong bool) fit {
	supposed := a.answers(h)
	bad := a.stageOf.judge(&a.q, supposed[0]) != nil
	switch {
	case !bad && !wrong:
		return neutral
	case bad != wrong:
		return differs
	}
	r := &reader{fields: fields}
	given := a.read(&a.q, r)
	switch {
	case len(supposed) > 1:
		return neutral
	case r.problem == nil && r.nan != nil && hasNaN(supposed[0]), a.same(given, supposed[0]):
		return agrees // which numbers become NaN depends on the program
	}
	return differs
}

// A hypothesis is accepted if it agrees with the learner on nearly all questions on which at least one of them is wrong.
// A few differences are allowed: programs with the same mistake differ where a formula is degenerate, or where only one of
// them is within a tolerance. Agreement on a single question is not enough. Two mistakes fit more easily by chance, so they
// must fit better, and each must be needed.
const (
	enoughAlike     = 0.9
	enoughPairAlike = 0.97
	leastAlike      = 2
	leastNeeded     = 3
)

// tried is a question for which the answers of hypotheses are compared with the answer of the learner.
type tried struct {
	question
	fields answer
	wrong  bool
}

// tried returns the questions to compare, ordered so that the first n are a sample of all, for every n.
func (e *Exam) tried() []tried {
	var all []tried
	for i := 0; i < e.opt.Count; i += e.stride() {
		if e.answered[i] {
			fields, wrong := e.wrong[i]
			all = append(all, tried{e.question(i), fields, wrong})
		}
	}
	const step = 7919 // a prime, larger than the number of questions tried
	mixed := make([]tried, len(all))
	for i := range all {
		mixed[i] = all[i*step%len(all)]
	}
	return mixed
}

// score counts the questions on which a hypothesis agrees with the learner, and those on which it differs.
type score struct{ agree, differ int }

func (s score) share() float64 { return float64(s.agree) / float64(max(1, s.agree+s.differ)) }

// scoreOf compares a hypothesis with the learner. It returns false if they agree on less than the share least of the
// questions that count, or on fewer than leastAlike; it stops as soon as the former is certain.
func scoreOf(h hypothesis, all []tried, least float64) (score, bool) {
	var s score
	for _, t := range all {
		switch t.fits(h, t.fields, t.wrong) {
		case agrees:
			s.agree++
		case differs:
			s.differ++
		}
		if float64(s.differ) > (1-least)*float64(len(all)) {
			return s, false
		}
	}
	return s, s.agree >= leastAlike && s.share() >= least
}

// named returns the mistakes to report: the single mistakes that fit best, two that fit together, or a random one. It
// returns an empty list if none fits well enough.
func (e *Exam) named() []Mistake {
	library := e.Stage.Mistakes()
	all := e.tried()
	var singles []scored
	best := score{}
	for m := range library {
		h := hypothesis{m}
		if s, ok := scoreOf(h, all, enoughAlike); ok {
			singles = append(singles, scored{h, s})
			if s.share() > best.share() {
				best = s
			}
		}
	}
	singles = slices.DeleteFunc(singles, func(s scored) bool { return s.share() < best.share() })
	if len(singles) > 0 && best.differ < leastNeeded {
		return e.distinct(singles)
	}
	if pair := e.pair(all, singles, library); pair != nil {
		return []Mistake{library[pair[0]], library[pair[1]]}
	}
	if len(singles) == 0 {
		return e.random()
	}
	return e.distinct(singles)
}

// scored is a hypothesis with its score.
type scored struct {
	h hypothesis
	score
}

// distinct returns the mistakes of hypotheses with one mistake each, without duplicates.
func (e *Exam) distinct(singles []scored) []Mistake {
	found := []Mistake{}
	for _, s := range singles {
		if m := e.Stage.Mistakes()[s.h[0]]; !slices.Contains(found, m) { // a mistake may have several variants
			found = append(found, m)
		}
	}
	return found
}

// pair returns the two mistakes that together explain the answers; nil if no pair does, or if several do equally well.
// If single mistakes explain nearly all answers, the pair must contain one of them.
func (e *Exam) pair(all []tried, singles []scored, library []Mistake) hypothesis {
	can, most := e.Stage.kind.pairs()
	if most == 0 {
		return nil
	}
	some := all[:min(len(all), most)]
	var found []scored
	for i, a := range can {
		for _, b := range can[i+1:] {
			h := hypothesis{a, b}
			if library[a] == library[b] || len(singles) > 0 && !slices.ContainsFunc(singles, func(s scored) bool { return slices.Contains(h, s.h[0]) }) {
				continue
			}
			if _, ok := scoreOf(h, some, enoughPairAlike); !ok || !needed(h, some) {
				continue
			}
			if s, ok := scoreOf(h, all, enoughPairAlike); ok && needed(h, all) {
				found = append(found, scored{h, s})
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.share(), a.share()) })
	first := found[0]
	for _, other := range found[1:] {
		same := library[other.h[0]] == library[first.h[0]] && library[other.h[1]] == library[first.h[1]]
		if !same && other.share() == first.share() {
			return nil
		}
	}
	return first.h
}

// needed reports whether each of two mistakes explains answers that the other one does not.
func needed(h hypothesis, all []tried) bool {
	for k := range h {
		explains := 0
		for _, t := range all {
			if t.wrong && t.fits(h, t.fields, t.wrong) == agrees && t.fits(h[k:k+1], t.fields, t.wrong) != agrees {
				explains++
			}
		}
		if explains < leastNeeded {
			return false
		}
	}
	return true
}

// pairs returns the mistakes that may occur together with another one, in ascending order, and the number of questions on
// which pairs are tried first.
func (s *stageOf[Q, A]) pairs() (can []int, most int) {
	for m := range len(s.library) + len(s.changes) {
		can = append(can, m)
	}
	return can, s.pairSample
}
