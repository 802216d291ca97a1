package scene

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/problem"
)

// note is an annotation of a part, of which the part's placements make copies.
type note interface {
	// where returns the annotation's table.
	where() keytable.Table

	// aim finds the solids and placements of the part to which the annotation refers.
	aim(l *loader, p *part)

	// place adds the annotation to the scene for an instance of its part. It returns an error if the annotation would be
	// outside the limits.
	place(in *noteInstance) error
}

// noteInstance is an instance of a part whose annotations are added to a scene.
type noteInstance struct {
	*expander
	part      *part
	transform transform
	first     [kindCount]int // the index of the first solid of each kind of the instance
}

// noteTables are the tables of the annotations of a scene, in the order of its [Annotations].
type noteTables struct{ labels, dimensions, lines, angles, markers []keytable.Table }

// noted is an annotation that was read from a table.
type noted struct{ table keytable.Table }

func (n *noted) where() keytable.Table { return n.table }

// solidPath leads from a part to a solid or placement in it.
type solidPath struct {
	hops    []hop
	element element
}

// notes reads the annotations of the scene or of a part.
func (l *loader) notes(p *part, m *partTable) {
	each(p, "label", m.label, labelKeys, func(t keytable.Table, x partLabel, g keytable.RawTable) {
		if g.Has("at") {
			x.rawOn = nil // the conflict is reported
		}
		x.table = t
		p.notes = append(p.notes, &x)
	})
	each(p, "dimension", m.dimension, dimensionKeys, func(t keytable.Table, x partDimension, g keytable.RawTable) {
		if g.Has("from") || g.Has("to") || g.Has("across") && x.Across == "" {
			x.rawOn = nil // the conflict or the invalid word is reported
		}
		x.table = t
		p.notes = append(p.notes, &x)
	})
	line := func(t keytable.Table, x partLine, _ keytable.RawTable) {
		x.table = t
		p.notes = append(p.notes, &x)
	}
	each(p, "line", m.line, lineKeys, line)
	each(p, "arrow", m.arrow, arrowKeys, line)
	each(p, "angle", m.angle, angleKeys, func(t keytable.Table, x partAngle, _ keytable.RawTable) {
		x.table = t
		p.notes = append(p.notes, &x)
	})
	each(p, "marker", m.marker, markerKeys, func(t keytable.Table, x partMarker, _ keytable.RawTable) {
		x.table = t
		p.notes = append(p.notes, &x)
	})
}

// aimAnnotations finds the solids and placements to which annotations refer.
func (l *loader) aimAnnotations() {
	parts := []*part{l.scene.root}
	for _, name := range l.partNames {
		parts = append(parts, l.parts[name])
	}
	for _, p := range parts {
		for _, n := range p.notes {
			n.aim(l, p)
		}
	}
}

// annotate adds the annotations of an instance of a part. If one of them would be outside the limits, annotate returns
// the table of this annotation, and an error.
func (e *expander) annotate(p *part, f *transform) (keytable.Table, error) {
	in := &noteInstance{e, p, *f, e.next} // the solids of the instance begin at e.next
	for _, n := range p.notes {
		if err := n.place(in); err != nil {
			return n.where(), err
		}
	}
	return keytable.Table{}, nil
}

// solids returns the object numbers of the solids and placements to which the paths lead.
func (in *noteInstance) solids(paths []solidPath) (on []Range) {
	for _, path := range paths {
		on = append(on, in.ranges(in.part, in.first, path.hops, path.element)...)
	}
	return on
}

// moved returns a point of the part in the scene. It returns an error if the point would be outside the limits.
func (in *noteInstance) moved(key string, p geom.Vec3) (geom.Vec3, error) {
	p = in.transform.point(p)
	if !geom.IsCoordinate(p) {
		return p, fmt.Errorf("outside the limits: %s: coordinates must be finite and at most %g in magnitude, got %v", key, geom.MaxCoordinate, p)
	}
	return p, nil
}

