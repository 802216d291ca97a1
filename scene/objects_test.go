package scene

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"pillbox/shade"
)

// TestObjectsKeepWhatTheyAreMadeOf checks that NewObjects stores every object unchanged, whether or not solids
// share materials.
func TestObjectsKeepWhatTheyAreMadeOf(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 21))
		kinds := 1 << rng.IntN(13)
		list := make([]Object, rng.IntN(5000))
		for i := range list {
			which := rng.IntN(kinds)
			list[i].Material = shade.Material{Albedo: shade.Gray(float64(which%64) / 64), Mirror: float64(which/64) / 64}
			if rng.IntN(3) == 0 {
				list[i].Name = fmt.Sprint("solid ", i)
			}
		}
		o := NewObjects(list...)
		if !slices.Equal(o.List(), list) || o.Len() != len(list) {
			t.Fatalf("seed %d: the list of objects is another", seed)
		}
		if n := len(list); o.unshared != (o.Materials() == n && n > 0) && kinds > 1 || o.Materials() > n {
			t.Errorf("seed %d: %d objects have %d materials, unshared: %v", seed, n, len(o.materials), o.unshared)
		}
		if len(list) == 0 {
			continue
		}
		i := rng.IntN(len(list))
		with := o.With(i, Object{Name: "other", Material: shade.Material{Mirror: 0.5}})
		if !slices.Equal(o.List(), list) {
			t.Errorf("seed %d: With changed the objects", seed)
		}
		list[i] = Object{Name: "other", Material: shade.Material{Mirror: 0.5}}
		if !slices.Equal(with.List(), list) {
			t.Errorf("seed %d: With made others", seed)
		}
	}
}

// TestRowsShareMaterials checks that rows with few different colors share few materials, in any order. Rows with
// many different colors must have one material each, with the number of the solid.
func TestRowsShareMaterials(t *testing.T) {
	for _, c := range []struct {
		colors, atMost int
		unshared       bool
	}{{1, 3, false}, {3, 200, false}, {200, 10_000, false}, {1 << 24, 40_000, true}} {
		rng := rand.New(rand.NewPCG(22, 23))
		want := make([]shade.Color, 40_000)
		text := bytes.NewBufferString("x,y,z,radius,color\n")
		for i := range want {
			n := rng.IntN(c.colors)
			want[i] = shade.FromSRGB8(uint8(n>>16), uint8(n>>8), uint8(n))
			fmt.Fprintf(text, "1,2,3,4,#%06x\n", n)
		}
		scene := "sphere = [{ center = [1, 2, 3], radius = 1 }]\n[[bulk]]\nshape = 'sphere'\nfile = 'a.csv'\n"
		s, err := Decode("x.toml", []byte(scene), WithFiles(fstest.MapFS{"a.csv": {Data: text.Bytes()}}))
		if err != nil {
			t.Fatal(err)
		}
		if text.Len() < 2*chunkSize {
			t.Fatal("the file is one chunk")
		}
		for i := range want {
			if got := s.Objects.Material(i + 1).Albedo; got != want[i] {
				t.Fatalf("%d colors: sphere %d has %v, want %v", c.colors, i+1, got, want[i])
			}
		}
		if n := s.Objects.Materials(); s.Objects.unshared != c.unshared || !c.unshared && n > c.atMost {
			t.Errorf("%d colors: %d materials, unshared: %v", c.colors, n, s.Objects.unshared)
		}
	}
}
