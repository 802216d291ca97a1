//go:build !amd64

package accel

var haveKernels = false

func meetBall(*rays, *window, *ballFrom) verdict              { return undecided }
func meetPill(*rays, *window, *pillFrom) verdict              { return undecided }
func meetBlock(*rays, *window, *blockFrom) verdict            { return undecided }
func meetBallParallel(*rays, *window, *ball) verdict          { return undecided }
func meetPillParallel(*rays, *window, *pill) verdict          { return undecided }
func meetBlockParallel(*rays, *window, *block) verdict        { return undecided }
func ballNormals(*rays, *ballFrom, int, int) bool             { return false }
func pillNormals(*rays, *pillFrom, int, int) bool             { return false }
func blockNormals(*rays, *blockFrom, int, int) bool           { return false }
func ballNormalsParallel(*rays, *ball, int, int) bool         { return false }
func pillNormalsParallel(*rays, *pill, int, int) bool         { return false }
func blockNormalsParallel(*rays, *block, int, int) bool       { return false }
func makeRow(*rays, *raster, int, bool) bool                  { return false }
func farthestRay(*rays, int) (float64, bool)                  { return 0, false }
func enterHull(*hull, *node, *[fanout]float64) bool           { return false }
func enterSlabs(*slabs, *node, *[fanout]float64) bool         { return false }
func shadeBall(*lines, *ball, int) verdict                    { return undecided }
func shadePill(*lines, *pill, int) verdict                    { return undecided }
func shadeBlock(*lines, *block, int) verdict                  { return undecided }
func projectBall(*lens, *ball, *projection) (seen, ok bool)   { return false, false }
func projectPill(*lens, *pill, *projection) (seen, ok bool)   { return false, false }
func projectBlock(*lens, *block, *projection) (seen, ok bool) { return false, false }

func prefetchNode(*node)   {}
func prefetchBall(*ball)   {}
func prefetchPill(*pill)   {}
func prefetchBlock(*block) {}
