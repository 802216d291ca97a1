package accel

import (
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// solids are the prepared solids, each kind in the order in which the tree's leaves hold
// them, so that neighbours in space are neighbours in memory. A solid's slot is its
// position among the spheres, the capsules after them, the boxes after those.
type solids struct {
	spheres  []sphere
	capsules []capsule
	boxes    []box
	slots    []int32 // the slot of each number
}

func (s *solids) number(slot int32) int32 {
	i := int(slot)
	if i < len(s.spheres) {
		return s.spheres[i].number
	}
	if i -= len(s.spheres); i < len(s.capsules) {
		return s.capsules[i].number
	}
	return s.boxes[i-len(s.capsules)].number
}

// prefetch lets the processor begin to load solids: those of a large scene are not in the cache.
func (s *solids) prefetch(slots []int32) {
	for _, slot := range slots {
		i := int(slot)
		if i < len(s.spheres) {
			prefetchSphere(&s.spheres[i])
			continue
		}
		if i -= len(s.spheres); i < len(s.capsules) {
			prefetchCapsule(&s.capsules[i])
			continue
		}
		prefetchBox(&s.boxes[i-len(s.capsules)])
	}
}

// chord returns where the line through o along d crosses a solid.
func (s *solids) chord(slot int32, o, d geom.Vec3) (near, far float64, ok bool) {
	i := int(slot)
	if i < len(s.spheres) {
		var v sphereFrom
		s.spheres[i].from(o, &v)
		return v.chord(d)
	}
	if i -= len(s.spheres); i < len(s.capsules) {
		var v capsuleFrom
		s.capsules[i].from(o, &v)
		return v.chord(d)
	}
	var v boxFrom
	s.boxes[i-len(s.capsules)].from(o, &v)
	return v.chord(d)
}

func (s *solids) shape(slot int32) shapes.Shape {
	i := int(slot)
	if i < len(s.spheres) {
		return &s.spheres[i].Sphere
	}
	if i -= len(s.spheres); i < len(s.capsules) {
		return &s.capsules[i].Capsule
	}
	return &s.boxes[i-len(s.capsules)].Box
}

// hit completes a crossing of the ray r with its normal.
func (s *solids) hit(slot int32, r geom.Ray, t float64, inside bool) Hit {
	return Hit{T: t, Point: r.At(t), Normal: s.normal(slot, r, t), Object: s.number(slot), Inside: inside}
}

func (s *solids) normal(slot int32, r geom.Ray, t float64) geom.Vec3 {
	i := int(slot)
	if i < len(s.spheres) {
		var v sphereFrom
		s.spheres[i].from(r.Origin, &v)
		return v.normal(r.Dir, t)
	}
	if i -= len(s.spheres); i < len(s.capsules) {
		var v capsuleFrom
		s.capsules[i].from(r.Origin, &v)
		return v.normal(r.Dir, t)
	}
	var v boxFrom
	s.boxes[i-len(s.capsules)].from(r.Origin, &v)
	return v.normal(r.Dir, t)
}

// newSolids arranges solids, numbered spheres first, then capsules, then boxes, in the
// given order, in which it replaces each number by its slot.
func newSolids(spheres []shapes.Sphere, capsules []shapes.Capsule, boxes []shapes.Box, order []int32) solids {
	n, m := int32(len(spheres)), int32(len(spheres)+len(capsules))
	s := solids{
		spheres:  make([]sphere, len(spheres)),
		capsules: make([]capsule, len(capsules)),
		boxes:    make([]box, len(boxes)),
		slots:    make([]int32, len(order)),
	}
	// Give out the slots in order first; then every solid can be prepared on its own.
	next := [3]int32{0, n, m}
	numbers := slices.Clone(order)
	for k, number := range order {
		kind := 0
		if number >= n {
			kind++
		}
		if number >= m {
			kind++
		}
		order[k] = next[kind]
		next[kind]++
	}
	inChunks(len(order), func(_, from, to int) {
		for k := from; k < to; k++ {
			number, slot := numbers[k], order[k]
			s.slots[number] = slot
			switch {
			case number < n:
				s.spheres[slot] = sphere{spheres[number], number}
			case number < m:
				s.capsules[slot-n] = newCapsule(capsules[number-n], number)
			default:
				s.boxes[slot-m] = box{boxes[number-m], number}
			}
		}
	})
	return s
}
