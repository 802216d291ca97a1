package regress

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"pillbox/internal/tomltext"
)

// none is an index that means that there is no partner or no edit.
const none = -1

// A record is a table of an array, or a row of a file, that must be matched with its other version.
type record struct {
	name  string       // or ""
	rest  string       // encoding of everything but the name; equal for records with equal contents
	table func() table // parses the contents
}

// match pairs the records of two versions. It first pairs records with the same name, then those that are equal except
// for the name, then similar ones, the most similar first, and last those that were renamed and changed. It returns, for
// each record of a, the index of its partner in b, or the constant none.
func match(a, b []record) []int {
	m := matcher{a: a, b: b, ab: slices.Repeat([]int{none}, len(a)), ba: slices.Repeat([]int{none}, len(b))}
	m.byName()
	m.byContents()
	m.alike(rest(m.ab), rest(m.ba))
	m.renamed(rest(m.ab), rest(m.ba))
	return m.ab
}

// same reports whether two records have the same name and contents.
func (r *record) same(other *record) bool { return r.name == other.name && r.rest == other.rest }

type matcher struct {
	a, b   []record
	ab, ba []int // index of the partner of each record, or none
}

func (m *matcher) join(i, j int) { m.ab[i], m.ba[j] = j, i }

// byName pairs records with the same name, in order.
func (m *matcher) byName() {
	of := func(r *record) (string, bool) { return r.name, r.name != "" }
	as, bs := group(m.a, m.ab, of), group(m.b, m.ba, of)
	for name := range as {
		m.inOrder(as[name], bs[name])
	}
}

// byContents pairs records with equal contents: those without names in order, because they are interchangeable, and then
// two records if no other ones are left with the same contents. Otherwise, another match would be as good.
func (m *matcher) byContents() {
	unnamed := func(r *record) (string, bool) { return r.rest, r.name == "" }
	as, bs := group(m.a, m.ab, unnamed), group(m.b, m.ba, unnamed)
	for rest := range as {
		m.inOrder(as[rest], bs[rest])
	}
	any := func(r *record) (string, bool) { return r.rest, true }
	as, bs = group(m.a, m.ab, any), group(m.b, m.ba, any)
	for rest := range as {
		if len(as[rest]) == 1 && len(bs[rest]) == 1 {
			m.join(as[rest][0], bs[rest][0])
		}
	}
}

// group returns the indices of the records without a partner by their key. The second result of key states whether the
// record belongs to any group.
func group(records []record, partner []int, key func(*record) (string, bool)) map[string][]int {
	groups := make(map[string][]int)
	for i := range records {
		if k, ok := key(&records[i]); ok && partner[i] == none {
			groups[k] = append(groups[k], i)
		}
	}
	return groups
}

// inOrder pairs records in order, until one list ends.
func (m *matcher) inOrder(as, bs []int) {
	for k := range min(len(as), len(bs)) {
		m.join(as[k], bs[k])
	}
}

// rest returns the indices i for which partner[i] is none.
func rest(partner []int) []int {
	var left []int
	for i, p := range partner {
		if p == none {
			left = append(left, i)
		}
	}
	return left
}

// maxCandidates is the largest number of pairs that are compared for similarity. With more, such as when hundreds of
// unnamed tables have changed at once, records are paired in order.
const maxCandidates = 1 << 16

// alike pairs records that may be versions of each other. It begins with the pairs that have the fewest different keys;
// of these, the closest come first. Records that can be paired in several equally good ways remain without partners. If
// there are more than [maxCandidates] possible pairs, it pairs the records in order.
func (m *matcher) alike(as, bs []int) {
	if len(as)*len(bs) > maxCandidates {
		m.inOrder(as, bs)
		return
	}
	all := m.candidates(as, bs)
	unclear := make(map[*record]bool)
	for len(all) > 0 {
		end := 1
		for end < len(all) && all[end].compare(all[0]) == 0 {
			end++
		}
		equal := slices.DeleteFunc(all[:end:end], func(c candidate) bool {
			return m.ab[c.i] != none || m.ba[c.j] != none || unclear[&m.a[c.i]] || unclear[&m.b[c.j]]
		})
		for len(equal) > 0 {
			var linked []candidate
			linked, equal = connected(equal)
			if !m.joinForced(linked) && !m.joinInterchangeable(linked) {
				for _, c := range linked {
					unclear[&m.a[c.i]], unclear[&m.b[c.j]] = true, true
				}
			}
		}
		all = all[end:]
	}
}

