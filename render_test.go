package pillbox_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/golden"
	"pillbox/internal/accel"
	"pillbox/internal/tomltext"
	"pillbox/scene"
	"pillbox/shade"
)

var update = flag.Bool("update", false, "rewrite the reference pictures in golden/ that changed")

func Example() {
	s, err := scene.Decode("ball.toml", []byte(`
		[image]
		width = 3
		height = 3
		background = "black"
		[camera]
		position = [0, 0, 4]
		look_at = [0, 0, 0]
		[[sphere]]
		center = [0, 0, 0]
		radius = 1
		color = "white"
	`))
	if err != nil {
		fmt.Println(err)
		return
	}
	film, err := pillbox.Render(context.Background(), s, pillbox.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("corner", film.Image.NRGBAAt(0, 0))
	fmt.Println("middle", film.Image.NRGBAAt(1, 1))
	// Output:
	// corner {0 0 0 255}
	// middle {255 255 255 255}
}

// names returns the shipped scenes, without directory and extension.
func names(t testing.TB) []string {
	files, err := filepath.Glob("scenes/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenes: %v", err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".toml")
	}
	return files
}

func load(t testing.TB, name string) *scene.Scene {
	t.Helper()
	s, err := scene.Load(filepath.Join("scenes", name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func render(t testing.TB, s *scene.Scene, opt pillbox.Options) *pillbox.Film {
	t.Helper()
	film, err := pillbox.Render(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return film
}

// brute returns the oracle of a scene's world.
func brute(s *scene.Scene) *accel.Brute { return accel.NewBrute(s.Spheres, s.Capsules, s.Boxes) }

// TestGolden renders every shipped scene and compares its pixels with golden/NAME.png,
// exactly. After a failure golden/NAME.new.png is the picture and golden/NAME.diff.png
// shows the change.
func TestGolden(t *testing.T) {
	for _, p := range pictures(t) {
		t.Run(p.name, func(t *testing.T) {
			checkGolden(t, filepath.Join("golden", p.name), render(t, p.load(t), pillbox.Options{}).Image)
		})
	}
}

// picture is an accepted picture of a shipped scene: of the scene as it stands, or at a time that it
// lists for that.
type picture struct {
	name  string
	scene string
	at    []float64 // the time, if there is one
}

func pictures(t testing.TB) (all []picture) {
	for _, name := range names(t) {
		all = append(all, picture{name: name, scene: name})
		data, err := os.ReadFile(filepath.Join("scenes", name+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, seconds := range scene.GoldenTimes(data) {
			all = append(all, picture{name + "@" + scene.FormatTime(seconds), name, []float64{seconds}})
		}
	}
	return all
}

func (p *picture) load(t testing.TB) *scene.Scene {
	t.Helper()
	s := load(t, p.scene)
	for _, seconds := range p.at {
		var err error
		if s, err = s.At(seconds); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func checkGolden(t *testing.T, base string, got *image.NRGBA) {
	want, err := readPNG(base + ".png")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var diff golden.Diff
	if want != nil {
		if diff, err = golden.Compare(got, want, golden.Tolerance{}); err != nil {
			t.Fatal(err)
		}
		if diff.Passes() {
			os.Remove(base + ".new.png")
			os.Remove(base + ".diff.png")
			return
		}
	}
	if *update {
		writePNG(t, base+".png", got)
		return
	}
	writePNG(t, base+".new.png", got)
	if want == nil {
		t.Fatalf("%s.png is missing; see %[1]s.new.png", base)
	}
	writePNG(t, base+".diff.png", golden.Picture(got, want, diff))
	t.Errorf("%v; see %s.diff.png", diff, base)
}

// TestGoldenScenes compares the scenes that are kept beside the pictures with the shipped ones.
func TestGoldenScenes(t *testing.T) {
	for kept, original := range keptScenes(t) {
		want, err := os.ReadFile(original)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(kept)
		switch {
		case err == nil && bytes.Equal(got, want):
		case *update:
			replace(t, kept, want)
		default:
			t.Errorf("%s is no copy of %s; go test . -run Golden -update makes it one", kept, original)
		}
	}
}

// keptScenes returns which file is a copy of which: beside the picture of every shipped scene
// lie the scene and the other files that it is read from, as "render golden accept" leaves them.
func keptScenes(t *testing.T) map[string]string {
	originals := make(map[string]string)
	for _, p := range pictures(t) {
		base := filepath.Join("golden", p.name+".scene")
		originals[base+".toml"] = filepath.Join("scenes", p.scene+".toml")
		for _, f := range load(t, p.scene).Files {
			originals[filepath.Join(base, f.Path)] = f.Name
		}
	}
	return originals
}

// replace writes a file, whole or not at all.
func replace(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	draft := name + ".draft"
	defer os.Remove(draft)
	if err := os.WriteFile(draft, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(draft, name); err != nil {
		t.Fatal(err)
	}
}

func readPNG(name string) (image.Image, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(f)
}

func writePNG(t *testing.T, name string, img image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	replace(t, name, b.Bytes())
}

// hashFile lists the pixel hash of every shipped scene, so that two machines can compare
// without pictures.
const hashFile = "golden/hashes.toml"

func TestGoldenHashes(t *testing.T) {
	var list strings.Builder
	list.WriteString("# The pixel hash of every scene in scenes/, as \"render hash\" prints it.\n\n")
	for _, p := range pictures(t) {
		want, err := readPNG(filepath.Join("golden", p.name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&list, "%s = %q\n", tomltext.QuoteKey(p.name), pillbox.Hash(straight(want)))
	}
	if *update {
		replace(t, hashFile, []byte(list.String()))
	}
	got, err := os.ReadFile(hashFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != list.String() {
		t.Errorf("%s does not list the pictures in golden/; go test . -run Golden -update rewrites it", hashFile)
	}
}

// straight returns a decoded PNG with straight alpha. The decoder gives opaque pictures as
// RGBA, in which nothing is premultiplied.
func straight(img image.Image) *image.NRGBA {
	if rgba, ok := img.(*image.RGBA); ok && rgba.Opaque() {
		return &image.NRGBA{Pix: rgba.Pix, Stride: rgba.Stride, Rect: rgba.Rect}
	}
	return img.(*image.NRGBA)
}

func TestGoldenHasNoOrphans(t *testing.T) {
	known := keptScenes(t)
	for _, p := range pictures(t) {
		for _, ending := range []string{".png", ".new.png", ".diff.png"} {
			known[filepath.Join("golden", p.name+ending)] = p.name
		}
	}
	known[filepath.FromSlash(hashFile)] = "all"
	err := filepath.WalkDir("golden", func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(file) != ".go" && known[file] == "" {
			t.Errorf("%s belongs to no scene", file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// small is a size at which every shipped scene renders in a moment.
func small(s *scene.Scene) image.Point {
	return image.Pt(sideOf(120), sideOf(120*s.Image.Height/s.Image.Width))
}

// TestRenderIsIndependentOfWork renders every shipped scene by several divisions of labour.
func TestRenderIsIndependentOfWork(t *testing.T) {
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			s := load(t, name)
			size := small(s)
			reference := pillbox.Options{Size: size}
			if !testing.Short() {
				reference.World = brute(s)
			}
			want := render(t, s, reference)
			for _, opt := range []pillbox.Options{
				{Workers: 1, World: s.World()},
				{Workers: 2, TileSize: 5},
				{Workers: 3, TileSize: math.MaxInt},
				{Workers: 7, TileSize: 1},
			} {
				opt.Size = size
				got := render(t, s, opt)
				if pillbox.Hash(got.Image) != pillbox.Hash(want.Image) {
					t.Errorf("%d workers with tiles of %d: %v", opt.Workers, opt.TileSize, compare(t, got, want))
				}
				if got.Rays != want.Rays {
					t.Errorf("%d workers with tiles of %d cast %+v, want %+v", opt.Workers, opt.TileSize, got.Rays, want.Rays)
				}
			}
		})
	}
}

// TestLinearChangesNothing: that linear colors are kept changes no pixel, and encoded they are
// the picture. Empty packets follow full ones in pictures of this size, and before an even
// background they are not developed.
func TestLinearChangesNothing(t *testing.T) {
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			s := load(t, name)
			s.Image.Background.Top = s.Image.Background.Bottom
			for _, opt := range []pillbox.Options{
				{Size: image.Pt(sideOf(260), 0), Antialias: 1, Workers: 1},
				{Size: image.Pt(sideOf(90), 0), Antialias: 3, Workers: 2, TileSize: 7},
			} {
				want := render(t, s, opt)
				opt.Linear = true
				got := render(t, s, opt)
				if want.Linear != nil || pillbox.Hash(got.Image) != pillbox.Hash(want.Image) || got.Rays != want.Rays {
					t.Errorf("antialias %d: %v", opt.Antialias, compare(t, got, want))
				}
				for i, c := range got.Linear {
					p := got.Image.Pix[4*i:][:4]
					if p[3] > 0 && [3]uint8(p) != [3]uint8{shade.Encode8(c.R), shade.Encode8(c.G), shade.Encode8(c.B)} {
						t.Fatalf("antialias %d, pixel %d: %v is stored as %v", opt.Antialias, i, c, p)
					}
				}
			}
		})
	}
}

func compare(t *testing.T, got, want *pillbox.Film) golden.Diff {
	t.Helper()
	d, err := golden.Compare(got.Image, want.Image, golden.Tolerance{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestRegionIsCropOfPicture(t *testing.T) {
	for _, name := range []string{"demo", "transparent", "orthographic", "gradient"} {
		s := load(t, name)
		size := small(s)
		whole := render(t, s, pillbox.Options{Size: size})
		for _, region := range []image.Rectangle{
			image.Rect(0, 0, 1, 1),
			image.Rect(size.X-1, size.Y-1, size.X, size.Y),
			image.Rect(size.X/5, size.Y/7, size.X*4/5+1, size.Y*5/6),
			{Max: size},
		} {
			got := render(t, s, pillbox.Options{Size: size, Region: region, TileSize: 9})
			crop := image.NewNRGBA(image.Rectangle{Max: region.Size()})
			draw.Draw(crop, crop.Rect, whole.Image, region.Min, draw.Src)
			if pillbox.Hash(got.Image) != pillbox.Hash(crop) || got.Region != region {
				t.Errorf("%s: region %v differs from the picture's crop", name, region)
			}
		}
	}
}

// TestLightAtEyeCastsNoVisibleShadow is the sharpest test for acne: what the eye sees, a
// light at the eye reaches, so shadows must make no difference at all, not even where
// solids share joints, faces and edges.
func TestLightAtEyeCastsNoVisibleShadow(t *testing.T) {
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			s := load(t, name)
			if s.Camera != nil && s.Camera.Projection == camera.Orthographic {
				t.Skip("the rays of an orthographic camera do not meet in an eye")
			}
			s.Image.Antialias = 1
			s.Lights = nil
			s.Shading.Ambient = shade.Gradient{}
			s.Shading.Bounces = 0 // in a mirror one does see shadows
			lit := render(t, s, pillbox.Options{})
			s.Shading.Shadows = false
			want := render(t, s, pillbox.Options{})
			if d := compare(t, lit, want); d.Changed > 0 {
				t.Errorf("shadows of a light at the eye: %v", d)
			}
		})
	}
}

// TestNoBlackPixel looks for single dark pixels where solids share surfaces.
func TestNoBlackPixel(t *testing.T) {
	for _, name := range []string{"chain", "flush"} {
		img := render(t, load(t, name), pillbox.Options{}).Image
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				if c := img.NRGBAAt(x, y); c.R == 0 && c.G == 0 && c.B == 0 {
					t.Errorf("%s: pixel %d, %d is black", name, x, y)
				}
			}
		}
	}
}

// moved returns s turned by m, a rotation, and scaled by k about the origin, the camera, the
// lights and checkers with it.
func moved(s *scene.Scene, m geom.Mat3, k float64) *scene.Scene {
	point := func(p geom.Vec3) geom.Vec3 { return m.MulVec(p).Scale(k) }
	r := *s
	if s.Camera != nil {
		c := *s.Camera
		c.Position, c.LookAt, c.Up = point(c.Position), point(c.LookAt), m.MulVec(c.Up)
		c.ViewHeight *= k
		r.Camera = &c
	}
	r.Lights, r.Spheres, r.Capsules, r.Boxes = nil, nil, nil, nil
	for _, l := range s.Lights {
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
	return &r
}

// TestMovedIsSamePicture moves every shipped scene together with its camera and lights.
// Powers of two and half turns only change exponents and signs, so every bit of the picture
// stays. Other moves round, and then single pixels on silhouettes and shadow edges may
// change, or a channel by one step.
func TestMovedIsSamePicture(t *testing.T) {
	turn, _ := geom.RotationAxis(geom.Vec3{X: 1, Y: -2, Z: 0.5}, 77)
	cycle := geom.Mat3{X: geom.Vec3{Y: 1}, Y: geom.Vec3{Z: 1}, Z: geom.Vec3{X: 1}}
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			s := load(t, name)
			opt := pillbox.Options{Size: small(s)}
			want := render(t, s, opt)
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
					continue // a framed scene is always seen from the same side
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

func TestRenderCancelledKeepsWhatIsFinished(t *testing.T) {
	s := load(t, "demo")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opt := pillbox.Options{Size: image.Pt(160, 90), Workers: 2, TileSize: 10}
	opt.Progress = func(done, all int) {
		if done >= all/2 {
			cancel()
		}
	}
	part, err := pillbox.Render(ctx, s, opt)
	if !errors.Is(err, context.Canceled) || part == nil {
		t.Fatalf("Render = %v, %v, want a film and context.Canceled", part, err)
	}
	whole := render(t, s, pillbox.Options{Size: opt.Size})
	finished := 0
	for i := 0; i < len(part.Image.Pix); i += 4 {
		switch got, want := [4]byte(part.Image.Pix[i:]), [4]byte(whole.Image.Pix[i:]); got {
		case want:
			finished++
		case [4]byte{}:
		default:
			t.Fatalf("pixel %d is %v, want %v or nothing", i/4, got, want)
		}
	}
	if all := len(part.Image.Pix) / 4; finished < all/2 || finished == all {
		t.Errorf("%d of %d pixels are finished, want half or a little more", finished, all)
	}

	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	none, err := pillbox.Render(ctx, s, pillbox.Options{})
	if !errors.Is(err, context.Canceled) || none == nil {
		t.Errorf("Render with an ended context = %v, %v, want an empty film and context.Canceled", none, err)
	}
}

func TestProgressAscendsToAll(t *testing.T) {
	s := load(t, "chain")
	var mu sync.Mutex // so that the race detector sees what Render promises
	last, calls := 0, 0
	opt := pillbox.Options{Workers: 4, TileSize: 50, Progress: func(done, all int) {
		if !mu.TryLock() {
			t.Error("two calls at once")
			return
		}
		defer mu.Unlock()
		calls++
		if done <= last || done > all || all != 320*240 {
			t.Errorf("progress %d of %d after %d", done, all, last)
		}
		last = done
	}}
	render(t, s, opt)
	if last != 320*240 || calls != 7*5 {
		t.Errorf("%d calls up to %d pixels, want 35 up to %d", calls, last, 320*240)
	}
}

func TestRenderRefusesOptionsOutOfRange(t *testing.T) {
	s := load(t, "chain")
	for name, opt := range map[string]pillbox.Options{
		"negative width":    {Size: image.Pt(-1, 0)},
		"too wide":          {Size: image.Pt(scene.MaxSide+1, 1)},
		"much too wide":     {Size: image.Pt(math.MaxInt, 0)},
		"too many pixels":   {Size: image.Pt(scene.MaxSide, scene.MaxSide)},
		"antialias":         {Antialias: 17},
		"antialias below 0": {Antialias: -1},
		"region outside":    {Region: image.Rect(0, 0, 321, 10)},
		"region empty":      {Region: image.Rect(5, 5, 5, 9)},
		"workers":           {Workers: -1},
		"tile size":         {TileSize: -1},
		"another world":     {World: load(t, "box").World()},
	} {
		if film, err := pillbox.Render(context.Background(), s, opt); err == nil || film != nil {
			t.Errorf("%s: Render = %v, %v, want an error", name, film, err)
		}
	}
	s.Camera.LookAt = s.Camera.Position
	if _, err := pillbox.Render(context.Background(), s, pillbox.Options{}); !errors.Is(err, camera.ErrSamePoint) {
		t.Errorf("Render with a degenerate camera = %v, want %v", err, camera.ErrSamePoint)
	}
}

// TestRenderRefusesInvalidScenes: scenes made in Go may hold anything.
func TestRenderRefusesInvalidScenes(t *testing.T) {
	for want, spoil := range map[string]func(s *scene.Scene){
		"sphere[1]: center":  func(s *scene.Scene) { s.Spheres[1].Center.Y = math.NaN() },
		"sphere[0]: radius":  func(s *scene.Scene) { s.Spheres[0].Radius = -1 },
		"capsule[1]: radius": func(s *scene.Scene) { s.Capsules[1].Radius = math.Inf(1) },
		"box[0]: ":           func(s *scene.Scene) { s.Boxes[0].Rotation = geom.Mat3{} },
		"objects, got 1":     func(s *scene.Scene) { s.Objects = scene.NewObjects(s.Objects.Of(0)) },
	} {
		s := load(t, "demo")
		spoil(s)
		film, err := pillbox.Render(context.Background(), s, pillbox.Options{})
		if film != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Render = %v, %v, want an error with %q", film, err, want)
		}
	}
}

func TestPictureSizeKeepsProportions(t *testing.T) {
	s := &scene.Scene{Image: scene.Image{Width: 1280, Height: 720}}
	for _, c := range []struct{ ask, want image.Point }{
		{image.Pt(0, 0), image.Pt(1280, 720)},
		{image.Pt(640, 0), image.Pt(640, 360)},
		{image.Pt(0, 360), image.Pt(640, 360)},
		{image.Pt(1, 0), image.Pt(1, 1)},
		{image.Pt(100, 0), image.Pt(100, 56)},
		{image.Pt(10, 2000), image.Pt(10, 2000)},
	} {
		opt := pillbox.Options{Size: c.ask}
		if got, err := opt.PictureSize(s); got != c.want || err != nil {
			t.Errorf("PictureSize for %v = %v, %v, want %v", c.ask, got, err, c.want)
		}
	}
}

// TestPictureSizeNamesTheGivenSide: of one side that is given the message does not invent another.
func TestPictureSizeNamesTheGivenSide(t *testing.T) {
	s := &scene.Scene{Image: scene.Image{Width: 1280, Height: 720}}
	for _, ask := range []image.Point{{X: 40000}, {Y: 40000}} {
		opt := pillbox.Options{Size: ask}
		const want = "picture sides must be 1 to 32768 pixels, got 40000"
		if _, err := opt.PictureSize(s); err == nil || err.Error() != want {
			t.Errorf("PictureSize for %v: %v, want %s", ask, err, want)
		}
	}
}

// TestPictureSizeWithoutProportions: a scene made in Go may have no size.
func TestPictureSizeWithoutProportions(t *testing.T) {
	for _, own := range []scene.Image{{}, {Width: 3}, {Height: 3}, {Width: -3, Height: 3}} {
		for _, ask := range []image.Point{{}, {X: 10}, {Y: 10}} {
			opt := pillbox.Options{Size: ask}
			_, err := pillbox.Render(context.Background(), &scene.Scene{Image: own}, opt)
			if err == nil || !strings.Contains(err.Error(), "picture sides must be 1 to 32768") {
				t.Errorf("Render a scene of %d x %d pixels at %v = %v, want an error", own.Width, own.Height, ask, err)
			}
		}
		opt := pillbox.Options{Size: image.Pt(10, 20)}
		if got, err := opt.PictureSize(&scene.Scene{Image: own}); got != opt.Size || err != nil {
			t.Errorf("PictureSize for %v = %v, %v", opt.Size, got, err)
		}
	}
}

func TestEmptySceneIsBackground(t *testing.T) {
	s, err := scene.Decode("empty.toml", []byte("[image]\nwidth = 4\nheight = 4\nbackground = \"#123456\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	img := render(t, s, pillbox.Options{}).Image
	for i := 0; i < len(img.Pix); i += 4 {
		if got, want := [4]byte(img.Pix[i:]), [4]byte{0x12, 0x34, 0x56, 0xff}; got != want {
			t.Fatalf("pixel %d = %v, want %v", i/4, got, want)
		}
	}
}

func TestTransparentAveragesPremultiplied(t *testing.T) {
	s, err := scene.Decode("edge.toml", []byte(`
		[image]
		width = 1
		height = 1
		antialias = 2
		background = "transparent"
		[camera]
		projection = "orthographic"
		position = [0, 0, 5]
		look_at = [0, 0, 0]
		view_height = 1
		[shading]
		ambient = 1
		[[box]] # covers the left half of the only pixel
		center = [-0.5, 0, 0]
		half_extents = [0.5, 1, 1]
		color = "#ff8000"
	`))
	if err != nil {
		t.Fatal(err)
	}
	got := render(t, s, pillbox.Options{}).Image.Pix
	if want := [4]byte{0xff, 0x80, 0x00, 128}; [4]byte(got) != want {
		t.Errorf("pixel = %v, want %v", got, want)
	}
}

// TestFramedSceneFits renders scenes without a camera and looks for solids on the border.
func TestFramedSceneFits(t *testing.T) {
	s := load(t, "no-camera")
	s.Image.Background = scene.Background{Transparent: true}
	for _, size := range []image.Point{{200, 100}, {100, 200}, {100, 100}} {
		img := render(t, s, pillbox.Options{Size: size}).Image
		box := image.Rectangle{}
		for y := range size.Y {
			for x := range size.X {
				if img.NRGBAAt(x, y).A > 0 {
					box = box.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		if !box.In(img.Rect.Inset(1)) || box.Dx() < size.X/3 && box.Dy() < size.Y/3 {
			t.Errorf("in %v the solids cover %v", size, box)
		}
	}
}

func TestHashDependsOnSizeAndPixels(t *testing.T) {
	a := image.NewNRGBA(image.Rect(0, 0, 2, 3))
	b := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	if pillbox.Hash(a) == pillbox.Hash(b) {
		t.Error("pictures of different sizes have one hash")
	}
	wide := image.NewNRGBA(image.Rect(0, 0, 9, 9))
	part := wide.SubImage(image.Rect(4, 5, 6, 8)).(*image.NRGBA)
	if pillbox.Hash(a) != pillbox.Hash(part) {
		t.Error("the hash depends on how a picture is stored")
	}
	wide.Pix[wide.PixOffset(5, 7)+3] = 1
	if pillbox.Hash(a) == pillbox.Hash(part) {
		t.Error("the hash does not depend on alpha")
	}
}

// speckled counts the pixels of a picture that differ from all four neighbors by more than
// limit in some channel: what acne looks like.
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

// TestNoAcne renders what rounding likes to spoil: surfaces that several solids share,
// seen from inside, and lights that lie on a surface.
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
		// A corner of a room may be one.
		if n := speckled(render(t, s, pillbox.Options{}).Image, 12); n > 1 {
			t.Errorf("%s: %d pixels stand out from all their neighbors", name, n)
		}
	}
}

// TestEyeOnFloor puts the eye onto the plane of a floor that a mirror shows: the eye is not
// inside the floor, so the mirror shows its upper side.
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
	img := render(t, s, pillbox.Options{}).Image
	if c := img.NRGBAAt(4, 8); c.R < 200 {
		t.Errorf("the mirror shows the floor as %v, want it lit", c)
	}
}
