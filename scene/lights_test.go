package scene

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/tomltext"
	"pillbox/shade"
	"pillbox/shapes"
)

func TestDecodeSpotLight(t *testing.T) {
	s := decode(t, "[[light]]\nposition = [1, 2, 3]\ndirection = [0, -3, 4]\ncone = 40\nedge = 5\n[[light]]\nattach = \"camera\"\nposition = [0, 0, 0]\ndirection = [0, 0, -1]\ncone = 90\n")
	want := []shade.Light{
		{Position: geom.Vec3{X: 1, Y: 2, Z: 3}, Direction: geom.Vec3{Y: -0.6, Z: 0.8}, Cone: shade.Cone{Angle: 40, Edge: 5}, Color: shade.White(), Intensity: 1},
		{Direction: geom.Vec3{Z: -1}, Cone: shade.Cone{Angle: 90}, Color: shade.White(), Intensity: 1},
	}
	for i, l := range s.Lights {
		if l.Light != want[i] || !l.IsSpot() {
			t.Errorf("light[%d] = %+v, want %+v", i, l.Light, want[i])
		}
	}
	view, err := s.View(100, 50)
	if err != nil {
		t.Fatal(err)
	}
	head := s.PlacedLights(view)[1]
	if d := head.Direction.Sub(view.Axes().Z.Neg()).Norm(); head.Position != view.Position() || d > 1e-15 {
		t.Errorf("a spot light at the eye is at %v and shines along %v", head.Position, head.Direction)
	}
	if full, none := head.Share(view.Axes().Z), head.Share(view.Axes().X); full != 1 || none != 0 {
		t.Errorf("it has the share %v ahead, %v aside", full, none)
	}
}

