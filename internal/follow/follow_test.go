package follow_test

import (
	"image"
	"math"
	"pillbox"
	"reflect"
	"slices"
	"testing"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/shipped"
	"pillbox/internal/follow"
	"pillbox/internal/sampler"
	"pillbox/scene"
	"pillbox/shapes"
)

// eachScene calls f as a subtest for every shipped scene, prepared for a small picture.
func eachScene(t *testing.T, f func(t *testing.T, st *follow.Prepared)) {
	shipped.Each(t, func(t *testing.T, s *scene.Scene) { f(t, prepare(t, s, pillbox.Picture{Size: image.Pt(40, 0)})) })
}

func prepare(t *testing.T, s *scene.Scene, pic pillbox.Picture) *follow.Prepared {
	t.Helper()
	p, err := pillbox.Prepare(s, pic)
	if err != nil {
		t.Fatal(err)
	}
	return follow.Of(p)
}

// eachPath calls f with the path of the ray through the center of each pixel.
func eachPath(st *follow.Prepared, f func(d accel.SecondaryRay, at sampler.Position, p *follow.Path)) {
	packet := st.View.Packet(st.Region, 1)
	for i := range packet.Len() {
		d := st.CameraRay(packet.At(i))
		at := follow.PositionOf(&packet, i)
		f(d, at, st.Follow(d, at, nil))
	}
}

