package course

import "math/big"

// The textbook program for two capsules computes with integers of any size. So it has kinds of steps that the other
// programs do not have, and these steps have slips (typical errors) of their own.

// wholes contains what a wrong step with integers computes in place of the right result. Only the function for the
// kind of the step is set.
type wholes struct {
	number func(x integer) integer
	pair   func(a, b vector3) vector3
	scalar func(a, b vector3) integer
	test   func(sign int, orEqual bool) bool // sign is that of a - b; orEqual: the step compares with <=, not with <
}

// differ returns a - b, or a wrong vector if step or everyMinus is the wrong step.
func (p *program) differ(step string, a, b vector3) vector3 {
	if w := p.at(step, wholeMinusStep); w != nil {
		return w.whole.pair(a, b)
	}
	if w := p.at(everyMinus, wholeMinusStep); w != nil {
		return w.whole.pair(a, b)
	}
	return a.sub(b)
}

// dot3 returns a · b, or a wrong number if step or everyDot is the wrong step.
func (p *program) dot3(step string, a, b vector3) integer {
	w := p.at(step, wholeDotStep)
	if w == nil {
		w = p.at(everyDot, wholeDotStep)
	}
	switch {
	case w == nil:
		return a.dot(b)
	case w.whole.scalar != nil:
		return w.whole.scalar(a, b)
	}
	return w.whole.number(a.dot(b))
}

// crossed returns a × b, or a wrong vector if step or everyCross is the wrong step.
func (p *program) crossed(step string, a, b vector3) vector3 {
	w := p.at(step, wholeCrossStep)
	if w == nil {
		w = p.at(everyCross, wholeCrossStep)
	}
	if w != nil {
		return w.whole.pair(a, b)
	}
	return a.cross(b)
}

// whole returns x, or a wrong integer if step is the wrong step.
func (p *program) whole(step string, x integer) integer {
	if w := p.at(step, wholeStep); w != nil {
		return w.whole.number(x)
	}
	return x
}

// upTo reports whether a <= b. If step is the wrong step, the comparison is wrong.
func (p *program) upTo(step string, a, b integer) bool {
	if w := p.at(step, wholeTestStep); w != nil {
		return w.whole.test(a.Cmp(b), true)
	}
	return a.Cmp(b) <= 0
}

// wholeSteps returns, for each kind of step with integers, the slips that such a step can make.
func wholeSteps() map[stepKind][]wrongStep {
	numbers := wholeNumberSteps()
	return map[stepKind][]wrongStep{
		wholeStep:      numbers,
		wholeDotStep:   append(wholeDotSteps(), numbers...),
		wholeMinusStep: wholeMinusSteps(),
		wholeCrossStep: wholeCrossSteps(),
		wholeTestStep:  wholeTestSteps(),
	}
}

func wholeNumberSteps() []wrongStep {
	number := func(name, advice string, f func(out, x integer)) wrongStep {
		return wrongStep{name, advice, func(w *doing) {
			w.whole.number = func(x integer) integer {
				out := new(big.Int)
				f(out, x)
				return out
			}
		}, 0}
	}
	all := oddly(1,
		number("%s: the sign is wrong", "Your answers are those for the opposite of the right value in %s.", func(out, x integer) { out.Neg(x) }),
		number("%s: missing", "Your answers are those for 0 in place of %s.", func(out, _ integer) {}),
		number("%s: taken to be 1", "Your answers are those for 1 in place of %s.", func(out, _ integer) { out.SetInt64(1) }),
		number("%s: squared", "Your answers are those for the square of %s.", func(out, x integer) { out.Mul(x, x) }),
		number("%s: the square root is taken", "Your answers are those for the square root of %s: a square is missing, or a root too many.", func(out, x integer) { out.Sqrt(out.Abs(x)) }),
		number("%s: the absolute value is taken", "Your answers are those for the absolute value of %s.", func(out, x integer) { out.Abs(x) }),
	)
	for _, f := range [...]struct {
		times, by int64
		words     string
	}{{2, 1, "twice"}, {1, 2, "half"}, {4, 1, "4 times"}, {1, 4, "a quarter of"}} {
		all = append(all, oddly(1, number("%s: "+f.words+" the right value", "Your answers are those for "+f.words+" the right value of %s.", func(out, x integer) {
			out.Quo(out.Mul(x, big.NewInt(f.times)), big.NewInt(f.by))
		}))...)
	}
	return all
}