// A candidate is a pair of records that may be versions of each other.
type candidate struct {
	i, j, different int
	distance        float64
}

// compare orders candidates, the best first.
func (c candidate) compare(d candidate) int {
	return cmp.Or(cmp.Compare(c.different, d.different), cmp.Compare(c.distance, d.distance))
}

// candidates returns the pairs of the given records that may be versions of each other, the best first.
func (m *matcher) candidates(as, bs []int) (all []candidate) {
	for _, i := range as {
		for _, j := range bs {
			a, b := &m.a[i], &m.b[j]
			if a.name != "" && b.name != "" {
				continue // both have names, and the names differ
			}
			ta, tb := a.table(), b.table()
			different, distance := differentKeys(ta, tb), apart(ta, tb)
			if mayBeVersions(ta, tb, different, distance) {
				all = append(all, candidate{i, j, len(different), distance})
			}
		}
	}
	slices.SortStableFunc(all, candidate.compare)
	return all
}

// connected returns the first candidate with all that are linked to it by common records, and the rest.
func connected(all []candidate) (linked, rest []candidate) {
	linked, rest = all[:1:1], all[1:]
	for k := 0; k < len(linked); k++ {
		var others []candidate
		for _, c := range rest {
			if c.i == linked[k].i || c.j == linked[k].j {
				linked = append(linked, c)
			} else {
				others = append(others, c)
			}
		}
		rest = others
	}
	return linked, rest
}

// joinForced joins the records of connected candidates if there is only one way to give each of them a partner. It finds
// that way by joining, again and again, a record with its only candidate.
func (m *matcher) joinForced(linked []candidate) bool {
	as, bs := degrees(linked)
	var joined []candidate
	for len(linked) > 0 {
		ofA, ofB := degrees(linked)
		k := slices.IndexFunc(linked, func(c candidate) bool { return ofA[c.i] == 1 || ofB[c.j] == 1 })
		if k < 0 {
			return false
		}
		pair := linked[k]
		joined = append(joined, pair)
		linked = slices.DeleteFunc(slices.Clone(linked), func(c candidate) bool { return c.i == pair.i || c.j == pair.j })
	}
	if len(joined) < len(as) || len(joined) < len(bs) {
		return false // a record is left
	}
	for _, c := range joined {
		m.join(c.i, c.j)
	}
	return true
}

// degrees returns how many candidates each record has.
func degrees(all []candidate) (ofA, ofB map[int]int) {
	ofA, ofB = make(map[int]int), make(map[int]int)
	for _, c := range all {
		ofA[c.i]++
		ofB[c.j]++
	}
	return ofA, ofB
}

// joinInterchangeable joins connected candidates in order if all records of the version with more of them are equal: then
// the other pairs would mean the same.
func (m *matcher) joinInterchangeable(linked []candidate) bool {
	as, bs := degrees(linked)
	equalA, equalB := true, true
	for _, c := range linked {
		equalA = equalA && m.a[c.i].same(&m.a[linked[0].i])
		equalB = equalB && m.b[c.j].same(&m.b[linked[0].j])
	}
	if !(equalA && len(as) >= len(bs)) && !(equalB && len(bs) >= len(as)) {
		return false
	}
	for _, c := range linked {
		if m.ab[c.i] == none && m.ba[c.j] == none {
			m.join(c.i, c.j)
		}
	}
	return true
}

