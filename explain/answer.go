package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/text"
	"pillbox/shade"
)

// Contribution is what one source adds to the color of a ray.
type Contribution struct {
	Source Source
	Light  int         // the index of the light; -1 unless Source is FromLight
	Label  string      // "ambient light", "its flat color", the light's label, what the mirror shows, "background", "fog" or the ghost
	Color  shade.Color // linear light that the ray carries: what the surface reflects, or the background
	Share  float64     // of the luminance of the ray's color, 0 to 1; 0 if the color is black

	// Percent is Share, rounded up or down such that the contributions to a color have 100 percent together.
	Percent int
}

// Source is where a part of a color comes from.
type Source string

// The sources of contributions.
const (
	FromAmbient    Source = "ambient"
	FromLight      Source = "light"
	FromMirror     Source = "mirror"
	FromBackground Source = "background"
	FromFog        Source = "fog"
	FromGhost      Source = "ghost"
)

// answer adds the sentence that answers why a ray has its color, and the parts of this color.
func (w *writer) answer(q *follow.Path) {
	w.blocks = append(w.blocks, Answer{w.sentence(q)})
	if parts := w.contributions(q); len(parts) > 0 {
		w.blocks = append(w.blocks, Shares{parts})
	}
	if text := w.mixture(q); text != "" {
		w.paragraph(text)
	}
}

// contributions returns the parts of the color that a path sees. Their sum is this color before clamping,
// except for rounding. A ray that sees a transparent background has no contributions.
func (t *Tracer) contributions(q *follow.Path) []Contribution {
	if !q.Seen {
		return shared(t.veil(q, nil))
	}
	parts := t.clearContributions(q)
	if f := q.Fog; f != nil && f.Share > 0 {
		for i := range parts {
			parts[i].Color = parts[i].Color.Scale(1 - f.Share)
		}
		parts = append(parts, Contribution{Source: FromFog, Light: -1, Label: "fog", Color: t.prepared.Fog.Color.Scale(f.Share)})
	}
	return shared(t.veil(q, parts))
}

// clearContributions returns the parts of the color that a path sees without fog and ghosts.
func (t *Tracer) clearContributions(q *follow.Path) (parts []Contribution) {
	add := func(s Source, light int, label string, c shade.Color) {
		parts = append(parts, Contribution{Source: s, Light: light, Label: label, Color: c})
	}
	if !q.IsSolid() {
		if q.Light > 0 {
			add(FromLight, q.Light-1, t.lightLabel(q.Light-1), clearColor(q))
		} else {
			add(FromBackground, -1, "background", clearColor(q))
		}
		return parts
	}
	matte := 1.0
	if q.Mirror != nil {
		matte = 1 - q.Material.Mirror
	}
	reflected := func(c shade.Color) shade.Color { return shade.Lambert(q.Albedo, c).Scale(matte) }
	label := "ambient light"
	if t.prepared.Scene.Shading.Flat {
		label = "its flat color"
	}
	add(FromAmbient, -1, label, reflected(t.arrivingAmbient(q)))
	for i := range q.Lights {
		if a := &q.Lights[i]; a.Visibility.Arrives() {
			add(FromLight, a.Index, t.lightLabel(a.Index), reflected(a.Irradiance))
		}
	}
	if q.Mirror != nil {
		add(FromMirror, -1, "mirror: "+t.shown(q.Mirror), q.Mirror.Color.Scale(q.Material.Mirror))
	}
	return parts
}

// clearColor returns the color of a path without fog and ghosts.
func clearColor(q *follow.Path) shade.Color {
	if q.Fog != nil {
		return q.Fog.Clear
	}
	return q.Behind
}

// arrivingAmbient returns the part of the ambient light that solids do not hide from the end of a path.
func (t *Tracer) arrivingAmbient(q *follow.Path) shade.Color {
	if q.Occlusion == nil {
		return t.prepared.Ambient(q.Normal)
	}
	return t.prepared.Scene.Shading.Ambient.Under(&q.Occlusion.Sky, q.Normal, t.prepared.View.Up())
}

