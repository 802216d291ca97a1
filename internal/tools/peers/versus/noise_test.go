package main

import (
	"math"
	"os"
	"strings"
	"testing"

	"pillbox/internal/tools/peers"
)

func TestTimeAtNoise(t *testing.T) {
	points := []noisePoint{{1, 8}, {8, 1}, {9, 2}, {2, 4}, {2.5, 6}} // (9, 2) and (2.5, 6) are worse than others
	for _, test := range []struct {
		noise, want float64
		isLeast     bool
	}{
		{20, 1, false}, {8, 1, false}, {4, 2, false}, {2, 4, false}, {math.Sqrt2, math.Sqrt(32), false}, {1, 8, false}, {0.5, 8, true},
	} {
		got, isLeast := timeAtNoise(points, test.noise)
		if math.Abs(got-test.want) > 1e-12 || isLeast != test.isLeast {
			t.Errorf("noise %v: %v, %v, want %v, %v", test.noise, got, isLeast, test.want, test.isLeast)
		}
	}
}

func TestRMS(t *testing.T) {
	a := &picture{2, 1, [][3]uint8{{10, 20, 30}, {0, 255, 7}}}
	b := &picture{2, 1, [][3]uint8{{13, 20, 26}, {0, 250, 7}}}
	if got, want := rms(a, b), math.Sqrt((9.+16+25)/6); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNoisyPictures checks that the scene files for Pillbox and for POV-Ray contain the settings of their pictures.
func TestNoisyPictures(t *testing.T) {
	t.Chdir("../../../..")
	for _, source := range []func() (string, string, error){stillLife, noisyCube} {
		name, text, err := source()
		if err != nil {
			t.Fatal(err)
		}
		b := &bench{programs: &programs{}, work: t.TempDir()}
		mine, theirs, err := b.noisyPictures(text)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "\nocclusion") || len(mine) != len(noisySamples)+1 || len(theirs) != 2*len(povGrids()) {
			t.Errorf("%s: %d and %d pictures", name, len(mine), len(theirs))
		}
		for _, p := range mine {
			if scene := readFile(t, p.args[1]); !strings.Contains(scene, "\nsamples = "+p.settings+"\n") {
				t.Errorf("%s: no %s samples", name, p.settings)
			}
		}
		for _, p := range theirs {
			if scene := readFile(t, strings.TrimPrefix(p.args[0], "+I")); strings.Count(scene, "area_light") != 1 || !strings.Contains(scene, " "+p.settings+" }") {
				t.Errorf("%s: no area light %s", name, p.settings)
			}
		}
	}
}

// TestCountedRays checks how many rays to lights and into the sky are cast in scenes with soft light. For a single
// ball, there must be none, because nothing hides its points. For many solids, there must be some.
func TestCountedRays(t *testing.T) {
	for n, cast := range map[int]bool{1: false, 60: true} {
		for _, k := range softKinds() {
			s := peers.Random(seed, n)
			k.change(s)
			s.Image.Width, s.Image.Height = 64, 36
			var table table
			if err := addCount(t.Context(), &table, "balls", &s.Scene); err != nil {
				t.Fatal(err)
			}
			row := table.rows[0]
			if row[2] == "0" || (row[6] != "0") != cast || row[5] == row[6] {
				t.Errorf("%d solids, %s: %q", n, k.name, row)
			}
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
