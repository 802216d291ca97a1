package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture/effort"
)

// nastyScene returns a random scene that is accepted, if its parts are, and takes long to render.
func nastyScene(r *rand.Rand) string {
	repeat := strings.Repeat
	size := 40 * (1 + r.IntN(40))
	text := fmt.Sprintf("[image]\nwidth = %d\nheight = %d\nantialias = %d\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n%s", size, size, 1+r.IntN(4), ball)
	text += fmt.Sprintf("[shading]\nsamples = %d\nbounces = %d\n", 1<<r.IntN(9), r.IntN(17))
	placed := func(name, solid string, count int) string {
		return fmt.Sprintf("[[place]]\npart = \"%s\"\ncount = %d\n%s[[part.%[1]s.%[4]s", name, count, steps, solid)
	}
	parts := []func() string{
		func() string {
			return placed("a", "sphere]]\ncenter = [0, 0, 0]\nradius = 3\n", 1+r.IntN(250_000))
		},
		func() string {
			return placed("b", "capsule]]\na = [-3, 0, 0]\nb = [3, 0, 0]\nradius = 2\n", 1+r.IntN(50_000))
		},
		func() string {
			return placed("c", "box]]\ncenter = [0, 0, 0]\nhalf_extents = [2, 2, 2]\nmaterial = \"mirror\"\n[material.mirror]\nmirror = 0.9\n", 1+r.IntN(20_000))
		},
		func() string {
			return repeat("[[light]]\nposition = [4, 4, 4]\nradius = 2\nintensity = 0.001\n", 1+r.IntN(1000))
		},
		func() string {
			return placed("d", "sphere]]\ncenter = [0, 0, 0]\nradius = 2\nghost = 0.1\n", 1+r.IntN(2000))
		},
		func() string {
			return repeat("[[section]]\npoint = [0, 0, 0]\nnormal = [0, 0.3, 1]\nhatch = true\n", 1+r.IntN(8))
		},
		func() string { return fmt.Sprintf("[outline]\nwidth = %d\n", 1+r.IntN(100)) },
		func() string {
			return repeat("[[label]]\ntext = \""+repeat("W", 1+r.IntN(60))+"\"\non = \"ball\"\nsize = 300\nhalo = \"white\"\n", 1+r.IntN(30))
		},
		func() string {
			return repeat("[[line]]\nfrom = [-9, 0, -5]\nto = [9, 0.1, 5]\nwidth = 9\ndepth = true\ndash = [0.1, 0.1]\n", 1+r.IntN(300))
		},
		func() string { return "[fog]\nnear = 1\nfar = 20\n" },
		func() string { return "[animation]\nduration = 100\nfps = 10\n" },
	}
	r.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
	for _, part := range parts[:1+r.IntN(6)] {
		text += part()
	}
	return text
}

// TestCancelNastyScenes runs commands on random nasty scenes, and ends them with SIGTERM after a random time. Each must end
// with a documented exit status, or by the signal before the program handles it, and leave no unfinished file and no broken
// picture. The test reports how long the slowest took to end: less than about a second on a machine that does nothing else.
// Its bound is that of a command that does not look at its context at all, so that it holds on a loaded machine.
func TestCancelNastyScenes(t *testing.T) {
	const bound = time.Minute
	r := rand.New(rand.NewPCG(31, 1))
	commands := slices.DeleteFunc(sceneCommands(), func(args string) bool { return !slices.Contains(strings.Fields(args), "F") })
	type ended struct {
		after time.Duration
		what  string
	}
	var all []ended
	done := 0 // runs that ended by themselves
	for i := range effort.Of(1, 3, 150) {
		scene, args := nastyScene(r), commands[(i*7)%len(commands)]
		programtest.InFolder(t, map[string]string{"s.toml": scene, "rays.csv": aRay})
		fields := strings.Fields(args)
		fields[slices.Index(fields, "F")] = "s.toml"
		cmd := programtest.Process(t, fields...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		after, isSignaled := terminate(t, cmd, time.Duration(50+r.IntN(2000))*time.Millisecond)
		what := fmt.Sprintf("render %s, scene %d", args, i)
		switch status := cmd.ProcessState.ExitCode(); {
		case strings.Contains(stderr.String(), "goroutine "):
			t.Errorf("%s: %s\n%s", what, shortened(stderr.String()), shortened(scene))
		case !isSignaled:
			done++
		case status != cli.StatusInterrupted && status != cli.StatusDone && status != cli.StatusDifferent && status != cli.StatusWrong && status != -1:
			t.Errorf("%s: %v: %s", what, cmd.ProcessState, shortened(stderr.String()))
		case after > bound:
			t.Errorf("%s ends %v after SIGTERM\n%s", what, after, scene)
		default:
			all = append(all, ended{after, what})
		}
		wantWhole(t, what)
	}
	slices.SortFunc(all, func(a, b ended) int { return int(b.after - a.after) })
	slowest := all[:min(100, len(all))]
	if len(slowest) > 0 {
		t.Logf("%d signals, %d runs ended before; time to end of the slowest %d: median %v, largest %v", len(all), done, len(slowest), slowest[len(slowest)/2].after, slowest[0].after)
		for _, e := range slowest[:min(10, len(slowest))] {
			t.Logf("%v: %s", e.after, e.what)
		}
	}
}

// terminate starts a command, sends SIGTERM to it after the given time, and returns how long it took to end. isSignaled is
// false if it ended before.
func terminate(t *testing.T, cmd *exec.Cmd, wait time.Duration) (after time.Duration, isSignaled bool) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end := make(chan struct{})
	go func() {
		defer close(end)
		_ = cmd.Wait() // the caller examines the exit status
	}()
	select {
	case <-end:
		return 0, false
	case <-time.After(wait):
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		<-end
		return 0, false
	}
	start := time.Now()
	<-end
	return time.Since(start), true
}
