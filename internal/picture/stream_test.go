package picture_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"math/rand/v2"
	"testing"

	"pillbox/internal/picture"
	"pillbox/pngfile"
)

// TestStream encodes a picture whose rows become final in random steps of up to 99 rows. Decoding the file must
// give the picture.
func TestStream(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	img := image.NewNRGBA(image.Rect(0, 0, 50, 300))
	for i := range img.Pix {
		img.Pix[i] = byte(random.Uint32())
	}
	for range 10 {
		var file bytes.Buffer
		s := picture.NewStream(&file, pngfile.Options{Color: pngfile.RGBA}, func(err error) { t.Errorf("reported: %v", err) })
		for n := 0; n < 300; {
			n = min(300, n+random.IntN(100))
			s.Rows(img, n)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(&file)
		if err != nil || !bytes.Equal(got.(*image.NRGBA).Pix, img.Pix) {
			t.Errorf("the picture differs, %v", err)
		}
	}
}

// TestStreamFails checks that a stream reports and returns an error of its [io.Writer].
func TestStreamFails(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 50, 300))
	var reported error
	s := picture.NewStream(&failing{}, pngfile.Options{}, func(err error) { reported = err })
	s.Rows(img, 300)
	if err := s.Close(); reported == nil || !errors.Is(err, reported) {
		t.Errorf("Close() = %v, reported %v", err, reported)
	}
}

// TestStreamStop checks that a stream can be stopped before the first row and in the middle.
func TestStreamStop(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 50, 300))
	s := picture.NewStream(new(bytes.Buffer), pngfile.Options{}, func(error) {})
	s.Stop()
	s.Rows(img, 10)
	s.Stop()
}
