package suite

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture"
)

// monorepo creates a git repository with two packages, which have a scene of the same name and shared files, and changes
// to its root.
func monorepo(t *testing.T) {
	t.Helper()
	withInclude := "include = [\"common.toml\"]\n" + fixture.Ball
	fixture.Folder(t, map[string]string{
		".git/config":          "",
		"a/scenes/x.toml":      withInclude,
		"a/scenes/common.toml": "[material.red]\ncolor = \"red\"\n",
		"a/scenes/lib.toml":    "[part.pair]\n",
		"b/scenes/x.toml":      fixture.Ball,
		"b/scenes/y.toml":      fixture.Ball,
		"c/deep/z.toml":        fixture.Ball,
		"c/deep/golden/z.png":  "",
		"c/Cargo.toml":         "[package]\n",
		"d/golden/gone.png":    "", "d/golden/gone.scene.toml": fixture.Ball,
		"e/testdata/golden/any.png": "",
	})
}

// find returns the names of the references for some arguments, and the skipped files.
func find(t *testing.T, o Options) (names, skipped string) {
	t.Helper()
	found, err := Search(o)
	if err != nil {
		return filepath.ToSlash(err.Error()), ""
	}
	var list, rest []string
	for _, r := range found.References {
		list = append(list, r.Name)
	}
	for _, s := range found.Skipped {
		rest = append(rest, filepath.ToSlash(s.String()))
	}
	return strings.Join(list, " "), strings.Join(rest, "\n")
}

