//go:build !js && !plan9

package main

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
)

func (p *program) coordinateCommand() *cobra.Command {
	var a farm.Access
	cmd := &cobra.Command{
		Use:   "coordinate URL",
		Short: "Carry out submitted jobs",
		Long: `Put the units of submitted jobs into the queue, order audits and give slow units to
second workers, until Ctrl-C or SIGTERM. 'renderfarm serve' does this, too; run this
command if the server is another NATS server. If it runs on several machines, one of
them works, and another takes over when that one is silent.`,
		Args: cli.WantArgs(1, 1, "the URL of a server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Patience, a.Await = -1, true
			f, err := p.connect(cmd.Context(), cmd, args[0], a)
			if err != nil {
				return err
			}
			defer f.Close()
			return cli.Unavailable(p.coordinate(cmd.Context(), f))
		},
	}
	accessFlags(cmd, &a)
	return cmd
}

// coordinate carries out submitted jobs until ctx or the connection ends.
func (p *program) coordinate(ctx context.Context, f *farm.Farm) error {
	host, _ := os.Hostname() // "" if the name is unknown
	return f.Coordinate(ctx, host, p.log)
}

// coordinateOn carries out the submitted jobs of the server srv until the returned function stop is called.
// It waits until a program has set up the farm.
func (p *program) coordinateOn(ctx context.Context, s serving, srv *served) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		const again = 10 * time.Second // Connect fails for a farm of another renderer, until someone purges the farm
		for ctx.Err() == nil {
			f, err := farm.Connect(ctx, "coordinator", farm.Access{URL: srv.ClientURL(), TokenFile: s.tokenFile, Server: srv, Patience: -1, Await: true})
			if err == nil {
				err = p.coordinate(ctx, f)
				f.Close()
			}
			if ctx.Err() == nil {
				p.log("submitted jobs are not carried out: " + err.Error())
			}
			select {
			case <-time.After(again):
			case <-ctx.Done():
			}
		}
	})
	return func() {
		cancel()
		running.Wait()
	}
}
