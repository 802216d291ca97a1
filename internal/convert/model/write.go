package model

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/scene"
)

// bulky is the number of solids of one kind in a part above which they are written to a bulk table.
const bulky = 1000

// Tables is the destination of bulk tables. Create creates a file with the given name in the folder of the scene file.
// If Create is nil, all solids are written to the scene file.
type Tables struct {
	Prefix string // prefix of file names: the scene's name without its extension
	Create func(name string) (io.Writer, error)
}

// Write writes the scene as a scene file to w. If a part has more than a thousand solids of one kind, it writes these
// to bulk tables. It does not change the scene. It returns an error if there are no solids, if the scene exceeds a
// limit of scene files, or if writing fails.
func (s *Scene) Write(w io.Writer, tables Tables) error {
	t, err := tidy(s)
	if err != nil {
		return err
	}
	e := newWriter(w, tables)
	e.head(s)
	if up, _ := geom.Direction(s.Up); up == (geom.Vec3{Z: 1}) {
		e.text("up", "z")
	}
	e.settings(s, t)
	if !t.isLit {
		e.light("", &Light{Attached: true, Directional: true, Vector: geom.Vec3{X: 0.5, Y: -0.8, Z: -0.7}, Intensity: 0.7})
	}
	e.lights("", t.root)
	e.materials(s, append([]*Part{t.root}, t.parts...))
	e.part("", t.root)
	for _, p := range t.parts {
		prefix := "part." + tomltext.QuoteKey(p.Name) + "."
		e.lights(prefix, p)
		e.part(prefix, p)
	}
	return e.Close()
}

// WritePart writes the scene's own solids as a named part, in a file that scenes can include. It does not write lights,
// the camera or placements. Errors are those of [Scene.Write].
func (s *Scene) WritePart(w io.Writer, name string, tables Tables) error {
	t, err := tidy(s)
	if err != nil {
		return err
	}
	e := newWriter(w, tables)
	e.head(s)
	e.materials(s, []*Part{t.root})
	root := *t.root
	root.Name, root.Places = name, nil
	e.part("part."+tomltext.QuoteKey(name)+".", &root)
	return e.Close()
}

// newWriter returns a writer of a scene file to w.
func newWriter(w io.Writer, tables Tables) *writer {
	return &writer{Writer: tomltext.NewWriter(w, scene.MaxBytes), tables: tables, known: make(map[string]bool), files: make(map[string]bool)}
}

// writer writes a scene file.
type writer struct {
	*tomltext.Writer
	tables Tables
	known  map[string]bool // names of the materials
	hull   string          // the material of the scene's hull
	files  map[string]bool // names that are taken, lower-case
}

func (e *writer) comment(format string, args ...any) {
	e.Comment(text.Escape(fmt.Sprintf(format, args...)))
}

// text writes a key with a string value, unless it is empty.
func (e *writer) text(key, value string) {
	if value = clean(value); value != "" {
		e.Text(key, value)
	}
}

func (e *writer) head(s *Scene) {
	e.comment("Made by %s from %s.", cmp.Or(s.Maker, "render import"), s.Source)
	for _, note := range s.Notes {
		e.comment("%s", note)
	}
	for _, note := range s.Account.Notes() {
		e.comment("%s %s.", note.Position(), note.Message)
	}
	e.Key("format", "1")
}

func (e *writer) settings(s *Scene, t *tidied) {
	if s.Width > 0 || s.Height > 0 || s.Background != nil || s.Antialias > 0 {
		e.Table("[image]")
		if s.Width > 0 && s.Height > 0 {
			e.Key("width", strconv.Itoa(s.Width))
			e.Key("height", strconv.Itoa(s.Height))
		}
		if s.Antialias > 0 {
			e.Key("antialias", strconv.Itoa(s.Antialias))
		}
		if s.Background != nil {
			e.gradient("background", *s.Background)
		}
	}
	if c := s.Camera; c != nil && canSee(rounded(*c)) {
		e.camera(c)
	} else {
		e.framing(s.framing(t))
	}
	ambient := s.Ambient
	if ambient == nil && !t.isLit {
		ambient = &Gradient{"#9f9f9f", "#696969"}
	}
	if ambient != nil {
		e.Table("[shading]")
		e.gradient("ambient", *ambient)
	}
	if s.Occlusion > 0 {
		e.Table("[shading.occlusion]")
		e.Key("distance", numberText(s.Occlusion))
	}
	if s.Silhouettes > 0 {
		e.Table("[outline]")
		e.Key("width", numberText(s.Silhouettes))
		e.Key("creases", "false")
		e.Key("contacts", "false")
	}
}

