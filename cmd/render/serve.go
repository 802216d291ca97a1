package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/osfile"
	"pillbox/internal/play"
	"pillbox/internal/play/server"
	"pillbox/internal/version"
	"pillbox/scene"
	"pillbox/web"
)

func (p *program) serveCommand() *cobra.Command {
	s := &serving{program: p}
	cmd := &cobra.Command{
		Use:   "serve [SCENE]",
		Short: "Edit scenes in the browser: the playground",
		Long: `Serve a page where scenes are edited, rendered as one types and explained pixel by
pixel, until Ctrl-C. Its address is printed. With SCENE the page edits that file, saves
it, and follows what other programs write to it.

Only this machine is answered, unless --addr says otherwise; then --token is needed, and
who knows it may see and change SCENE.`,
		Example: `  render serve
  render serve scene.toml --open
  render serve --addr 0.0.0.0:8080 --token "$(openssl rand -hex 16)"`,
		GroupID:               groupPictures,
		DisableFlagsInUseLine: true,
		Args:                  wantArgs(0, 1, "at most one scene"),
		ValidArgsFunction:     sceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			s.cmd = cmd
			if len(args) > 0 {
				s.scene = args[0]
			}
			return s.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.Var(&textFlag{&s.addr, "HOST:PORT"}, "addr", "listen there; port 0 takes any that is free")
	s.addr = "127.0.0.1:8080"
	flags.Lookup("addr").DefValue = s.addr
	flags.BoolVar(&s.open, "open", false, "open the page in the browser")
	flags.Var(&textFlag{&s.token, "SECRET"}, "token", fmt.Sprintf("answer only who knows this secret of at least %d letters and digits", leastToken))
	for _, name := range []string{"addr", "token"} {
		noCompletion(cmd, name)
	}
	return cmd
}

// leastToken is the length of the shortest token: 16 hexadecimal digits are 64 bits.
const leastToken = 16

// maxServedBytes is the largest scene that is served: a request has all of it, written as JSON.
const maxServedBytes = 1 << 20

// serving is one call of serve.
type serving struct {
	*program
	cmd   *cobra.Command
	scene string // file name, or ""
	addr  string
	open  bool
	token string

	served *server.Served // nil: no scene
	inputs *watchedFiles
}

func (s *serving) run(ctx context.Context) error {
	if err := s.check(); err != nil {
		return err
	}
	listener, err := s.listen(ctx)
	if err != nil {
		return err
	}
	defer listener.Close()
	opt := play.Options{Name: "http", Version: "render " + version.Number}
	if s.scene != "" {
		if err := s.serveFile(); err != nil {
			return err
		}
		defer s.inputs.close()
		opt.File = s.served
	}
	handler, err := server.NewHandler(server.Options{
		Engine: play.New(opt),
		Pages:  web.Files(),
		Served: s.served,
		Token:  s.token,
		Log:    func(err error) { s.err.printf("render: %v\n", err) },
	})
	if err != nil {
		return err
	}
	address := s.address(listener)
	s.out.printf("%s\n", address)
	s.note("Ctrl-C ends")
	if s.open {
		s.openPage(address)
	}
	return s.untilInterrupted(ctx, handler, listener)
}

func (s *serving) check() error {
	plain := func(r rune) bool {
		return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '-' || r == '_'
	}
	odd := strings.ContainsFunc(s.token, func(r rune) bool { return !plain(r) })
	switch {
	case s.scene == standard:
		return misuse(s.cmd, "serve needs a file, not standard input")
	case s.cmd.Flags().Changed("token") && (odd || len(s.token) < leastToken):
		return misuse(s.cmd, "--token: must be at least %d letters and digits", leastToken)
	}
	return nil
}

// listen returns a listener that is open to this machine alone, or needs a token.
func (s *serving) listen(ctx context.Context) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", s.addr)
	var wrong *net.AddrError
	switch {
	case errors.As(err, &wrong):
		return nil, misuse(s.cmd, "--addr: must be HOST:PORT, got %q", s.addr)
	case err != nil:
		return nil, &failure{status: statusFile, err: err, hint: "choose another address with --addr"}
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); s.token == "" && (!ok || !tcp.IP.IsLoopback()) {
		l.Close()
		return nil, misuse(s.cmd, "--addr %s lets other machines in: give --token, too", s.addr)
	}
	return l, nil
}

// address returns that of the page, for a browser.
func (s *serving) address(l net.Listener) string {
	host := l.Addr().String()
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		host = fmt.Sprintf("127.0.0.1:%d", tcp.Port)
	}
	u := url.URL{Scheme: "http", Host: host, Path: "/"}
	if s.token != "" {
		u.Fragment = "token=" + s.token // which a browser keeps to itself
	}
	return u.String()
}

// serveFile prepares the scene's file, and starts to watch it.
func (s *serving) serveFile() (err error) {
	if s.served, err = server.NewServed(s.scene, servedDisk{s.files, s.scene}, maxServedBytes); err != nil {
		return err
	}
	if s.inputs, err = watchFiles(); err != nil {
		return err
	}
	if err := s.watchInputs(); err != nil {
		s.inputs.close()
		return err
	}
	return nil
}

// watchInputs watches the scene and the files that it names now. The error is about the scene: others may
// not be there.
func (s *serving) watchInputs() error {
	_, err := s.inputs.add(s.scene)
	for _, name := range s.served.Named() {
		_, _ = s.inputs.add(filepath.Join(filepath.Dir(s.scene), filepath.FromSlash(name)))
	}
	return err
}

// untilInterrupted answers requests until ctx ends.
func (s *serving) untilInterrupted(ctx context.Context, handler *server.Handler, listener net.Listener) error {
	httpServer := handler.Server()
	done := make(chan error, 1)
	go func() { done <- httpServer.Serve(listener) }()
	var changed <-chan struct{}
	if s.inputs != nil {
		changed = s.inputs.changed
	}
	for {
		select {
		case err := <-done:
			return err // the listener failed
		case <-changed:
			s.served.Refresh()
			if err := s.watchInputs(); err != nil {
				s.err.printf("render: %v\n", err)
			}
		case <-ctx.Done():
			handler.Close()
			return s.shutdown(httpServer, done)
		}
	}
}

// shutdown lets the answers end that are being written.
func (s *serving) shutdown(httpServer *http.Server, done <-chan error) error {
	const patience = 3 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := httpServer.Shutdown(ctx); err != nil {
		httpServer.Close()
	}
	<-done
	return &failure{status: statusInterrupted}
}

// openPage opens the page in the user's browser, or says that it cannot.
func (s *serving) openPage(address string) {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", address)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	default:
		cmd = exec.Command("xdg-open", address)
	}
	if err := cmd.Start(); err != nil {
		s.err.printf("render: no browser: %v\n", err)
		return
	}
	go func() { _ = cmd.Wait() }() // how it ends is its own business
}

// servedDisk is the file of a scene.
type servedDisk struct {
	files *osfile.Outputs
	name  string
}

func (d servedDisk) Read() ([]byte, error) { return scene.ReadFile(d.name) }

func (d servedDisk) Folder() fs.FS { return scene.Folder(filepath.Dir(d.name)) }

func (d servedDisk) Write(data []byte) error {
	return d.files.Write(d.name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
