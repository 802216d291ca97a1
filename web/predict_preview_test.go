package web_test

import "testing"

// TestQuestionShowsItsRay checks that the numbers of the scene stand above a question, and that the picture shows the whole
// line of its ray, across the picture: where the ray ends would answer the question. This holds for the first question
// at once, and for the others when the pointer or the focus is on them, in wide and in narrow windows.
func TestQuestionShowsItsRay(t *testing.T) {
	for _, l := range []look{{}, {width: 390, height: 844}} {
		p := open(t, serve(t, nil)+"/#lesson=sphere", l)
		p.wait(`document.querySelectorAll("#lesson .predict .choices button").length > 10`)
		shown := rays + ` === 1`
		p.wait(shown)
		const card = `document.querySelectorAll("#lesson .predict")[2]`
		if given := eval[string](p, card+`.querySelector(".given").textContent`); given != `sphere "ball": center (0, 0, 0), radius 1` {
			t.Errorf("the numbers are %q", given)
		}
		if !eval[bool](p, card+`.querySelector(".given").getBoundingClientRect().bottom <= `+card+`.querySelector(".question").getBoundingClientRect().top`) {
			t.Error("the numbers are not above the question")
		}
		const line = `(({ x1, y1, x2, y2 }) => [x1, y1, x2, y2].map((v) => v.baseVal.value))(document.querySelector("#rays .line"))`
		first := eval[[]float64](p, line)
		eval[any](p, card+`.dispatchEvent(new PointerEvent("pointerenter"))`)
		p.wait(shown)
		third := eval[[]float64](p, line)
		if first[2] == third[2] || max(first[0], third[0]) > 640 {
			t.Errorf("the rays of two questions are %v and %v", first, third)
		}
		eval[any](p, card+`.dispatchEvent(new PointerEvent("pointerleave"))`)
		eval[any](p, `document.querySelector("#lesson .predict button").focus()`)
		p.wait(shown)
		if again := eval[[]float64](p, line); again[0] != first[0] || again[2] != first[2] {
			t.Errorf("the focus shows %v, want %v", again, first)
		}
		if n := eval[int](p, `document.querySelectorAll("#rays .is-light, #rays .is-blocked").length`); n != 0 {
			t.Errorf("%d shadow rays are shown before the answer", n)
		}
		p.click("#lesson .predict .choices button")
		p.wait(answered + ` && ` + rays + ` > 1`)
	}
}
