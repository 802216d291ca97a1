package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
)

// TestOutputsKeepTheirFormat runs each command whose output may have any name with names that end like another format. It
// must neither replace such a file nor create one.
func TestOutputsKeepTheirFormat(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	old := map[string]string{
		"x.png": picture.String(), "x.jpg": "\xff\xd8\xff\xe0\x00\x10JFIF", "x.gif": "GIF89a", "x.pdf": "%PDF-1.7\n",
		"x.svg": "<svg/>", "x.html": "<html/>", "x.json": "{}\n", "x.glb": "glTF\x02\x00\x00\x00",
		"x.toml": "[camera]\n", "x.csv": "1,2\n",
	}
	files := map[string]string{"scenes/s.toml": picturesque, "rays.csv": aRay, "rays.jsonl": "{\"from\": [0, 0, 5], \"direction\": [0, 0, -1]}\n"}
	for name, text := range old {
		files[name] = text
	}
	programtest.InFolder(t, files)
	programtest.MustRun(t, "golden accept --all")
	before := fixture.Snapshot(t)
	for args, own := range map[string]string{
		"dump scenes/s.toml -o F":                              ".json",
		"cast scenes/s.toml --rays rays.csv -o F":              ".csv",
		"cast scenes/s.toml --rays rays.jsonl -o F":            ".json",
		"cast scenes/s.toml --rays rays.csv --format f64 -o F": "",
		"cast scenes/s.toml --rays rays.csv -o hits --names F": ".csv",
		"golden report -o F":                                   ".html .svg",
		"golden check --ci --junit F":                          ".html .svg",
		"export scenes/s.toml --format glb -o F --force":       ".glb",
		"export scenes/s.toml --format mjcf -o F --force":      ".html .svg",
		"export scenes/s.toml --format urdf -o F --force":      ".html .svg",
		"export scenes/s.toml --format pov -o F --force":       "",
		"export scenes/s.toml --format toml -o F --force":      ".toml",
	} {
		for name := range old {
			for _, output := range []string{name, "new" + name} {
				if own != "" && strings.Contains(own, filepath.Ext(name)) {
					continue
				}
				args := strings.Replace(args, " F", " "+output, 1)
				if got := (programtest.Invocation{}).Run(strings.Fields(args)...); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "output "+output+" would ") {
					t.Errorf("render %s: %+v", args, got)
				}
			}
		}
		wantSnapshot(t, args, before)
	}
}

