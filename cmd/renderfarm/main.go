//go:build !js && !plan9

// Command renderfarm distributes the work of render over machines.
//
//	renderfarm serve                   run a server, if you have no NATS server with JetStream
//	renderfarm work URL                run a worker; any number of them, which may come and go
//	renderfarm status URL              list jobs and workers
//	renderfarm submit URL SCENE        submit a job without waiting for it
//	renderfarm list URL                list jobs
//	renderfarm log URL JOB             show what went wrong in a job
//	renderfarm wait URL JOB            wait until a job is done
//	renderfarm fetch URL JOB -o FILE   write the result of a job to a file
//	renderfarm pause URL JOB           pause a job; resume continues it
//	renderfarm cancel URL JOB          cancel a job
//	renderfarm resubmit URL JOB        continue a canceled or failed job
//	renderfarm coordinate URL          carry out submitted jobs, if the server is another NATS server
//	renderfarm purge URL               cancel all jobs and delete all results
//	renderfarm version                 print the version
//
// Then run "render SCENE --farm URL" anywhere. The exit status is 0 when done and 2 if the command line is wrong. It is
// 3 if a file or the server cannot be used, if the server refuses this machine, or if a unit cannot be rendered. It is
// 130 if interrupted.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/osfile"
)

func main() {
	cli.SurvivePipes()
	var files osfile.Outputs
	ctx := cli.Interruptible(func(error) {}, func() { // servers and workers first finish what others wait for
		files.Abandon()
		os.Exit(cli.StatusInterrupted)
	})
	os.Exit(run(ctx, os.Args[1:], streams{
		in:    cli.Input(os.Stdin),
		out:   cli.ScreenOn(os.Stdout),
		err:   cli.ScreenOn(os.Stderr),
		files: &files,
	}))
}

// streams are the inputs and outputs of the program.
type streams struct {
	in       io.Reader
	out, err cli.Screen
	files    *osfile.Outputs
}

// program is one run of the program.
type program struct{ streams }

// run runs the program and returns its exit status.
func run(ctx context.Context, args []string, std streams) int {
	p := &program{std}
	root := p.command()
	root.SetArgs(append([]string{}, args...)) // with nil, Cobra would use os.Args
	err := root.ExecuteContext(ctx)
	if failed := p.files.Abandon(); err == nil {
		err = failed
	}
	if errors.Is(err, context.Canceled) {
		return cli.StatusInterrupted // servers and workers run until they are interrupted
	}
	return cli.Report(&p.err, "renderfarm", err)
}

// command returns the root command with all others.
func (p *program) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "renderfarm COMMAND",
		Short:         "Distribute the work of render over machines",
		Long:          "Distribute the work of 'render SCENE --farm URL' to many machines, through a NATS server with JetStream.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cli.WantCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cli.ShowHelp(cmd, &p.err) },
	}
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(cli.FlagError)
	root.SetHelpCommand(cli.HelpCommand())
	root.AddCommand(p.serveCommand(), p.workCommand(), p.statusCommand(), p.submitCommand(), p.listCommand(), p.logCommand(),
		p.waitCommand(), p.fetchCommand(), p.pauseCommand(), p.resumeCommand(), p.cancelCommand(), p.resubmitCommand(), p.purgeCommand(),
		p.coordinateCommand(), p.versionCommand(), p.localCommand())
	root.SetOut(p.out)
	root.SetErr(p.err)
	return root
}

// log prints text for people, which may have several lines.
func (p *program) log(text string) {
	for line := range strings.Lines(text) {
		p.err.Printf("renderfarm: %s\n", strings.TrimSuffix(line, "\n"))
	}
}

// accessFlags adds the flags for access to a farm.
func accessFlags(cmd *cobra.Command, a *farm.Access) {
	flags := cmd.Flags()
	flags.Var(cli.Text(&a.Creds, "FILE"), "creds", "NATS credentials")
	flags.Var(cli.Text(&a.TLSCA, "FILE"), "tls-ca", "trust servers whose certificates are signed by those in FILE")
	flags.Var(cli.Text(&a.TokenFile, "FILE"), "token-file", "the server's token")
}

// connect connects a command to the farm with the given URL. It logs problems of the connection.
func (p *program) connect(ctx context.Context, cmd *cobra.Command, url string, a farm.Access) (*farm.Farm, error) {
	a.URL, a.Log = url, p.log
	f, err := farm.Connect(ctx, cmd.CommandPath(), a)
	return f, unconnected(cmd, err)
}

// unconnected returns err with its exit status. err is from a command that cannot connect to a farm.
func unconnected(cmd *cobra.Command, err error) error {
	if errors.Is(err, farm.ErrURL) {
		return cli.Misuse(cmd, "%w", err)
	}
	return cli.Unavailable(err)
}
