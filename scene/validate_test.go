package scene

import (
	"math"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/shade"
	"pillbox/shapes"
)

// TestValidate checks that a scene made in Go is valid, and makes invalid changes to it, one at a time. Validate must
// report each of them. The colors of a transparent background are not used, so they may be invalid.
func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := func() *Scene {
		matte := Object{Material: shade.Material{Albedo: shade.White()}}
		return &Scene{
			Lights: []Light{
				{Light: shade.Light{Color: shade.White(), Intensity: 1}},
				{Light: shade.Light{Direction: geom.Vec3{Y: -1}, Cone: shade.Cone{Angle: 180, Edge: 90}, Color: shade.White(), Intensity: 1}},
				{Light: shade.Light{Directional: true, Direction: geom.Vec3{X: 3, Y: -4, Z: 5}.Unit(), Color: shade.White(), Intensity: MaxIntensity}},
			},
			Materials:       []Material{{Name: "steel", Material: shade.Material{Mirror: 1}}},
			Spheres:         []shapes.Sphere{{Radius: 1}},
			Capsules:        []shapes.Capsule{{Radius: 1}},
			Boxes:           []shapes.Box{{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: geom.Identity()}},
			Objects:         NewObjects(matte, matte, matte),
			AllowedOverlaps: [][2]string{{"arm*", "hand"}},
		}
	}
	if err := good().Validate(); err != nil {
		t.Fatalf("the scene to break is wrong itself: %v", err)
	}
	for want, breakIt := range map[string]func(s *Scene){
		"must have as many objects":                                               func(s *Scene) { s.Objects = NewObjects(s.Objects.Of(0), s.Objects.Of(1)) },
		"image.background.top: red must be finite, got NaN":                       func(s *Scene) { s.Image.Background.Top.R = nan },
		"image.background.bottom: blue must lie between 0 and 1, got 2":           func(s *Scene) { s.Image.Background.Bottom.B = 2 },
		"shading.ambient.top: green must lie between 0 and 1, got -0.5":           func(s *Scene) { s.Shading.Ambient.Top.G = -0.5 },
		"shading.bounces: must lie between 0 and 16, got -1":                      func(s *Scene) { s.Shading.Bounces = -1 },
		"shading.bounces: must lie between 0 and 16, got 17":                      func(s *Scene) { s.Shading.Bounces = MaxBounces + 1 },
		"shading.samples: must be a power of two, such as 2 or 4, got 3":          func(s *Scene) { s.Shading.Samples = 3 },
		"shading.samples: must lie between 1 and 4096, got -1":                    func(s *Scene) { s.Shading.Samples = -1 },
		"shading.samples: must lie between 1 and 4096, got 8192":                  func(s *Scene) { s.Shading.Samples = 2 * MaxSamples },
		"shading.occlusion.distance: must be positive and finite, got -1":         func(s *Scene) { s.Shading.Occlusion.Distance = -1 },
		"shading.occlusion.distance: must be positive and finite, got NaN":        func(s *Scene) { s.Shading.Occlusion.Distance = nan },
		"shading.occlusion.distance: must lie between 1e-15 and 1e+15, got 1e+16": func(s *Scene) { s.Shading.Occlusion.Distance = 1e16 },
		"checker.size: must be positive and finite, got 0": func(s *Scene) {
			s.Objects = s.Objects.With(2, Object{Material: shade.Material{Checker: &shade.Checker{}}})
		},
		"checker.color: green must lie between 0 and 1, got 2": func(s *Scene) {
			s.Materials[0].Checker = &shade.Checker{Size: 1, Albedo: shade.Color{G: 2}}
		},
		"light[1].direction: must have length 1, got [0, 0, 0]":             func(s *Scene) { s.Lights[1].Direction = geom.Vec3{} },
		"light[1].cone: must lie between 0.01 and 180, got 181":             func(s *Scene) { s.Lights[1].Cone.Angle = 181 },
		"light[1].cone: must be finite, got NaN":                            func(s *Scene) { s.Lights[1].Cone.Angle = geom.Angle(nan) },
		"light[1].edge: must lie between 0 and half of cone, 45":            func(s *Scene) { s.Lights[1].Cone.Angle = 90 },
		"light[1].edge: must lie between 0 and half of cone, 90":            func(s *Scene) { s.Lights[1].Cone.Edge = geom.Angle(nan) },
		"light[0].position: coordinates must be finite":                     func(s *Scene) { s.Lights[0].Position.Y = nan },
		"light[0].radius: must lie between 0 and 1e+15, got -1":             func(s *Scene) { s.Lights[0].Radius = -1 },
		"light[0].radius: must be finite, got NaN":                          func(s *Scene) { s.Lights[0].Radius = nan },
		"light[2].angle: must lie between 0 and 180, got 181":               func(s *Scene) { s.Lights[2].Angle = 181 },
		"light[2].angle: must be finite, got NaN":                           func(s *Scene) { s.Lights[2].Angle = geom.Angle(nan) },
		"shading.samples: must lie between 1 and 4096, got -4":              func(s *Scene) { s.Shading.Samples = -4 },
		"shading.samples: must be a power of two, such as 16 or 32, got 24": func(s *Scene) { s.Shading.Samples = 24 },
		"light[0].intensity: must be finite, got NaN":                       func(s *Scene) { s.Lights[0].Intensity = nan },
		"light[0].intensity: must lie between 0 and 1e+15, got -1":          func(s *Scene) { s.Lights[0].Intensity = -1 },
		"light[2].color: red must be finite, got +Inf":                      func(s *Scene) { s.Lights[2].Color.R = inf },
		"light[2].direction: must have length 1, got [0, 0, 0]":             func(s *Scene) { s.Lights[2].Direction = geom.Vec3{} },
		"light[2].direction: must have length 1, got [0, NaN, 1]":           func(s *Scene) { s.Lights[2].Direction = geom.Vec3{Y: nan, Z: 1} },
		"light[2].direction: must have length 1, got [0, 0, 1.00001]":       func(s *Scene) { s.Lights[2].Direction = geom.Vec3{Z: 1.00001} },
		`material "steel": mirror: must lie between 0 and 1, got 2`:         func(s *Scene) { s.Materials[0].Mirror = 2 },
		"sphere[0]: color: red must be finite, got NaN": func(s *Scene) {
			s.Objects = s.Objects.With(0, Object{Material: shade.Material{Albedo: shade.Color{R: nan}}})
		},
		"capsule[0]: mirror: must lie between 0 and 1, got 2":    func(s *Scene) { s.Objects = s.Objects.With(1, Object{Material: shade.Material{Mirror: 2}}) },
		"box[0]: mirror: must be finite, got NaN":                func(s *Scene) { s.Objects = s.Objects.With(2, Object{Material: shade.Material{Mirror: nan}}) },
		"sphere[0]: radius":                                      func(s *Scene) { s.Spheres[0].Radius = 0 },
		"capsule[0]: a":                                          func(s *Scene) { s.Capsules[0].A.X = inf },
		"box[0]: rotation: columns must be orthonormal":          func(s *Scene) { s.Boxes[0].Rotation = geom.Mat3{} },
		"overlaps.allow: must have at most 64 pairs, got 65":     func(s *Scene) { s.AllowedOverlaps = make([][2]string, MaxAllowedOverlaps+1) },
		`overlaps.allow[0][1]: syntax error in pattern, got "["`: func(s *Scene) { s.AllowedOverlaps[0][1] = "[" },
	} {
		s := good()
		breakIt(s)
		if err := s.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) && !strings.Contains(err.Error(), want) {
			t.Errorf("Validate() = %v, want %s", err, want)
		}
	}
	// With a transparent background, the background's colors do not matter.
	s := good()
	s.Image.Background = Background{Transparent: true, Gradient: shade.Even(shade.Gray(nan))}
	if err := s.Validate(); err != nil {
		t.Errorf("with a transparent background: %v", err)
	}
}

// TestValidateTakesWhatLoaderTakes checks that Validate accepts values that are exactly at a limit, as Load does.
func TestValidateTakesWhatLoaderTakes(t *testing.T) {
	s := decode(t, `
shading = { ambient = 1, bounces = 16 }
image.background = { top = "white", bottom = "black" }
light = [
	{ position = [1e15, -1e15, 0], intensity = 1e15 },
	{ direction = [1e-300, 3e-300, 0], color = [1, 0, 1], intensity = 0 },
	{ direction = [1e300, 1e300, 1e300] },
]
material.m = { mirror = 1, color = "#fff" }
sphere = [{ center = [1e15, 0, 0], radius = 1e-15, material = "m" }]
overlaps.allow = [["", "*"]]
`)
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}
