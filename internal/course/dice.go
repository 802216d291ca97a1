package course

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"path/filepath"

	"pillbox/geom"
	"pillbox/internal/follow"
	"pillbox/internal/osfile"
)

// dice generates the random numbers of one question. Lengths and coordinates are short decimals where possible, so that a
// learner can calculate with them by hand.
type dice struct {
	*rand.Rand
	scale float64 // factor for lengths: 1, or a power of ten
	part  bool    // lengths are divided by scale instead of multiplied, which keeps decimals short

	id     int                // number of the question
	turn   int                // number of earlier questions of the same case and class
	folder string             // path of the questions' files; "" if none exist
	scenes []*follow.Prepared // the user's scenes for pictures

	picture func(name string) (image.Image, error) // reads a picture of the learner's program
}

// path returns the name of a file that belongs to the question.
func (d *dice) path(stem, extension string) string {
	return filepath.Join(d.folder, fmt.Sprintf("%s-%d%s", stem, d.id, extension))
}

// sceneFile returns the name of the question's scene file; "" if there is no folder.
func (d *dice) sceneFile() string {
	if d.folder == "" {
		return ""
	}
	return d.path("scene", ".toml")
}

// newDice returns the dice for question i.
func newDice(opt *Options, i int) *dice {
	d := &dice{Rand: rand.New(rand.NewPCG(opt.Seed, uint64(i))), scale: 1, id: i, folder: opt.Folder, scenes: opt.Scenes, picture: opt.Picture}
	if d.picture == nil {
		d.picture = osfile.ReadPNG
	}
	return d
}

// rescale sets the scale so that lengths are 10^3 to 10^13 times larger or smaller. Successive questions use the powers in
// turn.
func (d *dice) rescale() {
	scales := [...]float64{1e13, 1e3, 1e9, 1e6}
	d.scale = scales[d.turn/2%len(scales)]
	d.part = d.turn%2 == 0
}

// between returns a number from lo to hi with three decimals. lo and hi must have at most three.
func (d *dice) between(lo, hi float64) float64 {
	const places = 1000
	from, to := int(math.Round(lo*places)), int(math.Round(hi*places))
	return float64(from+d.IntN(to-from+1)) / places
}

// length returns a random length from lo to hi, times the question's scale.
func (d *dice) length(lo, hi float64) float64 {
	if d.part {
		return d.between(lo, hi) / d.scale
	}
	return d.between(lo, hi) * d.scale
}

// point returns a random point whose coordinates, before they are multiplied by the question's scale, are at most reach
// in magnitude.
func (d *dice) point(reach float64) geom.Vec3 {
	return geom.Vec3{X: d.length(-reach, reach), Y: d.length(-reach, reach), Z: d.length(-reach, reach)}
}

// direction returns a unit vector, uniformly distributed.
func (d *dice) direction() geom.Vec3 {
	for {
		v := geom.Vec3{X: 2*d.Float64() - 1, Y: 2*d.Float64() - 1, Z: 2*d.Float64() - 1}
		if n := v.Norm2(); n > 0.01 && n < 1 {
			return v.Unit()
		}
	}
}

// axis returns a unit vector along a coordinate axis, in either direction.
func (d *dice) axis() geom.Vec3 {
	all := geom.Identity()
	v := [...]geom.Vec3{all.X, all.Y, all.Z}[d.IntN(3)]
	if d.IntN(2) == 0 {
		return v.Neg()
	}
	return v
}

// across returns a random unit vector perpendicular to v.
func (d *dice) across(v geom.Vec3) geom.Vec3 {
	for {
		if w := v.Cross(d.direction()); w.Norm2() > 0.01 {
			return w.Unit()
		}
	}
}

// acrossAxis returns a unit vector along a coordinate axis, in either direction, that is perpendicular to v.
func (d *dice) acrossAxis(v geom.Vec3) geom.Vec3 {
	for {
		if w := d.axis(); w.Dot(v) == 0 {
			return w
		}
	}
}

// rotation returns the axes of a box. It returns no rotation in a quarter of the cases, and otherwise rotations about
// x, y and z by random multiples of 5 degrees.
func (d *dice) rotation() geom.Mat3 {
	if d.IntN(4) == 0 {
		return geom.Identity()
	}
	angle := func() geom.Angle { return geom.Angle(5 * d.IntN(72)) }
	return geom.RotationXYZ(angle(), angle(), angle())
}

// inBall returns a random point in a ball, away from its surface.
func (d *dice) inBall(center geom.Vec3, radius float64) geom.Vec3 {
	return center.AddScaled(0.85*radius*d.Float64(), d.direction())
}

// toward returns a ray from one point toward another; if they are equal, toward -z.
func toward(from, to geom.Vec3) geom.Ray {
	dir, ok := geom.Direction(to.Sub(from))
	if !ok {
		dir = geom.Vec3{Z: -1}
	}
	return geom.Ray{Origin: from, Dir: dir}
}
