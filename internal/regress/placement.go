package regress

import (
	"fmt"
	"slices"
	"strconv"

	"pillbox/scene"
)

// placements are those of two scenes and what became of them. A change of a placement is one cause,
// however many solids it makes.
type placements struct {
	a, b   []scene.Placement
	ab, ba []int // the partner of each, or none
	causes map[placementPair]int
}

// placementPair is a placement of the accepted scene and what it has become; either may be none.
type placementPair struct{ accepted, present int }

func newPlacements(a, b []scene.Placement) *placements {
	p := &placements{
		a: a, b: b,
		ab:     slices.Repeat([]int{none}, len(a)),
		ba:     slices.Repeat([]int{none}, len(b)),
		causes: make(map[placementPair]int),
	}
	p.match(func(a, b *scene.Placement) bool { return a.Name == b.Name && a.Name != "" })
	p.match(func(a, b *scene.Placement) bool { return isSubset(comparePlacements(a, b).actions, ActionRenamed) })
	p.match(func(a, b *scene.Placement) bool { return a.Part == b.Part && (a.Name == "" || b.Name == "") })
	return p
}

// match pairs the placements left that are alike, in file order.
func (p *placements) match(alike func(a, b *scene.Placement) bool) {
	for i := range p.a {
		for j := 0; j < len(p.b) && p.ab[i] == none; j++ {
			if p.ba[j] == none && alike(&p.a[i], &p.b[j]) {
				p.ab[i], p.ba[j] = j, i
			}
		}
	}
}

// comparePlacements returns what differs between two placements.
func comparePlacements(a, b *scene.Placement) *changes {
	c := new(changes)
	c.text(ActionChanged, "part", strconv.Quote(a.Part), strconv.Quote(b.Part))
	c.vector(ActionMoved, "position", a.Position, b.Position)
	c.rotation(a.Rotation, b.Rotation)
	c.number(ActionResized, "scale", a.Scale, b.Scale)
	c.integer("count", a.Count, b.Count)
	c.vector(ActionChanged, "step.position", a.StepPosition, b.StepPosition)
	c.vector(ActionChanged, "step.axis", a.StepAxis, b.StepAxis)
	c.number(ActionChanged, "step.angle", a.StepAngle.Degrees(), b.StepAngle.Degrees())
	switch from, to := a.Surface, b.Surface; {
	case from == nil && to == nil:
	case from == nil:
		c.add(ActionRecolored, "color", "none", sRGB(to.Albedo))
	case to == nil:
		c.add(ActionRecolored, "color", sRGB(from.Albedo), "none")
	default:
		c.color(ActionRecolored, "color", from.Albedo, to.Albedo)
		c.number(ActionRefinished, "mirror", from.Mirror, to.Mirror)
		c.checker(from.Checker, to.Checker)
	}
	c.text(ActionRenamed, "name", strconv.Quote(a.Name), strconv.Quote(b.Name))
	return c
}

// of returns the placements that made two solids, either of which may be nil, and false unless they
// became each other, or one came or went with its solid.
func (p *placements) of(a, b *solid) (pair placementPair, ok bool) {
	pair = placementPair{none, none}
	switch {
	case b == nil:
		pair.accepted = a.placement
		return pair, a.placement != none && p.ab[a.placement] == none
	case a == nil:
		pair.present = b.placement
		return pair, b.placement != none && p.ba[b.placement] == none
	}
	pair = placementPair{a.placement, b.placement}
	return pair, a.placement != none && p.ab[a.placement] == b.placement
}

// partners returns those of two placements that became each other, for a solid that came or went.
func (p *placements) partners(a, b *solid) placementPair {
	switch {
	case a == nil && b.placement != none:
		return placementPair{p.ba[b.placement], b.placement}
	case b == nil && a.placement != none:
		return placementPair{a.placement, p.ab[a.placement]}
	}
	return placementPair{none, none}
}

