package regress

import (
	"cmp"
	"fmt"
	"image"
	"iter"
	"slices"
	"strconv"
	"strings"

	"pillbox/golden"
	"pillbox/internal/text"
)

// report assembles the report from the results of the trial.
func (t *trial) report() Report {
	r := Report{
		Edits:       []Edit{},
		Renderer:    Unexamined,
		Clusters:    make([]Cluster, len(t.Diff.Clusters)),
		ShadingOnly: t.Diff.Changed > 0 && t.Diff.Got == t.Diff.Want && sameSolids(t.accepted.Scene, t.present.Scene),
	}
	if t.older != nil {
		r.Renderer = t.older.len()
	}
	first := make([]int, len(t.units)) // the index of each unit's first edit
	for i, u := range t.units {
		first[i] = len(r.Edits)
		t.addEdits(&r, u)
	}
	for i, pixels := range t.changed() {
		r.Pixels += len(pixels)
		r.Several += t.countOnlyTogether(pixels)
		if i < len(r.Clusters) {
			r.Clusters[i] = t.cluster(&r, t.Diff.Clusters[i], pixels, first)
		}
	}
	for i := range r.Edits {
		if r.Edits[i].Effects == nil {
			r.Edits[i].Effects = []Effect{} // so that JSON has a list, not null
		}
	}
	r.Text = r.text()
	return r
}

// changed iterates over the pixels of each cluster of the difference, in their order, and then over the pixels of the clusters
// that it does not list. The pixels are valid until the next step.
func (t *trial) changed() iter.Seq2[int, []int32] {
	return func(yield func(int, []int32) bool) {
		if t.Diff.Changed == 0 {
			return
		}
		f := flood{want: t.want, got: t.got, size: t.Diff.Got, tolerance: t.Diff.Tolerance.MaxChannel, seen: slices.Clone(t.masked)}
		for i, c := range t.Diff.Clusters {
			if !yield(i, f.from(c.First)) {
				return
			}
		}
		if t.Diff.More == 0 {
			return
		}
		i := len(t.Diff.Clusters)
		for k := range t.Diff.Got.X * t.Diff.Got.Y {
			p := image.Pt(k%t.Diff.Got.X, k/t.Diff.Got.X)
			if f.seen.has(k) || !f.changed(p.X, p.Y) {
				continue
			}
			if !yield(i, f.from(p)) {
				return
			}
			i++
		}
	}
}

// addEdits adds the edits of a unit. Edits that removed something come last.
func (t *trial) addEdits(r *Report, u *unit) {
	slices.SortStableFunc(u.edits, func(i, j int) int {
		return cmp.Compare(t.edits[i].isGone(), t.edits[j].isGone())
	})
	group := 0
	if len(u.edits) > 1 {
		for i := range r.Edits {
			group = max(group, r.Edits[i].Group)
		}
		group++
	}
	for k, i := range u.edits {
		e := t.edits[i].Edit
		e.Alone, e.Together, e.Group = u.pixels.len(), u.together, group
		if k == 0 {
			e.Effects = u.effects
		}
		if !u.examined {
			e.Alone = Unexamined
			r.Unexamined++
		} else if u.size != t.Diff.Got {
			e.Size = &[2]int{u.size.X, u.size.Y}
		}
		r.Edits = append(r.Edits, e)
	}
}

func (e *edit) isGone() int {
	if e.Action == ActionRemoved {
		return 1
	}
	return 0
}

// countOnlyTogether counts those of the given pixels that change if all edits are undone, but not if any single unit,
// that is, an edit or a group, is undone.
func (t *trial) countOnlyTogether(pixels []int32) int {
	n := 0
	for _, p := range pixels {
		isAlone := func(u *unit) bool { return u.pixels.has(int(p)) }
		if t.undone.has(int(p)) && !slices.ContainsFunc(t.units, isAlone) {
			n++
		}
	}
	return n
}

// cluster returns the edits that change a cluster. pixels lists the cluster's pixels. first contains, for each unit,
// the index of its first edit in r.Edits.
func (t *trial) cluster(r *Report, c golden.Cluster, pixels []int32, first []int) Cluster {
	b := c.Bounds
	found := Cluster{Bounds: [4]int{b.Min.X, b.Min.Y, b.Max.X, b.Max.Y}, Pixels: len(pixels)}
	for i, u := range t.units {
		n := 0
		for _, p := range pixels {
			if u.pixels.has(int(p)) {
				n++
			}
		}
		if n > 0 {
			found.Shares = append(found.Shares, Share{first[i], n})
		}
	}
	slices.SortStableFunc(found.Shares, func(a, b Share) int { return cmp.Compare(b.Pixels, a.Pixels) })
	var words []string
	for _, s := range found.Shares {
		words = append(words, fmt.Sprintf("%d: %v", s.Pixels, r.Edits[s.Edit]))
	}
	if n := t.countOnlyTogether(pixels); n > 0 {
		words = append(words, fmt.Sprintf("%d need several edits together", n))
	}
	found.Text = shorten(words, 4)
	return found
}

