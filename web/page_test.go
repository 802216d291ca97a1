package web_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pillbox"
	"pillbox/explain"
	"pillbox/scene"
)

// ball is a scene with a ball in the center of the picture, and a floor below it.
const ball = `[image]
width = 160
height = 120

[camera]
position = [0, 1, 6]
look_at = [0, 0, 0]

[[light]]
direction = [-1, -2, -1]

[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 1
color = "#c8323c"

[[box]]
name = "floor"
center = [0, -1.5, 0]
half_extents = [9, 0.5, 9]
`

func TestMistakeIsUnderlinedAndMended(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	before := p.pixels()
	p.write("\n[[sphere]]\ncenter = [1.5, 0, 0]\nradios = 0.5\n")
	p.wait(`document.getElementById("editor").shadowRoot.querySelector(".cm-lintRange-error")`)
	got := eval[[]string](p, `[...document.getElementById("editor").shadowRoot.querySelectorAll(".cm-lintRange-error")].map((e) => e.textContent)`)
	if !slices.Equal(got, []string{"radios"}) {
		t.Errorf("underlined is %q, want the wrong key", got)
	}
	if state := eval[string](p, `document.getElementById("stage").dataset.state`); state != "stale" {
		t.Errorf("the picture of a wrong scene is %s, want stale", state)
	}
	p.click("#problems .fix")
	after := p.changes(before)
	if !strings.HasSuffix(p.text(), "radius = 0.5\n") {
		t.Errorf("the text ends with %q", p.text()[len(ball):])
	}
	p.key("z", chromedp.ModifierCtrl)
	p.wait(`document.getElementById("editor").shadowRoot.querySelector(".cm-lintRange-error")`)
	p.key("y", chromedp.ModifierCtrl)
	p.wait(whole)
	if now := p.pixels(); now != after {
		t.Error("the picture is another one after undo and redo")
	}
}

// TestLinesAreInserted inserts several lines at once, as dictation does. The text must not change, and must have no
// inline styles, which the page's policy would refuse.
func TestLinesAreInserted(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	text := ball
	for _, inserted := range []string{"\n[[sphere]]", "\ncenter = [1, 0, 0]\n\n", "\nradius = 1\n\n\n# end\n"} {
		p.write(inserted)
		if text += inserted; p.text() != text {
			t.Fatalf("after %q, the text ends with %q", inserted, p.text()[len(ball):])
		}
	}
	if n := eval[int](p, `document.getElementById("editor").shadowRoot.querySelectorAll(".cm-line span[style]").length`); n != 0 {
		t.Errorf("%d pieces of text have inline styles", n)
	}
}

