package scene

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/tomltext"
	"pillbox/shade"
	"pillbox/shapes"
)

// WriteTOML writes s as a single scene file with a table for every solid, without parts, bulk tables or other files. It
// does not write the animation. If colors are flat, it does not write the settings of light. Decoded again, the file
// gives the same picture to the bit, with the same names and object numbers. It writes rotations of boxes as axes, and
// materials and colors so that they decode to the same light.
//
// It returns an error if s is not valid, if the file would be larger than [MaxBytes], or if writing fails. It returns
// an error if a name has more than [MaxName] characters; the name of a solid or light in a placement contains those of
// the placement and its parents. It also returns an error for some scenes made in Go: if a color is not the linear
// light of any sRGB color; if no vector is found that normalizes to exactly the direction of a light; if the size, the
// number of samples or the camera is outside the limits of scene files; or if a name is a duplicate. After an error, w
// may contain a part of the file.
func (s *Scene) WriteTOML(w io.Writer) error {
	if err := cmp.Or(s.Validate(), s.validatePicture(), s.validateNames()); err != nil {
		return err
	}
	limited := &limitedWriter{w: w, left: MaxBytes}
	e := exporter{scene: s, w: bufio.NewWriterSize(limited, 1<<16), materials: make(map[shade.Surface]string), colors: make(map[shade.Color]string)}
	e.settings()
	e.lights()
	e.usedMaterials()
	e.annotations()
	e.solids()
	return errors.Join(e.err, e.w.Flush())
}

// limitedWriter returns an error when a file becomes larger than a scene file may be.
type limitedWriter struct {
	w    io.Writer
	left int
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, fmt.Errorf("the file would be larger than %d MiB, the limit of scene files", MaxBytes>>20)
	}
	return l.w.Write(p)
}

// exporter writes a scene. The writer w keeps its own first error; err is the first of all others.
type exporter struct {
	scene     *Scene
	w         *bufio.Writer
	materials map[shade.Surface]string // names of the materials that are written
	colors    map[shade.Color]string   // cache of the texts that take long to find
	err       error
}

func (e *exporter) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// table writes the header of a table. The argument includes the brackets.
func (e *exporter) table(header string) { fmt.Fprintf(e.w, "\n%s\n", header) }

// key writes a key with a value.
func (e *exporter) key(key, value string) { fmt.Fprintf(e.w, "%s = %s\n", key, value) }

// settings writes the keys and tables that a file has only once: format, image, camera and so on.
func (e *exporter) settings() {
	s := e.scene
	e.key("format", strconv.FormatInt(formatVersion, 10))
	if s.ZUp {
		e.key("up", tomltext.Quote(upAxes()[1]))
	}

	e.table("[image]")
	e.key("width", strconv.Itoa(s.Image.Width))
	e.key("height", strconv.Itoa(s.Image.Height))
	e.key("antialias", strconv.Itoa(s.Image.Antialias))
	e.key("antialias_mode", tomltext.Quote(s.Image.antialiasMode()))
	e.key("background", e.background(s.Image.Background))

	if c := s.Camera; c != nil {
		e.table("[camera]")
		e.key("projection", tomltext.Quote(c.Projection.String()))
		e.key("position", vectorText(c.Position))
		e.key("look_at", vectorText(c.LookAt))
		e.key("up", vectorText(c.Up))
		if c.Projection == camera.Perspective {
			e.key("fov", numberText(c.FOV.Degrees()))
		} else {
			e.key("view_height", numberText(c.ViewHeight))
		}
	}

	e.shading()
	e.outline()

	if len(s.AllowedOverlaps) > 0 {
		var pairs []string
		for _, p := range s.AllowedOverlaps {
			pairs = append(pairs, arrayText(tomltext.Quote(p[0]), tomltext.Quote(p[1])))
		}
		e.table("[overlaps]")
		e.key("allow", arrayText(pairs...))
	}
}

