package course

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

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

	spoil []func(*lambertParts) // the changes that mistakes make to the steps
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
		changes: lambertMistakes(), keepers: lambertKeepers(), slips: lambertSlips(), features: lambertFeatures(), pairSample: 200, pixels: lambertPixels(),
		books: books[lambertQuestion, colorAnswer]{lesson: "lambert.md", styles: 1, run: (*program).lambert},
	}
}

// lambertParts are the steps of Lambert's law. Mistakes replace some of them.
type lambertParts struct {
	albedo   func(shade.Color) shade.Color
	light    func(shade.Color) shade.Color // of a light's color
	strength func(intensity float64) float64
	early    bool // the intensity is applied to the sRGB numbers
	toward   func(l *shade.Light, p geom.Vec3) (dir geom.Vec3, dist float64)
	weight   func(cos float64) float64
	falloff  func(l *shade.Light, dist float64) float64
	count    func(n int) (lights int, share float64)
	ambient  func(ambient float64, lights int) float64
	combine  func(albedo, ambient, sum shade.Color) shade.Color
	encode   func(float64) int
}

func rightParts() lambertParts {
	return lambertParts{
		albedo:   func(c shade.Color) shade.Color { return c },
		light:    func(c shade.Color) shade.Color { return c },
		strength: func(x float64) float64 { return x },
		toward:   func(l *shade.Light, p geom.Vec3) (geom.Vec3, float64) { return l.Toward(p) },
		weight:   func(cos float64) float64 { return max(0, cos) },
		falloff:  func(*shade.Light, float64) float64 { return 1 },
		count:    func(n int) (int, float64) { return n, 1 },
		ambient:  func(a float64, _ int) float64 { return a },
		combine:  func(albedo, ambient, sum shade.Color) shade.Color { return shade.Lambert(albedo, ambient.Add(sum)) },
		encode:   func(x float64) int { return int(shade.EncodeSRGB8(x)) },
	}
}