// TestRecordingChangesNothing checks that traversals are recorded, and that recording does not affect the path.
func TestRecordingChangesNothing(t *testing.T) {
	eachScene(t, func(t *testing.T, st *follow.Prepared) {
		eachPath(st, func(d accel.SecondaryRay, at sampler.Position, want *follow.Path) {
			got := st.Follow(d, at, follow.Record(1<<30))
			paths := []*follow.Path{}
			for q := got; q != nil; q = q.Mirror {
				if len(q.Traversal.Steps) == 0 && st.Scene.Objects.Len() > 0 {
					t.Fatalf("%+v: no traversal is recorded", d.Ray)
				}
				q.Traversal = follow.Traversal{}
				paths = append(append(paths, q), q.Ghosts...)
			}
			for _, q := range paths {
				for i := range q.Lights {
					a := &q.Lights[i]
					if isCast := !a.Light.HasSize() && st.Scene.Shading.Shadows && (a.Visibility == follow.Visible || a.Visibility == follow.Blocked); isCast != (a.Traversal != nil) {
						t.Fatalf("%+v: light %d %v, its traversal is %v", d.Ray, i, a.Visibility, a.Traversal)
					}
					a.Traversal = nil
					for k := range a.Points {
						if p := &a.Points[k]; p.Object != q.Hit.Object && p.Traversal == nil {
							t.Fatalf("%+v: the traversal to point %d of light %d is not recorded", d.Ray, k, i)
						}
						a.Points[k].Traversal = nil
					}
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v: %+v with walks, %+v without", d.Ray, got, want)
			}
		})
	})
}

// TestStepsEqualPath compares the path that Follow returns with the results of the steps, called one by one.
func TestStepsEqualPath(t *testing.T) {
	eachScene(t, func(t *testing.T, st *follow.Prepared) {
		eachPath(st, func(d accel.SecondaryRay, at sampler.Position, p *follow.Path) {
			for q := st.Intersect(d, at, nil); ; q = st.Reflect(&q, nil) {
				if !reflect.DeepEqual(q, p.Interaction) {
					t.Fatalf("%+v ends at %+v, on the path at %+v", d.Ray, q, p.Interaction)
				}
				if !q.IsSolid() {
					if c, seen := st.Background(q.Ray.Dir); c != p.Behind || seen != p.Seen || p.Mirror != nil {
						t.Fatalf("%+v sees %v, %v, on the path %v, %v", d.Ray, c, seen, p.Color, p.Seen)
					}
					return
				}
				for i, want := range p.Lights {
					if got := st.SampleLight(&q, i, nil); !reflect.DeepEqual(got, want) {
						t.Fatalf("%+v: light %d: %+v, on the path %+v", d.Ray, i, got, want)
					}
				}
				if st.Mirrors(&q) != (p.Mirror != nil) {
					t.Fatalf("%+v: mirrors %v, on the path %v", d.Ray, st.Mirrors(&q), p.Mirror)
				}
				if p.Mirror == nil {
					return
				}
				p = p.Mirror
			}
		})
	})
}

// TestCameraKnowsWhatIsAroundTheEye checks the lists of solids that contain the origins of camera rays. The rays of
// a perspective camera share one list. Each ray of an orthographic camera has its own.
func TestCameraKnowsWhatIsAroundTheEye(t *testing.T) {
	s := &scene.Scene{
		Image:   scene.Image{Width: 2, Height: 1, Antialias: 1},
		Camera:  &camera.Camera{Position: geom.Vec3{X: -1}, LookAt: geom.Vec3{X: -1, Z: -1}, Up: geom.Vec3{Y: 1}, FOV: 60, ViewHeight: 2},
		Spheres: []shapes.Sphere{{Center: geom.Vec3{X: -2}, Radius: 1.5}, {Radius: 0.5}},
		Objects: scene.NewObjects(make([]scene.Object, 2)...),
	}
	for projection, want := range map[camera.Projection][2][]int32{
		camera.Perspective:  {{0}, {0}},
		camera.Orthographic: {{0}, {1}},
	} {
		s.Camera.Projection = projection
		st := prepare(t, s, pillbox.Picture{})
		for x, want := range want {
			p := st.PixelRays(image.Pt(x, 0), 1)
			if got := st.CameraRay(p.SampleRay(0, 0)); !slices.Equal(got.Eye, want) || got.Object != accel.None {
				t.Errorf("%v, pixel %d: %+v, want a ray from inside %v", projection, x, got, want)
			}
		}
	}
}

// TestAdaptiveNeedsSamples checks that antialiasing is not adaptive with one sample per pixel.
func TestAdaptiveNeedsSamples(t *testing.T) {
	s := &scene.Scene{Image: scene.Image{Width: 4, Height: 3, Antialias: 3, Adaptive: true}}
	for n, want := range []bool{true, false, true} {
		st := prepare(t, s, pillbox.Picture{Antialias: n})
		if st.Adaptive() != want {
			t.Errorf("antialias %d: adaptive %v", n, st.Adaptive())
		}
	}
}

func TestVisibilityString(t *testing.T) {
	if got := follow.Enclosed.String() + ", " + follow.Visibility(9).String(); got != "enclosed, Visibility(9)" {
		t.Error(got)
	}
}

// TestLightsStopAtSurfaces checks that the shadow ray of each light that does not arrive ends on the surface of the solid
// that blocks it, also if this solid contains the point.
func TestLightsStopAtSurfaces(t *testing.T) {
	tried := map[follow.Visibility]int{}
	eachScene(t, func(t *testing.T, st *follow.Prepared) {
		eachPath(st, func(_ accel.SecondaryRay, _ sampler.Position, p *follow.Path) {
			for q := p; q != nil; q = q.Mirror {
				for i := range q.Lights {
					a := &q.Lights[i]
					stop, ok := a.Stop(q.Hit.Point)
					if hides := a.Visibility == follow.Blocked || a.Visibility == follow.Enclosed || a.Visibility == follow.Partly; ok != hides {
						t.Fatalf("%v: stops %v", a.Visibility, ok)
					}
					if !ok {
						continue
					}
					tried[a.Visibility]++
					scale := 1e-9 * (1 + stop.MaxAbs() + st.Scene.Solid(int(a.Object)).Bounds().MaxAbs())
					if out := st.Scene.Solid(int(a.Object)).Bounds(); outsideBy(out, stop) > scale {
						t.Fatalf("%v: the ray stops at %v, outside %v", a.Visibility, stop, out)
					}
					if s, ok := st.Scene.Solid(int(a.Object)).(*shapes.Sphere); ok && math.Abs(stop.Sub(s.Center).Norm()-s.Radius) > scale {
						t.Fatalf("%v: the ray stops at %v, not on %v", a.Visibility, stop, s)
					}
				}
			}
		})
	})
	for _, v := range []follow.Visibility{follow.Blocked, follow.Enclosed, follow.Partly} {
		if tried[v] == 0 {
			t.Errorf("no light is %v", v)
		}
	}
}

// outsideBy returns how far a point lies outside bounds.
func outsideBy(b geom.Bounds, p geom.Vec3) float64 {
	return max(0, b.Min.X-p.X, b.Min.Y-p.Y, b.Min.Z-p.Z, p.X-b.Max.X, p.Y-b.Max.Y, p.Z-b.Max.Z)
}
