package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// shelf serves the page with the scenes "demo" and "other". Tests can change demo.
type shelf struct {
	http.Handler
	demo atomic.Pointer[string]
}

func newShelf(t *testing.T) (s *shelf, url string) {
	t.Helper()
	s = &shelf{Handler: handler(t, nil)}
	s.put(ball)
	return s, httptestServer(t, s)
}

func (s *shelf) put(demo string) { s.demo.Store(&demo) }

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/api/scenes" {
		s.Handler.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	type entry struct {
		Name  string `json:"name"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	json.NewEncoder(w).Encode(map[string]any{
		"scenes":  []entry{{"demo", "A ball", *s.demo.Load()}, {"other", "A smaller ball", other}},
		"lessons": []any{},
	})
}

var other = strings.Replace(ball, "radius = 1", "radius = 0.5", 1)

func (p *page) wantText(want string) {
	p.Helper()
	if got := p.text(); got != want {
		p.Errorf("the text is %q, want %q", got, want)
	}
}

// TestErrorWithoutAPicture reloads a page whose text has an error, and opens another scene whose text has one. There is no
// picture of such a text, and the page must say so. When the error is gone, the picture appears.
func TestErrorWithoutAPicture(t *testing.T) {
	_, url := newShelf(t)
	p := open(t, url, look{})
	p.write("radios = 1\n")
	const facts = `document.getElementById("facts").textContent`
	p.wait(facts + ` === "The picture is the last one without errors."`)
	none := facts + ` === "There is no picture yet: the text has errors." && (` + read + `)("picture").every((b) => b === 0)`
	p.do(chromedp.Reload())
	p.wait(`document.documentElement.dataset.ready && ` + none)
	p.choose("scene:other")
	p.wait(whole)
	p.choose("scene:demo")
	p.wait(none)
	eval[any](p, `(() => { const { editor } = document.getElementById("editor"); editor.replace(editor.text.replace("radios = 1\n", "")); })()`)
	p.wait(whole + ` && (` + read + `)("picture").some((b) => b !== 0)`)
}

func TestDraftSurvivesReload(t *testing.T) {
	_, url := newShelf(t)
	p := open(t, url, look{})
	p.write("# mine\n")
	p.reload()
	p.wantText(ball + "# mine\n")
	p.write("# more\n")
	p.reload()
	p.wantText(ball + "# mine\n# more\n")
	if p.asks() {
		t.Error("the page asks before it is left, although it keeps the edits")
	}

	// Undoing all edits removes the draft.
	p.click("#undo")
	p.wantText(ball)
	p.reload()
	p.wantText(ball)
	if eval[bool](p, `!document.getElementById("undo").disabled`) {
		t.Error("there is something to undo in a text without edits")
	}
}

func TestDraftSurvivesBackAndForward(t *testing.T) {
	_, url := newShelf(t)
	p := open(t, url, look{})
	p.write("# mine\n")
	p.do(chromedp.Navigate(url + "/icon.svg"))
	p.do(chromedp.NavigateBack())
	p.complete()
	p.wantText(ball + "# mine\n")
}

func TestDraftsOfTwoTabs(t *testing.T) {
	_, url := newShelf(t)
	a, b := open(t, url, look{}), open(t, url, look{})
	a.write("# a\n")
	b.write("# b\n")
	a.reload()
	b.reload()
	a.wantText(ball + "# a\n")
	b.wantText(ball + "# b\n")
}

// TestDraftsOfManyScenes edits two scenes and a scene from a link. Each must keep its edits, and the page must show
// the same scene after a reload.
func TestDraftsOfManyScenes(t *testing.T) {
	_, url := newShelf(t)
	p := open(t, url, look{})
	p.write("# mine\n")
	p.choose("scene:other")
	p.wantText(other)
	p.write("# mine, too\n")
	p.reload()
	p.wantText(other + "# mine, too\n")
	eval[any](p, fmt.Sprintf(`{ location.hash = %q }`, strings.TrimPrefix(shared(strings.Replace(ball, "radius = 1", "radius = 2", 1)), "/")))
	p.wait(`document.getElementById("editor").editor.text.includes("radius = 2")`)
	p.write("# linked\n")
	p.reload()
	if got := p.text(); !strings.Contains(got, "radius = 2") || !strings.HasSuffix(got, "# linked\n") {
		t.Errorf("the link's text is %q", got)
	}
	p.do(chromedp.NavigateBack())
	p.wait(`document.getElementById("scene").value === "scene:other"`)
	p.wantText(other + "# mine, too\n")
	p.do(chromedp.NavigateBack())
	p.wait(`document.getElementById("scene").value === "scene:demo"`)
	p.wantText(ball + "# mine\n")
	p.do(chromedp.NavigateForward())
	p.wait(`document.getElementById("scene").value === "scene:other"`)
	p.wantText(other + "# mine, too\n")
}

// TestDraftOfOlderScene checks that edits survive a change of the shipped scene. Undoing the edits must show the
// new scene.
func TestDraftOfOlderScene(t *testing.T) {
	shelf, url := newShelf(t)
	p := open(t, url, look{})
	p.write("# mine\n")
	newer := "# a newer ball\n" + ball
	shelf.put(newer)
	p.reload()
	p.wantText(ball + "# mine\n")
	p.wait(`document.getElementById("news").textContent.includes("changed")`)
	p.click("#undo")
	p.wantText(newer)
	p.reload()
	p.wantText(newer)
}

// TestDraftWithoutStorage checks a browser that stores nothing. The page must work, show a message, and ask for
// confirmation before it is left.
func TestDraftWithoutStorage(t *testing.T) {
	forbid := func(name string) string {
		return fmt.Sprintf(`Object.defineProperty(window, %q, { get() { throw new DOMException("forbidden", "SecurityError"); } });`, name)
	}
	for name, script := range map[string]string{
		"forbidden": forbid("sessionStorage") + forbid("localStorage"),
		"full": `for (let size = 1 << 20; size >= 1; size >>= 1) {
			try { for (let i = 0; ; i++) sessionStorage.setItem(size + " " + i, "x".repeat(size)); } catch {}
		}`,
		"damaged": `sessionStorage.getItem = () => "{"; Storage.prototype.setItem = () => { throw new Error("damaged"); }; Storage.prototype.getItem = () => "{";`,
	} {
		t.Run(name, func(t *testing.T) {
			_, url := newShelf(t)
			p := newTab(t, look{})
			p.run(`if (location.protocol === "http:") {` + script + `}`)
			p.load(url)
			if p.asks() {
				t.Error("the page asks before it is left, although nothing was edited")
			}
			before := p.pixels()
			p.choose("scene:other")
			p.changes(before)
			p.write("# mine\n")
			p.wait(`document.getElementById("news").textContent.includes("does not store")`)
			if !p.asks() {
				t.Error("the page does not ask before edits are lost")
			}
			p.choose("scene:demo")
			p.choose("scene:other")
			p.wantText(other + "# mine\n")
			p.click("#theme")
			p.click("#undo")
			if p.asks() {
				t.Error("the page asks before it is left, although everything was undone")
			}
		})
	}
}