// randomLamps returns a scene with parts that are randomly placed in each other. Each light has a sphere at its
// position, and a capsule that begins there and extends along the light's direction if it has one.
func randomLamps(rng *rand.Rand) string {
	var b strings.Builder
	vector := func() string {
		return fmt.Sprintf("[%.3f, %.3f, %.3f]", rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	}
	lights := func(prefix string) {
		for i := range rng.IntN(3) {
			p := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
			d := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
			fmt.Fprintf(&b, "[[%slight]]\nname = \"l%d\"\nposition = %s\n", prefix, i, tomltext.Vector(p))
			if rng.IntN(3) > 0 {
				fmt.Fprintf(&b, "direction = %s\ncone = 40\nedge = 5\n", tomltext.Vector(d))
			}
			fmt.Fprintf(&b, "[[%ssphere]]\nname = \"s%d\"\ncenter = %s\nradius = 1\n", prefix, i, tomltext.Vector(p))
			fmt.Fprintf(&b, "[[%scapsule]]\na = %s\nb = %s\nradius = 0.1\n", prefix, tomltext.Vector(p), tomltext.Vector(p.Add(d)))
		}
	}
	lights("")
	for depth := range 3 {
		prefix := ""
		if depth > 0 {
			prefix = fmt.Sprintf("part.p%d.", depth)
		}
		for i := range 1 + rng.IntN(2) {
			fmt.Fprintf(&b, "[[%splace]]\npart = \"p%d\"\nname = \"n%d\"\nposition = %s\nscale = %.2f\n", prefix, depth+1, i, vector(), 0.2+rng.Float64())
			switch rng.IntN(3) {
			case 0:
				fmt.Fprintf(&b, "rotate = %s\n", vector())
			case 1:
				b.WriteString("axes = [[0, 1, 0], [1, 0, 0], [0, 0, 1]]\n") // a mirror
			}
			if rng.IntN(2) == 0 {
				fmt.Fprintf(&b, "count = 3\nstep = { position = %s, axis = %s, angle = 35 }\n", vector(), vector())
			}
		}
	}
	for depth := 1; depth <= 3; depth++ {
		fmt.Fprintf(&b, "[part.p%d]\n", depth)
		lights(fmt.Sprintf("part.p%d.", depth))
	}
	return b.String()
}

// TestPlacedLights checks lights in the scene of randomLamps. Each must have the position of its sphere and shine
// along its capsule. Its number, name and table must correspond to those of the sphere.
func TestPlacedLights(t *testing.T) {
	placed, mirrored := 0, 0
	for seed := range effort.Of[uint64](40, 200, 3000) {
		text := randomLamps(rand.New(rand.NewPCG(27, seed)))
		s := decode(t, text)
		if len(s.Lights) != len(s.Spheres) {
			t.Fatalf("seed %d: %d lights, want %d", seed, len(s.Lights), len(s.Spheres))
		}
		for i, l := range s.Lights {
			sphere, capsule := s.Spheres[i], s.Capsules[i]
			if l.Position != sphere.Center {
				t.Fatalf("seed %d: light[%d] at %v, want %v", seed, i, l.Position, sphere.Center)
			}
			if want := capsule.B.Sub(capsule.A).Unit(); l.IsSpot() && l.Direction.Sub(want).Norm() > 1e-13*(1+l.Position.Norm()/capsule.B.Sub(capsule.A).Norm()) {
				t.Errorf("seed %d: light[%d] shines along %v, want %v", seed, i, l.Direction, want)
			}
			if got, want := l.Name, strings.Replace(s.Objects.Name(i), "s", "l", 1); got != want {
				t.Errorf("seed %d: light[%d] is %q, want %q", seed, i, got, want)
			}
			key, _, ok := s.LightTable(i)
			want, _, _ := s.Table(i)
			if key != strings.Replace(want, "sphere", "light", 1) || !ok {
				t.Errorf("seed %d: light[%d] is from %s, its sphere from %s", seed, i, key, want)
			}
		}
		placed += len(s.Lights) - len(s.root.lights)
		mirrored += strings.Count(text, "axes")
		checkExport(t, s)
	}
	if placed < 250 || mirrored < 5 {
		t.Errorf("only %d lights were placed, %d placements mirrored", placed, mirrored)
	}
}

// checkExport writes s as a scene in which nothing is in parts, and reads that scene again. The lights must be
// equal, except for the vectors from which their directions were normalized.
func checkExport(t *testing.T, s *Scene) {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteTOML(&b); err != nil {
		t.Fatal(err)
	}
	again := decode(t, b.String())
	if len(again.Lights) != len(s.Lights) {
		t.Fatalf("%d lights become %d", len(s.Lights), len(again.Lights))
	}
	for i := range s.Lights {
		want, got := s.Lights[i], again.Lights[i]
		want.stated, got.stated = geom.Vec3{}, geom.Vec3{}
		if got != want {
			t.Fatalf("light[%d] becomes %+v, want %+v", i, got, want)
		}
	}
}

// TestPlacedParallelLight checks that a directional light rotates with its part, and that the part's position and
// scale do not change it.
func TestPlacedParallelLight(t *testing.T) {
	s := decode(t, "[[part.p.light]]\ndirection = [0, -1, 0]\n[[place]]\npart = \"p\"\nposition = [9, 9, 9]\nrotate = [0, 0, 90]\nscale = 3\n")
	want := shade.Light{Directional: true, Direction: geom.Vec3{X: 1}, Color: shade.White(), Intensity: 1}
	if len(s.Lights) != 1 || s.Lights[0].Light != want {
		t.Errorf("got %+v, want %+v", s.Lights, want)
	}
}

// TestLightsInPartsMove checks that animations can change lights in parts, and the placements around them, for all
// copies or for some.
func TestLightsInPartsMove(t *testing.T) {
	const lamp = `
[[light]]
name = "sun"
direction = [0, -1, 0]
[part.head]
[[part.head.light]]
name = "bulb"
position = [0, -1, 0]
direction = [0, -1, 0]
cone = %s
edge = 2
intensity = %s
[part.lamp]
[[part.lamp.place]]
part = "head"
name = "head"
position = [0, 3, 0]
rotate = [0, 0, %s]
[[place]]
part = "lamp"
name = "lamp"
count = 2
step = { position = [5, 0, 0] }
`
	animate := func(target string, values ...string) string {
		return fmt.Sprintf("[[animate]]\ntarget = %q\ntimes = [0, 2]\nvalues = [%s]\n", target, strings.Join(values, ", "))
	}
	s := decode(t, fmt.Sprintf(lamp, "20", "1", "0")+animate("lamp/head.rotate", "[0, 0, -30]", "[0, 0, 90]")+
		animate("part.head/bulb.cone", "20", "60")+animate("part.head/light[0].intensity", "0", "3")+animate("sun.intensity", "1", "0.5"))
	if s.Lights[1].Name != "lamp[0]/head/bulb" || s.Lights[1].Intensity != 1 {
		t.Errorf("without a time the lights are %+v", s.Lights)
	}
	at, err := s.At(1)
	if err != nil {
		t.Fatal(err)
	}
	want := decode(t, fmt.Sprintf(lamp, "40", "1.5", "30")).Lights
	want[0].Intensity = 0.75
	if !reflect.DeepEqual(at.Lights, want) {
		t.Errorf("at 1 s the lights are\n%+v, want\n%+v", at.Lights, want)
	}
	if s.Lights[0].Intensity != 1 || s.Lights[1].Cone.Angle != 20 {
		t.Error("the scene itself changed")
	}

	s = decode(t, fmt.Sprintf(lamp, "20", "1", "0")+animate("lamp[1]/head/bulb.intensity", "0", "3"))
	if at, err = s.At(1); err != nil {
		t.Fatal(err)
	}
	if first, second := at.Lights[1].Intensity, at.Lights[2].Intensity; first != 1 || second != 1.5 {
		t.Errorf("the intensities are %v and %v, want that of the second copy to change alone", first, second)
	}

	s = decode(t, fmt.Sprintf(lamp, "20", "1", "0")+animate("lamp.position", "[0, 0, 0]", "[1e15, 0, 0]")+"ease = \"step\"\n")
	if _, err := s.At(2); err == nil || !strings.Contains(err.Error(), "at 2 s: puts lamp[1]/head/bulb (part.head.light[0]) outside the limits: position:") {
		t.Errorf("a light that is moved too far: %v", err)
	}
}

// TestLightLabel checks the labels of lights. A copied scene with fewer lights counts as not read from a file.
func TestLightLabel(t *testing.T) {
	const part = "[[part.p.light]]\nposition = [0, 0, 0]\n[[part.p.light]]\nname = \"b\"\nposition = [0, 0, 0]\n"
	s := decode(t, part+"[[light]]\ndirection = [0, 1, 0]\n[[place]]\npart = \"p\"\n[[place]]\npart = \"p\"\nname = \"c\"\ncount = 2\nstep.position = [1, 0, 0]\n")
	want := []string{"light[0]", "place[0]/light[0]", "place[0]/b", "c[0]/light[0]", `light "c[0]/b"`, "c[1]/light[0]", `light "c[1]/b"`}
	for i := range s.Lights {
		if got := s.LightLabel(i); got != want[i] {
			t.Errorf("light %d is %s, want %s", i, got, want[i])
		}
	}
	r := *s
	r.Lights = r.Lights[:3]
	if _, _, ok := r.LightTable(0); ok || r.LightLabel(1) != "light[1]" {
		t.Error("a scene with other lights knows where they come from")
	}
}

// TestEveryConeIsExact checks that writing and reading a scene keeps every angle of a cone to the bit.
func TestEveryConeIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 9))
	s := New()
	s.Spheres, s.Objects = []shapes.Sphere{{Radius: 1}}, NewObjects(Object{})
	for range 50 {
		cone := MinCone + rng.Float64()*(MaxCone-MinCone)
		direction := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
		s.Lights = append(s.Lights, Light{Light: shade.Light{
			Position: geom.Vec3{X: math.Exp(40 * rng.NormFloat64() / 3)}, Direction: direction,
			Cone: shade.Cone{Angle: geom.Angle(cone), Edge: geom.Angle(cone / 2 * rng.Float64())}, Color: shade.White(), Intensity: 1,
		}})
	}
	checkExport(t, s)
}
