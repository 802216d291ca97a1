package osfile

import (
	"image"
	"io"
)

// DecodeWithin is Decode with another limit of pixels, for tests.
func DecodeWithin(r io.ReaderAt, size int64, maxPixels int) (image.Image, string, error) {
	return decode(r, size, func(image.Config, int64) (int, string) { return maxPixels, "in all" })
}
