package scene

import (
	"math"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/problem"
	"pillbox/shade"
)

// span is a rectangle of the picture and the depths around solids.
type span struct {
	minX, minY, maxX, maxY float64
	near, far              float64
}

// spanOf returns a span around a box. If the box reaches behind a perspective camera, the span covers the whole picture.
func spanOf(v *camera.View, b geom.Bounds) span {
	s := noSpan()
	for _, p := range b.Corners() {
		x, y, depth := v.Project(p)
		if !v.Parallel() && !(depth > 0) {
			inf := math.Inf(1)
			x, y = inf, inf
			s.minX, s.minY = -inf, -inf
		}
		s.minX, s.minY, s.maxX, s.maxY = min(s.minX, x), min(s.minY, y), max(s.maxX, x), max(s.maxY, y)
		s.near, s.far = min(s.near, depth), max(s.far, depth)
	}
	return s
}

func noSpan() span {
	inf := math.Inf(1)
	return span{inf, inf, -inf, -inf, inf, -inf}
}

// with returns a span around two spans.
func (s span) with(t span) span {
	return span{min(s.minX, t.minX), min(s.minY, t.minY), max(s.maxX, t.maxX), max(s.maxY, t.maxY), min(s.near, t.near), max(s.far, t.far)}
}

// mayBeBehind reports whether a solid in t may be behind or in one in s. The margin is much larger than rounding errors: a
// missing warning is better than a wrong one.
func (s span) mayBeBehind(t span) bool {
	const margin = 1e-3 // pixels
	slack := float64(1e-9 * (math.Abs(s.near) + math.Abs(t.far)))
	beside := t.minX > s.maxX+margin || t.maxX < s.minX-margin || t.minY > s.maxY+margin || t.maxY < s.minY-margin
	return !beside && !(t.far < s.near-slack)
}

// maxGhostHulls is the largest number of hulls of ghosts that idleGhosts examines.
const maxGhostHulls = 64

// idleGhosts warns about ghosts behind which no other solid lies, unless the scene has a mirror, which may show them from
// another side.
func (l *loader) idleGhosts() {
	s := l.scene
	if !s.Objects.HasGhosts() || l.failed() || l.incomplete || s.Moves() {
		return
	}
	view, err := s.View(s.Image.Width, s.Image.Height)
	if err != nil {
		return // the error is reported elsewhere
	}
	var hulls []ghostHull
	numbers := make(map[shade.Surface]int) // in hulls
	around := func(number int) span { return spanOf(view, s.Solid(number).Bounds()) }
	for i := range s.Objects.Len() {
		m := s.Objects.Material(i)
		if m.Mirror > 0 {
			return
		}
		if m.Ghost == nil {
			continue
		}
		k, known := numbers[m.Surface()]
		if !known {
			if len(hulls) == maxGhostHulls {
				return
			}
			k = len(hulls)
			numbers[m.Surface()] = k
			hulls = append(hulls, ghostHull{surface: m.Surface(), first: i, span: noSpan(), idle: true})
		}
		hulls[k].span = hulls[k].span.with(around(i))
	}
	idle := len(hulls)
	for i := 0; i < s.Objects.Len() && idle > 0; i++ {
		m, at := s.Objects.Material(i), around(i)
		for k := range hulls {
			if h := &hulls[k]; h.idle && (m.Ghost == nil || m.Surface() != h.surface) && h.span.mayBeBehind(at) {
				h.idle = false
				idle--
			}
		}
	}
	for _, h := range hulls {
		if h.idle {
			l.warnOf(h.first, problem.CodeUnusedKey, "is a ghost before nothing: in the view of the scene's camera, no other solid lies behind it or in it")
		}
	}
}

// ghostHull is a hull of ghosts: the solids with one surface.
type ghostHull struct {
	surface shade.Surface
	first   int // the number of its first solid
	span    span
	idle    bool // whether no other solid lies behind it or in it
}
