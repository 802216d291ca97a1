package web_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestMistakenPixelHasBothColors switches mistakes on, and clicks pixels that they change. The explanation, the line below
// the picture and the view from outside must name the color that the picture shows and the right one. The explanation
// must say that it is about the right picture, and what the mistake changes. A pixel that is right is said to be right.
func TestMistakenPixelHasBothColors(t *testing.T) {
	p := open(t, serve(t, nil)+"/#lesson=sphere", look{})
	choose := func(list, value string) {
		eval[any](p, fmt.Sprintf(`(() => { const list = document.getElementById(%q); list.value = %q; list.dispatchEvent(new Event("change")); })()`, list, value))
	}
	const hex = `((rgb) => "#" + [...rgb.slice(0, 3)].map((n) => n.toString(16).padStart(2, "0")).join(""))`
	eval[any](p, `(() => { window.right = (`+read+`)("picture"); })()`)
	p.click("#outside-toggle")
	before := p.pixels()
	for name, because := range map[string]string{"acne": "which it leaves, at t = ", "gamma": "without encoding it", "ydown": "The mistake shows row"} {
		choose("trap", name)
		before = p.changes(before)
		p.wait(`document.getElementById("broken-count").textContent.includes("wrong")`)
		at := eval[[]float64](p, `(() => {
			window.wrong = (`+read+`)("picture");
			const { width } = document.getElementById("picture");
			let i = 4 * width * 60;
			while (wrong[i] === right[i]) i += 4;
			return [i / 4 % width, Math.floor(i / 4 / width), i];
		})()`)
		p.clickPixel(at[0], at[1])
		p.wait(answered + ` && document.getElementById("why-title").textContent === "Pixel ` + fmt.Sprintf("%g, %g", at[0], at[1]) + ` in the right picture"`)
		colors := eval[[]string](p, fmt.Sprintf(`[wrong, right].map((all) => %s(all.slice(%g)))`, hex, at[2]))
		p.wait(`document.getElementById("readout").textContent.includes("with the mistake")`)
		if got := eval[string](p, `document.getElementById("readout").textContent`); !strings.Contains(got, "with the mistake"+colors[0]+"right"+colors[1]) {
			t.Errorf("%s: below the picture stands %q, want %q", name, got, colors)
		}
		note := eval[string](p, `document.getElementById("why-mistaken").textContent`)
		for _, want := range []string{"You see " + colors[0] + ", with the mistake.", "In the right picture, the pixel is " + colors[1], "about the right picture", "What the mistake changes: ", because} {
			if !strings.Contains(note, want) {
				t.Errorf("%s: the explanation lacks %q: %s", name, want, note)
			}
		}
		outside := eval[string](p, `document.getElementById("outside-mistaken").textContent`)
		if !strings.Contains(outside, "with the mistake"+colors[0]+"right"+colors[1]) || !eval[bool](p, `document.getElementById("outside-mistaken").checkVisibility()`) {
			t.Errorf("%s: the view from outside says %q", name, outside)
		}
		if name == "acne" && !strings.Contains(eval[string](p, `document.getElementById("rays").textContent`), "(without the mistake)") {
			t.Error("the shadow ray is drawn as if it reached the light in the picture")
		}
		p.snap("mistaken-" + name)
	}
	choose("trap", "")
	before = p.changes(before)
	choose("trap", "acne")
	p.changes(before)
	p.wait(`document.getElementById("broken-count").textContent.includes("wrong")`)
	p.clickPixel(2, 2)
	p.wait(answered + ` && document.getElementById("why-mistaken").textContent.includes("does not change this pixel")`)
	p.click("#broken-off")
	p.wait(whole + ` && !document.getElementById("why-mistaken").checkVisibility() && !document.getElementById("outside-mistaken").checkVisibility() && document.getElementById("why-title").textContent === "Pixel 2, 2"`)
}
