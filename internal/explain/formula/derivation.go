package formula

import (
	"fmt"
	"math"
	"slices"
)

// Step is a line of a derivation: a given value, an equation, a relation that holds, or a sentence.
type Step struct {
	Symbol  string // the symbol that the step defines; "" for a relation or a sentence
	Formula string // the right side of the equation, or the relation; "" for a given value or a sentence
	Numbers string // the formula with numbers substituted for its symbols
	Result  string // the value, rounded for reading, or the relation between the values of its terms
	Value   any    // the exact value: float64 or *big.Int, or []any of three for a vector or a color
	Note    string // what the step means
	Verdict Verdict
	Key     string // the key in the scene file of a given value, such as sphere[0].radius; "" if it has none

	hidden bool
}

// Hidden reports whether the step is a definition that the reader may know from elsewhere. Texts show such a step only
// where [Complete] makes it visible.
func (s Step) Hidden() bool { return s.hidden }

// Verdict says whether a step accepts or rejects something, such as a root.
type Verdict string

// The verdicts; the empty one is neither.
const (
	Accepts Verdict = "accepted"
	Rejects Verdict = "rejected"
)

// Derivation collects the steps that lead from given numbers to a result. It panics on a formula that cannot be parsed,
// a symbol without a value, or a claim that is false, because these are errors in the program.
type Derivation[T Number[T]] struct {
	Silent bool // if set, later definitions become hidden steps, and all other steps are omitted

	values map[string]Value[T]
	steps  []Step
}

// New returns an empty derivation.
func New[T Number[T]]() *Derivation[T] {
	return &Derivation[T]{values: map[string]Value[T]{}}
}

// Steps returns the visible steps so far, in order.
func (d *Derivation[T]) Steps() []Step {
	return slices.DeleteFunc(slices.Clone(d.steps), Step.Hidden)
}

// All returns the steps so far, in order, including hidden ones.
func (d *Derivation[T]) All() []Step { return d.steps }

// Lookup returns the value of a symbol, and false if it has none.
func (d *Derivation[T]) Lookup(symbol string) (Value[T], bool) {
	v, ok := d.values[symbol]
	return v, ok
}

// Of returns the value of a symbol. It panics if the symbol has none.
func (d *Derivation[T]) Of(symbol string) Value[T] {
	v, ok := d.values[symbol]
	if !ok {
		panic(fmt.Sprintf("formula: no value for %q", symbol))
	}
	return v
}

// Scalar returns the value of a symbol that is a number.
func (d *Derivation[T]) Scalar(symbol string) T { return d.Of(symbol).x[0] }

// addStep appends a step. Silent derivations keep definitions only, as hidden steps.
func (d *Derivation[T]) addStep(s Step) {
	if d.Silent && s.Symbol == "" {
		return
	}
	s.hidden = s.hidden || d.Silent
	d.steps = append(d.steps, s)
}

// Given introduces a symbol with its value.
func (d *Derivation[T]) Given(symbol string, v Value[T], note string) {
	d.values[symbol] = v
	d.addStep(Step{Symbol: symbol, Result: v.Text(Readable), Value: v.plain(), Note: note})
}

// Know introduces a symbol with its value in a hidden step, because the reader may know it from elsewhere.
func (d *Derivation[T]) Know(symbol string, v Value[T], note string) {
	d.values[symbol] = v
	d.addStep(Step{Symbol: symbol, Result: v.Text(Readable), Value: v.plain(), Note: note, hidden: true})
}

// Note adds a sentence.
func (d *Derivation[T]) Note(format string, args ...any) {
	d.addStep(Step{Note: fmt.Sprintf(format, args...)})
}

// Decide adds a verdict that follows without a comparison, with its reason.
func (d *Derivation[T]) Decide(v Verdict, note string) {
	d.addStep(Step{Note: string(v) + ": " + note, Verdict: v})
}

// Let defines a symbol by a formula and returns its value.
func (d *Derivation[T]) Let(symbol, formula, note string) Value[T] {
	n := d.parse(formula)
	v := d.exact().eval(n)
	numbers, result := d.print(n, v)
	d.addStep(Step{Symbol: symbol, Formula: formula, Numbers: numbers, Result: result, Value: v.plain(), Note: note})
	d.values[symbol] = v
	return v
}

// Holds reports whether a relation is true.
func (d *Derivation[T]) Holds(formula string) bool {
	return d.exact().holds(d.parse(formula).(relation))
}

// Claim adds a relation, which must be true, with a note about what follows from it.
func (d *Derivation[T]) Claim(formula, note string) {
	r := d.parse(formula).(relation)
	if !d.exact().holds(r) {
		panic(fmt.Sprintf("formula: %s is false of %v", formula, d.values))
	}
	if d.Silent {
		return
	}
	numbers, result := d.printRelation(r)
	d.addStep(Step{Formula: formula, Numbers: numbers, Result: result, Note: note})
}

// Judge claims a relation and adds the verdict that follows from it.
func (d *Derivation[T]) Judge(formula string, v Verdict, note string) {
	d.Claim(formula, string(v)+": "+note)
	if !d.Silent {
		d.steps[len(d.steps)-1].Verdict = v
	}
}

// HoldsThen reports whether a relation is true, and if so, claims it.
func (d *Derivation[T]) HoldsThen(formula, note string) bool {
	is := d.Holds(formula)
	if is {
		d.Claim(formula, note)
	}
	return is
}

func (d *Derivation[T]) parse(formula string) node {
	n, err := parse(formula)
	if err != nil {
		panic(err) // formulas are constants of this program
	}
	return n
}

func (d *Derivation[T]) exact() evaluator[T] { return evaluator[T]{d.Of} }

