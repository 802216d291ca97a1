package accel

// winsTie decides between hits of two solids, at and best, at the same distance. The solid with the smaller object number
// wins; winsTie returns true if this is at. If best is noPrim, the ray has hit nothing yet, and the distance is the limit
// of the query. Then winsTie returns false, because a hit exactly at the limit does not count. Kernels cannot compare
// object numbers, so they leave ties to the portable code: see [verdict].
func (s *solids) winsTie(at, best primRef) bool {
	return best != noPrim && s.objectNumber(at) < s.objectNumber(best)
}
