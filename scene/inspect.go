package scene

import (
	"cmp"
	"image"
	"slices"
	"sort"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/shapes"
)

// inspector looks at solids for what can be rendered but is hardly meant.
type inspector struct {
	points  []point // the eye and the lights, sorted by X when the first solid comes
	frustum []plane // around the view; none: everything is in view
	outside []table // the solids outside
}

// point is a point that should lie in the open.
type point struct {
	geom.Vec3
	table  table // has the point as its position
	code   Code
	noun   string
	solids int   // how many lie around the point
	solid  table // the first of them
}

// plane is a plane and its unit normal.
type plane struct{ point, normal geom.Vec3 }

// look adds the camera of the given table, for a picture of width by height pixels. If one
// of them is 0, because the file has it wrong, nobody knows what is in view.
func (in *inspector) look(t table, v *camera.View, width, height int) {
	if !v.Parallel() {
		in.add(point{Vec3: v.Position(), table: t, code: CodeEyeInside, noun: "eye"})
	}
	if width > 0 && height > 0 {
		in.frustum = frustum(v.Packet(image.Rect(0, 0, width, height), 1))
	}
}

// frustum returns the planes around a picture's rays, with their normals to the outside.
func frustum(p geom.Packet) []plane {
	planes := []plane{{p.Origin, p.Dir.Neg()}}
	w, h := p.DX.Scale(p.CenterX), p.DY.Scale(p.CenterY)
	for _, half := range []geom.Vec3{w, w.Neg(), h, h.Neg()} {
		side := half.Unit()
		if p.Parallel {
			planes = append(planes, plane{p.Origin.Add(half), side})
			continue
		}
		// Perpendicular to the outermost rays, which run along Dir + half.
		planes = append(planes, plane{p.Origin, side.Sub(p.Dir.Scale(half.Norm())).Unit()})
	}
	return planes
}

func (in *inspector) add(p point) { in.points = append(in.points, p) }

// sort must be called between the last point and the first solid.
func (in *inspector) sort() {
	slices.SortStableFunc(in.points, func(p, q point) int { return cmp.Compare(p.X, q.X) })
}

// inspect looks at a solid, which lies within the given ball.
func (in *inspector) inspect(t table, s shapes.Shape, center geom.Vec3, radius float64) {
	for _, p := range in.frustum {
		if center.Sub(p.point).Dot(p.normal) > radius {
			in.outside = append(in.outside, t)
			break
		}
	}
	if len(in.points) == 0 {
		return
	}
	bounds := s.Bounds()
	first := sort.Search(len(in.points), func(i int) bool { return in.points[i].X >= bounds.Min.X })
	for i := first; i < len(in.points) && in.points[i].X <= bounds.Max.X; i++ {
		if p := &in.points[i]; bounds.Contains(p.Vec3) && shapes.Contains(s, p.Vec3) {
			if p.solids++; p.solids == 1 {
				p.solid = t
			}
		}
	}
}

// conclude reports what inspect found.
func (in *inspector) conclude() {
	for _, p := range in.points {
		switch p.solids {
		case 0:
		case 1:
			p.table.warn("position", p.code, "the %s lies inside %s", p.noun, p.solid.key(""))
		default:
			p.table.warn("position", p.code, "the %s lies inside %s and %d more", p.noun, p.solid.key(""), p.solids-1)
		}
	}
	// More than a few are hardly by accident.
	const most = 10
	for i, t := range in.outside {
		if rest := len(in.outside) - i; i == most && rest > 1 {
			t.warn("", CodeOutsideView, "lies wholly outside the view, like %d more", rest-1)
			return
		}
		t.warn("", CodeOutsideView, "lies wholly outside the view")
	}
}
