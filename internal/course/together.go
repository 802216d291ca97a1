package course

import (
	"cmp"
	"reflect"
	"slices"
)

// If no single mistake explains the wrong answers, two mistakes together may explain them. A cause is a mistake that
// the learner's program may have: a suspect of the stage, with its number. Two causes are accepted if a program with both would give nearly all of the wrong
// answers, and if each cause is needed for some of them. The search tries only causes that explain a part of the
// wrong answers and contradict almost none of the right ones.
const (
	mostWrong    = 160   // the number of wrong answers that are compared first
	mostRight    = 60    // the number of right answers that are compared first
	enoughTried  = 12    // a cause is dropped if it explains none of this many wrong answers
	mostParts    = 80    // the number of partial explanations that are tried in pairs
	mostFirst    = 12    // the number of partial explanations that are tried together with mistakes that have names of their own
	mostLeading  = 4     // the number of them that are tried together with all causes
	mostOdd      = 1     // causes with a larger oddness are not tried
	nearlyBest   = 0.004 // pairs are dropped if the share of answers that they explain is less than the best share by more than this
	manyCauses   = 10000
	coarseNeeded = 8 // the number of answers for which each cause is needed, if answers are single words
	coarseAlike  = 0.99
)

// effect describes the answer of a program with certain causes: whether it is right, and whether it is the learner's
// answer.
type effect uint8

const (
	without   effect = iota // the answer with these causes is right
	whole                   // it is wrong, and the learner's answer is the same
	partly                  // it is wrong, and has a wrong part in common with the learner's
	other                   // it is wrong in another way, or the learner's is right
	undecided               // rounding decides about the answer with these causes
)

// effect compares the answer of a program that has all of the causes with the learner's answer.
func (a *asked[Q, A]) effect(causes []int, fields answer, wrong bool) effect {
	supposed := a.joint(causes)
	c := a.comparison(fields, wrong)
	switch {
	case isUnknown(supposed):
		return undecided
	case a.same(supposed, c.right) && a.isRight(supposed), !wrong && a.isRight(supposed):
		return without
	case !wrong, c.unreadable:
		return other
	case hasNaN(supposed):
		if hasNaN(c.given) {
			return whole
		}
		return other
	case a.same(c.given, supposed):
		return whole
	case a.isRight(supposed):
		return without
	case a.sharesError(c.given, supposed, c.right):
		return partly
	}
	return other
}

// joint returns the answer of a program that has all of the causes: a textbook program with their wrong steps, which gets a changed
// question or whose answer is changed.
func (a *asked[Q, A]) joint(causes []int) A {
	q, solve := a.q, a.solve
	var tells []func(*A)
	var both program
	for _, c := range causes {
		if c >= len(a.slips) {
			p := &a.textbook()[c-len(a.slips)].program
			both.style = max(both.style, p.style)
			both.wrong = append(both.wrong, p.wrong...)
			both.named = both.named || p.named
			continue
		}
		if tell := a.slips[c].edit(&q); tell != nil {
			tells = append(tells, tell)
		}
	}
	if len(both.wrong) > 0 {
		solve = func(q *Q) A { return a.books.run(&both, q) }
	}
	out := solve(&q)
	for _, tell := range tells {
		tell(&out)
	}
	return out
}

// sharesError reports whether two answers have a wrong field in common.
func (a *asked[Q, A]) sharesError(given, supposed, right A) bool {
	v, w, r := reflect.ValueOf(given), reflect.ValueOf(supposed), reflect.ValueOf(right)
	if v.Kind() != reflect.Struct || a.alike != nil {
		return false
	}
	near := a.scale(&a.q) * 0x1p-20
	for i := range v.NumField() {
		near := near
		if v.Type().Field(i).Tag.Get("course") == "unit" {
			near = 0x1p-20
		}
		if alikeValues(v.Field(i), w.Field(i), near) && !alikeValues(v.Field(i), r.Field(i), near) {
			return true
		}
	}
	return false
}

// explanation is a cause that explains a part of the wrong answers.
type explanation struct {
	cause   int
	odd     int // oddness: how unlikely the cause is
	effects []effect
	order   []int // the numbers of the wrong answers, those first that the cause alone does not explain
	lacks   int   // how many it does not explain
	same    []int // other causes with the same effects
}

// sort sets the order of the wrong answers, once x.effects is complete.
func (x *explanation) sort() {
	explained := []int{}
	for i, e := range x.effects {
		if e == whole {
			explained = append(explained, i)
			continue
		}
		x.order = append(x.order, i)
	}
	x.lacks = len(x.order)
	x.order = append(x.order, explained...)
}

func (x *explanation) count(e effect) int {
	n := 0
	for _, f := range x.effects {
		if f == e {
			n++
		}
	}
	return n
}

