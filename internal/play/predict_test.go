package play_test

import (
	"context"
	"fmt"
	"image"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/internal/play"
	"pillbox/scene"
)

// predicted is an answer to the request predict.
type predicted struct {
	Given   []string
	Line    *struct{ From, To [2]float64 }
	Text    string
	Choices []struct {
		Text   string
		Object *int32
	}
	Right  *bool
	Answer *int
	Why    string
}

// judge requests a question and tries every choice. It fails the test unless exactly one choice is right, and
// returns the text of that choice.
func judge(t *testing.T, e *play.Engine, request object) string {
	t.Helper()
	asked := ask[predicted](t, e, "predict", request)
	if asked.Answer != nil || asked.Right != nil || len(asked.Choices) < 2 || asked.Text == "" {
		t.Fatalf("the question %+v", asked)
	}
	right := ""
	for i, c := range asked.Choices {
		request["choice"] = i
		judged := ask[predicted](t, e, "predict", request)
		if !strings.ContainsAny(judged.Why, "0123456789") {
			t.Fatalf("an answer to %q has no numbers", asked.Text)
		}
		if judged.Right == nil || judged.Answer == nil || *judged.Right != (*judged.Answer == i) || *judged.Right && right != "" {
			t.Fatalf("choice %d of %q is judged %+v", i, asked.Text, judged)
		}
		if *judged.Right {
			right = c.Text
		}
	}
	if right == "" {
		t.Fatalf("no choice is right: %+v", asked)
	}
	delete(request, "choice")
	return right
}

// requestOf returns the fields of an example of a lesson that belong to a request about it.
func requestOf(example object) object {
	request := maps.Clone(example)
	for _, key := range []string{"title", "scene", "trap", "figure"} {
		delete(request, key)
	}
	return request
}

// TestLessonsAskQuestions checks that every lesson has at least three questions, each with exactly one right choice.
func TestLessonsAskQuestions(t *testing.T) {
	e := engine()
	a := ask[struct {
		Lessons []struct {
			Name     string
			More     bool
			Examples []object
		}
	}](t, e, "scenes", object{})
	for _, l := range a.Lessons {
		page := ask[struct {
			Blocks    []object
			Questions []struct {
				Example    int
				Prediction object
			}
		}](t, e, "lesson", object{"name": l.Name})
		if !l.More && len(page.Questions) < 3 {
			t.Errorf("%s asks %d questions", l.Name, len(page.Questions))
		}
		if n := examplesIn(page.Blocks); n != len(l.Examples) {
			t.Errorf("%s has %d examples, its page %d", l.Name, len(l.Examples), n)
		}
		answers := map[string]bool{}
		for _, q := range page.Questions {
			request := requestOf(l.Examples[q.Example])
			request["prediction"] = q.Prediction
			answer := judge(t, e, request)
			answers[fmt.Sprint(q.Prediction["kind"], answer)] = true
			if text := fmt.Sprint(request["text"]); !slices.Contains([]any{"samples", "wrong"}, q.Prediction["kind"]) {
				request["text"] = moreSamples(text)
				if more := judge(t, e, request); more != answer {
					t.Errorf("%s: %v: the answer is %q, but with many samples of lights and sky it is %q", l.Name, q.Prediction, answer, more)
				}
				request["text"] = text
			}
			request["choice"] = 0
			p := ask[predicted](t, e, "predict", request)
			t.Log(l.Name, p.Given, p.Text, answer, p.Why)
			delete(request, "choice")
		}
		if len(page.Questions) > 0 && len(answers) < 2 {
			t.Errorf("all questions of %s have the answer %v", l.Name, answers)
		}
	}
}

