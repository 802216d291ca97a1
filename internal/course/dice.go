package course

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	"pillbox/geom"
	"pillbox/internal/follow"
)

// dice makes the numbers of one question. Numbers are short decimals, so that a learner can work with
// them by hand.
type dice struct {
	*rand.Rand
	scale float64 // of lengths: 1, or some power of ten
	part  bool    // lengths are divided by it instead, which keeps decimals short

	id     int                // of the question
	turn   int                // how many questions of the same case and class come before it
	folder string             // where files of questions are, "" if nowhere
	scenes []*follow.Prepared // of the user, for pictures
}

// path returns the name of a file of the question.
func (d *dice) path(stem, extension string) string {
	return filepath.Join(d.folder, fmt.Sprintf("%s-%d%s", stem, d.id, extension))
}

// sceneFile returns the name of the question's scene, "" if there is no folder for it.
func (d *dice) sceneFile() string {
	if d.folder == "" {
		return ""
	}
	return d.path("scene", ".toml")
}

// newDice returns the dice of question i.
func newDice(opt *Options, i int) *dice {
	return &dice{Rand: rand.New(rand.NewPCG(opt.Seed, uint64(i))), scale: 1, id: i, folder: opt.Folder, scenes: opt.Scenes}
}

// rescale makes lengths 10^3 to 10^13 times larger or smaller, each in turn.
func (d *dice) rescale() {
	scales := [...]float64{1e13, 1e3, 1e9, 1e6}
	d.scale = scales[d.turn/2%len(scales)]
	d.part = d.turn%2 == 0
}

// between returns a number of three decimals from lo to hi, which have three at most.
func (d *dice) between(lo, hi float64) float64 {
	const places = 1000
	from, to := int(math.Round(lo*places)), int(math.Round(hi*places))
	return float64(from+d.IntN(to-from+1)) / places
}

// length is between, scaled.
func (d *dice) length(lo, hi float64) float64 {
	if d.part {
		return d.between(lo, hi) / d.scale
	}
	return d.between(lo, hi) * d.scale
}

// point returns a point with coordinates of at most reach in magnitude, scaled.
func (d *dice) point(reach float64) geom.Vec3 {
	return geom.Vec3{X: d.length(-reach, reach), Y: d.length(-reach, reach), Z: d.length(-reach, reach)}
}

// direction returns a unit vector, all directions alike.
func (d *dice) direction() geom.Vec3 {
	for {
		v := geom.Vec3{X: 2*d.Float64() - 1, Y: 2*d.Float64() - 1, Z: 2*d.Float64() - 1}
		if n := v.Norm2(); n > 0.01 && n < 1 {
			return v.Unit()
		}
	}
}

// axis returns a unit vector along or against a coordinate axis.
func (d *dice) axis() geom.Vec3 {
	all := geom.Identity()
	v := [...]geom.Vec3{all.X, all.Y, all.Z}[d.IntN(3)]
	if d.IntN(2) == 0 {
		return v.Neg()
	}
	return v
}

// across returns a unit vector perpendicular to a unit vector.
func (d *dice) across(v geom.Vec3) geom.Vec3 {
	for {
		if w := v.Cross(d.direction()); w.Norm2() > 0.01 {
			return w.Unit()
		}
	}
}

// acrossAxis returns a coordinate axis, either way, perpendicular to another.
func (d *dice) acrossAxis(v geom.Vec3) geom.Vec3 {
	for {
		if w := d.axis(); w.Dot(v) == 0 {
			return w
		}
	}
}

// rotation returns the axes of a box: half of them turned anyhow, some by quarter turns alone.
func (d *dice) rotation() geom.Mat3 {
	if d.IntN(4) == 0 {
		return geom.Identity()
	}
	angle := func() geom.Angle { return geom.Angle(5 * d.IntN(72)) }
	return geom.RotationXYZ(angle(), angle(), angle())
}

// inBall returns a point within a radius of another, not near the surface.
func (d *dice) inBall(center geom.Vec3, radius float64) geom.Vec3 {
	return center.AddScaled(0.85*radius*d.Float64(), d.direction())
}

// toward returns a ray from a point to another one, which differs from it.
func toward(from, to geom.Vec3) geom.Ray {
	dir, ok := geom.Direction(to.Sub(from))
	if !ok {
		dir = geom.Vec3{Z: -1}
	}
	return geom.Ray{Origin: from, Dir: dir}
}
