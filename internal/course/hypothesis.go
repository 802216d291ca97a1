package course

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"pillbox/internal/parallel"
)

// change is a mistake that can occur together with others, because it only changes the question or the answer. The
// function edit receives a copy of the question. It may change the copy, but nothing that the copy points to. The right
// solution then answers the changed question. If edit returned a function, that function changes the answer.
type change[Q, A any] struct {
	Mistake
	edit func(q *Q) (tell func(*A))
	odd  int // 0: a typical mistake; the larger, the less likely
}

// asking returns the edit of a [change] that changes the question with f and leaves the answer unchanged.
func asking[Q, A any](f func(q *Q)) func(q *Q) func(*A) {
	return func(q *Q) func(*A) {
		f(q)
		return nil
	}
}

// telling returns the edit of a [change] that leaves the question unchanged and changes the answer with f.
func telling[Q, A any](f func(q *Q, a *A)) func(q *Q) func(*A) {
	return func(q *Q) func(*A) { return func(a *A) { f(q, a) } }
}

// hypothesis is a supposition about the learner's program: that it makes one certain mistake, or two at once. The elements
// are indices into the mistakes of a stage.
type hypothesis []int

// faultyAnswer returns the answer of a program that has the mistakes of h. A variant computes the whole answer in a wrong way, so h
// has at most one.
func (a *asked[Q, A]) faultyAnswer(h hypothesis) A {
	q, solve := a.q, a.solve
	var tells []func(*A)
	for _, m := range h {
		if v, ok := a.variant(m); ok {
			solve = v.solve
		} else if tell := a.change(m).edit(&q); tell != nil {
			tells = append(tells, tell)
		}
	}
	out := solve(&q)
	for _, tell := range tells {
		tell(&out)
	}
	return out
}

// variant returns mistake m of the stage if it is a variant, which computes the answer itself. It returns false if
// the mistake is a [change] of the question or answer.
func (s *stageOf[Q, A]) variant(m int) (variant[Q, A], bool) {
	if m < len(s.library) {
		return s.library[m], true
	}
	return variant[Q, A]{}, false
}

// change returns mistake m of the stage, which must be a change of the question or answer, such as a slip.
func (s *stageOf[Q, A]) change(m int) change[Q, A] {
	if k := m - len(s.library); k < len(s.changes) {
		return s.changes[k]
	}
	return s.slips[m-s.knowns()]
}

// comparedAnswer is an answer of the learner that is compared with the answers of many suspects.
type comparedAnswer[A any] struct {
	given      A
	right      A
	unreadable bool
	small      bool // it is wrong, but so little that its value says nothing about the mistake
}

func (a *asked[Q, A]) almostRight(fields answer) bool {
	r := &reader{fields: fields}
	given := a.read(&a.q, r)
	return r.problem == nil && r.nan == nil && a.same(given, a.solve(&a.q))
}

// comparison decodes the learner's answer, and returns it with what is needed to compare it with those of many suspects.
func (a *asked[Q, A]) comparison(fields answer, wrong bool) *comparedAnswer[A] {
	if a.compared == nil {
		r := &reader{fields: fields}
		c := comparedAnswer[A]{given: a.read(&a.q, r), right: a.solve(&a.q)}
		c.unreadable = wrong && r.problem != nil && r.problem.field != "face" // some mistakes leave the face empty
		c.small = wrong && !c.unreadable && a.same(c.given, c.right)
		a.compared = &c
	}
	return a.compared
}

// isRight reports whether an answer of a suspect is right. The learner's answer must have been decoded before.
func (a *asked[Q, A]) isRight(supposed A) bool {
	switch {
	case a.equal:
		return any(supposed) == any(a.compared.right)
	case a.words && a.same(supposed, a.compared.right):
		return true
	}
	return a.stageOf.judge(&a.q, supposed) == nil
}

func (a *asked[Q, A]) suspect(k int, fields answer, wrong, loose bool) fit {
	c := a.comparison(fields, wrong)
	switch {
	case c.unreadable:
		return differs
	case c.small:
		return neutral
	}
	if k < len(a.slips) {
		return a.asSuspect(a.faultyAnswer(hypothesis{a.knowns() + k}), wrong, loose)
	}
	s := &a.textbook()[k-len(a.slips)]
	switch {
	case s.gives == nil:
		return a.asSuspect(s.solve(&a.q), wrong, loose)
	case wrong && s.gives(&a.q, c.given, true):
		return agrees
	case !wrong && s.gives(&a.q, c.right, false):
		return neutral
	}
	return differs
}

