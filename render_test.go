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
	"strings"
	"sync"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/golden"
	"pillbox/internal/tomltext"
	"pillbox/pngfile"
	"pillbox/scene"
)

// ExampleRender renders a scene file to a PNG.
func ExampleRender() {
	render := func(ctx context.Context, w io.Writer) error {
		s, err := scene.Load("scenes/demo.toml")
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
	return image.Pt(120, 120*s.Image.Height/s.Image.Width)
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

// TestRenderChecksOptionsFirst: what is wrong with them is told before a scene, which may be large,
// is set up.
func TestRenderChecksOptionsFirst(t *testing.T) {
	none := &scene.Scene{} // not fit to be rendered
	_, err := pillbox.Render(t.Context(), none, pillbox.Options{Workers: -1})
	if err == nil || !strings.Contains(err.Error(), "got -1 and 0") {
		t.Errorf("Render with -1 workers: %v", err)
	}
}

func TestRenderRefusesNil(t *testing.T) {
	if film, err := pillbox.Render(t.Context(), nil, pillbox.Options{}); film != nil || err == nil {
		t.Errorf("Render without a scene = %v, %v", film, err)
	}
	var none context.Context
	if film, err := pillbox.Render(none, load(t, "chain"), pillbox.Options{}); film != nil || err == nil {
		t.Errorf("Render without a context = %v, %v", film, err)
	}
	if film, err := pillbox.RenderStage(t.Context(), nil, pillbox.Options{}); film != nil || err == nil {
		t.Errorf("RenderStage without a stage = %v, %v", film, err)
	}
	opt := pillbox.Options{}
	if _, err := opt.PictureSize(nil); err == nil {
		t.Error("no scene has a size")
	}
}

// TestStageOfRenderStage: a stage may be rendered in parts.
func TestStageOfRenderStage(t *testing.T) {
	s := load(t, "demo")
	opt := pillbox.Options{Size: image.Pt(64, 0)}
	whole := render(t, s, opt)
	st, err := opt.Stage(s)
	if err != nil {
		t.Fatal(err)
	}
	part := *st
	part.Region = image.Rect(3, 5, 40, 30)
	// What chooses a picture does not count.
	film, err := pillbox.RenderStage(t.Context(), &part, pillbox.Options{Size: image.Pt(1, 1), Antialias: 99})
	if err != nil {
		t.Fatal(err)
	}
	want := whole.Image.SubImage(part.Region).(*image.NRGBA)
	if pillbox.Hash(film.Image) != pillbox.Hash(want) {
		t.Error("the part is another picture")
	}
}
