package web_test

import (
	"bytes"
	"encoding/base64"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"pillbox"
	"pillbox/internal/play/viewer"
	"pillbox/scene"
)

var builtViewer = flag.String("viewer", "", "test this `file`, viewer.html of scripts/web --viewer, instead of a new one")

// viewerTemplate returns the viewer that scripts/web makes.
func viewerTemplate(t *testing.T) string {
	t.Helper()
	needBrowser(t)
	file := *builtViewer
	if file == "" {
		for _, program := range []string{"bash", "xz"} {
			if _, err := exec.LookPath(program); err != nil {
				t.Skipf("needs %s", program)
			}
		}
		folder := t.TempDir()
		if out, err := exec.Command("../scripts/web", "--viewer", folder).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		file = filepath.Join(folder, "viewer.html")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// viewed returns a scene with the text for the viewer, and its picture.
func viewed(t *testing.T, text string) (viewer.Scene, *image.NRGBA) {
	t.Helper()
	s, err := scene.Decode("s.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var still bytes.Buffer
	if err := png.Encode(&still, film.Image); err != nil {
		t.Fatal(err)
	}
	return viewer.Scene{Title: `a "ball" & <more>`, Text: text, Size: film.Region.Size(), Still: still.Bytes()}, film.Image
}

// loadFile opens a file with the text from the disk, without a server.
func (p *page) loadFile(text string) {
	p.Helper()
	file := filepath.Join(p.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		p.Fatal(err)
	}
	p.do(chromedp.Navigate("file://" + file))
}

// screen returns what the window shows.
func (p *page) screen() image.Image {
	p.Helper()
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	p.must(err)
	img, err := png.Decode(bytes.NewReader(data))
	p.must(err)
	return img
}

// until waits until the window shows something.
func (p *page) until(what string, isShown func(image.Image) bool) {
	p.Helper()
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(100 * time.Millisecond) {
		if isShown(p.screen()) {
			return
		}
	}
	p.snap("failure")
	p.Fatalf("the window does not show %s", what)
}

// count returns the number of pixels in a part of a picture for which f returns true.
func count(part image.Rectangle, f func(x, y int) bool) (n int) {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if f(x, y) {
				n++
			}
		}
	}
	return n
}

// TestViewer opens a page with one scene from the disk, clicks, turns, and returns to the first picture, which has the
// pixels of the native renderer.
func TestViewer(t *testing.T) {
	template := viewerTemplate(t)
	s, want := viewed(t, ball)
	text, err := viewer.Page(template, s)
	if err != nil {
		t.Fatal(err)
	}
	p := newTab(t, look{width: 900, height: 900})
	p.loadFile(text)
	p.wait(`document.documentElement.dataset.ready === "viewer" && document.getElementById("still").naturalWidth > 0`)
	p.snap("viewer-still")
	if eval[bool](p, `"engine" in document.documentElement.dataset`) {
		t.Error("the engine starts without a pointer")
	}
	p.clickPixel(80, 60)
	p.wait(`document.querySelector("#brief")?.textContent.includes("ball")`)
	p.wait(`document.getElementById("diagram").naturalWidth > 0`)
	p.snap("viewer-why")
	p.drag(80, 20, 120, 30)
	p.wait(`document.getElementById("stage").dataset.state === "done" && !document.getElementById("reset").hidden`)
	turned := p.pixels()
	p.snap("viewer-turned")
	p.click("#reset")
	for begun := time.Now(); p.pixels() == turned && time.Since(begun) < patience; time.Sleep(20 * time.Millisecond) {
	}
	p.wait(`document.getElementById("stage").dataset.state === "done" && document.getElementById("reset").hidden`)
	if got := eval[string](p, `btoa(Array.from((`+read+`)("picture"), (b) => String.fromCharCode(b)).join(""))`); got != base64.StdEncoding.EncodeToString(want.Pix) {
		t.Error("the picture has other pixels than the renderer")
	}
}

// TestViewerInNotebooks opens an exported notebook from the disk: a page with two cells, whose frames have no rights but to
// run scripts. It clicks and turns the second.
func TestViewerInNotebooks(t *testing.T) {
	template := viewerTemplate(t)
	s, _ := viewed(t, strings.NewReplacer("width = 160", "width = 800", "height = 120", "height = 300").Replace(ball))
	cell, err := viewer.Fragment(template, s)
	if err != nil {
		t.Fatal(err)
	}
	p := newTab(t, look{width: 900, height: 800})
	p.loadFile(`<!DOCTYPE html><body style="margin: 20px"><p>A notebook.</p>` + cell + `<p>A second cell.</p>` + cell)
	p.wait(`document.querySelectorAll("iframe").length === 2 && [...document.images].every((image) => image.naturalWidth > 0)`)
	box := eval[[]int](p, `(() => { const box = document.querySelectorAll("iframe")[1].getBoundingClientRect(); return [box.left, box.top].map(Math.round); })()`)
	cellAt := image.Rect(box[0], box[1], box[0]+s.Size.X, box[1]+s.Size.Y)
	middle := cellAt.Min.Add(s.Size.Div(2))
	p.do(chromedp.MouseClickXY(float64(middle.X), float64(middle.Y)))
	p.until("the contributions of the ambient light", func(now image.Image) bool {
		return count(cellAt, func(x, y int) bool {
			return color.NRGBAModel.Convert(now.At(x, y)) == color.NRGBA{0xa9, 0xbc, 0xcb, 255}
		}) > 50
	})
	p.snap("notebook-why")
	still := p.screen()
	left, top := float64(cellAt.Min.X), float64(middle.Y)
	p.mouse(input.DispatchMouseEventTypeMousePressed, left+20, top)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, left+60, top+10)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, left+200, top+40)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, left+200, top+40)
	picture := image.Rect(cellAt.Min.X, cellAt.Min.Y, cellAt.Min.X+s.Size.X/2, cellAt.Max.Y) // beside the explanation
	p.until("another picture", func(now image.Image) bool {
		return count(picture, func(x, y int) bool { return now.At(x, y) != still.At(x, y) }) > 1000
	})
	p.snap("notebook-turned")
}

// TestViewerWithoutScripts opens a page in a browser that runs no scripts, and cells whose frames run none or are removed: they
// show the picture.
func TestViewerWithoutScripts(t *testing.T) {
	template := viewerTemplate(t)
	s, picture := viewed(t, ball)
	page, err := viewer.Page(template, s)
	if err != nil {
		t.Fatal(err)
	}
	cell, err := viewer.Fragment(template, s)
	if err != nil {
		t.Fatal(err)
	}
	const start = `<!DOCTYPE html><body style="margin: 8px">`
	for name, test := range map[string]struct {
		text string
		at   image.Point // of the picture in the window
	}{
		"page": {page, image.Pt(200-s.Size.X/2, 0)},
		"cell": {start + strings.Replace(cell, `sandbox="allow-scripts"`, `sandbox=""`, 1), image.Pt(8, 8)},
		"rest": {start + cell[:strings.Index(cell, "<iframe")] + cell[strings.Index(cell, "</iframe>"):], image.Pt(8, 8)},
	} {
		p := newTab(t, look{width: 400, height: 400})
		_, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		p.must(err)
		p.loadFile(test.text)
		p.until("the picture of the "+name, func(now image.Image) bool {
			return count(picture.Rect, func(x, y int) bool {
				return color.NRGBAModel.Convert(now.At(test.at.X+x, test.at.Y+y)) != picture.At(x, y)
			}) == 0
		})
		p.snap("noscript-" + name)
	}
}