// Point is a point to which an annotation refers.
type Point struct {
	At geom.Vec3

	// On lists the solids that the point belongs to: At is the center of their bounds. If there is only one, Anchor may
	// be the key of the solid that is the point, such as "a". On is empty for a point with coordinates.
	On     []Range
	Anchor string
}

// partPoint is a point of a part, with the paths of the solids and placements that it belongs to.
type partPoint struct {
	Point
	raw any // a name or an array of names, until it is resolved; nil for coordinates
	on  []solidPath
}

// aim finds the solids of the point. key is the point's key.
func (x *partPoint) aim(l *loader, p *part, t keytable.Table, key string) {
	if x.raw == nil {
		return
	}
	name, isName := x.raw.(string)
	stem, anchor, cut := cutLast(name, ".")
	if !isName || !cut || len(l.solidTargets(p, name)) > 0 || len(l.solidTargets(p, stem)) == 0 {
		x.on = l.aimNames(p, t, key, x.raw)
		return
	}
	found, ok := l.aimPath(p, t, key, stem)
	if !ok {
		return
	}
	kind, isSolid := ParseKind(found.element.table)
	switch {
	case !isSolid:
		t.Wrong(key, problem.CodeUnknownTarget, "a placement has no point %s: write the name of the placement, for its center, or that of a solid in it", text.Escape(text.Shorten(anchor)))
	case !slices.Contains(kind.Anchors(), anchor):
		t.Wrong(key, problem.CodeUnknownTarget, "a %s has no point %s, want %s", kind, text.Escape(text.Shorten(anchor)), text.Series(kind.Anchors(), "or"))
	default:
		x.Anchor, x.on = anchor, []solidPath{{found.hops, found.element}}
	}
}

// placed returns the point in an instance of its part. centerPoints completes points on solids.
func (x *partPoint) placed(in *noteInstance, key string) (Point, error) {
	if x.raw != nil {
		return Point{On: in.solids(x.on), Anchor: x.Anchor}, nil
	}
	at, err := in.moved(key, x.At)
	return Point{At: at}, err
}

// Anchors returns the keys of a solid of this kind that are points, such as "center". The caller owns the slice.
func (k Kind) Anchors() (keys []string) {
	for _, m := range k.row().keys() {
		if m.isVector() && m.limits == keytable.Coordinates() {
			keys = append(keys, m.key)
		}
	}
	return keys
}

// points returns pointers to the points of lines, angles and markers.
func (a *Annotations) points() (all []*Point) {
	for i := range a.Lines {
		all = append(all, &a.Lines[i].From, &a.Lines[i].To)
	}
	for i := range a.Angles {
		all = append(all, &a.Angles[i].At, &a.Angles[i].From, &a.Angles[i].To)
	}
	for i := range a.Markers {
		all = append(all, &a.Markers[i].At)
	}
	return all
}

// centerPoints sets the coordinates of labels and of other points that are on solids.
func (s *Scene) centerPoints() {
	for i := range s.Annotations.Labels {
		if x := &s.Annotations.Labels[i]; len(x.On) > 0 {
			x.At = s.center(x.On)
		}
	}
	for _, x := range s.Annotations.points() {
		if x.Anchor != "" {
			x.At = s.anchor(x.On[0].First, x.Anchor)
		} else if len(x.On) > 0 {
			x.At = s.center(x.On)
		}
	}
}

// center returns the center of the bounds of solids.
func (s *Scene) center(on []Range) geom.Vec3 {
	b := geom.EmptyBounds()
	for _, r := range on {
		for n := range r.Count {
			b = b.Union(s.Solid(r.First + n).Bounds())
		}
	}
	return b.Min.Add(b.Max.Sub(b.Min).Scale(0.5))
}

// anchor returns the point of a solid that is one of its anchors.
func (s *Scene) anchor(number int, key string) geom.Vec3 {
	kind, i := s.Of(number)
	x, _ := kind.row().measures(kind.row().solid(s, i))
	for _, m := range kind.row().keys() {
		if m.key == key {
			return x.vector(m.slot)
		}
	}
	return geom.Vec3{}
}

// cutLast cuts s around the last occurrence of a separator.
func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}
