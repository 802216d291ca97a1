package molecule

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/selection"
)

const polymer = selection.Protein | selection.Nucleic

// Sizes of tubes in angstrom. Successive alpha carbons are 2.9 or 3.8 apart, successive phosphorus atoms 5 to 8. Where
// they are farther apart, residues are missing.
const (
	tubeRadius     = 0.5
	maxProteinStep = 4.8
	maxNucleicStep = 8.6
	tubePieces     = 8 // capsules from residue to residue; an even number
)

// tracePoint is a point of a tube: the place of a residue.
type tracePoint struct {
	at      geom.Vec3
	atom    *atom
	residue []atom // all its atoms
}

// tubes adds a tube for each piece of a chain between two gaps.
func (p *painter) tubes() {
	var trace []tracePoint
	for first := 0; first < len(p.atoms); {
		end := p.residueEnd(first)
		point, ok := p.tracePoint(p.atoms[first:end])
		first = end
		if !ok {
			continue
		}
		if n := len(trace); n > 0 && !p.continues(trace[n-1], point) {
			p.tube(trace)
			trace = trace[:0]
		}
		trace = append(trace, point)
	}
	p.tube(trace)
}

// tracePoint returns the place of a residue of a chain: its alpha carbon or its phosphorus. The first residue of a
// nucleic acid may have no phosphorus; then its place is the oxygen next to it.
func (p *painter) tracePoint(atoms []atom) (tracePoint, bool) {
	r := atoms[0].residue
	if r == noResidue {
		return tracePoint{}, false
	}
	names := [...]string{"CA", "CA", "CA"}
	switch class := p.classes[r]; {
	case class&selection.Nucleic != 0:
		names = [...]string{"P", "O5'", "O5*"}
	case class&selection.Protein == 0:
		return tracePoint{}, false
	}
	for _, name := range names {
		for i := range atoms {
			if a := &atoms[i]; a.name == name {
				return tracePoint{a.at, a, atoms}, true
			}
		}
	}
	return tracePoint{}, false
}

// continues reports whether a tube continues from one residue to the next: whether they are in the same chain and near
// each other.
func (p *painter) continues(last, next tracePoint) bool {
	a, b := &p.residues[last.atom.residue], &p.residues[next.atom.residue]
	class := p.classes[last.atom.residue] & polymer
	if a.chain != b.chain || a.unit != b.unit || a.copy != b.copy || p.classes[next.atom.residue]&polymer != class {
		return false
	}
	most := maxProteinStep
	if class&selection.Nucleic != 0 {
		most = maxNucleicStep
	}
	return last.at.Sub(next.at).Norm() <= most
}

// tube adds a tube through points. A single point becomes a sphere.
func (p *painter) tube(trace []tracePoint) {
	if len(trace) == 0 {
		return
	}
	part := p.part(trace[0].atom)
	if len(trace) == 1 {
		p.base(trace[0], trace[0].at)
		label := p.label(trace[0].atom)
		label.Name = p.fullName(trace[0].atom)
		part.Spheres = append(part.Spheres, model.Sphere{Center: trace[0].at, Radius: tubeRadius, Label: label})
		return
	}
	for i := range trace[1:] {
		curve := segmentOf(trace, i)
		p.base(trace[i], curve.pointAt(0.5)) // a sugar lies between two phosphorus atoms
		labels := [2]model.Label{p.label(trace[i].atom), p.label(trace[i+1].atom)}
		from := trace[i].at
		for n := 1; n <= tubePieces; n++ {
			to := trace[i+1].at
			if n < tubePieces {
				to = curve.pointAt(float64(n) / tubePieces)
			}
			if to != from {
				part.Capsules = append(part.Capsules, model.Capsule{A: from, B: to, Radius: tubeRadius, Label: labels[(n-1)/(tubePieces/2)]})
			}
			from = to
		}
	}
	last := trace[len(trace)-1]
	p.base(last, last.at)
}

// segment is a piece of a smooth curve: a cubic polynomial with the coefficients a, b, c and d of t³, t², t and 1.
type segment struct{ a, b, c, d geom.Vec3 }

// pointAt returns the point of the curve for t from 0 to 1. Every product is rounded separately, so the curve is
// the same on every machine.
func (s *segment) pointAt(t float64) geom.Vec3 {
	return s.d.AddScaled(t, s.c.AddScaled(t, s.b.AddScaled(t, s.a)))
}

// segmentOf returns the curve from point i to the next point. It is a centripetal Catmull-Rom spline, which passes
// through all points and makes no loops between them. At the ends of the trace, the curve continues straight.
//
// Source: Yuksel, Schaefer and Keyser, "Parameterization and applications of Catmull-Rom curves", Computer-Aided Design 43,
// 2011.
func segmentOf(trace []tracePoint, i int) segment {
	p1, p2 := trace[i].at, trace[i+1].at
	p0, p3 := p1.AddScaled(-1, p2.Sub(p1)), p2.AddScaled(1, p2.Sub(p1))
	if i > 0 {
		p0 = trace[i-1].at
	}
	if i+2 < len(trace) {
		p3 = trace[i+2].at
	}
	knot := func(a, b geom.Vec3) float64 { return math.Sqrt(b.Sub(a).Norm()) }
	t0, t1, t2 := knot(p0, p1), knot(p1, p2), knot(p2, p3)
	d := p2.Sub(p1)
	// The derivatives at both ends, for a parameter that runs from 0 to 1.
	m1, m2 := d, d
	if t0 > 0 && t1 > 0 {
		m1 = d.Add(p1.Sub(p0).Scale(t1 / t0)).Sub(p2.Sub(p0).Scale(t1 / (t0 + t1)))
	}
	if t2 > 0 && t1 > 0 {
		m2 = d.Add(p3.Sub(p2).Scale(t1 / t2)).Sub(p3.Sub(p1).Scale(t1 / (t1 + t2)))
	}
	return segment{
		a: m1.Add(m2).AddScaled(-2, d),
		b: d.Scale(3).AddScaled(-2, m1).Sub(m2),
		c: m1,
		d: p1,
	}
}
