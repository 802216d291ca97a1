package peers

import (
	"fmt"
	"io"

	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shapes"
)

// WriteTachyon writes the scene for Tachyon. It negates x, because Tachyon's coordinates are left-handed. It moves the
// view by half a pixel, because Tachyon's rays pass through the corners of pixels. A box becomes twelve triangles.
// Tachyon's cylinder is open: a capsule becomes such a cylinder with two spheres, and a cylinder one with two discs.
// Shadows are switched on Tachyon's command line. The scene must have no mirrors, one light, and a camera that looks
// along -z.
func (s *Scene) WriteTachyon(w io.Writer) error {
	t := newText(w)
	light := s.Lights[0]
	half := s.eyeTan() / float64(s.Image.Height)
	fmt.Fprintf(t, "BEGIN_SCENE\nRESOLUTION %d %d\n", s.Image.Width, s.Image.Height)
	fmt.Fprintf(t, "CAMERA\nZOOM %v\nASPECTRATIO 1\nANTIALIASING 0\nRAYDEPTH 1\n", 0.5/s.eyeTan())
	fmt.Fprintf(t, "CENTER %s\nVIEWDIR %v %v -1\nUPDIR 0 1 0\nEND_CAMERA\n", mirrored(s.Camera.Position), half, -half)
	// The radius matters only where the light itself is visible.
	fmt.Fprintf(t, "LIGHT CENTER %s RAD 0.1 COLOR 1 1 1\nBACKGROUND %s\n", mirrored(light.Position), joinColor(" ", s.Image.Background.Top))
	for i, x := range s.Spheres {
		t.ball(x.Center, x.Radius, s.texture(s.Number(scene.KindSphere, i)))
	}
	for i, x := range s.Capsules {
		texture := s.texture(s.Number(scene.KindCapsule, i))
		t.tube(x.A, x.B, x.Radius, texture)
		t.ball(x.A, x.Radius, texture)
		t.ball(x.B, x.Radius, texture)
	}
	for i, x := range s.Boxes {
		texture := s.texture(s.Number(scene.KindBox, i))
		for axis := range 3 {
			for _, side := range []float64{-1, 1} {
				var p [4]string // the corners of the face, in order
				for k, c := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
					p[k] = mirrored(corner(&x, axis, side, c))
				}
				t.put("TRI V0 ", p[0], " V1 ", p[1], " V2 ", p[2], texture)
				t.put("TRI V0 ", p[0], " V1 ", p[2], " V2 ", p[3], texture)
			}
		}
	}
	for i, x := range s.Cylinders {
		texture := s.texture(s.Number(scene.KindCylinder, i))
		t.tube(x.A, x.B, x.Radius, texture)
		for _, center := range []geom.Vec3{x.A, x.B} {
			t.put("RING CENTER ", mirrored(center), " NORMAL ", mirrored(x.B.Sub(x.A).Unit()), " INNER 0 OUTER ", peerNumber(x.Radius), texture)
		}
	}
	t.put("END_SCENE\n")
	return t.Flush()
}

// corner returns a corner of a box. It lies on the side of the center that the sign of the argument side selects
// along the given axis, and the signs of the argument others along the next two axes.
func corner(b *shapes.Box, axis int, side float64, others [2]float64) geom.Vec3 {
	var sign [3]float64
	sign[axis], sign[(axis+1)%3], sign[(axis+2)%3] = side, others[0], others[1]
	half := b.HalfExtents
	return b.Center.Add(b.Rotation.MulVec(geom.Vec3{X: sign[0] * half.X, Y: sign[1] * half.Y, Z: sign[2] * half.Z}))
}

func (t text) ball(center geom.Vec3, radius float64, texture string) {
	t.put("SPHERE CENTER ", mirrored(center), " RAD ", peerNumber(radius), texture)
}

func (t text) tube(a, b geom.Vec3, radius float64, texture string) {
	t.put("FCYLINDER BASE ", mirrored(a), " APEX ", mirrored(b), " RAD ", peerNumber(radius), texture)
}

func mirrored(v geom.Vec3) string { return join(" ", -v.X, v.Y, v.Z) }

// texture returns the end of a solid's line.
func (s *Scene) texture(solid int) string {
	return " TEXTURE AMBIENT " + peerNumber(s.Shading.Ambient.Top.R) + " DIFFUSE " + peerNumber(s.Lights[0].Intensity) +
		" SPECULAR 0 OPACITY 1 COLOR " + joinColor(" ", s.material(solid).Albedo) + " TEXFUNC 0\n"
}
