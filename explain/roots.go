package explain

import (
	"fmt"
	"slices"

	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
)

// rayKind is what a ray is for: it decides which crossings count.
type rayKind uint8

const (
	cameraRay rayKind = iota
	mirrorRay
	shadowRay
)

// origin is what a ray starts from, in words.
func (kind rayKind) origin() string {
	if kind == cameraRay {
		return "the eye"
	}
	return "the start"
}

// judge says what becomes of both roots of a solid that the line crosses.
func (t *Tracer) judge(d *derivation, kind rayKind, from *accel.SecondaryRay, s *accel.SolidStep) {
	d.Know("t_near", formula.Real(s.Near), "the line enters at")
	d.Know("t_far", formula.Real(s.Far), "leaves at")
	origin := kind.origin()
	own := kind != cameraRay && s.Object == from.Object
	switch {
	case own && s.Outcome == accel.Own && from.Inside:
		d.Decide(formula.Rejects, "both: the light is inside this convex solid, and so is all of the way to it")
	case own && s.Outcome == accel.Own:
		d.Decide(formula.Rejects, "both: the solid is convex, so a ray that leaves it outward never meets it again")
	case own:
		d.Decide(formula.Rejects, "t_near: the ray starts there, on the inner side")
		t.compete(d, s, "t_far")
	case kind != cameraRay && slices.Contains(from.Eye, s.Object):
		d.Decide(formula.Rejects, "t_near: the eye is inside this solid, and so is the path: it can only leave")
		t.ahead(d, s, "t_far", origin)
	case d.Holds("t_near > 0"):
		t.compete(d, s, "t_near")
		if s.Far > s.Near {
			d.Note("t_far lies behind it.")
		}
	case kind == cameraRay:
		notAhead(d, "t_near", origin)
		t.ahead(d, s, "t_far", origin)
	default:
		notAhead(d, "t_near", origin)
		d.Decide(formula.Rejects, "t_far: only where a ray enters another solid counts, unless the eye is inside it")
	}
}

// ahead judges a root that counts if it lies ahead.
func (t *Tracer) ahead(d *derivation, s *accel.SolidStep, root, origin string) {
	if d.Holds(root + " > 0") {
		t.compete(d, s, root)
		return
	}
	notAhead(d, root, origin)
}

// notAhead rejects a root that does not lie ahead.
func notAhead(d *derivation, root, origin string) {
	if d.Holds(root + " = 0") {
		d.Judge(root+" = 0", formula.Rejects, root+" is where the ray starts: on the surface, and what counts lies ahead of that")
		return
	}
	d.Judge(root+" < 0", formula.Rejects, root+" lies behind "+origin)
}

// compete compares a root that counts with the best so far.
func (t *Tracer) compete(d *derivation, s *accel.SolidStep, root string) {
	d.Know("best", formula.Real(s.Best), t.bestNote(s))
	accepted := s.Outcome == accel.Accepted
	if s.BestObject == accel.None {
		t.first(d, s, root)
		return
	}
	other := t.label(s.BestObject)
	switch {
	case d.Holds(root+" = best") && accepted:
		d.Judge(root+" = best", formula.Accepts, fmt.Sprintf("as far as %s, whose number is larger", other))
	case d.Holds(root + " = best"):
		d.Judge(root+" = best", formula.Rejects, fmt.Sprintf("as far as %s, whose number is smaller", other))
	case accepted:
		d.Judge(root+" < best", formula.Accepts, fmt.Sprintf("nearer than %s", other))
	default:
		d.Judge(root+" > best", formula.Rejects, fmt.Sprintf("farther than %s", other))
	}
}

// bestNote describes the distance that a root competes with.
func (t *Tracer) bestNote(s *accel.SolidStep) string {
	if s.BestObject == accel.None {
		return "the light is at"
	}
	return fmt.Sprintf("the closest hit so far, of %s, is at", t.label(s.BestObject))
}

// first judges a root that nothing competes with but the end of a shadow ray.
func (t *Tracer) first(d *derivation, s *accel.SolidStep, root string) {
	switch {
	case s.Outcome != accel.Accepted:
		d.Judge(root+" >= best", formula.Rejects, "not before the light")
	case d.Holds(root + " > 0"):
		d.Judge(root+" > 0", formula.Accepts, root+" is the first crossing so far")
	default:
		d.Judge(root+" <= 0", formula.Accepts, root+" counts nevertheless: from inside a ray leaves its own solid")
	}
}
