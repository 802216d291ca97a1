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
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/figure"
	"pillbox/geom"
	"pillbox/golden"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/shipped"
	"pillbox/internal/tomltext"
	"pillbox/pngfile"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// ExampleRender renders a scene file to a PNG.
func ExampleRender() {
	render := func(ctx context.Context, w io.Writer) error {
		s, err := scene.Load("scenes/sphere.toml")
		if err != nil {
			return err
		}
		film, err := pillbox.Render(ctx, s, pillbox.Options{})
		if err != nil {
			return err
		}
		return pngfile.Encode(w, film.Image)
	}
	var picture bytes.Buffer
	err := render(context.Background(), &picture)
	fmt.Printf("%q %v\n", picture.Bytes()[1:4], err)
	// Output: "PNG" <nil>
}

var update = flag.Bool("update", false, "rewrite the reference pictures in golden/ that changed")

// Example renders a ball on a floor, a scene made in Go code.
func Example() {
	render := func(ctx context.Context, w io.Writer) error {
		s := scene.New()
		s.Camera = scene.NewCamera(geom.Vec3{X: 2, Y: 2, Z: 6}, geom.Vec3{Y: 0.8})
		s.Spheres = []shapes.Sphere{{Center: geom.Vec3{Y: 1}, Radius: 1}}
		s.Boxes = []shapes.Box{{Center: geom.Vec3{Y: -0.5}, HalfExtents: geom.Vec3{X: 4, Y: 0.5, Z: 4}, Rotation: geom.Identity()}}
		s.Objects = scene.NewObjects(
			scene.Object{Name: "ball", Material: shade.Material{Albedo: shade.FromSRGB8(214, 69, 65), Mirror: 0.2}},
			scene.Object{Name: "floor", Material: shade.Material{Albedo: shade.FromSRGB8(180, 190, 200)}},
		)
		film, err := pillbox.Render(ctx, s, pillbox.Options{})
		if err != nil {
			return err
		}
		return pngfile.Encode(w, film.Image)
	}
	var picture bytes.Buffer
	if err := render(context.Background(), &picture); err != nil {
		fmt.Println(err)
		return
	}
	img, err := png.Decode(&picture)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("size", img.Bounds().Size())
	fmt.Println("sky", img.At(0, 0))
	fmt.Println("ball", img.At(640, 340))
	// Output:
	// size (1280,720)
	// sky {199 219 245 255}
	// ball {212 122 131 255}
}

// ExamplePrepare renders a small picture and a corner of a large one from one prepared scene.
func ExamplePrepare() {
	render := func(ctx context.Context, s *scene.Scene) error {
		p, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(320, 0)})
		if err != nil {
			return err
		}
		small, err := p.Render(ctx, pillbox.Work{})
		if err != nil {
			return err
		}
		corner, err := p.Prepare(s, pillbox.Picture{Region: image.Rect(0, 0, 64, 64)})
		if err != nil {
			return err
		}
		large, err := corner.Render(ctx, pillbox.Work{Workers: 2})
		if err != nil {
			return err
		}
		fmt.Println(small.Image.Rect.Size(), large.Image.Rect.Size())
		return nil
	}
	if err := render(context.Background(), scene.New()); err != nil {
		fmt.Println(err)
	}
	// Output: (320,180) (64,64)
}

