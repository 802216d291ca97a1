package scene

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pillbox/internal/keytable"
	"pillbox/problem"
)

// At returns the scene at a time in seconds: animated keys have the values that the [[animate]] tables define for that
// time. The result does not depend on the time any more: [Scene.Moves] is false. It shares unchanged data with s, so
// neither may be modified while the other is in use. For a scene without [[animate]] tables, or one that is detached
// from its files ([Scene.Detach]), At returns s itself.
//
// Interpolated values may be invalid in combination: a camera may look along its up vector, or a placement may put
// solids outside the limits. For such values, the error is of type [Errors]. Another error is returned if seconds is
// not finite.
//
// If solids, placements, or the lights of parts are animated, At builds the solids from the tables again. Changes that
// a program made to the solids of s are then lost.
func (s *Scene) At(seconds float64) (*Scene, error) {
	at, err := s.unframedAt(seconds)
	if err == nil && at != s && s.motion.optionalCamera {
		at.provideCamera()
	}
	return at, err
}

// unframedAt is like [Scene.At] but does not look at the camera, which may depend on all frames.
func (s *Scene) unframedAt(seconds float64) (*Scene, error) {
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) {
		return nil, fmt.Errorf("the time must be finite, got %v", seconds)
	}
	if s.motion == nil {
		return s, nil
	}
	at := *s
	at.motion = nil
	more := s.root.tables.clipped()
	m := moving{motion: s.motion, seconds: seconds, scene: &at, tables: &more, parts: make(map[*part]*part)}
	m.settings(s.root)
	if s.motion.affected[s.root] {
		at.root = m.part(s.root, nil)
	}
	if len(m.problems) == 0 && at.root != s.root {
		placed := at.Sections[len(at.ownSections()):]
		newExpander(&at).root(func(pl *place, err error) {
			t := pl.table
			t.Report = &keytable.Report{File: t.Report.File}
			t.Missing("", problem.CodePlacedOutOfRange, "puts %v", err)
			m.report(t.Report)
		})
		// Tracks change neither the number nor the order of the solids.
		again := at.Sections[len(at.ownSections()):]
		for i := range again {
			again[i].Solids = placed[i].Solids
		}
	}
	if len(m.problems) > 0 {
		return nil, m.problems
	}
	at.printTexts()
	return &at, nil
}

// CheckFrames returns the error of [Scene.At] for the first frame of the animation that cannot be shown, or nil. If the
// frames together have more than a hundred million solids, it omits some frames. A track counts as 1000 solids, and an
// annotation as 100. It returns the error of ctx if ctx ends.
func (s *Scene) CheckFrames(ctx context.Context) error {
	if s.motion == nil || s.Animation == nil {
		return nil
	}
	for seconds := range s.frameTimes(mostChecked) {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if _, err := s.At(seconds); err != nil {
			return err
		}
	}
	return nil
}

// mostChecked is the largest cost of all frames together that [Scene.CheckFrames] checks, in solids.
const mostChecked = 1e8

// Moves reports whether [Scene.At] depends on the time.
func (s *Scene) Moves() bool { return s.motion != nil }

// motion describes how a scene changes with time. It does not change after the scene has been read.
type motion struct {
	tracks    []*track
	raw       map[rawElement]map[string]any // values of the tables that the tracks change, as in the file
	materials *materials
	plans     map[*part]*plan // by the part in which the paths of the tracks begin
	affected  map[*part]bool  // parts in which something changes, at any depth

	optionalCamera bool // see [WithOptionalCamera]
}

// plan lists the tracks that change the contents of a part.
type plan struct {
	elements []element            // elements that tracks change, in the order of the tracks
	tracks   map[element][]*track // by the element that they change
	inner    map[hop]*plan        // for a copy, or for all copies, of a placement: what tracks change in its part
	copies   map[int][]int        // for each placement, the copies that tracks change individually
	noted    map[hop]bool         // the elements of copies, as a set
}

func newPlan() *plan {
	return &plan{tracks: make(map[element][]*track), inner: make(map[hop]*plan), copies: make(map[int][]int), noted: make(map[hop]bool)}
}

