package web_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"pillbox/internal/play/server"
)

// disk is a served file in a folder of the test.
type disk struct{ name string }

func (d disk) Read() ([]byte, error)   { return os.ReadFile(d.name) }
func (d disk) Write(data []byte) error { return os.WriteFile(d.name, data, 0o644) }
func (d disk) Folder() fs.FS           { return os.DirFS(filepath.Dir(d.name)) }

// TestFileIsSavedAndFollowed edits a served file in the page and beside it.
func TestFileIsSavedAndFollowed(t *testing.T) {
	d := disk{filepath.Join(t.TempDir(), "ball.toml")}
	write := func(text string) {
		t.Helper()
		if err := d.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write(ball)
	served, err := server.NewServed("ball.toml", d, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, serve(t, served), look{})
	if p.text() != ball {
		t.Fatalf("the page shows %q", p.text())
	}

	p.write("# mine\n")
	p.wait(`!document.getElementById("save").disabled`)
	p.key("s", chromedp.ModifierCtrl)
	p.wait(`document.getElementById("save").disabled`)
	if data, err := d.Read(); err != nil || string(data) != ball+"# mine\n" {
		t.Errorf("saved is %q, %v", data, err)
	}

	// What changes beside an unmodified page is shown.
	write(ball + "# theirs\n")
	served.Refresh()
	p.wait(`document.getElementById("editor").editor.text.endsWith("# theirs\n")`)

	// Beside a modified page it is a conflict, which the user decides.
	p.write("# mine again\n")
	write(ball + "# theirs again\n")
	served.Refresh()
	p.wait(`!document.getElementById("conflict-bar").hidden`)
	p.click("#compare")
	p.wait(`document.getElementById("conflict").open`)
	got := eval[[]string](p, `["mine", "theirs"].map((id) => document.querySelector("#" + id + " mark").textContent)`)
	if got[0] != "# theirs\n# mine again\n" || got[1] != "# theirs again\n" {
		t.Errorf("marked are %q", got)
	}
	if got := eval[[]int](p, `["mine", "theirs"].map((id) => document.querySelectorAll("#" + id + " mark").length)`); got[0] != 1 || got[1] != 1 {
		t.Errorf("%v marks, want one in each text", got)
	}
	p.click("#conflict-mine")
	p.wait(`document.getElementById("save").disabled && document.getElementById("conflict-bar").hidden`)
	if data, err := d.Read(); err != nil || string(data) != ball+"# theirs\n# mine again\n" {
		t.Errorf("saved is %q, %v", data, err)
	}

	// Lines between those that differ are not marked.
	p.write("# at the end\n")
	write("# at the begin\n" + ball + "# theirs\n# mine again\n")
	served.Refresh()
	p.wait(`!document.getElementById("conflict-bar").hidden`)
	p.click("#compare")
	p.wait(`document.getElementById("conflict").open`)
	if got := eval[[]string](p, `[...document.querySelectorAll("#mine mark, #theirs mark")].map((e) => e.textContent)`); !slices.Equal(got, []string{"# at the end\n", "# at the begin\n"}) {
		t.Errorf("marked are %q", got)
	}
	p.click("#conflict-theirs")
	p.wait(`document.getElementById("conflict-bar").hidden`)

	// A file that is gone is no conflict: it is there again.
	p.must(os.Remove(d.name))
	p.write("# last\n")
	p.key("s", chromedp.ModifierCtrl)
	p.wait(`document.getElementById("save").disabled`)
	if data, err := d.Read(); err != nil || !strings.HasSuffix(string(data), "# last\n") {
		t.Errorf("saved is %q, %v", data, err)
	}
}
