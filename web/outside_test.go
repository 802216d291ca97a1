package web_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// sight is a JavaScript expression for the URL of the picture in the view from outside. The URL changes with every
// picture.
const sight = `document.getElementById("outside-picture").src`

// settled waits until the view from outside shows a sharp picture whose URL differs from before. It returns the new
// URL.
func (p *page) settled(before string) string {
	p.Helper()
	p.wait(fmt.Sprintf(`%s && %s !== %q && document.getElementById("outside-picture").naturalWidth >= document.getElementById("outside-stage").clientWidth - 1`, sight, sight, before))
	return eval[string](p, sight)
}

// TestOutsideFollows opens the view from outside, and changes the pixel, the scene and the view. The view must show
// each change.
func TestOutsideFollows(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	alt := func() string { return eval[string](p, `document.getElementById("outside-picture").alt`) }
	if eval[bool](p, `document.getElementById("outside").checkVisibility()`) {
		t.Error("the view is open at first")
	}
	p.click("#outside-toggle")
	at := p.settled("")
	if !strings.Contains(alt(), "with its camera") {
		t.Errorf("the view is described as %q", alt())
	}
	p.clickPixel(80, 60)
	p.wait(`document.getElementById("outside-picture").alt.includes("camera ray, which ends at sphere \"ball\"")`)
	at = p.settled(at)
	if eval[int](p, `document.querySelectorAll("#outside-rays .label").length`) < 2 {
		t.Error("the rays have no labels")
	}
	// A step of the explanation emphasizes its ray here, too.
	p.click("#sections summary")
	eval[any](p, `document.querySelector('#sections [data-ray="camera ray"]').dispatchEvent(new PointerEvent("pointerover", { bubbles: true }))`)
	if lit := eval[string](p, `document.querySelector("#outside-rays > g.lit")?.dataset.ray ?? ""`); lit != "camera ray" {
		t.Errorf("%q is emphasized", lit)
	}
	// The scene changes.
	eval[any](p, `(() => { const e = document.getElementById("editor").editor; e.replace(e.text.replace("radius = 1", "radius = 0.7")); })()`)
	p.wait(whole)
	at = p.settled(at)
	// Dragging and keys orbit; the text stays.
	text := p.text()
	x, y := middleOf(p, "#outside-stage")
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x+60, y+10)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x+60, y+10)
	at = p.settled(at)
	for _, key := range []string{kb.ArrowLeft, "+", kb.Home} {
		p.key(key)
		at = p.settled(at)
	}
	if p.text() != text {
		t.Error("moving the view from outside changes the text")
	}
	p.click("#outside-toggle")
	if eval[bool](p, `document.getElementById("outside").checkVisibility()`) {
		t.Error("the view does not close")
	}
}

// middleOf returns the position, in the window, of the middle of the element that matches the CSS selector.
func middleOf(p *page, selector string) (x, y float64) {
	p.Helper()
	box := eval[[]float64](p, fmt.Sprintf(`(() => { const b = document.querySelector(%q).getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()`, selector))
	return box[0] + box[2]/2, box[1] + box[3]/2
}

// TestOutsideFits checks that the view from outside lies inside the window and covers nothing, at every width.
func TestOutsideFits(t *testing.T) {
	url := serve(t, nil) + shared(ball)
	for _, l := range []look{{}, {width: 1024, height: 768}, phone} {
		p := open(t, url, l)
		p.click("#outside-toggle")
		p.settled("")
		box := func(id string) []float64 {
			return eval[[]float64](p, fmt.Sprintf(`(() => { const b = document.getElementById(%q).getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })()`, id))
		}
		view, picture := box("outside-stage"), box("stage")
		if view[2] > float64(cmpWidth(l))+1 || view[3]-view[1] < 150 || view[2]-view[0] < 150 {
			t.Errorf("%+v: the view lies at %v", l, view)
		}
		if math.Min(view[2], picture[2]) > math.Max(view[0], picture[0]) && math.Min(view[3], picture[3]) > math.Max(view[1], picture[1]) {
			t.Errorf("%+v: the view at %v covers the picture at %v", l, view, picture)
		}
	}
}

func cmpWidth(l look) int64 {
	if l.width == 0 {
		return 1440
	}
	return l.width
}
