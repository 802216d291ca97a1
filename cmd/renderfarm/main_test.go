//go:build !js && !plan9

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/farm"
)

func call(t *testing.T, args ...string) (status int, out, errors string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // what would serve ends at once
	status = run(ctx, args, strings.NewReader(""), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// TestServeRefusesToBeOpen: beyond loopback everybody could connect.
func TestServeRefusesToBeOpen(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		s    serving
		want string // "": it starts
	}{
		{serving{listen: "127.0.0.1:0"}, ""},
		{serving{listen: "[::1]:0"}, ""},
		{serving{listen: "localhost:0"}, ""},
		{serving{listen: "0.0.0.0:0"}, "would take work from everybody"},
		{serving{listen: ":0"}, "would take work from everybody"},
		{serving{listen: "[::]:0"}, "would take work from everybody"},
		{serving{listen: "host.example:4222"}, "would take work from everybody"},
		{serving{listen: "0.0.0.0:0", tokenFile: token}, ""},
		{serving{listen: "0.0.0.0:0", insecure: true}, ""},
		{serving{listen: "0.0.0.0:0", tokenFile: os.DevNull}, "at least 16 characters"},
		{serving{listen: "127.0.0.1"}, "must be HOST:PORT"},
		{serving{listen: "127.0.0.1:0", cert: "x"}, "belong together"},
	} {
		_, err := test.s.options()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.s, err, test.want)
		}
	}
}

// TestMisuse: what is wrong is named, with the exit status that is documented.
func TestMisuse(t *testing.T) {
	for args, want := range map[string]struct {
		status int
		text   string
	}{
		"serve --listen 0.0.0.0:0":          {statusWrong, "--insecure"},
		"work":                              {statusWrong, "want the URL of a server"},
		"work nats://127.0.0.1:1":           {statusFarm, "cannot be reached"},
		"work nats://127.0.0.1:1 --slots x": {statusWrong, "slots"},
		"work u --lease 1ms":                {statusWrong, "--lease"},
		"cancel nats://127.0.0.1:1":         {statusWrong, "a job"},
		"status nats://127.0.0.1:1":         {statusFarm, "cannot be reached"},
		"dance":                             {statusWrong, "unknown command"},
	} {
		if status, _, text := call(t, strings.Fields(args)...); status != want.status || !strings.Contains(text, want.text) {
			t.Errorf("renderfarm %s: status %d, %s, want %d and %q", args, status, text, want.status, want.text)
		}
	}
}

// TestStatusOfAServer that wants a token.
func TestStatusOfAServer(t *testing.T) {
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte("0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &program{in: strings.NewReader(""), out: io.Discard, err: io.Discard}
	srv, err := p.start(serving{listen: "127.0.0.1:0", store: dir, tokenFile: token})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.WaitForShutdown()
	defer srv.Shutdown()
	var out, errors bytes.Buffer
	ask := func(args ...string) int {
		out.Reset()
		return run(t.Context(), append([]string{"status", srv.ClientURL()}, args...), strings.NewReader(""), &out, &errors)
	}
	if status := ask(); status != statusFarm {
		t.Errorf("without the token the status is %d", status)
	}
	if status := ask("--token-file", token); status != statusDone || !strings.Contains(out.String(), "JOB") {
		t.Errorf("status %d: %s%s", status, out.String(), errors.String())
	}
	var s farm.Status
	if status := ask("--token-file", token, "--json"); status != statusDone || json.Unmarshal(out.Bytes(), &s) != nil || s.Jobs == nil {
		t.Errorf("status %d: %s", status, out.String())
	}
}
