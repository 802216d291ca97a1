package explain

import (
	"cmp"
	"fmt"
	"slices"

	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/text"
)

// occlusion lists what hides the sky at the end of a path; verbose output lists all directions.
func (w *writer) occlusion(q *follow.Path, level int) {
	o := q.Occlusion
	if o == nil {
		return
	}
	w.section(level+1, SectionLights, "Ambient light: "+openText(o))
	items := w.hiders(o)
	if w.detail == Verbose {
		for k, a := range o.Samples {
			item := Item{Text: fmt.Sprintf("direction %d, %s: open", k, vectorText(a.Dir)), Verdict: Accepts}
			if a.Object != accel.None {
				item = Item{Text: fmt.Sprintf("direction %d, %s: %s at %s", k, vectorText(a.Dir), w.label(a.Object), short(a.T)), Verdict: Rejects}
			}
			items = append(items, item)
		}
	}
	w.list(items)
}

// openText states how many directions are open.
func openText(o *follow.Occlusion) string {
	return fmt.Sprintf("%d of %s open", o.Above.Open+o.Below.Open, text.Count(len(o.Samples), "direction"))
}

// hiders lists the solids that hide the sky, those first that hide the most directions.
func (w *writer) hiders(o *follow.Occlusion) []Item {
	type hider struct {
		object     int32
		directions int
		nearest    float64
	}
	var all []hider
	for _, a := range o.Samples {
		if a.Object == accel.None {
			continue
		}
		i := slices.IndexFunc(all, func(h hider) bool { return h.object == a.Object })
		if i < 0 {
			i = len(all)
			all = append(all, hider{object: a.Object, nearest: a.T})
		}
		all[i].directions++
		all[i].nearest = min(all[i].nearest, a.T)
	}
	slices.SortFunc(all, func(a, b hider) int {
		return cmp.Or(cmp.Compare(b.directions, a.directions), cmp.Compare(a.object, b.object))
	})
	var items []Item
	for _, h := range all {
		items = append(items, Item{
			Text:    fmt.Sprintf("%s hides %d, the nearest at %s", w.label(h.object), h.directions, short(h.nearest)),
			Verdict: Rejects,
		})
	}
	return items
}
