package scene

import (
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/osfile"
	"pillbox/internal/sampler"
)

// MaxBytes is the largest size of a scene file, enough for about two million tables of solids. Bulk
// files can hold more solids and are read many times faster.
const MaxBytes = 1 << 29

// Limits of the numbers in a scene file, besides those of package geom.
const (
	MaxSide       = osfile.MaxSide   // largest width and height of a picture, in pixels
	MaxPixels     = osfile.MaxPixels // largest number of pixels of a picture
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
)

// formatVersion is the only value that the key "format" accepts.
const formatVersion int64 = 1

func sides() keytable.Limits       { return keytable.Limits{Min: 1, Max: MaxSide} }
func lineWidths() keytable.Limits  { return keytable.Limits{Min: 0.1, Max: MaxLettering} }
func dashLengths() keytable.Limits { return keytable.Limits{Min: 0.1, Max: MaxSide} }
func antialiases() keytable.Limits { return keytable.Limits{Min: 1, Max: MaxAntialias} }
func bounces() keytable.Limits     { return keytable.Limits{Min: 0, Max: MaxBounces} }
func samples() keytable.Limits     { return keytable.Limits{Min: 1, Max: MaxSamples} }
func lightRadii() keytable.Limits  { return keytable.Limits{Min: 0, Max: geom.MaxSize} }
func lightAngles() keytable.Limits { return keytable.Limits{Min: 0, Max: MaxLightAngle} }
func counts() keytable.Limits      { return keytable.Limits{Min: 1, Max: MaxPlaced} }
func intensities() keytable.Limits { return keytable.Limits{Min: 0, Max: MaxIntensity} }
func cones() keytable.Limits       { return keytable.Limits{Min: MinCone, Max: MaxCone} }
func edges() keytable.Limits       { return keytable.Limits{Min: 0, Max: MaxCone / 2} }
func fovs() keytable.Limits        { return keytable.Limits{Min: 0, Max: 180, Open: true} }
func depths() keytable.Limits      { return keytable.Limits{Min: 0, Max: geom.MaxCoordinate} }
func moments() keytable.Limits     { return keytable.Limits{Min: 0, Max: MaxSeconds} }
func durations() keytable.Limits   { return keytable.Limits{Min: 1e-6, Max: MaxSeconds} }
func rates() keytable.Limits       { return keytable.Limits{Min: 1e-3, Max: MaxFPS} }
