//go:build !amd64 && !wasm

package accel

// Stubs for machines without kernels: each reports that it did nothing, and the portable code runs.

var haveKernels = false

func meetSphere(*rays, *window, *sphereFrom) verdict          { return undecided }
func meetCapsule(*rays, *window, *capsuleFrom) verdict        { return undecided }
func meetBox(*rays, *window, *boxFrom) verdict                { return undecided }
func meetCylinder(*rays, *window, *cylinderFrom) verdict      { return undecided }
func meetSphereParallel(*rays, *window, *sphere) verdict      { return undecided }
func meetCapsuleParallel(*rays, *window, *capsule) verdict    { return undecided }
func meetBoxParallel(*rays, *window, *box) verdict            { return undecided }
func meetCylinderParallel(*rays, *window, *cylinder) verdict  { return undecided }
func sphereNormals(*rays, *sphereFrom, int, int) bool         { return false }
func capsuleNormals(*rays, *capsuleFrom, int, int) bool       { return false }
func boxNormals(*rays, *boxFrom, int, int) bool               { return false }
func cylinderNormals(*rays, *cylinderFrom, int, int) bool     { return false }
func sphereNormalsParallel(*rays, *sphere, int, int) bool     { return false }
func capsuleNormalsParallel(*rays, *capsule, int, int) bool   { return false }
func boxNormalsParallel(*rays, *box, int, int) bool           { return false }
func cylinderNormalsParallel(*rays, *cylinder, int, int) bool { return false }
func makeRow(*rays, *raster, int, bool) bool                  { return false }
func enterFrustum(*frustum, *node, *[fanout]float64) bool     { return false }
func traverse(*singleTraversal) bool                          { return false }
func traverseAll(*stream, int, int) (int, bool)               { return 0, false }
func occludeSphere(*shadowRays, *sphere, int) verdict         { return undecided }
func occludeCapsule(*shadowRays, *capsule, int) verdict       { return undecided }
func occludeBox(*shadowRays, *box, int) verdict               { return undecided }
func occludeCylinder(*shadowRays, *cylinder, int) verdict     { return undecided }
