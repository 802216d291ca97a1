package web_test

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	chosen   = `[...document.getElementById("editor").shadowRoot.querySelectorAll(".cm-table")].map((e) => e.textContent).join("\n")`
	readout  = `document.getElementById("readout").textContent`
	answered = `document.getElementById("why").dataset.state === "answer" && document.querySelector("#brief").textContent && document.getElementById("why").dataset.old === undefined`
	rays     = `document.querySelectorAll("#rays .line").length`
)

// TestBackgroundSelectsNothing checks that clicking the background removes the selection that clicking a solid has
// made.
func TestBackgroundSelectsNothing(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	p.clickPixel(80, 60)
	p.wait(chosen + `.includes('name = "ball"')`)
	selection := `(() => { const { from, to } = document.getElementById("editor").editor.selection; return to - from; })()`
	if eval[int](p, selection) == 0 {
		t.Error("the table of the ball is not selected")
	}
	p.clickPixel(5, 5)
	p.wait(`document.getElementById("why-title").textContent === "Pixel 5, 5" && ` + answered + ` && ` + chosen + ` === ""`)
	if n := eval[int](p, selection); n != 0 {
		t.Errorf("%d letters are still selected", n)
	}

	// After an edit, the solid that the pixel shows now is marked; when the panel is closed, no solid is.
	p.clickPixel(80, 60)
	p.wait(chosen + `.includes('name = "ball"')`)
	eval[any](p, `(() => { const e = document.getElementById("editor").editor; e.replace(e.text.replace("center = [0, 0, 0]", "center = [3, 0, 0]")); })()`)
	p.wait(chosen + `.includes('name = "floor"')`)
	p.click("#why-close")
	p.wait(chosen + ` === ""`)

	// When a scene is opened again, nothing of its previous state remains.
	p.clickPixel(80, 60)
	p.wait(chosen + ` !== ""`)
	p.choose("scene:demo")
	p.wait(whole)
	p.choose("link")
	p.wait(whole)
	if got := eval[string](p, chosen+` + document.getElementById("why").dataset.state + document.querySelectorAll("#rays *").length`); got != "empty0" {
		t.Errorf("of the scene before there is %q", got)
	}
}

// TestReadoutFollowsThePicture checks that the line below the picture always describes the visible picture.
func TestReadoutFollowsThePicture(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	eval[any](p, `document.getElementById("stage").focus()`)
	p.key(kb.ArrowDown)
	p.wait(readout + `.includes("ball")`)
	near := eval[string](p, readout)
	p.key("-")
	p.wait(readout + ` !== ` + fmt.Sprintf("%q", near) + ` && ` + readout + `.includes("distance")`)
	if got := eval[string](p, readout); !strings.Contains(got, "80, 60") {
		t.Errorf("the readout is about %q", got)
	}
	eval[any](p, `(() => { const e = document.getElementById("editor").editor; e.replace(e.text.replace("radius = 1", "radius = 0.01")); })()`)
	p.wait(readout + `.includes("floor")`)
	p.write("\nwrong")
	p.wait(`document.getElementById("stage").dataset.state === "stale"`)
	p.choose("scene:demo")
	p.wait(readout + `.startsWith("Point at")`)
	p.wait(whole)
	eval[any](p, `document.getElementById("stage").focus()`)
	p.key(kb.Enter) // the center of this picture
	p.wait(`document.getElementById("why-title").textContent === "Pixel 640, 360"`)
}

