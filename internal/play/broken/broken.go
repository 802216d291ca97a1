// Package broken renders pictures with deliberate mistakes, which many ray tracers have made, for the lesson on numeric
// traps.
//
// A [Mistake] has a name, and describes in a line what the program does wrong and what would be right. [Render] makes
// the mistake in an otherwise right renderer. [Mistake.Scene] is a scene in which the mistake is easy to see.
//
// Conventions are the same as in package pillbox. The pictures must not become goldens: callers label them.
package broken

import (
	"context"
	"embed"
	"fmt"
	"image"
	"math"
	"slices"

	"pillbox"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shade"
)

// Mistake is a typical mistake.
type Mistake struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Fault string `json:"fault"` // what the program does, as a sentence
	Cure  string `json:"cure"`  // what would be right, as a sentence

	// Effect is why the picture looks as it does, in a sentence.
	Effect string `json:"effect"`
}

// The names of mistakes.
const (
	acne    = "acne"
	epsilon = "epsilon"
	gamma   = "gamma"
	yDown   = "ydown"
)

// Mistakes returns all mistakes. Their descriptions fit every scene.
func Mistakes() []Mistake {
	return []Mistake{
		{acne, "Acne", "Every solid may shadow a point, its own too.", "A convex solid never shadows its own lit side.",
			"Where rounding puts a point inside its solid, the ray to the light hits this solid at once: dark specks."},
		{epsilon, "Fixed epsilon", "Crossings nearer than 0.001 are ignored.", "No tolerance: any scale will do.",
			"In a small scene, 0.001 is long: shadows disappear near the solids that cast them."},
		{gamma, "Gamma left out", "Light is computed with sRGB values.", "Light is linear; only the picture is sRGB.",
			"Half of the sRGB range is only a fifth of the light, so surfaces get dark too soon."},
		{yDown, "y down", "Rows are counted from the bottom.", "Row 0 is the top of the picture.",
			"The picture is upside down."},
	}
}

// Find returns the mistake with a name, and false if none has it.
func Find(name string) (Mistake, bool) {
	all := Mistakes()
	i := slices.IndexFunc(all, func(m Mistake) bool { return m.Name == name })
	if i < 0 {
		return Mistake{}, false
	}
	return all[i], true
}

//go:embed *.toml
var scenes embed.FS

// Scene returns the text of a scene in which the mistake is easy to see.
func (m *Mistake) Scene() string {
	name := m.Name
	if name == yDown {
		name = acne
	}
	data, err := scenes.ReadFile(name + ".toml")
	if err != nil {
		panic(err) // it is embedded
	}
	return string(data)
}

// mostTests limits the number of solids times the number of lights. With an epsilon, rays that start near a solid are
// tested against all solids, without a tree.
const mostTests = 4096

// Render renders the region of a prepared picture with a mistake. It returns an error if the mistake is unknown or
// takes too long in the scene, or if ctx ends.
func Render(ctx context.Context, p *pillbox.Prepared, m Mistake, w pillbox.Work) (*image.NRGBA, error) {
	switch m.Name {
	case acne:
		return withLeast(ctx, p, 0, w)
	case epsilon:
		return withLeast(ctx, p, 1e-3, w)
	case gamma:
		return withoutGamma(ctx, p, w)
	case yDown:
		return upsideDown(ctx, p, w)
	}
	return nil, fmt.Errorf("there is no mistake %q", m.Name)
}

// withLeast renders with secondary rays that ignore all hits up to the distance least, and can hit the solid that they
// leave.
func withLeast(ctx context.Context, p *pillbox.Prepared, least float64, w pillbox.Work) (*image.NRGBA, error) {
	st := follow.Of(p)
	if n := st.Scene.Objects.Len() * len(st.Lights); least > 0 && n > mostTests {
		return nil, fmt.Errorf("the scene is too large for this mistake: solids times lights are %d, want at most %d", n, mostTests)
	}
	film, err := spoiled(p, least).Render(ctx, w)
	if err != nil {
		return nil, err
	}
	return film.Image, nil
}

// spoiled returns a prepared picture whose secondary rays ignore all hits up to the distance least, and can hit the solid
// that they leave.
func spoiled(p *pillbox.Prepared, least float64) *pillbox.Prepared {
	st := *follow.Of(p)
	st.World = &careless{World: st.World, scene: st.Scene, least: least}
	faulty := new(pillbox.Prepared)
	follow.Hold(faulty, &st)
	return faulty
}

// withoutGamma renders the picture without gamma: it computes light with the sRGB values of colors, and writes the
// computed linear values into the picture as if they were sRGB.
func withoutGamma(ctx context.Context, p *pillbox.Prepared, w pillbox.Work) (*image.NRGBA, error) {
	s := *p.Scene()
	list := s.Objects.List()
	for i := range list {
		m := &list[i].Material
		m.Albedo = undecoded(m.Albedo)
		if m.Checker != nil {
			checker := *m.Checker
			checker.Albedo = undecoded(checker.Albedo)
			m.Checker = &checker
		}
	}
	s.Objects = scene.NewObjects(list...)
	s.Image.Background.Gradient = shade.Gradient{Top: undecoded(s.Image.Background.Top), Bottom: undecoded(s.Image.Background.Bottom)}
	s.Lights = slices.Clone(s.Lights)
	for i := range s.Lights {
		s.Lights[i].Color = undecoded(s.Lights[i].Color)
	}
	faulty, err := p.Prepare(&s, p.Picture())
	if err != nil {
		return nil, err
	}
	w.Linear = true
	film, err := faulty.Render(ctx, w)
	if err != nil {
		return nil, err
	}
	for i, c := range film.Linear {
		for k, v := range [3]float64{c.R, c.G, c.B} {
			film.Image.Pix[4*i+k] = uint8(math.Round(255 * v))
		}
	}
	return film.Image, nil
}

// undecoded returns a color whose channels are the sRGB values of c, 0 to 1.
func undecoded(c shade.Color) shade.Color {
	value := func(v float64) float64 { return float64(shade.EncodeSRGB8(v)) / 255 }
	return shade.Color{R: value(c.R), G: value(c.G), B: value(c.B)}
}

// upsideDown renders the rows of the picture in the reverse order.
func upsideDown(ctx context.Context, p *pillbox.Prepared, w pillbox.Work) (*image.NRGBA, error) {
	pic := p.Picture()
	r := pic.Region
	pic.Region.Min.Y, pic.Region.Max.Y = pic.Size.Y-r.Max.Y, pic.Size.Y-r.Min.Y
	mirrored, err := p.Prepare(p.Scene(), pic)
	if err != nil {
		return nil, err
	}
	film, err := mirrored.Render(ctx, w)
	if err != nil {
		return nil, err
	}
	img := film.Image
	for y := range img.Rect.Dy() / 2 {
		upper, lower := img.Pix[y*img.Stride:][:img.Stride], img.Pix[(img.Rect.Dy()-1-y)*img.Stride:][:img.Stride]
		for i := range upper {
			upper[i], lower[i] = lower[i], upper[i]
		}
	}
	return img, nil
}
