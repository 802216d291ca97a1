package peers

import (
	"fmt"
	"io"
	"math"

	"pillbox/scene"
)

// WriteEmbree writes the scene in the format of embree/embree.cpp: a line each for the camera, the
// shading, the background, each light and each solid. Numbers are separated by spaces.
//
//	camera  position, right, up, ahead   ahead is a unit vector; right and up lead from the middle of the picture at
//	                                     distance 1 to the edges of a square as high as the picture
//	shading AMBIENT BOUNCES OFFSET REACH AMBIENT is gray light; BOUNCES is the largest number of reflections; rays
//	                                     start at the distance OFFSET from the surface that they leave; solids
//	                                     closer than REACH hide the sky; REACH 0: no ambient occlusion
//	sky     R G B
//	light   X Y Z INTENSITY RADIUS
//	section X Y Z NX NY NZ               a point of the plane, and its normal
//	sphere  X Y Z RADIUS                 R G B MIRROR
//	capsule AX AY AZ BX BY BZ RADIUS     R G B MIRROR
//	box     X Y Z HX HY HZ, the rotation matrix by rows (9 numbers)  R G B MIRROR
//	cylinder, with the fields of a capsule
func (s *Scene) WriteEmbree(w io.Writer) error {
	t := newText(w)
	right, up, ahead := s.axes()
	tan := s.eyeTan()
	t.put("camera ", joinVec(" ", s.Camera.Position), " ", joinVec(" ", right.Scale(tan)), " ", joinVec(" ", up.Scale(tan)), " ", joinVec(" ", ahead), "\n")
	reach := 0.0
	if s.Shading.Occlusion.Enabled {
		reach = min(s.Shading.Occlusion.Reach(), math.MaxFloat32)
	}
	fmt.Fprintf(t, "shading %v %d %v %v\n", s.Shading.Ambient.Top.R, s.Shading.Bounces, s.offset, reach)
	fmt.Fprintf(t, "sky %s\n", joinColor(" ", s.Image.Background.Top))
	for _, l := range s.Lights {
		fmt.Fprintf(t, "light %s %v %v\n", joinVec(" ", l.Position), l.Intensity, l.Radius)
	}
	for _, x := range s.Sections {
		t.put("section ", joinVec(" ", x.Point), " ", joinVec(" ", x.Normal), "\n")
	}
	for i, x := range s.Spheres {
		t.put("sphere ", joinVec(" ", x.Center), " ", peerNumber(x.Radius), s.rgbm(s.Number(scene.KindSphere, i)))
	}
	for i, x := range s.Capsules {
		t.put("capsule ", joinVec(" ", x.A), " ", joinVec(" ", x.B), " ", peerNumber(x.Radius), s.rgbm(s.Number(scene.KindCapsule, i)))
	}
	for i, x := range s.Boxes {
		m := x.Rotation
		row := func(x, y, z float64) string { return " " + join(" ", x, y, z) }
		t.put("box ", joinVec(" ", x.Center), " ", joinVec(" ", x.HalfExtents),
			row(m.X.X, m.Y.X, m.Z.X), row(m.X.Y, m.Y.Y, m.Z.Y), row(m.X.Z, m.Y.Z, m.Z.Z), s.rgbm(s.Number(scene.KindBox, i)))
	}
	for i, x := range s.Cylinders {
		t.put("cylinder ", joinVec(" ", x.A), " ", joinVec(" ", x.B), " ", peerNumber(x.Radius), s.rgbm(s.Number(scene.KindCylinder, i)))
	}
	return t.Flush()
}

// rgbm returns the end of a solid's line: its color and the weight of its mirror.
func (s *Scene) rgbm(solid int) string {
	m := s.material(solid)
	return " " + joinColor(" ", m.Albedo) + " " + peerNumber(m.Mirror) + "\n"
}
