package play_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestExplanationsOfQuestionsHaveTheNumbersOfTheAnswer answers every question of every lesson, and requests the
// explanation that the page shows then: of the supposed scene, with the solid of the question. The sections that answer
// the question must have the numbers of the answer.
func TestExplanationsOfQuestionsHaveTheNumbersOfTheAnswer(t *testing.T) {
	e := engine()
	list := ask[struct {
		Lessons []struct {
			Name     string
			Examples []object
		}
	}](t, e, "scenes", object{})
	checked := 0
	for _, l := range list.Lessons {
		for i, q := range ask[struct {
			Questions []struct {
				Example    int
				Prediction object
			}
		}](t, e, "lesson", object{"name": l.Name}).Questions {
			request := requestOf(l.Examples[q.Example])
			answer := ask[struct {
				Why, Supposed, Solid string
				Sections             []string
			}](t, e, "predict", merge(request, object{"prediction": q.Prediction, "choice": 0}))
			if _, supposes := q.Prediction["set"]; supposes != (answer.Supposed != "") {
				t.Errorf("%s %d: the supposed scene is %q", l.Name, i+1, answer.Supposed)
			}
			if q.Prediction["kind"] == "wrong" || strings.Contains(answer.Why, "sections take this part away") {
				continue // the picture shows it, or the line of the whole solid, which is not derived
			}
			if answer.Supposed != "" {
				request["text"] = answer.Supposed
			}
			if answer.Solid != "" {
				request["solid"] = answer.Solid
			}
			all := explanationOf(t, request, answer.Sections)
			_, why, _ := strings.Cut(answer.Why, " becomes ")
			if why == "" {
				why = answer.Why
			}
			for _, derived := range []string{": the luminance", ", the share"} {
				why, _, _ = strings.Cut(why, derived)
			}
			if q.Prediction["kind"] == "tests" {
				why, _, _ = strings.Cut(why, " of ") // the number of all solids is in the question
			}
			for _, n := range numbersIn(why) {
				if checked++; !all[n] {
					t.Errorf("%s %d: %q, but the explanation lacks %s", l.Name, i+1, answer.Why, n)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d numbers were checked", checked)
	}
}

// numbersIn returns the numbers in a text, rounded to four digits.
func numbersIn(text string) []string {
	var list []string
	for _, n := range regexp.MustCompile(`-?\d+(\.\d+)?(e-?\d+)?`).FindAllString(strings.ReplaceAll(text, "\u2212", "-"), -1) {
		if x, err := strconv.ParseFloat(n, 64); err == nil {
			list = append(list, fmt.Sprintf("%.4g", x))
		}
	}
	return list
}

// explanationOf returns the numbers of the intro and of some sections of an explanation.
func explanationOf(t *testing.T, request object, names []string) map[string]bool {
	t.Helper()
	a := ask[struct {
		Intro    json.RawMessage
		Sections []struct {
			Name   string
			Blocks json.RawMessage
		}
	}](t, engine(), "explain", request)
	text := string(a.Intro)
	for _, s := range a.Sections {
		for _, name := range names {
			if s.Name == name || strings.HasPrefix(s.Name, "part") {
				text += string(s.Blocks)
			}
		}
	}
	all := map[string]bool{}
	for _, n := range numbersIn(text) {
		all[n] = true
	}
	return all
}