// shading writes how surfaces are shaded. If their colors are flat, no other key has an effect, so it writes no other.
func (e *exporter) shading() {
	s := &e.scene.Shading
	e.table("[shading]")
	if s.Flat {
		e.key("color", tomltext.Quote(colorWords()[1]))
		return
	}
	e.key("ambient", e.ambient(s.Ambient))
	e.key("shadows", strconv.FormatBool(s.Shadows))
	e.key("bounces", strconv.Itoa(s.Bounces))
	e.key("samples", strconv.Itoa(s.SampleCount()))
	if o := s.Occlusion; o.Enabled {
		e.table("[shading.occlusion]")
		if o.Distance != 0 {
			e.key("distance", numberText(o.Distance))
		}
	}
}

func (e *exporter) background(b Background) string {
	switch {
	case b.Transparent:
		return tomltext.Quote(transparent)
	case b.IsEven():
		return e.color(b.Top)
	}
	return fmt.Sprintf("{ top = %s, bottom = %s }", e.color(b.Top), e.color(b.Bottom))
}

func (e *exporter) ambient(g shade.Gradient) string {
	if g.IsEven() {
		return e.light(g.Top)
	}
	return fmt.Sprintf("{ top = %s, bottom = %s }", e.light(g.Top), e.light(g.Bottom))
}

// light returns the text of ambient light. Gray becomes a number, because numbers are linear light.
func (e *exporter) light(c shade.Color) string {
	if c.R == c.G && c.G == c.B {
		return numberText(c.R)
	}
	return e.color(c)
}

// color returns the text of a color that reads as exactly the light c.
func (e *exporter) color(c shade.Color) string {
	if r, g, b, ok := c.ExactSRGB8(); ok {
		return fmt.Sprintf(`"#%02x%02x%02x"`, r, g, b)
	}
	if text, known := e.colors[c]; known {
		return text
	}
	r, g, b, ok := c.ExactSRGB()
	if !ok {
		e.fail(fmt.Errorf("no sRGB color has the linear light %v", c))
	}
	e.colors[c] = arrayText(numberText(r), numberText(g), numberText(b))
	return e.colors[c]
}

func (e *exporter) lights() {
	s := e.scene
	for i, l := range s.Lights {
		e.table("[[light]]")
		if l.Name != "" {
			e.key("name", tomltext.Quote(l.Name))
		}
		if l.Attached {
			e.key("attach", tomltext.Quote(attachedToCamera))
		}
		if !l.Directional {
			e.key("position", vectorText(l.Position))
		}
		if l.Directional || l.IsSpot() {
			d, ok := unnormalized(l.Direction, l.stated)
			if !ok {
				e.fail(fmt.Errorf("light[%d]: found no vector that normalizes to the direction %v", i, l.Direction))
			}
			e.key("direction", vectorText(d))
		}
		if l.IsSpot() {
			e.key("cone", numberText(l.Cone.Angle.Degrees()))
			e.key("edge", numberText(l.Cone.Edge.Degrees()))
		}
		switch {
		case !l.HasSize():
		case l.Directional:
			e.key("angle", numberText(l.Angle.Degrees()))
		default:
			e.key("radius", numberText(l.Radius))
		}
		e.key("color", e.color(l.Color))
		e.key("intensity", numberText(l.Intensity))
	}
}

// unnormalized returns a vector whose [geom.Direction] is exactly d: the one stated in the file or, for
// scenes made in Go, one found by search. It returns false if the search fails, about once in a hundred
// thousand. d itself may not work, because normalizing it may change its last bit; but vectors next to
// multiples of d round differently, and one of them usually normalizes to exactly d.
func unnormalized(d, stated geom.Vec3) (geom.Vec3, bool) {
	if means(stated, d) {
		return stated, true
	}
	const (
		multiples = 1 << 10
		golden    = math.Phi - 1 // the fractional parts of its multiples are spread evenly over [0, 1)
	)
	for i := range multiples {
		x := float64(float64(i) * golden)
		v := d.Scale(1 + (x - math.Floor(x)))
		for _, x := range beside(v.X) {
			for _, y := range beside(v.Y) {
				for _, z := range beside(v.Z) {
					if w := (geom.Vec3{X: x, Y: y, Z: z}); means(w, d) {
						return w, true
					}
				}
			}
		}
	}
	return d, false
}

