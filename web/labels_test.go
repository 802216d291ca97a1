package web_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pillbox"
	"pillbox/figure"
	"pillbox/scene"
)

// labelled is a scene with one label of its own and two copies of a label of a part.
const labelled = `image = { width = 480, height = 300 }
camera = { position = [0, 0, 9], look_at = [0, 0, 0] }
[[label]]
text = "ball"
at = [0, 1, 0]
offset = [12.5, -30]
[[sphere]]
center = [0, 1, 0]
radius = 0.5
[[part.leg.capsule]]
a = [0, 0, 0]
b = [0, -1, 0]
radius = 0.3
[[part.leg.label]]
text = "leg"
at = [0, 0.3, 0]
offset = [0, -20]
[[place]]
part = "leg"
position = [-2, 0, 0]
[[place]]
part = "leg"
position = [2, 0, 0]
`

// handle returns the position, in the window, of the middle of the n-th label's handle.
func (p *page) handle(n int) (x, y float64) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelectorAll("#labels:not([hidden]) .label-handle").length > %d`, n))
	return middleOf(p, fmt.Sprintf("#labels .label-handle:nth-child(%d)", n+1))
}

// side returns the width of a pixel of the picture in the window.
func (p *page) side() float64 {
	p.Helper()
	x0, _ := p.place(0, 0)
	x1, _ := p.place(1, 0)
	return x1 - x0
}

// moved waits until the editor contains the given text, and the page shows the finished picture and the label
// handles of this text.
func (p *page) moved(text string) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.getElementById("editor").editor.text === %q`, text))
	p.wait(whole + ` && document.querySelector("#labels:not([hidden]) .label-handle") && !document.querySelector(".label-handle[data-dragging]")`)
}

// TestLabelIsDragged drags labels. A drag must change the offset in the text, which copies of a part's label share.
// It must be one undo step, and Escape must cancel it. A click must select the label's table.
func TestLabelIsDragged(t *testing.T) {
	p := open(t, serve(t, nil)+shared(labelled), look{})
	before := p.pixels()
	pull := func(n int, dx, dy float64) (x, y float64) {
		x, y = p.handle(n)
		p.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
		for i := 1.0; i <= 4; i++ {
			p.mouse(input.DispatchMouseEventTypeMouseMoved, x+dx*p.side()*i/4, y+dy*p.side()*i/4)
		}
		return x + dx*p.side(), y + dy*p.side()
	}
	for n, edit := range [][2]string{{"offset = [12.5, -30]", "offset = [52.5, -22]"}, {"offset = [0, -20]", "offset = [40, -12]"}} {
		want := strings.Replace(labelled, edit[0], edit[1], 1)
		x, y := pull(n, 40, 8)
		p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
		p.moved(want)
		after := p.changes(before)
		if nowX, nowY := p.handle(n); nowX < x-2 || nowX > x+2 || nowY < y-2 || nowY > y+2 {
			t.Errorf("label %d: the handle is at (%v, %v), want (%v, %v)", n, nowX, nowY, x, y)
		}
		p.key("z", chromedp.ModifierCtrl)
		p.moved(labelled)
		p.changes(after)
		if eval[bool](p, `document.getElementById("editor").editor.canUndo`) {
			t.Errorf("label %d: the drag was more than one step", n)
		}

		x, y = pull(n, -30, -10)
		p.wait(fmt.Sprintf(`document.getElementById("editor").editor.text !== %q`, labelled))
		p.key(kb.Escape)
		p.moved(labelled)
		p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
		p.wait(`document.getElementById("verdict").textContent === "No problems" && ` + whole)
		if p.text() != labelled || p.pixels() != before || eval[bool](p, `document.getElementById("editor").editor.canUndo`) {
			t.Errorf("label %d: Escape left the text %q", n, p.text())
		}
	}
	x, y := p.handle(2)
	p.do(chromedp.MouseClickXY(x, y)) // a click selects the table
	selected := `(() => { const e = document.getElementById("editor").editor; return e.text.slice(e.selection.from, e.selection.to); })()`
	if got := eval[string](p, selected); !strings.HasPrefix(got, "[[part.leg.label]]") {
		t.Errorf("a click selects %q", got)
	}
}

