package tracer_test

import (
	"context"
	"errors"
	"image"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"pillbox"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/shipped"
	"pillbox/shade"
)

// expiring is a context that ends after a number of calls of Err.
type expiring struct {
	context.Context
	left atomic.Int64
}

func expiringAfter(n int64) *expiring {
	c := &expiring{Context: context.Background()}
	c.left.Store(n)
	return c
}

func (c *expiring) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestRenderEndsAnywhere cancels renders in the middle of tiles and packets. Every pixel must then be either right
// or empty, and the reported progress must be right.
func TestRenderEndsAnywhere(t *testing.T) {
	const always = 1 << 40
	for i := range effort.Of(40, 150, 1500) {
		rng := rand.New(rand.NewPCG(12, uint64(i)))
		s := randomScene(rng)
		opt := options{Work: pillbox.Work{Linear: true, Workers: 1}, tileSize: 1 + rng.IntN(20)}
		ctx := expiringAfter(always)
		whole, err := renderUntil(ctx, s, opt)
		if err != nil {
			t.Fatal(err)
		}
		ctx = expiringAfter(rng.Int64N(always - ctx.left.Load()))
		done, rows := 0, 0
		opt.Workers = 1 + rng.IntN(3)
		opt.Progress = func(pixels, _ int) { done = pixels }
		opt.Rows = func(_ *pillbox.Film, n int) { rows = n }
		part, err := renderUntil(ctx, s, opt)
		if part == nil {
			t.Fatalf("scene %d: Render = nil, %v, want a film", i, err)
		}
		if done < len(whole.Linear) && !errors.Is(err, context.Canceled) || done == len(whole.Linear) && err != nil {
			t.Fatalf("scene %d: %d of %d pixels are done, error %v", i, done, len(whole.Linear), err)
		}
		if empty := checkPart(t, part, whole, rows); empty > len(whole.Linear)-done {
			t.Fatalf("scene %d: %d of %d pixels are done, but %d empty", i, done, len(whole.Linear), empty)
		}
	}
}

// checkPart compares part, the film of a canceled render, with the whole film. Each pixel of part must be right or
// empty, and the given number of rows, which were reported as final, must be complete. checkPart returns the number
// of empty pixels.
func checkPart(t *testing.T, part, whole *pillbox.Film, rows int) (empty int) {
	t.Helper()
	for k, want := range whole.Linear {
		x, y := k%whole.Region.Dx(), k/whole.Region.Dx()
		got, isRefined, wasRefined := part.Linear[k], false, false
		if whole.Refined != nil {
			isRefined, wasRefined = part.Refined[k], whole.Refined[k]
		}
		switch {
		case part.Image.NRGBAAt(x, y) == whole.Image.NRGBAAt(x, y) && got == want && isRefined == wasRefined:
		case y >= rows && part.Image.NRGBAAt(x, y).A == 0 && got == (shade.Color{}) && !isRefined:
			empty++
		default:
			t.Fatalf("pixel %d,%d is %v, %v, refined %v", x, y, part.Image.NRGBAAt(x, y), got, isRefined)
		}
	}
	return empty
}

// TestRenderLooksAtItsContextOften checks that a worker casts at most one packet of rays between two checks of its
// context. So canceling is fast, even with many lights, samples and mirrors.
func TestRenderLooksAtItsContextOften(t *testing.T) {
	const always, packet = 1 << 40, 32 * 32
	s := shipped.Load(t, "demo")
	s.Lights = slices.Repeat(s.Lights[:1], 100)
	for _, adaptive := range []bool{false, true} {
		s.Image.Adaptive = adaptive
		ctx := expiringAfter(always)
		film, err := renderUntil(ctx, s, options{Picture: pillbox.Picture{Size: image.Pt(16, 9), Antialias: 16}})
		if err != nil {
			t.Fatal(err)
		}
		looks, rays := always-ctx.left.Load(), film.Rays.Primary+film.Rays.Shadow+film.Rays.Mirror
		if rays > looks*packet {
			t.Errorf("adaptive %v: %d looks while %d rays were cast", adaptive, looks, rays)
		}
	}
}
