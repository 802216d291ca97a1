package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const lessonText = `document.getElementById("lesson").textContent`

// TestPagesBesideTheLessons opens the glossary through the link of a lesson, and the primer and the list of lessons
// through the list of scenes. The scene of the lesson must stay open. Links in a table and in a numbered list lead to
// lessons.
func TestPagesBesideTheLessons(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=sphere&example=0", look{})
	p.wait(`document.querySelector('#lesson a[href="#lesson=glossary"]')`)
	before := p.text()
	p.click(`#lesson a[href="#lesson=glossary"]`)
	p.wait(`document.querySelectorAll("#lesson tbody tr").length > 30 && document.querySelector("#lesson td").textContent === "acne"`)
	p.choose("lesson:vectors")
	p.wait(lessonText + `.includes("Points and directions")`)
	p.choose("lesson:README")
	p.wait(`document.querySelector('#lesson ol a[href="#lesson=exact"]')`)
	if p.text() != before {
		t.Error("the scene of the lesson is not open any more")
	}
	p.click(`#lesson ol a[href="#lesson=cut"]`)
	p.wait(lessonText + `.includes("Cutting a solid") && document.getElementById("scene").value === "lesson:cut"`)
}

// TestLessonAboutTraps opens the lesson about numeric traps. Its examples render a scene with the mistake beside the
// lesson.
func TestLessonAboutTraps(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=traps", look{})
	p.wait(`document.querySelectorAll("#lesson .example").length === 3`)
	for range 2 {
		p.click(`#lesson .example`)
		p.wait(whole + ` && document.getElementById("stage").dataset.broken && document.getElementById("broken").checkVisibility()`)
		if value := eval[string](p, `document.getElementById("trap").value`); value != "acne" {
			t.Errorf("the mistake is %q", value)
		}
		p.click("#broken-off")
		p.wait(whole + ` && !document.getElementById("broken").checkVisibility()`)
	}
	if !eval[bool](p, `document.getElementById("lesson").checkVisibility()`) {
		t.Error("the lesson is hidden")
	}

	// The questions ask how many pixels are wrong. An answer shows the picture with the mistake.
	const cards = `document.querySelectorAll("#lesson .predict")`
	p.wait(cards + `.length >= 3 && [...` + cards + `].every((e) => e.querySelectorAll(".choices button").length === 3)`)
	if about := eval[string](p, cards+`[0].querySelector(".about").textContent`); about != "Predict 1: Acne" {
		t.Errorf("the first question is titled %q", about)
	}
	eval[any](p, cards+`[0].querySelector(".choices button").click()`)
	p.wait(cards + `[0].querySelector(".verdict").textContent.includes("12728 of 120000 pixels are wrong") && ` + whole + ` && document.getElementById("broken-count").textContent.includes("12,728 of 120,000")`)
}

// TestUnknownLesson opens addresses of lessons and examples that do not exist. The page must say so, and must not show
// another scene without a reason.
func TestUnknownLesson(t *testing.T) {
	url := serve(t, nil)
	p := open(t, url+"/#lesson=spheres", look{})
	p.wait(`document.querySelector("#lesson [role=alert]")?.textContent.includes("There is no lesson \u201cspheres\u201d") && document.querySelector("#lesson ol a")`)
	p.click(`#lesson ol a[href="#lesson=box"]`)
	p.wait(lessonText + `.startsWith("A ray and a box") && !document.querySelector("#lesson [role=alert]")`)
	p = open(t, url+"/#lesson=sphere&example=99", look{})
	p.wait(lessonText + `.startsWith("A ray and a sphere")`)
	if news := eval[string](p, `document.getElementById("news").textContent`); !strings.Contains(news, "has no example 99") {
		t.Errorf("the page says %q", news)
	}
}

// TestSupposedSceneBesideTheShownOne answers a question that supposes another radius, and opens both derivations. Only
// the lines that depend on the radius may be marked, and the widths decide whether pairs lie side by side.
func TestSupposedSceneBesideTheShownOne(t *testing.T) {
	for _, l := range []look{{}, {width: 390, height: 844}} {
		p := open(t, serve(t, nil)+"/#lesson=sphere", l)
		const card = `document.querySelectorAll("#lesson .predict")[3]`
		p.wait(`document.querySelectorAll("#lesson .predict .choices button").length > 10`)
		if eval[bool](p, card+`.querySelector(".both").checkVisibility()`) {
			t.Error("the button is shown before the answer")
		}
		eval[any](p, card+`.querySelector(".choices button").click()`)
		p.wait(card + `.querySelector(".both").checkVisibility()`)
		eval[any](p, card+`.querySelector(".both").click()`)
		p.wait(`document.getElementById("compare-dialog").open`)
		texts := eval[[]string](p, `[...document.querySelectorAll("#compare-lines .differs")].map((e) => e.textContent)`)
		all := strings.Join(texts, "\n")
		for _, want := range []string{"0.64", "−0.11", "No crossing"} {
			if !strings.Contains(all, want) {
				t.Errorf("the marked lines lack %q:\n%s", want, all)
			}
		}
		if strings.Contains(all, "?") {
			t.Errorf("a value is missing:\n%s", all)
		}
		if same := eval[string](p, `[...document.querySelectorAll("#compare-lines .same")].map((e) => e.textContent).join()`); !strings.Contains(same, "from the center to the ray's origin") {
			t.Errorf("the common lines are %s", same)
		}
		isBeside := eval[bool](p, `(([a, b]) => a.getBoundingClientRect().right <= b.getBoundingClientRect().left)([...document.querySelectorAll("#compare-lines .pair:not(:has(.none)) .differs")])`)
		if isBeside != (l.width == 0) {
			t.Errorf("%+v: beside each other: %t", l, isBeside)
		}
		p.snap("compare")
	}
}

