package aov

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/shipped"
	"pillbox/internal/follow"
	"pillbox/internal/regress"
	"pillbox/scene"
	"pillbox/shade"
)

// eachScene calls f as a subtest for every shipped scene. The options set a small size.
func eachScene(t *testing.T, f func(t *testing.T, s *scene.Scene, opt pillbox.Options)) {
	shipped.Each(t, func(t *testing.T, s *scene.Scene) {
		f(t, s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(56, 0)}})
	})
}

func load(t *testing.T, file string) *scene.Scene {
	t.Helper()
	s, err := scene.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func render(t *testing.T, s *scene.Scene, opt pillbox.Options, kinds ...Kind) []*View {
	t.Helper()
	views, err := Render(context.Background(), prepare(t, s, opt.Picture), kinds, opt.Work)
	if err != nil {
		t.Fatal(err)
	}
	return views
}

func prepare(t *testing.T, s *scene.Scene, pic pillbox.Picture) *pillbox.Prepared {
	t.Helper()
	p, err := pillbox.Prepare(s, pic)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// oracle computes the values that views must have, such as depths and normals, by testing every solid with every
// ray.
type oracle struct {
	s     *scene.Scene
	brute *accel.BruteForce
	sized *follow.Prepared // for lights with a size: samples them by testing every solid
	eye   geom.Vec3        // of a perspective camera
}

func (o *oracle) nearest(p geom.Packet) accel.Hit {
	var hits [1]accel.Hit
	o.brute.Nearest(&p, hits[:])
	return hits[0]
}

// facing returns the normal of h, turned toward the ray's origin.
func (o *oracle) facing(h accel.Hit) geom.Vec3 {
	if h.Inside {
		return h.Normal.Neg()
	}
	return h.Normal
}

// lit returns the fraction of the lights that reach the hit h. The packet contains a single ray, the one with this
// hit. A light with a size counts with its visible fraction.
func (o *oracle) lit(packet geom.Packet, h accel.Hit, lights []scene.PlacedLight) float32 {
	r := packet.SampleRay(0, 0)
	sum := 0.0
	for i, l := range lights {
		switch {
		case l.HasSize():
			q := o.sized.InteractionOf(o.sized.CameraRay(r), follow.PositionOf(&packet, 0), h)
			sum += o.sized.SampleLight(&q, i, nil).Fraction
		case o.arrives(r, h, l):
			sum++
		}
	}
	return float32(sum / float64(len(lights)))
}

// arrives reports whether the light l, which has no size, reaches the hit h of r.
func (o *oracle) arrives(r geom.Ray, h accel.Hit, l scene.PlacedLight) bool {
	dir, reach := l.Toward(h.Point)
	if !(o.facing(h).Dot(dir) > 0) || l.IsSpot() && l.Cone.Falloff().At(-l.Direction.Dot(dir)) == 0 {
		return false
	}
	if !o.s.Shading.Shadows {
		return true
	}
	blocked := []bool{false}
	o.brute.Blocked([]accel.SecondaryRay{o.leave(r, h, dir)}, []float64{reach}, blocked)
	surrounds := !l.Directional && slices.Contains(o.brute.Touching(l.Position), h.Object)
	return !blocked[0] && (!h.Inside || surrounds)
}

// leave returns the secondary ray that starts at the hit h of r and has the direction dir.
func (o *oracle) leave(r geom.Ray, h accel.Hit, dir geom.Vec3) accel.SecondaryRay {
	return accel.SecondaryRay{Ray: geom.Ray{Origin: h.Point, Dir: dir}, Object: h.Object, Inside: h.Inside, Eye: o.brute.Enclosing(o.eye)}
}

func (o *oracle) bounces(r geom.Ray, h accel.Hit) int {
	n := 0
	for h.Object != accel.None && o.s.Objects.Material(int(h.Object)).Mirror > 0 && n < o.s.Shading.Bounces {
		d := o.leave(r, h, shade.Reflect(r.Dir, o.facing(h)))
		var next [1]accel.Hit
		o.brute.Reflected([]accel.SecondaryRay{d}, next[:])
		r, h = d.Ray, next[0]
		n++
	}
	return n
}

// TestNormalsOnRims checks the normals at the rims of the cylinders in scenes/cylinder-rim.toml, as docs/scene.md
// specifies them. All coordinates are multiples of 1/16, so rays pass exactly through points of rims. Such a ray
// sees the normal of the disc at the cylinder's end, or the normal of the side if the ray lies in the plane of the
// disc.
func TestNormalsOnRims(t *testing.T) {
	view := render(t, load(t, "../scenes/cylinder-rim.toml"), pillbox.Options{}, Normal)[0]
	at := func(x, y int) geom.Vec3 { // in sixteenths
		n := view.Values[3*((60-y)*160+x+79):]
		return geom.Vec3{X: float64(n[0]), Y: float64(n[1]), Z: float64(n[2])}
	}
	want := func(what string, x, y int, n geom.Vec3) {
		if got := at(x, y); !(got.Sub(n).Norm() < 1e-7) { // of float32
			t.Errorf("%s: normal %v at (%d, %d)/16, want %v", what, got, x, y, n)
		}
	}
	// Around a center at (x, y)/16, these are the points of a circle of radius 25/16 that lie on the grid.
	circle := [][2]int{{25, 0}, {24, 7}, {20, 15}, {15, 20}, {7, 24}, {0, 25}, {-7, 24}, {-15, 20}, {-20, 15}, {-24, 7}}
	for _, p := range circle {
		for _, sign := range []int{1, -1} {
			x, y := sign*p[0], sign*p[1]
			want("seen along the axis", x-40, y+33, geom.Vec3{Z: 1})
			if p[0]%5 == 0 { // the others lie between rays where the circle is foreshortened
				want("tilted up", x-40, y*4/5-18, geom.Vec3{Y: 0.6, Z: 0.8})
				want("tilted to the right", y*3/5+44, x-18, geom.Vec3{X: 0.8, Z: 0.6})
			}
		}
	}
	for _, p := range [][2]int{{-66, 33}, {-14, 33}, {-40, 59}, {-40, 7}} {
		if n := at(p[0], p[1]); !math.IsNaN(n.X) {
			t.Errorf("beyond the rim: normal %v at %v/16, want nothing", n, p)
		}
	}
	for y := -16; y <= 16; y++ {
		height := float64(y) / 16
		side := geom.Vec3{Y: height, Z: math.Sqrt(1 - height*height)}
		want("in the plane of a disc", 12, y+33, side)
		want("in the plane of a disc", 60, y+33, side)
	}
}

// TestValuesEqualBruteForce renders the views Depth, Normal, Object, Facing, Shadow and Bounces of every shipped
// scene. It compares each value with that of an [oracle], which tests every solid with every ray.
func TestValuesEqualBruteForce(t *testing.T) {
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		opt.Antialias = 2 // which must not matter
		kinds := []Kind{Depth, Normal, Object, Facing, Shadow, Bounces}
		views := render(t, s, opt, kinds...)
		size := views[0].Region.Size()
		view, err := s.View(size.X, size.Y)
		if err != nil {
			t.Fatal(err)
		}
		sized := follow.Of(prepare(t, s, opt.Picture)).Brute()
		o := oracle{s: s, brute: sized.World.(*accel.BruteForce), sized: sized}
		lights := s.PlacedLights(view)
		for i := range size.X * size.Y {
			at := image.Pt(i%size.X, i/size.X)
			packet := view.Packet(image.Rectangle{at, at.Add(image.Pt(1, 1))}, 1)
			r, h := packet.SampleRay(0, 0), o.nearest(packet)
			o.eye = r.Origin
			want := map[Kind][]float32{Depth: {float32(h.T)}}
			nan := float32(math.NaN())
			for _, k := range kinds[1:] {
				want[k] = slices.Repeat([]float32{nan}, k.Channels())
			}
			if h.Object != accel.None {
				n := o.facing(h)
				cos := max(0, n.Dot(r.Dir.Neg()))
				if h.Inside {
					cos = -cos
				}
				want[Normal] = []float32{float32(n.X), float32(n.Y), float32(n.Z)}
				want[Object][0] = float32(h.Object)
				want[Facing][0] = float32(cos)
				want[Shadow][0] = o.lit(packet, h, lights)
				want[Bounces][0] = float32(o.bounces(r, h))
			}
			for _, v := range views {
				n := v.Kind.Channels()
				if got := v.Values[i*n:][:n]; !same(got, want[v.Kind]) {
					t.Fatalf("%v of pixel %v is %v, by brute force %v", v.Kind, at, got, want[v.Kind])
				}
			}
		}
	})
}

