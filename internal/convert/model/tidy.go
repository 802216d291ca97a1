package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/problem"
	"pillbox/scene"
)

// maxReach is the largest allowed distance of solids from the origin. It is so small that a camera that frames the solids
// remains within the limit of coordinates, unless a picture is much higher than wide.
const maxReach = geom.MaxCoordinate / 10

// sharing is the number of parts with which a part is compared: the last ones that had the same name. If one of them is
// equal, it is written only once. A small number suffices, because files in a format without parts contain the copies of
// a part one after the other.
const sharing = 16

// tidier converts a scene's parts to valid ones.
type tidier struct {
	parts   []*Part // parts to write, each before those that it places
	names   names
	done    map[*Part]*Part
	similar map[string][]*Part // by suggested name
	heights map[*Part]int
	totals  map[*Part]int
	lamps   map[*Part]int // number of lights in a copy of each part
	reaches map[*Part]float64
}

// tidied is a scene whose contents are valid in a scene file.
type tidied struct {
	root  *Part    // the scene's own
	parts []*Part  // each before those that it places
	isLit bool     // there are lights
	shown []string // names of what an added camera shows; nil: all solids
}

// tidy returns a scene with unique names, without empty parts, and with placements that nest no more deeply than a scene
// file allows. It returns an error if there are too many solids, or if some are too far away.
func tidy(s *Scene) (*tidied, error) {
	t := &tidier{
		names: make(names), done: make(map[*Part]*Part), similar: make(map[string][]*Part),
		heights: make(map[*Part]int), totals: make(map[*Part]int), lamps: make(map[*Part]int), reaches: make(map[*Part]float64),
	}
	root := &s.Part
	if t.height(root) > scene.MaxNesting {
		root = t.shallow(root, 0)
	}
	root = t.copied(root)
	root.uniquify()
	switch {
	case t.total(root) == 0:
		return nil, s.Account.nothing()
	case t.total(root)-root.Len() > scene.MaxPlaced:
		return nil, fmt.Errorf("there are more than %d solids in parts that are placed", scene.MaxPlaced)
	case t.lights(root)-len(root.Lights) > scene.MaxPlacedLights:
		return nil, fmt.Errorf("there are more than %d lights in parts that are placed", scene.MaxPlacedLights)
	case t.reach(root) > maxReach:
		return nil, t.tooFar(s.File, root)
	}
	return &tidied{root: root, parts: t.parts, isLit: t.lights(root) > 0, shown: t.shown(root)}, nil
}

// shown returns the names of the root's solids and placements if some of its boxes are grounds, except for these. It names
// those without a name. It returns nil if there are no grounds, if there is nothing else, or if there are too many names.
func (t *tidier) shown(root *Part) []string {
	isGround := func(s solid) bool {
		b, ok := s.(*Box)
		return ok && b.Ground
	}
	count, grounds := len(root.Places), 0
	for s := range root.solids() {
		if count++; isGround(s) {
			grounds++
		}
	}
	if grounds == 0 || count-grounds > scene.MaxAnnotations {
		return nil
	}
	taken := make(names, count)
	for _, name := range root.names() {
		taken[*name] = 1
	}
	var shown []string
	show := func(name *string, noun string) {
		if *name == "" {
			*name = taken.unique(noun)
		}
		shown = append(shown, *name)
	}
	for i := range root.Places {
		if pl := &root.Places[i]; t.total(pl.Part) > 0 {
			show(&pl.Name, plainName(pl.Part.Name))
		}
	}
	for _, k := range root.kinds() {
		k.clone()
		for i := range k.len() {
			if s := k.solidAt(i); !isGround(s) {
				show(&s.label().Name, k.kind().String())
			}
		}
	}
	return shown
}

// tooFar returns the error for a scene with solids that are too far from the origin. It names the farthest one.
func (t *tidier) tooFar(file string, root *Part) error {
	message := fmt.Sprintf("solids may come to be farther from the origin than %g, too far to be seen from a camera inside the limits of a scene", maxReach)
	if name := t.farthest(root); name != "" {
		message += fmt.Sprintf(", such as %q", name)
	}
	return &problem.Error{
		File: file, Severity: problem.SeverityError, Code: problem.CodeOutOfRange,
		Message: message, Value: fmt.Sprintf("%.3g", t.reach(root)),
	}
}

// farthest returns the name of the solid or placement that reaches farthest from the origin of a part, or "" if it has
// no name.
func (t *tidier) farthest(p *Part) (name string) {
	most := 0.0
	for s := range p.solids() {
		s.corners(func(center geom.Vec3, radius float64) {
			if r := center.Norm() + radius; r > most {
				most, name = r, s.label().Name
			}
		})
	}
	for i := range p.Places {
		if r := t.reachOf(&p.Places[i]); r > most {
			most, name = r, p.Places[i].Name
		}
	}
	return name
}