// search contains the state of a search for two causes.
type search struct {
	*Exam
	causes       []Mistake
	wrong, right []tried
	least        float64 // the share of the wrong answers that two causes must explain
	needed       int     // the number of wrong answers for which each cause must be needed
	mostOdd      int     // causes with a larger oddness are not tried
}

func (e *Exam) search(all []tried) *search {
	s := &search{Exam: e, causes: e.Stage.kind().suspects(), least: enoughPairAlike, mostOdd: mostOdd}
	if len(s.causes) > manyCauses {
		s.mostOdd = 0
	}
	for _, t := range all {
		if t.wrong && len(s.wrong) < mostWrong {
			s.wrong = append(s.wrong, t)
		} else if !t.wrong && len(s.right) < mostRight {
			s.right = append(s.right, t)
		}
	}
	s.needed = max(leastNeeded, len(s.wrong)/25)
	if e.Stage.kind().coarse() {
		s.needed, s.least = max(coarseNeeded, len(s.wrong)/12), coarseAlike
	}
	return s
}

func (s *search) odd(cause int) int { return s.Stage.kind().odd(cause) }

// together returns two mistakes that explain the wrong answers together. It returns nil if there are none, or if several
// different pairs explain them equally well.
func (e *Exam) together(all []tried) []Mistake {
	if e.Stage.Name == pictureName {
		return nil
	}
	s := e.search(all)
	if len(s.wrong) < 2*s.needed {
		return nil
	}
	parts := s.parts()
	pairs := s.pairs(parts)
	if len(pairs) == 0 {
		pairs = s.leadingPairs(parts)
	}
	shares, most := make(map[[2]*explanation]float64), 0.0
	for _, p := range pairs {
		shares[p] = s.share(p, all)
		most = max(most, shares[p])
	}
	pairs = slices.DeleteFunc(pairs, func(p [2]*explanation) bool { return shares[p] < max(s.least, most-nearlyBest) })
	if len(pairs) == 0 {
		return nil
	}
	odd := func(p [2]*explanation) int { return p[0].odd + p[1].odd }
	slices.SortStableFunc(pairs, func(a, b [2]*explanation) int { return cmp.Compare(odd(a), odd(b)) })
	first := pairs[0]
	for _, p := range pairs[1:] {
		if odd(p) == odd(first) && p[0] != first[0] && p[0] != first[1] && p[1] != first[0] && p[1] != first[1] {
			return nil
		}
	}
	return []Mistake{s.mistake(first[0]), s.mistake(first[1])}
}

// mistake returns the mistake of an explanation.
func (s *search) mistake(x *explanation) Mistake {
	all := []Mistake{s.causes[x.cause]}
	for _, c := range x.same {
		if m := s.causes[c]; s.odd(c) == x.odd && m.Name != all[0].Name {
			all = append(all, m)
		}
	}
	return either(all, 1)[0]
}

// parts returns the causes that explain a part of the wrong answers: those that explain the most first.
func (s *search) parts() []*explanation {
	var all []*explanation
	groups := make(map[string]*explanation)
	for c := range s.causes {
		if s.odd(c) > s.mostOdd {
			continue
		}
		x := &explanation{cause: c, odd: s.odd(c)}
		found := 0
		for i := range s.wrong {
			f := s.wrong[i].effectOf(c)
			if x.effects = append(x.effects, f); f == whole || f == partly {
				found++
			}
			if i >= enoughTried && found == 0 {
				break
			}
		}
		leads := float64(found) >= enoughAlike*float64(len(s.wrong)) // another mistake may hide it where the learner is right
		if found < leastNeeded {
			continue
		}
		key := keyOf(x.effects)
		if s.contradicts(c) {
			if !leads {
				continue
			}
			key += "contradicted" // so that it does not lend its name to causes that the right answers permit
		}
		switch g := groups[key]; {
		case g == nil:
			groups[key] = x
			all = append(all, x)
		case x.odd < g.odd:
			g.same = append(g.same, g.cause)
			g.cause, g.odd = c, x.odd
		default:
			g.same = append(g.same, c)
		}
	}
	weight := func(x *explanation) int { return 2*x.count(whole) + x.count(partly) }
	slices.SortStableFunc(all, func(a, b *explanation) int { return cmp.Compare(weight(b), weight(a)) })
	all = all[:min(len(all), mostParts)]
	for _, x := range all {
		x.sort()
	}
	return all
}

// keyOf returns a map key. Two lists have the same key if their effects are the same.
func keyOf(all []effect) string {
	b := make([]byte, len(all))
	for i, e := range all {
		b[i] = byte(e)
	}
	return string(b)
}

// contradicts reports whether the learner's right answers rule out a cause: a program with the cause would answer
// several of these questions wrongly.
func (s *search) contradicts(c int) bool { return 12*s.contradictions(c) > mostRight }

