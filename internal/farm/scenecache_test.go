package farm

import (
	"context"
	"image"
	"testing"

	"pillbox/scene"
)

// TestSceneCacheKnowsTheTime checks that the cache distinguishes a moving scene without a time from the scene at
// time 0.
func TestSceneCacheKnowsTheTime(t *testing.T) {
	s, err := scene.Decode("s.toml", []byte(`
[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 1
[animation]
duration = 1
[[animate]]
target = "ball.radius"
times = [0, 1]
values = [2, 3]
`))
	if err != nil {
		t.Fatal(err)
	}
	zero, one := 0.0, 1.0
	cache := newSceneCache(func(context.Context, string) (*scene.Scene, error) { return s, nil }, 2)
	for range 2 {
		for _, test := range []struct {
			time *float64
			want float64
		}{{nil, 1}, {&zero, 2}, {&one, 3}} {
			e, err := cache.prepared(t.Context(), task{Scene: "s", Shot: Shot{Size: image.Pt(4, 3), Time: test.time}})
			if err != nil {
				t.Fatal(err)
			}
			if got := e.scene.Spheres[0].Radius; got != test.want {
				t.Errorf("the radius is %v, want %v", got, test.want)
			}
		}
	}
}