// TestPixelIsExplained clicks a pixel. The panel must show the hit solid, its distance and the color that render explain
// --json prints, and the page must show the lines to the lights, outlines, the diagram and the solid's table in the
// text. A change of the text must update the explanation. It must disappear if the pixel is no longer in the picture.
func TestPixelIsExplained(t *testing.T) {
	text := shipped(t, "demo")
	p := open(t, serve(t, nil)+shared(text), look{})
	at := image.Pt(160, 75)
	p.clickPixel(float64(at.X), float64(at.Y))
	p.wait(`document.getElementById("why").dataset.state === "answer" && document.querySelector("#sections .equations")`)

	s, err := scene.Decode("scene.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := explain.New(prepared)
	pixel, err := tracer.Pixel(at)
	if err != nil {
		t.Fatal(err)
	}
	data, err := pixel.JSON(explain.Usual)
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Hit struct {
			Name string
			T    float64
		}
		Color struct{ SRGB8 []int }
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	brief := strings.Join(strings.Fields(eval[string](p, `document.getElementById("brief").textContent`)), " ")
	for _, part := range []string{
		fmt.Sprintf("%q at %.6g", want.Hit.Name, want.Hit.T),
		fmt.Sprintf("sRGB (%d, %d, %d)", want.Color.SRGB8[0], want.Color.SRGB8[1], want.Color.SRGB8[2]),
	} {
		if !strings.Contains(brief, part) {
			t.Errorf("the panel lacks %q: %s", part, brief)
		}
	}
	amounts := eval[[]string](p, `[...document.querySelectorAll("#why .amount")].map((e) => e.textContent)`)
	percent := 0
	for _, a := range amounts {
		n, err := strconv.Atoi(strings.TrimSuffix(a, " %"))
		if err != nil {
			t.Errorf("an amount is %q", a)
		}
		percent += n
	}
	if percent != 100 {
		t.Errorf("the amounts %q have %d percent", amounts, percent)
	}
	chip := eval[string](p, `getComputedStyle(document.getElementById("why-chip")).backgroundColor`)
	if wanted := fmt.Sprintf("rgb(%d, %d, %d)", want.Color.SRGB8[0], want.Color.SRGB8[1], want.Color.SRGB8[2]); chip != wanted {
		t.Errorf("the chip is %s, want %s", chip, wanted)
	}
	if lines := eval[int](p, `document.querySelectorAll("#rays .line").length`); lines < 2 {
		t.Errorf("%d lines over the picture, want one for each light at least", lines)
	}
	p.wait(`(` + read + `)("outlines").some((b) => b)`)
	p.wait(`document.getElementById("diagram").complete && document.getElementById("diagram").naturalWidth > 0`)
	if chosen := eval[string](p, `[...document.getElementById("editor").shadowRoot.querySelectorAll(".cm-table")].map((e) => e.textContent).join("\n")`); !strings.Contains(chosen, fmt.Sprintf("name = %q", want.Hit.Name)) {
		t.Errorf("chosen in the text is %q", chosen)
	}

	// Sections can be unfolded, and the explanation is updated when the text changes.
	p.click("#sections summary")
	p.wait(`document.querySelector("#sections details[open] .equations").getBoundingClientRect().height > 0`)
	eval[any](p, `(() => { const e = document.getElementById("editor").editor; e.replace(e.text.replace('color = "#f3efe8"', 'color = "#101010"')); })()`)
	p.wait(fmt.Sprintf(`getComputedStyle(document.getElementById("why-chip")).backgroundColor !== %q`, chip))

	// A pixel outside of the picture has no explanation.
	eval[any](p, `(() => { const e = document.getElementById("editor").editor; e.replace(e.text.replace(/width = \d+/, "width = 100")); })()`)
	p.wait(`document.getElementById("why").dataset.state === "empty"`)
}

// TestPictureIsWholeBesideErrors types a mistake while a picture is being rendered. The picture must be completed,
// because it remains visible.
func TestPictureIsWholeBesideErrors(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	whole := `performance.getEntriesByName("pillbox whole").length`
	before := eval[int](p, whole)
	eval[any](p, `(() => { const e = document.getElementById("editor").editor; e.replace(e.text.replace("width = 160\nheight = 120", "width = 640\nheight = 480\nantialias = 5")); })()`) // takes about a second
	p.wait(`document.getElementById("stage").dataset.state === "rendering"`)
	p.write("\nwrong")
	p.wait(`document.getElementById("stage").dataset.state === "stale"`)
	p.wait(fmt.Sprintf("%s > %d", whole, before))
	if got := eval[string](p, `document.getElementById("facts").textContent`); got != "The picture is the last one without errors." {
		t.Errorf("the page says %q", got)
	}
}

// vector returns the numbers in the value of the first key with the given name in the editor's text.
func (p *page) vector(key string) []float64 {
	p.Helper()
	_, rest, ok := strings.Cut(p.text(), "\n"+key+" = ")
	var v []float64
	line, _, _ := strings.Cut(rest, "\n")
	if err := json.Unmarshal([]byte(line), &v); !ok || err != nil {
		p.Fatalf("%s = %q: %v", key, line, err)
	}
	return v
}

func TestOrbitIsWrittenAndUndone(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	before := p.pixels()
	p.drag(80, 20, 120, 30)
	after := p.changes(before)
	from, to := []float64{0, 1, 6}, p.vector("position")
	if math.Hypot(to[0]-from[0], to[2]-from[2]) < 1 {
		t.Errorf("the camera went from %v to %v", from, to)
	}
	if near(norm(from), norm(to), 1e-3) != true {
		t.Errorf("the camera is %g from what it looks at, was %g", norm(to), norm(from))
	}
	p.key("z", chromedp.ModifierCtrl)
	if now := p.changes(after); now != before || p.text() != ball {
		t.Errorf("after one undo the text is %q", p.text())
	}

	// The wheel moves the camera closer.
	x, y := p.place(80, 60)
	_, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: math.SmallestNonzeroFloat32, DeltaY: -200})
	p.must(err)
	p.changes(before)
	p.wait(`!document.getElementById("editor").editor.inGesture`)
	if now := norm(p.vector("position")); now > norm(from)-0.5 {
		t.Errorf("the wheel brought the camera from %g to %g", norm(from), now)
	}
}

