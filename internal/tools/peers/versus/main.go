// Command versus compares Pillbox with the ray tracers that are installed: Embree 3 (with the small renderer in ../embree),
// POV-Ray and Tachyon. All of them render the same scenes. Their pictures are compared before times are measured, to make
// sure that they do the same work. Run it in the top folder of the project. It prints tables in Markdown. See
// docs/performance.md.
//
// Because machines are shared and noisy, the programs take turns for several rounds. Ratios are computed within each round,
// and the tables show the median over the rounds.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o, err := parseOptions(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		os.Exit(2) // the flag package has printed the error
	}
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "versus: %v\n", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	solids       []int // ascending
	softCounts   []int // solids in scenes with soft light; ascending
	rodCounts    []int // capsules, and as many cylinders, in scenes of their own; ascending
	insideCounts []int // solids in scenes with sections, ghosts and fog; ascending
	scenes       []named
	rounds       int
	repeat       int
	threads      int
	cache        string
	size         image.Point // of the pictures
	noisy        bool        // only compare penumbras at equal noise
	counted      bool        // only count the rays of soft light
}

func parseOptions(args []string, messages io.Writer) (options, error) {
	o := options{solids: []int{30, 1000, 100_000, 1_000_000}, rodCounts: []int{1000, 100_000}, softCounts: []int{30, 1000, 100_000}, insideCounts: []int{30, 1000, 100_000}, size: image.Pt(1920, 1080)}
	flags := flag.NewFlagSet("scripts/bench", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.Func("solids", "`N,...` solids in each scene (default 30,1000,100000,1000000)", func(s string) (err error) {
		o.solids, err = parseSolids(s)
		return err
	})
	flags.Func("rods", "`N,...` capsules, and as many cylinders, in scenes of their own (default 1000,100000)", func(s string) (err error) {
		o.rodCounts, err = parseSolids(s)
		return err
	})
	flags.Func("soft", "`N,...` solids in scenes with soft shadows and with ambient occlusion; sphereflakes among -scenes get them, too (default 30,1000,100000)", func(s string) (err error) {
		o.softCounts, err = parseSolids(s)
		return err
	})
	flags.Func("inside", "`N,...` solids in scenes with a section, with ghosts and with fog (default 30,1000,100000)", func(s string) (err error) {
		o.insideCounts, err = parseSolids(s)
		return err
	})
	names := "sphereflake-4,sphereflake-5,sphereflake-6,lattice,rings,molecules"
	flags.StringVar(&names, "scenes", names, "`NAMES` of scenes of mirrors, and of molecules")
	flags.BoolVar(&o.noisy, "noise", false, "only compare the time of penumbras with POV-Ray at equal noise")
	flags.BoolVar(&o.counted, "rays", false, "only count the rays to lights with a size and into the sky, in the scenes of -soft")
	flags.IntVar(&o.rounds, "rounds", 5, "let the programs take turns `N` times")
	flags.IntVar(&o.repeat, "repeat", 5, "render `N` times in each round; the best time counts")
	flags.IntVar(&o.threads, "threads", 2, "render on `N` threads")
	flags.StringVar(&o.cache, "cache", filepath.Join(os.TempDir(), "pillbox-bench"), "keep the scenes in the `FOLDER`; all sizes take 600 MB")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 || o.rounds < 1 || o.repeat < 1 || o.threads < 1 {
		err := errors.New("want no arguments, and rounds, repeat and threads of at least 1")
		fmt.Fprintln(messages, err)
		return o, err
	}
	var err error
	if o.scenes, err = parseScenes(names); err != nil {
		fmt.Fprintln(messages, err)
	}
	return o, err
}

// parseSolids returns numbers of solids in ascending order, none for "".
func parseSolids(s string) ([]int, error) {
	var list []int
	if s == "" {
		return list, nil
	}
	for word := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 3 {
			return nil, fmt.Errorf("must be whole numbers of at least 3, one of each kind")
		}
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func run(ctx context.Context, o options, out io.Writer) error {
	busy := load()
	if busy > idle {
		say("warning: other programs keep %.1f processors busy; what is measured now is uncertain", busy)
	}
	work, err := os.MkdirTemp("", "pillbox-versus-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	p, err := findPrograms(ctx, work, o.threads)
	if err != nil {
		return err
	}
	lib, err := newLibrary(o.cache, o.size)
	if err != nil {
		return err
	}
	b := &bench{options: o, programs: p, library: lib, work: work, log: records{}, busy: busy}
	switch {
	case o.noisy:
		return b.noise(ctx, out)
	case o.counted:
		return b.countRays(ctx, out)
	}
	if err := b.compare(ctx); err != nil {
		return err
	}
	if err := b.measure(ctx); err != nil {
		return err
	}
	return b.print(out)
}

// say prints the progress on standard error.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
