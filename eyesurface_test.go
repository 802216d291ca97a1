package pillbox_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pillbox"
	"pillbox/scene"
)

// TestEyeOnSurface checks the rule for an eye exactly on the surface of a solid, for every kind of solid: it counts as
// outside. Away from the solid, it sees the picture without the solid, and lights reach what it sees. Only where rounding
// errors put the eye just inside, a ray meets the surface at the eye itself, which is the only red thing here.
// Loading the scene gives a warning that says so.
func TestEyeOnSurface(t *testing.T) {
	kinds := map[string]string{
		"sphere":   "center = [0, 0, 0]\nradius = 2\n",
		"capsule":  "a = [-1, 0, 0]\nb = [1, 0, 0]\nradius = 2\n",
		"box":      "center = [0, 0, 0]\nhalf_extents = [3, 2, 2]\n",
		"cylinder": "a = [-3, 0, 0]\nb = [3, 0, 0]\nradius = 2\n",
	}
	directions := map[string][3]float64{"x": {3, 0, 0}, "-x": {-3, 0, 0}, "y": {0, 2, 0}, "-y": {0, -2, 0}, "z": {0, 0, 2}, "-z": {0, 0, -2}}
	for kind, keys := range kinds {
		keys += "color = \"#ff0000\"\n"
		for name, d := range directions {
			if kind == "sphere" {
				d[0] *= 2. / 3
			}
			at := func(factor float64) string { return fmt.Sprint([]float64{factor * d[0], factor * d[1], factor * d[2]}) }
			list := func(factor float64) string { return strings.ReplaceAll(at(factor), " ", ", ") }
			text := "image = { width = 24, height = 18, background = \"white\" }\n[camera]\nup = [0.3, 0.5, 0.7]\nfov = 90\nposition = " + list(1) + "\nlook_at = " + list(3) +
				"\n[[light]]\nposition = " + list(1.5) + "\n[[sphere]]\ncenter = " + list(4) + "\nradius = 1\n"
			decode := func(text string) *scene.Scene {
				t.Helper()
				s, err := scene.Decode("eye.toml", []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			picture := func(s *scene.Scene) []uint8 {
				t.Helper()
				film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
				if err != nil {
					t.Fatal(err)
				}
				return film.Image.Pix
			}
			with := text + "[[" + kind + "]]\n" + keys
			got, want, same := picture(decode(with)), picture(decode(text)), 0
			for i := 0; i < len(want); i += 4 {
				if isRed := got[i+1] == 0 && got[i+2] == 0; bytes.Equal(got[i:i+4], want[i:i+4]) {
					same++
				} else if !isRed || kind == "box" {
					t.Errorf("%s, eye in direction %s: pixel %d is %v, without the solid %v", kind, name, i/4, got[i:i+4], want[i:i+4])
				}
			}
			if same < len(want)/4/3 {
				t.Errorf("%s, eye in direction %s: only %d pixels show what is beyond the surface", kind, name, same)
			}
			if warnings := decode(with).Warnings; !strings.Contains(fmt.Sprint(warnings), "the eye lies on the surface of "+kind) {
				t.Errorf("%s: the warnings are %v", kind, warnings)
			}
		}
	}
}
