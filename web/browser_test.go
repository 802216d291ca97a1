package web_test

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	protocol "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"pillbox/internal/command"
	"pillbox/internal/course/commands"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/play"
	"pillbox/internal/play/server"
	"pillbox/web"
)

var (
	screenshots = flag.String("screenshots", "", "take the screenshots of the documentation, and others, into this `folder`")
	times       = flag.Bool("times", false, "measure the times from a drag to the coarse picture")
	axe         = flag.String("axe", "", "look for barriers with this `file`, axe.min.js of axe-core")
)

// patience is how long a test waits for an expected event. It is long because only failing tests wait that long.
const patience = 2 * time.Minute

// chromium starts the browser that all tests share. The browser can connect to this machine only.
var chromium = sync.OnceValues(func() (context.Context, context.CancelFunc) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("disable-back-forward-cache", true), // otherwise going back shows the old page without loading it, which would test nothing
		chromedp.Flag("force-color-profile", "srgb"))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	return chromedp.NewExecAllocator(context.Background(), options...)
})

// browser returns the tab that keeps the browser running. The first test that needs it opens it.
var browser = sync.OnceValues(func() (context.Context, error) {
	allocator, _ := chromium()
	ctx, _ := chromedp.NewContext(allocator)
	return ctx, chromedp.Do(ctx)
})

var started bool

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	if started {
		if ctx, err := browser(); err == nil {
			chromedp.Cancel(ctx)
		}
		_, stop := chromium()
		stop()
	}
	os.Exit(status)
}

// needBrowser returns the context of the browser. It skips the test if no browser is installed, or if none of the
// flags for browser tests is set.
func needBrowser(t *testing.T) context.Context {
	t.Helper()
	if !effort.IsAll() && !*times && *axe == "" && *screenshots == "" {
		t.Skip("drives a browser; needs -effort all")
	}
	found := false
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		_, err := exec.LookPath(name)
		found = found || err == nil
	}
	if !found {
		t.Skip("needs chromium or google-chrome")
	}
	started = true
	ctx, err := browser()
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

// serve serves the page and returns its address. If served is not nil, the page can open and save that file.
func serve(t *testing.T, served *server.Served) string {
	t.Helper()
	return httptestServer(t, handler(t, served))
}

func handler(t *testing.T, served *server.Served) http.Handler {
	t.Helper()
	options := play.Options{Name: "http"}
	if served != nil {
		options.File = served
	}
	h, err := server.NewHandler(server.Options{Engine: play.New(options), Pages: web.Files(), Others: []*command.Requests{commands.Wing().Requests}, Served: served})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func httptestServer(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// page is a tab of the browser, with the errors and warnings that it reported.
type page struct {
	*testing.T
	ctx context.Context

	expected string // text that reported errors may contain; "": no errors are expected

	mu         sync.Mutex
	complaints []string
}

// look describes the window in which a page is opened. The zero value is a wide window with light colors.
type look struct {
	width, height int64
	dark          bool
}

var phone = look{width: 360, height: 740}

// open opens url in a new tab and waits until the page is complete. The test fails if the page reports an error
// before the test ends.
func open(t *testing.T, url string, l look) *page {
	t.Helper()
	p := newTab(t, l)
	p.load(url)
	return p
}

// isHarmless recognizes two errors that do not matter. CodeMirror logs an error if a document is replaced by a
// shorter one before tooltips are measured. Chromium requests /favicon.ico for documents without an icon, such as
// scripts.
func isHarmless(complaint string) bool {
	return strings.Contains(complaint, "RangeError: Invalid position") && strings.Contains(complaint, "readMeasure") ||
		strings.HasSuffix(complaint, "/favicon.ico")
}

// newTab opens an empty tab.
func newTab(t *testing.T, l look) *page {
	t.Helper()
	main := needBrowser(t)
	ctx, cancel := chromedp.NewContext(main)
	ctx, stop := context.WithTimeout(ctx, 5*patience)
	p := &page{T: t, ctx: ctx}
	p.do(chromedp.Navigate("about:blank"))
	var listening sync.WaitGroup
	listening.Go(p.listen)
	listening.Go(p.leave)
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, complaint := range p.complaints {
			if !isHarmless(complaint) && (p.expected == "" || !strings.Contains(complaint, p.expected)) {
				t.Errorf("the page complains: %s", complaint)
			}
		}
	})
	t.Cleanup(func() {
		cancel()
		stop()
		listening.Wait()
	})
	if l.width == 0 {
		l.width, l.height = 1440, 900
	}
	p.resize(l)
	return p
}

