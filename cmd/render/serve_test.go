package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// serving runs serve until the test has done with it: what is printed first is the page's address. It
// returns the exit status.
func serveWhile(t *testing.T, args []string, use func(address string)) (status int) {
	t.Helper()
	// The deadline is for a serve that does not begin; nothing else depends on it.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out := &script{steps: []step{{"/", func() {}}}}
	began := make(chan string, 1)
	reader, writer := io.Pipe()
	go func() {
		var line bytes.Buffer
		for b := make([]byte, 1); !strings.HasSuffix(line.String(), "\n"); {
			if _, err := reader.Read(b); err != nil {
				break
			}
			line.Write(b)
		}
		began <- strings.TrimSpace(line.String())
		_, _ = io.Copy(io.Discard, reader)
	}()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), streams{
			in: strings.NewReader(""), out: screen{Writer: writer}, err: screen{Writer: out}, files: new(osfile.Outputs),
		})
		writer.Close()
	}()
	address := <-began
	if address == "" {
		t.Fatalf("status %d: %s", <-done, out.log.String())
	}
	use(address)
	cancel()
	return <-done
}

// ask posts a request and reads the answer.
func ask(t *testing.T, url string, request, answer any) int {
	t.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.Post(url, "application/json", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(answer); err != nil {
		t.Fatal(err)
	}
	return r.StatusCode
}

type fileAnswer struct{ Name, Text, Version string }

// TestServe: the page is there, the scene is saved, and what others write to it is followed.
func TestServe(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": small})
	status := serveWhile(t, []string{"s.toml"}, func(address string) {
		page, err := http.Get(address)
		if err != nil || page.StatusCode != 200 {
			t.Fatalf("the page: %v %v", page, err)
		}
		page.Body.Close()
		var start struct{ File fileAnswer }
		ask(t, address+"api/start", map[string]any{}, &start)
		if start.File.Name != "s.toml" || start.File.Text != small {
			t.Fatalf("the file is %+v", start.File)
		}
		var saved fileAnswer
		if code := ask(t, address+"api/save", fileAnswer{Text: small + "# saved\n", Version: start.File.Version}, &saved); code != 200 || fixture.Read(t, "s.toml") != small+"# saved\n" {
			t.Errorf("save: %d; the file is %q", code, fixture.Read(t, "s.toml"))
		}
		if err := os.WriteFile("s.toml", []byte(small+"# others\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		var next fileAnswer
		for next.Text != small+"# others\n" { // what was saved may be told of first
			ask(t, address+"api/follow", map[string]any{"version": saved.Version}, &next)
			saved.Version = next.Version
		}
		var old fileAnswer
		if code := ask(t, address+"api/save", fileAnswer{Text: "lost", Version: start.File.Version}, &old); code != 409 || old.Text != small+"# others\n" {
			t.Errorf("save over what others wrote: %d %+v", code, old)
		}
	})
	if status != statusInterrupted {
		t.Errorf("exit status %d", status)
	}
}

func TestServeRefuses(t *testing.T) {
	inFolder(t, map[string]string{"bad.toml": "\xff"})
	for args, want := range map[string]string{
		"serve --addr 0.0.0.0:0":                     "lets other machines in: give --token",
		"serve --addr :0":                            "lets other machines in: give --token",
		"serve --addr nonsense":                      "must be HOST:PORT",
		"serve --token short":                        "at least 16 letters and digits",
		"serve --token 0123456789abcde/":             "at least 16 letters and digits",
		"serve -":                                    "not standard input",
		"serve a b":                                  "at most one scene",
		"serve --addr 127.0.0.1:0 missing.toml":      "missing.toml: no such file",
		"serve --addr 127.0.0.1:0 bad.toml":          "not UTF-8",
		"serve --addr 127.0.0.1:99999":               "must be HOST:PORT",
		"serve --addr 127.0.0.1:0 --token= bad.toml": "at least 16",
		"serve --addr 127.0.0.1:0 --opne":            "did you mean '--open'",
		"serve --addr 127.0.0.1:0 --token a b c d e": "at most one scene",
	} {
		got := invocation{}.run(strings.Fields(args)...)
		if got.status == statusDone || got.stdout != "" || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: status %d, %q, %q, want %q", args, got.status, got.stdout, got.stderr, want)
		}
	}
}
