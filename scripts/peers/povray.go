package peers

import (
	"fmt"
	"io"

	"pillbox/geom"
)

// WritePOVRay writes the scene for POV-Ray. Its coordinates are left-handed, which the
// camera's negative right vector undoes; a capsule is the union of an open cylinder and two
// spheres.
func (s *Scene) WritePOVRay(w io.Writer) error {
	t := newText(w)
	light, shadowless := s.Lights[0], "shadowless"
	if s.Shading.Shadows {
		shadowless = ""
	}
	fmt.Fprintf(t, "#version 3.7;\nglobal_settings { assumed_gamma 1 max_trace_level 1 }\n")
	fmt.Fprintf(t, "camera { perspective location %s right -x*%d/%d up y direction z*%v look_at %s }\n",
		angled(s.Camera.Position), s.Image.Width, s.Image.Height, 0.5/s.eyeTan(), angled(s.Camera.LookAt))
	fmt.Fprintf(t, "light_source { %s rgb 1 %s }\n", angled(light.Position), shadowless)
	fmt.Fprintf(t, "background { rgb <%s> }\n", joinColor(",", s.Image.Background.Top))
	fmt.Fprintf(t, "#default { finish { ambient %v diffuse %v } }\n", s.Shading.Ambient.R, light.Intensity)
	for i, x := range s.Spheres {
		t.put("sphere { ", angled(x.Center), ", ", number(x.Radius), s.pigment(i), " }\n")
	}
	for i, x := range s.Capsules {
		a, b, r := angled(x.A), angled(x.B), number(x.Radius)
		t.put("union { cylinder { ", a, ", ", b, ", ", r, " open } sphere { ", a, ", ", r, " } sphere { ", b, ", ", r, " }",
			s.pigment(s.firstCapsule()+i), " }\n")
	}
	for i, x := range s.Boxes {
		m := x.Rotation
		t.put("box { ", angled(x.HalfExtents.Neg()), ", ", angled(x.HalfExtents),
			" matrix <", joinVec(",", m.X), ",", joinVec(",", m.Y), ",", joinVec(",", m.Z), ",", joinVec(",", x.Center), ">",
			s.pigment(s.firstBox()+i), " }\n")
	}
	return t.Flush()
}

func angled(v geom.Vec3) string { return "<" + joinVec(",", v) + ">" }

func (s *Scene) pigment(solid int) string {
	return " pigment { rgb <" + joinColor(",", s.albedo(solid)) + "> }"
}
