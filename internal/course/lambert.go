package course

import (
	"encoding/json"
	"fmt"
	"math"

	"pillbox/geom"
	"pillbox/shade"
)

// lightFields are the fields of a light in a question. It has either a position or a direction.
type lightFields struct {
	Position  *triple `json:"position,omitempty"`
	Direction *triple `json:"direction,omitempty"` // in which the light travels, unit length
	Color     string  `json:"color"`               // "#rrggbb", sRGB
	Intensity float64 `json:"intensity"`
}

// lightFieldsOf returns the fields of a light, and false if its color does not have 8 bits per channel.
func lightFieldsOf(l *shade.Light) (lightFields, bool) {
	color, ok := hexOf(l.Color)
	f := lightFields{Color: color, Intensity: l.Intensity}
	if l.Directional {
		d := tripleOf(l.Direction)
		f.Direction = &d
	} else {
		p := tripleOf(l.Position)
		f.Position = &p
	}
	return f, ok
}

// hexOf formats a color as #rrggbb. It returns false if the color does not have 8 bits per channel.
func hexOf(c shade.Color) (string, bool) {
	r, g, b, ok := c.ExactSRGB8()
	return fmt.Sprintf("#%02x%02x%02x", r, g, b), ok
}

// lights are lights in a question.
type lights []shade.Light

// MarshalJSON encodes the lights as objects.
func (all lights) MarshalJSON() ([]byte, error) {
	list := make([]lightFields, len(all))
	for i := range all {
		var ok bool
		if list[i], ok = lightFieldsOf(&all[i]); !ok {
			return nil, fmt.Errorf("light %d: the course supports only colors with 8 bits per channel", i)
		}
	}
	return json.Marshal(list)
}

// toml formats the lights as tables of a scene.
func (all lights) toml() string {
	text := ""
	for _, l := range all {
		hex, _ := hexOf(l.Color)
		text += "[[light]]\n"
		if l.Directional {
			text += "direction = " + tomlVec(l.Direction)
		} else {
			text += "position = " + tomlVec(l.Position)
		}
		text += fmt.Sprintf("\ncolor = %q\nintensity = %s\n", hex, numberText(l.Intensity))
	}
	return text
}

// anyColor returns a color with 8 bits per channel; each channel is at least least.
func (d *dice) anyColor(least int) shade.Color {
	c := func() uint8 { return uint8(least + d.IntN(256-least)) }
	return shade.FromSRGB8(c(), c(), c())
}

// anyLights returns n lights with intensities from 0.2/n to 0.9/n. The distance of a point light from the point around
// is 0.5 to 1.5 times reach.
func (d *dice) anyLights(n int, around geom.Vec3, reach float64) lights {
	all := make(lights, n)
	for i := range all {
		all[i] = shade.Light{Color: d.anyColor(120), Intensity: d.between(0.2, 0.9) / float64(n)}
		if d.IntN(2) == 0 {
			all[i].Directional, all[i].Direction = true, d.direction()
		} else {
			all[i].Position = around.AddScaled(reach*d.between(0.5, 1.5), d.direction())
		}
	}
	return all
}

// lambertQuestion is a point on a surface, its normal, and lights.
type lambertQuestion struct {
	albedo        shade.Color
	ambient       float64
	lights        lights
	normal, point geom.Vec3
}

// MarshalJSON encodes the question as docs/course/protocol.md describes it.
func (q *lambertQuestion) MarshalJSON() ([]byte, error) {
	hex, _ := hexOf(q.albedo)
	return json.Marshal(struct {
		Albedo  string  `json:"albedo"`
		Ambient float64 `json:"ambient"`
		Lights  lights  `json:"lights"`
		Normal  triple  `json:"normal"`
		Point   triple  `json:"point"`
	}{hex, q.ambient, q.lights, tripleOf(q.normal), tripleOf(q.point)})
}

// colorAnswer is an answer in the stage lambert: a color, both linear and as stored in a picture.
type colorAnswer struct {
	R, G, B float64 `course:"unit"`
	SRGB    []int
}

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (s colorAnswer) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"color": finite(triple{s.R, s.G, s.B}), "srgb": s.SRGB})
}

