package mesh

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // textures
	_ "image/png"  // textures
	"io"

	"pillbox/internal/convert/model"
	"pillbox/internal/osfile"
	"pillbox/shade"
)

// Limits of a texture.
const (
	maxTextureBytes  = 64 << 20
	maxTexturePixels = 1 << 24
)

// Texture returns the mean color, in linear light, of the picture in the first candidate that exists. Transparent pixels
// count by their alpha. The error describes the problem without naming the file.
func (l *Library) Texture(candidates ...string) (model.Color, error) {
	file, err := l.find(candidates)
	if err != nil {
		return "", err
	}
	r, ok := l.textures[file]
	if !ok {
		r.color, r.err = l.readTexture(file)
		if l.textures == nil {
			l.textures = make(map[string]textureResult)
		}
		l.textures[file] = r
	}
	return r.color, r.err
}

// textureResult is the result of reading a texture.
type textureResult struct {
	color model.Color
	err   error
}

func (l *Library) readTexture(file string) (model.Color, error) {
	data, err := l.contents(file, maxTextureBytes)
	if err != nil {
		return "", err
	}
	if head, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && int64(head.Width)*int64(head.Height) > maxTexturePixels {
		return "", fmt.Errorf("has %d x %d pixels: a texture must have at most %d", head.Width, head.Height, maxTexturePixels)
	}
	img, _, err := osfile.Decode(bytes.NewReader(data), int64(len(data)))
	if errors.Is(err, image.ErrFormat) {
		return "", errors.New("is neither a PNG nor a JPEG")
	}
	if err != nil {
		return "", fmt.Errorf("cannot be read: %w", err)
	}
	c, ok := meanColor(img)
	if !ok {
		return "", errors.New("is transparent")
	}
	return c, nil
}

// contents returns the contents of a file in the source's folder.
func (l *Library) contents(file string, most int64) ([]byte, error) {
	f, err := l.open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, errors.New("cannot be read")
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("must have at most %d MiB", most>>20)
	}
	return data, nil
}

// meanColor returns the mean color of a picture in linear light. It returns false if all pixels are transparent. It adds
// integers, so that the result does not depend on the order of pixels.
func meanColor(img image.Image) (model.Color, bool) {
	var weights [3][256]uint64 // of the values of each channel: the sum of alpha
	var total uint64
	var last color.NRGBA
	var count uint64 // of pixels with the color last, which are not yet in weights
	flush := func() {
		alpha := count * uint64(last.A)
		weights[0][last.R] += alpha
		weights[1][last.G] += alpha
		weights[2][last.B] += alpha
		total += alpha
		count = 0
	}
	at := pixelsOf(img)
	for bounds, y := img.Bounds(), img.Bounds().Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			if c := at(x, y); c != last {
				flush()
				last = c
			}
			count++
		}
	}
	flush()
	if total == 0 {
		return "", false
	}
	var mean [3]float64
	for k := range mean {
		for v, w := range weights[k] {
			gray := shade.FromSRGB8(uint8(v), 0, 0).R
			mean[k] += float64(gray * (float64(w) / float64(total)))
		}
	}
	return model.Linear(mean[0], mean[1], mean[2]), true
}

// pixelsOf returns a function that returns the color of a pixel, as [color.NRGBAModel] converts it. For the types of
// images that the decoders of PNG and JPEG return, the function allocates nothing.
func pixelsOf(img image.Image) func(x, y int) color.NRGBA {
	convert := func(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }
	switch img := img.(type) {
	case *image.NRGBA:
		return img.NRGBAAt
	case *image.RGBA:
		return func(x, y int) color.NRGBA {
			c := img.RGBAAt(x, y)
			if c.A == 0xff {
				return color.NRGBA(c)
			}
			return convert(c)
		}
	case *image.YCbCr:
		return func(x, y int) color.NRGBA {
			c := img.YCbCrAt(x, y)
			r, g, b := color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
			return color.NRGBA{r, g, b, 0xff}
		}
	case *image.Gray:
		return func(x, y int) color.NRGBA {
			gray := img.GrayAt(x, y).Y
			return color.NRGBA{gray, gray, gray, 0xff}
		}
	case *image.Paletted:
		var palette [256]color.NRGBA
		for i, c := range img.Palette[:min(len(img.Palette), len(palette))] {
			palette[i] = convert(c)
		}
		return func(x, y int) color.NRGBA { return palette[img.ColorIndexAt(x, y)] }
	}
	return func(x, y int) color.NRGBA { return convert(img.At(x, y)) }
}
