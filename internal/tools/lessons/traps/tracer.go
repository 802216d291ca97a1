package main

import (
	"image"
	"math"

	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// tracer is a small ray tracer for one light, one sample per pixel, a plain background and no mirrors. Mistakes replace
// some of its functions. Initially it renders exactly the pixels of package pillbox.
type tracer struct {
	scene  *scene.Scene
	solids []shapes.Shape
	light  shade.Light

	// hit returns the hit of a camera ray with a solid.
	hit func(s shapes.Shape, r geom.Ray) (shapes.Hit, bool)

	// blocks reports whether a solid shadows a point. r is the ray from the point to the light, and reach is the
	// light's distance. The argument own is true if the point lies on the surface of that solid, which faces the light
	// there.
	blocks func(s shapes.Shape, own bool, r geom.Ray, reach float64) bool

	// albedo returns the albedo for a color of the scene. encode converts linear light to a value of the picture.
	albedo func(shade.Color) shade.Color
	encode func(float64) uint8
}

// newTracer returns a tracer without faults. The camera must not be inside a solid.
func newTracer(s *scene.Scene) *tracer {
	t := &tracer{
		scene: s,
		light: s.Lights[0].Light,
		hit: func(s shapes.Shape, r geom.Ray) (shapes.Hit, bool) {
			return s.Intersect(r, 0, math.Inf(1))
		},
		blocks: func(s shapes.Shape, own bool, r geom.Ray, reach float64) bool {
			span, ok := s.Span(r)
			return ok && !own && 0 < span.Near.T && span.Near.T < reach
		},
		albedo: func(c shade.Color) shade.Color { return c },
		encode: shade.EncodeSRGB8,
	}
	for i := range s.Objects.Len() {
		t.solids = append(t.solids, s.Solid(i))
	}
	return t
}

// picture renders the scene.
func (t *tracer) picture() (*image.NRGBA, error) {
	frame := image.Rect(0, 0, t.scene.Image.Width, t.scene.Image.Height)
	view, err := t.scene.View(frame.Dx(), frame.Dy())
	if err != nil {
		return nil, err
	}
	img := image.NewNRGBA(frame)
	rays := view.Packet(frame, 1)
	for i := range rays.Len() {
		c := t.color(rays.At(i))
		copy(img.Pix[4*i:], []uint8{t.encode(c.R), t.encode(c.G), t.encode(c.B), 0xff})
	}
	return img, nil
}

// color returns the color that a ray sees. Of several solids at the same distance, it sees the first.
func (t *tracer) color(r geom.Ray) shade.Color {
	var first shapes.Hit
	own := -1
	for i, s := range t.solids {
		if h, ok := t.hit(s, r); ok && (own < 0 || h.T < first.T) {
			first, own = h, i
		}
	}
	if own < 0 {
		return t.albedo(t.scene.Image.Background.Top)
	}
	albedo := t.albedo(t.scene.Objects.Material(own).Albedo)
	return shade.Lambert(albedo, t.irradiance(r.At(first.T), first.Normal, own))
}

// irradiance returns the light that arrives at a point of a solid.
func (t *tracer) irradiance(p, normal geom.Vec3, own int) shade.Color {
	ambient := t.scene.Shading.Ambient.Top
	dir, reach := t.light.Toward(p)
	cos := normal.Dot(dir)
	if !(cos > 0) {
		return ambient
	}
	for i, s := range t.solids {
		if t.blocks(s, i == own, geom.Ray{Origin: p, Dir: dir}, reach) {
			return ambient
		}
	}
	return ambient.Add(t.light.Irradiance(cos))
}
