package explain

import (
	"errors"

	"pillbox/internal/follow"
)

// MaxLength bounds the memory of an explanation that is written: the number of tested solids and, in a verbose explanation,
// of visited nodes that it lists, where a derivation of a ray, a light or a test counts as another 20.
const MaxLength = 200_000

// derivationLength is the length of a derivation in the unit of MaxLength.
const derivationLength = 20

var errTooLongToWrite = errors.New("the explanation lists more than 200,000 tests of solids, where the derivation of a ray, a light or a test counts as 20: omit --verbose, lower antialias, or use fewer lights")

// CheckLength returns an error if an explanation with the given detail exceeds [MaxLength]. Call it before
// Explanation.Document and Explanation.JSON, which do not check it.
func CheckLength(x Explanation, detail Detail) error {
	if x.length(detail) > MaxLength {
		return errTooLongToWrite
	}
	return nil
}

func (x *Pixel) length(detail Detail) int {
	n := 0
	for i := range x.Samples {
		n += pathLength(x.Samples[i].traced(), detail, i == 0 || detail == Verbose)
	}
	return n
}

func (x *Ray) length(detail Detail) int { return pathLength(x.traced(), detail, true) }

func (x *Segment) length(detail Detail) int {
	n := len(x.Solids)
	for _, s := range x.Solids {
		if x.derives(s, detail) {
			n += derivationLength
		}
	}
	return n
}

func (*Pair) length(Detail) int { return derivationLength }

// pathLength returns the length of an explanation of a path, with derivations or without.
func pathLength(q *follow.Path, detail Detail, derive bool) int {
	n := 0
	derivation := 0
	if derive {
		derivation = derivationLength
	}
	for ; q != nil; q = q.Mirror {
		derives := derivedTests(&q.Traversal, detail)
		n += derivation + traversalLength(&q.Traversal, detail)
		for _, step := range q.Traversal.Steps {
			if step.Solid != nil && derives(step.Solid) {
				n += derivation
			}
		}
		for _, g := range q.Ghosts {
			n += pathLength(g, detail, derive)
		}
		for i := range q.Lights {
			n += derivation
			if t := q.Lights[i].Traversal; t != nil {
				n += traversalLength(t, detail)
				if detail == Verbose {
					n += derivation * t.Tally().Solids
				}
			}
		}
	}
	return n
}

// traversalLength returns the length of the lists of a traversal.
func traversalLength(t *follow.Traversal, detail Detail) int {
	n := t.Tally()
	if detail == Verbose {
		return n.Nodes + n.Solids
	}
	return n.Solids
}