// TestNoMarksOverAMovingPicture checks that rays and outlines of the previous picture are hidden during a drag.
func TestNoMarksOverAMovingPicture(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	before := p.pixels()
	p.clickPixel(80, 60)
	p.wait(rays + ` > 0 && (` + read + `)("outlines").some((b) => b)`)
	x0, y0 := p.place(80, 20)
	x1, y1 := p.place(110, 20)
	p.mouse(input.DispatchMouseEventTypeMousePressed, x0, y0)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x1, y1)
	p.changes(before)
	if n := eval[int](p, rays); n != 0 {
		t.Errorf("%d rays lie over a picture that moves", n)
	}
	if eval[bool](p, `(`+read+`)("outlines").some((b) => b)`) {
		t.Error("outlines lie over a picture that moves")
	}
	if old := eval[string](p, `document.getElementById("why").dataset.old ?? ""`); old != "true" {
		t.Error("the explanation is not marked as that of another picture")
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x1, y1)
	p.wait(rays + ` > 0 && ` + answered)
}

// TestExplanationBeginsAtItsTop checks that the panel is scrolled to the top of each new explanation.
func TestExplanationBeginsAtItsTop(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{width: 1440, height: 700})
	p.clickPixel(80, 60)
	p.wait(answered + ` && document.getElementById("diagram").naturalWidth > 0`)
	eval[any](p, `document.querySelectorAll("#sections summary").forEach((e) => e.click())`)
	p.wait(`document.getElementById("why").scrollHeight > 2 * document.getElementById("why").clientHeight`)
	eval[any](p, `document.getElementById("why").scrollTop = 300`)
	p.clickPixel(70, 60)
	p.wait(`document.getElementById("why-title").textContent === "Pixel 70, 60" && ` + answered + ` && document.getElementById("why").scrollTop === 0`)
}

// TestWholeDiagram checks that the diagram is drawn for the width of the panel, with readable labels and a
// description for screen readers. The whole diagram must open in a dialog, which Escape closes.
func TestWholeDiagram(t *testing.T) {
	for _, l := range []look{{}, phone} {
		p := open(t, serve(t, nil)+shared(ball), l)
		p.clickPixel(80, 60)
		p.wait(answered + ` && document.getElementById("diagram").naturalWidth > 0`)
		if drawn, shown := eval[float64](p, `document.getElementById("diagram").naturalWidth * 11 / 16`), eval[float64](p, `document.getElementById("diagram").clientWidth`); math.Abs(drawn-shown) > 3 {
			t.Errorf("%+v: the diagram is drawn for %g pixels and shown at %g", l, drawn, shown)
		}
		if alt := eval[string](p, `document.getElementById("diagram").alt`); !strings.Contains(alt, "the ray enters at t_near") {
			t.Errorf("the description is %q", alt)
		}
		p.click("#enlarge")
		p.wait(`document.getElementById("diagram-dialog").open && document.getElementById("diagram-whole").naturalWidth > 1000`)
		p.key(kb.Escape)
		p.wait(`!document.getElementById("diagram-dialog").open`)
		if eval[string](p, `document.getElementById("why").dataset.state`) != "answer" {
			t.Error("Escape also closed the explanation")
		}
	}
}

// TestStepLightsItsRay points at a light in the panel. The label and the line of its shadow ray over the picture
// must be emphasized.
func TestStepLightsItsRay(t *testing.T) {
	p := open(t, serve(t, nil)+shared(shipped(t, "demo")), look{})
	p.clickPixel(160, 75)
	p.wait(answered + ` && ` + rays + ` > 1`)
	lit := `[...document.querySelectorAll("#rays > .lit")].map((e) => e.dataset.ray).join("|")`
	ray := eval[string](p, `document.querySelector("#why-lights button").closest("li").dataset.ray`)
	eval[any](p, `document.querySelector("#why-lights button").focus()`)
	if got := eval[string](p, lit); !strings.HasPrefix(ray, "shadow ray to light 0") || !strings.HasPrefix(got, ray) {
		t.Errorf("%q is lit, want %q", got, ray)
	}
	eval[any](p, `document.querySelector("#why-lights button").blur()`)
	if got := eval[string](p, lit); got != "" {
		t.Errorf("%q is still lit", got)
	}
}

