package scene

import (
	"image/color"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"

	"pillbox/shade"
)

// color reads a color in any of its forms. All are sRGB.
func (t table) color(key string, v any) shade.Color {
	return t.colorOr(key, v, `must be a color: "#rgb", "#rrggbb", a name or [r, g, b]`)
}

// colorOr reads a color, for a key that also accepts other values. The caller must have checked that v is none of
// these. requirement describes all accepted values, for a message. words are other accepted words, which are
// suggested for misspelled ones.
func (t table) colorOr(key string, v any, requirement string, words ...string) shade.Color {
	switch v := v.(type) {
	case shade.Color: // from a track
		return v
	case []any:
		x := t.numbers(key, v, 3, fractions())
		return shade.FromSRGB(x[0], x[1], x[2])
	case string:
		if c, ok := parseColor(v); ok {
			return c
		}
		if strings.HasPrefix(v, "#") {
			t.wrong(key, CodeBadColor, badColor)
		} else {
			p := t.wrong(key, CodeUnknownColor, unknownColor)
			if p.Suggestion = withHash(v); p.Suggestion == "" {
				t.report.speller.suggest(&p.Error, v, append(colorNames(), words...))
			}
		}
		return shade.Color{}
	}
	t.wrongType(key, v, requirement)
	return shade.Color{}
}

// withHash returns the color that a string means which has only its digits, such as #d1495b for d1495b or 0xd1495b. It
// returns "" for any other string.
func withHash(s string) string {
	digits := "#" + strings.TrimPrefix(strings.TrimPrefix(s, "0x"), "0X")
	if _, ok := parseColor(digits); !ok {
		return ""
	}
	return digits
}

// Messages for a string that is not a color.
const (
	badColor     = "must have 3 or 6 hexadecimal digits"
	unknownColor = "unknown color"
)

// ambient reads a number, which is linear light, or a color.
func (t table) ambient(key string, v any) shade.Color {
	if _, ok := number(v); ok {
		return shade.Gray(t.number(key, v, fractions()))
	}
	return t.colorOr(key, v, "must be a number or a color")
}

// hemisphere reads uniform ambient light, or a table with the light on surfaces that face straight up and straight
// down.
func (t table) hemisphere(key string, v any) shade.Gradient {
	if g, ok := v.(shade.Gradient); ok { // from a track
		return g
	}
	if _, ok := number(v); ok {
		return shade.Even(t.ambient(key, v))
	}
	if values, ok := v.(map[string]any); ok {
		g, _, _ := hemisphereKeys().read(t.report.table(t.key(key)), values)
		return g
	}
	return shade.Even(t.colorOr(key, v, "must be a number, a color or { top = color, bottom = color }"))
}

func (t table) background(key string, v any) Background {
	if b, ok := v.(Background); ok { // from a track
		return b
	}
	if v == transparent {
		return Background{Transparent: true}
	}
	if values, ok := v.(map[string]any); ok {
		g, _, _ := gradientKeys().read(t.report.table(t.key(key)), values)
		return Background{Gradient: g}
	}
	c := t.colorOr(key, v, `must be a color, "transparent" or { top = color, bottom = color }`, transparent)
	return Background{Gradient: shade.Even(c)}
}

// transparent is the value of the key background for a picture with alpha.
const transparent = "transparent"

// parseColor returns the color of "#rgb", "#rrggbb" or a name. It returns false for any other text.
func parseColor(s string) (shade.Color, bool) {
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

// colorNames returns the names of CSS colors, sorted.
func colorNames() []string {
	names := append([]string{rebeccaPurple}, colornames.Names...)
	slices.Sort(names)
	return names
}
