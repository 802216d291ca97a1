package shapes

import (
	"fmt"

	"pillbox/geom"
)

func checkPoint(key string, p geom.Vec3) error {
	if !geom.IsCoordinate(p) {
		return fmt.Errorf("%s: coordinates must be finite and at most %g in magnitude, got %v", key, geom.MaxCoordinate, p)
	}
	return nil
}

func checkSize(key string, x float64) error {
	if geom.IsSize(x) {
		return nil
	}
	if x > 0 && x-x == 0 {
		return fmt.Errorf("%s: must lie between %g and %g, got %v", key, geom.MinSize, geom.MaxSize, x)
	}
	return fmt.Errorf("%s: must be positive and finite, got %v", key, x)
}
