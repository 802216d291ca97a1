package outline

import (
	"cmp"
	"image"
	"slices"

	"pillbox/internal/accel"
)

// grid is a block of rays, with the edges between neighbors.
type grid struct {
	rays     image.Rectangle // columns and rows of rays, counted from the picture's top left corner
	hits     []accel.Hit
	surfaces []surface
	right    []crossing // between each ray and the one to its right
	below    []crossing // between each ray and the one below
}

// crossing is where an edge crosses the straight line between two neighboring rays.
type crossing struct {
	at       point
	isEdge   bool // whether there is an edge
	isOnLine bool // whether the outline draws a line along the edge
	depth    float64
}

// block finds the lines between the rays of a block.
func (t *Tracer) block(rays image.Rectangle) {
	g := &t.grid
	g.rays = rays
	n := rays.Dx() * rays.Dy()
	g.hits, g.surfaces = resize(g.hits, n), resize(g.surfaces, n)
	g.right, g.below = resize(g.right, n), resize(g.below, n)

	p := t.prepared.View.Packet(image.Rectangle{}, t.density)
	p.X0, p.Y0, p.NX, p.NY = rays.Min.X, rays.Min.Y, rays.Dx(), rays.Dy()
	met := t.prepared.World.NearestIfAny(&p, g.hits)
	if met == 0 {
		for i := range g.hits {
			g.hits[i] = miss()
		}
	}
	t.findHidden(&p)
	if t.findLayers(&p); met > 0 {
		t.connect()
	}
	t.ghosts()
	t.hiddenLines()
}

// connect finds the lines between the hits of the grid.
func (t *Tracer) connect() {
	g := &t.grid
	for i := range g.hits {
		g.surfaces[i] = t.surfaceOf(&g.hits[i])
	}
	if !t.cross() {
		return
	}
	width := g.rays.Dx()
	for j := range g.rays.Dy() - 1 {
		for i := range width - 1 {
			k := j*width + i
			t.cell([4]crossing{g.right[k], g.below[k+1], g.right[k+width], g.below[k]})
		}
	}
}

// cross finds the edges between neighboring rays, and reports whether there are any.
func (t *Tracer) cross() bool {
	g := &t.grid
	clear(g.right)
	clear(g.below)
	width := g.rays.Dx()
	found := false
	between := func(k, next int) crossing {
		if g.surfaces[k] == g.surfaces[next] || !t.concerns(k) && !t.concerns(next) {
			return crossing{}
		}
		c := t.locate(t.ending(k), t.ending(next))
		found = found || c.isEdge
		return c
	}
	for k := range g.surfaces {
		if k%width < width-1 {
			g.right[k] = between(k, k+1)
		}
		if k+width < len(g.surfaces) {
			g.below[k] = between(k, k+width)
		}
	}
	return found
}

// ending returns ray k of the grid with its hit.
func (t *Tracer) ending(k int) ending {
	g := &t.grid
	x, y := g.rays.Min.X+k%g.rays.Dx(), g.rays.Min.Y+k/g.rays.Dx()
	density := float64(t.density)
	return ending{point{(float64(x) + 0.5) / density, (float64(y) + 0.5) / density}, g.hits[k]}
}

// cell draws the lines of a cell. Its argument contains the points where edges cross the four sides of the cell. From
// each point whose edge the outline draws, a line leads to the average of all the points. With two points, both lines
// together connect them. With three or four points, three or four surfaces meet in the middle.
func (t *Tracer) cell(sides [4]crossing) {
	edges, onLine := 0, false
	var middle point
	for _, c := range sides {
		if c.isEdge {
			middle.x, middle.y = middle.x+c.at.x, middle.y+c.at.y
			edges++
		}
		onLine = onLine || c.isOnLine
	}
	if !onLine {
		return
	}
	middle = point{middle.x / float64(edges), middle.y / float64(edges)}
	for _, c := range sides {
		if c.isOnLine {
			t.addStroke(stroke{c.at, middle, c.depth})
		}
	}
}

// stroke is a straight piece of a line.
type stroke struct {
	p, q  point
	depth float64
}

// before reports whether s comes before r in a fixed order. Of two strokes at the same distance, the first in this
// order counts as the nearest, so the nearest does not depend on the rectangle that is traced.
func (s stroke) before(r stroke) bool {
	return cmp.Or(cmp.Compare(s.p.x, r.p.x), cmp.Compare(s.p.y, r.p.y), cmp.Compare(s.q.x, r.q.x), cmp.Compare(s.q.y, r.q.y),
		cmp.Compare(s.depth, r.depth)) < 0
}

// squaredDistance returns the square of the distance between c and the stroke.
func (s stroke) squaredDistance(c point) float64 {
	to := s.toward(c)
	return float64(to.x*to.x) + float64(to.y*to.y)
}

// toward returns the vector from the nearest point of the stroke to c.
func (s stroke) toward(c point) point {
	way, to := point{s.q.x - s.p.x, s.q.y - s.p.y}, point{c.x - s.p.x, c.y - s.p.y}
	if length := float64(way.x*way.x) + float64(way.y*way.y); length > 0 {
		share := min(max((float64(to.x*way.x)+float64(to.y*way.y))/length, 0), 1)
		to.x -= float64(share * way.x)
		to.y -= float64(share * way.y)
	}
	return to
}

// resize returns s with length n. The values of the elements are arbitrary.
func resize[E any](s []E, n int) []E {
	return slices.Grow(s[:0], n)[:n]
}
