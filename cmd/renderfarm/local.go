//go:build !js && !plan9

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
)

// localCommand returns the command that 'render --farm local:N' starts. It runs a server and workers until its standard
// input ends.
func (p *program) localCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "local N",
		Hidden: true,
		Args:   cli.WantArgs(1, 1, "the number of workers"),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 {
				return cli.Misuse(cmd, "want the number of workers, got %q", args[0])
			}
			return p.local(cmd, n)
		},
	}
}

func (p *program) local(cmd *cobra.Command, n int) error {
	ctx := cmd.Context()
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := p.files.TempFolder("renderfarm-")
	if err != nil {
		return err
	}
	defer p.files.RemoveFolder(dir)
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte(rand.Text()), 0o600); err != nil {
		return err
	}
	srv, err := p.start(cmd, serving{listen: "127.0.0.1:0", store: filepath.Join(dir, "store"), tokenFile: token, scratch: true})
	if err != nil {
		return err
	}
	defer srv.WaitForShutdown()
	defer srv.Shutdown()
	a := farm.Access{URL: srv.ClientURL(), TokenFile: token}
	f, err := p.connect(ctx, cmd, a.URL, a) // creates the farm's streams, so that the workers do not all try to
	if err != nil {
		return err
	}
	f.Close()
	var workers sync.WaitGroup
	defer workers.Wait()
	for range n {
		worker := exec.CommandContext(ctx, exe, "work", a.URL, "--token-file", token, "--slots", "1", "--until-eof")
		worker.Stderr = p.err
		in, err := worker.StdinPipe()
		if err != nil {
			return err
		}
		if err := worker.Start(); err != nil {
			return err
		}
		workers.Go(func() { _ = worker.Wait() }) // the worker reports its own errors
		defer in.Close()
	}
	if err := json.NewEncoder(p.out).Encode(a); err != nil {
		return err
	}
	over, gone := make(chan struct{}), make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, p.in); close(over) }()
	go func() { workers.Wait(); close(gone) }()
	select {
	case <-over:
		return nil
	case <-gone:
		return cli.Unavailable(errors.New("all workers have ended"))
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
