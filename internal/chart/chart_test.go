package chart

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/geom2"
)

func TestHexBetween(t *testing.T) {
	const a, b Hex = 0x102030, 0xf0e0d0
	for _, test := range []struct {
		t    float64
		want color.RGBA
	}{{0, color.RGBA{0x10, 0x20, 0x30, 0xff}}, {1, color.RGBA{0xf0, 0xe0, 0xd0, 0xff}}, {0.5, color.RGBA{0x80, 0x80, 0x80, 0xff}}} {
		if got := a.Between(b, test.t); got != test.want {
			t.Errorf("Between(%v) = %v, want %v", test.t, got, test.want)
		}
	}
	if got := color.RGBAModel.Convert(a); got != a.Between(b, 0) {
		t.Errorf("%06x is the color %v", int(a), got)
	}
}

// TestThemesAreLegible checks the contrast of text with the paper, for both colors of text in each theme. It must
// be at least 4.5, as WCAG 2.1 requires at level AA.
func TestThemesAreLegible(t *testing.T) {
	luminance := func(h Hex) float64 {
		linear := func(shift int) float64 {
			v := float64(h>>shift&0xff) / 255
			if v <= 0.04045 {
				return v / 12.92
			}
			return math.Pow((v+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0) + 0.05
	}
	for _, theme := range []Theme{Light(), Dark()} {
		paper := luminance(theme.Paper)
		for _, h := range []Hex{theme.Ink, theme.Muted} {
			if c := luminance(h); max(c, paper)/min(c, paper) < 4.5 {
				t.Errorf("%06x on %06x has contrast %.2f", int(h), int(theme.Paper), max(c, paper)/min(c, paper))
			}
		}
	}
}

// TestArrowHeadsKeepLabelsOff checks that labels do not cover an arrow's head, which is wider than the arrow's
// line.
func TestArrowHeadsKeepLabelsOff(t *testing.T) {
	d := New(400, 200, Light())
	d.Arrow(geom2.Pt(100, 100), geom2.Pt(200, 100), Solid(d.Ink, 3))
	for _, b := range []geom2.Box{geom2.Rect(199, 95, 300, 105), geom2.Rect(150, 103, 250, 120), geom2.Rect(150, 80, 250, 97)} {
		if !slices.ContainsFunc(d.lines, func(line track) bool { return line.firm && line.within(b) > 0 }) {
			t.Errorf("the head does not reach into %v", b)
		}
	}
}

// TestLabelsFindRoom places many labels among lines. There is enough room, so none may cover a line or another label.
func TestLabelsFindRoom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		d := New(1200, 800, Dark())
		for i := range 8 {
			at := geom2.Pt(150+120*float64(i)+30*rng.Float64(), 200+400*rng.Float64())
			d.Dot(at, 5, d.Ink)
			d.Line(at, at.Add(geom2.Pt(40, 60)), Solid(d.Ink, 2))
			d.Label("label", at, geom2.Pt(1, 1), d.Ink, d.Bounds())
		}
		d.PlaceLabels()
		if texts, lines := d.Collisions(); texts > 0 || lines > 0 {
			t.Fatalf("%d texts and %d lines collide", texts, lines)
		}
		if n := len(d.Texts()); n != 8 {
			t.Fatalf("%d labels are written", n)
		}
	}
}

func TestCollisionsFindThem(t *testing.T) {
	for name, draw := range map[string]func(d *Drawing){
		"outside": func(d *Drawing) { d.Text("text", geom2.Pt(380, 50), Regular(20), d.Ink) },
		"over each other": func(d *Drawing) {
			d.Text("text", geom2.Pt(50, 50), Regular(20), d.Ink)
			d.Text("text", geom2.Pt(60, 55), Regular(20), d.Ink)
		},
	} {
		d := New(400, 200, Light())
		draw(d)
		if texts, _ := d.Collisions(); texts != 1 {
			t.Errorf("%s: %d texts collide", name, texts)
		}
	}
	d := New(60, 40, Light())
	for y := range 10 {
		d.Line(geom2.Pt(0, 4*float64(y)), geom2.Pt(60, 4*float64(y)), Solid(d.Ink, 1))
	}
	d.Label("x", geom2.Pt(30, 20), geom2.Point{}, d.Ink, d.Bounds())
	d.PlaceLabels()
	if _, lines := d.Collisions(); lines == 0 {
		t.Error("a label among lines crosses none")
	}
}

