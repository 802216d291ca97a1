package peers

import (
	"fmt"
	"io"
)

// WriteEmbree writes the scene for embree/embree.cpp: a line for the camera, the light and
// the background, then one for each solid, numbers separated by spaces.
//
//	camera  X Y Z TAN        position; tangent of half the field of view
//	light   X Y Z I A        position; intensity; ambient light
//	sky     R G B
//	sphere  X Y Z RADIUS                 R G B
//	capsule AX AY AZ BX BY BZ RADIUS     R G B
//	box     X Y Z HX HY HZ, nine of the rotation by rows  R G B
func (s *Scene) WriteEmbree(w io.Writer) error {
	t := newText(w)
	light := s.Lights[0]
	fmt.Fprintf(t, "camera %s %v\n", joinVec(" ", s.Camera.Position), s.eyeTan())
	fmt.Fprintf(t, "light %s %v %v\n", joinVec(" ", light.Position), light.Intensity, s.Shading.Ambient.R)
	fmt.Fprintf(t, "sky %s\n", joinColor(" ", s.Image.Background.Top))
	for i, x := range s.Spheres {
		t.put("sphere ", joinVec(" ", x.Center), " ", number(x.Radius), s.rgb(i))
	}
	for i, x := range s.Capsules {
		t.put("capsule ", joinVec(" ", x.A), " ", joinVec(" ", x.B), " ", number(x.Radius), s.rgb(s.firstCapsule()+i))
	}
	for i, x := range s.Boxes {
		m := x.Rotation
		row := func(x, y, z float64) string { return " " + join(" ", x, y, z) }
		t.put("box ", joinVec(" ", x.Center), " ", joinVec(" ", x.HalfExtents),
			row(m.X.X, m.Y.X, m.Z.X), row(m.X.Y, m.Y.Y, m.Z.Y), row(m.X.Z, m.Y.Z, m.Z.Z), s.rgb(s.firstBox()+i))
	}
	return t.Flush()
}

// rgb ends the line of a solid.
func (s *Scene) rgb(solid int) string { return " " + joinColor(" ", s.albedo(solid)) + "\n" }