// same reports whether two lists have equal numbers. NaN equals NaN, and 0 equals -0.
func same(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return x == y || isNaN(x) && isNaN(y) })
}

// TestColorEncodesToThePicture checks that the linear colors in the view Color, encoded as sRGB, are the pixels of
// the picture.
func TestColorEncodesToThePicture(t *testing.T) {
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		for opt.Antialias = 0; opt.Antialias < 4; opt.Antialias += effort.Of(2, 1, 1) { // 0 is the scene's own
			checkEncoded(t, s, opt)
		}
	})

	// Rounding makes the average of nine equal samples differ from the sample, across a threshold of the encoding.
	s, err := scene.Decode("even.toml", []byte("[image]\nwidth = 4\nheight = 4\nbackground = [0.3, 0.3, 0.3]\n"))
	if err != nil {
		t.Fatal(err)
	}
	s.Image.Antialias, s.Image.Adaptive = 3, true
	checkEncoded(t, s, pillbox.Options{})
}

func checkEncoded(t *testing.T, s *scene.Scene, opt pillbox.Options) {
	t.Helper()
	film, err := pillbox.Render(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	got := render(t, s, opt, Color, Depth)[0].Image()
	for i := 0; i < len(got.Pix); i += 4 {
		if want := film.Image.Pix[i : i+4]; !slices.Equal(got.Pix[i:i+3], want[:3]) {
			t.Fatalf("with antialias %d, pixel %d is encoded as %v, the picture has %v", opt.Antialias, i/4, got.Pix[i:i+4], want)
		}
	}
}

// TestColorOfAdaptiveAntialiasing checks the view Color of a scene with adaptive antialiasing. In pixels that were
// refined, the color must be the average of all samples. In other pixels, it must be the color of the ray through
// the center.
func TestColorOfAdaptiveAntialiasing(t *testing.T) {
	s := load(t, "../scenes/adaptive.toml")
	opt := pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(56, 0)}}
	film, err := pillbox.Render(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	got := render(t, s, opt, Color)[0].Values
	s.Image.Adaptive = false
	average := render(t, s, opt, Color)[0].Values
	opt.Antialias = 1
	center := render(t, s, opt, Color)[0].Values
	telling := 0
	for i, refined := range film.Refined {
		at, want := i*3, center
		if refined {
			want = average
		}
		if !same(got[at:at+3], want[at:at+3]) {
			t.Fatalf("pixel %d, refined: %v, is %v, want %v", i, refined, got[at:at+3], want[at:at+3])
		}
		if !refined && !same(average[at:at+3], center[at:at+3]) {
			telling++
		}
	}
	if telling == 0 {
		t.Error("no average differs from its center: the test sees nothing")
	}
}

