// Package explain says why a pixel has its color: every step from the pixel to the camera
// ray, through the search tree, to the roots of each solid that was tested, the winner, its
// normal, the lights and their shadows, mirrors, and the color, with the numbers of that
// very pixel.
//
// It traces and shades nothing itself: it describes the paths that package follow follows, by the
// rules that package pillbox renders by; a test holds it to the rendered pictures, bit for
// bit. Roots and normals are derived formula by formula, each evaluated in
// the order in which it is written, and come out with the bits of package shapes.
//
// A [Tracer] explains pixels, rays and segments of one scene, [Capsules] the exact test of
// package exact. Each [Explanation] can be written as text, as Markdown and as JSON; package
// explain/diagram draws it.
//
// Conventions: those of the packages explained. Pixel (0, 0) is the top left; samples of a
// pixel count row by row; objects are numbered as in the scene. Colors are linear light
// unless they are called sRGB.
package explain

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"pillbox"

	"pillbox/geom"
	"pillbox/shade"
)

// Explanation is what the explanations of this package have in common. They are immutable.
type Explanation interface {
	// Title describes the subject in a line.
	Title() string

	// Document returns the explanation as text.
	Document(Detail) *Document

	// JSON returns the explanation as one JSON object that follows [Schema], with every
	// number in full. It leaves out the same as Document, but Brief is as Usual.
	JSON(Detail) ([]byte, error)
}

// Detail says how much is told.
type Detail uint8

const (
	// Usual summarizes what is long, such as a walk through many nodes, samples but the first, and
	// many solids that are missed.
	Usual Detail = iota

	// Brief says how a pixel or a ray comes about, in fewer than [BriefLines] lines: the camera
	// ray, the root that counts and what leads to it, the point and the normal, the lights in a line
	// each, and the color. Of segments and capsules it is as Usual.
	Brief

	// Verbose says everything, however long.
	Verbose
)

// Pixel is why a pixel has its color.
type Pixel struct {
	tracer *Tracer

	At        image.Point
	Size      image.Point // of the picture
	Antialias int         // n: the picture has n x n samples a pixel

	// Samples are the pixel's, row by row: n x n or, where adaptive antialiasing casts no more,
	// one through its center. Each counts Weight times: once, or that one n x n times.
	Samples []Sample
	Weight  int

	// Seen is how many of the n x n samples see something: all, unless the background is
	// transparent. Linear is their average color, each clamped to 0..1, black if there are
	// none, and SRGB8 what the picture shows.
	Seen   int
	Linear shade.Color
	SRGB8  color.NRGBA

	// Line is of the first sample's ray and a solid that was asked for, nil if none was.
	Line *Line
}

// Prepared returns the prepared scene.
func (x *Pixel) Prepared() *pillbox.Prepared { return x.tracer.public }

// Sample is a camera ray and what it sees.
type Sample struct {
	Column, Row int // in the pixel's grid
	*Path
}

// Pixel explains the pixel at p. The error says that it lies outside the picture.
func (t *Tracer) Pixel(p image.Point) (*Pixel, error) {
	if !p.In(image.Rectangle{Max: t.prepared.Size}) {
		return nil, fmt.Errorf("pixel must lie inside the picture of %d x %d pixels, counted from 0, got %d,%d", t.prepared.Size.X, t.prepared.Size.Y, p.X, p.Y)
	}
	side, err := t.samples(p)
	if err != nil {
		return nil, err
	}
	all := t.prepared.Antialias * t.prepared.Antialias
	x := &Pixel{tracer: t, At: p, Size: t.prepared.Size, Antialias: t.prepared.Antialias, Weight: all / (side * side)}
	packet := t.prepared.PixelRays(p, side)
	var sum shade.Color
	for i := range packet.Len() {
		s := Sample{Column: i % side, Row: i / side}
		s.Path = pathOf(t.camera(packet.Ray(s.Column, s.Row)))
		x.Samples = append(x.Samples, s)
		if s.Seen {
			sum = sum.AddTimes(s.Color.Clamp(), x.Weight)
			x.Seen += x.Weight
		}
	}
	if x.Seen > 0 {
		x.Linear = sum.Div(float64(x.Seen))
		x.SRGB8 = color.NRGBA{R: shade.Encode8(x.Linear.R), G: shade.Encode8(x.Linear.G), B: shade.Encode8(x.Linear.B)}
	}
	x.SRGB8.A = uint8((2*255*x.Seen + all) / (2 * all))
	return x, nil
}

// Ray is why a ray sees what it sees that no camera casts.
type Ray struct {
	tracer *Tracer

	Toward geom.Vec3 // as given; the ray's direction is that with unit length
	*Path

	// Line is of the ray and the solid it meets, or the one that was asked for; nil if there is
	// neither.
	Line *Line
}

// Prepared returns the prepared scene.
func (x *Ray) Prepared() *pillbox.Prepared { return x.tracer.public }

// ErrNoDirection says that a ray has no direction: its vector is zero or not finite.
var ErrNoDirection = errors.New("the direction must not be zero")

// Ray explains the ray from origin toward a vector, [geom.Toward]. The error is ErrNoDirection.
func (t *Tracer) Ray(origin, toward geom.Vec3) (*Ray, error) {
	r, ok := geom.Toward(origin, toward)
	if !ok {
		return nil, ErrNoDirection
	}
	q := t.follow(t.prepared.ViewerRay(r))
	return &Ray{t, toward, pathOf(q), t.lineOf(q)}, nil
}
