package main

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/play/broken"
	"pillbox/shade"
	"pillbox/shapes"
)

// trap is a typical mistake in ray tracers, and its fix.
type trap struct {
	name        string
	fault, cure string // in words, as captions
	spoil       func(*tracer)
}

// traps returns all traps in the order of the lesson.
func traps() []trap {
	shared := func(name string, spoil func(*tracer)) trap {
		m, _ := broken.Find(name)
		return trap{name, m.Fault, m.Cure, spoil}
	}
	return []trap{
		shared("acne", acne),
		{"behind", "The smaller root wins, whatever its sign.", "Only roots ahead of the eye count.", behind},
		shared("epsilon", epsilon),
		{"slabs", "Slabs with min and max: one NaN spoils all.", "Slabs with comparisons pass over NaN.", slabs},
		shared("gamma", gamma),
	}
}

// acne lets a shadow ray hit the solid on which it starts. Because of rounding, the ray's origin lies slightly inside
// or outside of that solid.
func acne(t *tracer) {
	t.blocks = func(s shapes.Shape, _ bool, r geom.Ray, reach float64) bool {
		_, ok := s.Intersect(r, 0, reach)
		return ok
	}
}

// behind accepts hits behind the eye.
func behind(t *tracer) {
	t.hit = func(s shapes.Shape, r geom.Ray) (shapes.Hit, bool) {
		span, ok := s.Span(r)
		return span.Near, ok
	}
}

// epsilon makes shadow rays ignore all hits nearer than a fixed distance. This is a usual fix for acne, but it works
// only in scenes with a size of some meters.
func epsilon(t *tracer) {
	const tMin = 1e-3
	t.blocks = func(s shapes.Shape, _ bool, r geom.Ray, reach float64) bool {
		_, ok := s.Intersect(r, tMin, reach)
		return ok
	}
}

// slabs uses the functions min and max to compute where a ray enters a box, like most books. Go's min and max return
// NaN if either argument is NaN.
func slabs(t *tracer) {
	t.hit = func(s shapes.Shape, r geom.Ray) (shapes.Hit, bool) {
		b := s.(*shapes.Box)
		o, d := b.Rotation.TransposeMulVec(r.Origin.Sub(b.Center)), b.Rotation.TransposeMulVec(r.Dir)
		near, far := math.Inf(-1), math.Inf(1)
		for _, axis := range [3]struct{ o, d, h float64 }{
			{o.X, d.X, b.HalfExtents.X}, {o.Y, d.Y, b.HalfExtents.Y}, {o.Z, d.Z, b.HalfExtents.Z},
		} {
			t0, t1 := (-axis.h-axis.o)/axis.d, (axis.h-axis.o)/axis.d
			near, far = max(near, min(t0, t1)), min(far, max(t0, t1))
		}
		if !(near <= far) {
			return shapes.Hit{}, false
		}
		return b.Intersect(r, 0, math.Inf(1))
	}
}

// gamma treats sRGB values as linear light, and linear light as sRGB values.
func gamma(t *tracer) {
	t.albedo = func(c shade.Color) shade.Color {
		return shade.Color{
			R: float64(shade.EncodeSRGB8(c.R)) / 255,
			G: float64(shade.EncodeSRGB8(c.G)) / 255,
			B: float64(shade.EncodeSRGB8(c.B)) / 255,
		}
	}
	t.encode = func(v float64) uint8 { return uint8(math.Round(255 * min(max(v, 0), 1))) }
}
