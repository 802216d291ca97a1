//go:build !amd64

package accel

var haveKernels = false

func meetBall(*rays, *window, *ballFrom) outcome    { return undecided }
func meetPill(*rays, *window, *pillFrom) outcome    { return undecided }
func meetBlock(*rays, *window, *blockFrom) outcome  { return undecided }
func ballNormals(*rays, *ballFrom, int, int) bool   { return false }
func pillNormals(*rays, *pillFrom, int, int) bool   { return false }
func blockNormals(*rays, *blockFrom, int, int) bool { return false }
func makeDirections(*rays, *raster, int) bool       { return false }
func farthestRay(*rays, int) (float64, bool)        { return 0, false }
func enterHull(*hull, *node, *[fanout]float64) bool { return false }
