package shade

import (
	"math"
	"strings"

	"pillbox/geom"
)

// Colormap assigns colors to the numbers from 0 to 1, as a list of sRGB colors at equal distances, between which it
// interpolates. The zero Colormap is black.
type Colormap struct {
	name   string
	colors string // sRGB, each #rrggbb without the #, separated by spaces
}

// colormaps lists the color maps. The first two are every eighth color of the 256 of viridis and magma by N. Smith and
// S. van der Walt (2015), which are in the public domain (CC0). coolwarm is computed by the formula of K. Moreland,
// "Diverging Color Maps for Scientific Visualization", ISVC 2009, between the colors (59, 76, 192) and (180, 4, 38).
// People with impaired color vision can read all of them.
var colormaps = [...]Colormap{
	{"viridis", "440154 470d60 48186a 482374 472d7b 453781 424086 3e4989 3b528b 375b8d 33638d 2f6b8e 2c728e 297a8e 26828e 23898e 21908c " +
		"1f978b 1f9f88 21a685 27ad81 31b57b 3ebc74 4dc26c 5cc863 6ece58 82d34d 95d840 aadc32 c0df25 d5e21a eae51a fde725"},
	{"magma", "000004 030312 0a0822 130d34 1d1147 29115a 36106b 440f76 50127c 5d177f 691c81 762181 822681 8f2a81 9c2e7f a9337d b6367a " +
		"c33b75 cf4070 db476a e65164 ee5c5e f46a5c f9785d fb8861 fd9668 fea571 feb47b fec287 fed194 fde0a1 fceeb0 fcfdbf"},
	{"coolwarm", "3b4cc0 445acc 4e68d7 5875e1 6282ea 6c8ef1 779af7 82a5fb 8db0fe 98b9ff a3c2fe aec9fd b8d0f9 c2d5f4 ccd9ee d5dbe6 dddddd " +
		"e5d8d1 ecd3c6 f1ccb9 f5c4ad f7bba0 f7b194 f7a687 f49a7b f18d6f ec7f63 e57057 de614c d55042 cb3e38 c0282f b40426"},
}

// Colormaps returns the color maps, the default first.
func Colormaps() []Colormap { return colormaps[:] }

// Name returns the name of the map.
func (c Colormap) Name() string { return c.name }

// At returns the color of x, interpolated in sRGB. Numbers outside 0 to 1 have the color of the nearer end; NaN counts
// as 0.
func (c Colormap) At(x float64) Color {
	channels := c.srgb(x)
	return FromSRGB(channels[0]/255, channels[1]/255, channels[2]/255)
}

// SRGB8 returns the color of x as sRGB with 8 bits per channel, rounded to the nearest values.
func (c Colormap) SRGB8(x float64) (r, g, b uint8) {
	var rounded [3]uint8
	for i, channel := range c.srgb(x) {
		rounded[i] = uint8(geom.ClampInt(channel+0.5, 0, 255))
	}
	return rounded[0], rounded[1], rounded[2]
}

// srgb returns the channels of the color of x, from 0 to 255.
func (c Colormap) srgb(x float64) (channels [3]float64) {
	const stride = len("rrggbb ")
	last := len(c.colors) / stride // as many colors as spaces, and one
	if c.colors == "" {
		return channels
	}
	at := float64(clamp(x) * float64(last))
	i := geom.ClampInt(math.Floor(at), 0, last-1)
	f := at - float64(i)
	for k := range channels {
		from, to := c.channel(i*stride+2*k), c.channel((i+1)*stride+2*k)
		channels[k] = from + float64((to-from)*f)
	}
	return channels
}

// channel returns the channel whose digits begin at an offset.
func (c Colormap) channel(at int) float64 {
	const digits = "0123456789abcdef"
	return float64(16*strings.IndexByte(digits, c.colors[at]) + strings.IndexByte(digits, c.colors[at+1]))
}
