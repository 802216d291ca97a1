package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/osfile/watch"
	"pillbox/internal/play"
	"pillbox/internal/play/server"
	"pillbox/internal/version"
	"pillbox/scene"
	"pillbox/web"
)

func newServe(p *command.Env) *cobra.Command {
	s := &serving{Env: p}
	cmd := &cobra.Command{
		Use:   "serve [SCENE]",
		Short: "Edit scenes in the browser: the playground",
		Long: `Serve a page to edit scenes, render them while you type and explain them pixel by
pixel, until Ctrl-C. With SCENE the page edits that file, saves it, and shows the changes
of other programs.

The command prints the page's address, which ends in a secret token, a new one in each
run. Anyone with that address can read and change SCENE. Without it, no one can, not
even other users of this machine. To keep one address, store a token in a file that only
you can read, and name the file with --token-file. --token does the same, but other
users of the machine can read it in the process list.

The page can read the files that SCENE named when the command started. The server listens
on this machine only; --addr opens it to others.`,
		Example: `  render serve
  render serve scene.toml --open
  render serve --addr 0.0.0.0:8080 --token-file token.txt`,
		GroupID:               command.GroupPictures,
		DisableFlagsInUseLine: true,
		Args:                  cli.WantArgs(0, 1, "at most one scene"),
		ValidArgsFunction:     command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			s.cmd = cmd
			if len(args) > 0 {
				s.scene = args[0]
			}
			return s.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.Var(cli.Text(&s.addr, "HOST:PORT"), "addr", "listen on this address; port 0 picks a free one")
	s.addr = "127.0.0.1:8080"
	flags.Lookup("addr").DefValue = s.addr
	flags.BoolVar(&s.open, "open", false, "open the page in the browser")
	flags.Var(cli.Text(&s.tokenFile, "FILE"), "token-file", "use the token in FILE instead of a new one")
	flags.Var(cli.Text(&s.token, "SECRET"), "token", fmt.Sprintf("use this token, at least %d letters and digits; visible in the list of processes", server.LeastToken))
	cli.NoCompletion(cmd, "addr", "token")
	return cmd
}

// maxServedBytes is the largest size of a served scene; each request contains the whole scene as JSON.
const maxServedBytes = 1 << 20

// serving holds the flags and the state of one run of `render serve`.
type serving struct {
	*command.Env
	cmd   *cobra.Command
	scene string // file name, or ""
	addr  string
	open  bool

	tokenFile string
	token     string

	served *server.Served // nil: no scene
	inputs *watch.Files
}

func (s *serving) run(ctx context.Context) error {
	if err := s.check(); err != nil {
		return err
	}
	if err := s.chooseToken(); err != nil {
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
		defer s.inputs.Close()
		opt.File = s.served
	}
	handler, err := server.NewHandler(server.Options{
		Engine: play.New(opt),
		Pages:  web.Files(),
		Served: s.served,
		Token:  s.token,
		Others: s.Requests(),
		Log:    func(err error) { s.Err.Printf("render: %v\n", err) },
	})
	if err != nil {
		return err
	}
	address := server.PageURL(listener.Addr(), s.token)
	s.Out.Printf("%s\n", address)
	s.Note("Ctrl-C ends")
	if s.open {
		remove := s.openPage(ctx, address)
		defer remove()
	}
	return s.untilInterrupted(ctx, handler, listener)
}

func (s *serving) check() error {
	isGiven := s.cmd.Flags().Changed
	switch {
	case s.scene == command.Standard:
		return cli.Misuse(s.cmd, "serve needs a file, not standard input")
	case isGiven("token") && isGiven("token-file"):
		return cli.Misuse(s.cmd, "want --token or --token-file, not both")
	case isGiven("token-file") && s.tokenFile == "":
		return cli.Misuse(s.cmd, "--token-file: must name a file")
	case isGiven("token") && !server.IsToken(s.token):
		return cli.Misuse(s.cmd, "--token: must be at least %d letters and digits", server.LeastToken)
	}
	return nil
}

// chooseToken reads the token or creates one. The token is needed because requests of the page and requests of other
// users on this machine come from the same network address.
func (s *serving) chooseToken() error {
	switch {
	case s.token != "":
		return nil
	case !s.cmd.Flags().Changed("token-file"):
		s.token = server.NewToken()
		return nil
	}
	var err error
	if s.token, err = server.ReadToken(s.tokenFile); err != nil {
		return err
	}
	if !server.IsToken(s.token) {
		return cli.Misuse(s.cmd, "--token-file: %s must contain at least %d letters and digits", s.tokenFile, server.LeastToken)
	}
	return nil
}

// listen returns the listener for the page.
func (s *serving) listen(ctx context.Context) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", s.addr)
	var wrong *net.AddrError
	switch {
	case errors.As(err, &wrong):
		return nil, cli.Misuse(s.cmd, "--addr: must be HOST:PORT, got %q", s.addr)
	case err != nil:
		return nil, &cli.Failure{Status: cli.StatusFile, Err: err, Hint: "choose another address with --addr"}
	}
	return l, nil
}

