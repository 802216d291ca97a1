// Package follow sets a scene up for one picture and follows single rays through it.
//
// [New] makes a [Prepared] of a scene: its size, its camera's view, its world of solids, its lights
// and what they are inside of. Package pillbox renders a stage by packets of rays;
// [Prepared.Follow] follows one ray by the same rules and says all that happened to it: what it
// meets, what becomes of each light there, what a mirror shows, and the color. Both give
// the same linear colors, bit for bit.
//
// Where less is wanted there are single steps: [Prepared.CameraRay] and [Prepared.Intersect] lead to the
// [Interaction] where a ray ends, [Prepared.LightSample] says what one light does there, [Prepared.Reflect] leads to the next
// spot, and [Prepared.Background] is what a ray sees that ends nowhere.
//
// Conventions: those of packages scene, camera, accel and shade. Pixel (0, 0) is the top left;
// rectangles are half-open, [Min.X, Max.X) x [Min.Y, Max.Y); colors are linear light. A stage is
// immutable and safe for concurrent use.
package follow

import (
	"image"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/scene"
)

// World answers rays: an [accel.World] or its slow and simple oracle, an [accel.Brute]. Their
// answers are the same.
type World interface {
	Len() int
	Enclosing(p geom.Vec3) []int32
	Touching(p geom.Vec3) []int32
	Near(b geom.Bounds) bool

	Nearest(p *geom.Packet, hits []accel.Hit) int
	NearestIfAny(p *geom.Packet, hits []accel.Hit) int
	Reflected(rays []accel.SecondaryRay, hits []accel.Hit)
	Blocked(rays []accel.SecondaryRay, dist []float64, blocked []bool)

	WalkNearest(r geom.Ray, p accel.Probe) accel.Hit
	WalkReflected(d accel.SecondaryRay, p accel.Probe) accel.Hit
	WalkBlocked(d accel.SecondaryRay, dist float64, p accel.Probe) accel.Hit
}

// Prepared is a scene set up for one picture. It and what it holds must not be modified; a copy may be
// given another Region inside the picture.
type Prepared struct {
	Scene     *scene.Scene
	World     World
	View      *camera.View
	Size      image.Point     // of the whole picture, in pixels
	Region    image.Rectangle // the part of it that is asked for
	Antialias int             // n: a pixel has n x n samples
	Lights    []scene.PlacedLight

	// Eye lists the solids around the position of a perspective camera, as [accel.World.Enclosing]
	// gives them. The rays of an orthographic camera start at different places; see [Prepared.CameraRay].
	Eye []int32
}

// New sets s up, which must not be modified as long as the stage is used. The error says that s is
// nil, that an option is out of range, that the scene fails its Validate or World is not its
// world, or that the camera is degenerate for a picture of this size. With a World the
// scene is not validated: that belongs to making the World.
func New(s *scene.Scene, opt Options) (*Prepared, error) {
	size, err := opt.PictureSize(s)
	if err != nil {
		return nil, err
	}
	region, err := opt.region(size)
	if err != nil {
		return nil, err
	}
	n, err := opt.antialias(s)
	if err != nil {
		return nil, err
	}
	world, err := opt.world(s)
	if err != nil {
		return nil, err
	}
	view, err := s.View(size.X, size.Y)
	if err != nil {
		return nil, err
	}
	st := &Prepared{Scene: s, World: world, View: view, Size: size, Region: region, Antialias: n}
	st.Lights = s.LightsFrom(view, world.Touching)
	if !view.Parallel() {
		st.Eye = world.Enclosing(view.Position())
	}
	return st, nil
}

// Adaptive reports whether a pixel gets all of its n x n samples only where one through its center
// is not enough.
func (s *Prepared) Adaptive() bool { return s.Scene.Image.Adaptive && s.Antialias > 1 }

// PixelRays returns side x side camera rays through the pixel at p, which may lie outside the picture.
func (s *Prepared) PixelRays(p image.Point, side int) geom.Packet {
	return s.View.Packet(image.Rectangle{p, p.Add(image.Pt(1, 1))}, side)
}
