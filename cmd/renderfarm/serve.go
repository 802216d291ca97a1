//go:build !js && !plan9

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/spf13/cobra"

	"pillbox/internal/farm"
)

// serving is how a server is set up.
type serving struct {
	listen, store     string
	tokenFile         string
	cert, key         string
	insecure, scratch bool // anybody may connect; what is stored need not outlive the machine
}

// maxPayload is the largest message: the pixels of a unit of two million.
const maxPayload = 8 << 20

// options returns those of the server, or an error if it would be open to everybody.
func (s *serving) options() (*server.Options, error) {
	host, port, err := net.SplitHostPort(s.listen)
	if err != nil {
		return nil, misuse{fmt.Errorf("--listen: must be HOST:PORT, got %q", s.listen)}
	}
	n, err := strconv.Atoi(port)
	if err != nil || n < -1 || n > 65535 {
		return nil, misuse{fmt.Errorf("--listen: must be HOST:PORT, got %q", s.listen)}
	}
	if n == 0 {
		n = server.RANDOM_PORT
	}
	o := &server.Options{Host: host, Port: n, JetStream: true, StoreDir: s.store, SyncAlways: !s.scratch, MaxPayload: maxPayload, NoSigs: true}
	if s.tokenFile != "" {
		token, err := os.ReadFile(s.tokenFile)
		if err != nil {
			return nil, err
		}
		if o.Authorization = strings.TrimSpace(string(token)); len(o.Authorization) < 16 {
			return nil, misuse{fmt.Errorf("--token-file: %s must hold at least 16 characters", s.tokenFile)}
		}
	}
	if (s.cert == "") != (s.key == "") {
		return nil, misuse{errors.New("--tls-cert and --tls-key belong together")}
	}
	if s.cert != "" {
		o.TLS = true
		if o.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: s.cert, KeyFile: s.key}); err != nil {
			return nil, err
		}
	}
	ip := net.ParseIP(host)
	if loopback := host == "localhost" || ip != nil && ip.IsLoopback(); !loopback && o.Authorization == "" && !s.insecure {
		return nil, misuse{fmt.Errorf("a server on %s would take work from everybody who reaches it; --token-file says who may, --insecure that all may", s.listen)}
	}
	return o, nil
}

// start starts a server.
func (p *program) start(s serving) (*server.Server, error) {
	o, err := s.options()
	if err != nil {
		return nil, err
	}
	srv, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	l := &logger{program: p}
	srv.SetLoggerV2(l, false, false, false)
	go srv.Start()
	for deadline := time.Now().Add(30 * time.Second); ; {
		if srv.ReadyForConnections(100 * time.Millisecond) {
			return srv, nil
		}
		if err := l.failure(); err != nil || time.Now().After(deadline) {
			srv.Shutdown()
			return nil, errors.Join(err, errors.New("the server does not start"))
		}
	}
}

// logger prints what is wrong with the server.
type logger struct {
	*program
	mu    sync.Mutex
	fatal error
}

func (l *logger) Noticef(string, ...any)            {}
func (l *logger) Debugf(string, ...any)             {}
func (l *logger) Tracef(string, ...any)             {}
func (l *logger) Warnf(format string, args ...any)  { l.say(format, args...) }
func (l *logger) Errorf(format string, args ...any) { l.say(format, args...) }
func (l *logger) Fatalf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fatal = fmt.Errorf(format, args...)
}

func (l *logger) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}

func (p *program) serveCommand() *cobra.Command {
	var s serving
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run a server for a farm",
		Long: `Run a NATS server with JetStream that has what a farm needs, until Ctrl-C or SIGTERM. Started
again with the same --store it goes on where it was, also after a power cut.`,
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			srv, err := p.start(s)
			if err != nil {
				return err
			}
			fmt.Fprintf(p.out, "%s\n", srv.ClientURL())
			<-cmd.Context().Done()
			srv.Shutdown()
			srv.WaitForShutdown()
			return context.Cause(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.listen, "listen", "127.0.0.1:4222", "listen on `HOST:PORT`; port 0 is a free one, which is printed")
	flags.StringVar(&s.store, "store", "renderfarm-store", "keep everything in `DIR`")
	flags.StringVar(&s.tokenFile, "token-file", "", "let in who has the token in `FILE`")
	flags.StringVar(&s.cert, "tls-cert", "", "serve TLS with the certificate in `FILE`")
	flags.StringVar(&s.key, "tls-key", "", "its key, in `FILE`")
	flags.BoolVar(&s.insecure, "insecure", false, "let in everybody, beyond this machine, too")
	return cmd
}

// localCommand is what 'render --farm local:N' starts: a server with workers, as long as standard input lasts.
func (p *program) localCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "local N",
		Hidden: true,
		Args:   exactly(1, "the number of workers"),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 {
				return misuse{fmt.Errorf("want the number of workers, got %q", args[0])}
			}
			return p.local(cmd.Context(), n)
		},
	}
}

func (p *program) local(ctx context.Context, n int) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "renderfarm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte(rand.Text()), 0o600); err != nil {
		return err
	}
	srv, err := p.start(serving{listen: "127.0.0.1:0", store: filepath.Join(dir, "store"), tokenFile: token, scratch: true})
	if err != nil {
		return err
	}
	defer srv.WaitForShutdown()
	defer srv.Shutdown()
	a := farm.Access{URL: srv.ClientURL(), TokenFile: token}
	f, err := farm.Connect(ctx, "renderfarm local", a) // sets the farm up, so that the workers need not vie for that
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
		workers.Go(func() { _ = worker.Wait() }) // it says itself what is wrong
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
		return errors.New("all workers have ended")
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
