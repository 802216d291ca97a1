package explain

import (
	"fmt"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/scene"
)

// TestRayStatesItsPoints explains rays in scenes with sample points, such as those of lights with a size. A ray
// must use the points of the pixel through which the camera casts it, or those of pixel 0,0 if there is no such
// pixel. The explanation must name this pixel.
func TestRayStatesItsPoints(t *testing.T) {
	const text = `
[image]
width = 40
height = 20
antialias = 2
[camera]
position = [0, 8, 0]
look_at = [0, 0, 0]
up = [0, 0, -1]
projection = %q
view_height = 20
fov = 90
[[light]]
position = [0, 9, 0]
%s
[[sphere]]
center = [0, 5, 0]
radius = 0.5
[[box]]
center = [0, -1, 0]
half_extents = [90, 1, 90]
`
	const other = "The camera does not cast it through the picture of 40 x 20 pixels, so it gets the sample points of pixel 0,0."
	through := func(sample int, pixel string) string {
		return fmt.Sprintf("It gets the sample points of sample %d of pixel %s, through which the camera casts it in the picture of 40 x 20 pixels.", sample, pixel)
	}
	down := geom.Vec3{Y: -1}
	for _, test := range []struct {
		projection string
		origin     geom.Vec3
		dir        geom.Vec3
		want       string
	}{
		{"perspective", geom.Vec3{Y: 8}, geom.Vec3{X: 0.1, Y: -8, Z: 0.1}, through(1, "20,10")},
		{"perspective", geom.Vec3{Y: 8}, geom.Vec3{X: -15.9, Y: -8, Z: 7.9}, through(3, "0,19")},
		{"perspective", geom.Vec3{Y: 8}, geom.Vec3{X: -16.1, Y: -8}, other},                       // outside the picture
		{"perspective", geom.Vec3{Y: 8.5}, down, other},                                           // does not start at the camera
		{"orthographic", geom.Vec3{X: 0.2, Y: 7, Z: -9.2}, down, through(3, "20,0")},              // one unit is a pixel
		{"orthographic", geom.Vec3{X: 0.2, Y: 8}, geom.Vec3{X: 0.01, Y: -1}, other},               // another direction
		{"orthographic", geom.Vec3{X: 20.2, Y: 8}, down, other},                                   // outside the picture
		{"orthographic", geom.Vec3{X: -19.8, Y: -3, Z: 9.6}, geom.Vec3{Y: -4}, "The ray hits no"}, // starts below the floor
	} {
		for _, size := range []string{"", "radius = 1"} {
			s, err := scene.Decode("s.toml", fmt.Appendf(nil, text, test.projection, size))
			if err != nil {
				t.Fatal(err)
			}
			p, err := pillbox.Prepare(s, pillbox.Picture{})
			if err != nil {
				t.Fatal(err)
			}
			x, err := New(p).Ray(test.origin, test.dir)
			if err != nil {
				t.Fatal(err)
			}
			json, err := x.JSON(Usual)
			if err != nil {
				t.Fatal(err)
			}
			for _, detail := range []Detail{Usual, Brief} {
				var b strings.Builder
				if err := x.Document(detail).WriteText(&b, TextStyle{}); err != nil {
					t.Fatal(err)
				}
				got := strings.Join(strings.Fields(b.String()), " ")
				if want := size != "" || x.Hit == nil; strings.Contains(got, test.want) != want || strings.Contains(string(json), `"points_of"`) != (size != "") {
					t.Errorf("%+v, %q: want %v\n%s", test, size, want, got)
				}
			}
		}
	}
}

// TestHidersText checks that a brief explanation names the solids that hide points of a light.
func TestHidersText(t *testing.T) {
	eachSoftPixel(t, 60, func(tracer *Tracer, x *Pixel) {
		q := x.Samples[0].traced()
		for i := range q.Lights {
			a := &q.Lights[i]
			all := hiders(lightPoints(a))
			if a.Visibility.Arrives() && len(all) > 0 {
				var b strings.Builder
				if err := x.Document(Brief).WriteText(&b, TextStyle{}); err != nil {
					t.Fatal(err)
				}
				text := tracer.hidersText(a)
				if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), text) {
					t.Errorf("no %q in\n%s", text, b.String())
				}
				if want := fmt.Sprintf("%s hides %d", tracer.label(all[0].object), all[0].count); !strings.HasPrefix(text, want) {
					t.Errorf("%q, want %q", text, want)
				}
			}
		}
	})
}
