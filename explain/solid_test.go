package explain_test

import (
	"testing"

	"pillbox/explain"
	"pillbox/scene"
)

// TestSolidOfPlacement checks that a solid of a placement can be found by the label that texts print for it.
func TestSolidOfPlacement(t *testing.T) {
	s, err := scene.Decode("s.toml", []byte(`
[part.p]
sphere = [{ center = [0, 0, 0], radius = 1 }, { name = "bone", center = [0, 3, 0], radius = 1 }]
[[place]]
part = "p"
count = 2
step = { position = [3, 0, 0] }
[[place]]
part = "p"
name = "index"
position = [0, 9, 0]
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int32{
		"place[0][1]/sphere[0]": 2, "place[0][1]/bone": 3, "index/sphere[0]": 4, "index/bone": 5, "sphere[2]": 2,
	} {
		if got, ok := explain.Solid(s, name); got != want || !ok {
			t.Errorf("%s is solid %d, %v, want %d", name, got, ok, want)
		}
	}
	if got, ok := explain.Solid(s, "place[1][0]/sphere[0]"); ok {
		t.Errorf("a copy of a placement without copies is solid %d", got)
	}
}