// TestFacingNeverNegativeOutside checks the view Facing for normals that rounding turns slightly away from the
// ray. The value must be 0 if the ray hits a solid from outside, and -0 from inside.
func TestFacingNeverNegativeOutside(t *testing.T) {
	for _, inside := range []bool{false, true} {
		q := &follow.Interaction{Normal: geom.Vec3{X: 1, Y: 1e-17}}
		q.Ray.Dir, q.Hit.Inside = geom.Vec3{Y: 1}, inside
		if got := facing(q); got != 0 || math.Signbit(got) != inside {
			t.Errorf("inside: %v, facing is %v, want a zero with the sign of it", inside, got)
		}
	}
}

// TestSingleKeepsEncoding checks that the conversion of a float64 to a float32 by the function single does not
// change the 8-bit sRGB value. It tests the numbers next to every threshold at which that value increases by 1.
func TestSingleKeepsEncoding(t *testing.T) {
	crossed := 0
	for k := range 255 {
		lo, hi := 0.0, 1.0 // encoded as at most k, and as more than k
		for math.Nextafter(lo, 1) < hi {
			if mid := (lo + hi) / 2; int(shade.EncodeSRGB8(mid)) <= k {
				lo = mid
			} else {
				hi = mid
			}
		}
		for _, v := range []float64{lo, hi} {
			got := single(v)
			if shade.EncodeSRGB8(float64(got)) != shade.EncodeSRGB8(v) {
				t.Errorf("single(%v) = %v is encoded as %d, want %d", v, got, shade.EncodeSRGB8(float64(got)), shade.EncodeSRGB8(v))
			}
			if shade.EncodeSRGB8(float64(float32(v))) != shade.EncodeSRGB8(v) {
				crossed++
			}
		}
	}
	if crossed == 0 {
		t.Error("no number is rounded across a threshold: the test sees nothing")
	}
	for _, v := range []float64{0, 1, 0.25} {
		if got := single(v); float64(got) != v {
			t.Errorf("single(%v) = %v", v, got)
		}
	}
}

