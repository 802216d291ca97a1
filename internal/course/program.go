package course

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"pillbox/geom"
	"pillbox/shade"
)

// A program is one run of a textbook solution of a stage, whose steps can be made wrong on purpose. Each step is the call
// of a method such as [program.dot], whose first argument is the step's name, usually its formula. At a wrong step, the
// method computes something wrong: with a missing factor, for example, with exchanged operands, or with a reversed
// comparison. The kind of a step determines which of these slips are possible. So there is a wrong program for each
// possible slip of each step, in each of several textbook formulas. Their answers are compared with the learner's. A
// program with two mistakes has two wrong steps.
type program struct {
	style int     // which of several textbook formulas
	wrong []doing // the steps that are wrong
	named bool    // one of them is a slip with a name of its own

	unitNormals bool // normals of spheres are vectors divided by their own length, whatever that is

	nearLimit, farLimit float64 // hits at other distances do not count, if farLimit is not 0

	visit  func(step string, of stepKind) // is called at each step, if it is not nil
	flavor int                            // distinguishes steps that have the same name in several styles
}

// doing is what a wrong step computes. Only the function for the step's kind is set. A few kinds allow two functions: a
// difference of vectors, for example, can be computed by pair, or by vector, which gets the right difference.
type doing struct {
	step   string
	number func(x float64) float64
	vector func(v geom.Vec3) geom.Vec3
	color  func(c shade.Color) shade.Color
	pair   func(a, b geom.Vec3) geom.Vec3
	scalar func(a, b geom.Vec3) float64
	test   func(gap float64, orEqual bool) bool
	better func(a, b float64) float64
	clamp  func(x, lo, hi float64) float64
	whole  wholes
}

// stepKind is what a step computes. It determines which slips are possible.
type stepKind int

const (
	numberStep     stepKind = iota // a number
	squareStep                     // the square of a number
	rootStep                       // a square root
	angleStep                      // a function of an angle
	vectorStep                     // a vector
	minusStep                      // a difference of vectors
	crossStep                      // a cross product
	dotStep                        // a dot product
	plusStep                       // a sum of vectors
	lengthStep                     // the length of a vector
	unitStep                       // a vector that is made a unit vector
	colorStep                      // a linear color
	testStep                       // a comparison
	zeroStep                       // a comparison of a number with 0, for equality
	differenceStep                 // a difference of numbers
	sumStep                        // a sum of numbers
	productStep                    // a product of numbers
	smallerStep                    // the smaller of two numbers
	largerStep                     // the larger of two numbers
	clampStep                      // a number that is limited
	wholeStep                      // an integer
	wholeMinusStep                 // a difference of vectors of integers
	wholeDotStep                   // a dot product of such vectors
	wholeCrossStep                 // a cross product of such vectors
	wholeTestStep                  // a comparison of integers
	slipStep                       // a slip with a name of its own
)

// A wrongStep is what a wrong step does.
type wrongStep struct {
	name   string // a format, in which %s becomes the step
	advice string // also such a format
	set    func(w *doing)
	odd    int // 0: a typical slip; the larger, the less likely
}

// oddly returns the errors in the list, marked as less likely: it adds the argument odd to the field odd of each.
func oddly(odd int, list ...wrongStep) []wrongStep {
	all := slices.Clone(list)
	for i := range all {
		all[i].odd += odd
	}
	return all
}

// at returns what the program does at a step that is wrong. It returns nil if the step is right.
func (p *program) at(step string, of stepKind) *doing {
	if p.visit != nil {
		p.visit(step, of)
	}
	for i := range p.wrong {
		if p.wrong[i].step == step {
			return &p.wrong[i]
		}
	}
	return nil
}

// num returns x, or a wrong number if step is the wrong step.
func (p *program) num(step string, x float64) float64 {
	if w := p.at(step, numberStep); w != nil {
		return w.number(x)
	}
	return x
}

// square returns the square of x, or a wrong number if step is the wrong step.
func (p *program) square(step string, x float64) float64 {
	if w := p.at(step, squareStep); w != nil {
		return w.number(x)
	}
	return float64(x * x)
}

// root returns the square root of x, or a wrong number if step is the wrong step.
func (p *program) root(step string, x float64) float64 {
	if w := p.at(step, rootStep); w != nil {
		return w.number(x)
	}
	return math.Sqrt(x)
}

// tan returns the tangent of an angle in degrees, or a wrong number if step is the wrong step.
func (p *program) tan(step string, degrees float64) float64 {
	if w := p.at(step, angleStep); w != nil {
		return w.number(degrees)
	}
	return geom.Angle(degrees).Tan()
}

// vec returns v, or a wrong vector if step is the wrong step.
func (p *program) vec(step string, v geom.Vec3) geom.Vec3 {
	if w := p.at(step, vectorStep); w != nil {
		return w.vector(v)
	}
	return v
}

// minus returns a - b, or a wrong vector if step is the wrong step.
func (p *program) minus(step string, a, b geom.Vec3) geom.Vec3 {
	if w := p.at(step, minusStep); w != nil {
		return w.combine(a, b, geom.Vec3.Sub)
	}
	return p.sub(a, b)
}

// cross returns a × b, or a wrong vector if step is the wrong step.
func (p *program) cross(step string, a, b geom.Vec3) geom.Vec3 {
	w := p.at(step, crossStep)
	if w == nil {
		w = p.at(everyCross, crossStep)
	}
	if w != nil {
		return w.combine(a, b, geom.Vec3.Cross)
	}
	return a.Cross(b)
}

// dot returns a · b, or a wrong number if step is the wrong step, or all dot products are wrong.
func (p *program) dot(step string, a, b geom.Vec3) float64 {
	if w := p.at(step, dotStep); w != nil {
		return w.product(a, b)
	}
	return p.product(a, b)
}

// combine returns what a wrong step computes from two vectors. The function right computes the right result.
func (w *doing) combine(a, b geom.Vec3, right func(a, b geom.Vec3) geom.Vec3) geom.Vec3 {
	if w.pair != nil {
		return w.pair(a, b)
	}
	return w.vector(right(a, b))
}

// product returns what a wrong step computes as a · b.
func (w *doing) product(a, b geom.Vec3) float64 {
	if w.scalar != nil {
		return w.scalar(a, b)
	}
	return w.number(a.Dot(b))
}

// These steps are functions that a program calls in many places, such as one for differences of vectors. If such a step is
// wrong, all places that call the function are wrong.
const (
	everyMinus  = "the function for differences of vectors"
	everyPlus   = "the function for sums of vectors"
	everyScale  = "the function for multiples of vectors"
	everyPoint  = "the function for points o + t d"
	everyCross  = "the function for cross products"
	everyDot    = "the function for dot products"
	everyLength = "the function for lengths of vectors"
	everyUnit   = "the function for unit vectors"
)

// sub returns a - b, or a wrong vector if the program's function for differences is wrong.
func (p *program) sub(a, b geom.Vec3) geom.Vec3 {
	if w := p.at(everyMinus, minusStep); w != nil {
		return w.combine(a, b, geom.Vec3.Sub)
	}
	return a.Sub(b)
}

// addScaled returns a + t b, or a wrong vector if the program's function for multiples or for sums is wrong.
func (p *program) addScaled(a geom.Vec3, t float64, b geom.Vec3) geom.Vec3 {
	if w := p.at(everyScale, vectorStep); w != nil {
		return a.Add(w.vector(b.Scale(t)))
	}
	if w := p.at(everyPlus, plusStep); w != nil {
		return w.combine(a, b.Scale(t), geom.Vec3.Add)
	}
	return a.AddScaled(t, b)
}

// along returns the point o + t d of the ray, or a wrong point if a function that the program uses for it is wrong.
func (p *program) along(r geom.Ray, t float64) geom.Vec3 {
	if w := p.at(everyPoint, plusStep); w != nil {
		return w.combine(r.Origin, r.Dir.Scale(t), geom.Vec3.Add)
	}
	return p.addScaled(r.Origin, t, r.Dir)
}

// product returns a · b, or a wrong number if the program's function for dot products is wrong.
func (p *program) product(a, b geom.Vec3) float64 {
	if w := p.at(everyDot, dotStep); w != nil {
		return w.product(a, b)
	}
	return a.Dot(b)
}

