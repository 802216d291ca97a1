package main

import "fmt"

// kernels holds functions, by name, that replace functions of a program. Each value contains the function's locals and
// code. The code refers to no other function and no type. It refers to globals and to the memory by the numbers that
// Go's linker assigns.
type kernels map[string][]byte

// readKernels returns the exported functions of a module by name. The module must not import functions or export
// anything else.
func readKernels(module []byte) (k kernels, err error) {
	defer recoverFormat(&err)
	sections := readSections(module)
	var bodies [][]byte
	for r := sections.reader(codeSection); len(r.rest) > 0; {
		bodies = append(bodies, r.sized())
	}
	k = kernels{}
	for r := sections.reader(exportSection); len(r.rest) > 0; {
		name := r.sized()
		if r.byte() != kindFunction {
			return nil, errFormat
		}
		k[string(name)] = bodies[r.unsigned()]
	}
	return k, nil
}

// placeIn finds, for each kernel, the function of a program that it replaces. It returns the kernels by the indices of
// these functions. Indices start after the imported functions.
func (k kernels) placeIn(program sections) (map[int][]byte, error) {
	imported := 0
	for r := program.reader(importSection); len(r.rest) > 0; imported++ {
		r.sized()
		r.sized()
		if r.byte() != kindFunction {
			return nil, errFormat
		}
		r.unsigned()
	}
	places := map[int][]byte{}
	for r := program.functionNames(); len(r.rest) > 0; {
		number, name := int(r.unsigned())-imported, string(r.sized())
		if body, ok := k[name]; ok {
			places[number] = body
		}
	}
	if len(places) != len(k) {
		return nil, fmt.Errorf("the program has %d of the %d functions whose place kernels take", len(places), len(k))
	}
	return places, nil
}

// functionNames returns a reader of the names of functions. The linker writes these names unless its flag -s is set.
// Without them, the reader has no entries.
func (s sections) functionNames() reader {
	const ofFunctions = 1
	for _, section := range s {
		if !section.isNames() {
			continue
		}
		r := reader{section.content}
		r.sized()
		for len(r.rest) > 0 {
			if id, content := r.byte(), r.sized(); id == ofFunctions {
				list := reader{content}
				list.unsigned()
				return list
			}
		}
	}
	return reader{}
}
