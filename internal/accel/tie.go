package accel

// winsTie reports whether the solid at wins a tie: whether its hit replaces a hit of the solid best at the
// same distance. The smaller object number wins. If best is noPrim, the distance is the limit of the query,
// and winsTie returns false. Kernels cannot compare object numbers; they leave ties to the portable code, see
// [verdict].
func (s *solids) winsTie(at, best primRef) bool {
	return best != noPrim && s.number(at) < s.number(best)
}