// means reports whether d is exactly the direction of v.
func means(v, d geom.Vec3) bool {
	direction, ok := geom.Direction(v)
	return ok && direction == d
}

// beside returns x and the two float64s next to x. For 0, it returns only 0.
func beside(x float64) []float64 {
	if x == 0 {
		return []float64{x}
	}
	return []float64{x, math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1))}
}

// usedMaterials writes the materials of the solids with their names. It creates names for mirrors and
// checkers without one, which only scenes made in Go can have.
func (e *exporter) usedMaterials() {
	names := make(map[shade.Surface]string)
	taken := make(map[string]bool)
	for _, m := range slices.Backward(e.scene.Materials) { // of equal materials, use the first
		names[m.Surface()] = m.Name
		taken[m.Name] = true
	}
	for i := range e.scene.Objects.Len() {
		m := e.scene.Objects.Material(i)
		if _, written := e.materials[m.Surface()]; written {
			continue
		}
		name, named := names[m.Surface()]
		switch {
		case !named && m.Mirror == 0 && m.Checker == nil:
			continue // written as the solid's color
		case !named:
			noun := "mirror"
			if m.Checker != nil {
				noun = "checker"
			}
			for n := 1; name == "" || taken[name]; n++ {
				name = fmt.Sprintf("%s-%d", noun, n)
			}
			taken[name] = true
		}
		e.materials[m.Surface()] = name
		e.table("[material." + tomltext.QuoteKey(name) + "]")
		e.key("color", e.color(m.Albedo))
		e.key("mirror", numberText(m.Mirror))
		if c := m.Checker; c != nil {
			e.key("checker", fmt.Sprintf("{ color = %s, size = %s }", e.color(c.Albedo), numberText(c.Size)))
		}
	}
}

func (e *exporter) solids() {
	s, number := e.scene, 0
	for k := range kindCount {
		row, keys, header := k.row(), k.row().keys(), "[["+k.String()+"]]"
		for i := range s.Count(k) {
			e.table(header)
			e.solid(row, keys, row.solid(s, i))
			e.object(s.Objects.Of(number))
			number++
		}
	}
}

// solid writes the geometry of a solid.
func (e *exporter) solid(row kindRow, keys []measure, x shapes.Shape) {
	n, rotation := row.measures(x)
	for _, m := range keys {
		if m.isVector() {
			e.key(m.key, vectorText(n.vector(m.slot)))
		} else {
			e.key(m.key, numberText(n[m.slot]))
		}
	}
	if !row.traits().turns {
		return
	}
	if axes := axesText(rotation); axes != axesText(geom.Identity()) { // as texts, because 0 equals -0
		e.key("axes", axes)
	}
}

func (e *exporter) object(o Object) {
	if o.Name != "" {
		e.key("name", tomltext.Quote(o.Name))
	}
	if name, ok := e.materials[o.Material.Surface()]; ok {
		e.key("material", tomltext.Quote(name))
	} else {
		e.key("color", e.color(o.Material.Albedo))
	}
}

func vectorText(v geom.Vec3) string {
	return arrayText(numberText(v.X), numberText(v.Y), numberText(v.Z))
}

func axesText(m geom.Mat3) string {
	return arrayText(vectorText(m.X), vectorText(m.Y), vectorText(m.Z))
}

func arrayText(elements ...string) string { return "[" + strings.Join(elements, ", ") + "]" }

// numberText returns a text that reads as x. For whole numbers of at most 2^53 in magnitude, it is an integer,
// otherwise the shortest float. -0 is written as a float, because an integer would lose the sign.
func numberText(x float64) string {
	const exact = 1 << 53 // up to here a float64 holds every integer
	switch {
	case x == 0 && math.Signbit(x):
		return "-0.0"
	case x == math.Trunc(x) && math.Abs(x) <= exact:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
