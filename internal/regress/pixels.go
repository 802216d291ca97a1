package regress

import (
	"image"
	"image/color"
	"math/bits"
	"slices"
)

// A pixelSet is a set of pixels of a picture, stored as a bit per pixel in row-major order.
type pixelSet []uint64

func newPixelSet(size image.Point) pixelSet { return make(pixelSet, (size.X*size.Y+63)/64) }

func (s pixelSet) addPixel(i int) { s[i/64] |= 1 << (i % 64) }
func (s pixelSet) has(i int) bool { return s != nil && s[i/64]>>(i%64)&1 != 0 }

func (s pixelSet) len() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// lenBoth returns the size of the intersection; s may be nil.
func (s pixelSet) lenBoth(other pixelSet) int {
	n := 0
	for i, word := range s {
		n += bits.OnesCount64(word & other[i])
	}
	return n
}

// differing returns the pixels in which two pictures of equal size differ, without the masked ones.
func differing(a, b *image.NRGBA, masked pixelSet) pixelSet {
	size := a.Rect.Size()
	set := newPixelSet(size)
	for y := range size.Y {
		p, q := a.Pix[y*a.Stride:][:4*size.X], b.Pix[y*b.Stride:][:4*size.X]
		if slices.Equal(p, q) {
			continue
		}
		for x := range size.X {
			if i := y*size.X + x; [4]byte(p[4*x:]) != [4]byte(q[4*x:]) && !masked.has(i) {
				set.addPixel(i)
			}
		}
	}
	return set
}

// covered returns the pixels that lie in any of the rectangles.
func covered(size image.Point, masks []image.Rectangle) pixelSet {
	set := newPixelSet(size)
	for _, m := range masks {
		m = m.Intersect(image.Rectangle{Max: size})
		for y := m.Min.Y; y < m.Max.Y; y++ {
			for x := m.Min.X; x < m.Max.X; x++ {
				set.addPixel(y*size.X + x)
			}
		}
	}
	return set
}

// straight converts a picture to non-premultiplied alpha, with its origin at (0, 0).
func straight(m image.Image) *image.NRGBA {
	if n, ok := m.(*image.NRGBA); ok {
		return &image.NRGBA{Pix: n.Pix, Stride: n.Stride, Rect: image.Rectangle{Max: n.Rect.Size()}}
	}
	if n, ok := m.(*image.RGBA); ok && n.Opaque() {
		return &image.NRGBA{Pix: n.Pix, Stride: n.Stride, Rect: image.Rectangle{Max: n.Rect.Size()}}
	}
	b := m.Bounds()
	n := image.NewNRGBA(image.Rectangle{Max: b.Size()})
	for y := range b.Dy() {
		for x := range b.Dx() {
			n.SetNRGBA(x, y, color.NRGBAModel.Convert(m.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA))
		}
	}
	return n
}

// A flood finds the pixels of clusters by flood fill.
type flood struct {
	want, got *image.NRGBA
	size      image.Point
	tolerance int
	seen      pixelSet // contains the masked pixels from the start
	found     []int32  // the result of the last search
}

// The method from returns the changed pixels that are connected to the pixel first by edges or corners. It omits pixels
// that an earlier call returned, and masked ones. The result is valid until the next call.
func (f *flood) from(first image.Point) []int32 {
	f.found = append(f.found[:0], int32(first.Y*f.size.X+first.X))
	f.seen.addPixel(int(f.found[0]))
	for i := 0; i < len(f.found); i++ {
		px, py := int(f.found[i])%f.size.X, int(f.found[i])/f.size.X
		for y := max(0, py-1); y <= min(py+1, f.size.Y-1); y++ {
			for x := max(0, px-1); x <= min(px+1, f.size.X-1); x++ {
				if k := y*f.size.X + x; !f.seen.has(k) && f.changed(x, y) {
					f.seen.addPixel(k)
					f.found = append(f.found, int32(k)) // a picture has at most 2^28 pixels
				}
			}
		}
	}
	return f.found
}

// changed reports whether a pixel differs by more than the tolerance, as defined by package golden.
func (f *flood) changed(x, y int) bool {
	got, want := f.got.NRGBAAt(x, y), f.want.NRGBAAt(x, y)
	most := max(apart8(got.R, want.R), apart8(got.G, want.G), apart8(got.B, want.B), apart8(got.A, want.A))
	return most > f.tolerance
}

func apart8(a, b uint8) int { return int(max(a, b) - min(a, b)) }
