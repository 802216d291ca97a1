package sampler

import "pillbox/geom"

// Directions are unit vectors for the points of a set. They are stored component by component, so that vector kernels can
// compute them. The zero value is empty.
type Directions struct {
	X, Y, Z []float64

	// Sectors contains, for each direction in a hemisphere, the number of its sector, 0 to [Sectors] - 1.
	Sectors []int32

	// Heights contains, for each direction in a cap, the cosine of its angle to the axis, as [Cap] computes it.
	Heights []float64
}

// Sectors is the number of sectors of a hemisphere. Weighted by the cosine of the angle to the normal, all sectors are
// equally large. So a set with at least Sectors points has equally many points in each sector.
const Sectors = sectorSide * sectorSide

const sectorSide = 4

// kernelPoints is the number of points that kernels compute at a time.
const kernelPoints = 8

// resize sets the number of directions to n. The slices have a capacity of at least n, rounded up to a multiple of
// kernelPoints.
func (d *Directions) resize(n int) {
	if len(d.X) == n {
		return
	}
	if room := (n + kernelPoints - 1) &^ (kernelPoints - 1); cap(d.X) < room {
		d.X, d.Y, d.Z = make([]float64, room), make([]float64, room), make([]float64, room)
		d.Sectors, d.Heights = make([]int32, room), make([]float64, room)
	}
	d.X, d.Y, d.Z, d.Sectors, d.Heights = d.X[:n], d.Y[:n], d.Z[:n], d.Sectors[:n], d.Heights[:n]
}

// At returns direction k.
func (d *Directions) At(k int) geom.Vec3 { return geom.Vec3{X: d.X[k], Y: d.Y[k], Z: d.Z[k]} }

// Set sets direction k to v. It does not change Sectors and Heights.
func (d *Directions) Set(k int, v geom.Vec3) { d.X[k], d.Y[k], d.Z[k] = v.X, v.Y, v.Z }

// Truncate keeps only the first n directions. n must not exceed their number.
func (d *Directions) Truncate(n int) { d.resize(n) }

// Hemisphere stores in d the first n directions of the set above a surface, and their sectors. Each direction is the
// result of the function [Hemisphere] for a point of the set, rotated by the frame.
func (s Set) Hemisphere(n int, frame *geom.Mat3, d *Directions) {
	d.resize(n)
	if hemisphere(s, n, frame, d) {
		return
	}
	for k := range n {
		u, v := s.Point(k)
		d.Set(k, frame.MulVec(Hemisphere(u, v)))
		d.Sectors[k] = int32(sectorOf(u)*sectorSide + sectorOf(v))
	}
}

// sectorOf divides the interval from 0 to 1 into sectorSide equal parts and returns the index of the part that contains
// x.
func sectorOf(x float64) int { return geom.ClampInt(x*sectorSide, 0, sectorSide-1) }

// Cap stores in d the first n directions of the set toward a light, and their heights. Each direction is the result of
// the function [Cap] for a point of the set, rotated by the frame and made a unit vector again.
func (s Set) Cap(n int, frame *geom.Mat3, oneMinusCos float64, d *Directions) {
	d.resize(n)
	if spherical(s, n, frame, oneMinusCos, d) {
		return
	}
	for k := range n {
		u, v := s.Point(k)
		local := Cap(u, v, oneMinusCos)
		d.Heights[k] = local.Z
		d.Set(k, frame.MulVec(local).Unit())
	}
}
