package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// TestTaskWhyIsItDark plays a new user who clicks a dark pixel and reads why it is dark.
func TestTaskWhyIsItDark(t *testing.T) {
	p := open(t, serve(t, nil)+"/#scene=demo", look{})
	p.wait(`[...document.querySelectorAll("#suggestions button")].some((e) => e.checkVisibility() && e.textContent.startsWith("Why is it dark here?"))`)
	p.clickPixel(905, 548)
	p.wait(`document.querySelector("#brief .answer")?.textContent.includes("in the shadow of")`)
	p.snap("task-dark")
}

// TestTaskMakeTheBallSmaller plays a new user who clicks a ball, unfolds the steps that a hint mentions, and drags
// the ball's radius.
func TestTaskMakeTheBallSmaller(t *testing.T) {
	p := open(t, serve(t, nil)+"/#scene=demo", look{})
	p.clickPixel(215, 365) // the green ball
	p.wait(`document.querySelector("#brief .answer")?.textContent.includes("green ball") && document.getElementById("drag-hint").checkVisibility()`)
	p.snap("task-ball")
	eval[any](p, `[...document.querySelectorAll("#sections details")].find((e) => e.textContent.includes("radius"))?.querySelector("summary").click()`)
	number := `document.querySelector('#sections details[open] [data-key$=".radius"]')`
	p.wait(number)
	eval[any](p, number+`.scrollIntoView({ block: "center" })`)
	before, steps := p.pixels(), eval[string](p, `document.querySelector("#sections details[open]").textContent`)
	x, y := middleOf(p, `#sections details[open] [data-key$=".radius"]`)
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x-10, y)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x-10, y)
	p.changes(before)
	p.wait(answered)
	if eval[string](p, `document.querySelector("#sections details[open]").textContent`) == steps {
		t.Error("the derivation is the same")
	}
	p.snap("task-smaller")
}

// TestTaskLessonAboutShadows plays a new user who looks for the lesson about shadows and answers its questions.
func TestTaskLessonAboutShadows(t *testing.T) {
	p := open(t, serve(t, nil)+"/#scene=demo", look{})
	p.click("#gallery-open")
	p.wait(`document.getElementById("gallery").open`)
	eval[any](p, `[...document.querySelectorAll("#gallery-topics button")].find((e) => e.textContent === "Lessons").click()`)
	p.wait(`(() => { const b = document.querySelector('[data-key="lesson:shadows"]').getBoundingClientRect(); return b.top > 0 && b.bottom < innerHeight; })() && document.querySelector('[data-key="lesson:shadows"] [data-done]')`)
	p.snap("task-lessons")
	p.click(`[data-key="lesson:shadows"]`)
	p.wait(`document.querySelectorAll("#lesson .predict .choices button").length > 6 && ` + whole)
	p.snap("task-questions")
	for i := range eval[int](p, `document.querySelectorAll("#lesson .predict").length`) {
		eval[any](p, fmt.Sprintf(`document.querySelectorAll("#lesson .predict")[%d].querySelector(".choices button").click()`, i))
		p.wait(fmt.Sprintf(`document.querySelectorAll("#lesson .predict")[%d].querySelector(".verdict").textContent && `, i) + answered)
	}
	p.wait(`[...document.querySelectorAll("#lesson .predict")].every((e) => e.dataset.right)`)
	p.snap("task-answered")
}

// taskLooks are the windows of a learner: a wide one, and a phone with dark colors.
var taskLooks = map[string]look{"wide": {}, "phone": {width: 390, height: 844, dark: true}}

// TestTaskStageSphere plays a learner who opens the course from the front page, runs the untouched program, and passes the
// stage sphere with a program of their own.
func TestTaskStageSphere(t *testing.T) {
	for name, l := range taskLooks {
		p := open(t, serve(t, nil)+"/", l)
		p.click("#course-open")
		p.wait(`document.getElementById("course-stage")?.value === "sphere" && document.querySelector("#course-chapter .figure img")?.naturalWidth`)
		p.snap("task-course-" + name)
		p.graded()
		if got := p.report(); !strings.Contains(got, "gives the same answer to every question") || !strings.Contains(got, "It computes nothing yet") {
			t.Errorf("%s: the untouched program: %s", name, got)
		}
		p.snap("task-untouched-" + name)
		p.program(solutions("sphere"))
		if got := p.graded(); !strings.Contains(got, "all 300 answers are right") {
			t.Errorf("%s: the solution: %s", name, got)
		}
		p.wait(`document.getElementById("course-next")?.checkVisibility() && document.getElementById("course-count").textContent.startsWith("1 of")`)
		p.snap("task-passed-" + name)
	}
}

// TestTaskLessonAboutTraps plays a learner who looks for the lesson about numeric traps, from the front page, and answers
// its questions.
func TestTaskLessonAboutTraps(t *testing.T) {
	for name, l := range taskLooks {
		p := open(t, serve(t, nil)+"/", l)
		p.click("#gallery-open")
		p.wait(`document.getElementById("gallery").open`)
		eval[any](p, `[...document.querySelectorAll("#gallery-topics button")].find((e) => e.textContent === "Lessons").click()`)
		p.wait(`document.querySelector('[data-key="lesson:traps"]')?.getBoundingClientRect().top > 0`)
		p.snap("task-find-traps-" + name)
		p.click(`[data-key="lesson:traps"]`)
		const cards = `document.querySelectorAll("#lesson .predict")`
		p.wait(`[...` + cards + `].filter((e) => e.querySelectorAll(".choices button").length === 3).length === 5 && ` + whole)
		p.snap("task-traps-" + name)
		for i := range 5 {
			card := fmt.Sprintf(cards+`[%d]`, i)
			eval[any](p, card+`.querySelectorAll(".choices button")[1].click()`)
			p.wait(card + `.dataset.right && ` + whole)
		}
		p.snap("task-traps-answered-" + name)
		if eval[bool](p, `[...`+cards+`].some((e) => e.querySelector(".turn").checkVisibility())`) {
			t.Errorf("%s: a button leads to an explanation, and there is none", name)
		}
		if right := eval[string](p, `[...`+cards+`].map((e) => e.dataset.right).join()`); right != "true,false,false,true,true" {
			t.Errorf("%s: the second choices are judged %s", name, right)
		}
	}
}
