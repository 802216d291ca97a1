package web_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"pillbox/internal/play/server"
)

// disk is the served file with the given name.
type disk struct{ name string }

func (d disk) Read() ([]byte, error) { return os.ReadFile(d.name) }
func (d disk) Folder() fs.FS         { return os.DirFS(filepath.Dir(d.name)) }

// Write replaces the file in one step, because the browser may repeat a request to save while a test reads the
// file.
func (d disk) Write(data []byte) error {
	next, err := os.CreateTemp(filepath.Dir(d.name), "next")
	if err != nil {
		return err
	}
	_, err = next.Write(data)
	return errors.Join(err, next.Close(), os.Rename(next.Name(), d.name))
}

func (d disk) write(t *testing.T, text string) {
	t.Helper()
	if err := d.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func (d disk) want(t *testing.T, want string) {
	t.Helper()
	if data, err := d.Read(); err != nil || string(data) != want {
		t.Errorf("the file has %q, %v, want %q", data, err, want)
	}
}

// newFile creates the file ball.toml in a temporary folder and returns it.
func newFile(t *testing.T) (disk, *server.Served) {
	t.Helper()
	d := disk{filepath.Join(t.TempDir(), "ball.toml")}
	d.write(t, ball)
	served, err := server.NewServed("ball.toml", d, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return d, served
}

const (
	saved      = `!document.getElementById("save").hidden && document.getElementById("save").disabled`
	unsaved    = `!document.getElementById("save").hidden && !document.getElementById("save").disabled`
	conflict   = `!document.getElementById("conflict-bar").hidden`
	noConflict = `document.getElementById("conflict-bar").hidden`
	comparing  = `document.getElementById("conflict").open`
	fileText   = `document.getElementById("editor").editor.textOf("file")`
)

func (p *page) save() {
	p.Helper()
	p.key("s", chromedp.ModifierCtrl)
}

// TestFileIsSavedAndFollowed edits a served file, in the page and with another program. The page must save its
// edits, show those of the other program, and let the user resolve a conflict between them.
func TestFileIsSavedAndFollowed(t *testing.T) {
	d, served := newFile(t)
	write := func(text string) { t.Helper(); d.write(t, text) }
	p := open(t, serve(t, served), look{})
	if p.text() != ball {
		t.Fatalf("the page shows %q", p.text())
	}

	p.write("# mine\n")
	p.wait(`!document.getElementById("save").disabled`)
	p.key("s", chromedp.ModifierCtrl)
	p.wait(`document.getElementById("save").disabled`)
	if data, err := d.Read(); err != nil || string(data) != ball+"# mine\n" {
		t.Errorf("saved is %q, %v", data, err)
	}

	// A change by another program appears in a page without edits.
	write(ball + "# theirs\n")
	served.Refresh()
	p.wait(`document.getElementById("editor").editor.text.endsWith("# theirs\n")`)

	// In a page with edits it is a conflict, which the user resolves.
	p.write("# mine again\n")
	write(ball + "# theirs again\n")
	served.Refresh()
	p.wait(`!document.getElementById("conflict-bar").hidden`)
	p.click("#compare")
	p.wait(`document.getElementById("conflict").open`)
	got := eval[[]string](p, `["mine", "theirs"].map((id) => document.querySelector("#" + id + " mark").textContent)`)
	if got[0] != "# theirs\n# mine again\n" || got[1] != "# theirs again\n" {
		t.Errorf("marked are %q", got)
	}
	if got := eval[[]int](p, `["mine", "theirs"].map((id) => document.querySelectorAll("#" + id + " mark").length)`); got[0] != 1 || got[1] != 1 {
		t.Errorf("%v marks, want one in each text", got)
	}
	p.click("#conflict-mine")
	p.wait(`document.getElementById("save").disabled && document.getElementById("conflict-bar").hidden`)
	if data, err := d.Read(); err != nil || string(data) != ball+"# theirs\n# mine again\n" {
		t.Errorf("saved is %q, %v", data, err)
	}

	// Lines between those that differ are not marked.
	p.write("# at the end\n")
	write("# at the begin\n" + ball + "# theirs\n# mine again\n")
	served.Refresh()
	p.wait(`!document.getElementById("conflict-bar").hidden`)
	p.click("#compare")
	p.wait(`document.getElementById("conflict").open`)
	if got := eval[[]string](p, `[...document.querySelectorAll("#mine mark, #theirs mark")].map((e) => e.textContent)`); !slices.Equal(got, []string{"# at the end\n", "# at the begin\n"}) {
		t.Errorf("marked are %q", got)
	}
	p.click("#conflict-theirs")
	p.wait(`document.getElementById("conflict-bar").hidden`)

	// A missing file is not a conflict: saving creates it again.
	p.must(os.Remove(d.name))
	p.write("# last\n")
	p.key("s", chromedp.ModifierCtrl)
	p.wait(`document.getElementById("save").disabled`)
	if data, err := d.Read(); err != nil || !strings.HasSuffix(string(data), "# last\n") {
		t.Errorf("saved is %q, %v", data, err)
	}
}

// TestFileIsFollowedBehindAnotherScene changes the file on disk while the page shows another scene. When the page
// shows the file again, it must show the new text, and saving must not restore the old text.
func TestFileIsFollowedBehindAnotherScene(t *testing.T) {
	d, served := newFile(t)
	p := open(t, serve(t, served), look{})
	p.choose("scene:demo")
	d.write(t, ball+"# theirs\n")
	served.Refresh()
	p.wait(fileText + `.endsWith("# theirs\n")`)
	p.choose("file")
	p.wantText(ball + "# theirs\n")
	p.wait(saved)
	p.write("# mine\n")
	p.save()
	p.wait(saved)
	d.want(t, ball+"# theirs\n# mine\n")
}

// TestConflictBelongsToTheFile checks that a conflict is visible only while the file is open. Comparing and saving
// must use the file's text, and no way of saving may bypass the conflict.
func TestConflictBelongsToTheFile(t *testing.T) {
	d, served := newFile(t)
	p := open(t, serve(t, served), look{})
	p.expected = "409"
	p.write("# mine\n")
	p.choose("scene:demo")
	d.write(t, ball+"# theirs\n")
	served.Refresh()
	p.choose("file")
	p.wait(conflict)
	p.wantText(ball + "# mine\n")
	p.choose("scene:demo")
	p.wait(noConflict)
	if !p.asks() {
		t.Error("the page does not ask before edits of the file are lost")
	}
	p.choose("file")
	p.wait(conflict)
	p.save()
	p.wait(comparing)
	d.want(t, ball+"# theirs\n")
	if got := eval[string](p, `document.getElementById("mine").textContent`); got != ball+"# mine\n\n" {
		t.Errorf("compared is %q", got)
	}

	// Opening another scene closes the dialog. The text on disk may change before the user answers.
	eval[any](p, `setTimeout(() => history.back())`)
	p.wait(noConflict + ` && !` + comparing)
	p.choose("file")
	p.click("#compare")
	p.wait(comparing)
	d.write(t, ball+"# theirs again\n")
	p.click("#conflict-mine")
	p.wait(`document.getElementById("theirs").textContent.includes("# theirs again") && ` + comparing)
	d.want(t, ball+"# theirs again\n")
	p.click("#conflict-mine")
	p.wait(noConflict + ` && ` + saved)
	d.want(t, ball+"# mine\n")
}

// TestUndoneConflictIsNone checks that the text in the editor counts as saved if it equals the text on disk.
func TestUndoneConflictIsNone(t *testing.T) {
	d, served := newFile(t)
	p := open(t, serve(t, served), look{})
	p.write("# mine\n")
	d.write(t, ball+"# mine\n# theirs\n")
	served.Refresh()
	p.wait(conflict)
	p.write("# theirs\n")
	p.wait(noConflict + ` && ` + saved)

	p.write("# more\n")
	d.write(t, ball+"# theirs\n")
	served.Refresh()
	p.wait(conflict)
	d.write(t, ball+"# mine\n# theirs\n") // the text that the page saw last
	served.Refresh()
	p.wait(noConflict + ` && ` + unsaved)
	p.save()
	p.wait(saved)
	d.want(t, ball+"# mine\n# theirs\n# more\n")
}

// TestDraftOfFile checks that a draft is in conflict with the file if it is based on another text than that on
// disk.
func TestDraftOfFile(t *testing.T) {
	d, served := newFile(t)
	url := serve(t, served)
	p := open(t, url, look{})
	p.expected = "409"
	p.write("# mine\n")
	if !p.asks() {
		t.Error("the page does not ask before it is left")
	}
	p.reload()
	p.wantText(ball + "# mine\n")
	p.wait(noConflict + ` && ` + unsaved)

	p.do(chromedp.Navigate("about:blank"))
	d.write(t, ball+"# theirs\n")
	served.Refresh()
	for range 2 { // both times
		p.load(url)
		p.wantText(ball + "# mine\n")
		p.wait(conflict)
	}
	p.save()
	p.wait(comparing)
	d.want(t, ball+"# theirs\n")
	p.click("#conflict button")
	p.click("#undo")
	p.wantText(ball + "# theirs\n")
	p.wait(noConflict + ` && ` + saved)
	p.reload()
	p.wantText(ball + "# theirs\n")
}

// gate holds requests with one name until the test releases them.
type gate struct {
	http.Handler
	name    string
	arrived chan struct{}
	answer  chan http.HandlerFunc // answers one request; nil: the handler behind the gate does
	open    atomic.Bool           // lets all requests pass
}

// newGate starts a server for the given handler, and returns the server's address. The gate g holds all requests
// with the given name until the test releases them.
func newGate(t *testing.T, name string, behind http.Handler) (g *gate, url string) {
	t.Helper()
	g = &gate{Handler: behind, name: "/api/" + name, arrived: make(chan struct{}, 8), answer: make(chan http.HandlerFunc)}
	url = httptestServer(t, g)
	t.Cleanup(func() { close(g.answer) }) // must run before the server waits for its requests
	return g, url
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == g.name && !g.open.Load() {
		g.arrived <- struct{}{}
		if answer := <-g.answer; answer != nil {
			answer(w, r)
			return
		}
	}
	g.Handler.ServeHTTP(w, r)
}

// TestSaveInProgress checks what happens during a save, which may also fail. The test types, opens another scene
// or saves again. In the end, the file must have the right text, and the page must show whether it has unsaved
// edits.
func TestSaveInProgress(t *testing.T) {
	d, served := newFile(t)
	g, url := newGate(t, "save", handler(t, served))
	p := open(t, url, look{})

	// Typing.
	p.write("# one\n")
	p.save()
	<-g.arrived
	p.write("# two\n")
	g.answer <- nil
	p.wait(`document.getElementById("news").textContent.includes("saved")`)
	d.want(t, ball+"# one\n")
	p.wait(unsaved + ` && ` + noConflict)

	// Two saves, and typing between them.
	p.save()
	<-g.arrived
	p.write("# three\n")
	p.save()
	g.answer <- nil
	<-g.arrived
	d.want(t, ball+"# one\n# two\n")
	p.write("# four\n")
	g.answer <- nil
	p.wait(`document.getElementById("editor").editor.canUndo && ` + unsaved + ` && ` + noConflict)
	p.save()
	<-g.arrived
	g.answer <- nil
	p.wait(saved)
	d.want(t, ball+"# one\n# two\n# three\n# four\n")
	p.wantText(ball + "# one\n# two\n# three\n# four\n")

	// Another scene.
	p.write("# five\n")
	p.save()
	<-g.arrived
	p.choose("scene:demo")
	g.answer <- nil
	p.wait(`document.getElementById("save").title.includes("is saved")`)
	p.choose("file")
	p.wait(saved + ` && ` + noConflict)
	d.want(t, ball+"# one\n# two\n# three\n# four\n# five\n")

	// A failure: the text is not saved, but it is not lost either.
	p.expected = "422"
	before := ball + "# one\n# two\n# three\n# four\n# five\n"
	p.write("# six\n")
	p.save()
	<-g.arrived
	g.answer <- func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"the disk is full"}}`, http.StatusUnprocessableEntity)
	}
	p.wait(`document.getElementById("news").textContent.includes("the disk is full")`)
	p.wait(unsaved)
	d.want(t, before)
	d.write(t, before+"# theirs\n")
	p.save() // based on a version that is no longer on disk
	<-g.arrived
	p.expected = "4"
	g.answer <- nil
	p.wait(comparing)
	d.want(t, before+"# theirs\n")
}

// TestSaveWithoutAnswer loses the answer to a save, or repeats the request. The page must detect that the text was
// saved. Text typed since then must not cause a conflict.
func TestSaveWithoutAnswer(t *testing.T) {
	d, served := newFile(t)
	inner := handler(t, served)
	g, url := newGate(t, "save", inner)
	p := open(t, url, look{})
	p.expected = "/api/save"
	want := ball
	for i, after := range []http.HandlerFunc{
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.Write([]byte(`{"version":`))
			w.(http.Flusher).Flush() // browsers repeat requests whose answer has not begun
			panic(http.ErrAbortHandler)
		},
		inner.ServeHTTP,
	} {
		p.write(fmt.Sprintf("# %d\n", i))
		want += fmt.Sprintf("# %d\n", i)
		p.save()
		<-g.arrived
		p.write("# more\n")
		done := make(chan struct{})
		g.answer <- func(w http.ResponseWriter, r *http.Request) {
			defer close(done)
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			inner.ServeHTTP(httptest.NewRecorder(), r)
			r.Body = io.NopCloser(bytes.NewReader(body))
			after(w, r)
		}
		<-done
		d.want(t, want)
		want += "# more\n"
		p.wait(fmt.Sprintf(`document.getElementById("editor").editor.textOf("file") === %q && `, want) + unsaved + ` && ` + noConflict)
		g.open.Store(true)
		p.save() // if it is based on a version that is no longer on disk, the page tries again
		p.wait(saved + ` && ` + noConflict)
		g.open.Store(false)
		d.want(t, want)
	}
}
