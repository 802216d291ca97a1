package tracer

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shade"
)

// findGhosts adds the hits of ghosts before the hits of the camera rays to level 0.
func (t *packetTracer) findGhosts() {
	v := t.levels[0]
	t.entered = resize(t.entered, v.n)
	if t.Ghosts.NearestIfAny(&t.packet, t.entered) == 0 {
		return
	}
	if t.met == 0 {
		for i := range v.hits {
			v.hits[i] = accel.Hit{T: math.Inf(1), Object: accel.None}
		}
	}
	for i := range t.entered {
		if t.entered[i].T < v.hits[i].T {
			t.findGhostsBefore(v, int32(i), t.packet.At(i))
		}
	}
	if t.met == 0 && len(v.ghosts) > 0 {
		t.met = len(v.ghosts)
	}
}

// findGhostsBefore adds the hits of ghosts before the hit of ray i of a level.
func (t *packetTracer) findGhostsBefore(v *level, i int32, r geom.Ray) {
	before := len(v.hits)
	v.hits = t.Ghosts.Before(r, v.hits[i].T, v.hits)
	for range len(v.hits) - before {
		v.ghosts = append(v.ghosts, i)
	}
}

// veil mixes the colors of ghosts into those of the rays of the level at the given depth, from back to front.
func (t *packetTracer) veil(depth int) {
	v := t.levels[depth]
	if depth == 0 {
		t.unveiled()
	}
	for k := len(v.ghosts) - 1; k >= 0; k-- {
		i := v.ghosts[k]
		ghost := t.material(&v.hits[v.n+k]).Ghost
		if depth > 0 {
			c := &t.levels[depth-1].mirrored[v.parent[i]]
			*c = ghost.Veil(*c, v.color[v.n+k])
			continue
		}
		v.color[i] = ghost.Veil(v.color[i], v.color[v.n+k])
		if v.alpha[i] < 1 {
			v.alpha[i] = ghost.VeilAlpha(v.alpha[i])
		}
	}
}

// unveiled sets the opacity of the camera rays without ghosts, and the colors of those that hit nothing but ghosts.
func (t *packetTracer) unveiled() {
	v := t.levels[0]
	v.alpha = resize(v.alpha, v.n)
	for i := range v.alpha {
		v.alpha[i] = 1
	}
	for k, i := range v.ghosts {
		if k > 0 && v.ghosts[k-1] == i || v.hits[i].Object != accel.None {
			continue
		}
		if c, seen := t.Backdrop(t.packet.At(int(i)).Dir); seen {
			v.color[i] = c
		} else {
			v.color[i], v.alpha[i] = shade.Color{}, 0
		}
	}
}

// entersGhost reports whether camera ray i enters a ghost.
func (t *packetTracer) entersGhost(i int) bool {
	_, found := slices.BinarySearch(t.levels[0].ghosts, int32(i))
	return found
}
