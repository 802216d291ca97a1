package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
	"pillbox/internal/play/server"
)

// client sends requests to a running 'render serve' at address, with the given token.
type client struct{ address, token string }

// serveWhile runs 'render serve' with args and calls use with a client of it. Then it interrupts the command and
// returns the exit status.
func serveWhile(t *testing.T, args []string, use func(c client)) (status int) {
	t.Helper()
	// The deadline matters only if the server fails to start.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out := &programtest.Script{Steps: []programtest.Step{programtest.On("/", func() {})}}
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
		done <- programtest.Run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), command.Streams{
			In: strings.NewReader(""), Out: cli.Screen{Writer: writer}, Err: cli.Screen{Writer: out}, Files: new(osfile.Outputs),
		})
		writer.Close()
	}()
	address := <-began
	if address == "" {
		t.Fatalf("status %d: %s", <-done, out.Log.String())
	}
	page, token, ok := strings.Cut(address, "#token=")
	if !ok || !server.IsToken(token) {
		t.Errorf("the address %s has no token", address)
	}
	use(client{page, token})
	cancel()
	return <-done
}

// ask posts a request to the server's function name, decodes the response into answer, and returns the HTTP status.
func (c client) ask(t *testing.T, name string, request, answer any) int {
	t.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	post, err := http.NewRequest("POST", c.address+"api/"+name, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	post.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		post.Header.Set("Authorization", "Bearer "+c.token)
	}
	r, err := http.DefaultClient.Do(post)
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

// TestServe checks that serve serves the page, saves the scene, and sends the page changes that others make to the
// scene's file.
func TestServe(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small})
	status := serveWhile(t, []string{"s.toml"}, func(c client) {
		page, err := http.Get(c.address)
		if err != nil || page.StatusCode != 200 {
			t.Fatalf("the page: %v %v", page, err)
		}
		page.Body.Close()
		var start struct{ File fileAnswer }
		c.ask(t, "start", map[string]any{}, &start)
		if start.File.Name != "s.toml" || start.File.Text != programtest.Small {
			t.Fatalf("the file is %+v", start.File)
		}
		var saved fileAnswer
		if code := c.ask(t, "save", fileAnswer{Text: programtest.Small + "# saved\n", Version: start.File.Version}, &saved); code != 200 || fixture.Read(t, "s.toml") != programtest.Small+"# saved\n" {
			t.Errorf("save: %d; the file is %q", code, fixture.Read(t, "s.toml"))
		}
		if err := os.WriteFile("s.toml", []byte(programtest.Small+"# others\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		var next fileAnswer
		for next.Text != programtest.Small+"# others\n" { // the event for the saved text may come first
			c.ask(t, "follow", map[string]any{"version": saved.Version}, &next)
			saved.Version = next.Version
		}
		var old fileAnswer
		if code := c.ask(t, "save", fileAnswer{Text: "lost", Version: start.File.Version}, &old); code != 409 || old.Text != programtest.Small+"# others\n" {
			t.Errorf("save over what others wrote: %d %+v", code, old)
		}
	})
	if status != cli.StatusInterrupted {
		t.Errorf("exit status %d", status)
	}
}

// TestServeFollowsReplacedFolders renames folders on the path to the scene. The page must always receive the file
// that now has the scene's name. It must also be notified of changes in the files that the scene names, even if
// their size and time are the same.
func TestServeFollowsReplacedFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders in use cannot be replaced")
	}
	const scene = programtest.Small + "[[bulk]]\nfile = \"a.csv\"\nshape = \"sphere\"\n"
	programtest.InFolder(t, map[string]string{
		"d/s.toml": scene, "d/a.csv": "x,y,z,radius\n0,0,0,1\n",
		"1/s.toml": scene, "1/a.csv": "x,y,z,radius\n0,0,0,2\n",
		"2/s.toml": scene + "# linked\n", "2/a.csv": "x,y,z,radius\n0,0,0,3\n",
	})
	old := time.Unix(1e9, 0)
	for _, name := range []string{"d/a.csv", "1/a.csv", "2/a.csv"} {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	type state struct {
		Version, Text string
		Files         int
	}
	serveWhile(t, []string{"d/s.toml"}, func(c client) {
		var start struct{ File fileAnswer }
		c.ask(t, "start", map[string]any{}, &start)
		now := state{Version: start.File.Version}
		follow := func(done func() bool) {
			for deadline := time.Now().Add(time.Minute); !done() && time.Now().Before(deadline); {
				c.ask(t, "follow", map[string]any{"version": now.Version, "files": now.Files}, &now)
			}
		}
		if err := errors.Join(os.Rename("d", "old"), os.Rename("1", "d")); err != nil {
			t.Fatal(err)
		}
		follow(func() bool { return now.Files > 0 })
		if err := errors.Join(os.Symlink("2", "link"), os.RemoveAll("d"), os.Rename("link", "d")); err != nil {
			t.Fatal(err)
		}
		follow(func() bool { return strings.HasSuffix(now.Text, "# linked\n") && now.Files > 1 })
		if now.Files < 2 || !strings.HasSuffix(now.Text, "# linked\n") {
			t.Errorf("the page has %+v", now)
		}
	})
}

