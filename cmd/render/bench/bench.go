// Package bench contains the command "render bench".
package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/parallel"
	"pillbox/internal/text"
)

// defaultRepeat is the default number of timed renders.
const defaultRepeat = 5

// New returns the command bench in an environment.
func New(p *command.Env) *cobra.Command {
	b := &benching{Env: p, repeat: defaultRepeat}
	cmd := &cobra.Command{
		Use:   "bench SCENE",
		Short: "Measure how fast a scene renders",
		Long: `Render a scene several times, after one untimed render, and print the time of rendering.
This does not include building the search tree, and encoding or writing the picture. The
times to load the scene and to build the tree are measured once, and so is the memory of
both, after a garbage collection.

The time per pixel is processor time: the best time, multiplied by the number of
processors in use (one for each of --workers, and at most all of the machine) and divided
by the number of pixels. So machines with different numbers of processors can be compared.`,
		Example: `  render bench scene.toml --repeat 10
  render bench scene.toml --workers 1 --json`,
		GroupID:           command.GroupPictures,
		Args:              cli.WantArgs(1, 1, "one scene"),
		ValidArgsFunction: command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := b.Out.CheckOpen(); err != nil {
				return err
			}
			return b.run(cmd.Context(), args[0])
		},
	}
	cmd.Flags().Var(cli.Int(&b.repeat, 1, math.MaxInt32), "repeat", "render N times")
	cli.NoCompletion(cmd, "repeat")
	command.PictureFlags(cmd, &b.opt)
	command.TimeFlag(cmd, &b.moment)
	command.ThemeFlag(cmd, &b.theme)
	command.JSONFlag(cmd, &b.json, "print the measurements as a JSON object")
	return cmd
}

// benching holds the flags of one run of `render bench`.
type benching struct {
	*command.Env
	opt    pillbox.Options
	moment *float64
	theme  string
	repeat int
	json   bool
}

func (b *benching) run(ctx context.Context, name string) error {
	var m Measurements
	p, err := b.prepare(ctx, name, &m)
	if err != nil {
		return err
	}
	sc := p.Scene()
	film, _, err := b.DrawBy(ctx, command.RenderPrepared(p), sc, b.opt, "warming up")
	if err != nil {
		return err
	}
	m.Rays = film.Rays
	size := film.Region.Size()
	times, err := b.measure(ctx, p)
	if err != nil {
		return err
	}
	slices.Sort(times)
	m.Best, m.Median = times[0], Median(times)
	m.PerPixel = 1e9 * m.Best * float64(b.processors()) / float64(size.X*size.Y)
	if b.json {
		return json.NewEncoder(b.Out).Encode(m)
	}
	b.Out.Printf("%s: %s, %d x %d pixels, %s on %s, %s\n", sc.Name, text.Count(sc.Objects.Len(), "solid"), size.X, size.Y,
		text.Count(b.workers(), "worker"), text.Count(b.processors(), "processor"), text.Count(b.repeat, "render"))
	m.print(b.Out)
	return nil
}

// prepare loads and prepares the scene, and measures the time and memory of both.
func (b *benching) prepare(ctx context.Context, name string, m *Measurements) (*pillbox.Prepared, error) {
	before := liveHeap()
	lap := command.NewStopwatch()
	sc, err := b.Load(ctx, name, command.LoadOptions{Moment: b.moment, Theme: b.theme})
	if err != nil {
		return nil, err
	}
	m.Load = lap.Seconds()
	p, err := b.PrepareScene(ctx, sc, b.opt.Picture)
	if err != nil {
		return nil, err
	}
	m.Build = lap.Seconds()
	b.In = bytes.NewReader(nil) // so that the text of a scene from standard input is not counted as heap
	m.Heap = max(0, liveHeap()-before)
	return p, nil
}

// measure renders b.repeat times and returns the seconds of each render.
func (b *benching) measure(ctx context.Context, p *pillbox.Prepared) ([]float64, error) {
	times := make([]float64, b.repeat)
	for i := range times {
		lap := command.NewStopwatch()
		if _, err := p.Render(ctx, b.opt.Work); err != nil {
			return nil, err
		}
		times[i] = lap.Seconds()
	}
	return times, nil
}

// workers returns the number of rendering goroutines.
func (b *benching) workers() int { return parallel.Workers(b.opt.Workers) }

// processors returns the number of processors that the workers can use.
func (b *benching) processors() int { return min(b.workers(), parallel.Workers(0)) }

// liveHeap returns the number of reachable bytes on the heap.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC() // a sync.Pool keeps its contents for one collection
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// Median returns the median of an ascending, non-empty list.
func Median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Measurements is the JSON that --json prints. Times are in seconds.
type Measurements struct {
	Best     float64      `json:"best_s"`
	Median   float64      `json:"median_s"`
	PerPixel float64      `json:"ns_per_pixel"` // of one processor
	Rays     pillbox.Rays `json:"rays"`         // of one render
	Load     float64      `json:"load_s"`
	Build    float64      `json:"build_s"`
	Heap     int64        `json:"heap_bytes"` // of the scene and its search tree
}

// print prints a line with name, number and unit for each measurement, with aligned numbers.
func (m *Measurements) print(out cli.Screen) {
	line := func(name, number, unit string) { out.Printf("%-8s%12s %s\n", name, number, unit) }
	line("best", milliseconds(m.Best), "ms")
	line("median", milliseconds(m.Median), "ms")
	line("pixel", fmt.Sprintf("%.1f", m.PerPixel), "ns of one processor")
	line("primary", fmt.Sprint(m.Rays.Primary), "rays")
	line("shadow", fmt.Sprint(m.Rays.Shadow), "rays")
	line("mirror", fmt.Sprint(m.Rays.Mirror), "rays")
	line("load", milliseconds(m.Load), "ms")
	line("build", milliseconds(m.Build), "ms")
	line("heap", fmt.Sprint(m.Heap), "bytes")
}

func milliseconds(s float64) string { return fmt.Sprintf("%.2f", 1e3*s) }
