package scene

import (
	"fmt"
	"math"
	"math/bits"
	"path"
	"slices"
	"strconv"
	"unicode/utf8"

	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/shapes"
)

// The methods in this file read one value of a table each. They report an invalid or a missing value and then return
// zero or the invalid value.

func (t table) number(key string, v any, l limits) float64 {
	x, ok := number(v)
	if !ok {
		t.wrongType(key, v, "must be a number")
		return 0
	}
	if !t.within(key, x, l) {
		return 0
	}
	return x
}

// number returns a float or integer value as float64, and false for other values.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

func (t table) integer(key string, v any, l limits) int {
	n, ok := v.(int64)
	if !ok {
		t.wrongType(key, v, "must be an integer")
		return 0
	}
	if !t.within(key, float64(n), l) {
		return 0
	}
	return int(n)
}

const tooLong = "must have at most %d characters"

// notPowerOfTwo is the message about a positive integer that is not a power of two. It names the powers next to n.
func notPowerOfTwo(n int) string {
	below := 1 << (bits.Len(uint(n)) - 1)
	return fmt.Sprintf("must be a power of two, such as %d or %d", below, 2*below)
}

func (t table) powerOfTwo(key string, v any, l limits) int {
	n := t.integer(key, v, l)
	if n&(n-1) != 0 {
		t.wrong(key, CodeOutOfRange, "%s", notPowerOfTwo(n))
	}
	return n
}

// The method within reports an error if x is outside the limits. It returns whether x is inside.
func (t table) within(key string, x float64, l limits) bool {
	if l.contain(x) {
		return true
	}
	code := CodeOutOfRange
	if math.IsNaN(x) || math.IsInf(x, 0) {
		code = CodeNotFinite
	}
	t.wrong(key, code, "%s", l.requirement(x))
	return false
}

// wrongType reports a value of a wrong type, or a missing value.
func (t table) wrongType(key string, v any, requirement string) {
	if v == nil {
		t.missing(key, CodeMissingKey, "missing")
		return
	}
	t.wrong(key, CodeWrongType, "%s", requirement)
}

// numbers reads an array of n numbers, n <= 4.
func (t table) numbers(key string, v any, n int, l limits) (x [4]float64) {
	list, ok := v.([]any)
	if !ok {
		t.wrongType(key, v, fmt.Sprintf("must be an array of %d numbers", n))
		return x
	}
	if len(list) != n {
		t.wrong(key, CodeWrongLength, "must be an array of %d numbers", n)
		return x
	}
	for i, v := range list {
		f, ok := number(v)
		if ok && l.contain(f) {
			x[i] = f
			continue
		}
		t.number(fmt.Sprintf("%s[%d]", key, i), v, l) // reports the element that is not a number
	}
	return x
}

func (t table) vector(key string, v any, l limits) geom.Vec3 {
	x := t.numbers(key, v, 3, l)
	return geom.Vec3{X: x[0], Y: x[1], Z: x[2]}
}

// nonzero reads a vector that must not be zero. If the value is missing, nonzero returns zero, and reports only that it
// is missing.
func (t table) nonzero(key string, v any) geom.Vec3 {
	errors := t.report.errors
	x := t.vector(key, v, finite())
	if x == (geom.Vec3{}) && v != nil && t.report.errors == errors {
		t.wrong(key, CodeZeroVector, "must not be zero")
	}
	return x
}

func (t table) boolean(key string, v any) bool {
	b, ok := v.(bool)
	if !ok {
		t.wrongType(key, v, "must be true or false")
	}
	return b
}

func (t table) text(key string, v any) (s string, ok bool) {
	s, ok = v.(string)
	if !ok {
		t.wrongType(key, v, "must be a string")
	}
	return s, ok
}

// patterns reads an array of pairs of name patterns.
func (t table) patterns(key string, v any) [][2]string {
	list, ok := v.([]any)
	if !ok {
		t.wrongType(key, v, `must be an array of pairs of name patterns, such as [["arm*", "hand"]]`)
		return nil
	}
	if len(list) > MaxAllowedOverlaps {
		t.wrong(key, CodeWrongLength, "must have at most %d pairs", MaxAllowedOverlaps).got("%d", len(list))
		return nil
	}
	pairs := make([][2]string, 0, len(list))
	for i, v := range list {
		key := fmt.Sprintf("%s[%d]", key, i)
		pair, ok := v.([]any)
		if !ok || len(pair) != 2 {
			t.wrong(key, CodeWrongLength, "must be a pair of name patterns")
			continue
		}
		pairs = append(pairs, [2]string{t.pattern(key+"[0]", pair[0]), t.pattern(key+"[1]", pair[1])})
	}
	return pairs
}

