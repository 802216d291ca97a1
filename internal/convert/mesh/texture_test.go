package mesh_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/geom"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// TestPixelsOf checks that the colors of pixels are those of the general conversion, for random images of every type.
func TestPixelsOf(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	fill := func(bytes []uint8) {
		for i := range bytes {
			bytes[i] = uint8(random.UintN(0x100))
		}
	}
	bounds := image.Rect(-3, 5, 60, 70)
	nrgba, rgba, gray, deep := image.NewNRGBA(bounds), image.NewRGBA(bounds), image.NewGray(bounds), image.NewNRGBA64(bounds)
	ycc, paletted, cmyk := image.NewYCbCr(bounds, image.YCbCrSubsampleRatio420), image.NewPaletted(bounds, palette.Plan9), image.NewCMYK(bounds)
	for _, bytes := range [][]uint8{nrgba.Pix, gray.Pix, deep.Pix, ycc.Y, ycc.Cb, ycc.Cr, paletted.Pix, cmyk.Pix} {
		fill(bytes)
	}
	for i := 0; i < len(rgba.Pix); i += 4 {
		alpha := max(uint8(random.UintN(0x100)), uint8(i/4%2)*0xff)
		for k := range 3 {
			rgba.Pix[i+k] = uint8(random.UintN(uint(alpha) + 1))
		}
		rgba.Pix[i+3] = alpha
	}
	for _, img := range []image.Image{nrgba, rgba, gray, deep, ycc, paletted, cmyk, nrgba.SubImage(image.Rect(0, 10, 20, 20))} {
		at := mesh.PixelsOf(img)
		for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
			for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
				if got, want := at(x, y), color.NRGBAModel.Convert(img.At(x, y)); got != want {
					t.Fatalf("%T at %d, %d: %v, want %v", img, x, y, got, want)
				}
			}
		}
	}
}

// TestTextureSize checks that a texture with too many pixels is refused before its pixels are decoded.
func TestTextureSize(t *testing.T) {
	large := pictureOf(t, image.NewGray(image.Rect(0, 0, 1, 1)))
	header := large.Data[12:29]
	binary.BigEndian.PutUint32(header[4:], 4097)
	binary.BigEndian.PutUint32(header[8:], 4096)
	binary.BigEndian.PutUint32(large.Data[29:], crc32.ChecksumIEEE(header))
	l := mesh.Library{Source: model.Source{Name: "a", Folder: fstest.MapFS{"large.png": large}}, Scene: &model.Scene{}}
	want := fmt.Sprintf("has 4097 x 4096 pixels: a texture must have at most %d", mesh.MaxTexturePixels)
	if c, err := l.Texture("large.png"); err == nil || err.Error() != want {
		t.Errorf("%q, %v, want %s", c, err, want)
	}
}

// TestMaxFiles checks that meshes, textures and files of materials together are limited.
func TestMaxFiles(t *testing.T) {
	texture := pictureOf(t, image.NewGray(image.Rect(0, 0, 1, 1)))
	folder := fstest.MapFS{"a.mtl": file("newmtl a\nKd 1 1 1\n"), "m.obj": triangleOBJ("mtllib a.mtl\nusemtl a"), "a.png": texture, "b.png": texture}
	s := &model.Scene{}
	l := mesh.Library{Source: model.Source{Name: "a", Folder: folder}, Scene: s}
	l.SetOpened(mesh.MaxFiles - 2)
	if _, err := l.Texture("a.png"); err != nil {
		t.Fatal(err)
	}
	m, err := l.Open(geom.Vec3{X: 1, Y: 1, Z: 1}, "m.obj")
	if err != nil {
		t.Fatal(err)
	}
	l.Color("m.obj", m, problem.Error{})
	_, err = l.Texture("b.png")
	const want = "is one too many: a model has at most 10000 files with meshes, materials and textures"
	if notes := s.Account.Notes().Error(); err == nil || err.Error() != want || !strings.Contains(notes, "a.mtl "+want) {
		t.Errorf("%v, %s, want %s", err, notes, want)
	}
}

// BenchmarkTexture measures the mean color of the largest texture.
func BenchmarkTexture(b *testing.B) {
	img := image.NewYCbCr(image.Rect(0, 0, 4096, 4096), image.YCbCrSubsampleRatio420)
	for i := range img.Y {
		img.Y[i] = uint8(i * i >> 8)
	}
	for b.Loop() {
		mesh.MeanColor(img)
	}
}
