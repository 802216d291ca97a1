package model

import (
	"math"

	"pillbox/camera"
	"pillbox/geom"
)

// framing is a camera that frames the solids, see [scene.Framing]: its direction, its up vector and, if it does not show
// all solids, the names of what it shows.
type framing struct {
	direction, up geom.Vec3
	fit           []string
}

// framing returns a camera that shows all solids except grounds. If the field Tight is true, it looks along the shortest
// principal axis of the solids, with the longest axis from left to right. Otherwise it looks from the scene's direction.
func (s *Scene) framing(t *tidied) framing {
	f := framing{fit: t.shown}
	if s.Tight {
		axes := principalAxes(t.root)
		f.direction, f.up = axes.Z.Neg(), axes.Y
		return f
	}
	f.up = camera.DefaultUp()
	if up, ok := geom.Direction(s.Up); ok {
		f.up = up
	}
	from := s.From
	if unit, ok := geom.Direction(from); !ok || unit.Cross(f.up).Norm() < 1e-3 { // nearly parallel to up, where the picture's orientation is undefined
		from = fromY(f.up).MulVec(geom.Vec3{X: 1, Y: 0.6, Z: 1.4})
	}
	step := math.Pow10(int(math.Floor(math.Log10(from.MaxAbs()))) - 5) // as coarse as the numbers that a person would choose
	round := func(x float64) float64 { return float64(math.Round(x/step) * step) }
	f.direction = geom.Vec3{X: round(-from.X), Y: round(-from.Y), Z: round(-from.Z)}
	return f
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