// TestServeWantsTheToken checks that requests without the token can load the page's own files and nothing else,
// with any flags.
func TestServeWantsTheToken(t *testing.T) {
	const chosen = "0123456789abcdefXY-_"
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small, "token": chosen + "\n"})
	seen := map[string]bool{}
	for _, test := range []struct {
		args  string
		token string // "": serve creates one
	}{
		{"s.toml", ""}, {"s.toml", ""}, {"s.toml --addr 0.0.0.0:0", ""},
		{"s.toml --token " + chosen, chosen}, {"s.toml --token-file token", chosen},
	} {
		serveWhile(t, strings.Fields(test.args), func(c client) {
			if test.token != "" && c.token != test.token || test.token == "" && seen[c.token] {
				t.Errorf("%s: the token is %s", test.args, c.token)
			}
			seen[c.token] = true
			var start struct{ File fileAnswer }
			if code := c.ask(t, "start", map[string]any{}, &start); code != 200 {
				t.Errorf("%s: with the token: %d", test.args, code)
			}
			for _, token := range []string{"", c.token + "x", c.token[1:], strings.Repeat("0", len(c.token))} {
				other := client{c.address, token}
				for _, request := range []string{"start", "check", "follow", "render", "explain"} {
					var answer map[string]any
					if code := other.ask(t, request, map[string]any{"file": true}, &answer); code != 401 || strings.Contains(fmt.Sprint(answer), "sphere") {
						t.Errorf("%s: %s with token %q: %d %v", test.args, request, token, code, answer)
					}
				}
				var answer map[string]any
				code := other.ask(t, "save", fileAnswer{Text: "lost", Version: start.File.Version}, &answer)
				if got := fixture.Read(t, "s.toml"); code != 401 || got != programtest.Small {
					t.Errorf("%s: save with token %q: %d, the file is %q", test.args, token, code, got)
				}
			}
		})
	}
}

// TestServeHidesTheToken checks that the arguments of the browser, which other users can list, do not contain the
// token.
func TestServeHidesTheToken(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs xdg-open to be what opens files")
	}
	programtest.InFolder(t, map[string]string{"bin/xdg-open": "#!/bin/sh\necho \"$1\" > opened.new; cat \"$1\" > page; ls -l \"$1\" > mode; mv opened.new opened\n"})
	bin, err := filepath.Abs("bin")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(bin, "xdg-open"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var opened string
	serveWhile(t, []string{"--open"}, func(c client) {
		for opened == "" {
			data, _ := os.ReadFile("opened") // exists when the browser has started
			opened = strings.TrimSpace(string(data))
			time.Sleep(time.Millisecond)
		}
		if strings.Contains(opened, c.token) {
			t.Errorf("the browser's argument is %s", opened)
		}
		if page := fixture.Read(t, "page"); !strings.Contains(page, "url="+c.address+"#token="+c.token) {
			t.Errorf("the browser opens %q", page)
		}
		if mode := fixture.Read(t, "mode"); !strings.HasPrefix(mode, "-rw-------") {
			t.Errorf("the file that the browser opens is %s", mode)
		}
	})
	if _, err := os.Stat(opened); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left: %v", opened, err)
	}
}

func TestServeRefuses(t *testing.T) {
	programtest.InFolder(t, map[string]string{"bad.toml": "\xff", "short": "0123456789\n", "long": strings.Repeat("0123456789\n", 10_000)})
	for args, want := range map[string]string{
		"serve --addr nonsense":                      "must be HOST:PORT",
		"serve --token short":                        "at least 16 letters and digits",
		"serve --token 0123456789abcde/":             "at least 16 letters and digits",
		"serve --token-file short":                   "short must contain at least 16 letters and digits",
		"serve --token-file bad.toml":                "bad.toml must contain at least 16 letters and digits",
		"serve --token-file long":                    "long must contain at least 16 letters and digits",
		"serve --token-file none":                    "none: no such file",
		"serve --token-file= bad.toml":               "--token-file",
		"serve --token-file short --token long":      "not both",
		"serve -":                                    "not standard input",
		"serve a b":                                  "at most one scene",
		"serve --addr 127.0.0.1:0 missing.toml":      "missing.toml: no such file",
		"serve --addr 127.0.0.1:0 bad.toml":          "not UTF-8",
		"serve --addr 127.0.0.1:99999":               "must be HOST:PORT",
		"serve --addr 127.0.0.1:0 --token= bad.toml": "at least 16",
		"serve --addr 127.0.0.1:0 --opne":            "did you mean '--open'",
		"serve --addr 127.0.0.1:0 --token a b c d e": "at most one scene",
	} {
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if got.Status == cli.StatusDone || got.Stdout != "" || !strings.Contains(got.Stderr, want) {
			t.Errorf("%s: status %d, %q, %q, want %q", args, got.Status, got.Stdout, got.Stderr, want)
		}
	}
}