// renamed pairs records with different names that may be versions of each other and have at least as many equal as
// different values. If there is only one in each version, one equal value suffices. Of two records, each must be closer to the other than to any third one: otherwise, another match would
// be as good.
func (m *matcher) renamed(as, bs []int) {
	if len(as)*len(bs) > maxCandidates {
		return
	}
	type closest struct {
		partner, different int
		distance           float64
	}
	bestA, bestB := make(map[int]closest), make(map[int]closest)
	improve := func(all map[int]closest, k int, c closest) {
		old, ok := all[k]
		switch order := cmp.Or(cmp.Compare(c.different, old.different), cmp.Compare(c.distance, old.distance)); {
		case !ok || order < 0:
			all[k] = c
		case order == 0:
			old.partner = none
			all[k] = old
		}
	}
	for _, i := range as {
		for _, j := range bs {
			ta, tb := withoutName(m.a[i].table()), withoutName(m.b[j].table())
			different, distance := differentKeys(ta, tb), apart(ta, tb)
			if m.a[i].name != "" && m.b[j].name != "" && mayBeVersions(ta, tb, different, distance) {
				improve(bestA, i, closest{j, len(different), distance})
				improve(bestB, j, closest{i, len(different), distance})
			}
		}
	}
	only := len(as) == 1 && len(bs) == 1
	for i, c := range bestA {
		if c.partner == none || bestB[c.partner].partner != i {
			continue
		}
		values := len(sortedKeys(withoutName(m.a[i].table()), withoutName(m.b[c.partner].table())))
		if values >= 2*c.different || only && values > c.different {
			m.join(i, c.partner)
		}
	}
}

// withoutName returns a table without its name.
func withoutName(t table) table {
	t = maps.Clone(t)
	delete(t, "name")
	return t
}

// mayBeVersions reports whether two tables may be versions of each other. Placements must have the same part, tracks
// the same target unless nothing else differs, bulk tables the same file, and lights must be of the same kind. If two solids or rows are farther
// apart than their sizes, they may differ only in their place, surface and name.
func mayBeVersions(a, b table, different []string, distance float64) bool {
	for _, key := range []string{"part", "target", "file"} {
		if !equal(a[key], b[key]) && !(key == "target" && len(different) == 1) {
			return false
		}
	}
	if isParallel(a) != isParallel(b) {
		return false // lights of two kinds
	}
	if !isSolid(a) || distance <= reach(a)+reach(b) {
		return true
	}
	return !slices.ContainsFunc(different, func(key string) bool {
		return !slices.Contains(placeKeys(), key) && !slices.Contains(coordinateKeys(), key) && !slices.Contains(surfaceKeys(), key)
	})
}

// isParallel reports whether a table describes a light with a direction but no position.
func isParallel(t table) bool { return t["direction"] != nil && t["position"] == nil }

func placeKeys() []string { return []string{"center", "a", "b", "position", "direction"} }

// coordinateKeys returns the names of the columns that hold a solid's place.
func coordinateKeys() []string { return []string{"x", "y", "z", "ax", "ay", "az", "bx", "by", "bz"} }

func surfaceKeys() []string {
	return []string{"name", "color", "material", "mirror", "checker", "r", "g", "b"}
}

// isSolid reports whether a table describes a solid, or is a row.
func isSolid(t table) bool {
	for _, key := range []string{"radius", "half_extents", "x", "ax"} {
		if _, ok := t[key]; ok {
			return true
		}
	}
	return false
}

// differentKeys returns the keys whose values differ, including keys that only one of the tables has.
func differentKeys(a, b table) (keys []string) {
	for k, v := range a {
		if w, ok := b[k]; !ok || !equal(v, w) {
			keys = append(keys, k)
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	return keys
}

// apart returns the distance between two tables: the sum of the absolute differences of their coordinates.
func apart(a, b table) float64 {
	sum := 0.0
	for _, key := range placeKeys() {
		v, w := numbers(a[key]), numbers(b[key])
		for i := range max(len(v), len(w)) {
			sum += math.Abs(elementOrZero(v, i) - elementOrZero(w, i))
		}
	}
	for _, key := range coordinateKeys() {
		v, _ := tomltext.NumberOf(a[key])
		w, _ := tomltext.NumberOf(b[key])
		sum += math.Abs(v - w)
	}
	return sum
}

// elementOrZero returns element i of a list. If this element does not exist, it returns 0, the default of coordinates.
func elementOrZero(list []float64, i int) float64 {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// reach returns an estimate of how far the surface of a solid is from its center or axis.
func reach(t table) float64 {
	r, _ := tomltext.NumberOf(t["radius"])
	return slices.Max(append(numbers(t["half_extents"]), r))
}

// numbers returns the numbers of an array.
func numbers(v any) []float64 {
	list, _ := v.([]any)
	var all []float64
	for _, x := range list {
		if n, ok := tomltext.NumberOf(x); ok {
			all = append(all, n)
		}
	}
	return all
}
