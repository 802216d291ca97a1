package play_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/play"
)

// TestChange checks a render request that contains a change of the text. The results must equal those of two
// requests: first the change, and then the render of the new text. So the picture, the explanation and the diagram
// of one step of a drag belong to the same text.
func TestChange(t *testing.T) {
	for _, name := range effort.Some(t, 2, []string{"demo", "adaptive", "transparent", "wave"}) {
		text := "# \u00e4\U0001F600\n" + file(t, "../../scenes/"+name+".toml")
		changes := []object{
			{"camera": object{"orbit": [2]float64{12, 5}}},
			{"camera": object{"dolly": 1.1, "pan": [2]float64{3, 4}}},
			{"move": object{"object": 1, "from": [2]float64{40, 40}, "to": [2]float64{47, 38}}},
			{"edit": object{"set": []object{{"key": "shading.ambient", "value": 0.3}, {"key": "image.background", "value": "#204060"}}}},
		}
		for i, change := range changes {
			for _, start := range []string{"", "\uFEFF"} {
				checkChange(t, fmt.Sprintf("%s, change %d", name, i), start+text, change)
			}
		}
	}
}

func checkChange(t *testing.T, subject, text string, change object) {
	t.Helper()
	one, other := engine(), engine() // the other engine has nothing in its cache
	where := object{"width": 120, "time": 0.25}
	with := func(more ...object) object {
		all := object{}
		for _, fields := range append([]object{where}, more...) {
			for key, value := range fields {
				all[key] = value
			}
		}
		return all
	}
	asked := object{"pixel": []int{60, 40}, "diagram": object{"shown": 300, "dark": true}}
	got := framesOf(t, one, with(object{"text": text, "change": change, "step": 4, "ask": asked}))

	var edits []edit
	for request, fields := range change {
		data, err := other.Answer(context.Background(), request, must(json.Marshal(with(object{"text": text}, fields.(object)))), nil)
		if err != nil { // an animated camera or solid does not follow its table
			if failure := fails(t, one, "render", with(object{"text": text, "change": change, "step": 4})); failure.Message != play.FailureOf(err).Message {
				t.Errorf("%s: %q, want %v", subject, failure.Message, err)
			}
			return
		}
		var a struct{ Edits []edit }
		if err := json.Unmarshal(data, &a); err != nil {
			t.Fatal(err)
		}
		edits = a.Edits
	}
	after := apply(text, edits)
	if after == text {
		t.Fatalf("%s: the text does not change", subject)
	}
	want := framesOf(t, other, with(object{"text": after, "step": 4}))
	if !bytes.Equal(got[play.FramePixels], want[play.FramePixels]) {
		t.Errorf("%s: the picture differs from that of the changed text", subject)
	}
	var head struct{ Edits []edit }
	if err := json.Unmarshal(got[play.FrameHead], &head); err != nil || fmt.Sprint(head.Edits) != fmt.Sprint(edits) {
		t.Errorf("%s: edits %v, want %v", subject, head.Edits, edits)
	}
	explained := ask[any](t, other, "explain", with(object{"text": after}, asked))
	var beside any
	if err := json.Unmarshal(got[play.FrameAnswer], &beside); err != nil || fmt.Sprint(beside) != fmt.Sprint(explained) {
		t.Errorf("%s: beside the picture the answer differs from that about the changed text: %v", subject, err)
	}
	alone := ask[map[string]any](t, one, "explain", with(object{"text": text, "change": change}, asked))
	delete(alone, "edits")
	if fmt.Sprint(alone) != fmt.Sprint(explained) {
		t.Errorf("%s: alone the answer differs from that about the changed text", subject)
	}
	drawn := ask[any](t, other, "diagram", with(object{"text": after, "pixel": asked["pixel"]}, asked["diagram"].(object)))
	if fmt.Sprint(drawn) != fmt.Sprint(alone["diagram"]) {
		t.Errorf("%s: the diagram differs from that of the changed text", subject)
	}
}

