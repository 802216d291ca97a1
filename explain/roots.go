package explain

import (
	"fmt"
	"slices"

	"pillbox/accel"
)

// errand is what a ray is for: it decides which crossings count.
type errand uint8

const (
	errandCamera errand = iota
	errandMirror
	errandShadow
)

// origin is what a ray starts from, in words.
func (e errand) origin() string {
	if e == errandCamera {
		return "the eye"
	}
	return "the start"
}

// judge tells of a solid whose line crosses it what becomes of both roots.
func (t *Tracer) judge(d *derivation[float], e errand, from *accel.Departure, s *accel.SolidStep) {
	d.know("t_near", real(s.Near))
	d.know("t_far", real(s.Far))
	origin := e.origin()
	own := e != errandCamera && s.Object == from.Object
	switch {
	case own && s.Outcome == accel.Own && from.Inside:
		d.verdict(Rejects, "both: the light is inside this convex solid, and so is all of the way to it")
	case own && s.Outcome == accel.Own:
		d.verdict(Rejects, "both: the solid is convex, so a ray that leaves it outward never meets it again")
	case own:
		d.verdict(Rejects, "t_near: the ray starts there, on the inner side")
		t.compete(d, s, "t_far")
	case e != errandCamera && slices.Contains(from.Eye, s.Object):
		d.verdict(Rejects, "t_near: the eye is inside this solid, and so is the path: it can only leave")
		t.ahead(d, s, "t_far", origin)
	case d.holds("t_near > 0"):
		t.compete(d, s, "t_near")
		if s.Far > s.Near {
			d.note("t_far lies behind it.")
		}
	case e == errandCamera:
		d.judge("t_near <= 0", Rejects, "t_near lies behind "+origin)
		t.ahead(d, s, "t_far", origin)
	default:
		d.judge("t_near <= 0", Rejects, "t_near lies behind "+origin)
		d.verdict(Rejects, "t_far: only where a ray enters another solid counts, unless the eye is inside it")
	}
}

// ahead judges a root that counts if it lies ahead.
func (t *Tracer) ahead(d *derivation[float], s *accel.SolidStep, root, origin string) {
	if d.holds(root + " > 0") {
		t.compete(d, s, root)
		return
	}
	d.judge(root+" <= 0", Rejects, root+" lies behind "+origin)
}

// compete compares a root that counts with the best so far.
func (t *Tracer) compete(d *derivation[float], s *accel.SolidStep, root string) {
	d.know("best", real(s.Best))
	accepted := s.Outcome == accel.Accepted
	if s.BestObject == accel.None {
		t.first(d, s, root)
		return
	}
	other := t.solids().label(s.BestObject)
	switch {
	case d.holds(root+" = best") && accepted:
		d.judge(root+" = best", Accepts, fmt.Sprintf("as far as %s, whose number is larger", other))
	case d.holds(root + " = best"):
		d.judge(root+" = best", Rejects, fmt.Sprintf("as far as %s, whose number is smaller", other))
	case accepted:
		d.judge(root+" < best", Accepts, fmt.Sprintf("nearer than %s", other))
	default:
		d.judge(root+" > best", Rejects, fmt.Sprintf("farther than %s", other))
	}
}

// first judges a root that nothing competes with but the end of a shadow ray.
func (t *Tracer) first(d *derivation[float], s *accel.SolidStep, root string) {
	switch {
	case s.Outcome != accel.Accepted:
		d.judge(root+" >= best", Rejects, "not before the light")
	case d.holds(root + " > 0"):
		d.judge(root+" > 0", Accepts, root+" is the first crossing so far")
	default:
		d.judge(root+" <= 0", Accepts, root+" counts nevertheless: from inside a ray leaves its own solid")
	}
}

// verdict tells what becomes of a root that needs no comparison.
func (d *derivation[T]) verdict(v Verdict, note string) {
	d.tell(Step{Note: string(v) + ": " + note, Verdict: v})
}

func (t *Tracer) solids() solids { return solids{t.stage.Scene} }
