package pngfile_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"pillbox/pngfile"
)

// ExampleEncoder encodes the upper rows of a picture while the lower rows are still being painted.
func ExampleEncoder() {
	img := image.NewNRGBA(image.Rect(0, 0, 200, 100))
	var file bytes.Buffer
	enc := pngfile.NewEncoder(&file, img, pngfile.Options{Color: pngfile.RGB})
	for y := range 100 {
		row := img.Pix[y*img.Stride:]
		for x := range 200 {
			copy(row[4*x:], []byte{byte(x), byte(2 * y), 128, 255})
		}
		enc.Rows(y + 1)
	}
	if err := enc.Close(); err != nil {
		fmt.Println(err)
		return
	}
	decoded, err := png.Decode(&file)
	fmt.Println(decoded.At(150, 40), err)
	// Output: {150 80 128 255} <nil>
}
