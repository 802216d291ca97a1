package peers

import (
	"fmt"
	"io"

	"pillbox/geom"
)

// WritePOVRay writes the scene for POV-Ray. Its coordinates are left-handed, which the
// camera's negative right vector undoes; a capsule is the union of an open cylinder and two
// spheres. Where Pillbox takes mirrors for matte after the last reflection, POV-Ray lets them
// show black.
func (s *Scene) WritePOVRay(w io.Writer) error {
	t := newText(w)
	shadowless := "shadowless"
	if s.Shading.Shadows {
		shadowless = ""
	}
	fmt.Fprintf(t, "#version 3.7;\nglobal_settings { assumed_gamma 1 max_trace_level %d adc_bailout 0 }\n", s.Shading.Bounces+1)
	right, up, ahead := s.axes()
	fmt.Fprintf(t, "camera { perspective location %s right %s up %s direction %s }\n", angled(s.Camera.Position),
		angled(right.Scale(float64(s.Image.Width)/float64(s.Image.Height))), angled(up), angled(ahead.Scale(0.5/s.eyeTan())))
	for _, l := range s.Lights {
		fmt.Fprintf(t, "light_source { %s rgb %v %s }\n", angled(l.Position), l.Intensity, shadowless)
	}
	fmt.Fprintf(t, "background { rgb <%s> }\n", joinColor(",", s.Image.Background.Top))
	fmt.Fprintf(t, "#default { finish { ambient %v diffuse 1 } }\n", s.Shading.Ambient.Top.R)
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
	m := s.material(solid)
	text := " pigment { rgb <" + joinColor(",", m.Albedo) + "> }"
	if m.Mirror > 0 {
		own := 1 - m.Mirror
		text += " finish { ambient " + number(own*s.Shading.Ambient.Top.R) + " diffuse " + number(own) + " reflection " + number(m.Mirror) + " }"
	}
	return text
}
