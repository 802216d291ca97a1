// Command kernelgen generates the SIMD kernels of package accel: kernels_amd64.s, and kernels.wasm,
// which internal/tools/straighten inserts into a program. With -sampler or -arealight it generates those of package sampler or
// arealight.
// It is a module of its own, so that building the renderer does not require its assembler.
//
// On amd64 the kernels need AVX2, which has four lanes, and BMI2; vectors of wasm have two lanes. (For solids, eight lanes of
// AVX-512 were tried and were not faster. Only maskWideKernel needs AVX-512, for sixteen lanes in single precision.) Each lane
// performs the operations of the portable code in the same order. These are additions, multiplications, divisions and square
// roots, whose results are rounded alike on every machine. There are no fused operations and no estimates. Only the sign of a
// zero may differ, and no result depends on that.
//
// The offsets are computed from the types of package accel: see layout.go.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	forWasm := flag.String("wasm", "", "write the kernels for wasm to `file`")
	test := flag.String("layout", "", "write a test of the layout to `file`")
	ofSampler := flag.Bool("sampler", false, "write the kernels of package sampler instead of those of package accel")
	ofAreaLight := flag.Bool("arealight", false, "write the kernels of package arealight instead of those of package accel")
	flag.Parse()
	if *test != "" {
		if err := of.writeTest(*test); err != nil {
			log.Fatal(err)
		}
	}
	if *forWasm != "" {
		if err := writeWasm(*forWasm); err != nil {
			log.Fatal(err)
		}
	}
	target = avx2{}
	ConstraintExpr("amd64")
	if *ofSampler || *ofAreaLight {
		if *ofSampler {
			samplerKernels()
		} else {
			areaLightKernels()
		}
		Generate()
		return
	}
	rayVectors("directions", unit)
	rayVectors("origins", nil)
	updateDepths()
	coarsen()
	solid("sphere", nil, sphereChord)
	solid("capsule", nil, capsuleChord)
	solid("box", nil, boxChord)
	solid("cylinder", nil, cylinderChord)
	solid("sphereParallel", sphereFrom, sphereChord)
	solid("capsuleParallel", capsuleFrom, capsuleChord)
	solid("boxParallel", boxFrom, boxChord)
	solid("cylinderParallel", cylinderFrom, cylinderChord)
	shadow("sphere", sphereFrom, sphereChord)
	shadow("capsule", capsuleFrom, capsuleChord)
	shadow("box", boxFrom, boxChord)
	shadow("cylinder", cylinderFrom, cylinderChord)
	normals("sphere", nil, sphereNormal)
	normals("capsule", nil, capsuleNormal)
	normals("box", nil, boxNormal)
	normals("cylinder", nil, cylinderNormal)
	normals("sphereParallel", sphereFrom, sphereNormal)
	normals("capsuleParallel", axisFrom, capsuleNormal)
	normals("boxParallel", boxFrom, boxNormal)
	normals("cylinderParallel", cylinderFrom, cylinderNormal)
	project("sphere", sphereSpans)
	project("capsule", capsuleSpans)
	project("box", boxSpans)
	project("cylinder", cylinderSpans)
	frustum()
	screen()
	traverse()
	slabRay()
	originBounds()
	balls()
	cone()
	skyInverse()
	skyTraverse()
	skySpheres()
	rayMasks()
	narrowMasks()
	centroids()
	bins()
	partition()
	sweep()
	prefetchChildren()
	Generate()
}