// TestEmphasisIsShared points at a ray over the picture. The ray must be emphasized, and so must its symbol in the
// derivation and in the diagram. Focusing a part of the diagram, or a formula of a lesson, must do the same.
func TestEmphasisIsShared(t *testing.T) {
	p := open(t, serve(t, nil)+shared(shipped(t, "demo")), look{})
	p.clickPixel(226, 137)
	p.wait(answered + ` && ` + rays + ` > 1 && document.querySelector(".marker")`)
	lit := func(selector string) string {
		return eval[string](p, fmt.Sprintf(`[...new Set([...document.querySelectorAll(%q)].map((e) => e.dataset.symbol ?? e.dataset.ray))].join("|")`, selector))
	}
	want := func(moment, symbols, drawn, ray string) {
		t.Helper()
		if got := lit("#sections [data-symbol].lit"); got != symbols {
			t.Errorf("%s: lit in the derivation is %q, want %q", moment, got, symbols)
		}
		if got := lit(".marker.lit"); got != drawn {
			t.Errorf("%s: lit in the diagram is %q, want %q", moment, got, drawn)
		}
		if got := lit("#rays > .lit"); got != ray {
			t.Errorf("%s: the ray %q is lit, want %q", moment, got, ray)
		}
	}
	// The middle of a shadow ray over the picture.
	toLight := "shadow ray to light 0 from the end of the camera ray"
	at := eval[[]float64](p, fmt.Sprintf(`(() => { const l = [...document.querySelectorAll("#rays > g")].find((e) => e.dataset.ray === %q).querySelector(".line");
		return ["x1", "y1", "x2", "y2"].map((key) => Number(l.getAttribute(key))); })()`, toLight))
	along := 15 / math.Hypot(at[2]-at[0], at[3]-at[1])
	x, y := p.place(at[0]+along*(at[2]-at[0])-0.5, at[1]+along*(at[3]-at[1])-0.5)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y)
	want("pointing at the shadow ray", "L", "", toLight)
	if n := eval[int](p, `document.querySelectorAll("#why-lights .lit-ray").length`); n != 1 {
		t.Errorf("%d lights are lit", n)
	}
	x, y = p.place(20, 10)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y)
	want("pointing elsewhere", "", "", "")
	// Keys reach the rays and the parts of the diagram.
	eval[any](p, `document.getElementById("stage").focus()`)
	p.key("r")
	want("the first ray", "d", "d", "camera ray")
	eval[any](p, `document.querySelector("button.marker").focus()`)
	for range 20 {
		if eval[string](p, `document.activeElement.dataset.symbol`) == "t_near" {
			break
		}
		p.key(kb.ArrowRight)
	}
	want("a part of the diagram", "t_near", "t_near", "camera ray")
	if eval[int](p, `document.querySelectorAll('button.marker[tabindex="0"]').length`) != 1 {
		t.Error("Tab stops at several parts of the diagram")
	}

	p = open(t, serve(t, nil)+"/#lesson=sphere&example=0", look{})
	p.wait(answered + ` && document.querySelector(".marker")`)
	eval[any](p, `document.querySelector("#lesson code[tabindex]").focus()`)
	p.wait(`document.querySelectorAll("#lesson .lit").length > 1 && document.querySelectorAll("#sections [data-symbol].lit").length > 1 && document.querySelector("#rays > .lit")`)
}

// TestPhoneFillsTheReadout checks that a tap on a touch screen, which cannot hover, shows the data of a pixel.
func TestPhoneFillsTheReadout(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), phone)
	_, err := chromedp.Call(p.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	p.must(err)
	x, y := p.place(80, 60)
	_, err = chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}})
	p.must(err)
	_, err = chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
	p.must(err)
	p.wait(answered + ` && ` + readout + `.includes("ball")`)
}

