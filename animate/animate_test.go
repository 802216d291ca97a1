package animate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"iter"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/animate"
	"pillbox/geom"
	"pillbox/internal/fixture/shipped"
	"pillbox/scene"
)

const ball = `
[image]
width = 40
height = 30
background = { top = "white", bottom = "#203050" }
[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]
[animation]
duration = 1
fps = 12
[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 1
[[animate]]
target = "ball.center"
times = [0, 1]
values = [[-3, 0, 0], [3, 0, 0]]
`

func film(t testing.TB, text string) *animate.Film {
	t.Helper()
	s, err := scene.Decode("ball.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &animate.Film{Scene: s, FPS: s.Animation.FPS, End: s.Animation.Frames()}
}

func Example() {
	s, err := scene.Decode("ball.toml", []byte(ball))
	if err != nil {
		fmt.Println(err)
		return
	}
	f := animate.Film{Scene: s, FPS: 4, End: 4}
	for frame, err := range f.Render(context.Background(), animate.Local, nil) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(f.Time(frame.Index), frame.Scene.Spheres[0].Center.X, frame.Image.Rect.Size())
	}
	// Output:
	// 0 -3 (40,30)
	// 0.25 -1.5 (40,30)
	// 0.5 0 (40,30)
	// 0.75 1.5 (40,30)
}

// pictures returns the pictures of all frames of f.
func pictures(t *testing.T, f *animate.Film) (all []*image.NRGBA) {
	t.Helper()
	for frame, err := range f.Render(t.Context(), animate.Local, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if frame.Index != len(all) {
			t.Fatalf("frame %d comes after %d others", frame.Index, len(all))
		}
		all = append(all, frame.Image)
	}
	return all
}

// TestRenderIsIndependentOfWork checks that the picture of each frame equals a rendering of the scene at the
// frame's time, for any number of workers.
func TestRenderIsIndependentOfWork(t *testing.T) {
	f := film(t, ball)
	var want []string
	for i := range f.Len() {
		s, err := f.Scene.At(f.Time(i))
		if err != nil {
			t.Fatal(err)
		}
		img, err := animate.Local(t.Context(), animate.Frame{Scene: s}, pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, pillbox.Hash(img))
	}
	if len(want) != 12 || want[0] == want[1] {
		t.Fatalf("the ball does not move: %q", want)
	}
	for _, workers := range []int{1, 2, 7} {
		f.Options.Workers = workers
		var got []string
		for _, img := range pictures(t, f) {
			got = append(got, pillbox.Hash(img))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers render other frames", workers)
		}
	}
}

// TestRenderHoldsFewFrames checks that Render begins at most Workers frames ahead of the one that the caller has
// received.
func TestRenderHoldsFewFrames(t *testing.T) {
	f := film(t, strings.Replace(ball, "fps = 12", "fps = 500", 1))
	f.Options.Workers = 3
	begun := make(chan int, f.Len())
	render := func(context.Context, animate.Frame, pillbox.Options) (*image.NRGBA, error) {
		begun <- 1
		return image.NewNRGBA(image.Rect(0, 0, 40, 30)), nil
	}
	taken := 0
	for _, err := range f.Render(t.Context(), render, nil) {
		if err != nil {
			t.Fatal(err)
		}
		taken++
		if n := len(begun); n > taken+3 {
			t.Fatalf("%d frames are begun when %d are taken", n, taken)
		}
	}
	if taken != 500 {
		t.Errorf("%d frames", taken)
	}
}

// TestMemoryOfLongFilm checks that the memory for writing a film does not grow with the number of frames, in any
// format.
func TestMemoryOfLongFilm(t *testing.T) {
	f := film(t, strings.Replace(ball, "duration = 1", "duration = 17", 1))
	f.Options.Size, f.Options.Workers = image.Pt(160, 120), 2
	format, err := f.Format()
	if err != nil {
		t.Fatal(err)
	}
	var colors animate.Histogram
	writers := []animate.Writer{animate.NewAPNG(io.Discard, format), animate.NewGIF(io.Discard, format, colors.Palette()), animate.NewY4M(io.Discard, format)}
	live := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	start, most := 0, 0
	for frame, err := range f.Render(t.Context(), animate.Local, nil) {
		if err != nil {
			t.Fatal(err)
		}
		colors.Add(frame.Image)
		for _, w := range writers {
			if err := w.Frame(frame.Image); err != nil {
				t.Fatal(err)
			}
		}
		switch i := frame.Index; {
		case i == 20:
			start = live()
		case i%60 == 59:
			most = max(most, live())
		}
	}
	// Only a few frames, those rendered ahead, may be in memory at a time, not all 200.
	const frame, ahead = 4 * 160 * 120, 4
	t.Logf("%d frames of %d KiB: %d KiB live at frame 20, later %d KiB at most", f.Len(), frame>>10, start>>10, most>>10)
	if most > start+2*ahead*frame {
		t.Errorf("%d bytes are live at frame 20, later %d", start, most)
	}
}

