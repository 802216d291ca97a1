package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillbox/internal/regress"
	"pillbox/internal/text"
)

// A SharedCause is a cause that several results have in common: an edit of a file that several scenes read, or a change of
// the renderer.
type SharedCause struct {
	Text    string   // the edit, as in [Edit], or what else changed
	At      Location // of the edit; zero if the cause is not an edit
	Changed []Change // the results, the most changed first; at least two

	id string // differs from those of other causes
}

// A Change is a result that a shared cause changes.
type Change struct {
	Result *Result
	Pixels int // number of pixels that change if only the cause is undone; -1 if this was not examined or the size changes
}

// String returns the name of the result and how it changed: "arm 1225 pixels".
func (c Change) String() string {
	if c.Pixels >= 0 {
		return c.Result.Name + " " + text.Count(c.Pixels, "pixel")
	}
	return fmt.Sprintf("%s %s", c.Result.Name, c.Result.Verdict)
}

// mostPictures is the number of results of a shared cause whose pictures reports show.
const mostPictures = 3

// Most returns the results of the cause that changed most, at most three.
func (c *SharedCause) Most() []Change { return c.Changed[:min(len(c.Changed), mostPictures)] }

// List returns a text that names at most the given number of results, with their pixels.
func (c *SharedCause) List(most int) string {
	var words []string
	for i, change := range c.Changed {
		if i == most && len(c.Changed) > most+1 {
			return strings.Join(words, ", ") + fmt.Sprintf(" and %d more", len(c.Changed)-i)
		}
		words = append(words, change.String())
	}
	return strings.Join(words, ", ")
}

// Title returns the cause with its place and the number of results.
func (c *SharedCause) Title(path PathFunc) string {
	title := fmt.Sprintf("%s: changes %s", c.Text, text.Count(len(c.Changed), "golden"))
	if c.At.File != "" {
		title = fmt.Sprintf("%s:%d: %s", path(c.At.File), c.At.Line, title)
	}
	return title
}

// A possibleCause is an edit, or a group of edits that need each other, that may have changed a picture.
type possibleCause struct {
	SharedCause
	pixels int
	own    bool // it is an edit of the scene's own file, so no other scene has it
}

// theRenderer is the id of the cause that is not an edit.
const theRenderer = "the renderer"

// possibleCauses returns what may have changed the picture. It returns nil if this is not known.
func (r *Result) possibleCauses() (list []possibleCause) {
	if r.Why == nil || !r.differs() {
		return nil
	}
	edits := r.Why.report.Edits
	for i := 0; i < len(edits); {
		members := r.Why.report.Members(i)
		i += len(members)
		e := &members[0]
		if e.Alone == 0 && e.Size == nil {
			continue
		}
		c := possibleCause{SharedCause{At: r.locationOf(e)}, e.Alone, e.File == ""}
		if e.Size != nil {
			c.pixels = regress.Unexamined
		}
		var texts []string
		for k := range members {
			m := &members[k]
			c.own = c.own || m.File == ""
			texts = append(texts, m.String())
			c.id += fmt.Sprintf("%s:%d %s %s %v %v\n", r.locationOf(m).File, m.Line, m.Path, m.Action, m.Before, m.After)
		}
		c.Text = strings.Join(texts, "; ")
		if len(texts) > 1 {
			c.Text = fmt.Sprintf("%d edits that need each other: %s", len(texts), c.Text)
		}
		list = append(list, c)
	}
	if n := r.Why.report.Renderer; n > 0 {
		what := "the accepted scenes no longer give the accepted pictures: the renderer changed, or the pictures were replaced"
		list = append(list, possibleCause{SharedCause{Text: what, id: theRenderer}, n, false})
	}
	return list
}

// MayShareCauses reports whether every known cause of the difference may also be the cause of other results. It returns
// false if no cause is known, or if there is more to report: damage, or that the scene was renamed.
func (r *Result) MayShareCauses() bool {
	list := r.possibleCauses()
	return len(list) > 0 && len(r.Damage) == 0 && r.former == nil && !slices.ContainsFunc(list, func(c possibleCause) bool { return c.own })
}

// SharedCauses are the causes that several results have in common, those of the most results first.
type SharedCauses []*SharedCause

// FindSharedCauses returns the shared causes of results that were studied.
func FindSharedCauses(results []*Result) SharedCauses {
	byID := make(map[string]*SharedCause)
	var all SharedCauses
	for _, r := range results {
		for _, c := range r.possibleCauses() {
			if c.own {
				continue
			}
			shared := byID[c.id]
			if shared == nil {
				shared = &c.SharedCause
				byID[c.id] = shared
				all = append(all, shared)
			}
			shared.Changed = append(shared.Changed, Change{r, c.pixels})
		}
	}
	all = slices.DeleteFunc(all, func(c *SharedCause) bool { return len(c.Changed) < 2 })
	for _, c := range all {
		slices.SortStableFunc(c.Changed, func(a, b Change) int { return cmp.Compare(b.size(), a.size()) })
	}
	slices.SortStableFunc(all, func(a, b *SharedCause) int { return cmp.Compare(len(b.Changed), len(a.Changed)) })
	return all
}

// size is how much a result changed.
func (c Change) size() int {
	if c.Pixels >= 0 {
		return c.Pixels
	}
	return c.Result.Diff.Changed
}

// Of returns the shared causes of a result, and whether they are all of its causes, so that a report about the shared
// causes is enough.
func (s SharedCauses) Of(r *Result) (list SharedCauses, all bool) {
	all = r.MayShareCauses()
	for _, c := range r.possibleCauses() {
		k := slices.IndexFunc(s, func(shared *SharedCause) bool { return shared.id == c.id })
		if k < 0 {
			all = false
			continue
		}
		list = append(list, s[k])
	}
	return list, all
}

// Rest returns the results that have other causes than the shared ones, or of which no cause is known.
func (s SharedCauses) Rest(results []*Result) (rest []*Result) {
	for _, r := range results {
		if _, all := s.Of(r); !all {
			rest = append(rest, r)
		}
	}
	return rest
}