// length returns the length of v, or a wrong number if the program's function for lengths or dot products is wrong.
func (p *program) length(v geom.Vec3) float64 {
	right := math.Sqrt(p.product(v, v))
	if w := p.at(everyLength, lengthStep); w != nil {
		if w.scalar != nil {
			return w.scalar(v, v)
		}
		return w.number(right)
	}
	return right
}

// unit returns v divided by its length, or a wrong vector if step or everyUnit is the wrong step.
func (p *program) unit(step string, v geom.Vec3) geom.Vec3 {
	w := p.at(step, unitStep)
	if w == nil {
		w = p.at(everyUnit, unitStep)
	}
	if w != nil {
		return w.vector(v)
	}
	return v.Div(p.length(v))
}

// rgb returns c, or a wrong color if step is the wrong step.
func (p *program) rgb(step string, c shade.Color) shade.Color {
	if w := p.at(step, colorStep); w != nil {
		return w.color(c)
	}
	return c
}

// linear returns the linear color c of the question, or a wrong color if the wrong step is step or the function
// that makes colors linear.
func (p *program) linear(step string, c shade.Color) shade.Color {
	switch {
	case p.slips(withoutGamma):
		return fraction(c)
	case p.slips(powerCurves):
		return powered(2.2)(c)
	}
	return p.rgb(step, p.rgb("the function that makes colors linear", c))
}

// Slips in both directions: where colors become linear, and where the result is encoded.
const (
	withoutGamma = "gamma is omitted"
	powerCurves  = "a power of 2.2 stands for the sRGB curve"
)

// less reports whether a < b. If step is the wrong step, the comparison is wrong.
func (p *program) less(step string, a, b float64) bool {
	if w := p.at(step, testStep); w != nil {
		return w.test(a-b, false)
	}
	return a < b
}

// most reports whether a <= b. If step is the wrong step, the comparison is wrong.
func (p *program) most(step string, a, b float64) bool {
	if w := p.at(step, testStep); w != nil {
		return w.test(a-b, true)
	}
	return a <= b
}

// zero reports whether x is 0. If step is the wrong step, the comparison is wrong.
func (p *program) zero(step string, x float64) bool {
	if w := p.at(step, zeroStep); w != nil {
		return w.test(x, true)
	}
	return x == 0
}

// take returns a - b, or a wrong number if step is the wrong step.
func (p *program) take(step string, a, b float64) float64 {
	if w := p.at(step, differenceStep); w != nil {
		return w.join(a, b, a-b)
	}
	return a - b
}

// plus returns a + b, or a wrong number if step is the wrong step.
func (p *program) plus(step string, a, b float64) float64 {
	if w := p.at(step, sumStep); w != nil {
		return w.join(a, b, a+b)
	}
	return a + b
}

// times returns the product of a and b, or a wrong number if step is the wrong step.
func (p *program) times(step string, a, b float64) float64 {
	if w := p.at(step, productStep); w != nil {
		return w.join(a, b, float64(a*b))
	}
	return float64(a * b)
}

// join returns what a wrong step computes from two numbers. right is the right result.
func (w *doing) join(a, b, right float64) float64 {
	if w.better != nil {
		return w.better(a, b)
	}
	return w.number(right)
}

// min returns the smaller of two numbers, or a wrong number if step is the wrong step.
func (p *program) min(step string, a, b float64) float64 {
	if w := p.at(step, smallerStep); w != nil {
		return w.better(a, b)
	}
	return min(a, b)
}

// max returns the larger of two numbers, or a wrong number if step is the wrong step.
func (p *program) max(step string, a, b float64) float64 {
	if w := p.at(step, largerStep); w != nil {
		return w.better(a, b)
	}
	return max(a, b)
}

// limit returns x, but at least lo and at most hi. If step is the wrong step, it returns a wrong number.
func (p *program) limit(step string, x, lo, hi float64) float64 {
	if w := p.at(step, clampStep); w != nil {
		return w.clamp(x, lo, hi)
	}
	return min(max(x, lo), hi)
}

// slips reports whether the program makes the mistake with the given name.
func (p *program) slips(name string) bool { return p.maySlip() && p.at(name, slipStep) != nil }

// maySlip reports whether any call of slips can have an effect. Most wrong programs have no slip with a name of its own.
func (p *program) maySlip() bool { return p.named || p.visit != nil }

// A suspect is a textbook program with one wrong step. The learner's program may make the same error.
type suspect[Q, A any] struct {
	variant[Q, A]
	program program
	gives   func(q *Q, a A, wrong bool) bool // see books; may be nil
	odd     int                              // how unlikely it is, 0 or more
	named   bool                             // it is a slip with a name of its own
}

// books describes the textbook programs of a stage.
type books[Q, A any] struct {
	lesson string
	styles int
	kinds  int                      // steps are searched on this many kinds of questions; 0: all
	run    func(p *program, q *Q) A // answers a question

	// gives reports whether a program gives the answer a, which is the learner's if that is wrong, and the right one
	// otherwise. Unlike run, it can end before the whole answer is computed. If it is nil, answers of run are compared.
	gives func(p *program, q *Q, a A, wrong bool) bool
}

// suspects returns the suspects of a stage: for each step of the textbook programs, one suspect for each error that
// such a step can make. Slips with names of their own come first. To find the steps, it runs the programs without errors on a few questions of each kind. If
// b.kinds is not 0, it uses only the first b.kinds kinds of questions, and misses steps that only other kinds need.
func (b books[Q, A]) suspects(asks []ask[Q]) []suspect[Q, A] {
	const each = 3 // questions of each kind
	if b.kinds > 0 {
		asks = asks[:b.kinds]
	}
	var questions []Q
	for i, a := range asks {
		for turn := range each {
			d := newDice(&Options{}, i*each+turn)
			d.turn = turn
			questions = append(questions, a.make(d))
		}
	}
	type place struct {
		step   string
		flavor int
	}
	var named, all []suspect[Q, A]
	slips, seen, formulas := wrongSteps(), make(map[place]bool), make(map[string]string)
	for style := range b.styles {
		p := &program{style: style}
		p.visit = func(step string, of stepKind) {
			if seen[place{step, p.flavor}] {
				return
			}
			seen[place{step, p.flavor}] = true
			if of != slipStep && of != zeroStep {
				addFormula(formulas, step)
			}
			for _, s := range slips[of] {
				one := b.wrongAt(step, of, style, s)
				if one.named {
					named = append(named, one)
					continue
				}
				all = append(all, one)
			}
		}
		for _, q := range questions {
			b.run(p, &q)
		}
	}
	for i := range named {
		m := &named[i].Mistake
		own := slipAdvice(m.Name, formulas)
		m.Advice, m.Lesson = own.advice, cmp.Or(own.lesson, m.Lesson)
	}
	return append(named, all...)
}

// wrongAt returns the suspect whose step does what s describes.
func (b books[Q, A]) wrongAt(step string, of stepKind, style int, s wrongStep) suspect[Q, A] {
	wrong := doing{step: step}
	s.set(&wrong)
	named := of == slipStep
	one := b.suspect(program{style: style, wrong: []doing{wrong}, named: named}, s.mistake(step, of, b.lesson))
	one.odd, one.named = s.odd, named
	if step == onlyNormals {
		one.odd++
	}
	return one
}

func (b books[Q, A]) suspect(wrong program, m Mistake) suspect[Q, A] {
	s := suspect[Q, A]{program: wrong, variant: variant[Q, A]{m, func(q *Q) A {
		p := wrong
		return b.run(&p, q)
	}}}
	if b.gives != nil {
		s.gives = func(q *Q, a A, isWrong bool) bool {
			p := wrong
			return b.gives(&p, q, a, isWrong)
		}
	}
	return s
}

