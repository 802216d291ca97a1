package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/picture"
)

func TestHashOfSceneAndImage(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	programtest.MustRun(t, "s.toml")
	programtest.MustRun(t, "s.toml -o s.tiff")
	want := programtest.MustRun(t, "hash s.toml").Stdout
	if len(want) != 65 {
		t.Fatalf("got %q, want 64 digits", want)
	}
	for _, name := range []string{"s.png", "s.tiff"} {
		if got := programtest.MustRun(t, "hash "+name).Stdout; got != want {
			t.Errorf("hash %s = %q, want %q", name, got, want)
		}
	}
	for _, text := range []string{picturesque, programtest.ReadText(t, "s.png")} {
		got := programtest.Invocation{Stdin: strings.NewReader(text)}.Run("hash", "-")
		if got.Stdout != want || got.Status != cli.StatusDone {
			t.Errorf("from standard input: %+v, want %q", got, want)
		}
	}
}

func TestHashKeepsTransparentColors(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.NRGBA{10, 20, 30, 1}, color.NRGBA{200, 0, 7, 0}})
	img.Pix[1] = 1
	same := image.NewNRGBA(img.Rect)
	copy(same.Pix, []uint8{10, 20, 30, 1, 200, 0, 7, 0})
	hash := func(img image.Image) string {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return programtest.Invocation{Stdin: &b}.Run("hash", "-").Stdout
	}
	if a, b := hash(img), hash(same); a != b {
		t.Errorf("palette hashes to %s, want %s", a, b)
	}
}

func TestHashRefusesDeepImages(t *testing.T) {
	for _, img := range []image.Image{
		image.NewNRGBA64(image.Rect(0, 0, 1, 1)), image.NewRGBA64(image.Rect(0, 0, 1, 1)), image.NewGray16(image.Rect(0, 0, 1, 1)),
	} {
		r, w := io.Pipe()
		go func() { w.CloseWithError(png.Encode(w, img)) }()
		got := programtest.Invocation{Stdin: r}.Run("hash", "-")
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "16 bits") {
			t.Errorf("%T: %+v, want a refusal", img, got)
		}
	}
}

// TestHashMemory checks that hashing an image of any type allocates at most 8 bytes per pixel, plus 1 MiB.
func TestHashMemory(t *testing.T) {
	programtest.InFolder(t, nil)
	r := image.Rect(0, 0, 1<<11, 1<<10)
	opaque := image.NewNRGBA(r)
	for i := range opaque.Pix {
		opaque.Pix[i] = 0xff
	}
	palette := image.NewPaletted(r, color.Palette{color.Black, color.NRGBA{1, 2, 3, 4}})
	for name, img := range map[string]image.Image{
		"rgb": opaque, "rgba": image.NewNRGBA(r), "gray": image.NewGray(r), "palette": palette,
	} {
		writePNG(t, name+".png", img)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		programtest.MustRun(t, "hash "+name+".png")
		runtime.ReadMemStats(&after)
		const other = 1 << 20 // what the program needs for an image of any size
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(2*4*r.Dx()*r.Dy()+other); got > most {
			t.Errorf("%s: the hash of %v pixels takes %d bytes, want at most %d", name, r.Max, got, most)
		}
	}
}

// TestHashStraightens compares the conversion of [picture.Straighten] to unassociated alpha with that of package
// color.
func TestHashStraightens(t *testing.T) {
	r := image.Rect(3, 4, 9, 8)
	rgba, gray, cmyk := image.NewRGBA(r), image.NewGray(r), image.NewCMYK(r)
	for i := range r.Dx() * r.Dy() {
		x, y := r.Min.X+i%r.Dx(), r.Min.Y+i/r.Dx()
		a := uint8(255 - 11*i)
		rgba.SetRGBA(x, y, color.RGBA{a / 3, a / 2, a, a})
		gray.SetGray(x, y, color.Gray{uint8(9 * i)})
		cmyk.SetCMYK(x, y, color.CMYK{uint8(9 * i), uint8(7 * i), uint8(5 * i), uint8(3 * i)})
	}
	rgba.SetRGBA(4, 5, color.RGBA{})
	for _, img := range []image.Image{rgba, gray, cmyk} {
		want := image.NewNRGBA(r)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				want.Set(x, y, img.At(x, y))
			}
		}
		if got := picture.Straighten(img); !slices.Equal(got.Pix, want.Pix) || got.Rect != r {
			t.Errorf("%T: other pixels", img)
		}
	}
}

// bomb returns a small PNG file whose header declares many pixels.
func bomb(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 9, 9))); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	binary.BigEndian.PutUint32(file[16:], 200000)
	binary.BigEndian.PutUint32(file[20:], 200000)
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return string(file)
}

// TestSizeBeforePixels checks that every command that reads images refuses one whose header declares too many
// pixels.
func TestSizeBeforePixels(t *testing.T) {
	programtest.InFolder(t, map[string]string{"bomb.png": bomb(t), "scenes/s.toml": picturesque, "golden/s.png": bomb(t)})
	writePNG(t, "a.png", image.NewNRGBA(image.Rect(0, 0, 4, 3)))
	for args, status := range map[string]int{
		"hash bomb.png":       cli.StatusFile,
		"diff bomb.png a.png": cli.StatusFile,
		"diff a.png bomb.png": cli.StatusFile,
		"golden check s":      cli.StatusFile,
	} {
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if got.Status != status || !strings.Contains(got.Stdout+got.Stderr, "claims 200000 x 200000 pixels, want at most 32768 either way") {
			t.Errorf("render %s: %+v", args, got)
		}
	}
	got := programtest.Invocation{Stdin: strings.NewReader(bomb(t))}.Run("hash", "-")
	if got.Status != cli.StatusFile || !strings.Contains(got.Stderr, "read -: claims 200000 x 200000 pixels") {
		t.Errorf("from standard input: %+v", got)
	}
}

// TestImageFromEndlessInput checks that diff stops reading after the first bytes of input that is not an image.
func TestImageFromEndlessInput(t *testing.T) {
	programtest.InFolder(t, nil)
	in := &zeros{1 << 16}
	if got := (programtest.Invocation{Stdin: in}).Run("diff", "-", "a.png"); got.Status != cli.StatusFile || !strings.Contains(got.Stderr, "unknown format") {
		t.Errorf("%+v, want an unknown format", got)
	}
}
