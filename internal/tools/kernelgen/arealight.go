package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pillbox/shade"
)

// areaLightKernels writes the kernel of package arealight. It computes the reach and the weight of points of a light, as
// the function measurePoints does, for four points at a time. It returns 1 if all weights are positive,
// otherwise 0.
func areaLightKernels() {
	TEXT("pointsKernel", NOSPLIT, "func(normal *byte, widest, product float64, x, y, z, heights, reach, weight *byte, groups uint64) uint64")
	at := map[string]reg.GPVirtual{}
	for _, name := range []string{"normal", "x", "y", "z", "heights", "reach", "weight", "groups"} {
		at[name] = Load(Param(name), GP64()).(reg.GPVirtual)
	}
	offset := GP64()
	XORQ(offset, offset)
	lane := func(name string) Mem { return Mem{Base: at[name], Index: offset, Scale: 1} }
	none, one, below := zero(), constant(1), zero() // below: the lanes of points that are not above the horizon

	Label("group")
	cos := load(lane("heights"))
	sin2 := mul(sub(one, cos), add(one, cos))
	half := sqrt(larger(none, sub(all(param("widest")), sin2)))
	reach := mul(div(all(param("product")), add(cos, half)), constant(shade.BeforeLight(1)))
	VMOVUPD(reach, lane("reach"))
	weight := dot(vector(at["normal"], 0), [3]vec{load(lane("x")), load(lane("y")), load(lane("z"))})
	VMOVUPD(weight, lane("weight"))
	VORPD(compare(notGreater, weight, none), below, below)
	ADDQ(U8(8*lanes), offset)
	DECQ(at["groups"])
	JNZ(LabelRef("group"))

	result := GP64()
	XORQ(result, result)
	test(below)
	SETEQ(result.As8())
	Store(result, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