// TestLabelIsMovedByKeys checks that arrow keys move the label with the focus, and that it keeps the focus.
func TestLabelIsMovedByKeys(t *testing.T) {
	p := open(t, serve(t, nil)+shared(labelled), look{})
	p.handle(0)
	eval[any](p, `document.querySelector("#labels .label-handle").focus()`)
	p.key(kb.ArrowRight)
	p.moved(strings.Replace(labelled, "12.5, -30", "13.5, -30", 1))
	p.key(kb.ArrowDown, chromedp.ModifierShift)
	p.key(kb.ArrowLeft)
	p.moved(strings.Replace(labelled, "12.5, -30", "12.5, -20", 1))
	if name := eval[string](p, `document.activeElement.getAttribute("aria-label")`); name != "Label “ball”" {
		t.Errorf("the focus is on %q", name)
	}
	p.key("z", chromedp.ModifierCtrl)
	p.key("z", chromedp.ModifierCtrl)
	p.key("z", chromedp.ModifierCtrl)
	p.moved(labelled)
}

// TestDragIsTakenBack checks that Escape also cancels drags of the camera.
func TestDragIsTakenBack(t *testing.T) {
	p := open(t, serve(t, nil)+shared(labelled), look{})
	x, y := p.place(20, 20)
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x+60, y)
	p.wait(fmt.Sprintf(`document.getElementById("editor").editor.text !== %q`, labelled))
	p.key(kb.Escape)
	p.moved(labelled)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x+60, y)
	p.wait(`document.getElementById("verdict").textContent === "No problems" && ` + whole)
	if p.text() != labelled {
		t.Errorf("the text is %q", p.text())
	}
}

// saving is a script that replaces downloads: it adds the name and the contents, in base64, of each file to the
// list window.saved.
const saving = `{
	window.saved = [];
	const address = URL.createObjectURL;
	let file;
	URL.createObjectURL = (blob) => address.call(URL, file = blob);
	HTMLAnchorElement.prototype.click = function () {
		const reader = new FileReader(), name = this.download;
		reader.onload = () => window.saved.push({ name, data: reader.result.split(",")[1] });
		reader.readAsDataURL(file);
	};
}`

// wantFigures downloads the scene in the editor as SVG and PDF. It compares the files with those that package
// figure writes for text, which must be the scene in the editor.
func (p *page) wantFigures(text string) {
	p.Helper()
	s, err := scene.Decode("scene.toml", []byte(text))
	p.must(err)
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	p.must(err)
	f, err := figure.New(context.Background(), prepared)
	p.must(err)
	film, err := prepared.Render(p.Context(), pillbox.Work{})
	p.must(err)
	var svg, pdf bytes.Buffer
	p.must(f.WriteSVG(&svg, film.Image, 0))
	p.must(f.WritePDF(&pdf, film.Image, 0))
	eval[any](p, saving)
	for i, want := range [][]byte{svg.Bytes(), pdf.Bytes()} {
		format := []string{"svg", "pdf"}[i]
		p.click("#" + format)
		p.wait(fmt.Sprintf(`window.saved.length > %d`, i))
		got := eval[struct{ Name, Data string }](p, fmt.Sprintf(`window.saved[%d]`, i))
		data, err := base64.StdEncoding.DecodeString(got.Data)
		p.must(err)
		if got.Name != "scene."+format || !bytes.Equal(data, want) {
			p.Errorf("%s has %d bytes, want %d, or others", got.Name, len(data), len(want))
		}
	}
}

// TestFigureIsDownloaded checks that downloaded SVG and PDF files equal those of the program render.
func TestFigureIsDownloaded(t *testing.T) {
	p := open(t, serve(t, nil)+shared(labelled), look{})
	p.wantFigures(labelled)
}