// TestRayIsDragged shifts the ray of a lesson by its line, and turns it by its end. The numbers in the title and the
// explanation must follow, and the camera must not move. A drag beside the ray orbits the camera as usual.
func TestRayIsDragged(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=shadows&example=0", look{})
	p.wait(answered + ` && ` + rays + ` > 1 && document.getElementById("steer-hint").checkVisibility()`)
	before := p.text()
	title := func() string { return eval[string](p, `document.getElementById("why-title").textContent`) }
	line := func() []float64 {
		return eval[[]float64](p, `(({ x1, y1, x2, y2 }) => [x1, y1, x2, y2].map((v) => v.baseVal.value))(document.querySelector('#rays [data-ray="ray"] .line, #rays .ray .line'))`)
	}
	was := title()
	l := line()
	p.drag((l[0]+2*l[2])/3, (l[1]+2*l[3])/3, (l[0]+2*l[2])/3+10, (l[1]+2*l[3])/3)
	p.wait(`document.getElementById("why-title").textContent !== ` + quoted(was) + ` && ` + answered)
	if shifted := title(); !strings.HasSuffix(shifted, strings.SplitN(was, " along ", 2)[1]) {
		t.Errorf("the shift of %q gives %q, with another direction", was, shifted)
	}
	was, l = title(), line()
	p.drag(l[2], l[3], l[2]+20, l[3]-10)
	p.wait(`document.getElementById("why-title").textContent !== ` + quoted(was) + ` && ` + answered)
	if turned := title(); !strings.HasPrefix(turned, strings.SplitN(was, " along ", 2)[0]) {
		t.Errorf("the turn of %q gives %q, with another origin", was, turned)
	}
	if p.text() != before {
		t.Error("the text has changed")
	}
	p.drag(20, 20, 60, 20)
	p.wait(`document.getElementById("editor").editor.text !== ` + quoted(before))
}

func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// TestLessonComesToTheFront opens a lesson in a narrow window in which an explanation is in front. The lesson must be shown.
func TestLessonComesToTheFront(t *testing.T) {
	p := open(t, serve(t, nil)+"/#scene=sphere", look{width: 390, height: 844})
	p.clickPixel(1, 1)
	p.wait(answered + ` && document.querySelector("#brief .answer").checkVisibility()`)
	p.choose("lesson:capsule")
	p.wait(lessonText + `.startsWith("A ray and a capsule") && document.getElementById("lesson").checkVisibility()`)
}

// TestShowWhyOpensTheQuestion answers questions of a lesson in two windows. The scene, the ray and an unfolded section that
// appear must be those of the question, also for a supposed scene, and again when another question was answered meanwhile.
// The ray of a question without an answer replaces those of the explanation while the pointer is on it.
func TestShowWhyOpensTheQuestion(t *testing.T) {
	for _, l := range []look{{}, {width: 390, height: 844}} {
		p := open(t, serve(t, nil)+"/#lesson=sphere", l)
		const cards = `document.querySelectorAll("#lesson .predict")`
		p.wait(cards + `.length === 4 && [...` + cards + `].every((e) => e.querySelector(".choices button"))`)
		shows := func(ray, radius string) string {
			return answered + ` && document.getElementById("why-title").textContent === "Ray ` + ray + `" && document.getElementById("editor").editor.text.includes("radius = ` + radius + `\n")`
		}
		answer := func(n int) { eval[any](p, fmt.Sprintf(cards+`[%d].querySelector(".choices button").click()`, n)) }
		answer(3)
		p.wait(shows("(0.6, 0, 5) along (0, 0, -1)", "0.5"))
		p.wait(`[...document.querySelectorAll("#sections details[open]")].some((e) => e.textContent.includes("0.11"))`) // r² - |l|² of the supposed radius is -0.11
		answer(1)
		p.wait(shows("(0.6, 0, 0) along (0, 0, -1)", "1"))
		before := eval[string](p, `document.getElementById("rays").textContent`)
		hover := func(event string) { eval[any](p, cards+`[2].dispatchEvent(new Event("`+event+`"))`) }
		hover("pointerenter")
		p.wait(`document.getElementById("rays").textContent.includes("the ray of the question")`)
		hover("pointerleave")
		if after := eval[string](p, `document.getElementById("rays").textContent`); after != before {
			t.Errorf("the labels of rays were %q and are %q", before, after)
		}
		for _, n := range []int{3, 1} {
			if l.width > 0 {
				p.click("#tab-text")
			}
			eval[any](p, fmt.Sprintf(cards+`[%d].querySelector(".turn").click()`, n))
			p.wait(shows([]string{"", "(0.6, 0, 0) along (0, 0, -1)", "", "(0.6, 0, 5) along (0, 0, -1)"}[n], []string{"", "1", "", "0.5"}[n]))
			p.wait(`((open) => open && open.getBoundingClientRect().top < document.getElementById("why").getBoundingClientRect().bottom - 40)(document.querySelector("#sections details[open]"))`)
			p.snap(fmt.Sprintf("show-why-%d-%d", n, l.width))
		}
	}
}