// TestQuestionsAreGivenTheirNumbers checks what stands above a question, the line of its ray, and the choices: a mirror
// that is seen from outside does not show itself.
func TestQuestionsAreGivenTheirNumbers(t *testing.T) {
	const text = `
[image]
width = 80
height = 60
[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]
projection = "orthographic"
view_height = 6
[[light]]
name = "lamp"
position = [0, 5, 0]
radius = 0.5
[[sphere]]
name = "ball"
center = [0, 2, 0]
radius = 0.5
[[capsule]]
name = "pill"
a = [0, -2, 0]
b = [1, -2, 0]
radius = 0.25
material = "chrome"
[material.chrome]
mirror = 0.5
`
	e := engine()
	request := object{"text": text, "ray": []float64{-3, -2, 0, 1, 0, 0}, "prediction": object{"kind": "mirror"}}
	p := ask[predicted](t, e, "predict", request)
	want := []string{`sphere "ball": center (0, 2, 0), radius 0.5`, `capsule "pill": axis from (0, -2, 0) to (1, -2, 0), radius 0.25`}
	if !slices.Equal(p.Given, want) {
		t.Errorf("given %q, want %q", p.Given, want)
	}
	if len(p.Choices) != 2 || p.Choices[0].Text != `sphere "ball"` {
		t.Errorf("choices %+v", p.Choices)
	}
	if p.Line == nil || p.Line.From != [2]float64{10, 50} || p.Line.To[0] < 80 || p.Line.To[1] != 50 { // beyond the capsule
		t.Errorf("line %v", p.Line)
	}
	request["ray"] = []float64{-300, -2, 0, 1, 0, 0}
	if p = ask[predicted](t, e, "predict", request); p.Line == nil || p.Line.To[0] < 80 {
		t.Errorf("the line of a ray from far away is %v", p.Line)
	}
	request["prediction"] = object{"kind": "light"}
	if p = ask[predicted](t, e, "predict", request); !slices.Contains(p.Given, `light "lamp": position (0, 5, 0), radius 0.5`) {
		t.Errorf("given %q", p.Given)
	}
	request["prediction"] = object{"kind": "inside", "object": "pill"}
	if p = ask[predicted](t, e, "predict", request); !slices.Equal(p.Given, want[1:]) {
		t.Errorf("given %q", p.Given)
	}
}

// TestSupposedScenesAreDerived checks the derivations of the shown and of the supposed scene, for all questions of the
// lessons that suppose a change: they must differ.
func TestSupposedScenesAreDerived(t *testing.T) {
	e := engine()
	lessons := ask[struct {
		Lessons []struct {
			Name     string
			Examples []object
		}
	}](t, e, "scenes", object{}).Lessons
	n := 0
	for _, l := range lessons {
		questions := ask[struct {
			Questions []struct {
				Example    int
				Prediction object
			}
		}](t, e, "lesson", object{"name": l.Name}).Questions
		for _, q := range questions {
			request := requestOf(l.Examples[q.Example])
			request["prediction"], request["choice"] = q.Prediction, 0
			compared := ask[struct {
				Compared *struct{ Shown, Supposed []object }
			}](t, e, "predict", request).Compared
			if (compared != nil) != (q.Prediction["set"] != nil) {
				t.Fatalf("%s: %v: compared %v", l.Name, q.Prediction, compared)
			}
			if compared == nil {
				continue
			}
			n++
			if len(compared.Shown) == 0 || len(compared.Supposed) == 0 || fmt.Sprint(compared.Shown) == fmt.Sprint(compared.Supposed) {
				t.Errorf("%s: %v: %d and %d blocks, which do not differ", l.Name, q.Prediction, len(compared.Shown), len(compared.Supposed))
			}
		}
	}
	if n < 12 {
		t.Errorf("%d questions suppose a change", n)
	}
}