// wholePair returns the slip of a step that computes f(a, b) in place of the right vector.
func wholePair(name, advice string, f func(a, b vector3) vector3) wrongStep {
	return wrongStep{name, advice, func(w *doing) { w.whole.pair = f }, 0}
}

// neg returns -v.
func (v vector3) neg() vector3 { return vector3{new(big.Int), new(big.Int), new(big.Int)}.sub(v) }

// with returns v with x in place of component i.
func (v vector3) with(i int, x integer) vector3 {
	v[i] = x
	return v
}

func wholeMinusSteps() []wrongStep {
	all := []wrongStep{
		wholePair("%s: the operands are exchanged", "Your answers are those of a program that subtracts in %s the other way round.", func(a, b vector3) vector3 { return b.sub(a) }),
		wholePair("%s: added instead of subtracted", "Your answers are those of a program that adds in %s.", func(a, b vector3) vector3 { return a.sub(b.neg()) }),
		wholePair("%s: nothing is subtracted", "Your answers are those of a program that forgets the subtraction in %s.", func(a, _ vector3) vector3 { return a }),
		wholePair("%s: only the second operand is used", "Your answers are those of a program that forgets the first operand in %s.", func(_, b vector3) vector3 { return b }),
	}
	for i, name := range [...]string{"x", "y", "z"} {
		slip := func(says string, f func(a, b vector3) integer) {
			all = append(all, wholePair("%s: "+name+" "+says, "Check the component "+name+" in %s.", func(a, b vector3) vector3 { return a.sub(b).with(i, f(a, b)) }))
		}
		slip("is added instead of subtracted", func(a, b vector3) integer { return new(big.Int).Add(a[i], b[i]) })
		slip("is missing", func(_, _ vector3) integer { return new(big.Int) })
		for j, other := range [...]string{"x", "y", "z"} {
			if i != j {
				slip("uses "+other+" of the second vector", func(a, b vector3) integer { return new(big.Int).Sub(a[i], b[j]) })
				slip("uses "+other+" of the first vector", func(a, b vector3) integer { return new(big.Int).Sub(a[j], b[i]) })
			}
		}
	}
	return all
}

func wholeDotSteps() []wrongStep {
	names := [...]string{"x", "y", "z"}
	var all []wrongStep
	slip := func(name, advice string, f func(out integer, a, b vector3)) {
		all = append(all, wrongStep{name, advice, func(w *doing) {
			w.whole.scalar = func(a, b vector3) integer {
				out := a.dot(b)
				f(out, a, b)
				return out
			}
		}, 0})
	}
	term := func(a, b vector3, i, j int) integer { return new(big.Int).Mul(a[i], b[j]) }
	for i, name := range names {
		slip("%s: the term of "+name+" is missing", "Your answers are those of a program without the term of "+name+" in the dot product %s.", func(out integer, a, b vector3) { out.Sub(out, term(a, b, i, i)) })
		slip("%s: the term of "+name+" has the wrong sign", "Your answers are those of a program that subtracts the term of "+name+" in the dot product %s.", func(out integer, a, b vector3) {
			out.Sub(out, term(a, b, i, i))
			out.Sub(out, term(a, b, i, i))
		})
		for j, other := range names {
			if i != j {
				slip("%s: "+name+" times "+other, "Your answers are those of a program that multiplies "+name+" by "+other+" in the dot product %s.", func(out integer, a, b vector3) { out.Add(out.Sub(out, term(a, b, i, i)), term(a, b, i, j)) })
				slip("%s: the term of "+other+" in place of that of "+name, "Your answers are those of a program that has the term of "+other+" twice, and not that of "+name+", in the dot product %s.", func(out integer, a, b vector3) { out.Add(out.Sub(out, term(a, b, i, i)), term(a, b, j, j)) })
			}
		}
	}
	all = append(all, wrongStep{"%s: the products overwrite the first vector", "Your answers are those of a program that changes the numbers of its first vector in %s, as a.Mul(a, b) does: store each product in a new number.", func(w *doing) {
		w.whole.scalar = func(a, b vector3) integer {
			out := new(big.Int)
			for i := range a {
				out.Add(out, a[i].Mul(a[i], b[i]))
			}
			return out
		}
	}, 1})
	return all
}

