//go:build linux

// Command startcost measures what the shortest runs of the program render cost: processor time, memory and page faults,
// beside a Go program that does nothing.
//
//	go run ./internal/tools/startcost [-runs 60] [RENDER...]
//
// It runs in the root of the repository. Without arguments, it builds the program as a release does. With several programs, it
// compares them: copies of files that a linker has written. Rounds alternate between all measured commands, so that a busy machine slows them alike.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"pillbox"
)

func main() {
	runs := flag.Int("runs", 60, "how often each command runs")
	flag.Parse()
	if err := measure(*runs, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "startcost: %v\n", err)
		os.Exit(1)
	}
}

const (
	empty = "package main\n\nfunc main() {}\n"
	scene = `
[image]
width = 8
height = 8

[camera]
position = [0, 0, 10]
look_at = [0, 0, 0]

[[light]]
direction = [-1, -2, -1]

[[sphere]]
center = [0, 0, 0]
radius = 2
`
)

// measured is a command and what its runs cost.
type measured struct {
	title string
	args  []string
	runs  []cost
}

// cost is what one run of a program costs.
type cost struct {
	processor time.Duration
	memory    int64 // the largest resident set, in bytes
	faults    int64 // page faults that read nothing from the disk
}

func measure(runs int, programs []string) error {
	folder, err := os.MkdirTemp("", "startcost-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	in := func(name string) string { return filepath.Join(folder, name) }
	for name, text := range map[string]string{"empty.go": empty, "small.toml": scene} {
		if err := os.WriteFile(in(name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	if err := build(in("empty"), in("empty.go"), ""); err != nil {
		return err
	}
	if len(programs) == 0 {
		if err := build(in("render"), "./cmd/render", "-X pillbox.linkedHash="+pillbox.SourceHash()); err != nil {
			return err
		}
		programs = []string{in("render")}
	}
	commands := []*measured{{title: "an empty Go program", args: []string{in("empty")}}}
	for _, p := range programs {
		commands = append(commands,
			&measured{title: filepath.Base(p) + " version", args: []string{p, "version"}},
			&measured{title: filepath.Base(p) + ", 8 x 8 pixels", args: []string{p, in("small.toml"), "-o", in("small.png")}})
	}
	for range runs {
		for _, c := range commands {
			if err := c.run(); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%-36s %12s %12s %12s %12s\n", fmt.Sprintf("medians of %d runs", runs), "processor ms", "least", "memory MB", "page faults")
	for _, c := range commands {
		processor := c.sorted(func(c cost) int64 { return int64(c.processor) })
		memory := c.sorted(func(c cost) int64 { return c.memory })
		faults := c.sorted(func(c cost) int64 { return c.faults })
		middle := runs / 2
		fmt.Printf("%-36s %12.2f %12.2f %12.1f %12d\n", c.title, float64(processor[middle])/1e6, float64(processor[0])/1e6,
			float64(memory[middle])/1e6, faults[middle])
	}
	return nil
}

// build builds a program as a release does. It copies the file that the linker has written, because systems read copied
// files, and those from archives, in larger pieces: without a copy, the program would take a quarter longer.
func build(program, source, flags string) error {
	linked := program + ".linked"
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -buildid= "+flags, "-o", linked, source)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	return copyProgram(program, linked)
}

func copyProgram(to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o777)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, out.Close()) }()
	_, err = io.Copy(struct{ io.Writer }{out}, in) // in pieces that pass through memory, as a download does
	return err
}

// run runs the command once.
func (m *measured) run() error {
	cmd := exec.Command(m.args[0], m.args[1:]...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", m.title, err, out)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	m.runs = append(m.runs, cost{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), int64(usage.Maxrss) * 1024, int64(usage.Minflt)})
	return nil
}

// sorted returns one value of each run in ascending order.
func (m *measured) sorted(value func(cost) int64) []int64 {
	var all []int64
	for _, c := range m.runs {
		all = append(all, value(c))
	}
	slices.Sort(all)
	return all
}
