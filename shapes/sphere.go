package shapes

import (
	"math"

	"pillbox/geom"
)

// Sphere is a solid ball: the points within Radius of Center.
type Sphere struct {
	Center geom.Vec3
	Radius float64 // positive
}

// Validate returns an error if the center or the radius is out of range.
func (s *Sphere) Validate() error {
	if err := checkPoint("center", s.Center); err != nil {
		return err
	}
	return checkSize("radius", s.Radius)
}

// Bounds implements [Shape].
func (s *Sphere) Bounds() geom.Bounds {
	return geom.Bounds{Min: s.Center, Max: s.Center}.Expand(s.Radius)
}

// Span implements [Shape].
func (s *Sphere) Span(r geom.Ray) (Span, bool) {
	c, ok := s.chord(r)
	if !ok {
		return Span{}, false
	}
	return Span{Near: s.hit(r, c.near), Far: s.hit(r, c.far), Tangent: c.tangent}, true
}

// Intersect implements [Shape].
func (s *Sphere) Intersect(r geom.Ray, tMin, tMax float64) (Hit, bool) {
	c, ok := s.chord(r)
	if !ok {
		return Hit{}, false
	}
	t, ok := c.first(tMin, tMax)
	if !ok {
		return Hit{}, false
	}
	return s.hit(r, t), true
}

// Touches implements [Shape].
func (s *Sphere) Touches(seg geom.Segment) bool {
	// Coordinates relative to the center keep rounding errors in proportion to distances, not to
	// coordinates.
	seg = geom.Segment{A: seg.A.Sub(s.Center), B: seg.B.Sub(s.Center)}
	q, _ := seg.Closest(geom.Vec3{})
	return q.Norm2() <= s.Radius*s.Radius
}

func (s *Sphere) chord(r geom.Ray) (chord, bool) {
	return ballChord(r.Origin.Sub(s.Center), r.Dir, s.Radius)
}

// hit returns the crossing at distance t.
func (s *Sphere) hit(r geom.Ray, t float64) Hit {
	p := r.Origin.Sub(s.Center).AddScaled(t, r.Dir)
	return Hit{t, RoundNormal(p, s.Radius, r.Dir)}
}

// ballChord returns where the line f + t d, relative to the center, enters and leaves the
// ball of radius r.
//
// It uses the perpendicular from the center to the line instead of the textbook's
// b^2 - (f.f - r^2), which loses about (D/r)^2 units in the last place at distance D.
// Source: Haines, Guenther, Akenine-Moeller, "Precision Improvements for Ray/Sphere
// Intersection", Ray Tracing Gems, 2019, chapter 7.
func ballChord(f, d geom.Vec3, r float64) (chord, bool) {
	b := -f.Dot(d)
	disc := float64(r*r) - f.AddScaled(b, d).Norm2()
	if !(disc >= 0) {
		return chord{}, false
	}
	h := math.Sqrt(disc)
	return chord{b - h, b + h, disc == 0}, true
}
