package shade

import "pillbox/geom"

// Reflect returns the unit direction into which a mirror with unit normal n sends a ray of
// unit direction d. The normal may face either way.
func Reflect(d, n geom.Vec3) geom.Vec3 {
	// Normalizing keeps the length from drifting over many bounces.
	return d.AddScaled(-2*d.Dot(n), n).Unit()
}
