// Package explain explains why a pixel has its color. An explanation contains the steps of the computation,
// with the numbers of that pixel: the camera ray, the traversal of the search tree, the roots of the solids
// that were tested, the closest hit, its normal, the lights and what blocks them, mirrors, and the color.
// [Detail] selects how many of the steps are written.
//
// The package does not trace or shade rays itself: package follow does, by the renderer's rules. A test
// compares the explained colors with rendered pictures, bit for bit. Roots and normals are derived formula
// by formula. Each formula is evaluated in the order in which it is written. The results are bit for bit
// those of package shapes.
//
// A [Tracer] explains pixels, rays and segments of one scene. [Capsules] explains the exact test of two
// capsules in package exact. Each [Explanation] can be written as text, as Markdown and as JSON.
//
// Conventions: pixel (0, 0) is the top left; the samples of a pixel are numbered row by row; solids are
// identified by their numbers in the scene. Colors are linear light unless they are called sRGB.
package explain

import (
	"errors"
	"fmt"
	"image"
	"image/color"

	"pillbox"
	"pillbox/figure"
	"pillbox/geom"
	"pillbox/internal/follow"
	"pillbox/internal/outline"
	"pillbox/shade"
)

// Explanation is the interface of all explanations of this package. They are immutable.
type Explanation interface {
	// Title describes the subject in a line.
	Title() string

	// Document returns the explanation as a sequence of blocks of text and equations. [CheckDocument] bounds its memory.
	Document(Detail) *Document

	// JSON returns the explanation as one JSON object that follows [Schema], with every number in full.
	// Brief is the same as Usual. [CheckJSON] bounds its memory.
	JSON(Detail) ([]byte, error)

	length(detail Detail, json bool) int
}

// Detail is how much of an explanation is written.
type Detail uint8

const (
	// Usual summarizes long parts: traversals of many nodes, all samples except the first, and, if many
	// solids were tested, the tests of solids that the ray misses. If the line of a ray crosses more than 100 of the tested
	// solids, it derives only the test of the hit.
	Usual Detail = iota

	// Brief explains a pixel or a ray in fewer than [BriefLines] lines if possible. It contains the camera ray,
	// the root of the closest hit and how it is derived, the point and the normal, one line for each light, and
	// the color. For segments and capsules, Brief contains the same as Usual.
	Brief

	// Verbose omits nothing.
	Verbose
)

// Pixel explains why a pixel has its color.
type Pixel struct {
	tracer *Tracer

	At        image.Point
	Size      image.Point // of the picture
	Antialias int         // n: the picture has n x n samples a pixel

	// Samples are the traced samples of the pixel, row by row: all n x n samples or, if adaptive
	// antialiasing needs only one, the sample at the center. Weight is how often each of them counts in the
	// average: once if there are n x n, n x n times if there is only one.
	Samples []Sample
	Weight  int

	// Seen is the number of the n x n samples that have a color. A sample has none if it sees a transparent
	// background.
	//
	// Linear is the average color of the samples that have one, each clamped to 0..1; it is black if none
	// has. Where lines of the scene's outline cover a part of the pixel, their color is mixed into Linear.
	// Rendered is the rendered pixel, in sRGB. SRGB8 is the pixel of the picture: Rendered with the Annotations over it.
	Seen            int
	Linear          shade.Color
	Rendered, SRGB8 color.NRGBA

	// Annotations are what titles, labels and other annotations of the scene lay over the pixel, from the lowest to the
	// highest.
	Annotations []figure.Layer

	// Covered is the share of the pixel that lines of the outline cover, 0 to 1.
	Covered float64

	average    shade.Color // of the samples
	opacity    float64     // the sum of those of the samples
	ink        shade.Color // of the lines
	line, rest float64     // the weights of the color of the outline and of average in Linear; zero without an outline

	// Line is where the line of the first sample's ray crosses the solid that was chosen with
	// [Pixel.WithSolid]. It is nil if none was chosen.
	Line *Line
}

// Prepared returns the prepared scene.
func (x *Pixel) Prepared() *pillbox.Prepared { return x.tracer.public }

// Sample is a camera ray of a pixel and what it sees.
type Sample struct {
	Column, Row int // in the pixel's grid
	*Path
}

