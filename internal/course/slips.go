package course

import (
	"fmt"
	"math"

	"pillbox/geom"
)

// An input is a vector or a number that a program uses: it reads the input from a question, or writes it as a result.
// A slip with an input is a general error: a wrong index, a wrong sign, a factor, or a value that is not used. Slips
// are tried if no known mistake of the stage explains the answers.
type input[Q any] struct {
	what   string                  // such as "the center"
	vector func(q *Q) []*geom.Vec3 // points into the copy of a question; nil if the input is a number
	number func(q *Q) []*float64   // points to the numbers; nil if the input is a vector
}

// slipsOf returns the mistakes of programs that make one slip with one of the inputs: one mistake for each slip and
// each input. The function wrap makes the edit of a [change] from a function that modifies a question.
func slipsOf[Q, A any](lesson string, inputs []input[Q], wrap func(f func(q *Q)) func(q *Q) func(*A)) []change[Q, A] {
	var all []change[Q, A]
	for _, in := range inputs {
		for _, s := range vectorSlips() {
			if in.vector == nil {
				break
			}
			all = append(all, change[Q, A]{Mistake: s.mistake(in.what, lesson), odd: s.odd, edit: wrap(func(q *Q) {
				for _, v := range in.vector(q) {
					*v = s.of(*v)
				}
			})})
		}
		for _, s := range numberSlips() {
			if in.number == nil {
				break
			}
			all = append(all, change[Q, A]{Mistake: s.mistake(in.what, lesson), odd: s.odd, edit: wrap(func(q *Q) {
				for _, x := range in.number(q) {
					*x = s.of(*x)
				}
			})})
		}
	}
	return all
}

// resultSlips returns one mistake for each slip with each of the results. Such a mistake changes the right answer,
// not the question.
func resultSlips[Q, A any](lesson string, results []input[A]) []change[Q, A] {
	var all []change[Q, A]
	for _, slip := range slipsOf(lesson, results, asking[A, Q]) {
		all = append(all, change[Q, A]{Mistake: slip.Mistake, odd: slip.odd, edit: telling(func(_ *Q, a *A) { slip.edit(a) })})
	}
	return all
}

// slip is an error that a program makes with an input: it uses of(x) in place of x.
type slip[T any] struct {
	format string // the name of the mistake; %s is the input
	detail string // the advice; %s is the input
	of     func(T) T
	odd    int // 0: a typical slip; the larger, the less likely
}

// mistake describes the slip with the input what.
func (s slip[T]) mistake(what, lesson string) Mistake {
	return Mistake{fmt.Sprintf(s.format, what), fmt.Sprintf(s.detail, what), lesson}
}

// vectorSlips returns the slips with a vector.
func vectorSlips() []slip[geom.Vec3] {
	const mixed = "the components of %s are mixed up"
	names := [...]string{"x", "y", "z"}
	var all []slip[geom.Vec3]
	add := func(format, detail string, f func(v [3]float64) [3]float64) {
		all = append(all, slip[geom.Vec3]{format: format, detail: detail, of: func(v geom.Vec3) geom.Vec3 {
			w := f([3]float64{v.X, v.Y, v.Z})
			return geom.Vec3{X: w[0], Y: w[1], Z: w[2]}
		}})
	}
	for i := range 3 {
		add("a component of %s has the wrong sign", names[i]+" of %s has the wrong sign.", func(v [3]float64) [3]float64 {
			v[i] = -v[i]
			return v
		})
		add("a component of %s is left out", names[i]+" of %s is taken to be 0.", func(v [3]float64) [3]float64 {
			v[i] = 0
			return v
		})
		add(mixed, names[i]+" of %s is used for all three components. Check the indices.", func(v [3]float64) [3]float64 {
			return [3]float64{v[i], v[i], v[i]}
		})
		for j := range 3 {
			if i < j {
				add(mixed, names[i]+" and "+names[j]+" of %s are exchanged. Check the indices.", func(v [3]float64) [3]float64 {
					v[i], v[j] = v[j], v[i]
					return v
				})
			}
			if i != j {
				add(mixed, "in place of "+names[i]+", "+names[j]+" of %s is used. Check the indices.", func(v [3]float64) [3]float64 {
					v[i] = v[j]
					return v
				})
			}
		}
	}
	scale := func(format, detail string, f float64) {
		all = append(all, slip[geom.Vec3]{format: format, detail: detail, of: func(v geom.Vec3) geom.Vec3 { return v.Scale(f) }})
	}
	scale("the opposite of %s is used", "The sign of all components of %s is wrong.", -1)
	scale("%s: not used", "The answers are those for 0 in place of %s. A program that reads the field under another name gets 0, too.", 0)
	scale("%s: a factor 2", "The answers are those for twice %s.", 2)
	scale("%s: a factor 1/2", "The answers are those for half of %s.", 0.5)
	return all
}

// numberSlips returns the slips with a number. A missing square or square root of a formula is likelier than one too many.
func numberSlips() []slip[float64] {
	of := func(odd int, format, detail string, f func(x float64) float64) slip[float64] {
		return slip[float64]{format: format, detail: detail, of: f, odd: odd}
	}
	by := func(factor float64) func(float64) float64 {
		return func(x float64) float64 { return float64(factor * x) }
	}
	return []slip[float64]{
		of(0, "the opposite of %s is used", "The sign of %s is wrong.", by(-1)),
		of(0, "%s: not used", "The answers are those for 0 in place of %s. A program that reads the field under another name gets 0, too.", by(0)),
		of(0, "%s: not used", "The answers are those for 1 in place of %s.", func(float64) float64 { return 1 }),
		of(0, "%s: a factor 2", "The answers are those for twice %s.", by(2)),
		of(0, "%s: a factor 1/2", "The answers are those for half of %s.", by(0.5)),
		of(1, "%s: a square too many", "The answers are those for the square of %s.", func(x float64) float64 { return float64(x * x) }),
		of(1, "%s: a square root too many", "The answers are those for the square root of %s.", math.Sqrt),
		of(0, "%s: one too many", "The answers are those for %s plus 1.", func(x float64) float64 { return x + 1 }),
		of(0, "%s: one too few", "The answers are those for %s minus 1.", func(x float64) float64 { return x - 1 }),
	}
}
