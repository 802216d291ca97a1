package figure_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pillbox"
	"pillbox/figure"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/shipped"
	"pillbox/internal/ink"
	"pillbox/scene"
)

// Example prints where the texts of a figure are.
func Example() {
	s, err := scene.Decode("ball.toml", []byte(`
		image = { width = 200, height = 100 }
		camera = { position = [0, 0, 10], look_at = [0, 0, 0], projection = "orthographic", view_height = 10 }
		sphere = [{ name = "ball", center = [2, 1, 0], radius = 1.5 }]
		label = [{ text = "A", on = "ball", offset = [30, 0] }]
		dimension = [{ on = "ball", offset = [0, -2, 0], text = "Ø {}", unit = "mm" }]
	`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := figure.New(context.Background(), p)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range f.Entries() {
		fmt.Println(e)
	}
	// Output:
	// dimension "Ø 3 mm" at (120.0, 73.7)
	// label "A" at (150.0, 40.0)
}

func decode(t testing.TB, text string, args ...any) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("test.toml", []byte(fmt.Sprintf(text, args...)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func prepare(t testing.TB, s *scene.Scene, size image.Point) *pillbox.Prepared {
	t.Helper()
	p, err := pillbox.Prepare(s, pillbox.Picture{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func arrange(t testing.TB, s *scene.Scene, size image.Point) *figure.Figure {
	t.Helper()
	f, err := figure.New(t.Context(), prepare(t, s, size))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func vector(rng *rand.Rand, size float64) geom.Vec3 {
	return geom.Vec3{X: size * (rng.Float64() - 0.5), Y: size * (rng.Float64() - 0.5), Z: size * (rng.Float64() - 0.5)}
}

func toml(v geom.Vec3) string { return fmt.Sprintf("[%v, %v, %v]", v.X, v.Y, v.Z) }

// TestLabelPositions compares the positions of labels with those of their points, projected here with the functions
// of package math, for pictures of any size. Offsets must be in pixels of the scene's own picture.
func TestLabelPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for n := range 200 {
		eye, at, point := vector(rng, 20), vector(rng, 4), vector(rng, 8)
		fov, height, parallel := 10+60*rng.Float64(), 1+9*rng.Float64(), n%2 == 0
		projection := map[bool]string{true: "orthographic", false: "perspective"}[parallel]
		s := decode(t, `image = { width = 400, height = 300 }
			camera = { position = %s, look_at = %s, fov = %v, view_height = %v, projection = %q }
			label = [{ text = "A", at = %s, offset = [7, -11] }]`, toml(eye), toml(at), fov, height, projection, toml(point))
		size := image.Pt(400<<(n%3), 300<<(n%3))
		scale := float64(size.Y) / 300

		forward := at.Sub(eye).Unit()
		right := forward.Cross(geom.Vec3{Y: 1}).Unit()
		up := right.Cross(forward)
		way := point.Sub(eye)
		half := height / 2
		if !parallel {
			half = way.Dot(forward) * math.Tan(fov/2*math.Pi/180)
		}
		x := float64(size.X)/2 + way.Dot(right)/half*float64(size.Y)/2
		y := float64(size.Y)/2 - way.Dot(up)/half*float64(size.Y)/2
		inside := way.Dot(forward) > 0 && x >= 0 && y >= 0 && x <= float64(size.X) && y <= float64(size.Y)
		entries := arrange(t, s, size).Entries()
		if len(entries) == 0 {
			if inside {
				t.Errorf("%d: no label, want one at (%v, %v)", n, x, y)
			}
			continue
		}
		wantX, wantY := x+7*scale, y-11*scale
		margin := 12 * scale
		if !inside || wantX < margin || wantY < margin || wantX > float64(size.X)-margin || wantY > float64(size.Y)-margin {
			continue // it may have moved into the picture
		}
		if math.Abs(entries[0].X-wantX) > 1e-6 || math.Abs(entries[0].Y-wantY) > 1e-6 {
			t.Errorf("%d: %v, want (%v, %v)", n, entries[0], wantX, wantY)
		}
	}
}

// TestScaleBarLength measures the length of the scale bar in pixels of a picture.
func TestScaleBarLength(t *testing.T) {
	for _, c := range []struct {
		camera string
		want   float64
	}{
		{`projection = "orthographic", view_height = 7`, 1.5 * 240 / 7},
		{`fov = 50`, 1.5 * 240 / (2 * 12 * math.Tan(25*math.Pi/180))},
	} {
		depth := ""
		if strings.HasPrefix(c.camera, "fov") {
			depth = "depth = 12,"
		}
		for _, k := range []int{1, 2} {
			s := decode(t, `image = { width = 320, height = 240, background = "white" }
				camera = { position = [0, 0, 20], look_at = [0, 0, 0], %s }
				scale_bar = { length = 1.5, %s unit = "µm" }`, c.camera, depth)
			size := image.Pt(320*k, 240*k)
			film, err := figure.Render(t.Context(), s, pillbox.Options{Picture: pillbox.Picture{Size: size}})
			if err != nil {
				t.Fatal(err)
			}
			longest := 0.0
			for y := range size.Y {
				dark := 0.0
				for x := range size.X {
					dark += 1 - float64(film.Image.NRGBAAt(x, y).R)/255
				}
				longest = max(longest, dark)
			}
			if want := c.want * float64(k); math.Abs(longest-want) > 0.5 {
				t.Errorf("%s: the bar has %.2f pixels, want %.2f", c.camera, longest, want)
			}
		}
	}
}

// boxOf returns the bounding box of the text m, with some margin above and below.
func boxOf(m *ink.Text) (x0, y0, x1, y1 float64) {
	return m.At.X, m.At.Y - 0.72*m.Size, m.At.X + ink.NewFonts().Width(m.Text, m.Size, m.Bold), m.At.Y + 0.2*m.Size
}

// TestLabelsAvoidEachOther checks that labels at the same point move apart and into the picture, and always to the
// same places.
func TestLabelsAvoidEachOther(t *testing.T) {
	var list []string
	for i := range 25 {
		list = append(list, fmt.Sprintf(`{ text = "label %d", at = [0, 0, 0] }`, i))
	}
	text := `image = { width = 400, height = 300 }
		camera = { position = [-1.7, 0.9, 9], look_at = [-1.7, 0.9, 0] }
		title = { text = "Title" }
		label = [` + strings.Join(list, ",") + `]`
	f := arrange(t, decode(t, "%s", text), image.Point{})
	var texts []*ink.Text
	for _, m := range f.Marks() {
		if m, ok := m.(*ink.Text); ok {
			texts = append(texts, m)
		}
	}
	if len(texts) != 26 {
		t.Fatalf("%d texts", len(texts))
	}
	for i, a := range texts {
		ax0, ay0, ax1, ay1 := boxOf(a)
		if ax0 < 0 || ay0 < 0 || ax1 > 400 || ay1 > 300 {
			t.Errorf("%q leaves the picture", a.Text)
		}
		for _, b := range texts[:i] {
			if bx0, by0, bx1, by1 := boxOf(b); ax0 < bx1 && bx0 < ax1 && ay0 < by1 && by0 < ay1 {
				t.Errorf("%q overlaps %q", a.Text, b.Text)
			}
		}
	}
	if again := arrange(t, decode(t, "%s", text), image.Point{}); !reflect.DeepEqual(again.Marks(), f.Marks()) {
		t.Error("another arrangement differs")
	}
}

// lineLengths returns the number of lines with two points in f, and the sum of their lengths.
func lineLengths(f *figure.Figure) (sum float64, parts int) {
	for _, m := range f.Marks() {
		if m, ok := m.(*ink.Line); ok && len(m.Points) == 2 {
			sum += m.Points[1].Sub(m.Points[0]).Norm()
			parts++
		}
	}
	return sum, parts
}

// TestShortAxes checks that axes of a few pixels have their length and an arrow: they must be drawn from their start to
// their tip.
func TestShortAxes(t *testing.T) {
	for length := 2; length < 20; length++ {
		for _, place := range []string{fmt.Sprintf("length = %v", float64(length)/10), fmt.Sprintf(`length = %v, corner = "top-left"`, length)} {
			s := decode(t, `image = { width = 120, height = 90, background = "white" }
				camera = { position = [0, 0, 9], look_at = [0, 0, 0], projection = "orthographic", view_height = 9 }
				axes = { %s, size = 16 }`, place)
			film, err := figure.Render(t.Context(), s, pillbox.Options{})
			if err != nil {
				t.Fatal(err)
			}
			startX, startY := 60, 45
			if strings.Contains(place, "corner") {
				startX = int(5 + float64(length) + 1.2*16)
				startY = startX
			}
			for x := startX; x < startX+length-1; x++ {
				drawn := false
				for y := startY - 2; y <= startY+2; y++ {
					if c := film.Image.NRGBAAt(x, y); int(c.R) > int(c.G)+10 && int(c.R) > int(c.B)+10 {
						drawn = true
					}
				}
				if !drawn {
					t.Errorf("%s: the x axis has a gap %d pixels from its start", place, x-startX)
				}
			}
		}
	}
}

// TestHiddenLines checks, to a twentieth of a pixel, where a dimension line through a ball is hidden by the ball.
func TestHiddenLines(t *testing.T) {
	const pixelsPerUnit = 30.0
	for _, hidden := range []string{"draw", "hide", "dash"} {
		s := decode(t, `image = { width = 400, height = 300 }
			camera = { position = [0, 0, 10], look_at = [0, 0, 0], projection = "orthographic", view_height = 10 }
			sphere = [{ center = [0.3, 0.5, 0], radius = 1.3 }]
			dimension = [{ from = [-5, 0, 0], to = [5, 0, 0], hidden = %q }]`, hidden)
		sum, parts := lineLengths(arrange(t, s, image.Point{}))
		half := math.Sqrt(1.3*1.3 - 0.5*0.5)
		inset := 0.7 * 0.6 * 16.0 // where the heads of the arrows begin
		whole := 10*pixelsPerUnit - 2*inset
		want := map[string]float64{"draw": whole, "hide": whole - 2*half*pixelsPerUnit}[hidden]
		switch {
		case hidden == "dash" && (parts < 8 || sum > whole || sum < whole-2*half*pixelsPerUnit):
			t.Errorf("dashed: %d lines of %v pixels", parts, sum)
		case hidden != "dash" && math.Abs(sum-want) > 0.05:
			t.Errorf("%s: lines of %v pixels, want %v", hidden, sum, want)
		}
	}
}

// TestHiddenPoints checks that points on the front of a sphere are visible and points on its back are hidden, at
// any scale.
func TestHiddenPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for n := range 300 {
		unit := math.Pow(10, float64(n%13-6))
		eye, center, radius := vector(rng, 1).Unit().Scale(unit*(4+8*rng.Float64())), vector(rng, unit), unit*(0.2+rng.Float64())
		direction := vector(rng, 1).Unit()
		point := center.AddScaled(radius, direction)
		facing := direction.Dot(eye.Sub(point).Unit())
		if math.Abs(facing) < 0.1 {
			continue // the outline is near
		}
		s := decode(t, `camera = { position = %s, look_at = %s, fov = 60 }
			sphere = [{ name = "ball", center = %s, radius = %v }]
			label = [{ text = "point", at = %s, hidden = "hide" }, { text = "ball", on = "ball", hidden = "hide" }]`,
			toml(eye), toml(center), toml(center), radius, toml(point))
		entries := arrange(t, s, image.Point{}).Entries()
		isShown := false
		for _, e := range entries {
			isShown = isShown || e.Text == "point"
		}
		if isShown != (facing > 0) {
			t.Errorf("%d: a point that faces the camera by %v is shown: %v", n, facing, isShown)
		}
		if len(entries) == 0 || entries[len(entries)-1].Text != "ball" {
			t.Errorf("%d: the label on the ball is hidden by the ball", n)
		}
	}
}

const plate = `image = { width = 160, height = 120, background = "transparent" }
	camera = { position = [3, 4, 7], look_at = [0, 0, 0], fov = 40 }
	title = { text = "Plate" }
	axes = { length = 2, hidden = "dash" }
	scale_bar = { length = 1, depth = 8 }
	legend = {}
	material = { steel = { color = "#8090a0" } }
	box = [{ name = "plate", center = [0, 0, 0], half_extents = [1.5, 0.2, 1], material = "steel" }]
	sphere = [{ name = "ball", center = [0, 0.7, 0], radius = 0.5 }]
	cylinder = [{ name = "rod", a = [-1, 0.2, 0], b = [-1, 1, 0], radius = 0.2 }]
	capsule = [{ name = "pill", a = [1, 0.4, 0], b = [1, 0.8, 0.2], radius = 0.2 }]
	label = [{ text = "Å²", on = ["ball", "rod"], offset = [40, -20], leader = true, halo = "white" }]
	dimension = [
		{ on = "plate", across = "x", offset = [0, 0, 0.5], unit = "mm", digits = 2 },
		{ on = "ball" }, { on = "rod" }, { on = "rod", across = "diameter" }, { on = "pill" }, { on = "pill", across = "diameter" },
		{ on = "plate", across = "y" }, { on = "plate", across = "z", hidden = "dash" }]`

// TestDimensionNumbers checks that dimensions show the lengths of the solids.
func TestDimensionNumbers(t *testing.T) {
	var got []string
	for _, e := range arrange(t, decode(t, plate), image.Pt(1600, 1200)).Entries() {
		if e.Kind == "dimension" {
			got = append(got, e.Text)
		}
	}
	// The pill: sqrt(0.4^2 + 0.2^2) + 0.4.
	if want := []string{"3.00 mm", "1", "0.8", "0.4", "0.847", "0.4", "0.4", "2"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the numbers are %q, want %q", got, want)
	}
}

// TestRegions checks that the pixels of a region equal those of the whole picture, and that a row is final when it
// is reported.
func TestRegions(t *testing.T) {
	s := decode(t, plate)
	whole, err := figure.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil || bytes.Equal(plain.Image.Pix, whole.Image.Pix) {
		t.Fatalf("the annotations are missing: %v", err)
	}
	region := image.Rect(13, 7, 120, 99)
	opt := pillbox.Options{Picture: pillbox.Picture{Region: region}}
	rows := 0
	opt.Rows = func(film *pillbox.Film, n int) {
		rows = n
		for y := range n {
			for x := range region.Dx() {
				if film.Image.NRGBAAt(x, y) != whole.Image.NRGBAAt(region.Min.X+x, region.Min.Y+y) {
					t.Fatalf("pixel %d, %d differs", x, y)
				}
			}
		}
	}
	if _, err := figure.Render(t.Context(), s, opt); err != nil || rows != region.Dy() {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// TestWrittenScene checks that a scene that is written and read again has the same figure.
func TestWrittenScene(t *testing.T) {
	for _, text := range []string{plate, `
		sphere = [{ center = [0, 0, 0], radius = 1 }]
		part.pair.sphere = [{ name = "a", center = [-1, 0, 0], radius = 0.5 }, { name = "b", center = [1, 0, 0], radius = 0.5 }]
		part.pair.label = [{ text = "first", on = "a" }, { text = "both", at = [0, 1, 0], anchor = "top-left" }]
		part.pair.dimension = [{ from = [-1, 0, 0], to = [1, 0, 0], offset = [0, 1, 0] }]
		place = [{ part = "pair", name = "p", position = [0, 2, 0], rotate = [0, 0, 30], scale = 0.5, count = 2, step.position = [0, 0, -3] }]
		label = [{ text = "whole", on = "p[1]", hidden = "hide" }, { text = "some", on = "p[0]/b" }]
		axes = { corner = "top-right", length = 30, color = "red" }
		title = { text = "a\nb", side = "bottom" }`} {
		s := decode(t, "%s", text)
		var file bytes.Buffer
		if err := s.WriteTOML(&file); err != nil {
			t.Fatal(err)
		}
		again, err := scene.Decode("again.toml", file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := arrange(t, again, image.Point{}).Marks(), arrange(t, s, image.Point{}).Marks(); !reflect.DeepEqual(got, want) || len(want) < 5 {
			t.Errorf("%s\nhas other marks", &file)
		}
	}
}

// TestMovingLabels checks that labels on moving solids and parts move with them.
func TestMovingLabels(t *testing.T) {
	s := decode(t, `image = { width = 100, height = 100 }
		camera = { position = [0, 0, 9], look_at = [0, 0, 0], projection = "orthographic", view_height = 10 }
		animation = { duration = 1 }
		part.arm.sphere = [{ name = "hand", center = [1, 0, 0], radius = 0.5 }]
		part.arm.label = [{ text = "tip", at = [2, 0, 0], size = 4 }]
		place = [{ part = "arm", name = "left" }]
		label = [{ text = "hand", on = "left/hand", size = 4 }]
		animate = [{ target = "left.position", times = [0, 1], values = [[0, 0, 0], [0, 3, 0]] }]`)
	for _, seconds := range []float64{0, 0.5, 1} {
		at, err := s.At(seconds)
		if err != nil {
			t.Fatal(err)
		}
		y := 50 - 30*seconds
		want := fmt.Sprintf("[label \"hand\" at (60.0, %.1f) label \"tip\" at (70.0, %.1f)]", y, y)
		if got := fmt.Sprint(arrange(t, at, image.Point{}).Entries()); got != want {
			t.Errorf("at %v s: %s, want %s", seconds, got, want)
		}
	}
}

// TestNewErrors checks that New rejects scenes whose annotations cannot be placed, and that Prepare rejects
// characters that the font lacks.
func TestNewErrors(t *testing.T) {
	if _, err := figure.New(t.Context(), nil); err == nil {
		t.Error("nil gave no error")
	}
	s := scene.New()
	s.Annotations.ScaleBar = &scene.ScaleBar{Length: 1, Corner: "top-left", Quantity: scene.Quantity{Factor: 1}, Lettering: scene.DefaultLettering()}
	if _, err := figure.New(t.Context(), prepare(t, s, image.Point{})); err == nil || !strings.Contains(err.Error(), "orthographic") {
		t.Errorf("a scale bar in perspective: %v", err)
	}
	s.Annotations = scene.Annotations{Labels: []scene.Label{{Text: "☃", Lettering: scene.DefaultLettering()}}}
	if _, err := pillbox.Prepare(s, pillbox.Picture{}); err == nil || !strings.Contains(err.Error(), "U+2603") {
		t.Errorf("a character that is missing: %v", err)
	}
	f := arrange(t, decode(t, plate), image.Point{})
	if err := f.WritePDF(new(bytes.Buffer), image.NewNRGBA(image.Rect(0, 0, 3, 3)), 0); err == nil {
		t.Error("a picture of another size gave no error")
	}
}

// TestCanceled checks that arranging and drawing end with the context.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := prepare(t, shipped.Load(t, "annotations"), image.Pt(40, 0))
	if _, err := figure.New(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("New = %v, want %v", err, context.Canceled)
	}
	f, err := figure.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Draw(ctx, &pillbox.Film{Image: image.NewNRGBA(image.Rect(0, 0, 40, 30))}); !errors.Is(err, context.Canceled) {
		t.Errorf("Draw = %v, want %v", err, context.Canceled)
	}
}

// TestTooMuchToDraw checks that lines with very many wide dashes are refused, and that the limit grows with the picture.
func TestTooMuchToDraw(t *testing.T) {
	const view = "[image]\nwidth = 160\nheight = 120\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	for _, test := range []struct {
		lines, width int
		isRefused    bool
	}{{500, 100, true}, {500, 2, false}, {20, 100, false}} {
		text := view + strings.Repeat(fmt.Sprintf("[[line]]\nfrom = [-9, 0, 0]\nto = [9, 0.1, 0]\nwidth = %d\ndash = [0.1, 0.1]\n", test.width), test.lines)
		_, err := figure.New(t.Context(), prepare(t, decode(t, "%s", text), image.Point{}))
		if isRefused := err != nil && strings.Contains(err.Error(), "rows of pixels in total, want at most 33554432"); isRefused != test.isRefused || isRefused != (err != nil) {
			t.Errorf("%d lines of width %d: %v", test.lines, test.width, err)
		}
	}
}

// TestTooManyDashesNearTexts checks that looking at very many dashes near texts is refused, even if the texts are beside none of them.
func TestTooManyDashesNearTexts(t *testing.T) {
	const dashes = 1 << 20
	if rows := figure.RowsUntilRefused(dashes); rows != 1<<27/(dashes/4)+1 {
		t.Errorf("refused after %d rows of %d dashes each", rows, dashes)
	}
}

// TestTooManyCharacters checks that texts of too many characters are refused. Numbers of dimensions count, and texts outside the
// picture do not.
func TestTooManyCharacters(t *testing.T) {
	const view = "[image]\nwidth = 160\nheight = 120\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	label := func(characters int, x string, count int) string {
		return fmt.Sprintf("[[place]]\npart = \"p\"\ncount = %d\nposition = [%s, 0, 0]\nstep = { position = [1e-5, 0, 0] }\n[[part.p.label]]\ntext = \"%s\"\nsize = 1\nat = [0, 0, 0]\n", count, x, strings.Repeat("x", characters))
	}
	legend := "[material.m]\n[legend]\nmaterials = [" + strings.Repeat(`"m", `, 600) + "]\ntexts = [" + strings.Repeat(`"`+strings.Repeat("x", 500)+`", `, 600) + "]\n"
	for name, test := range map[string]struct {
		text      string
		isRefused bool
	}{
		"as many":         {label(64, "0", 4096), false},
		"one more":        {label(64, "0", 4095) + "[title]\ntext = \"" + strings.Repeat("x", 65) + "\"\n", true},
		"outside":         {label(500, "100", 4096), false},
		"numbers":         {strings.Repeat("[[dimension]]\nfrom = [-1, 0, 0]\nto = [1, 0.1, 0]\nsize = 1\ntext = \""+strings.Repeat("{}", 100)+"\"\n", 800), true},
		"rows of legends": {legend, true},
	} {
		if name != "one more" && !effort.IsAll() {
			continue // reading or laying out so many characters takes seconds
		}
		_, err := figure.New(t.Context(), prepare(t, decode(t, "%s", test.text+view), image.Point{}))
		if isRefused := err != nil && strings.Contains(err.Error(), "have more than 262144 characters together"); isRefused != test.isRefused || isRefused != (err != nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
