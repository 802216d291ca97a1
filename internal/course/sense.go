package course

import (
	"fmt"
	"math"

	"pillbox/geom"
)

// sense describes how the three numbers of a wrong answer follow from the right ones: scaled, offset, mirrored, turned
// or exchanged. It returns "" if none of these applies. names are the names of the three numbers.
func sense(want, got geom.Vec3, names [3]string) string {
	w, g := [3]float64{want.X, want.Y, want.Z}, [3]float64{got.X, got.Y, got.Z}
	size := max(want.MaxAbs(), got.MaxAbs())
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*size }
	if !(size > 0) || math.IsInf(size, 0) {
		return ""
	}
	if f := got.Dot(want) / want.Norm2(); same(g[0], f*w[0]) && same(g[1], f*w[1]) && same(g[2], f*w[2]) {
		return scaled(f)
	}
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		switch {
		case same(g[k], -w[k]) && same(g[i], w[i]) && same(g[j], w[j]):
			return fmt.Sprintf("mirrored: %s has the wrong sign", names[k])
		case same(g[k], w[k]) && same(g[i], -w[i]) && same(g[j], -w[j]):
			return fmt.Sprintf("turned by half a turn: %s and %s have the wrong signs", names[min(i, j)], names[max(i, j)])
		case same(g[k], w[k]) && same(g[i], w[j]) && same(g[j], w[i]):
			return fmt.Sprintf("the right one with %s and %s exchanged", names[min(i, j)], names[max(i, j)])
		}
	}
	if d := g[0] - w[0]; same(g[1]-w[1], d) && same(g[2]-w[2], d) {
		return fmt.Sprintf("offset: each number is %+.4g off", d)
	}
	return ""
}

// scaled returns the words for a wrong vector that is f times the right one.
func scaled(f float64) string {
	switch {
	case math.Abs(f+1) < 1e-9:
		return "reversed"
	case f == 0:
		return "zero"
	}
	return fmt.Sprintf("scaled: %.4g times the right one", f)
}

// offBy returns a phrase about a wrong value: how far the value is off and, unless sense is empty, how it differs,
// in the words of the function sense.
func offBy(far, sense string) string {
	if sense == "" {
		return "is off by " + far
	}
	return "is off by " + far + "; it is " + sense
}

// directionWords describes the error in a direction. It first compares the two directions in the coordinate system
// axes, for example that of a camera, whose coordinates have the given names. If this comparison explains nothing, it
// compares them in x, y and z.
func directionWords(want, got geom.Vec3, axes geom.Mat3, names [3]string) string {
	if length := got.Norm(); math.Abs(length-1) > 1e-6 {
		return normalWords(got, geom.Vec3{})
	}
	angle := math.Atan2(want.Cross(got).Norm(), want.Dot(got)) * 180 / math.Pi
	how := sense(axes.TransposeMulVec(want), axes.TransposeMulVec(got), names)
	if how == "" {
		how = sense(want, got, [3]string{"x", "y", "z"})
	}
	return offBy(fmt.Sprintf("%.3g degrees", angle), how)
}

// colorWords describes the error in a color.
func colorWords(want, got geom.Vec3) string {
	return offBy(fmt.Sprintf("%.3g", got.Sub(want).MaxAbs()), sense(want, got, [3]string{"red", "green", "blue"}))
}
