package molecule

import (
	"fmt"

	"pillbox/geom"
	"pillbox/internal/convert/model"
)

// rampSteps is the number of colors of a ramp. Each color that is used is a material of the scene.
const rampSteps = 32

// rampColor returns the color at a place of the ramp, from 0 to 1: from dark violet-blue over green to bright yellow.
// Its lightness in the color space Oklab grows evenly. So the order of the colors is visible in a gray picture, and
// with any kind of color vision.
func rampColor(t float64) model.Color {
	const (
		dark, bright   = 0.45, 0.93 // lightness
		violet, yellow = 285, 105   // hue in degrees
		chroma         = 0.14
	)
	mix := func(a, b float64) float64 { return a + float64(t*(b-a)) }
	sin, cos := geom.Angle(mix(violet, yellow)).SinCos()
	return oklab(mix(dark, bright), float64(chroma*cos), float64(chroma*sin))
}

// oklab returns a color of the color space Oklab, with its channels clamped to the range of sRGB. Source: Ottosson, "A
// perceptual color space for image processing", 2020.
func oklab(lightness, a, b float64) model.Color {
	cone := func(ka, kb float64) float64 {
		x := lightness + float64(ka*a) + float64(kb*b)
		return float64(x * float64(x*x))
	}
	l, m, s := cone(0.3963377774, 0.2158037573), cone(-0.1055613458, -0.0638541728), cone(-0.0894841775, -1.2914855480)
	channel := func(kl, km, ks float64) float64 { return float64(kl*l) + float64(km*m) + float64(ks*s) }
	return model.Linear(
		channel(4.0767416621, -3.3077115913, 0.2309699292),
		channel(-1.2684380046, 2.6097574011, -0.3413193965),
		channel(-0.0041960863, -0.7034186147, 1.7076147010))
}

// ramp maps numbers from low to high to materials.
type ramp struct {
	low, high float64
	name      func(step int) string
	labels    [rampSteps]model.Label
}

// label returns the material for a number. The first use of a material adds it to the scene.
func (r *ramp) label(s *model.Scene, x float64) model.Label {
	step := 0
	if r.high > r.low {
		step = geom.ClampInt(float64((x-r.low)/(r.high-r.low)*rampSteps), 0, rampSteps-1)
	}
	if r.labels[step].Material == "" {
		name := r.name(step)
		r.labels[step].Material = name
		s.Materials = append(s.Materials, model.Material{Name: name, Color: rampColor(float64(step) / (rampSteps - 1))})
	}
	return r.labels[step]
}

// positionRamp returns a ramp for the positions of residues in their chains, from 0 to 1.
func positionRamp() *ramp {
	return &ramp{low: 0, high: 1, name: func(step int) string { return fmt.Sprintf("position %d of %d", step+1, rampSteps) }}
}

// bFactorRamp returns a ramp for the B-factors of the atoms, from the smallest to the largest.
func (m *molecule) bFactorRamp() *ramp {
	r := &ramp{low: m.atoms[0].bFactor, high: m.atoms[0].bFactor}
	for i := range m.atoms {
		r.low, r.high = min(r.low, m.atoms[i].bFactor), max(r.high, m.atoms[i].bFactor)
	}
	r.name = func(step int) string {
		at := func(n int) float64 { return r.low + float64((r.high-r.low)*float64(n)/rampSteps) }
		return fmt.Sprintf("B-factor %.4g to %.4g", at(step), at(step+1))
	}
	return r
}

// positions returns the position of each residue in its chain, from 0 to 1, and -1 for residues that are not monomers.
func (m *molecule) positions() []float64 {
	type chain struct{ name, unit string }
	members := make(map[chain][]int)
	at := make([]float64, len(m.residues))
	inFile := len(m.residues) - len(m.original)
	for i := range inFile {
		at[i] = -1
		if m.classes[i]&polymer != 0 {
			c := chain{m.residues[i].chain, m.residues[i].unit}
			members[c] = append(members[c], i)
		}
	}
	for _, list := range members {
		for n, i := range list {
			at[i] = float64(n) / float64(max(1, len(list)-1))
		}
	}
	for i, r := range m.original {
		at[inFile+i] = at[r]
	}
	return at
}
