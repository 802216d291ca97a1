package scene

import (
	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/problem"
)

// place is a [[place]] table: copies of a part within another part or the scene.
type place struct {
	table     keytable.Table
	name      string
	part      *part     // nil if no part has the name
	transform transform // transformation of the first copy
	step      step      // change from each copy to the next
	copies    int       // at least 1
	surface   *uint32   // index of the material for solids without a surface of their own; nil for that of the outer placement

	ghost float64 // share that the solids get, if they state none; 0 for that of the outer placement

	variants map[int]*place // copies that an animation changes individually

	first      [kindCount]int // number of solids of each kind in the outer part before those of this placement
	firstLight int            // number of lights in the outer part before those of this placement
}

// step places the copies: copy i is rotated by i times the angle and then moved by i times the position.
type step struct {
	position geom.Vec3
	axis     geom.Vec3 // axis through the origin of the outer part
	angle    geom.Angle
	turns    bool // whether there is an axis
}

// stays reports whether the step neither moves nor rotates the copies.
func (s *step) stays() bool { return s.position == geom.Vec3{} && s.angle == 0 }

// turn returns the rotation of copy i.
func (s *step) turn(i int) transform {
	rotation, _ := geom.RotationAxis(s.axis, geom.Angle(float64(float64(i)*s.angle.Degrees())))
	return transform{scale: 1, rotation: rotation}
}

// ofCopy returns the placement with the values for copy i: a variant of p if an animation changes this copy individually,
// and otherwise p itself.
func (p *place) ofCopy(i int) *place {
	if v, ok := p.variants[i]; ok {
		return v
	}
	return p
}

// copyTransform returns the transformation of copy i. It is the transformation of the first copy, then a rotation by
// i times the angle of the step, then a translation by i times the position of the step. It multiplies instead of
// adding repeatedly, so errors do not accumulate.
func (p *place) copyTransform(i int) transform {
	f, n := p.transform, float64(i)
	if p.step.turns {
		turned := p.step.turn(i)
		f = f.within(&turned)
	}
	f.position = f.position.Add(p.step.position.Scale(n))
	return f
}

// place reads a placement in a part.
func (l *loader) place(into *part, t keytable.Table, m placeTable, g keytable.RawTable) {
	into.places = append(into.places, l.readPlace(t, m, g))
}

func (l *loader) readPlace(t keytable.Table, m placeTable, g keytable.RawTable) *place {
	p := &place{table: t, name: m.name, part: l.placedPart(t, m.part), copies: m.count, ghost: m.ghost}
	p.transform = transform{scale: m.scale, rotation: m.turn.rotation(g), position: m.position}
	if g.Has("material") || g.Has("color") {
		surface := l.surface(t, m.material, m.color)
		p.surface = &surface
	}
	if g.Has("step", "count") {
		p.step, _, _ = stepKeys().Read(t.Report.Table(t.Key("step")), m.step)
	}
	if p.copies > 1 && t.Valid() && p.step.stays() {
		t.Warn("count", problem.CodeSamePlace, "all copies are in the same place: step neither moves nor turns them")
	}
	return p
}

// placedPart returns the part with the name v, or nil.
func (l *loader) placedPart(t keytable.Table, v any) *part {
	name, ok := v.(string)
	if !ok {
		return nil
	}
	p := l.parts[name]
	if p == nil && !l.lacksInclude && !l.lacksParts {
		e := t.Wrong("part", problem.CodeUnknownPart, "must be the name of a [part.NAME]%s", l.lost("part")[name])
		l.Speller.Suggest(&e.Error, name, l.partNames)
	}
	return p
}
