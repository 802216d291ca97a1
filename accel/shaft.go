package accel

import "pillbox/geom"

// shaft is the convex hull of two axis-aligned boxes: where a group of rays start and where
// they end. It is given by its bounds and by planes that are each parallel to one
// coordinate axis. Source: Haines and Wallace, "Shaft Culling for Efficient Ray-Traced
// Radiosity", Eurographics Workshop on Rendering, 1991.
type shaft struct {
	hull
	edges [maxPlanes]edge
}

// edge is one of the hull's planes, n.p - k, in the form in which solids are tested against
// it.
type edge struct {
	n    geom.Vec3
	k    float64
	norm float64 // length of n
}

// stretch makes s the shaft from one box to another, moved outward by slack.
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
			// The plane through this corner of both boxes bounds them if its normal points
			// the way that the corner does.
			if nu == 0 || nv == 0 || (nv > 0) != (sv == 1) {
				continue
			}
			var c [3]float64
			c[u], c[v] = nu, nv
			n := geom.Vec3{X: c[0], Y: c[1], Z: c[2]}
			norm := n.Norm()
			k := float64(nu*a[iu]) + float64(nv*a[iv]) + float64(slack*norm)
			s.edges[s.count] = edge{n, k, norm}
			s.bound(n, k)
		}
	}
}

// ends returns the least x, y and z in b and then the greatest.
func ends(b geom.Bounds) [6]float64 {
	return [6]float64{b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z}
}

// ball reports whether the ball may reach into the shaft.
func (s *shaft) ball(b *ball) bool {
	for i := range s.edges[:s.count] {
		e := &s.edges[i]
		if e.n.Dot(b.Center)-float64(e.norm*b.Radius) > e.k {
			return false
		}
	}
	return true
}

// pill reports whether the pill may reach into the shaft.
func (s *shaft) pill(p *pill) bool {
	for i := range s.edges[:s.count] {
		e := &s.edges[i]
		if min(e.n.Dot(p.A), e.n.Dot(p.B))-float64(e.norm*p.Radius) > e.k {
			return false
		}
	}
	return true
}

// block reports whether the block may reach into the shaft.
func (s *shaft) block(b *block) bool {
	for i := range s.edges[:s.count] {
		e := &s.edges[i]
		if e.n.Dot(b.Center)-b.Reach(e.n) > e.k {
			return false
		}
	}
	return true
}

// admits reports whether the solid in a slot may reach into the shaft.
func (s *shaft) admits(w *solids, slot int32) bool {
	i := int(slot)
	if i < len(w.balls) {
		return s.ball(&w.balls[i])
	}
	if i -= len(w.balls); i < len(w.pills) {
		return s.pill(&w.pills[i])
	}
	return s.block(&w.blocks[i-len(w.pills)])
}

// lines are rays up to some distance, component by component, and whether nothing blocks
// them yet. Kernels know their layout.
type lines struct {
	ox, oy, oz [maxGroup + lanes]float64
	dx, dy, dz [maxGroup + lanes]float64
	dist       [maxGroup + lanes]float64
	open       [maxGroup + lanes]int64 // isOpen or 0

	_ [12 * lanes]float64 // scratch memory of kernels
}

const isOpen int64 = -1

// set stores line k, which is open.
func (l *lines) set(k int, r *geom.Ray, dist float64) {
	l.ox[k], l.oy[k], l.oz[k] = r.Origin.X, r.Origin.Y, r.Origin.Z
	l.dx[k], l.dy[k], l.dz[k] = r.Dir.X, r.Dir.Y, r.Dir.Z
	l.dist[k], l.open[k] = dist, isOpen
}

// shadows finds which rays are blocked.
type shadows struct {
	*World
	groups
	rays    []Departure
	dist    []float64
	blocked []bool

	object  int32   // the solid that the group leaves
	members []int32 // the rays of the group
	eyeless bool    // none of them comes from an eye inside a solid
	lines   lines   // and all of them
	walk    traversal
	shaft   shaft
}

// trace answers [World.Blocked].
func (s *shadows) trace(rays []Departure, dist []float64, blocked []bool) {
	for len(rays) > 0 {
		n := s.sort(rays)
		s.rays, s.dist, s.blocked = rays[:n], dist[:n], blocked[:n]
		for k := range s.n {
			s.object, s.members = s.objects[k], s.group(k)
			s.bundle()
		}
		rays, dist, blocked = rays[n:], dist[n:], blocked[n:]
	}
}

// bundle follows all rays at once: it walks the tree with the shaft around them and closes
// those that a solid blocks.
func (s *shadows) bundle() {
	s.aim()
	s.walk.start(&s.tree, &s.shaft)
	for leaf := s.walk.next(0); leaf != nil; leaf = s.walk.next(0) {
		for _, slot := range leaf {
			if s.number(slot) != s.object && s.shaft.admits(&s.solids, slot) && !s.test(slot) {
				s.walk.stop()
				break
			}
		}
	}
	for k, i := range s.members {
		s.blocked[i] = s.lines.open[k] != isOpen
	}
}

// aim prepares the lines of the group and the shaft around them.
func (s *shadows) aim() {
	from, to := geom.EmptyBounds(), geom.EmptyBounds()
	s.eyeless = true
	for k, i := range s.members {
		d := &s.rays[i]
		s.lines.set(k, &d.Ray, s.dist[i])
		s.eyeless = s.eyeless && len(d.Eye) == 0
		grow(&from, d.Ray.Origin)
	}
	clear(s.lines.open[len(s.members):][:lanes])
	far := 4 * (from.MaxAbs() + s.reach)
	for _, i := range s.members {
		grow(&to, s.rays[i].Ray.At(min(s.dist[i], far)))
	}
	s.shaft.stretch(from, to, s.slack(from.Min)+s.slack(from.Max))
}

// test closes the lines that the solid in a slot blocks and reports whether any is left.
func (s *shadows) test(slot int32) bool {
	o := undecided
	if s.eyeless {
		o = s.solids.shade(slot, &s.lines, len(s.members))
	}
	if !o.undecided() {
		return o.met()
	}
	left := false
	object := s.number(slot)
	for k, i := range s.members {
		if s.lines.open[k] != isOpen {
			continue
		}
		d := &s.rays[i]
		if near, far, ok := s.chord(slot, d.Ray.Origin, d.Ray.Dir); ok && d.meets(object, near, far, s.dist[i]) {
			s.lines.open[k] = 0
		} else {
			left = true
		}
	}
	return left
}

// shade closes the first n lines where the solid in a slot blocks them. In the verdict,
// lines that are left take the place of rays that met the solid.
func (s *solids) shade(slot int32, l *lines, n int) verdict {
	i := int(slot)
	if i < len(s.balls) {
		return shadeBall(l, &s.balls[i], n)
	}
	if i -= len(s.balls); i < len(s.pills) {
		return shadePill(l, &s.pills[i], n)
	}
	return shadeBlock(l, &s.blocks[i-len(s.pills)], n)
}

// meets reports whether the ray is blocked by a solid that its line crosses at near and far.
func (d *Departure) meets(object int32, near, far, dist float64) bool {
	t, _, ok := d.side(object).pick(near, far)
	return ok && t < dist
}
