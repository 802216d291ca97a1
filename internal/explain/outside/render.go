package outside

import (
	"context"
	"image"
	"image/color"

	"pillbox"
	"pillbox/aov"
	"pillbox/camera"
	"pillbox/shade"
)

// throughSolids is how much of a mark is visible behind a solid.
const throughSolids = 0.3

// Picture selects a picture of a view from outside.
type Picture struct {
	Camera    camera.Camera
	Size      image.Point
	Antialias int // n, for n x n samples per pixel
	Workers   int // zero means GOMAXPROCS; it does not affect the picture
}

// Render renders the scene and the marks with pic.Camera. Pixels without marks equal those of the scene rendered with
// this camera, with one exception: with more than one sample per pixel, lights with a size and ambient occlusion are
// sampled at other points. Render returns an error if the camera is degenerate, a mark is outside the limits of scenes,
// or ctx ends.
func (s *Subject) Render(ctx context.Context, pic Picture) (*image.NRGBA, error) {
	samples := pillbox.Picture{Size: pic.Size.Mul(pic.Antialias), Antialias: 1}
	solids, err := s.Prepared.Prepare(s.lit(pic.Camera), samples)
	if err != nil {
		return nil, err
	}
	marks, err := pillbox.Prepare(s.Marks(pic.Camera), samples)
	if err != nil {
		return nil, err
	}
	below, err := layerOf(ctx, solids, pic.Workers)
	if err != nil {
		return nil, err
	}
	above, err := layerOf(ctx, marks, pic.Workers)
	if err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rectangle{Max: pic.Size})
	for y := range pic.Size.Y {
		for x := range pic.Size.X {
			img.SetNRGBA(x, y, averaged(below, above, image.Pt(x, y), pic.Antialias))
		}
	}
	return img, nil
}

// layer holds the samples of a scene.
type layer struct {
	film  *pillbox.Film
	depth []float32 // infinite where a ray hits nothing
}

func layerOf(ctx context.Context, p *pillbox.Prepared, workers int) (*layer, error) {
	film, err := p.Render(ctx, pillbox.Work{Workers: workers, Linear: true})
	if err != nil {
		return nil, err
	}
	views, err := aov.Render(ctx, p, []aov.Kind{aov.Depth}, pillbox.Work{Workers: workers})
	if err != nil {
		return nil, err
	}
	return &layer{film, views[0].Values}, nil
}

// sample returns the color of a sample, and false if it is transparent.
func (l *layer) sample(i int) (c shade.Color, seen bool) {
	return l.film.Linear[i], l.film.Image.Pix[4*i+3] != 0
}

// averaged returns a pixel: the average of its n x n samples, each of which shows the layer that is nearer.
func averaged(below, above *layer, pixel image.Point, n int) color.NRGBA {
	var sum shade.Color
	seen := 0
	width := below.film.Region.Dx()
	for j := range n {
		for i := range n {
			if c, ok := sampleOf(below, above, (pixel.Y*n+j)*width+pixel.X*n+i); ok {
				sum = sum.Add(c)
				seen++
			}
		}
	}
	if seen == 0 {
		return color.NRGBA{}
	}
	mean := sum.Div(float64(seen))
	return color.NRGBA{
		R: shade.EncodeSRGB8(mean.R), G: shade.EncodeSRGB8(mean.G), B: shade.EncodeSRGB8(mean.B),
		A: uint8((2*255*seen + n*n) / (2 * n * n)),
	}
}

// sampleOf returns the color of sample i, and false if it is transparent.
func sampleOf(below, above *layer, i int) (shade.Color, bool) {
	solid, seen := below.sample(i)
	mark, marked := above.sample(i)
	switch {
	case !marked:
		return solid, seen
	case above.depth[i] <= below.depth[i]:
		return mark, true
	default:
		return solid.Mix(mark, throughSolids), true
	}
}
