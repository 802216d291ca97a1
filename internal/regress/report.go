package regress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillbox/golden"
	"pillbox/internal/text"
)

// sizes reports on pictures of different sizes.
func (d *differences) sizes(diff golden.Diff) Report {
	r := d.report(nil, nil, nil)
	words := []string{fmt.Sprintf("the size changed from %d x %d to %d x %d pixels",
		diff.Want.X, diff.Want.Y, diff.Got.X, diff.Got.Y)}
	for _, c := range r.Causes {
		words = append(words, "Cause: "+c.String())
	}
	r.Text = shorten(words, ". ", "More causes")
	return r
}

// report puts the votes of all pixels and of each cluster into words.
func (d *differences) report(total map[vote]int, tallies []map[vote]int, clusters []golden.Cluster) Report {
	causes, rank := d.ranked(total)
	r := Report{
		Causes:      causes,
		Effects:     d.effects(total, rank),
		Clusters:    make([]Cluster, len(clusters)),
		ShadingOnly: d.isShading(total),
	}
	r.Pixels = count(r.Effects)
	r.Text = r.text()
	for i, tally := range tallies {
		b, effects := clusters[i].Bounds, d.effects(tally, rank)
		r.Clusters[i] = Cluster{
			Bounds:  [4]int{b.Min.X, b.Min.Y, b.Max.X, b.Max.Y},
			Pixels:  count(effects),
			Effects: effects,
			Text:    r.sentence(effects),
		}
	}
	return r
}

// ranked returns the causes with their pixels counted, most pixels first, without the
// renderer if it did not change; and the new index of each old one.
func (d *differences) ranked(total map[vote]int) (causes []Cause, rank []int) {
	pixels := make([]int, len(d.causes))
	for v, n := range total {
		pixels[v.cause] += n
	}
	var order []int
	for i := range d.causes {
		if i != d.renderer || pixels[i] > 0 || d.causes[i].Alone > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(pixels[j], pixels[i]), cmp.Compare(d.causes[j].Alone, d.causes[i].Alone))
	})
	causes, rank = make([]Cause, len(order)), make([]int, len(d.causes))
	for k, i := range order {
		causes[k], rank[i] = d.causes[i], k
		causes[k].Pixels = pixels[i]
	}
	return causes, rank
}

// effects returns the votes as effects, in the order of their causes, most pixels first.
func (d *differences) effects(tally map[vote]int, rank []int) []Effect {
	all := make([]Effect, 0, len(tally))
	for v, n := range tally {
		all = append(all, Effect{v.kind, rank[v.cause], d.place(v.on), n})
	}
	slices.SortFunc(all, func(x, y Effect) int {
		return cmp.Or(cmp.Compare(x.Cause, y.Cause), cmp.Compare(y.Pixels, x.Pixels),
			cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.On, y.On))
	})
	return all
}

func (d *differences) place(on int) string {
	switch on {
	case noOn:
		return ""
	case none:
		return "the background"
	}
	return d.pairs[on].label
}

func count(effects []Effect) int {
	n := 0
	for _, e := range effects {
		n += e.Pixels
	}
	return n
}

// isShading reports whether no solid moved, wherever, and all pixels are put down to surfaces and
// light.
func (d *differences) isShading(total map[vote]int) bool {
	for v := range total {
		switch d.causes[v.cause].Subject {
		case SubjectSolid, SubjectPlacement, SubjectPart, SubjectLight, SubjectAmbient, SubjectShadows, SubjectBounces, SubjectBackground:
		default:
			return false
		}
	}
	return len(total) > 0 && !d.moves()
}

// text lists the effects, and then the causes that changed no pixel.
func (r *Report) text() string {
	text := r.sentence(r.Effects)
	if r.ShadingOnly {
		text = strings.Replace(text, " changed", " changed, shading only", 1)
	}
	var active, idle, open []string
	for _, c := range r.Causes {
		switch {
		case c.Pixels > 0 && c.Alone >= 0 && len(r.Causes) > 1:
			// It took all pixels because the view differs, whatever else did.
			text = strings.Replace(text, inNewView, fmt.Sprintf("%s (%d by itself)", inNewView, c.Alone), 1)
		case c.Pixels > 0:
		case c.Alone > 0:
			active = append(active, fmt.Sprintf("%v, %d by itself", c, c.Alone))
		case c.Alone == 0:
			idle = append(idle, c.String())
		default:
			open = append(open, c.String())
		}
	}
	for _, part := range []struct {
		begin  string
		causes []string
	}{{"Also", active}, {"Without effect", idle}, {"Not separable", open}} {
		if len(part.causes) > 0 {
			text += ". " + part.begin + ": " + shorten(part.causes, "; ", "more")
		}
	}
	return text
}

// sentence lists the given effects, cause by cause.
func (r *Report) sentence(effects []Effect) string {
	if len(effects) == 0 {
		return "no pixel changed"
	}
	parts := []string{text.Count(count(effects), "pixel") + " changed"}
	for len(effects) > 0 {
		cause := effects[0].Cause
		n := slices.IndexFunc(effects, func(e Effect) bool { return e.Cause != cause })
		if n < 0 {
			n = len(effects)
		}
		var own []string
		for _, e := range r.summed(effects[:n]) {
			own = append(own, r.effect(e))
		}
		parts = append(parts, "Cause: "+r.Causes[cause].String()+". "+shorten(own, ", ", "more effects"))
		effects = effects[n:]
	}
	return shorten(parts, ". ", "more causes")
}

// summed returns the effects of a cause, those that read alike as one: the silhouettes of several solids.
func (r *Report) summed(effects []Effect) []Effect {
	var all []Effect
	for _, e := range effects {
		same := func(f Effect) bool { return r.predicate(f) == r.predicate(e) }
		if i := slices.IndexFunc(all, same); i >= 0 {
			all[i].Pixels += e.Pixels
		} else {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b Effect) int { return cmp.Compare(b.Pixels, a.Pixels) })
	return all
}

// effect describes an effect, behind its cause: 80 of box "floor" uncovered.
func (r *Report) effect(e Effect) string {
	return fmt.Sprintf("%d %s", e.Pixels, r.predicate(e))
}

const inNewView = "in the new view"

func (r *Report) predicate(e Effect) string {
	switch e.Kind {
	case EffectSilhouette:
		return "on its silhouette"
	case EffectUncovered:
		return "of " + e.On + " uncovered"
	case EffectShadow:
		return "its shadow on " + e.On
	case EffectUnshadowed:
		return "its former shadow on " + e.On
	case EffectLighting:
		return "light on " + e.On
	case EffectMirrored:
		if s := r.Causes[e.Cause].Subject; s == SubjectSolid || s == SubjectPlacement || s == SubjectPart {
			return "its reflection in " + e.On
		}
		return "in the mirror of " + e.On
	case EffectBackground:
		return "of the background"
	case EffectView:
		return inNewView
	case EffectAntialias:
		return "smoothed differently"
	case EffectInFront:
		return "of " + e.On + " in front"
	}
	return "on " + e.On
}

// maxWords is how many items of a list the texts name.
const maxWords = 6

// shorten joins words and cuts a long list short: a, b and so on, and 12 more.
func shorten(words []string, separator, more string) string {
	if len(words) <= maxWords+1 {
		return strings.Join(words, separator)
	}
	return strings.Join(words[:maxWords], separator) + fmt.Sprintf("%s%d %s", separator, len(words)-maxWords, more)
}
