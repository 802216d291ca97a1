package play

import (
	"fmt"
	"strconv"
	"strings"

	"pillbox/camera"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/scene"
	"pillbox/shapes"
)

// mostGiven is the largest number of solids, or of lights, whose numbers stand above a question.
const mostGiven = 4

// given returns the numbers of the shown scene that a question is about, one thing in each line: the camera of a pixel,
// solids, the planes that cut them, and lights.
func (q *question) given(p *prediction) []string {
	s, list := q.moment.scene, []string{}
	if q.mistaken != nil {
		list = append(list, "mistake: "+q.mistaken.mistake.Fault)
	}
	if _, ok := q.explanation.(*explain.Pixel); ok {
		list = append(list, q.givenCamera())
	}
	solids := q.solidsOf(p)
	if len(solids) > mostGiven {
		list = append(list, text.Count(len(solids), "solid"))
		solids = nil
	}
	for _, n := range solids {
		list = append(list, s.Label(int(n))+": "+numbersOfSolid(s.Solid(int(n))))
	}
	for i := range s.Sections {
		x := &s.Sections[i]
		list = append(list, fmt.Sprintf("section %d: takes away the side of the point %s to which %s points", i, triple(x.Point), triple(x.Normal)))
	}
	if p.Kind == predictLight || p.Kind == predictColor || p.Kind == predictWrong {
		for i := range min(len(s.Lights), mostGiven) {
			name := fmt.Sprintf("light %d", i)
			if s.Lights[i].Name != "" {
				name = s.LightLabel(i)
			}
			list = append(list, name+": "+numbersOfLight(&s.Lights[i]))
		}
	}
	return list
}

// solidsOf returns the numbers of the solids that a question is about.
func (q *question) solidsOf(p *prediction) []int32 {
	s := q.moment.scene
	if object, ok := explain.Solid(s, p.Object); ok && p.Object != "" {
		return []int32{object}
	}
	var list []int32
	for i := range s.Objects.Len() {
		if x, ok := q.explanation.(*explain.Pair); !ok || s.Label(i) == x.Names[0] || s.Label(i) == x.Names[1] {
			list = append(list, int32(i))
		}
	}
	return list
}

func (q *question) givenCamera() string {
	c := q.moment.scene.CameraFor(q.size.X, q.size.Y)
	lens := fmt.Sprintf("field of view %s degrees", sixDigits(c.FOV.Degrees()))
	if c.Projection == camera.Orthographic {
		lens = "parallel rays, view height " + sixDigits(c.ViewHeight)
	}
	return fmt.Sprintf("camera: position %s, look at %s, %s; %d x %d pixels, counted from 0 at the top left", triple(c.Position), triple(c.LookAt), lens, q.size.X, q.size.Y)
}

// numbersOfSolid states the position and size of a solid.
func numbersOfSolid(x shapes.Shape) string {
	switch x := x.(type) {
	case *shapes.Sphere:
		return fmt.Sprintf("center %s, radius %s", triple(x.Center), sixDigits(x.Radius))
	case *shapes.Capsule:
		return fmt.Sprintf("axis from %s to %s, radius %s", triple(x.A), triple(x.B), sixDigits(x.Radius))
	case *shapes.Cylinder:
		return fmt.Sprintf("axis from %s to %s, radius %s", triple(x.A), triple(x.B), sixDigits(x.Radius))
	case *shapes.Box:
		turned := ""
		if x.Rotation != geom.Identity() {
			turned = fmt.Sprintf(", axes %s, %s, %s", triple(x.Rotation.X), triple(x.Rotation.Y), triple(x.Rotation.Z))
		}
		return fmt.Sprintf("center %s, half extents %s%s", triple(x.Center), triple(x.HalfExtents), turned)
	}
	return ""
}

// numbersOfLight states the position or direction of a light, and its size.
func numbersOfLight(l *scene.Light) string {
	size := ""
	if l.Radius > 0 {
		size = ", radius " + sixDigits(l.Radius)
	}
	if l.Directional {
		return "shines along " + triple(l.Direction)
	}
	return "position " + triple(l.Position) + size
}

func triple(v geom.Vec3) string {
	return "(" + strings.Join([]string{sixDigits(v.X), sixDigits(v.Y), sixDigits(v.Z)}, ", ") + ")"
}

// sixDigits formats a number of a scene, with at most six digits.
func sixDigits(x float64) string { return strconv.FormatFloat(x+0, 'g', 6, 64) } // no -0
