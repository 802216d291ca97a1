package course

import (
	"strings"
	"testing"
)

// TestUntouchedPrograms gives the answers of programs that compute nothing, among them those that the page begins with.
// The verdict must say so. It must not say so of programs with a known mistake.
func TestUntouchedPrograms(t *testing.T) {
	type fields = map[string]any
	miss := fields{"count": 0, "t": []any{}, "points": []any{}, "normals": []any{}}
	hit := fields{"count": 1, "t": []any{1}, "points": []any{[]any{0, 0, 1}}, "normals": []any{[]any{0, 0, 1}}, "face": "+x"}
	const same, copies = "your program gives the same answer to every question", "except for what it copies"
	programs := map[string][]func(question fields) (answer any, name string){}
	for stage, answers := range map[string][]fields{
		"sphere": {miss, hit, {}, {"count": nil}}, "box": {miss, hit}, "capsule": {miss, hit}, "cylinder": {miss, hit},
		"cut":   {{"count": 0, "t": []any{}, "normals": []any{}, "faces": []any{}}, {"count": 1, "t": []any{1}, "normals": []any{[]any{0, 0, 1}}, "faces": []any{"solid"}}},
		"ahead": {{"t": nil}, {"t": 1}}, "segment": {{"touches": true, "closest": []any{0, 0, 0}}},
		"overlap": {{"relation": "apart"}, {"relation": "touching"}, {"relation": "overlapping"}, {"relation": 1}},
		"nearest": {{"object": nil, "t": nil, "normal": nil}}, "lambert": {{"color": []any{0, 0, 0}, "srgb": []any{0, 0, 0}}},
		"shadow": {{"arrives": []any{}}}, "mirror": {{"color": []any{0, 0, 0}}},
	} {
		for _, a := range answers {
			programs[stage] = append(programs[stage], func(fields) (any, string) { return a, same })
		}
	}
	programs["segment"] = append(programs["segment"], func(q fields) (any, string) {
		return fields{"touches": false, "closest": q["a"]}, copies
	})
	programs["camera"] = append(programs["camera"], func(q fields) (any, string) {
		return fields{"origin": q["camera"].(fields)["position"], "direction": []any{0, 0, -1}}, copies
	})
	programs["shadow"] = append(programs["shadow"], func(q fields) (any, string) {
		all := []any{}
		for range q["lights"].([]any) {
			all = append(all, true)
		}
		return fields{"arrives": all}, same
	})
	for _, s := range AllStages() {
		if s.Name == pictureName {
			continue // answers are files
		}
		if len(programs[s.Name]) == 0 {
			t.Errorf("%s is not tested", s.Name)
		}
		for i, program := range programs[s.Name] {
			name := ""
			v := verdict(t, answered(t, s, Options{Count: 2 * leastConstant}, func(q question) any {
				var answer any
				answer, name = program(decoded(t, q))
				return answer
			}))
			if len(v.Mistakes) != 1 || !strings.Contains(v.Mistakes[0].Name, name) || name == same && v.Mistakes[0].Name != same {
				t.Errorf("%s, program %d: the mistakes are %q, want %q", s.Name, i, v.Mistakes, name)
			}
		}
	}
}

// decoded returns the fields of a question.
func decoded(t *testing.T, q question) map[string]any {
	t.Helper()
	line, err := q.line()
	if err != nil {
		t.Fatal(err)
	}
	fields, err := parseAnswer(line)
	if err != nil {
		t.Fatal(err)
	}
	return fields
}
