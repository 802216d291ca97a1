package main

import (
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"

	"pillbox/cmd/render/bench"
	picturecmd "pillbox/cmd/render/picture"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
)

// measure runs `bench --json` with args and returns the measurements. It fails the test if the output has other
// fields than measurements, or in another order.
func measure(t *testing.T, v programtest.Invocation, args string) bench.Measurements {
	t.Helper()
	got := v.Run(append([]string{"bench", "--json"}, strings.Fields(args)...)...)
	if got.Status != cli.StatusDone || got.Stderr != "" {
		t.Fatalf("render bench %s exits %d: %s", args, got.Status, got.Stderr)
	}
	rest := got.Stdout
	for _, f := range strings.Fields(`{"best_s": "median_s": "ns_per_pixel": "rays":{"primary": "shadow": "mirror": "load_s": "build_s": "heap_bytes":`) {
		var found bool
		if _, rest, found = strings.Cut(rest, f); !found {
			t.Errorf("%q lacks %s, or has it too early", got.Stdout, f)
		}
	}
	var m bench.Measurements
	dec := json.NewDecoder(strings.NewReader(got.Stdout))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil || dec.More() {
		t.Fatalf("%q: %v", got.Stdout, err)
	}
	return m
}

func TestBenchIsConsistent(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	for args, pixels := range map[string]float64{
		"s.toml --workers 1":                             64 * 48,
		"s.toml --workers 1 --repeat 1 --antialias 3":    64 * 48,
		"s.toml --workers 1 --repeat 2 --width 32":       32 * 24,
		"s.toml --workers 1 --region 3,4,20,10 --quiet":  17 * 6,
		"- --workers 1 --repeat 4 --width 9 --height 30": 9 * 30,
	} {
		m := measure(t, programtest.Invocation{Stdin: strings.NewReader(picturesque)}, args)
		if !(m.Best > 0 && m.Best <= m.Median && m.Load > 0 && m.Build > 0) { // not m.Heap, which is 0 if other tests free much memory; see TestBenchHeapIsOfSceneAndWorld
			t.Errorf("%s gives %+v", args, m)
		}
		if want := 1e9 * m.Best / pixels; !near(m.PerPixel, want) {
			t.Errorf("%s: %v ns per pixel, want %v", args, m.PerPixel, want)
		}
	}
	programtest.WantFiles(t, "s.toml")
}

func near(a, b float64) bool { return a >= b*(1-1e-12) && a <= b*(1+1e-12) }

// TestBenchCountsProcessors checks that bench multiplies the time per pixel by the number of processors used.
func TestBenchCountsProcessors(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	m := measure(t, programtest.Invocation{}, "s.toml")
	if want := 1e9 * m.Best * float64(runtime.GOMAXPROCS(0)) / (64 * 48); !near(m.PerPixel, want) {
		t.Errorf("%v ns per pixel, want %v", m.PerPixel, want)
	}
}

// TestBenchRays checks that bench counts the same rays as a normal render.
func TestBenchRays(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	for _, flags := range []string{"", " --antialias 1 --region 10,10,30,30"} {
		var s picturecmd.Stats
		if err := json.Unmarshal([]byte(programtest.MustRun(t, "s.toml --stats"+flags).Stderr), &s); err != nil {
			t.Fatal(err)
		}
		if m := measure(t, programtest.Invocation{}, "s.toml --repeat 3"+flags); m.Rays != s.Rays {
			t.Errorf("bench%s casts %+v, a render %+v", flags, m.Rays, s.Rays)
		}
	}
}

// TestBenchHeapIsOfSceneAndWorld measures two scenes that differ only in their number of solids, from a file and
// from standard input. The reported heap must grow with the solids. It must not include the text of the scene,
// which is much larger.
func TestBenchHeapIsOfSceneAndWorld(t *testing.T) {
	const solid = "[[sphere]]\ncenter = [1, 2, 3]\nradius = 1\n"
	comment := "#" + strings.Repeat(" long", 1<<20) + "\n"
	few, many := comment+solid, comment+strings.Repeat(solid, 2001)
	programtest.InFolder(t, map[string]string{"few.toml": few, "many.toml": many})
	heap := func(name, stdin string) int64 {
		return measure(t, programtest.Invocation{Stdin: strings.NewReader(stdin)}, name+" --repeat 1 --width 8").Heap
	}
	for _, grown := range []int64{
		heap("many.toml", "") - heap("few.toml", ""),
		heap("-", many) - heap("-", few),
	} {
		if each := grown / 2000; each < 32 || each > 1000 {
			t.Errorf("a sphere needs %d bytes, want 32 to 1000", each)
		}
	}
	if got := heap("-", few); got > 100_000 {
		t.Errorf("one sphere from standard input needs %d bytes: more counts than scene and world", got)
	}
}

