package accel

import (
	"cmp"
	"math"
	"slices"

	"pillbox/geom"
)

// MaxLayers is the largest number of hits that [BVH.Layers] finds.
const MaxLayers = 8

// layer is the first point so far at which a ray enters a hull.
type layer struct {
	t      float64
	prim   primRef
	object int32
	hull   int32
}

func (a *layer) before(b *layer) bool { return a.t < b.t || a.t == b.t && a.object < b.object }

// layers are the nearest layers of a ray, at most one of each hull, in ascending order of t and then of the object number.
type layers struct {
	list [MaxLayers]layer
	n    int
}

// addLayer adds a layer, unless there are nearer ones: of the same hull, or as many as fit.
func (l *layers) addLayer(x layer) {
	at := l.n
	for i := range l.n {
		if l.list[i].hull == x.hull {
			at = i // its place becomes free
			break
		}
	}
	switch {
	case at < l.n && !x.before(&l.list[at]), at == MaxLayers && !x.before(&l.list[MaxLayers-1]):
		return
	case at == MaxLayers:
		at--
	case at == l.n:
		l.n++
	}
	for ; at > 0 && x.before(&l.list[at-1]); at-- {
		l.list[at] = l.list[at-1]
	}
	l.list[at] = x
}

// limit returns the distance beyond which no point can be one of the layers. Points must also be nearer than tMax.
func (l *layers) limit(tMax float64) float64 {
	if l.n == MaxLayers {
		return l.list[MaxLayers-1].t
	}
	return min(tMax, math.MaxFloat64)
}

// Layers appends to hits the points at which a ray enters hulls before the distance tMax, which may be infinite. A hull is
// a set of solids: hulls contains the number of the hull of each object, or is nil if each is a hull of its own. The ray
// enters a hull at the nearest point ahead
// of its origin at which it enters one of the solids, in a tie at the solid with the smaller object number. Layers appends
// the [MaxLayers] nearest of these points, in ascending order of the distance and then of the object number.
func (bvh *BVH) Layers(r geom.Ray, tMax float64, hulls []int32, hits []Hit) []Hit {
	var found layers
	q := rayQuery{ray: r, object: noPrim, other: entering, tMax: tMax}
	w := bvh.singleTraversals.take(bvh.newSingleTraversal)
	w.start(&q)
	for leaf := w.next(found.limit(tMax)); len(leaf) > 0; leaf = w.next(found.limit(tMax)) {
		for _, at := range leaf {
			if near, _, ok := bvh.chord(at, r.Origin, r.Dir); ok && near > 0 && near < tMax {
				object := bvh.objectNumber(at)
				found.addLayer(layer{near, at, object, hullOf(hulls, object)})
			}
		}
	}
	bvh.singleTraversals.put(w)
	for i := range found.n {
		x := &found.list[i]
		var h Hit
		bvh.complete(&h, &r, candidate{t: x.t, prim: x.prim})
		hits = append(hits, h)
	}
	return hits
}

// hullOf returns the number of the hull of an object.
func hullOf(hulls []int32, object int32) int32 {
	if hulls == nil {
		return object
	}
	return hulls[object]
}

// Layers appends the points at which a ray enters hulls, like [BVH.Layers].
func (b *BruteForce) Layers(r geom.Ray, tMax float64, hulls []int32, hits []Hit) []Hit {
	var all []Hit
	first := make(map[int32]int) // for each hull, 1 + the index of its point in all
	for i, s := range b.shapes {
		if s == nil {
			continue
		}
		span, ok := s.Span(r)
		if !ok || !(span.Near.T > 0 && span.Near.T < tMax) {
			continue
		}
		h := Hit{T: span.Near.T, Point: r.At(span.Near.T), Normal: span.Near.Normal, Object: int32(i), Face: FaceOf(s, r, false)}
		hull := hullOf(hulls, int32(i))
		switch k := first[hull]; {
		case k == 0:
			all = append(all, h)
			first[hull] = len(all)
		case h.T < all[k-1].T: // objects come in ascending order, so the smallest number wins a tie
			all[k-1] = h
		}
	}
	slices.SortFunc(all, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(a.Object, b.Object)) })
	return append(hits, all[:min(len(all), MaxLayers)]...)
}
