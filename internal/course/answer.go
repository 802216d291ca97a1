package course

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"pillbox/geom"
)

// answer is a decoded answer. Values that are null, NaN or infinite are nil.
type answer map[string]any

// parseAnswer decodes a line. It accepts NaN and Infinity, which JSON does not have but Python programs write.
func parseAnswer(line []byte) (answer, error) {
	var fields answer
	err := json.Unmarshal(line, &fields)
	if err != nil {
		if nulled := withoutNaN(line); !bytes.Equal(nulled, line) {
			fields = nil
			err = json.Unmarshal(nulled, &fields)
		}
	}
	if err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, fmt.Errorf("want an object, got null")
	}
	return fields, nil
}

// withoutNaN replaces each word for NaN or an infinity by null, except in strings.
func withoutNaN(line []byte) []byte {
	var out []byte
	inString := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case inString && c == '\\' && i+1 < len(line):
			out = append(out, c)
			i++
			c = line[i]
		case c == '"':
			inString = !inString
		case !inString:
			if n := lenNaN(line[i:]); n > 0 {
				out = append(out, "null"...)
				i += n - 1
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// lenNaN returns the length of the word for NaN or infinity at the beginning of a line, or 0.
func lenNaN(line []byte) int {
	for _, word := range [...]string{"NaN", "nan", "-NaN", "-nan", "Infinity", "-Infinity", "inf", "-inf"} {
		if bytes.HasPrefix(line, []byte(word)) {
			return len(word)
		}
	}
	return 0
}

// problem describes an error in an answer.
type problem struct {
	field string // such as t[0]
	what  string // the description
	want  any    // the right value of the field; nil if the description contains it
	got   any
	alone bool // the other fields are known to be right

	derive *Derivation // derives the numbers of this problem; nil: use the question's derivation
	fact   string      // describes the difference of pictures in words that fit several answers; may be empty
}

// differ returns the problem of a field whose right value is the argument want, but whose value in the answer is got.
// Either may be nil.
func differ(field, what string, want, got any) *problem {
	return &problem{field: field, what: what, want: want, got: got}
}

// reader reads the fields of an answer. If the answer's format is wrong, the field problem keeps the first error. From
// then on, the methods return arbitrary values. A number that is null or NaN is not such an error, because some
// mistakes cause NaN. The first such number is kept in the field nan.
type reader struct {
	fields  answer
	problem *problem
	nan     *problem
}

// nowhere returns a point whose coordinates are NaN.
func nowhere() geom.Vec3 { return geom.Vec3{X: math.NaN(), Y: math.NaN(), Z: math.NaN()} }

// anything returns a vector that the function [alike] considers equal to every vector. It takes the place of a
// vector that depends on rounding, so that a mistake's answer cannot be predicted there.
func anything() geom.Vec3 { return geom.Vec3{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)} }

func (r *reader) fail(field, format string, args ...any) {
	if r.problem == nil {
		r.problem = &problem{field: field, what: fmt.Sprintf(format, args...)}
	}
}

// field returns a required field.
func (r *reader) field(key string) any {
	v, ok := r.fields[key]
	if !ok {
		r.fail(key, "is missing")
	}
	return v
}

func (r *reader) float(field string, v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case nil:
		if r.nan == nil {
			r.nan = &problem{field: field, what: "must be a number, is null, NaN or infinite"}
		}
	default:
		r.fail(field, "must be a number, got %s", compact(v))
	}
	return math.NaN()
}

// number reads a number.
func (r *reader) number(key string) float64 { return r.float(key, r.field(key)) }

// numberOrNull reads a number. It returns false if the value is null.
func (r *reader) numberOrNull(key string) (x float64, ok bool) {
	v := r.field(key)
	if v == nil {
		return 0, false
	}
	return r.float(key, v), true
}

// integer reads an integer from lo to hi.
func (r *reader) integer(key string, lo, hi int) int {
	x := r.number(key)
	if !(x >= float64(lo) && x <= float64(hi)) || x != math.Trunc(x) {
		r.fail(key, "must be an integer from %d to %d, got %s", lo, hi, compact(r.fields[key]))
		return lo
	}
	return int(x)
}

// list reads a list of n elements. If the number is wrong, the message ends with the text why, which explains n.
func (r *reader) list(field string, v any, n int, why string) []any {
	list, ok := v.([]any)
	if !ok || len(list) != n {
		got := compact(v)
		if ok {
			got = fmt.Sprintf("%d", len(list))
		}
		r.fail(field, "must be a list of %d%s, got %s", n, why, got)
		return make([]any, n)
	}
	return list
}

// numbers reads a list of n numbers.
func (r *reader) numbers(key string, n int, why string) []float64 {
	out := make([]float64, n)
	for i, v := range r.list(key, r.field(key), n, why) {
		out[i] = r.float(fmt.Sprintf("%s[%d]", key, i), v)
	}
	return out
}

