package web_test

import "testing"

// TestQuestionShowsItsRay checks that pointing at a question shows the beginning of its ray over the picture. The
// end must be hidden, because it would answer the question. Leaving the question must hide the ray.
func TestQuestionShowsItsRay(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=shadows", look{})
	p.wait(`document.querySelectorAll("#lesson .predict .choices button").length > 6 && ` + whole)
	card := `document.querySelector("#lesson .predict")`
	eval[any](p, card+`.dispatchEvent(new PointerEvent("pointerenter"))`)
	p.wait(rays + ` === 1 && document.querySelector("#rays .label").textContent === "the ray of the question"`)
	if n := eval[int](p, `document.querySelectorAll("#rays .is-light, #rays .is-blocked").length`); n != 0 {
		t.Errorf("%d shadow rays are shown before the answer", n)
	}
	before := eval[float64](p, `(() => { const l = document.querySelector("#rays .line"); return Math.hypot(l.x2.baseVal.value - l.x1.baseVal.value, l.y2.baseVal.value - l.y1.baseVal.value); })()`)
	eval[any](p, card+`.dispatchEvent(new PointerEvent("pointerleave"))`)
	p.wait(rays + ` === 0`)
	eval[any](p, card+`.querySelector("button").focus()`)
	p.wait(rays + ` === 1`)
	p.click("#lesson .predict button")
	p.wait(answered + ` && ` + rays + ` > 1`)
	after := eval[float64](p, `(() => { const l = document.querySelector('#rays [data-ray="camera ray"] .line'); return Math.hypot(l.x2.baseVal.value - l.x1.baseVal.value, l.y2.baseVal.value - l.y1.baseVal.value); })()`)
	if before > after/2 {
		t.Errorf("before the answer %g of %g pixels of the ray are shown", before, after)
	}
}
