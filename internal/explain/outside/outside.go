// Package outside shows a scene from outside. A view contains the scene, its own camera, a pixel of its picture, and
// the rays that decide the pixel's color.
//
// A [Subject] describes what is shown. [Subject.Marks] returns a scene that contains only marks: capsules along the
// rays, balls where they hit solids, the body of the camera, the edges of its view and the pixel. The original scene is
// not changed. [Subject.Render] renders both scenes with another camera. Each sample shows the nearer of the two. A
// mark behind a solid shines through faintly. Marks neither cast shadows nor appear in mirrors.
//
// Conventions: those of packages follow and camera. The axis of a ray's capsule is exactly the segment from the ray's
// origin to its end. A ray without an end is drawn up to [Subject.Far].
package outside

import (
	"image"
	"math"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// Subject is what a view from outside shows.
type Subject struct {
	Prepared *pillbox.Prepared // the scene as its own camera sees it
	Pixel    *image.Point      // the pixel to mark, if not nil
	Path     *follow.Path      // the ray, shadow rays and mirror rays to draw, if not nil
	Segment  *geom.Segment     // a segment to draw, if not nil
}

// Far returns the length at which rays that hit nothing are drawn.
func (s *Subject) Far() float64 {
	_, radius := s.Prepared.Scene().BoundingSphere()
	return 4 * radius
}

// distance is the distance of the camera of [Subject.Camera] from the center of the sphere that it shows, in radii of
// this sphere. The sphere fits between the planes of a field of view of 40 degrees if the distance is at least 1/sin
// 20° = 2.92.
const distance = 2.93

// Camera returns a perspective camera that looks in the same direction as the scene's own camera, from farther away.
// It shows the scene's own camera and the points where the rays of the path begin and hit solids, or the ends of the
// segment. To see these from the side, move the returned camera around the point at which it looks.
func (s *Subject) Camera() camera.Camera {
	st := follow.Of(s.Prepared)
	center, radius := s.focus()
	return camera.Camera{
		Position: center.AddScaled(distance*radius, st.View.Axes().Z),
		LookAt:   center,
		Up:       st.View.Up(),
		FOV:      camera.DefaultFOV,
	}
}

// focus returns a sphere around the [Subject.points].
func (s *Subject) focus() (center geom.Vec3, radius float64) {
	points := s.points()
	bounds := geom.EmptyBounds()
	for _, p := range points {
		bounds = bounds.Union(geom.Bounds{Min: p, Max: p})
	}
	center = bounds.Center()
	for _, p := range points {
		radius = max(radius, p.Sub(center).Norm())
	}
	if radius == 0 {
		_, radius = s.Prepared.Scene().BoundingSphere()
	}
	return center, radius
}

// points returns the points that the view should show. It omits lights, and the far ends of rays that hit nothing.
func (s *Subject) points() []geom.Vec3 {
	st := follow.Of(s.Prepared)
	points := []geom.Vec3{st.View.Position()}
	if s.Segment != nil {
		points = append(points, s.Segment.A, s.Segment.B)
	}
	for p := s.Path; p != nil; p = p.Mirror {
		points = append(points, p.Ray.Origin)
		if p.IsSolid() {
			points = append(points, p.Hit.Point)
		}
	}
	if len(points) == 1 || s.Path != nil && !s.Path.IsSolid() {
		center, _ := st.Scene.BoundingSphere()
		points = append(points, center)
	}
	return points
}

// imageDepth returns the distance from the camera at which its picture is drawn. It is near the camera, so that the
// pixel lies before the first hit.
func (s *Subject) imageDepth() float64 {
	st := follow.Of(s.Prepared)
	to, _ := st.Scene.BoundingSphere()
	if s.Path != nil && s.Path.IsSolid() {
		to = s.Path.Hit.Point
	}
	depth := to.Sub(st.View.Position()).Dot(st.View.Axes().Z.Neg())
	if depth <= 0 {
		_, depth = s.focus()
	}
	return depth / 4
}

// lit returns a copy of the scene for rendering with the camera c. The lights stay where the scene's own camera puts
// them. The copy has no outlines, no fog and no adaptive antialiasing.
func (s *Subject) lit(c camera.Camera) *scene.Scene {
	st := follow.Of(s.Prepared)
	seen := *st.Scene
	seen.Camera = &c
	seen.Lights = make([]scene.Light, len(st.Lights))
	for i := range st.Lights {
		seen.Lights[i] = scene.Light{Light: st.Lights[i].Light}
	}
	seen.Image.Adaptive = false
	seen.Outline = nil // which would hide thin marks
	seen.Fog = nil     // which lies before the scene's own camera
	return &seen
}

// thickness returns the radius of the capsules for a camera. It grows with the distance, so they always look equally
// thick.
func thickness(c *camera.Camera) float64 {
	const share = 0.0028 // of the distance
	return max(share*c.Position.Sub(c.LookAt).Norm(), math.SmallestNonzeroFloat32)
}