func TestRenderStops(t *testing.T) {
	f := film(t, ball)
	broken := errors.New("broken")
	n := 0
	for _, err := range f.Render(t.Context(), func(context.Context, animate.Frame, pillbox.Options) (*image.NRGBA, error) {
		return nil, broken
	}, nil) {
		if n++; !errors.Is(err, broken) {
			t.Errorf("got %v, want %v", err, broken)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range f.Render(ctx, animate.Local, nil) {
		if n++; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the end of the context", err)
		}
	}
	if n != 2 {
		t.Errorf("%d results, want 2", n)
	}
	for range f.Render(t.Context(), animate.Local, func(i int, _ *scene.Scene) bool { return i > 0 }) {
		break // Render then ends the goroutines that render ahead
	}
}

// write encodes the pictures in all with a writer that the function make creates, and returns the bytes of the
// file.
func write(t *testing.T, f *animate.Film, all []*image.NRGBA, make func(io.Writer, animate.Format) animate.Writer) []byte {
	t.Helper()
	format, err := f.Format()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := make(&b, format)
	for _, img := range all {
		if err := w.Frame(img); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestGIF decodes a GIF with the standard library. Each decoded frame, drawn over the previous ones, must be close
// to the rendered picture. Pixels that two successive pictures share must also be equal in the GIF.
func TestGIF(t *testing.T) {
	for _, text := range []string{ball, strings.Replace(ball, `background = { top = "white", bottom = "#203050" }`, `background = "transparent"`, 1)} {
		f := film(t, text)
		all := pictures(t, f)
		var colors animate.Histogram
		for _, img := range all {
			colors.Add(img)
		}
		palette := colors.Palette()
		data := write(t, f, all, func(w io.Writer, format animate.Format) animate.Writer { return animate.NewGIF(w, format, palette) })
		g, err := gif.DecodeAll(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Image) != 12 || g.LoopCount != 0 || g.Config.Width != 40 || g.Config.Height != 30 {
			t.Fatalf("%d frames of %d x %d, %d loops", len(g.Image), g.Config.Width, g.Config.Height, g.LoopCount)
		}
		total := 0
		screen := image.NewNRGBA(image.Rect(0, 0, 40, 30))
		for i, frame := range g.Image {
			total += g.Delay[i]
			if g.Disposal[i] == gif.DisposalBackground {
				clear(screen.Pix)
			}
			for y := frame.Rect.Min.Y; y < frame.Rect.Max.Y; y++ {
				for x := frame.Rect.Min.X; x < frame.Rect.Max.X; x++ {
					screen.Set(x, y, frame.At(x, y))
				}
			}
			sum, worst := 0, 0
			for k, v := range all[i].Pix {
				d := max(int(v)-int(screen.Pix[k]), int(screen.Pix[k])-int(v))
				sum, worst = sum+d, max(worst, d)
			}
			if mean := float64(sum) / float64(len(all[i].Pix)); mean > 3 || worst > 60 {
				t.Errorf("frame %d is off by %.1f on average, by %d at most", i, mean, worst)
			}
			if i > 0 && !f.Scene.Image.Background.Transparent && frame.Rect.Dy() > 16 {
				t.Errorf("frame %d changes %v, the ball is smaller", i, frame.Rect)
			}
		}
		if total != 100 {
			t.Errorf("it takes %d hundredths of a second, want 100", total)
		}
	}
}

// TestAPNG checks that every frame of an APNG has the pixels of the rendered picture, and that chunks are numbered
// in order. The standard library decodes only the first frame, so the test turns each frame into a PNG file of its
// own.
func TestAPNG(t *testing.T) {
	f := film(t, ball)
	all := pictures(t, f)
	data := write(t, f, all, animate.NewAPNG)
	var heads, frames [][]byte
	number := uint32(0)
	for kind, chunk := range animate.Chunks(data) {
		switch kind {
		case "IHDR", "sRGB", "gAMA":
			heads = append(heads, slices.Concat([]byte(kind), chunk))
		case "acTL":
			if chunk[3] != 12 {
				t.Errorf("%d frames are announced", chunk[3])
			}
		case "fcTL", "fdAT":
			if got := uint32(chunk[2])<<8 | uint32(chunk[3]); got != number {
				t.Errorf("chunk %d has the number %d", number, got)
			}
			number++
			if kind == "fcTL" {
				frames = append(frames, nil)
				continue
			}
			chunk = chunk[4:]
			fallthrough
		case "IDAT":
			frames[len(frames)-1] = append(frames[len(frames)-1], chunk...)
		}
	}
	if len(frames) != len(all) {
		t.Fatalf("%d frames", len(frames))
	}
	for i, frame := range frames {
		img, err := png.Decode(bytes.NewReader(animate.Rebuild(heads, frame)))
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		got := image.NewNRGBA(img.Bounds())
		for y := range 30 {
			for x := range 40 {
				got.Set(x, y, img.At(x, y))
			}
		}
		if !bytes.Equal(got.Pix, all[i].Pix) {
			t.Errorf("frame %d is another picture", i)
		}
	}
	first, err := png.Decode(bytes.NewReader(data))
	if err != nil || first.Bounds().Dx() != 40 {
		t.Errorf("as a PNG: %v", err)
	}
}

func TestY4M(t *testing.T) {
	f := film(t, ball)
	all := pictures(t, f)
	data := write(t, f, all, animate.NewY4M)
	head := "YUV4MPEG2 W40 H30 F12:1 Ip A1:1 C444\n"
	if !bytes.HasPrefix(data, []byte(head)) || len(data) != len(head)+12*(len("FRAME\n")+3*40*30) {
		t.Fatalf("%d bytes, %q", len(data), data[:50])
	}
	planes := data[len(head)+len("FRAME\n"):]
	r, g, b := float64(all[0].Pix[0]), float64(all[0].Pix[1]), float64(all[0].Pix[2])
	y := 16 + 219*(0.2126*r+0.7152*g+0.0722*b)/255
	cb := 128 + 224*(b-(0.2126*r+0.7152*g+0.0722*b))/1.8556/255
	for i, want := range []float64{y, cb} {
		if got := float64(planes[i*1200]); got < want-1 || got > want+1 {
			t.Errorf("plane %d begins with %v, want %v", i, got, want)
		}
	}
}

// TestTurntable checks that a film with the field Turn moves the camera in a circle around the point that it looks
// at. The film's own scene must not change.
func TestTurntable(t *testing.T) {
	f := film(t, ball)
	f.Turn, f.FPS, f.End = 2, 4, 8
	at := func(i int) *scene.Scene {
		s, err := f.At(i)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := []geom.Vec3{{Z: 9}, {}, {X: 9}, {}, {Z: -9}, {}, {X: -9}, {}}
	for i, want := range want {
		p := at(i).Camera.Position
		if want != (geom.Vec3{}) && p != want || p.Norm() < 8.999 || p.Norm() > 9.001 {
			t.Errorf("frame %d is seen from %v, want %v", i, p, want)
		}
	}
	if f.Scene.Camera.Position != (geom.Vec3{Z: 9}) {
		t.Error("the scene's camera moved")
	}
	f.Scene.Camera = nil // framed
	if a, b := at(0).Camera.Position, at(4).Camera.Position; a == b {
		t.Errorf("a framed scene does not turn: %v", a)
	}
}

// TestDigest checks that the digest of a scene changes with the number of samples, and with a name only if a text shows it.
func TestDigest(t *testing.T) {
	of := func(text string, n int) string { return animate.Digest(film(t, text).Scene, image.Pt(40, 30), n) }
	labeled := ball + "[[label]]\non = \"ball\"\ntext = \"the ball\"\n"
	renamed := strings.NewReplacer(`name = "ball"`, `name = "orb"`, `"ball.center"`, `"orb.center"`, `on = "ball"`, `on = "orb"`)
	if of(renamed.Replace(labeled), 1) != of(labeled, 1) {
		t.Error("a name changes the digest")
	}
	if of(labeled, 1) == of(strings.Replace(labeled, "the ball", "the orb", 1), 1) {
		t.Error("the text of a label does not change the digest")
	}
	if of(foggy, 1) == of(strings.Replace(foggy, "range = [0, 1]", "range = [0, 1]\nname = \"magma\"", 1), 1) {
		t.Error("the color map does not change the digest")
	}
	if of(ball, 2) == of(ball, 1) {
		t.Error("samples do not change the digest")
	}
}

// foggy is a scene with what small shipped scenes do not have.
const foggy = `
[animation]
duration = 1
[fog]
near = 1
far = 9
[colormap]
range = [0, 1]
label = "heat"
[material.tiles]
checker = { color = "red", size = 1 }
[[box]]
center = [0, 0, 0]
half_extents = [1, 1, 1]
material = "tiles"
[[sphere]]
center = [0, 2, 0]
radius = 1
value = 0.5
`

// TestDigestCoversScenes changes each number, text and switch of scenes that have all tables of the scene format, one after
// the other. Each must change the digest.
func TestDigestCoversScenes(t *testing.T) {
	reached := make(map[string]bool)
	for name, s := range smallScenes(t) {
		want := animate.Digest(s, image.Pt(40, 30), 1)
		eachField(reflect.ValueOf(s).Elem(), func(place string) {
			reached[place] = true
			if animate.Digest(s, image.Pt(40, 30), 1) == want {
				t.Errorf("%s: a change of %s does not change the digest", name, place)
			}
		})
	}
	for place := range reachable(reflect.TypeFor[scene.Scene](), nil) {
		if !reached[place] {
			t.Errorf("no scene of this test has a %s", place)
		}
	}
}

func smallScenes(t *testing.T) iter.Seq2[string, *scene.Scene] {
	return func(yield func(string, *scene.Scene) bool) {
		for _, name := range shipped.Names(t) {
			if s := shipped.Load(t, name); s.Objects.Len() <= 20 && !yield(name, s) {
				return
			}
		}
		yield("foggy", film(t, foggy).Scene)
	}
}

// eachField changes each number, text and switch in a scene that a digest must contain, one after the other, and calls a function
// while it is changed, with the name of its type and field.
func eachField(v reflect.Value, changed func(place string)) {
	var walk func(v reflect.Value, place string)
	walk = func(v reflect.Value, place string) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem(), place)
			}
		case reflect.Slice, reflect.Array:
			for i := range min(v.Len(), 3) {
				walk(v.Index(i), place)
			}
		case reflect.Struct:
			for field, x := range v.Fields() {
				if isDrawn(v.Type(), field) {
					walk(x, placeOf(v.Type(), field))
				}
			}
		default:
			before := reflect.New(v.Type()).Elem()
			before.Set(v)
			change(v)
			changed(place)
			v.Set(before)
		}
	}
	walk(v, "")
}

