package web_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestGallery checks the gallery. It must show the scenes by topic, with test scenes apart, render thumbnails when
// they become visible, and open the scene that is selected.
func TestGallery(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	before := p.pixels()
	p.click("#gallery-open")
	p.wait(`document.getElementById("gallery").open && document.querySelectorAll("#gallery .thumbnail[data-done]").length >= 3`)
	topics := eval[[]string](p, `[...document.querySelectorAll("#gallery section")].map((e) => e.getAttribute("aria-label"))`)
	if len(topics) < 5 || slices.Contains(topics, "Test scenes") || topics[0] != "Lessons" || !slices.Contains(topics, "Mirrors") {
		t.Errorf("the topics are %q", topics)
	}
	if key := eval[string](p, `document.activeElement.dataset.key`); !strings.HasPrefix(key, "lesson:") {
		t.Errorf("the focus is at %q, want the first lesson", key)
	}
	if eval[bool](p, `document.querySelector('[data-key="scene:tiny"]').checkVisibility()`) {
		t.Error("test scenes are shown at first")
	}
	if eval[bool](p, `document.querySelector('[data-key="scene:tiny"] .thumbnail').hasAttribute("data-done")`) {
		t.Error("a thumbnail that nobody sees is rendered")
	}
	// The thumbnail is a picture of its scene.
	eval[any](p, `document.querySelector('[data-key="scene:demo"]').focus()`)
	p.wait(`document.querySelector('[data-key="scene:demo"] .thumbnail').hasAttribute("data-done")`)
	colors := eval[int](p, `(() => {
		const canvas = document.querySelector('[data-key="scene:demo"] canvas'), copy = new OffscreenCanvas(canvas.width, canvas.height);
		copy.getContext("2d").drawImage(canvas, 0, 0);
		return new Set(new Uint32Array(copy.getContext("2d").getImageData(0, 0, copy.width, copy.height).data.buffer)).size;
	})()`)
	if colors < 500 {
		t.Errorf("the thumbnail of demo has %d colors", colors)
	}
	p.click("#gallery summary")
	p.wait(`document.querySelector('[data-key="scene:tiny"]').checkVisibility()`)
	eval[any](p, `document.querySelector('[data-key="scene:mirror"]').focus()`)
	p.key(kb.Enter)
	p.wait(`!document.getElementById("gallery").open && document.getElementById("scene").value === "scene:mirror" && location.hash === "#scene=mirror"`)
	p.changes(before)
	p.click("#gallery-open")
	if key := eval[string](p, `document.activeElement.dataset.key`); key != "scene:mirror" {
		t.Errorf("the focus is at %q, want the card of the open scene", key)
	}
	p.key(kb.Escape)
	p.wait(`!document.getElementById("gallery").open`)
}

// TestLegends selects each view, such as depth, and checks the text of its legend. The numbers and colors in a
// legend must agree with the picture.
func TestLegends(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	legend := `document.getElementById("view-legend")`
	if eval[bool](p, legend+`.checkVisibility()`) {
		t.Error("colors have a legend")
	}
	for view, want := range map[string]string{
		"depth": "distance along the ray", "cost": "nodes entered", "bounces": "reflections", "normal": "x", "facing": "edge-on",
		"shadow": "all lights arrive", "occlusion": "sky", "object": `sphere "ball"`,
	} {
		eval[any](p, fmt.Sprintf(`(() => { const list = document.getElementById("view"); list.value = %q; list.dispatchEvent(new Event("change")); })()`, view))
		p.wait(fmt.Sprintf(`%s.dataset.view === %q && %s.checkVisibility() && %s.textContent.includes(%q) && `+whole, legend, view, legend, legend, want))
	}
	// Numbers at the ends of the bar of depths are the smallest and the largest distance.
	eval[any](p, `(() => { const list = document.getElementById("view"); list.value = "depth"; list.dispatchEvent(new Event("change")); })()`)
	p.wait(legend + `.dataset.view === "depth" && document.querySelectorAll("#view-legend .numbers span").length === 3 && ` + whole)
	ends := eval[[]float64](p, `[...document.querySelectorAll("#view-legend .numbers span")].map((e) => Number(e.textContent))`)
	if nearest := 5.0; ends[0] < 2 || ends[0] > nearest || ends[2] < ends[1] || ends[2] > 20 {
		t.Errorf("the numbers are %v", ends)
	}
	// The bar has the colors of the picture: the nearest pixel has the first color, the farthest pixel the last color.
	colors := eval[[]string](p, `getComputedStyle(document.querySelector("#view-legend .colors")).backgroundImage.match(/rgb\([^)]*\)/g)`)
	shown := eval[[]string](p, `(() => { const d = (`+read+`)("picture"), all = new Set(); for (let i = 0; i < d.length; i += 4) all.add("rgb(" + [d[i], d[i + 1], d[i + 2]].join(", ") + ")"); return [...all]; })()`)
	if !slices.Contains(shown, colors[0]) || !slices.Contains(shown, colors[len(colors)-1]) {
		t.Errorf("the picture lacks the colors %s and %s of the bar's ends", colors[0], colors[len(colors)-1])
	}
	// A name in the legend has the color of its solid, and selects its table.
	eval[any](p, `(() => { const list = document.getElementById("view"); list.value = "object"; list.dispatchEvent(new Event("change")); })()`)
	p.wait(legend + `.querySelectorAll("button").length === 2`)
	chip := eval[string](p, `[...document.querySelectorAll("#view-legend button")].find((e) => e.textContent.includes("ball")).firstChild.style.backgroundColor`)
	pixel := eval[string](p, `(() => { const d = (`+read+`)("picture"), at = 4 * (60 * 160 + 80); return "rgb(" + [d[at], d[at + 1], d[at + 2]].join(", ") + ")"; })()`)
	if chip != pixel {
		t.Errorf("the ball is %s in the legend and %s in the picture", chip, pixel)
	}
	eval[any](p, `[...document.querySelectorAll("#view-legend button")].find((e) => e.textContent.includes("ball")).click()`)
	p.wait(`[...document.getElementById("editor").shadowRoot.querySelectorAll(".cm-table")].some((e) => e.textContent.includes("ball"))`)
}