// TestObjectEqualsObjectMap compares the images of the view Object, which shows each solid in its own color, with
// the object maps that package regress draws.
func TestObjectEqualsObjectMap(t *testing.T) {
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		got := render(t, s, opt, Object)[0].Image()
		m, err := regress.MapObjects(t.Context(), s, got.Rect.Size())
		if err != nil {
			t.Fatal(err)
		}
		ground := color.NRGBA{0x20, 0x20, 0x20, 0xff}
		for y := range got.Rect.Dy() {
			for x := range got.Rect.Dx() {
				is := got.NRGBAAt(x, y)
				if is.A == 0 {
					is = ground
				}
				if want := m.Image.NRGBAAt(x, y); is != want {
					t.Fatalf("pixel %d,%d is %v, on the map %v", x, y, is, want)
				}
			}
		}
	})
}

// TestCostCountsTheWalk compares the values of the view Cost with the number of nodes and solids in the traversals
// that package follow records.
func TestCostCountsTheWalk(t *testing.T) {
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		opt.Antialias = 1
		v := render(t, s, opt, Cost)[0]
		st := follow.Of(prepare(t, s, opt.Picture))
		for i, got := range v.Values {
			center := st.PixelRays(image.Pt(i%v.Region.Dx(), i/v.Region.Dx()), 1)
			want := 0
			for _, step := range st.Follow(st.CameraRay(center.SampleRay(0, 0)), follow.PositionOf(&center, 0), follow.Record(1<<30)).Traversal.Steps {
				if step.Solid != nil || step.Node.Outcome == accel.Entered || step.Node.Depth == 0 {
					want++
				}
			}
			if float32(want) != got {
				t.Fatalf("pixel %d costs %v, explained as %d", i, got, want)
			}
		}
	})
}

// TestRegionsAndWorkersChangeNothing checks that a region rendered by several goroutines equals the same part of
// the whole picture.
func TestRegionsAndWorkersChangeNothing(t *testing.T) {
	for _, file := range []string{"../scenes/demo.toml", "../scenes/adaptive.toml"} {
		s := load(t, file)
		region := image.Rect(7, 5, 51, 30)
		whole := render(t, s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(60, 40)}, Work: pillbox.Work{Workers: 1}}, Kinds()...)
		last := 0
		parts := render(t, s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(60, 40), Region: region}, Work: pillbox.Work{Workers: 7, Progress: func(done, all int) {
			if done <= last || all != 44*25 {
				t.Errorf("progress %d of %d after %d", done, all, last)
			}
			last = done
		}}}, Kinds()...)
		if last != 44*25 {
			t.Errorf("progress ends at %d", last)
		}
		for k, part := range parts {
			n := part.Kind.Channels()
			for y := range region.Dy() {
				got := part.Values[y*44*n:][:44*n]
				want := whole[k].Values[((y+5)*60+7)*n:][:44*n]
				if !same(got, want) {
					t.Fatalf("%s, %v: row %d of the region differs from the whole", file, part.Kind, y)
				}
			}
		}
	}
}

