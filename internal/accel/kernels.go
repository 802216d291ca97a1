package accel

//go:generate go run -C kernelgen . -out ../kernels_amd64.s -wasm ../kernels.wasm -layout ../layout_test.go

// The kernels do for many rays at once what the portable code does for one, in the same
// operations, so that it does not matter which of them ran. They come from kernelgen: assembly for amd64,
// and for wasm a module from which web/wasm/straighten takes them. Where a kernel cannot do it, on
// a machine without kernels for example, it says so, and the portable code does it.

// lanes is how many rays a kernel treats at once.
const lanes = 4

// laneGroups returns how many groups of lanes there are in n rays.
func laneGroups(n int) uint64 { return uint64(n+lanes-1) / lanes }

// verdict is what a kernel did that tests a solid. The lower half is not zero if a ray met
// the solid. The upper half is not zero if the portable code has to look again: at all rays on
// a machine without kernels, at a tie, or at rays that the kernel has no case for.
type verdict uint64

const undecided verdict = 1 << 32

func (o verdict) met() bool       { return uint32(o) != 0 }
func (o verdict) undecided() bool { return o >= undecided }
