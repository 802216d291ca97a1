//go:build !js && !plan9

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/osfile"
)

// serving holds the flags of one run of `renderfarm serve`, or of the server of `renderfarm local`.
type serving struct {
	listen, store     string
	tokenFile         string
	workerTokenFile   string // file with the token for workers; "": none
	viewerTokenFile   string // file with the token for viewers; "": none
	cert, key         string
	http              string        // address of the status page; if empty, there is no page
	lease             time.Duration // for a new farm
	insecure, scratch bool          // insecure: other machines may connect without a token; scratch: a power failure may lose the store
}

// loopback is an address that other machines cannot reach.
const loopback = "127.0.0.1"

// maxPayload is the size of the largest message in bytes. The result of a unit of two million pixels fits into it.
const maxPayload = 8 << 20

// options returns the options of the server. It returns an error if a flag is invalid, or if anyone on the network could
// use the server and --insecure is not given.
func (s *serving) options(cmd *cobra.Command) (*server.Options, error) {
	host, port, err := net.SplitHostPort(s.listen)
	if err != nil {
		return nil, cli.Misuse(cmd, "--listen: must be HOST:PORT, got %q", s.listen)
	}
	n, err := strconv.Atoi(port)
	if err != nil || n < -1 || n > 65535 {
		return nil, cli.Misuse(cmd, "--listen: must be HOST:PORT, got %q", s.listen)
	}
	if n == 0 {
		n = server.RANDOM_PORT
	}
	o := &server.Options{Host: host, Port: n, JetStream: true, StoreDir: s.store, SyncAlways: !s.scratch, MaxPayload: maxPayload, NoSigs: true}
	if s.tokenFile != "" {
		if o.Authorization, err = readToken(cmd, "token-file", s.tokenFile); err != nil {
			return nil, err
		}
	}
	if s.hasRoles() {
		tokens, err := s.roles(cmd, o.Authorization)
		if err != nil {
			return nil, err
		}
		o.CustomClientAuthentication = tokens
	}
	if (s.cert == "") != (s.key == "") {
		return nil, cli.Misuse(cmd, "want both --tls-cert and --tls-key, or neither")
	}
	if s.cert != "" {
		o.TLS = true
		if o.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: s.cert, KeyFile: s.key}); err != nil {
			return nil, err
		}
	}
	ip := net.ParseIP(host)
	safe := host == "localhost" || ip != nil && ip.IsLoopback() || o.Authorization != ""
	switch {
	case !safe && !s.insecure:
		return nil, cli.Misuse(cmd, "a server on %s would accept work from anyone who can reach it; require a token with --token-file, or allow that with --insecure", s.listen)
	case safe && s.insecure:
		return nil, cli.Misuse(cmd, "--insecure has no effect with --token-file or on a loopback address such as %s", loopback)
	}
	return o, nil
}

// start starts a server and waits until clients can connect to it.
func (p *program) start(cmd *cobra.Command, s serving) (*server.Server, error) {
	o, err := s.options(cmd)
	if err != nil {
		return nil, err
	}
	srv, err := server.NewServer(o)
	if err != nil {
		return nil, cli.Unavailable(err)
	}
	l := &logger{program: p}
	srv.SetLoggerV2(l, false, false, false)
	go srv.Start()
	for deadline := time.Now().Add(30 * time.Second); ; {
		if srv.ReadyForConnections(100 * time.Millisecond) {
			if tokens, ok := o.CustomClientAuthentication.(*roles); ok {
				err = tokens.open(srv)
			}
			return srv, err
		}
		if err := l.failure(); err != nil || time.Now().After(deadline) {
			srv.Shutdown()
			return nil, cli.Unavailable(errors.Join(err, errors.New("the server does not start")))
		}
	}
}

func (p *program) serveCommand() *cobra.Command {
	var s serving
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run a server for a farm",
		Long: `Run a NATS server with JetStream, set up for a farm, until Ctrl-C or SIGTERM. Restarted
with the same --store, it continues where it stopped, even after a power failure.`,
		Args: cli.WantArgs(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.CheckFlags(cmd, cli.Needs("lease", "http", "worker-token-file", "viewer-token-file"),
				cli.Needs("worker-token-file", "token-file"), cli.Needs("viewer-token-file", "token-file")); err != nil {
				return err
			}
			if _, err := s.options(cmd); err != nil { // before the folder is created
				return err
			}
			release, err := osfile.Reserve(s.store) // two servers would destroy each other's data
			if err != nil {
				return cli.Unavailable(err)
			}
			defer release()
			srv, err := p.start(cmd, s)
			if err != nil {
				return err
			}
			running := &served{srv: srv}
			defer running.shutDown()
			fmt.Fprintf(p.out, "%s\n", srv.ClientURL())
			if s.http != "" || s.hasRoles() {
				stop, err := p.accompany(cmd, s, running)
				if err != nil {
					return err
				}
				defer stop()
			}
			defer p.coordinateOn(cmd.Context(), s, running)()
			p.restartWhenWritable(cmd, s, running)
			return context.Cause(cmd.Context())
		},
	}
	flags := cmd.Flags()
	s.listen, s.store = loopback+":4222", "renderfarm-store"
	flags.Var(cli.Text(&s.listen, "HOST:PORT"), "listen", "address to listen on; port 0 picks a free port, which is printed")
	flags.Var(cli.Text(&s.store, "DIR"), "store", "store all data in DIR")
	flags.Var(cli.Text(&s.tokenFile, "FILE"), "token-file", "require the token in FILE")
	flags.Var(cli.Text(&s.workerTokenFile, "FILE"), "worker-token-file", "also accept the token in FILE, for workers, which can neither submit nor delete anything with it")
	flags.Var(cli.Text(&s.viewerTokenFile, "FILE"), "viewer-token-file", "also accept the token in FILE, for status, list and log alone")
	flags.Var(cli.Text(&s.cert, "FILE"), "tls-cert", "serve TLS with the certificate in FILE")
	flags.Var(cli.Text(&s.key, "FILE"), "tls-key", "the certificate's key")
	flags.Var(cli.Text(&s.http, "HOST:PORT"), "http", "serve a status page, metrics for Prometheus and health probes on this address")
	s.lease = farm.DefaultLease
	flags.Var(cli.Duration(&s.lease), "lease", "with --http or tokens of roles, for a new farm: how long a silent worker keeps a unit, 1s to 1h")
	flags.BoolVar(&s.insecure, "insecure", false, "accept connections from other machines without a token")
	return cmd
}
