package cast

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/geom"
)

// sectioned is a scene whose ball is cut by two sections, whose block is cut by one, and whose third solid is removed.
const sectioned = `
[[section]]
point = [0, 0, 0.5]
normal = [0, 0, 1]
[[section]]
name = "side"
point = [0.25, 0, 0]
normal = [1, 0, 0]
on = "ball"
[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 1
[[sphere]]
name = "gone"
center = [0, 0, 3]
radius = 1
[[box]]
center = [0, -2, 0]
half_extents = [3, 0.5, 3]
`

func TestServeBoundsOfCutSolids(t *testing.T) {
	got, err := answers(t, prepared(t, sectioned), request(Bounds, 0, 0))
	if err != nil || len(got) != 1 || len(got[0]) != 3*6*8 {
		t.Fatalf("%v, %v", got, err)
	}
	nan := math.NaN()
	for i, want := range []float64{-1, -1, -1, 0.25, 1, 0.5, nan, nan, nan, nan, nan, nan, -3, -2.5, -3, 3, -1.5, 0.5} {
		if x := math.Float64frombits(binary.LittleEndian.Uint64(got[0][8*i:])); x != want && !(math.IsNaN(x) && math.IsNaN(want)) {
			t.Errorf("number %d is %v, want %v", i, x, want)
		}
	}
}

func TestFaceField(t *testing.T) {
	p := prepared(t, sectioned)
	const rays = "0,0,9,0,0,-1\n9,0,0,-1,0,0\n0,9,0,0,-1,0\n0,0,-9,0,0,1\n5,5,5,0,0,1\n"
	for _, x := range []struct {
		format Format
		query  Query
		want   []string
	}{
		{CSV, First, []string{"face", "section 0", "side", "", "", ""}},
		{CSV, Line, []string{"face", "section 0", "", "side", "", "", "", "", "", "", "section 0", ""}},
	} {
		in := "ox,oy,oz,dx,dy,dz\n" + rays
		var out bytes.Buffer
		if _, err := Stream(t.Context(), p, strings.NewReader(in), &out, Options{Query: x.query, Format: x.format}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), ",")
			got = append(got, fields[len(fields)-1])
		}
		if strings.Join(got, ";") != strings.Join(x.want, ";") {
			t.Errorf("query %d: %q, want %q in\n%s", x.query, got, x.want, out.String())
		}
	}
}

// TestFacesOfCutSolids checks every crossing of random lines: on a cut face, the point lies in the plane of the section
// and the normal is that of the section; elsewhere, the point lies on the kept side of all sections that cut the solid.
func TestFacesOfCutSolids(t *testing.T) {
	p := prepared(t, sectioned)
	sections := p.Scene().Sections
	rng := rand.New(rand.NewPCG(7, 8))
	var tried [3]int
	vector := func() geom.Vec3 {
		return geom.Vec3{X: 2 * rng.NormFloat64(), Y: 2 * rng.NormFloat64(), Z: 2 * rng.NormFloat64()}
	}
	for range 2000 {
		from, to := vector(), vector()
		for q := First; q <= Through; q++ {
			hits, err := Cast(p, q, from, to, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				if h.Object == 1 {
					t.Fatalf("query %d of %v and %v crosses a removed solid: %+v", q, from, to, h)
				}
				if math.IsInf(h.T, 1) {
					continue
				}
				tried[h.Face]++
				for i := range sections {
					beyond := h.Point.Sub(sections[i].Point).Dot(sections[i].Normal)
					isCut := i == 0 || h.Object == 0
					if isCut && beyond > 1e-9 {
						t.Fatalf("query %d of %v and %v: %+v lies beyond section %d", q, from, to, h, i)
					}
					if int(h.Face) == i+1 && (math.Abs(beyond) > 1e-9 || h.Normal != sections[i].Normal) {
						t.Fatalf("query %d of %v and %v: %+v is not on section %d", q, from, to, h, i)
					}
				}
				if h.Face == 0 && h.Object == 0 && math.Abs(h.Point.Norm()-1) > 1e-9 {
					t.Fatalf("query %d of %v and %v: %+v is on a section", q, from, to, h)
				}
			}
		}
	}
	if min(tried[0], tried[1], tried[2]) < 100 {
		t.Errorf("too few crossings of each face: %v", tried)
	}
}
