package explain

import (
	"fmt"

	"pillbox/internal/follow"
)

// MaxLength bounds the memory of an explanation that is written: the number of tested solids and, in a verbose explanation,
// of visited nodes that it lists, where a derivation of a ray, a light or a test counts as another 20.
const MaxLength = 100_000

// derivationLength is the length of a derivation in the unit of MaxLength.
const derivationLength = 20

// CheckDocument returns an error if the document of an explanation exceeds [MaxLength]. Call it before Explanation.Document,
// which does not check it. A brief document of a pixel or a ray is always short.
func CheckDocument(x Explanation, detail Detail) error {
	remedy := "add --brief, or use fewer lights"
	if detail == Verbose {
		remedy = "omit --verbose"
	}
	return checkLength(x.length(detail, false), remedy)
}

// CheckJSON returns an error if the JSON of an explanation exceeds [MaxLength]. Call it before Explanation.JSON, which does not
// check it.
func CheckJSON(x Explanation, detail Detail) error {
	remedy := "omit --json, lower --antialias, or use fewer lights"
	if detail == Verbose {
		remedy = "omit --verbose"
	}
	return checkLength(x.length(detail, true), remedy)
}

func checkLength(n int, remedy string) error {
	if n > MaxLength {
		return fmt.Errorf("the explanation lists more than 100,000 tests of solids, where the derivation of a ray, a light or a test counts as 20: %s", remedy)
	}
	return nil
}

// length counts what JSON lists or, if json is false, the document.
func (x *Pixel) length(detail Detail, json bool) int {
	n := 0
	for i := range x.Samples {
		if i == 0 || json || detail == Verbose {
			n += raysLength(x.Samples[i].traced(), detail, json, i == 0 || detail == Verbose)
		}
	}
	return n
}

func (x *Ray) length(detail Detail, json bool) int { return raysLength(x.traced(), detail, json, true) }

func raysLength(q *follow.Path, detail Detail, json, derive bool) int {
	if detail == Brief && !json {
		return 0
	}
	return pathLength(q, detail, derive)
}

func (x *Segment) length(detail Detail, _ bool) int {
	n := len(x.Solids)
	for _, s := range x.Solids {
		if x.derives(s, detail) {
			n += derivationLength
		}
	}
	return n
}

func (*Pair) length(Detail, bool) int { return derivationLength }

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
				switch {
				case detail == Verbose:
					n += derivation * t.Tally().Solids
				case q.Lights[i].Visibility == follow.Blocked:
					n += derivation // of the test of the blocker
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
