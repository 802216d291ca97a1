package tracer_test

import (
	"context"
	"image"
	"math"
	"slices"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/golden"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/shipped"
	"pillbox/internal/follow"
	"pillbox/internal/tracer"
	"pillbox/scene"
	"pillbox/shade"
)

// options holds options of package pillbox and internal settings for tests.
type options struct {
	pillbox.Picture
	pillbox.Work
	tileSize int
	brute    bool // test all solids instead of using the search tree
}

// render renders like [pillbox.Render].
func render(t testing.TB, s *scene.Scene, opt options) *pillbox.Film {
	t.Helper()
	film, err := renderUntil(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return film
}

func renderUntil(ctx context.Context, s *scene.Scene, opt options) (*pillbox.Film, error) {
	prepared, err := pillbox.Prepare(s, opt.Picture)
	if err != nil {
		return nil, err
	}
	return renderPrepared(ctx, follow.Of(prepared), opt)
}

// renderPrepared renders p with the settings of opt. The field Picture has no effect.
func renderPrepared(ctx context.Context, p *follow.Prepared, opt options) (*pillbox.Film, error) {
	if opt.brute {
		p = p.Brute()
	}
	n := p.Region.Dx() * p.Region.Dy()
	film := &pillbox.Film{Image: image.NewNRGBA(image.Rectangle{Max: p.Region.Size()}), Region: p.Region}
	if p.Adaptive() {
		film.Refined = make([]bool, n)
	}
	if opt.Linear {
		film.Linear = make([]shade.Color, n)
	}
	work := tracer.Work{Workers: opt.Workers, TileSize: opt.tileSize, Progress: opt.Progress}
	if opt.Rows != nil {
		work.Rows = func(n int) { opt.Rows(film, n) }
	}
	rays, err := tracer.Render(ctx, p, tracer.Film{Pix: film.Image.Pix, Refined: film.Refined, Linear: film.Linear}, work)
	film.Rays = pillbox.Rays(rays)
	return film, err
}

func compare(t *testing.T, got, want *pillbox.Film) golden.Diff {
	t.Helper()
	d, err := golden.Compare(got.Image, want.Image, golden.Tolerance{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// small returns a size at which every shipped scene renders quickly.
func small(s *scene.Scene) image.Point {
	size := image.Pt(120, 120*s.Image.Height/s.Image.Width)
	if testing.Short() {
		return size.Div(3)
	}
	return size
}

// TestRenderIsIndependentOfWork checks that the pictures of all shipped scenes do not depend on the number of
// workers or the size of tiles.
func TestRenderIsIndependentOfWork(t *testing.T) {
	ways := []options{
		{Work: pillbox.Work{Workers: 1}},
		{Work: pillbox.Work{Workers: 2}, tileSize: 5},
		{Work: pillbox.Work{Workers: 3}, tileSize: math.MaxInt},
		{Work: pillbox.Work{Workers: 7}, tileSize: 1},
	}
	for i, name := range effort.Some(t, 12, shipped.Names(t)) {
		t.Run(name, func(t *testing.T) {
			s := shipped.Load(t, name)
			size := pillbox.Picture{Size: small(s)}
			want := render(t, s, options{Picture: size, brute: effort.IsAll() && !testing.Short()})
			for k, opt := range ways {
				if !effort.IsAll() && k%2 != i%2 {
					continue
				}
				opt.Picture = size
				got := render(t, s, opt)
				if pillbox.Hash(got.Image) != pillbox.Hash(want.Image) {
					t.Errorf("%d workers with tiles of %d: %v", opt.Workers, opt.tileSize, compare(t, got, want))
				}
				if opt.Workers == 1 && s.Shading.Occlusion.Enabled {
					want.Rays = got.Rays // brute force casts all rays into the sky
				}
				if got.Rays != want.Rays {
					t.Errorf("%d workers with tiles of %d cast %+v, want %+v", opt.Workers, opt.tileSize, got.Rays, want.Rays)
				}
			}
		})
	}
}

// TestLinearChangesNothing checks that keeping linear colors does not affect the pixels, and that encoding these
// colors gives the pixels. The background has a single color, so Render copies the pixels of packets that hit
// nothing instead of computing them from colors. In the large pictures, such packets follow packets with hits.
func TestLinearChangesNothing(t *testing.T) {
	for _, name := range effort.Some(t, 8, shipped.Names(t)) {
		t.Run(name, func(t *testing.T) {
			s := shipped.Load(t, name)
			s.Image.Background.Top = s.Image.Background.Bottom
			for _, opt := range []options{
				{Picture: pillbox.Picture{Size: image.Pt(sideOf(260), 0), Antialias: 1}, Work: pillbox.Work{Workers: 1}},
				{Picture: pillbox.Picture{Size: image.Pt(sideOf(90), 0), Antialias: 3}, Work: pillbox.Work{Workers: 2}, tileSize: 7},
			} {
				want := render(t, s, opt)
				opt.Linear = true
				got := render(t, s, opt)
				if want.Linear != nil || pillbox.Hash(got.Image) != pillbox.Hash(want.Image) || got.Rays != want.Rays {
					t.Errorf("antialias %d: %v", opt.Antialias, compare(t, got, want))
				}
				for i, c := range got.Linear {
					p := got.Image.Pix[4*i:][:4]
					if p[3] > 0 && [3]uint8(p) != [3]uint8{shade.EncodeSRGB8(c.R), shade.EncodeSRGB8(c.G), shade.EncodeSRGB8(c.B)} {
						t.Fatalf("antialias %d, pixel %d: %v is stored as %v", opt.Antialias, i, c, p)
					}
				}
			}
		})
	}
}

// TestLightAtEyeCastsNoVisibleShadow puts a light at the eye. The light reaches everything that the eye sees, so
// shadows must not change any pixel, even where solids share joints, faces and edges. This is the strictest test
// for shadow acne.
func TestLightAtEyeCastsNoVisibleShadow(t *testing.T) {
	for _, name := range shipped.Names(t) {
		t.Run(name, func(t *testing.T) {
			s := shipped.Load(t, name)
			if s.Camera != nil && s.Camera.Projection == camera.Orthographic {
				t.Skip("the rays of an orthographic camera do not meet in an eye")
			}
			s.Image.Antialias = 1
			s.Lights = nil
			s.Shading.Ambient = shade.Gradient{}
			s.Shading.Bounces = 0 // mirrors would show shadows
			opt := options{Picture: pillbox.Picture{Size: effort.Of(small(s), image.Point{}, image.Point{})}}
			lit := render(t, s, opt)
			s.Shading.Shadows = false
			want := render(t, s, opt)
			if d := compare(t, lit, want); d.Changed > 0 {
				t.Errorf("shadows of a light at the eye: %v", d)
			}
		})
	}
}

// TestTwoHalvesArePointLight replaces a point light by two spot lights at its place that shine into opposite half
// spaces. Each point gets light from exactly one of the two. So the pixels must have the same bits, and the number
// of shadow rays must be the same.
func TestTwoHalvesArePointLight(t *testing.T) {
	for _, name := range []string{"demo", "light-point", "chain"} {
		s := *shipped.Load(t, name)
		s.Image.Antialias = 1
		point := scene.Light{Light: shade.Light{Position: geom.Vec3{X: 1.25, Y: 6.5, Z: 3.75}, Color: shade.White(), Intensity: 0.75}}
		spot := point
		spot.Cone.Angle, spot.Direction = 180, geom.Vec3{X: 0.2, Y: -1, Z: 0.3}.Unit()
		opposite := spot
		opposite.Direction = spot.Direction.Neg()
		s.Lights = []scene.Light{point}
		opt := options{Picture: pillbox.Picture{Size: small(&s)}, Work: pillbox.Work{Linear: true}}
		want := render(t, &s, opt)
		s.Lights = []scene.Light{spot, opposite}
		got := render(t, &s, opt)
		if !slices.Equal(got.Linear, want.Linear) || got.Rays != want.Rays {
			t.Errorf("%s: other colors than with a point light, or rays %+v, want %+v", name, got.Rays, want.Rays)
		}
	}
}

// TestNoShadowRaysOutsideCone checks that a spot light that shines away from all solids adds no light and costs no
// shadow rays.
func TestNoShadowRaysOutsideCone(t *testing.T) {
	s := *shipped.Load(t, "demo")
	_, radius := s.BoundingSphere()
	up := shade.Light{Position: geom.Vec3{Y: 2 * radius}, Direction: geom.Vec3{Y: 1}, Cone: shade.Cone{Angle: 120, Edge: 20}, Color: shade.White(), Intensity: 1}
	s.Lights = []scene.Light{{Light: up}}
	opt := options{Picture: pillbox.Picture{Size: small(&s)}, Work: pillbox.Work{Linear: true}}
	got := render(t, &s, opt)
	up.Intensity = 0
	s.Lights = []scene.Light{{Light: up}}
	if want := render(t, &s, opt); got.Rays.Shadow != 0 || !slices.Equal(got.Linear, want.Linear) {
		t.Errorf("%d shadow rays, want none, and the ambient light alone", got.Rays.Shadow)
	}
}

// TestNoBlackPixel checks that no pixel is black in scenes whose solids share surfaces.
func TestNoBlackPixel(t *testing.T) {
	for _, name := range []string{"chain", "flush"} {
		img := render(t, shipped.Load(t, name), options{}).Image
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				if c := img.NRGBAAt(x, y); c.R == 0 && c.G == 0 && c.B == 0 {
					t.Errorf("%s: pixel %d, %d is black", name, x, y)
				}
			}
		}
	}
}

// moved returns s rotated by m and scaled by k about the origin, including the camera, the lights, the sections and
// the checkers.
func moved(s *scene.Scene, m geom.Mat3, k float64) *scene.Scene {
	point := func(p geom.Vec3) geom.Vec3 { return m.MulVec(p).Scale(k) }
	r := *s
	r.Shading.Occlusion.Distance *= k
	if s.Camera != nil {
		c := *s.Camera
		c.Position, c.LookAt, c.Up = point(c.Position), point(c.LookAt), m.MulVec(c.Up)
		c.ViewHeight *= k
		r.Camera = &c
	}
	r.Sections = slices.Clone(s.Sections)
	for i := range r.Sections {
		x := &r.Sections[i]
		x.Point, x.Normal = point(x.Point), m.MulVec(x.Normal)
		x.Hatch.Width, x.Hatch.Distance = x.Hatch.Width*k, x.Hatch.Distance*k
	}
	r.Lights, r.Spheres, r.Capsules, r.Boxes, r.Cylinders = nil, nil, nil, nil, nil
	for _, l := range s.Lights {
		l.Radius *= k
		if l.Attached {
			l.Position = l.Position.Scale(k)
		} else {
			l.Position, l.Direction = point(l.Position), m.MulVec(l.Direction)
		}
		r.Lights = append(r.Lights, l)
	}
	objects := s.Objects.List()
	for i := range objects {
		if c := objects[i].Material.Checker; c != nil {
			objects[i].Material.Checker = &shade.Checker{Albedo: c.Albedo, Size: c.Size * k}
		}
	}
	r.Objects = scene.NewObjects(objects...)
	for _, x := range s.Spheres {
		x.Center, x.Radius = point(x.Center), x.Radius*k
		r.Spheres = append(r.Spheres, x)
	}
	for _, x := range s.Capsules {
		x.A, x.B, x.Radius = point(x.A), point(x.B), x.Radius*k
		r.Capsules = append(r.Capsules, x)
	}
	for _, x := range s.Boxes {
		x.Center, x.HalfExtents, x.Rotation = point(x.Center), x.HalfExtents.Scale(k), m.Mul(x.Rotation)
		r.Boxes = append(r.Boxes, x)
	}
	for _, x := range s.Cylinders {
		x.A, x.B, x.Radius = point(x.A), point(x.B), x.Radius*k
		r.Cylinders = append(r.Cylinders, x)
	}
	return &r
}

// unhatched returns s without hatches.
func unhatched(s *scene.Scene) *scene.Scene {
	r := *s
	r.Sections = slices.Clone(s.Sections)
	for i := range r.Sections {
		r.Sections[i].Hatch.Enabled = false
	}
	return &r
}

// TestMovedIsSamePicture moves every shipped scene together with its camera and lights. After scaling by powers of
// two and half turns, which change only exponents and signs, the picture must be equal to the bit. Other
// transformations cause rounding errors: channels may change by one step, and single pixels on silhouettes and
// shadow edges by more.
func TestMovedIsSamePicture(t *testing.T) {
	turn, _ := geom.RotationAxis(geom.Vec3{X: 1, Y: -2, Z: 0.5}, 77)
	cycle := geom.Mat3{X: geom.Vec3{Y: 1}, Y: geom.Vec3{Z: 1}, Z: geom.Vec3{X: 1}}
	for _, name := range effort.Some(t, 6, shipped.Names(t)) {
		t.Run(name, func(t *testing.T) {
			s := shipped.Load(t, name)
			opt := options{Picture: pillbox.Picture{Size: small(s)}}
			want, plain := render(t, s, opt), render(t, unhatched(s), opt)
			sampled := s.Shading.Occlusion.Enabled || slices.ContainsFunc(s.Lights, func(l scene.Light) bool { return l.HasSize() })
			for _, c := range []struct {
				name  string
				turn  geom.Mat3
				scale float64
				exact bool
			}{
				{"scaled by 2^-20", geom.Identity(), 0x1p-20, true},
				{"scaled by 2^20", geom.Identity(), 0x1p+20, true},
				{"half a turn about x", geom.RotationXYZ(180, 0, 0), 1, true},
				{"half a turn about y", geom.RotationXYZ(0, 180, 0), 1, true},
				{"half a turn about z", geom.RotationXYZ(0, 0, 180), 1, true},
				{"scaled by 1000", geom.Identity(), 1e3, false},
				{"scaled by 1e-7", geom.Identity(), 1e-7, false},
				{"axes cycled", cycle, 1, false},
				{"turned", turn, 1, false},
			} {
				if s.Camera == nil && c.turn != geom.Identity() {
					continue // an automatically framed scene is always seen from the same direction
				}
				if sampled && c.turn != geom.Identity() {
					continue // the sampled directions do not turn with the scene
				}
				s, want := s, want
				if c.turn != geom.Identity() {
					s, want = unhatched(s), plain // hatches do not turn with the scene
				}
				moved := moved(s, c.turn, c.scale)
				got := render(t, moved, opt)
				step, pixels := 1, opt.Size.X*opt.Size.Y/1000
				if c.exact {
					step, pixels = 0, 0
				}
				d, err := golden.Compare(got.Image, want.Image, golden.Tolerance{MaxChannel: step})
				if err != nil {
					t.Fatal(err)
				}
				if d.Changed > pixels {
					t.Errorf("%s: %v, want at most %d", c.name, d, pixels)
				}
			}
		})
	}
}

// speckled counts the pixels that look like shadow acne. Such a pixel differs from each of its four neighbors by
// more than limit in some channel.
func speckled(img *image.NRGBA, limit int) int {
	differ := func(x0, y0, x1, y1 int) bool {
		a, b := img.NRGBAAt(x0, y0), img.NRGBAAt(x1, y1)
		for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
			if d > limit || d < -limit {
				return true
			}
		}
		return false
	}
	n := 0
	for y := 1; y < img.Rect.Dy()-1; y++ {
		for x := 1; x < img.Rect.Dx()-1; x++ {
			if differ(x, y, x-1, y) && differ(x, y, x+1, y) && differ(x, y, x, y-1) && differ(x, y, x, y+1) {
				n++
			}
		}
	}
	return n
}

// TestNoAcne renders scenes in which rounding errors often cause acne: surfaces that several solids
// share, views from inside, and lights on a surface.
func TestNoAcne(t *testing.T) {
	const head = `
		[image]
		width = 160
		height = 120
	`
	for name, text := range map[string]string{
		"joint around the eye": `
			[camera]
			position = [0, 0, 0.1]
			look_at = [1, 0.3, -1]
			fov = 110
			[[light]]
			position = [0.1, 0.2, 0]
			[[sphere]]
			center = [0, 0, 0]
			radius = 1
			[[capsule]]
			a = [0, 0, 0]
			b = [3, 1, 0]
			radius = 1
			[[capsule]]
			a = [0, 0, 0]
			b = [-2, 0, -3]
			radius = 1
		`,
		"two rooms that share walls": `
			[camera]
			position = [0.1, 1, 2.5]
			look_at = [0, 1.2, 0]
			fov = 80
			[[light]]
			position = [0.3, 1.7, 0.2]
			[[box]]
			center = [0, 1.05, 0]
			half_extents = [3, 1.05, 3]
			rotate = [0, 30, 0]
			[[box]]
			center = [0, 1.05, 0]
			half_extents = [3.3, 1.05, 2.7]
			rotate = [0, 30, 0]
		`,
		"lamp on a ceiling": `
			[camera]
			position = [0.1, 1, 4]
			look_at = [0, 0.9, 0]
			[[light]]
			position = [0.3, 2.1, 0.2]
			[[box]]
			center = [0, 2.2, 0]
			half_extents = [3, 0.1, 3]
			[[box]]
			center = [0, -0.1, 0]
			half_extents = [3, 0.1, 3]
		`,
		"light on a ball": `
			[camera]
			position = [0.1, 2, 4]
			look_at = [0, 0.5, 0]
			[[light]]
			position = [0, 1.3, 0]
			[[sphere]]
			center = [0, 1.6, 0]
			radius = 0.3
			[[box]]
			center = [0, -0.1, 0]
			half_extents = [3, 0.1, 3]
		`,
		"light on the ceiling of a room around the eye": `
			[camera]
			position = [0.1, 1, 2.5]
			look_at = [0, 0.9, 0]
			fov = 80
			[[light]]
			position = [0.3, 2.1, 0.2]
			[[box]]
			center = [0, 1.05, 0]
			half_extents = [3, 1.05, 3]
			rotate = [0, 30, 0]
			[[sphere]]
			center = [0.5, 0.4, 0]
			radius = 0.4
		`,
	} {
		s, err := scene.Decode(name, []byte(head+text))
		if err != nil {
			t.Fatal(err)
		}
		// One such pixel is allowed: a corner of a room can look like this.
		if n := speckled(render(t, s, options{}).Image, 12); n > 1 {
			t.Errorf("%s: %d pixels stand out from all their neighbors", name, n)
		}
	}
}

// TestEyeOnFloor puts the eye in the plane of the top of a floor, which a mirror shows. The eye does not count as
// inside the floor, so the mirror must show the upper side of the floor.
func TestEyeOnFloor(t *testing.T) {
	s, err := scene.Decode("floor.toml", []byte(`
		[image]
		width = 9
		height = 9
		background = "black"
		[camera]
		position = [0, 0, 5]
		look_at = [0, 1, 0]
		fov = 5
		[[light]]
		direction = [0, -1, 0]
		intensity = 0.9
		[[sphere]]
		center = [0, 1, -0.5]
		radius = 1
		material = "mirror"
		[material.mirror]
		color = "black"
		mirror = 1
		[[box]]
		center = [0, -1, 0]
		half_extents = [50, 1, 50]
		color = "white"
	`))
	if err != nil {
		t.Fatal(err)
	}
	img := render(t, s, options{}).Image
	if c := img.NRGBAAt(4, 8); c.R < 200 {
		t.Errorf("the mirror shows the floor as %v, want it lit", c)
	}
}
