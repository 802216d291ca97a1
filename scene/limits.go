package scene

import (
	"fmt"
	"math"

	"pillbox/geom"
	"pillbox/internal/sampler"
)

// MaxBytes is the largest size of a scene file, enough for about two million tables of solids. Bulk
// files can hold more solids and are read many times faster.
const MaxBytes = 1 << 29

// Limits of the numbers in a scene file, besides those of package geom.
const (
	MaxSide       = 1 << 15 // largest width and height of a picture, in pixels
	MaxPixels     = 1 << 28 // largest number of pixels of a picture
	MaxAntialias  = 16
	MaxBounces    = 16
	MaxSamples    = sampler.MaxPoints // largest number of points of a light with a size, and of directions of ambient occlusion
	MaxIntensity  = 1e15              // largest intensity of a light
	MinCone       = 0.01              // smallest cone of a spot light, in degrees: rounding a cosine moves its border by at most 1e-9 degrees
	MaxCone       = 180.0             // largest cone of a spot light, in degrees
	MaxLightAngle = 180.0             // largest angle of a directional light, in degrees: the whole sky

	MaxName            = 1000       // largest number of characters in the name of a solid, light, placement, part or material
	MaxAllowedOverlaps = 64         // largest number of pairs of patterns
	MaxPlaced          = 10_000_000 // largest number of solids that all placements together may make
	MaxPlacedNames     = 1 << 26    // largest number of bytes of the names of solids and lights that all placements together may make
	MaxPlacedLights    = 10_000     // largest number of lights that all placements together may make
	MaxNesting         = 32         // largest depth of nested placements
	MaxFrames          = 1 << 20    // of an animation
	MaxGoldens         = 1000       // largest number of times in [Animation.Golden]
	MaxSeconds         = 1e6        // largest duration of an animation
	MaxFPS             = 1000       // largest number of frames per second

	DefaultFPS = 30.0 // of an animation
)

// formatVersion is the only value that the key "format" accepts.
const formatVersion int64 = 1

// Defaults of several keys, with the types of values in a file.
const (
	defaultColor         = "#cccccc"
	defaultInk           = "black" // of texts and lines
	defaultAmbient       = 0.1
	defaultSamples int64 = 16
	defaultTop           = "#9cc3f0"
	defaultBottom        = "#f2f6fb"
)

// limits are the smallest and the largest number that a key accepts.
type limits struct {
	min, max float64
	open     bool // whether min and max themselves are excluded
}

func sides() limits       { return limits{min: 1, max: MaxSide} }
func lineWidths() limits  { return limits{min: 0.1, max: MaxLettering} }
func dashLengths() limits { return limits{min: 0.1, max: MaxSide} }
func antialiases() limits { return limits{min: 1, max: MaxAntialias} }
func bounces() limits     { return limits{min: 0, max: MaxBounces} }
func samples() limits     { return limits{min: 1, max: MaxSamples} }
func lightRadii() limits  { return limits{min: 0, max: geom.MaxSize} }
func lightAngles() limits { return limits{min: 0, max: MaxLightAngle} }
func counts() limits      { return limits{min: 1, max: MaxPlaced} }
func fractions() limits   { return limits{min: 0, max: 1} }
func intensities() limits { return limits{min: 0, max: MaxIntensity} }
func cones() limits       { return limits{min: MinCone, max: MaxCone} }
func edges() limits       { return limits{min: 0, max: MaxCone / 2} }
func fovs() limits        { return limits{min: 0, max: 180, open: true} }
func depths() limits      { return limits{min: 0, max: geom.MaxCoordinate} }
func sizes() limits       { return limits{min: geom.MinSize, max: geom.MaxSize} }
func moments() limits     { return limits{min: 0, max: MaxSeconds} }
func durations() limits   { return limits{min: 1e-6, max: MaxSeconds} }
func rates() limits       { return limits{min: 1e-3, max: MaxFPS} }
func coordinates() limits { return limits{min: -geom.MaxCoordinate, max: geom.MaxCoordinate} }
func finite() limits      { return limits{min: -math.MaxFloat64, max: math.MaxFloat64} }

func (l limits) contain(x float64) bool {
	if l.open {
		return l.min < x && x < l.max
	}
	return l.min <= x && x <= l.max
}

// requirement describes the limits, for a message about x, which is outside of them.
func (l limits) requirement(x float64) string {
	switch isFinite := !math.IsNaN(x) && !math.IsInf(x, 0); {
	case l == sizes() && !(isFinite && x > 0):
		return "must be positive and finite"
	case !isFinite:
		return "must be finite"
	case l.open:
		return fmt.Sprintf("must be greater than %g and less than %g", l.min, l.max)
	}
	return fmt.Sprintf("must lie between %g and %g", l.min, l.max)
}
