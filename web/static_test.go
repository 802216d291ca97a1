package web_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"pillbox"
	"pillbox/scene"
)

// TestStaticPage builds the page for a static host and opens it from a plain file server. The renderer runs in the
// browser, and its pixels must equal those of the native renderer.
func TestStaticPage(t *testing.T) {
	needBrowser(t)
	for _, program := range []string{"bash", "xz"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s", program)
		}
	}
	folder := t.TempDir()
	if out, err := exec.Command("../scripts/web", "--static", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(folder, "pillbox.wasm.xz")); err != nil {
		t.Fatal(err)
	}
	url := httptestServer(t, http.FileServer(http.Dir(folder)))
	p := open(t, url+shared(ball), look{})
	if kind := eval[string](p, `document.documentElement.dataset.ready`); kind != "wasm" {
		t.Fatalf("the engine is %s", kind)
	}
	p.wait(`document.querySelector("#verdict").textContent === "No problems"`)

	s, err := scene.Decode("ball.toml", []byte(ball))
	if err != nil {
		t.Fatal(err)
	}
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := eval[string](p, `btoa(Array.from((`+read+`)("picture"), (b) => String.fromCharCode(b)).join(""))`); got != base64.StdEncoding.EncodeToString(film.Image.Pix) {
		t.Error("the picture has other pixels than the renderer")
	}

	p.clickPixel(80, 60)
	p.wait(`document.querySelector("#brief")?.textContent.includes("ball")`)
	p.wait(`document.getElementById("diagram").naturalWidth > 0`)
	before := p.pixels()
	p.drag(80, 20, 120, 30)
	after := p.changes(before)
	p.key("z", chromedp.ModifierCtrl)
	p.changes(after)
	if p.text() != ball {
		t.Errorf("after undo the text is %q", p.text())
	}

	eval[any](p, fmt.Sprintf(`document.getElementById("editor").editor.replace(%q)`, labelled))
	p.handle(2)
	p.wantFigures(labelled)

	// The course loads an engine of its own.
	p = openCourse(t, url, "box", solutions("box"), look{})
	if got := p.graded(); !strings.Contains(got, "all 500 answers are right") || !strings.Contains(got, "All 5400 pixels are as expected") {
		t.Errorf("in the course: %s", got)
	}
	p.wait(`document.querySelector("#course-chapter img")?.naturalWidth > 0`)
}
