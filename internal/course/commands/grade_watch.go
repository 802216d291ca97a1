package commands

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile/watch"
)

// keepGrading grades the stages, and again whenever a file of the command is saved, until ctx ends.
func (g *grading) keepGrading(ctx context.Context, names []string) error {
	files := commandFiles(g.command)
	if len(files) == 0 {
		return cli.Misuse(g.cmd, "--watch needs a command that names a file, such as 'python3 tracer.py', got %q", g.command)
	}
	inputs := watch.Start()
	defer inputs.Close()
	for ctx.Err() == nil {
		if found := commandFiles(g.command); len(found) > 0 { // none while an editor replaces the only one
			files = found
		}
		command.Repeat(ctx, inputs, func(current context.Context) { g.again(current, inputs, files, names) })
	}
	return &cli.Failure{Status: cli.StatusInterrupted}
}

// again grades the stages once, prints an error if there is one, and names the watched files. It stops
// silently if the context current ends.
func (g *grading) again(current context.Context, inputs *watch.Files, files, names []string) {
	inputs.Begin()
	for _, name := range files {
		inputs.Look(name)
	}
	inputs.End()
	g.Clear()
	err := g.round(current, names)
	if current.Err() != nil {
		return
	}
	if f := cli.FailureOf(err); err != nil && f.Err != nil {
		g.Report(err)
	}
	others := ""
	if n := len(files) - 1; n > 0 {
		others = fmt.Sprintf(" and %d more", n)
	}
	g.Note("Watching %s%s (Ctrl-C to stop)", files[0], others)
}

// mostWatched is the largest number of files to watch in one folder.
const mostWatched = 1000

// commandFiles returns the files to watch for a command: the arguments that are files, the program unless
// it is found in PATH, and then all files in the same folders with the same extensions. Such neighbors may
// belong to the same program.
func commandFiles(command []string) []string {
	var all []string
	add := func(name string) {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	arguments := slices.Clone(command[1:])
	if program := command[0]; filepath.Base(program) != program { // otherwise it is found in PATH
		arguments = append(arguments, program)
	}
	var named []string
	for _, arg := range arguments {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			named = append(named, arg)
			add(filepath.Clean(arg))
		}
	}
	for _, name := range named {
		extension := filepath.Ext(name)
		if extension == "" {
			continue
		}
		entries, _ := os.ReadDir(filepath.Dir(name)) // if this fails, only the named files are watched
		for _, e := range entries[:min(len(entries), mostWatched)] {
			if e.Type().IsRegular() && filepath.Ext(e.Name()) == extension {
				add(filepath.Join(filepath.Dir(name), e.Name()))
			}
		}
	}
	return all
}
