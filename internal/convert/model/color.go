package model

import (
	"fmt"
	"math"

	"pillbox/shade"
)

// Color is a color as in a scene file, "#rrggbb" in sRGB. The empty string means no color.
type Color string

// RGB returns the color with the given sRGB channels, 0 to 1. It clamps other values, and treats NaN as 0.
func RGB(r, g, b float64) Color {
	return rgb8(channel(r), channel(g), channel(b))
}

// rgb8 returns the color with the given sRGB channels.
func rgb8(r, g, b uint8) Color { return Color(fmt.Sprintf("#%02x%02x%02x", r, g, b)) }

// Bytes returns the channels of a color that [RGB] or [Linear] returned, from 0 to 255.
func (c Color) Bytes() (rgb [3]uint8) {
	fmt.Sscanf(string(c), "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2])
	return rgb
}

// Linear returns the color closest to the given linear channels, 0 to 1. It clamps other values.
func Linear(r, g, b float64) Color {
	c := shade.Color{R: r, G: g, B: b}.Clamp()
	return rgb8(shade.EncodeSRGB8(c.R), shade.EncodeSRGB8(c.G), shade.EncodeSRGB8(c.B))
}

func channel(x float64) uint8 {
	if !(x > 0) {
		return 0
	}
	return uint8(math.Floor(float64(min(x, 1)*0xff) + 0.5))
}
