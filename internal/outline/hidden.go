package outline

import (
	"cmp"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/internal/accel"
)

// The hidden lines of a solid are the silhouette and the creases that it would have if it were the only solid, where another
// solid lies before them. Of the solids on a ray, only the nearest [accel.MaxLayers] count.

// findHidden finds the solids behind the hits of the grid, in the order of their object numbers. The packet holds the rays.
func (t *Tracer) findHidden(p *geom.Packet) {
	t.behind = t.behind[:0]
	if !t.outline.HiddenDashed {
		return
	}
	for i := range t.grid.hits {
		front := &t.grid.hits[i]
		if front.Object == accel.None {
			continue
		}
		t.before = t.prepared.World.Layers(p.At(i), math.Inf(1), nil, t.before[:0])
		for _, h := range t.before {
			if h.Object != front.Object {
				t.behind = append(t.behind, layer{h.Object, i, h})
			}
		}
	}
	slices.SortStableFunc(t.behind, func(a, b layer) int { return cmp.Compare(a.hull, b.hull) })
}

// hiddenLines finds the hidden lines of all solids in the grid. It replaces the hits of the grid.
func (t *Tracer) hiddenLines() {
	g := &t.grid
	for rest := t.behind; len(rest) > 0; {
		t.alone = rest[0].hull
		t.isBehind = resize(t.isBehind, len(g.hits))
		clear(t.isBehind)
		for i := range g.hits {
			g.hits[i] = miss()
		}
		n := 0
		for n < len(rest) && rest[n].hull == t.alone {
			t.isBehind[rest[n].ray] = true
			n++
		}
		// Edges lie between two rays of which the solid is behind the hit of at least one, so the neighbors matter, too.
		for _, l := range rest[:n] {
			g.hits[l.ray] = l.hit
			for _, k := range t.neighbors(l.ray) {
				if !t.isBehind[k] && g.hits[k].Object == accel.None {
					g.hits[k] = t.hit(t.ending(k).at)
				}
			}
		}
		t.connect()
		rest = rest[n:]
	}
	t.alone = accel.None
}

// neighbors returns the rays of the grid beside ray k in its row and its column.
func (t *Tracer) neighbors(k int) (all []int) {
	width := t.grid.rays.Dx()
	if k%width > 0 {
		all = append(all, k-1)
	}
	if k%width < width-1 {
		all = append(all, k+1)
	}
	if k >= width {
		all = append(all, k-width)
	}
	if k+width < len(t.grid.hits) {
		all = append(all, k+width)
	}
	return all
}

// hitAlone returns where a ray enters the solid whose hidden lines are being found.
func (t *Tracer) hitAlone(r geom.Ray) accel.Hit {
	shape := t.prepared.World.Shape(t.alone)
	span, ok := shape.Span(r)
	if !ok || !(span.Near.T > 0) {
		return miss()
	}
	return accel.Hit{T: span.Near.T, Point: r.At(span.Near.T), Normal: span.Near.Normal, Object: t.alone, Face: accel.FaceOf(shape, r, false)}
}

func miss() accel.Hit { return accel.Hit{T: math.Inf(1), Object: accel.None} }

// isDrawn reports whether an edge between a and b that the outline follows is drawn: any edge of what is visible, and those
// edges of a solid alone before which another solid lies, by more than the width of a pixel.
func (t *Tracer) isDrawn(a, b *ending) bool {
	if t.alone == accel.None {
		return true
	}
	if a.hit.Object != t.alone {
		a = b
	}
	front := t.prepared.World.TraverseNearest(t.ray(a.at), nil)
	_, _, depth := t.prepared.View.Project(a.hit.Point)
	return front.Object != t.alone && front.T+t.prepared.View.PixelAt(depth) < a.hit.T
}

// The lengths of dashes and of the gaps between them, as multiples of the width of the line. The ends of dashes are round, so
// a dash looks longer than it is by this width.
const (
	dashLength = 5
	dashPeriod = 9
	leastDash  = 2 // pixels; shorter periods would only make lines paler
)

// addStroke adds a piece of a line. The dashes of hidden lines have fixed places in the picture: columns of pixels for lines that
// are rather horizontal, and rows for others.
func (t *Tracer) addStroke(s stroke) {
	if t.alone == accel.None {
		t.strokes = append(t.strokes, s)
		return
	}
	from, to := s.p.x, s.q.x
	if math.Abs(s.q.y-s.p.y) > math.Abs(to-from) {
		from, to = s.p.y, s.q.y
	}
	period := max(float64(2*t.half*dashPeriod), leastDash)
	dash := float64(period*dashLength) / dashPeriod
	low, high := min(from, to), max(from, to)
	at := func(x float64) point {
		if from == to {
			return s.p
		}
		share := (x - from) / (to - from)
		return point{s.p.x + float64(share*(s.q.x-s.p.x)), s.p.y + float64(share*(s.q.y-s.p.y))}
	}
	for n := math.Floor(low / period); float64(n*period) <= high; n++ {
		if a, b := max(low, float64(n*period)), min(high, float64(n*period)+dash); a <= b {
			t.strokes = append(t.strokes, stroke{at(a), at(b), s.depth})
		}
	}
}
