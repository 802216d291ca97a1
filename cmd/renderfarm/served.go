//go:build !js && !plan9

package main

import (
	"errors"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/spf13/cobra"
)

// served is the server of `renderfarm serve`, which can restart. It is the [nats.InProcessConnProvider] of the programs in this
// process, which connect again after a restart.
type served struct {
	mu  sync.Mutex
	srv *server.Server
}

func (s *served) current() *server.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.srv
}

func (s *served) replace(srv *server.Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.srv = srv
}

// ClientURL returns the URL of the server for clients.
func (s *served) ClientURL() string { return s.current().ClientURL() }

// InProcessConn returns a connection to the server.
func (s *served) InProcessConn() (net.Conn, error) { return s.current().InProcessConn() }

func (s *served) shutDown() {
	srv := s.current()
	srv.Shutdown()
	srv.WaitForShutdown()
}

// restartWhenWritable restarts the server each time that its store can be written again after a failure, such as that of a full
// disk: NATS refuses to write to a stream after a failure until the server restarts. It returns when the context of cmd ends.
func (p *program) restartWhenWritable(cmd *cobra.Command, s serving, running *served) {
	const period = 2 * time.Second
	s.listen = running.current().Addr().String() // also if the port was picked
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-cmd.Context().Done():
			return
		case <-ticker.C:
		}
		if !hasFailedToStore(running.current()) || !hasSpace(s.store) {
			continue
		}
		running.shutDown()
		srv, err := p.start(cmd, s)
		if err != nil {
			p.log("the server does not restart, trying again: " + err.Error())
			continue
		}
		running.replace(srv)
		p.log("the store can be written again: the server has restarted")
	}
}

// hasFailedToStore reports whether the server could not write to its store, has turned off JetStream because of that, or did
// not restart.
func hasFailedToStore(srv *server.Server) bool {
	if !srv.Running() || !srv.JetStreamEnabled() {
		return true
	}
	health := srv.Healthz(&server.HealthzOptions{Details: true})
	return slices.ContainsFunc(health.Errors, func(e server.HealthzError) bool { return strings.Contains(e.Error, "write error") })
}

// hasSpace reports whether the largest message fits into a folder.
func hasSpace(folder string) bool {
	f, err := os.CreateTemp(folder, ".space-*")
	if err != nil {
		return false
	}
	_, err = f.Write(make([]byte, maxPayload))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name())) == nil
}
