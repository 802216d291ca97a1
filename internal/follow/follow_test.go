package follow_test

import (
	"errors"
	"image"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shapes"
)

// eachStage runs a test on a small picture of every shipped scene.
func eachStage(t *testing.T, f func(t *testing.T, st *follow.Prepared)) {
	files, err := filepath.Glob("../../scenes/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenes: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".toml"), func(t *testing.T) {
			s, err := scene.Load(file)
			if err != nil {
				t.Fatal(err)
			}
			st, err := follow.New(s, follow.Options{Size: image.Pt(40, 0)})
			if err != nil {
				t.Fatal(err)
			}
			f(t, st)
		})
	}
}

// eachPath follows the ray through the center of every pixel.
func eachPath(st *follow.Prepared, f func(d accel.SecondaryRay, p *follow.Path)) {
	packet := st.View.Packet(st.Region, 1)
	for i := range packet.Len() {
		d := st.CameraRay(packet.At(i))
		f(d, st.Follow(d, follow.Ends))
	}
}

// TestRecordingChangesNothing: what is recorded besides has no influence, and is there.
func TestRecordingChangesNothing(t *testing.T) {
	eachStage(t, func(t *testing.T, st *follow.Prepared) {
		eachPath(st, func(d accel.SecondaryRay, want *follow.Path) {
			got := st.Follow(d, follow.Walks)
			for q := got; q != nil; q = q.Mirror {
				if len(q.Walk.Steps) == 0 && st.Scene.Objects.Len() > 0 {
					t.Fatalf("%+v: no walk is recorded", d.Ray)
				}
				q.Walk = follow.Walk{}
				for i := range q.Lights {
					a := &q.Lights[i]
					if isCast := st.Scene.Shading.Shadows && (a.Visibility == follow.Visible || a.Visibility == follow.Blocked); isCast != (a.Walk != nil) {
						t.Fatalf("%+v: light %d %v, its walk is %v", d.Ray, i, a.Visibility, a.Walk)
					}
					a.Walk = nil
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v: %+v with walks, %+v without", d.Ray, got, want)
			}
		})
	})
}

// TestStepsEqualPath takes the single steps of a path by hand.
func TestStepsEqualPath(t *testing.T) {
	eachStage(t, func(t *testing.T, st *follow.Prepared) {
		eachPath(st, func(d accel.SecondaryRay, p *follow.Path) {
			for q := st.Intersect(d, nil); ; q = st.Reflect(&q, nil) {
				if !reflect.DeepEqual(q, p.Interaction) {
					t.Fatalf("%+v ends at %+v, on the path at %+v", d.Ray, q, p.Interaction)
				}
				if !q.IsSolid() {
					if c, seen := st.Background(q.Ray.Dir); c != p.Color || seen != p.Seen || p.Mirror != nil {
						t.Fatalf("%+v sees %v, %v, on the path %v, %v", d.Ray, c, seen, p.Color, p.Seen)
					}
					return
				}
				for i, want := range p.Lights {
					if got := st.SampleLight(&q, i, follow.Ends); got != want {
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

// TestCameraKnowsWhatIsAroundTheEye: one place has the camera of a perspective, each ray its own
// of an orthographic one.
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
		st, err := follow.New(s, follow.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for x, want := range want {
			p := st.PixelRays(image.Pt(x, 0), 1)
			if got := st.CameraRay(p.Ray(0, 0)); !slices.Equal(got.Eye, want) || got.Object != accel.None {
				t.Errorf("%v, pixel %d: %+v, want a ray from inside %v", projection, x, got, want)
			}
		}
	}
}

// TestNewRefuses what cannot be set up; package pillbox tests the options one by one.
func TestNewRefuses(t *testing.T) {
	good := scene.Scene{Image: scene.Image{Width: 4, Height: 3, Antialias: 1}}
	if _, err := follow.New(&good, follow.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := follow.New(nil, follow.Options{}); err == nil {
		t.Error("no scene is accepted")
	}
	bad := good
	bad.Spheres, bad.Objects = []shapes.Sphere{{Radius: -1}}, scene.NewObjects(scene.Object{})
	if _, err := follow.New(&bad, follow.Options{}); err == nil || !strings.Contains(err.Error(), "sphere[0]") {
		t.Errorf("a radius of -1: %v", err)
	}
	if _, err := follow.New(&good, follow.Options{World: bad.World()}); err == nil {
		t.Error("the world of another scene is accepted")
	}
	blind := good
	blind.Camera = &camera.Camera{Up: geom.Vec3{Y: 1}, FOV: 60}
	if _, err := follow.New(&blind, follow.Options{}); !errors.Is(err, camera.ErrSamePoint) {
		t.Errorf("a camera that looks at itself: %v", err)
	}
}

// TestNewRefusesOptions: the message names the limits and what was wanted.
func TestNewRefusesOptions(t *testing.T) {
	s := &scene.Scene{Image: scene.Image{Width: 400, Height: 300, Antialias: 1}}
	for _, c := range []struct {
		opt  follow.Options
		want string
	}{
		{follow.Options{Size: image.Pt(-1, 3)}, "picture size must not be negative, got -1 x 3"},
		{follow.Options{Size: image.Pt(scene.MaxSide+1, 0)}, "picture sides must be 1 to 32768 pixels, got 32769"},
		{follow.Options{Size: image.Pt(scene.MaxSide, scene.MaxSide)}, "picture sides must be 1 to 32768 pixels, and 268435456 in all, got 32768 x 32768"},
		{follow.Options{Region: image.Rect(0, 0, 401, 300)}, "region must lie inside the picture of 400 x 300 pixels and not be empty, got 0,0,401,300"},
		{follow.Options{Region: image.Rect(7, 7, 7, 9)}, "region must lie inside the picture of 400 x 300 pixels and not be empty, got 7,7,7,9"},
		{follow.Options{Antialias: scene.MaxAntialias + 1}, "antialias must be 1 to 16, got 17"},
		{follow.Options{Antialias: -1}, "antialias must be 1 to 16, got -1"},
	} {
		if _, err := follow.New(s, c.opt); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.opt, err, c.want)
		}
	}
	empty := new(scene.Scene)
	if _, err := follow.New(empty, follow.Options{Size: image.Pt(40, 0), Antialias: 1}); err == nil {
		t.Error("half a size of a scene without proportions is accepted")
	}
}

// TestPictureSizeKeepsProportions: of one side the other follows, to the nearest pixel and never none.
func TestPictureSizeKeepsProportions(t *testing.T) {
	s := &scene.Scene{Image: scene.Image{Width: 400, Height: 300, Antialias: 1}}
	for _, c := range []struct{ asked, want image.Point }{
		{image.Point{}, image.Pt(400, 300)},
		{image.Pt(7, 5), image.Pt(7, 5)},
		{image.Pt(40, 0), image.Pt(40, 30)},
		{image.Pt(0, 40), image.Pt(53, 40)},
		{image.Pt(2, 0), image.Pt(2, 2)}, // 1.5
		{image.Pt(1, 0), image.Pt(1, 1)},
	} {
		st, err := follow.New(s, follow.Options{Size: c.asked})
		if err != nil {
			t.Fatal(err)
		}
		if whole := (image.Rectangle{Max: c.want}); st.Size != c.want || st.Region != whole {
			t.Errorf("%v: %v of %v, want %v", c.asked, st.Region, st.Size, c.want)
		}
	}
	part := image.Rect(3, 4, 5, 6)
	if st, err := follow.New(s, follow.Options{Region: part, World: s.World()}); err != nil || st.Region != part {
		t.Errorf("%v: %v", st.Region, err)
	}
}

// TestAdaptiveNeedsSamples: where a pixel has one sample there is nothing to adapt.
func TestAdaptiveNeedsSamples(t *testing.T) {
	s := &scene.Scene{Image: scene.Image{Width: 4, Height: 3, Antialias: 3, Adaptive: true}}
	for n, want := range []bool{true, false, true} {
		st, err := follow.New(s, follow.Options{Antialias: n})
		if err != nil {
			t.Fatal(err)
		}
		if st.Adaptive() != want {
			t.Errorf("antialias %d: adaptive %v", n, st.Adaptive())
		}
	}
}

func TestFateString(t *testing.T) {
	if got := follow.Enclosed.String() + ", " + follow.Visibility(9).String(); got != "enclosed, Visibility(9)" {
		t.Error(got)
	}
}
