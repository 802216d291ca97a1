package play_test

import (
	"strings"
	"testing"
)

// TestSuggest checks the descriptions of the suggested pixels against their explanations. A scene without solids
// must have no suggestions.
func TestSuggest(t *testing.T) {
	e := engine()
	type suggested struct {
		Pixels []struct {
			Pixel      [2]int
			Kind, Text string
		}
	}
	request := object{"text": demo(t), "width": 320, "height": 180, "antialias": 1}
	a := ask[suggested](t, e, "suggest", request)
	if len(a.Pixels) != 3 {
		t.Fatalf("suggested are %+v", a)
	}
	words := map[string]string{"shadow": "is in the shadow of", "mirror": "it mirrors", "lit": "is lit by both lights"}
	for _, p := range a.Pixels {
		request["pixel"] = p.Pixel
		x := ask[struct{ Intro []block }](t, e, "explain", request)
		if p.Text != x.Intro[0].Text || !strings.Contains(p.Text, words[p.Kind]) {
			t.Errorf("%v is suggested as %s: %q; its explanation says %q", p.Pixel, p.Kind, p.Text, x.Intro[0].Text)
		}
	}
	if a := ask[suggested](t, e, "suggest", object{"text": "[camera]\nposition = [0, 0, 1]\nlook_at = [0, 0, 0]\n"}); len(a.Pixels) != 0 {
		t.Errorf("in an empty scene, suggested are %+v", a)
	}
}