func (e *writer) camera(c *camera.Camera) {
	e.Table("[camera]")
	if c.Projection == camera.Orthographic {
		e.text("projection", c.Projection.String())
	}
	e.Key("position", vectorText(c.Position))
	e.Key("look_at", vectorText(c.LookAt))
	if c.Up != camera.DefaultUp() {
		e.Key("up", vectorText(c.Up))
	}
	if c.Projection == camera.Orthographic {
		e.Key("view_height", numberText(c.ViewHeight))
	} else {
		e.Key("fov", numberText(c.FOV.Degrees()))
	}
}

func (e *writer) framing(f framing) {
	e.Table("[camera]")
	e.Key("direction", vectorText(f.direction))
	if f.up != camera.DefaultUp() {
		e.Key("up", vectorText(f.up))
	}
	if len(f.fit) > 0 {
		names := make([]string, len(f.fit))
		for i, name := range f.fit {
			names[i] = tomltext.Quote(name)
		}
		e.Key("fit", tomltext.Array(names...))
	}
}

func (e *writer) gradient(key string, g Gradient) {
	if g.Top == g.Bottom {
		e.text(key, string(g.Top))
		return
	}
	e.Key(key, fmt.Sprintf("{ top = %s, bottom = %s }", tomltext.Quote(string(g.Top)), tomltext.Quote(string(g.Bottom))))
}

// lights writes the lights of a part. The names of their tables begin with the prefix.
func (e *writer) lights(prefix string, p *Part) {
	for i := range p.Lights {
		e.light(prefix, &p.Lights[i])
	}
}

func (e *writer) light(prefix string, l *Light) {
	e.array(prefix, "light")
	e.text("name", l.Name)
	if l.Attached {
		e.text("attach", "camera")
	}
	if l.Directional {
		e.Key("direction", vectorText(l.Vector))
	} else {
		e.Key("position", vectorText(l.Vector))
	}
	if b := l.Beam; b != nil {
		e.Key("direction", vectorText(b.Direction))
		e.Key("cone", numberText(b.Cone))
		e.Key("edge", numberText(b.Edge))
	}
	if l.Radius > 0 {
		e.Key("radius", numberText(l.Radius))
	}
	e.text("color", string(l.Color))
	e.Key("intensity", numberText(l.Intensity))
}

// materials writes the materials that are used.
func (e *writer) materials(s *Scene, parts []*Part) {
	used := make(map[string]bool)
	for _, p := range parts {
		for s := range p.solids() {
			used[s.label().Material] = true
		}
		for i := range p.Places {
			used[p.Places[i].Material] = true
		}
	}
	written := make(names)
	for _, m := range s.Materials {
		name := clean(m.Name)
		if name == "" || !used[m.Name] {
			continue
		}
		e.known[m.Name] = true
		if _, isWritten := written[name]; isWritten {
			continue
		}
		written.unique(name)
		e.Table("[material." + tomltext.QuoteKey(name) + "]")
		e.text("color", string(m.Color))
		if m.Mirror > 0 {
			e.Key("mirror", numberText(m.Mirror))
		}
		if c := m.Checker; c != nil {
			e.Key("checker", fmt.Sprintf("{ color = %s, size = %s }", tomltext.Quote(string(c.Color)), numberText(c.Size)))
		}
	}
	if slices.ContainsFunc(parts, (*Part).hasHull) {
		e.hull = written.unique(HullName)
		e.Table("[material." + tomltext.QuoteKey(e.hull) + "]")
		e.text("color", string(HullColor))
		e.Key("ghost", numberText(HullShare))
	}
}

// hasHull reports whether any of the part's own solids is in the hull of the scene.
func (p *Part) hasHull() bool {
	for s := range p.solids() {
		if s.label().InHull {
			return true
		}
	}
	return false
}

// look returns the material of a solid or, if it has none, its color.
func (e *writer) look(l *Label) (material string, color Color) {
	switch {
	case l.InHull:
		return e.hull, ""
	case e.known[l.Material]:
		return l.Material, ""
	}
	return "", l.Color
}

