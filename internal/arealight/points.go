package arealight

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/sampler"
	"pillbox/shade"
)

// Point is a point of a light, seen from a surface.
type Point struct {
	Dir    geom.Vec3 // unit direction from the surface toward the point
	Reach  float64   // solids at a smaller distance hide the point; infinite for a directional light
	Weight float64   // positive: the cosine of the angle between Dir and the surface's normal; 1 if there is only one point
}

// Points are points of a light, seen from a surface. Dirs, Reach and Weight contain the fields of each [Point]. The zero
// value is empty.
type Points struct {
	Dirs          sampler.Directions // the field Sectors is not set
	Reach, Weight []float64
}

// Len returns the number of points.
func (p *Points) Len() int { return len(p.Weight) }

// At returns point k.
func (p *Points) At(k int) Point { return Point{p.Dirs.At(k), p.Reach[k], p.Weight[k]} }

// kernelPoints is the number of points that kernels measure at a time.
const kernelPoints = 4

// resize sets the number of points. The slices keep their values if they are long enough. They have a capacity of at
// least n, rounded up to a multiple of kernelPoints.
func (p *Points) resize(n int) {
	if p.Len() == n {
		return
	}
	if room := (n + kernelPoints - 1) &^ (kernelPoints - 1); cap(p.Weight) < room {
		p.Reach, p.Weight = make([]float64, room), make([]float64, room)
	}
	p.Reach, p.Weight = p.Reach[:n], p.Weight[:n]
}

// The method set stores point k.
func (p *Points) set(k int, dir geom.Vec3, reach, weight float64) {
	p.Dirs.Set(k, dir)
	p.Reach[k], p.Weight[k] = reach, weight
}

// truncate keeps the first n points.
func (p *Points) truncate(n int) {
	p.Dirs.Truncate(n)
	p.resize(n)
}

// Points chooses up to count points of the light, seen from a surface with the unit normal n, and stores them in points.
// Each of the first count elements of the set selects a point of the light. Points that are below the surface's horizon
// are skipped. If all are skipped, one point is stored: the point of the light that is highest above the surface. The
// count must be positive, and n must be a normal for which [Cap.Cosine] is positive. If [Cap.IsInside] returns true, the
// field Reach of the points is meaningless.
func (c *Cap) Points(n geom.Vec3, set sampler.Set, count int, points *Points) {
	frame := geom.Mat3{Z: c.Axis}
	frame.X, frame.Y = sampler.Across(c.Axis)
	set.Cap(count, &frame, float64(c.Sin*c.Sin)/(1+c.Cos), &points.Dirs)
	points.resize(count)
	widest, product := c.crossing()
	above, ok := measure(n, widest, product, points)
	if !ok {
		above = measurePoints(n, widest, product, points)
	}
	if !above {
		c.clip(n, points)
	}
}

// measurePoints sets the reach and the weight of each point to the result of the function reach and to the cosine of the
// angle to n, although this may not be positive. It reports whether all weights are positive. The other parameters are
// those of reach.
func measurePoints(n geom.Vec3, widest, product float64, p *Points) (above bool) {
	above = true
	for k, cos := range p.Dirs.Heights {
		p.Reach[k] = reach(widest, product, cos)
		p.Weight[k] = shade.Cosine(n, p.Dirs.At(k))
		above = above && p.Weight[k] > 0
	}
	return above
}

// clip keeps only the points with a positive weight. If no point has one, it keeps the highest point.
func (c *Cap) clip(n geom.Vec3, p *Points) {
	above := 0
	for k, w := range p.Weight {
		if w > 0 {
			p.set(above, p.Dirs.At(k), p.Reach[k], w)
			above++
		}
	}
	if above == 0 {
		highest := c.highest(n)
		p.set(0, highest.Dir, highest.Reach, highest.Weight)
		above = 1
	}
	p.truncate(above)
}

// Reach returns the distance up to which solids hide the light in the direction dir. This must be a unit vector in the
// cap.
func (c *Cap) Reach(dir geom.Vec3) float64 {
	widest, product := c.crossing()
	return reach(widest, product, min(1, c.Axis.Dot(dir)))
}

// crossing returns the numbers from which the function reach computes where directions of the cap meet the light.
//
// A direction meets the ball at D cos -+ sqrt(R^2 - D^2 sin^2), where D is the distance to its center and R its radius.
// The product of the two distances is D^2 - R^2, which is D^2 times the square of the cap's cosine. So the smaller one is
// D cos^2 of the cap, here called product, divided by cos + sqrt(widest - sin^2).
func (c *Cap) crossing() (widest, product float64) {
	if math.IsInf(c.Distance, 1) {
		return 2, c.Distance // cos + sqrt(2 - sin^2) is positive, so the quotient is infinite, too
	}
	return float64(c.Sin * c.Sin), float64(c.Distance * float64(c.Cos*c.Cos))
}

// reach returns the distance up to which solids hide the light in a direction of a cap with the given results of
// [Cap.crossing]. This is slightly less than the distance to the front of the ball of light: see [shade.BeforeLight]. The
// direction is given by the cosine of its angle to the axis.
func reach(widest, product, cos float64) float64 {
	half := math.Sqrt(max(0, widest-float64((1-cos)*(1+cos))))
	return shade.BeforeLight(product / (cos + half))
}

// highest returns the point of the light that is highest above a surface with the unit normal n. The surface's horizon
// must cut the cap.
func (c *Cap) highest(n geom.Vec3) Point {
	// If n is almost parallel to the axis, the first difference is inaccurate: a part along the axis remains. The second
	// difference removes it.
	up := n.AddScaled(-shade.Cosine(n, c.Axis), c.Axis)
	up = up.AddScaled(-up.Dot(c.Axis), c.Axis)
	dir := c.Axis
	if up, ok := geom.Direction(up); ok {
		dir = c.Axis.Scale(c.Cos).AddScaled(c.Sin, up).Unit()
	}
	widest, product := c.crossing()
	return Point{dir, reach(widest, product, c.Cos), 1}
}

// Between returns a lower and an upper bound for the distance of the light. Every point that [Cap.Points] stores has a
// Reach of at least near. Every such point is less than far away along the axis: it lies before the plane perpendicular
// to the axis at the distance far, apart from the rounding errors of its direction. Both bounds are infinite for a
// directional light.
func (c *Cap) Between() (near, far float64) {
	const rounding = 0x1p-40 // more than the relative error of a Reach
	_, product := c.crossing()
	least := shade.BeforeLight(product / (1 + c.Sin)) // the reach along the axis
	return shade.BeforeLight(least), float64(product * (1 + rounding))
}
