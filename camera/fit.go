package camera

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"pillbox/geom"
)

// Side is a side of the picture, and of the volume that a camera sees.
type Side int

// The sides of the picture.
const (
	Left Side = iota
	Right
	Bottom
	Top
	sides
)

// String returns the side's name: "left", "right", "bottom" or "top".
func (s Side) String() string {
	if s < 0 || s >= sides {
		return fmt.Sprintf("Side(%d)", int(s))
	}
	return [sides]string{"left", "right", "bottom", "top"}[s]
}

// opposite returns the other side of the same pair.
func (s Side) opposite() Side { return s ^ 1 }

// Inset holds a width for each [Side] of the picture, in pixels.
type Inset [sides]float64

// Add returns the sum of two insets.
func (i Inset) Add(j Inset) Inset {
	for s := range i {
		i[s] += j[s]
	}
	return i
}

// ErrNoRoom is the error of [NewFit] if the insets leave no room in the picture.
var ErrNoRoom = errors.New("no room remains for the solids")

// Fit finds the camera that looks in a given direction and shows a set of solids as large as possible: inside of the
// picture without an inset on each side. Four planes bound what such a camera sees. Their normals do not depend on the
// camera's position. So the extent of the solids along these normals, their support, decides the position. The two
// planes of one pair, left and right or bottom and top, touch the solids: those of the limiting pair. The camera is in
// the middle between the solids' limits for the other pair.
//
// Make one with [NewFit], add the solids with [Fit.Cover] and points with [Fit.Point], in any order, which does not
// affect the result. A Fit is not safe for concurrent use.
type Fit struct {
	camera Camera
	height int
	pixel  float64 // edge length of a pixel: perspective, at distance 1; orthographic, 1, the unit of the scale
	axes   geom.Mat3
	room   [sides]float64   // from the middle of the picture to the side, without its inset, in units of pixel
	bounds [sides][]bound   // what each plane must not cut, ascending by slope
	solids [sides]float64   // the support of the solids alone
	depth  [2]float64       // support toward the camera, and away from it
	normal [sides]geom.Vec3 // of the planes through solids, of any length
}

// bound is a condition for the camera: its offset from the origin toward a side, plus slope times its scale, is at least
// support. The scale is the camera's distance from the origin, or for an orthographic camera the size of a pixel.
type bound struct {
	slope   float64
	support float64
	name    string // of the point that it comes from
}

// NewFit returns a Fit of a camera for a picture of width by height pixels. It uses the projection, the up vector and
// the field of view of c. The direction, of any length except 0, points from the camera into the scene. It returns an
// error if one of these is invalid, as [Camera.View] does, and [ErrNoRoom] if the insets leave less than a thousandth of
// the picture.
func NewFit(c Camera, direction geom.Vec3, width, height int, inset Inset) (*Fit, error) {
	forward, ok := geom.Direction(direction)
	if !ok {
		return nil, fmt.Errorf("camera direction must not be zero, got %v", direction)
	}
	c.Position, c.LookAt, c.ViewHeight = geom.Vec3{}, forward, float64(max(1, height))
	v, err := c.View(width, height)
	if err != nil {
		return nil, err
	}
	f := &Fit{camera: c, height: height, pixel: v.PixelAt(1), axes: v.Axes()}
	f.depth = [2]float64{math.Inf(-1), math.Inf(-1)}
	f.solids = [sides]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for s := range sides {
		half := v.grid.CenterX
		if s >= Bottom {
			half = v.grid.CenterY
		}
		f.room[s] = half - inset[s]
		if 1000*(f.room[s]+half-inset[s.opposite()]) < half || math.IsNaN(inset[s]) {
			return nil, fmt.Errorf("%w: the picture has %d x %d pixels", ErrNoRoom, width, height)
		}
	}
	for s := range sides {
		f.normal[s] = f.sideways(s).Sub(f.lean(f.slope(s)))
	}
	return f, nil
}

// Axes returns the axes of the camera, as [View.Axes] does.
func (f *Fit) Axes() geom.Mat3 { return f.axes }

// slope returns the slope of the plane of a side through solids.
func (f *Fit) slope(s Side) float64 { return float64(f.room[s] * f.pixel) }

// sideways returns the direction in the picture from its middle to a side.
func (f *Fit) sideways(s Side) geom.Vec3 {
	return [sides]geom.Vec3{f.axes.X.Neg(), f.axes.X, f.axes.Y.Neg(), f.axes.Y}[s]
}

// forward returns the viewing direction.
func (f *Fit) forward() geom.Vec3 { return f.axes.Z.Neg() }

// lean returns the part of a plane's normal along the viewing direction, with its sign changed, for a plane with a
// slope.
func (f *Fit) lean(slope float64) geom.Vec3 {
	if f.camera.Projection == Orthographic {
		return geom.Vec3{}
	}
	return f.forward().Scale(slope)
}

// Normals returns the directions, of length 1, in which [Fit.Cover] needs the supports of the solids: the outward normals
// of the planes of the four sides, in the order of [Side], the direction toward the camera, and the viewing direction.
func (f *Fit) Normals() (n [6]geom.Vec3) {
	for s := range sides {
		n[s] = f.normal[s].Unit()
	}
	n[4], n[5] = f.axes.Z, f.forward()
	return n
}

