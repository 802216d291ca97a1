// Command straighten makes a wasm program written by Go's linker smaller and faster without changing what it computes.
//
//	straighten [-kernels KERNELS.wasm] IN.wasm OUT.wasm
//
// Go's compiler does not emit structured control flow. It translates a function to a loop around a table of its basic
// blocks. Every jump stores the block's number and goes through the head of the loop and the table
// (cmd/internal/obj/wasm, preprocess). Seven of eight jumps lead forward. Such a jump needs only one instruction: it
// leaves the wasm block that ends where the jump's target begins.
//
// Go's assembler does not support the vector instructions of wasm. The functions of KERNELS.wasm use them, and replace
// the functions of IN.wasm with the same names.
//
// OUT.wasm contains no section of names. Stack traces of Go in it show no files and lines.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	file := flag.String("kernels", "", "put the functions of this `module` into the program")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: straighten [-kernels KERNELS.wasm] IN.wasm OUT.wasm")
		os.Exit(2)
	}
	if err := run(*file, flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintf(os.Stderr, "straighten: %s\n", err)
		os.Exit(1)
	}
}

func run(kernelFile, in, out string) error {
	var replaced kernels
	if kernelFile != "" {
		module, err := os.ReadFile(kernelFile)
		if err != nil {
			return err
		}
		if replaced, err = readKernels(module); err != nil {
			return fmt.Errorf("%s: %w", kernelFile, err)
		}
	}
	module, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	straight, err := straighten(module, replaced)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.WriteFile(out, straight, 0o666)
}

// Numbers from the WebAssembly Core Specification 2.0, chapter 5.
const (
	preamble      = "\x00asm\x01\x00\x00\x00"
	customSection = 0
	importSection = 2
	exportSection = 7
	codeSection   = 10
	nameSection   = "name" // of the custom ones
	kindFunction  = 0
)

var errFormat = errors.New("not a wasm module as it is expected here")

// recoverFormat converts a panic of reader, which means that the module is truncated, to an error.
func recoverFormat(err *error) {
	if recover() != nil {
		*err = errFormat
	}
}

// sections are the sections of a module.
type sections []section

type section struct {
	id      byte
	content []byte
}

func readSections(module []byte) (s sections) {
	if string(module[:len(preamble)]) != preamble {
		panic(errFormat)
	}
	for r := (reader{module[len(preamble):]}); len(r.rest) > 0; {
		s = append(s, section{r.byte(), r.sized()})
	}
	return s
}

// reader returns a reader of the entries of a section that is a list. It has no entries if the module lacks the section.
func (s sections) reader(id byte) reader {
	for _, section := range s {
		if section.id == id {
			r := reader{section.content}
			r.unsigned()
			return r
		}
	}
	return reader{}
}

// straighten returns the module with straightened jumps, with kernels in place of the functions that they replace, and
// without names, files and lines.
func straighten(module []byte, k kernels) (straight []byte, err error) {
	defer recoverFormat(&err)
	all := readSections(module)
	places, err := k.placeIn(all)
	if err != nil {
		return nil, err
	}
	straight = append(straight, preamble...)
	for _, s := range all {
		switch {
		case s.isNames():
			continue
		case s.id == codeSection:
			if s.content, err = straightenAll(s.content, places); err != nil {
				return nil, err
			}
		case s.id == dataSection:
			s.content = clearLines(s.content)
		}
		straight = appendSized(append(straight, s.id), s.content)
	}
	return straight, nil
}

func (s section) isNames() bool {
	r := reader{s.content}
	return s.id == customSection && string(r.sized()) == nameSection
}

// straightenAll straightens the functions of a code section, except those that kernels replace. It fails if fewer than half
// of the jumps could be straightened, because then Go's compiler generates jumps in a different way than expected.
func straightenAll(section []byte, places map[int][]byte) ([]byte, error) {
	r := reader{section}
	n := r.unsigned()
	out := appendUnsigned(nil, n)
	var found jumps
	for i := range int(n) {
		body := r.sized()
		if kernel, ok := places[i]; ok {
			out = appendSized(out, kernel)
			continue
		}
		straight, some, err := straightenFunction(body)
		if err != nil {
			return nil, fmt.Errorf("function %d of the code section: %w", i, err)
		}
		found.add(some)
		out = appendSized(out, straight)
	}
	if n >= manyFunctions && found.all == 0 || 2*found.straightened < found.all {
		return nil, fmt.Errorf("straightened %d of %d jumps, want at least half: Go's compiler may write them differently now", found.straightened, found.all)
	}
	return out, nil
}

// A program with at least manyFunctions functions must contain jumps.
const manyFunctions = 100