// contradictions returns the number of right answers that a program with the cause would give wrongly.
func (s *search) contradictions(c int) int {
	bad := 0
	for i := range s.right {
		if s.right[i].effectOf(c) == other {
			bad++
		}
	}
	return bad
}

// pairs returns the pairs of partial explanations that explain nearly all of the wrong answers.
func (s *search) pairs(parts []*explanation) [][2]*explanation {
	var found [][2]*explanation
	for i, a := range parts {
		for _, b := range parts[i+1:] {
			if s.explain(a, b) {
				found = append(found, [2]*explanation{a, b})
			}
		}
	}
	return found
}

// most returns the number of wrong answers that two causes need not explain.
func (s *search) most() int { return int((1 - s.least) * float64(len(s.wrong))) }

// explain reports whether two causes explain nearly all of the wrong answers together, and each is needed.
func (s *search) explain(a, b *explanation) bool {
	most := s.most()
	unexplained, needA, needB := 0, 0, 0
	for _, i := range a.order {
		f := s.both(a, b, i)
		if f == undecided {
			continue
		}
		if f != whole {
			if unexplained++; unexplained > most {
				return false
			}
			continue
		}
		if a.effects[i] != whole {
			needB++
		}
		if b.effects[i] != whole {
			needA++
		}
	}
	if needA >= s.needed && needB >= s.needed {
		return true
	}
	rightA, rightB := s.hides(a, b)
	return needA+rightA >= s.needed && needB+rightB >= s.needed
}

// hides returns the number of right answers for which a is needed, because a program with b alone would give a wrong answer
// and one with both would not, and the number of those for which b is needed.
func (s *search) hides(a, b *explanation) (needA, needB int) {
	for i := range s.right {
		t := &s.right[i]
		x, y := t.effectOf(a.cause), t.effectOf(b.cause)
		if x != other && y != other || t.effectOf(a.cause, b.cause) != without {
			continue
		}
		if x == other {
			needB++
		}
		if y == other {
			needA++
		}
	}
	return needA, needB
}

// both returns the effect of two causes on wrong answer i. For speed, it does not combine them if one of them alone
// explains the answer and the other alone has no effect or explains it, too.
func (s *search) both(a, b *explanation, i int) effect {
	x, y := a.effects[i], b.effects[i]
	switch {
	case x == without && y == without:
		return without
	case x == whole && (y == without || y == whole), x == without && y == whole:
		return whole
	}
	return s.wrong[i].effectOf(a.cause, b.cause)
}

// leadingPairs returns pairs of causes that explain nearly all of the wrong answers. The first cause of a pair is one of
// those that explain the most. If it explains at least a part of nearly every wrong answer, for example the distances, and is one
// of the first mostLeading that do, the second one is any cause. Otherwise, and in the stage mirror, where each comparison follows
// rays through a scene, it is a slip with a name of its own.
func (s *search) leadingPairs(parts []*explanation) [][2]*explanation {
	var found [][2]*explanation
	leading := 0
	for _, a := range parts[:min(len(parts), mostFirst)] {
		if a.lacks+s.contradictions(a.cause) < s.needed {
			continue // no other cause can be needed
		}
		leads := s.Stage.Name != "mirror" && float64(a.count(partly)+a.count(whole)) >= enoughAlike*float64(len(s.wrong))
		if leads {
			leading++
		}
		for c := range s.causes {
			if s.odd(c) > s.mostOdd || c == a.cause || !(leads && leading <= mostLeading) && !s.Stage.kind().isNamed(c) || !s.completes(a, c) {
				continue
			}
			b := &explanation{cause: c, odd: s.odd(c)}
			for i := range s.wrong {
				t := &s.wrong[i]
				b.effects = append(b.effects, t.effectOf(c))
			}
			if s.explain(a, b) {
				found = append(found, [2]*explanation{a, b})
			}
		}
	}
	return found
}

// completes is a quick test before explain. It reports whether a and cause c together explain nearly all of the wrong
// answers that a alone does not explain.
func (s *search) completes(a *explanation, c int) bool {
	bad := 0
	for _, i := range a.order[:a.lacks] {
		if f := s.wrong[i].effectOf(a.cause, c); f != whole && f != undecided {
			if bad++; bad > s.most() {
				return false
			}
		}
	}
	return true
}

// share returns the share of the answers, including the right ones, that two causes explain.
func (s *search) share(p [2]*explanation, all []tried) float64 {
	agree, differ := 0, 0
	for i := range all {
		t := &all[i]
		switch f := t.effectOf(p[0].cause, p[1].cause); {
		case f == whole:
			agree++
		case f == without && !t.wrong, f == undecided:
		default:
			differ++
		}
	}
	return score{agree, differ}.share()
}
