package explain

import (
	"fmt"

	"pillbox/geom"
	"pillbox/shade"
)

// Step is a line of a derivation: an equation, a relation that holds, or a sentence.
type Step struct {
	Symbol  string // what the equation defines; "" if this is none
	Formula string // the equation's right side or the relation; "" if the value is given, or in a bare sentence
	Numbers string // the formula with numbers in the place of its symbols
	Result  string // the equation's value, rounded for reading, or the relation of the terms' values
	Value   any    // the equation's value: float64 or *big.Int, or []any of three for a vector or a colour
	Note    string // what it means
	Verdict Verdict
}

// Verdict says whether a step accepts a root or rejects it.
type Verdict string

// The verdicts; the empty one is neither.
const (
	Accepts Verdict = "accepted"
	Rejects Verdict = "rejected"
)

// Numbers are rounded to so many digits for reading; an equation gets more where it would
// not come out otherwise.
const readable = 6

// derivation collects the steps that lead from given numbers to a result.
type derivation[T number[T]] struct {
	values map[string]value[T]
	steps  []Step
	silent bool // no steps, just values
}

func newDerivation[T number[T]]() *derivation[T] {
	return &derivation[T]{values: map[string]value[T]{}}
}

func (d *derivation[T]) tell(s Step) {
	if !d.silent {
		d.steps = append(d.steps, s)
	}
}

// given introduces a symbol.
func (d *derivation[T]) given(symbol string, v value[T], note string) {
	d.values[symbol] = v
	d.tell(Step{Symbol: symbol, Result: v.text(readable), Value: v.plain(), Note: note})
}

// know introduces a symbol without telling, because it was told before.
func (d *derivation[T]) know(symbol string, v value[T]) { d.values[symbol] = v }

// note adds a sentence.
func (d *derivation[T]) note(format string, args ...any) {
	d.tell(Step{Note: fmt.Sprintf(format, args...)})
}

// let defines a symbol by a formula and returns its value.
func (d *derivation[T]) let(symbol, formula, note string) value[T] {
	n := d.parse(formula)
	v := d.exact().eval(n)
	if !d.silent {
		numbers, result := d.print(n, v)
		d.tell(Step{Symbol: symbol, Formula: formula, Numbers: numbers, Result: result, Value: v.plain(), Note: note})
	}
	d.values[symbol] = v
	return v
}

// holds reports whether a relation is true.
func (d *derivation[T]) holds(formula string) bool {
	return d.exact().holds(d.parse(formula).(relation))
}

// claim tells that a relation is true, which it must be, and what follows.
func (d *derivation[T]) claim(formula, note string) {
	r := d.parse(formula).(relation)
	if !d.exact().holds(r) {
		panic(fmt.Sprintf("explain: %s is false of %v", formula, d.values))
	}
	if d.silent {
		return
	}
	numbers, result := d.printRelation(r)
	d.tell(Step{Formula: formula, Numbers: numbers, Result: result, Note: note})
}

// judge claims a relation and what follows for a root.
func (d *derivation[T]) judge(formula string, v Verdict, note string) {
	d.claim(formula, string(v)+": "+note)
	if !d.silent {
		d.steps[len(d.steps)-1].Verdict = v
	}
}

// holdsThen claims a relation if it is true.
func (d *derivation[T]) holdsThen(formula, note string) bool {
	is := d.holds(formula)
	if is {
		d.claim(formula, note)
	}
	return is
}

func (d *derivation[T]) parse(formula string) node {
	n, err := parse(formula)
	if err != nil {
		panic(err) // one of our own
	}
	return n
}

// of returns the value of a symbol.
func (d *derivation[T]) of(name string) value[T] {
	v, ok := d.values[name]
	if !ok {
		panic(fmt.Sprintf("explain: no value for %q", name))
	}
	return v
}

func (d *derivation[T]) exact() evaluator[T] { return evaluator[T]{d.of} }

// roundedTo evaluates with what a reader sees.
func (d *derivation[T]) roundedTo(digits int) evaluator[T] {
	return evaluator[T]{func(name string) value[T] { return d.of(name).rounded(digits) }}
}

// print writes a formula with numbers, and its value, with just as many digits as the
// numbers need to give the value that is printed.
func (d *derivation[T]) print(n node, v value[T]) (numbers, result string) {
	result = v.text(readable)
	digits := readable
	for digits < allBits && d.roundedTo(digits).eval(n).text(readable) != result {
		digits++
	}
	return d.show(n, digits), result
}

// printRelation writes a relation with numbers, and with the values of its terms, with just
// as many digits as it takes for both to be true and to agree.
func (d *derivation[T]) printRelation(r relation) (numbers, result string) {
	values := make([]value[T], len(r.terms))
	for i, term := range r.terms {
		values[i] = d.exact().eval(term)
	}
	short := readable
	for short < allDigits && !holdsFor(r, func(i int) T { return values[i].rounded(short).x[0] }) {
		short++
	}
	agrees := func(digits int) bool {
		e := d.roundedTo(digits)
		for i, term := range r.terms {
			if e.eval(term).text(short) != values[i].text(short) {
				return false
			}
		}
		return e.holds(r)
	}
	digits := readable
	for digits < allBits && !agrees(digits) {
		digits++
	}
	result = values[0].text(short)
	for i, op := range r.ops {
		result += " " + op + " " + values[i+1].text(short)
	}
	return d.show(r, digits), result
}

func (d *derivation[T]) show(n node, digits int) string {
	return show(n, func(s symbol) string { return d.of(s.name).part(s.part).text(digits) })
}

// scalar returns the value of a symbol that is a number.
func (d *derivation[T]) scalar(symbol string) T { return d.of(symbol).x[0] }

func real(x float64) value[float] { return scalar(float(x)) }

func vector(v geom.Vec3) value[float] {
	return value[float]{3, [3]float{float(v.X), float(v.Y), float(v.Z)}}
}

func light(c shade.Color) value[float] {
	return value[float]{3, [3]float{float(c.R), float(c.G), float(c.B)}}
}

// vec3 returns a value of three parts as a vector.
func vec3(v value[float]) geom.Vec3 {
	return geom.Vec3{X: float64(v.x[0]), Y: float64(v.x[1]), Z: float64(v.x[2])}
}
