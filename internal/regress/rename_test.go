package regress

import "testing"

// TestMatchRenamedAndChanged checks that a table with a new name and other values is paired with its former version, but
// not if two matches are equally good, or if most values differ.
func TestMatchRenamedAndChanged(t *testing.T) {
	sphere := func(name string, x, radius float64) table {
		return table{"name": name, "center": []any{x, 0.0, 0.0}, "radius": radius}
	}
	for name, test := range map[string]struct {
		a, b []table
		want []int
	}{
		"radius":       {[]table{sphere("c", 0, 0.5)}, []table{sphere("ball", 0, 0.6)}, []int{0}},
		"closest":      {[]table{sphere("c", 0, 1), sphere("d", 5, 1)}, []table{sphere("e", 5.5, 1), sphere("f", 0.5, 1)}, []int{1, 0}},
		"two as good":  {[]table{sphere("c", 0, 1)}, []table{sphere("d", 1, 1), sphere("e", -1, 1)}, []int{none}},
		"another ball": {[]table{sphere("c", 0, 1)}, []table{sphere("d", 1, 2)}, []int{none}},
		"two as equal": {[]table{sphere("c", 0, 1), sphere("d", 0, 1)}, []table{sphere("x", 0, 2), sphere("y", 0, 1)}, []int{none, none}},
		"one of equal": {[]table{sphere("c", 0, 1), sphere("d", 0, 1)}, []table{sphere("x", 0, 1)}, []int{none, none}},
		"only name":    {[]table{sphere("c", 0, 1), sphere("", 0, 1)}, []table{sphere("", 0, 1), sphere("x", 0, 1)}, []int{1, 0}},
		"same name":    {[]table{sphere("c", 0, 1)}, []table{sphere("d", 0, 2), sphere("c", 3, 1)}, []int{1}},
	} {
		if got := match(tableRecords(test.a), tableRecords(test.b)); len(got) != len(test.want) || got[0] != test.want[0] || got[len(got)-1] != test.want[len(got)-1] {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
