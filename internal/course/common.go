package course

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/geom"
)

// If no mistake explains the answers, the verdict states what the wrong ones have in common: how a field differs from
// the right one, and in which kinds of questions. Both are facts about the answers, not guesses about the program.
const (
	enoughCommon = 0.95 // the share of the wrong answers that must have it in common
	mostKinds    = 3    // the largest number of kinds of questions to list
)

// common returns a list with one Mistake, whose name states what the wrong answers have in common. If they have nothing in
// common, the list is empty.
func (e *Exam) common(all []tried) []Mistake {
	var wrong []tried
	for t := range awaited(all) {
		if t.wrong {
			wrong = append(wrong, *t)
		}
	}
	if len(wrong) == 0 { // among many questions, mistakes are tried on only some
		return []Mistake{}
	}
	how, where := commonProblem(wrong), commonPlace(wrong, e.cases)
	if feature := e.commonFeature(all); feature != "" {
		where = feature
	}
	if how == "" {
		how = firstFields(wrong)
	}
	if how == "" && where == "" {
		return []Mistake{}
	}
	return []Mistake{{
		strings.TrimPrefix(how+where, ", "),
		"No single known mistake explains these answers.",
		e.Stage.Lesson,
	}}
}

// commonProblem describes how the wrong answers differ from the right ones. It returns "" if they differ in many ways.
func commonProblem(wrong []tried) string {
	ways := make([]map[string]int, 10) // counts descriptions, the most specific first
	for i := range ways {
		ways[i] = make(map[string]int)
	}
	for t := range awaited(wrong) {
		p := t.judge(t.fields)
		if p == nil {
			continue // the learner's picture has changed
		}
		field, _, _ := strings.Cut(p.field, "[")
		right := rightFields(t)
		for i, text := range [...]string{p.fact, malformed(*t, field), exchangedWord(field, p), commonSense(field, p), listFact(t, right), onlySecond(p.field), componentFact(field, p), sizeFact(field, p), onlyField(p, field), wrongFields(t, right)} {
			ways[i][text]++
		}
	}
	for i, way := range ways {
		least := enoughCommon * float64(len(wrong))
		if i >= len(ways)-3 {
			least = float64(len(wrong))
		}
		for text, n := range way {
			if text != "" && float64(n) >= least {
				return text
			}
		}
	}
	return ""
}

// malformed describes a field that cannot be read. It returns "" if all fields can be read.
func malformed(t tried, field string) string {
	switch p, nan := t.unreadable(t.fields); {
	case p == nil:
		return ""
	case nan:
		return "not a number: " + field
	default:
		return "not as the protocol requires: " + field
	}
}

// exchangedWord describes a field in which the answer has one word in place of another, such as false in place of true.
func exchangedWord(field string, p *problem) string {
	want, got := wordFor(field, p.want), wordFor(field, p.got)
	if want == "" || got == "" || want == got {
		return ""
	}
	return fmt.Sprintf("%s: %s in place of %s", field, got, want)
}

// wordFor returns words for a value, such as true, null or a count. For a float64 it returns "a number". It
// returns "" for other values, such as vectors.
func wordFor(field string, v any) string {
	switch v := v.(type) {
	case nil:
		if field == "t" || field == "object" {
			return "null"
		}
	case bool, relation:
		return fmt.Sprint(v)
	case int:
		if field == "count" {
			return fmt.Sprint(v)
		}
		if field == "object" {
			return "a solid"
		}
	case float64:
		return "a number"
	}
	return ""
}