// mistake describes the error w at a step. The parameter of is the kind of the step.
func (w wrongStep) mistake(step string, of stepKind, lesson string) Mistake {
	if of == slipStep {
		return Mistake{plainName(step), "", lesson} // the advice follows once all steps are known
	}
	if effect := missingTests()[step]; (of == testStep || of == wholeTestStep || of == zeroStep) && effect[0] != "" {
		switch w.name {
		case neverTrue:
			return missingTest(step, effect[0], lesson)
		case alwaysTrue:
			return missingTest(step, effect[1], lesson)
		}
	}
	if of == zeroStep && w.name == fixedEpsilon && strings.HasSuffix(step, missSuffix) {
		return parallelMiss(step, lesson)
	}
	if w.name == notSquared || w.name == doubledSquare {
		return missingSquare(w.name, step, lesson)
	}
	return Mistake{fmt.Sprintf(w.name, step), fmt.Sprintf(w.advice, formulaOf(step)), lesson}
}

// Names of mistakes with a square, for what is squared.
const (
	notSquared    = "%s is not squared"
	doubledSquare = "%s is doubled instead of squared"
)

// missingSquare describes a mistake with the given name at a step that squares something, such as "sphere: r²".
func missingSquare(name, step, lesson string) Mistake {
	base := strings.Replace(step, "²", "", 1)
	if root, ok := strings.CutSuffix(base, "r"); ok {
		base = root + "the radius"
	}
	return Mistake{
		fmt.Sprintf(name, base),
		fmt.Sprintf("Your answers are those of a program in which "+name+". The formula has %s.", formulaOf(base), formulaOf(step)),
		lesson,
	}
}

// fixedEpsilon is the name of the mistakes that take small numbers for 0. It states no number: usually several give the same
// answers.
const fixedEpsilon = "a fixed epsilon in the test %s"

// missSuffix ends the names of tests after which a line is said to miss.
const missSuffix = " misses"

// parallelMiss describes the mistake of a program in which a line for which the test step is true, or nearly so, misses.
func parallelMiss(step, lesson string) Mistake {
	solid, test, _ := strings.Cut(step, ": ")
	_, line, _ := strings.Cut(strings.TrimSuffix(test, missSuffix), ", ")
	return Mistake{
		fmt.Sprintf("%s: %s, or nearly so, always misses", solid, line),
		fmt.Sprintf("Your answers are those of a program in which %s always misses. Where the line is decides whether it does. And whether a line is nearly parallel depends on the scene: only 0 itself needs care.", line),
		lesson,
	}
}

// formulaOf returns the name of a step without the solid to which it belongs: "r²" for "sphere: r²".
func formulaOf(step string) string {
	if solid, formula, ok := strings.Cut(step, ": "); ok && !strings.Contains(solid, " ") {
		return formula
	}
	return step
}

const (
	neverTrue  = "the test %s is missing: taken for false"
	alwaysTrue = "the test %s is missing: taken for true"
)

// missingTest returns the mistake of a program that lacks a test. effect is what the program then does.
func missingTest(step, effect, lesson string) Mistake {
	solid, test, ok := strings.Cut(step, ": ")
	if ok && !strings.ContainsAny(solid, "<≤") {
		solid += ": "
	} else {
		solid, test = "", step
	}
	test, _, _ = strings.Cut(test, ", ")
	test, _, _ = strings.Cut(test, ": ")
	return Mistake{
		solid + effect,
		"Your answers are those of a program in which " + effect + ". Check the test " + test + ": it is missing, or its result is always the same.",
		lesson,
	}
}

// missingTests maps the name of a test to what a program without this test does. The first text is for a program that
// always behaves as if the test were false, the second for one that always behaves as if it were true.
var missingTests = sync.OnceValue(func() map[string][2]string {
	return map[string][2]string{
		"0 < near: the near crossing is ahead":                              {"the near crossing is never used", "the near crossing is used even if it lies behind the origin"},
		"0 < far: the far crossing is ahead":                                {"the far crossing is never used", "the far crossing is used even if it lies behind the origin"},
		"0 < n · d, turn the normal":                                        {"the normal is never turned toward the ray", "the normal is always turned"},
		"0 < t: the solid is ahead":                                         {"no solid counts as ahead of the ray", "solids behind the ray's origin are hit, too"},
		"0 < t: the solid is ahead of the point":                            {"no solid counts as ahead of the point", "solids behind the point block the light, too"},
		"box: d' = 0, a line parallel to the slab":                          {"lines parallel to a slab are not a case of their own", "every line is taken for parallel to the slabs"},
		"box: d' = 0, a line parallel to a slab misses":                     {"no line misses because it is parallel to a slab", "every line is said to be parallel to a slab, and to miss"},
		"capsule: |d2|² = 0, a line parallel to the axis":                   {"lines parallel to the axis are not a case of their own", "every line is taken for parallel to the axis"},
		"capsule: |d2|² = 0, a line parallel to the axis misses":            {"no line misses because it is parallel to the axis", "every line is said to be parallel to the axis, and to miss"},
		"cylinder: |d2|² = 0, a line parallel to the axis":                  {"lines parallel to the axis are not a case of their own", "every line is taken for parallel to the axis"},
		"cylinder: |d2|² = 0, a line parallel to the axis misses":           {"no line misses because it is parallel to the axis", "every line is said to be parallel to the axis, and to miss"},
		"capsule: |w|² = 0, a capsule that is a ball":                       {"an axis of zero length divides by zero", "every capsule is taken for a ball"},
		"cut: d · N = 0, a line parallel to the section":                    {"lines parallel to a section are not a case of their own", "every line is taken for parallel to the section"},
		"cut: d · N = 0, a line parallel to a section misses":               {"no line misses because it is parallel to a section", "every line is said to be parallel to a section, and to miss"},
		"box: far < near, a miss":                                           {"no line misses because its last entry lies beyond its first exit", "every line that crosses the planes misses the box"},
		"an end beside an axis: f · w <= 0, the first end is closest":       {"a foot before the first end is not moved to the end", "the first end always counts as the closest point"},
		"an end beside an axis: w · w <= f · w, the second end is closest":  {"a foot beyond the second end is not moved to the end", "the second end counts as the closest point wherever the first does not"},
		"cylinder: |e|² <= r², a point of a disc":                           {"no line crosses a disc", "the discs are endless planes"},
		"cylinder: 0 <= height, above the disc at a":                        {"no line crosses the side", "the side has no end at a"},
		"cylinder: height <= length, below the disc at b":                   {"no line crosses the side", "the side has no end at b"},
		"box: h < |o'|, a miss of a line parallel to the slab":              {"a line parallel to a slab never misses, even outside the slab", "a line parallel to a slab always misses, even inside the slab"},
		"box: near < t0, a later entry":                                     {"no entry into a slab is ever used", "the entry into the last slab tested is used, not the latest"},
		"box: t1 < far, an earlier exit":                                    {"no exit from a slab is ever used", "the exit from the last slab tested is used, not the earliest"},
		"box: t1 < t0, exchange them":                                       {"the two distances of a slab are never ordered: the plane at -h always counts as the entry", "the two distances of a slab are always exchanged: the plane at +h always counts as the entry"},
		"capsule: height < 0, below the body":                               {"the body has no end at a", "the body is never hit, only the balls"},
		"capsule: length < height, above the body":                          {"the body has no end at b", "the body is never hit, only the balls"},
		"cylinder: dy < 0, the line meets the disc at b first":              {"the distances to the two discs are never ordered: the disc at a always counts as the first", "the distances to the two discs are always exchanged: the disc at b always counts as the first"},
		"capsule: disc < 0, a miss":                                         {"no line misses the body", "every line misses the body"},
		"cylinder: disc < 0, a miss":                                        {"no line misses the side", "every line misses the side"},
		"cylinder: t of the disc at b < t of the disc at a":                 {"the distances to the two discs are never ordered: the disc at a always counts as the first", "the distances to the two discs are always exchanged: the disc at b always counts as the first"},
		"cylinder: far < near, a miss":                                      {"no line misses because its entry lies beyond its exit", "every line that is tested misses the cylinder"},
		"cylinder: height < 0, a miss of a line parallel to the discs":      {"a line parallel to the discs is not cut off at a", "a line parallel to the discs always misses"},
		"cylinder: length < height, a miss of a line parallel to the discs": {"a line parallel to the discs is not cut off at b", "a line parallel to the discs always misses"},
		"cylinder: near <= the first disc":                                  {"the line never enters through a disc", "the line always enters through a disc"},
		"cylinder: the second disc <= far":                                  {"the line never leaves through a disc", "the line always leaves through a disc"},
		"cut: 0 < f · N, a miss of a line parallel to the section":          {"a line parallel to a section is never taken away", "a line parallel to a section always misses"},
		"cut: d · N < 0, the line enters the kept side at s":                {"the line never enters a kept side", "the line always enters the kept side"},
		"cut: t_near < s, a later entry":                                    {"the line never enters through a section", "the entry is where the line crosses the last section, even before it enters the solid"},
		"cut: s < t_far, an earlier exit":                                   {"the line never leaves through a section", "the exit is where the line crosses the last section, even after it leaves the solid"},
		"cut: t_far < t_near, a miss":                                       {"no line misses because nothing is left of it", "every line misses that crosses the whole solid"},
		"t < the distance of the light":                                     {"nothing casts a shadow", "solids beyond a light block it"},
		"n · L <= 0: the light is behind the surface":                       {"no light counts as behind the surface", "every light counts as behind the surface"},
		"sphere: disc = 0, a line that touches":                             {"a line that touches is not a case of its own", "every line is said to touch the sphere"},
		"sphere: disc < 0, a miss":                                          {"no line misses the sphere", "every line misses the sphere"},
		"sphere: discriminant < 0, a miss":                                  {"no line misses the sphere", "every line misses the sphere"},
		"sphere: r² < d², a miss":                                           {"no line misses the sphere", "every line misses the sphere"},
		"t < the smallest t so far":                                         {"no hit counts as the nearest", "the last solid that is hit counts, not the nearest"},
		"|w|² = 0, a segment that is a point":                               {"a segment of zero length divides by zero", "every segment is taken for a point"},
		"distance <= r":                                                     {"no segment touches the sphere", "every segment touches the sphere"},
		"squared distance <= r²":                                            {"no segment touches the sphere", "every segment touches the sphere"},
	}
})

