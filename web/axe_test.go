package web_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeLooks are the windows in which axe-core inspects the page.
var axeLooks = []look{{}, {dark: true}, {width: 1024, height: 768}, {width: 1024, height: 768, dark: true}, {width: 390, height: 844}, {width: 360, height: 740, dark: true}}

// inspector loads axe-core into a page. The function that it returns reports the accessibility barriers in the
// page's current state. moment is a name of this state for messages.
func inspector(p *page, l look) func(moment string) {
	p.Helper()
	code, err := os.ReadFile(*axe)
	p.must(err)
	// The code is run through the debugging protocol, because the page's policy does not allow scripts from elsewhere.
	_, err = chromedp.Run(p.ctx, chromedp.Evaluate[any](string(code)+"; null"))
	p.must(err)
	return func(moment string) {
		p.Helper()
		found := eval[[]string](p, `axe.run(document, { resultTypes: ["violations"] }).then((r) =>
			r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target + " " + n.failureSummary)))`)
		for _, v := range found {
			p.Errorf("%+v, %s: %s", l, moment, v)
		}
	}
}

// TestAxeCourse searches the page of the course for accessibility barriers.
func TestAxeCourse(t *testing.T) {
	if *axe == "" {
		t.Skip("needs -axe")
	}
	for _, l := range axeLooks {
		courseStates(t, l, func(p *page) func(string) { return inspector(p, l) })
	}
}

// TestAxe searches the page for accessibility barriers with axe-core, in several states of the page.
func TestAxe(t *testing.T) {
	if *axe == "" {
		t.Skip("needs -axe")
	}
	url := serve(t, nil)
	for _, l := range axeLooks {
		p := open(t, url+shared(shipped(t, "demo")), l)
		inspect := inspector(p, l)
		inspect("at first")
		p.clickPixel(160, 75)
		p.wait(`document.getElementById("diagram").naturalWidth > 0`)
		eval[any](p, `document.querySelectorAll("#sections summary").forEach((e) => e.click())`)
		inspect("explained")
		p.click("#digits")
		p.click("#enlarge")
		p.wait(`document.getElementById("diagram-dialog").open`)
		inspect("the whole diagram")
		eval[any](p, `document.getElementById("diagram-dialog").close()`)
		p.click("#outside-toggle")
		p.settled("")
		inspect("from outside")
		p.click("#outside-toggle")
		pick := func(id, value string) {
			eval[any](p, fmt.Sprintf(`(() => { const list = document.getElementById(%q); list.value = %q; list.dispatchEvent(new Event("change")); })()`, id, value))
		}
		for _, view := range []string{"depth", "normal", "facing", "shadow", "object"} {
			pick("view", view)
			p.wait(fmt.Sprintf(`document.getElementById("view-legend").dataset.view === %q && document.getElementById("view-legend").checkVisibility() && `, view) + whole)
			inspect("the view " + view)
		}
		pick("view", "color")
		pick("trap", "epsilon")
		p.wait(`document.getElementById("broken-count").textContent`)
		eval[any](p, `{ document.getElementById("broken-scene").hidden = false; }`) // shown if no pixel is wrong
		inspect("a mistake of the renderer")
		p.click("#broken-off")
		p.click("#gallery-open")
		p.wait(`document.querySelectorAll("#gallery .thumbnail[data-done]").length > 3`)
		p.click("#gallery summary")
		inspect("the gallery")
		eval[any](p, `document.getElementById("gallery").close()`)
		p.wait(whole)
		p.click("#share")
		inspect("the link")
		eval[any](p, `document.getElementById("share-dialog").close()`)
		p.click("#tab-text")
		p.write("\nradios = 1\n")
		p.wait(`!document.getElementById("problems").hidden`)
		inspect("a mistake")
		p.choose("scene:annotations")
		p.handle(0)
		eval[any](p, `document.querySelector("#labels .label-handle").focus()`)
		inspect("a label")
		p.choose("lesson:shadows")
		p.wait(`document.querySelectorAll("#lesson .predict .choices button").length > 6`)
		inspect("a lesson")
		p.click("#lesson .predict button")
		p.wait(`document.querySelector("#lesson .verdict").textContent && document.getElementById("diagram").naturalWidth > 0`)
		eval[any](p, `document.querySelectorAll("#lesson details").forEach((e) => { e.open = true; })`)
		inspect("an answered question")
		eval[any](p, `document.querySelectorAll("#lesson .predict")[1].querySelector(".choices button").click()`)
		p.wait(`document.querySelectorAll("#lesson .predict")[1].querySelector(".both").checkVisibility()`)
		eval[any](p, `document.querySelectorAll("#lesson .predict")[1].querySelector(".both").click()`)
		p.wait(`document.getElementById("compare-dialog").open`)
		inspect("both scenes of a question")
		eval[any](p, `document.getElementById("compare-dialog").close()`)
		for page, selector := range map[string]string{"glossary": "td", "traps": ".example", "README": "ol"} {
			p.choose("lesson:" + page)
			p.wait(fmt.Sprintf(`document.querySelector("#lesson %s")`, selector))
			inspect("the page " + page)
		}
	}
}
