package explain

import (
	"fmt"
	"slices"

	"pillbox/internal/accel"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
)

// rayKind is the purpose of a ray, which decides which crossings count.
type rayKind uint8

const (
	cameraRay rayKind = iota
	mirrorRay
	shadowRay
)

// origin names the origin of a ray.
func (kind rayKind) origin() string {
	if kind == cameraRay {
		return "the eye"
	}
	return "the ray's origin"
}

// judge adds to a derivation why each of the two roots of a solid counts as a hit or not. A root is a
// distance at which the ray's line crosses the solid.
func (t *Tracer) judge(d *derive.Derivation, kind rayKind, from *accel.SecondaryRay, s *accel.SolidStep) {
	d.Know("t_near", formula.Real(s.Near), "the line enters at")
	d.Know("t_far", formula.Real(s.Far), "leaves at")
	origin := kind.origin()
	own := kind != cameraRay && s.Object == from.Object
	switch {
	case own && s.Outcome == accel.Own && from.Inside:
		d.Decide(formula.Rejects, "both: the light is inside this convex solid, as is the whole way to it")
	case own && s.Outcome == accel.Own && kind == shadowRay && t.prepared.Shadows != nil:
		d.Decide(formula.Rejects, "both: a solid does not hide the light from its own surface and cut faces")
	case own && s.Outcome == accel.Own:
		d.Decide(formula.Rejects, "both: the solid is convex, so a ray that leaves it never hits it again")
	case own:
		d.Decide(formula.Rejects, "t_near: the ray starts there, inside the solid")
		t.compete(d, s, "t_far")
	case kind != cameraRay && slices.Contains(from.Eye, s.Object):
		d.Decide(formula.Rejects, "t_near: the eye is inside this solid, so the path can only leave it")
		t.ahead(d, s, "t_far", origin)
	case d.Holds("t_near > 0"):
		t.compete(d, s, "t_near")
		if s.Far > s.Near {
			d.Note("t_far is farther away.")
		}
	case kind == cameraRay:
		notAhead(d, "t_near", origin)
		t.ahead(d, s, "t_far", origin)
	default:
		notAhead(d, "t_near", origin)
		d.Decide(formula.Rejects, "t_far: a ray hits another solid only where it enters it, unless the eye is inside")
	}
}

// ahead rejects a root that is not ahead of the ray's origin, and compares any other with the closest hit
// so far.
func (t *Tracer) ahead(d *derive.Derivation, s *accel.SolidStep, root, origin string) {
	if d.Holds(root + " > 0") {
		t.compete(d, s, root)
		return
	}
	notAhead(d, root, origin)
}

// notAhead rejects a root that is not ahead of the origin.
func notAhead(d *derive.Derivation, root, origin string) {
	if d.Holds(root + " = 0") {
		d.Judge(root+" = 0", formula.Rejects, root+" is at the ray's origin, and only hits ahead of it count")
		return
	}
	d.Judge(root+" < 0", formula.Rejects, root+" is behind "+origin)
}

// compete compares a root with the closest hit so far.
func (t *Tracer) compete(d *derive.Derivation, s *accel.SolidStep, root string) {
	d.Know("best", formula.Real(s.Best), t.bestNote(s))
	accepted := s.Outcome == accel.Accepted
	if s.BestObject == accel.None {
		t.first(d, s, root)
		return
	}
	other := t.label(s.BestObject)
	switch {
	case d.Holds(root+" = best") && accepted:
		d.Judge(root+" = best", formula.Accepts, fmt.Sprintf("as far as %s, which has a larger number", other))
	case d.Holds(root + " = best"):
		d.Judge(root+" = best", formula.Rejects, fmt.Sprintf("as far as %s, which has a smaller number", other))
	case accepted:
		d.Judge(root+" < best", formula.Accepts, fmt.Sprintf("closer than %s", other))
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

// first judges a root if the ray has not hit any solid before. The root of a shadow ray is rejected if it
// does not lie before the light. Every other root is accepted.
func (t *Tracer) first(d *derive.Derivation, s *accel.SolidStep, root string) {
	switch {
	case s.Outcome != accel.Accepted:
		d.Judge(root+" >= best", formula.Rejects, "not before the light")
	case d.Holds(root + " > 0"):
		d.Judge(root+" > 0", formula.Accepts, root+" is the first hit so far")
	default:
		d.Judge(root+" <= 0", formula.Accepts, root+" counts even so: from inside, a ray always leaves its own solid")
	}
}
