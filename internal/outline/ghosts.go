package outline

import (
	"cmp"
	"slices"

	"pillbox/geom"
	"pillbox/internal/accel"
)

// The lines of a hull of ghosts are those that the picture would have if this hull were opaque and there were no other
// ghosts, without the lines between surfaces that do not belong to the hull.

// layer is the point at which a ray of the grid enters a hull.
type layer struct {
	hull int32
	ray  int
	hit  accel.Hit
}

// findLayers finds the ghosts before the hits of the grid, in the order of their hulls. The packet holds the rays.
func (t *Tracer) findLayers(p *geom.Packet) {
	t.layers = t.layers[:0]
	ghosts, hits := t.prepared.Ghosts, t.grid.hits
	if ghosts == nil {
		return
	}
	t.before = resize(t.before, len(hits))
	if ghosts.NearestIfAny(p, t.before) == 0 {
		return
	}
	var found []accel.Hit
	for i := range hits {
		if t.before[i].T < hits[i].T {
			found = ghosts.Before(p.At(i), hits[i].T, found[:0])
			for _, h := range found {
				t.layers = append(t.layers, layer{ghosts.Hull(h.Object), i, h})
			}
		}
	}
	slices.SortStableFunc(t.layers, func(a, b layer) int { return cmp.Compare(a.hull, b.hull) })
}

// ghosts finds the lines of all hulls in the grid, whose hits must be those of what is behind all ghosts.
func (t *Tracer) ghosts() {
	if len(t.layers) == 0 {
		return
	}
	hits := t.grid.hits
	behind := slices.Clone(hits)
	for rest := t.layers; len(rest) > 0; {
		t.hull = rest[0].hull
		copy(hits, behind)
		for len(rest) > 0 && rest[0].hull == t.hull {
			hits[rest[0].ray] = rest[0].hit
			rest = rest[1:]
		}
		t.connect()
	}
	t.hull = 0
}

// concerns reports whether the hit of ray k of the grid lies on the surfaces whose lines are being found.
func (t *Tracer) concerns(k int) bool {
	if t.alone != accel.None {
		return t.isBehind[k]
	}
	h := &t.grid.hits[k]
	return t.hull == 0 || h.Object != accel.None && t.prepared.Ghosts.Hull(h.Object) == t.hull
}

// hit returns what the ray through a point of the picture hits: the solid or hull whose lines are being found, or what is
// behind all ghosts.
func (t *Tracer) hit(p point) accel.Hit {
	r := t.ray(p)
	if t.alone != accel.None {
		return t.hitAlone(r)
	}
	h := t.prepared.World.TraverseNearest(r, nil)
	if t.hull == 0 {
		return h
	}
	t.before = t.prepared.Ghosts.Before(r, h.T, t.before[:0])
	for _, g := range t.before {
		if t.prepared.Ghosts.Hull(g.Object) == t.hull {
			return g
		}
	}
	return h
}
