//go:build !amd64

package accel

import "pillbox/geom"

// Stubs for the kernels that exist only on amd64: each reports that it did nothing, and the portable
// code runs.

const haveSkyKernels = false

func prepareSlabs(*slabRay, *geom.Ray, float64) bool                           { return false }
func updateDepths(*rays, *depthBuffer, rect) bool                              { return false }
func coarsen(*depthBuffer) bool                                                { return false }
func enterScreen(*screen, *node, *entered, *depthBuffer) bool                  { return false }
func boundOrigins([]SecondaryRay, []int32) (geom.Bounds, bool)                 { return geom.Bounds{}, false }
func findBalls(*coneSearch, *balls) bool                                       { return false }
func searchCone(*coneSearch, *tree, *leafBalls) bool                           { return false }
func invertSky(*skyRays, int) bool                                             { return false }
func nextSky(*skyTraversal, []node) (uint32, bool)                             { return 0, false }
func blockSky(*skyRays, []sphere, child, primRef, raySet) (raySet, bool)       { return 0, false }
func maskRays(*masker, *shadowRays, int, []nestedBalls, []int32) bool          { return false }
func addCentroids(*bounds32, []item) bool                                      { return false }
func addToBins(*bins, []item) bool                                             { return false }
func partitionItems(*splitPlane, []item) (lower int, ok bool)                  { return 0, false }
func sweepBins(*bins, int) bool                                                { return false }
func projectSphere(*laneProjection, *sphere, *footprint) (seen, ok bool)       { return false, false }
func projectCapsule(*laneProjection, *capsule, *footprint) (seen, ok bool)     { return false, false }
func projectBox(*laneProjection, *box, *footprint) (seen, ok bool)             { return false, false }
func projectCylinder(*laneProjection, *cylinder, *footprint) (seen, ok bool)   { return false, false }
func narrowMasks(*narrower, *masker, *solids, *leafBalls, []int32) (int, bool) { return 0, false }

func prefetchChildren(*node, *node) {}