func TestRenderErrors(t *testing.T) {
	s := load(t, "../scenes/sphere.toml")
	p := prepare(t, s, pillbox.Picture{})
	if views, err := Render(t.Context(), p, Kinds(), pillbox.Work{Workers: -1}); err == nil || views != nil {
		t.Errorf("Render with -1 workers gives %d views and the error %v, want an error alone", len(views), err)
	}
	for _, none := range []*pillbox.Prepared{nil, {}} {
		if views, err := Render(t.Context(), none, Kinds(), pillbox.Work{}); err == nil || views != nil {
			t.Errorf("Render of nothing gives %d views and the error %v, want an error alone", len(views), err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("a cause"))
	for _, kinds := range [][]Kind{Kinds(), {Depth}} {
		if views, err := Render(ctx, p, kinds, pillbox.Work{}); err != context.Canceled || views != nil {
			t.Errorf("Render without time gives %d views and the error %v", len(views), err)
		}
	}
	var none context.Context
	if views, err := Render(none, p, Kinds(), pillbox.Work{}); err == nil || views != nil {
		t.Errorf("without a context: %v, %v", views, err)
	}
	if _, err := Sheet(ctx, s, pillbox.Options{}); err != context.Canceled {
		t.Errorf("Sheet without time gives the error %v", err)
	}
	if _, err := Sheet(t.Context(), s, pillbox.Options{Picture: pillbox.Picture{Antialias: scene.MaxAntialias + 1}}); err == nil {
		t.Error("Sheet accepts any antialiasing")
	}
}

func TestKindNames(t *testing.T) {
	for _, k := range Kinds() {
		if got, ok := ParseKind(k.String()); got != k || !ok {
			t.Errorf("ParseKind(%q) = %v, %v", k, got, ok)
		}
		if k.Meaning() == "" {
			t.Errorf("%v means nothing", k)
		}
	}
	for _, name := range []string{"", "Depth", "colour", "Kind(9)"} {
		if k, ok := ParseKind(name); ok {
			t.Errorf("ParseKind(%q) = %v", name, k)
		}
	}
}

// TestPFMRoundTrip writes every kind of view of a picture and reads it back.
func TestPFMRoundTrip(t *testing.T) {
	s := load(t, "../scenes/sphere.toml")
	for _, v := range render(t, s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(23, 11)}}, Kinds()...) {
		var file bytes.Buffer
		if err := v.WritePFM(&file); err != nil {
			t.Fatal(err)
		}
		size, channels, values, err := readPFM(&file)
		if err != nil {
			t.Fatalf("%v: %v", v.Kind, err)
		}
		if size != v.Region.Size() || channels != v.Kind.Channels() || !same(values, v.Values) {
			t.Errorf("%v comes back as %v pixels of %d channels, or with other values", v.Kind, size, channels)
		}
	}
	depth := render(t, s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(23, 11)}}, Depth)[0]
	if !math.IsInf(float64(depth.Values[0]), 1) || math.IsInf(float64(depth.Values[len(depth.Values)/2]), 1) {
		t.Error("the corner shows something or the middle nothing")
	}
	for room := range 60 {
		if err := depth.WritePFM(&full{room}); err == nil {
			t.Errorf("no error from a writer that takes %d bytes", room)
		}
	}
}

// readPFM is a second reader of PFM files, written from the format's description. It returns the values in the
// order of the file.
func readPFM(r io.Reader) (size image.Point, channels int, values []float32, err error) {
	in := bufio.NewReader(r)
	var magic string
	var scale float64
	if _, err := fmt.Fscanf(in, "%s\n%d %d\n%g\n", &magic, &size.X, &size.Y, &scale); err != nil {
		return size, 0, nil, err
	}
	channels = map[string]int{"PF": 3, "Pf": 1}[magic]
	if scale != -1 || channels == 0 {
		return size, 0, nil, fmt.Errorf("header %s with scale %v", magic, scale)
	}
	row := size.X * channels
	values = make([]float32, size.Y*row)
	for y := size.Y - 1; y >= 0; y-- {
		if err := binary.Read(in, binary.LittleEndian, values[y*row:][:row]); err != nil {
			return size, 0, nil, err
		}
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return size, 0, nil, errors.New("the file goes on")
	}
	return size, channels, values, nil
}

// full is an [io.Writer]. It accepts as many bytes in total as the field room states. A write that does not fit
// returns an error.
type full struct{ room int }

func (w *full) Write(p []byte) (int, error) {
	if len(p) > w.room {
		return 0, io.ErrShortWrite
	}
	w.room -= len(p)
	return len(p), nil
}

