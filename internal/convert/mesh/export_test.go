package mesh

// For tests.
const (
	MaxFiles         = maxFiles
	MaxTexturePixels = maxTexturePixels
)

// Functions for tests.
var (
	PixelsOf  = pixelsOf
	MeanColor = meanColor
)

// SetOpened makes the library count n files as opened.
func (l *Library) SetOpened(n int) { l.opened = n }