func TestWrapAndFit(t *testing.T) {
	f := NewFonts()
	const text = "The quick brown fox jumps over the lazy dog"
	lines := f.Wrap(text, 120, Regular(16))
	if len(lines) < 3 || strings.Join(lines, " ") != text {
		t.Errorf("wrapped to %q", lines)
	}
	for _, line := range lines {
		if w := f.Width(line, Regular(16)); w > 120 {
			t.Errorf("%q is %v wide", line, w)
		}
	}
	look := f.Fit(text, 200, Bold(30), 8)
	if w := f.Width(text, look); w > 200 || f.Width(text, Bold(look.Size+1)) <= 200 || !look.Bold {
		t.Errorf("fitted to %+v, which is %v wide", look, w)
	}
	for _, least := range []float64{8, 8.5, 29.5} {
		if look := f.Fit(text, 1, Bold(30), least); look.Size != least {
			t.Errorf("fitted to %+v, want the least size %v", look, least)
		}
	}
}

// all returns a drawing with every kind of mark.
func all() *Drawing {
	d := New(300, 200, Dark())
	d.Title = `A "drawing" <of> all & everything`
	d.Picture(image.NewNRGBA(image.Rect(5, 5, 25, 15)), image.Pt(10, 10))
	d.Fill([]geom2.Point{geom2.Pt(50, 10), geom2.Pt(90, 10), geom2.Pt(70, 60)}, Hex(0xff0000))
	d.Line(geom2.Pt(-1e6, 90), geom2.Pt(1e6, 90), Dashed(Hex(0x00ff00), 3))
	d.Clipped(geom2.Rect(100, 100, 150, 150), func() { d.FillBox(geom2.Rect(80, 80, 120, 120), Hex(0x0000ff)) })
	d.EdgeBox(geom2.Rect(200, 20, 280, 60), Solid(color.NRGBA{A: 0xa0}, 4))
	d.Circle(geom2.Pt(240, 120), 30, Solid(d.Ink, 2))
	d.Ring(geom2.Pt(240, 120), 6, d.Ink)
	d.Dimension(geom2.Pt(20, 150), geom2.Pt(90, 150), geom2.Pt(0, 1), d.Muted)
	d.TextOver("<o'> & \"d'\"", geom2.Pt(20, 190), Bold(12), d.Ink)
	d.Label("label", geom2.Pt(240, 120), geom2.Pt(0, 1), d.Ink, d.Bounds())
	d.PlaceLabels()
	return d
}

func TestImageDrawsWhatIsAsked(t *testing.T) {
	img := all().Image()
	if img.Rect != image.Rect(0, 0, 300, 200) || !img.Opaque() {
		t.Fatalf("bounds %v, opaque %v", img.Rect, img.Opaque())
	}
	board := OnCheckerboard(image.NewNRGBA(image.Rect(0, 0, 20, 10)))
	for at, want := range map[image.Point]color.Color{
		{2, 2}: Dark().Paper, {10, 10}: board.At(0, 0), {20, 10}: board.At(10, 0), {9, 12}: rim, {30, 12}: rim,
		{70, 30}: Hex(0xff0000), {110, 110}: Hex(0x0000ff), {95, 110}: Dark().Paper, {1, 90}: Hex(0x00ff00),
	} {
		if got := img.RGBAAt(at.X, at.Y); got != color.RGBAModel.Convert(want) {
			t.Errorf("%v is %v, want %v", at, got, want)
		}
	}
	if !bytes.Equal(all().Image().Pix, img.Pix) {
		t.Error("the same drawing gives other pixels")
	}
}

