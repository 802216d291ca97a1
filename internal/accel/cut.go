package accel

import (
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// Cut says what sections do to a solid: they cut it, or remove it.
type Cut struct {
	Object int32            // the object number
	By     []shapes.Section // those that divide the solid; none if the solid is removed
}

// cutSolid is a solid that sections cut. Its whole solid is stored with the others of its kind, but no leaf contains it. All
// volumes that cull a solid use the whole one. The kernels do not know cuts: in a leaf, the portable code tests them.
type cutSolid struct {
	shapes.Cut
	whole  primRef
	number int32
}

// chord clips the distances at which the line through o along d enters and leaves the whole solid; ok is false if the line
// misses it.
func (c *cutSolid) chord(o, d geom.Vec3, near, far float64, ok bool) (float64, float64, bool) {
	if !ok {
		return 0, 0, false
	}
	x, ok := c.Clip(geom.Ray{Origin: o, Dir: d}, near, far)
	return x.Near, x.Far, ok
}

// surface returns the normal where the line of r enters or leaves a cut at the distance t, and the face: see [Hit].
func (s *solids) surface(c *cutSolid, r geom.Ray, t float64) (normal geom.Vec3, face uint8) {
	near, far, _ := s.chord(c.whole, r.Origin, r.Dir)
	x, _ := c.Clip(r, near, far)
	i := x.In
	if t != x.Near {
		i = x.Out
	}
	if i < 0 {
		return s.normal(c.whole, r, t), 0
	}
	return c.By[i].Normal, faceOf(&c.By[i])
}

func faceOf(s *shapes.Section) uint8 { return uint8(s.Index + 1) }

// Section returns the index of the section on whose cut face the hit lies, and false if it lies on the solid's own surface.
func (h *Hit) Section() (index int, ok bool) { return int(h.Face) - 1, h.Face > 0 }

// marks returns for each object 0 or, if sections cut or remove it, 1 + the index in s.Cuts. It returns nil without Cuts.
func (s *Source) marks() []int32 {
	if len(s.Cuts) == 0 {
		return nil
	}
	marks := make([]int32, s.len())
	for i, c := range s.Cuts {
		marks[c.Object] = int32(i) + 1
	}
	return marks
}

// trim applies s.Cuts and s.Omit to items, which are all objects in order, and to their bounds: it removes the removed and
// omitted objects and gives the others the bounds of what is left.
func (s *Source) trim(items []item, all geom.Bounds) ([]item, geom.Bounds) {
	if len(s.Cuts) == 0 && s.Omit == nil {
		return items, all
	}
	for _, c := range s.Cuts {
		if len(c.By) > 0 {
			items[c.Object] = newItem((&shapes.Cut{Whole: s.shape(c.Object), By: c.By}).Bounds(), c.Object)
		} else {
			items[c.Object].number = None
		}
	}
	items = slices.DeleteFunc(items, func(x item) bool { return x.number == None || s.Omit != nil && s.Omit(x.number) })
	if len(items) == 0 {
		return nil, geom.EmptyBounds()
	}
	b := emptyBounds32()
	for i := range items {
		x := items[i].bounds()
		b.addBounds(&x)
	}
	return items, geom.Bounds{
		Min: geom.Vec3{X: float64(b[0][0]), Y: float64(b[0][1]), Z: float64(b[0][2])},
		Max: geom.Vec3{X: -float64(b[1][0]), Y: -float64(b[1][1]), Z: -float64(b[1][2])},
	}
}

// shape returns an object as a shape, without cuts.
func (s *Source) shape(number int32) shapes.Shape {
	first := s.numbering()
	k := first.kind(number)
	switch i := number - first[k]; k {
	case sphereKind:
		return &s.Spheres[i]
	case capsuleKind:
		return &s.Capsules[i]
	case boxKind:
		return &s.Boxes[i]
	default:
		return &s.Cylinders[i]
	}
}

// prepareWhole stores the whole solid of a cut after the counted solids of its kind, and returns its reference.
func (s *Source) prepareWhole(p *solids, number int32, count *kindCounts) primRef {
	first := s.numbering()
	k := first.kind(number)
	i, index := number-first[k], count[k]
	count[k]++
	s.store(p, k, int(i), index, number)
	return newPrimRef(k, index)
}

// cutReach returns the largest magnitude of a coordinate in the bounds of the whole solids of all cuts.
func (s *solids) cutReach() (reach float64) {
	for i := range s.cuts {
		reach = max(reach, s.cuts[i].Whole.Bounds().MaxAbs())
	}
	return reach
}
