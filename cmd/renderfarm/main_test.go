//go:build !js && !plan9

package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/osfile"
)

func call(t *testing.T, args ...string) (status int, out, errors string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // serve would end at once
	status = run(ctx, args, connected(&stdout, &stderr))
	return status, stdout.String(), stderr.String()
}

// connected returns streams for a run of the program within the test process.
func connected(out, errors io.Writer) streams {
	return streams{in: strings.NewReader(""), out: cli.Screen{Writer: out}, err: cli.Screen{Writer: errors}, files: new(osfile.Outputs)}
}

// TestServeRefusesToBeOpen checks that a server without authentication listens only on loopback addresses, unless
// --insecure is given. It also checks that invalid flags are refused.
func TestServeRefusesToBeOpen(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		s    serving
		want string // "": the server starts
	}{
		{serving{listen: "127.0.0.1:0"}, ""},
		{serving{listen: "[::1]:0"}, ""},
		{serving{listen: "localhost:0"}, ""},
		{serving{listen: "0.0.0.0:0"}, "would accept work from anyone"},
		{serving{listen: ":0"}, "would accept work from anyone"},
		{serving{listen: "[::]:0"}, "would accept work from anyone"},
		{serving{listen: "host.example:4222"}, "would accept work from anyone"},
		{serving{listen: "0.0.0.0:0", tokenFile: token}, ""},
		{serving{listen: "0.0.0.0:0", insecure: true}, ""},
		{serving{listen: "127.0.0.1:0", insecure: true}, "--insecure has no effect"},
		{serving{listen: "0.0.0.0:0", tokenFile: token, insecure: true}, "--insecure has no effect"},
		{serving{listen: "0.0.0.0:0", tokenFile: os.DevNull}, "at least 16 characters"},
		{serving{listen: "127.0.0.1"}, "must be HOST:PORT"},
		{serving{listen: "127.0.0.1:0", cert: "x"}, "want both --tls-cert and --tls-key"},
	} {
		_, err := test.s.options(new(cobra.Command))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.s, err, test.want)
		}
	}
}

// TestMisuse checks the message and the exit status for invalid command lines.
func TestMisuse(t *testing.T) {
	for args, want := range map[string]struct {
		status int
		text   string
	}{
		"serve --listen 0.0.0.0:0":                  {cli.StatusWrong, "--insecure"},
		"work":                                      {cli.StatusWrong, "want the URL of a server"},
		"work nats://127.0.0.1:1":                   {cli.StatusFile, "cannot be reached"},
		"work nats://127.0.0.1:1 --slots x":         {cli.StatusWrong, "slots"},
		"work u --lease 1ms":                        {cli.StatusWrong, "--lease"},
		"cancel nats://127.0.0.1:1":                 {cli.StatusWrong, "a job"},
		"list":                                      {cli.StatusWrong, "want the URL of a server"},
		"log nats://127.0.0.1:1 x":                  {cli.StatusFile, "cannot be reached"},
		"fetch u x":                                 {cli.StatusWrong, "want an output, as in 'renderfarm fetch u x -o out.png'"},
		"fetch u x -o out.svg":                      {cli.StatusWrong, "output must end in .png"},
		"fetch u x -o none/../out.png/x.png --keep": {cli.StatusFile, "cannot be reached"},
		"list http://127.0.0.1:8080":                {cli.StatusWrong, `begin with nats://, tls://, ws:// or wss://, got "http://127.0.0.1:8080", the address of a web page`},
		"purge https://127.0.0.1:8080":              {cli.StatusWrong, "the address of a web page"},
		"wait file:///x y":                          {cli.StatusWrong, "must begin with nats://"},
		"work u --cache-size 2":                     {cli.StatusWrong, "--cache-size needs --cache"},
		"serve --lease 2s":                          {cli.StatusWrong, "--lease needs --http"},
		"submit":                                    {cli.StatusWrong, "want the URL of a server and what to render"},
		"submit --detach u":                         {cli.StatusWrong, "want the URL of a server and what to render"},
		"status nats://127.0.0.1:1":                 {cli.StatusFile, "cannot be reached"},
		"purge nats://127.0.0.1:1":                  {cli.StatusFile, "cannot be reached"},
		"purge":                                     {cli.StatusWrong, "want the URL of a server"},
		"version more":                              {cli.StatusWrong, "want no arguments"},
		"dance":                                     {cli.StatusWrong, `no command "dance"`},
	} {
		if status, _, text := call(t, strings.Fields(args)...); status != want.status || !strings.Contains(text, want.text) {
			t.Errorf("renderfarm %s: status %d, %s, want %d and %q", args, status, text, want.status, want.text)
		}
	}
}