// TestWhereACapsuleIsEntered asks on which part of a capsule lines enter it. The parts are far from their seams.
func TestWhereACapsuleIsEntered(t *testing.T) {
	const text = "[[capsule]]\nname = \"pill\"\na = [0, -1, 0]\nb = [0, 1, 0]\nradius = 0.5\n[[sphere]]\nname = \"ball\"\ncenter = [5, 0, 0]\nradius = 1\n"
	e := engine()
	for want, ray := range map[string][]float64{
		"on the body":          {4, -2.2, 0, -0.8, 0.6, 0},
		"on the ball around B": {0.2, 8, 0, 0, -1, 0},
		"on the ball around A": {0.2, -8, 0, 0, 1, 0},
		"nowhere":              {3, -8, 0, 0, 1, 0},
	} {
		if got := judge(t, e, object{"text": text, "ray": ray, "prediction": object{"kind": "part", "object": "pill"}}); got != want {
			t.Errorf("%v: %q, want %q", ray, got, want)
		}
	}
	fails(t, e, "predict", object{"text": text, "ray": []float64{0, 0, 9, 0, 0, -1}, "prediction": object{"kind": "part", "object": "ball"}})
}

// moreSamples returns the text of a scene with many samples of each light and of the sky.
func moreSamples(text string) string {
	const many = "samples = 1024"
	text = regexp.MustCompile(`(?m)^samples = .*$`).ReplaceAllString(text, many)
	if strings.Contains(text, many) {
		return text
	}
	if strings.Contains(text, "[shading]") {
		return strings.Replace(text, "[shading]", "[shading]\n"+many, 1)
	}
	return text + "\n[shading]\n" + many + "\n"
}