// wrongSteps returns the errors that a step can make, for each kind of step.
func wrongSteps() map[stepKind][]wrongStep {
	numbers := numberSteps()
	root := func(x float64) float64 { return math.Sqrt(x) }
	on := func(f func(float64) float64, list []wrongStep) []wrongStep {
		var all []wrongStep
		for _, w := range list {
			all = append(all, wrongStep{w.name, w.advice, func(d *doing) {
				w.set(d)
				g := d.number
				d.number = func(x float64) float64 { return g(f(x)) }
			}, w.odd + 1})
		}
		return all
	}
	vectors := vectorSteps()
	all := map[stepKind][]wrongStep{
		numberStep: numbers,
		squareStep: append([]wrongStep{
			numeric(notSquared, "", func(x float64) float64 { return x }),
			numeric(doubledSquare, "", func(x float64) float64 { return 2 * x }),
		}, on(func(x float64) float64 { return float64(x * x) }, numbers)...),
		rootStep: append([]wrongStep{
			numeric("%s: the square root is not taken", "Your answers are those of a program that forgets the square root in %s.", func(x float64) float64 { return x }),
		}, append(oddly(1, numeric("%s: the square root of a negative number is taken", "Your answers are those of a program that drops the sign of the number under the root in %s.", func(x float64) float64 { return root(math.Abs(x)) })), on(root, numbers)...)...),
		angleStep:  append(angleSteps(), on(func(x float64) float64 { return geom.Angle(x).Tan() }, numbers)...),
		vectorStep: vectors,
		minusStep: append([]wrongStep{
			paired("%s: the operands are exchanged", "Your answers are those of a program that subtracts in %s the other way round.", func(a, b geom.Vec3) geom.Vec3 { return b.Sub(a) }),
			paired("%s: added instead of subtracted", "Your answers are those of a program that adds in %s.", geom.Vec3.Add),
			paired("%s: nothing is subtracted", "Your answers are those of a program that forgets the subtraction in %s.", func(a, _ geom.Vec3) geom.Vec3 { return a }),
			paired("%s: only the second operand is used", "Your answers are those of a program that forgets the first operand in %s.", func(_, b geom.Vec3) geom.Vec3 { return b }),
			paired("%s: only the second operand is used, with a minus", "Your answers are those of a program that forgets the first operand in %s.", func(_, b geom.Vec3) geom.Vec3 { return b.Neg() }),
		}, append(componentSteps(-1), vectors...)...),
		plusStep: append([]wrongStep{
			paired("%s: a minus in place of the plus", "Your answers are those of a program that subtracts in %s.", geom.Vec3.Sub),
			paired("%s: the second part is missing", "Your answers are those of a program that forgets the second part of %s.", func(a, _ geom.Vec3) geom.Vec3 { return a }),
			paired("%s: the first part is missing", "Your answers are those of a program that forgets the first part of %s.", func(_, b geom.Vec3) geom.Vec3 { return b }),
		}, append(componentSteps(1), vectors...)...),
		lengthStep: append(lengthSteps(), numbers...),
		crossStep: append([]wrongStep{
			paired("%s: the operands are exchanged", "Your answers are those of a program with the other order in the cross product %s.", func(a, b geom.Vec3) geom.Vec3 { return b.Cross(a) }),
		}, append(crossSteps(), vectors...)...),
		dotStep: append(dotSteps(), numbers...),
		unitStep: append([]wrongStep{
			vectorial("%s: not a unit vector", "Your answers are those of a program in which this is not a unit vector: %s. Divide it by its length.", func(v geom.Vec3) geom.Vec3 { return v }),
			vectorial("%s: divided by the squared length", "Your answers are those of a program that divides by the squared length in %s: divide by the square root of v · v.", func(v geom.Vec3) geom.Vec3 { return v.Div(v.Norm2()) }),
			vectorial("%s: multiplied by the length", "Your answers are those of a program that multiplies by the length in %s instead of dividing.", func(v geom.Vec3) geom.Vec3 { return v.Scale(v.Norm()) }),
			vectorial("%s: divided by the largest component", "Your answers are those of a program that divides by the largest component in %s, which is not the length.", func(v geom.Vec3) geom.Vec3 { return v.Div(v.MaxAbs()) }),
			vectorial("%s: divided by the sum of the components", "Your answers are those of a program that divides by |x| + |y| + |z| in %s, which is not the length.", func(v geom.Vec3) geom.Vec3 {
				return v.Div(math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z))
			}),
		}, append(shortUnits(), afterUnit(vectors)...)...),
		colorStep: colorSteps(),
		testStep:  testSteps(),
		zeroStep:  zeroSteps(),
		differenceStep: append([]wrongStep{
			extreme("%s: a plus in place of the minus", "Your answers are those of a program that has a plus in place of the minus in %s.", func(a, b float64) float64 { return a + b }),
			extreme("%s: the operands are exchanged", "Your answers are those of a program that subtracts in %s the other way round.", func(a, b float64) float64 { return b - a }),
			extreme("%s: nothing is subtracted", "Your answers are those of a program that forgets the subtraction in %s.", func(a, _ float64) float64 { return a }),
			extreme("%s: only the second operand is used", "Your answers are those of a program that forgets the first operand in %s.", func(_, b float64) float64 { return b }),
			extreme("%s: only the second operand is used, with its minus", "Your answers are those of a program that forgets the first operand in %s.", func(_, b float64) float64 { return -b }),
			extreme("%s: multiplied instead of subtracted", "Your answers are those of a program that multiplies in %s.", func(a, b float64) float64 { return float64(a * b) }),
		}, numbers...),
		sumStep: append([]wrongStep{
			extreme("%s: a minus in place of the plus", "Your answers are those of a program that subtracts in %s.", func(a, b float64) float64 { return a - b }),
			extreme("%s: the second part is missing", "Your answers are those of a program that forgets the second part of %s.", func(a, _ float64) float64 { return a }),
			extreme("%s: the first part is missing", "Your answers are those of a program that forgets the first part of %s.", func(_, b float64) float64 { return b }),
			extreme("%s: the signs are exchanged", "Your answers are those of a program with a minus before the first part of %s.", func(a, b float64) float64 { return b - a }),
			extreme("%s: multiplied instead of added", "Your answers are those of a program that multiplies in %s.", func(a, b float64) float64 { return float64(a * b) }),
		}, numbers...),
		smallerStep: {
			extreme("%s: the larger one is taken", "Your answers are those of a program that takes the larger number in %s.", func(a, b float64) float64 { return max(a, b) }),
			extreme("%s: the first one is taken", "Your answers are those of a program that always takes the first number in %s, without comparing.", func(a, _ float64) float64 { return a }),
			extreme("%s: the second one is taken", "Your answers are those of a program that always takes the second number in %s, without comparing.", func(_, b float64) float64 { return b }),
		},
		largerStep: {
			extreme("%s: the smaller one is taken", "Your answers are those of a program that takes the smaller number in %s.", func(a, b float64) float64 { return min(a, b) }),
			extreme("%s: the first one is taken", "Your answers are those of a program that always takes the first number in %s, without comparing.", func(a, _ float64) float64 { return a }),
			extreme("%s: the second one is taken", "Your answers are those of a program that always takes the second number in %s, without comparing.", func(_, b float64) float64 { return b }),
		},
		clampStep: clampSteps(),
		productStep: append([]wrongStep{
			extreme("%s: the first factor is missing", "Your answers are those of a program that forgets the first factor of %s.", func(_, b float64) float64 { return b }),
			extreme("%s: the second factor is missing", "Your answers are those of a program that forgets the second factor of %s.", func(a, _ float64) float64 { return a }),
			extreme("%s: divided instead of multiplied", "Your answers are those of a program that divides in %s.", func(a, b float64) float64 { return a / b }),
			extreme("%s: added instead of multiplied", "Your answers are those of a program that adds in %s.", func(a, b float64) float64 { return a + b }),
		}, numbers...),
		slipStep: {{"", "", func(*doing) {}, 0}},
	}
	maps.Copy(all, wholeSteps())
	return all
}