func change(v reflect.Value) {
	switch {
	case v.CanInt():
		v.SetInt(v.Int() ^ 1)
	case v.CanUint():
		v.SetUint(v.Uint() ^ 1)
	case v.CanFloat():
		v.SetFloat(math.Nextafter(v.Float(), math.Inf(1)))
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "'")
	default:
		panic(v.Type())
	}
}

// reachable returns the fields that eachField visits in a value of a type if it has everything.
func reachable(of reflect.Type, places map[string]bool) map[string]bool {
	if places == nil {
		places = make(map[string]bool)
	}
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Array {
		of = of.Elem()
	}
	if of.Kind() == reflect.Struct {
		for field := range of.Fields() {
			switch inner := field.Type; {
			case !isDrawn(of, field):
			case inner.Kind() == reflect.Struct || inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice && inner.Elem().Kind() == reflect.Struct:
				reachable(inner, places)
			default:
				places[placeOf(of, field)] = true
			}
		}
	}
	return places
}

// isDrawn reports whether a digest must contain a field.
func isDrawn(of reflect.Type, field reflect.StructField) bool {
	_, skipped := animate.Undrawn()[field.Name]
	isScene := of == reflect.TypeFor[scene.Scene]()
	return field.IsExported() && !(isScene && skipped) && field.Name != "Antialias"
}

