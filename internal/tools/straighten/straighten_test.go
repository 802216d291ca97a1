package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// jump returns a jump to block, as Go's compiler generates it. depth is the number of blocks between the jump and
// the loop.
func jump(block, depth byte) []byte { return []byte{opI32Const, block, opLocalSet, pcB, opBr, depth} }

// body returns the code of a function with three blocks. The middle block contains the instructions in middle.
func body(middle ...[]byte) []byte {
	code := []byte{0, opLoop, 0x40, opBlock, 0x40, opBlock, 0x40, opBlock, 0x40, opLocalGet, pcB, opBrTable, 2, 0, 1, 2, opEnd}
	code = append(append(code, opEnd), slices.Concat(middle...)...)
	return append(code, opEnd, opEnd, opI32Const, 0, opEnd)
}

func TestStraightenFunction(t *testing.T) {
	branch := []byte{opLocalGet, 1, opIf, 0x40}
	end := []byte{opEnd}
	for _, test := range []struct {
		name       string
		body, want []byte
	}{
		{"ahead", body(jump(2, 1)), body([]byte{opBr, 0})},
		{"ahead in a branch", body(branch, jump(2, 2), end), body(branch, []byte{opBr, 1}, end)},
		{"behind", body(jump(0, 1)), body(jump(0, 1))},
		{"to itself", body(jump(1, 1)), body(jump(1, 1))},
		{"elsewhere", body(jump(2, 0)), body(jump(2, 0))},
	} {
		got, _, err := straightenFunction(test.body)
		if err != nil || !bytes.Equal(got, test.want) {
			t.Errorf("jump %s: % x, %v\nwant % x", test.name, got, err, test.want)
		}
	}
}

func TestReaderSigned(t *testing.T) {
	for _, test := range []struct {
		bytes []byte
		want  int64
	}{
		{[]byte{0x3f}, 63}, {[]byte{0x40}, -64}, {[]byte{0xc0, 0xbb, 0x78}, -123456},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, -1 << 63},
	} {
		r := reader{test.bytes}
		if got := r.signed(); got != test.want || len(r.rest) != 0 {
			t.Errorf("% x is %d, want %d", test.bytes, got, test.want)
		}
	}
}

// TestStraightenTruncated checks that a truncated module, or data that is not a module, is an error.
func TestStraightenTruncated(t *testing.T) {
	function := body(jump(2, 1))
	section := appendSized([]byte{1}, function)
	module := appendSized(append([]byte(preamble), codeSection), section)
	if _, err := straighten(module, nil); err != nil {
		t.Fatal(err)
	}
	for n := range len(module) {
		if _, err := straighten(module[:n], nil); err == nil && n != len(preamble) {
			t.Errorf("no error for the first %d bytes", n)
		}
	}
}

// moduleOf returns a module that contains the given functions.
func moduleOf(functions ...[]byte) []byte {
	section := []byte{byte(len(functions))}
	for _, f := range functions {
		section = appendSized(section, f)
	}
	return appendSized(append([]byte(preamble), codeSection), section)
}

// TestStraightenRefuses checks that unexpected code from the compiler is an error that contains the position.
func TestStraightenRefuses(t *testing.T) {
	for want, module := range map[string][]byte{
		"straightened 1 of 3 jumps":                                           moduleOf(body(jump(2, 1)), body(jump(0, 1)), body(jump(0, 1))),
		"function 1 of the code section: byte 18: unknown instruction 0x6":    moduleOf(body(), body([]byte{0x06})),
		"function 0 of the code section: byte 18: unknown instruction 0xfc63": moduleOf(body([]byte{opMore, 99})),
		"straightened 0 of 0 jumps":                                           moduleOf(slices.Repeat([][]byte{{0, opEnd}}, manyFunctions)...),
	} {
		if _, err := straighten(module, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := straighten(moduleOf(body(jump(2, 1)), body(jump(0, 1))), nil); err != nil {
		t.Errorf("one of two jumps: %v", err)
	}
}
