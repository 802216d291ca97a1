package broken

import (
	"context"
	"fmt"
	"image"

	"pillbox"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
)

// Difference is how a mistake changes a pixel.
type Difference struct {
	// Text describes the first step at which the renderer with the mistake departs from the right one, with the
	// numbers of this pixel, in one sentence or several.
	Text string

	// Depth and Light identify the first ray that fares differently: the number of reflections before it, and the light
	// to which it leads, or -1 for a mirror ray. If no ray does, Depth is -1.
	Depth, Light int
}

// Why returns how a mistake changes the pixel at a point of the picture. Call it only if the mistake changes the color
// of the pixel.
func Why(ctx context.Context, p *pillbox.Prepared, m Mistake, at image.Point) (Difference, error) {
	switch m.Name {
	case acne:
		return firstRay(p, 0, at), nil
	case epsilon:
		return firstRay(p, 1e-3, at), nil
	case gamma:
		return gammaAt(ctx, p, at)
	}
	mirrored := p.Picture().Size.Y - 1 - at.Y
	return Difference{fmt.Sprintf("The mistake shows row %d in row %d: what you see belongs to pixel %d, %d.", mirrored, at.Y, at.X, mirrored), -1, -1}, nil
}

// gammaAt states the light of a pixel, computed rightly and with sRGB values.
func gammaAt(ctx context.Context, p *pillbox.Prepared, at image.Point) (Difference, error) {
	pic := p.Picture()
	pic.Region = image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))}
	right, err := p.Prepare(p.Scene(), pic)
	if err != nil {
		return Difference{}, err
	}
	film, err := right.Render(ctx, pillbox.Work{Linear: true})
	if err != nil {
		return Difference{}, err
	}
	faulty, err := withoutGamma(ctx, right, pillbox.Work{})
	if err != nil {
		return Difference{}, err
	}
	c, wrong, shown := film.Linear[0], faulty.NRGBAAt(0, 0), film.Image.NRGBAAt(0, 0)
	text := fmt.Sprintf("In linear light, the pixel is (%.3g, %.3g, %.3g), which sRGB encodes as (%d, %d, %d). "+
		"The mistake computes with the sRGB values of all colors, and writes 255 times the result, (%d, %d, %d), without encoding it.",
		c.R, c.G, c.B, shown.R, shown.G, shown.B, wrong.R, wrong.G, wrong.B)
	return Difference{text, -1, -1}, nil
}

// firstRay returns the first secondary ray of a pixel's samples that fares differently if hits up to the distance least
// are ignored and rays can hit the solid that they leave.
func firstRay(p *pillbox.Prepared, least float64, at image.Point) Difference {
	right, faulty := follow.Of(p), follow.Of(spoiled(p, least))
	packet := right.PixelRays(at, right.Antialias)
	for i := range packet.Len() {
		ray, place := right.CameraRay(packet.At(i)), follow.PositionOf(&packet, i)
		r := &rays{right: right, least: least}
		if d, ok := r.compare(right.Follow(ray, place, nil), faulty.Follow(ray, place, nil)); ok {
			return d
		}
	}
	return Difference{"Some of the many rays of the pixel hit other solids.", -1, -1}
}

// rays compares the secondary rays of two paths.
type rays struct {
	right *follow.Prepared
	least float64
}

// compare returns the first secondary ray of the path right that fares differently in the path wrong, and false if none does.
func (r *rays) compare(right, wrong *follow.Path) (Difference, bool) {
	for i := range right.Lights {
		a, b := &right.Lights[i], &wrong.Lights[i]
		if a.Visibility != b.Visibility || a.Fraction != b.Fraction {
			return Difference{r.light(right, a, b), right.Depth, a.Index}, true
		}
	}
	if a, b := right.Occlusion, wrong.Occlusion; a != nil && b != nil && a.Sky != b.Sky {
		return Difference{fmt.Sprintf("The sky is open in %d of %d directions. With the mistake, it is open in %d.", open(a), len(a.Samples), open(b)), -1, -1}, true
	}
	for i := range min(len(right.Ghosts), len(wrong.Ghosts)) {
		if d, ok := r.compare(right.Ghosts[i], wrong.Ghosts[i]); ok {
			return Difference{fmt.Sprintf("On the ghost %s: %s", r.label(right.Ghosts[i].Hit.Object), d.Text), -1, -1}, true
		}
	}
	if right.Mirror == nil || wrong.Mirror == nil {
		return Difference{}, false
	}
	if a, b := right.Mirror.Hit, wrong.Mirror.Hit; a.Object != b.Object || a.T != b.T {
		return Difference{r.mirror(right, &b), right.Mirror.Depth, -1}, true
	}
	return r.compare(right.Mirror, wrong.Mirror)
}

func open(o *follow.Occlusion) int { return o.Above.Open + o.Below.Open }

// light states what the shadow ray to a light meets in both renderers.
func (r *rays) light(at *follow.Path, a, b *follow.LightSample) string {
	switch {
	case len(a.Points) > 0:
		return fmt.Sprintf("The share %.3g of light %d arrives%s. With the mistake, it is %.3g.", a.Fraction, a.Index, mirrored(at), b.Fraction)
	case b.Visibility.Arrives():
		return fmt.Sprintf("The shadow ray%s to light %d meets %s at t = %.3g, and the light does not arrive. The mistake ignores this hit, because it is nearer than %g.",
			mirrored(at), a.Index, r.label(a.Object), a.T, r.least)
	case b.Object == at.Hit.Object:
		return fmt.Sprintf("Light %d arrives%s. With the mistake, its shadow ray hits %s, which it leaves, at t = %.3g: rounding has put its start on the other side of the surface.",
			a.Index, mirrored(at), r.label(b.Object), b.T)
	}
	return fmt.Sprintf("Light %d arrives%s. With the mistake, its shadow ray is blocked by %s at t = %.3g.", a.Index, mirrored(at), r.label(b.Object), b.T)
}

// mirror states what the mirror ray meets in the renderer with the mistake.
func (r *rays) mirror(at *follow.Path, b *accel.Hit) string {
	shown := "the background"
	if right := at.Mirror.Hit; right.Object != accel.None {
		shown = fmt.Sprintf("%s at t = %.3g", r.label(right.Object), right.T)
	}
	if b.Object == accel.None {
		return fmt.Sprintf("The mirror ray meets %s. With the mistake, it meets nothing.", shown)
	}
	return fmt.Sprintf("The mirror ray meets %s. With the mistake, it meets %s at t = %.3g.", shown, r.label(b.Object), b.T)
}

// mirrored says that a point is seen in a mirror.
func mirrored(at *follow.Path) string {
	if at.Depth == 0 {
		return ""
	}
	return " at the point in the mirror"
}

// label names a solid.
func (r *rays) label(object int32) string {
	if object == accel.None {
		return "a solid"
	}
	return r.right.Scene.Label(int(object))
}
