package scene

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/tomltext"
	"pillbox/shade"
	"pillbox/shapes"
)

// WriteTOML writes s as a single scene file with a table for every solid, without parts, bulk tables or other files. It
// does not write the animation. If a [Framing] places the camera, it writes the resulting camera. If colors are flat, it does not write the settings of light. Decoded again, the file
// gives the same picture to the bit, with the same names and object numbers. It writes rotations of boxes as axes, and
// materials and colors so that they decode to the same light. Exceptions are colors that are not the light of any sRGB
// color, such as many that [Scene.At] interpolates: they decode to the nearest light, which differs by a few units in
// the last place. This can change a pixel by one of 255 steps, but only if its light is that near to the limit between
// two steps.
//
// It returns an error if s is not valid, if the file would be larger than [MaxBytes], or if writing fails. It returns
// an error if a name has more than [MaxName] characters; the name of a solid or light in a placement contains those of
// the placement and its parents. It also returns an error for some scenes made in Go: if no vector is found that
// normalizes to exactly the direction of a light; if the size, the number of samples or the camera is outside the
// limits of scene files; or if a name is a duplicate. After an error, w may contain a part of the file.
func (s *Scene) WriteTOML(w io.Writer) error {
	if err := cmp.Or(s.Validate(), s.validatePicture(), s.validateNames()); err != nil {
		return err
	}
	e := exporter{Writer: keytable.NewWriter(w, MaxBytes), scene: s, materials: make(map[shade.Surface]string)}
	e.settings()
	e.lights()
	e.usedMaterials()
	e.annotations()
	e.solids()
	return e.Close()
}

// exporter writes a scene.
type exporter struct {
	*keytable.Writer
	scene     *Scene
	materials map[shade.Surface]string // names of the materials that are written
}

// settings writes the keys and tables that a file has only once: format, image, camera and so on.
func (e *exporter) settings() {
	s := e.scene
	e.Key("format", strconv.FormatInt(formatVersion, 10))
	if s.ZUp {
		e.Text("up", "z")
	}
	keytable.WriteTable(e.Writer, "[image]", imageKeys(), &s.Image)
	if s.Camera != nil || s.Framing != nil {
		c := s.CameraFor(s.Image.Width, s.Image.Height)
		keytable.WriteTable(e.Writer, "[camera]", cameraKeys(), &cameraTable{fixed: c, Framing: Framing{Camera: c}})
	}
	shading := s.Shading
	if shading.Samples = s.Shading.SampleCount(); shading.Flat {
		e.Table("[shading]")
		e.Text("color", "flat") // no other key has an effect
	} else {
		keytable.WriteTable(e.Writer, "[shading]", shadingKeys(), &shading)
	}
	if s.Outline != nil {
		keytable.WriteTable(e.Writer, "[outline]", outlineKeys(), s.Outline)
	}
	if s.Fog != nil {
		keytable.WriteTable(e.Writer, "[fog]", fogKeys(), s.Fog)
	}
	for i := range s.Sections {
		x := sectionTable{Section: s.Sections[i]}
		if x.Limited && len(x.Solids) == 0 {
			continue // it cuts nothing
		}
		if x.Limited {
			x.rawOn = e.names(x.Solids)
		}
		keytable.WriteTable(e.Writer, "[[section]]", sectionKeys(), &x)
	}
	if s.Colormap != nil {
		keytable.WriteTable(e.Writer, "[colormap]", colormapKeys(), s.colormapTable())
	}
	if len(s.AllowedOverlaps) > 0 {
		keytable.WriteTable(e.Writer, "[overlaps]", overlapsKeys(), &overlapsTable{s.AllowedOverlaps})
	}
}

func (e *exporter) lights() {
	keys := lightKeys()
	for i := range e.scene.Lights {
		keytable.WriteTable(e.Writer, "[[light]]", keys, &e.scene.Lights[i])
	}
}

// usedMaterials writes the materials of the solids with their names. It creates names for mirrors,
// checkers and ghosts without one: ghosts in placements, and solids of scenes made in Go.
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
		case !named && m.Mirror == 0 && m.Checker == nil && m.Ghost == nil:
			continue // written as the solid's color
		case !named:
			noun := "mirror"
			if m.Checker != nil {
				noun = "checker"
			}
			if m.Ghost != nil {
				noun = "ghost"
			}
			for n := 1; name == "" || taken[name]; n++ {
				name = fmt.Sprintf("%s-%d", noun, n)
			}
			taken[name] = true
		}
		e.materials[m.Surface()] = name
		keytable.WriteTable(e.Writer, "[material."+tomltext.QuoteKey(name)+"]", materialKeys(), m)
	}
}

func (e *exporter) solids() {
	s, number := e.scene, 0
	for k := range kindCount {
		row, keys, header := k.row(), k.row().keys(), "[["+k.String()+"]]"
		for i := range s.Count(k) {
			e.Table(header)
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
			e.Key(m.key, tomltext.Vector(n.vector(m.slot)))
		} else {
			e.Key(m.key, tomltext.Number(n[m.slot]))
		}
	}
	if !row.traits().turns {
		return
	}
	if axes := keytable.AxesText(rotation); axes != keytable.AxesText(geom.Identity()) { // as texts, because 0 equals -0
		e.Key("axes", axes)
	}
}

func (e *exporter) object(o Object) {
	if o.Name != "" {
		e.Key("name", tomltext.Quote(o.Name))
	}
	if name, ok := e.materials[o.Material.Surface()]; ok {
		e.Key("material", tomltext.Quote(name))
	} else if v := o.Material.Value; v != nil && e.scene.Colormap != nil && o.Material.Albedo == e.scene.Colormap.ColorOf(*v) {
		e.Key("value", tomltext.Number(*v))
	} else {
		e.Key("color", e.Color(o.Material.Albedo))
	}
}
