package accel

import "pillbox/geom"

// shaft is the convex hull of two axis-aligned boxes: where a group of rays start and where
// they end. It is given by its bounds and by planes that are each parallel to one
// coordinate axis. Source: Haines and Wallace, "Shaft Culling for Efficient Ray-Traced
// Radiosity", Eurographics Workshop on Rendering, 1991.
type shaft struct {
	frustum
	faces [maxPlanes]shaftFace
}

// shaftFace is a plane that bounds a shaft: its points satisfy n.p = k. Solids are tested against it in this form, nodes
// against the plane of the frustum.
type shaftFace struct {
	n    geom.Vec3
	k    float64
	norm float64 // length of n
}

// stretch makes s the shaft between two bounds, moved outward by slack.
func (s *shaft) stretch(from, to geom.Bounds, slack float64) {
	s.bounds, s.ahead, s.count = region(from.Union(to).Expand(slack)), plane{}, 0
	a, b := ends(from), ends(to)
	for axis := range 3 {
		for corner := range 4 {
			// The corner at the greater end of u if bit 0 is set, and of v if bit 1 is.
			u, v := (axis+1)%3, (axis+2)%3
			su, sv := corner&1, corner>>1
			iu, iv := u+3*su, v+3*sv
			nu, nv := b[iv]-a[iv], a[iu]-b[iu]
			if (nu < 0) == (su == 1) {
				nu, nv = -nu, -nv
			}
			// The plane through this corner of both boxes bounds them if its normal has
			// the signs of the corner.
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

// ends returns the least x, y and z in b and then the greatest.
func ends(b geom.Bounds) [6]float64 {
	return [6]float64{b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z}
}

// sphere reports whether the sphere may reach into the shaft.
func (s *shaft) sphere(b *sphere) bool {
	for i := range s.faces[:s.count] {
		e := &s.faces[i]
		if e.n.Dot(b.Center)-float64(e.norm*b.Radius) > e.k {
			return false
		}
	}
	return true
}

// capsule reports whether the capsule may reach into the shaft.
func (s *shaft) capsule(p *capsule) bool {
	for i := range s.faces[:s.count] {
		e := &s.faces[i]
		if min(e.n.Dot(p.A), e.n.Dot(p.B))-float64(e.norm*p.Radius) > e.k {
			return false
		}
	}
	return true
}

// box reports whether the box may reach into the shaft.
func (s *shaft) box(b *box) bool {
	for i := range s.faces[:s.count] {
		e := &s.faces[i]
		if e.n.Dot(b.Center)-b.Reach(e.n) > e.k {
			return false
		}
	}
	return true
}

// cylinder reports whether the cylinder may reach into the shaft.
func (s *shaft) cylinder(p *cylinder) bool {
	for i := range s.faces[:s.count] {
		e := &s.faces[i]
		if min(e.n.Dot(p.A), e.n.Dot(p.B))-p.reach(e.n) > e.k {
			return false
		}
	}
	return true
}

// admits reports whether the solid that a reference refers to may reach into the shaft.
func (s *shaft) admits(w *solids, at primRef) bool {
	switch i := at.index(); at.kind() {
	case sphereKind:
		return s.sphere(&w.spheres[i])
	case capsuleKind:
		return s.capsule(&w.capsules[i])
	case boxKind:
		return s.box(&w.boxes[i])
	default:
		return s.cylinder(&w.cylinders[i])
	}
}

// include includes p in b. Unlike [geom.Bounds.Include] it expects no NaN, and so costs only
// comparisons.
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