// note records that a track changes one copy of a placement individually.
func (p *plan) note(place, copy int) {
	if h := (hop{place, copy}); copy != allCopies && !p.noted[h] {
		p.noted[h] = true
		p.copies[place] = append(p.copies[place], copy)
	}
}

// plan builds m.plans and m.affected from the tracks. The part root is the scene itself.
func (m *motion) plan(root *part) {
	m.plans, m.affected = make(map[*part]*plan), make(map[*part]bool)
	for _, tr := range m.tracks {
		t := &tr.target
		p := m.plans[t.base]
		if p == nil {
			p = newPlan()
			m.plans[t.base] = p
		}
		for _, h := range t.hops {
			if p.inner[h] == nil {
				p.inner[h] = newPlan()
			}
			p.note(h.place, h.copy)
			p = p.inner[h]
		}
		if t.element.table == "place" {
			p.note(t.element.index, t.element.copy)
		}
		if _, known := p.tracks[t.element]; !known {
			p.elements = append(p.elements, t.element)
		}
		p.tracks[t.element] = append(p.tracks[t.element], tr)
	}
	m.affects(root)
}

// affects reports whether anything in a part changes. It records the answer for the part and for all
// parts in it.
func (m *motion) affects(p *part) bool {
	is, known := m.affected[p]
	if known {
		return is
	}
	if plan := m.plans[p]; plan != nil {
		is = len(plan.inner) > 0 || slices.ContainsFunc(plan.elements, func(e element) bool { return !e.isSetting(p) })
	}
	for _, pl := range p.places {
		is = m.affects(pl.part) || is
	}
	m.affected[p] = is
	return is
}

// isSetting reports whether e, an element of p, belongs to the scene as a whole. This is true for a table of settings
// for a section, and for the scene's own lights.
func (e element) isSetting(p *part) bool {
	return slices.Contains(settings(), e.table) || e.table == "section" || e.table == "light" && p.isRoot()
}

// check reads every animated table with each value of its tracks, and reports the invalid values. It also reports
// tracks that change the same key.
func (m *motion) check() {
	ofTarget := make(map[targetKey][]*track)
	for _, tr := range m.tracks {
		key := tr.target.comparable()
		ofTarget[key] = append(ofTarget[key], tr)
	}
	for _, tr := range m.tracks {
		var group []*track
		for _, other := range ofTarget[tr.target.comparable()] {
			switch {
			case other == tr || other.key != tr.key:
				group = append(group, other)
			case other.table.Index < tr.table.Index:
				tr.table.Wrong("target", problem.CodeConflict, "already changed by animate[%d]", other.table.Index)
				return
			}
		}
		m.checkValues(tr, group)
	}
}

// checkValues reports the invalid values of a track. It reports a conflict with other keys of the table
// only once. group consists of the tracks of the table, tr included.
func (m *motion) checkValues(tr *track, group []*track) {
	isTheirs := func(key string) bool {
		return slices.ContainsFunc(group, func(other *track) bool { return strings.HasSuffix(key, "."+other.key) })
	}
	misfits := false
	for j, seconds := range tr.times {
		for _, p := range m.read(&Scene{}, new(tables), tr.target.raw(), group, seconds).Report.Problems {
			isOwn := strings.HasPrefix(p.Key[len(p.Table):], "."+tr.key)
			switch {
			case p.Severity != problem.SeverityError:
			case isOwn && !p.AtKey:
				tr.table.Wrong(keytable.Indexed("values", j), p.Code, "%s", p.Message).Suggestion = p.Suggestion
			case !misfits && (isOwn || !isTheirs(p.Key)):
				misfits = true
				misfit := tr.table.Wrong("target", problem.CodeConflict, "%s: at %v s: %s", p.Key, seconds, p.Message)
				misfit.Spelled = false // the target is right
				switch v := m.raw[tr.target.raw()][strings.TrimPrefix(p.Key, p.Table+".")].(type) {
				case int64, float64:
					misfit.Value = fmt.Sprint(v)
				}
			}
		}
	}
}

