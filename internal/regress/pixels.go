package regress

import (
	"image"
	"image/color"
	"slices"
)

// flood finds the pixels of clusters.
type flood struct {
	Comparison
	size image.Point
	seen []bool
}

func newFlood(c Comparison) *flood {
	size := c.Diff.Want
	return &flood{c, size, make([]bool, size.X*size.Y)}
}

// from returns the changed pixels that are connected with the given one through edges or corners
// and were not returned before.
func (f *flood) from(first image.Point) []image.Point {
	pixels := []image.Point{first}
	f.seen[first.Y*f.size.X+first.X] = true
	for i := 0; i < len(pixels); i++ {
		p := pixels[i]
		for y := max(0, p.Y-1); y <= min(p.Y+1, f.size.Y-1); y++ {
			for x := max(0, p.X-1); x <= min(p.X+1, f.size.X-1); x++ {
				if seen := &f.seen[y*f.size.X+x]; !*seen && f.changed(image.Pt(x, y)) {
					*seen = true
					pixels = append(pixels, image.Pt(x, y))
				}
			}
		}
	}
	return pixels
}

// changed reports whether a pixel differs beyond the tolerance, as package golden counts.
func (f *flood) changed(p image.Point) bool {
	got, want := straight(f.Got, p), straight(f.Want, p)
	if got == want {
		return false
	}
	most := max(apart8(got.R, want.R), apart8(got.G, want.G), apart8(got.B, want.B), apart8(got.A, want.A))
	return most > f.Diff.Tolerance.MaxChannel && !slices.ContainsFunc(f.Diff.Tolerance.Masks, p.In)
}

func straight(m image.Image, p image.Point) color.NRGBA {
	p = p.Add(m.Bounds().Min)
	if n, ok := m.(*image.NRGBA); ok {
		return n.NRGBAAt(p.X, p.Y)
	}
	return color.NRGBAModel.Convert(m.At(p.X, p.Y)).(color.NRGBA)
}

func apart8(a, b uint8) int { return int(max(a, b) - min(a, b)) }
