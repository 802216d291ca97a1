//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"image"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"pillbox"
)

// lines collects messages. It is safe for concurrent use.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.WriteString(text + "\n")
}

func (l *lines) have(part string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), part)
}

// openWith opens a job that renders the scene crowd. The messages of the job are added to log.
func openWith(t *testing.T, f *Farm, log *lines) *Job {
	t.Helper()
	s, src := crowdSource(t)
	shot, err := NewShot(s, pillbox.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := f.Open(t.Context(), src, s, []Shot{shot}, JobOptions{Cell: image.Pt(32, 16), silence: time.Millisecond, Log: func(text string) {
		t.Log(text)
		log.add(text)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	return j
}

// gate returns a function for Worker.damage that lets n units pass. Later units wait until the channel open is
// closed.
func gate(n int, open <-chan struct{}) func(string, []byte) ([]byte, error) {
	var mu sync.Mutex
	return func(_ string, r []byte) ([]byte, error) {
		mu.Lock()
		n--
		wait := n < 0
		mu.Unlock()
		if wait {
			<-open
		}
		return r, nil
	}
}

// TestFarmEmptyStore restarts the server with an empty store. The coordinator must set up the farm again and
// restore its job.
func TestFarmEmptyStore(t *testing.T) {
	t.Parallel()
	srv := startServer(t, onPort(-1, t.TempDir()))
	t.Cleanup(func() { stopServer(srv) })
	url, port := srv.ClientURL(), portOf(srv)
	var log lines
	j := openWith(t, connect(t, url), &log)
	goOn := make(chan struct{})
	w := &Worker{Slots: 1, damage: gate(5, goOn)}
	startWorker(t, url, w)
	wantEventually(t, func() bool { return w.rendered() == 5 })
	stopServer(srv)
	srv = startServer(t, onPort(port, t.TempDir()))
	wantEventually(t, func() bool { return log.have("the server has lost") })
	close(goOn)
	wantPicture(t, j)
}

// TestFarmLosesStreams deletes each stream and bucket during a job. Each must be created again.
func TestFarmLosesStreams(t *testing.T) {
	t.Parallel()
	for _, name := range []string{tasksStream, resultsStream, newsStream, "KV_" + jobsBucket, "OBJ_" + filesBucket} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := serve(t)
			url := srv.ClientURL()
			f := connect(t, url)
			var log lines
			j := openWith(t, f, &log)
			goOn := make(chan struct{})
			w := &Worker{Slots: 1, damage: gate(5, goOn)}
			startWorker(t, url, w)
			wantEventually(t, func() bool { return w.rendered() == 5 })
			loseStream(t, srv, f, name)
			wantEventually(t, func() bool { return log.have("the server has lost") })
			close(goOn)
			wantPicture(t, j)
			if err := f.Cancel(t.Context(), j.ID); err != nil {
				t.Fatal(err)
			}
			wantEventually(t, func() bool { return errors.Is(context.Cause(j.ctx), ErrCanceled) })
		})
	}
}

// TestFarmWaitsForServer checks that Connect waits for a server that starts later.
func TestFarmWaitsForServer(t *testing.T) {
	t.Parallel()
	srv := startServer(t, onPort(-1, t.TempDir()))
	t.Cleanup(func() { stopServer(srv) })
	url, port := srv.ClientURL(), portOf(srv)
	stopServer(srv)
	if _, err := Connect(t.Context(), "hasty", Access{URL: url}); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("without patience: %v", err)
	}
	var log lines
	connected := make(chan error, 1)
	go func() {
		f, err := Connect(t.Context(), "patient", Access{URL: url, Patience: -1, Log: log.add})
		if err == nil {
			f.Close()
		}
		connected <- err
	}()
	wantEventually(t, func() bool { return log.have("trying again until the server answers") })
	srv = startServer(t, onPort(port, t.TempDir()))
	if err := <-connected; err != nil || !log.have("the server answers") {
		t.Error(err)
	}
}

