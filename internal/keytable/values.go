package keytable

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/shapes"
)

// The methods in this file read one value of a table each. They report an invalid or a missing value and then return
// zero or the invalid value.

// Number reads a number within limits.
func (t Table) Number(key string, v any, l Limits) float64 {
	x, ok := Number(v)
	if !ok {
		t.WrongType(key, v, "must be a number")
		return 0
	}
	if !t.Within(key, x, l) {
		return 0
	}
	return x
}

// Number returns a float or integer value as float64, and false for other values.
func Number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

func (t Table) integer(key string, v any, l Limits) int {
	n, ok := v.(int64)
	if !ok {
		t.WrongType(key, v, "must be an integer")
		return 0
	}
	if !t.Within(key, float64(n), l) {
		return 0
	}
	return int(n)
}

// notPowerOfTwo is the message about a positive integer that is not a power of two. It names the powers next to n.
func notPowerOfTwo(n int) string {
	below := 1 << (bits.Len(uint(n)) - 1)
	return fmt.Sprintf("must be a power of two, such as %d or %d", below, 2*below)
}

func (t Table) powerOfTwo(key string, v any, l Limits) int {
	n := t.integer(key, v, l)
	if n&(n-1) != 0 {
		t.Wrong(key, problem.CodeOutOfRange, "%s", notPowerOfTwo(n))
	}
	return n
}

// Within reports an error if x is outside the limits. It returns whether x is inside.
func (t Table) Within(key string, x float64, l Limits) bool {
	if l.Contain(x) {
		return true
	}
	code := problem.CodeOutOfRange
	if math.IsNaN(x) || math.IsInf(x, 0) {
		code = problem.CodeNotFinite
	}
	t.Wrong(key, code, "%s", l.Requirement(x))
	return false
}

// WrongType reports a value of a wrong type, or a missing value.
func (t Table) WrongType(key string, v any, requirement string) {
	if v == nil {
		t.Missing(key, problem.CodeMissingKey, "missing")
		return
	}
	t.Wrong(key, problem.CodeWrongType, "%s", requirement)
}

// Numbers reads an array of n numbers, n <= 4.
func (t Table) Numbers(key string, v any, n int, l Limits) (x [4]float64) {
	list, ok := v.([]any)
	if !ok {
		t.WrongType(key, v, fmt.Sprintf("must be an array of %d numbers", n))
		return x
	}
	if len(list) != n {
		t.Wrong(key, problem.CodeWrongLength, "must be an array of %d numbers", n)
		return x
	}
	for i, v := range list {
		f, ok := Number(v)
		if ok && l.Contain(f) {
			x[i] = f
			continue
		}
		t.Number(fmt.Sprintf("%s[%d]", key, i), v, l) // reports the element that is not a number
	}
	return x
}

// Vector reads three numbers within limits.
func (t Table) Vector(key string, v any, l Limits) geom.Vec3 {
	x := t.Numbers(key, v, 3, l)
	return geom.Vec3{X: x[0], Y: x[1], Z: x[2]}
}

// Nonzero reads a vector that must not be zero. If the value is missing, Nonzero returns zero, and reports only that it
// is missing.
func (t Table) Nonzero(key string, v any) geom.Vec3 {
	errors := t.Report.Errors
	x := t.Vector(key, v, Finite())
	if x == (geom.Vec3{}) && v != nil && t.Report.Errors == errors {
		t.Wrong(key, problem.CodeZeroVector, "must not be zero")
	}
	return x
}

func (t Table) boolean(key string, v any) bool {
	b, ok := v.(bool)
	if !ok {
		t.WrongType(key, v, "must be true or false")
	}
	return b
}

// Text reads a string. It returns false for any other value.
func (t Table) Text(key string, v any) (s string, ok bool) {
	s, ok = v.(string)
	if !ok {
		t.WrongType(key, v, "must be a string")
	}
	return s, ok
}

// Word reads one of the given words and returns its index. It reports any other value and returns false.
func (t Table) Word(key string, v any, known []string) (index int, ok bool) {
	s, ok := t.Text(key, v)
	if !ok {
		return 0, false
	}
	index = slices.Index(known, s)
	if index < 0 {
		quoted := make([]string, len(known))
		for i := range known {
			quoted[i] = strconv.Quote(known[i])
		}
		p := t.Wrong(key, problem.CodeUnknownValue, "must be %s", text.Series(quoted, "or"))
		isBeside := func(string) bool { return false } // a word stands alone
		if y, ok := t.Report.Speller.keySynonym(s, known, isBeside); ok {
			y.Explain(&p.Error)
		} else {
			t.Report.Speller.Suggest(&p.Error, s, known)
		}
		return 0, false
	}
	return index, true
}

// Conflict is the message for a key or column that excludes another one.
const Conflict = "cannot be combined with %s"

func (t Table) quaternion(key string, v any) geom.Mat3 {
	errors := t.Report.Errors
	q := t.Numbers(key, v, 4, Finite())
	rotation, ok := geom.RotationQuaternion(q[0], q[1], q[2], q[3])
	if !ok && t.Report.Errors == errors {
		t.Wrong(key, problem.CodeZeroVector, "must not be zero")
	}
	return rotation
}

// axes reads the columns of a rotation without changing their bits.
func (t Table) axes(key string, v any) geom.Mat3 {
	list, ok := v.([]any)
	if !ok {
		t.WrongType(key, v, "must be an array of 3 vectors")
		return geom.Mat3{}
	}
	if len(list) != 3 {
		t.Wrong(key, problem.CodeWrongLength, "must be an array of 3 vectors")
		return geom.Mat3{}
	}
	errors := t.Report.Errors
	var axes [3]geom.Vec3
	for i, v := range list {
		axes[i] = t.Vector(fmt.Sprintf("%s[%d]", key, i), v, Finite())
	}
	rotation := geom.Mat3{X: axes[0], Y: axes[1], Z: axes[2]}
	if t.Report.Errors == errors && !shapes.IsRotation(rotation) {
		t.Wrong(key, problem.CodeNotOrthonormal, NotOrthonormal)
	}
	return rotation
}

// NotOrthonormal is the message about axes of a rotation that are not perpendicular unit vectors.
const NotOrthonormal = "must be three unit vectors, each perpendicular to the others, to 14 digits"

// texts reads an array of strings.
func (t Table) texts(key string, v any) []string {
	list, ok := v.([]any)
	if !ok {
		t.WrongType(key, v, "must be an array of strings")
		return nil
	}
	all := make([]string, len(list))
	for i, v := range list {
		all[i], _ = t.Text(Indexed(key, i), v)
	}
	return all
}

// wordOf reads one of the given words. It returns "" for any other value.
func (t Table) wordOf(key string, v any, known []string) string {
	if i, ok := t.Word(key, v, known); ok {
		return known[i]
	}
	return ""
}