// load opens url in the tab p and waits until the page is complete.
func (p *page) load(url string) {
	p.Helper()
	p.do(chromedp.Navigate(url))
	p.complete()
}

// complete waits until the page has started and its picture is completely rendered.
func (p *page) complete() {
	p.Helper()
	p.wait(`document.documentElement.dataset.ready`)
	p.wait(whole)
}

// leave makes the tab confirm the browser's question whether to leave a page with unsaved edits.
func (p *page) leave() {
	for _, err := range chromedp.Events(p.ctx, protocol.JavascriptDialogOpening) {
		if err != nil {
			return
		}
		// An error means that the tab is closed.
		_, _ = chromedp.Call(p.ctx, protocol.HandleJavaScriptDialog, protocol.HandleJavaScriptDialogParams{Accept: true})
	}
}

func (p *page) reload() {
	p.Helper()
	p.do(chromedp.Reload())
	p.complete()
}

// asks reports whether the browser would ask for confirmation before it leaves the page.
func (p *page) asks() bool {
	p.Helper()
	return eval[bool](p, `!dispatchEvent(new Event("beforeunload", { cancelable: true }))`)
}

// run makes every document of the tab run script before its own scripts.
func (p *page) run(script string) {
	p.Helper()
	_, err := chromedp.Call(p.ctx, protocol.AddScriptToEvaluateOnNewDocument, protocol.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	p.must(err)
}

// choose selects a document in the list of scenes. key is the value of the entry, such as "scene:demo".
func (p *page) choose(key string) {
	p.Helper()
	eval[any](p, fmt.Sprintf(`(() => { const list = document.getElementById("scene"); list.value = %q; list.dispatchEvent(new Event("change")); })()`, key))
}

// listen records console messages, exceptions, and violations of the content security policy.
func (p *page) listen() {
	for m, err := range chromedp.Console(p.ctx) {
		if err != nil {
			return
		}
		if m.Type == "debug" || m.Type == "info" || m.Type == "log" {
			continue
		}
		p.mu.Lock()
		p.complaints = append(p.complaints, fmt.Sprintf("%s: %s %s", m.Type, m.Text, m.URL))
		p.mu.Unlock()
	}
}

func (p *page) resize(l look) {
	p.Helper()
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	p.do(chromedp.EmulateViewport(l.width, l.height))
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	p.must(err)
}

func (p *page) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	p.must(chromedp.Do(p.ctx, steps...))
}

// whole is a JavaScript expression that is true if the picture is completely rendered.
const whole = `document.getElementById("stage").dataset.state === "whole"`

// wait waits until the JavaScript expression is true.
func (p *page) wait(expression string) {
	p.Helper()
	poll := chromedp.Poll[bool]("!!("+expression+")", chromedp.WithPollingTimeout(patience))
	_, err := chromedp.Run(p.ctx, poll)
	for start := time.Now(); isBetweenPages(err) && time.Since(start) < patience; {
		_, err = chromedp.Run(p.ctx, poll)
	}
	if err != nil {
		p.Fatalf("%s: %v; the page says %q, and has %q", expression, err, eval[string](p, `document.getElementById("facts").textContent + " " + document.getElementById("news").textContent`), eval[string](p, `document.getElementById("editor").editor?.text ?? document.body.innerText`))
	}
}

// isBetweenPages reports whether an expression was given to a page that was being left for another one.
func isBetweenPages(err error) bool {
	return err != nil && strings.Contains(err.Error(), "Cannot find context with specified id")
}

// eval returns the value of the JavaScript expression. If the value is a promise, eval waits for its result.
func eval[T any](p *page, expression string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return v
}

// text returns the text in the editor.
func (p *page) text() string {
	p.Helper()
	return eval[string](p, `document.getElementById("editor").editor.text`)
}