// shorten joins words and shortens a long list: a; b; and 12 more.
func shorten(words []string, most int) string {
	if more := len(words) - most; more > 1 {
		words = append(words[:most:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, "; ")
}

// Limits of the report's text.
const (
	maxTextEdits   = 24
	maxTextEffects = 4
)

// text lists the edits, one per line. The edits of a group follow a line about the group.
func (r *Report) text() string {
	var lines []string
	shown := 0
	for shown < len(r.Edits) && shown < maxTextEdits && r.Edits[shown].Alone != Unexamined {
		members := r.Members(shown)
		lines = append(lines, describe(members)...)
		shown += len(members)
	}
	if more := len(r.Edits) - r.Unexamined - shown; more > 0 {
		lines = append(lines, "and "+text.Count(more, "more edit"))
	}
	if r.Several > 0 {
		what := "need several of these changes together"
		if r.Unexamined > 0 {
			what = "change with none of these alone"
		}
		lines = append(lines, fmt.Sprintf("%d %s", r.Several, what))
	}
	if r.Renderer > 0 {
		lines = append(lines, fmt.Sprintf("in %s the accepted scene no longer gives the accepted picture: the renderer changed, or the picture was replaced", text.Count(r.Renderer, "pixel")))
	}
	if r.Unexamined > 0 {
		lines = append(lines, text.Count(r.Unexamined, "more edit")+" not examined")
	}
	if len(lines) == 0 {
		return "the scene has not changed"
	}
	return strings.Join(lines, "\n")
}

// Members returns the edits of the group that starts at index first, or the single edit there.
func (r *Report) Members(first int) []Edit {
	end := first + 1
	for group := r.Edits[first].Group; group > 0 && end < len(r.Edits) && r.Edits[end].Group == group; {
		end++
	}
	return r.Edits[first:end]
}

// describe returns the lines about an edit or a group.
func describe(edits []Edit) []string {
	e := &edits[0]
	lines := []string{e.String() + ": " + e.effect("by itself")}
	if len(edits) > 1 {
		lines[0] = fmt.Sprintf("%d edits that need each other: %s", len(edits), e.effect("by themselves"))
		for i := range edits {
			lines = append(lines, "  "+edits[i].String())
		}
	}
	for i, f := range e.Effects {
		if i == maxTextEffects && len(e.Effects) > i+1 {
			return append(lines, fmt.Sprintf("  and %d more", len(e.Effects)-i))
		}
		lines = append(lines, "  "+f.String())
	}
	return lines
}

// effect describes what undoing an edit changes, such as "80 by itself". phrase follows the number of pixels that
// change.
func (e *Edit) effect(phrase string) string {
	switch {
	case e.Size != nil:
		return fmt.Sprintf("before, the picture has %d x %d pixels", e.Size[0], e.Size[1])
	case e.Alone == 0:
		return "without effect"
	case e.Together > 0:
		return fmt.Sprintf("%d %s, %d of them also changed by others", e.Alone, phrase, e.Together)
	}
	return fmt.Sprintf("%d %s", e.Alone, phrase)
}

// String returns the edit in one line: capsule[0].a[1] of "arm", -1 to -0.9.
func (e Edit) String() string {
	what := e.Path
	if e.Name != "" {
		what += " of " + strconv.Quote(e.Name)
	}
	if e.Was != "" || e.moved {
		what += ", " + from(e.moved, e.Was)
	}
	switch {
	case e.Action == ActionReordered:
		return what + " in another order"
	case e.Action == ActionRenamed, e.Action == ActionMoved:
		return what + ", " + from(e.Action == ActionMoved, e.Before)
	case e.Before == nil:
		return what + " added" + detail(e.After)
	case e.After == nil:
		return what + " removed" + detail(e.Before)
	}
	return fmt.Sprintf("%s, %s to %s", what, show(e.Before), show(e.After))
}

// theScene is the name of the scene's own file in texts.
const theScene = "the scene"

// from returns what something was called before: renamed from "c".
func from(moved bool, before any) string {
	switch {
	case moved && before == ownFile:
		return "moved from " + theScene
	case moved:
		return fmt.Sprintf("moved from %v", before)
	}
	return fmt.Sprintf("renamed from %v", show(before))
}

// detail returns the value that was added or removed as text, or "" for a table.
func detail(v any) string {
	switch v.(type) {
	case table, []table:
		return ""
	}
	return ", " + show(v)
}

// String returns the effect in words: 80 on box "floor".
func (f Effect) String() string {
	if f.On == f.Before {
		return fmt.Sprintf("%d on %s", f.Pixels, f.On) + f.soft()
	}
	return fmt.Sprintf("%d show %s instead of %s", f.Pixels, f.On, f.Before)
}

// soft describes the changes of soft light: ", where a penumbra changes".
func (f Effect) soft() string {
	if f.Penumbra == Unexamined {
		return ", changes of soft light not examined"
	}
	var words []string
	add := func(n int, what string) {
		switch {
		case n == f.Pixels:
			words = append(words, "where "+what)
		case n > 0:
			words = append(words, fmt.Sprintf("%d of them where %s", n, what))
		}
	}
	add(f.Penumbra, "a penumbra changes")
	add(f.Sky, "solids hide more or less of the sky")
	if len(words) == 0 {
		return ""
	}
	return ", " + strings.Join(words, ", ")
}

// maxValue is the largest number of characters of a value in the text.
const maxValue = 60

// show returns a value in TOML, shortened to maxValue characters.
func show(v any) string {
	s := literal(v)
	if r := []rune(s); len(r) > maxValue {
		s = string(r[:maxValue-3]) + "..."
	}
	return s
}

func literal(v any) string {
	var parts []string
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []any:
		for _, x := range v {
			parts = append(parts, literal(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case table:
		for _, key := range sortedKeys(v, nil) {
			parts = append(parts, key+" "+literal(v[key]))
		}
		return strings.Join(parts, ", ")
	case []table:
		return text.Count(len(v), "table")
	}
	return fmt.Sprint(v)
}
