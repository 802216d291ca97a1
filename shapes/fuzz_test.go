package shapes_test

import (
	"math"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
)

// fuzz compares s with the oracle, for the ray from o along d and the segment from o to o + d. It skips solids that
// Validate rejects.
func fuzz(t *testing.T, s validated, o, d geom.Vec3) {
	dir, ok := geom.Direction(d)
	seg := geom.Segment{A: o, B: o.Add(d)}
	if !ok || s.Validate() != nil || !geom.IsCoordinate(o) || !geom.IsCoordinate(seg.B) {
		t.Skip("not a scene")
	}
	r := geom.Ray{Origin: o, Dir: dir}
	if _, err := checkRay(s, r, shapes.Slack); err != nil {
		t.Errorf("%v\nsolid %#v\nray %#v", err, s, r)
	}
	e := shapes.Slack * max(farthest(s, seg.A), farthest(s, seg.B)) * (1 + 1e-9)
	if met := s.Touches(seg); met && !touches(s, seg, e) || !met && touches(s, seg, -e) {
		t.Errorf("Touches = %v\nsolid %#v\nsegment %#v", met, s, seg)
	}
}

func FuzzSphere(f *testing.F) {
	f.Add(0.0, 0.0, 0.0, 1.0, -3.0, 0.0, 0.0, 1.0, 0.0, 0.0)
	f.Add(3.0, 0.0, -2.0, 2.2, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0)
	f.Add(1e15, 0.0, 0.0, 1e-15, -1e15, 0.0, 0.0, 1.0, 1e-300, math.Copysign(0, -1))
	f.Add(0.0, 0.0, 0.0, 1.0, -3.0, 1.0, 0.0, 1.0, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, cx, cy, cz, radius, ox, oy, oz, dx, dy, dz float64) {
		s := &shapes.Sphere{Center: vec(cx, cy, cz), Radius: radius}
		fuzz(t, s, vec(ox, oy, oz), vec(dx, dy, dz))
	})
}

func FuzzCapsule(f *testing.F) {
	f.Add(0.0, 0.0, 0.0, 0.0, 0.0, 10.0, 5.0, -9.0, 3.0, 5.0, 1.0, 0.0, 0.0)
	f.Add(0.0, 0.0, 0.0, 0.0, 0.0, 10.0, 5.0, 3.0, 0.0, -20.0, 1e-15, 0.0, 1.0)
	f.Add(1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 5.0, 3.0, 0.0, -20.0, 0.0, 0.0, 1.0)
	f.Add(1.0, 2.0, 3.0, 1.0, 2.0, 3.0+0x1p-50, 5.0, 6.0, 2.0, -20.0, 0.0, 0.0, 1e3)
	f.Fuzz(func(t *testing.T, ax, ay, az, bx, by, bz, radius, ox, oy, oz, dx, dy, dz float64) {
		c := &shapes.Capsule{A: vec(ax, ay, az), B: vec(bx, by, bz), Radius: radius}
		fuzz(t, c, vec(ox, oy, oz), vec(dx, dy, dz))
	})
}

func FuzzCylinder(f *testing.F) {
	f.Add(0.0, 0.0, 0.0, 0.0, 0.0, 10.0, 5.0, -9.0, 3.0, 5.0, 1.0, 0.0, 0.0)
	f.Add(0.0, 0.0, 0.0, 0.0, 0.0, 10.0, 5.0, 3.0, 0.0, -20.0, 1e-15, 0.0, 1.0)
	f.Add(0.0, 0.0, 0.0, 0.0, 0.0, 8.0, 4.0, -8.0, 0.0, -4.0, 1.0, 0.0, 1.0)
	f.Add(1.0, 2.0, 3.0, 1.0, 2.0, 3.0+0x1p-49, 5.0, 3.0, 2.0, -20.0, 0.0, 1e-300, 1e3)
	f.Fuzz(func(t *testing.T, ax, ay, az, bx, by, bz, radius, ox, oy, oz, dx, dy, dz float64) {
		c := &shapes.Cylinder{A: vec(ax, ay, az), B: vec(bx, by, bz), Radius: radius}
		fuzz(t, c, vec(ox, oy, oz), vec(dx, dy, dz))
	})
}

func FuzzBox(f *testing.F) {
	f.Add(0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, -9.0, 2.0, 3.0, 1.0, 0.0, 0.0)
	f.Add(0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.9, 0.1, 0.2, 0.3, -9.0, 0.1, 0.2, 1.0, 1e-17, 0.0)
	f.Add(1e9, -1e9, 0.0, 1e-9, 1e9, 1.0, 1.0, 1.0, 0.0, 0.0, 1e9, 3.0, 0.2, math.Copysign(0, -1), 1.0, 5e-324)
	f.Fuzz(func(t *testing.T, cx, cy, cz, hx, hy, hz, qw, qx, qy, qz, ox, oy, oz, dx, dy, dz float64) {
		m, ok := geom.RotationQuaternion(qw, qx, qy, qz)
		if !ok {
			t.Skip("not a rotation")
		}
		b := &shapes.Box{Center: vec(cx, cy, cz), HalfExtents: vec(hx, hy, hz), Rotation: m}
		fuzz(t, b, vec(ox, oy, oz), vec(dx, dy, dz))
	})
}
