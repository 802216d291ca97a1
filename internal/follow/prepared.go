// Package follow holds a scene prepared for one picture and traces single rays through it.
//
// A [Prepared] scene has a size, the camera's view, the acceleration structure, the lights, and the list of solids that
// contain the camera. Package tracer renders it with packets of rays. [Prepared.Follow] traces one ray by the same
// rules. It reports the closest hit, the visibility of each light, what a mirror shows, and the color. Both compute the
// same linear colors, bit for bit, so this package is the oracle of the packets.
//
// The steps are also available individually. [Prepared.CameraRay] and [Prepared.Intersect] return the first
// [Interaction]. [Prepared.SampleLight] returns what one light contributes there. [Prepared.Reflect] returns the next
// interaction after a mirror, and [Prepared.Background] the color of a ray that hits nothing.
//
// Conventions: those of packages scene, camera, accel and shade. Pixel (0, 0) is the top left; rectangles are
// half-open, [Min.X, Max.X) x [Min.Y, Max.Y); colors are linear light.
package follow

import (
	"context"
	"image"
	"sync/atomic"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/arealight"
	"pillbox/internal/sampler"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// World answers queries about rays. It is an [accel.BVH], or an [accel.BruteForce], which is slow and simple and
// serves as the oracle of the BVH. Both find the same hits. A BVH also determines for some rays that they need not be
// cast. A BruteForce does not: its method MayOcclude always returns true, and its methods Cover and BlockedSky leave
// all rays to be cast.
type World interface {
	Enclosing(p geom.Vec3) []int32
	Near(b geom.Bounds) bool
	MayOcclude(p, n geom.Vec3, object int32, reach float64) bool

	Nearest(p *geom.Packet, hits []accel.Hit) int
	NearestIfAny(p *geom.Packet, hits []accel.Hit) int
	Reflected(rays []accel.SecondaryRay, hits []accel.Hit)
	Blocked(rays []accel.SecondaryRay, dist []float64, blocked []bool)
	BlockedSky(s *accel.Sky) bool
	Shape(object int32) shapes.Shape
	Cover(l *accel.AreaLight, axes []accel.SecondaryRay, cones []accel.Cone, covers []accel.Cover, cast accel.CastFan)

	TraverseNearest(r geom.Ray, p accel.Probe) accel.Hit
	Layers(r geom.Ray, tMax float64, hulls []int32, hits []accel.Hit) []accel.Hit
	TraverseReflected(d accel.SecondaryRay, p accel.Probe) accel.Hit
	TraverseBlocked(d accel.SecondaryRay, dist float64, p accel.Probe) accel.Hit
}

// Worlds are the solids of a scene as sections cut them.
type Worlds struct {
	World           // for rays from the camera and reflected rays: all solids but the ghosts
	Shadows World   // for light: with what sections with LightWhole take away; nil if World is also for light
	Ghosts  *Ghosts // nil if the scene has none
}

// NewBVHs returns the solids of s in bounding-volume hierarchies. If building is not nil, it is called as the field
// Progress of [accel.Source].
func NewBVHs(s *scene.Scene, building func(done, all int)) Worlds {
	source := opaque(s, false)
	source.Progress = building
	w := Worlds{World: accel.New(source), Ghosts: newGhosts(s)}
	if s.LightsWhole() {
		w.Shadows = accel.New(opaque(s, true))
	}
	return w
}

// For returns w for another scene with the same solids, whose materials may differ.
func (w Worlds) For(s *scene.Scene) Worlds {
	if w.Ghosts != nil {
		w.Ghosts = &Ghosts{w.Ghosts.GhostWorld, hullsOf(s), w.Ghosts.all}
	}
	return w
}

// Shape returns what sections leave of a solid, which may be a ghost, or nil if they remove it.
func (w *Worlds) Shape(object int32) shapes.Shape {
	if s := w.World.Shape(object); s != nil || w.Ghosts == nil {
		return s
	}
	return w.Ghosts.Shape(object)
}

// sourceOf returns the solids of s, with the ghosts, as sections cut them. If lit is set, sections with LightWhole cut nothing.
func sourceOf(s *scene.Scene, lit bool) accel.Source {
	source := accel.Source{Spheres: s.Spheres, Capsules: s.Capsules, Boxes: s.Boxes, Cylinders: s.Cylinders}
	for _, c := range s.Cuts(lit) {
		source.Cuts = append(source.Cuts, accel.Cut(c))
	}
	return source
}

// ForLight returns the solids that block light.
func (w *Worlds) ForLight() World {
	if w.Shadows != nil {
		return w.Shadows
	}
	return w.World
}

// cancelable returns views of all hierarchies of w: see [accel.BVH.Cancelable]. A brute-force search has no view.
func (w Worlds) cancelable(canceled *atomic.Bool) (views Worlds, release func()) {
	var releases []func()
	view := func(bvh *accel.BVH) *accel.BVH {
		v, release := bvh.Cancelable(canceled)
		releases = append(releases, release)
		return v
	}
	if bvh, ok := w.World.(*accel.BVH); ok {
		w.World = view(bvh)
	}
	if bvh, ok := w.Shadows.(*accel.BVH); ok {
		w.Shadows = view(bvh)
	}
	if g := w.Ghosts; g != nil {
		if bvh, ok := g.GhostWorld.(*accel.BVH); ok {
			w.Ghosts = &Ghosts{view(bvh), g.hulls, g.all}
		}
	}
	return w, func() {
		for _, release := range releases {
			release()
		}
	}
}

// Prepared is a scene prepared for one picture. A Prepared, and the data that it refers to, must not be modified; it is
// safe for concurrent use.
type Prepared struct {
	Scene *scene.Scene
	Worlds
	View         *camera.View
	Size         image.Point     // of the whole picture, in pixels
	Region       image.Rectangle // the part of it to render
	Antialias    int             // n, for n x n samples per pixel
	Lights       []scene.PlacedLight
	Emitters     []arealight.Emitter // those of Lights; the zero Emitter for a light without a size
	AreaLights   []accel.AreaLight   // one for each light, for the acceleration structure; unused for lights without a size
	OutlineWidth float64             // the width of the scene's outline in pixels of this picture; 0 if the scene has none
	Fog          *shade.Fog          // nil if the scene has none
	Sampler      sampler.Sampler     // of the points on lights with a size and the directions of ambient occlusion

	// Eye lists the solids that contain the position of a perspective camera, as [accel.BVH.Enclosing] returns them. It
	// is empty for an orthographic camera, whose rays start at different points: see [Prepared.CameraRay].
	Eye []int32

	visible []int         // indices of the lights that mirrors show
	hatches []shade.Lines // of the sections; zero for a section without a hatch
}

// New prepares a picture of a valid scene. w must contain the solids of the scene. Size, region and antialias
// must be in range. It returns an error if the camera or the width of the outline is not valid for a picture of this
// size.
func New(s *scene.Scene, w Worlds, size image.Point, region image.Rectangle, antialias int) (*Prepared, error) {
	view, err := s.View(size.X, size.Y)
	if err != nil {
		return nil, err
	}
	p := &Prepared{Scene: s.Shaded(), Worlds: w, View: view, Size: size, Region: region, Antialias: antialias}
	if o := s.Outline; o != nil {
		if p.OutlineWidth, err = o.Pixels(s.Image.Height, size.Y); err != nil {
			return nil, err
		}
	}
	if f := s.Fog; f != nil {
		fog := f.For(s, view)
		p.Fog = &fog
	}
	for i := range s.Sections {
		var hatch shade.Lines
		if x := &s.Sections[i]; x.Hatch.Enabled {
			hatch = x.Lines()
		}
		p.hatches = append(p.hatches, hatch)
	}
	p.Lights = p.lights()
	for i := range p.Lights {
		l := &p.Lights[i]
		e := arealight.New(&l.Light)
		p.Emitters = append(p.Emitters, e)
		p.AreaLights = append(p.AreaLights, areaLight(&e))
		if l.Visible && !l.Directional && l.Radius > 0 {
			p.visible = append(p.visible, i)
		}
	}
	p.Sampler = sampler.New(s.Shading.SampleCount(), antialias*antialias)
	if !view.Parallel() {
		p.Eye = w.Enclosing(view.Position())
	}
	return p, nil
}

// lights returns the lights of the scene, or none if the scene is drawn in flat colors.
func (p *Prepared) lights() []scene.PlacedLight {
	if p.Scene.Shading.Flat {
		return nil
	}
	return p.Scene.PlacedLights(p.View)
}

// Room tells which solids that block light contain the light with the given index in Lights. Only such a light can reach the
// inner side of the solid's surface.
func (p *Prepared) Room(light int) accel.Room {
	l := &p.Lights[light]
	if l.Directional {
		return accel.Room{}
	}
	_, radius := p.Emitters[light].Ball()
	return accel.NewRoom(l.Position, radius, p.ForLight())
}

// Until returns a copy of p whose queries about rays end early if ctx ends: see [accel.BVH.Cancelable]. If the function
// ended returns true, results of queries may be wrong. Call the function release when all queries have ended.
func (p *Prepared) Until(ctx context.Context) (q *Prepared, ended func() bool, release func()) {
	var canceled atomic.Bool
	stop := context.AfterFunc(ctx, func() { canceled.Store(true) })
	copied := *p
	views, leave := p.Worlds.cancelable(&canceled)
	copied.Worlds = views
	return &copied, canceled.Load, func() {
		stop()
		leave()
	}
}

// Brute returns a copy of p whose World and Ghosts are an [accel.BruteForce]. It tests all solids for every ray, and is the
// oracle of the bounding-volume hierarchy.
func (p *Prepared) Brute() *Prepared {
	s := p.Scene
	q := *p
	q.World = accel.NewBruteForce(opaque(s, false))
	if q.Shadows != nil {
		q.Shadows = accel.NewBruteForce(opaque(s, true))
	}
	if q.Ghosts != nil {
		q.Ghosts = &Ghosts{accel.NewBruteForce(ghosts(s)), q.Ghosts.hulls, q.Ghosts.all}
	}
	q.Lights = q.lights()
	if !p.View.Parallel() {
		q.Eye = q.World.Enclosing(p.View.Position())
	}
	return &q
}

// Adaptive reports whether antialiasing is adaptive: only pixels that differ from their neighbors get all samples,
// p.Antialias in each direction.
func (p *Prepared) Adaptive() bool { return p.Scene.Image.Adaptive && p.Antialias > 1 }

// PixelRays returns a grid of side x side camera rays through a pixel, which may lie outside the picture.
func (p *Prepared) PixelRays(pixel image.Point, side int) geom.Packet {
	return p.View.Packet(image.Rectangle{pixel, pixel.Add(image.Pt(1, 1))}, side)
}
