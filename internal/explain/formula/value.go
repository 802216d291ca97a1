package formula

import (
	"fmt"

	"pillbox/geom"
)

// Value is a number or, with three parts, a vector or a color.
type Value[T Number[T]] struct {
	parts int // 1 or 3
	x     [3]T
}

// Scalar returns a number as a value.
func Scalar[T Number[T]](x T) Value[T] { return Value[T]{1, [3]T{x}} }

// Triple returns three numbers as a value.
func Triple[T Number[T]](x, y, z T) Value[T] { return Value[T]{3, [3]T{x, y, z}} }

// Real returns a float64 as a value.
func Real(x float64) Value[Float] { return Scalar(Float(x)) }

// Vector returns a vector as a value.
func Vector(v geom.Vec3) Value[Float] { return Triple(Float(v.X), Float(v.Y), Float(v.Z)) }

// Vec3 returns a value of three parts as a vector.
func Vec3(v Value[Float]) geom.Vec3 {
	return geom.Vec3{X: float64(v.x[0]), Y: float64(v.x[1]), Z: float64(v.x[2])}
}

// Part returns number i of a value, from 0 to 2.
func (v Value[T]) Part(i int) T { return v.x[i] }

// part returns number i of a value, from 1 to 3, as a value. For 0, it returns the whole value.
func (v Value[T]) part(i int) Value[T] {
	if i == 0 {
		return v
	}
	return Scalar(v.x[i-1])
}

func (v Value[T]) each(f func(T) T) Value[T] {
	for i := range v.parts {
		v.x[i] = f(v.x[i])
	}
	return v
}

func (v Value[T]) with(w Value[T], f func(x, y T) T) Value[T] {
	if v.parts != w.parts {
		panic(fmt.Sprintf("formula: %d parts meet %d", v.parts, w.parts))
	}
	for i := range v.parts {
		v.x[i] = f(v.x[i], w.x[i])
	}
	return v
}

// dot returns the inner product. It adds the products from x to z, like package geom.
func (v Value[T]) dot(w Value[T]) T {
	return v.x[0].mul(w.x[0]).add(v.x[1].mul(w.x[1])).add(v.x[2].mul(w.x[2]))
}

func (v Value[T]) cross(w Value[T]) Value[T] {
	a, b := v.x, w.x
	return Value[T]{3, [3]T{
		a[1].mul(b[2]).sub(a[2].mul(b[1])),
		a[2].mul(b[0]).sub(a[0].mul(b[2])),
		a[0].mul(b[1]).sub(a[1].mul(b[0])),
	}}
}

// plain returns the value as a float64 or *big.Int, or as a slice of three.
func (v Value[T]) plain() any {
	if v.parts == 1 {
		return v.x[0].plain()
	}
	return []any{v.x[0].plain(), v.x[1].plain(), v.x[2].plain()}
}

// Text writes the value with its numbers rounded to the given number of significant digits.
func (v Value[T]) Text(digits int) string {
	if v.parts == 1 {
		return v.x[0].Text(digits)
	}
	return "(" + v.x[0].Text(digits) + ", " + v.x[1].Text(digits) + ", " + v.x[2].Text(digits) + ")"
}

// rounded returns the value that is printed with the given number of digits.
func (v Value[T]) rounded(digits int) Value[T] {
	return v.each(func(x T) T {
		y, err := x.parse(x.Text(digits))
		if err != nil {
			panic(err) // cannot happen: a number can parse its own text
		}
		return y
	})
}

// isPrinted reports whether a text is the value, rounded for reading to some number of digits.
func (v Value[T]) isPrinted(text string) bool {
	for digits := Readable; digits <= AllDigits; digits++ {
		if v.Text(digits) == text {
			return true
		}
	}
	return false
}

// evaluator computes formulas.
type evaluator[T Number[T]] struct {
	of func(name string) Value[T]
}

// eval returns the value of a formula, which must not be a relation.
func (e evaluator[T]) eval(n node) Value[T] {
	switch n := n.(type) {
	case literal:
		var x T
		x, err := x.parse(n.text)
		if err != nil {
			panic(err)
		}
		return Scalar(x)
	case symbol:
		return e.of(n.name).part(n.part)
	case group:
		return e.eval(n.in)
	case tuple:
		return Value[T]{3, [3]T{e.eval(n.x[0]).x[0], e.eval(n.x[1]).x[0], e.eval(n.x[2]).x[0]}}
	case norm:
		v := e.eval(n.of)
		if v.parts == 1 {
			return v.each(T.abs)
		}
		return Scalar(v.dot(v).sqrt())
	case square:
		return e.square(n)
	case minus:
		return e.eval(n.of).each(T.neg)
	case binary:
		return e.binary(n)
	case call:
		return e.call(n)
	}
	panic(fmt.Sprintf("formula: %T is no value", n))
}

// square returns |v|² without taking a root.
func (e evaluator[T]) square(n square) Value[T] {
	of := n.of
	if x, ok := of.(norm); ok {
		of = x.of
	}
	v := e.eval(of)
	if v.parts == 1 {
		return Scalar(v.x[0].mul(v.x[0]))
	}
	return Scalar(v.dot(v))
}

func (e evaluator[T]) binary(n binary) Value[T] {
	l, r := e.eval(n.l), e.eval(n.r)
	switch n.op {
	case "+":
		return l.with(r, T.add)
	case "-":
		return l.with(r, T.sub)
	case "·":
		return Scalar(l.dot(r))
	case "×":
		return l.cross(r)
	case "/":
		return l.each(func(x T) T { return x.div(r.x[0]) })
	}
	switch {
	case l.parts == r.parts: // of numbers, or of colors
		return l.with(r, T.mul)
	case l.parts == 1:
		l, r = r, l
	}
	return l.each(func(x T) T { return x.mul(r.x[0]) })
}

// call evaluates a function. As with comparisons in Go, min and max ignore NaN if there are other arguments.
func (e evaluator[T]) call(n call) Value[T] {
	best := e.eval(n.args[0])
	switch n.function {
	case "√":
		return best.each(T.sqrt)
	case "floor":
		return best.each(T.floor)
	}
	for _, a := range n.args[1:] {
		v := e.eval(a)
		x, y := best.x[0], v.x[0]
		if n.function == "min" {
			x, y = y, x
		}
		if isNaN := !best.x[0].equal(best.x[0]); x.less(y) || isNaN {
			best = v
		}
	}
	return best
}

// holds reports whether a relation is true.
func (e evaluator[T]) holds(r relation) bool {
	return holdsFor(r, func(i int) T { return e.eval(r.terms[i]).x[0] })
}

// holdsFor reports whether a relation is true for the given values of its terms.
func holdsFor[T Number[T]](r relation, term func(i int) T) bool {
	for i, op := range r.ops {
		if !compares(op, term(i), term(i+1)) {
			return false
		}
	}
	return true
}

func compares[T Number[T]](op string, x, y T) bool {
	switch op {
	case "<":
		return x.less(y)
	case ">":
		return y.less(x)
	case "<=":
		return x.less(y) || x.equal(y)
	case ">=":
		return y.less(x) || x.equal(y)
	}
	return x.equal(y)
}