// commonSense describes a vector or number that has a simple relation to the right one, such as a scaled or mirrored
// one. It returns "" if none exists.
func commonSense(field string, p *problem) string {
	vector := func(v any) (geom.Vec3, bool) {
		switch v := v.(type) {
		case triple:
			return geom.Vec3{X: v[0], Y: v[1], Z: v[2]}, true
		case float64:
			return geom.Vec3{X: v}, true
		}
		return geom.Vec3{}, false
	}
	want, ok := vector(p.want)
	got, ok2 := vector(p.got)
	if !ok || !ok2 {
		return ""
	}
	names := [...]string{"x", "y", "z"}
	if field == "color" {
		names = [...]string{"red", "green", "blue"}
	}
	how := strings.TrimPrefix(sense(want, got, names), "scaled: ")
	if how == "" || how == "1 times the right one" { // the factor differs from 1 in digits that are not shown
		return ""
	}
	return field + ": " + strings.ReplaceAll(how, ": ", ", ")
}

// onlySecond states that only the second number or vector of a list is wrong.
func onlySecond(place string) string {
	return map[string]string{
		"t[1]":       "the first t is right, the second is wrong",
		"normals[1]": "the first normal is right, the second is wrong",
	}[place]
}

// onlyField states that one field alone is wrong. It returns "" for a field that is judged before others: judging ends
// at the first error, so the other fields are unknown.
func onlyField(p *problem, field string) string {
	if p.alone {
		return "only " + field + " is wrong, the other fields are right"
	}
	return map[string]string{
		"points":    "t is right, the points are wrong",
		"normals":   "t is right, the normals are wrong",
		"normal":    "only the normal is wrong",
		"face":      "only the face is wrong",
		"touches":   "only touches is wrong, the closest point is right",
		"srgb":      "only srgb is wrong, the color is right",
		"direction": "only the direction is wrong, the origin is right",
	}[field]
}

// commonFeature returns a feature that all questions with wrong answers have, as a continuation of a sentence. Among
// such features, it chooses the one that the other questions have most rarely. It returns "" if at least half of the
// other questions have every such feature.
func (e *Exam) commonFeature(all []tried) string {
	best, least := "", 0.5
	for i, name := range e.Stage.kind().featureNames() {
		counts := make(map[[2]bool]int) // whether the answer is wrong, and whether the question has the feature
		for t := range awaited(all) {
			counts[[2]bool{t.wrong, t.hasFeature(i)}]++
		}
		share := float64(counts[[2]bool{false, true}]) / float64(max(1, counts[[2]bool{false, true}]+counts[[2]bool{false, false}]))
		switch {
		case counts[[2]bool{true, false}] > 0 || share >= least:
		case counts[[2]bool{false, true}] == 0:
			best, least = ", always and only where "+name, share
		default:
			best, least = ", only where "+name, share
		}
	}
	return best
}

// commonPlace returns the kinds of questions in which answers are wrong, as a continuation of a sentence. It returns ""
// if there are many kinds.
func commonPlace(wrong []tried, cases []caseName) string {
	all, classes := kindsOf(cases), make(map[Class]bool)
	var in []caseName
	for _, t := range wrong {
		in = append(in, t.caseName)
		classes[t.class] = true
	}
	kinds := kindsOf(in)
	switch {
	case len(classes) == 1 && classes[Scaled]:
		return ", only in scaled questions"
	case len(kinds) <= mostKinds && 3*len(kinds) <= len(all):
		return ", only in questions of the kind " + strings.Join(kinds, "; ")
	}
	for _, part := range [...]func(string) string{firstPart, lastPart} { // such as "box: inside"
		groups, parts := make(map[string]bool), make(map[string]bool)
		for _, k := range all {
			parts[part(k)] = true
		}
		for _, k := range kinds {
			groups[part(k)] = true
		}
		if len(groups) == 1 && len(parts) > 1 {
			return ", only in questions of the kind " + part(kinds[0])
		}
	}
	return ""
}

func firstPart(kind string) string {
	first, _, _ := strings.Cut(kind, ": ")
	return first
}

func lastPart(kind string) string {
	if _, last, ok := strings.Cut(kind, ": "); ok {
		return last
	}
	return kind
}

// kindsOf returns the names of the kinds of questions in cases, sorted and without duplicates.
func kindsOf(cases []caseName) []string {
	var names []string
	for _, c := range cases {
		names = append(names, c.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
