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
	r, g, b, ok := c.SRGB8()
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

// anyLights returns n lights; the fewer there are, the brighter each is. Point lights are within reach of around.
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

// colorAnswer is the answer of the stage: a color, linear and as stored in a picture.
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
		library: lambertMistakes(),
	}
}

// lambertParts are the steps of Lambert's law. Variants replace some of them.
type lambertParts struct {
	albedo  func(shade.Color) shade.Color
	light   func(l *shade.Light, p, n geom.Vec3) shade.Color // returns the irradiance from a light
	combine func(albedo shade.Color, ambient float64, sum shade.Color) shade.Color
	encode  func(float64) int
}

func rightParts() lambertParts {
	return lambertParts{
		albedo: func(c shade.Color) shade.Color { return c },
		light: func(l *shade.Light, p, n geom.Vec3) shade.Color {
			dir, _ := l.Toward(p)
			if cos := n.Dot(dir); cos > 0 {
				return l.Irradiance(cos)
			}
			return shade.Color{}
		},
		combine: func(albedo shade.Color, ambient float64, sum shade.Color) shade.Color {
			return shade.Lambert(albedo, shade.Gray(ambient).Add(sum))
		},
		encode: func(x float64) int { return int(shade.Encode8(x)) },
	}
}

func (parts lambertParts) solve(q *lambertQuestion) colorAnswer {
	var sum shade.Color
	for i := range q.lights {
		sum = sum.Add(parts.light(&q.lights[i], q.point, q.normal))
	}
	c := parts.combine(parts.albedo(q.albedo), q.ambient, sum)
	return colorAnswer{c.R, c.G, c.B, []int{parts.encode(c.R), parts.encode(c.G), parts.encode(c.B)}}
}

func solveLambert(q *lambertQuestion) colorAnswer { return rightParts().solve(q) }

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
	off := func(a, b float64) bool { return !(math.Abs(a-b) <= Leeway*16*most) } // 16: the power in the sRGB curve
	if off(given.R, want.R) || off(given.G, want.G) || off(given.B, want.B) {
		return differ("color", "is off", triple{want.R, want.G, want.B}, triple{given.R, given.G, given.B})
	}
	for i, c := range [...]float64{want.R, want.G, want.B} {
		lo, hi := int(shade.Encode8(c-Leeway*16*most)), int(shade.Encode8(c+Leeway*16*most))
		if given.SRGB[i] < lo || given.SRGB[i] > hi {
			return differ(fmt.Sprintf("srgb[%d]", i), "is not what a picture stores of this color", want.SRGB[i], given.SRGB[i])
		}
	}
	return nil
}

// deriveLambert returns the derivation: a scene without shadows, with a ball that has the question's point and normal.
func deriveLambert(q *lambertQuestion) Derivation {
	hex, _ := hexOf(q.albedo)
	radius := max(1, q.point.MaxAbs()/16)
	ball := fmt.Sprintf("[shading]\nambient = %s\nshadows = false\n%s[[sphere]]\ncenter = %s\nradius = %s\ncolor = %q\n",
		numberText(q.ambient), q.lights.toml(), tomlVec(q.point.AddScaled(-radius, q.normal)), numberText(radius), hex)
	r := geom.Ray{Origin: q.point.AddScaled(radius, q.normal), Dir: q.normal.Neg()}
	return Derivation{Args: []string{"explain", "-", "--ray=" + rayText(r), "--section", "lights,color"}, Stdin: ball}
}

// fraction returns a color's sRGB values as if they were linear, which is a typical mistake.
func fraction(c shade.Color) shade.Color {
	r, g, b, _ := c.SRGB8()
	return shade.Color{R: float64(r) / 255, G: float64(g) / 255, B: float64(b) / 255}
}

// unencoded stores a linear value as if it were sRGB.
func unencoded(x float64) int { return int(math.Round(255 * min(max(x, 0), 1))) }

