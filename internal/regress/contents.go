package regress

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// contents counts the values of something by their text, such as "sphere.radius 0.5". Two tables or files are similar if
// they have many values in common.
type contents map[string]int

func contentsOf(v any) contents {
	c := make(contents)
	switch v := v.(type) {
	case *sheet:
		for _, r := range v.rows {
			c[strings.Join(r.fields, "\x00")]++
		}
	case table:
		c.addValue("", v)
	}
	return c
}

// addValue adds the values of a table or of an array of tables. Their paths contain neither indices nor the names of parts and
// materials.
func (c contents) addValue(path string, v any) {
	if t, ok := v.(table); ok {
		for key, x := range t {
			if path == ".part" || path == ".material" {
				key = "*"
			}
			c.addValue(path+"."+key, x)
		}
		return
	}
	list, ok := tables(v)
	if !ok || len(list) == 0 {
		c[path+" "+literal(v)]++
		return
	}
	for _, t := range list {
		c.addValue(path, t)
	}
}

// with returns the sum of two contents.
func (c contents) with(d contents) contents {
	sum := maps.Clone(c)
	for key, n := range d {
		sum[key] += n
	}
	return sum
}

func (c contents) len() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// common returns the number of values that both have.
func (c contents) common(d contents) (n int) {
	for key, k := range c {
		n += min(k, d[key])
	}
	return n
}

// score returns how similar both are. differing is the number of values that one of them, the larger, does not have in
// common with the other.
func (c contents) score(d contents) score {
	common := c.common(d)
	return score{common: common, differing: max(c.len(), d.len()) - common}
}

// uses returns, for each part or material, as kind says, the contents of the tables and rows that refer to it.
func uses(docs documents, kind string) map[string]contents {
	all := make(map[string]contents)
	add := func(name any, rest string) {
		s, ok := name.(string)
		if !ok || s == "" {
			return
		}
		if all[s] == nil {
			all[s] = make(contents)
		}
		all[s]["used by "+rest]++
	}
	for _, doc := range docs {
		walk(doc, func(t table) {
			if name, ok := t[kind]; ok {
				rest := maps.Clone(t)
				delete(rest, kind)
				add(name, literal(rest))
			}
		})
		s, ok := doc.(*sheet)
		if !ok {
			continue
		}
		for _, r := range s.rows {
			for i, column := range s.header {
				if column == kind {
					add(r.fields[i], fmt.Sprint(r.fields[:i], r.fields[i+1:]))
				}
			}
		}
	}
	return all
}

// walk calls f for each table in a value, the value itself included.
func walk(v any, f func(table)) {
	if t, ok := v.(table); ok {
		f(t)
		for _, x := range t {
			walk(x, f)
		}
		return
	}
	list, _ := tables(v)
	for _, t := range list {
		walk(t, f)
	}
}

// A candidateName is something that only one version has.
type candidateName struct {
	place
	contents
	base string // what its name has in common with that of its other version if only the folder has changed; or ""
}

// pairNames pairs what only the accepted version has with what only the present version has. Two of them are a pair if at
// least half of their values are equal and each is closer to the other than to any third one; of equally close ones, the
// base decides. If there is only one in each version, one equal value suffices. At last, it pairs those that have the same
// base.
func pairNames(gone, come []candidateName) (pairs [][2]place) {
	m := nameMatcher{gone, come, make(map[[2]int]score)}
	only := len(gone) == 1 && len(come) == 1
	m.compare(func(s score) bool { return s.common > 0 && (only || s.common >= s.differing) })
	m.run(func(i, j int) { pairs = append(pairs, [2]place{gone[i].place, come[j].place}) })
	for i := range gone {
		for j := range come {
			if gone[i].base != "" && gone[i].base == come[j].base && m.isLast(i, j) {
				pairs = append(pairs, [2]place{gone[i].place, come[j].place})
			}
		}
	}
	return pairs
}

// A score is how similar two things are.
type score struct {
	common, differing int
	sameBase          bool
}

