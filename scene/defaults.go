package scene

// DefaultFPS is the default number of frames per second of an animation.
const DefaultFPS = 30.0

// Defaults of several keys, with the types of values in a file.
const (
	defaultColor         = "#cccccc"
	defaultInk           = "black" // of texts and lines
	defaultAmbient       = 0.1
	defaultSamples int64 = 16
	defaultTop           = "#9cc3f0"
	defaultBottom        = "#f2f6fb"
)