func (t table) pattern(key string, v any) string {
	s, ok := t.text(key, v)
	if _, err := path.Match(s, ""); ok && err != nil {
		t.wrong(key, CodeBadPattern, "must be a pattern: * for any characters, ? for one, [a-z] for one of several, \\ before any of these")
	}
	return s
}

// solidName reads the name of a solid. It returns "" for a solid without a name.
func (t table) solidName(key string, v any) string {
	if v == nil {
		return ""
	}
	name, ok := t.text(key, v)
	switch {
	case ok && name == "":
		t.wrong(key, CodeEmptyName, "must not be empty")
	case utf8.RuneCountInString(name) > MaxName:
		t.wrong(key, CodeTooLong, tooLong, MaxName)
	}
	return name
}

// word reads one of the given words and returns its index. It reports any other value and returns false.
func (t table) word(key string, v any, known []string) (index int, ok bool) {
	s, ok := t.text(key, v)
	if !ok {
		return 0, false
	}
	index = slices.Index(known, s)
	if index < 0 {
		quoted := make([]string, len(known))
		for i := range known {
			quoted[i] = strconv.Quote(known[i])
		}
		p := t.wrong(key, CodeUnknownValue, "must be %s", text.Series(quoted, "or"))
		isBeside := func(string) bool { return false } // a word stands alone
		if y, ok := t.report.speller.keySynonym(s, known, isBeside); ok {
			y.explain(&p.Error)
		} else {
			t.report.speller.suggest(&p.Error, s, known)
		}
		return 0, false
	}
	return index, true
}

// rotation returns the rotation of a table with the given keys, in any of its forms, or the identity if the table has
// none.
func (r *turnTable) rotation(g rawTable) geom.Mat3 {
	switch {
	case g.has("rotate"):
		return geom.RotationXYZ(geom.Angle(r.degrees.X), geom.Angle(r.degrees.Y), geom.Angle(r.degrees.Z))
	case g.has("axis"):
		rotation, _ := geom.RotationAxis(r.axis, geom.Angle(r.angle))
		return rotation
	case g.has("quaternion"):
		return r.quaternion
	case g.has("axes"):
		return r.axes
	}
	return geom.Identity()
}

// conflict is the message for a key or column that excludes another one.
const conflict = "cannot be combined with %s"

// valueConflict is the message for a value beside a color or material.
const valueConflict = conflict + ": the value decides the color; remove one of the two"

func (t table) quaternion(key string, v any) geom.Mat3 {
	errors := t.report.errors
	q := t.numbers(key, v, 4, finite())
	rotation, ok := geom.RotationQuaternion(q[0], q[1], q[2], q[3])
	if !ok && t.report.errors == errors {
		t.wrong(key, CodeZeroVector, "must not be zero")
	}
	return rotation
}

// axes reads the columns of a rotation without changing their bits.
func (t table) axes(key string, v any) geom.Mat3 {
	list, ok := v.([]any)
	if !ok {
		t.wrongType(key, v, "must be an array of 3 vectors")
		return geom.Mat3{}
	}
	if len(list) != 3 {
		t.wrong(key, CodeWrongLength, "must be an array of 3 vectors")
		return geom.Mat3{}
	}
	errors := t.report.errors
	var axes [3]geom.Vec3
	for i, v := range list {
		axes[i] = t.vector(fmt.Sprintf("%s[%d]", key, i), v, finite())
	}
	rotation := geom.Mat3{X: axes[0], Y: axes[1], Z: axes[2]}
	if t.report.errors == errors && !shapes.IsRotation(rotation) {
		t.wrong(key, CodeNotOrthonormal, notOrthonormal)
	}
	return rotation
}

const notOrthonormal = "must be three unit vectors, each perpendicular to the others, to 14 digits"
