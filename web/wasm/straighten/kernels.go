package main

import "fmt"

// kernels are functions by name that replace functions of a program: local variables and
// code. They refer to no other function and no type, and to variables and memory as Go's linker numbers them.
type kernels map[string][]byte

// readKernels returns the functions that a module exports, which are all that it has.
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

// placeIn returns the kernels by the indices of the functions of a program that they replace, counted from
// the first that is not imported.
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

// functionNames returns what the linker says of the functions' names, without -s.
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
