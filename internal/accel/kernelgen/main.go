// Command kernelgen writes the vector kernels of package accel: kernels_amd64.s, and kernels.wasm, which
// web/wasm/straighten puts into a program. It lives in a module of its own, so that nobody who only builds
// the renderer downloads an assembler.
//
// On amd64 they need AVX2, which has four lanes; wasm has two. (Eight lanes of AVX-512 were tried and were not
// faster.) A lane does the operations of the portable code in the same order, each rounded on its own:
// additions, multiplications, divisions and square roots, which are exact everywhere, and no
// fused operation and no estimate. Only the sign of a zero may differ, and nothing depends on that.
//
// The offsets below are those of the Go types in package accel.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

// Layout of accel's rays, in bytes.
const (
	side      = 32 // columns and rows
	rowBytes  = side * 8
	blockSide = 4
	blocks    = side / blockSide
	planeSize = side * rowBytes

	offT       = 0 * planeSize
	offWay     = 1 * planeSize // directions of rays from the eye, origins of parallel rays
	offN       = 4 * planeSize // the normals' components
	offMet     = 7*planeSize + 8*lanes
	offDir     = offMet + planeSize
	offScratch = offDir + 24
)

// Layout of accel's window.
const (
	winOffset  = 0  // of the first ray
	winRows    = 8  // how many
	winColumns = 16 // a bit for each column from the first
	winTMin    = 24
	winNear    = 32 // what to store where the near crossing is met
	winFar     = 40
)

// Layout of accel's solids prepared for one origin: sphereFrom, capsuleFrom and boxFrom.
const (
	sphereFromF  = 0
	sphereFromR2 = 32

	capsuleFromA      = 0
	capsuleFromB      = 40
	capsuleFromAxis   = 80
	capsuleFromU      = 104
	capsuleFromLength = 128
	capsuleFromY      = 136
	capsuleFromF2     = 144

	boxFromAxes  = 0
	boxFromLower = 72
	boxFromUpper = 96
)

// Layout of accel's prepared solids: sphere, capsule and box.
const (
	sphereCenter = 0
	sphereRadius = 24

	capsuleA      = 0
	capsuleB      = 24
	capsuleRadius = 48
	capsuleU      = 56
	capsuleLength = 80

	boxCenter = 0
	boxHalf   = 24
	boxAxes   = 48
)

// Layout of accel's shadowRays.
const (
	shadowSize = (side*side + lanes) * 8

	shadowOrigin  = 0 * shadowSize
	shadowDir     = 3 * shadowSize
	shadowDist    = 6 * shadowSize
	shadowOpen    = 7 * shadowSize
	shadowScratch = 8 * shadowSize
)

// Layout of accel's raster.
const (
	gridColumns = 0
	gridLeft    = side * 8
	gridDX      = gridLeft + 24
)

// Layout of accel's frustum and node.
const (
	frustumMin    = 0
	frustumMax    = 24
	frustumAhead  = 48
	frustumCount  = 104
	frustumPlanes = 112

	planeUp    = 0
	planeDown  = 24
	planeK     = 48
	planeBytes = 56

	nodeLower    = 0
	nodeUpper    = 96
	nodeChildren = 192
	nodeBytes    = 256
)

func main() {
	forWasm := flag.String("wasm", "", "write the kernels for wasm to `file`")
	flag.Parse()
	if *forWasm != "" {
		if err := writeWasm(*forWasm); err != nil {
			log.Fatal(err)
		}
	}
	target = avx2{}
	ConstraintExpr("amd64")
	ways("directions", unit)
	ways("origins", nil)
	look()
	coarsen()
	solid("sphere", nil, sphereChord)
	solid("capsule", nil, capsuleChord)
	solid("box", nil, boxChord)
	solid("sphereParallel", sphereFrom, sphereChord)
	solid("capsuleParallel", capsuleFrom, capsuleChord)
	solid("boxParallel", boxFrom, boxChord)
	shadow("sphere", sphereFrom, sphereChord)
	shadow("capsule", capsuleFrom, capsuleChord)
	shadow("box", boxFrom, boxChord)
	normals("sphere", nil, sphereNormal)
	normals("capsule", nil, capsuleNormal)
	normals("box", nil, boxNormal)
	normals("sphereParallel", sphereFrom, sphereNormal)
	normals("capsuleParallel", axisFrom, capsuleNormal)
	normals("boxParallel", boxFrom, boxNormal)
	project("sphere", sphereSpans)
	project("capsule", capsuleSpans)
	project("box", boxSpans)
	frustum()
	screen()
	descend()
	slabs()
	starts()
	centroids()
	bins()
	partition()
	sweep()
	prefetchChildren()
	Generate()
}