// reading is a table that was read with the values of its tracks. Only one of the fields solids, section, light, place
// and step is set: the one for this kind of table.
type reading struct {
	*loader
	solids  solids // a single solid
	section Section
	light   Light
	place   *place
	step    step
}

// read reads the table e with the values that its tracks have at a time. If the table is a solid, read adds its name
// and material to into. It uses nothing of s but Image and Colormap.
func (m *motion) read(s *Scene, into *tables, e rawElement, tracks []*track, seconds float64) *reading {
	values := maps.Clone(m.raw[e])
	if values == nil {
		values = make(map[string]any)
	}
	for _, tr := range tracks {
		if e.bulk > 0 && tr.key != "axes" && isRotationKey(tr.key) {
			delete(values, "axes") // a track with another form of rotation replaces the axes of the row
		}
	}
	for _, tr := range tracks {
		values[tr.key] = tr.valueAt(seconds)
	}
	l := &loader{
		Report:         keytable.Report{File: e.part.table.Report.File, Speller: keytable.NewSpeller(sceneWords())},
		scene:          &Scene{Image: s.Image, Colormap: s.Colormap, root: &part{}},
		tables:         into,
		materials:      m.materials,
		optionalCamera: m.optionalCamera,
		lacksParts:     true, // a placement keeps its part, which this loader does not know
	}
	r := &reading{loader: l}
	t := l.Report.Element(e.part.table.Key(e.table), e.index)
	if e.bulk > 0 {
		t = l.Report.Element(e.part.table.Key("bulk"), e.part.bulks[e.bulk-1].table.Index)
	}
	switch e.table {
	case "camera":
		l.camera(values)
	case "shading":
		l.scene.Shading, _, _ = shadingKeys().Read(l.Report.Table("shading"), values)
	case occlusionPath:
		occlusionForm().Read(l.Report.Table("shading"), "occlusion", values, &l.scene.Shading.Occlusion)
	case "image":
		l.image(values)
	case "fog":
		l.fog(values)
	case "section":
		x, _, _ := sectionKeys().Read(t, values)
		completeSection(t, &x)
		r.section = x.Section
	case "light":
		var g keytable.RawTable
		r.light, g, _ = lightKeys().Read(t, values)
		r.light.complete(t, g)
	case "place":
		t.Index = e.part.places[e.index].table.Index
		m, g, _ := placeKeys().Read(t, values)
		r.place = l.readPlace(t, m, g)
	case "step":
		place := l.Report.Element(e.part.table.Key("place"), e.part.places[e.index].table.Index)
		r.step, _, _ = stepKeys().Read(l.Report.Table(place.Key("step")), values)
	default:
		k, _ := ParseKind(e.table)
		r.solids = makeSolids(k, 1, 1)
		solid := l.solidReader(k)
		solid.read(&r.solids, 0, t, values)
	}
	return r
}

// moving builds the scene as it is at one time of its animation.
type moving struct {
	*motion
	seconds  float64
	scene    *Scene
	tables   *tables
	parts    map[*part]*part // finished parts, by the part in the file; without parts that tracks of outer parts change
	problems problem.Errors
}

// report collects the errors at this time.
func (m *moving) report(r *keytable.Report) {
	for _, p := range r.Problems {
		if p.Severity == problem.SeverityError {
			e := p.Error
			e.File, e.Message = r.File, fmt.Sprintf("at %v s: %s", m.seconds, e.Message)
			m.problems = append(m.problems, &e)
		}
	}
}

func (m *moving) read(e rawElement, tracks []*track) *reading {
	r := m.motion.read(m.scene, m.tables, e, tracks, m.seconds)
	m.report(&r.loader.Report)
	return r
}

