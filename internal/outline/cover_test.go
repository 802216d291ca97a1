package outline

import (
	"image"
	"math/rand/v2"
	"testing"

	"pillbox/internal/fixture/effort"
)

// TestCoverIgnoresOnlyWhatDoesNotMatter compares the division of areas with a search of all strokes at each pixel, for
// random strokes of lines that are narrower than a pixel up to wider than the picture.
func TestCoverIgnoresOnlyWhatDoesNotMatter(t *testing.T) {
	for i := range effort.Of(60, 300, 3000) {
		rng := rand.New(rand.NewPCG(46, uint64(i)))
		t1 := &Tracer{inFog: i%4 < 2, half: []float64{0.05, 0.4, 0.5, 0.75, 3, 5, 20, 60}[i%8], rect: image.Rect(-3, 5, -3+1+rng.IntN(40), 5+1+rng.IntN(40))}
		at := func() float64 { // also in rows and columns, where distances are equal
			x := rng.Float64()*140 - 50
			if i%3 == 0 {
				return float64(int(x*2)) / 2
			}
			return x
		}
		for range 1 + rng.IntN(300) {
			p := point{at(), at()}
			t1.strokes = append(t1.strokes, stroke{p, point{p.x + rng.Float64() - 0.5, p.y + rng.Float64() - 0.5}, rng.Float64()})
		}
		if i%2 == 0 { // a long line
			p := point{at(), at()}
			for k := range 200 {
				t1.strokes = append(t1.strokes, stroke{point{p.x + float64(k)/4, p.y + float64(k)/8}, point{p.x + float64(k+1)/4, p.y + float64(k+1)/8}, 0})
			}
		}
		var every []int32
		for k := range t1.strokes {
			every = append(every, int32(k))
		}
		t2 := *t1
		t1.clear()
		t2.clear()
		t1.coverAll(t.Context())
		for y := t2.rect.Min.Y; y < t2.rect.Max.Y; y++ {
			for x := t2.rect.Min.X; x < t2.rect.Max.X; x++ {
				t2.coverPixel(image.Pt(x, y), every)
				if got, want := t1.Coverage(x, y), t2.Coverage(x, y); got != want {
					t.Fatalf("case %d, half %v: pixel %d,%d is covered by %d, want %d", i, t1.half, x, y, got, want)
				}
				k := (y-t2.rect.Min.Y)*t2.rect.Dx() + x - t2.rect.Min.X
				if got, want := t1.nearest[k], t2.nearest[k]; (t1.inFog || t1.share(want.squared) < 0.999) && t2.share(want.squared) > 0 && got.stroke != want.stroke {
					t.Fatalf("case %d, half %v: stroke %d is the nearest at pixel %d,%d, want %d", i, t1.half, got.stroke, x, y, want.stroke)
				}
			}
		}
	}
}