func lambertMistakes() []variant[lambertQuestion, colorAnswer] {
	const lesson, gamma = "lambert.md", "traps.md#wrong-gamma"
	with := func(spoil func(p *lambertParts)) func(q *lambertQuestion) colorAnswer {
		p := rightParts()
		spoil(&p)
		return p.solve
	}
	// light returns a variant that changes the contribution of a light, given its direction, cosine and distance.
	light := func(f func(l *shade.Light, to geom.Vec3, cos, dist float64) shade.Color) func(q *lambertQuestion) colorAnswer {
		return with(func(p *lambertParts) {
			p.light = func(l *shade.Light, at, n geom.Vec3) shade.Color {
				dir, dist := l.Toward(at)
				return f(l, dir, n.Dot(dir), dist)
			}
		})
	}
	front := func(c shade.Color, cos float64) shade.Color {
		if cos > 0 {
			return c.Scale(cos)
		}
		return shade.Color{}
	}
	return []variant[lambertQuestion, colorAnswer]{
		{Mistake{"gamma is omitted", "Colors in questions and pictures are sRGB: make them linear before you compute, and encode the result.", gamma},
			with(func(p *lambertParts) {
				p.albedo, p.encode = fraction, unencoded
				p.light = func(l *shade.Light, at, n geom.Vec3) shade.Color {
					m := *l
					m.Color = fraction(l.Color)
					return rightParts().light(&m, at, n)
				}
			})},
		{Mistake{"colors are not made linear", "The numbers of \"#rrggbb\" are sRGB, not amounts of light: decode albedo and lights.", gamma},
			with(func(p *lambertParts) {
				p.albedo = fraction
				p.light = func(l *shade.Light, at, n geom.Vec3) shade.Color {
					m := *l
					m.Color = fraction(l.Color)
					return rightParts().light(&m, at, n)
				}
			})},
		{Mistake{"the lights' colors are not made linear", "The color of a light is sRGB, like all colors. Decode it, too.", gamma},
			with(func(p *lambertParts) {
				p.light = func(l *shade.Light, at, n geom.Vec3) shade.Color {
					m := *l
					m.Color = fraction(l.Color)
					return rightParts().light(&m, at, n)
				}
			})},
		{Mistake{"the result is not encoded", "A picture stores sRGB: half of the light is stored as 188, not as 128.", gamma},
			with(func(p *lambertParts) { p.encode = unencoded })},
		{Mistake{"the result is encoded with a power of 2.2", "The sRGB curve is linear near 0, and a power of 2.4 above. A power of 2.2 is only an approximation.", lesson},
			with(func(p *lambertParts) {
				p.encode = func(x float64) int { return int(math.Round(255 * math.Pow(min(max(x, 0), 1), 1/2.2))) }
			})},
		{Mistake{"lights behind the surface darken it", "If N · L is negative, the light is behind the surface and adds nothing: use max(0, N · L).", lesson},
			light(func(l *shade.Light, _ geom.Vec3, cos, _ float64) shade.Color { return l.Strength().Scale(cos) })},
		{Mistake{"lights behind the surface light it", "The absolute value of N · L lets light through from behind. Use max(0, N · L).", lesson},
			light(func(l *shade.Light, _ geom.Vec3, cos, _ float64) shade.Color {
				return l.Strength().Scale(math.Abs(cos))
			})},
		{Mistake{"the direction of a light is not reversed", "direction is the direction in which the light travels; L points from the surface to the light: -direction.", lesson},
			light(func(l *shade.Light, _ geom.Vec3, cos, _ float64) shade.Color {
				if l.Directional {
					cos = -cos
				}
				return front(l.Strength(), cos)
			})},
		{Mistake{"the direction to a light is not normalized", "N · L is a cosine only if both have length 1.", lesson},
			light(func(l *shade.Light, _ geom.Vec3, cos, dist float64) shade.Color {
				if !l.Directional {
					cos *= dist
				}
				return front(l.Strength(), cos)
			})},
		{Mistake{"light falls off with the distance", "Here the intensity of a light does not depend on the distance: do not divide by d².", lesson},
			light(func(l *shade.Light, _ geom.Vec3, cos, dist float64) shade.Color {
				if !l.Directional {
					return front(l.Strength().Div(dist*dist), cos)
				}
				return front(l.Strength(), cos)
			})},
		{Mistake{"the intensity is forgotten", "A light adds intensity times color times cosine.", lesson},
			light(func(l *shade.Light, _ geom.Vec3, cos, _ float64) shade.Color { return front(l.Color, cos) })},
		{Mistake{"a factor 1/π", "Here a white surface that faces a white light of intensity 1 is white: there is no 1/π.", lesson},
			light(func(l *shade.Light, _ geom.Vec3, cos, _ float64) shade.Color {
				return front(l.Strength().Div(math.Pi), cos)
			})},
		{Mistake{"the cosine is forgotten", "The more a surface is turned away from the light, the less light it receives: multiply by N · L.", lesson},
			light(func(l *shade.Light, _ geom.Vec3, cos, _ float64) shade.Color {
				if cos > 0 {
					return l.Strength()
				}
				return shade.Color{}
			})},
		{Mistake{"ambient light is added without the albedo", "A surface reflects the share albedo of all light, including ambient light: albedo (ambient + ...).", lesson},
			with(func(p *lambertParts) {
				p.combine = func(albedo shade.Color, ambient float64, sum shade.Color) shade.Color {
					return albedo.Mul(sum).Add(shade.Gray(ambient))
				}
			})},
		{Mistake{"ambient light is forgotten", "Ambient light reaches every surface, lit or not.", lesson},
			with(func(p *lambertParts) {
				p.combine = func(albedo shade.Color, _ float64, sum shade.Color) shade.Color { return albedo.Mul(sum) }
			})},
	}
}
