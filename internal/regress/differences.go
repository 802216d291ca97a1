package regress

import (
	"fmt"
	"slices"
	"strconv"

	"pillbox/scene"
)

// differences are the causes between two scenes and where each applies. The fields of type
// int are indices of causes, or none.
type differences struct {
	causes []Cause
	pairs  []pair
	lights []lightPair

	placements *placements
	parts      map[string]int // the causes in parts, by name

	camera, antialias, background, ambient, shadows, bounces, order, renderer int

	sameShadows bool // no solid moved, and shadows are cast as before
}

// pair is a solid of the accepted scene and what it has become in the present one; either
// may be missing. The pair of an accepted solid has its number as index; the pairs of added
// ones follow.
type pair struct {
	accepted, present int // numbers, or none
	label             string
	cause             int
	moved             bool // its surface is not where it was, or not there
	altered           bool // moved, or of another material
}

// lightPair is the same for a light.
type lightPair struct{ accepted, present, cause int }

// differ compares two scenes.
func differ(accepted, present *scene.Scene) *differences {
	d := &differences{parts: make(map[string]int)}
	d.placements = newPlacements(accepted.Placements(), present.Placements())
	d.matchSolids(solidsOf(accepted), solidsOf(present))

	c := new(changes)
	c.ambient(accepted.Shading.Ambient, present.Shading.Ambient)
	d.ambient = d.setting(SubjectAmbient, "ambient", c)
	d.matchLights(accepted.Lights, present.Lights)

	d.camera = d.setting(SubjectCamera, "camera", compareCameras(accepted.Camera, present.Camera))
	a, b := &accepted.Image, &present.Image
	c = new(changes)
	c.integer("width", a.Width, b.Width)
	c.integer("height", a.Height, b.Height)
	d.setting(SubjectImage, "image", c)
	c = new(changes)
	c.integer("antialias", a.Antialias, b.Antialias)
	c.text(ActionChanged, "antialias_mode", a.AntialiasMode(), b.AntialiasMode())
	d.antialias = d.setting(SubjectAntialias, "antialias", c)
	d.background = d.setting(SubjectBackground, "background", compareBackgrounds(&a.Background, &b.Background))
	c = new(changes)
	c.text(ActionChanged, "shadows", strconv.FormatBool(accepted.Shading.Shadows), strconv.FormatBool(present.Shading.Shadows))
	d.shadows = d.setting(SubjectShadows, "shadows", c)
	d.sameShadows = d.shadows == none && !d.moves()
	c = new(changes)
	c.integer("bounces", accepted.Shading.Bounces, present.Shading.Bounces)
	d.bounces = d.setting(SubjectBounces, "bounces", c)
	d.renderer = d.setting(SubjectRenderer, "the renderer", changed())
	return d
}

// moves reports whether any solid moved, came, went or has another shape.
func (d *differences) moves() bool {
	return slices.ContainsFunc(d.pairs, func(p pair) bool { return p.moved })
}

// changed is a change of something that is in no scene file.
func changed() *changes { return &changes{actions: []Action{ActionChanged}} }

// add appends a cause, if anything happened, and returns its index.
func (d *differences) add(c Cause) int {
	if len(c.Actions) == 0 {
		return none
	}
	if c.Changes == nil {
		c.Changes = []Change{} // an array in JSON, too
	}
	c.Alone = unknown
	d.causes = append(d.causes, c)
	return len(d.causes) - 1
}

// setting adds what happened to something that is neither solid nor light.
func (d *differences) setting(s Subject, label string, c *changes) int {
	return d.add(Cause{Subject: s, Label: label, Actions: c.actions, Changes: c.keys, Accepted: none, Present: none})
}

func (d *differences) matchSolids(a, b []solid) {
	partners := match(a, b)
	taken := make([]bool, len(b))
	for i, j := range partners {
		if j == none {
			d.addPair(&a[i], nil)
			continue
		}
		taken[j] = true
		d.addPair(&a[i], &b[j])
	}
	for j := range b {
		if !taken[j] {
			d.addPair(nil, &b[j])
		}
	}
	d.order = none
	var still []int
	for _, p := range d.pairs {
		if !p.moved {
			still = append(still, p.present)
		}
	}
	if !slices.IsSorted(still) {
		d.order = d.setting(SubjectOrder, "the order of solids", changed())
	}
}