// part writes solids and placements. The names of their tables begin with the prefix.
func (e *writer) part(prefix string, p *Part) {
	var bulks []kind
	for _, k := range p.kinds() {
		if k.len() > bulky && e.tables.Create != nil && !hasGhost(k) {
			bulks = append(bulks, k)
			continue
		}
		for i := range k.len() {
			e.array(prefix, k.kind().String())
			s := k.solidAt(i)
			label := s.label()
			e.text("name", label.Name)
			s.keys(e)
			material, color := e.look(label)
			e.text("material", material)
			e.text("color", string(color))
			if label.isGhost() {
				e.Key("ghost", numberText(label.Ghost))
			}
		}
	}
	for i := range p.Captions {
		e.array(prefix, "label")
		e.caption(&p.Captions[i])
	}
	for i := range p.Places {
		e.array(prefix, "place")
		e.place(&p.Places[i])
	}
	for _, k := range bulks {
		e.bulk(prefix, p.Name, k)
	}
}

// captionSize is the size of captions that state none, in pixels.
const captionSize = 22

func (e *writer) caption(c *Caption) {
	e.text("text", c.Text)
	e.Key("at", vectorText(c.At))
	if c.OffsetX != 0 {
		e.Key("offset", tomltext.Array(numberText(c.OffsetX), numberText(c.OffsetY)))
		e.text("anchor", "left")
		e.Key("leader", "true")
	}
	e.Key("size", numberText(cmp.Or(c.Size, captionSize)))
	e.text("halo", "white")
}

func (e *writer) array(prefix, name string) { e.Table("[[" + prefix + name + "]]") }

func (e *writer) surface(material string, color Color) {
	if e.known[material] {
		e.text("material", material)
	} else {
		e.text("color", string(color))
	}
}

func (e *writer) place(p *Place) {
	e.text("part", p.Part.Name)
	e.text("name", p.Name)
	if text := vectorText(p.Position); text != vectorText(geom.Vec3{}) {
		e.Key("position", text)
	}
	e.rotation(p.Rotation)
	e.surface(p.Material, p.Color)
	if p.Count <= 1 {
		return
	}
	e.Key("count", strconv.Itoa(p.Count))
	step := "position = " + vectorText(p.Step.Position)
	if p.Step.Axis != (geom.Vec3{}) {
		step += fmt.Sprintf(", axis = %s, angle = %s", vectorText(p.Step.Axis), numberText(p.Step.Angle.Degrees()))
	}
	e.Key("step", "{ "+step+" }")
}

// rotation writes a rotation. A rotation about a coordinate axis by an angle with at most six decimal places is written in
// degrees, any other one as a quaternion. For the identity, nothing is written.
func (e *writer) rotation(q Quaternion) {
	if !q.turns() {
		return
	}
	q = q.Unit()
	about := [3]float64{q.X, q.Y, q.Z}
	for i, x := range about {
		if x == 0 || about[(i+1)%3] != 0 || about[(i+2)%3] != 0 {
			continue
		}
		degrees := math.Round(math.Atan2(x, q.W)*(360/math.Pi)*1e6) / 1e6
		if degrees > 180 {
			degrees -= 360
		}
		var v [3]float64
		v[i] = degrees
		var axis [3]float64
		axis[i] = 1
		again := Turn(vector(axis), geom.Angle(degrees))
		if again.W < 0 != (q.W < 0) {
			again = Quaternion{-again.W, -again.X, -again.Y, -again.Z}
		}
		if near(again.W, q.W) && near([3]float64{again.X, again.Y, again.Z}[i], x) {
			e.Key("rotate", vectorText(vector(v)))
			return
		}
	}
	e.Key("quaternion", tomltext.Array(numberText(q.W), numberText(q.X), numberText(q.Y), numberText(q.Z)))
}

// near reports whether two numbers, at most 1 in magnitude, differ only by rounding.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-14 }

// hasGhost reports whether any solid is a ghost, which bulk tables cannot state.
func hasGhost(k kind) bool {
	for i := range k.len() {
		if k.solidAt(i).label().isGhost() {
			return true
		}
	}
	return false
}

// isGhost reports whether the solid is a ghost by its own key, not by its material.
func (l *Label) isGhost() bool { return l.Ghost > 0 && !l.InHull }
