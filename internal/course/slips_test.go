package course

import "testing"

// TestMissingSquareComesFirst checks that the verdict on a program that subtracts the radius in place of its square names
// the missing square, and not a square root of the radius.
func TestMissingSquareComesFirst(t *testing.T) {
	s, _ := Find("sphere")
	e := answered(t, s, Options{Count: 300}, func(q question) any {
		p := program{style: 1, wrong: []doing{{step: "sphere: r²", number: func(x float64) float64 { return x }}}}
		return p.crossings(&q.(*asked[lineQuestion, crossings]).q)
	})
	const want = "sphere: the radius is not squared"
	if v := verdict(t, e); len(v.Mistakes) != 1 || v.Mistakes[0].Name != want {
		t.Errorf("got %+v, want %q", v.Mistakes, want)
	}
}
