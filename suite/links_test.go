package suite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// link replaces the file at name by a symbolic link to the path in to.
func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// linkedProject changes to a new folder repo with an accepted scene of several files. Beside repo is a folder whose
// files must not be changed by any operation in repo.
func linkedProject(t *testing.T) {
	t.Helper()
	fixture.Folder(t, map[string]string{
		"outside/a.png":        "precious",
		"outside/a.toml":       "precious",
		"outside/csv/dots.csv": "precious",
		"repo/scenes/a.toml": `include = ["parts/leg.toml"]
[image]
width = 8
height = 8
[[bulk]]
file = "csv/dots.csv"
shape = "sphere"
radius = 1
[[place]]
part = "leg"
`,
		"repo/scenes/csv/dots.csv":   dotsText,
		"repo/scenes/parts/leg.toml": "[[part.leg.sphere]]\ncenter = [2, 0, 0]\nradius = 1\n",
	})
	t.Chdir("repo")
	acceptAll(t)
}

const dotsText = "x,y,z\n0,0,0\n"

// TestGoldensRefuseLinks replaces each file and folder of a golden by a symbolic link. No operation on that golden
// may read, write or remove the link's target, and the error must name the link.
func TestGoldensRefuseLinks(t *testing.T) {
	out := func(name string) string { return filepath.FromSlash("../../outside/" + name) }
	for name, change := range map[string]func(t *testing.T){
		"golden/a.png":                  func(t *testing.T) { link(t, out("a.png"), "golden/a.png") },
		"golden/a.scene.toml":           func(t *testing.T) { link(t, out("a.toml"), "golden/a.scene.toml") },
		"golden/a.golden.toml":          func(t *testing.T) { link(t, out("a.toml"), "golden/a.golden.toml") },
		"golden/a.scene":                func(t *testing.T) { link(t, out(""), "golden/a.scene") },
		"golden/a.scene/csv":            func(t *testing.T) { link(t, out("../outside/csv"), "golden/a.scene/csv") },
		"golden/a.scene/csv/dots.csv":   func(t *testing.T) { link(t, out("../../outside/csv/dots.csv"), "golden/a.scene/csv/dots.csv") },
		"golden/a.scene/parts/leg.toml": func(t *testing.T) { link(t, "nowhere", "golden/a.scene/parts/leg.toml") },
		"golden/a.scene.files":          func(t *testing.T) { link(t, out("a.toml"), "golden/a.scene.files") },
		"golden/files":                  func(t *testing.T) { link(t, out("csv"), "golden/files") },
		stored(dotsText):                func(t *testing.T) { link(t, out("../outside/csv/dots.csv"), stored(dotsText)) },
		"golden":                        func(t *testing.T) { link(t, filepath.FromSlash("../outside"), "golden") },
	} {
		for _, scene := range []string{"changed", "gone"} {
			t.Run(name+" "+scene, func(t *testing.T) {
				linkedProject(t)
				if strings.HasPrefix(name, "golden/a.scene/") {
					oldLayout(t)
				}
				change(t)
				if scene == "gone" {
					removeFile(t, "scenes/a.toml")
					fixture.Write(t, "scenes/b.toml", "[image]\nwidth = 8\nheight = 8\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
				} else {
					fixture.Edit(t, "scenes/a.toml", "radius = 1", "radius = 0.5")
				}
				t.Chdir("..")
				before := fixture.Snapshot(t)
				t.Chdir("repo")
				if scene == "gone" && name == "golden" {
					r := judged(t, "b")
					wantLinkError(t, "accept a new one", r.Accept(writeWhole), name)
				} else {
					useLinked(t, name)
				}
				t.Chdir("..")
				for file, was := range before {
					if strings.HasPrefix(filepath.ToSlash(file), "outside/") && fixture.Snapshot(t)[file] != was {
						t.Errorf("%s has changed", file)
					}
				}
			})
		}
	}
}

// useLinked performs every operation on the golden a. name is the file or folder that was replaced by a link.
func useLinked(t *testing.T, name string) {
	t.Helper()
	r := judged(t, "a")
	if r.Verdict != Failed || r.NeedsAccept() || r.Verdict.Pending() {
		t.Errorf("verdict %q", r.Verdict)
	}
	wantLinkError(t, "judge", r.Err, name)
	wantLinkError(t, "accept", r.Accept(writeWhole), name)
	for _, err := range []error{r.Propose(writeWhole), r.Draw(writeWhole)} {
		if err != nil {
			wantLinkError(t, "propose", err, name)
		}
	}
	report, err := MakeReport(t.Context(), Options{}, []Reference{r.Reference}, func(*Reference) string { return "" })
	if err != nil || report.Results[0].Verdict != Failed {
		t.Errorf("report: %v, %v", report.Results[0].Verdict, err)
	}
	// This simulates a link that appears after the files were checked.
	late := &Result{Reference: r.Reference, Verdict: Orphan}
	late.acceptedFiles.Files = map[string][]byte{"csv/dots.csv": nil, "parts/leg.toml": nil}
	wantLinkError(t, "remove", late.Accept(writeWhole), name)
}

func wantLinkError(t *testing.T, what string, err error, name string) {
	t.Helper()
	var path *fs.PathError
	if !errors.As(err, &path) || filepath.ToSlash(path.Path) != name || !errors.Is(err, errLink) {
		t.Errorf("%s: %v, want the link %s", what, err, name)
	}
}

// TestAcceptRefusesLateLinks creates a link after the scene was judged and before Accept writes files. Accept must
// refuse it.
func TestAcceptRefusesLateLinks(t *testing.T) {
	for _, name := range []string{"golden/files", "golden/a.scene.files", "golden/a.scene", "golden/a.scene/csv", "golden/a.scene.toml", "golden/a.png"} {
		linkedProject(t)
		if strings.HasPrefix(name, "golden/a.scene") {
			oldLayout(t)
		}
		fixture.Edit(t, "scenes/a.toml", "radius = 1", "radius = 0.5")
		fixture.Edit(t, "scenes/csv/dots.csv", "0,0,0", "0,1,0")
		r := judged(t, "a")
		outside, err := filepath.Abs("../outside")
		if err != nil {
			t.Fatal(err)
		}
		switch name {
		case "golden/a.scene.toml":
			link(t, filepath.Join(outside, "a.toml"), name)
		case "golden/a.png":
			link(t, filepath.Join(outside, "a.png"), name)
		case "golden/a.scene.files":
			link(t, filepath.Join(outside, "a.toml"), name)
		case "golden/a.scene/csv":
			link(t, filepath.Join(outside, "csv"), name)
		default:
			link(t, outside, name)
		}
		wantLinkError(t, name, r.Accept(writeWhole), name)
		if fixture.Read(t, "../outside/csv/dots.csv")+fixture.Read(t, "../outside/a.toml")+fixture.Read(t, "../outside/a.png") != strings.Repeat("precious", 3) {
			t.Errorf("%s: something outside has changed", name)
		}
	}
}

// TestGoldenFolderMayBeNamedLink checks that the folder of goldens may be a symbolic link if the user names it.
func TestGoldenFolderMayBeNamedLink(t *testing.T) {
	linkedProject(t)
	if err := os.Rename("golden", "real"); err != nil {
		t.Fatal(err)
	}
	link(t, "real", "elsewhere")
	refs, err := Find(Options{Golden: "elsewhere"})
	if err != nil {
		t.Fatal(err)
	}
	for r := range Run(t.Context(), Options{}, refs, func(*Result) {}) {
		if r.Verdict != Identical {
			t.Errorf("got %v", r)
		}
	}
}

// TestCheckRefusesOneName checks that only the scene whose name is not allowed for goldens fails. The others must
// be checked.
func TestCheckRefusesOneName(t *testing.T) {
	project(t)
	for _, name := range []string{"odd.golden", "odd.new", "odd.scene", "odd.diff"} {
		fixture.Write(t, "scenes/"+name+".toml", "no scene")
	}
	fixture.Write(t, "scenes/walk.toml", "[animation]\nduration = 1\ngolden = [0.5]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
	fixture.Write(t, "scenes/walk@0.5.toml", "")
	fixture.Write(t, "scenes/odd.new.toml.toml", fixture.Read(t, "scenes/pills.toml"))
	before := fixture.Snapshot(t)
	all := check(t)
	for _, name := range []string{"odd.golden.toml", "odd.new.toml", "odd.scene.toml", "odd.diff.toml", "walk@0.5.toml"} {
		r := all["scenes/"+name]
		if r == nil || r.Verdict != Failed || r.Err == nil || !strings.Contains(r.Err.Error(), "scenes/"+name) {
			t.Errorf("%s: %v", name, r)
		}
	}
	if all["pills"].Verdict != Identical || all["walk"].Verdict != New || all["walk@0.5"].Verdict != New || all["odd.new.toml"].Verdict != New {
		t.Errorf("others: %v, %v, %v, %v", all["pills"], all["walk"], all["walk@0.5"], all["odd.new.toml"])
	}
	if now := fixture.Snapshot(t); len(now) != len(before) || osfile.Exists("golden/odd.golden.toml.new.png") {
		t.Error("checking has written files")
	}
}