func norm(v []float64) float64 { return math.Hypot(math.Hypot(v[0], v[1]), v[2]) }

func near(a, b, share float64) bool { return math.Abs(a-b) <= share*math.Abs(a) }

func TestSolidIsDragged(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	before := p.pixels()
	p.click(`input[value="move"]`)
	p.drag(80, 60, 110, 60)
	after := p.changes(before)
	to := p.vector("center")
	// The solid follows the pointer: by 30 of 120 pixels, at the distance of the front of the ball.
	want := 30.0 / 120 * 2 * math.Tan(20*math.Pi/180) * (norm([]float64{0, 1, 6}) - 1)
	if !near(want, to[0], 0.02) || math.Abs(to[1]) > 0.01 || math.Abs(to[2]) > 0.01 {
		t.Errorf("the ball is at %v, want %g to the right", to, want)
	}
	p.drag(110, 60, 90, 40)
	p.changes(after)
	p.key("z", chromedp.ModifierCtrl)
	p.key("z", chromedp.ModifierCtrl)
	if p.wait(whole); p.text() != ball {
		t.Errorf("after two undos the text is %q", p.text())
	}
}

// TestSectionIsDragged drags a cut face, and then a number of the section's point in the derivation.
func TestSectionIsDragged(t *testing.T) {
	half := ball + "[[section]]\npoint = [0, 0, 0]\nnormal = [0.6, 0, 0.8]\n"
	p := open(t, serve(t, nil)+shared(half), look{})
	before := p.pixels()
	p.click(`input[value="move"]`)
	p.drag(80, 60, 100, 60)
	after := p.changes(before)
	to := p.vector("point")
	if !(to[0] > 0.1) || math.Abs(to[1]) > 0.02 || !near(to[0]/0.6, to[2]/0.8, 0.05) {
		t.Errorf("the section's point is at %v, want a place along the normal", to)
	}
	if got := p.vector("center"); norm(got) != 0 {
		t.Errorf("the ball has moved to %v", got)
	}
	p.key("z", chromedp.ModifierCtrl)
	if p.changes(after); p.text() != half {
		t.Errorf("after one undo the text is %q", p.text())
	}
	p.clickPixel(80, 60)
	p.wait(answered)
	eval[any](p, `document.querySelectorAll("#sections details").forEach((d) => { d.open = true; })`)
	const number = `#sections [data-key="section[0].point"] data.drag`
	if !eval[bool](p, fmt.Sprintf(`document.querySelector(%q) !== null`, number)) {
		t.Fatal("no number of the section's point can be dragged")
	}
	eval[any](p, fmt.Sprintf(`document.querySelector(%q).focus()`, number))
	p.key(kb.ArrowUp)
	p.wait(whole)
	if got := p.vector("point"); !(got[0] > 0) || got[1] != 0 || got[2] != 0 {
		t.Errorf("after an arrow key, the section's point is at %v", got)
	}
}

// TestEditCancels edits the text during a render that would take minutes. The server must cancel the render.
func TestEditCancels(t *testing.T) {
	var running, canceled atomic.Int32
	inner := handler(t, nil)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/render" {
			running.Add(1)
			defer running.Add(-1)
			defer func() {
				if r.Context().Err() != nil {
					canceled.Add(1)
				}
			}()
		}
		inner.ServeHTTP(w, r)
	})
	p := open(t, httptestServer(t, h)+shared(ball), look{})
	before := p.pixels()
	long := strings.NewReplacer("width = 160", "width = 2000", "height = 120", "height = 1500\nantialias = 6").Replace(ball)
	eval[any](p, fmt.Sprintf(`document.getElementById("editor").editor.replace(%q)`, long))
	p.wait(`document.getElementById("picture").width === 2000`) // the coarse picture is shown
	eval[any](p, `document.getElementById("editor").editor.undo()`)
	p.wait(`document.getElementById("picture").width === 160 && ` + whole)
	if p.pixels() != before {
		t.Error("the picture is another one")
	}
	p.wait("true")
	for i := 0; running.Load() > 0; i++ {
		if i > 1000 {
			t.Fatal("an abandoned render continues")
		}
		eval[any](p, `new Promise((resolve) => setTimeout(resolve, 10))`)
	}
	if canceled.Load() != 1 {
		t.Errorf("%d renders were canceled, want 1", canceled.Load())
	}
}