// TestStatusOfAServer checks that the command status fails without the token that the server requires. With the
// token, it must print the jobs as text or as JSON.
func TestStatusOfAServer(t *testing.T) {
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte("0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &program{connected(io.Discard, io.Discard)}
	srv, err := p.start(new(cobra.Command), serving{listen: "127.0.0.1:0", store: dir, tokenFile: token})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.WaitForShutdown()
	defer srv.Shutdown()
	var out, errors bytes.Buffer
	ask := func(args ...string) int {
		out.Reset()
		return run(t.Context(), append([]string{"status", srv.ClientURL()}, args...), connected(&out, &errors))
	}
	if status := ask(); status != cli.StatusFile {
		t.Errorf("without the token the status is %d", status)
	}
	if status := ask("--token-file", token); status != cli.StatusDone || !strings.Contains(out.String(), "JOB") {
		t.Errorf("status %d: %s%s", status, out.String(), errors.String())
	}
	var s farm.Status
	if status := ask("--token-file", token, "--json"); status != cli.StatusDone || json.Unmarshal(out.Bytes(), &s) != nil || s.Jobs == nil {
		t.Errorf("status %d: %s", status, out.String())
	}
}

// TestPurge checks that purge reports the number of deleted results. Afterwards, version must print the farm's
// renderer.
func TestPurge(t *testing.T) {
	p := &program{connected(io.Discard, io.Discard)}
	srv, err := p.start(new(cobra.Command), serving{listen: "127.0.0.1:0", store: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.WaitForShutdown()
	defer srv.Shutdown()
	var out, errors bytes.Buffer
	if status := run(t.Context(), []string{"purge", srv.ClientURL()}, connected(&out, &errors)); status != cli.StatusDone || errors.String() != "renderfarm: deleted 0 results\n" {
		t.Errorf("status %d: %s", status, errors.String())
	}
	if status := run(t.Context(), []string{"version"}, connected(&out, &errors)); status != cli.StatusDone || !strings.Contains(out.String(), "\nrenderer "+pillbox.SourceHash()+"\n") {
		t.Errorf("status %d: %s", status, out.String())
	}
}

// TestServeTLS checks that a client with the server's certificate and the token can connect.
func TestServeTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key, token := filepath.Join(dir, "cert"), filepath.Join(dir, "key"), filepath.Join(dir, "token")
	writeCertificate(t, cert, key)
	writeFile(t, token, []byte("0123456789abcdef"))
	p := &program{connected(io.Discard, io.Discard)}
	srv, err := p.start(new(cobra.Command), serving{listen: "127.0.0.1:0", store: filepath.Join(dir, "store"), tokenFile: token, cert: cert, key: key})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.WaitForShutdown()
	defer srv.Shutdown()
	for args, want := range map[string]struct {
		status int
		text   string
	}{
		"--tls-ca " + cert + " --token-file " + token: {cli.StatusDone, ""},
		"--tls-ca " + cert:                            {cli.StatusFile, "Authorization"},
		"--token-file " + token:                       {cli.StatusFile, "certificate"},
		"--tls-ca none --token-file " + token:         {cli.StatusFile, "none"},
	} {
		for _, scheme := range []string{"nats://", "tls://"} {
			var out, errors bytes.Buffer
			status := run(t.Context(), append([]string{"status", scheme + srv.Addr().String()}, strings.Fields(args)...), connected(&out, &errors))
			if status != want.status || !strings.Contains(errors.String(), want.text) {
				t.Errorf("%s %s: status %d, %q, want %d and %q", scheme, args, status, errors.String(), want.status, want.text)
			}
		}
	}
}

// TestServeMonitor checks the status page of a server with TLS and a token. The page connects to the server inside
// the process, so it must work without a certificate.
func TestServeMonitor(t *testing.T) {
	dir := t.TempDir()
	cert, key, token := filepath.Join(dir, "cert"), filepath.Join(dir, "key"), filepath.Join(dir, "token")
	writeCertificate(t, cert, key)
	writeFile(t, token, []byte("0123456789abcdef"))
	s := serving{listen: "127.0.0.1:0", store: filepath.Join(dir, "store"), tokenFile: token, cert: cert, key: key, http: "127.0.0.1:0", lease: 7 * time.Second}
	var out bytes.Buffer
	p := &program{connected(&out, io.Discard)}
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	srv, err := p.start(cmd, s)
	if err != nil {
		t.Fatal(err)
	}
	defer srv.WaitForShutdown()
	defer srv.Shutdown()
	for _, wrong := range []serving{{http: "x", tokenFile: token, lease: s.lease}, {http: "127.0.0.1:0", tokenFile: token, lease: time.Millisecond}} {
		if _, err := p.accompany(cmd, wrong, &served{srv: srv}); cli.FailureOf(err).Status != cli.StatusWrong {
			t.Errorf("%+v: got %v", wrong, err)
		}
	}
	stop, err := p.accompany(cmd, s, &served{srv: srv})
	if err != nil {
		t.Fatal(err)
	}
	page := strings.TrimSpace(out.String())
	resp, err := http.Get(page + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("status %d", resp.StatusCode)
	}
	stop()
	if resp, err := http.Get(page); err == nil {
		resp.Body.Close()
		t.Error("the page is still there")
	}
	for flag, want := range map[string]string{"--lease 8s": "the farm has a lease of 7s", "--replicas 2": "the farm stores everything on 1 server,"} {
		var errors bytes.Buffer
		args := append([]string{"work", "tls://" + srv.Addr().String(), "--tls-ca", cert, "--token-file", token}, strings.Fields(flag)...)
		if status := run(t.Context(), args, connected(io.Discard, &errors)); status != cli.StatusWrong || !strings.Contains(errors.String(), want) {
			t.Errorf("%s: status %d, %s", flag, status, errors.String())
		}
	}
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeCertificate creates a self-signed certificate for 127.0.0.1, and writes it and its key to the files cert and
// key.
func writeCertificate(t *testing.T, cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, about, about, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	if der, err = x509.MarshalPKCS8PrivateKey(private); err != nil {
		t.Fatal(err)
	}
	writeFile(t, key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// TestCredentials checks that renderfarm can connect to a NATS server that requires credentials.
func TestCredentials(t *testing.T) {
	dir := t.TempDir()
	operator, account, user := pair(t, nkeys.CreateOperator), pair(t, nkeys.CreateAccount), pair(t, nkeys.CreateUser)
	system := public(t, pair(t, nkeys.CreateAccount))
	a := jwt.NewAccountClaims(public(t, account))
	a.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: jwt.NoLimit, DiskStorage: jwt.NoLimit, Streams: jwt.NoLimit, Consumer: jwt.NoLimit}
	accountJWT, err := a.Encode(operator)
	if err != nil {
		t.Fatal(err)
	}
	userJWT, err := jwt.NewUserClaims(public(t, user)).Encode(account)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	creds, err := jwt.FormatUserConfig(userJWT, seed)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "creds"), creds)
	systemJWT, err := jwt.NewAccountClaims(system).Encode(operator)
	if err != nil {
		t.Fatal(err)
	}
	accounts := &server.MemAccResolver{}
	for key, text := range map[string]string{public(t, account): accountJWT, system: systemJWT} {
		if err := accounts.Store(key, text); err != nil {
			t.Fatal(err)
		}
	}
	srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true,
		TrustedKeys: []string{public(t, operator)}, AccountResolver: accounts, SystemAccount: system})
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	defer srv.WaitForShutdown()
	defer srv.Shutdown()
	if !srv.ReadyForConnections(10 * time.Second) {
		t.Fatal("no server")
	}
	for args, want := range map[string]int{"": cli.StatusFile, "--creds " + filepath.Join(dir, "creds"): cli.StatusDone, "--creds none": cli.StatusFile} {
		var out, errors bytes.Buffer
		status := run(t.Context(), append([]string{"status", srv.ClientURL()}, strings.Fields(args)...), connected(&out, &errors))
		if status != want {
			t.Errorf("%s: status %d, %q, want %d", args, status, errors.String(), want)
		}
	}
}

