package suite

import (
	"fmt"
	"strings"
	"testing"

	"pillbox/internal/fixture"
)

// sharedProject creates 15 scenes that include one file and, each third of them, another one, and accepts them.
func sharedProject(t *testing.T) {
	t.Helper()
	files := map[string]string{"scenes/lib/look.toml": "[material.red]\ncolor = \"red\"\n"}
	for k := range 3 {
		files[fmt.Sprintf("scenes/lib/m%d.toml", k)] = fmt.Sprintf("[material.m%d]\ncolor = \"blue\"\n", k)
	}
	for i := range 15 {
		files[fmt.Sprintf("scenes/s%02d.toml", i)] = fmt.Sprintf(`include = ["lib/look.toml", "lib/m%d.toml"]
[image]
width = 24
height = 18
[[sphere]]
name = "ball"
center = [-1, 0, 0]
radius = %g
material = "red"
[[sphere]]
name = "moon"
center = [2, 0, 0]
radius = 0.75
material = "m%[1]d"
`, i%3, 0.5+0.06*float64(i))
	}
	fixture.Folder(t, files)
	acceptAll(t)
}

// studied returns the results of all scenes.
func studied(t *testing.T) (results []*Result) {
	t.Helper()
	for r, err := range Check(t.Context(), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	return results
}

// TestSharedCauses checks that an edit of a file that several scenes include is one cause, with its place and the scenes that
// it changes, and that a scene with an edit of its own is in the rest.
func TestSharedCauses(t *testing.T) {
	sharedProject(t)
	fixture.Edit(t, "scenes/lib/look.toml", "red\"", "green\"")
	fixture.Edit(t, "scenes/lib/m1.toml", "blue", "yellow")
	fixture.Edit(t, "scenes/s04.toml", "radius = 0.75", "radius = 0.9")
	results := studied(t)
	causes := FindSharedCauses(results)
	if len(causes) != 2 {
		t.Fatalf("%d causes, want 2", len(causes))
	}
	for i, want := range []string{
		`scenes/lib/look.toml:2: material.red.color, "red" to "green": changes 15 goldens`,
		`scenes/lib/m1.toml:2: material.m1.color, "blue" to "yellow": changes 5 goldens`,
	} {
		if got := causes[i].Title(fromRoot); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	most := causes[0].Most()
	if len(most) != 3 || most[0].Result.Name != "s14" || most[0].Pixels < most[2].Pixels || most[2].Pixels == 0 {
		t.Errorf("the most changed are %v", most)
	}
	rest := causes.Rest(results)
	if len(rest) != 1 || rest[0].Name != "s04" {
		t.Errorf("%d have other causes, want s04", len(rest))
	}

	lines := GitHubAnnotations(results, fromRoot)
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "::error file=scenes/lib/look.toml,line=2,") || !strings.HasPrefix(lines[1], "::error file=scenes/lib/m1.toml,line=2,") {
		t.Errorf("annotations: %q", lines)
	}
	summary := MarkdownSummary(results, func(*Reference) string { return "" })
	if !strings.Contains(summary, "<code>scenes/lib/m1.toml&#58;2</code> | 5 goldens: ") || strings.Contains(summary, "| <code>s05</code> |") || !strings.Contains(summary, "| <code>s04</code> |") {
		t.Errorf("summary:\n%s", summary)
	}
	page := htmlReport(t)
	if n := strings.Count(page, "<article "); n != 7 { // three for each cause, and s04
		t.Errorf("the page shows %d scenes, want 7", n)
	}
	for _, r := range results {
		if !strings.Contains(page, r.Name) {
			t.Errorf("the page does not list %s", r.Name)
		}
	}
}

// TestSharedRenderer checks that a change of the renderer is one cause.
func TestSharedRenderer(t *testing.T) {
	sharedProject(t)
	for i := range 15 {
		copyFile(t, fmt.Sprintf("golden/s%02d.png", (i+1)%15), fmt.Sprintf("golden/s%02d.png", i))
	}
	causes := FindSharedCauses(studied(t))
	if len(causes) != 1 || causes[0].At.File != "" || !strings.Contains(causes[0].Text, "the renderer changed") || len(causes[0].Changed) != 15 {
		t.Errorf("got %v", causes)
	}
}
