package program

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
)

// Main runs the program with some wings on the command line and the standard streams of this process, and exits.
func Main(wings ...command.Wing) {
	cli.SurvivePipes()
	var files osfile.Outputs
	p := command.NewEnv(command.Streams{
		In:    cli.Input(os.Stdin),
		Out:   cli.ScreenOn(os.Stdout),
		Err:   cli.ScreenOn(os.Stderr),
		Files: &files,
	}, wings)
	kill := func() {
		files.Abandon()
		os.Exit(cli.StatusInterrupted)
	}
	late := func(cause error) {
		for p.IsSaving(cause) {
			time.Sleep(cli.Grace)
		}
		p.Report(context.Canceled)
		kill()
	}
	os.Exit(Execute(cli.Interruptible(late, kill), p, os.Args[1:]))
}

// Run runs the program and returns its exit status. If ctx ends because the user interrupts, run may return
// while a scene is still being read in the background; the process is about to end anyway.
func Run(ctx context.Context, args []string, std command.Streams, wings ...command.Wing) int {
	return Execute(ctx, command.NewEnv(std, wings), args)
}

// Execute runs the program in an environment.
func Execute(ctx context.Context, p *command.Env, args []string) int {
	return execute(ctx, p, newFor(p, args), args)
}

// execute is Execute with a tree of commands.
func execute(ctx context.Context, p *command.Env, root *cobra.Command, args []string) int {
	defer func() { p.Interrupt() }()
	root.SetArgs(append([]string{}, args...)) // with nil, Cobra would use os.Args
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	err := root.ExecuteContext(ctx)
	// A function that await left running may still write files. Abandon prevents this.
	if failed := p.Files.Abandon(); err == nil {
		err = failed
	}
	if p.Results.Err != nil {
		err = p.Results.Err // printing the results failed
	}
	return p.Report(err)
}
