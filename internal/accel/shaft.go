package accel

import "pillbox/geom"

// shaft is the convex hull of two axis-aligned boxes: one contains the origins of a group of rays, the
// other their ends. It is represented by its bounds and by planes that are each parallel to a
// coordinate axis. Source: Haines and Wallace, "Shaft Culling for Efficient Ray-Traced Radiosity",
// Eurographics Workshop on Rendering, 1991.
type shaft struct {
	frustum
	faces [maxPlanes]shaftFace
}

// shaftFace is a plane that bounds a shaft: the set of points p with n.p = k. Solids are tested against shaftFaces. The
// bounds of nodes are tested against the same planes in another form, which is stored in the embedded frustum.
type shaftFace struct {
	n    geom.Vec3
	k    float64
	norm float64 // length of n
}

// stretch sets s to the shaft between two bounds, widened by slack.
func (s *shaft) stretch(from, to geom.Bounds, slack float64) {
	s.bounds, s.ahead, s.count = region(from.Union(to).Expand(slack)), plane{}, 0
	a, b := ends(from), ends(to)
	for axis := range 3 {
		for corner := range 4 {
			// Bit 0 of corner selects the upper end along axis u, bit 1 the upper end along v.
			u, v := (axis+1)%3, (axis+2)%3
			su, sv := corner&1, corner>>1
			iu, iv := u+3*su, v+3*sv
			nu, nv := b[iv]-a[iv], a[iu]-b[iu]
			if (nu < 0) == (su == 1) {
				nu, nv = -nu, -nv
			}
			// The plane contains this corner of both boxes. Both boxes lie on its inner side if its
			// normal points toward the corner.
			if nu == 0 || nv == 0 || (nv > 0) != (sv == 1) {
				continue
			}
			var c [3]float64
			c[u], c[v] = nu, nv
			n := geom.Vec3{X: c[0], Y: c[1], Z: c[2]}
			norm := n.Norm()
			k := float64(nu*a[iu]) + float64(nv*a[iv]) + float64(slack*norm)
			s.faces[s.count] = shaftFace{n, k, norm}
			s.addPlane(n, k)
		}
	}
}

// ends returns the coordinates of the lower corner of b, then those of the upper corner.
func ends(b geom.Bounds) [6]float64 {
	return [6]float64{b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z}
}

// sphere reports whether the sphere may overlap the shaft.
func (s *shaft) sphere(b *sphere) bool {
	for i := range s.faces[:s.count] {
		e := &s.faces[i]
		if e.n.Dot(b.Center)-float64(e.norm*b.Radius) > e.k {
			return false
		}
	}
	return true
}

// capsule reports whether the capsule may overlap the shaft.
func (s *shaft) capsule(p *capsule) bool {
	for i := range s.faces[:s.count] {
		e := &s.faces[i]
		if min(e.n.Dot(p.A), e.n.Dot(p.B))-float64(e.norm*p.Radius) > e.k {
			return false
		}
	}
	return true
}

// box reports whether the box may overlap the shaft.
func (s *shaft) box(b *box) bool {
	for i := range s.faces[:s.count] {
		e := &s.faces[i]
		if e.n.Dot(b.Center)-b.Reach(e.n) > e.k {
			return false
		}
	}
	return true
}

// cylinder reports whether the cylinder may overlap the shaft.
func (s *shaft) cylinder(p *cylinder) bool {
	for i := range s.faces[:s.count] {
		e := &s.faces[i]
		if min(e.n.Dot(p.A), e.n.Dot(p.B))-p.reach(e.n) > e.k {
			return false
		}
	}
	return true
}

// admits reports whether a solid may overlap the shaft.
func (s *shaft) admits(w *solids, at primRef) bool {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return s.sphere(&w.spheres[i])
	case capsuleKind:
		return s.capsule(&w.capsules[i])
	case boxKind:
		return s.box(&w.boxes[i])
	case cutKind:
		return s.admits(w, w.cuts[i].whole)
	default:
		return s.cylinder(&w.cylinders[i])
	}
}

// include extends b to include p. It is faster than [geom.Bounds.Include], because it need not handle
// NaN.
func include(b *geom.Bounds, p geom.Vec3) {
	if p.X < b.Min.X {
		b.Min.X = p.X
	}
	if p.X > b.Max.X {
		b.Max.X = p.X
	}
	if p.Y < b.Min.Y {
		b.Min.Y = p.Y
	}
	if p.Y > b.Max.Y {
		b.Max.Y = p.Y
	}
	if p.Z < b.Min.Z {
		b.Min.Z = p.Z
	}
	if p.Z > b.Max.Z {
		b.Max.Z = p.Z
	}
}
