package accel

// winsTie reports whether the hit of the solid at replaces a hit of the solid best at the same distance: the smaller
// object number wins. If best is noPrim, there is no hit yet, the distance is the limit of the query, and winsTie
// returns false. Kernels cannot compare object numbers, so they leave ties to the portable code: see [verdict].
func (s *solids) winsTie(at, best primRef) bool {
	return best != noPrim && s.number(at) < s.number(best)
}
