package main

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/osfile"
)

// bench runs `bench --json` with args and returns the measurements. It fails the test if the output has other
// fields than measurements, or in another order.
func bench(t *testing.T, v invocation, args string) measurements {
	t.Helper()
	got := v.run(append([]string{"bench", "--json"}, strings.Fields(args)...)...)
	if got.status != cli.StatusDone || got.stderr != "" {
		t.Fatalf("render bench %s exits %d: %s", args, got.status, got.stderr)
	}
	rest := got.stdout
	for _, f := range strings.Fields(`{"best_s": "median_s": "ns_per_pixel": "rays":{"primary": "shadow": "mirror": "load_s": "build_s": "heap_bytes":`) {
		var found bool
		if _, rest, found = strings.Cut(rest, f); !found {
			t.Errorf("%q lacks %s, or has it too early", got.stdout, f)
		}
	}
	var m measurements
	dec := json.NewDecoder(strings.NewReader(got.stdout))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil || dec.More() {
		t.Fatalf("%q: %v", got.stdout, err)
	}
	return m
}

func TestBenchIsConsistent(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": picturesque})
	for args, pixels := range map[string]float64{
		"s.toml --workers 1":                             64 * 48,
		"s.toml --workers 1 --repeat 1 --antialias 3":    64 * 48,
		"s.toml --workers 1 --repeat 2 --width 32":       32 * 24,
		"s.toml --workers 1 --region 3,4,20,10 --quiet":  17 * 6,
		"- --workers 1 --repeat 4 --width 9 --height 30": 9 * 30,
	} {
		m := bench(t, invocation{stdin: strings.NewReader(picturesque)}, args)
		if !(m.Best > 0 && m.Best <= m.Median && m.Load > 0 && m.Build > 0) { // not m.Heap, which is 0 if other tests free much memory; see TestBenchHeapIsOfSceneAndWorld
			t.Errorf("%s gives %+v", args, m)
		}
		if want := 1e9 * m.Best / pixels; !near(m.PerPixel, want) {
			t.Errorf("%s: %v ns per pixel, want %v", args, m.PerPixel, want)
		}
	}
	wantFiles(t, "s.toml")
}

func near(a, b float64) bool { return a >= b*(1-1e-12) && a <= b*(1+1e-12) }

// TestBenchCountsProcessors checks that bench multiplies the time per pixel by the number of processors used.
// Workers beyond the number of processors do not count.
func TestBenchCountsProcessors(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": picturesque})
	for workers, want := range map[int]int{1: 1, 1000: (&benching{}).workers(), 0: (&benching{}).workers()} {
		b := benching{opt: pillbox.Options{Work: pillbox.Work{Workers: workers}}}
		if got := b.processors(); got != want {
			t.Errorf("%d workers keep %d processors busy, want %d", workers, got, want)
		}
	}
	m := bench(t, invocation{}, "s.toml")
	if want := 1e9 * m.Best * float64((&benching{}).workers()) / (64 * 48); !near(m.PerPixel, want) {
		t.Errorf("%v ns per pixel, want %v", m.PerPixel, want)
	}
}

// TestBenchRays checks that bench counts the same rays as a normal render.
func TestBenchRays(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": picturesque})
	for _, flags := range []string{"", " --antialias 1 --region 10,10,30,30"} {
		var s stats
		if err := json.Unmarshal([]byte(mustRun(t, "s.toml --stats"+flags).stderr), &s); err != nil {
			t.Fatal(err)
		}
		if m := bench(t, invocation{}, "s.toml --repeat 3"+flags); m.Rays != s.Rays {
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
	inFolder(t, map[string]string{"few.toml": few, "many.toml": many})
	heap := func(name, stdin string) int64 {
		return bench(t, invocation{stdin: strings.NewReader(stdin)}, name+" --repeat 1 --width 8").Heap
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
	inFolder(t, map[string]string{"s.toml": picturesque})
	got := mustRun(t, "bench s.toml --repeat 1 --workers 1 --region 0,0,20,10").stdout
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
	inFolder(t, map[string]string{"s.toml": picturesque, "wrong.toml": wrong, "idle.toml": "[material.idle]\n" + small})
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
		got := invocation{}.run(strings.Fields(test.args)...)
		if got.status != test.status {
			t.Errorf("render %s exits %d, want %d", test.args, got.status, test.status)
		}
		wantOutput(t, "standard output of "+test.args, got.stdout, test.stdout)
		wantOutput(t, "standard error of "+test.args, got.stderr, test.stderr)
	}
	wantFiles(t, "idle.toml", "s.toml", "wrong.toml")
}

func TestBenchRendersSoOften(t *testing.T) {
	for _, n := range []int{1, 4} {
		p, err := pillbox.Prepare(parse(t, small), pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		b := benching{program: &program{}, repeat: n}
		if times, err := b.measure(t.Context(), p); err != nil || len(times) != n || slices.Min(times) <= 0 {
			t.Errorf("measure = %v, %v, want %d times", times, err, n)
		}
	}
}

// TestBenchInterrupted checks that bench prints no measurements if it is interrupted during the warm-up render. If
// it is interrupted before the first timed render, there must be no measurements, either.
func TestBenchInterrupted(t *testing.T) {
	inFolder(t, nil)
	status, out, log := interrupt(t, "bench", "-")
	if status != cli.StatusInterrupted || out != "" || !strings.HasSuffix(log, "render: interrupted\n") {
		t.Errorf("exits %d with %q and says %q", status, out, log)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := benching{program: &program{streams: streams{out: cli.Screen{Writer: io.Discard}}}, repeat: 3}
	p, err := pillbox.Prepare(parse(t, small), pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	if times, err := b.measure(ctx, p); err == nil || times != nil {
		t.Errorf("measure = %v, %v, want an error", times, err)
	}
}

func TestBenchBrokenOutput(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": picturesque})
	for _, args := range []string{"bench s.toml", "bench --json s.toml"} {
		var stderr strings.Builder
		status := run(t.Context(), strings.Fields(args), streams{
			in:    strings.NewReader(""),
			out:   cli.Screen{Writer: brokenWriter{io.ErrShortWrite}},
			err:   cli.Screen{Writer: &stderr},
			files: new(osfile.Outputs),
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
		got := invocation{}.run(append([]string{"__completeNoDesc"}, words...)...)
		if got := strings.Join(strings.Fields(got.stdout), " "); got != want {
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
		if got := median(test.sorted); got != test.want {
			t.Errorf("median(%v) = %v, want %v", test.sorted, got, test.want)
		}
	}
}
