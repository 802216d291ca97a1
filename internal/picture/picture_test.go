package picture_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"

	"pillbox/internal/picture"
)

// pictures returns a picture of each kind that can be encoded: with and without alpha, with premultiplied alpha,
// with 16 bits, and with a palette.
func pictures() map[string]image.Image {
	bounds := image.Rect(0, 0, 7, 5)
	all := map[string]image.Image{"straight": image.NewNRGBA(bounds), "premultiplied": image.NewRGBA(bounds), "deep": image.NewNRGBA64(bounds), "gray": image.NewGray(bounds),
		"palette": image.NewPaletted(bounds, color.Palette{color.Black, color.White, color.NRGBA{200, 10, 10, 100}})}
	for _, img := range all {
		set := img.(interface{ Set(x, y int, c color.Color) })
		for x := range 7 {
			set.Set(x, x%5, color.NRGBA{uint8(30 * x), 200, 9, uint8(255 - 20*x)})
		}
	}
	return all
}

// TestResolution checks that files in every format contain the resolution passed to Encode, and none if that is 0.
// The pixels must not depend on the resolution. The test parses the files itself, because decoders skip the
// resolution.
func TestResolution(t *testing.T) {
	for name, read := range map[string]func([]byte) (float64, error){"a.png": ofPNG, "a.JPG": ofJPEG, "a.tif": ofTIFF, "a.bmp": ofBMP} {
		format, ok := picture.FormatOf(name)
		if !ok {
			t.Fatalf("%s has no format", name)
		}
		for kind, img := range pictures() {
			var plain image.Image
			for _, dpi := range []int{0, 1, 72, 300, picture.MaxDPI} {
				var file bytes.Buffer
				if err := format.Encode(&file, img, dpi); err != nil {
					t.Fatalf("%s, %s at %d: %v", name, kind, dpi, err)
				}
				got, err := read(file.Bytes())
				if err != nil || math.Abs(got-float64(dpi)) > 0.02 { // PNG and BMP have whole pixels per meter
					t.Errorf("%s, %s: %v dpi, %v, want %d", name, kind, got, err, dpi)
				}
				decoded, _, err := image.Decode(&file)
				if err != nil {
					t.Fatalf("%s, %s at %d: %v", name, kind, dpi, err)
				}
				if plain == nil {
					plain = decoded
				}
				for y := range 5 {
					for x := range 7 {
						if decoded.At(x, y) != plain.At(x, y) {
							t.Fatalf("%s, %s: %d dpi change a pixel", name, kind, dpi)
						}
					}
				}
			}
		}
	}
}

// ofPNG returns the resolution in the chunk pHYs of a PNG file, or 0 if there is none. The chunk must precede the
// pixels.
func ofPNG(file []byte) (float64, error) {
	for at := 8; at+8 <= len(file); {
		n, kind := int(binary.BigEndian.Uint32(file[at:])), string(file[at+4:at+8])
		data := file[at+8:][:n]
		switch kind {
		case "pHYs":
			x, y := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
			if n != 9 || x != y || data[8] != 1 {
				return 0, fmt.Errorf("pHYs is %x", data)
			}
			return float64(x) * 0.0254, nil
		case "IDAT":
			return 0, nil
		}
		at += 12 + n
	}
	return 0, fmt.Errorf("no pixels")
}

// ofJPEG returns the resolution in the JFIF header of a JPEG file, or 0 if there is none.
func ofJPEG(file []byte) (float64, error) {
	if !bytes.HasPrefix(file, []byte{0xff, 0xd8, 0xff}) {
		return 0, fmt.Errorf("not a JPEG: %x", file[:4])
	}
	if file[3] != 0xe0 {
		return 0, nil
	}
	h := file[4:][:16]
	if binary.BigEndian.Uint16(h) != 16 || string(h[2:7]) != "JFIF\x00" || h[9] != 1 || h[14] != 0 || h[15] != 0 {
		return 0, fmt.Errorf("the JFIF header is %x", h)
	}
	x, y := binary.BigEndian.Uint16(h[10:]), binary.BigEndian.Uint16(h[12:])
	if x != y {
		return 0, fmt.Errorf("%d x %d dpi", x, y)
	}
	return float64(x), nil
}

// ofTIFF returns the resolution in the first directory of a TIFF file, or 0 if it has no unit.
func ofTIFF(file []byte) (float64, error) {
	le := binary.LittleEndian
	if string(file[:4]) != "II*\x00" {
		return 0, fmt.Errorf("not a TIFF: %x", file[:4])
	}
	tags := map[uint16]float64{}
	ifd := file[le.Uint32(file[4:]):]
	for i := range int(le.Uint16(ifd)) {
		e := ifd[2+12*i:]
		if le.Uint16(e[2:]) == 5 { // a rational
			v := file[le.Uint32(e[8:]):]
			tags[le.Uint16(e)] = float64(le.Uint32(v)) / float64(le.Uint32(v[4:]))
		} else {
			tags[le.Uint16(e)] = float64(le.Uint16(e[8:]))
		}
	}
	switch x, y, unit := tags[282], tags[283], tags[296]; {
	case x != y:
		return 0, fmt.Errorf("%v x %v dpi", x, y)
	case unit == 1 && x == 1:
		return 0, nil
	case unit == 2:
		return x, nil
	default:
		return 0, fmt.Errorf("resolution %v, unit %v", x, unit)
	}
}

// ofBMP returns the resolution in the info header of a BMP file.
func ofBMP(file []byte) (float64, error) {
	x, y := binary.LittleEndian.Uint32(file[38:]), binary.LittleEndian.Uint32(file[42:])
	if string(file[:2]) != "BM" || x != y {
		return 0, fmt.Errorf("%d x %d pixels per meter", x, y)
	}
	return float64(x) * 0.0254, nil
}

// failing is an [io.Writer]. It accepts as many bytes as the field left states, and then fails.
type failing struct{ left int }

func (w *failing) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, fmt.Errorf("full")
	}
	return len(p), nil
}

// TestEncodeFails checks that Encode returns the error of its [io.Writer], after any number of bytes.
func TestEncodeFails(t *testing.T) {
	img := pictures()["deep"]
	for _, format := range []picture.Format{picture.PNG, picture.JPEG, picture.TIFF, picture.BMP} {
		var file bytes.Buffer
		if err := format.Encode(&file, img, 300); err != nil {
			t.Fatal(err)
		}
		for room := range file.Len() {
			if format.Encode(&failing{room}, img, 300) == nil {
				t.Fatalf("format %d: no error with room for %d of %d bytes", format, room, file.Len())
			}
		}
	}
}