// TestColorsAreThoseOfThePicture asks what becomes of the pixels of the lessons' questions about colors. The answers must
// be those of the rendered pictures, whose pixels average several samples.
func TestColorsAreThoseOfThePicture(t *testing.T) {
	text := file(t, "../../docs/lessons/antialiasing.toml")
	e := engine()
	sum := func(text string, at image.Point) float64 {
		t.Helper()
		s, err := scene.Decode("s.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		film, err := pillbox.Render(context.Background(), s, pillbox.Options{Picture: pillbox.Picture{Antialias: 4}})
		if err != nil {
			t.Fatal(err)
		}
		c := film.Image.NRGBAAt(at.X, at.Y)
		return float64(c.R) + float64(c.G) + float64(c.B)
	}
	const half = "half_extents = [9, 1.3, 1]"
	answers := map[string]int{}
	for _, value := range []float64{1.3, 0.6, 2.2} {
		other := strings.Replace(text, half, fmt.Sprintf("half_extents = [9, %g, 1]", value), 1)
		for y := range 4 {
			at := image.Pt(3, y)
			want := "it stays the same"
			switch was, is := sum(text, at), sum(other, at); {
			case is > was:
				want = "it gets brighter"
			case is < was:
				want = "it gets darker"
			}
			set := []object{{"key": "box[0].half_extents", "value": []float64{9, value, 1}}}
			got := judge(t, e, object{"text": text, "pixel": []int{at.X, at.Y}, "antialias": 4, "prediction": object{"kind": "color", "set": set}})
			if got != want {
				t.Errorf("pixel %v, height %g: %q, want %q", at, value, got, want)
			}
			answers[got]++
		}
	}
	if len(answers) < 2 {
		t.Errorf("the answers are %v", answers)
	}
}

// examplesIn counts the examples in blocks, and checks that they are numbered in order.
func examplesIn(blocks []object) int {
	n := 0
	for _, b := range blocks {
		if b["type"] == "example" {
			n++
		}
		if inner, ok := b["blocks"].([]any); ok {
			var list []object
			for _, x := range inner {
				list = append(list, object(x.(map[string]any)))
			}
			n += examplesIn(list)
		}
	}
	return n
}

// TestPredictionsFollowTheScene asks the same questions about scenes that differ in one number. The right choices
// must differ.
func TestPredictionsFollowTheScene(t *testing.T) {
	const text = `
[image]
width = 80
height = 60

[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]

[[light]]
position = [0, 5, 0]

[[sphere]]
name = "ball"
center = [0, 2, 0]
radius = 0.5

[[sphere]]
name = "mirror"
center = [0, -2, 0]
radius = 1
material = "chrome"

[material.chrome]
mirror = 0.5
`
	e := engine()
	down := []float64{0, -2, 9, 0, 0, -1}   // hits the mirror ball in front
	top := []float64{3, 2, 0, -3, -3.02, 0} // hits it close to its top
	question := func(ray []float64, kind, key string, value any, more object) string {
		t.Helper()
		p := object{"kind": kind}
		for name, x := range more {
			p[name] = x
		}
		if key != "" {
			p["set"] = []object{{"key": key, "value": value}}
		}
		return judge(t, e, object{"text": text, "ray": ray, "prediction": p})
	}
	for _, test := range []struct {
		got, want string
	}{
		{question(down, "hit", "", nil, nil), `sphere "mirror"`},
		{question(down, "hit", "sphere[1].radius", 0.1, nil), `sphere "mirror"`},
		{question(down, "hit", "sphere[1].center", []float64{0, -5, 0}, nil), "none: the background"},
		{question(down, "hit", "sphere[0].center", []float64{0, -2, 3}, nil), `sphere "ball"`},
		{question(down, "crossings", "", nil, object{"object": "mirror"}), "twice"},
		{question(down, "crossings", "", nil, object{"object": "ball"}), "never"},
		{question(down, "crossings", "sphere[1].center", []float64{1, -2, 0}, object{"object": "mirror"}), "once: it touches"},
		{question(down, "inside", "", nil, object{"object": "mirror"}), "no"},
		{question(down, "inside", "sphere[1].center", []float64{0, -2, 9}, object{"object": "mirror"}), "yes"},
		{question(top, "light", "", nil, nil), "no, a solid blocks it"},
		{question(top, "light", "sphere[0].center", []float64{9, 2, 0}, nil), "yes, it arrives"},
		{question(top, "light", "light[0].position", []float64{0, -9, 0}, nil), "no, the surface faces away from it"},
		{question(top, "color", "sphere[0].center", []float64{9, 2, 0}, nil), "it gets brighter"},
		{question(top, "color", "shading.ambient", 0, nil), "it gets darker"},
		{question(top, "color", "image.width", 90, nil), "it stays the same"},
		{question(down, "mirror", "sphere[0].center", []float64{0, -2, 20}, nil), `sphere "ball"`},
		{question(down, "mirror", "", nil, nil), "none: the background"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
	for _, bad := range []object{{"kind": "hits"}, {"kind": "touches"}, {"kind": "light", "light": 1}, {"kind": "crossings", "object": "none"}} {
		if f := fails(t, e, "predict", object{"text": text, "ray": down, "prediction": bad}); !slices.Contains([]int{play.StatusMalformed, play.StatusRefused}, f.Status) {
			t.Errorf("%v: %+v", bad, f)
		}
	}
	if f := fails(t, e, "predict", object{"text": text, "ray": down, "prediction": object{"kind": "hit"}, "choice": 3}); f.Status != play.StatusMalformed || !strings.Contains(f.Message, "choice") {
		t.Errorf("a choice that does not exist: %+v", f)
	}
}

// TestMistakesNeedNoRay checks that a question about a mistake of the renderer ignores a query, and that an unknown mistake is an
// error.
func TestMistakesNeedNoRay(t *testing.T) {
	const ball = "[image]\nwidth = 8\nheight = 8\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	for _, query := range []object{{"ray": []float64{0, 0, 5, 0, 0, -1}}, {"segment": []float64{0, 0, 5, 0, 0, -1}}, {"pixel": []int{4, 4}}} {
		query["text"], query["prediction"] = ball, object{"kind": "wrong", "mistake": "acne"}
		asked := ask[struct {
			Choices []object
			Line    any
		}](t, engine(), "predict", query)
		if len(asked.Choices) != 3 || asked.Line != nil {
			t.Errorf("%+v: %+v", query, asked)
		}
	}
	_, err := engine().Answer(t.Context(), "predict", []byte(`{"text": "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n", "prediction": {"kind": "wrong", "mistake": "none"}}`), nil)
	if f := play.FailureOf(err); f == nil || f.Status != play.StatusMalformed {
		t.Error(err)
	}
}
