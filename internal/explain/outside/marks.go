package outside

import (
	"pillbox/camera"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// The names of marks that are not rays. A ray has its [explain.RayName].
const (
	markCamera  = "camera"
	markView    = "edge of the view"
	markPixel   = "pixel"
	markSegment = "segment"
	markEnd     = "end"
	markLight   = "light"
	markSample  = "sample" // a ray into the sky
)

// Colors of marks, as sRGB values.
const (
	colorCamera  = 0x3b4650
	colorView    = 0x6b7883
	colorRay     = 0x1583e9
	colorMirror  = 0xa24be0
	colorLight   = 0xf5b800
	colorBlocked = 0xe8511f
	colorOpen    = 0x9fd0f5
)

// Thickness of marks, in radii of a ray's capsule.
const (
	edgeThickness   = 0.6
	sampleThickness = 0.35
	endRadius       = 2.2
	lightRadius     = 6
	bodyHalf        = 7
)

// marker collects marks.
type marker struct {
	*Subject
	st       *follow.Prepared
	r        float64 // radius of a ray's capsule
	spheres  []shapes.Sphere
	capsules []shapes.Capsule
	boxes    []shapes.Box
	objects  [3][]scene.Object // of spheres, capsules and boxes
}

// Marks returns a scene that contains the marks, for a camera that looks at them.
func (s *Subject) Marks(c camera.Camera) *scene.Scene {
	m := &marker{Subject: s, st: follow.Of(s.Prepared), r: thickness(&c)}
	m.camera()
	m.lights()
	if s.Segment != nil {
		m.line(markSegment, s.Segment.A, s.Segment.B, 1, colorRay)
		m.ball(markEnd, s.Segment.A, endRadius*m.r, colorRay)
		m.ball(markEnd, s.Segment.B, endRadius*m.r, colorRay)
	}
	if s.Path != nil {
		m.path(s.Path, colorRay)
	}
	marks := scene.New()
	marks.Name = s.Prepared.Scene().Name
	marks.Camera = &c
	marks.Image.Background = scene.Background{Transparent: true}
	marks.Shading = scene.Shading{Ambient: shade.Even(shade.Gray(0.7))}
	marks.Lights = []scene.Light{{Attached: true, Light: shade.Light{Directional: true, Direction: geom.Vec3{Z: -1}, Color: shade.White(), Intensity: 0.3}}}
	marks.Spheres, marks.Capsules, marks.Boxes = m.spheres, m.capsules, m.boxes
	marks.Objects = scene.NewObjects(append(append(m.objects[0], m.objects[1]...), m.objects[2]...)...)
	return marks
}

func object(name string, color uint32) scene.Object {
	return scene.Object{Name: name, Material: shade.Material{Albedo: shade.FromSRGB8(uint8(color>>16), uint8(color>>8), uint8(color))}}
}

func (m *marker) ball(name string, center geom.Vec3, radius float64, color uint32) {
	m.spheres = append(m.spheres, shapes.Sphere{Center: center, Radius: radius})
	m.objects[0] = append(m.objects[0], object(name, color))
}

// line adds a capsule. Its radius is thick times the radius of a ray's capsule.
func (m *marker) line(name string, a, b geom.Vec3, thick float64, color uint32) {
	m.capsules = append(m.capsules, shapes.Capsule{A: a, B: b, Radius: thick * m.r})
	m.objects[1] = append(m.objects[1], object(name, color))
}

func (m *marker) box(name string, center, half geom.Vec3, color uint32) {
	m.boxes = append(m.boxes, shapes.Box{Center: center, HalfExtents: half, Rotation: m.st.View.Axes()})
	m.objects[2] = append(m.objects[2], object(name, color))
}

// camera adds the camera's body, the edges of its view up to its picture, a tick at the picture's upper edge, and the
// pixel.
func (m *marker) camera() {
	view, size := m.st.View, m.st.Size
	axes := view.Axes()
	grid := view.Packet(m.st.Region, 1)
	depth := m.imageDepth()
	width, height := float64(size.X)/2, float64(size.Y)/2 // half the picture, in pixels
	pixel := grid.DX.Norm()
	if !view.Parallel() {
		pixel *= depth
	}
	at := func(x, y float64) geom.Vec3 { // a point of the picture, in pixels from its center
		return view.Position().AddScaled(depth, axes.Z.Neg()).AddScaled(pixel*x, axes.X).AddScaled(pixel*y, axes.Y)
	}
	var corners [4]geom.Vec3
	for i, c := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		corners[i] = at(c[0]*width, c[1]*height)
		start := view.Position()
		if view.Parallel() {
			start = corners[i].AddScaled(depth, axes.Z)
		}
		m.line(markView, start, corners[i], edgeThickness, colorView)
	}
	for i := range corners {
		m.line(markView, corners[i], corners[(i+1)%4], edgeThickness, colorView)
	}
	m.line(markView, at(0, height), at(0, 1.25*height), 1, colorView)
	half := bodyHalf * m.r
	m.box(markCamera, view.Position().AddScaled(half, axes.Z), geom.Vec3{X: half, Y: 0.7 * half, Z: half}, colorCamera)
	if m.Pixel != nil {
		side := max(pixel/2, 3*m.r)
		p := at(float64(m.Pixel.X)+0.5-width, height-float64(m.Pixel.Y)-0.5)
		m.box(markPixel, p, geom.Vec3{X: side, Y: side, Z: m.r / 2}, colorRay)
	}
}

// lights adds a ball for each light that has a position.
func (m *marker) lights() {
	if len(m.st.Scene.Lights) == 0 {
		return // the light at the camera
	}
	for i := range m.st.Lights {
		l := &m.st.Lights[i]
		if !l.Directional {
			m.ball(markLight, l.Position, max(l.Radius, lightRadius*m.r), colorLight)
		}
	}
}

// path adds a ray and, if it hits a solid, the rays from the hit to the lights and into the sky, and the mirror ray.
func (m *marker) path(p *follow.Path, color uint32) {
	name := explain.RayName(p.Depth, -1)
	if !p.IsSolid() {
		m.line(name, p.Ray.Origin, p.Ray.At(m.Far()), 1, color)
		return
	}
	m.line(name, p.Ray.Origin, p.Hit.Point, 1, color)
	m.ball(markEnd, p.Hit.Point, endRadius*m.r, color)
	for i := range p.Lights {
		m.light(p, &p.Lights[i])
	}
	if p.Occlusion != nil {
		m.sky(p)
	}
	if p.Mirror != nil {
		m.path(p.Mirror, colorMirror)
	}
}

// light adds the shadow ray to a light. For a light with a size, it adds one ray for each sampled point. It adds none
// if the surface faces away from the light or is outside of a spot light's cone.
func (m *marker) light(p *follow.Path, a *follow.LightSample) {
	if a.Visibility == follow.FacesAway || a.Visibility == follow.Outside || a.Dir == (geom.Vec3{}) {
		return
	}
	name := explain.RayName(p.Depth, a.Index)
	if len(a.Points) > 0 {
		for i := range a.Points {
			q := &a.Points[i]
			m.sample(name, p.Hit.Point, q.Dir, q.Reach, q.Object, q.T, colorLight)
		}
		return
	}
	ray := geom.Ray{Origin: p.Hit.Point, Dir: a.Dir}
	if stop, ok := a.Stop(p.Hit.Point); ok {
		m.line(name, ray.Origin, stop, 1, colorBlocked)
		m.ball(markEnd, stop, endRadius*m.r, colorBlocked)
		return
	}
	m.line(name, ray.Origin, ray.At(min(a.Reach, m.Far())), 1, colorLight)
}

// sample adds a ray to one point of a light, or into the sky. If a solid blocks the ray, the ray ends at the solid.
func (m *marker) sample(name string, from, dir geom.Vec3, reach float64, object int32, t float64, color uint32) {
	length := min(reach, m.Far())
	if object != accel.None {
		length, color = min(t, length), colorBlocked
	}
	m.line(name, from, geom.Ray{Origin: from, Dir: dir}.At(length), sampleThickness, color)
}

// sky adds the rays that sample the sky. A ray that hits nothing is drawn with a short length.
func (m *marker) sky(p *follow.Path) {
	open := 40 * m.r
	for i := range p.Occlusion.Samples {
		a := &p.Occlusion.Samples[i]
		reach := p.Occlusion.Reach
		if a.Object == accel.None {
			reach = min(reach, open)
		}
		m.sample(markSample, p.Hit.Point, a.Dir, reach, a.Object, a.T, colorOpen)
	}
}
