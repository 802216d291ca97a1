package markup

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/problem"
)

// Floats parses an attribute with least to most numbers. It returns nil if the attribute does not exist or is empty. All
// numbers must be finite and at most 1e15 in magnitude.
func (e *Element) Floats(attr string, least, most int) ([]float64, error) {
	value, _ := e.Attr(attr)
	if value == "" {
		return nil, nil
	}
	fields := strings.Fields(value)
	if strings.Contains(value, "${") {
		return nil, e.Wrong(attr, problem.CodeWrongType, "must be numbers: expressions of xacro are expanded by the program xacro")
	}
	if len(fields) < least || len(fields) > most {
		want := strconv.Itoa(least)
		if least != most {
			want += " to " + strconv.Itoa(most)
		}
		if most == 1 {
			return nil, e.Wrong(attr, problem.CodeWrongLength, "must be 1 number")
		}
		return nil, e.Wrong(attr, problem.CodeWrongLength, "must be %s numbers", want)
	}
	numbers := make([]float64, len(fields))
	for i, f := range fields {
		x, err := strconv.ParseFloat(f, 64)
		switch {
		case strings.Contains(f, ","):
			return nil, e.Wrong(attr, problem.CodeWrongType, "must be numbers with spaces between them, without commas")
		case err != nil || strings.Contains(f, "_") || !(math.Abs(x) <= geom.MaxCoordinate): // underscores are Go's
			return nil, e.Wrong(attr, problem.CodeWrongType, "must be numbers of at most %g in magnitude", geom.MaxCoordinate)
		}
		numbers[i] = x
	}
	return numbers, nil
}

// Float parses an attribute with one number. The parameter otherwise is the result if the attribute does not exist
// or is empty.
func (e *Element) Float(attr string, otherwise float64) (float64, error) {
	x, err := e.Floats(attr, 1, 1)
	if err != nil || x == nil {
		return otherwise, err
	}
	return x[0], nil
}

// Vector parses an attribute with three numbers. The parameter otherwise is the result if the attribute does not
// exist or is empty.
func (e *Element) Vector(attr string, otherwise geom.Vec3) (geom.Vec3, error) {
	x, err := e.Floats(attr, 3, 3)
	if err != nil || x == nil {
		return otherwise, err
	}
	return geom.Vec3{X: x[0], Y: x[1], Z: x[2]}, nil
}

// Word returns the value of an attribute, which must be one of the words. If the attribute does not exist, it returns
// the first word.
func (e *Element) Word(attr string, words ...string) (string, error) {
	value, ok := e.Attr(attr)
	if !ok {
		return words[0], nil
	}
	if !slices.Contains(words, value) {
		err := e.Wrong(attr, problem.CodeUnknownValue, "must be %s", orList(words))
		err.Suggestion = text.ClosestWord(value, words)
		return "", err
	}
	return value, nil
}

// orList joins words for a sentence: a, b or c.
func orList(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