// addPair adds the pair of two solids, either of which may be nil.
func (d *differences) addPair(a, b *solid) {
	p := pair{accepted: none, present: none, moved: true, altered: true}
	c := new(changes)
	switch {
	case b == nil:
		p.accepted, p.label = a.number, a.label
		if a.name == "" {
			p.label = "accepted " + p.label // the present file counts differently
		}
		c.actions = []Action{ActionRemoved}
	case a == nil:
		p.present, p.label = b.number, b.label
		c.actions = []Action{ActionAdded}
	default:
		p.accepted, p.present, p.label = a.number, b.number, b.label
		p.moved = a.shape != b.shape
		p.altered = p.moved || !a.material.Equal(b.material)
		c = compareSolids(a, b)
	}
	if placed, change, ok := d.placements.change(a, b, c.actions); ok {
		p.cause = d.addPlaced(placed, change, c.actions)
	} else if part, change, ok := d.placements.partChange(a, b, c.actions); ok {
		p.cause = d.addToPart(part, change, c.actions)
	} else {
		p.cause = d.add(Cause{
			Subject: SubjectSolid, Label: p.label, Actions: c.actions, Changes: c.keys,
			Accepted: p.accepted, Present: p.present,
		})
	}
	d.pairs = append(d.pairs, p)
}

// addPlaced counts a solid to which a change of a placement did something, and returns the index of
// that cause.
func (d *differences) addPlaced(pair placementPair, c *changes, actions []Action) int {
	cause, ok := d.placements.causes[pair]
	if !ok {
		cause = d.add(d.placements.cause(pair, c))
		d.placements.causes[pair] = cause
	}
	d.causes[cause].count(actions)
	return cause
}

// addToPart counts a solid to which a change in a part did something, and returns the index of that cause.
func (d *differences) addToPart(part string, c *changes, actions []Action) int {
	cause, ok := d.parts[part]
	if !ok {
		cause = d.add(Cause{
			Subject: SubjectPart, Label: fmt.Sprintf("part %q", part), Part: part, Actions: []Action{ActionChanged},
			Accepted: none, Present: none,
		})
		d.parts[part] = cause
	}
	e := &d.causes[cause]
	for _, k := range c.keys {
		if !slices.Contains(e.Changes, k) {
			e.Changes = append(e.Changes, k)
		}
	}
	e.count(actions)
	return cause
}

// count counts a solid and what happened to it.
func (c *Cause) count(actions []Action) {
	c.Solids++
	for _, a := range actions {
		if !slices.Contains(c.SolidActions, a) {
			c.SolidActions = append(c.SolidActions, a)
		}
	}
}

// matchLights pairs the lights of two scenes.
func (d *differences) matchLights(a, b []scene.Light) {
	if len(a) == 0 && len(b) == 0 {
		// The light at the camera is what the ambient light leaves: the change of that is reported instead.
		d.lights = []lightPair{{0, 0, d.ambient}}
		return
	}
	if len(a) == 0 {
		d.addLight(0, none, impliedLight, &changes{actions: []Action{ActionRemoved}})
	}
	partners := matchLights(a, b)
	for i, j := range partners {
		if j == none {
			d.addLight(i, none, acceptedLightLabel(a, i), &changes{actions: []Action{ActionRemoved}})
			continue
		}
		d.addLight(i, j, lightLabel(b, j), compareLights(&a[i], &b[j]))
	}
	for j := range b {
		if !slices.Contains(partners, j) {
			d.addLight(none, j, lightLabel(b, j), &changes{actions: []Action{ActionAdded}})
		}
	}
	if len(b) == 0 {
		d.addLight(none, 0, impliedLight, &changes{actions: []Action{ActionAdded}})
	}
}

// impliedLight is the label of the light of scenes that have none.
const impliedLight = "the light at the camera"

func lightLabel(lights []scene.Light, i int) string {
	if name := lights[i].Name; name != "" {
		return fmt.Sprintf("light %q", name)
	}
	return fmt.Sprintf("light[%d]", i)
}

// acceptedLightLabel returns the label of a light that the present scene does not have.
func acceptedLightLabel(lights []scene.Light, i int) string {
	if lights[i].Name != "" {
		return lightLabel(lights, i)
	}
	return "accepted " + lightLabel(lights, i) // the present file counts differently
}

func (d *differences) addLight(i, j int, label string, c *changes) {
	cause := d.add(Cause{
		Subject: SubjectLight, Label: label, Actions: c.actions, Changes: c.keys,
		Accepted: i, Present: j,
	})
	d.lights = append(d.lights, lightPair{i, j, cause})
}