func TestBenchPrintsAlignedLines(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	got := programtest.MustRun(t, "bench s.toml --repeat 1 --workers 1 --region 0,0,20,10").Stdout
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if want := "s.toml: 3 solids, 20 x 10 pixels, 1 worker on 1 processor, 1 render"; lines[0] != want {
		t.Errorf("first line %q, want %q", lines[0], want)
	}
	names := strings.Fields("best median pixel primary shadow mirror load build heap")
	if len(lines) != 1+len(names) {
		t.Fatalf("got\n%s\nwant a line for each of %q", got, names)
	}
	unit := strings.Index(lines[1], " ms")
	for i, line := range lines[1:] {
		words := strings.Fields(line)
		if words[0] != names[i] || len(words) < 3 {
			t.Errorf("line %q, want %s, a number and a unit", line, names[i])
		}
		if !strings.HasPrefix(line[unit:], " "+words[2]) || line[unit-1] == ' ' {
			t.Errorf("line %q is not aligned with %q", line, lines[1])
		}
	}
}

func TestBenchStatus(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque, "wrong.toml": programtest.Wrong, "idle.toml": "[material.idle]\n" + programtest.Small})
	for _, test := range []struct {
		args           string
		status         int
		stdout, stderr string
	}{
		{"bench", cli.StatusWrong, "", "render: want one scene, got none\nrun 'render bench --help' for help\n"},
		{"bench s.toml s.toml", cli.StatusWrong, "", "want one scene, got 2: s.toml s.toml"},
		{"bench s.toml --repeat 0", cli.StatusWrong, "", `render: --repeat: must be 1 to 2147483647, got "0"`},
		{"bench s.toml -o x.png", cli.StatusWrong, "", "unknown flag -o"},
		{"bench s.toml --region 0,0,999,1", cli.StatusWrong, "", "region must lie inside the picture of 64 x 48 pixels"},
		{"bench s.toml --width 32768 --height 32768 --json", cli.StatusWrong, "", "got 32768 x 32768"},
		{"bench wrong.toml", cli.StatusWrong, "", "wrong.toml:4:10: sphere[0].radius: "},
		{"bench wrong.toml --json", cli.StatusWrong, "", "wrong.toml:4:10: sphere[0].radius: "},
		{"bench missing.toml", cli.StatusFile, "", "render: open missing.toml: "},
		{"bench idle.toml --json", cli.StatusDone, `{"best_s":`, "idle.toml:1:1: warning: material.idle: "},
		{"bench idle.toml --quiet", cli.StatusDone, "idle.toml: 1 solid, ", ""},
		{"help bench", cli.StatusDone, "render bench SCENE", ""},
	} {
		got := programtest.Invocation{}.Run(strings.Fields(test.args)...)
		if got.Status != test.status {
			t.Errorf("render %s exits %d, want %d", test.args, got.Status, test.status)
		}
		wantOutput(t, "standard output of "+test.args, got.Stdout, test.stdout)
		wantOutput(t, "standard error of "+test.args, got.Stderr, test.stderr)
	}
	programtest.WantFiles(t, "idle.toml", "s.toml", "wrong.toml")
}

// TestBenchInterrupted checks that bench prints no measurements if it is interrupted during the warm-up render.
func TestBenchInterrupted(t *testing.T) {
	programtest.InFolder(t, nil)
	status, out, log := interrupt(t, "bench", "-")
	if status != cli.StatusInterrupted || out != "" || !strings.HasSuffix(log, "render: interrupted\n") {
		t.Errorf("exits %d with %q and says %q", status, out, log)
	}
}

func TestBenchBrokenOutput(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	for _, args := range []string{"bench s.toml", "bench --json s.toml"} {
		var stderr strings.Builder
		status := programtest.Run(t.Context(), strings.Fields(args), command.Streams{
			In:    strings.NewReader(""),
			Out:   cli.Screen{Writer: brokenWriter{io.ErrShortWrite}},
			Err:   cli.Screen{Writer: &stderr},
			Files: new(osfile.Outputs),
		})
		if status != cli.StatusFile || !strings.HasPrefix(stderr.String(), "render: write /dev/stdout: ") {
			t.Errorf("render %s exits %d and says %q", args, status, stderr.String())
		}
	}
}

func TestBenchCompletes(t *testing.T) {
	for args, want := range map[string]string{
		"bench |":          "toml :8",
		"bench --re|":      "--region --repeat :4",
		"bench --repeat |": ":4",
	} {
		words := strings.Split(strings.TrimSuffix(args, "|"), " ")
		got := programtest.Invocation{}.Run(append([]string{"__completeNoDesc"}, words...)...)
		if got := strings.Join(strings.Fields(got.Stdout), " "); got != want {
			t.Errorf("completing %q gives %s, want %s", args, got, want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		sorted []float64
		want   float64
	}{
		{[]float64{7}, 7}, {[]float64{1, 2}, 1.5}, {[]float64{1, 2, 9}, 2}, {[]float64{1, 2, 4, 9}, 3},
	} {
		if got := bench.Median(test.sorted); got != test.want {
			t.Errorf("median(%v) = %v, want %v", test.sorted, got, test.want)
		}
	}
}