// TestImageColors checks the colors in which Image shows values of each kind of view. For example, an unlit point
// is black in the view Shadow, and a pixel without a solid is transparent.
func TestImageColors(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	negativeZero := float32(math.Copysign(0, -1))
	for _, test := range []struct {
		kind   Kind
		values []float32
		want   []color.NRGBA
	}{
		{Color, []float32{0, 1, 0.5}, []color.NRGBA{{0, 255, 188, 255}}},
		{Normal, []float32{1, -1, 0, nan, nan, nan}, []color.NRGBA{{255, 0, 128, 255}, {}}},
		{Facing, []float32{0, 1, 0.5, -1, negativeZero, nan}, []color.NRGBA{
			{0, 0, 0, 255}, {255, 255, 255, 255}, {128, 128, 128, 255}, {255, 64, 64, 255}, {0, 0, 0, 255}, {}}},
		{Shadow, []float32{0, 0.5, 1, nan}, []color.NRGBA{{0, 0, 0, 255}, {128, 128, 128, 255}, {255, 255, 255, 255}, {}}},
		{Depth, []float32{3, 5, 4, inf}, []color.NRGBA{{0x44, 0x01, 0x54, 255}, {0xfd, 0xe7, 0x25, 255}, {0x21, 0x90, 0x8c, 255}, {}}},
		{Depth, []float32{inf, inf}, make([]color.NRGBA, 2)},
		{Depth, []float32{7, 7}, slices.Repeat([]color.NRGBA{{0x21, 0x90, 0x8c, 255}}, 2)},
		{Bounces, []float32{0, 4, nan}, []color.NRGBA{{0x44, 0x01, 0x54, 255}, {0x21, 0x90, 0x8c, 255}, {}}},
		{Cost, []float32{4, 8}, []color.NRGBA{{0x21, 0x90, 0x8c, 255}, {0xfd, 0xe7, 0x25, 255}}},
	} {
		v := &View{Kind: test.kind, Region: image.Rect(2, 3, 2+len(test.want), 4), Values: test.values, bounces: 8}
		img := v.Image()
		for x, want := range test.want {
			if got := img.NRGBAAt(x, 0); got != want {
				t.Errorf("%v: pixel %d of %v is %v, want %v", test.kind, x, test.values, got, want)
			}
		}
	}
}

// TestViridisBrightens checks that each of 201 colors along the color scale viridis is brighter than the previous
// one.
func TestViridisBrightens(t *testing.T) {
	before := -1.0
	for i := range 201 {
		c := scaleOf(0, 1).color(float64(i) / 200)
		linear := shade.FromSRGB8(c.R, c.G, c.B)
		luminance := 0.2126*linear.R + 0.7152*linear.G + 0.0722*linear.B
		if luminance <= before {
			t.Errorf("color %d is no brighter than the one before", i)
		}
		before = luminance
	}
}

// TestTicksOfCounts checks that the numbers below a scale of counts are whole numbers.
func TestTicksOfCounts(t *testing.T) {
	for most := 1.0; most < 40; most++ {
		for _, tick := range counts(most).ticks() {
			if strings.Contains(tick.Text, ".") {
				t.Errorf("the scale of %v bounces has the number %q", most, tick.Text)
			}
		}
	}
}

// TestSheetScales checks the color scales on contact sheets: their ranges, and that their colors are those of the
// view.
func TestSheetScales(t *testing.T) {
	for _, c := range []struct {
		kind   Kind
		values []float32
		lo, hi float64
	}{
		{Depth, []float32{2, 3, float32(math.Inf(1))}, 2, 3},
		{Facing, []float32{0.5, 1, float32(math.NaN())}, 0, 1},
		{Facing, []float32{0.5, -0.25, float32(math.NaN())}, -1, 1},
		{Shadow, []float32{0, 0.75, float32(math.NaN())}, 0, 1},
		{Occlusion, []float32{0.25, 1, float32(math.NaN())}, 0, 1},
		{Cost, []float32{1, 7, 3}, 0, 7},
	} {
		v := &View{Kind: c.kind, Region: image.Rect(0, 0, 3, 1), Values: c.values}
		s, ok := v.sheetScale()
		if !ok || s.Range != [2]float64{c.lo, c.hi} {
			t.Errorf("%v: the scale is %v, %v; want %v to %v", c.kind, s.Range, ok, c.lo, c.hi)
		}
		for _, x := range c.values[:2] {
			if got, want := s.color(float64(x)), v.look()([]float32{x}); got != want {
				t.Errorf("%v: %v is %v on the scale, and %v in the view", c.kind, x, got, want)
			}
		}
	}
}

