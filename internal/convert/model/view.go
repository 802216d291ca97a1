package model

import (
	"math"

	"pillbox/camera"
	"pillbox/geom"
)

// view returns a camera that shows all solids except grounds. If the field Tight is true, this is the camera of
// [Scene.tightView]. Otherwise it looks from the scene's direction, from about the smallest distance at which the
// sphere around the solids fits into the picture.
func (s *Scene) view(root *Part) camera.Camera {
	if s.Tight {
		return s.tightView(root)
	}
	up, ok := geom.Direction(s.Up)
	if !ok {
		up = camera.DefaultUp()
	}
	from, ok := geom.Direction(s.From)
	if !ok || from.Cross(up).Norm() < 1e-3 { // nearly parallel to up, where the picture's orientation is undefined
		from, _ = geom.Direction(fromY(up).MulVec(geom.Vec3{X: 1, Y: 0.6, Z: 1.4}))
	}
	center, radius := BoundingSphere(root)
	sin, _ := (camera.DefaultFOV / 2).SinCos()
	step := math.Pow10(int(math.Floor(math.Log10(radius))) - 3) // as coarse as the numbers that a person would choose
	round := func(v geom.Vec3) geom.Vec3 {
		return geom.Vec3{X: math.Round(v.X/step) * step, Y: math.Round(v.Y/step) * step, Z: math.Round(v.Z/step) * step}
	}
	return camera.Camera{
		Position: round(center.AddScaled(radius/sin, from)),
		LookAt:   round(center),
		Up:       up,
		FOV:      camera.DefaultFOV,
	}
}

// fromY returns the axes of a frame whose y axis is up. Its x axis is the unit vector along (1, 0, 0), made perpendicular
// to up. Only if up is parallel to (1, 0, 0), the z axis is (0, 0, 1) instead.
func fromY(up geom.Vec3) geom.Mat3 {
	z, ok := geom.Direction(geom.Vec3{X: 1}.Cross(up))
	if !ok {
		z = geom.Vec3{Z: 1}
	}
	return geom.Mat3{X: up.Cross(z), Y: up, Z: z}
}

// BoundingSphere returns a sphere that contains all solids except grounds. Its center is the center of their bounds. If
// there are only grounds, it contains these. Without any solids, it is the unit sphere.
func BoundingSphere(root *Part) (center geom.Vec3, radius float64) {
	for _, grounds := range [...]bool{false, true} {
		bounds := geom.EmptyBounds()
		root.corners(Pose{}, grounds, func(p geom.Vec3, r float64) {
			bounds = bounds.Union(geom.Bounds{Min: p, Max: p}.Expand(r))
		})
		if bounds.IsEmpty() {
			continue
		}
		center = bounds.Center()
		root.corners(Pose{}, grounds, func(p geom.Vec3, r float64) {
			radius = max(radius, p.Sub(center).Norm()+r)
		})
		return center, radius
	}
	return geom.Vec3{}, 1
}

// corners calls visit with the centers and radii of balls. The convex hull of these balls contains every solid of a
// part that is placed at the given pose. Boxes that are grounds count only if the parameter grounds is true.
func (p *Part) corners(at Pose, grounds bool, visit func(center geom.Vec3, radius float64)) {
	turn := at.Rotation.Matrix()
	point := func(v geom.Vec3) geom.Vec3 { return at.Position.Add(turn.MulVec(v)) }
	moved := func(center geom.Vec3, radius float64) { visit(point(center), radius) }
	for s := range p.solids() {
		if b, ok := s.(*Box); ok && b.Ground && !grounds {
			continue
		}
		s.corners(moved)
	}
	for i := range p.Places {
		pl := &p.Places[i]
		for n := range pl.copies() {
			pl.Part.corners(at.Then(pl.copy(n)), grounds, visit)
		}
	}
}

// copy returns the pose of copy n.
func (p *Place) copy(n int) Pose {
	pose := p.Pose
	if p.Step.Axis != (geom.Vec3{}) {
		turned := Pose{Rotation: Turn(p.Step.Axis, geom.Angle(float64(n)*p.Step.Angle.Degrees()))}
		pose = turned.Then(pose)
	}
	pose.Position = pose.Position.AddScaled(float64(n), p.Step.Position)
	return pose
}

// canSee reports whether the camera is valid.
func canSee(c camera.Camera) bool {
	for _, v := range [...]geom.Vec3{c.Position, c.LookAt, c.Up} {
		if !(v.IsFinite() && v.MaxAbs() <= geom.MaxCoordinate) {
			return false
		}
	}
	_, err := c.View(1, 1)
	return err == nil && !math.IsNaN(c.FOV.Degrees())
}
