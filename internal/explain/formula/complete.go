package formula

import (
	"reflect"
	"slices"
)

// Complete returns the visible steps, each preceded by the hidden definitions that it needs. It omits a hidden
// definition if the map known already has the same value for the symbol. It adds all returned definitions to known. So
// one map can serve all derivations of a document, in order.
func Complete(steps []Step, known map[string]any) []Step {
	needed := neededBy(steps)
	var out []Step
	for i, s := range steps {
		if s.hidden {
			value, ok := known[s.Symbol]
			if !needed[i] || ok && reflect.DeepEqual(value, s.Value) {
				continue
			}
			s.hidden = false
		}
		if s.Symbol != "" {
			known[s.Symbol] = s.Value
		}
		out = append(out, s)
	}
	return out
}

// neededBy returns, for every step, whether it is visible or a visible step depends on it, directly or not.
func neededBy(steps []Step) []bool {
	needed := make([]bool, len(steps))
	wanted := map[string]bool{} // symbols of later steps without a definition yet
	for i, s := range slices.Backward(steps) {
		needed[i] = !s.hidden || wanted[s.Symbol]
		if !needed[i] {
			continue
		}
		delete(wanted, s.Symbol)
		for _, symbol := range s.Symbols() {
			wanted[symbol] = true
		}
	}
	return needed
}

// Keep returns the hidden steps, and the visible steps for which the function keep returns true. If a remaining step
// depends on a removed definition, Keep removes the step's formula. An equation is then reduced to its value, and a
// relation to its note.
func Keep(steps []Step, keep func(Step) bool) []Step {
	dropped := map[string]bool{}
	var out []Step
	for _, s := range steps {
		if !s.hidden && !keep(s) {
			dropped[s.Symbol] = true
			continue
		}
		if slices.ContainsFunc(s.Symbols(), func(symbol string) bool { return dropped[symbol] }) {
			s.Formula, s.Numbers = "", ""
			if s.Symbol == "" {
				s.Result = ""
			}
		}
		delete(dropped, s.Symbol)
		if s.Symbol != "" || s.Formula != "" || s.Note != "" {
			out = append(out, s)
		}
	}
	return out
}
