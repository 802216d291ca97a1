// Command straighten makes a wasm program that Go's linker wrote smaller and faster; what it computes stays.
//
//	straighten IN.wasm OUT.wasm
//
// Go's compiler knows no structured control flow: a function for wasm is a loop around a table of its basic
// blocks, and every jump stores the block's number, goes back to the head of the loop and through the table
// (cmd/internal/obj/wasm, preprocess). All that was in registers meets there. A jump forward, and seven of
// eight are, can leave the wasm block that ends where its target begins: that is one instruction.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: straighten IN.wasm OUT.wasm")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "straighten: %s\n", err)
		os.Exit(1)
	}
}

func run(in, out string) error {
	module, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	straight, err := straighten(module)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.WriteFile(out, straight, 0o666)
}

// Of a module: WebAssembly Core Specification 2.0, chapter 5.
const (
	preamble    = "\x00asm\x01\x00\x00\x00"
	codeSection = 10
)

var errFormat = errors.New("not a wasm module as Go's linker writes it")

// straighten returns the module with the jumps of every function straightened.
func straighten(module []byte) (straight []byte, err error) {
	defer func() {
		if recover() != nil { // it ended early
			err = errFormat
		}
	}()
	if string(module[:len(preamble)]) != preamble {
		return nil, errFormat
	}
	straight = append(straight, preamble...)
	for r := (reader{module[len(preamble):]}); len(r.rest) > 0; {
		id, content := r.byte(), r.sized()
		if id == codeSection {
			content = straightenAll(content)
		}
		straight = appendSized(append(straight, id), content)
	}
	return straight, nil
}

// straightenAll straightens the functions of a code section.
func straightenAll(section []byte) []byte {
	r := reader{section}
	n := r.unsigned()
	out := appendUnsigned(nil, n)
	for range n {
		out = appendSized(out, straightenFunction(r.sized()))
	}
	return out
}
