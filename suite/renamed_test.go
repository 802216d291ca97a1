package suite

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture"
)

// rename moves a scene to another path.
func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// TestCheckRenamed checks that a scene that was renamed is one result with the golden of its former name, whether it was
// changed as well or not, unless another scene has the former name.
func TestCheckRenamed(t *testing.T) {
	project(t)
	rename(t, "scenes/pills.toml", "scenes/tablets.toml")
	fixture.Edit(t, "scenes/tablets.toml", "a comment", "another comment")
	all := check(t)
	if r := all["tablets"]; r.Verdict != New || r.RenamedFrom != "pills" || all["pills"] != nil || !strings.Contains(r.Detail(), "renamed from pills, whose picture it still gives") {
		t.Errorf("got %v, renamed from %q", r, r.RenamedFrom)
	}
	fixture.Write(t, "scenes/pills.toml", fixture.Pills)
	if r := check(t)["tablets"]; r.RenamedFrom != "" || r.Verdict != New {
		t.Errorf("beside the first: %v, renamed from %q", r, r.RenamedFrom)
	}
	removeFile(t, "scenes/pills.toml")
	fixture.Edit(t, "scenes/tablets.toml", "#d1495b", "#d2495b")
	all = check(t)
	r := all["tablets"]
	if r.Verdict != Changed || r.RenamedFrom != "pills" || all["pills"] != nil {
		t.Fatalf("with another color: %v, renamed from %q", r, r.RenamedFrom)
	}
	if edits := r.Edits(); len(edits) != 1 || edits[0].Pixels == 0 || edits[0].At.File != "scenes/tablets.toml" {
		t.Errorf("got the edits %+v", edits)
	}
	const detail = "renamed from pills: accepting also moves the files of the golden"
	if !slices.Contains(r.Details(), detail) {
		t.Errorf("got %q", r.Details())
	}
	if item := newReportItem(t.Context(), judged(t, "tablets"), func(*Reference) string { return "" }); item.Detail != detail {
		t.Errorf("the page shows %q", item.Detail)
	}
}

// TestAcceptMovesRenamed checks that accepting a renamed scene moves all files of its golden, and that its Backup restores
// them exactly.
func TestAcceptMovesRenamed(t *testing.T) {
	for _, change := range []bool{false, true} {
		files := fixture.Scenes()
		files["scenes/pills.toml"] = "include = [\"lib/more.toml\"]\n" + files["scenes/pills.toml"]
		files["scenes/lib/more.toml"] = "[material.more]\ncolor = \"red\"\n"
		fixture.Folder(t, files)
		acceptAll(t)
		fixture.Write(t, "golden/pills.golden.toml", "reason = \"because\"\ntolerance = { max_channel = 1, max_pixels = 0 }\n")
		before := fixture.Snapshot(t)
		rename(t, "scenes/pills.toml", "scenes/tablets.toml")
		if change {
			fixture.Edit(t, "scenes/tablets.toml", "#d1495b", "#224455")
		}
		changed := fixture.Snapshot(t)
		r := judged(t, "tablets")
		backup, err := r.Backup()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Accept(writeWhole); err != nil {
			t.Fatal(err)
		}
		if want := "accepted golden/tablets.png, moved from golden/pills.png"; filepath.ToSlash(r.Outcome) != want {
			t.Errorf("the outcome is %q, want %q", r.Outcome, want)
		}
		want := []string{"tablets.golden.toml", "tablets.png", "tablets.scene.files", "tablets.scene.toml"}
		if got := accepted(t, "tablets"); !slices.Equal(got, want) || accepted(t, "pills") != nil {
			t.Errorf("got %q and %q, want %q", got, accepted(t, "pills"), want)
		}
		if now := fixture.Snapshot(t); !change && now["golden/tablets.png"] != before["golden/pills.png"] || now["golden/tablets.golden.toml"] != before["golden/pills.golden.toml"] {
			t.Error("the files differ from those that were moved")
		}
		for name, r := range check(t) {
			if r.Verdict != Identical {
				t.Errorf("%s: %v", name, r)
			}
		}
		if err := backup.Restore(writeWhole); err != nil {
			t.Fatal(err)
		}
		if now := fixture.Snapshot(t); !maps.Equal(now, changed) {
			t.Errorf("restored\n%q, want\n%q", slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(changed)))
		}
	}
}

