package scene

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/problem"
)

// partLight is a light of a part, with the table that defines it.
type partLight struct {
	table keytable.Table
	Light
}

// isRoot reports whether the part is the scene itself.
func (p *part) isRoot() bool { return p.table.Name == "" }

// light reads a table [[light]] of the scene or of a part.
func (l *loader) light(p *part, t keytable.Table, light Light, g keytable.RawTable) {
	light.complete(t, g)
	if g.Has("attach") && !p.isRoot() {
		t.WrongKey("attach", problem.CodeConflict, "a light in a part moves with the part: move this light to the scene's own [[light]] tables")
	}
	p.lights = append(p.lights, partLight{t, light})
	if !p.isRoot() {
		return
	}
	l.scene.Lights = append(l.scene.Lights, light)
	switch {
	case !t.Valid() || light.Directional:
	case light.Attached:
		l.attached = append(l.attached, attachedLight{t, light})
	default:
		l.inspector.addPoint(lightPoint(t, light.Light))
	}
}

// placed transforms a light of a part to scene coordinates; f is the transformation of a copy of the part.
func (l Light) placed(f *transform) Light {
	if (l.Directional || l.IsSpot()) && f.rotation != geom.Identity() {
		l.stated = f.rotation.MulVec(l.Direction)
		l.Direction, _ = geom.Direction(l.stated)
	}
	if !l.Directional {
		l.Position = f.point(l.Position)
		l.Radius = float64(l.Radius * f.scale)
	}
	return l
}

// lights adds the lights of one copy of a part to the scene. If the copy puts a light outside the limits, lights
// returns the light's index and an error.
func (e *expander) lights(p *part, in *instance) (int, error) {
	for i := range p.lights {
		l := p.lights[i].placed(&in.transform)
		if !geom.IsCoordinate(l.Position) {
			return i, fmt.Errorf("outside the limits: position: coordinates must be finite and at most %g in magnitude, got %v", geom.MaxCoordinate, l.Position)
		}
		if !lightRadii().Contain(l.Radius) {
			return i, fmt.Errorf("outside the limits: radius: %s, got %v", lightRadii().Requirement(l.Radius), l.Radius)
		}
		if l.Name != "" && in.named {
			l.Name = in.prefix + l.Name
		} else {
			l.Name = ""
		}
		e.scene.Lights[e.nextLight] = l
		e.nextLight++
	}
	return 0, nil
}

// lightOrigin is where a light of a scene comes from: a table in some part, and the placements that lead there.
type lightOrigin struct {
	placed []placedCopy // the outermost first; empty for a light of the scene itself
	part   *part        // the part that contains the light
	index  int          // of its table
}

// lightOrigin returns where the light with the given index comes from, and false if s was not read from a file, is
// detached from it, or has more or fewer lights than were read.
func (s *Scene) lightOrigin(index int) (lightOrigin, bool) {
	if s.root == nil || s.root.allLights != len(s.Lights) {
		return lightOrigin{}, false
	}
	return s.root.lightOrigin(index), true
}

func (p *part) lightOrigin(i int) lightOrigin {
	if i < len(p.lights) {
		return lightOrigin{part: p, index: i}
	}
	pl := p.places[sort.Search(len(p.places), func(j int) bool { return p.places[j].firstLight > i })-1]
	n, each := i-pl.firstLight, pl.part.allLights
	o := pl.part.lightOrigin(n % each)
	o.placed = slices.Insert(o.placed, 0, placedCopy{pl, n / each})
	return o
}

// path returns the name of a light from a placement, for messages: desk/bulb or, if the tables have no names,
// place[1]/light[0].
func (o *lightOrigin) path() string {
	var segments []string
	for _, c := range o.placed {
		segments = append(segments, c.segment(c.copy))
	}
	return strings.Join(append(segments, o.part.lightSegment(o.index)), "/")
}

// lightSegment returns the last segment of the path of a light in the part: its name or, without one, its key.
func (p *part) lightSegment(i int) string {
	if name := p.lights[i].Name; name != "" {
		return name
	}
	return keytable.Indexed("light", i)
}

// LightTable returns the table that defines the light with the given index in s.Lights. The result key is the table's
// full key, such as light[2] or part.lamp.light[0]. The result file is the name of the file with the table: the scene's
// own or an included one. LightTable returns false if s was not read from a file, is detached from it, or has more or
// fewer lights than were read.
func (s *Scene) LightTable(index int) (key, file string, ok bool) {
	o, ok := s.lightOrigin(index)
	if !ok {
		return "", "", false
	}
	t := o.part.lights[o.index].table
	return t.Key(""), t.Report.File, true
}

// LightLabel returns a description, for texts, of the light with the given index in s.Lights. A light with a name has
// "light" and its name, such as light "desk/bulb". A light without a name has its path if it comes from placements,
// such as place[2]/light[0], and otherwise its key, such as light[3].
func (s *Scene) LightLabel(index int) string {
	if name := s.Lights[index].Name; name != "" {
		return fmt.Sprintf("light %q", name)
	}
	if o, ok := s.lightOrigin(index); ok && len(o.placed) > 0 {
		return text.EscapeName(o.path())
	}
	return keytable.Indexed("light", index)
}

// lightHolder returns the key of the light's table or, if placements made the light, of the outermost
// placement.
func (s *Scene) lightHolder(index int) string {
	if o := s.root.lightOrigin(index); len(o.placed) > 0 {
		return o.placed[0].table.Key("")
	}
	return keytable.Indexed("light", index)
}

// inspectPlacedLights gives the inspector the positions of lights that placements made.
func (l *loader) inspectPlacedLights() {
	if l.failed() {
		return
	}
	for i := len(l.scene.root.lights); i < len(l.scene.Lights); i++ {
		if light := &l.scene.Lights[i]; !light.Directional {
			o := l.scene.root.lightOrigin(i)
			outermost := o.placed[0].place
			l.inspector.addPoint(point{Vec3: light.Position, radius: light.Radius, table: outermost.table, place: outermost, code: problem.CodeLightInside, noun: "light " + text.EscapeName(text.ShortenMiddle(o.path()))})
		}
	}
}

// complete sets what follows from several keys of a light. It reports an edge wider than the cone.
func (l *Light) complete(t keytable.Table, g keytable.RawTable) {
	l.Directional = !g.Has("position") && g.Has("direction")
	if t.Valid() && l.Cone.Edge > l.Cone.Angle/2 {
		t.Wrong("edge", problem.CodeOutOfRange, "must be at most half of cone, %v", l.Cone.Angle.Degrees()/2)
	}
}
