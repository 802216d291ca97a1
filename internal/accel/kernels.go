package accel

//go:generate go run -C kernelgen . -out ../kernels_amd64.s -wasm ../kernels.wasm -layout ../layout_test.go

// The kernels process many rays at once with the operations of the portable code for one ray, so the
// results have the same bits. Package kernelgen generates them: assembly for amd64, and for wasm a module
// from which web/wasm/straighten takes them. A kernel that cannot handle a case, or a machine without
// kernels, reports so; the caller then runs the portable code, which follows the call.

// lanes is the number of rays that a kernel processes at once.
const lanes = 4

// laneGroups returns how many groups of lanes there are in n rays.
func laneGroups(n int) uint64 { return uint64(n+lanes-1) / lanes }

// verdict is the result of a kernel that tests rays against a solid. The lower half is not zero if a ray met
// the solid. The upper half is not zero if the portable code has to look again: at all rays on
// a machine without kernels, at a tie, or at rays that the kernel has no case for.
type verdict uint64

const undecided verdict = 1 << 32

func (o verdict) met() bool       { return uint32(o) != 0 }
func (o verdict) undecided() bool { return o >= undecided }