// TestPictureKeepsPixels checks that a color scale is added below a picture and changes none of its pixels.
func TestPictureKeepsPixels(t *testing.T) {
	s := load(t, "../scenes/mirror.toml")
	for _, width := range []int{40, 400} {
		for _, v := range render(t, s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(width, 0)}}, Kinds()...) {
			img, picture := v.Image(), v.Picture()
			isScaled := slices.Contains([]Kind{Depth, Bounces, Cost}, v.Kind)
			if more := picture.Bounds().Dy() > img.Rect.Dy(); more != isScaled {
				t.Errorf("%v: %v pixels become %v", v.Kind, img.Rect, picture.Bounds())
			}
			if got := picture.Bounds().Dx(); got != img.Rect.Dx() && (!isScaled || got != 300) {
				t.Errorf("%v: the picture is %d pixels wide", v.Kind, got)
			}
			for y := range img.Rect.Dy() {
				for x := range img.Rect.Dx() {
					if got, want := picture.At(x, y), img.At(x, y); got != want {
						t.Fatalf("%v: pixel %d,%d is %v, want %v", v.Kind, x, y, got, want)
					}
				}
			}
		}
	}
}

// TestSheetSize checks that a sheet of too large views is an error that says what to do.
func TestSheetSize(t *testing.T) {
	s := load(t, "../scenes/mirror.toml")
	for _, size := range []image.Point{{1 << 11, 1<<10 + 1<<9 + 1}, {1 << 16, 1 << 16}, {1 << 15, 0}} {
		_, err := Sheet(t.Context(), s, pillbox.Options{Picture: pillbox.Picture{Size: size}})
		if err == nil || size.X < 1<<15 && !strings.HasSuffix(err.Error(), "at most 3145728 pixels, got 2048 x 1537: choose a smaller width or height") {
			t.Errorf("%v: got %v", size, err)
		}
	}
}

// TestSheet checks a contact sheet's size and the picture in its first cell, and that a second sheet of the scene
// is equal.
func TestSheet(t *testing.T) {
	s := load(t, "../scenes/mirror.toml")
	opt := pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(200, 0), Region: image.Rect(0, 0, 1, 1)}, Work: pillbox.Work{Workers: 1}}
	sheet, err := Sheet(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	const height = margin + heading + 3*(nameSize+lineOf+8+150+8+scaleHeight) + 2*gap + margin
	if got, want := sheet.Bounds(), image.Rect(0, 0, 2*margin+3*200+2*gap, height); got != want {
		t.Errorf("the sheet is %v, want %v", got, want)
	}
	opt.Workers = 5
	again, err := Sheet(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(sheet.(*image.RGBA).Pix, again.(*image.RGBA).Pix) {
		t.Error("two sheets of a scene differ")
	}
	film, err := pillbox.Render(context.Background(), s, pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(200, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	corner := image.Pt(margin, margin+heading+nameSize+lineOf+8)
	for y := range 150 {
		for x := range 200 {
			got := color.NRGBAModel.Convert(sheet.At(corner.X+x, corner.Y+y))
			if want := film.Image.NRGBAAt(x, y); got != want {
				t.Fatalf("pixel %d,%d of the picture is %v, want %v", x, y, got, want)
			}
		}
	}
}

// TestSheetFits checks that contact sheets are at most 1900 x 1200 pixels, for pictures of any proportions.
func TestSheetFits(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {1280, 720}, {720, 1280}, {scene.MaxSide, 1}, {1, scene.MaxSide}, {3200, 200}, {200, 3200}} {
		l := layoutOf(size)
		fit := l.fitted(size)
		s := newSheet(l, fit, []cell{{kind: Cost}, {kind: Normal}})
		if b := s.drawing("title", "facts").Bounds(); b.Width() > 1900 || b.Height() > 1200 || fit.X < 1 || fit.Y < 1 {
			t.Errorf("pictures of %v make a sheet of %v with views of %v", size, b, fit)
		}
	}
}
