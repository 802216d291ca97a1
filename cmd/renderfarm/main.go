//go:build !js && !plan9

// Command renderfarm spreads the work of render over machines.
//
//	renderfarm serve                   a server, for those who have no NATS server with JetStream
//	renderfarm work URL                a worker; as many as you like, they come and go
//	renderfarm status URL              jobs and workers
//	renderfarm cancel URL JOB          end a job
//
// and then, anywhere, "render SCENE --farm URL". The exit status is 0 when done, 2 if the command line is
// wrong, 3 if the server cannot be reached or this machine must not take part, and 130 if interrupted.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/farm"
	"pillbox/internal/text"
)

// Exit statuses.
const (
	statusDone        = 0
	statusWrong       = 2   // the command line is wrong
	statusFarm        = 3   // the server cannot be reached, or does not take this machine
	statusInterrupted = 130 // also of a server or a worker that was told to end
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// program is one run.
type program struct {
	in       io.Reader
	out, err io.Writer
}

// misuse is an error about the command line.
type misuse struct{ error }

func run(ctx context.Context, args []string, in io.Reader, out, errors_ io.Writer) int {
	p := &program{in, out, errors_}
	root := &cobra.Command{
		Use:           "renderfarm COMMAND",
		Short:         "Spread the work of render over machines",
		Long:          "Spread the work of 'render SCENE --farm URL' over machines, by way of a NATS server with JetStream.",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return misuse{err} })
	root.AddCommand(p.serveCommand(), p.workCommand(), p.statusCommand(), p.cancelCommand(), p.localCommand())
	root.SetArgs(append([]string{}, args...))
	root.SetOut(out)
	root.SetErr(errors_)
	err := root.ExecuteContext(ctx)
	var wrong misuse
	switch {
	case err == nil:
		return statusDone
	case errors.Is(err, context.Canceled):
		return statusInterrupted
	case errors.As(err, &wrong), strings.HasPrefix(err.Error(), "unknown command"):
		p.say("%v\nrun 'renderfarm --help' for help", err)
		return statusWrong
	}
	p.say("%v", err)
	return statusFarm
}

// say prints a line for people.
func (p *program) say(format string, args ...any) {
	for line := range strings.Lines(fmt.Sprintf(format, args...)) {
		fmt.Fprintf(p.err, "renderfarm: %s\n", text.Escape(strings.TrimSuffix(line, "\n")))
	}
}

// exactly returns a check for the number of arguments.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return misuse{fmt.Errorf("want %s, got %q", what, args)}
		}
		return nil
	}
}

// accessFlags adds the flags that say how to get in.
func accessFlags(cmd *cobra.Command, a *farm.Access) {
	cmd.Flags().StringVar(&a.Creds, "creds", "", "NATS credentials, from `FILE`")
	cmd.Flags().StringVar(&a.TLSCA, "tls-ca", "", "trust servers whose certificates are signed by those in `FILE`")
	cmd.Flags().StringVar(&a.TokenFile, "token-file", "", "the server's token, from `FILE`")
}