func (r *reader) vecOf(field string, v any) geom.Vec3 {
	if v == nil && r.problem == nil {
		if r.nan == nil {
			r.nan = &problem{field: field, what: "must be a list of 3 numbers, is null"}
		}
		return nowhere()
	}
	list := r.list(field, v, 3, " numbers")
	return geom.Vec3{X: r.float(field+"[0]", list[0]), Y: r.float(field+"[1]", list[1]), Z: r.float(field+"[2]", list[2])}
}

// vec reads a point or a vector.
func (r *reader) vec(key string) geom.Vec3 { return r.vecOf(key, r.field(key)) }

// vecs reads a list of n points or vectors.
func (r *reader) vecs(key string, n int, why string) []geom.Vec3 {
	out := make([]geom.Vec3, n)
	for i, v := range r.list(key, r.field(key), n, why) {
		out[i] = r.vecOf(fmt.Sprintf("%s[%d]", key, i), v)
	}
	return out
}

// flag reads a boolean.
func (r *reader) flag(key string) bool {
	v := r.field(key)
	b, ok := v.(bool)
	if !ok {
		r.fail(key, "must be true or false, got %s", compact(v))
	}
	return b
}

// flags reads a list of n booleans.
func (r *reader) flags(key string, n int, why string) []bool {
	out := make([]bool, n)
	for i, v := range r.list(key, r.field(key), n, why) {
		b, ok := v.(bool)
		if !ok {
			r.fail(fmt.Sprintf("%s[%d]", key, i), "must be true or false, got %s", compact(v))
		}
		out[i] = b
	}
	return out
}

// word reads one of the given words. If the value is null, word stores the problem in the field nan, as the other methods
// do for a number that is null.
func (r *reader) word(key string, words ...string) string { return r.wordOf(key, r.field(key), words) }

// words reads a list of n words. See [reader.word].
func (r *reader) words(key string, n int, why string, words ...string) []string {
	out := make([]string, n)
	for i, v := range r.list(key, r.field(key), n, why) {
		out[i] = r.wordOf(fmt.Sprintf("%s[%d]", key, i), v, words)
	}
	return out
}

func (r *reader) wordOf(field string, v any, words []string) string {
	if v == nil && r.problem == nil {
		if r.nan == nil {
			r.nan = &problem{field: field, what: "must be " + strings.Join(words, ", ") + ", is null"}
		}
		return ""
	}
	s, ok := v.(string)
	for _, w := range words {
		if ok && s == w {
			return s
		}
	}
	r.fail(field, "must be %s, got %s", strings.Join(words, ", "), compact(v))
	return ""
}

// compact returns a value as JSON, shortened if it is long.
func compact(v any) string {
	const most = 60
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(data) > most {
		return string(data[:most]) + "..."
	}
	return string(data)
}

// fit is the result of comparing two answers to one question: the learner's, and the answer of a hypothesis, which is a
// supposition about the mistakes in the learner's program.
type fit uint8

const (
	neutral fit = iota // both answers are right, or the hypothesis has no definite answer
	agrees             // both are wrong in the same way
	differs            // only one of them is wrong, or they are wrong in different ways
)

// alike reports whether two answers of the same type are equal up to rounding. Two programs with the same mistake may
// round differently, so numbers may differ by a millionth of the scale or of the number. For fields with the tag
// `course:"unit"`, the scale is 1. NaN and the infinities equal each other. The answer b can contain wildcards: plus
// infinity equals every number in a, and [anyFace] equals every face in a.
func alike(a, b any, scale float64) bool {
	return alikeValues(reflect.ValueOf(a), reflect.ValueOf(b), scale*0x1p-20)
}

func alikeValues(a, b reflect.Value, near float64) bool {
	switch a.Kind() {
	case reflect.Float64:
		x, y := a.Float(), b.Float()
		return x == y || math.IsInf(y, 1) || notNumber(x) && notNumber(y) || math.Abs(x-y) <= max(near, 0x1p-20*math.Abs(y))
	case reflect.Struct:
		for i := range a.NumField() {
			near := near
			if a.Type().Field(i).Tag.Get("course") == "unit" {
				near = 0x1p-20 // for the scale 1
			}
			if !alikeValues(a.Field(i), b.Field(i), near) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !alikeValues(a.Index(i), b.Index(i), near) {
				return false
			}
		}
		return true
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.String:
		return a.String() == b.String() || b.String() == anyFace
	default:
		return a.Int() == b.Int()
	}
}

func notNumber(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// hasNaN reports whether an answer contains NaN or an infinity.
func hasNaN(a any) bool { return holdsNaN(reflect.ValueOf(a)) }

// holdsNaN reports whether a value contains NaN or an infinity, except for the vector [anything].
func holdsNaN(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float64:
		return notNumber(v.Float())
	case reflect.Struct:
		if p, ok := v.Interface().(geom.Vec3); ok && p == anything() {
			return false
		}
		for i := range v.NumField() {
			if holdsNaN(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if holdsNaN(v.Index(i)) {
				return true
			}
		}
	}
	return false
}