// shared sets the fields Share and Percent of each part of a color: the luminance of the part, divided by the sum of the
// luminances of all parts. If all parts are black, all shares are 0.
func shared(parts []Contribution) []Contribution {
	sum := 0.0
	for _, c := range parts {
		sum += c.Color.Luminance()
	}
	if !(sum > 0) {
		return parts
	}
	rest, order := 100, make([]*Contribution, len(parts))
	for i := range parts {
		c := &parts[i]
		c.Share = c.Color.Luminance() / sum
		c.Percent = int(100 * c.Share)
		rest -= c.Percent
		order[i] = c
	}
	// The parts with the largest remainders are rounded up.
	slices.SortStableFunc(order, func(a, b *Contribution) int {
		return cmp.Compare(float64(100*b.Share)-float64(b.Percent), float64(100*a.Share)-float64(a.Percent))
	})
	for i := range min(rest, len(order)) {
		order[i].Percent++
	}
	return parts
}

// lightLabel describes a light in a sentence: light "sun", light 1, the light at the eye.
func (t *Tracer) lightLabel(index int) string {
	if len(t.prepared.Scene.Lights) == 0 {
		return "the light at the eye"
	}
	if name := t.nameOfLight(index); name != "" {
		return fmt.Sprintf("light %q", name)
	}
	return fmt.Sprintf("light %d", index)
}

// shown describes what a mirror ray shows.
func (t *Tracer) shown(m *follow.Path) string {
	switch {
	case m.Light > 0:
		return t.lightLabel(m.Light-1) + t.behindGhosts(m)
	case !m.IsSolid():
		return "the background" + t.behindGhosts(m)
	}
	return t.label(m.Hit.Object) + t.behindGhosts(m)
}

// sentence answers in one sentence why a ray has its color.
func (t *Tracer) sentence(q *follow.Path) string {
	if q.Light > 0 {
		return "The reflected ray meets the ball of " + t.lightLabel(q.Light-1) + " and shows its color" + exceptGhosts(q) + "."
	}
	if !q.IsSolid() {
		if !q.Seen {
			return "The ray hits no solid" + exceptGhosts(q) + ", and the background is transparent."
		}
		if len(q.Ghosts) > 0 {
			return "The ray hits no solid" + exceptGhosts(q) + " before the background" + fogClause(q) + "."
		}
		return "The ray hits no solid: the color is that of the background" + fogClause(q) + "."
	}
	answer := t.label(q.Hit.Object) + " " + t.lit(q) + t.penumbras(q)
	if q.Mirror != nil {
		answer += "; it mirrors " + t.shown(q.Mirror)
	}
	first, size := utf8.DecodeRuneInString(answer)
	return string(unicode.ToUpper(first)) + answer[size:] + fogClause(q) + "."
}

// fogClause states how much of the color of a path is fog, as a clause that ends a sentence.
func fogClause(q *follow.Path) string {
	if q.Fog == nil || q.Fog.Share == 0 {
		return ""
	}
	of := "the color"
	if len(q.Ghosts) > 0 {
		of = "this color"
	}
	return "; " + percent(q.Fog.Share) + " of " + of + " is fog"
}

// lighting is how the lights shine on the end of a path. Lights that emit nothing count as no lights.
type lighting struct {
	all        int      // how many lights emit light
	off        []string // the lights that emit nothing
	arrive     []string // the lights that arrive, and the parts of lights that arrive
	isPart     bool     // a light arrives in part
	blockers   []string // the solids that block lights from outside
	enclosing  int32    // the last solid that blocks a light from inside, or accel.None
	visibility follow.Visibility
	isMixed    bool   // the visibilities of the lights differ
	last       string // the last light that emits light
}

// lightingOf describes the lights at the end of a path.
func (t *Tracer) lightingOf(q *follow.Path) *lighting {
	l := &lighting{enclosing: accel.None}
	for i := range q.Lights {
		a := &q.Lights[i]
		label := t.lightLabel(a.Index)
		if a.Light.Irradiance(1) == (shade.Color{}) {
			l.off = append(l.off, label)
			continue
		}
		l.isMixed = l.isMixed || l.all > 0 && a.Visibility != l.visibility
		l.last, l.visibility = label, a.Visibility
		l.all++
		switch a.Visibility {
		case follow.Visible:
			l.arrive = append(l.arrive, label)
		case follow.Partly:
			l.arrive, l.isPart = append(l.arrive, "a part of "+label), true
		case follow.Enclosed:
			l.enclosing = a.Object
		case follow.Blocked:
			for _, label := range t.blockers(a) {
				if !slices.Contains(l.blockers, label) {
					l.blockers = append(l.blockers, label)
				}
			}
		}
	}
	return l
}

