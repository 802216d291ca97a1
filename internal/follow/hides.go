package follow

import "pillbox/internal/accel"

// Hides returns the nearest solid that blocks a secondary ray before the distance reach, and the distance to it, or
// accel.None and 0 if nothing blocks the ray. It follows the rules of shadow rays. The probe, which may be nil,
// observes the traversal.
func (s *Prepared) Hides(d *accel.SecondaryRay, reach float64, p accel.Probe) (object int32, t float64) {
	object = accel.None
	if d.Inside {
		if exit := s.exit(d); exit < reach {
			object, t, reach = d.Object, exit, exit
		}
	}
	if hit := s.ForLight().TraverseBlocked(*d, reach, p); hit.Object != accel.None {
		object, t = hit.Object, hit.T
	}
	return object, t
}