// better reports whether s is the score of more similar things than t.
func (s score) better(t score) bool {
	if s.differing != t.differing {
		return s.differing < t.differing
	}
	if s.common != t.common {
		return s.common > t.common
	}
	return s.sameBase && !t.sameBase
}

type nameMatcher struct {
	gone, come []candidateName
	scores     map[[2]int]score // of the pairs that are possible
}

// maxCompared is the largest number of values that are compared to find pairs.
const maxCompared = 1 << 24

// compare finds the possible pairs. It finds none if there are more than [maxCandidates] of them, or if they have more than
// [maxCompared] values to compare.
func (m *nameMatcher) compare(isPossible func(score) bool) {
	values := 0
	for i := range m.gone {
		values += len(m.gone[i].contents)
	}
	if len(m.gone)*len(m.come) > maxCandidates || values*len(m.come) > maxCompared {
		return
	}
	for i := range m.gone {
		for j := range m.come {
			a, b := &m.gone[i], &m.come[j]
			s := a.score(b.contents)
			s.sameBase = a.base != "" && a.base == b.base
			if isPossible(s) {
				m.scores[[2]int{i, j}] = s
			}
		}
	}
}

// run calls f for each pair, the pairs that are better than all others of their members first.
func (m *nameMatcher) run(f func(i, j int)) {
	for {
		i, j, ok := m.next()
		if !ok {
			return
		}
		f(i, j)
		m.remove(i, j)
	}
}

// next returns a pair that is better than all others of its two members.
func (m *nameMatcher) next() (i, j int, ok bool) {
	ofGone, ofCome := make(map[int]best), make(map[int]best)
	for pair, s := range m.scores {
		improve(ofGone, pair[0], best{pair[1], s})
		improve(ofCome, pair[1], best{pair[0], s})
	}
	for i := range m.gone {
		if b, ok := ofGone[i]; ok && b.partner != none && ofCome[b.partner].partner == i {
			return i, b.partner, true
		}
	}
	return 0, 0, false
}

// best is the partner with the best score; none if several are as good.
type best struct {
	partner int
	score   score
}

func improve(all map[int]best, k int, b best) {
	switch old, ok := all[k]; {
	case !ok || b.score.better(old.score):
		all[k] = b
	case !old.score.better(b.score):
		all[k] = best{none, b.score}
	}
}

// remove removes the pairs of two members, which are paired with each other.
func (m *nameMatcher) remove(i, j int) {
	maps.DeleteFunc(m.scores, func(pair [2]int, _ score) bool { return pair[0] == i || pair[1] == j })
	m.gone[i].base, m.come[j].base = "", ""
}

// isLast reports whether no other member has the base of two members.
func (m *nameMatcher) isLast(i, j int) bool {
	count := func(list []candidateName) (n int) {
		for k := range list {
			if list[k].base == m.gone[i].base {
				n++
			}
		}
		return n
	}
	return count(m.gone) == 1 && count(m.come) == 1
}

// A Named is the text of a scene with its name.
type Named struct {
	Name string
	Text []byte
}

// Pair returns the scenes that were renamed: pairs of indices of scenes of an earlier and of a later version, sorted by the
// latter. Two scenes are a pair if at least half of their values are equal and each is closer to the other than to any third
// one; of equally close ones, those with equal names are. A text that cannot be parsed has no values.
func Pair(gone, come []Named) (pairs [][2]int) {
	m := nameMatcher{candidates(gone), candidates(come), make(map[[2]int]score)}
	m.compare(func(s score) bool { return s.common > 0 && s.common >= s.differing })
	m.run(func(i, j int) { pairs = append(pairs, [2]int{i, j}) })
	slices.SortFunc(pairs, func(p, q [2]int) int { return cmp.Compare(p[1], q[1]) })
	return pairs
}

func candidates(list []Named) (all []candidateName) {
	for _, n := range list {
		v := Version{Text: n.Text}
		all = append(all, candidateName{contents: contentsOf(v.documents()[ownFile]), base: n.Name})
	}
	return all
}