// TestOutlinesKeepColors checks that marks do not cover the colors that the explanation mentions, at scales where
// single pixels are visible.
func TestOutlinesKeepColors(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=camera&example=0", look{})
	p.wait(answered + ` && (` + read + `)("outlines").some((b) => b)`)
	size := eval[[]int](p, `[document.getElementById("picture").width, document.getElementById("picture").height]`)
	want := eval[[]int](p, `Array.from((`+read+`)("picture"))`)
	shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	p.must(err)
	picture, err := png.Decode(bytes.NewReader(shot))
	p.must(err)
	left, top := p.place(-0.5, -0.5)
	right, _ := p.place(0.5, 0.5)
	side := right - left
	for y := range size[1] {
		for x := range size[0] {
			// This is a quarter pixel from the corner, because rays and ring pass through the center.
			got := color.NRGBAModel.Convert(picture.At(int(left+(float64(x)+0.25)*side), int(top+(float64(y)+0.25)*side))).(color.NRGBA)
			at := 4 * (y*size[0] + x)
			if int(got.R) != want[at] || int(got.G) != want[at+1] || int(got.B) != want[at+2] {
				t.Errorf("pixel %d, %d is shown as %v, want %v", x, y, got, want[at:at+3])
			}
		}
	}
}

// TestTimeStaysWithinTheFilm makes a film shorter than the time that is shown. The page must then show the end of
// the film.
func TestTimeStaysWithinTheFilm(t *testing.T) {
	const moving = ball + "\n[animation]\nduration = 4\nfps = 10\n\n[[animate]]\ntarget = \"camera.position\"\ntimes = [0, 2]\nvalues = [[0, 1, 6], [0, 1, 7]]\n"
	p := open(t, serve(t, nil)+shared(moving), look{})
	eval[any](p, `(() => { const t = document.getElementById("time"); t.value = 3; t.dispatchEvent(new Event("input")); })()`)
	p.wait(`document.getElementById("time-now").textContent === "3.00 s" && ` + whole)
	eval[any](p, `(() => { const e = document.getElementById("editor").editor; e.replace(e.text.replace("duration = 4", "duration = 2")); })()`)
	p.wait(`document.getElementById("time-now").textContent === "2.00 s" && document.getElementById("time").value === "2" && ` + whole)
}

func TestUnits(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	got := eval[[]string](p, `(async () => {
		const { rounded, seconds } = await import("./js/units.js");
		return [...[1, 2, 999, 1000, 999499, 999500, 1.5e6, 2e9].map((n) => rounded(n, "ray")), ...[0.0123, 0.9996, 2].map(seconds)];
	})()`)
	want := "1 ray|2 rays|999 rays|1 thousand rays|999 thousand rays|1.0 million rays|1.5 million rays|2.0 billion rays|12 ms|1.0 s|2.0 s"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}

// TestDragANumber drags the radius of a ball in the derivation. The text, picture, derivation and diagram must
// change during the drag, which must be one undo step. An arrow key must change a coordinate by one step.
func TestDragANumber(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	p.clickPixel(80, 60)
	p.wait(answered)
	eval[any](p, `document.querySelectorAll("#sections details").forEach((e) => { e.open = true; })`)
	radius := `[...document.querySelectorAll('#sections [data-key="sphere[0].radius"]')]`
	eval[any](p, radius+`[0].scrollIntoView({ block: "center" })`)
	at := eval[[]float64](p, `(() => { const box = `+radius+`[0].getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()`)
	before := p.pixels()
	diagram := eval[string](p, `document.getElementById("diagram").src`)
	p.mouse(input.DispatchMouseEventTypeMousePressed, at[0], at[1])
	for i := range 20 {
		p.mouse(input.DispatchMouseEventTypeMouseMoved, at[0]-float64(i)-1, at[1])
	}
	p.wait(`document.getElementById("editor").editor.text.includes("radius = 0.8\n") && ` + radius + `[0].value === "0.8"`)
	if old := eval[string](p, `document.getElementById("why").dataset.old ?? ""`); old != "" {
		t.Error("during the drag the explanation is that of another picture")
	}
	if eval[string](p, `document.getElementById("diagram").src`) == diagram {
		t.Error("during the drag the diagram is that of another picture")
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, at[0]-20, at[1])
	after := p.changes(before)
	p.wait(answered + ` && [...document.querySelectorAll("#sections details")].every((e) => e.children.length > 1)`)
	times := eval[[]float64](p, `performance.getEntriesByName("pillbox drag").map((e) => e.duration).sort((a, b) => a - b)`)
	t.Logf("from drag to coarse picture and explanation: median %.0f ms of %d", times[len(times)/2], len(times))
	p.key("z", chromedp.ModifierCtrl)
	p.changes(after)
	if p.text() != ball {
		t.Errorf("after one undo the text is %q", p.text())
	}
	p.wait(answered + ` && ` + radius + `[0].value === "1"`)
	center := `document.querySelector('#sections [data-key="sphere[0].center"] data')`
	eval[any](p, center+`.focus()`)
	p.key(kb.ArrowUp)
	p.wait(`document.getElementById("editor").editor.text.includes("center = [0.01, 0, 0]")`)
	p.wait(answered + ` && ` + center + `.value === "0.01" && document.activeElement === ` + center)
}