// height returns the nesting depth of placements in a part.
func (t *tidier) height(p *Part) int {
	h, known := t.heights[p]
	if !known {
		for i := range p.Places {
			h = max(h, t.height(p.Places[i].Part)+1)
		}
		t.heights[p] = h
	}
	return h
}

// shallow returns p or a version of p whose placements do not nest more deeply than scene files allow. depth is the
// nesting depth of the placement of p. Placements that would be too deep are moved to the deepest part that may have
// placements.
func (t *tidier) shallow(p *Part, depth int) *Part {
	if depth+t.height(p) <= scene.MaxNesting {
		return p
	}
	q := *p
	q.Places = nil
	for _, place := range p.Places {
		if depth+1 < scene.MaxNesting {
			place.Part = t.shallow(place.Part, depth+1)
			q.Places = append(q.Places, place)
		} else {
			q.hoist(place)
		}
	}
	return &q
}

// hoist adds a placement to p without nesting: p itself receives the placements that the placed part contains. First,
// hoist adds a placement of the part without the part's own placements. Then it adds these placements one by one, with
// their poses and names adjusted.
func (p *Part) hoist(place Place) {
	bare := *place.Part
	bare.Places = nil
	whole := place
	place.Part = &bare
	p.Places = append(p.Places, place)
	for _, inner := range whole.Part.Places {
		inner.Pose = whole.Then(inner.Pose)
		if whole.Name != "" && inner.Name != "" {
			inner.Name = whole.Name + "/" + inner.Name
		}
		p.hoist(inner)
	}
}

// copied returns a copy of a part that may be modified. The copy has no invalid lights and no empty placements. Its
// placements refer to the parts that will be written.
func (t *tidier) copied(p *Part) *Part {
	q := *p
	q.Places = slices.Clone(p.Places)
	// Only the names of solids are changed, so lists of solids without names, which may be very long, are not copied.
	for _, k := range q.kinds() {
		for i := range k.len() {
			if k.solidAt(i).label().Name != "" {
				k.clone()
				break
			}
		}
	}
	q.Lights = slices.DeleteFunc(slices.Clone(p.Lights), func(l Light) bool { return !l.isPossible() })
	q.Places = slices.DeleteFunc(q.Places, func(pl Place) bool { return t.total(pl.Part) == 0 && t.lights(pl.Part) == 0 })
	for i := range q.Places {
		q.Places[i].Part = t.part(q.Places[i].Part)
	}
	return &q
}

// part returns the part that is written for p, which may be an equal part that was written before.
func (t *tidier) part(p *Part) *Part {
	if q := t.done[p]; q != nil {
		return q
	}
	at := len(t.parts)
	q := t.copied(p)
	q.uniquify()
	like := t.similar[p.Name]
	if i := slices.IndexFunc(like, q.equal); i >= 0 {
		t.done[p] = like[i]
		return like[i]
	}
	t.similar[p.Name] = append(like[max(0, len(like)-sharing+1):len(like):len(like)], q)
	q.Name = t.names.unique(cmp.Or(clean(p.Name), "part"))
	t.done[p] = q
	t.parts = slices.Insert(t.parts, at, q)
	return q
}

// equal reports whether two parts have the same solids, lights, captions and placements. It does not compare their
// names.
func (p *Part) equal(q *Part) bool {
	return slices.EqualFunc(p.Lights, q.Lights, Light.equal) && slices.EqualFunc(p.kinds(), q.kinds(), kind.equal) && slices.Equal(p.Captions, q.Captions) && slices.Equal(p.Places, q.Places)
}

// uniquify changes names in the part that are not unique, or that could be mistaken for names of solids in a placement.
func (p *Part) uniquify() {
	list := p.names()
	for _, name := range list {
		*name = clean(*name)
	}
	if p.isAmbiguous(list) {
		for _, name := range list {
			*name = plainName(*name)
		}
	}
	taken := make(names, len(list))
	for _, name := range list {
		rename(name, taken)
	}
}

// isPossible reports whether a scene file may contain the numbers of a light.
func (l *Light) isPossible() bool {
	placed := geom.IsCoordinate(l.Vector)
	if l.Directional {
		_, placed = geom.Direction(l.Vector)
	}
	return placed && 0 <= l.Intensity && l.Intensity <= scene.MaxIntensity &&
		(l.Beam == nil || !l.Directional && l.Beam.isPossible()) && 0 <= l.Radius && l.Radius <= geom.MaxSize && !(l.Directional && l.Radius > 0)
}

