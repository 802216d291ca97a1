package accel

import (
	"unsafe"

	"pillbox/geom"
	"pillbox/internal/accel/prefetch"
	"pillbox/shapes"
)

// solids are the prepared solids, each kind in the order in which the tree's leaves hold them, so
// that neighbors in space are neighbors in memory.
type solids struct {
	spheres   []sphere
	capsules  []capsule
	boxes     []box
	cylinders []cylinder
	refs      []primRef // of each object number

	sphereNumbers []int32 // object numbers; the others hold their own

	kept [1 << kindBits]arrayLayout // of each kind, for prefetch
}

// storage is where the solids of a kind are kept, and how many bytes each takes.
type arrayLayout struct {
	start unsafe.Pointer
	size  uintptr
}

// primRef refers to a prepared solid: its kind in the lowest bits, its index among the solids of that
// kind above them.
type primRef int32

type kind uint8

const (
	sphereKind kind = iota
	capsuleKind
	boxKind
	cylinderKind
	kinds

	mixedKind = kinds // of references to leaves of several kinds
)

// kindBits is how many bits of a reference hold the kind. Kernels know it.
const kindBits = 3

// noPrim represents no solid.
const noPrim primRef = -1

func newPrimRef(k kind, index int) primRef { return primRef(index)<<kindBits | primRef(k) }

func (s primRef) kind() kind { return kind(s & (1<<kindBits - 1)) }
func (s primRef) index() int { return int(s >> kindBits) }

// plus returns the reference to the solid of the same kind that is n further on.
func (s primRef) plus(n int) primRef { return s + primRef(n)<<kindBits }

// number returns the object number of the solid that a reference refers to.
func (s *solids) number(at primRef) int32 {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return s.sphereNumbers[i]
	case capsuleKind:
		return s.capsules[i].number
	case boxKind:
		return s.boxes[i].number
	default:
		return s.cylinders[i].number
	}
}

// primOf returns the reference to an object, or noPrim for [None].
func (s *solids) primOf(object int32) primRef {
	if object == None {
		return noPrim
	}
	return s.refs[object]
}

// prefetch begins to load solids: those of a large scene are not in the cache.
func (s *solids) prefetch(slots []primRef) {
	for _, at := range slots { // without a branch by kind, which would be hard to guess
		k := &s.kept[at.kind()]
		prefetch.Memory(unsafe.Add(k.start, uintptr(at.index())*k.size), k.size)
	}
}

// chord returns where the line through o along d crosses a solid.
func (s *solids) chord(at primRef, o, d geom.Vec3) (near, far float64, ok bool) {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return s.spheres[i].chord(o, d)
	case capsuleKind:
		var v capsuleFrom
		s.capsules[i].from(o, &v)
		return v.chord(d)
	case boxKind:
		var v boxFrom
		s.boxes[i].from(o, &v)
		return v.chord(d)
	default:
		var v cylinderFrom
		s.cylinders[i].from(o, &v)
		return v.chord(d)
	}
}

// normal returns the outward normal where the ray's line crosses a solid at t.
func (s *solids) normal(at primRef, r geom.Ray, t float64) geom.Vec3 {
	switch i := at.index(); at.kind() {
	case sphereKind:
		var v sphereFrom
		s.spheres[i].from(r.Origin, &v)
		return v.normal(r.Dir, t)
	case capsuleKind:
		var v capsuleFrom
		s.capsules[i].from(r.Origin, &v)
		return v.normal(r.Dir, t)
	case boxKind:
		var v boxFrom
		s.boxes[i].from(r.Origin, &v)
		return v.normal(r.Dir, t)
	default:
		var v cylinderFrom
		s.cylinders[i].from(r.Origin, &v)
		return v.normal(r.Dir, t)
	}
}

// shape returns the solid that a reference refers to as package shapes knows it.
func (s *solids) shape(at primRef) shapes.Shape {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return &s.spheres[i].Sphere
	case capsuleKind:
		return &s.capsules[i].Capsule
	case boxKind:
		return &s.boxes[i].Box
	default:
		return &s.cylinders[i].Cylinder
	}
}

// Source holds solids as they are given. Their object numbers count spheres first, then capsules,
// boxes and cylinders.
type Source struct {
	Spheres   []shapes.Sphere
	Capsules  []shapes.Capsule
	Boxes     []shapes.Box
	Cylinders []shapes.Cylinder

	// Progress, if not nil, is called while the tree is built, with the number of solids that are in it and of all. The
	// calls come from several goroutines, but one at a time and with done ascending.
	Progress func(done, all int)
}

func (s *Source) len() int {
	return len(s.Spheres) + len(s.Capsules) + len(s.Boxes) + len(s.Cylinders)
}

// numbering is the number of the first object of each kind.
type numbering [kinds]int32

func (s *Source) numbering() (n numbering) {
	n[capsuleKind] = int32(len(s.Spheres))
	n[boxKind] = n[capsuleKind] + int32(len(s.Capsules))
	n[cylinderKind] = n[boxKind] + int32(len(s.Boxes))
	return n
}

// kind returns the kind of an object. It is branch-free: the kinds of neighbors in the tree are unpredictable.
func (n *numbering) kind(number int32) kind {
	var notSphere, notCapsule, isCylinder kind
	if number >= n[capsuleKind] {
		notSphere = 1
	}
	if number >= n[boxKind] {
		notCapsule = 1
	}
	if number >= n[cylinderKind] {
		isCylinder = 1
	}
	return sphereKind + notSphere + notCapsule + isCylinder
}

// items returns the bounds of every object and of all together.
func (s *Source) items() ([]item, geom.Bounds) {
	items := make([]item, s.len())
	parts := make([]geom.Bounds, chunks(len(items)).Parts())
	first := s.numbering()
	chunks(len(items)).Do(func(part, from, to int) {
		all := geom.EmptyBounds()
		for number := from; number < to; number++ {
			b := s.bounds(&first, int32(number))
			if !all.Contains(b.Min) || !all.Contains(b.Max) { // seldom
				all = all.Union(b)
			}
			items[number] = newItem(b, int32(number))
		}
		parts[part] = all
	})
	all := geom.EmptyBounds()
	for _, b := range parts {
		all = all.Union(b)
	}
	return items, all
}

// bounds returns the bounds of an object.
func (s *Source) bounds(first *numbering, number int32) geom.Bounds {
	k := first.kind(number)
	switch i := number - first[k]; k {
	case sphereKind:
		return s.Spheres[i].Bounds()
	case capsuleKind:
		return s.Capsules[i].Bounds()
	case boxKind:
		return s.Boxes[i].Bounds()
	default:
		return s.Cylinders[i].Bounds()
	}
}

// prepare arranges the objects in the order of the items, and makes their references the numbers of the items.
func (s *Source) prepare(items []item) solids {
	p := solids{
		spheres:   make([]sphere, len(s.Spheres), len(s.Spheres)+lanes-1), // kernels read on behind the last one
		capsules:  make([]capsule, len(s.Capsules)),
		boxes:     make([]box, len(s.Boxes)),
		cylinders: make([]cylinder, len(s.Cylinders)),
		refs:      make([]primRef, len(items)),

		sphereNumbers: make([]int32, len(s.Spheres)),
	}
	p.kept = [1 << kindBits]arrayLayout{
		sphereKind:   {unsafe.Pointer(unsafe.SliceData(p.spheres)), unsafe.Sizeof(sphere{})},
		capsuleKind:  {unsafe.Pointer(unsafe.SliceData(p.capsules)), unsafe.Sizeof(capsule{})},
		boxKind:      {unsafe.Pointer(unsafe.SliceData(p.boxes)), unsafe.Sizeof(box{})},
		cylinderKind: {unsafe.Pointer(unsafe.SliceData(p.cylinders)), unsafe.Sizeof(cylinder{})},
	}
	first := s.numbering()
	next := make([][kinds]int, chunks(len(items)).Parts()) // of each kind, in each part: where they begin
	chunks(len(items)).Do(func(part, from, to int) {
		for j := from; j < to; j++ {
			next[part][first.kind(items[j].number)]++
		}
	})
	var sum [kinds]int
	for part := range next {
		for k, n := range next[part] {
			next[part][k] = sum[k]
			sum[k] += n
		}
	}
	chunks(len(items)).Do(func(part, from, to int) {
		next := next[part]
		for j := from; j < to; j++ {
			number := items[j].number
			k := first.kind(number)
			i, index := number-first[k], next[k]
			next[k]++
			at := newPrimRef(k, index)
			p.refs[number], items[j].number = at, int32(at)
			switch k {
			case sphereKind:
				p.spheres[index], p.sphereNumbers[index] = sphere{s.Spheres[i]}, number
			case capsuleKind:
				p.capsules[index] = newCapsule(s.Capsules[i], number)
			case boxKind:
				p.boxes[index] = box{s.Boxes[i], number}
			default:
				p.cylinders[index] = newCylinder(s.Cylinders[i], number)
			}
		}
	})
	return p
}
