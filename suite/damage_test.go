package suite

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// damages returns ways to spoil the record of the scene table, with the file that must be named and a part of the
// message.
func damages() map[string]struct {
	spoil         func(t *testing.T)
	file, problem string
} {
	const conflict = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n"
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
	write := func(name, text string) func(*testing.T) {
		return func(t *testing.T) { fixture.Write(t, name, text) }
	}
	return map[string]struct {
		spoil         func(t *testing.T)
		file, problem string
	}{
		"conflict":            {write("golden/table.scene.toml", conflict), "golden/table.scene.toml", "merge conflict"},
		"pointer":             {write("golden/table.scene.toml", pointer), "golden/table.scene.toml", "git lfs pull"},
		"empty":               {write("golden/table.scene.toml", " \n"), "golden/table.scene.toml", "is empty"},
		"invalid":             {write("golden/table.scene.toml", fixture.Ball+"radius = -1\n"), "golden/table.scene.toml", "radius"},
		"another scene":       {func(t *testing.T) { copyFile(t, "golden/pills.scene.toml", "golden/table.scene.toml") }, "golden/table.scene.toml", "the same scene as golden/pills.scene.toml"},
		"conflict in a table": {write("golden/table.scene/beads.csv", conflict), "golden/table.scene/beads.csv", "merge conflict"},
		"pointer to a table":  {write("golden/table.scene/beads.csv", pointer), "golden/table.scene/beads.csv", "git lfs pull"},
		"missing scene":       {func(t *testing.T) { removeFile(t, "golden/table.scene.toml") }, "golden/table.scene.toml", "is missing"},
		"missing table":       {func(t *testing.T) { removeFile(t, "golden/table.scene/beads.csv") }, "golden/table.scene/beads.csv", "is missing"},
		"missing include":     {func(t *testing.T) { removeFile(t, "golden/table.scene/lib/look.toml") }, "golden/table.scene/lib/look.toml", "is missing"},
		"missing folder": {func(t *testing.T) {
			removeFile(t, "golden/table.scene/lib/look.toml")
			removeFile(t, "golden/table.scene/lib")
		}, "golden/table.scene/lib/look.toml", "is missing"},
		"empty include":        {write("golden/table.scene/lib/look.toml", ""), "golden/table.scene/lib/look.toml", "is empty"},
		"conflict in included": {write("golden/table.scene/lib/look.toml", conflict), "golden/table.scene/lib/look.toml", "merge conflict"},
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	fixture.Write(t, to, fixture.Read(t, from))
}

// tableProject creates a project with the accepted scenes pills and table. The latter reads two other files.
func tableProject(t *testing.T) {
	t.Helper()
	fixture.Folder(t, map[string]string{
		"scenes/pills.toml":    fixture.Pills,
		"scenes/lib/look.toml": "[material.red]\ncolor = \"red\"\n",
		"scenes/beads.csv":     "x,y,z,radius\n1,2,0,0.5\n",
		"scenes/table.toml":    "include = [\"lib/look.toml\"]\n" + fixture.Ball + "material = \"red\"\n[[bulk]]\nshape = \"sphere\"\nfile = \"beads.csv\"\n",
	})
	acceptAll(t)
}

// TestDamage checks that a damaged record is a finding whether or not the pixels changed, that it names the damaged file,
// in every kind of report, and that accepting repairs it.
func TestDamage(t *testing.T) {
	for name, test := range damages() {
		t.Run(name, func(t *testing.T) {
			tableProject(t)
			test.spoil(t)
			r := check(t)["table"]
			requireDamage(t, r, test.file, test.problem)
			if r.Verdict != Damaged || strings.HasSuffix(name, "missing folder") && len(r.Damage) != 1 {
				t.Errorf("with equal pixels: %v", r)
			}
			if html := page(t, "table"); !strings.Contains(html, test.file+":") {
				t.Errorf("the page does not name %s", test.file)
			}
			fixture.Edit(t, "scenes/table.toml", "radius = 2", "radius = 2.5")
			r = check(t)["table"]
			requireDamage(t, r, test.file, test.problem)
			if r.Verdict != Changed || !strings.Contains(r.Cause(), "because of "+test.file) {
				t.Errorf("with other pixels: %v", r)
			}
			acceptAll(t)
			if r := check(t)["table"]; r.Verdict != Identical || r.Damage != nil {
				t.Errorf("after accepting: %v", r)
			}
		})
	}
}

// requireDamage checks that all reports contain the damage of a file.
func requireDamage(t *testing.T, r *Result, file, problem string) {
	t.Helper()
	i := slices.IndexFunc(r.Damage, func(d Damage) bool { return d.File == file && strings.Contains(d.Text, problem) })
	if i < 0 {
		t.Errorf("want damage of %s with %q, got %v", file, problem, r.Damage)
		return
	}
	same := func(name string) string { return name }
	var junit bytes.Buffer
	if err := WriteJUnit(&junit, []*Result{r}, same); err != nil {
		t.Fatal(err)
	}
	for kind, text := range map[string]string{
		"summary":  r.Summary(),
		"GitHub":   strings.Join(GitHubAnnotations([]*Result{r}, same), "\n"),
		"Markdown": MarkdownSummary([]*Result{r}, func(*Reference) string { return "" }),
		"JUnit":    junit.String(),
	} {
		if !strings.Contains(text, file) {
			t.Errorf("%s does not name %s: %s", kind, file, text)
		}
	}
}

func page(t *testing.T, name string) string {
	t.Helper()
	refs, err := Find(Options{Scenes: []string{name}})
	if err != nil {
		t.Fatal(err)
	}
	report, err := MakeReport(t.Context(), Options{}, refs, func(*Reference) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDamageBesideFailure checks that a scene with errors does not hide what is wrong with its record.
func TestDamageBesideFailure(t *testing.T) {
	tableProject(t)
	fixture.Write(t, "scenes/table.toml", "x\n")
	fixture.Write(t, "golden/table.scene.toml", "")
	fixture.Write(t, "golden/table.golden.toml", "")
	r := check(t)["table"]
	if r.Verdict != Failed || len(r.Damage) != 2 {
		t.Errorf("got %v, damage %v", r, r.Damage)
	}
}

// TestNoDamage checks that edits without effect, and goldens without an accepted scene, are not damaged.
func TestNoDamage(t *testing.T) {
	tableProject(t)
	fixture.Edit(t, "scenes/table.toml", `name = "ball"`, `name = "bowl" # renamed`)
	removeFile(t, "golden/pills.scene.toml")
	for name, r := range check(t) {
		if r.Verdict != Identical || r.Damage != nil {
			t.Errorf("%s: %v", name, r)
		}
	}
}

// TestWarnings checks that a mask outside the picture gets a warning, also if the picture is as accepted.
func TestWarnings(t *testing.T) {
	tableProject(t)
	fixture.Write(t, "golden/pills.golden.toml", "reason = \"x\"\nmasks = [[48, 0, 50, 2], [47, 35, 99, 99], [0, 36, 1, 40]]\n")
	r := check(t)["pills"]
	want := []string{
		"golden/pills.golden.toml: the mask [48, 0, 50, 2] is outside the picture of 48 x 36 pixels",
		"golden/pills.golden.toml: the mask [0, 36, 1, 40] is outside the picture of 48 x 36 pixels",
	}
	if r.Verdict != Identical || !slices.Equal(r.Warnings, want) {
		t.Errorf("got %v, warnings %q", r, r.Warnings)
	}
	lines := GitHubAnnotations([]*Result{r}, func(name string) string { return name })
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "::warning file=golden/pills.golden.toml,line=1,") {
		t.Errorf("annotations %q", lines)
	}
}

// TestEqualScenesAreNotDamaged checks that an accepted scene that equals another one is trusted if the renderer changed,
// and that the verdict of a picture within its tolerance follows the damage.
func TestEqualScenesAreNotDamaged(t *testing.T) {
	fixture.Folder(t, map[string]string{"scenes/a.toml": fixture.Pills, "scenes/b.toml": fixture.Pills})
	acceptAll(t)
	for _, name := range []string{"golden/a.png", "golden/b.png"} {
		img, err := osfile.ReadPNG(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := image.NewNRGBA(img.Bounds())
		draw.Draw(changed, changed.Bounds(), img, image.Point{}, draw.Src)
		changed.SetNRGBA(0, 0, color.NRGBA{1, 2, 3, 255})
		var b bytes.Buffer
		if err := png.Encode(&b, changed); err != nil {
			t.Fatal(err)
		}
		fixture.Write(t, name, b.String())
	}
	fixture.Edit(t, "scenes/a.toml", "radius = 0.5", "radius = 0.55")
	r := check(t)["a"]
	if r.Verdict != Changed || r.Damage != nil || r.Why == nil || !strings.Contains(r.Cause(), "the renderer changed") {
		t.Errorf("got %v, damage %v", r, r.Damage)
	}

	// The golden of a within a tolerance, with the record of another scene.
	fixture.Write(t, "scenes/c.toml", strings.Replace(fixture.Pills, "radius = 0.5", "radius = 0.7", 1))
	acceptAll(t)
	copyFile(t, "golden/c.scene.toml", "golden/a.scene.toml")
	fixture.Write(t, "golden/a.golden.toml", "reason = \"noise\"\ntolerance = { max_pixels = 2000 }\n")
	fixture.Edit(t, "scenes/a.toml", "radius = 0.55", "radius = 0.56")
	if r := check(t)["a"]; r.Verdict != Damaged || len(r.Damage) != 1 || !strings.Contains(r.Damage[0].Text, "the same scene as golden/c.scene.toml") {
		t.Errorf("got %v, damage %v", r, r.Damage)
	}
}
