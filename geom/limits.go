package geom

// Limits of the coordinates and sizes of a scene. Within them no formula of this module over- or
// underflows: the largest intermediate is a product of four coordinates and sizes.
const (
	MaxCoordinate = 1e15  // largest magnitude of a coordinate
	MinSize       = 1e-15 // smallest size, such as a radius, a half extent or a view height
	MaxSize       = 1e15  // largest size
)

// IsCoordinate reports whether every component of v is finite and at most [MaxCoordinate]
// in magnitude.
func IsCoordinate(v Vec3) bool { return v.IsFinite() && v.MaxAbs() <= MaxCoordinate }

// IsSize reports whether x lies between [MinSize] and [MaxSize]. It is false for NaN.
func IsSize(x float64) bool { return MinSize <= x && x <= MaxSize }
