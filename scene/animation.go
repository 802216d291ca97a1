package scene

import (
	"math"
	"sort"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/shade"
)

// Animation describes the frames of a film of a scene. Frame i shows the scene that [Scene.At] returns
// for the time i / FPS.
type Animation struct {
	Duration float64 // seconds
	FPS      float64 // frames per second

	// Golden lists the times in seconds, ascending, for which there are accepted pictures, in addition
	// to the picture of the scene without a time.
	Golden []float64
}

// Frames returns the number of frames, at least 1.
func (a *Animation) Frames() int {
	return max(1, geom.ClampInt(math.Round(a.Duration*a.FPS), 0, MaxFrames))
}

// ease is how a value changes from one time to the next.
type ease int

const (
	easeLinear ease = iota
	easeSmooth
	easeStep
)

// eases returns the names of the values of ease, in their order.
func eases() []string { return []string{"linear", "smooth", "step"} }

// mixings returns the keys that tracks may change in tables with the given name, and how their values
// are interpolated. It returns nil if tracks cannot change these tables.
func mixings(table string) map[string]keytable.Mixing {
	var keys keytable.Description
	if k, ok := ParseKind(table); ok {
		keys = solidKeys(k)
	} else if keys = movable()[table]; keys == nil {
		return nil
	}
	all := make(map[string]keytable.Mixing)
	for _, k := range keys.Keys() {
		if !k.Fixed {
			all[k.Name] = k.Form.Mixing
		}
	}
	return all
}

// track is an [[animate]] table: the values of one key over time.
type track struct {
	table  keytable.Table
	target target
	key    string
	mixing keytable.Mixing
	times  []float64 // ascending
	values []any     // at these times, as [track.read] returns them
	ease   ease
}

// read returns a value in the form in which it is interpolated, or unchanged if it is not interpolated.
func (tr *track) read(key string, v any) any {
	t := tr.table
	switch tr.mixing {
	case keytable.MixNumbers:
		return t.Number(key, v, keytable.Finite())
	case keytable.MixVectors:
		return t.Vector(key, v, keytable.Finite())
	case keytable.MixQuaternions:
		return t.Numbers(key, v, 4, keytable.Finite())
	case keytable.MixColors:
		return t.Color(key, v)
	case keytable.MixAmbients:
		return readHemisphere(t, key, v)
	case keytable.MixBackgrounds:
		return readBackground(t, key, v)
	case keytable.MixDepths:
		return readFogDepth(t, key, v)
	}
	return v
}

// valueAt returns the track's value at a time in seconds, in a form that a table can hold. Before the first time
// it returns the first value, and after the last time the last value.
func (tr *track) valueAt(seconds float64) any {
	after := sort.Search(len(tr.times), func(i int) bool { return tr.times[i] > seconds })
	switch {
	case after == 0:
		return inTable(tr.values[0])
	case after == len(tr.times) || tr.ease == easeStep:
		return inTable(tr.values[after-1])
	}
	t0, t1 := tr.times[after-1], tr.times[after]
	u := (seconds - t0) / (t1 - t0)
	if tr.ease == easeSmooth {
		u = float64(float64(u*u) * (3 - float64(2*u)))
	}
	return inTable(tr.mix(tr.values[after-1], tr.values[after], u))
}

// mix interpolates from a to b; u goes from 0 at a to 1 at b.
func (tr *track) mix(a, b any, u float64) any {
	if a == b || u == 0 {
		return a // mixing would round
	}
	switch a := a.(type) {
	case float64:
		return mixNumber(a, b.(float64), u)
	case geom.Vec3:
		b := b.(geom.Vec3)
		return geom.Vec3{X: mixNumber(a.X, b.X, u), Y: mixNumber(a.Y, b.Y, u), Z: mixNumber(a.Z, b.Z, u)}
	case [4]float64:
		return mixQuaternion(a, b.([4]float64), u)
	case shade.Color:
		return a.Mix(b.(shade.Color), u)
	case shade.Gradient:
		return mixGradients(a, b.(shade.Gradient), u)
	case Background:
		return Background{Gradient: mixGradients(a.Gradient, b.(Background).Gradient, u)}
	case FogDepth:
		return FogDepth{Depth: mixNumber(a.Depth, b.(FogDepth).Depth, u)}
	}
	return a
}

func mixNumber(a, b, u float64) float64 {
	if a == b {
		return a
	}
	return float64(a*(1-u)) + float64(b*u)
}

func mixGradients(a, b shade.Gradient, u float64) shade.Gradient {
	return shade.Gradient{Top: a.Top.Mix(b.Top, u), Bottom: a.Bottom.Mix(b.Bottom, u)}
}

// mixQuaternion interpolates between the rotations a and b linearly and normalizes the result. A
// quaternion and its negative are the same rotation, so it first negates b if that makes the way
// shorter.
func mixQuaternion(a, b [4]float64, u float64) [4]float64 {
	a, b = unitQuaternion(a), unitQuaternion(b)
	if dot4(a, b) < 0 {
		for i := range b {
			b[i] = -b[i]
		}
	}
	for i := range a {
		a[i] = mixNumber(a[i], b[i], u)
	}
	return unitQuaternion(a)
}

// unitQuaternion normalizes a quaternion, without overflow or underflow. Zero remains zero.
func unitQuaternion(q [4]float64) [4]float64 {
	largest := max(math.Abs(q[0]), math.Abs(q[1]), math.Abs(q[2]), math.Abs(q[3]))
	if largest == 0 {
		return q
	}
	for i := range q {
		q[i] /= largest
	}
	length := math.Sqrt(dot4(q, q))
	for i := range q {
		q[i] /= length
	}
	return q
}

func dot4(a, b [4]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2]) + float64(a[3]*b[3])
}

// inTable returns an interpolated value in a form that a table can hold. Colors remain linear light.
func inTable(v any) any {
	switch v := v.(type) {
	case geom.Vec3:
		return []any{v.X, v.Y, v.Z}
	case [4]float64:
		return []any{v[0], v[1], v[2], v[3]}
	}
	return v
}