// TestForceReplacesOnlyScenes checks that --force replaces scenes, valid or not, but no TOML files of other programs.
func TestForceReplacesOnlyScenes(t *testing.T) {
	for text, want := range map[string]bool{
		picturesque:                             true,
		"# old\n\n[[sphere]]\nradius = = 1\n":   true,
		"[material.x]\n":                        false, // it may be included by scenes
		"":                                      true,
		"[project]\nname = \"x\"\n":             false,
		"title = \"x\"\n[package]\n":            false,
		"reason = \"noise\"\nmasks = [\"a\"]\n": false,
		"\x89PNG\r\n\x1a\n":                     false,
		"# notes\n":                             false,
	} {
		programtest.InFolder(t, map[string]string{"s.toml": picturesque, "old.toml": text})
		got := programtest.Invocation{}.Run("export", "s.toml", "-o", "old.toml", "--force")
		if kept := programtest.ReadText(t, "old.toml") == text; (got.Status == cli.StatusDone) != want || kept == want && text != picturesque {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestImportKeepsTables checks that an import replaces a table only with --force, and never through a link.
func TestImportKeepsTables(t *testing.T) {
	programtest.InFolder(t, map[string]string{"m.xyz": "4000\n\n" + strings.Repeat("C 0 0 0\nO 1 0 0\n", 2000)})
	programtest.MustRun(t, "import m.xyz -o new.toml")
	tables, err := filepath.Glob("new*.csv")
	if err != nil || len(tables) == 0 {
		t.Fatalf("%v, tables %q", err, tables)
	}
	removeFile(t, "new.toml")
	programtest.WriteText(t, tables[0], "mine\n")
	want := tables[0] + " is there already; --force replaces it"
	if got := (programtest.Invocation{}).Run("import", "m.xyz", "-o", "new.toml"); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, want) {
		t.Errorf("%+v, want %q", got, want)
	}
	programtest.MustRun(t, "import m.xyz -o new.toml --force")
	removeFile(t, "new.toml")
	programtest.WriteText(t, tables[0], "\x89PNG\r\n\x1a\n")
	for _, flags := range [][]string{nil, {"--force"}} { // no hint of a flag that changes nothing
		got := programtest.Invocation{}.Run(append([]string{"import", "m.xyz", "-o", "new.toml"}, flags...)...)
		if got.Status != cli.StatusWrong || strings.Contains(got.Stderr, "--force") || !strings.Contains(got.Stderr, "remove it, or choose another name") {
			t.Errorf("%q, a picture: %+v", flags, got)
		}
	}
	removeFile(t, tables[0])
	programtest.WriteText(t, "other.csv", "mine\n")
	programtest.Symlink(t, "other.csv", tables[0])
	if got := (programtest.Invocation{}).Run("import", "m.xyz", "-o", "new.toml", "--force"); got.Status != cli.StatusFile || programtest.ReadText(t, "other.csv") != "mine\n" {
		t.Errorf("a link: %+v", got)
	}
}

// TestChosenNamesFollowNoLinks checks names that commands choose: they do not write through symbolic links.
func TestChosenNamesFollowNoLinks(t *testing.T) {
	for args, link := range map[string]string{
		"golden init": ".gitattributes",
		"vectors mirror --folder f --count 1 --force": "f/scene-0.toml",
		"s.toml -o out.png":                           "out.partial.png",
		"s.toml -o out.jpg":                           "out.partial.jpg",
	} {
		programtest.InFolder(t, map[string]string{"s.toml": picturesque, "f/other": ""})
		target := "mine" + filepath.Ext(link)
		programtest.WriteText(t, target, picturesque)
		programtest.Symlink(t, absolute(t, target), link)
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if got.Status != cli.StatusFile || programtest.ReadText(t, target) != picturesque {
			t.Errorf("render %s: %+v", args, got)
		}
	}
}

// TestSummaryKeepsInputs checks that the summary for GitHub Actions is not added to an input or a picture.
func TestSummaryKeepsInputs(t *testing.T) {
	programtest.InFolder(t, map[string]string{"scenes/s.toml": picturesque, "notes.md": "# Old\n"})
	programtest.MustRun(t, "golden accept --all")
	before := fixture.Snapshot(t)
	for _, name := range []string{"scenes/s.toml", "golden/s.scene.toml", "golden/s.png"} {
		t.Setenv("GITHUB_STEP_SUMMARY", name)
		if got := (programtest.Invocation{}).Run("golden", "check", "--github"); got.Status == cli.StatusDone {
			t.Errorf("%s: %+v", name, got)
		}
		wantSnapshot(t, name, before)
	}
	t.Setenv("GITHUB_STEP_SUMMARY", "notes.md")
	if got := (programtest.Invocation{}).Run("golden", "check", "--github"); got.Status != cli.StatusDone || !strings.HasPrefix(programtest.ReadText(t, "notes.md"), "# Old\n#") {
		t.Errorf("%+v, notes %q", got, programtest.ReadText(t, "notes.md"))
	}
}

// TestGoldenNamesLeftovers checks that an unfinished file of a killed run is named, and nothing else in its place.
func TestGoldenNamesLeftovers(t *testing.T) {
	programtest.InFolder(t, map[string]string{"scenes/s.toml": picturesque})
	programtest.MustRun(t, "golden accept --all")
	for _, name := range []string{"golden/.render-0000002a.tmp", "golden/files/.render-0000002b.tmp"} {
		programtest.WriteText(t, name, "unfinished")
	}
	for _, args := range []string{"check", "accept --all", "pending"} {
		got := programtest.Invocation{}.Run(strings.Fields("golden " + args)...)
		for _, name := range []string{"golden/.render-0000002a.tmp", "golden/files/.render-0000002b.tmp"} {
			if !strings.Contains(got.Stderr, name+" is an unfinished file; remove it") {
				t.Errorf("golden %s: %+v, want %s", args, got, name)
			}
		}
	}
	if err := os.RemoveAll("golden/files"); err != nil {
		t.Fatal(err)
	}
	removeFile(t, "golden/.render-0000002a.tmp")
	if got := (programtest.Invocation{}).Run("golden", "check"); strings.Contains(got.Stderr, "unfinished") {
		t.Errorf("%+v", got)
	}
}

// TestCheckNamesLeftovers checks that render check names the unfinished files in the current folder and beside the scenes, each
// once, and does not advise to remove the old version of a scene.
func TestCheckNamesLeftovers(t *testing.T) {
	programtest.InFolder(t, map[string]string{"a/s.toml": programtest.Small, "a/.render-0000002a.tmp": "x", ".render-0000002b-old.tmp": "x",
		"b/.render-0000002c.tmp": "x", ".render-0000002d.tmp": "x"})
	old := " .render-0000002b-old.tmp is the old version of a file that was being replaced; rename it, or import again\n"
	for _, args := range []string{"check a/s.toml", "check --json a/s.toml a/s.toml", "check a/s.toml ./a/../a/s.toml " + absolute(t, "a/s.toml")} {
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if got.Status != cli.StatusDone || strings.Count(got.Stderr, "is an unfinished file; remove it") != 2 || strings.Count(got.Stderr, old) != 1 ||
			!strings.Contains(got.Stderr, " a/.render-0000002a.tmp is an") || !strings.Contains(got.Stderr, " .render-0000002d.tmp is an") {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

// TestCheckCountsLeftovers checks that render check names some of many unfinished files, and every old version among them.
func TestCheckCountsLeftovers(t *testing.T) {
	files := map[string]string{"s.toml": programtest.Small, ".render-fffffff0-old.tmp": "x"}
	for i := range 30 {
		files[fmt.Sprintf(".render-%08x.tmp", i)] = "x"
	}
	programtest.InFolder(t, files)
	got := programtest.Invocation{}.Run("check", "s.toml")
	if strings.Count(got.Stderr, "\n") != 6 || strings.Count(got.Stderr, "remove it") != 4 || !strings.Contains(got.Stderr, "fffffff0-old.tmp is the old version") ||
		!strings.HasSuffix(got.Stderr, "render: warning: 26 files more are unfinished, too\n") {
		t.Errorf("%+v", got)
	}
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
