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

// How many random models there are, and rays to each.
const (
	models = 80
	rays   = 40
)

// distances is what MuJoCo's mj_ray says of each ray of each model: -1 where it meets nothing.
const distances = "testdata/distances.csv"

// TestReadAgreesWithMuJoCo holds imported models to the distances along rays that MuJoCo computes for the
// originals: geoms of every type, poses, classes, frames, copies, joints, keyframes.
func TestReadAgreesWithMuJoCo(t *testing.T) {
	if *oracle != "" {
		writeExamples(t)
		return
	}
	file, err := os.Open(distances)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	hits, misses := 0, 0
	for seed := range uint64(models) {
		e := makeExample(seed, rays)
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
				t.Fatalf("%s ends at model %d", distances, seed)
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
			const farthest = 60 // beyond, planes without end have one here
			switch {
			case want > farthest:
				continue
			case want < 0:
				misses++
			default:
				hits++
			}
			if math.Abs(got-want) > 1e-6 {
				t.Errorf("model %d, ray %d from %v along %v: distance %v, want %v", seed, i, ray[0], ray[1], got, want)
			}
		}
	}
	if hits < 1000 || misses < 300 {
		t.Errorf("%d rays hit, %d miss: too few to tell much", hits, misses)
	}
}

// writeExamples writes what MuJoCo is to be asked.
func writeExamples(t *testing.T) {
	for seed := range uint64(models) {
		e := makeExample(seed, rays)
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
		if err := os.WriteFile(filepath.Join(*oracle, fmt.Sprintf("%03d.json", seed)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// load reads a model, writes it and loads what was written.
func load(t *testing.T, text string, opt mjcf.Options) *scene.Scene {
	t.Helper()
	m, err := mjcf.Read(model.Source{Name: "m.xml", Text: strings.NewReader(text)}, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return modeltest.Load(t, m)
}