func placeOf(of reflect.Type, field reflect.StructField) string { return of.Name() + "." + field.Name }

func TestNotes(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	noted := animate.WithNote(b.Bytes(), "abc")
	if _, err := png.Decode(bytes.NewReader(noted)); err != nil {
		t.Fatal(err)
	}
	if !animate.HasNote(noted, "abc") || animate.HasNote(noted, "abd") || animate.HasNote(b.Bytes(), "abc") {
		t.Error("notes are mistaken")
	}
	for n := range noted {
		if animate.HasNote(noted[:n], "abc") {
			t.Errorf("%d of %d bytes are taken for whole", n, len(noted))
		}
	}
}

// TestFilmRefuses checks that a film with invalid fields returns an error before it renders a frame.
func TestFilmRefuses(t *testing.T) {
	for want, spoil := range map[string]func(f *animate.Film){
		"want a scene, got nil":                                 func(f *animate.Film) { f.Scene = nil },
		"frames a second must be positive and finite, got 0":    func(f *animate.Film) { f.FPS = 0 },
		"frames a second must be positive and finite, got +Inf": func(f *animate.Film) { f.FPS = math.Inf(1) },
		"want 1 to 1048576 frames, got those from 12 to 12":     func(f *animate.Film) { f.First = 12 },
		"want 1 to 1048576 frames, got those from -1 to 12":     func(f *animate.Film) { f.First = -1 },
		"want 1 to 1048576 frames, got those from 0 to 2000000": func(f *animate.Film) { f.End = 2_000_000 },
		"a turn must take a positive and finite time, got -1":   func(f *animate.Film) { f.Turn = -1 },
		"a turn must take a positive and finite time, got NaN":  func(f *animate.Film) { f.Turn = math.NaN() },
		"picture size must not be negative, got -4 x 3":         func(f *animate.Film) { f.Options.Size = image.Pt(-4, 3) },
		"antialias must be 1 to 16, got 17":                     func(f *animate.Film) { f.Options.Antialias = 17 },
		"outline.width: 100 pixels in a picture 30 pixels high are 3333 in one 1000 pixels high: at most 1024 are possible": func(f *animate.Film) {
			f.Scene.Outline = &scene.Outline{Width: 100}
			f.Options.Size = image.Pt(0, 1000)
		},
	} {
		f := film(t, ball)
		spoil(f)
		var got []string
		for _, err := range f.Render(t.Context(), animate.Local, nil) {
			got = append(got, fmt.Sprint(err))
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// writers returns, for each format, the function that makes its writer.
func writers() map[string]func(io.Writer, animate.Format) animate.Writer {
	return map[string]func(io.Writer, animate.Format) animate.Writer{
		"gif": func(w io.Writer, f animate.Format) animate.Writer {
			return animate.NewGIF(w, f, new(animate.Histogram).Palette())
		},
		"apng": animate.NewAPNG,
		"y4m":  animate.NewY4M,
	}
}

// TestWritersRefuse checks that every writer returns an error for a frame of the wrong size and for a film without
// frames. Films beyond the limits of GIF are errors, too.
func TestWritersRefuse(t *testing.T) {
	format := animate.Format{Size: image.Pt(4, 3), FPS: 25, Frames: 2}
	for name, open := range writers() {
		var b bytes.Buffer
		w := open(&b, format)
		for _, img := range []*image.NRGBA{nil, image.NewNRGBA(image.Rect(0, 0, 3, 4))} {
			if err := w.Frame(img); err == nil || err.Error() != "every frame must have 4 x 3 pixels" {
				t.Errorf("%s: a frame of another size: %v", name, err)
			}
		}
		if err := w.Close(); err == nil || b.Len() > 0 {
			t.Errorf("%s: a film without frames has %d bytes, error %v", name, b.Len(), err)
		}
	}
	for want, format := range map[string]animate.Format{
		"a GIF shows at most 100 frames a second, got 101":           {Size: image.Pt(4, 3), FPS: 101, Frames: 1},
		"a GIF is at most 65535 pixels wide and high, got 65536 x 1": {Size: image.Pt(1<<16, 1), FPS: 1, Frames: 1},
	} {
		img := image.NewNRGBA(image.Rectangle{Max: format.Size})
		if err := writers()["gif"](io.Discard, format).Frame(img); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// fullDisk is an [io.Writer]. It accepts as many bytes as the field room states, and then returns errFull.
type fullDisk struct{ room int }

var errFull = errors.New("no space left")

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestWritersReportAFullDisk checks that each writer returns the error of a disk that becomes full before the
// first byte, in the middle of the file, or before the last byte.
func TestWritersReportAFullDisk(t *testing.T) {
	f := film(t, ball)
	all := pictures(t, f)
	format, err := f.Format()
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range writers() {
		size := len(write(t, f, all, open))
		for _, room := range []int{0, size / 2, size - 1} {
			w := open(&fullDisk{room}, format)
			var err error
			for i := 0; i < len(all) && err == nil; i++ {
				err = w.Frame(all[i])
			}
			if err == nil {
				err = w.Close()
			}
			if !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d of %d bytes: %v", name, room, size, err)
			}
		}
	}
}

// TestTransparentAPNG checks that the first frame of an APNG has the alpha values of the rendered picture.
func TestTransparentAPNG(t *testing.T) {
	f := film(t, strings.Replace(ball, `background = { top = "white", bottom = "#203050" }`, `background = "transparent"`, 1))
	all := pictures(t, f)
	got, err := png.Decode(bytes.NewReader(write(t, f, all, animate.NewAPNG)))
	if err != nil {
		t.Fatal(err)
	}
	for y := range 30 {
		for x := range 40 {
			if got, want := color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA), all[0].NRGBAAt(x, y); got != want && got.A|want.A != 0 {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, got, want)
			}
		}
	}
}

// TestUnevenRates checks that the delays of all frames, which are rounded to whole units, add up to the length of
// the film.
func TestUnevenRates(t *testing.T) {
	const rate, frames = 29.97, 60
	format := animate.Format{Size: image.Pt(1, 1), FPS: rate, Frames: frames}
	img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	var png, video bytes.Buffer
	for _, w := range []animate.Writer{animate.NewAPNG(&png, format), animate.NewY4M(&video, format)} {
		for range frames {
			if err := w.Frame(img); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	milliseconds := 0
	for kind, data := range animate.Chunks(png.Bytes()) {
		if kind == "fcTL" {
			milliseconds += int(data[20])<<8 | int(data[21])
		}
	}
	if milliseconds != 2002 {
		t.Errorf("60 frames take %d ms, want 2002", milliseconds)
	}
	if head, _, _ := strings.Cut(video.String(), "\n"); !strings.Contains(head, " F29970:1000 ") {
		t.Errorf("the video begins with %q", head)
	}
}

// TestY4MIsOpaque checks that Y4M films show transparent pixels over black.
func TestY4MIsOpaque(t *testing.T) {
	show := func(c color.NRGBA) string {
		img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		img.SetNRGBA(0, 0, c)
		var b bytes.Buffer
		w := animate.NewY4M(&b, animate.Format{Size: image.Pt(1, 1), FPS: 1, Frames: 1, Transparent: true})
		if err := errors.Join(w.Frame(img), w.Close()); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, c := range [][2]color.NRGBA{
		{{R: 200, G: 100, B: 50, A: 0}, {A: 255}},
		{{R: 200, G: 100, B: 50, A: 51}, {R: 40, G: 20, B: 10, A: 255}},
	} {
		if got, want := show(c[0]), show(c[1]); got != want {
			t.Errorf("%v is written as %q, %v as %q", c[0], got, c[1], want)
		}
	}
}

// TestTransparentForAWhile checks that a film is transparent if its background is transparent at any time.
func TestTransparentForAWhile(t *testing.T) {
	const becomes = "\n[[animate]]\ntarget = \"image.background\"\ntimes = [0, 1]\nease = \"step\"\nvalues = [\"white\", %q]\n"
	for color, want := range map[string]bool{"transparent": true, "black": false} {
		format, err := film(t, ball+fmt.Sprintf(becomes, color)).Format()
		if err != nil || format.Transparent != want {
			t.Errorf("%s: transparent is %v, %v", color, format.Transparent, err)
		}
	}
}
