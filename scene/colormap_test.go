package scene

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"pillbox/shade"
)

// colored returns the color of each solid as linear light.
func colored(s *Scene) (all []shade.Color) {
	for i := range s.Objects.Len() {
		all = append(all, s.Objects.Material(i).Albedo)
	}
	return all
}

// TestValues checks that solids with values, in tables, plain and decoded, in parts and in CSV files have the colors of the
// color map, with and without a range.
func TestValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		values := make([]float64, 5)
		for i := range values {
			values[i] = math.Round(rng.NormFloat64()*1000) / 16
		}
		text := `[[sphere]]
center = [0, 0, 0]
radius = 1
value = %v
[[sphere]]
center = [3, 0, 0]
radius = 1
ghost = 0.5
value = %v
[[sphere]]
center = [6, 0, 0]
radius = 1
color = "red"
[part.p]
sphere = [{ center = [9, 0, 0], radius = 1, value = %v }]
[[place]]
part = "p"
color = "blue"
[[bulk]]
file = "a.csv"
shape = "sphere"
radius = 1
`
		text = fmt.Sprintf(text, values[0], values[1], values[2])
		csv := fmt.Sprintf("x,y,z,value,color\n12,0,0,%v,\n15,0,0,%v,\n18,0,0,,lime\n", values[3], values[4])
		low, high := minMax(values)
		if rng.IntN(2) == 0 {
			low, high = -20, 30
			text += "[colormap]\nname = \"coolwarm\"\nrange = [-20, 30]\n"
		}
		s, err := Decode("s.toml", []byte(text), WithFiles(fstest.MapFS{"a.csv": {Data: []byte(csv)}}))
		if err != nil {
			t.Fatal(err)
		}
		color := func(v float64) shade.Color { return s.Colormap.Map.At((v - low) / (high - low)) }
		red, lime := shade.FromSRGB8(255, 0, 0), shade.FromSRGB8(0, 255, 0)
		want := []shade.Color{color(values[0]), color(values[1]), red, color(values[2]), color(values[3]), color(values[4]), lime}
		for i, c := range colored(s) {
			if d := c.Sub(want[i]); max(math.Abs(d.R), math.Abs(d.G), math.Abs(d.B)) > 1e-12 {
				t.Errorf("%s: the color is %v, want %v\n%s", s.Key(i), c, want[i], text)
			}
		}
		if s.Objects.Material(1).Ghost == nil {
			t.Error("a solid with a value and a ghost is no ghost")
		}
		var written bytes.Buffer
		if err := s.WriteTOML(&written); err != nil {
			t.Fatal(err)
		}
		again, err := Decode("again.toml", written.Bytes())
		if err != nil {
			t.Fatalf("%v\n%s", err, &written)
		}
		if got, want := fmt.Sprint(colored(again)), fmt.Sprint(colored(s)); got != want {
			t.Errorf("written and read again, the colors are %s, want %s\n%s", got, want, &written)
		}
		if !strings.Contains(written.String(), "value = ") {
			t.Errorf("no value is written:\n%s", &written)
		}
	}
}

func minMax(list []float64) (low, high float64) {
	low, high = list[0], list[0]
	for _, x := range list {
		low, high = min(low, x), max(high, x)
	}
	return low, high
}

// TestValuesInTime checks that the range contains the values of tracks, and that a moving value has the color of the map.
func TestValuesInTime(t *testing.T) {
	files := fstest.MapFS{"a.csv": {Data: []byte("x,y,z,value,name\n5,0,0,3,row\n")}}
	s, err := Decode("s.toml", []byte(`
sphere = [{ center = [0, 0, 0], radius = 1, value = 2, name = "a" }, { center = [3, 0, 0], radius = 1, value = 1 }]
bulk = [{ file = "a.csv", shape = "sphere", radius = 1 }]
animation.duration = 2
[[animate]]
target = "a.value"
times = [0, 2]
values = [2, 11]
[[animate]]
target = "row.value"
times = [0, 2]
values = [3, -9]
`), WithFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	if want := [2]float64{-9, 11}; s.Colormap.Range != want {
		t.Fatalf("the range is %v, want %v", s.Colormap.Range, want)
	}
	at, err := s.At(1)
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range []float64{6.5, 1, -3} {
		if got, want := at.Objects.Material(i).Albedo, s.Colormap.ColorOf(value); got != want || *at.Objects.Material(i).Value != value {
			t.Errorf("at 1 s, %s has the color %v, want %v of the value %v", s.Key(i), got, want, value)
		}
	}
}

// TestEqualValues checks that equal values have the middle color, also if they are large, and that the range of huge values
// does not overflow.
func TestEqualValues(t *testing.T) {
	for _, test := range []struct{ a, b, share float64 }{{7, 7, 0.5}, {-0.0, 0, 0.5}, {-1.7e308, 1.7e308, 0}} {
		s, err := Decode("s.toml", fmt.Appendf(nil, "sphere = [{ center = [0, 0, 0], radius = 1, value = %g }, { center = [3, 0, 0], radius = 1, value = %g }]", test.a, test.b))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := s.Objects.Material(0).Albedo, s.Colormap.Map.At(test.share); got != want {
			t.Errorf("the values %v and %v: the first color is %v, want %v", test.a, test.b, got, want)
		}
	}
}

// TestValueBesideColor checks that a row of a CSV file cannot have both a value and a color, and that the message names a
// remedy.
func TestValueBesideColor(t *testing.T) {
	files := fstest.MapFS{"a.csv": {Data: []byte("x,y,z,radius,value,color\n5,0,0,1,0.5,red\n")}}
	_, err := Decode("s.toml", []byte("bulk = [{ file = \"a.csv\", shape = \"sphere\" }]"), WithFiles(files))
	if want := "a.csv:2:9: value: cannot be combined with color: the value decides the color; remove one of the two"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