func TestTwoTabs(t *testing.T) {
	url := serve(t, nil) + shared(ball)
	a, b := open(t, url, look{}), open(t, url, look{})
	before := a.pixels()
	blue := strings.Replace(ball, "#c8323c", "#2b6cb0", 1)
	eval[any](a, fmt.Sprintf(`document.getElementById("editor").editor.replace(%q)`, blue))
	a.changes(before)
	if b.text() != ball || b.pixels() != before {
		t.Error("one tab changed the other")
	}
	eval[any](b, `document.getElementById("editor").editor.replace("")`)
	b.wait(`document.getElementById("picture").width === 1280 && ` + whole)
	if a.text() != blue {
		t.Error("one tab changed the other")
	}
}

// TestPhone opens the page in a narrow window with dark colors. Nothing may be wider than the window, and only the
// text or the explanation may be visible.
func TestPhone(t *testing.T) {
	dark := phone
	dark.dark = true
	p := open(t, serve(t, nil)+shared(shipped(t, "demo")), dark)
	for _, pane := range []string{"text", "why", "text"} {
		p.click("#tab-" + pane)
		wide := eval[[]string](p, `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("#sections, #rays, .equations, .steps, #why-solids, [hidden]")).map((e) => e.id || e.tagName)`)
		if len(wide) > 0 {
			t.Errorf("wider than the window: %v", wide)
		}
		if other := map[string]string{"text": "why", "why": "text"}[pane]; eval[float64](p, fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().height`, other)) != 0 {
			t.Errorf("%s is there beside %s", other, pane)
		}
	}
	ground := eval[[]int](p, `getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)`)
	if ground[0] > 64 {
		t.Errorf("the ground is %v in dark colors", ground)
	}
	p.clickPixel(160, 75)
	p.wait(`document.body.dataset.pane === "why" && document.querySelector("#sections .equations")`)
	if size := eval[float64](p, `parseFloat(getComputedStyle(document.querySelector("#sections .equations")).fontSize)`); size < 12 {
		t.Errorf("the explanation is %g pixels high", size)
	}
	p.wait(`document.getElementById("diagram").naturalWidth > 0`)
}

// TestKeyboard uses the page with the keyboard only. It moves to the picture with Tab, explains a pixel, orbits,
// and unfolds sections.
func TestKeyboard(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	reach := func(id string) {
		t.Helper()
		for range 40 {
			if eval[string](p, `document.activeElement.id`) == id {
				if eval[string](p, `getComputedStyle(document.activeElement).outlineStyle`) == "none" && id != "editor" {
					t.Errorf("it is not to be seen that %s has the focus", id)
				}
				return
			}
			p.key(kb.Tab)
		}
		t.Fatalf("Tab does not lead to %s", id)
	}
	reach("editor")
	reach("splitter")
	width := eval[float64](p, `document.getElementById("text").getBoundingClientRect().width`)
	p.key(kb.ArrowRight)
	if eval[float64](p, `document.getElementById("text").getBoundingClientRect().width`) <= width {
		t.Error("an arrow key does not widen the text")
	}
	reach("stage")
	p.key(kb.ArrowDown)
	p.wait(`document.getElementById("readout").textContent.includes("ball")`)
	p.key(kb.Enter)
	p.wait(`document.querySelector("#brief")?.textContent.includes("ball")`)
	before := p.pixels()
	p.key(kb.ArrowLeft, chromedp.ModifierShift)
	after := p.changes(before)
	p.key("z", chromedp.ModifierCtrl)
	p.changes(after)
	p.key("+")
	p.changes(before)
	reach("why")
	for range 10 {
		p.key(kb.Tab)
		if eval[bool](p, `document.activeElement.tagName === "SUMMARY"`) {
			p.key(kb.Enter)
			p.wait(`document.querySelector("#sections details[open]")`)
			return
		}
	}
	t.Error("Tab does not lead to the sections of the explanation")
}

func TestLessonOpensWithItsRay(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=sphere&example=1", look{})
	p.wait(`document.querySelector("#sections .equations")`)
	if title := eval[string](p, `document.getElementById("why-title").textContent`); title != "Ray (0.6, 0, 0) along (0, 0, -1)" {
		t.Errorf("explained is %q", title)
	}
	p.click(`#lesson [data-example="0"]`)
	p.wait(`document.getElementById("why-title").textContent.startsWith("Ray (0.6, 0, 5)")`)
	p.wait(`document.getElementById("diagram").naturalWidth > 0`)
}

// TestLessonIsProse checks that a lesson first shows its page, and that a tab shows its scene instead. A symbol
// must be emphasized in the page, the derivation and the diagram at the same time.
func TestLessonIsProse(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=sphere&example=0", look{})
	p.wait(`document.querySelector("#sections .equations") && document.querySelector(".marker")`)
	visible := func(id string) bool {
		return eval[bool](p, fmt.Sprintf(`document.getElementById(%q).checkVisibility()`, id))
	}
	if !visible("lesson") || visible("editor") || !strings.Contains(eval[string](p, `document.getElementById("lesson").textContent`), "Drop the perpendicular") {
		t.Error("the page of the lesson is not shown")
	}
	eval[any](p, `document.querySelector('#lesson code [data-symbol="l"]').dispatchEvent(new PointerEvent("pointerover", { bubbles: true }))`)
	for _, place := range []string{"#lesson", "#sections", "#diagram-frame"} {
		lit := eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.dataset.symbol)`, place+" .lit"))
		if len(lit) == 0 || slices.ContainsFunc(lit, func(s string) bool { return s != "l" }) {
			t.Errorf("in %s %q is emphasized", place, lit)
		}
	}
	p.click("#tab-scene")
	if visible("lesson") || !visible("editor") {
		t.Error("the scene is not shown")
	}
	p.choose("scene:demo")
	p.wait(whole)
	if visible("lesson") || visible("lesson-tabs") || !visible("editor") {
		t.Error("the lesson is shown beside another scene")
	}
}

// TestPredictions answers one question by a choice and one by a click on the picture. The explanation must open
// after the answer.
func TestPredictions(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=camera", look{})
	p.wait(`document.querySelectorAll("#lesson .predict .choices button").length > 6`)
	if state := eval[string](p, `document.getElementById("why").dataset.state`); state != "empty" {
		t.Errorf("before the answer the explanation is %s", state)
	}
	verdict := func(n int) string {
		return fmt.Sprintf(`document.querySelectorAll("#lesson .predict")[%d].querySelector(".verdict").textContent`, n)
	}
	p.click("#lesson .predict button")
	p.wait(verdict(0) + `.startsWith("Not so: right of it. Along the camera's axis")`)
	p.wait(`document.getElementById("why-title").textContent === "Pixel 4, 1" && ` + answered)
	p.click("#lesson .predict:nth-of-type(2) .pick")
	p.clickPixel(4, 1)
	p.wait(verdict(1) + `.startsWith('Right: sphere "ball". The closest hit is at t = ')`)
}

// TestPredictionInANarrowWindow answers a question in a narrow window, where the lesson stays in front of the
// explanation. The answer and a button that shows the explanation must come into sight.
func TestPredictionInANarrowWindow(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=shadows", phone)
	p.wait(`document.querySelectorAll("#lesson .predict .choices button").length > 6`)
	const turn = `document.querySelector("#lesson .predict .turn")`
	if eval[bool](p, turn+`.checkVisibility()`) {
		t.Error("the button is shown before the answer")
	}
	p.click("#lesson .predict .choices button")
	p.wait(turn + `.checkVisibility() && ` + answered)
	if !eval[bool](p, `[...document.querySelectorAll("#lesson .predict:has(.turn:not([hidden])) :is(.verdict, .turn)")].every((e) => { const box = e.getBoundingClientRect(); return document.elementFromPoint(box.left + 5, box.top + box.height / 2) === e; })`) {
		t.Error("the answer or the button is out of sight")
	}
	eval[any](p, turn+`.click()`)
	p.wait(answered + ` && document.querySelector("#brief .answer").checkVisibility() && !document.getElementById("lesson").checkVisibility()`)
	p.click("#tab-text")
	if !eval[bool](p, turn+`.checkVisibility()`) {
		t.Error("the lesson is not shown again")
	}
	if tops := eval[[]float64](p, `[...new Set([...document.querySelectorAll("#share, #png, #help")].map((e) => Math.round(e.getBoundingClientRect().top)))]`); len(tops) != 1 {
		t.Errorf("the buttons of the page's head stand in %d rows", len(tops))
	}
}

func TestTimeline(t *testing.T) {
	p := open(t, serve(t, nil)+"/#scene=wave", look{})
	p.wait(`!document.getElementById("timeline").hidden`)
	before := p.pixels()
	eval[any](p, `(() => { const t = document.getElementById("time"); t.value = 1; t.dispatchEvent(new Event("input")); })()`)
	at := p.changes(before)
	p.click("#play")
	for range 3 { // the picture is whole only for a moment
		for begun := time.Now(); p.pixels() == at; time.Sleep(20 * time.Millisecond) {
			if time.Since(begun) > patience {
				t.Fatal("the picture does not move")
			}
		}
		at = p.pixels()
	}
	p.click("#play")
	p.wait(whole)
}

// TestShareAndDownload opens the link to a scene, which must show the same picture. The downloaded picture must
// have exactly the rendered pixels.
func TestShareAndDownload(t *testing.T) {
	url := serve(t, nil)
	p := open(t, url+shared(ball), look{})
	p.clickPixel(80, 60)
	p.wait(`document.querySelector("#sections .equations")`)
	p.click("#share")
	p.wait(`document.getElementById("share-dialog").open`)
	link := eval[string](p, `document.getElementById("share-link").value`)
	other := open(t, link, look{})
	if other.text() != ball {
		t.Errorf("the link leads to %q", other.text())
	}
	other.wait(`document.getElementById("why-title").textContent === "Pixel 80, 60"`)

	// Another link opened in the same tab after an edit shows its own text.
	other.write("# mine\n")
	second := strings.Replace(ball, "radius = 1", "radius = 0.5", 1)
	eval[any](other, fmt.Sprintf(`{ location.hash = %q }`, strings.TrimPrefix(shared(second), "/")))
	other.wait(fmt.Sprintf(`document.getElementById("editor").editor.text === %q`, second))

	want, err := scene.Decode("ball.toml", []byte(ball))
	if err != nil {
		t.Fatal(err)
	}
	film, err := pillbox.Render(t.Context(), want, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	comparePNG(t, p.png(), film.Image)
}

// png returns the PNG that the page would download, in base64.
func (p *page) png() string {
	p.Helper()
	return eval[string](p, `(async () => {
		const { png } = await import("./js/png.js");
		const canvas = document.getElementById("picture"), pixels = (`+read+`)("picture");
		const file = await png(pixels, canvas.width, canvas.height);
		let text = "";
		for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
		return btoa(text);
	})()`)
}

func comparePNG(t *testing.T, encoded string, want *image.NRGBA) {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	pixels, ok := got.(*image.NRGBA)
	if !ok {
		t.Fatalf("the PNG is %T", got)
	}
	if pixels.Rect != want.Rect || !bytes.Equal(pixels.Pix, want.Pix) {
		t.Error("the PNG has other pixels than the renderer")
	}
}

// TestMaterialIsRecolored picks a color at the swatch beside a material's name. The color of the material must
// change.
func TestMaterialIsRecolored(t *testing.T) {
	text := strings.Replace(ball, `color = "#c8323c"`, `material = "clay"`, 1) + "\n[material.clay]\nmirror = 0\ncolor = \"#c8323c\"\n"
	p := open(t, serve(t, nil)+shared(text), look{})
	before := p.pixels()
	eval[any](p, `(() => {
		const swatch = document.getElementById("editor").shadowRoot.querySelector('.cm-swatch[title^="material clay"]');
		swatch.value = "#2b6cb0";
		swatch.dispatchEvent(new Event("input"));
	})()`)
	p.changes(before)
	if want := strings.Replace(text, "#c8323c", "#2b6cb0", 1); p.text() != want {
		t.Errorf("the text is %q", p.text())
	}
	// All colors tried while the picker is open are one undo step.
	eval[any](p, `(() => {
		const swatch = document.getElementById("editor").shadowRoot.querySelector('.cm-swatch[title^="material clay"]');
		for (const color of ["#00ff00", "#0000ff"]) {
			swatch.value = color;
			swatch.dispatchEvent(new Event("input"));
		}
		swatch.dispatchEvent(new Event("change"));
	})()`)
	p.click("#undo")
	if p.text() != text {
		t.Errorf("undone is %q", p.text())
	}
	p.click("#redo")
	if want := strings.Replace(text, "#c8323c", "#0000ff", 1); p.text() != want {
		t.Errorf("done again is %q", p.text())
	}
}