// framesOf sends a render request, and returns the data of the frames by type. The picture must be coarse, so that
// no type occurs twice.
func framesOf(t *testing.T, e *play.Engine, request object) map[play.FrameType][]byte {
	t.Helper()
	frames := map[play.FrameType][]byte{}
	add := func(frame []byte) error {
		if frames[play.FrameType(frame[0])] != nil {
			t.Errorf("two frames of type %d", frame[0])
		}
		frames[play.FrameType(frame[0])] = bytes.Clone(frame[1:])
		return nil
	}
	if _, err := e.Answer(context.Background(), "render", must(json.Marshal(request)), add); err != nil && !strings.Contains(err.Error(), "animated") {
		t.Fatal(err)
	}
	return frames
}

// TestAskBesideAPicture checks a render request with a question that cannot be answered, here about a pixel
// outside the picture. The picture must still be rendered. If the request contains a change that is malformed, or
// invalid in the scene, the request must fail.
func TestAskBesideAPicture(t *testing.T) {
	e, text := engine(), demo(t)
	frames := framesOf(t, e, object{"text": text, "step": 8, "ask": object{"pixel": []int{-1, 5000}}})
	if got := string(frames[play.FrameAnswer]); !strings.Contains(got, "outside the picture") || frames[play.FramePixels] == nil || frames[play.FrameDone] == nil {
		t.Errorf("the answer %.100q, %d frames", got, len(frames))
	}
	set := func(value any) object {
		return object{"text": text, "step": 8, "change": object{"edit": object{"set": []object{{"key": "sphere[0].radius", "value": value}}}}}
	}
	if f := fails(t, e, "render", set(-1)); f.Status != play.StatusRefused || len(f.Problems) == 0 {
		t.Errorf("a negative radius: %+v", f)
	}
	for _, change := range []object{{}, {"edit": object{"set": []object{}}}, {"camera": object{}, "move": object{}}, {"shift": object{}}} {
		if f := fails(t, e, "render", object{"text": text, "change": change}); f.Status != play.StatusMalformed {
			t.Errorf("%v: %+v", change, f)
		}
	}
}

// TestKeep changes the position or the size of a solid so that the ray of a pixel no longer hits it. The
// explanation of the pixel then no longer contains the changed number. If the request names the number in the
// field keep, the explanation must contain it, with its new value.
func TestKeep(t *testing.T) {
	type answer struct {
		Sections []struct {
			Blocks []struct {
				Steps []struct {
					Key   string
					Value any
				}
			}
		}
	}
	keys := func(a answer) map[string]any {
		all := map[string]any{}
		for _, s := range a.Sections {
			for _, b := range s.Blocks {
				for _, step := range b.Steps {
					if step.Key != "" {
						all[step.Key] = step.Value
					}
				}
			}
		}
		return all
	}
	e, text, missing := engine(), demo(t), 0
	for _, pixel := range [][2]int{{905, 548}, {215, 365}, {520, 260}} {
		for key, value := range keys(ask[answer](t, e, "explain", object{"text": text, "pixel": pixel})) {
			table, name, _ := strings.Cut(key, ".")
			if strings.HasPrefix(table, "light") || strings.HasPrefix(table, "camera") || (name != "center" && name != "radius") {
				continue
			}
			away, want := any(0.001), any("0.001")
			if _, isVector := value.([]any); isVector {
				away, want = []float64{0, 500, 0}, []any{"0", "500", "0"}
			}
			request := object{"text": text, "pixel": pixel, "change": object{"edit": object{"set": []object{{"key": key, "value": away}}}}}
			if _, ok := keys(ask[answer](t, e, "explain", request))[key]; ok {
				continue // the ray still meets it, or the tests list it as missed with its numbers
			}
			missing++
			request["keep"] = key
			if got := keys(ask[answer](t, e, "explain", request))[key]; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("pixel %v, %s: %v, want %v", pixel, key, got, want)
			}
		}
	}
	if missing == 0 {
		t.Error("without keep, no number was missing")
	}
}