// TestFarmServerAway checks the messages of a job without workers, and those of its connection when the server
// stops answering and answers again.
func TestFarmServerAway(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	srv := startServer(t, onPort(-1, dir))
	t.Cleanup(func() { stopServer(srv) })
	url, port := srv.ClientURL(), portOf(srv)
	var log lines
	j := openWith(t, connectTo(t, Access{URL: url, Lease: testLease, Log: log.add}), &log)
	wantEventually(t, func() bool { return log.have("no worker is connected; start one") })
	stopServer(srv)
	wantEventually(t, func() bool { return log.have("the server does not answer") })
	srv = startServer(t, onPort(port, dir))
	wantEventually(t, func() bool { return log.have("the server answers again") })
	startWorker(t, url, &Worker{Slots: 1})
	wantPicture(t, j)
}

// TestFarmOtherToken restarts the server with another token. The connection of a job must report that the server
// refuses the credentials, and recover when the token file contains the new token. A program that starts with the
// wrong token must end at once.
func TestFarmOtherToken(t *testing.T) {
	t.Parallel()
	dir, token := t.TempDir(), filepath.Join(t.TempDir(), "token")
	write := func(text string) {
		if err := os.WriteFile(token, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start := func(port int, token string) *server.Server {
		opt := onPort(port, dir)
		opt.Authorization = token
		return startServer(t, opt)
	}
	write("first")
	srv := start(-1, "first")
	t.Cleanup(func() { stopServer(srv) })
	url, port := "nats://"+srv.Addr().String(), portOf(srv)
	var log lines
	a := Access{URL: url, Lease: testLease, TokenFile: token, Log: log.add}
	j := openWith(t, connectTo(t, a), &log)
	stopServer(srv)
	srv = start(port, "second")
	wantEventually(t, func() bool { return log.have("the server refuses the credentials") })
	if _, err := Connect(t.Context(), "late", Access{URL: url, TokenFile: token, Patience: -1}); err == nil || !strings.Contains(err.Error(), "Authorization") {
		t.Errorf("a program with a wrong token waits, or %v", err)
	}
	write("second")
	wantEventually(t, func() bool { return log.have("the server answers again") })
	runWorker(t, connectTo(t, a), &Worker{Slots: 1})
	wantPicture(t, j)
}

// TestFarmClosedConnection checks that jobs and workers end if their connection is closed permanently.
func TestFarmClosedConnection(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f, g := connect(t, url), connect(t, url)
	j := open(t, f, JobOptions{})
	ended := make(chan error, 1)
	goOn := make(chan struct{})
	go func() { ended <- (&Worker{Farm: g, Slots: 1, damage: gate(0, goOn)}).Run(t.Context()) }()
	f.nc.Close()
	g.nc.Close()
	close(goOn)
	const want = "the connection to the server has ended"
	if _, err := j.Picture(t.Context(), 0, pillbox.Options{}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the job ends with %v", err)
	}
	if err := <-ended; err == nil {
		t.Errorf("the worker ends with %v", err)
	}
}

// TestFarmURL checks the errors for URLs that are not those of NATS servers. The error for a web page must say that
// it is one. Errors must not contain the password.
func TestFarmURL(t *testing.T) {
	for url, want := range map[string]string{
		"nats://a:4222":               "",
		"a:4222":                      "",
		"a":                           "",
		"tls://a,nats://b:1":          "",
		"wss://a:443":                 "",
		"NATS://a":                    "",
		"http://a:8080":               "web page",
		"https://me:secret@a/":        "web page",
		"nats://a:4222, http://a:1":   "web page",
		"ftp://a":                     "nats://",
		"nats://a:4222,file:///a/b/c": "nats://",
	} {
		err := checkURL(url)
		if (err == nil) != (want == "") || err != nil && (!errors.Is(err, ErrURL) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}

// TestFarmOfAnotherProtocol checks the error for an address on which a server other than NATS listens.
func TestFarmOfAnotherProtocol(t *testing.T) {
	t.Parallel()
	err := &unreachable{"nats://a", &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}}
	if !strings.Contains(err.Error(), "does not answer as a NATS server does") {
		t.Error(err)
	}
}

// TestFarewellEnds checks a program that ends while the server is connected. The context for its last messages must
// end after the limit, and a worker must be able to send its messages before that.
func TestFarewellEnds(t *testing.T) {
	t.Parallel()
	f := connect(t, serve(t).ClientURL())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	last, done := f.farewell(ctx, time.Hour)
	if err := (&Worker{Farm: f}).flush(last); err != nil {
		t.Error(err)
	}
	done()
	short, done := f.farewell(ctx, time.Nanosecond)
	defer done()
	<-short.Done()
}