func (p *program) workCommand() *cobra.Command {
	var a farm.Access
	var untilEOF bool
	var cache int64 // gigabytes
	w := farm.Worker{Log: func(text string) { p.say("%s", text) }}
	cmd := &cobra.Command{
		Use:   "work URL",
		Short: "Render what is waiting, until it is told to end",
		Long: `Render the units of jobs, whoever's, until it is told to end: by Ctrl-C or SIGTERM; what is
under way then goes to other workers. A machine that renders other bits than all others, or is of another version, is
refused.`,
		Args: exactly(1, "the URL of a server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.URL = args[0]
			switch {
			case w.Slots < 0 || w.Slots > math.MaxInt16:
				return misuse{fmt.Errorf("--slots: must be 1 to %d, got %d", math.MaxInt16, w.Slots)}
			case cache < 1 || cache > math.MaxInt16:
				return misuse{fmt.Errorf("--cache-size: must be 1 to %d, got %d", math.MaxInt16, cache)}
			case a.Replicas < 1 || a.Replicas > 5:
				return misuse{fmt.Errorf("--replicas: must be 1 to 5, got %d", a.Replicas)}
			case a.Lease < time.Second || a.Lease > time.Hour:
				return misuse{fmt.Errorf("--lease: must be 1s to 1h, got %v", a.Lease)}
			}
			if w.Cache.Dir != "" {
				if err := os.MkdirAll(w.Cache.Dir, 0o700); err != nil {
					return err
				}
			}
			w.Cache.Most = cache * 1e9
			w.Name, _ = os.Hostname() // "" will do
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			if untilEOF {
				go func() { _, _ = io.Copy(io.Discard, p.in); cancel() }()
			}
			var err error
			if w.Farm, err = farm.Connect(ctx, "renderfarm work", a); err != nil {
				return err
			}
			defer w.Farm.Close()
			return w.Run(ctx)
		},
	}
	accessFlags(cmd, &a)
	cmd.Flags().IntVar(&w.Slots, "slots", 0, "render `N` units at once (default: one per processor)")
	cmd.Flags().StringVar(&w.Cache.Dir, "cache", "", "keep the files of scenes in `DIR`")
	cmd.Flags().Int64Var(&cache, "cache-size", 10, "keep at most `N` gigabytes there")
	cmd.Flags().IntVar(&a.Replicas, "replicas", 1, "if the farm is new: keep everything on `N` servers of the cluster")
	cmd.Flags().DurationVar(&a.Lease, "lease", 30*time.Second, "if the farm is new: how long a worker that is silent keeps a unit")
	cmd.Flags().BoolVar(&untilEOF, "until-eof", false, "end when standard input does")
	if err := cmd.Flags().MarkHidden("until-eof"); err != nil {
		panic(err)
	}
	return cmd
}

func (p *program) statusCommand() *cobra.Command {
	var a farm.Access
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status URL",
		Short: "Show jobs and workers",
		Args:  exactly(1, "the URL of a server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.URL = args[0]
			f, err := farm.Connect(cmd.Context(), "renderfarm status", a)
			if err != nil {
				return err
			}
			defer f.Close()
			s, err := f.Status(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(p.out).Encode(s)
			}
			return p.showStatus(s)
		},
	}
	accessFlags(cmd, &a)
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (p *program) showStatus(s *farm.Status) error {
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "JOB\tSCENE\tUNITS\tDONE\tRUNNING\tWAITING\tTIME LEFT")
	for _, j := range s.Jobs {
		left := "unknown"
		if j.Left >= 0 {
			left = time.Duration(j.Left * float64(time.Second)).Round(time.Second).String()
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s\n", j.ID, text.Escape(j.Name), j.Units, j.Done, j.Running, j.Waiting, left)
	}
	fmt.Fprintln(w, "\nWORKER\tSLOTS\tRUNNING\tUNITS DONE\tPIXELS/S AND SLOT\tUP")
	for _, k := range s.Workers {
		running := 0
		for _, n := range k.Running {
			running += n
		}
		rate := "-"
		if k.Busy > 0 {
			rate = fmt.Sprintf("%.0f", float64(k.Pixels)/k.Busy)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%v\n", text.Escape(k.ID), k.Slots, running, k.Units, rate, time.Duration(k.Uptime)*time.Second)
	}
	return w.Flush()
}

func (p *program) cancelCommand() *cobra.Command {
	var a farm.Access
	cmd := &cobra.Command{
		Use:   "cancel URL JOB",
		Short: "End a job; what is rendered is kept",
		Args:  exactly(2, "the URL of a server and a job"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.URL = args[0]
			f, err := farm.Connect(cmd.Context(), "renderfarm cancel", a)
			if err != nil {
				return err
			}
			defer f.Close()
			return f.Cancel(cmd.Context(), args[1])
		},
	}
	accessFlags(cmd, &a)
	return cmd
}