func wholeCrossSteps() []wrongStep {
	all := []wrongStep{wholePair("%s: the operands are exchanged", "Your answers are those of a program with the other order in the cross product %s.", func(a, b vector3) vector3 { return b.cross(a) })}
	for i, name := range [...]string{"x", "y", "z"} {
		j, k := (i+1)%3, (i+2)%3
		slip := func(says string, f func(out integer, a, b vector3)) {
			all = append(all, wholePair("%s: "+name+" "+says, "Check the component "+name+" of the cross product %s: x is a.y b.z - a.z b.y, and so on in turn.", func(a, b vector3) vector3 {
				out := new(big.Int)
				f(out, a, b)
				return a.cross(b).with(i, out)
			}))
		}
		first := func(a, b vector3) integer { return new(big.Int).Mul(a[j], b[k]) }
		second := func(a, b vector3) integer { return new(big.Int).Mul(a[k], b[j]) }
		slip("has the wrong sign", func(out integer, a, b vector3) { out.Sub(second(a, b), first(a, b)) })
		slip("has a plus in place of the minus", func(out integer, a, b vector3) { out.Add(first(a, b), second(a, b)) })
		slip("lacks its second product", func(out integer, a, b vector3) { out.Set(first(a, b)) })
		slip("lacks its first product", func(out integer, a, b vector3) { out.Neg(second(a, b)) })
		slip("is missing", func(integer, vector3, vector3) {})
		slip("has a wrong index", func(out integer, a, b vector3) { out.Sub(first(a, b), new(big.Int).Mul(a[k], b[k])) })
		slip("has a wrong index", func(out integer, a, b vector3) { out.Sub(new(big.Int).Mul(a[j], b[j]), second(a, b)) })
	}
	all = append(all,
		wholePair("%s: only z is computed, as in the plane", "In space, a cross product has three components. Check %s.", func(a, b vector3) vector3 {
			return vector3{new(big.Int), new(big.Int), a.cross(b)[2]}
		}),
		wholePair("%s: plus in place of minus in all components", "Your answers are those of a program that adds the two products of each component of %s.", func(a, b vector3) vector3 {
			c := a.cross(b)
			for i := range c {
				c[i].Add(c[i], new(big.Int).Lsh(new(big.Int).Mul(a[(i+2)%3], b[(i+1)%3]), 1))
			}
			return c
		}))
	return all
}

func wholeTestSteps() []wrongStep {
	test := func(name, advice string, f func(sign int, orEqual bool) bool) wrongStep {
		return wrongStep{name, advice, func(w *doing) { w.whole.test = f }, 0}
	}
	return []wrongStep{
		test(neverTrue, "Your answers are those of a program in which %s is never true.", func(int, bool) bool { return false }),
		test(alwaysTrue, "Your answers are those of a program in which %s is always true.", func(int, bool) bool { return true }),
		test("the test %s is reversed", "Your answers are those of a program in which %s is reversed.", func(sign int, orEqual bool) bool { return sign > 0 || sign == 0 && !orEqual }),
		test("the test %s treats equal numbers wrongly", "Your answers are those of a program with < in place of <=, or <= in place of <, in %s.", func(sign int, orEqual bool) bool { return sign < 0 || sign == 0 && !orEqual }),
	}
}
