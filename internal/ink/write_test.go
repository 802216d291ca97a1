package ink_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"

	"pillbox/internal/ink"
)

// sample returns a picture with a transparent half, and a page with marks of all kinds over it.
func sample() (*image.NRGBA, *ink.Page) {
	img := image.NewNRGBA(image.Rect(0, 0, 240, 120))
	for y := range 120 {
		for x := range 120 {
			img.SetNRGBA(x, y, color.NRGBA{uint8(2 * x), uint8(2 * y), 90, 255})
		}
	}
	blue := ink.Color{R: 20, G: 40, B: 160}
	return img, &ink.Page{Size: image.Pt(240, 120), Title: "A & b", Marks: []ink.Mark{
		&ink.Line{Points: []ink.Point{{X: 10, Y: 10}, {X: 150, Y: 30.5}, {X: 150, Y: 100}}, Width: 3, Round: true, Color: blue},
		&ink.Fill{Points: []ink.Point{{X: 200, Y: 10}, {X: 230, Y: 12}, {X: 210, Y: 50}}, Color: ink.Color{R: 200}},
		&ink.Text{Text: "µ = 5 m² < Ø", At: ink.Point{X: 20, Y: 60}, Size: 22, Color: blue, Halo: ink.Halo{Width: 2, Color: ink.Color{R: 255, G: 255, B: 255}}},
		&ink.Text{Text: "Bold αβ", At: ink.Point{X: 120.5, Y: 110.25}, Size: 18, Bold: true, Color: ink.Color{G: 90}},
		&ink.Text{Text: "F", At: ink.Point{X: 20, Y: 110}, Size: 24, Italic: true, Halo: ink.Halo{Width: 3, Color: ink.Color{R: 255, G: 255, B: 255}}, HaloOnly: true},
		&ink.Text{Text: "F", At: ink.Point{X: 20, Y: 110}, Size: 24, Italic: true},
	}}
}

// drawn returns img with the marks of p, over white.
func drawn(img *image.NRGBA, p *ink.Page) *image.NRGBA {
	_ = p.Draw(context.Background(), img, image.Point{})
	for i := 0; i < len(img.Pix); i += 4 {
		a := int(img.Pix[i+3])
		for c := range 3 {
			img.Pix[i+c] = uint8((int(img.Pix[i+c])*a + 255*(255-a) + 127) / 255)
		}
		img.Pix[i+3] = 255
	}
	return img
}

// program skips the test if the program with the given name is not installed.
func program(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
}

func run(t *testing.T, env []string, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, &errors)
	}
	return out
}

// compare fails the test if the picture in data, a PNG file, differs too much from want. onAverage limits the
// average difference, and anywhere the difference in each pixel, both in units of 1/255.
func compare(t *testing.T, data []byte, want *image.NRGBA, onAverage, anywhere float64) {
	t.Helper()
	got, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds() != want.Rect {
		t.Fatalf("%v pixels, want %v", got.Bounds(), want.Rect)
	}
	sum, worst := 0.0, 0.0
	for y := range want.Rect.Dy() {
		for x := range want.Rect.Dx() {
			g, w := color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA), want.NRGBAAt(x, y)
			d := math.Abs(float64(g.R)-float64(w.R)) + math.Abs(float64(g.G)-float64(w.G)) + math.Abs(float64(g.B)-float64(w.B))
			sum, worst = sum+d/3, max(worst, d/3)
		}
	}
	if mean := sum / float64(want.Rect.Dx()*want.Rect.Dy()); mean > onAverage || worst > anywhere {
		t.Errorf("the mean difference is %.2f of 255, the largest %.0f", mean, worst)
	} else {
		t.Logf("the mean difference is %.2f of 255, the largest %.0f", mean, worst)
	}
}

func TestSVGInLibrsvg(t *testing.T) {
	program(t, "rsvg-convert")
	dir := t.TempDir()
	img, page := sample()
	var file bytes.Buffer
	if err := page.WriteSVG(&file, img, 0); err != nil {
		t.Fatal(err)
	}
	// librsvg ignores embedded fonts, so the test installs them in a folder of its own.
	for name, data := range map[string][]byte{
		"figure.svg": file.Bytes(), "Regular.ttf": goregular.TTF, "Bold.ttf": gobold.TTF, "Italic.ttf": goitalic.TTF,
		"fonts.conf": []byte(`<fontconfig><dir>` + dir + `</dir><cachedir>` + dir + `/cache</cachedir></fontconfig>`),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	png := run(t, []string{"FONTCONFIG_FILE=" + filepath.Join(dir, "fonts.conf")}, "rsvg-convert", "--background-color=white", filepath.Join(dir, "figure.svg"))
	compare(t, png, drawn(img, page), 0.5, 40)
}

func TestPDFInPoppler(t *testing.T) {
	program(t, "pdftoppm")
	img, page := sample()
	page.Marks = append(page.Marks, &ink.Text{Text: "∇∈ℏ⊥", At: ink.Point{X: 130, Y: 85}, Size: 18, Signs: true})
	name := filepath.Join(t.TempDir(), "figure.pdf")
	var file bytes.Buffer
	if err := page.WritePDF(&file, img, 150); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	// Poppler moves the outlines of letters to whole pixels, and stretches the picture to a whole number of pixels.
	compare(t, run(t, nil, "pdftoppm", "-png", "-r", "150", name), drawn(img, page), 2.5, 140)
	program(t, "pdftotext")
	text := string(run(t, nil, "pdftotext", name, "-"))
	for _, want := range []string{"µ = 5 m² < Ø", "Bold αβ", "∇∈ℏ⊥"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("the file has the text %q, want %q once", text, want)
		}
	}
	if fonts := string(run(t, nil, "pdffonts", name)); strings.Count(fonts, "TrueType      Identity-H       yes yes yes") != 4 {
		t.Errorf("not four embedded fonts:\n%s", fonts)
	}
	if info := string(run(t, nil, "pdfinfo", name)); !strings.Contains(info, "115.2 x 57.6 pts") || !strings.Contains(info, "A & b") || strings.Contains(info, "Date") {
		t.Errorf("the file's properties are\n%s", info)
	}
}

// TestFilesAreReproducible checks that writing a page twice gives the same bytes.
func TestFilesAreReproducible(t *testing.T) {
	write := func() (svg, pdf bytes.Buffer) {
		img, page := sample()
		if err := page.WriteSVG(&svg, img, 300); err != nil {
			t.Fatal(err)
		}
		if err := page.WritePDF(&pdf, img, 300); err != nil {
			t.Fatal(err)
		}
		return svg, pdf
	}
	svg, pdf := write()
	for range 5 {
		if s, p := write(); !bytes.Equal(s.Bytes(), svg.Bytes()) || !bytes.Equal(p.Bytes(), pdf.Bytes()) {
			t.Fatal("two files differ")
		}
	}
	if n := strings.Count(svg.String(), "data:image/png"); n != 1 {
		t.Errorf("the picture is in the SVG %d times", n)
	}
}

// TestFailingWriter checks that the error of the [io.Writer] is returned.
func TestFailingWriter(t *testing.T) {
	for _, write := range []func(*ink.Page, *image.NRGBA) error{
		func(p *ink.Page, img *image.NRGBA) error { return p.WriteSVG(full{}, img, 0) },
		func(p *ink.Page, img *image.NRGBA) error { return p.WritePDF(full{}, img, 0) },
	} {
		img, page := sample()
		if err := write(page, img); err == nil {
			t.Error("no error")
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }
