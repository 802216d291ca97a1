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
	cuts      []cutSolid
	refs      []primRef // reference of each object; noPrim for those that are omitted or that sections remove

	sphereNumbers []int32 // object number of each sphere; other kinds store their own

	arrays [1 << kindBits]arrayLayout // address and element size of each kind's array, for prefetch
}

// arrayLayout is the address of an array and the size of an element.
type arrayLayout struct {
	start unsafe.Pointer
	size  uintptr
}

// primRef refers to a prepared solid. The lowest bits are its kind, and the bits above them its index among the solids
// of that kind.
type primRef int32

type kind uint8

const (
	sphereKind kind = iota
	capsuleKind
	boxKind
	cylinderKind
	kinds

	mixedKind = kinds     // kind of the first reference of a leaf with solids of several kinds, see child
	cutKind   = kinds + 1 // kind of a reference to a solid of any kind that sections cut, see cutSolid
)

// kindBits is the number of bits of a reference that hold the kind. Kernels depend on it.
const kindBits = 3

// noPrim is the reference for no solid.
const noPrim primRef = -1

func newPrimRef(k kind, index int) primRef { return primRef(index)<<kindBits | primRef(k) }

func (s primRef) kind() kind { return kind(s & (1<<kindBits - 1)) }
func (s primRef) index() int { return int(s >> kindBits) }

// plus returns the reference to the solid n places after s, of the same kind.
func (s primRef) plus(n int) primRef { return s + primRef(n)<<kindBits }

// objectNumber returns the object number of a solid.
func (s *solids) objectNumber(at primRef) int32 {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return s.sphereNumbers[i]
	case capsuleKind:
		return s.capsules[i].number
	case boxKind:
		return s.boxes[i].number
	case cutKind:
		return s.cuts[i].number
	default:
		return s.cylinders[i].number
	}
}

// primOf returns the reference to an object, or noPrim for [None] and for an object that is omitted.
func (s *solids) primOf(object int32) primRef {
	if object == None {
		return noPrim
	}
	return s.refs[object]
}

// prefetch begins to load solids into the cache.
func (s *solids) prefetch(refs []primRef) {
	for _, at := range refs { // without a branch by kind, which would be unpredictable
		k := &s.arrays[at.kind()]
		prefetch.Memory(unsafe.Add(k.start, uintptr(at.index())*k.size), k.size)
	}
}

// chord returns where the line through o along d enters and leaves a solid, and false if it misses.
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
	case cutKind:
		c := &s.cuts[i]
		near, far, ok = s.chord(c.whole, o, d)
		return c.chord(o, d, near, far, ok)
	default:
		var v cylinderFrom
		s.cylinders[i].from(o, &v)
		return v.chord(d)
	}
}

// normal returns the outward normal at the point where the ray's line crosses a solid at the distance t.
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
	case cutKind:
		normal, _ := s.surface(&s.cuts[i], r, t)
		return normal
	default:
		var v cylinderFrom
		s.cylinders[i].from(r.Origin, &v)
		return v.normal(r.Dir, t)
	}
}

// shape returns a solid as a shape of package shapes.
func (s *solids) shape(at primRef) shapes.Shape {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return &s.spheres[i].Sphere
	case capsuleKind:
		return &s.capsules[i].Capsule
	case boxKind:
		return &s.boxes[i].Box
	case cutKind:
		return &s.cuts[i].Cut
	default:
		return &s.cylinders[i].Cylinder
	}
}

// Source is the input of [New]. Object numbers count spheres first, then capsules, boxes and cylinders.
type Source struct {
	Spheres   []shapes.Sphere
	Capsules  []shapes.Capsule
	Boxes     []shapes.Box
	Cylinders []shapes.Cylinder

	// Cuts lists, in ascending order of object numbers, the solids that sections cut or remove. A removed solid keeps its
	// object number, but no query finds it.
	Cuts []Cut

	// Omit, if not nil, reports which objects are not part of the set of solids. They keep their object numbers, so
	// that secondary rays can start on them.
	Omit func(number int32) bool

	// Progress, if not nil, is called while the tree is built, with the number of solids in the tree so
	// far and the number of all solids. Calls come from several goroutines, but one at a time and with
	// done ascending.
	Progress func(done, all int)
}

func (s *Source) len() int {
	return len(s.Spheres) + len(s.Capsules) + len(s.Boxes) + len(s.Cylinders)
}

// numbering holds the object number of the first solid of each kind.
type numbering [kinds]int32

func (s *Source) numbering() (n numbering) {
	n[capsuleKind] = int32(len(s.Spheres))
	n[boxKind] = n[capsuleKind] + int32(len(s.Capsules))
	n[cylinderKind] = n[boxKind] + int32(len(s.Boxes))
	return n
}

// kind returns the kind of an object. It has no branches, because the processor could not predict them: the objects in a
// leaf have different kinds in no particular order.
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

// items returns an [item] for each object, from which the tree is built, and the bounds of all objects together.
func (s *Source) items() ([]item, geom.Bounds) {
	items := make([]item, s.len())
	parts := make([]geom.Bounds, chunks(len(items)).Parts())
	first := s.numbering()
	chunks(len(items)).Do(func(part, from, to int) {
		all := geom.EmptyBounds()
		for number := from; number < to; number++ {
			b := s.bounds(&first, int32(number))
			if !all.Contains(b.Min) || !all.Contains(b.Max) { // rarely needed
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
	return s.trim(items, all)
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

// prepare converts the objects to prepared solids, which it stores in the order of the items. It replaces
// the object number in each item with the reference to the solid.
func (s *Source) prepare(items []item) solids {
	first, marks := s.numbering(), s.marks()
	kindOf := func(number int32) kind {
		if marks != nil && marks[number] > 0 {
			return cutKind
		}
		return first.kind(number)
	}
	next := make([]kindCounts, chunks(len(items)).Parts()) // for each part of the items and each kind: the index of the first solid
	chunks(len(items)).Do(func(part, from, to int) {
		for j := from; j < to; j++ {
			next[part][kindOf(items[j].number)]++
		}
	})
	var sum kindCounts
	for part := range next {
		for k, n := range next[part] {
			next[part][k] = sum[k]
			sum[k] += n
		}
	}
	room := sum // and for the whole solids of cuts
	for i := range s.Cuts {
		room[first.kind(s.Cuts[i].Object)]++
	}
	p := solids{
		spheres:   make([]sphere, room[sphereKind], room[sphereKind]+lanes-1), // kernels read beyond the last one
		capsules:  make([]capsule, room[capsuleKind]),
		boxes:     make([]box, room[boxKind]),
		cylinders: make([]cylinder, room[cylinderKind]),
		cuts:      make([]cutSolid, sum[cutKind]),
		refs:      make([]primRef, s.len()),

		sphereNumbers: make([]int32, room[sphereKind]),
	}
	if len(items) < len(p.refs) {
		for number := range p.refs {
			p.refs[number] = noPrim
		}
	}
	p.arrays = [1 << kindBits]arrayLayout{
		sphereKind:   {unsafe.Pointer(unsafe.SliceData(p.spheres)), unsafe.Sizeof(sphere{})},
		capsuleKind:  {unsafe.Pointer(unsafe.SliceData(p.capsules)), unsafe.Sizeof(capsule{})},
		boxKind:      {unsafe.Pointer(unsafe.SliceData(p.boxes)), unsafe.Sizeof(box{})},
		cylinderKind: {unsafe.Pointer(unsafe.SliceData(p.cylinders)), unsafe.Sizeof(cylinder{})},
		cutKind:      {unsafe.Pointer(unsafe.SliceData(p.cuts)), unsafe.Sizeof(cutSolid{})},
	}
	chunks(len(items)).Do(func(part, from, to int) {
		next := next[part]
		for j := from; j < to; j++ {
			number := items[j].number
			k := kindOf(number)
			index := next[k]
			next[k]++
			at := newPrimRef(k, index)
			p.refs[number], items[j].number = at, int32(at)
			if k == cutKind {
				p.cuts[index] = cutSolid{Cut: shapes.Cut{By: s.Cuts[marks[number]-1].By}, number: number}
				continue
			}
			s.store(&p, k, int(number-first[k]), index, number)
		}
	})
	for i := range p.cuts {
		c := &p.cuts[i]
		c.whole = s.prepareWhole(&p, c.number, &sum)
		c.Whole = p.shape(c.whole)
	}
	return p
}

// kindCounts holds a number of prepared solids for each kind of reference.
type kindCounts [cutKind + 1]int

// store prepares solid i of a kind and stores it at an index in p.
func (s *Source) store(p *solids, k kind, i, index int, number int32) {
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
