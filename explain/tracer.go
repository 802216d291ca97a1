package explain

import (
	"context"
	"image"

	"pillbox"
	"pillbox/accel"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

// Tracer explains what rays of one scene see. It is immutable and safe for concurrent use.
type Tracer struct {
	scene  *scene.Scene
	world  *accel.World
	view   *camera.View
	size   image.Point
	n      int // n x n samples a pixel
	lights []scene.PlacedLight
	eye    []int32 // the solids around the position of a perspective camera
	quiet  bool    // records no walks
}

// New prepares the scene, which must not be modified afterwards. Of the options, Size,
// Antialias and World count. The errors are those of [pillbox.Render].
func New(s *scene.Scene, opt pillbox.Options) (*Tracer, error) {
	size, err := opt.PictureSize(s)
	if err != nil {
		return nil, err
	}
	n, err := opt.PictureAntialias(s)
	if err != nil {
		return nil, err
	}
	world, err := opt.SceneWorld(s)
	if err != nil {
		return nil, err
	}
	view, err := s.View(size.X, size.Y)
	if err != nil {
		return nil, err
	}
	t := &Tracer{scene: s, world: world, view: view, size: size, n: n}
	t.lights = s.LightsFrom(view.Position(), t.world.Touching)
	if !view.Parallel() {
		t.eye = t.world.Enclosing(view.Position())
	}
	return t, nil
}

// Quiet returns a tracer that follows the same rays to the same ends but records no walks: the
// Walk of every [Path] and [Arrival] stays empty. It is several times faster, which pays where
// every pixel of a picture is followed. Its explanations have the same numbers and nothing to
// tell of the tree.
func (t *Tracer) Quiet() *Tracer {
	q := *t
	q.quiet = true
	return &q
}

// probe returns what watches a walk, nil if it is not to be recorded.
func (t *Tracer) probe(w *Walk) accel.Probe {
	if t.quiet {
		return nil
	}
	return w
}

// samples returns how many samples a pixel has in each direction: n, or 1 where adaptive
// antialiasing finds that enough. Only the renderer can tell that, from what lies around.
func (t *Tracer) samples(p image.Point) (int, error) {
	if !t.scene.Image.Adaptive || t.n == 1 {
		return t.n, nil
	}
	film, err := pillbox.Render(context.Background(), t.scene, pillbox.Options{
		Size:      t.size,
		Antialias: t.n,
		Region:    pixelAt(p),
		World:     t.world,
	})
	if err != nil {
		return 0, err
	}
	if film.Refined[0] {
		return t.n, nil
	}
	return 1, nil
}

func pixelAt(p image.Point) image.Rectangle { return image.Rectangle{p, p.Add(image.Pt(1, 1))} }

// packet returns side x side rays through a pixel.
func (t *Tracer) packet(p image.Point, side int) geom.Packet { return t.view.Packet(pixelAt(p), side) }

// camera follows a ray from the camera.
func (t *Tracer) camera(r geom.Ray) *Path {
	eye := t.eye
	if t.view.Parallel() {
		eye = t.world.Enclosing(r.Origin)
	}
	return t.follow(accel.Departure{Ray: r, Object: accel.None, Eye: eye}, 0)
}

// follow follows a ray from the camera or, if depth is not 0, from a mirror.
func (t *Tracer) follow(d accel.Departure, depth int) *Path {
	q := &Path{Departure: d, Depth: depth}
	if depth == 0 {
		q.Hit = t.world.WalkNearest(d.Ray, t.probe(&q.Walk))
	} else {
		q.Hit = t.world.WalkReflected(d, t.probe(&q.Walk))
	}
	if q.Hit.Object == accel.None {
		q.Color, q.Seen = t.background(d.Ray.Dir)
		return q
	}
	q.Point, q.Normal, q.Seen = q.Hit.Point, q.Hit.Normal, true
	if q.Hit.Inside {
		q.Normal = q.Normal.Neg()
	}
	q.Material = t.scene.Objects[q.Hit.Object].Material
	t.shade(q)
	return q
}

// shade finds the colour of the surface at the end of a path.
func (t *Tracer) shade(q *Path) {
	q.Irradiance = t.scene.Shading.Ambient
	for i := range t.lights {
		a := t.arrival(q, i)
		if a.Fate == Arrives {
			q.Irradiance = q.Irradiance.Add(a.Adds)
		}
		q.Lights = append(q.Lights, a)
	}
	q.Matte = shade.Lambert(q.Material.Albedo, q.Irradiance)
	q.Color = q.Matte
	if q.Material.Mirror > 0 && q.Depth < t.scene.Shading.Bounces {
		q.Mirror = t.follow(q.leave(shade.Reflect(q.Ray.Dir, q.Normal)), q.Depth+1)
		q.Color = q.Matte.Mix(q.Mirror.Color, q.Material.Mirror)
	}
}

// leave returns a ray from the end of the path.
func (q *Path) leave(dir geom.Vec3) accel.Departure {
	return accel.Departure{
		Ray:    geom.Ray{Origin: q.Point, Dir: dir},
		Object: q.Hit.Object,
		Inside: q.Hit.Inside,
		Eye:    q.Eye,
	}
}

// arrival finds what a light does at the end of a path.
func (t *Tracer) arrival(q *Path, index int) Arrival {
	l := &t.lights[index]
	a := Arrival{Index: index, Light: l.Light, Object: accel.None}
	a.Dir, a.Reach = l.Toward(q.Point)
	a.Cos = q.Normal.Dot(a.Dir)
	if !(a.Cos > 0) {
		a.Fate = FacesAway
		return a
	}
	if t.scene.Shading.Shadows {
		if q.Hit.Inside && !l.Enters(q.Hit.Object) {
			a.Fate, a.Object = Enclosed, q.Hit.Object
			return a
		}
		a.Walk = &Walk{}
		hit := t.world.WalkBlocked(q.leave(a.Dir), a.Reach, t.probe(a.Walk))
		if hit.Object != accel.None {
			a.Fate, a.Object, a.T = Blocked, hit.Object, hit.T
			return a
		}
	}
	a.Adds = l.Irradiance(a.Cos)
	return a
}

// background returns what a ray sees that meets nothing, and false if that is nothing.
func (t *Tracer) background(dir geom.Vec3) (shade.Color, bool) {
	b := &t.scene.Image.Background
	switch {
	case b.Transparent:
		return shade.Color{}, false
	case b.Top == b.Bottom:
		return b.Top, true
	}
	return b.Bottom.Mix(b.Top, float64((1+dir.Dot(t.view.Up()))/2)), true
}