// TestSearchMonorepo checks which goldens are found in a repository with several packages, and that their names are short
// but unique.
func TestSearchMonorepo(t *testing.T) {
	monorepo(t)
	for args, want := range map[string]string{
		"--all":                           "a/x b/x y z gone",
		"a b":                             "a/x b/x y",
		"a/scenes/x.toml b/scenes/x.toml": "a/x b/x",
		"a/x":                             "x",
		"b":                               "x y",
		"y":                               "y",
		"deep/z":                          "z",
		"d/gone":                          "gone",
		"gone":                            "gone",
		"x":                               "x is the name of several goldens: a/scenes/x.toml, b/scenes/x.toml",
		"w":                               "no scene scenes/w.toml and no picture golden/w.png",
		"a/scenes/common.toml":            "common",
		"":                                "no scenes: there is no folder scenes",
	} {
		o := Options{Scenes: strings.Fields(args)}
		if args == "--all" {
			o = Options{All: true}
		}
		if got, _ := find(t, o); got != want {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
	_, skipped := find(t, Options{All: true})
	want := "a/scenes/common.toml: a/scenes/x.toml includes it\na/scenes/lib.toml: it has neither a solid nor a camera"
	if skipped != want {
		t.Errorf("skipped\n%s\nwant\n%s", skipped, want)
	}
}

// TestSearchArguments checks that each reference that is found has an argument that finds it alone.
func TestSearchArguments(t *testing.T) {
	monorepo(t)
	refs, err := Find(Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range refs {
		again, err := Find(Options{Scenes: []string{r.Argument()}})
		if err != nil || len(again) != 1 || again[0].identity() != r.identity() || again[0].Scene != r.Scene {
			t.Errorf("%s: the argument %s finds %v, %v", r.Name, r.Argument(), again, err)
		}
	}
}

// TestSearchKeepsAccepted checks that a file with a golden is checked even if it is not a scene.
func TestSearchKeepsAccepted(t *testing.T) {
	monorepo(t)
	fixture.Write(t, "a/golden/common.scene.toml", "")
	if got, _ := find(t, Options{Scenes: []string{"a"}}); got != "common x" {
		t.Errorf("got %q", got)
	}
}

// TestConfig checks the settings of golden.toml: folders, files that are not scenes, and the tolerance.
func TestConfig(t *testing.T) {
	monorepo(t)
	fixture.Write(t, "golden.toml", "not_scenes = [\"b/scenes/y*\"]\nreason = \"noise\"\ntolerance = { max_pixels = 2000 }\n[[folder]]\nscenes = \"*/pictures\"\ngolden = \"accepted\"\n")
	fixture.Write(t, "a/pictures/p.toml", fixture.Ball)
	got, skipped := find(t, Options{})
	if got != "a/x p b/x z gone" || !strings.Contains(skipped, "b/scenes/y.toml: not_scenes in golden.toml excludes it") {
		t.Errorf("got %q, skipped %q", got, skipped)
	}
	p := Options{Scenes: []string{"a/pictures/p.toml"}}
	refs, err := Find(p)
	if err != nil || filepath.ToSlash(refs[0].Picture()) != "a/accepted/p.png" {
		t.Fatalf("got %v, %v", refs, err)
	}
	if err := Judge(t.Context(), p, refs[0]).Accept(writeWhole); err != nil {
		t.Fatal(err)
	}
	fixture.Edit(t, "a/pictures/p.toml", "radius = 2", "radius = 2.5")
	if r := Judge(t.Context(), p, refs[0]); r.Verdict != Tolerated || r.Rules.Reason != "noise" {
		t.Errorf("got %v", r)
	}
	t.Chdir("a") // the settings of the root apply in the folders below
	if got, _ := find(t, Options{}); got != "x p" {
		t.Errorf("in a package: got %q", got)
	}
}

// TestConfigProblems checks that problems of golden.toml are errors that name the file, but that a scene of this name is
// a scene.
func TestConfigProblems(t *testing.T) {
	monorepo(t)
	for text, want := range map[string]string{
		"scenes = []":             "golden.toml:1:1: scenes: unknown key, want one of not_scenes, reason, tolerance, folder",
		"not_scenes = [\"../a\"]": "golden.toml:1:15: not_scenes[0]: must be a path below this folder, got \"../a\"",
		"tolerance = {}":          "golden.toml:1:1: reason: is required: say why the image may differ",
		"[[folder]]\nscenes = \"a/scenes\"\ngolden = \"../../x\"": "golden.toml:1:3: folder: the goldens of a/scenes must be in a folder below this file",
		"[[folder]]\nscenes = \"*/scenes\"\ngolden = \"scenes\"":  "golden.toml:1:3: folder: the goldens of a/scenes must not be in a folder of scenes",
		"\n[[folder]]\nscenes = \"a\"\ngolden = \"\"":             "golden.toml:4:1: folder[0].golden: must be the path of a folder, relative to the folder that contains the scenes' folder, got \"\"",
		"[[folder]]\ngolden = \"b\"":                              "golden.toml:1:3: folder[0].scenes: must be a path below this folder, got nothing",
		"reason = \"x\"\ntolerance = { max_channel = 256 }":       "golden.toml:2:15: tolerance.max_channel: must be an integer from 0 to 255, got 256",
		"reason = \"x\"\ntolerance = = 3":                         "golden.toml:2:13: ",
		"<<<<<<< a\n=======\n>>>>>>> b\n":                         "golden.toml:1:1: an unresolved merge conflict",
	} {
		fixture.Write(t, "golden.toml", text)
		if got, _ := find(t, Options{All: true}); !strings.HasPrefix(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	fixture.Write(t, "golden.toml", fixture.Ball)
	if err := os.MkdirAll("golden", 0o777); err != nil {
		t.Fatal(err)
	}
	if got, _ := find(t, Options{All: true}); !slices.Contains(strings.Fields(got), "golden") {
		t.Errorf("with a scene golden.toml: got %q", got)
	}
}

// TestSharedGoldens checks that the goldens of several folders of scenes in one folder are no orphans, whichever scenes are
// searched, and that those of scenes that are gone are.
func TestSharedGoldens(t *testing.T) {
	fixture.Folder(t, map[string]string{
		".git/config":          "",
		"golden.toml":          "not_scenes = [\"pk/pictures/not.toml\"]\n[[folder]]\nscenes = \"pk*/pictures\"\ngolden = \"../accepted\"\n",
		"pk/pictures/a.toml":   fixture.Ball,
		"pk/pictures/not.toml": fixture.Ball,
		"pk2/pictures/b.toml":  fixture.Ball,
		"accepted/not.png":     "",
		"accepted/gone.png":    "",
		"accepted/a@1.png":     "",
	})
	for _, name := range []string{"accepted/a.png", "accepted/b.png"} {
		fixture.Write(t, name, "")
	}
	for args, want := range map[string]string{"": "a@1 gone a b", "pk": "a@1 gone a", "pk2": "gone b", "b": "b"} {
		if got, _ := find(t, Options{Scenes: strings.Fields(args)}); sorted(got) != sorted(want) {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
	t.Chdir("pk")
	if got, _ := find(t, Options{Scenes: []string{"b"}}); !strings.HasPrefix(got, "no scene") {
		t.Errorf("b in pk: got %q", got)
	}
}

func sorted(names string) string {
	list := strings.Fields(names)
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestSceneBesideScenes checks that a file beside scenes/ with the name of a scene there is not taken for one, also when
// that scene has a golden.
func TestSceneBesideScenes(t *testing.T) {
	fixture.Folder(t, map[string]string{".git/config": "", "p/scenes/x.toml": fixture.Ball, "p/x.toml": fixture.Ball})
	for range 2 {
		if got, _ := find(t, Options{All: true}); got != "x" {
			t.Errorf("got %q", got)
		}
		fixture.Write(t, "p/golden/x.png", "")
	}
}

// TestGoldensRefuseLinksAbove checks that a path of goldens that golden.toml names leads through no link.
func TestGoldensRefuseLinksAbove(t *testing.T) {
	fixture.Folder(t, map[string]string{
		".git/config":        "",
		"golden.toml":        "[[folder]]\nscenes = \"pk/pictures\"\ngolden = \"../up/accepted\"\n",
		"pk/pictures/a.toml": fixture.Ball,
	})
	outside := t.TempDir()
	if err := os.Symlink(outside, "up"); err != nil {
		t.Skip(err)
	}
	refs, err := Find(Options{All: true})
	if err != nil || len(refs) != 1 {
		t.Fatalf("%v, %v", refs, err)
	}
	r := Judge(t.Context(), Options{}, refs[0])
	if r.Verdict != Failed || !strings.Contains(r.Err.Error(), "open up: symbolic links are refused") {
		t.Errorf("got %v", r)
	}
	if err := r.Accept(writeWhole); err == nil {
		t.Error("it is accepted")
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("accepting wrote %v", entries)
	}
}
