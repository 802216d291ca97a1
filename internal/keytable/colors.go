package keytable

import (
	"image/color"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"

	"pillbox/problem"
	"pillbox/shade"
)

// Color reads a color in any of its forms. All are sRGB.
func (t Table) Color(key string, v any) shade.Color {
	return t.ColorOr(key, v, `must be a color: "#rgb", "#rrggbb", a name or [r, g, b]`)
}

// ColorOr reads a color, for a key that also accepts other values. The caller must have checked that v is none of
// these. requirement describes all accepted values, for a message. words are other accepted words, which are
// suggested for misspelled ones.
func (t Table) ColorOr(key string, v any, requirement string, words ...string) shade.Color {
	switch v := v.(type) {
	case shade.Color: // from a track
		return v
	case []any:
		x := t.Numbers(key, v, 3, Fractions())
		return shade.FromSRGB(x[0], x[1], x[2])
	case string:
		if c, ok := ParseColor(v); ok {
			return c
		}
		if strings.HasPrefix(v, "#") {
			t.Wrong(key, problem.CodeBadColor, BadColor)
		} else {
			p := t.Wrong(key, problem.CodeUnknownColor, UnknownColor)
			if p.Suggestion = WithHash(v); p.Suggestion == "" {
				t.Report.Speller.Suggest(&p.Error, v, append(ColorNames(), words...))
			}
		}
		return shade.Color{}
	}
	t.WrongType(key, v, requirement)
	return shade.Color{}
}

// WithHash returns the color that a string means which has only its digits, such as #d1495b for d1495b or 0xd1495b. It
// returns "" for any other string.
func WithHash(s string) string {
	digits := "#" + strings.TrimPrefix(strings.TrimPrefix(s, "0x"), "0X")
	if _, ok := ParseColor(digits); !ok {
		return ""
	}
	return digits
}

// Messages for a string that is not a color.
const (
	BadColor     = "must have 3 or 6 hexadecimal digits"
	UnknownColor = "unknown color"
)

// Ambient reads a number, which is linear light, or a color.
func (t Table) Ambient(key string, v any) shade.Color {
	if _, ok := Number(v); ok {
		return shade.Gray(t.Number(key, v, Fractions()))
	}
	return t.ColorOr(key, v, "must be a number or a color")
}

// ParseColor returns the color of "#rgb", "#rrggbb" or a name. It returns false for any other text.
func ParseColor(s string) (shade.Color, bool) {
	digits, ok := strings.CutPrefix(s, "#")
	if !ok {
		c, ok := colornames.Map[s]
		if s == rebeccaPurple {
			c, ok = color.RGBA{0x66, 0x33, 0x99, 0xff}, true
		}
		return shade.FromSRGB8(c.R, c.G, c.B), ok
	}
	n, err := strconv.ParseUint(digits, 16, 24)
	switch {
	case err != nil:
		return shade.Color{}, false
	case len(digits) == 3:
		const twice = 0x11 // #abc is #aabbcc
		return shade.FromSRGB8(twice*uint8(n>>8), twice*uint8(n>>4&0xf), twice*uint8(n&0xf)), true
	case len(digits) == 6:
		return shade.FromSRGB8(uint8(n>>16), uint8(n>>8), uint8(n)), true
	}
	return shade.Color{}, false
}

// rebeccaPurple is the only name of CSS Color Module Level 4 that SVG 1.1 lacks. Package colornames contains the
// names of SVG 1.1.
const rebeccaPurple = "rebeccapurple"

// ColorNames returns the names of CSS colors, sorted.
func ColorNames() []string {
	names := append([]string{rebeccaPurple}, colornames.Names...)
	slices.Sort(names)
	return names
}