// roundedTo returns an evaluator that uses the values as they are printed with the given number of digits.
func (d *Derivation[T]) roundedTo(digits int) evaluator[T] {
	return evaluator[T]{func(name string) Value[T] { return d.Of(name).rounded(digits) }}
}

// print returns a formula with numbers in place of symbols, and its value. The value has enough digits to show the
// effect of each term of a sum. The numbers have enough digits to give the printed value.
func (d *Derivation[T]) print(n node, v Value[T]) (numbers, result string) {
	short := Readable
	for short < AllDigits && !d.showsTerms(n, v, short) {
		short++
	}
	result = v.Text(short)
	digits := Readable
	for digits < AllDigits && d.roundedTo(digits).eval(n).Text(short) != result {
		digits++
	}
	return d.show(n, digits), result
}

// showsTerms reports whether the value of a formula, rounded to the given number of digits, still shows the effect
// of both terms of a sum.
func (d *Derivation[T]) showsTerms(n node, v Value[T], digits int) bool {
	sum, ok := n.(binary)
	if !ok || sum.op != "+" && sum.op != "-" {
		return true
	}
	e, rounded := d.exact(), v.rounded(digits)
	l, r := e.eval(sum.l), e.eval(sum.r)
	for i := range v.parts {
		is, isFloat := v.x[i].plain().(float64)
		if !isFloat {
			return true // integers are not rounded
		}
		off := math.Abs(rounded.x[i].plain().(float64) - is)
		a, b := l.x[i].plain().(float64), r.x[i].plain().(float64)
		if hides(off, a, b) || hides(off, b, a) {
			return false
		}
	}
	return true
}

// noise is the least ratio of two terms of a sum at which the smaller term must be visible in the printed sum. A
// smaller ratio means that the term is only the rounding error of a number that should be 0.
const noise = 0x1p-40

// hides reports whether the printed value of a sum of two terms hides the effect of one of them, term. The argument
// other is the other term, and off is the rounding error of the printed value.
func hides(off, term, other float64) bool {
	return 10*off > math.Abs(term) && math.Abs(term) > noise*math.Abs(other)
}

// printRelation returns a relation twice: with numbers in place of symbols, and with the values of its terms. It uses
// the fewest digits with which both are true and agree with each other.
func (d *Derivation[T]) printRelation(r relation) (numbers, result string) {
	values := make([]Value[T], len(r.terms))
	for i, term := range r.terms {
		values[i] = d.exact().eval(term)
	}
	short := Readable
	for short < AllDigits && !holdsFor(r, func(i int) T { return values[i].rounded(short).x[0] }) {
		short++
	}
	agrees := func(digits int) bool {
		e := d.roundedTo(digits)
		for i, term := range r.terms {
			if e.eval(term).Text(short) != values[i].Text(short) {
				return false
			}
		}
		return e.holds(r)
	}
	digits := Readable
	for digits < AllDigits && !agrees(digits) {
		digits++
	}
	result = values[0].Text(short)
	for i, op := range r.ops {
		result += " " + op + " " + values[i+1].Text(short)
	}
	return d.show(r, digits), result
}

func (d *Derivation[T]) show(n node, digits int) string {
	return show(n, func(s symbol) string { return d.Of(s.name).part(s.part).Text(digits) })
}

// Check evaluates the printed numbers of a step, as a reader with a calculator would. It returns an error if the result
// differs from the printed result.
func Check[T Number[T]](s Step) error {
	if s.Formula == "" {
		return nil
	}
	numbers, err := parse(s.Numbers)
	if err != nil {
		return err
	}
	if names := symbols(numbers); len(names) > 0 {
		return fmt.Errorf("%+v: the printed numbers still have the symbols %q", s, names)
	}
	e := evaluator[T]{}
	if s.Symbol != "" {
		if got := e.eval(numbers); !got.isPrinted(s.Result) {
			return fmt.Errorf("%+v: gives %v", s, got)
		}
		return nil
	}
	result, err := parse(s.Result)
	if err != nil {
		return err
	}
	left, right := numbers.(relation), result.(relation)
	if !e.holds(left) || !e.holds(right) {
		return fmt.Errorf("%+v: is false", s)
	}
	for i, term := range left.terms {
		if got, printed := e.eval(term), e.eval(right.terms[i]).Text(AllDigits); !got.isPrinted(printed) {
			return fmt.Errorf("%+v: term %d gives %v", s, i, got)
		}
	}
	return nil
}

// Symbols returns the symbols in the step's formula.
func (s Step) Symbols() []string {
	if s.Formula == "" {
		return nil
	}
	n, err := parse(s.Formula)
	if err != nil {
		panic(err) // cannot happen: the derivation has evaluated the formula
	}
	return symbols(n)
}

func symbols(n node) []string {
	var names []string
	show(n, func(x symbol) string {
		names = append(names, x.name)
		return x.name
	})
	return names
}

// Apart writes numbers with the given number of significant digits. It uses more digits if otherwise the difference of
// two of the numbers would be wrong by more than a tenth.
func Apart(digits int, numbers ...float64) []string {
	texts := make([]string, len(numbers))
	for ; ; digits++ {
		for i, x := range numbers {
			texts[i] = Float(x).Text(digits)
		}
		if digits >= AllDigits || areApart(numbers, digits) {
			return texts
		}
	}
}

func areApart(numbers []float64, digits int) bool {
	for i, x := range numbers {
		for _, y := range numbers[:i] {
			rounded := Real(x).rounded(digits).x[0] - Real(y).rounded(digits).x[0]
			if math.Abs(float64(rounded)-(x-y)) > math.Abs(x-y)/10 {
				return false
			}
		}
	}
	return true
}
