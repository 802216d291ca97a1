//go:build !js

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/play"
	"pillbox/scenes"
)

type request struct {
	Name    string         `json:"name"`
	Request map[string]any `json:"request"`
}

type answer struct {
	Status int      `json:"status"`
	Body   string   `json:"body"`
	Frames []string `json:"frames"`
	MS     float64  `json:"ms"`
}

// TestSameAnswers compares the answers of the engine in wasm with those of the native engine. Pictures must be
// identical.
func TestSameAnswers(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || !effort.IsAll() {
		t.Skip("builds for wasm; needs node, bash and -effort all")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("needs bash")
	}
	requests := questions(t)
	got := inWasm(t, node, requests)
	native := play.New(play.Options{Name: "wasm", Version: "render (wasm)", Workers: 1})
	for i, r := range requests {
		want := ask(t, native, r)
		if got[i].Status != want.Status || got[i].Body != want.Body || !slices.Equal(got[i].Frames, want.Frames) {
			t.Errorf("%s %.200v\nin wasm: %.500v\nhere:    %.500v", r.Name, r.Request, got[i], want)
		}
	}
}

// questions returns requests of many kinds about the shipped scenes.
func questions(t *testing.T) []request {
	all := []request{{"start", map[string]any{}}, {"scenes", map[string]any{}}, {"nonsense", map[string]any{}}}
	for _, name := range []string{"demo", "adaptive", "transparent", "chess", "wave", "checker", "quaternion", "annotations", "penumbra-adaptive"} {
		text, err := fs.ReadFile(scenes.Files(), name+".toml")
		if err != nil {
			t.Fatal(err)
		}
		about := func(more map[string]any) map[string]any {
			r := map[string]any{"text": string(text), "width": 160, "height": 90, "time": 0.3}
			for key, value := range more {
				r[key] = value
			}
			return r
		}
		all = append(all,
			request{"check", about(nil)},
			request{"plan", about(nil)},
			request{"render", about(nil)},
			request{"render", about(map[string]any{"region": []int{30, 20, 50, 40}})},
			request{"render", about(map[string]any{"view": "normal"})},
			request{"explain", about(map[string]any{"pixel": []int{80, 50}})},
			request{"diagram", about(map[string]any{"pixel": []int{80, 50}})},
			request{"camera", about(map[string]any{"orbit": []float64{17, 8}})},
			request{"labels", about(nil)},
			request{"figure", about(map[string]any{"format": "svg"})},
			request{"figure", about(map[string]any{"format": "pdf"})},
		)
	}
	return all
}

// ask sends the request r to the native engine e.
func ask(t *testing.T, e *play.Engine, r request) answer {
	body, err := json.Marshal(r.Request)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{Status: 200, Frames: []string{}}
	data, err := e.Answer(context.Background(), r.Name, body, func(frame []byte) error {
		sum := sha256.Sum256(frame)
		text := hex.EncodeToString(sum[:])
		if play.FrameType(frame[0]) == play.FrameDone {
			var done struct{ Hash string }
			if err := json.Unmarshal(frame[1:], &done); err != nil {
				return err
			}
			text = done.Hash
		}
		a.Frames = append(a.Frames, text)
		return nil
	})
	a.Body = string(data)
	if err != nil {
		failure := play.FailureOf(err)
		a.Status, a.Body = failure.Status, string(failure.JSON())
	}
	return a
}

// TestKernels runs the tests of package accel in wasm, with its kernels.
func TestKernels(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || !effort.IsAll() {
		t.Skip("builds for wasm; needs node and -effort all")
	}
	folder := t.TempDir()
	linked, program := filepath.Join(folder, "linked"), filepath.Join(folder, "accel.wasm")
	build := exec.Command("go", "test", "-c", "-o", linked, "pillbox/internal/accel")
	build.Env = append(build.Environ(), "GOOS=js", "GOARCH=wasm")
	straighten := exec.Command("go", "run", "pillbox/internal/tools/straighten", "-kernels", "../../accel/kernels.wasm", linked, program)
	tests := exec.Command(node, "--stack-size=8192", filepath.Join(wasmFolder(t), "wasm_exec_node.js"), program, "-test.v", "-test.run=Kernel|Layout|Stream|Walk|EqualsBrute")
	tests.Dir = "../../accel"
	var out []byte
	for _, step := range []*exec.Cmd{build, straighten, tests} {
		if out, err = step.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if !bytes.Contains(out, []byte("--- PASS: TestKernelWalksAlike")) {
		t.Errorf("the program has no kernels\n%s", out)
	}
}

// wasmFolder returns the folder with Go's scripts for running wasm programs.
func wasmFolder(t *testing.T) string {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm")
}

// inWasm builds the engine for the static page and sends it requests in Node.
func inWasm(t *testing.T, node string, requests []request) (answers []answer) {
	program := filepath.Join(t.TempDir(), "pillbox.wasm")
	if out, err := exec.Command("../../../scripts/web", "--engine", program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(node, filepath.Join("testdata", "ask.mjs"), filepath.Join(wasmFolder(t), "wasm_exec.js"), program)
	var in, out, errors bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, r := range requests {
		if err := enc.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errors
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errors.Bytes())
	}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(requests) {
		t.Fatalf("%d answers to %d requests\n%s", len(answers), len(requests), errors.Bytes())
	}
	return answers
}
