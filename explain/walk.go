package explain

import (
	"fmt"

	"pillbox/accel"
)

// manyNodes is the number of nodes up to which a walk is listed.
const manyNodes = 40

// tally counts the steps of a walk.
type tally struct{ nodes, entered, missed, farther, solids int }

func (walk *Walk) count() tally {
	var n tally
	for _, s := range walk.Steps {
		if s.Solid != nil {
			n.solids++
			continue
		}
		n.nodes++
		switch s.Node.Outcome {
		case accel.Entered:
			n.entered++
		case accel.Missed:
			n.missed++
		default:
			n.farther++
		}
	}
	return n
}

func (n tally) String() string {
	text := fmt.Sprintf("%s: %d entered, %d missed", plural(n.nodes, "node"), n.entered, n.missed)
	if n.farther > 0 {
		text += fmt.Sprintf(", %d skipped because something nearer was found before", n.farther)
	}
	return text + fmt.Sprintf(". %s tested.", plural(n.solids, "solid"))
}

// steps lists a walk.
func (w *writer) steps(walk *Walk) []item {
	var items []item
	depth := 0
	for _, s := range walk.Steps {
		if s.Solid != nil {
			items = append(items, item{depth + 1, w.solidText(s.Solid), solidVerdict(s.Solid)})
			continue
		}
		depth = s.Node.Depth
		items = append(items, item{depth, nodeText(s.Node), ""})
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
	text := fmt.Sprintf("%s %s to %s: ", what, vectorText(n.Bounds.Min), vectorText(n.Bounds.Max))
	switch {
	case n.Depth == 0:
		return text + "everything"
	case n.Outcome == accel.Missed:
		return text + "missed"
	case n.Outcome == accel.Farther:
		return text + fmt.Sprintf("skipped: begins at %s, beyond %s", short(n.T), short(n.Limit))
	case n.T == 0:
		return text + "entered, the ray starts inside"
	}
	return text + fmt.Sprintf("entered at %s", short(n.T))
}

func (w *writer) solidText(s *accel.SolidStep) string {
	text := w.solids().label(s.Object)
	if s.Outcome == accel.Missed {
		return text + ": missed"
	}
	text += fmt.Sprintf(": t = %s and %s, ", short(s.Near), short(s.Far))
	switch s.Outcome {
	case accel.Accepted:
		return text + fmt.Sprintf("accepted at %s", short(s.T))
	case accel.Own:
		return text + "rejected: the ray leaves this solid"
	case accel.Behind:
		return text + "rejected: nothing that counts lies ahead"
	}
	if s.BestObject == accel.None {
		return text + "rejected: beyond the light"
	}
	return text + fmt.Sprintf("rejected: not nearer than %s at %s", w.solids().label(s.BestObject), short(s.Best))
}

func solidVerdict(s *accel.SolidStep) Verdict {
	if s.Outcome == accel.Accepted {
		return Accepts
	}
	return Rejects
}

// manyTests is the number of tested solids up to which those are derived, too, that the
// ray misses.
const manyTests = 8

// tells reports whether a test is derived in a summary.
func (walk *Walk) tells(s *accel.SolidStep) bool {
	return s.Outcome != accel.Missed || walk.count().solids <= manyTests
}