func numeric(name, advice string, f func(float64) float64) wrongStep {
	return wrongStep{name, advice, func(w *doing) { w.number = f }, 0}
}

func vectorial(name, advice string, f func(geom.Vec3) geom.Vec3) wrongStep {
	return wrongStep{name, advice, func(w *doing) { w.vector = f }, 0}
}

func paired(name, advice string, f func(a, b geom.Vec3) geom.Vec3) wrongStep {
	return wrongStep{name, advice, func(w *doing) { w.pair = f }, 0}
}

func extreme(name, advice string, f func(a, b float64) float64) wrongStep {
	return wrongStep{name, advice, func(w *doing) { w.better = f }, 0}
}

// oddNumber is how unlikely errors with unusual factors and offsets are: see wrongStep.odd.
const oddNumber = 3

// numberSteps returns the errors of steps whose result is a number, such as a wrong sign or factor.
func numberSteps() []wrongStep {
	all := []wrongStep{
		numeric("%s: the sign is wrong", "Your answers are those for the opposite of the right value in %s.", func(x float64) float64 { return -x }),
		numeric("%s: missing", "Your answers are those for 0 in place of %s.", func(float64) float64 { return 0 }),
	}
	all = oddly(1, all...) // a program that leaves out a step or makes a slip with a name of its own is likelier
	for i, f := range [...]struct {
		factor float64
		words  string
	}{{2, "twice"}, {0.5, "half"}, {4, "4 times"}, {0.25, "a quarter of"}, {3, "3 times"}, {1.0 / 3, "a third of"}, {8, "8 times"}, {0.125, "an eighth of"},
		{1.5, "1.5 times"}, {2.0 / 3, "two thirds of"}, {0.75, "three quarters of"}, {4.0 / 3, "4/3 times"}, {math.Pi / 180, "π/180 times"}, {180 / math.Pi, "180/π times"}, {-2, "-2 times"}, {-0.5, "-1/2 times"},
		{10, "10 times"}, {0.1, "a tenth of"}, {100, "100 times"}, {0.01, "a hundredth of"}, {1000, "1000 times"}, {0.001, "a thousandth of"},
		{1.1, "1.1 times"}, {0.9, "0.9 times"}, {1.01, "1.01 times"}, {0.99, "0.99 times"}, {1.25, "1.25 times"}, {0.8, "0.8 times"}, {1.2, "1.2 times"}, {5, "5 times"}, {0.2, "a fifth of"},
		{math.Pi, "π times"}, {1 / math.Pi, "1/π times"}, {2 * math.Pi, "2π times"}, {0.5 / math.Pi, "1/(2π) times"}, {4 * math.Pi, "4π times"}, {0.25 / math.Pi, "1/(4π) times"},
		{1.05, "1.05 times"}, {0.95, "0.95 times"}, {1.001, "1.001 times"}, {0.999, "0.999 times"}, {0.7, "0.7 times"}, {0.3, "0.3 times"}, {0.6, "0.6 times"}, {0.4, "0.4 times"}, {1.3, "1.3 times"}, {6, "6 times"}, {math.Sqrt2, "√2 times"}, {math.Sqrt2 / 2, "1/√2 times"}, {255, "255 times"}, {1.0 / 255, "1/255 times"}, {256, "256 times"}, {1.0 / 256, "1/256 times"}} {
		odd := oddNumber
		switch {
		case i < 2:
			odd = 0
		case i < 10:
			odd = 1
		}
		all = append(all, oddly(odd, numeric("%s: "+f.words+" the right value", "Your answers are those for "+f.words+" the right value of %s.", func(x float64) float64 { return float64(f.factor * x) }))...)
	}
	all = append(all, oddly(1,
		numeric("%s: squared", "Your answers are those for the square of %s.", func(x float64) float64 { return float64(x * x) }),
		numeric("%s: the square root is taken", "Your answers are those for the square root of %s: a square is missing, or a root too many.", math.Sqrt),
	)...)
	all = append(all, oddly(2,
		numeric("%s: the inverse", "Your answers are those for 1 divided by %s.", func(x float64) float64 { return 1 / x }),
		numeric("%s: the absolute value is taken", "Your answers are those for the absolute value of %s.", math.Abs),
		numeric("%s: negative values become 0", "Your answers are those of a program that uses at least 0 for %s.", func(x float64) float64 { return max(0, x) }),
		numeric("%s: limited to 1", "Your answers are those of a program that uses at most 1 for %s.", func(x float64) float64 { return min(1, x) }),
		numeric("%s: limited to 0..1", "Your answers are those of a program that limits %s to 0..1.", func(x float64) float64 { return min(1, max(0, x)) }),
		numeric("%s: taken to be 1", "Your answers are those for 1 in place of %s.", func(float64) float64 { return 1 }),
		numeric("%s: taken to be infinite", "Your answers are those for an infinite %s.", func(float64) float64 { return math.Inf(1) }),
		numeric("%s: subtracted from 1", "Your answers are those for 1 minus the right value of %s.", func(x float64) float64 { return 1 - x }),
		numeric("%s: cubed", "Your answers are those for the third power of %s.", func(x float64) float64 { return float64(x*x) * x }),
		numeric("%s: cut off to an integer", "Your answers are those of a program that cuts %s off to a whole number: divide as floats.", math.Trunc),
		numeric("%s: rounded down to an integer", "Your answers are those of a program that rounds %s down: divide as floats.", math.Floor),
		numeric("%s: rounded to an integer", "Your answers are those of a program that rounds %s to a whole number.", math.Round),
	)...)
	for _, d := range [...]float64{1, -1, 0.5, -0.5, 2, -2, 0.1, -0.1, 0.01, -0.01, 1e-3, -1e-3, 1e-4, -1e-4, 1e-5, 1e-6, -1e-6} {
		odd := oddNumber
		if math.Abs(d) == 0.5 || math.Abs(d) == 1 {
			odd = 1
		}
		all = append(all, oddly(odd, numeric(fmt.Sprintf("%%s: off by %+g", d), fmt.Sprintf("Your answers are those of a program that has %+g too much in %%s.", d), func(x float64) float64 { return x + d }))...)
	}
	return all
}

