package web_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	protocol "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"pillbox/internal/command"
	"pillbox/internal/course/commands"
	"pillbox/internal/play"
	"pillbox/internal/play/server"
	"pillbox/web"
)

// TestPageOpenedAsFile opens the page as a file. Browsers do not run its modules then, so the page must explain
// what to do, and must not show controls that do not work.
func TestPageOpenedAsFile(t *testing.T) {
	p := newTab(t, look{})
	p.expected = "file://"
	folder := t.TempDir()
	p.must(os.CopyFS(folder, web.Files()))
	p.do(chromedp.Navigate("file://" + filepath.Join(folder, "index.html")))
	p.wait(`getComputedStyle(document.getElementById("start-help")).visibility === "visible"`)
	shown := eval[string](p, `document.body.innerText`)
	for _, want := range []string{"opened as a file", "render serve", "http.server"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page shows %q, which lacks %q", shown, want)
		}
	}
	if n := eval[int](p, `[...document.querySelectorAll("button, select, canvas")].filter((e) => e.checkVisibility()).length`); n != 0 {
		t.Errorf("%d controls are visible, want none", n)
	}
}

// engine returns a compressed WebAssembly module that is valid and large, but has no functions.
func engine(t *testing.T) []byte {
	t.Helper()
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("needs xz")
	}
	const size = 1 << 20
	module := append([]byte("\x00asm\x01\x00\x00\x00"), 0) // a custom section
	module = binary.AppendUvarint(module, size)
	noise := make([]byte, size) // starts with 0, the length of the section's name
	rand.NewChaCha8([32]byte{}).Read(noise[1:])
	xz := exec.Command("xz")
	xz.Stdin = bytes.NewReader(append(module, noise...))
	packed, err := xz.Output()
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// TestEngineLoadsWithProgress stops the download of the engine halfway, and checks the progress that the page
// shows.
func TestEngineLoadsWithProgress(t *testing.T) {
	needBrowser(t)
	packed := engine(t)
	half := len(packed) / 2
	for name, want := range map[string]string{"known": "50 %", "unknown": fmt.Sprintf("%d kB", (half+999)/1000)} {
		t.Run(name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.Handle("/", http.FileServerFS(web.Files()))
			mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
				index, err := fs.ReadFile(web.Files(), "index.html")
				if err != nil {
					t.Error(err)
				}
				io.WriteString(w, strings.Replace(string(index), `<meta charset="utf-8">`, `<meta charset="utf-8"><meta name="pillbox-engine" content="wasm">`, 1))
			})
			release := make(chan struct{})
			mux.HandleFunc("/pillbox.wasm.xz", func(w http.ResponseWriter, r *http.Request) {
				if name == "known" {
					w.Header().Set("Content-Length", fmt.Sprint(len(packed)))
				}
				w.Header().Set("Content-Type", "application/octet-stream")
				w.Write(packed[:half])
				w.(http.Flusher).Flush()
				<-release
				w.Write(packed[half:])
			})
			url := httptestServer(t, mux)
			let := sync.OnceFunc(func() { close(release) })
			t.Cleanup(let)
			p := newTab(t, look{})
			p.expected = ":" // the module has no engine
			p.do(chromedp.Navigate(url))
			p.wait(fmt.Sprintf(`document.getElementById("start-text").textContent === "Loading the renderer: %s"`, want))
			if eval[bool](p, `document.getElementById("start-help").checkVisibility()`) {
				t.Error("the page doubts that its scripts run")
			}
			if shown := eval[bool](p, `document.getElementById("start-progress").checkVisibility()`); shown != (name == "known") {
				t.Errorf("the bar of the progress is visible: %v", shown)
			}
			let()
			p.wait(`!document.getElementById("fatal").hidden && !document.getElementById("start-text").checkVisibility()`)
		})
	}
}

// listen serves the page until stop is called. at is the address on which it listens.
func listen(t *testing.T, address, token string, served *server.Served) (at string, stop func()) {
	t.Helper()
	options := play.Options{Name: "http"}
	if served != nil {
		options.File = served
	}
	h, err := server.NewHandler(server.Options{Engine: play.New(options), Pages: web.Files(), Others: []*command.Requests{commands.Wing().Requests}, Served: served, Token: token})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s := h.Server()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l) // ends with Close
	}()
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			h.Close()
			s.Close()
			<-done
		}
	}
	t.Cleanup(stop)
	return l.Addr().String(), stop
}

const lost = `!document.getElementById("server-bar").hidden`

// TestServerIsLostAndBack stops the server, edits the text, and starts the server again at the same address. The
// page must report that the server does not answer, and afterward continue with the edited text.
func TestServerIsLostAndBack(t *testing.T) {
	d, served := newFile(t)
	address, stop := listen(t, "127.0.0.1:0", "", served)
	p := open(t, "http://"+address, look{})
	p.expected = "Failed to load resource"
	p.clickPixel(80, 60)
	p.wait(`document.querySelector("#brief").textContent`)
	before := p.pixels()

	stop()
	p.wait(lost + ` && document.getElementById("stage").dataset.state === "stale"`)
	eval[any](p, fmt.Sprintf(`document.getElementById("editor").editor.replace(%q)`, other))
	p.clickPixel(10, 10)
	p.wait(`document.getElementById("why-waiting").textContent.includes("does not answer")`)
	shown := eval[string](p, `document.body.innerText`)
	for _, unwanted := range []string{"has errors", "No problems"} {
		if strings.Contains(shown, unwanted) {
			t.Errorf("the page shows %q, although the server does not answer", unwanted)
		}
	}
	p.save()
	p.wait(`document.getElementById("news").textContent.includes("is not saved")`)

	_, stop = listen(t, address, "", served)
	p.wait(`document.getElementById("server-bar").hidden`)
	p.changes(before)
	p.wait(`document.getElementById("verdict").textContent === "No problems"`)
	p.wait(`document.getElementById("why-title").textContent === "Pixel 10, 10" && document.getElementById("why").dataset.state === "answer"`)
	p.save()
	p.wait(saved)
	d.want(t, other)
	d.write(t, ball)
	served.Refresh()
	p.wait(fmt.Sprintf(`document.getElementById("editor").editor.text === %q`, ball)) // the page receives the file's text again

	// A server with another token refuses the page's requests. The address of that server contains its token.
	stop()
	p.wait(lost)
	p.write("# mine\n")
	_, stop = listen(t, address, "secret", served)
	p.wait(`document.getElementById("server-news").textContent.includes("token")`)
	_, err := chromedp.Run(p.ctx, chromedp.WaitEvent(protocol.LoadEventFired, nil, chromedp.Evaluate[any](`{ location.hash = "token=secret" }`)))
	p.must(err)
	p.complete()
	p.wait(`document.getElementById("server-bar").hidden`)
	p.wantText(ball + "# mine\n")
	p.wait(unsaved)

	// A server at the same address that serves another file is a different server.
	stop()
	p.wait(lost)
	stranger := disk{filepath.Join(t.TempDir(), "stranger.toml")}
	stranger.write(t, ball)
	foreign, err := server.NewServed("stranger.toml", stranger, 1<<20)
	p.must(err)
	listen(t, address, "secret", foreign)
	p.wait(`document.getElementById("server-news").textContent.includes("stranger.toml")`)
	p.save()
	p.wait(`document.getElementById("news").textContent.includes("is not saved")`)
	p.reload()
	p.wantText(ball)
	stranger.want(t, ball)
}
