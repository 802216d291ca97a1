package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/scene"
)

// maxReach is how far solids may reach. A camera that sees them all stands not quite seven times as far away:
// their sphere has at most twice that radius, and is seen from 2.93 radii.
const maxReach = geom.MaxCoordinate / 10

// sharing is how many parts of one name a part is compared with at most: what is copied by a file that
// knows no parts comes in a row.
const sharing = 16

// tidier makes of a scene's parts what a scene file can have.
type tidier struct {
	parts   []*Part // to write, each before those that it places
	names   names
	done    map[*Part]*Part
	similar map[string][]*Part // by the name that was suggested
	heights map[*Part]int
	totals  map[*Part]int
	lamps   map[*Part]int // how many lights copies have
	reaches map[*Part]float64
}

// tidied is what a scene file can have of a scene.
type tidied struct {
	root  *Part   // the scene's own
	parts []*Part // each before those that it places
	isLit bool    // there are lights
}

// tidy returns a scene with names that are unique, without what is empty, and with placements that nest
// no deeper than a scene file may. It returns an error if there are too many solids or some that are too
// far out.
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
	root.uniquify(make(names))
	switch {
	case t.total(root) == 0:
		return nil, s.Account.nothing()
	case t.total(root)-root.Len() > scene.MaxPlaced:
		return nil, fmt.Errorf("there are more than %d solids in parts that are placed", scene.MaxPlaced)
	case t.lights(root)-len(root.Lights) > scene.MaxPlacedLights:
		return nil, fmt.Errorf("there are more than %d lights in parts that are placed", scene.MaxPlacedLights)
	case t.reach(root) > maxReach:
		return nil, fmt.Errorf("solids may come to be farther from the origin than %g, too far to be seen from a camera inside the limits of a scene", maxReach)
	}
	return &tidied{root, t.parts, t.lights(root) > 0}, nil
}

// height is how deep placements nest in a part.
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

// shallow returns p at a depth with placements that nest no deeper than is allowed: what is placed
// deeper is placed in the last part that may have placements.
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

// hoist appends the placement without the placements of its part, and then these.
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

// copied returns a copy of a part that may be changed, whose placements are of parts that are written.
func (t *tidier) copied(p *Part) *Part {
	q := *p
	q.Places = slices.Clone(p.Places)
	// Names are all that is changed of solids, and of millions only some have one.
	for _, k := range q.kinds() {
		for i := range k.len() {
			if k.at(i).label().Name != "" {
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

// part returns the part that is written for p: one that is the same, if there is one.
func (t *tidier) part(p *Part) *Part {
	if q := t.done[p]; q != nil {
		return q
	}
	at := len(t.parts)
	q := t.copied(p)
	q.uniquify(make(names))
	like := t.similar[p.Name]
	if i := slices.IndexFunc(like, q.equal); i >= 0 {
		t.done[p] = like[i]
		return like[i]
	}
	t.similar[p.Name] = append(like[max(0, len(like)-sharing+1):len(like):len(like)], q)
	q.Name = t.names.take(cmp.Or(clean(p.Name), "part"))
	t.done[p] = q
	t.parts = slices.Insert(t.parts, at, q)
	return q
}

// equal reports whether two parts have the same solids, lights and placements.
func (p *Part) equal(q *Part) bool {
	return slices.EqualFunc(p.Lights, q.Lights, Light.equal) && slices.EqualFunc(p.kinds(), q.kinds(), kind.equal) && slices.Equal(p.Places, q.Places)
}

// uniquify changes names in the part that are taken, by each other too, and those that may be those of
// what a placement makes.
func (p *Part) uniquify(taken names) {
	names := p.names()
	for _, name := range names {
		*name = clean(*name)
	}
	if p.isAmbiguous(names) {
		for _, name := range names {
			*name = plainName(*name)
		}
	}
	for _, name := range names {
		rename(name, taken)
	}
}

// isPossible reports whether a scene file can have the light.
func (l *Light) isPossible() bool {
	return geom.IsCoordinate(l.Vector) && (!l.Directional || l.Vector != geom.Vec3{}) && 0 <= l.Intensity && l.Intensity <= scene.MaxIntensity &&
		(l.Beam == nil || !l.Directional && l.Beam.isPossible())
}

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

// plainName returns a name that no placement can make.
func plainName(name string) string { return strings.NewReplacer("/", "_", "[", "(").Replace(name) }

// names returns the names in the part, those of lights and placements first: the latter begin the names of many solids.
func (p *Part) names() []*string {
	var names []*string
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

// isAmbiguous reports whether a name such as a/b or a[1] may be that of something in the placement a. It is
// cautious where names are there twice, and some will be changed.
func (p *Part) isAmbiguous(names []*string) bool {
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

// names are names that are taken, each with the number after which a free one is sought.
type names map[string]int

// rename changes a name that is taken, and takes it.
func rename(name *string, taken names) {
	if *name != "" {
		*name = taken.take(*name)
	}
}

// take takes the name or, if it is taken, the name with a number, and returns it.
func (t names) take(name string) string {
	n, isTaken := t[name]
	if !isTaken {
		t[name] = 1
		return name
	}
	for {
		n++
		next := fmt.Sprintf("%s-%d", name, n)
		if _, isTaken := t[next]; !isTaken {
			t[name], t[next] = n, 1
			return next
		}
	}
}

// total is how many solids a copy of the part has, or more than a scene may have.
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

// lights is how many lights a copy of the part has, or more than a scene may have.
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

// reach is how far from its origin a part reaches at most.
func (t *tidier) reach(p *Part) float64 {
	r, known := t.reaches[p]
	if !known {
		for s := range p.solids() {
			s.corners(func(center geom.Vec3, radius float64) { r = max(r, center.Norm()+radius) })
		}
		for i := range p.Places {
			pl := &p.Places[i]
			own := t.reach(pl.Part)
			for i := range pl.Part.Lights {
				own = max(own, pl.Part.Lights[i].Vector.Norm())
			}
			r = max(r, pl.Position.Norm()+float64(pl.copies()-1)*pl.Step.Position.Norm()+own)
		}
		t.reaches[p] = r
	}
	return r
}