// read is a JavaScript function that returns the pixels of the canvas with a given ID. It reads a copy, because the
// browser warns about canvases that are read repeatedly.
const read = `(id) => {
	const canvas = document.getElementById(id), copy = new OffscreenCanvas(canvas.width, canvas.height);
	const context = copy.getContext("2d", { willReadFrequently: true });
	context.drawImage(canvas, 0, 0);
	return context.getImageData(0, 0, copy.width, copy.height).data;
}`

// pixels returns a checksum of the picture.
func (p *page) pixels() string {
	p.Helper()
	return eval[string](p, `(async () => {
		const sum = await crypto.subtle.digest("SHA-256", (`+read+`)("picture"));
		return [...new Uint8Array(sum)].map((b) => b.toString(16).padStart(2, "0")).join("");
	})()`)
}

// changes waits until the picture is completely rendered and its checksum differs from before. It returns the new
// checksum.
func (p *page) changes(before string) string {
	p.Helper()
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(20 * time.Millisecond) {
		p.wait(whole)
		if now := p.pixels(); now != before && eval[bool](p, whole) {
			return now
		}
	}
	p.Fatal("the picture does not change")
	return ""
}

// place converts a position in pixels of the picture to a position in the window.
func (p *page) place(x, y float64) (float64, float64) {
	p.Helper()
	box := eval[[]float64](p, `(() => {
		const stage = document.getElementById("stage").getBoundingClientRect(), picture = document.getElementById("picture");
		return [stage.left, stage.top, stage.width / picture.width];
	})()`)
	return box[0] + (x+0.5)*box[2], box[1] + (y+0.5)*box[2]
}

func (p *page) mouse(kind input.DispatchMouseEventType, x, y float64) {
	p.Helper()
	params := input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1}
	if kind != input.DispatchMouseEventTypeMouseReleased {
		params.Buttons = 1
	}
	_, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, params)
	p.must(err)
}

// clickPixel clicks a pixel of the picture.
func (p *page) clickPixel(x, y float64) {
	p.Helper()
	x, y = p.place(x, y)
	p.do(chromedp.MouseClickXY(x, y))
}

// drag drags from the pixel (x0, y0) of the picture to (x1, y1).
func (p *page) drag(x0, y0, x1, y1 float64) {
	p.Helper()
	x0, y0 = p.place(x0, y0)
	x1, y1 = p.place(x1, y1)
	p.mouse(input.DispatchMouseEventTypeMousePressed, x0, y0)
	const steps = 5
	for i := 1.0; i <= steps; i++ {
		p.mouse(input.DispatchMouseEventTypeMouseMoved, x0+(x1-x0)*i/steps, y0+(y1-y0)*i/steps)
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x1, y1)
	p.wait(`document.getElementById("stage").dataset.dragging === undefined`)
}

// click clicks the element that matches the CSS selector.
func (p *page) click(selector string) {
	p.Helper()
	if !eval[bool](p, fmt.Sprintf(`(() => { const found = document.querySelector(%q); found?.click(); return !!found; })()`, selector)) {
		p.Fatalf("nothing is %s", selector)
	}
}

// write types text at the end of the editor's contents.
func (p *page) write(text string) {
	p.Helper()
	eval[any](p, `document.getElementById("editor").editor.go(document.getElementById("editor").editor.text.length)`)
	_, err := chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: text})
	p.must(err)
}

func (p *page) key(keys string, modifiers ...chromedp.Modifier) {
	p.Helper()
	var options []chromedp.KeyOption
	if len(modifiers) > 0 {
		options = append(options, chromedp.KeyModifiers(modifiers...))
	}
	p.do(chromedp.KeyEvent(keys, options...))
}

// shared returns the end of an address, such as /#text=..., that makes the page open text.
func shared(text string) string {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		panic(err)
	}
	w.Write([]byte(text))
	w.Close()
	return "/#text=" + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// shipped returns the text of the shipped scene with the given name, changed so that the picture is smaller.
func shipped(t *testing.T, name string) string {
	t.Helper()
	data, err := fs.ReadFile(os.DirFS("../scenes"), name+".toml")
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("width = 1280", "width = 320", "height = 720", "height = 180", "antialias = 2", "antialias = 1").Replace(string(data))
}
