package bench

import (
	"context"
	"io"
	"slices"
	"testing"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/fixture"
	"pillbox/scene"
)

// TestProcessors checks that workers beyond the number of processors do not count.
func TestProcessors(t *testing.T) {
	for workers, want := range map[int]int{1: 1, 1000: (&benching{}).workers(), 0: (&benching{}).workers()} {
		b := benching{opt: pillbox.Options{Work: pillbox.Work{Workers: workers}}}
		if got := b.processors(); got != want {
			t.Errorf("%d workers keep %d processors busy, want %d", workers, got, want)
		}
	}
}

func TestBenchRendersSoOften(t *testing.T) {
	for _, n := range []int{1, 4} {
		p, err := pillbox.Prepare(ballScene(t), pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		b := benching{Env: &command.Env{}, repeat: n}
		if times, err := b.measure(t.Context(), p); err != nil || len(times) != n || slices.Min(times) <= 0 {
			t.Errorf("measure = %v, %v, want %d times", times, err, n)
		}
	}
}

// TestMeasureInterrupted checks that there are no measurements if bench is interrupted before the first timed render.
func TestMeasureInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := benching{Env: &command.Env{Streams: command.Streams{Out: cli.Screen{Writer: io.Discard}}}, repeat: 3}
	p, err := pillbox.Prepare(ballScene(t), pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	if times, err := b.measure(ctx, p); err == nil || times != nil {
		t.Errorf("measure = %v, %v, want an error", times, err)
	}
}

func ballScene(t *testing.T) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("small.toml", []byte(fixture.Ball))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