// TestWriteSVG parses the file that WriteSVG writes. It must be valid XML with valid numbers, all texts, and the
// pixels of the pictures.
func TestWriteSVG(t *testing.T) {
	d := all()
	var data bytes.Buffer
	if err := d.WriteSVG(&data); err != nil {
		t.Fatal(err)
	}
	if bad := []string{"NaN", "Inf", `"-0"`, "%!"}; slices.ContainsFunc(bad, func(s string) bool { return strings.Contains(data.String(), s) }) {
		t.Errorf("the file contains one of %q", bad)
	}
	var texts []string
	elements := map[string]int{}
	x := xml.NewDecoder(&data)
	for {
		token, err := x.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		elements[start.Name.Local]++
		switch start.Name.Local {
		case "text", "title":
			inside, err := x.Token()
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(inside.(xml.CharData)))
		case "image":
			_, encoded, _ := strings.Cut(start.Attr[len(start.Attr)-1].Value, "base64,")
			pixels, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil {
				t.Fatal(err)
			}
			if img, err := png.Decode(bytes.NewReader(pixels)); err != nil || img.Bounds().Size() != image.Pt(20, 10) {
				t.Errorf("the picture is lost: %v", err)
			}
		}
	}
	if want := append([]string{d.Title}, d.Texts()...); !slices.Equal(texts, want) {
		t.Errorf("texts %q, want %q", texts, want)
	}
	for name, want := range map[string]int{"svg": 1, "rect": 1, "image": 1, "circle": 2, "clipPath": 1} {
		if elements[name] != want {
			t.Errorf("%d elements are %s, want %d", elements[name], name, want)
		}
	}
}

// TestWriteSVGEndsClips checks that an SVG group for clipping is closed even if the last mark is in it.
func TestWriteSVGEndsClips(t *testing.T) {
	d := New(100, 100, Light())
	d.Clipped(geom2.Rect(10, 10, 50, 50), func() {
		d.Dot(geom2.Pt(20, 20), 5, d.Ink)
		d.Clipped(geom2.Rect(10, 10, 30, 30), func() { d.Dot(geom2.Pt(30, 30), 5, d.Ink) })
		d.Dot(geom2.Pt(40, 40), 5, d.Ink)
	})
	var data bytes.Buffer
	if err := d.WriteSVG(&data); err != nil {
		t.Fatal(err)
	}
	var svg struct {
		XMLName xml.Name `xml:"svg"`
		Groups  []struct {
			Clip    string     `xml:"clip-path,attr"`
			Circles []struct{} `xml:"circle"`
		} `xml:"g"`
	}
	if err := xml.Unmarshal(data.Bytes(), &svg); err != nil {
		t.Fatalf("%v in\n%s", err, data.Bytes())
	}
	if len(svg.Groups) != 3 {
		t.Fatalf("%d clipped groups, want 3", len(svg.Groups))
	}
	for i, g := range svg.Groups {
		if want := fmt.Sprintf("url(#clip%d)", i+1); g.Clip != want || len(g.Circles) != 1 {
			t.Errorf("group %d is clipped by %q and has %d circles", i, g.Clip, len(g.Circles))
		}
	}
}

// full is an [io.Writer]. It accepts as many bytes in total as the field room states. A write that does not fit
// fails.
type full struct{ room int }

func (w *full) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestWriteSVGTellsErrors(t *testing.T) {
	for _, room := range []int{0, 1000} {
		if err := all().WriteSVG(&full{room}); err != io.ErrShortWrite {
			t.Errorf("with room for %d bytes the error is %v", room, err)
		}
	}
}

// TestPlotKeepsProportions checks that a plot contains the given box, has the same scale in x and y, and has y
// pointing up.
func TestPlotKeepsProportions(t *testing.T) {
	d := New(300, 200, Light())
	frame, seen := geom2.Rect(20, 30, 280, 190), geom2.Rect(-3, 5, 9, 7)
	p := d.PlotOf(frame, seen, 10)
	if !frame.Contains(p.On(seen.Min)) || !frame.Contains(p.On(seen.Max)) {
		t.Errorf("%v and %v lie outside %v", p.On(seen.Min), p.On(seen.Max), frame)
	}
	o, x, y := p.On(geom2.Point{}), p.On(geom2.Pt(1, 0)), p.On(geom2.Pt(0, 1))
	if x != (geom2.Pt(o.X+p.Scale, o.Y)) || y != (geom2.Pt(o.X, o.Y-p.Scale)) {
		t.Errorf("axes from %v to %v and %v at scale %v", o, x, y, p.Scale)
	}
	if got := p.Seen(); !got.Holds(seen) || math.Abs(got.Width()*p.Scale-frame.Width()) > 1e-9 {
		t.Errorf("shows %v", got)
	}
	p.Spot("far", geom2.Pt(1e9, 0), geom2.Pt(1, 0), d.Ink)
	if p.PlaceLabels(); len(d.Texts()) != 0 {
		t.Error("a point that is not shown has a label")
	}
}
