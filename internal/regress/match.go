package regress

import (
	"cmp"
	"math"
	"slices"
)

// none represents no partner.
const none = -1

// A record is a table of an array or a row of a file, to be matched.
type record struct {
	name  string       // or ""
	rest  string       // all but the name: equal for records that hold the same
	table func() table // what it holds
}

// match pairs records of the same name; then, of those left, those that are equal except for the name; then
// those that are alike, the most alike first. It returns the partner in b of each record in a, or none.
func match(a, b []record) []int {
	m := matcher{a: a, b: b, ab: slices.Repeat([]int{none}, len(a)), ba: slices.Repeat([]int{none}, len(b))}
	m.byKey(func(r *record) string { return r.name })
	m.byKey(func(r *record) string { return r.rest })
	m.alike(rest(m.ab), rest(m.ba))
	return m.ab
}

// same reports whether two records hold the same.
func (r *record) same(other *record) bool { return r.name == other.name && r.rest == other.rest }

type matcher struct {
	a, b   []record
	ab, ba []int // the partner of each, or none
}

func (m *matcher) join(i, j int) { m.ab[i], m.ba[j] = j, i }

// byKey pairs the records left that have the same key, in their order; "" is none.
func (m *matcher) byKey(key func(*record) string) {
	free := make(map[string][]int)
	for j := range m.b {
		if k := key(&m.b[j]); k != "" && m.ba[j] == none {
			free[k] = append(free[k], j)
		}
	}
	for i := range m.a {
		if k := key(&m.a[i]); k != "" && m.ab[i] == none && len(free[k]) > 0 {
			m.join(i, free[k][0])
			free[k] = free[k][1:]
		}
	}
}

// rest returns the indices without a partner.
func rest(partner []int) []int {
	var left []int
	for i, p := range partner {
		if p == none {
			left = append(left, i)
		}
	}
	return left
}

// maxCandidates is the largest number of pairs that are weighed against each other. Beyond it, when
// hundreds of unnamed tables have changed at once, they are paired in their order.
const maxCandidates = 1 << 16

// alike pairs those of the given records that may be versions of one: fewest different keys first, then
// the nearest, then in their order.
func (m *matcher) alike(as, bs []int) {
	if len(as)*len(bs) > maxCandidates {
		for k := range min(len(as), len(bs)) {
			m.join(as[k], bs[k])
		}
		return
	}
	type candidate struct {
		i, j, different int
		distance        float64
	}
	var all []candidate
	for _, i := range as {
		for _, j := range bs {
			a, b := &m.a[i], &m.b[j]
			if a.name != "" && b.name != "" {
				continue // two different names
			}
			ta, tb := a.table(), b.table()
			different, distance := differentKeys(ta, tb), apart(ta, tb)
			if canPass(ta, tb, different, distance) {
				all = append(all, candidate{i, j, len(different), distance})
			}
		}
	}
	slices.SortFunc(all, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.different, y.different), cmp.Compare(x.distance, y.distance),
			cmp.Compare(x.i, y.i), cmp.Compare(x.j, y.j))
	})
	for _, c := range all {
		if m.ab[c.i] == none && m.ba[c.j] == none {
			m.join(c.i, c.j)
		}
	}
}

// canPass reports whether two tables may be versions of one. Placements are of one part and tracks have
// one target. Solids and rows that lie apart differ in their place, surface and name only.
func canPass(a, b table, different []string, distance float64) bool {
	for _, key := range []string{"part", "target", "file"} {
		if !equal(a[key], b[key]) {
			return false
		}
	}
	if (a["direction"] == nil) != (b["direction"] == nil) {
		return false // lights of two kinds
	}
	if !isSolid(a) || distance <= reach(a)+reach(b) {
		return true
	}
	return !slices.ContainsFunc(different, func(key string) bool {
		return !slices.Contains(placeKeys(), key) && !slices.Contains(coordinateKeys(), key) && !slices.Contains(surfaceKeys(), key)
	})
}

func placeKeys() []string { return []string{"center", "a", "b", "position", "direction"} }

// coordinateKeys returns the columns of rows that say where a solid is.
func coordinateKeys() []string { return []string{"x", "y", "z", "ax", "ay", "az", "bx", "by", "bz"} }

func surfaceKeys() []string {
	return []string{"name", "color", "material", "mirror", "checker", "r", "g", "b"}
}

// isSolid reports whether a table is that of a solid, or a row.
func isSolid(t table) bool {
	for _, key := range []string{"radius", "half_extents", "x", "ax"} {
		if _, ok := t[key]; ok {
			return true
		}
	}
	return false
}

// differentKeys returns the keys with different values, those that only one of the tables has included.
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

// apart returns how far two tables are apart: the sum of the distances between their places.
func apart(a, b table) float64 {
	sum := 0.0
	for _, key := range placeKeys() {
		v, w := numbers(a[key]), numbers(b[key])
		for i := range max(len(v), len(w)) {
			sum += math.Abs(at(v, i) - at(w, i))
		}
	}
	for _, key := range coordinateKeys() {
		v, _ := number(a[key])
		w, _ := number(b[key])
		sum += math.Abs(v - w)
	}
	return sum
}

// at returns a number, 0 if it is not there, as the default is.
func at(list []float64, i int) float64 {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// reach returns how far a solid may reach from its place.
func reach(t table) float64 {
	r, _ := number(t["radius"])
	return slices.Max(append(numbers(t["half_extents"]), r))
}

// numbers returns the numbers of an array.
func numbers(v any) []float64 {
	list, _ := v.([]any)
	var all []float64
	for _, x := range list {
		if n, ok := number(x); ok {
			all = append(all, n)
		}
	}
	return all
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
