package ink

import "slices"

// Dashes returns the parts of a line that remain if it is drawn with dashes and gaps of the given lengths. The first dash
// begins at the first point. If one of the lengths is not positive, or if the line would have more than a million
// dashes, Dashes returns the whole line as one part. A line of fewer than two points has no parts.
func Dashes(points []Point, dash, gap float64) (parts [][]Point) {
	if len(points) < 2 {
		return nil
	}
	const most = 1_000_000
	whole := 0.0
	for i, p := range points[1:] {
		whole += p.Sub(points[i]).Norm()
	}
	if !(dash > 0 && gap > 0 && whole/(dash+gap) <= most) { // also for NaN
		return [][]Point{slices.Clone(points)}
	}
	left, draws := dash, true // the length of the current dash or gap that remains
	var part []Point
	for i, p := range points[:len(points)-1] {
		q := points[i+1]
		length, at := q.Sub(p).Norm(), 0.0
		if draws && part == nil {
			part = []Point{p}
		}
		for length-at >= left {
			at += left
			x := p.Between(q, at/length)
			if draws {
				parts = append(parts, append(part, x))
				part, left = nil, gap
			} else {
				part, left = []Point{x}, dash
			}
			draws = !draws
		}
		left -= length - at
		if draws {
			part = append(part, q)
		}
	}
	if len(part) > 1 {
		parts = append(parts, part)
	}
	return parts
}
