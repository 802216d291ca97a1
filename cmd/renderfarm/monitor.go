//go:build !js && !plan9

package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/farm/monitor"
)

// accompany sets up the farm on the server srv. Clients cannot do this themselves if they have only the
// token for workers or viewers. If --http was given, accompany also serves the status page and prints its
// address. The returned function stop closes the connection and the page.
func (p *program) accompany(cmd *cobra.Command, s serving, srv *served) (stop func(), err error) {
	if err := checkLease(cmd, s.lease); err != nil {
		return nil, err
	}
	f, err := p.connect(cmd.Context(), cmd, srv.ClientURL(), farm.Access{TokenFile: s.tokenFile, Lease: s.lease, Server: srv})
	if err != nil {
		return nil, err
	}
	if s.workerTokenFile != "" {
		if err := f.OpenGate(); err != nil {
			f.Close()
			return nil, err
		}
	}
	if s.http == "" {
		return f.Close, nil
	}
	stopMonitor, err := p.startMonitor(cmd, s, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { stopMonitor(); f.Close() }, nil
}

// startMonitor serves the status page of a farm, and prints the page's address. The returned function stop
// ends the page.
func (p *program) startMonitor(cmd *cobra.Command, s serving, f *farm.Farm) (stop func(), err error) {
	if _, _, err := net.SplitHostPort(s.http); err != nil {
		return nil, cli.Misuse(cmd, "--http: must be HOST:PORT, got %q", s.http)
	}
	token := ""
	if s.tokenFile != "" {
		if token, err = readToken(cmd, "token-file", s.tokenFile); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", s.http)
	if err != nil {
		return nil, cli.Unavailable(err)
	}
	const patience = 10 * time.Second // with clients that read or write slowly
	web := &http.Server{Handler: monitor.New(f, token), ReadTimeout: patience, WriteTimeout: 2 * patience, MaxHeaderBytes: 1 << 14}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			p.log("the status page: " + err.Error())
		}
	}()
	fmt.Fprintf(p.out, "http://%s\n", listener.Addr())
	return func() {
		_ = web.Close()
		<-done
	}, nil
}