// TestAcceptMovesBetweenFolders moves a scene with goldens at several times to another package.
func TestAcceptMovesBetweenFolders(t *testing.T) {
	fixture.Folder(t, map[string]string{"a/scenes/walk.toml": waver, "b/scenes/pills.toml": fixture.Pills, "golden.toml": ""})
	accept(t, "a")
	accept(t, "b")
	rename(t, "a/scenes/walk.toml", "b/scenes/stroll.toml")
	fixture.Edit(t, "b/scenes/stroll.toml", "radius", "radius ")
	for _, arg := range []string{"b", "b/scenes/stroll.toml"} {
		refs, err := Find(Options{Scenes: []string{arg}})
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range refs {
			if r := Judge(t.Context(), Options{}, ref); r.sceneName() == "stroll" && (r.Verdict != New || !strings.HasPrefix(r.RenamedFrom, "a/walk")) {
				t.Errorf("%s: %v, renamed from %q", arg, r, r.RenamedFrom)
			}
		}
	}
	accept(t, "b/scenes/stroll.toml")
	for name := range fixture.Snapshot(t) {
		if strings.HasPrefix(name, "a/") || strings.Contains(name, "walk") {
			t.Errorf("%s stays", name)
		}
	}
	refs, err := Find(Options{All: true})
	if err != nil || len(refs) < 3 {
		t.Fatalf("%v, %v", refs, err)
	}
	for _, ref := range refs {
		if r := Judge(t.Context(), Options{}, ref); r.Verdict != Identical {
			t.Errorf("%v", r)
		}
	}
}

// TestRenamedNeverGuesses checks that an orphan is not taken for that of a scene if two are as similar, or if most values
// differ.
func TestRenamedNeverGuesses(t *testing.T) {
	project(t)
	rename(t, "scenes/pills.toml", "scenes/one.toml")
	fixture.Write(t, "scenes/two.toml", fixture.Read(t, "scenes/one.toml"))
	all := check(t)
	if all["one"].Verdict != New || all["two"].Verdict != New || all["pills"] == nil || all["one"].RenamedFrom != "pills" {
		t.Errorf("two as good: %v, %v, %v", all["one"], all["two"], all["pills"])
	}
	fixture.Edit(t, "scenes/two.toml", "#d1495b", "#d2495b")
	if all = check(t); all["one"].RenamedFrom != "pills" || all["two"].RenamedFrom != "" || all["pills"] != nil {
		t.Errorf("one is closer: %v, %v, %v", all["one"], all["two"], all["pills"])
	}
	removeFile(t, "scenes/two.toml")
	fixture.Write(t, "scenes/one.toml", "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
	if all = check(t); all["one"].RenamedFrom != "" || all["pills"] == nil {
		t.Errorf("another scene: %v, %v", all["one"], all["pills"])
	}
}

// TestRenamedAmongShared checks that a scene that was renamed is reported although a cause that others have as well explains
// its difference.
func TestRenamedAmongShared(t *testing.T) {
	include := "include = [\"look.toml\"]\n[image]\nwidth = 64\nheight = 48\n[[sphere]]\ncenter = [0, 0, 0]\nmaterial = \"red\"\n"
	fixture.Folder(t, map[string]string{
		"scenes/look.toml": "[material.red]\ncolor = \"red\"\n",
		"scenes/a.toml":    include + "radius = 1\n",
		"scenes/b.toml":    include + "radius = 2\n",
	})
	acceptAll(t)
	fixture.Edit(t, "scenes/look.toml", `"red"`, `"blue"`)
	rename(t, "scenes/b.toml", "scenes/c.toml")
	all := slices.Collect(maps.Values(check(t)))
	causes := FindSharedCauses(all)
	if len(causes) != 1 || len(causes[0].Changed) != 2 {
		t.Fatalf("got the causes %v of %v", causes, all)
	}
	if rest := causes.Rest(all); len(rest) != 1 || rest[0].Name != "c" || rest[0].RenamedFrom != "b" {
		t.Errorf("got %v", rest)
	}
}