// serveFile opens the scene's file and starts to watch it.
func (s *serving) serveFile() (err error) {
	if s.served, err = server.NewServed(s.scene, servedDisk{s.Files, s.scene}, maxServedBytes); err != nil {
		return err
	}
	s.inputs = watch.Start()
	s.watchInputs()
	return nil
}

// watchInputs watches the scene and the files that it named when it was opened.
func (s *serving) watchInputs() {
	s.inputs.Begin()
	defer s.inputs.End()
	s.inputs.Look(s.scene)
	for _, name := range s.served.Named() {
		s.inputs.Look(filepath.Join(filepath.Dir(s.scene), filepath.FromSlash(name)))
	}
}

// untilInterrupted serves requests until ctx ends.
func (s *serving) untilInterrupted(ctx context.Context, handler *server.Handler, listener net.Listener) error {
	httpServer := handler.Server()
	done := make(chan error, 1)
	go func() { done <- httpServer.Serve(server.Listener(listener)) }()
	var changed <-chan struct{}
	if s.inputs != nil {
		changed = s.inputs.Changed()
	}
	for {
		select {
		case err := <-done:
			return err // the listener failed
		case <-changed:
			s.watchInputs()
			s.served.Refresh()
		case <-ctx.Done():
			handler.Close()
			return s.shutdown(httpServer, done)
		}
	}
}

// shutdown waits for requests in progress to finish.
func (s *serving) shutdown(httpServer *http.Server, done <-chan error) error {
	const patience = 3 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := httpServer.Shutdown(ctx); err != nil {
		httpServer.Close()
	}
	<-done
	return &cli.Failure{Status: cli.StatusInterrupted}
}

// openPage opens the page in the user's browser, or reports why it cannot. Other users can list the browser's
// arguments, so these must not contain the token. The browser therefore opens a temporary file that redirects
// to the address. The caller must call the returned function remove, which deletes the file and its folder.
func (s *serving) openPage(ctx context.Context, address string) (remove func()) {
	remove = func() {}
	folder, name, err := s.writeRedirect(address)
	if folder != "" {
		remove = func() { _ = s.Files.RemoveFolder(folder) }
	}
	if err != nil {
		s.Err.Printf("render: cannot open the browser: %v\n", err)
		return remove
	}
	if wait, err := cli.OpenViewer(ctx, name); err != nil {
		s.Err.Printf("render: cannot open the browser: %v\n", err)
	} else {
		go func() { _ = wait() }() // the browser's exit status is not needed
	}
	return remove
}

// writeRedirect writes a page that redirects to an address. Only this user can read the file, which is in a new
// temporary folder.
func (s *serving) writeRedirect(address string) (folder, name string, err error) {
	if folder, err = s.Files.TempFolder("render-serve-"); err != nil {
		return "", "", err
	}
	name = filepath.Join(folder, "open.html")
	return folder, name, os.WriteFile(name, []byte(server.RedirectPage(address)), 0o600)
}

// servedDisk implements [server.Disk] for the file of a scene.
type servedDisk struct {
	files *osfile.Outputs
	name  string
}

func (d servedDisk) Read() ([]byte, error) { return scene.ReadFile(d.name) }

func (d servedDisk) Folder() fs.FS { return scene.Folder(filepath.Dir(d.name)) }

func (d servedDisk) Write(data []byte) error {
	return d.files.Rewrite(d.name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