// settings applies tracks to the camera, shading, image, fog, sections and lights.
func (m *moving) settings(root *part) {
	plan := m.plans[root]
	if plan == nil {
		return
	}
	at := m.scene
	for _, e := range plan.elements {
		raw := e.raw(root)
		switch e.table {
		case "camera":
			r := m.read(raw, plan.tracks[e]).scene
			if r.Framing != nil {
				r.Framing.Fit = at.Framing.Fit // tracks cannot change it
			}
			at.Camera, at.Framing = r.Camera, r.Framing
		case "shading":
			kept := at.Shading.Occlusion // a track may have changed it
			at.Shading = m.read(raw, plan.tracks[e]).scene.Shading
			at.Shading.Occlusion = kept
		case occlusionPath:
			at.Shading.Occlusion = m.read(raw, plan.tracks[e]).scene.Shading.Occlusion
		case "image":
			at.Image.Background = m.read(raw, plan.tracks[e]).scene.Image.Background
		case "fog":
			at.Fog = m.read(raw, plan.tracks[e]).scene.Fog
		case "section":
			if r := m.read(raw, plan.tracks[e]); len(m.problems) == 0 {
				at.Sections = slices.Clone(at.Sections)
				r.section.Solids, r.section.Limited = at.Sections[e.index].Solids, at.Sections[e.index].Limited
				at.Sections[e.index] = r.section
			}
		case "light":
			if r := m.read(raw, plan.tracks[e]); len(m.problems) == 0 {
				at.Lights = slices.Clone(at.Lights)
				at.Lights[e.index] = r.light
			}
		}
	}
}

// part returns the part p as it is at this time. It applies the tracks of p's own plan in m.plans, and those of the
// given plans, which belong to outer parts and concern one placement of p.
func (m *moving) part(p *part, plans []*plan) *part {
	if len(plans) == 0 {
		if done := m.parts[p]; done != nil {
			return done
		}
		if !m.affected[p] {
			return p
		}
	}
	all := plans
	if own := m.plans[p]; own != nil {
		all = append([]*plan{own}, plans...)
	}
	q := *p
	q.tables = m.tables
	m.solids(&q, p, all)
	m.lights(&q, p, all)
	q.places = slices.Clone(p.places)
	for i := range q.places {
		q.places[i] = m.place(p, i, all)
	}
	if len(plans) == 0 {
		m.parts[p] = &q
	}
	return &q
}

// solids applies the tracks of plans to the solids of q, a copy of the part p.
func (m *moving) solids(q, p *part, plans []*plan) {
	var done []element
	for _, plan := range plans {
		for _, e := range plan.elements {
			k, isSolid := ParseKind(e.table)
			if !isSolid || slices.Contains(done, e) {
				continue
			}
			first := !slices.ContainsFunc(done, func(d element) bool { return d.table == e.table && d.bulk == e.bulk })
			done = append(done, e)
			tracks := tracksOf(plans, e)
			r := m.read(e.raw(p), tracks)
			if e.bulk > 0 {
				if first {
					q.ownBulk(p, e.bulk-1)
				}
				q.setRow(e, r, tracks)
				continue
			}
			if first {
				q.own[k] = p.own[k].clone(k)
			}
			q.own[k].set(k, e.index, &r.solids)
		}
	}
}

// lights applies the tracks of plans to the lights of q, a copy of the part p. It does nothing for the
// scene itself, whose lights are settings.
func (m *moving) lights(q, p *part, plans []*plan) {
	if p.isRoot() {
		return
	}
	q.lights = slices.Clone(p.lights)
	for i := range q.lights {
		e := element{table: "light", index: i, copy: allCopies}
		if tracks := tracksOf(plans, e); len(tracks) > 0 {
			q.lights[i].Light = m.read(e.raw(p), tracks).light
		}
	}
}

// ownBulk replaces the i-th bulk table of q, which is a copy of p, by a copy of the table, so that changes do not
// affect p. Call it once for each table, before its first change.
func (q *part) ownBulk(p *part, i int) {
	if &q.bulks[0] == &p.bulks[0] {
		q.bulks = slices.Clone(p.bulks)
	}
	b := *p.bulks[i]
	b.solids, b.tables = b.solids.clone(b.kind), q.tables
	q.bulks[i] = &b
}