// angleSteps returns the errors of steps that compute the tangent of an angle in degrees.
func angleSteps() []wrongStep {
	radians := math.Pi / 180
	all := []wrongStep{
		numeric("%s: degrees are used as radians", "Your answers are those of a program that passes degrees to the tangent function, which takes radians, in %s. Multiply by π / 180 first.", math.Tan),
		numeric("%s: the sine is used", "Your answers are those of a program that uses the sine in place of the tangent in %s.", func(x float64) float64 { return math.Sin(radians * x) }),
		numeric("%s: the cosine is used", "Your answers are those of a program that uses the cosine in place of the tangent in %s.", func(x float64) float64 { return math.Cos(radians * x) }),
		numeric("%s: the cotangent is used", "Your answers are those of a program that divides by the tangent instead of multiplying, or uses the wrong sides of the triangle, in %s.", func(x float64) float64 { return 1 / math.Tan(radians*x) }),
		numeric("%s: the arctangent is used", "Your answers are those of a program that uses the arctangent in place of the tangent in %s.", func(x float64) float64 { return math.Atan(radians * x) }),
		numeric("%s: the angle is used without the tangent", "Your answers are those of a program that uses the angle in radians in place of its tangent in %s.", func(x float64) float64 { return radians * x }),
		numeric("%s: the angle in degrees is used without the tangent", "Your answers are those of a program that uses the angle in degrees in place of its tangent in %s.", func(x float64) float64 { return x }),
		numeric("%s: the tangent of the whole angle is used", "Half of the field of view is on each side of the axis: use the tangent of half of the angle in %s.", func(x float64) float64 { return math.Tan(2 * radians * x) }),
		numeric("%s: the angle is halved twice", "Your answers are those of a program that halves the angle twice in %s.", func(x float64) float64 { return math.Tan(radians * x / 2) }),
		numeric("%s: the sine of the whole angle is used", "Your answers are those of a program that uses the sine of the whole angle in %s.", func(x float64) float64 { return math.Sin(2 * radians * x) }),
		numeric("%s: half of the tangent of the whole angle is used", "Halving the tangent is not the same as halving the angle in %s.", func(x float64) float64 { return math.Tan(2*radians*x) / 2 }),
		numeric("%s: the tangent is used in degrees", "Your answers are those of a program that converts the tangent of the angle, not the angle, in %s.", func(x float64) float64 { return math.Tan(x) * radians }),
		numeric("%s: 360 in place of 180", "Your answers are those of a program that converts degrees with π / 360 or 2π / 180 in %s.", func(x float64) float64 { return math.Tan(2 * math.Pi / 180 * x) }),
		numeric("%s: π is rounded to 3.14", "Your answers are those of a program with a rough value of π in %s.", func(x float64) float64 { return math.Tan(3.14 / 180 * x) }),
		numeric("%s: π is rounded to 3.1416", "Your answers are those of a program with a rough value of π in %s.", func(x float64) float64 { return math.Tan(3.1416 / 180 * x) }),
		numeric("%s: π is rounded to 3.14159", "Your answers are those of a program with a rough value of π in %s.", func(x float64) float64 { return math.Tan(3.14159 / 180 * x) }),
	}
	return all
}

// vectorSteps returns the errors of steps whose result is a vector.
func vectorSteps() []wrongStep {
	var all []wrongStep
	for _, s := range vectorSlips() {
		name, advice := s.format, s.detail
		all = append(all, oddly(1, vectorial(name, advice, s.of))...)
	}
	return all
}

// afterUnit returns a version of each error in the list that first makes the vector a unit vector.
func afterUnit(list []wrongStep) []wrongStep {
	var all []wrongStep
	for _, w := range list {
		all = append(all, wrongStep{w.name, w.advice, func(d *doing) {
			w.set(d)
			f := d.vector
			d.vector = func(v geom.Vec3) geom.Vec3 { return f(v.Unit()) }
		}, w.odd})
	}
	return all
}

// componentSteps returns the slips with one component of a sum (sign is 1) or difference (sign is -1) of vectors.
func componentSteps(sign float64) []wrongStep {
	names := [...]string{"x", "y", "z"}
	var all []wrongStep
	for i, name := range names {
		slip := func(says string, f func(a, b geom.Vec3) float64) {
			all = append(all, paired("%s: "+name+" "+says, "Check the component "+name+" in %s.", func(a, b geom.Vec3) geom.Vec3 {
				return withPart(a.AddScaled(sign, b), i, f(a, b))
			}))
		}
		slip("has the wrong sign between its two parts", func(a, b geom.Vec3) float64 { return part(a, i) - float64(sign*part(b, i)) })
		slip("lacks its second part", func(a, _ geom.Vec3) float64 { return part(a, i) })
		slip("lacks its first part", func(_, b geom.Vec3) float64 { return float64(sign * part(b, i)) })
		for j, other := range names {
			if i != j {
				slip("uses "+other+" of the second vector", func(a, b geom.Vec3) float64 { return part(a, i) + float64(sign*part(b, j)) })
				slip("uses "+other+" of the first vector", func(a, b geom.Vec3) float64 { return part(a, j) + float64(sign*part(b, i)) })
			}
		}
	}
	return all
}

// withPart returns v with x in place of component i, 0 to 2.
func withPart(v geom.Vec3, i int, x float64) geom.Vec3 {
	*[...]*float64{&v.X, &v.Y, &v.Z}[i] = x
	return v
}

// lengthSteps returns the slips with the length of a vector.
func lengthSteps() []wrongStep {
	length := func(name, advice string, f func(v geom.Vec3) float64) wrongStep {
		return wrongStep{name, advice, func(w *doing) { w.scalar = func(v, _ geom.Vec3) float64 { return f(v) } }, 0}
	}
	all := []wrongStep{
		length("%s: the square root is missing", "Your answers are those of a program that uses v · v in place of its square root in %s.", geom.Vec3.Norm2),
		length("%s: the largest component is used", "Your answers are those of a program that uses the largest component in %s.", geom.Vec3.MaxAbs),
		length("%s: the components are added", "Your answers are those of a program that uses |x| + |y| + |z| in %s.", func(v geom.Vec3) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }),
	}
	for i, name := range [...]string{"x", "y", "z"} {
		all = append(all, length("%s: "+name+" is missing", "Your answers are those of a program that leaves out "+name+" in %s.", func(v geom.Vec3) float64 { return withPart(v, i, 0).Norm() }))
	}
	return all
}

// shortUnits returns the slips with one component of a vector that is made a unit vector.
func shortUnits() []wrongStep {
	var all []wrongStep
	for i, name := range [...]string{"x", "y", "z"} {
		all = append(all,
			vectorial("%s: "+name+" is missing in the length", "Your answers are those of a program that leaves out "+name+" in the length by which it divides in %s.", func(v geom.Vec3) geom.Vec3 { return v.Div(withPart(v, i, 0).Norm()) }),
			vectorial("%s: "+name+" is not divided by the length", "Your answers are those of a program that divides only the other two components in %s.", func(v geom.Vec3) geom.Vec3 { return withPart(v.Unit(), i, part(v, i)) }))
	}
	return all
}

// dotSteps returns the slips with a dot product.
func dotSteps() []wrongStep {
	names := [...]string{"x", "y", "z"}
	scalar := func(name, advice string, f func(a, b geom.Vec3) float64) wrongStep {
		return wrongStep{name, advice, func(w *doing) { w.scalar = f }, 0}
	}
	var all []wrongStep
	for i := range 3 {
		term := func(a, b geom.Vec3, i, j int) float64 { return float64(part(a, i) * part(b, j)) }
		all = append(all,
			scalar("%s: the term of "+names[i]+" is missing", "Your answers are those of a program without the term of "+names[i]+" in the dot product %s.",
				func(a, b geom.Vec3) float64 { return a.Dot(b) - term(a, b, i, i) }),
			scalar("%s: the term of "+names[i]+" has the wrong sign", "Your answers are those of a program that subtracts the term of "+names[i]+" in the dot product %s.",
				func(a, b geom.Vec3) float64 { return a.Dot(b) - 2*term(a, b, i, i) }),
			scalar("%s: only the term of "+names[i]+" is used", "Your answers are those of a program with only the term of "+names[i]+" in the dot product %s.",
				func(a, b geom.Vec3) float64 { return term(a, b, i, i) }))
		for j := range 3 {
			if i != j {
				all = append(all,
					scalar("%s: "+names[i]+" times "+names[j], "Your answers are those of a program that multiplies "+names[i]+" by "+names[j]+" in the dot product %s.",
						func(a, b geom.Vec3) float64 { return a.Dot(b) - term(a, b, i, i) + term(a, b, i, j) }),
					scalar("%s: the term of "+names[j]+" in place of that of "+names[i], "Your answers are those of a program that has the term of "+names[j]+" twice, and not that of "+names[i]+", in the dot product %s.",
						func(a, b geom.Vec3) float64 { return a.Dot(b) - term(a, b, i, i) + term(a, b, j, j) }))
			}
		}
	}
	return append(all, scalar("%s: the product of the lengths is used", "Your answers are those of a program that multiplies the lengths in %s.", func(a, b geom.Vec3) float64 { return float64(a.Norm() * b.Norm()) }))
}

