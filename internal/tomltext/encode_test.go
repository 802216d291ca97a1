package tomltext

import (
	"fmt"
	"math"
	"testing"
)

// TestEncode checks that parsing an encoded value returns the same value.
func TestEncode(t *testing.T) {
	root := map[string]any{
		"include": []any{"a.toml", "tab\there"},
		"image":   map[string]any{"width": int64(64), "background": map[string]any{"top": "#fff", "bottom": "\"quoted\" \\ \u0001"}},
		"sphere": []map[string]any{
			{"center": []any{0.1, int64(-2), 1e-300}, "radius": math.MaxFloat64, "on": true},
			{"center": []any{math.Copysign(0, -1), math.Nextafter(1, 2), 1.0}},
		},
		"part": map[string]any{"a b.c": map[string]any{"place": []map[string]any{{"part": "", "step": map[string]any{"angle": 30.0}}}}},
		"list": []any{[]any{[]any{int64(1), 2.5}}, []any{}},
	}
	back, err := Parse(Encode(root))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%#v", back), fmt.Sprintf("%#v", root); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
