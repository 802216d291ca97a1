package accel

// winsTie reports whether a hit of the solid at replaces an equally distant hit of the solid best: the
// smaller object number wins. It is false if best is noPrim, where the distance is the limit of the
// query. Kernels cannot compare object numbers; they leave ties to the portable code, see [verdict].
func (s *solids) winsTie(at, best primRef) bool {
	return best != noPrim && s.number(at) < s.number(best)
}
