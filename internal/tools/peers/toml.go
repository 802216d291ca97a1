package peers

import (
	"fmt"
	"io"
	"math"

	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

// WriteTOML writes the scene for Pillbox, with a table for every solid.
func (s *Scene) WriteTOML(w io.Writer) error {
	t := newText(w)
	s.tomlHead(t)
	for i, x := range s.Spheres {
		t.put("\n[[sphere]]\ncenter = [", joinVec(", ", x.Center), "]\nradius = ", peerNumber(x.Radius), s.tomlLook(s.Number(scene.KindSphere, i)))
	}
	for i, x := range s.Capsules {
		t.rod(scene.KindCapsule, x.A, x.B, x.Radius, s.tomlLook(s.Number(scene.KindCapsule, i)))
	}
	for i, x := range s.Boxes {
		t.put("\n[[box]]\ncenter = [", joinVec(", ", x.Center), "]\nhalf_extents = [", joinVec(", ", x.HalfExtents), "]\nquaternion = [",
			join(", ", s.Turns[i][:]...), "]", s.tomlLook(s.Number(scene.KindBox, i)))
	}
	for i, x := range s.Cylinders {
		t.rod(scene.KindCylinder, x.A, x.B, x.Radius, s.tomlLook(s.Number(scene.KindCylinder, i)))
	}
	return t.Flush()
}

// rod writes the table of a capsule or a cylinder.
func (t text) rod(kind scene.Kind, a, b geom.Vec3, radius float64, look string) {
	t.put("\n[[", kind.String(), "]]\na = [", joinVec(", ", a), "]\nb = [", joinVec(", ", b), "]\nradius = ", peerNumber(radius), look)
}

// tomlHead writes all tables except those of the solids.
func (s *Scene) tomlHead(t text) {
	fmt.Fprintf(t, "[image]\nwidth = %d\nheight = %d\nbackground = [%s]\n", s.Image.Width, s.Image.Height, encoded(s.Image.Background.Top))
	fmt.Fprintf(t, "\n[camera]\nposition = [%s]\nlook_at = [%s]\nup = [%s]\nfov = %v\n", joinVec(", ", s.Camera.Position), joinVec(", ", s.Camera.LookAt),
		joinVec(", ", s.Camera.Up), s.Camera.FOV.Degrees())
	fmt.Fprintf(t, "\n[shading]\nambient = %v\nshadows = %v\nbounces = %d\nsamples = %d\n", s.Shading.Ambient.Top.R, s.Shading.Shadows, s.Shading.Bounces, s.Shading.SampleCount())
	if o := s.Shading.Occlusion; o.Enabled {
		t.put("\n[shading.occlusion]\n")
		if o.Distance > 0 {
			t.put("distance = ", peerNumber(o.Distance), "\n")
		}
	}
	for _, l := range s.Lights {
		fmt.Fprintf(t, "\n[[light]]\nposition = [%s]\nintensity = %v\nradius = %v\n", joinVec(", ", l.Position), l.Intensity, l.Radius)
	}
	for _, x := range s.Sections {
		t.put("\n[[section]]\npoint = [", joinVec(", ", x.Point), "]\nnormal = [", joinVec(", ", x.Normal), "]\n")
	}
	if s.Fog != nil {
		t.put("\n[fog]\n") // with the values of Foggy, which are the defaults
	}
	written := map[look]bool{}
	for _, l := range s.looks {
		if l.mirror > 0 && !written[l] {
			written[l] = true
			fmt.Fprintf(t, "\n[material.%s]\ncolor = %q\nmirror = %v\n", l.name(), l.hex(), l.mirror)
		}
	}
}

// tomlLook returns the end of a solid's table: its material, or its color as fractions.
func (s *Scene) tomlLook(solid int) string {
	l := s.looks[solid]
	if l.mirror > 0 {
		return "\nmaterial = \"" + l.name() + "\"\n"
	}
	c, ghost := l.color, ""
	if l.ghost > 0 {
		ghost = "ghost = " + peerNumber(l.ghost) + "\n"
	}
	return "\ncolor = [" + join(", ", float64(c[0])/255, float64(c[1])/255, float64(c[2])/255) + "]\n" + ghost
}

func (l look) hex() string {
	const digits = "0123456789abcdef"
	text := []byte{'#', 0, 0, 0, 0, 0, 0}
	for i, v := range l.color {
		text[1+2*i], text[2+2*i] = digits[v>>4], digits[v&15]
	}
	return string(text)
}

// name returns the name of the material for a mirror.
func (l look) name() string { return "mirror-" + l.hex()[1:] }

// encoded formats a linear color as sRGB fractions.
func encoded(c shade.Color) string {
	encode := func(v float64) float64 {
		if v <= 0.0031308 {
			return 12.92 * v
		}
		return 1.055*math.Pow(v, 1/2.4) - 0.055
	}
	return join(", ", encode(c.R), encode(c.G), encode(c.B))
}

// Names of the files to which WriteBulk refers. Write them with WriteSpheres, WriteCapsules, WriteBoxes and
// WriteCylinders into the same folder.
const (
	SpheresFile   = "spheres.csv"
	CapsulesFile  = "capsules.csv"
	BoxesFile     = "boxes.csv"
	CylindersFile = "cylinders.csv"
)

// WriteBulk writes the scene for Pillbox. It refers to separate files for the solids, which do not depend on the
// picture's size or on shadows.
func (s *Scene) WriteBulk(w io.Writer) error {
	t := newText(w)
	s.tomlHead(t)
	for _, part := range [][2]string{{"sphere", SpheresFile}, {"capsule", CapsulesFile}, {"box", BoxesFile}, {"cylinder", CylindersFile}} {
		fmt.Fprintf(t, "\n[[bulk]]\nshape = %q\nfile = %q\n", part[0], part[1])
	}
	return t.Flush()
}

// WriteSpheres writes the spheres as a bulk file.
func (s *Scene) WriteSpheres(w io.Writer) error {
	t := newText(w)
	t.put("x,y,z,radius,color,material\n")
	for i, x := range s.Spheres {
		t.put(joinVec(",", x.Center), ",", peerNumber(x.Radius), s.csvLook(i))
	}
	return t.Flush()
}

// WriteCapsules writes the capsules as a bulk file.
func (s *Scene) WriteCapsules(w io.Writer) error {
	t := newText(w)
	t.put(rodColumns)
	for i, x := range s.Capsules {
		t.rodRow(x.A, x.B, x.Radius, s.csvLook(s.Number(scene.KindCapsule, i)))
	}
	return t.Flush()
}

// WriteBoxes writes the boxes as a bulk file.
func (s *Scene) WriteBoxes(w io.Writer) error {
	t := newText(w)
	t.put("x,y,z,hx,hy,hz,qw,qx,qy,qz,color,material\n")
	for i, x := range s.Boxes {
		t.put(joinVec(",", x.Center), ",", joinVec(",", x.HalfExtents), ",", join(",", s.Turns[i][:]...), s.csvLook(s.Number(scene.KindBox, i)))
	}
	return t.Flush()
}

// WriteCylinders writes the cylinders as a bulk file.
func (s *Scene) WriteCylinders(w io.Writer) error {
	t := newText(w)
	t.put(rodColumns)
	for i, x := range s.Cylinders {
		t.rodRow(x.A, x.B, x.Radius, s.csvLook(s.Number(scene.KindCylinder, i)))
	}
	return t.Flush()
}

// rodColumns are the columns of capsules and of cylinders.
const rodColumns = "ax,ay,az,bx,by,bz,radius,color,material\n"

func (t text) rodRow(a, b geom.Vec3, radius float64, look string) {
	t.put(joinVec(",", a), ",", joinVec(",", b), ",", peerNumber(radius), look)
}

// csvLook returns the end of a solid's row.
func (s *Scene) csvLook(solid int) string {
	if l := s.looks[solid]; l.mirror > 0 {
		return ",," + l.name() + "\n"
	}
	return "," + s.looks[solid].hex() + ",\n"
}
