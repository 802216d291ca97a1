package arealight

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/internal/sampler"
	"pillbox/shade"
)

// Point is a point of a light, seen from a surface.
type Point struct {
	Dir    geom.Vec3 // unit direction toward it
	Reach  float64   // solids closer than this hide it; infinite for a directional light
	Weight float64   // positive: the cosine of the angle to the surface's normal, or 1 for the only point
}

// Points appends points of the light to points and returns the result. Each of the first count points of the
// set selects a point of the light. Points skips those below the horizon of a surface with the unit normal n.
// If it skips all, it appends one point: the point of the light that is highest above the surface. [Cap.Cosine]
// must be positive for n. If the cap [Cap.IsInside], the directions are valid, but the points have no Reach.
//
// Points uses dirs as scratch memory.
func (c *Cap) Points(n geom.Vec3, set sampler.Set, count int, dirs *sampler.Directions, points []Point) []Point {
	frame := sampler.Frame(c.Axis)
	set.Cap(count, &frame, float64(c.Sin*c.Sin)/(1+c.Cos), dirs)
	before := len(points)
	points = slices.Grow(points, count)[:before+count]
	next := before
	for k := range count {
		dir := dirs.At(k)
		if w := shade.Cosine(n, dir); w > 0 {
			// A Point in one piece would be copied from the stack, which takes longer.
			p := &points[next]
			p.Dir, p.Reach, p.Weight = dir, c.reach(dirs.Heights[k]), w
			next++
		}
	}
	if next == before {
		return append(points[:before], c.highest(n))
	}
	return points[:next]
}

// Reach returns the distance up to which solids hide the light in a direction of the cap, of unit length.
func (c *Cap) Reach(dir geom.Vec3) float64 { return c.reach(min(1, c.Axis.Dot(dir))) }

// The method reach returns the distance up to which solids hide the light in a direction of the cap. It is
// slightly less than the distance of the ball's front: see [shade.BeforeLight]. cos is the cosine of the angle
// between the direction and the axis.
func (c *Cap) reach(cos float64) float64 {
	if math.IsInf(c.Distance, 1) {
		return c.Distance
	}
	// The direction meets the ball at D cos -+ sqrt(R^2 - D^2 sin^2), where D is the distance to its center and R its
	// radius. The product of the two distances is D^2 - R^2, which is D^2 times the square of the cap's cosine. So the
	// smaller one is:
	sin2 := float64((1 - cos) * (1 + cos))
	half := math.Sqrt(max(0, float64(c.Sin*c.Sin)-sin2))
	return shade.BeforeLight(float64(c.Distance*float64(c.Cos*c.Cos)) / (cos + half))
}

// highest returns the point of the light in the direction of the cap that is highest above a surface that cuts the cap.
func (c *Cap) highest(n geom.Vec3) Point {
	up, ok := geom.Direction(n.AddScaled(-shade.Cosine(n, c.Axis), c.Axis))
	dir := c.Axis
	if ok {
		dir = c.Axis.Scale(c.Cos).AddScaled(c.Sin, up).Unit()
	}
	return Point{dir, c.reach(c.Cos), 1}
}

// Between returns bounds of the distances of the light. Every point that [Cap.Points] returns has a Reach of at least
// near, and lies before the plane that crosses the axis at right angles at the distance far. Both are infinite for a
// directional light.
func (c *Cap) Between() (near, far float64) {
	const rounding = 0x1p-40 // more than the relative error of a Reach
	return shade.BeforeLight(c.reach(1)), float64(float64(c.Distance*float64(c.Cos*c.Cos)) * (1 + rounding))
}