// TestTrapsAreLabeled switches each mistake on. The picture must change and have a label, it must not be
// downloadable, and the link must lead to the right picture.
func TestTrapsAreLabeled(t *testing.T) {
	p := open(t, serve(t, nil)+shared(ball), look{})
	right := p.pixels()
	trap := func(name string) {
		eval[any](p, fmt.Sprintf(`(() => { const list = document.getElementById("trap"); list.value = %q; list.dispatchEvent(new Event("change")); })()`, name))
	}
	eval[any](p, `(() => { window.saved = []; HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); }; })()`)
	names := eval[[]string](p, `[...document.querySelectorAll("#trap option")].map((e) => e.value)`)
	if len(names) != 5 {
		t.Errorf("the mistakes are %q", names)
	}
	at := right
	for _, name := range []string{"acne", "gamma", "ydown"} {
		trap(name)
		at = p.changes(at)
		p.wait(`document.getElementById("broken").checkVisibility() && document.getElementById("broken-count").textContent.includes("wrong")`)
		banner := eval[string](p, `document.getElementById("broken").textContent`)
		stamp := eval[string](p, `getComputedStyle(document.getElementById("stage"), "::before").content`)
		if !strings.Contains(banner, "Broken on purpose") || strings.Contains(banner, "None of") || stamp != `"Broken on purpose"` {
			t.Errorf("%s: the banner says %q, the stamp %s", name, banner, stamp)
		}
		p.click("#png")
		p.wait(`document.getElementById("news").textContent.includes("broken on purpose")`)
		p.click("#share")
		p.wait(`document.getElementById("share-dialog").open`)
		link := eval[string](p, `document.getElementById("share-link").value`)
		eval[any](p, `document.getElementById("share-dialog").close()`)
		if strings.Contains(link, "trap") || strings.Contains(link, name) {
			t.Errorf("the link is %q", link)
		}
	}
	if saved := eval[[]string](p, `window.saved`); len(saved) > 0 {
		t.Errorf("downloaded are %q", saved)
	}
	p.click("#broken-off")
	if p.changes(at) != right || eval[bool](p, `document.getElementById("broken").checkVisibility()`) {
		t.Error("the right picture does not come back")
	}

	// A fixed epsilon is harmless in this scene: the page offers a scene in which it is not.
	trap("epsilon")
	p.wait(`document.getElementById("broken-count").textContent.startsWith("None of")`)
	p.click("#broken-scene")
	p.wait(`document.getElementById("editor").editor.text.includes("2000 times smaller") && document.getElementById("broken-count").textContent.includes("are wrong")`)

	// Other views and other scenes are right.
	at = p.pixels()
	eval[any](p, `(() => { const list = document.getElementById("view"); list.value = "depth"; list.dispatchEvent(new Event("change")); })()`)
	p.changes(at)
	if !eval[bool](p, `document.getElementById("trap").disabled && document.getElementById("broken").hidden`) {
		t.Error("another view is broken")
	}
	eval[any](p, `(() => { const list = document.getElementById("view"); list.value = "color"; list.dispatchEvent(new Event("change")); })()`)
	p.wait(`!document.getElementById("broken").hidden`)
	p.choose("scene:sphere")
	p.wait(`document.getElementById("picture").width !== 400 && document.getElementById("broken").hidden && document.getElementById("trap").value === "" && ` + whole)
}