func prepare(t testing.TB, s *scene.Scene, pic pillbox.Picture) *pillbox.Prepared {
	t.Helper()
	p, err := pillbox.Prepare(s, pic)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGolden renders every shipped scene, also at the times that it lists for tests, and compares its pixels with
// golden/NAME.png, exactly. After a failure, golden/NAME.new.png is the new picture, and golden/NAME.diff.png shows
// where the two differ. Of the slow scenes, the ordinary effort renders only a band.
func TestGolden(t *testing.T) {
	for _, p := range pictures(t) {
		t.Run(p.name, func(t *testing.T) {
			if testing.Short() || !effort.IsAll() && slices.Contains(slow, p.name) {
				checkBand(t, filepath.Join("golden", p.name+".png"), p.load(t))
				return
			}
			checkGolden(t, filepath.Join("golden", p.name), annotated(t, p.load(t)))
		})
	}
}

// slow are the pictures that take more than half of the time of all. With ordinary effort, this test renders a band of each;
// scripts/test then compares them with render golden check.
var slow = []string{"chess", "demo", "ghost", "occlusion", "section", "still-life"}

// picture is the golden picture of a shipped scene, or of the scene at one of the times that it lists for tests.
type picture struct {
	name  string
	scene string
	at    []float64 // the time, if there is one
}

func pictures(t testing.TB) (all []picture) {
	for _, name := range shipped.Names(t) {
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
	s := shipped.Load(t, p.scene)
	for _, seconds := range p.at {
		var err error
		if s, err = s.At(seconds); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// checkBand compares the rows in the middle of a scene's picture, a tenth of all, with those of its golden picture. It is
// for processors that are emulated, and for slow scenes.
func checkBand(t *testing.T, name string, s *scene.Scene) {
	want, err := readPNG(name)
	if err != nil {
		t.Fatal(err)
	}
	size := want.Bounds().Size()
	band := image.Rect(0, size.Y*9/20, size.X, size.Y*11/20+1)
	film, err := figure.Render(t.Context(), s, pillbox.Options{Picture: pillbox.Picture{Region: band}})
	if err != nil {
		t.Fatal(err)
	}
	part := image.NewNRGBA(image.Rectangle{Max: band.Size()})
	draw.Draw(part, part.Rect, want, band.Min, draw.Src)
	if diff, err := golden.Compare(film.Image, part, golden.Tolerance{}); err != nil || !diff.Passes() {
		t.Errorf("%v, %v", diff, err)
	}
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

// TestGoldenScenes compares the copies of scenes beside the golden pictures with the shipped scenes.
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

// keptScenes maps each copy beside a golden picture to its original. "render golden accept" copies every shipped
// scene and the other files that it reads.
func keptScenes(t *testing.T) map[string]string {
	originals := make(map[string]string)
	for _, p := range pictures(t) {
		base := filepath.Join("golden", p.name+".scene")
		originals[base+".toml"] = filepath.Join("scenes", p.scene+".toml")
		for _, f := range shipped.Load(t, p.scene).Files {
			originals[filepath.Join(base, f.Path)] = f.Name
		}
	}
	return originals
}

// replace writes data to the named file, completely or not at all.
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

// hashFile lists the pixel hash of every shipped scene, so that the results of two machines can be compared without
// pictures.
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

// straight returns img, a decoded PNG, with straight alpha. The decoder returns opaque pictures as image.RGBA,
// whose bytes are the same with straight alpha.
func straight(img image.Image) *image.NRGBA {
	if rgba, ok := img.(*image.RGBA); ok && rgba.Opaque() {
		return &image.NRGBA{Pix: rgba.Pix, Stride: rgba.Stride, Rect: rgba.Rect}
	}
	return img.(*image.NRGBA)
}

// annotated renders a scene and draws its annotations, such as labels, over the picture.
func annotated(t *testing.T, s *scene.Scene) *image.NRGBA {
	t.Helper()
	film, err := figure.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return film.Image
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

// small returns a size at which every shipped scene renders quickly.
func small(s *scene.Scene) image.Point {
	return image.Pt(120, 120*s.Image.Height/s.Image.Width)
}

func TestRegionIsCropOfPicture(t *testing.T) {
	for _, name := range []string{"demo", "transparent", "orthographic", "gradient"} {
		s := shipped.Load(t, name)
		size := small(s)
		whole := shipped.Render(t, s, pillbox.Options{Picture: pillbox.Picture{Size: size}})
		for _, region := range []image.Rectangle{
			image.Rect(0, 0, 1, 1),
			image.Rect(size.X-1, size.Y-1, size.X, size.Y),
			image.Rect(size.X/5, size.Y/7, size.X*4/5+1, size.Y*5/6),
			{Max: size},
		} {
			got := shipped.Render(t, s, pillbox.Options{Picture: pillbox.Picture{Size: size, Region: region}})
			crop := image.NewNRGBA(image.Rectangle{Max: region.Size()})
			draw.Draw(crop, crop.Rect, whole.Image, region.Min, draw.Src)
			if pillbox.Hash(got.Image) != pillbox.Hash(crop) || got.Region != region {
				t.Errorf("%s: region %v differs from the picture's crop", name, region)
			}
		}
	}
}

func TestRenderCancelledKeepsWhatIsFinished(t *testing.T) {
	s := shipped.Load(t, "demo")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opt := pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(160, 90)}, Work: pillbox.Work{Workers: 2}}
	opt.Progress = func(done, all int) {
		if done >= all/2 {
			cancel()
		}
	}
	part, err := pillbox.Render(ctx, s, opt)
	if !errors.Is(err, context.Canceled) || part == nil {
		t.Fatalf("Render = %v, %v, want a film and context.Canceled", part, err)
	}
	whole := shipped.Render(t, s, pillbox.Options{Picture: pillbox.Picture{Size: opt.Size}})
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
	s := shipped.Load(t, "chain")
	var mu sync.Mutex // held during each call, so that TryLock fails if two calls overlap
	last, calls := 0, 0
	opt := pillbox.Options{Work: pillbox.Work{Workers: 4, Progress: func(done, all int) {
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
	}}}
	shipped.Render(t, s, opt)
	if last != 320*240 || calls != 10*8 {
		t.Errorf("%d calls up to %d pixels, want 80 up to %d", calls, last, 320*240)
	}
}

func TestRenderRefusesOptionsOutOfRange(t *testing.T) {
	s := shipped.Load(t, "chain")
	for _, c := range []struct {
		pic  pillbox.Picture
		want string
	}{
		{pillbox.Picture{Size: image.Pt(-1, 3)}, "picture size must not be negative, got -1 x 3"},
		{pillbox.Picture{Size: image.Pt(scene.MaxSide+1, 0)}, "picture sides must be 1 to 32768 pixels, got 32769"},
		{pillbox.Picture{Size: image.Pt(math.MaxInt32, 0)}, "picture sides must be 1 to 32768 pixels, got 2147483647"},
		{pillbox.Picture{Size: image.Pt(scene.MaxSide, scene.MaxSide)}, "picture sides must be 1 to 32768 pixels, and 268435456 in all, got 32768 x 32768"},
		{pillbox.Picture{Region: image.Rect(0, 0, 321, 10)}, "region must lie inside the picture of 320 x 240 pixels and not be empty, got 0,0,321,10"},
		{pillbox.Picture{Region: image.Rect(5, 5, 5, 9)}, "region must lie inside the picture of 320 x 240 pixels and not be empty, got 5,5,5,9"},
		{pillbox.Picture{Antialias: scene.MaxAntialias + 1}, "antialias must be 1 to 16, got 17"},
		{pillbox.Picture{Antialias: -1}, "antialias must be 1 to 16, got -1"},
	} {
		film, err := pillbox.Render(t.Context(), s, pillbox.Options{Picture: c.pic})
		if film != nil || err == nil || err.Error() != c.want {
			t.Errorf("%+v: Render = %v, %v, want %s", c.pic, film, err, c.want)
		}
		if p, err := pillbox.Prepare(s, c.pic); p != nil || err == nil || err.Error() != c.want {
			t.Errorf("%+v: Prepare = %v, %v, want %s", c.pic, p, err, c.want)
		}
		if p, err := prepare(t, s, pillbox.Picture{}).Prepare(s, c.pic); p != nil || err == nil || err.Error() != c.want {
			t.Errorf("%+v: Prepared.Prepare = %v, %v, want %s", c.pic, p, err, c.want)
		}
	}
	if film, err := pillbox.Render(t.Context(), s, pillbox.Options{Work: pillbox.Work{Workers: -1}}); film != nil || err == nil {
		t.Errorf("Render with -1 workers = %v, %v", film, err)
	}
	s.Camera.LookAt = s.Camera.Position
	if _, err := pillbox.Render(context.Background(), s, pillbox.Options{}); !errors.Is(err, camera.ErrSamePoint) {
		t.Errorf("Render with a degenerate camera = %v, want %v", err, camera.ErrSamePoint)
	}
}

// TestRenderRefusesInvalidScenes checks the errors of Render for invalid scenes. Go code can make such scenes, but
// files cannot contain them.
func TestRenderRefusesInvalidScenes(t *testing.T) {
	for want, spoil := range map[string]func(s *scene.Scene){
		"sphere[1]: center":  func(s *scene.Scene) { s.Spheres[1].Center.Y = math.NaN() },
		"sphere[0]: radius":  func(s *scene.Scene) { s.Spheres[0].Radius = -1 },
		"capsule[1]: radius": func(s *scene.Scene) { s.Capsules[1].Radius = math.Inf(1) },
		"box[0]: ":           func(s *scene.Scene) { s.Boxes[0].Rotation = geom.Mat3{} },
		"objects, got 1":     func(s *scene.Scene) { s.Objects = scene.NewObjects(s.Objects.Of(0)) },
	} {
		s := shipped.Load(t, "demo")
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
		opt := pillbox.Options{Picture: pillbox.Picture{Size: c.ask}}
		if got, err := opt.SizeOf(s); got != c.want || err != nil {
			t.Errorf("PictureSize for %v = %v, %v, want %v", c.ask, got, err, c.want)
		}
	}
}

// TestPictureSizeNamesTheGivenSide checks the error for an invalid size if only one side is given. It must name
// this side, and not the side that is computed from it.
func TestPictureSizeNamesTheGivenSide(t *testing.T) {
	s := &scene.Scene{Image: scene.Image{Width: 1280, Height: 720}}
	for _, ask := range []image.Point{{X: 40000}, {Y: 40000}} {
		opt := pillbox.Options{Picture: pillbox.Picture{Size: ask}}
		const want = "picture sides must be 1 to 32768 pixels, got 40000"
		if _, err := opt.SizeOf(s); err == nil || err.Error() != want {
			t.Errorf("PictureSize for %v: %v, want %s", ask, err, want)
		}
	}
}

// TestPictureSizeWithoutProportions checks that giving only one side is an error for a scene without an image size,
// because the other side cannot be computed.
func TestPictureSizeWithoutProportions(t *testing.T) {
	for _, own := range []scene.Image{{}, {Width: 3}, {Height: 3}, {Width: -3, Height: 3}} {
		for _, ask := range []image.Point{{}, {X: 10}, {Y: 10}} {
			opt := pillbox.Options{Picture: pillbox.Picture{Size: ask}}
			_, err := opt.SizeOf(&scene.Scene{Image: own})
			if err == nil || !strings.Contains(err.Error(), "picture sides must be 1 to 32768") {
				t.Errorf("SizeOf for a scene of %d x %d pixels at %v = %v, want an error", own.Width, own.Height, ask, err)
			}
		}
		opt := pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(10, 20)}}
		if got, err := opt.SizeOf(&scene.Scene{Image: own}); got != opt.Size || err != nil {
			t.Errorf("PictureSize for %v = %v, %v", opt.Size, got, err)
		}
	}
}

func TestEmptySceneIsBackground(t *testing.T) {
	s, err := scene.Decode("empty.toml", []byte("[image]\nwidth = 4\nheight = 4\nbackground = \"#123456\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	img := shipped.Render(t, s, pillbox.Options{}).Image
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
	got := shipped.Render(t, s, pillbox.Options{}).Image.Pix
	if want := [4]byte{0xff, 0x80, 0x00, 128}; [4]byte(got) != want {
		t.Errorf("pixel = %v, want %v", got, want)
	}
}

// TestFramedSceneFits renders a scene without a camera in several sizes. The solids must be large in the
// picture and must not touch its border.
func TestFramedSceneFits(t *testing.T) {
	s := shipped.Load(t, "no-camera")
	s.Image.Background = scene.Background{Transparent: true}
	for _, size := range []image.Point{{200, 100}, {100, 200}, {100, 100}} {
		img := shipped.Render(t, s, pillbox.Options{Picture: pillbox.Picture{Size: size}}).Image
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

// TestRenderChecksOptionsFirst checks that invalid options are reported before the scene is prepared, which may
// take long.
func TestRenderChecksOptionsFirst(t *testing.T) {
	none := &scene.Scene{} // invalid: created without scene.New
	_, err := pillbox.Render(t.Context(), none, pillbox.Options{Work: pillbox.Work{Workers: -1}})
	if err == nil || !strings.Contains(err.Error(), "got -1") {
		t.Errorf("Render with -1 workers: %v", err)
	}
}

func TestRenderRefusesNil(t *testing.T) {
	if film, err := pillbox.Render(t.Context(), nil, pillbox.Options{}); film != nil || err == nil {
		t.Errorf("Render without a scene = %v, %v", film, err)
	}
	var none context.Context
	if film, err := pillbox.Render(none, shipped.Load(t, "chain"), pillbox.Options{}); film != nil || err == nil {
		t.Errorf("Render without a context = %v, %v", film, err)
	}
	opt := pillbox.Options{}
	if _, err := opt.SizeOf(nil); err == nil {
		t.Error("no scene has a size")
	}
}

// TestPreparedRendersParts checks that a prepared scene can render other regions and sizes, and scenes with the
// same solids, with the same search tree.
func TestPreparedRendersParts(t *testing.T) {
	s := shipped.Load(t, "demo")
	size := image.Pt(64, 0)
	p := prepare(t, s, pillbox.Picture{Size: size})
	if got, want := p.Picture(), (pillbox.Picture{Size: image.Pt(64, 36), Region: image.Rect(0, 0, 64, 36), Antialias: s.Image.Antialias}); got != want || p.Scene() != s {
		t.Errorf("Picture() = %+v, want %+v", got, want)
	}
	turned := *s
	camera := *s.Camera
	camera.Position.X++
	turned.Camera = &camera
	equal := *s
	equal.Spheres, equal.Capsules, equal.Boxes = slices.Clone(s.Spheres), slices.Clone(s.Capsules), slices.Clone(s.Boxes)
	for _, c := range []struct {
		s   *scene.Scene
		pic pillbox.Picture
	}{
		{s, pillbox.Picture{Size: size, Region: image.Rect(3, 5, 40, 30)}},
		{s, pillbox.Picture{Size: image.Pt(0, 20), Antialias: 2}},
		{&turned, pillbox.Picture{Size: size}},
		{&equal, pillbox.Picture{Size: size}},
	} {
		other, err := p.Prepare(c.s, c.pic)
		if err != nil {
			t.Fatal(err)
		}
		film, err := other.Render(t.Context(), pillbox.Work{})
		if err != nil {
			t.Fatal(err)
		}
		want := shipped.Render(t, c.s, pillbox.Options{Picture: c.pic})
		if pillbox.Hash(film.Image) != pillbox.Hash(want.Image) || film.Region != want.Region || film.Rays != want.Rays {
			t.Errorf("%+v is another picture", c.pic)
		}
	}
}

// TestPreparedRefusesOtherSolids checks that a prepared scene refuses a scene with other solids, for which its
// search tree would be wrong.
func TestPreparedRefusesOtherSolids(t *testing.T) {
	s := shipped.Load(t, "demo")
	p := prepare(t, s, pillbox.Picture{})
	for name, change := range map[string]func(s *scene.Scene){
		"a smaller sphere": func(s *scene.Scene) { s.Spheres = slices.Clone(s.Spheres); s.Spheres[0].Radius /= 2 },
		"a moved capsule":  func(s *scene.Scene) { s.Capsules = slices.Clone(s.Capsules); s.Capsules[0].A.X++ },
		"a turned box":     func(s *scene.Scene) { s.Boxes = slices.Clone(s.Boxes); s.Boxes[0].Rotation = geom.RotationXYZ(1, 2, 3) },
		"one box less":     func(s *scene.Scene) { s.Boxes = s.Boxes[1:] },
		"one object less":  func(s *scene.Scene) { s.Objects = scene.NewObjects(s.Objects.List()[1:]...) },
	} {
		other := *s
		change(&other)
		if q, err := p.Prepare(&other, pillbox.Picture{}); q != nil || err == nil || !strings.Contains(err.Error(), "the same solids") {
			t.Errorf("%s: Prepare = %v, %v", name, q, err)
		}
	}
	var none pillbox.Prepared
	for _, p := range []*pillbox.Prepared{nil, &none} {
		if film, err := p.Render(t.Context(), pillbox.Work{}); film != nil || err == nil {
			t.Errorf("Render of nothing = %v, %v", film, err)
		}
		if q, err := p.Prepare(s, pillbox.Picture{}); q != nil || err == nil {
			t.Errorf("Prepare of nothing = %v, %v", q, err)
		}
	}
	if _, err := p.Prepare(nil, pillbox.Picture{}); err == nil {
		t.Error("no scene is accepted")
	}
}

// TestRenderReturnsTheContextsError checks that Render returns ctx.Err(), even if the context was canceled with
// another cause.
func TestRenderReturnsTheContextsError(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("a cause"))
	if film, err := pillbox.Render(ctx, shipped.Load(t, "chain"), pillbox.Options{}); film == nil || err != context.Canceled {
		t.Errorf("Render = %v, %v, want a film and context.Canceled", film, err)
	}
}

// TestRenderAfterPanic checks that a panic in a callback reaches the caller, and that later pictures are right.
func TestRenderAfterPanic(t *testing.T) {
	s := shipped.Load(t, "demo")
	p := prepare(t, s, pillbox.Picture{Size: image.Pt(96, 0)})
	want := shipped.Render(t, s, pillbox.Options{Picture: p.Picture()})
	for calls := range 6 {
		for name, w := range map[string]pillbox.Work{
			"Progress": {Workers: 3, Progress: panicAfter[int](calls)},
			"Rows":     {Workers: 3, Rows: func(*pillbox.Film, int) { panic("planted") }},
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: no panic", name)
					}
				}()
				p.Render(t.Context(), w)
			}()
			got, err := p.Render(t.Context(), pillbox.Work{})
			if err != nil || pillbox.Hash(got.Image) != pillbox.Hash(want.Image) || got.Rays != want.Rays {
				t.Fatalf("another picture after a panic in %s", name)
			}
		}
	}
}

// panicAfter returns a callback that panics in all calls after the first n.
func panicAfter[T any](n int) func(T, T) {
	return func(T, T) {
		if n--; n < 0 {
			panic("planted")
		}
	}
}

// TestRenderRefusesScenesWithoutDefaults checks that Render refuses a scene that was not created with scene.New.
// Such a scene would have no shadows, ambient light or background.
func TestRenderRefusesScenesWithoutDefaults(t *testing.T) {
	literal := &scene.Scene{Spheres: []shapes.Sphere{{Radius: 1}}, Objects: scene.NewObjects(scene.Object{})}
	for _, pic := range []pillbox.Picture{{}, {Size: image.Pt(10, 10)}, {Size: image.Pt(10, 10), Antialias: 1}, {Size: image.Pt(10, 0)}} {
		film, err := pillbox.Render(t.Context(), literal, pillbox.Options{Picture: pic})
		if film != nil || err == nil || !strings.Contains(err.Error(), "scene.New()") {
			t.Errorf("%+v: Render = %v, %v, want an error that names scene.New", pic, film, err)
		}
	}
}

// TestBuildingProgress checks that building the search tree reports many steps, and that the last step counts all
// solids.
func TestBuildingProgress(t *testing.T) {
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "[[sphere]]\ncenter = [%d, %d, 0]\nradius = 0.25\n", i%100, i/100)
	}
	s, err := scene.Decode("s.toml", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	calls, last := 0, 0
	_, err = pillbox.PrepareWith(s, pillbox.Options{Work: pillbox.Work{Building: func(done, all int) {
		if done < last || all != 20_000 {
			t.Errorf("%d of %d solids after %d", done, all, last)
		}
		calls, last = calls+1, done
	}}})
	if err != nil || last != 20_000 || calls < 5 {
		t.Errorf("%d solids in %d calls: %v", last, calls, err)
	}
}
