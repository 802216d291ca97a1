// Package camera turns a pixel into rays: it chooses the positions of the samples in each pixel.
//
// Pixel (0, 0) is the top left. A single sample lies at the pixel's center, (x + 0.5, y + 0.5); several
// samples lie at the centers of the cells of a regular grid ([View.Packet]). Pixels are square whatever
// the picture's proportions. The vertical field of view or, for an orthographic camera, the height of
// the view decides the scale. A [Camera] is a plain description; a [View] is the same camera prepared
// for a picture of a given size, immutable and safe for concurrent use.
package camera

import (
	"errors"
	"fmt"
	"image"

	"pillbox/geom"
)

// Projection is the kind of a camera: whether its rays spread from a point or are parallel.
type Projection int

const (
	Perspective  Projection = iota // rays spread from the camera's position
	Orthographic                   // rays are parallel and start on the plane through the position
)

// String returns the projection's name in scene files.
func (p Projection) String() string {
	switch p {
	case Perspective:
		return "perspective"
	case Orthographic:
		return "orthographic"
	}
	return fmt.Sprintf("Projection(%d)", int(p))
}

// Camera describes the viewpoint, the orientation and the projection of a picture.
type Camera struct {
	Projection Projection
	Position   geom.Vec3
	LookAt     geom.Vec3  // the point in the middle of the picture; must differ from Position
	Up         geom.Vec3  // the direction that points up in the picture; any length except 0, not parallel to the viewing direction
	FOV        geom.Angle // vertical field of view of a perspective camera, between 0 and 180 degrees
	ViewHeight float64    // height of an orthographic view in scene units, positive
}

// The defaults of a scene file.
const (
	DefaultFOV        = 40 * geom.Degree
	DefaultViewHeight = 10.0
)

// DefaultUp returns the default of Camera.Up in a scene file.
func DefaultUp() geom.Vec3 { return geom.Vec3{X: 0, Y: 1, Z: 0} }

// minUpSine is the smallest sine of the angle between the viewing direction and Up. The normalized cross
// product of these two vectors is the picture's right vector. It has an error of a few 2^-53. For a smaller
// sine, this error could roll the picture by more than 2^-20, a visible fraction of a pixel.
const minUpSine = 0x1p-32

// Errors that [Camera.View] returns, wrapped with the values.
var (
	ErrSamePoint  = errors.New("camera position and look_at must differ")
	ErrUpParallel = errors.New("camera up must not be zero or parallel to the view")
)

// View prepares c for a picture of width by height pixels, both at least 1. It returns an error if the
// camera is degenerate: Position equals LookAt, Up is zero or parallel to the viewing direction, or a value
// is out of range or not finite.
func (c Camera) View(width, height int) (*View, error) {
	if width < 1 || height < 1 {
		return nil, fmt.Errorf("picture size must be at least 1 x 1, got %d x %d", width, height)
	}
	if !geom.IsCoordinate(c.Position) || !geom.IsCoordinate(c.LookAt) {
		return nil, fmt.Errorf("camera coordinates must be finite and at most %g in magnitude, got position %v and look_at %v",
			geom.MaxCoordinate, c.Position, c.LookAt)
	}
	forward, ok := geom.Direction(c.LookAt.Sub(c.Position))
	if !ok {
		return nil, fmt.Errorf("%w, got %v for both", ErrSamePoint, c.Position)
	}
	worldUp, ok := geom.Direction(c.Up)
	side := forward.Cross(worldUp)
	if !ok || side.Norm() < minUpSine {
		return nil, fmt.Errorf("%w, got %v for a view along %v", ErrUpParallel, c.Up, forward)
	}
	pixel, err := c.pixelSize(height)
	if err != nil {
		return nil, err
	}
	right := side.Unit()
	up := right.Cross(forward).Unit()
	return &View{
		worldUp: worldUp,
		pixel:   pixel,
		axes:    geom.Mat3{X: right, Y: up, Z: forward.Neg()},
		grid: geom.Packet{
			Parallel: c.Projection == Orthographic,
			Origin:   c.Position,
			Dir:      forward,
			DX:       right.Scale(pixel),
			DY:       up.Scale(pixel),
			CenterX:  float64(width) / 2,
			CenterY:  float64(height) / 2,
		},
	}, nil
}

