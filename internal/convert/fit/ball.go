package fit

import (
	"math"

	"pillbox/geom"
)

// ball is a ball, or a disc in the plane if all points have the same z.
type ball struct {
	center geom.Vec3
	radius float64
}

// contains reports whether a point lies in the ball, except for rounding.
func (b ball) contains(p geom.Vec3) bool {
	return p.Sub(b.center).Norm() <= float64(b.radius*(1+1e-12))
}

// smallestBall returns the smallest ball around one or more points. It uses Welzl's algorithm with his heuristic of
// moving points to the front. In practice, the time is proportional to the number of points.
func smallestBall(points []geom.Vec3) ball {
	points = append([]geom.Vec3(nil), points...)
	shuffle(points)
	return welzl(points, nil)
}

// shuffle permutes points by a fixed sequence of pseudorandom numbers.
func shuffle(points []geom.Vec3) {
	state := uint64(0x9e3779b97f4a7c15)
	for i := len(points) - 1; i > 0; i-- {
		state = state*6364136223846793005 + 1442695040888963407
		j := int((state >> 33) % uint64(i+1))
		points[i], points[j] = points[j], points[i]
	}
}

// welzl returns the smallest ball that contains points and has all points of boundary on its surface.
func welzl(points, boundary []geom.Vec3) ball {
	b := through(boundary)
	if len(boundary) == 4 {
		return b
	}
	for i := 0; i < len(points); i++ {
		if p := points[i]; !b.contains(p) {
			b = welzl(points[:i], append(boundary[:len(boundary):len(boundary)], p))
			copy(points[1:i+1], points[:i])
			points[0] = p
		}
	}
	return b
}

// through returns the smallest ball with all points, at most four, on its surface. Its center is the point equally far
// from all, in the plane (or line, or space) through them. Without points, the ball is empty. If the equations have no
// unique solution up to rounding, as for three points on a line or two equal points, through ignores the last point.
func through(points []geom.Vec3) ball {
	if len(points) == 0 {
		return ball{radius: -1}
	}
	origin := points[0]
	var edges [3]geom.Vec3
	n := len(points) - 1
	for i := range n {
		edges[i] = points[i+1].Sub(origin)
	}
	var matrix [3][4]float64 // edges[i] . sum of x[j] edges[j] = |edges[i]|^2 / 2
	for i := range n {
		for j := range n {
			matrix[i][j] = edges[i].Dot(edges[j])
		}
		matrix[i][3] = edges[i].Norm2() / 2
	}
	x, ok := solve(&matrix, n)
	if !ok {
		return through(points[:n])
	}
	var offset geom.Vec3
	for i := range n {
		offset = offset.AddScaled(x[i], edges[i])
	}
	return ball{origin.Add(offset), offset.Norm()}
}

// solve solves n linear equations by Gaussian elimination with pivots. It returns false if the
// equations are singular up to rounding.
func solve(m *[3][4]float64, n int) (x [3]float64, ok bool) {
	for i := range n {
		pivot := i
		for j := i + 1; j < n; j++ {
			if math.Abs(m[j][i]) > math.Abs(m[pivot][i]) {
				pivot = j
			}
		}
		m[i], m[pivot] = m[pivot], m[i]
		var most float64
		for j := range n {
			most = max(most, math.Abs(m[i][j]))
		}
		if !(math.Abs(m[i][i]) > 1e-13*most) {
			return x, false
		}
		for j := i + 1; j < n; j++ {
			f := m[j][i] / m[i][i]
			for k := i; k < 4; k++ {
				m[j][k] -= float64(f * m[i][k])
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		sum := m[i][3]
		for j := i + 1; j < n; j++ {
			sum -= float64(m[i][j] * x[j])
		}
		x[i] = sum / m[i][i]
	}
	return x, true
}
