//go:build !amd64 && !wasm

package accel

import "pillbox/geom"

var haveKernels = false

func meetSphere(*rays, *window, *sphereFrom) verdict                       { return undecided }
func meetCapsule(*rays, *window, *capsuleFrom) verdict                     { return undecided }
func meetBox(*rays, *window, *boxFrom) verdict                             { return undecided }
func meetSphereParallel(*rays, *window, *sphere) verdict                   { return undecided }
func meetCapsuleParallel(*rays, *window, *capsule) verdict                 { return undecided }
func meetBoxParallel(*rays, *window, *box) verdict                         { return undecided }
func sphereNormals(*rays, *sphereFrom, int, int) bool                      { return false }
func capsuleNormals(*rays, *capsuleFrom, int, int) bool                    { return false }
func boxNormals(*rays, *boxFrom, int, int) bool                            { return false }
func sphereNormalsParallel(*rays, *sphere, int, int) bool                  { return false }
func capsuleNormalsParallel(*rays, *capsule, int, int) bool                { return false }
func boxNormalsParallel(*rays, *box, int, int) bool                        { return false }
func makeRow(*rays, *raster, int, bool) bool                               { return false }
func lookAt(*rays, *depths, rect) bool                                     { return false }
func enterFrustum(*frustum, *node, *[fanout]float64) bool                  { return false }
func coarsen(*depths) bool                                                 { return false }
func enterScreen(*screen, *node, *entered, *depths) bool                   { return false }
func descend(*walker) bool                                                 { return false }
func descendAll(*stream, int, int) (int, bool)                             { return 0, false }
func prepareSlabs(*slabs, *geom.Ray, float64) bool                         { return false }
func startsOf([]Departure, []int32) (geom.Bounds, bool)                    { return geom.Bounds{}, false }
func addCentroids(*bounds32, []item) bool                                  { return false }
func addToBins(*bins, []item) bool                                         { return false }
func partitionItems(*splitPlane, []item) (lower int, ok bool)              { return 0, false }
func sweepBins(*bins, int) bool                                            { return false }
func occludeSphere(*shadowRays, *sphere, int) verdict                      { return undecided }
func occludeCapsule(*shadowRays, *capsule, int) verdict                    { return undecided }
func occludeBox(*shadowRays, *box, int) verdict                            { return undecided }
func projectSphere(*laneProjection, *sphere, *footprint) (seen, ok bool)   { return false, false }
func projectCapsule(*laneProjection, *capsule, *footprint) (seen, ok bool) { return false, false }
func projectBox(*laneProjection, *box, *footprint) (seen, ok bool)         { return false, false }

func prefetchNode(*node)       {}
func prefetchSphere(*sphere)   {}
func prefetchCapsule(*capsule) {}
func prefetchBox(*box)         {}
