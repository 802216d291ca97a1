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

type damage struct {
	spoil         func(t *testing.T)
	file, problem string
}

// The files of [tableProject] that its scene reads.
const (
	beadsText = "x,y,z,radius\n1,2,0,0.5\n"
	lookText  = "[material.red]\ncolor = \"red\"\n"
)

// stored returns the path of the file that stores a content.
func stored(text string) string {
	return "golden/files/" + contentSum([]byte(text)) + ".gz"
}

// damages returns ways to spoil the record of the scene table, with the file that must be named and a part of the
// message.
func damages() map[string]damage {
	const conflict = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n"
	beads, look := stored(beadsText), stored(lookText)
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
	write := func(name, text string) func(*testing.T) {
		return func(t *testing.T) { fixture.Write(t, name, text) }
	}
	change := func(edit func(data string) string) func(t *testing.T) {
		return func(t *testing.T) { fixture.Write(t, beads, edit(fixture.Read(t, beads))) }
	}
	const list = "golden/table.scene.files"
	return map[string]damage{
		"stored missing":     {func(t *testing.T) { removeFile(t, beads) }, beads, "is missing, want the content of beads.csv"},
		"stored empty":       {write(beads, ""), beads, "is empty"},
		"stored truncated":   {change(func(data string) string { return data[:len(data)-12] }), beads, "is truncated"},
		"stored header":      {change(func(data string) string { return data[:5] }), beads, "is truncated"},
		"stored spoiled":     {change(func(data string) string { return data[:10] + "\xff" + data[11:] }), beads, "is damaged (flate: "},
		"stored text":        {write(beads, "x,y,z,radius\n1,2,0,0.5\n"), beads, "is damaged (gzip: "},
		"stored conflict":    {write(beads, conflict), beads, "merge conflict"},
		"stored pointer":     {write(beads, pointer), beads, "git lfs pull"},
		"stored other":       {func(t *testing.T) { copyFile(t, look, beads) }, beads, "has another content than its name states"},
		"stored folder":      {func(t *testing.T) { removeTree(t, "golden/files") }, beads, "is missing"},
		"list missing":       {func(t *testing.T) { removeFile(t, list) }, list, "is missing, want the list"},
		"list empty":         {write(list, "\n"), list, "is empty"},
		"list conflict":      {write(list, conflict), list, "merge conflict"},
		"list pointer":       {write(list, pointer), list, "git lfs pull"},
		"list invalid":       {func(t *testing.T) { fixture.Write(t, list, fixture.Read(t, list)+"x\n") }, list, "want the SHA-256 sum"},
		"list twice":         {func(t *testing.T) { fixture.Write(t, list, fixture.Read(t, list)+fixture.Read(t, list)) }, list, "listed twice"},
		"list of less":       {func(t *testing.T) { fixture.Edit(t, list, "  beads.csv", "  other.csv") }, list, "does not list beads.csv"},
		"list without scene": {func(t *testing.T) { removeFile(t, "golden/table.scene.toml") }, "golden/table.scene.toml", "is missing"},
		"list of other":      {func(t *testing.T) { fixture.Edit(t, list, contentSum([]byte(beadsText)), contentSum([]byte(lookText))) }, look, "beads.csv:1:1: "},
	}
}

// oldDamages is damages for a golden whose other files are copies in a folder.
func oldDamages() map[string]damage {
	const conflict = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n"
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
	write := func(name, text string) func(*testing.T) {
		return func(t *testing.T) { fixture.Write(t, name, text) }
	}
	return map[string]damage{
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
		"scenes/lib/look.toml": lookText,
		"scenes/beads.csv":     beadsText,
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
			testDamage(t, name, test)
		})
	}
}

// TestDamageOfCopies is TestDamage for goldens that an earlier version of the program wrote.
func TestDamageOfCopies(t *testing.T) {
	for name, test := range oldDamages() {
		t.Run(name, func(t *testing.T) {
			tableProject(t)
			oldLayout(t)
			testDamage(t, name, test)
		})
	}
}

func testDamage(t *testing.T, name string, test damage) {
	t.Helper()
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
	cause := "because of " + test.file
	if strings.HasPrefix(name, "stored") || name == "list invalid" || name == "list twice" {
		cause = "sphere[0].radius" // the files are known nevertheless
	}
	if r.Verdict != Changed || !strings.Contains(r.Cause(), cause) {
		t.Errorf("with other pixels: %v", r)
	}
	acceptAll(t)
	if r := check(t)["table"]; r.Verdict != Identical || r.Damage != nil {
		t.Errorf("after accepting: %v", r)
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
		if r.Verdict != Identical || r.Damage != nil || r.Current {
			t.Errorf("%s: %v, current: %t", name, r, r.Current)
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