// Cover adds solids. The supports are the largest of p.n over all points p of the solids, for each n of [Fit.Normals].
// All points that a Fit gets are relative to the same origin.
func (f *Fit) Cover(supports [6]float64) {
	for s := range sides {
		support := float64(supports[s] * f.normal[s].Norm())
		f.addBound(s, bound{slope: f.slope(s), support: support})
		f.solids[s] = max(f.solids[s], support)
	}
	f.depth[0], f.depth[1] = max(f.depth[0], supports[4]), max(f.depth[1], supports[5])
}

// Point adds a point with a name, that has a box around it in the picture, such as a text, which extends from the point by extra
// pixels to each side. The extra pixels may be negative: then the box is beside the point. A box that would make the solids
// smaller than a quarter of the picture is cut.
func (f *Fit) Point(name string, p geom.Vec3, extra Inset) {
	for s := range sides {
		slope := float64((f.room[s] - extra[s]) * f.pixel)
		f.addBound(s, bound{slope, p.Dot(f.sideways(s)) - p.Dot(f.lean(slope)), name})
	}
	along := p.Dot(f.forward())
	f.depth[0], f.depth[1] = max(f.depth[0], -along), max(f.depth[1], along)
}

// addBound adds a bound. Of the bounds with one slope, only the one with the largest support matters.
func (f *Fit) addBound(s Side, b bound) {
	i, there := slices.BinarySearchFunc(f.bounds[s], b.slope, func(c bound, slope float64) int { return cmp.Compare(c.slope, slope) })
	switch {
	case !there:
		f.bounds[s] = slices.Insert(f.bounds[s], i, b)
	case b.exceeds(f.bounds[s][i]):
		f.bounds[s][i] = b
	}
}

// exceeds compares the supports of two bounds and, if they are equal, the names, so that the order of the bounds does not
// matter.
func (b bound) exceeds(c bound) bool {
	return b.support > c.support || b.support == c.support && b.name < c.name
}

// nearest is the smallest distance of a perspective camera from the solids, as a fraction of their extent along the view.
// A camera with a wide field of view would otherwise touch the corner of a box that points at it.
const nearest = 0x1p-12

// Fitted is a camera that a [Fit] found.
type Fitted struct {
	Camera Camera

	// Limit is a side of the pair whose planes touch what the camera shows: Left for left and right, Bottom for bottom
	// and top.
	Limit Side

	// Close is true if no plane touches: the camera would show the solids larger if it did not have to stay at some
	// distance from them.
	Close bool

	// Touching is what each plane is nearest to: "" for the solids, or the name of a point.
	Touching [sides]string
}

// Camera returns the camera. origin is the point that all positions are relative to. At least one solid or two different
// points must have been added.
func (f *Fit) Camera(origin geom.Vec3) Fitted {
	x, y := f.scale(Left), f.scale(Bottom)
	scale, found := max(x, y), Fitted{Camera: f.camera, Limit: Left}
	if y > x {
		found.Limit = Bottom
	}
	toward, away := f.depth[0], f.depth[1]
	if f.camera.Projection == Perspective {
		if least := toward + float64(nearest*(toward+away)); scale < least {
			scale, found.Close = least, true
		}
	}
	for s := range sides {
		found.Touching[s] = f.offset(s, scale).name
	}
	at := origin.AddScaled(f.aside(Right, scale), f.axes.X).AddScaled(f.aside(Top, scale), f.axes.Y)
	back, depth := scale, scale+float64((away-toward)/2)
	if f.camera.Projection == Orthographic {
		found.Camera.ViewHeight = float64(scale * float64(f.height))
		back = toward + found.Camera.ViewHeight
		depth = found.Camera.ViewHeight + float64((toward+away)/2)
	}
	c := &found.Camera
	c.Position = at.AddScaled(-back, f.forward())
	c.LookAt = c.Position.AddScaled(depth, f.forward())
	return found
}

// leastRoom is the smallest fraction of the room in the picture that boxes of points leave.
const leastRoom = 1.0 / 4

// scale returns the smallest scale at which the bounds of a side and of the opposite side leave room for the camera.
func (f *Fit) scale(s Side) float64 {
	least := math.Inf(-1)
	for _, b := range f.bounds[s] {
		for _, c := range f.bounds[s.opposite()] {
			room := max(b.slope+c.slope, float64(leastRoom*(f.slope(s)+f.slope(s.opposite()))))
			least = max(least, (b.support+c.support)/room)
		}
	}
	return least
}

// aside returns how far the camera is from the origin toward a side, at a scale: in the middle between the bounds of the
// side and of the opposite side, but never so that it cuts solids.
func (f *Fit) aside(s Side, scale float64) float64 {
	o := s.opposite()
	middle := (f.offset(s, scale).support - f.offset(o, scale).support) / 2
	low, high := f.solids[s]-float64(f.slope(s)*scale), float64(f.slope(o)*scale)-f.solids[o]
	return max(low, min(middle, high))
}

// offset returns, as the support of a bound, how far the camera must at least be from the origin toward a side, at a
// scale.
func (f *Fit) offset(s Side, scale float64) bound {
	least := bound{support: math.Inf(-1)}
	for _, b := range f.bounds[s] {
		if b.support -= float64(b.slope * scale); b.exceeds(least) {
			least = b
		}
	}
	return least
}
