// Package explain says why a pixel has its colour: every step from the pixel to the camera
// ray, through the search tree, to the roots of each solid that was tested, the winner, its
// normal, the lights and their shadows, mirrors, and the colour, with the numbers of that
// very pixel.
//
// It follows the walk of [accel.World] with a probe and shades with the functions of package
// shade, by the rules that package pillbox renders by; a test holds it to the rendered
// pictures, bit for bit. Roots and normals are derived formula by formula, each evaluated in
// the order in which it is written, and come out with the bits of package shapes.
//
// A [Tracer] explains pixels, rays and segments of one scene, [Capsules] the exact test of
// package exact. Each [Explanation] can be written as text, as Markdown and as JSON, and
// drawn as a diagram.
//
// Conventions: those of the packages explained. Pixel (0, 0) is the top left; samples of a
// pixel count row by row; objects are numbered as in the scene. Colours are linear light
// unless they are called sRGB.
package explain

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"

	"pillbox/accel"
	"pillbox/geom"
	"pillbox/shade"
)

// Explanation is what the explanations of this package have in common. They are immutable.
type Explanation interface {
	// Document returns the explanation as text. It summarises what is long, such as a walk
	// through many nodes, unless verbose is set.
	Document(verbose bool) *Document

	// JSON returns the explanation as one JSON object that follows [Schema], with every
	// number in full. It leaves out the same as Document.
	JSON(verbose bool) ([]byte, error)

	// Diagram draws the explanation, 1200 x 800 pixels.
	Diagram(DiagramOptions) (image.Image, error)
}

// Pixel is why a pixel has its colour.
type Pixel struct {
	tracer *Tracer

	At        image.Point
	Size      image.Point // of the picture
	Antialias int         // n: the picture has n x n samples a pixel

	// Samples are the pixel's, row by row: n x n or, where adaptive antialiasing casts no more,
	// one through its centre. Each counts Weight times: once, or that one n x n times.
	Samples []Sample
	Weight  int

	// Seen is how many of the n x n samples see something: all, unless the background is
	// transparent. Linear is their average colour, each clamped to 0..1, black if there are
	// none, and SRGB8 what the picture shows.
	Seen   int
	Linear shade.Color
	SRGB8  color.NRGBA
}

// Sample is a camera ray and what it sees.
type Sample struct {
	Column, Row int // in the pixel's grid
	*Path
}

// Path is a ray and why it sees what it sees.
type Path struct {
	// Departure holds the ray. A camera ray leaves no solid: its Object is accel.None.
	accel.Departure
	Depth int  // how many mirrors the path met before
	Walk  Walk // through the tree

	// Hit is what the ray meets. If its Object is accel.None, it meets nothing and sees the
	// background: only Color and Seen are set.
	Hit        accel.Hit
	Point      geom.Vec3
	Normal     geom.Vec3 // facing the ray's origin
	Material   shade.Material
	Lights     []Arrival
	Irradiance shade.Color // ambient and all that arrives
	Matte      shade.Color // what a matte surface sends back

	// Mirror is what the mirror shows, nil if there is none or the path has no bounce left.
	Mirror *Path

	Color shade.Color // not clamped
	Seen  bool        // false: nothing before a transparent background
}

// Arrival is what a light does at a point.
type Arrival struct {
	Index  int // of the light
	Light  shade.Light
	Dir    geom.Vec3 // toward the light; zero if the point lies on it
	Reach  float64   // what lies before that distance blocks the light
	Cos    float64   // N.L
	Fate   Fate
	Walk   *Walk   // of the shadow ray; nil if there is none
	Object int32   // that blocks; else accel.None
	T      float64 // where, if a walk found it
	Adds   shade.Color
}

// Fate says what becomes of a light's ray.
type Fate uint8

const (
	Arrives   Fate = iota // nothing blocks it
	FacesAway             // the surface looks the other way
	Enclosed              // from inside, the solid itself blocks the lights outside it
	Blocked               // another solid blocks it
)

// String returns the constant's name in words.
func (f Fate) String() string {
	names := [...]string{"arrives", "faces away", "enclosed", "blocked"}
	if int(f) >= len(names) {
		return fmt.Sprintf("Fate(%d)", int(f))
	}
	return names[f]
}

// Walk is a walk through the tree, step by step.
type Walk struct{ Steps []WalkStep }

// WalkStep is a look at a node or, if Solid is not nil, the test of a solid.
type WalkStep struct {
	Node  *accel.NodeStep
	Solid *accel.SolidStep
}

// Node implements [accel.Probe].
func (w *Walk) Node(s accel.NodeStep) { w.Steps = append(w.Steps, WalkStep{Node: &s}) }

// Solid implements [accel.Probe].
func (w *Walk) Solid(s accel.SolidStep) { w.Steps = append(w.Steps, WalkStep{Solid: &s}) }

// Pixel explains the pixel at p. The error says that it lies outside the picture.
func (t *Tracer) Pixel(p image.Point) (*Pixel, error) {
	if !p.In(image.Rectangle{Max: t.size}) {
		return nil, fmt.Errorf("pixel must lie inside the picture of %d x %d pixels, counted from 0, got %d,%d", t.size.X, t.size.Y, p.X, p.Y)
	}
	side, err := t.samples(p)
	if err != nil {
		return nil, err
	}
	all := t.n * t.n
	x := &Pixel{tracer: t, At: p, Size: t.size, Antialias: t.n, Weight: all / (side * side)}
	packet := t.packet(p, side)
	var sum shade.Color
	for i := range packet.Len() {
		s := Sample{Column: i % side, Row: i / side}
		s.Path = t.camera(packet.Ray(s.Column, s.Row))
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
}

// ErrNoDirection says that a ray has no direction: its vector is zero or not finite.
var ErrNoDirection = errors.New("the direction must not be zero")

// unitSlack is how far the squared length of a vector may be from 1 that [geom.Vec3.Unit] has
// made: its length is within two units in the last place.
const unitSlack = 8 * 0x1p-53

// Ray explains the ray from origin toward a vector, which is brought to unit length; one that
// has unit length but for rounding is left as it is. The error is ErrNoDirection.
func (t *Tracer) Ray(origin, toward geom.Vec3) (*Ray, error) {
	dir := toward
	if !(math.Abs(dir.Norm2()-1) <= unitSlack) {
		var ok bool
		if dir, ok = geom.Direction(toward); !ok {
			return nil, ErrNoDirection
		}
	}
	from := accel.Departure{
		Ray:    geom.Ray{Origin: origin, Dir: dir},
		Object: accel.None,
		Eye:    t.world.Enclosing(origin),
	}
	return &Ray{t, toward, t.follow(from, 0)}, nil
}
