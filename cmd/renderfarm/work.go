//go:build !js && !plan9

package main

import (
	"context"
	"io"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/text"
)

// working holds the flags of one run of `renderfarm work`.
type working struct {
	*program
	access   farm.Access
	worker   farm.Worker
	cache    int // in gigabytes
	untilEOF bool
}

// checkLease returns an error unless the lease is from one second to one hour.
func checkLease(cmd *cobra.Command, lease time.Duration) error {
	if lease < time.Second || lease > time.Hour {
		return cli.Misuse(cmd, "--lease: must be 1s to 1h, got %v", lease)
	}
	return nil
}

func (p *program) workCommand() *cobra.Command {
	const usualCache, usualReplicas = 10, 1
	w := &working{program: p, cache: usualCache, worker: farm.Worker{Log: p.log}}
	w.access.Replicas, w.access.Lease = usualReplicas, farm.DefaultLease
	w.access.Patience = -1
	cmd := &cobra.Command{
		Use:   "work URL",
		Short: "Run a worker, which renders units from the queue",
		Long: `Render the units of all jobs in the queue until Ctrl-C or SIGTERM; other workers
then take over the units in progress. The farm refuses workers that render other bits
than the others, or have another version.`,
		Args: cli.WantArgs(1, 1, "the URL of a server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkLease(cmd, w.access.Lease); err != nil {
				return err
			}
			if cli.Given(cmd, "cache-size") && w.worker.Cache.Dir == "" {
				return cli.Misuse(cmd, "--cache-size needs --cache")
			}
			return w.run(cmd, args[0])
		},
	}
	accessFlags(cmd, &w.access)
	flags := cmd.Flags()
	flags.Var(cli.Int(&w.worker.Slots, 1, math.MaxInt16), "slots", "render N units at once (default: one per processor)")
	flags.Var(cli.Text(&w.worker.Cache.Dir, "DIR"), "cache", "keep the files of scenes in DIR")
	flags.Var(cli.Int(&w.cache, 1, math.MaxInt16), "cache-size", "keep at most N gigabytes there")
	flags.Var(cli.Int(&w.access.Replicas, 1, 5), "replicas", "for a new farm: store everything on N servers of the cluster")
	flags.Var(cli.Duration(&w.access.Lease), "lease", "for a new farm: how long a silent worker keeps a unit, 1s to 1h")
	flags.BoolVar(&w.untilEOF, "until-eof", false, "end when standard input does")
	cli.Must(flags.MarkHidden("until-eof"))
	return cmd
}

func (w *working) run(cmd *cobra.Command, url string) error {
	if dir := w.worker.Cache.Dir; dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	const gigabyte = 1e9
	w.worker.Cache.Most = int64(w.cache) * gigabyte
	w.worker.Name, _ = os.Hostname() // "" if the name is unknown
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	if w.untilEOF {
		go func() { _, _ = io.Copy(io.Discard, w.in); cancel() }()
	}
	var err error
	if w.worker.Farm, err = w.connect(ctx, cmd, url, w.access); err != nil {
		return err
	}
	defer w.worker.Farm.Close()
	if got := w.worker.Farm.Lease(); cli.Given(cmd, "lease") && got != w.access.Lease {
		return cli.Misuse(cmd, "--lease: the farm has a lease of %v, which the first program has set", got)
	}
	if got := w.worker.Farm.Replicas(); cli.Given(cmd, "replicas") && got != w.access.Replicas {
		return cli.Misuse(cmd, "--replicas: the farm stores everything on %s, which the first program has set", text.Count(got, "server"))
	}
	return cli.Unavailable(w.worker.Run(ctx))
}
