package pillbox_test

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// TestAgreesWithPOVRay renders a random scene of 1,000 solids with POV-Ray, too: another
// program, by other people, with other formulas. Only single pixels on silhouettes and
// shadow edges may differ.
func TestAgreesWithPOVRay(t *testing.T) {
	povray, err := exec.LookPath("povray")
	if err != nil {
		t.Skip("povray is not installed")
	}
	for _, shadows := range []bool{false, true} {
		t.Run(fmt.Sprintf("shadows=%v", shadows), func(t *testing.T) {
			s := randomScene(rand.New(rand.NewPCG(42, 0)), 1000)
			s.Shading.Shadows = shadows
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "scene.pov"), povScene(s), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(povray, "+Iscene.pov", "+Oscene.png", "-D", "-A",
				fmt.Sprintf("+W%d", s.Image.Width), fmt.Sprintf("+H%d", s.Image.Height))
			cmd.Dir = dir
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			theirs, err := readPNG(filepath.Join(dir, "scene.png"))
			if err != nil {
				t.Fatal(err)
			}
			ours := render(t, s, pillbox.Options{}).Image
			if differ := countBeyond(ours, theirs, 3); differ > 20 {
				t.Errorf("%d pixels differ by more than 3, want at most 20", differ)
			} else {
				t.Logf("%d of %d pixels differ by more than 3", differ, s.Image.Width*s.Image.Height)
			}
		})
	}
}

// countBeyond counts the pixels of which a channel differs by more than limit.
func countBeyond(a *image.NRGBA, b image.Image, limit int) int {
	n := 0
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			c := a.NRGBAAt(x, y)
			r, g, bl, _ := b.At(x, y).RGBA()
			for _, d := range []int{int(c.R) - int(r>>8), int(c.G) - int(g>>8), int(c.B) - int(bl>>8)} {
				if d > limit || d < -limit {
					n++
					break
				}
			}
		}
	}
	return n
}

// randomScene fills a cube of edge 20 with n solids, a third of each kind, seen from z = 32.
func randomScene(rng *rand.Rand, n int) *scene.Scene {
	uniform := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	vec := func(lo, hi float64) geom.Vec3 {
		return geom.Vec3{X: uniform(lo, hi), Y: uniform(lo, hi), Z: uniform(lo, hi)}
	}
	sky := shade.Color{R: 0.5, G: 0.7, B: 1}
	s := &scene.Scene{
		Image:   scene.Image{Width: 960, Height: 540, Antialias: 1, Background: scene.Background{Top: sky, Bottom: sky}},
		Camera:  &camera.Camera{Position: geom.Vec3{Z: 32}, Up: camera.DefaultUp(), FOV: 40},
		Shading: scene.Shading{Ambient: shade.Gray(0.1), Shadows: true},
		Lights:  []shade.Light{{Position: geom.Vec3{X: 30, Y: 40, Z: 50}, Color: shade.White(), Intensity: 0.9}},
	}
	size := 4.5 * math.Cbrt(1/float64(n))
	for i := range n {
		c := vec(-10, 10)
		switch i % 3 {
		case 0:
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: c, Radius: uniform(0.5, 1) * size})
		case 1:
			half := vec(-1, 1).Scale(size)
			s.Capsules = append(s.Capsules, shapes.Capsule{A: c.Sub(half), B: c.Add(half), Radius: uniform(0.25, 0.5) * size})
		case 2:
			turn, _ := geom.RotationQuaternion(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
			s.Boxes = append(s.Boxes, shapes.Box{Center: c, HalfExtents: vec(0.3, 0.9).Scale(size), Rotation: turn})
		}
	}
	for range n {
		v := vec(0.2, 1)
		s.Objects = append(s.Objects, scene.Object{Material: shade.Material{Albedo: shade.Color{R: v.X, G: v.Y, B: v.Z}}})
	}
	return s
}

// povScene writes a scene with one white point light and a plain background for POV-Ray.
// Its mirrored right vector makes the coordinates right-handed.
func povScene(s *scene.Scene) []byte {
	var w bytes.Buffer
	v := func(p geom.Vec3) string { return fmt.Sprintf("<%v,%v,%v>", p.X, p.Y, p.Z) }
	rgb := func(c shade.Color) string { return fmt.Sprintf("rgb <%v,%v,%v>", c.R, c.G, c.B) }
	shadowless := "shadowless"
	if s.Shading.Shadows {
		shadowless = ""
	}
	light := s.Lights[0]
	fmt.Fprintf(&w, "#version 3.7; global_settings { assumed_gamma 1 max_trace_level 1 }\n")
	fmt.Fprintf(&w, "camera { perspective location %s right -x*%d/%d up y direction z*%v look_at %s }\n",
		v(s.Camera.Position), s.Image.Width, s.Image.Height, 0.5/(s.Camera.FOV/2).Tan(), v(s.Camera.LookAt))
	fmt.Fprintf(&w, "light_source { %s rgb 1 %s }\nbackground { %s }\n", v(light.Position), shadowless, rgb(s.Image.Background.Top))
	fmt.Fprintf(&w, "#default { finish { ambient %v diffuse %v } }\n", s.Shading.Ambient.R, light.Intensity)
	material := func(i int) string { return "pigment { " + rgb(s.Objects[i].Material.Albedo) + " }" }
	for i, x := range s.Spheres {
		fmt.Fprintf(&w, "sphere { %s, %v %s }\n", v(x.Center), x.Radius, material(i))
	}
	for i, x := range s.Capsules {
		fmt.Fprintf(&w, "union { cylinder { %s, %s, %v open } sphere { %[1]s, %[3]v } sphere { %[2]s, %[3]v } %s }\n",
			v(x.A), v(x.B), x.Radius, material(len(s.Spheres)+i))
	}
	for i, x := range s.Boxes {
		m := x.Rotation
		fmt.Fprintf(&w, "box { %s, %s matrix <%v,%v,%v, %v,%v,%v, %v,%v,%v, %v,%v,%v> %s }\n",
			v(x.HalfExtents.Neg()), v(x.HalfExtents),
			m.X.X, m.X.Y, m.X.Z, m.Y.X, m.Y.Y, m.Y.Z, m.Z.X, m.Z.Y, m.Z.Z, x.Center.X, x.Center.Y, x.Center.Z,
			material(len(s.Spheres)+len(s.Capsules)+i))
	}
	return w.Bytes()
}