// lit states which lights arrive at the end of a path, and why the others do not.
func (t *Tracer) lit(q *follow.Path) string {
	if t.prepared.Scene.Shading.Flat {
		return "shows its own color, because the colors of the scene are flat"
	}
	l := t.lightingOf(q)
	n := len(l.arrive)
	switch {
	case l.all == 0:
		return t.unlit(q) + ": " + listed(l.off, "lights") + emit(len(l.off)) + " nothing"
	case len(l.blockers) > 0:
		return "is in the shadow of " + listed(l.blockers, "solids") + "; " + t.arriving(q, l)
	case l.enclosing == q.Hit.Object && l.enclosing != accel.None:
		return "is seen from inside; " + t.arriving(q, l)
	case l.enclosing != accel.None:
		return "is inside " + t.label(l.enclosing) + "; " + t.arriving(q, l)
	case n == l.all && n == 2 && !l.isPart:
		return "is lit by both lights"
	case n == l.all && n > 2 && !l.isPart:
		return fmt.Sprintf("is lit by all %d lights", n)
	case n == l.all:
		return "is lit by " + listed(l.arrive, "lights")
	case n > 0:
		return fmt.Sprintf("is lit by only %s of %d lights", listed(l.arrive, "lights"), l.all)
	}
	all := l.last
	if l.all > 1 {
		all = "every light"
	}
	switch {
	case l.isMixed:
		return "faces away from the lights, or is outside their cones"
	case l.visibility == follow.Outside:
		return "is outside the cone of " + all
	}
	return "faces away from " + all
}

func emit(n int) string {
	if n == 1 {
		return " emits"
	}
	return " emit"
}

// unlit states that no light of the scene is on at the end of a path.
func (t *Tracer) unlit(q *follow.Path) string {
	switch {
	case t.arrivingAmbient(q) == (shade.Color{}):
		return "is not lit"
	case q.Occlusion == nil:
		return "is lit only by ambient light"
	}
	o := q.Occlusion
	return fmt.Sprintf("is lit only by ambient light, from %d of %d directions", o.Above.Open+o.Below.Open, len(o.Samples))
}

// penumbras states which solids hide points of lights that arrive in part, as clauses that end a sentence.
func (t *Tracer) penumbras(q *follow.Path) string {
	var clauses strings.Builder
	for i := range q.Lights {
		if a := &q.Lights[i]; a.Visibility == follow.Partly {
			clauses.WriteString("; " + t.hiddenPoints(a, fmt.Sprintf(" of %s of %s", text.Count(len(a.Points), "point"), t.lightLabel(a.Index))))
		}
	}
	return clauses.String()
}

// blockers returns the labels of the solids that block a light or, for a light with a size, that hide some
// of its points.
func (t *Tracer) blockers(a *follow.LightSample) []string {
	if len(a.Points) == 0 {
		return []string{t.label(a.Object)}
	}
	var labels []string
	for _, h := range hiders(lightPoints(a)) {
		labels = append(labels, t.label(h.object))
	}
	return labels
}

// arriving states which lights arrive at the end of a path.
func (t *Tracer) arriving(q *follow.Path, l *lighting) string {
	switch n := len(l.arrive); {
	case n == 0 && t.arrivingAmbient(q) != (shade.Color{}):
		return "only ambient light arrives"
	case n == 0:
		return "no light arrives"
	case n == 1:
		return fmt.Sprintf("only %s of %d lights arrives", l.arrive[0], l.all)
	default:
		return fmt.Sprintf("%d of %d lights arrive: %s", n, l.all, listed(l.arrive, "lights"))
	}
}

// mostNamed is the largest number of things that a sentence names one by one.
const mostNamed = 3

// listed returns things as a list for a sentence, or their number if they are many.
func listed(things []string, kind string) string {
	switch n := len(things); {
	case n > mostNamed:
		return fmt.Sprintf("%d %s", n, kind)
	case n > 1:
		return strings.Join(things[:n-1], ", ") + " and " + things[n-1]
	}
	return things[0]
}

// sharesText writes contributions as a line.
func sharesText(parts []Contribution) string {
	texts := make([]string, len(parts))
	for i, c := range parts {
		texts[i] = fmt.Sprintf("%s %s", c.Label, c.percent())
	}
	return "The ray's color, by luminance: " + strings.Join(texts, ", ") + "."
}

// percent formats the part's share.
func (c *Contribution) percent() string {
	switch {
	case c.Percent == 0, c.Percent == 100:
		return percent(c.Share)
	}
	return fmt.Sprintf("%d %%", c.Percent)
}

// percent formats a share. A share that is not 0 is never printed as 0.
func percent(share float64) string {
	switch {
	case share > 0 && share < 0.01:
		return "below 1 %"
	case share < 1 && share > 0.99:
		return "over 99 %"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}