// lambertStage returns the stage about the color of a lit point.
func lambertStage() kind {
	ask1 := func(spoil func(d *dice, q *lambertQuestion)) func(d *dice) lambertQuestion {
		return func(d *dice) lambertQuestion {
			q := lambertQuestion{albedo: d.anyColor(0), ambient: d.between(0, 0.3), normal: d.direction(), point: d.point(5)}
			q.lights = d.anyLights(1+d.IntN(3), q.point, d.length(2, 6))
			spoil(d, &q)
			return q
		}
	}
	first := func(q *lambertQuestion, n geom.Vec3) { // sets the direction from the point to the first light
		q.lights[0].Directional, q.lights[0].Direction = true, n.Neg()
	}
	return &stageOf[lambertQuestion, colorAnswer]{
		asks: []ask[lambertQuestion]{
			{Ordinary, "any lights", ask1(func(*dice, *lambertQuestion) {})},
			{Ordinary, "lit from the front", ask1(func(d *dice, q *lambertQuestion) {
				first(q, q.normal.AddScaled(0.5, d.direction()).Unit())
			})},
			{Degenerate, "all lights behind", ask1(func(d *dice, q *lambertQuestion) {
				for i := range q.lights {
					q.lights[i].Directional, q.lights[i].Direction = true, q.normal.AddScaled(0.5, d.direction()).Unit()
				}
			})},
			{Degenerate, "straight from the front", ask1(func(_ *dice, q *lambertQuestion) { first(q, q.normal) })},
			{Degenerate, "along the surface", ask1(func(d *dice, q *lambertQuestion) {
				q.normal = d.axis()
				first(q, d.acrossAxis(q.normal))
			})},
			{Degenerate, "more than a picture can show", ask1(func(d *dice, q *lambertQuestion) {
				q.albedo = d.anyColor(200)
				first(q, q.normal.AddScaled(0.5, d.direction()).Unit())
				q.lights[0].Intensity = 3
			})},
			{Degenerate, "dark colors", ask1(func(d *dice, q *lambertQuestion) {
				q.albedo = shade.FromSRGB8(uint8(d.IntN(14)), uint8(d.IntN(14)), uint8(d.IntN(14)))
			})},
			{Degenerate, "between two steps of 8 bits", func(d *dice) lambertQuestion {
				// White in ambient light alone, just above or below the boundary between two 8-bit values. Many questions
				// are near the end of the linear part of the sRGB curve.
				step := [...]int{10, 1, 11, 9, 10, 12, 5, 10}[d.turn/2%8] // many at the end of the curve's line
				if d.turn%4 == 0 {
					step = d.IntN(255)
				}
				middle := (float64(step) + 0.5) / 255
				middle = shade.FromSRGB(middle, middle, middle).R
				return lambertQuestion{albedo: shade.White(), ambient: middle * (1 + d.nearMiss()), lights: lights{}, normal: d.direction(), point: d.point(5)}
			}},
			{Degenerate, "no light", ask1(func(_ *dice, q *lambertQuestion) { q.lights = lights{} })},
		},
		solve: solveLambert,
		read: func(_ *lambertQuestion, r *reader) colorAnswer {
			c := r.vec("color")
			s := colorAnswer{R: c.X, G: c.Y, B: c.Z, SRGB: make([]int, 3)}
			for i, x := range r.numbers("srgb", 3, "") {
				if x != math.Trunc(x) || math.Abs(x) > 1e6 {
					r.fail(fmt.Sprintf("srgb[%d]", i), "must be a whole number from 0 to 255, got %g", x)
					x = 0
				}
				s.SRGB[i] = int(x)
			}
			return s
		},
		judge:   judgeLambert,
		scale:   func(*lambertQuestion) float64 { return 1 },
		derive:  deriveLambert,
		keepers: lambertKeepers(), features: lambertFeatures(), pixels: lambertPixels(),
		books: books[lambertQuestion, colorAnswer]{lesson: "lambert.md", styles: 1, run: (*program).lambert},
	}
}

