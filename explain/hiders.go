package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/internal/text"
)

// visibilitySample is a direction in which the renderer tested whether solids hide something: a point of a
// light with a size, or the sky.
type visibilitySample struct {
	dir    geom.Vec3
	weight float64
	object int32 // the solid that hides the point or the sky, or accel.None
	t      float64
}

// lightPoints returns the points of a light with a size that were tested.
func lightPoints(a *follow.LightSample) []visibilitySample {
	var all []visibilitySample
	for _, p := range a.Points {
		all = append(all, visibilitySample{p.Dir, p.Weight, p.Object, p.T})
	}
	return all
}

// skyDirections returns the directions of ambient occlusion. Their weights are equal and add up to 1.
func skyDirections(o *follow.Occlusion) []visibilitySample {
	var all []visibilitySample
	for _, p := range o.Samples {
		all = append(all, visibilitySample{p.Dir, 1 / float64(len(o.Samples)), p.Object, p.T})
	}
	return all
}

// visible counts the samples that no solid hides.
func visible(samples []visibilitySample) int {
	n := 0
	for _, s := range samples {
		if s.object == accel.None {
			n++
		}
	}
	return n
}

// hider is a solid that hides samples.
type hider struct {
	object  int32
	count   int
	weight  float64
	nearest float64
}

// hiders returns the solids that hide samples, sorted by the number of samples that they hide, largest first.
func hiders(samples []visibilitySample) []hider {
	var all []hider
	for _, s := range samples {
		if s.object == accel.None {
			continue
		}
		i := slices.IndexFunc(all, func(h hider) bool { return h.object == s.object })
		if i < 0 {
			i = len(all)
			all = append(all, hider{object: s.object, nearest: s.t})
		}
		all[i].count++
		all[i].weight += s.weight
		all[i].nearest = min(all[i].nearest, s.t)
	}
	slices.SortFunc(all, func(a, b hider) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.object, b.object))
	})
	return all
}

// mostHidden is the largest number of hidden samples that an explanation lists unless it is verbose.
const mostHidden = 16

// hidden lists the solids that hide samples. If at most mostHidden samples are hidden, it also lists these. If the
// explanation is verbose, it lists all samples. The parameter what is the word for a sample: "point" or
// "direction".
func (w *writer) hidden(samples []visibilitySample, what string) {
	var items []Item
	for _, h := range hiders(samples) {
		items = append(items, Item{
			Text:    fmt.Sprintf("%s hides %d, weight %s, the nearest at %s", w.label(h.object), h.count, formula.Short(h.weight), formula.Short(h.nearest)),
			Verdict: Rejects,
		})
	}
	if n := len(samples) - visible(samples); w.detail == Verbose || n <= mostHidden {
		for k, s := range samples {
			item := Item{Text: fmt.Sprintf("%s %d, L = %s, weight %s: ", what, k, vectorText(s.dir), formula.Short(s.weight))}
			switch {
			case s.object != accel.None:
				item.Text += fmt.Sprintf("hidden by %s at %s", w.label(s.object), formula.Short(s.t))
				item.Verdict = Rejects
			case w.detail == Verbose:
				item.Text += "visible"
				item.Verdict = Accepts
			default:
				continue
			}
			items = append(items, item)
		}
	}
	w.list(items)
}

// hidersText names the solids that hide points of a light, with the number of these points: capsule "arm" hides 4, box
// "tray" 1.
func (t *Tracer) hidersText(a *follow.LightSample) string { return t.hiddenPoints(a, "") }

// hiddenPoints is hidersText with a text after the first number: capsule "arm" hides 4 of 16 points, box "tray" 1.
func (t *Tracer) hiddenPoints(a *follow.LightSample, after string) string {
	var parts []string
	all, rest := hiders(lightPoints(a)), 0
	for i, h := range all {
		switch {
		case i == 0:
			parts = append(parts, fmt.Sprintf("%s hides %d%s", t.label(h.object), h.count, after))
		case i < mostNamed || len(all) == mostNamed+1:
			parts = append(parts, fmt.Sprintf("%s %d", t.label(h.object), h.count))
		default:
			rest += h.count
		}
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("%d other solids %d", len(all)-mostNamed, rest))
	}
	return strings.Join(parts, ", ")
}

// visibleText states how many points of a light are visible: "11 of 16 points".
func visibleText(a *follow.LightSample) string {
	points := lightPoints(a)
	return fmt.Sprintf("%d of %s", visible(points), text.Count(len(points), "point"))
}