// crossSteps returns the errors of steps that compute a cross product, such as a wrong index.
func crossSteps() []wrongStep {
	names := [...]string{"x", "y", "z"}
	var all []wrongStep
	for i := range 3 {
		change := func(name string, f func(a, b [3]float64, j, k int) float64) {
			all = append(all, paired("%s: "+names[i]+" "+name, "Check the component "+names[i]+" of the cross product %s: x is a.y b.z - a.z b.y, and so on in turn.", func(a, b geom.Vec3) geom.Vec3 {
				c := a.Cross(b)
				x := f([3]float64{a.X, a.Y, a.Z}, [3]float64{b.X, b.Y, b.Z}, (i+1)%3, (i+2)%3)
				switch i {
				case 0:
					c.X = x
				case 1:
					c.Y = x
				default:
					c.Z = x
				}
				return c
			}))
		}
		change("has a plus in place of the minus", func(a, b [3]float64, j, k int) float64 { return float64(a[j]*b[k]) + float64(a[k]*b[j]) })
		change("lacks its second product", func(a, b [3]float64, j, k int) float64 { return float64(a[j] * b[k]) })
		change("lacks its first product", func(a, b [3]float64, j, k int) float64 { return -float64(a[k] * b[j]) })
		change("has a wrong index", func(a, b [3]float64, j, k int) float64 { return float64(a[j]*b[k]) - float64(a[k]*b[k]) })
		change("has a wrong index", func(a, b [3]float64, j, k int) float64 { return float64(a[j]*b[j]) - float64(a[k]*b[j]) })
		change("has a wrong index", func(a, b [3]float64, j, k int) float64 { return float64(a[j]*b[k]) - float64(a[j]*b[k]) })
	}
	return all
}

// testSteps returns the errors of steps that compare two numbers, a < b or a <= b. The function in the field test of
// [doing] gets the difference a - b.
func testSteps() []wrongStep {
	test := func(name, advice string, f func(gap float64, orEqual bool) bool) wrongStep {
		return wrongStep{name, advice, func(w *doing) { w.test = f }, 0}
	}
	holds := func(gap float64, orEqual bool) bool { return gap < 0 || orEqual && gap == 0 }
	all := []wrongStep{
		test(neverTrue, "Your answers are those of a program in which %s is never true.", func(float64, bool) bool { return false }),
		test(alwaysTrue, "Your answers are those of a program in which %s is always true.", func(float64, bool) bool { return true }),
		test("the test %s is reversed", "Your answers are those of a program in which %s is reversed.", func(gap float64, orEqual bool) bool { return !holds(gap, orEqual) }),
		test("the test %s treats equal numbers wrongly", "Your answers are those of a program with < in place of <=, or <= in place of <, in %s.", func(gap float64, orEqual bool) bool { return holds(gap, !orEqual) }),
		test("the test %s ignores the sign", "Your answers are those of a program with absolute values in %s.", func(gap float64, orEqual bool) bool { return gap != 0 }),
	}
	all = append(all[:2:2], oddly(1, all[2:]...)...)
	for _, e := range append([]float64{2, 1, 0.5, 0.25, 0.2, 0.05}, thresholds()...) {
		all = append(all, oddly(2,
			test(fmt.Sprintf("a fixed number, %g, is added in the test %%s", e), "Your answers are those of a program in which the test %s is true a little too often, by a fixed number. Compare without it.", func(gap float64, _ bool) bool { return gap < e }),
			test(fmt.Sprintf("a fixed number, %g, is subtracted in the test %%s", e), "Your answers are those of a program in which the test %s is true too rarely, by a fixed number. Compare without it.", func(gap float64, _ bool) bool { return gap < -e }))...)
	}
	return all
}

// zeroSteps returns the errors of steps that compare a number with 0, for equality. The square of the number may be compared
// with the fixed number, or the number itself.
func zeroSteps() []wrongStep {
	test := func(name, advice string, f func(x float64) bool) wrongStep {
		return wrongStep{name, advice, func(w *doing) { w.test = func(x float64, _ bool) bool { return f(x) } }, 0}
	}
	all := []wrongStep{
		test(neverTrue, "Your answers are those of a program in which %s is never true.", func(float64) bool { return false }),
		test(alwaysTrue, "Your answers are those of a program in which %s is always true.", func(float64) bool { return true }),
	}
	for _, e := range thresholds() {
		for _, of := range [...]func(x float64) bool{
			func(x float64) bool { return math.Abs(x) < e },
			func(x float64) bool { return math.Abs(x) < float64(e*e) },
		} {
			all = append(all, oddly(1, test(fixedEpsilon, "Whether a number is small depends on the scene. Your answers are those of a program that takes small numbers for 0 in %s. Only 0 itself needs care.", of))...)
		}
	}
	return all
}

// clampSteps returns the errors of steps that limit a number to a range, such as a missing lower limit.
func clampSteps() []wrongStep {
	clamp := func(name, advice string, f func(x, lo, hi float64) float64) wrongStep {
		return wrongStep{name, advice, func(w *doing) { w.clamp = f }, 0}
	}
	return []wrongStep{
		clamp("%s: not limited", "Your answers are those of a program that does not limit %s.", func(x, _, _ float64) float64 { return x }),
		clamp("%s: no lower limit", "Your answers are those of a program that forgets the lower limit in %s.", func(x, _, hi float64) float64 { return min(x, hi) }),
		clamp("%s: no upper limit", "Your answers are those of a program that forgets the upper limit in %s.", func(x, lo, _ float64) float64 { return max(x, lo) }),
		clamp("%s: min and max are exchanged", "Your answers are those of a program that exchanges min and max in %s.", func(x, lo, hi float64) float64 { return max(min(x, lo), hi) }),
		clamp("%s: min and max are exchanged", "Your answers are those of a program that exchanges min and max in %s.", func(x, lo, hi float64) float64 { return min(max(x, hi), lo) }),
		clamp("%s: always the lower limit", "Your answers are those of a program that always uses the lower limit in %s.", func(_, lo, _ float64) float64 { return lo }),
		clamp("%s: always the upper limit", "Your answers are those of a program that always uses the upper limit in %s.", func(_, _, hi float64) float64 { return hi }),
		clamp("%s: always the middle", "Your answers are those of a program that always uses the middle of the limits in %s.", func(_, lo, hi float64) float64 { return (lo + hi) / 2 }),
		clamp("%s: the lower limit is -1", "Your answers are those of a program that limits %s to -1 below.", func(x, _, hi float64) float64 { return min(max(x, -1), hi) }),
		clamp("%s: the upper limit is doubled", "Your answers are those of a program with twice the upper limit in %s.", func(x, lo, hi float64) float64 { return min(max(x, lo), 2*hi) }),
		clamp("%s: the upper limit is halved", "Your answers are those of a program with half of the upper limit in %s.", func(x, lo, hi float64) float64 { return min(max(x, lo), hi/2) }),
		clamp("%s: the absolute value is limited", "Your answers are those of a program that takes the absolute value in %s.", func(x, lo, hi float64) float64 { return min(max(math.Abs(x), lo), hi) }),
		clamp("%s: values outside of the limits become the lower limit", "Your answers are those of a program that uses the lower limit for all values outside of the limits of %s.", func(x, lo, hi float64) float64 {
			if x < lo || x > hi {
				return lo
			}
			return x
		}),
		clamp("%s: the nearer limit is taken", "Your answers are those of a program that uses the nearer limit in %s, never a value between.", func(x, lo, hi float64) float64 {
			if 2*x < lo+hi {
				return lo
			}
			return hi
		}),
		clamp("%s: the value is turned round", "Your answers are those of a program that counts %s from the other end.", func(x, lo, hi float64) float64 { return lo + hi - min(max(x, lo), hi) }),
		clamp("%s: values beyond a limit wrap around", "Your answers are those of a program that uses the remainder in %s.", func(x, lo, hi float64) float64 { return x - float64((hi-lo)*math.Floor((x-lo)/(hi-lo))) }),
	}
}