// TestDragBeyondTheRay drags the radius of a ball in a step until the ray misses the ball: the step stays open, with the number
// and the focus. When the radius is dragged back, the first step is open again.
func TestDragBeyondTheRay(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	p.clickPixel(70, 50)
	p.wait(answered)
	const open = `document.querySelector("#sections details[open] [data-key='sphere[0].radius']")`
	eval[any](p, `[...document.querySelectorAll("#sections details")].find((e) => e.querySelector("[data-key='sphere[0].radius']")).querySelector("summary").click()`)
	p.wait(open)
	section := eval[string](p, open+`.closest("details").textContent`)
	eval[any](p, open+`.scrollIntoView({ block: "center" })`)
	x, y := middleOf(p, "#sections details[open] [data-key='sphere[0].radius']")
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x-99, y)
	const tiny = open + `?.value === "0.01"`
	const held = tiny + ` && document.activeElement === ` + open
	p.wait(held)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x-99, y)
	p.wait(answered + ` && ` + held + ` && !document.getElementById("editor").editor.inGesture`)
	if answer := eval[string](p, `document.querySelector("#brief .answer").textContent`); strings.Contains(answer, "ball") {
		t.Errorf("the ray does not miss the ball: %q", answer)
	}
	p.snap("number-misses")
	p.key("z", chromedp.ModifierCtrl)
	p.wait(answered + ` && ` + open + `?.value === "1"`)
	if now := eval[string](p, open+`.closest("details").textContent`); now != section {
		t.Errorf("the step is %q, want %q", now, section)
	}
}

// TestExampleIsNotEmpty checks that the panel shows a message, and is not empty, while it waits for the explanation
// of an example.
func TestExampleIsNotEmpty(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=shadows", look{})
	p.wait(`document.querySelector("#lesson .example")`)
	state := eval[string](p, `(() => { document.querySelector("#lesson .example").click(); return document.getElementById("why").dataset.state; })()`)
	if state != "waiting" {
		t.Errorf("before the answer the panel is %q", state)
	}
	p.wait(answered)
}

// TestSuggestedPixel checks that the empty panel suggests pixels. Choosing one must open its explanation, and
// closing the explanation must show suggestions again.
func TestSuggestedPixel(t *testing.T) {
	p := open(t, serve(t, nil)+shared(shipped(t, "demo")), look{})
	p.wait(`document.querySelectorAll("#suggestions button").length === 3`)
	p.click("#suggestions button")
	p.wait(answered + ` && document.querySelector("#brief .answer").textContent.includes("in the shadow of")`)
	p.click("#why-close")
	p.wait(`document.getElementById("suggestions").checkVisibility()`)
	if groups := eval[[]string](p, `[...document.querySelectorAll("#scene optgroup")].map((g) => g.label)`); groups[0] != "Lessons" || groups[len(groups)-1] != "Test scenes" {
		t.Errorf("the list has the groups %q", groups)
	}
}
