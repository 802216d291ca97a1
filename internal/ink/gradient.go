package ink

import "math"

// strips is the largest number of strips of one color in a gradient.
const strips = 128

// Gradient returns strips that fill a rectangle with the colors from color(0) at one end of its axis to color(1) at the other.
// The axis must be parallel to an edge of the picture.
func Gradient(from, to Point, width float64, color func(x float64) Color) []Mark {
	axis := to.Sub(from)
	length, along := axis.Norm(), axis.Unit(Point{X: 1})
	n := min(strips, max(1, int(length)))
	edge := func(i int) Point {
		return from.Add(along.Scale(math.Floor(float64(length*float64(i))/float64(n) + 0.5)))
	}
	side := along.Right().Scale(width / 2)
	var all []Mark
	for i := range n {
		near, far := edge(i), edge(min(i+2, n)) // strips overlap, so that no gaps show between them in vector graphics
		corners := []Point{near.Add(side), near.Sub(side), far.Sub(side), far.Add(side)}
		all = append(all, &Fill{Points: corners, Color: color((float64(i) + 0.5) / float64(n))})
	}
	return all
}
