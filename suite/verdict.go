package suite

import (
	"fmt"
	"strings"

	"pillbox/internal/text"
)

// A Verdict is the result of comparing a scene with its reference.
type Verdict string

// The verdicts.
const (
	Identical Verdict = "identical"        // every pixel equals the accepted one
	Tolerated Verdict = "within tolerance" // pixels differ as the sidecar allows
	Changed   Verdict = "changed"          // pixels differ
	Resized   Verdict = "size"             // the picture has another size than the accepted one
	New       Verdict = "new"              // nothing was accepted yet
	Missing   Verdict = "missing"          // a scene was accepted, but its picture is gone
	Orphan    Verdict = "orphan"           // accepted files without a scene
	Damaged   Verdict = "damaged"          // the picture is as accepted, but the accepted scene cannot be trusted
	Failed    Verdict = "error"            // the scene, the picture or the sidecar cannot be used
)

// worstFirst returns all verdicts in the order of a report.
func worstFirst() []Verdict {
	return []Verdict{Failed, Changed, Resized, Missing, Damaged, New, Orphan, Tolerated, Identical}
}

// Passes reports whether the picture equals the accepted one or differs only as its sidecar, the file NAME.golden.toml,
// allows.
func (v Verdict) Passes() bool { return v == Identical || v == Tolerated }

// Pending reports whether there is something to accept: a picture that differs from the golden or has no golden, or the
// removal of an orphan, or files of the golden to write anew.
func (v Verdict) Pending() bool { return !v.Passes() && v != Failed }

// A Tally counts verdicts.
type Tally map[Verdict]int

// String returns the counts, the worst first.
func (t Tally) String() string {
	total := 0
	var parts []string
	for _, v := range worstFirst() {
		if n := t[v]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return fmt.Sprintf("%s: %s", text.Count(total, "golden"), strings.Join(parts, ", "))
}

// Passes reports whether all references passed.
func (t Tally) Passes() bool {
	for v, n := range t {
		if n > 0 && !v.Passes() {
			return false
		}
	}
	return true
}