func solveLambert(q *lambertQuestion) colorAnswer {
	parts := rightParts()
	for _, f := range q.spoil {
		f(&parts)
	}
	var sum shade.Color
	n, share := parts.count(len(q.lights))
	for i := range q.lights[:n] {
		l := &q.lights[i]
		dir, dist := parts.toward(l, q.point)
		w := float64(parts.weight(q.normal.Dot(dir))*parts.falloff(l, dist)) * share
		color := parts.light(l.Color).Scale(parts.strength(l.Intensity))
		if parts.early {
			f := fraction(l.Color).Scale(l.Intensity)
			color = shade.FromSRGB(f.R, f.G, f.B)
		}
		sum = sum.Add(color.Scale(w))
	}
	c := parts.combine(parts.albedo(q.albedo), shade.Gray(parts.ambient(q.ambient, len(q.lights))), sum)
	return colorAnswer{c.R, c.G, c.B, []int{parts.encode(c.R), parts.encode(c.G), parts.encode(c.B)}}
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

// srgb is the sRGB curve.
func srgb(x float64) float64 {
	if x <= 0.0031308 {
		return 12.92 * x
	}
	return 1.055*math.Pow(x, 1/2.4) - 0.055
}

func lambertMistakes() []change[lambertQuestion, colorAnswer] {
	const lesson, gamma = "lambert.md", "traps.md#wrong-gamma"
	with := func(spoil func(p *lambertParts)) func(q *lambertQuestion) func(*colorAnswer) {
		return asking[lambertQuestion, colorAnswer](func(q *lambertQuestion) { q.spoil = append(slices.Clip(q.spoil), spoil) })
	}
	weight := func(f func(cos float64) float64) func(q *lambertQuestion) func(*colorAnswer) {
		return with(func(p *lambertParts) { p.weight = f })
	}
	falloff := func(f func(dist float64) float64) func(q *lambertQuestion) func(*colorAnswer) {
		return with(func(p *lambertParts) {
			p.falloff = func(l *shade.Light, dist float64) float64 {
				if l.Directional {
					return 1
				}
				return f(dist)
			}
		})
	}
	encoded := func(f func(float64) int) func(q *lambertQuestion) func(*colorAnswer) {
		return with(func(p *lambertParts) { p.encode = f })
	}
	combined := func(f func(albedo, ambient, sum shade.Color) shade.Color) func(q *lambertQuestion) func(*colorAnswer) {
		return with(func(p *lambertParts) { p.combine = f })
	}
	toward := func(f func(l *shade.Light, dir geom.Vec3) geom.Vec3) func(q *lambertQuestion) func(*colorAnswer) {
		return with(func(p *lambertParts) {
			p.toward = func(l *shade.Light, at geom.Vec3) (geom.Vec3, float64) {
				dir, dist := l.Toward(at)
				return f(l, dir), dist
			}
		})
	}
	reversed := func(c shade.Color) shade.Color { return shade.Color{R: c.B, G: c.G, B: c.R} }
	channels := Mistake{"red and blue are exchanged", "\"#rrggbb\" is red, green, blue, in this order. So is the answer.", lesson}
	power := Mistake{"colors are decoded with a power of 2.2", "The sRGB curve is linear near 0, and a power of 2.4 above. A power of 2.2 is only an approximation.", gamma}
	clamped := Mistake{"the color is limited to 1", "Light has no upper limit: color is not clamped. Only what a picture stores is.", lesson}
	limit := Mistake{"the result is not limited to 255", "A picture stores at most 255: clamp to 0..1 before you encode.", lesson}
	rounded := Mistake{"the result is cut off instead of rounded", "Store the nearest of the 256 steps: floor(255 x + 0.5).", lesson}
	clamp := func(c shade.Color) shade.Color {
		return shade.Color{R: min(1, c.R), G: min(1, c.G), B: min(1, c.B)}
	}
	return []change[lambertQuestion, colorAnswer]{
		{Mistake{"gamma is omitted", "Colors in questions and pictures are sRGB: make them linear before you compute, and encode the result.", gamma},
			with(func(p *lambertParts) { p.albedo, p.light, p.encode = fraction, fraction, unencoded })},
		{Mistake{"colors are not made linear", "The numbers of \"#rrggbb\" are sRGB, not amounts of light: decode albedo and lights.", gamma},
			with(func(p *lambertParts) { p.albedo, p.light = fraction, fraction })},
		{Mistake{"the lights' colors are not made linear", "The color of a light is sRGB, like all colors. Decode it, too.", gamma},
			with(func(p *lambertParts) { p.light = fraction })},
		{Mistake{"the albedo is not made linear", "The albedo is an sRGB color, like all colors. Decode it, too.", gamma},
			with(func(p *lambertParts) { p.albedo = fraction })},
		{power, with(func(p *lambertParts) { p.albedo, p.light = powered(2.2), powered(2.2) })},
		{Mistake{"colors are squared to make them linear", "The sRGB curve is linear near 0, and a power of 2.4 above. A power of 2 is only a rough approximation.", gamma},
			with(func(p *lambertParts) { p.albedo, p.light = powered(2), powered(2) })},
		{Mistake{"a power of 2.2 stands for the sRGB curve", "The sRGB curve is linear near 0, and a power of 2.4 above. A power of 2.2 is only an approximation, in both directions.", gamma},
			with(func(p *lambertParts) {
				p.albedo, p.light = powered(2.2), powered(2.2)
				p.encode = byte8(func(x float64) float64 { return math.Pow(x, 1/2.2) })
			})},
		{Mistake{"the result is not encoded", "A picture stores sRGB: half of the light is stored as 188, not as 128.", gamma}, encoded(unencoded)},
		{Mistake{"the result is encoded with a power of 2.2", "The sRGB curve is linear near 0, and a power of 2.4 above. A power of 2.2 is only an approximation.", lesson},
			encoded(byte8(func(x float64) float64 { return math.Pow(x, 1/2.2) }))},
		{Mistake{"the result is encoded with a power of 2.4 alone", "The sRGB curve is 1.055 x^(1/2.4) - 0.055, and linear near 0.", lesson},
			encoded(byte8(func(x float64) float64 { return math.Pow(x, 1/2.4) }))},
		{Mistake{"the result is encoded with a square root", "A square root is only a rough approximation of the sRGB curve, which is linear near 0 and a power of 2.4 above.", lesson},
			encoded(byte8(math.Sqrt))},
		{Mistake{"the linear part of the curve is forgotten", "Below 0.0031308 the sRGB curve is a straight line: 12.92 x.", lesson},
			encoded(byte8(func(x float64) float64 { return max(0, 1.055*math.Pow(x, 1/2.4)-0.055) }))},
		{rounded, encoded(func(x float64) int { return int(math.Floor(255 * srgb(min(max(x, 0), 1)))) })},
		{rounded, encoded(func(x float64) int { return min(255, int(math.Floor(256*srgb(min(max(x, 0), 1))))) })},
		{rounded, encoded(func(x float64) int { return int(math.Floor(255.999 * srgb(min(max(x, 0), 1)))) })},
		{limit, encoded(func(x float64) int { return int(math.Floor(255*srgb(max(x, 0)) + 0.5)) })},
		{clamped, telling(func(_ *lambertQuestion, a *colorAnswer) { a.R, a.G, a.B = min(1, a.R), min(1, a.G), min(1, a.B) })},
		{Mistake{"the light is limited to 1", "Light has no upper limit: the sum of the lights is not clamped.", lesson},
			combined(func(albedo, ambient, sum shade.Color) shade.Color { return albedo.Mul(clamp(ambient.Add(sum))) })},
		{channels, with(func(p *lambertParts) {
			albedo, light := p.albedo, p.light
			p.albedo = func(c shade.Color) shade.Color { return albedo(reversed(c)) }
			p.light = func(c shade.Color) shade.Color { return light(reversed(c)) }
		})},
		{Mistake{"lights behind the surface darken it", "If N · L is negative, the light is behind the surface and adds nothing: use max(0, N · L).", lesson},
			weight(func(cos float64) float64 { return cos })},
		{Mistake{"lights behind the surface light it", "The absolute value of N · L lets light through from behind. Use max(0, N · L).", lesson},
			weight(math.Abs)},
		{Mistake{"the cosine is spread from -1..1 to 0..1", "(1 + N · L) / 2 lights surfaces that face away. Lambert's law is max(0, N · L).", lesson},
			weight(func(cos float64) float64 { return (1 + cos) / 2 })},
		{Mistake{"the cosine is squared", "Lambert's law is max(0, N · L), to the power of 1.", lesson},
			weight(func(cos float64) float64 { return max(0, cos) * max(0, cos) })},
		{Mistake{"the sign of N · L is reversed", "N and L both point away from the surface: L is from the point to the light.", lesson},
			weight(func(cos float64) float64 { return max(0, -cos) })},
		{Mistake{"the cosine is forgotten", "The more a surface is turned away from the light, the less light it receives: multiply by N · L.", lesson},
			weight(func(cos float64) float64 {
				if cos > 0 {
					return 1
				}
				return 0
			})},
		{Mistake{"the cosine is forgotten, and lights behind the surface count", "The more a surface is turned away from the light, the less light it receives: multiply by max(0, N · L).", lesson},
			weight(func(float64) float64 { return 1 })},
		{Mistake{"the direction of a light is not reversed", "direction is the direction in which the light travels; L points from the surface to the light: -direction.", lesson},
			toward(func(l *shade.Light, dir geom.Vec3) geom.Vec3 {
				if l.Directional {
					return dir.Neg()
				}
				return dir
			})},
		{Mistake{"the vector to a point light is reversed", "L points from the surface to the light: position - point.", lesson},
			toward(func(l *shade.Light, dir geom.Vec3) geom.Vec3 {
				if !l.Directional {
					return dir.Neg()
				}
				return dir
			})},
		{Mistake{"the position of a light is taken for its direction", "L points from the surface to the light: position - point, with length 1.", lesson},
			with(func(p *lambertParts) {
				p.toward = func(l *shade.Light, at geom.Vec3) (geom.Vec3, float64) {
					if !l.Directional {
						return l.Position.Unit(), 1
					}
					return l.Toward(at)
				}
			})},
		{Mistake{"the direction to a light is not normalized", "N · L is a cosine only if both have length 1.", lesson}, falloff(func(dist float64) float64 { return dist })},
		{Mistake{"light falls off with the distance", "Here the intensity of a light does not depend on the distance: do not divide by d².", lesson},
			falloff(func(dist float64) float64 { return 1 / float64(dist*dist) })},
		{Mistake{"light falls off with the distance", "Here the intensity of a light does not depend on the distance: do not divide by d.", lesson},
			falloff(func(dist float64) float64 { return 1 / dist })},
		{Mistake{"light falls off with the distance", "Here the intensity of a light does not depend on the distance: do not divide by 1 + d².", lesson},
			falloff(func(dist float64) float64 { return 1 / (1 + float64(dist*dist)) })},
		{Mistake{"light falls off with the distance", "Here the intensity of a light does not depend on the distance: do not divide by 4 π d².", lesson},
			falloff(func(dist float64) float64 { return 1 / float64(4*math.Pi*dist*dist) })},
		{Mistake{"the intensity is forgotten", "A light adds intensity times color times cosine.", lesson},
			with(func(p *lambertParts) { p.strength = func(float64) float64 { return 1 } })},
		{Mistake{"the intensity is decoded like a color", "intensity is a linear factor: only colors are sRGB.", gamma},
			with(func(p *lambertParts) {
				p.strength = func(x float64) float64 { return shade.FromSRGB(min(1, x), 0, 0).R }
			})},
		{Mistake{"the intensity is applied before the color is made linear", "Make the light's color linear first, and then multiply by the intensity.", gamma},
			with(func(p *lambertParts) { p.early = true })},
		{Mistake{"the intensity is squared", "A light adds intensity times color times cosine: multiply by the intensity once.", lesson},
			with(func(p *lambertParts) { p.strength = func(x float64) float64 { return float64(x * x) } })},
		{Mistake{"the light's color is forgotten", "A light adds intensity times color times cosine, for each channel.", lesson},
			with(func(p *lambertParts) { p.light = func(shade.Color) shade.Color { return shade.White() } })},
		{Mistake{"the albedo is forgotten", "The surface reflects the share albedo of the light: multiply, for each channel.", lesson},
			with(func(p *lambertParts) { p.albedo = func(shade.Color) shade.Color { return shade.White() } })},
		{Mistake{"the albedo counts twice", "The surface reflects the share albedo of the light: multiply once, at the end.", lesson},
			combined(func(albedo, ambient, sum shade.Color) shade.Color { return albedo.Mul(albedo).Mul(ambient.Add(sum)) })},
		{Mistake{"the albedo counts twice", "The surface reflects the share albedo of the light: multiply once, at the end.", lesson},
			combined(func(albedo, ambient, sum shade.Color) shade.Color { return albedo.Mul(ambient.Add(albedo.Mul(sum))) })},
		{Mistake{"only the first light counts", "Every light adds its part: go through the whole list.", lesson},
			with(func(p *lambertParts) { p.count = func(n int) (int, float64) { return min(1, n), 1 } })},
		{Mistake{"only the last light counts", "Every light adds its part: add to the sum instead of replacing it.", lesson},
			asking[lambertQuestion, colorAnswer](func(q *lambertQuestion) { q.lights = q.lights[max(0, len(q.lights)-1):] })},
		{Mistake{"the first light is left out", "Every light adds its part: the loop must begin at index 0.", lesson},
			asking[lambertQuestion, colorAnswer](func(q *lambertQuestion) { q.lights = q.lights[min(1, len(q.lights)):] })},
		{Mistake{"the last light is left out", "Every light adds its part: go through the whole list.", lesson},
			with(func(p *lambertParts) { p.count = func(n int) (int, float64) { return max(0, n-1), 1 } })},
		{Mistake{"the lights are averaged", "Two lights give twice the light: add them, and do not divide by their number.", lesson},
			with(func(p *lambertParts) {
				p.count = func(n int) (int, float64) { return n, 1 / float64(max(1, n)) }
			})},
		{Mistake{"a factor 1/π", "Here a white surface that faces a white light of intensity 1 is white: there is no 1/π.", lesson},
			with(func(p *lambertParts) { p.strength = func(x float64) float64 { return x / math.Pi } })},
		{Mistake{"ambient light is added without the albedo", "A surface reflects the share albedo of all light, including ambient light: albedo (ambient + ...).", lesson},
			combined(func(albedo, ambient, sum shade.Color) shade.Color { return albedo.Mul(sum).Add(ambient) })},
		{Mistake{"ambient light is forgotten", "Ambient light reaches every surface, lit or not.", lesson},
			with(func(p *lambertParts) { p.ambient = func(float64, int) float64 { return 0 } })},
		{Mistake{"ambient light is added once for each light", "Ambient light does not belong to a light: add it once, before the lights.", lesson},
			with(func(p *lambertParts) {
				p.ambient = func(a float64, n int) float64 { return a * float64(n) }
			})},
		{Mistake{"ambient light is decoded like a color", "ambient is a linear amount of light: only colors are sRGB.", gamma},
			with(func(p *lambertParts) {
				p.ambient = func(a float64, _ int) float64 { return shade.FromSRGB(min(1, a), 0, 0).R }
			})},
		{Mistake{"the larger of ambient light and lights is taken", "Ambient light is added to the light of the lights.", lesson},
			combined(func(albedo, ambient, sum shade.Color) shade.Color {
				return albedo.Mul(shade.Color{R: max(ambient.R, sum.R), G: max(ambient.G, sum.G), B: max(ambient.B, sum.B)})
			})},
		{Mistake{"lights and ambient light are weighted", "Ambient light is added in full: the lights are not multiplied by 1 - ambient.", lesson},
			combined(func(albedo, ambient, sum shade.Color) shade.Color {
				return albedo.Mul(ambient.Add(sum.Scale(1 - ambient.R)))
			})},
	}
}

// lightInputs returns the numbers and vectors of the lights of a question.
func lightInputs[Q any](of func(q *Q) *lights) []input[Q] {
	// These functions copy the lights of a question and return pointers to one part of each light.
	vectors := func(part func(l *shade.Light) *geom.Vec3) func(q *Q) []*geom.Vec3 {
		return func(q *Q) []*geom.Vec3 {
			all := of(q)
			*all = slices.Clone(*all)
			var parts []*geom.Vec3
			for i := range *all {
				parts = append(parts, part(&(*all)[i]))
			}
			return parts
		}
	}
	return []input[Q]{
		{what: "a light's position", vector: vectors(func(l *shade.Light) *geom.Vec3 { return &l.Position })},
		{what: "a light's direction", vector: vectors(func(l *shade.Light) *geom.Vec3 { return &l.Direction })},
		{what: "a light's intensity", number: func(q *Q) []*float64 {
			all := of(q)
			*all = slices.Clone(*all)
			var parts []*float64
			for i := range *all {
				parts = append(parts, &(*all)[i].Intensity)
			}
			return parts
		}},
	}
}

// lambertSlips returns the slips of the stage lambert: errors with one number or vector of the question, such as a
// wrong sign.
func lambertSlips() []change[lambertQuestion, colorAnswer] {
	return slipsOf("lambert.md", append([]input[lambertQuestion]{
		{what: "the point", vector: func(q *lambertQuestion) []*geom.Vec3 { return []*geom.Vec3{&q.point} }},
		{what: "the normal", vector: func(q *lambertQuestion) []*geom.Vec3 { return []*geom.Vec3{&q.normal} }},
		{what: "ambient", number: func(q *lambertQuestion) []*float64 { return []*float64{&q.ambient} }},
	}, lightInputs(func(q *lambertQuestion) *lights { return &q.lights })...), asking[lambertQuestion, colorAnswer])
}
