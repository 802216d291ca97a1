package explain

import (
	"fmt"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/internal/text"
)

// manyNodes is the largest number of nodes of a traversal that a usual explanation lists.
const manyNodes = 40

// tallyText states how many nodes and solids a traversal visits, by their outcome.
func tallyText(n follow.Tally) string {
	s := fmt.Sprintf("%s: %d entered, %d missed", text.Count(n.Nodes, "node"), n.Entered, n.Missed)
	if n.Farther > 0 {
		s += fmt.Sprintf(", %d skipped because they are farther than a hit", n.Farther)
	}
	if n.Beyond > 0 {
		s += fmt.Sprintf(", %d skipped because they are farther than the light", n.Beyond)
	}
	return s + fmt.Sprintf(". %s tested.", text.Count(n.Solids, "solid"))
}

// steps returns a list with one item for each step of a traversal: nodes, and below each leaf its tested
// solids.
func (w *writer) steps(traversal *follow.Traversal) []Item {
	var items []Item
	depth := 0
	for _, s := range traversal.Steps {
		if s.Solid != nil {
			items = append(items, Item{depth + 1, w.solidText(s.Solid), solidVerdict(s.Solid)})
			continue
		}
		depth = s.Node.Depth
		items = append(items, Item{depth, nodeText(s.Node), ""})
	}
	return items
}

func nodeText(n *accel.NodeStep) string {
	what := "node"
	switch {
	case n.Depth == 0:
		what = "root"
	case n.Solids > 0:
		what = fmt.Sprintf("leaf of %d", n.Solids)
	}
	from, to := boundsText(n.Bounds)
	text := fmt.Sprintf("%s %s to %s: ", what, from, to)
	if n.Depth == 0 {
		return text + "contains all solids"
	}
	switch {
	case n.Outcome == accel.Missed:
		return text + "missed"
	case n.Outcome == accel.Farther:
		at := formula.Apart(formula.Readable, n.T, n.Limit)
		return text + fmt.Sprintf("skipped: starts at %s, beyond %s", at[0], at[1])
	case n.T == 0:
		return text + "entered: the ray starts inside"
	}
	return text + fmt.Sprintf("entered at %s", formula.Short(n.T))
}

// boundsText formats both corners with enough digits that their coordinates differ.
func boundsText(b geom.Bounds) (from, to string) {
	x := formula.Apart(formula.Readable, b.Min.X, b.Max.X)
	y := formula.Apart(formula.Readable, b.Min.Y, b.Max.Y)
	z := formula.Apart(formula.Readable, b.Min.Z, b.Max.Z)
	return fmt.Sprintf("(%s, %s, %s)", x[0], y[0], z[0]), fmt.Sprintf("(%s, %s, %s)", x[1], y[1], z[1])
}

func (w *writer) solidText(s *accel.SolidStep) string {
	text := w.label(s.Object)
	if s.Outcome == accel.Missed {
		return text + ": missed"
	}
	numbers := []float64{s.Near, s.Far}
	switch {
	case s.Outcome == accel.Accepted:
		numbers = append(numbers, s.T)
	case s.BestObject != accel.None:
		numbers = append(numbers, s.Best)
	}
	at := formula.Apart(formula.Readable, numbers...)
	text += fmt.Sprintf(": t = %s and %s, ", at[0], at[1])
	switch s.Outcome {
	case accel.Accepted:
		return text + "accepted at " + at[2]
	case accel.Own:
		return text + "rejected: the ray leaves this solid"
	case accel.Behind:
		return text + "rejected: behind the ray's origin"
	}
	if s.BestObject == accel.None {
		return text + "rejected: beyond the light"
	}
	return text + fmt.Sprintf("rejected: not closer than %s at %s", w.label(s.BestObject), at[2])
}

func solidVerdict(s *accel.SolidStep) Verdict {
	if s.Outcome == accel.Accepted {
		return Accepts
	}
	return Rejects
}

// manyTests is the largest number of tested solids for which a usual explanation derives the tests of solids that the ray
// misses.
const manyTests = 8

// manyCrossings is the largest number of solids on the line of a ray for which a usual explanation derives all their tests.
const manyCrossings = 100

// derivedTests returns a function that reports whether an explanation derives a test of a traversal. A verbose explanation
// derives all. A usual one derives all if there are at most manyTests, and otherwise only those of solids that the ray's line
// crosses or, if these are more than manyCrossings, only the test that found the hit.
func derivedTests(traversal *follow.Traversal, detail Detail) func(*accel.SolidStep) bool {
	var hit *accel.SolidStep
	tests, crossings := 0, 0
	for _, step := range traversal.Steps {
		if step.Solid == nil {
			continue
		}
		tests++
		if step.Solid.Outcome != accel.Missed {
			crossings++
		}
		if step.Solid.Outcome == accel.Accepted {
			hit = step.Solid // each accepted test replaces the hit before it
		}
	}
	return func(s *accel.SolidStep) bool {
		switch {
		case detail == Verbose || tests <= manyTests:
			return true
		case crossings > manyCrossings:
			return s == hit
		}
		return s.Outcome != accel.Missed
	}
}