func pair(t *testing.T, create func() (nkeys.KeyPair, error)) nkeys.KeyPair {
	t.Helper()
	k, err := create()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func public(t *testing.T, k nkeys.KeyPair) string {
	t.Helper()
	text, err := k.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestServerLogRepeatsNoOutdatedUpdates checks that the log prints a warning about an outdated update only once,
// and every other warning each time.
func TestServerLogRepeatsNoOutdatedUpdates(t *testing.T) {
	var out bytes.Buffer
	l := &logger{program: &program{connected(io.Discard, &out)}}
	for range 3 {
		l.Warnf("Consumer %q: %v", "one", server.ErrStoreOldUpdate)
		l.Errorf("Consumer %q: %v", "two", fmt.Errorf("wrapped: %w", server.ErrStoreOldUpdate))
		l.Warnf("disk: %v", errors.New("full"))
		l.Errorf("a line without an error")
	}
	for line, want := range map[string]int{`Consumer "one": old update ignored`: 1, `Consumer "two": wrapped: old update ignored`: 1, "disk: full": 3, "a line without an error": 3} {
		if got := strings.Count(out.String(), line); got != want {
			t.Errorf("%q is printed %d times, want %d", line, got, want)
		}
	}
}

// TestServerLogPrintsOutdatedUpdatesLater checks that a warning about an outdated update that was left out is printed in a later
// minute.
func TestServerLogPrintsOutdatedUpdatesLater(t *testing.T) {
	var l logger
	const line = "an outdated update"
	begin := time.Now()
	for range linesPerMinute {
		l.take("another line", false, begin)
	}
	for i, want := range []bool{false, true, false} {
		if ok, _ := l.take(line, true, begin.Add(time.Duration(i)*time.Minute)); ok != want {
			t.Errorf("minute %d: the line is printed: %v, want %v", i, ok, want)
		}
	}
}

// TestServerLogMarksShortenedLines checks that the log cuts long lines between characters and marks the cut.
func TestServerLogMarksShortenedLines(t *testing.T) {
	var out bytes.Buffer
	l := &logger{program: &program{connected(io.Discard, &out)}}
	for shift := range 4 {
		l.Warnf("%s%s", strings.Repeat("x", shift), strings.Repeat("漢", maxLogLine+1))
	}
	if got := strings.Count(out.String(), "漢…\n"); !utf8.ValidString(out.String()) || got != 4 {
		t.Errorf("%d lines are marked in the log, want 4", got)
	}
}
