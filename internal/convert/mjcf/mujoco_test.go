package mjcf_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"pillbox"
	"strconv"
	"strings"
	"testing"

	"pillbox/cast"
	"pillbox/internal/convert/mjcf"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/model/modeltest"
	"pillbox/scene"
)

var oracle = flag.String("oracle", "", "write random models and rays into this folder, for MuJoCo; scripts/mujoco does it")

// exampleSet is a set of random models, each with rays. A file in testdata contains the distance along each ray
// that MuJoCo's mj_ray computes, or -1 for a miss.
type exampleSet struct {
	name                 string
	models, rays         int
	make                 func(seed uint64, rays int) example
	leastHits, leastMiss int
	tolerance            float64 // of distances
}

// distances returns the name of the file with the distances that MuJoCo computed.
func (s *exampleSet) distances() string { return "testdata/" + s.name + ".csv" }

// TestReadAgreesWithMuJoCo compares the distances along rays in converted models with those that MuJoCo computes in
// the original models. The models have geoms of every type, poses, classes, frames, copies, joints and keyframes.
func TestReadAgreesWithMuJoCo(t *testing.T) {
	holdToMuJoCo(t, &exampleSet{"distances", 80, 40, makeExample, 1000, 300, 1e-6})
}

// TestFittedShapesAgreeWithMuJoCo compares the distances along rays with those of MuJoCo, for shapes that a model
// fits to meshes.
func TestFittedShapesAgreeWithMuJoCo(t *testing.T) {
	const tolerance = 2e-5 // MuJoCo stores vertices in single precision
	holdToMuJoCo(t, &exampleSet{"fits", 60, 30, makeFitExample, 600, 100, tolerance})
}

func holdToMuJoCo(t *testing.T, set *exampleSet) {
	t.Helper()
	if *oracle != "" {
		writeExamples(t, set)
		return
	}
	file, err := os.Open(set.distances())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	hits, misses := 0, 0
	for seed := range uint64(set.models) {
		e := set.make(seed, set.rays)
		opt := mjcf.Options{QPos: e.qpos}
		if e.keyframe {
			opt = mjcf.Options{Keyframe: "here"}
		}
		s := load(t, e.text, opt)
		p, err := pillbox.Prepare(s, pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		for i, ray := range e.rays {
			if !lines.Scan() {
				t.Fatalf("%s ends at model %d", set.distances(), seed)
			}
			want, err := strconv.ParseFloat(lines.Text(), 64)
			if err != nil {
				t.Fatal(err)
			}
			got := -1.0
			found, err := cast.Cast(p, cast.First, ray[0], ray[1], nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) > 0 {
				got = found[0].T
			}
			const farthest = 60 // larger distances may hit an infinite plane, which is finite in a scene
			switch {
			case want > farthest:
				continue
			case want < 0:
				misses++
			default:
				hits++
			}
			if math.Abs(got-want) > set.tolerance {
				t.Errorf("model %d, ray %d from %v along %v: distance %v, want %v", seed, i, ray[0], ray[1], got, want)
			}
		}
	}
	if hits < set.leastHits || misses < set.leastMiss {
		t.Errorf("%d rays hit, %d miss: too few to tell much", hits, misses)
	}
}

// writeExamples writes the models and rays of set, the input with which MuJoCo computes the distances.
func writeExamples(t *testing.T, set *exampleSet) {
	folder := filepath.Join(*oracle, set.name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(set.models) {
		e := set.make(seed, set.rays)
		question := map[string]any{"xml": e.text, "qpos": e.qpos, "keyframe": e.keyframe}
		var list [][]float64
		for _, r := range e.rays {
			list = append(list, []float64{r[0].X, r[0].Y, r[0].Z, r[1].X, r[1].Y, r[1].Z})
		}
		question["rays"] = list
		data, err := json.Marshal(question)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%03d.json", seed)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// load reads the model in text, writes it as a scene, and loads that scene.
func load(t *testing.T, text string, opt mjcf.Options) *scene.Scene {
	t.Helper()
	m, err := mjcf.Read(model.Source{Name: "m.xml", Text: strings.NewReader(text)}, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return modeltest.Load(t, m)
}