// pixelSize returns the edge length of a pixel. For a perspective camera, it is the length on the plane at
// distance 1 from the camera; for an orthographic one, the length in scene units.
func (c Camera) pixelSize(height int) (float64, error) {
	switch c.Projection {
	case Perspective:
		if !(0 < c.FOV && c.FOV < 180) {
			return 0, fmt.Errorf("camera fov must lie between 0 and 180 degrees, got %v", c.FOV.Degrees())
		}
		return 2 * (c.FOV / 2).Tan() / float64(height), nil
	case Orthographic:
		if !geom.IsSize(c.ViewHeight) {
			return 0, fmt.Errorf("camera view_height must be positive and finite, got %v", c.ViewHeight)
		}
		return c.ViewHeight / float64(height), nil
	}
	return 0, fmt.Errorf("camera projection must be perspective or orthographic, got %v", c.Projection)
}

// View is a [Camera] prepared for a picture of one size. It is immutable and safe for
// concurrent use.
type View struct {
	grid    geom.Packet
	pixel   float64 // edge length, see pixelSize
	worldUp geom.Vec3
	axes    geom.Mat3
}

// Packet returns the rays through the samples of the pixels of rect, [Min.X, Max.X) x [Min.Y, Max.Y).
// Each pixel is divided into density x density square cells, with a sample at the center of each. A ray
// depends only on its sample, not on rect. [geom.Packet] has the formula.
func (v *View) Packet(rect image.Rectangle, density int) geom.Packet {
	p := v.grid
	p.Density = float64(density)
	p.X0, p.Y0 = rect.Min.X*density, rect.Min.Y*density
	p.NX, p.NY = rect.Dx()*density, rect.Dy()*density
	return p
}

// Through returns the ray through the point (x, y) of the picture, in pixels from its top left corner. For the center
// of a sample, this is the ray of [View.Packet].
func (v *View) Through(x, y float64) geom.Ray {
	x, y = x-v.grid.CenterX, v.grid.CenterY-y
	if v.grid.Parallel {
		return geom.Ray{Origin: v.grid.Origin.AddScaled(y, v.grid.DY).AddScaled(x, v.grid.DX), Dir: v.grid.Dir}
	}
	return geom.Ray{Origin: v.grid.Origin, Dir: v.grid.Dir.AddScaled(y, v.grid.DY).AddScaled(x, v.grid.DX).Unit()}
}

// Position returns the camera's position.
func (v *View) Position() geom.Vec3 { return v.grid.Origin }

// Up returns [Camera].Up, scaled to unit length. It need not be perpendicular to the viewing direction.
func (v *View) Up() geom.Vec3 { return v.worldUp }

// Axes returns the camera's own axes: X points right and Y up in the picture, Z points toward the
// viewer.
func (v *View) Axes() geom.Mat3 { return v.axes }

// Project returns where the point p appears in the picture, in pixels from the top left corner, and its
// depth. The depth is the distance of p from the camera's position, measured along the viewing direction.
// Except for rounding, the ray through (x, y) passes through p. A point with a depth of 0 or less is not in
// front of the camera; for a perspective camera, its x and y are meaningless.
func (v *View) Project(p geom.Vec3) (x, y, depth float64) {
	from := p.Sub(v.grid.Origin)
	depth = from.Dot(v.grid.Dir)
	pixel := v.PixelAt(depth)
	return v.grid.CenterX + from.Dot(v.axes.X)/pixel, v.grid.CenterY - from.Dot(v.axes.Y)/pixel, depth
}

// Depth returns the distance of p from the camera's position, measured along the viewing direction, as [View.Project]
// does.
func (v *View) Depth(p geom.Vec3) float64 { return p.Sub(v.grid.Origin).Dot(v.grid.Dir) }

// PixelAt returns the edge length, in scene units, of the square that one pixel shows at a depth. In an
// orthographic view, the length is the same at all depths.
func (v *View) PixelAt(depth float64) float64 {
	if v.grid.Parallel {
		return v.pixel
	}
	return float64(v.pixel * depth)
}

// Parallel reports whether the projection is orthographic: all rays have the same direction, but
// different origins.
func (v *View) Parallel() bool { return v.grid.Parallel }