// asSuspect compares the answer of a suspect, a program with one wrong step, with the learner's answer. The argument
// wrong states whether the learner's answer is wrong. If loose is set, parts of the suspect's answer that follow from a
// wrong part do not count: see stageOf.loosen.
func (a *asked[Q, A]) asSuspect(supposed A, wrong, loose bool) fit {
	if !wrong {
		if !a.isRight(supposed) && !isUnknown(supposed) {
			return differs
		}
		return neutral
	}
	switch given := a.compared.given; {
	case isUnknown(supposed):
		return neutral
	case hasNaN(supposed) && hasNaN(given):
		return agrees // which numbers become NaN depends on the program
	case hasNaN(supposed): // an infinity would be alike to all numbers
		return differs
	}
	if loose && a.loosen != nil {
		a.loosen(&a.q, &supposed)
	}
	if !a.same(a.compared.given, supposed) {
		return differs
	}
	return agrees
}

// fits compares the learner's answer with the answer of a program that makes the mistakes of h. The argument wrong
// states whether the learner's answer is wrong.
func (a *asked[Q, A]) fits(h hypothesis, fields answer, wrong bool) fit {
	return a.compare(a.faultyAnswer(h), fields, wrong)
}

// compare compares the learner's answer with the answer of a hypothesis. The argument wrong states whether the learner's answer is
// wrong.
func (a *asked[Q, A]) compare(supposed A, fields answer, wrong bool) fit {
	bad := a.stageOf.judge(&a.q, supposed) != nil
	switch {
	case !bad && !wrong:
		return neutral
	case bad != wrong:
		return differs
	}
	r := &reader{fields: fields}
	given := a.read(&a.q, r)
	if r.problem == nil && r.nan != nil && hasNaN(supposed) || a.same(given, supposed) {
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

// A hypothesis is also accepted if it agrees with the learner less often, as long as they differ only in a few kinds of
// degenerate questions. In these, a formula is 0 / 0 or rounding decides, so each program answers in its own way.
const (
	enoughAlikeInMost = 0.8  // the share of agreement in all questions
	enoughInOthers    = 0.97 // the share in the questions that are not of these kinds
	mostSpecial       = 6    // the number of these kinds
	leastAlikeInMost  = 10
)

// The type tried is a question on which hypotheses are compared with the learner. It includes the learner's answer. Its
// methods fit, suspectFit and effectOf take most of the time of searches for mistakes. When the request for the verdict is canceled,
// these methods compute nothing and no hypothesis fits, so that all searches end soon.
type tried struct {
	question
	caseName
	fields answer
	wrong  bool
	ended  func() error // returns an error when the request for the verdict is canceled
}

// awaited returns the questions in order. It stops when the request for the verdict is canceled.
func awaited(all []tried) iter.Seq[*tried] {
	return func(yield func(*tried) bool) {
		for i := range all {
			if all[i].ended() != nil || !yield(&all[i]) {
				return
			}
		}
	}
}

// fit compares a hypothesis with the learner's answer.
func (t *tried) fit(h hypothesis) fit {
	if t.ended() != nil {
		return differs
	}
	return t.fits(h, t.fields, t.wrong)
}

// suspectFit compares suspect k with the learner's answer.
func (t *tried) suspectFit(k int, loose bool) fit {
	if t.ended() != nil {
		return differs
	}
	return t.suspect(k, t.fields, t.wrong, loose)
}

// effectOf compares the answer of a program that has the causes with the learner's answer.
func (t *tried) effectOf(causes ...int) effect {
	if t.ended() != nil {
		return other
	}
	return t.effect(causes, t.fields, t.wrong)
}

// The method tried returns the questions on which hypotheses are compared with the learner. Their order is such that
// the first n of them, for every n, are a sample of all.
func (e *Exam) tried(ctx context.Context) []tried {
	var all []tried
	for i := 0; i < e.opt.Count && ctx.Err() == nil; i += e.stride() {
		if e.answered[i] {
			fields, wrong := e.wrong[i]
			_, head := e.head(i)
			all = append(all, tried{question: e.question(i), caseName: caseName{head.Class, head.Case}, fields: fields, wrong: wrong, ended: ctx.Err})
		}
	}
	const step = 7919 // a prime, larger than the number of questions tried
	mixed := make([]tried, len(all))
	for i := range all {
		mixed[i] = all[i*step%len(all)]
	}
	return mixed
}

// score counts the questions on which a hypothesis agrees with the learner, and the questions on which they differ.
type score struct{ agree, differ int }

func (s score) share() float64 { return float64(s.agree) / float64(max(1, s.agree+s.differ)) }

// scoreOf compares a hypothesis with the learner. It returns false if they agree on fewer than leastAlike questions, or
// on a share of less than least. Questions that both answer rightly do not count. scoreOf stops early once the share is
// certain to be too small.
func scoreOf(h hypothesis, all []tried, least float64) (score, bool) {
	var s score
	for i := range all {
		switch all[i].fit(h) {
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

// alikeInMost reports whether a hypothesis agrees with the learner except in a few kinds of degenerate questions.
func alikeInMost(h hypothesis, all []tried) (score, bool) {
	total, ok := scoreOf(h, all, enoughAlikeInMost)
	if !ok || total.agree < leastAlikeInMost {
		return total, false
	}
	kinds := make(map[caseName]score)
	for _, t := range all {
		s := kinds[t.caseName]
		switch t.fit(h) {
		case agrees:
			s.agree++
		case differs:
			s.differ++
		}
		kinds[t.caseName] = s
	}
	special, others := 0, score{}
	for kind, s := range kinds {
		if kind.class == Degenerate && s.differ > 0 && s.share() < enoughAlike {
			special++
			continue
		}
		others.agree += s.agree
		others.differ += s.differ
	}
	return total, special <= mostSpecial && others.agree >= leastAlikeInMost && others.share() >= enoughInOthers
}

// The function best tries each of the mistakes from, ..., to - 1 as a hypothesis. Among those for which the
// function accept returns true, it returns the mistakes that agree with the learner on the largest share of the
// questions.
func best(from, to int, all []tried, accept func(h hypothesis, all []tried) (score, bool)) []scored {
	var found []scored
	most := 0.0
	for m := from; m < to; m++ {
		h := hypothesis{m}
		if s, ok := accept(h, all); ok {
			found = append(found, scored{h, s})
			most = max(most, s.share())
		}
	}
	return slices.DeleteFunc(found, func(s scored) bool { return s.share() < most })
}

// The method named returns the mistakes to report: that the answers do not depend on the questions, the single mistakes
// that fit best, a value that is kept from one question to the next, a suspect, two mistakes that fit together, a random
// one, or what the wrong answers have in common. It also returns which of these they are. If nothing fits, the list is
// empty.
func (e *Exam) named(ctx context.Context) ([]Mistake, Basis) {
	library := e.Stage.Mistakes()
	all := e.tried(ctx)
	alike := func(h hypothesis, all []tried) (score, bool) { return scoreOf(h, all, enoughAlike) }
	singles := best(0, len(library), all, alike)
	// Among many questions, a known mistake gives constant answers only if it is of this kind, as "no light ever arrives".
	isKnown := len(singles) > 0 && singles[0].differ == 0 && singles[0].agree >= 10*leastConstant
	if constant := e.constancy.mistake(e.Stage.Lesson); constant != nil && !isKnown {
		return constant, Common
	}
	if len(singles) > 0 && singles[0].differ < leastNeeded && singles[0].share() >= enoughPairAlike {
		return distinct(library, singles), Known
	}
	if kept := e.keptValue(ctx, all); kept != nil {
		return kept, Known
	}
	least := enoughPairAlike
	if len(singles) > 0 {
		least = max(least, singles[0].share()+1e-9)
	}
	suspects := e.bestSuspects(all, false)
	found := e.mistake(suspects)
	if len(found) > 0 && suspects.share >= least {
		return found, Possible
	}
	if len(singles) > 0 && singles[0].differ < leastNeeded {
		return distinct(library, singles), Known
	}
	if pair := e.pair(all, singles, library); pair != nil {
		return []Mistake{library[pair[0]], library[pair[1]]}, Known
	}
	if len(singles) > 0 {
		return distinct(library, singles), Known
	}
	if ctx.Err() != nil {
		return nil, ""
	}
	if both := e.together(all); both != nil {
		return both, Possible
	}
	if len(found) == 0 && e.Stage.kind().loosens() {
		found = e.mistake(e.bestSuspects(all, true))
	}
	if len(found) > 0 {
		return found, Possible
	}
	if most := best(0, len(library), all, alikeInMost); len(most) > 0 {
		return distinct(library, most), Known
	}
	if random := e.random(ctx); len(random) > 0 {
		return random, Common
	}
	if e.almostRight(all) {
		return []Mistake{{"the numbers are not precise enough", "Nearly all wrong numbers are right to about six digits. Use 64-bit floats everywhere, and write numbers with all digits.", "traps.md"}}, Common
	}
	if common := e.common(all); len(common) > 0 {
		return common, Common
	}
	return []Mistake{}, ""
}

// suspectGroup is a group of suspects that agree with the learner on the same share of the questions.
type suspectGroup struct {
	likeliest []int // those that are least odd, in order
	share     float64
}

// mistake combines the suspects of s into one mistake. It returns nil if there are no suspects. It also returns nil if the
// choice of one of them would be a guess.
func (e *Exam) mistake(s suspectGroup) []Mistake {
	if len(s.likeliest) == 0 {
		return nil
	}
	suspects := e.Stage.kind().suspects()
	order := slices.Clone(s.likeliest)
	slices.SortStableFunc(order, func(a, b int) int { // a slip with a name of its own says more
		switch isNamed := e.Stage.kind().isNamed; {
		case isNamed(a) == isNamed(b):
			return 0
		case isNamed(a):
			return -1
		}
		return 1
	})
	var likely []Mistake
	for _, k := range order {
		if m := suspects[k]; !slices.ContainsFunc(likely, func(o Mistake) bool { return o.Name == m.Name }) {
			likely = append(likely, m)
		}
	}
	if e.Stage.kind().odd(s.likeliest[0]) >= oddNumber && saturated(likely) {
		return nil
	}
	return either(likely, s.share)
}

// bestSuspects returns the suspects that agree with the learner on the largest share of questions. It returns none if the
// share is less than enoughAlike.
//
// It first looks for suspects that agree on all questions: the first difference excludes most suspects. Only if there are
// none, it allows differences.
func (e *Exam) bestSuspects(all []tried, loose bool) suspectGroup {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b tried) int { // wrong answers first: most suspects differ there
		switch {
		case a.wrong == b.wrong:
			return 0
		case a.wrong:
			return -1
		}
		return 1
	})
	c := comparing{all: all, loose: loose, telling: tellingAnswers(all), share: 1}
	if found := e.alikeSuspects(c); len(found.likeliest) > 0 {
		return found
	}
	if c.share = enoughAlike; c.most() < 1 {
		return suspectGroup{}
	}
	return e.alikeSuspects(c)
}

// comparing describes a comparison of suspects with the learner.
type comparing struct {
	all     []tried
	loose   bool
	telling int     // see tellingAnswers
	share   float64 // the least share of the questions on which a suspect must agree with the learner
}

// most returns the largest number of questions on which a suspect may differ from the learner.
func (c *comparing) most() float64 { return float64(c.telling)*(1-c.share)/c.share + 1e-9 }

// alikeSuspects returns the suspects that agree with the learner on the largest share of questions, at least c.share.
//
// It tries the likeliest first. If some of them agree with the learner on all questions, it tries no less likely ones.
func (e *Exam) alikeSuspects(c comparing) suspectGroup {
	var found suspectGroup
	enough := max(leastAlike, min(leastSuspected, c.telling), c.telling/2)
	if c.telling < enough {
		return found
	}
	odd := e.Stage.kind().odd
	for k, compared := range e.suspicions(&c) {
		isLikeliest := len(found.likeliest) == 0 || odd(k) == odd(found.likeliest[0])
		if !isLikeliest && found.share == 1 {
			break
		}
		s := compared.score
		switch {
		case !compared.fits || s.agree < enough || s.share() < c.share:
		case s.share() > found.share:
			found = suspectGroup{likeliest: []int{k}, share: s.share()}
			c.share = found.share
		case isLikeliest:
			found.likeliest = append(found.likeliest, k)
		}
	}
	return found
}

// tellingAnswers returns the number of wrong answers that a suspect must explain. Answers that are nearly right do not count,
// as long as the others are at least an eighth of all: their values say nothing about the mistake.
func tellingAnswers(all []tried) int {
	wrong, small := 0, 0
	for t := range awaited(all) {
		if t.wrong {
			wrong++
			if t.almostRight(t.fields) {
				small++
			}
		}
	}
	if 8*(wrong-small) < wrong {
		return wrong
	}
	return wrong - small
}

// comparedSuspect is the result of [suspicion] for a suspect.
type comparedSuspect struct {
	score
	fits bool
}

// suspicions compares all suspects of the stage with the learner, the likeliest first. In the stage picture, where a
// comparison computes pixels, it compares several at the same time. The caller may increase c.share meanwhile.
func (e *Exam) suspicions(c *comparing) iter.Seq2[int, comparedSuspect] {
	order, batch := e.byOddness(), 1
	if e.Stage.Name == pictureName && len(order) > 0 {
		batch = 256
		for i := range c.all { // find out once what is the same for all suspects
			c.all[i].suspectFit(order[0], c.loose)
		}
	}
	return func(yield func(k int, s comparedSuspect) bool) {
		for part := range slices.Chunk(order, batch) {
			results := make([]comparedSuspect, len(part))
			most := c.most()
			compare := func(i int) { results[i].score, results[i].fits = suspicion(part[i], c, most) }
			if batch == 1 {
				compare(0)
			} else {
				parallel.For(len(part), compare)
			}
			for i, k := range part {
				if !yield(k, results[i]) {
					return
				}
			}
		}
	}
}

// byOddness returns the suspects of the stage, the likeliest first.
func (e *Exam) byOddness() []int {
	order := make([]int, len(e.Stage.kind().suspects()))
	for k := range order {
		order[k] = k
	}
	odd := e.Stage.kind().odd
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(odd(a), odd(b)) })
	return order
}

// suspicion compares the answers of suspect k with the learner's. It returns false as soon as they differ on more
// questions than the argument most allows, or as soon as they differ on 6 or more questions and agree on fewer.
func suspicion(k int, c *comparing, most float64) (score, bool) {
	const few = 6
	var s score
	for i := range c.all {
		t := &c.all[i]
		switch t.suspectFit(k, c.loose) {
		case agrees:
			s.agree++
		case differs:
			s.differ++
		}
		if float64(s.differ) > most || s.differ >= few && s.agree < s.differ {
			return s, false
		}
	}
	return s, true
}

// saturated reports whether two of the mistakes are at the same step of the program. The caller uses it for mistakes with
// unlikely numbers, such as 100 and 180/π times the right value. If two of them give the same answers, the exact number
// does not matter, and to name one of the mistakes would be a guess.
func saturated(all []Mistake) bool {
	steps := make(map[string]bool)
	for _, m := range all {
		step := m.Name[:max(0, strings.LastIndex(m.Name, ": "))]
		if steps[step] {
			return true
		}
		steps[step] = true
	}
	return false
}

// almostRight reports whether nearly all wrong answers are right to about six digits.
func (e *Exam) almostRight(all []tried) bool {
	wrong, almost := 0, 0
	for t := range awaited(all) {
		if t.wrong {
			wrong++
			if t.almostRight(t.fields) {
				almost++
			}
		}
	}
	return almost >= leastAlikeInMost && float64(almost) >= enoughAlikeInMost*float64(wrong)
}

// leastSuspected is the smallest number of wrong answers that a suspect must explain, or all wrong answers if they are
// fewer. A suspect must also explain half of the wrong answers.
const leastSuspected = 4

// either returns a list with the first of several mistakes that explain the learner's answers equally well, and appends to
// its advice the name of the second, if there is one. The parameter share is the share of the questions on which the
// mistakes agree with the learner.
func either(all []Mistake, share float64) []Mistake {
	if len(all) == 0 {
		return all
	}
	first := all[0]
	if len(all) > 1 {
		same := " The same answers would come from this mistake: "
		if share < 1 {
			same = " Nearly the same answers would come from this mistake: "
		}
		first.Advice += same + all[1].Name + "."
	}
	return []Mistake{first}
}

// scored is a hypothesis with its score.
type scored struct {
	h hypothesis
	score
}

// distinct returns the mistakes in singles, without duplicates. Each hypothesis in singles must consist of one mistake.
func distinct(mistakes []Mistake, singles []scored) []Mistake {
	found := []Mistake{}
	for _, s := range singles {
		if m := mistakes[s.h[0]]; !slices.Contains(found, m) { // a mistake may have several variants
			found = append(found, m)
		}
	}
	return found
}

// pairSample is the number of questions on which each pair is first tried, to save time.
const pairSample = 6

// pair returns the two known mistakes, changes of the question or the answer, that together explain the answers. It returns nil if no pair does, or if several pairs
// do equally well. If single mistakes explain nearly all answers, the pair must contain one of them.
func (e *Exam) pair(all []tried, singles []scored, library []Mistake) hypothesis {
	can := e.Stage.kind().changeable()
	some := all[:min(len(all), pairSample)]
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

// The function needed reports whether each of the two mistakes in h explains answers that the other mistake does not.
func needed(h hypothesis, all []tried) bool {
	for k := range h {
		explains := 0
		for _, t := range all {
			if t.wrong && t.fit(h) == agrees && t.fit(h[k:k+1]) != agrees {
				explains++
			}
		}
		if explains < leastNeeded {
			return false
		}
	}
	return true
}

func (s *stageOf[Q, A]) changeable() (all []int) {
	for k := range s.changes {
		all = append(all, len(s.library)+k)
	}
	return all
}