// setRow replaces the solid of a row of a bulk table by the solid in r. The row keeps its name and, unless a track
// changes the color or the material, its material.
func (q *part) setRow(e element, r *reading, tracks []*track) {
	b, n := q.bulks[e.bulk-1], e.index
	s := &b.solids
	object, has := s.objects[n], hasSurface
	if s.has != nil {
		has = s.has[n]
	}
	changes := func(key string) bool {
		return slices.ContainsFunc(tracks, func(tr *track) bool { return tr.key == key })
	}
	switch {
	case changes("color") || changes("material") || changes("value"):
		object.material, has = r.solids.objects[0].material, r.solids.has[0]
	case changes("ghost"):
		has |= hasGhost
		object.material = b.tables.withGhost(object.material, b.tables.materials[r.solids.objects[0].material].Ghost)
	}
	r.solids.objects[0], r.solids.has[0] = object, has
	s.set(b.kind, n, &r.solids)
}

// tracksOf returns the tracks that change an element according to any of the plans. If several tracks have the same
// key, the last one overrides the others.
func tracksOf(plans []*plan, e element) (all []*track) {
	for _, p := range plans {
		all = append(all, p.tracks[e]...)
	}
	return all
}

// place returns the i-th placement of p at this time.
func (m *moving) place(p *part, i int, plans []*plan) *place {
	var tracks []*track
	var inner []*plan
	add := func(copy int) {
		tracks = append(tracks, tracksOf(plans, element{table: "place", index: i, copy: copy})...)
		for _, plan := range plans {
			if next := plan.inner[hop{i, copy}]; next != nil {
				inner = append(inner, next)
			}
		}
	}
	add(allCopies)
	stride := p.places[i].step
	if steps := tracksOf(plans, element{table: "step", index: i, copy: allCopies}); len(steps) > 0 {
		stride = m.read(rawElement{part: p, table: "step", index: i}, steps).step
	}
	whole := m.changed(p, i, tracks, inner)
	whole.step = stride
	before, around := len(tracks), len(inner)
	for _, plan := range plans {
		for _, copy := range plan.copies[i] {
			if _, done := whole.variants[copy]; done {
				continue
			}
			tracks, inner = tracks[:before:before], inner[:around:around]
			add(copy)
			if whole.variants == nil {
				whole.variants = make(map[int]*place)
			}
			variant := m.changed(p, i, tracks, inner)
			variant.step = stride
			whole.variants[copy] = variant
		}
	}
	return whole
}

// changed returns a copy of the i-th placement of p. The given tracks change the placement itself. The tracks of the
// plans in inner change its part.
func (m *moving) changed(p *part, i int, tracks []*track, inner []*plan) *place {
	pl := *p.places[i]
	if len(tracks) > 0 {
		if r := m.read(rawElement{part: p, table: "place", index: i}, tracks).place; r != nil {
			pl.transform, pl.surface, pl.ghost = r.transform, r.surface, r.ghost
		}
	}
	pl.part = m.part(pl.part, inner)
	return &pl
}

func isRotationKey(key string) bool {
	return slices.Contains(turnKeys().Names(), key)
}

// clone returns a copy of s that can be modified.
func (s *solids) clone(k Kind) solids {
	c := *s
	k.row().clone(&c)
	c.objects, c.has, c.long = slices.Clone(s.objects), slices.Clone(s.has), maps.Clone(s.long)
	return c
}

// set replaces a solid by one of the same kind.
func (s *solids) set(k Kind, i int, by *solids) {
	k.row().set(s, i, by)
	s.objects[i] = by.objects[0]
	if s.has != nil { // nil for solids of the scene itself, which are not in a placement
		s.has[i] = by.has[0]
	}
	delete(s.long, i)
}

// MayBeTransparent reports whether the background is transparent in s or, if it is animated, at some
// time.
func (s *Scene) MayBeTransparent() bool {
	return s.Image.Background.Transparent || s.motion != nil && slices.ContainsFunc(s.motion.tracks, (*track).hasTransparent)
}
