package main

import (
	"fmt"
	"slices"
)

// pcB is the index of the parameter of a function that holds the number of the next basic block.
const pcB = 0

// function is the state of straightening one function.
type function struct {
	code []instruction
	open []int // indices of the instructions that opened the enclosing blocks, outermost first

	// table holds the targets of the jump table at the head of the function. It is empty before the jump table is
	// reached, and in functions without one. around holds the blocks around the jump table, outermost first. A target
	// is the index of such a block, counted from the innermost.
	table  []uint64
	around []int
	loop   int // the nesting depth of the loop around the table
}

// jumps counts the jumps that Go's compiler generates by branching back to the loop around a function's jump table.
type jumps struct{ all, straightened int }

func (j *jumps) add(k jumps) { j.all, j.straightened = j.all+k.all, j.straightened+k.straightened }

// straightenFunction straightens the jumps of a function, given its locals and code. If the code has an unknown
// instruction, the error contains its offset in the body.
func straightenFunction(body []byte) (out []byte, found jumps, err error) {
	r := reader{body}
	r.locals()
	out = slices.Clone(body[:len(body)-len(r.rest)])
	var f function
	if f.code, err = r.instructions(body); err != nil {
		return nil, found, err
	}
	for k := 0; k < len(f.code); k++ {
		f.step(k)
		if f.goesBack(k) {
			found.all++
		}
		if depth, ok := f.forward(k); ok {
			out = appendUnsigned(append(out, opBr), depth)
			found.add(jumps{1, 1})
			k += 2
			continue
		}
		out = append(out, f.code[k].bytes...)
	}
	return out, found, nil
}

// instructions parses the rest of a function's body.
func (r *reader) instructions(body []byte) (code []instruction, err error) {
	start := 0
	defer func() {
		switch p := recover().(type) {
		case nil:
		case unknownOp:
			err = fmt.Errorf("byte %d: unknown instruction %#x", start, uint64(p))
		default:
			err = fmt.Errorf("byte %d: %w", start, errFormat)
		}
	}()
	for len(r.rest) > 0 {
		start = len(body) - len(r.rest)
		code = append(code, r.instruction())
	}
	return code, nil
}

// goesBack reports whether instruction k is a branch to the loop around the jump table.
func (f *function) goesBack(k int) bool {
	return f.table != nil && f.loop >= 0 && f.is(k, opBr, int64(len(f.open)-1-f.loop))
}

// step updates the enclosing blocks and the jump table for instruction k.
func (f *function) step(k int) {
	switch f.code[k].op {
	case opBlock, opLoop, opIf:
		f.open = append(f.open, k)
	case opEnd:
		f.open = f.open[:max(0, len(f.open)-1)] // the last opEnd ends the function
	case opBrTable:
		if f.table == nil && f.is(k-1, opLocalGet, pcB) {
			f.table, f.around = f.code[k].labels, slices.Clone(f.open)
			f.loop = slices.IndexFunc(f.open, func(k int) bool { return f.code[k].op == opLoop })
		}
	}
}

// forward reports whether a jump to a later basic block begins at instruction k. The result depth is the operand of the
// wasm branch that replaces the jump: one less than the number of enclosing blocks that the jump leaves.
func (f *function) forward(k int) (depth uint64, ok bool) {
	if f.table == nil || f.loop < 0 || f.code[k].op != opI32Const || k+2 >= len(f.code) || !f.is(k+1, opLocalSet, pcB) {
		return 0, false
	}
	innermost := len(f.open) - 1
	if !f.is(k+2, opBr, int64(innermost-f.loop)) {
		return 0, false
	}
	target := len(f.around) - 1 - int(f.table[f.code[k].operand])
	if target >= len(f.open) || f.open[target] != f.around[target] {
		return 0, false // the target's block has ended, so the target is not ahead
	}
	return uint64(innermost - target), true
}

func (f *function) is(k int, op byte, operand int64) bool {
	return k >= 0 && f.code[k].op == op && f.code[k].operand == operand
}