// isPossible reports whether a scene file may contain the numbers of a beam.
func (b *Beam) isPossible() bool {
	_, ok := geom.Direction(b.Direction)
	return ok && scene.MinCone <= b.Cone && b.Cone <= scene.MaxCone && 0 <= b.Edge && b.Edge <= b.Cone/2
}

// equal reports whether two lights are the same.
func (l Light) equal(m Light) bool {
	if l.Beam != nil && m.Beam != nil && *l.Beam == *m.Beam {
		l.Beam = m.Beam
	}
	return l == m
}

// plainName replaces / and [ in a name, because these characters have a meaning in names such as a/b and a[1], the
// names of solids in placements.
func plainName(name string) string { return strings.NewReplacer("/", "_", "[", "(").Replace(name) }

// names returns the names in the part. Those of lights and placements come first, because names of placements are prefixes
// of the names of many solids.
func (p *Part) names() []*string {
	names := make([]*string, 0, len(p.Lights)+len(p.Places)+p.Len())
	add := func(name *string) {
		if *name != "" {
			names = append(names, name)
		}
	}
	for i := range p.Lights {
		add(&p.Lights[i].Name)
	}
	for i := range p.Places {
		add(&p.Places[i].Name)
	}
	for s := range p.solids() {
		label := s.label()
		add(&label.Name)
	}
	return names
}

// isAmbiguous reports whether a name such as a/b or a[1] could also be the name of something in the placement a. If
// there are duplicate names, which will be changed, it returns true if any name contains / or [.
func (p *Part) isAmbiguous(names []*string) bool {
	if !slices.ContainsFunc(names, func(name *string) bool { return strings.ContainsAny(*name, "/[") }) {
		return false // the usual case: it avoids the maps below, which are slow for many names
	}
	placed := make(map[string]bool)
	for i := range p.Places {
		placed[p.Places[i].Name] = true
	}
	seen := make(map[string]bool)
	twice, special := false, false
	for _, name := range names {
		twice = twice || *name != "" && seen[*name]
		seen[*name] = true
		for i, c := range *name {
			if c != '/' && c != '[' {
				continue
			}
			if special = true; placed[(*name)[:i]] {
				return true
			}
		}
	}
	return special && twice
}

// names maps each name that is taken to the last number that was appended to the name, or to 1 if no number was.
type names map[string]int

// rename changes a name if it is taken, and marks the result as taken.
func rename(name *string, taken names) {
	if *name != "" {
		*name = taken.unique(*name)
	}
}

// unique returns the name, with a number appended if it is taken, and marks the result as taken. The name has at most
// [scene.MaxName] characters, and so has the result.
func (t names) unique(name string) string {
	n, isTaken := t[name]
	if !isTaken {
		t[name] = 1
		return name
	}
	for {
		n++
		next := appended(name, fmt.Sprintf("-%d", n))
		if _, isTaken := t[next]; !isTaken {
			t[name], t[next] = n, 1
			return next
		}
	}
}

// total returns the number of solids in a copy of the part, or a number above the limit if there are too many.
func (t *tidier) total(p *Part) int {
	n, known := t.totals[p]
	if !known {
		for i := range p.Places {
			n = min(n+t.total(p.Places[i].Part)*p.Places[i].copies(), 2*scene.MaxPlaced)
		}
		n += p.Len()
		t.totals[p] = n
	}
	return n
}

// lights returns the number of lights in a copy of the part, or a number above the limit if there are too many.
func (t *tidier) lights(p *Part) int {
	n, known := t.lamps[p]
	if !known {
		for i := range p.Lights {
			if p.Lights[i].isPossible() {
				n++
			}
		}
		for i := range p.Places {
			n = min(n+t.lights(p.Places[i].Part)*p.Places[i].copies(), 2*scene.MaxPlacedLights)
		}
		t.lamps[p] = n
	}
	return n
}

// reach returns an upper bound for the distance of a part's contents from the part's origin: its solids, and the solids
// and lights of its placements.
func (t *tidier) reach(p *Part) float64 {
	r, known := t.reaches[p]
	if !known {
		include := func(center geom.Vec3, radius float64) { r = max(r, center.Norm()+radius) }
		for s := range p.solids() {
			s.corners(include)
		}
		for i := range p.Places {
			r = max(r, t.reachOf(&p.Places[i]))
		}
		t.reaches[p] = r
	}
	return r
}

// reachOf returns an upper bound for the distance of the solids and lights of a placement from the origin of the part
// that contains it.
func (t *tidier) reachOf(pl *Place) float64 {
	own := t.reach(pl.Part)
	for i := range pl.Part.Lights {
		own = max(own, pl.Part.Lights[i].Vector.Norm())
	}
	return pl.Position.Norm() + float64(pl.copies()-1)*pl.Step.Position.Norm() + own
}
