package main

import (
	"bufio"
	"fmt"
	"image/png"
	"io"
	"os"

	"pillbox/shade"
)

// picture is a picture in 8-bit sRGB: red, green, blue.
type picture struct {
	width, height int
	pixels        [][3]uint8
}

// hits returns the number of pixels that show a solid. Their color differs from that of the top left pixel, which shows
// the background in all scenes.
func (p *picture) hits() int {
	n := 0
	for _, c := range p.pixels {
		if c != p.pixels[0] {
			n++
		}
	}
	return n
}

// How much the pictures of two programs may differ. Two pixels agree if their channels differ by at most
// closeChannel. The other constants limit the number of pixels that do not agree. Unless stated otherwise, they are
// fractions of the number of pixels in which Pillbox shows a solid.
const (
	closeChannel = 12 // of 255
	closeHits    = 0.001

	closeColors  = 0.001
	closeShadows = 0.01 // with shadows in Embree, whose shadow rays start at a distance from the surface
	closePrisms  = 0.01 // with prisms in place of cylinders in Embree, with and without shadows
	closeMirrors = 0.02 // of all pixels, for scenes of mirrors with one reflection; see compareNamed
	coarseColors = 0.03 // colors of Tachyon, which stores linear light in 8 bits
)

// agree compares two pictures of a scene. It returns a text that says how well they agree, and an error if they do
// not. The argument colors is the fraction of pixels that may differ in color.
func agree(ours, theirs *picture, colors float64) (string, error) {
	if ours.width != theirs.width || ours.height != theirs.height {
		return "", fmt.Errorf("sizes differ: %d x %d and %d x %d", ours.width, ours.height, theirs.width, theirs.height)
	}
	differ := differing(ours, theirs)
	a, b := ours.hits(), theirs.hits()
	words := fmt.Sprintf("solids in %d and %d pixels, colors differ in %d", a, b, differ)
	if float64(differ) > colors*float64(a) || float64(max(a, b)-min(a, b)) > closeHits*float64(a) {
		return words, fmt.Errorf("the pictures do not agree: %s", words)
	}
	return words, nil
}

// differing returns the number of pixels that differ between pictures of the same size.
func differing(a, b *picture) int {
	n := 0
	for i, c := range a.pixels {
		if !near(c, b.pixels[i]) {
			n++
		}
	}
	return n
}

func near(a, b [3]uint8) bool {
	for i := range a {
		if max(a[i], b[i])-min(a[i], b[i]) > closeChannel {
			return false
		}
	}
	return true
}

// readPicture reads a picture that one of the programs has written.
func readPicture(name string, decode func(io.Reader) (*picture, error)) (*picture, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := decode(bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

func decodePNG(r io.Reader) (*picture, error) {
	img, err := png.Decode(r)
	if err != nil {
		return nil, err
	}
	b := img.Bounds()
	p := &picture{width: b.Dx(), height: b.Dy()}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			p.pixels = append(p.pixels, [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)})
		}
	}
	return p, nil
}

// decodePPM reads the binary PPM of the renderer with Embree, which has a gamma of 2.
func decodePPM(r io.Reader) (*picture, error) {
	var p picture
	var depth int
	if _, err := fmt.Fscanf(r, "P6\n%d %d\n%d\n", &p.width, &p.height, &depth); err != nil || depth != 255 {
		return nil, fmt.Errorf("no binary PPM of 8 bits: %v", err)
	}
	return &p, p.read(r, [3]int{0, 1, 2}, func(v float64) float64 { return v * v })
}

// decodeTGA reads the uncompressed TGA of Tachyon, which has the top row first and linear values.
func decodeTGA(r io.Reader) (*picture, error) {
	var head [18]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	const uncompressed, bits, topFirst = 2, 24, 0x20
	if head[0] != 0 || head[2] != uncompressed || head[16] != bits || head[17]&topFirst == 0 {
		return nil, fmt.Errorf("no uncompressed TGA of 24 bits, top row first")
	}
	p := &picture{width: int(head[12]) | int(head[13])<<8, height: int(head[14]) | int(head[15])<<8}
	return p, p.read(r, [3]int{2, 1, 0}, func(v float64) float64 { return v })
}

// read reads the pixels, three bytes each. order gives the bytes of red, green and blue; linear converts a value to linear
// light, 0 to 1.
func (p *picture) read(r io.Reader, order [3]int, linear func(float64) float64) error {
	var encoded [256]uint8
	for i := range encoded {
		encoded[i] = shade.EncodeSRGB8(linear(float64(i) / 255))
	}
	data := make([]byte, 3*p.width*p.height)
	if _, err := io.ReadFull(r, data); err != nil {
		return err
	}
	for i := 0; i < len(data); i += 3 {
		p.pixels = append(p.pixels, [3]uint8{encoded[data[i+order[0]]], encoded[data[i+order[1]]], encoded[data[i+order[2]]]})
	}
	return nil
}
