package web_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// TestDragTimes logs the median and the range of the times from a drag to the coarse picture. There is no limit for
// these times.
func TestDragTimes(t *testing.T) {
	if !*times {
		t.Skip("needs -times")
	}
	p := open(t, serve(t, nil)+"/#scene=demo", look{})
	report := func(what string) {
		for _, name := range []string{"pillbox drag", "pillbox explained", "pillbox coarse"} {
			all := eval[[]float64](p, fmt.Sprintf(`performance.getEntriesByName(%q).map((e) => e.duration)`, name))
			if len(all) == 0 && name == "pillbox explained" {
				continue // nothing is explained while the camera moves
			}
			if len(all) == 0 {
				t.Fatalf("%s: nothing was measured", what)
			}
			slices.Sort(all)
			t.Logf("%s: %q: median %.0f ms of %d, %.0f to %.0f ms", what, name, all[len(all)/2], len(all), all[0], all[len(all)-1])
		}
		eval[any](p, `performance.clearMeasures()`)
	}
	follow := func(x, y float64) {
		p.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
		for i := range 40 {
			p.mouse(input.DispatchMouseEventTypeMouseMoved, x+float64(3*i), y)
			eval[any](p, `new Promise((resolve) => requestAnimationFrame(resolve))`)
		}
		p.mouse(input.DispatchMouseEventTypeMouseReleased, x+120, y)
		p.wait(whole + ` && !document.getElementById("editor").editor.inGesture`)
	}
	eval[any](p, `performance.clearMeasures()`)
	x, y := p.place(300, 300)
	follow(x, y)
	report("orbit")
	p.clickPixel(905, 548)
	p.wait(answered)
	p.click("#sections details:nth-of-type(3) summary")
	x, y = middleOf(p, "#sections details[open] data.drag")
	eval[any](p, `document.querySelector("#sections details[open] data.drag").scrollIntoView({ block: "center" })`)
	x, y = middleOf(p, "#sections details[open] data.drag")
	follow(x, y)
	report("number")
	p.click("#outside-toggle")
	p.settled("")
	x, y = middleOf(p, "#sections details[open] data.drag")
	follow(x, y)
	report("number beside the view from outside")
}
