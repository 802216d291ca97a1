package course

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Facts describe how a wrong answer differs from the right one. They compare the JSON of both, field by field, and assume
// nothing about how the program computed the answer.

// nearFact is the largest relative difference of numbers that facts treat as equal.
const nearFact = 1e-6

// rightFields returns the right answer in the form of an answer of a program.
func rightFields(t *tried) answer {
	data, err := json.Marshal(t.expected())
	if err != nil {
		return nil
	}
	var fields answer
	if json.Unmarshal(data, &fields) != nil {
		return nil
	}
	return fields
}

// equalValues reports whether two values of JSON are equal up to rounding.
func equalValues(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && math.Abs(a-b) <= nearFact*max(math.Abs(a), math.Abs(b))
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		size := max(largestOf(a), largestOf(b))
		return slices.EqualFunc(a, b, func(x, y any) bool {
			p, ok := x.(float64)
			q, ok2 := y.(float64)
			return ok && ok2 && math.Abs(p-q) <= nearFact*size || equalValues(x, y)
		})
	}
	return reflect.DeepEqual(a, b)
}

// largestOf returns the largest magnitude of the numbers in a list.
func largestOf(list []any) float64 {
	size := 0.0
	for _, v := range list {
		if x, ok := v.(float64); ok {
			size = max(size, math.Abs(x))
		}
	}
	return size
}

// wrongFields lists the fields that are right and those that are wrong. It returns "" if all are wrong or none is.
func wrongFields(t *tried, right answer) string {
	var wrong, good []string
	for key, want := range right {
		if equalValues(t.fields[key], want) {
			good = append(good, key)
		} else {
			wrong = append(wrong, key)
		}
	}
	if len(wrong) == 0 || len(good) == 0 {
		return ""
	}
	slices.Sort(wrong)
	slices.Sort(good)
	return "right: " + strings.Join(good, ", ") + "; wrong: " + strings.Join(wrong, ", ")
}

// listFact describes a wrong list of two values: the values are exchanged, or they are equal to each other. It returns ""
// if neither is true of any list in the answer.
func listFact(t *tried, right answer) string {
	for _, key := range [...]string{"t", "points", "normals", "arrives"} {
		want, ok := right[key].([]any)
		got, ok2 := t.fields[key].([]any)
		if !ok || !ok2 || len(want) != 2 || len(got) != 2 || equalValues(want[0], want[1]) || equalValues(got, want) {
			continue
		}
		switch {
		case equalValues(got[0], want[1]) && equalValues(got[1], want[0]):
			return "the two " + key + " are exchanged"
		case equalValues(got[0], got[1]) && equalValues(got[0], want[0]):
			return "both " + key + " are those of the first " + thing(key)
		case equalValues(got[0], got[1]) && equalValues(got[0], want[1]):
			return "both " + key + " are those of the second " + thing(key)
		case equalValues(got[0], got[1]):
			return "the two " + key + " are equal to each other, and neither is right"
		}
	}
	return ""
}

// thing names what each value of a list of an answer belongs to.
func thing(list string) string {
	if list == "arrives" {
		return "light"
	}
	return "crossing"
}

// componentFact names the only component of a vector or color that is wrong. It returns "" if several are.
func componentFact(field string, p *problem) string {
	want, ok := p.want.(triple)
	got, ok2 := p.got.(triple)
	if !ok || !ok2 {
		return ""
	}
	names := [...]string{"x", "y", "z"}
	if field == "color" {
		names = [...]string{"red", "green", "blue"}
	}
	size := 0.0
	for _, x := range want {
		size = max(size, math.Abs(x))
	}
	var wrong []string
	for i, name := range names {
		if !(math.Abs(want[i]-got[i]) <= nearFact*size) {
			wrong = append(wrong, name)
		}
	}
	if len(wrong) != 1 {
		return ""
	}
	return fmt.Sprintf("%s: only %s is wrong", field, wrong[0])
}

// sizeFact states whether a number is too small or too large.
func sizeFact(field string, p *problem) string {
	want, ok := p.want.(float64)
	got, ok2 := p.got.(float64)
	switch {
	case !ok || !ok2 || want == got:
		return ""
	case got < want:
		return field + ": too small"
	}
	return field + ": too large"
}

// firstFields states for how many wrong answers each field was the first one that was judged wrong.
func firstFields(wrong []tried) string {
	counts := make(map[string]int)
	var order []string
	total := 0
	for t := range awaited(wrong) {
		if p := t.judge(t.fields); p != nil {
			field, _, _ := strings.Cut(p.field, "[")
			if counts[field]++; counts[field] == 1 {
				order = append(order, field)
			}
			total++
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return counts[b] - counts[a] })
	switch {
	case len(order) == 0 || order[0] == "":
		return ""
	case len(order) == 1:
		return order[0] + " is wrong"
	}
	rest := total - counts[order[0]]
	if counts[order[1]] == rest {
		return fmt.Sprintf("%s is wrong in %d of %d wrong answers, %s in the other %d", order[0], total-rest, total, order[1], rest)
	}
	return fmt.Sprintf("%s is wrong in %d of %d wrong answers, %s in %d of the others", order[0], total-rest, total, order[1], counts[order[1]])
}
