package accel

//go:generate go run -C ../tools/kernelgen . -out ../../accel/kernels_amd64.s -wasm ../../accel/kernels.wasm -layout ../../accel/layout_test.go

// The kernels process many rays at once with the operations of the portable code for one ray, so the
// results have the same bits. Package kernelgen generates them: assembly for amd64, and for wasm a
// module from which internal/tools/straighten takes them. If a kernel cannot handle a case, or the machine
// has no kernels, the call reports this and the caller runs the portable code.

// lanes is the number of rays in a group. Kernels process whole groups: one vector on amd64, two in wasm.
const lanes = 4

// laneGroups returns the number of groups for n rays. A group has up to lanes rays.
func laneGroups(n int) uint64 { return uint64(n+lanes-1) / lanes }

// verdict is the result of a kernel that tests rays against a solid. The lower half is nonzero if a ray hits
// the solid or, for shadow rays, if a ray is still not blocked. The upper half is nonzero if the portable
// code must test the rays again: on a machine without kernels, at a tie of two hits, or in a case that the
// kernel does not handle.
type verdict uint64

const undecided verdict = 1 << 32

func (o verdict) met() bool       { return uint32(o) != 0 }
func (o verdict) undecided() bool { return o >= undecided }