// colorSteps returns the errors of steps whose result is a linear color.
func colorSteps() []wrongStep {
	color := func(name, advice string, f func(c shade.Color) shade.Color) wrongStep {
		return wrongStep{name, advice, func(w *doing) { w.color = f }, 0}
	}
	channels := func(f func(x float64) float64) func(c shade.Color) shade.Color {
		return func(c shade.Color) shade.Color { return shade.Color{R: f(c.R), G: f(c.G), B: f(c.B)} }
	}
	// digits returns a slip in reading the hexadecimal digits of a color. The function f gets the right channels, and
	// returns the wrong ones. It returns -1 for a channel that stays right.
	digits := func(channel, how string, f func(r, g, b int) (int, int, int)) wrongStep {
		return color("%s: "+channel+" is read "+how, "#rrggbb has two digits for each channel. Your answers are those of a program that reads "+channel+" "+how+" in %s.", func(c shade.Color) shade.Color {
			in := [...]int{int(math.Round(255 * srgb(c.R))), int(math.Round(255 * srgb(c.G))), int(math.Round(255 * srgb(c.B)))}
			out := [3]int{}
			out[0], out[1], out[2] = f(in[0], in[1], in[2])
			for i := range out {
				if out[i] < 0 {
					out[i] = in[i]
				}
			}
			return shade.FromSRGB(float64(out[0])/255, float64(out[1])/255, float64(out[2])/255)
		})
	}
	all := []wrongStep{
		color("%s: red and blue are exchanged", "Your answers are those of a program that exchanges red and blue in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.B, G: c.G, B: c.R} }),
		color("%s: red and green are exchanged", "Your answers are those of a program that exchanges red and green in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.G, G: c.R, B: c.B} }),
		color("%s: green and blue are exchanged", "Your answers are those of a program that exchanges green and blue in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.R, G: c.B, B: c.G} }),
		color("%s: the channels are rotated", "Your answers are those of a program that takes green for red, blue for green and red for blue in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.G, G: c.B, B: c.R} }),
		color("%s: the channels are rotated", "Your answers are those of a program that takes blue for red, red for green and green for blue in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.B, G: c.R, B: c.G} }),
		color("%s: red is used for all channels", "Your answers are those of a program that uses red for all channels in %s.", func(c shade.Color) shade.Color { return shade.Gray(c.R) }),
		color("%s: green is used for all channels", "Your answers are those of a program that uses green for all channels in %s.", func(c shade.Color) shade.Color { return shade.Gray(c.G) }),
		color("%s: blue is used for all channels", "Your answers are those of a program that uses blue for all channels in %s.", func(c shade.Color) shade.Color { return shade.Gray(c.B) }),
		color("%s: green is used in place of blue", "Your answers are those of a program that uses green in place of blue in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.R, G: c.G, B: c.G} }),
		color("%s: red is used in place of green", "Your answers are those of a program that uses red in place of green in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.R, G: c.R, B: c.B} }),
		color("%s: red is used in place of blue", "Your answers are those of a program that uses red in place of blue in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.R, G: c.G, B: c.R} }),
		color("%s: blue is used in place of green", "Your answers are those of a program that uses blue in place of green in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.R, G: c.B, B: c.B} }),
		digits("red", "one digit too late", func(r, g, _ int) (int, int, int) { return r<<4&0xff | g>>4, -1, -1 }),
		digits("green", "one digit too early", func(r, g, _ int) (int, int, int) { return -1, r<<4&0xff | g>>4, -1 }),
		digits("green", "one digit too late", func(_, g, b int) (int, int, int) { return -1, g<<4&0xff | b>>4, -1 }),
		digits("blue", "one digit too early", func(_, g, b int) (int, int, int) { return -1, -1, g<<4&0xff | b>>4 }),
		color("%s: red is missing", "Your answers are those of a program without red in %s.", func(c shade.Color) shade.Color { return shade.Color{G: c.G, B: c.B} }),
		color("%s: green is missing", "Your answers are those of a program without green in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.R, B: c.B} }),
		color("%s: blue is missing", "Your answers are those of a program without blue in %s.", func(c shade.Color) shade.Color { return shade.Color{R: c.R, G: c.G} }),
		color("%s: the average of the channels is used", "Your answers are those of a program that makes gray of %s.", func(c shade.Color) shade.Color { return shade.Gray((c.R + c.G + c.B) / 3) }),
		color("%s: made linear twice", "Your answers are those of a program that decodes %s twice.", func(c shade.Color) shade.Color { return shade.FromSRGB(c.R, c.G, c.B) }),
		color("%s: encoded as sRGB", "Your answers are those of a program that does not make %s linear, or encodes it.", channels(srgb)),
		color("%s: inverted", "Your answers are those of a program that uses 1 minus the right color in %s.", channels(func(x float64) float64 { return 1 - x })),
		color("%s: a power of 2.2 in place of the sRGB curve", "The sRGB curve is linear near 0, and a power of 2.4 above. Your answers are those of a program with a power of 2.2 in %s.", channels(func(x float64) float64 { return math.Pow(srgb(x), 2.2) })),
		color("%s: a power of 2 in place of the sRGB curve", "The sRGB curve is linear near 0, and a power of 2.4 above. Your answers are those of a program with a square in %s.", channels(func(x float64) float64 { return srgb(x) * srgb(x) })),
		color("%s: a power of 2.4 in place of the sRGB curve", "The sRGB curve is linear near 0. Your answers are those of a program with nothing but a power of 2.4 in %s.", channels(func(x float64) float64 { return math.Pow(srgb(x), 2.4) })),
		color("%s: the linear part of the sRGB curve is forgotten", "The sRGB curve is c / 12.92 near 0. Your answers are those of a program without that part in %s.", channels(func(x float64) float64 { return math.Pow((srgb(x)+0.055)/1.055, 2.4) })),
		color("%s: the curve lacks the offset 0.055", "Above its linear part, the sRGB curve is ((c + 0.055) / 1.055)^2.4. Check %s.", channels(func(x float64) float64 {
			if s := srgb(x); s > 0.04045 {
				return math.Pow(s/1.055, 2.4)
			}
			return x
		})),
		color("%s: the curve has the exponent 2.2", "Above its linear part, the sRGB curve is ((c + 0.055) / 1.055)^2.4. Check %s.", channels(func(x float64) float64 {
			if s := srgb(x); s > 0.04045 {
				return math.Pow((s+0.055)/1.055, 2.2)
			}
			return x
		})),
		color("%s: the curve is not divided by 1.055", "Above its linear part, the sRGB curve is ((c + 0.055) / 1.055)^2.4. Check %s.", channels(func(x float64) float64 {
			if s := srgb(x); s > 0.04045 {
				return math.Pow(s+0.055, 2.4)
			}
			return x
		})),
		color("%s: divided by 256 instead of 255", "The largest of the 256 steps is 255, and stands for 1. Your answers are those of a program that divides by 256 in %s.", channels(func(x float64) float64 { s := srgb(x) * 255 / 256; return shade.FromSRGB(s, s, s).R })),
	}
	for _, w := range numberSteps() {
		all = append(all, wrongStep{w.name, w.advice, func(d *doing) {
			w.set(d)
			d.color = channels(d.number)
		}, w.odd + 1})
	}
	return all
}