// MaxSteps bounds the memory of an explanation: its rays, with the nodes and solids that each of them visits, are at most this
// many.
const MaxSteps = 2_000_000

var errTooLong = errors.New("the explanation has more than 2,000,000 rays and visits of nodes and solids: lower samples or antialias, or use fewer lights")

// Pixel explains the pixel at p. It returns an error if p lies outside the picture, and if the explanation exceeds [MaxSteps].
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
	record := follow.Record(MaxSteps)
	var sum shade.Color
	for i := range packet.Len() {
		s := Sample{Column: i % side, Row: i / side}
		s.Path = pathOf(t.camera(&packet, s.Row*packet.NX+s.Column, record))
		if record.IsFull() {
			return nil, errTooLong
		}
		x.Samples = append(x.Samples, s)
		if s.Seen {
			sum = sum.AddTimes(s.Color.ClampTo(s.Alpha), x.Weight)
			x.Seen += x.Weight
			x.opacity += float64(s.Alpha * float64(x.Weight))
		}
	}
	if x.Seen > 0 {
		x.average = sum.Div(x.opacity)
	}
	x.develop(all)
	if err := t.ctx.Err(); err != nil {
		return nil, err
	}
	return x, t.annotate(x)
}

// develop computes the fields Covered, Linear, Rendered and SRGB8 from the average of the samples and the lines of
// the outline. The parameter all is the number of samples of a pixel, n x n.
func (x *Pixel) develop(all int) {
	c, seen := x.average, x.opacity
	if lines := outline.New(x.tracer.prepared); lines != nil {
		if !lines.Trace(x.tracer.ctx, image.Rectangle{x.At, x.At.Add(image.Pt(1, 1))}) {
			return // the caller checks the context
		}
		coverage := lines.Coverage(x.At.X, x.At.Y)
		x.Covered = float64(coverage) / outline.Whole
		x.line, x.rest = float64(coverage*all), float64(float64(outline.Whole-coverage)*seen)
		x.ink = lines.Ink(x.At.X, x.At.Y)
		c, seen, all = outline.Over(x.ink, coverage, c, seen, all)
	}
	x.Linear = c
	if seen > 0 {
		x.Rendered = color.NRGBA{R: shade.EncodeSRGB8(c.R), G: shade.EncodeSRGB8(c.G), B: shade.EncodeSRGB8(c.B)}
	}
	x.Rendered.A = uint8((float64(2*255*seen) + float64(all)) / float64(2*all))
	x.SRGB8 = x.Rendered
}

// Ray explains what a ray from any point in any direction sees.
type Ray struct {
	tracer *Tracer

	Toward geom.Vec3 // the direction as given, of any length
	*Path

	// At and Sample identify a sample of the picture: a pixel, and the number of one of its samples,
	// counted from 0 row by row. Lights with a size and the sky are sampled at pseudorandom points, which differ
	// from sample to sample; the ray uses the points of this sample.
	//
	// If the camera casts a ray like this through the picture, Cast is true, and the sample is the one
	// whose cell the ray passes. For any other ray, At is (0, 0) and Sample is 0.
	At     image.Point
	Sample int
	Cast   bool

	// Line is where the line of the ray crosses a solid: the one that was chosen with [Ray.WithSolid] or,
	// without a choice, the one that the ray hits. It is nil if there is no such solid.
	Line *Line
}

// Prepared returns the prepared scene.
func (x *Ray) Prepared() *pillbox.Prepared { return x.tracer.public }

// ErrNoDirection reports that a ray has no direction: its vector is zero or not finite.
var ErrNoDirection = errors.New("the direction must not be zero")

// Ray explains the ray from origin along toward, which may have any length. The error is ErrNoDirection if toward has no
// direction. It also returns an error if the explanation exceeds [MaxSteps].
func (t *Tracer) Ray(origin, toward geom.Vec3) (*Ray, error) {
	r, ok := geom.Toward(origin, toward)
	if !ok {
		return nil, ErrNoDirection
	}
	at, isCast, err := t.positionOf(r)
	if err != nil {
		return nil, err
	}
	record := follow.Record(MaxSteps)
	q := t.viewer(r, at, record)
	if record.IsFull() {
		return nil, errTooLong
	}
	return &Ray{t, toward, pathOf(q), image.Pt(at.X, at.Y), at.Sample, isCast, t.lineOf(q)}, nil
}