// change returns the placements whose change is why two solids differ as they do, and that change;
// false if the solids changed by themselves.
func (p *placements) change(a, b *solid, actions []Action) (pair placementPair, c *changes, ok bool) {
	if len(actions) == 0 {
		return pair, nil, false
	}
	if pair, ok = p.of(a, b); !ok {
		if pair = p.partners(a, b); pair.accepted == none || pair.present == none {
			return pair, nil, false
		}
	}
	switch {
	case pair.accepted == none:
		return pair, &changes{actions: []Action{ActionAdded}}, true
	case pair.present == none:
		return pair, &changes{actions: []Action{ActionRemoved}}, true
	}
	c = comparePlacements(&p.a[pair.accepted], &p.b[pair.present])
	return pair, c, isSubset(actions, c.consequences()...)
}

// partChange returns the part in which something changed, of which two solids differ as they do, and what;
// false if that is in no part. Either solid may be nil: what a part has gained or lost is told of the part
// that the scene's own placement places.
func (p *placements) partChange(a, b *solid, actions []Action) (part string, c *changes, ok bool) {
	if len(actions) == 0 {
		return "", nil, false
	}
	if a == nil || b == nil {
		pair := p.partners(a, b)
		if pair.accepted == none || pair.present == none || p.a[pair.accepted].Part != p.b[pair.present].Part {
			return "", nil, false
		}
		return p.b[pair.present].Part, new(changes), true
	}
	if _, ok := p.of(a, b); !ok || a.kind != b.kind {
		return "", nil, false
	}
	was, is := a.trail(), b.trail()
	n := min(len(was.Placements), len(is.Placements))
	for i := range n {
		if was.Placements[i].Part != is.Placements[i].Part {
			n = i
			break
		}
	}
	if n == 0 {
		return "", nil, false
	}
	for i := 1; i < n; i++ {
		if c := comparePlacements(&was.Placements[i], &is.Placements[i]); len(c.actions) > 0 {
			return is.Placements[i-1].Part, c.in(is.Keys[i]), true
		}
	}
	if n < max(len(was.Placements), len(is.Placements)) {
		return is.Placements[n-1].Part, new(changes), true
	}
	c = compareSolids(inPart(a, &was), inPart(b, &is))
	return is.Placements[n-1].Part, c.in(is.Key), len(c.actions) > 0
}

// inPart returns a solid as its part has it.
func inPart(s *solid, t *scene.Trail) *solid {
	own := *s
	own.shape, own.name, own.material = t.Shape, t.Object.Name, t.Object.Material
	if s.kind != scene.KindBox {
		own.material.Checker = nil // as in the scene
	}
	return &own
}

// in returns the changes of a table in another one.
func (c *changes) in(table string) *changes {
	moved := &changes{actions: c.actions}
	for _, k := range c.keys {
		k.Key = table + "." + k.Key
		moved.keys = append(moved.keys, k)
	}
	return moved
}

// consequences returns what a change of a placement can do to its solids.
func (c *changes) consequences() []Action {
	var all []Action
	for _, a := range c.actions {
		switch a {
		case ActionTurned:
			all = append(all, ActionMoved, ActionTurned)
		case ActionResized:
			all = append(all, ActionMoved, ActionResized)
		case ActionRecolored, ActionRefinished: // one surface instead of another
			all = append(all, ActionRecolored, ActionRefinished)
		case ActionChanged: // its part, count or step
			all = append(all, ActionMoved, ActionTurned, ActionAdded, ActionRemoved)
		default:
			all = append(all, a)
		}
	}
	return all
}

func isSubset(actions []Action, of ...Action) bool {
	return !slices.ContainsFunc(actions, func(a Action) bool { return !slices.Contains(of, a) })
}

// cause returns the cause of a changed placement.
func (p *placements) cause(pair placementPair, c *changes) Cause {
	label := ""
	if pair.present == none {
		label = placementLabel(p.a, pair.accepted)
		if p.a[pair.accepted].Name == "" {
			label = "accepted " + label // the present file counts differently
		}
	} else {
		label = placementLabel(p.b, pair.present)
	}
	return Cause{
		Subject: SubjectPlacement, Label: label, Actions: c.actions, Changes: c.keys,
		Accepted: pair.accepted, Present: pair.present,
	}
}

func placementLabel(all []scene.Placement, i int) string {
	if name := all[i].Name; name != "" {
		return fmt.Sprintf("place %q", name)
	}
	return fmt.Sprintf("place[%d]", i)
}
