package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestScreenshots takes the screenshots for docs/playground.md and of some other states, in both color schemes and
// three widths.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("needs -screenshots")
	}
	url := serve(t, nil)
	wide, tablet, narrow := look{width: 1440, height: 900}, look{width: 1024, height: 800}, look{width: 390, height: 844}
	dark := func(l look) look {
		l.dark = true
		return l
	}
	for name, l := range map[string]look{
		"wide": wide, "wide-dark": dark(wide), "tablet": tablet, "tablet-dark": dark(tablet), "phone": narrow, "phone-dark": dark(narrow),
	} {
		p := open(t, url+"/#scene=demo", l)
		shot := func(moment string) {
			t.Helper()
			p.snap(fmt.Sprintf("playground-%s-%s", name, moment))
		}
		shot("begin")
		p.clickPixel(905, 548) // in the shadow of the amber ball
		p.wait(`document.querySelector("#sections .equations") && document.getElementById("diagram").naturalWidth > 0`)
		p.wait(`(` + read + `)("outlines").some((b) => b)`)
		x, y := p.place(700, 430)
		p.mouse("mouseMoved", x, y)
		p.wait(`document.getElementById("readout").textContent.includes("distance")`)
		shot("why")
		p.click("#outside-toggle")
		p.settled("")
		shot("outside")
		p.click("#outside-toggle")
		eval[any](p, `document.querySelectorAll("#sections details:nth-of-type(3) summary, #sections details:nth-of-type(5) summary").forEach((e) => e.click())`)
		eval[any](p, `document.querySelector("#sections details[open]").scrollIntoView()`)
		shot("steps")
		eval[any](p, `document.getElementById("why").scrollTop = 0`)
		p.click("#enlarge")
		p.wait(`document.getElementById("diagram-dialog").open`)
		shot("diagram")
		eval[any](p, `document.getElementById("diagram-dialog").close()`)
		pick := func(id, value string) {
			eval[any](p, fmt.Sprintf(`(() => { const list = document.getElementById(%q); list.value = %q; list.dispatchEvent(new Event("change")); })()`, id, value))
		}
		for _, view := range []string{"depth", "normal", "object"} {
			pick("view", view)
			p.wait(fmt.Sprintf(`document.getElementById("view-legend").dataset.view === %q && document.getElementById("view-legend").checkVisibility() && `, view) + whole)
			shot(view)
		}
		pick("view", "color")
		pick("trap", "acne")
		p.wait(`document.getElementById("broken-count").textContent`)
		shot("trap")
		p.click("#broken-off")
		p.wait(whole + ` && document.getElementById("broken").hidden`)
		p.click("#gallery-open")
		p.wait(`document.querySelectorAll("#gallery .thumbnail[data-done]").length > 5`)
		shot("gallery")
		eval[any](p, `document.getElementById("gallery").close()`)
		p.click("#share")
		p.wait(`document.getElementById("share-dialog").open`)
		shot("share")
		eval[any](p, `document.getElementById("share-dialog").close()`)
		p.click("#help")
		shot("help")
		eval[any](p, `document.getElementById("help-dialog").close()`)
		p.click("#tab-text")
		eval[any](p, `(() => { const e = document.getElementById("editor").editor; e.replace(e.text.replace("look_at", "lok_at")); e.go(e.text.indexOf("lok_at")); })()`)
		p.wait(`!document.getElementById("problems").hidden`)
		p.wait(`document.getElementById("help-line").textContent.length > 0`)
		shot("mistake")
		p.click("#problems .fix")
		p.wait(whole)
		eval[any](p, `(() => { const e = document.getElementById("editor").editor; e.go(e.text.indexOf("[material.table]")); })()`)
		p.write("\n[[sphere]]\n")
		p.key("r")
		p.wait(`document.getElementById("editor").shadowRoot.querySelector(".cm-tooltip-autocomplete")`)
		shot("completion")
		p.choose("scene:annotations")
		p.handle(0)
		eval[any](p, `document.querySelector("#labels .label-handle").focus()`)
		shot("labels")
		p.choose("lesson:sphere")
		p.wait(`document.querySelectorAll("#lesson .predict .choices button").length > 6`)
		p.wait(whole)
		shot("lesson")
		p.click("#lesson .predict button")
		p.wait(`document.querySelector("#lesson .verdict").textContent && document.querySelector(".marker") && ` + answered)
		p.click("#tab-text")
		shot("predicted")
		courseStates(t, l, func(p *page) func(string) {
			return func(moment string) { p.snap(fmt.Sprintf("course-%s-%s", name, moment)) }
		})
	}
}

// snap takes a screenshot of the page if the flag -screenshots is set.
func (p *page) snap(moment string) {
	p.Helper()
	if *screenshots == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	p.must(err)
	p.must(os.WriteFile(filepath.Join(*screenshots, moment+".png"), png, 0o644))
}