func solveLambert(q *lambertQuestion) colorAnswer {
	sum := shade.Gray(q.ambient)
	for i := range q.lights {
		l := &q.lights[i]
		dir, _ := l.Toward(q.point)
		sum = sum.Add(l.Color.Scale(l.Intensity).Scale(max(0, q.normal.Dot(dir))))
	}
	c := shade.Lambert(q.albedo, sum)
	encode := func(x float64) int { return int(shade.EncodeSRGB8(x)) }
	return colorAnswer{c.R, c.G, c.B, []int{encode(c.R), encode(c.G), encode(c.B)}}
}

// judgeLambert judges a color relative to the total light. The tolerance for each light accounts for the digits that its
// cosine loses if the light is far away.
func judgeLambert(q *lambertQuestion, given colorAnswer) *problem {
	want := solveLambert(q)
	most := q.ambient
	for i := range q.lights {
		l := &q.lights[i]
		loss := 1.0
		if dir, reach := l.Toward(q.point); !l.Directional && dir != (geom.Vec3{}) {
			loss += 4 * max(q.point.MaxAbs(), l.Position.MaxAbs()) / reach
		}
		most += l.Intensity * loss
	}
	off := func(a, b float64) bool { return !(math.Abs(a-b) <= Leeway*16*most) } // 16: for the rounding of the power in the sRGB curve
	if off(given.R, want.R) || off(given.G, want.G) || off(given.B, want.B) {
		return differ("color", colorWords(geom.Vec3{X: want.R, Y: want.G, Z: want.B}, geom.Vec3{X: given.R, Y: given.G, Z: given.B}), triple{want.R, want.G, want.B}, triple{given.R, given.G, given.B})
	}
	for i, c := range [...]float64{want.R, want.G, want.B} {
		lo, hi := int(shade.EncodeSRGB8(c-Leeway*16*most)), int(shade.EncodeSRGB8(c+Leeway*16*most))
		if given.SRGB[i] < lo || given.SRGB[i] > hi {
			return differ(fmt.Sprintf("srgb[%d]", i), "is not what a picture stores of this color", want.SRGB[i], given.SRGB[i])
		}
	}
	return nil
}

// deriveLambert returns the command that derives the answer: it explains the color of a point in a scene without shadows.
// The scene contains a ball that has the question's normal at the question's point.
func deriveLambert(q *lambertQuestion) Derivation {
	hex, _ := hexOf(q.albedo)
	radius := max(1, q.point.MaxAbs()/16)
	ball := fmt.Sprintf("[shading]\nambient = %s\nshadows = false\n%s[[sphere]]\ncenter = %s\nradius = %s\ncolor = %q\n",
		numberText(q.ambient), q.lights.toml(), tomlVec(q.point.AddScaled(-radius, q.normal)), numberText(radius), hex)
	r := geom.Ray{Origin: q.point.AddScaled(radius, q.normal), Dir: q.normal.Neg()}
	return Derivation{Args: []string{"explain", "-", "--ray=" + rayText(r), "--section", "lights,color"}, Stdin: ball}
}

// fraction returns a color whose channels are the sRGB values divided by 255, as if they were linear. This is a typical
// mistake.
func fraction(c shade.Color) shade.Color {
	r, g, b, _ := c.ExactSRGB8()
	return shade.Color{R: float64(r) / 255, G: float64(g) / 255, B: float64(b) / 255}
}

// unencoded converts a linear value to 8 bits without the sRGB curve.
func unencoded(x float64) int { return int(math.Round(255 * min(max(x, 0), 1))) }

// powered returns a function that decodes a color with a power instead of the sRGB curve.
func powered(power float64) func(shade.Color) shade.Color {
	return func(c shade.Color) shade.Color {
		f := fraction(c)
		return shade.Color{R: math.Pow(f.R, power), G: math.Pow(f.G, power), B: math.Pow(f.B, power)}
	}
}

// byte8 returns a function that clamps a value to 0..1, applies the curve and rounds the result to 8 bits.
func byte8(curve func(x float64) float64) func(float64) int {
	return func(x float64) int { return int(math.Floor(255*curve(min(max(x, 0), 1)) + 0.5)) }
}

// linearOf is the inverse of the sRGB curve. Unlike [shade.FromSRGB], it has no upper limit.
func linearOf(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// srgb is the sRGB curve.
func srgb(x float64) float64 {
	if x <= 0.0031308 {
		return 12.92 * x
	}
	return 1.055*math.Pow(x, 1/2.4) - 0.055
}
