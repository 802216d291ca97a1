package suite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// atoms is a scene that reads another file.
const atoms = `
[image]
width = 40
height = 30

[camera]
position = [0, 0, 10]
look_at = [0, 0, 0]

[[bulk]]
file = "csv/atoms.csv"
shape = "sphere"
`

// atomsText is the table of the scene atoms.
const atomsText = "x,y,z,radius\n-1,0,0,1\n1,0,0,1\n"

// bulkProject creates a project with an accepted scene that reads another file, and changes to the project's
// folder.
func bulkProject(t *testing.T) {
	t.Helper()
	fixture.Folder(t, map[string]string{
		"scenes/atoms.toml":    atoms,
		"scenes/ball.toml":     fixture.Ball,
		"scenes/csv/atoms.csv": atomsText,
	})
	acceptAll(t)
}

// judged returns the result for the scene with the given name. The result is not released, so it can be accepted.
func judged(t *testing.T, name string) *Result {
	t.Helper()
	refs, err := Find(Options{Scenes: []string{name}})
	if err != nil {
		t.Fatal(err)
	}
	return Judge(t.Context(), Options{}, refs[0])
}

// accepted returns the files in golden/ whose names begin with prefix.
func accepted(t *testing.T, prefix string) []string {
	t.Helper()
	var found []string
	for name := range fixture.Snapshot(t) {
		if rest, ok := strings.CutPrefix(name, "golden/"); ok && strings.HasPrefix(rest, prefix) {
			found = append(found, rest)
		}
	}
	slices.Sort(found)
	return found
}

// TestAcceptKeepsFilesInStep checks that golden/ contains exactly the files that the accepted scene reads, and no empty
// folders.
func TestAcceptKeepsFilesInStep(t *testing.T) {
	bulkProject(t)
	want := []string{"atoms.png", "atoms.scene.files", "atoms.scene.toml"}
	if got := accepted(t, "atoms"); !slices.Equal(got, want) {
		t.Fatalf("accepted %q, want %q", got, want)
	}
	fixture.Write(t, "scenes/more/atoms.csv", "x,y,z,radius\n-1,0,0,1\n1,0,0,2\n")
	fixture.Edit(t, "scenes/atoms.toml", "csv/atoms.csv", "more/atoms.csv")
	acceptAll(t)
	wantContents(t, "with another file", fixture.Read(t, "scenes/more/atoms.csv"))
	fixture.Write(t, "scenes/atoms.toml", fixture.Ball)
	acceptAll(t)
	if got := accepted(t, "atoms"); !slices.Equal(got, []string{"atoms.png", "atoms.scene.toml"}) {
		t.Errorf("without files: accepted %q", got)
	}
	wantContents(t, "without files")
}

// TestAcceptOrphan accepts a picture whose scene is gone. This must remove the picture's files and copies, and keep
// unrelated files in the folder.
func TestAcceptOrphan(t *testing.T) {
	bulkProject(t)
	fixture.Write(t, "golden/atoms.scene/notes.txt", "mine")
	removeFile(t, "scenes/atoms.toml")
	r := judged(t, "atoms")
	if r.Verdict != Orphan || r.Gone() != filepath.FromSlash("golden/atoms.png has no scene") {
		t.Errorf("got %v, %s", r, r.Gone())
	}
	if err := r.Accept(writeWhole); err != nil {
		t.Fatal(err)
	}
	if got, want := accepted(t, ""), []string{"atoms.scene/notes.txt", "ball.png", "ball.scene.toml"}; !slices.Equal(got, want) {
		t.Errorf("%q stay, want %q", got, want)
	}
}

// TestAcceptKeepsScenes checks that Accept replaces no file that is probably a scene and not the copy of one.
func TestAcceptKeepsScenes(t *testing.T) {
	project(t)
	const mine = "name = 1 # mine"
	for _, folder := range []string{"scenes", "others"} {
		name := filepath.Join(folder, "ball.scene.toml")
		fixture.Write(t, name, mine)
		opt := Options{Scenes: []string{"scenes/ball.toml"}, Golden: folder}
		refs, err := Find(opt)
		if err != nil || len(refs) != 1 {
			t.Fatalf("%d references, %v", len(refs), err)
		}
		err = Judge(t.Context(), opt, refs[0]).Accept(writeWhole)
		if data, _ := os.ReadFile(name); err == nil || !strings.Contains(err.Error(), "ball.scene.toml may be ") || string(data) != mine {
			t.Errorf("%s: %v, and the file contains %q", folder, err, data)
		}
		if osfile.Exists(filepath.Join(folder, "ball.png")) {
			t.Errorf("%s: the picture is written", folder)
		}
		removeFile(t, name)
		if folder == "others" {
			if err := Judge(t.Context(), opt, refs[0]).Accept(writeWhole); err != nil {
				t.Error(err)
			}
		}
	}
}

var errFull = errors.New("no space left")

// TestAcceptFails checks that Accept returns the error if any of the files cannot be written.
func TestAcceptFails(t *testing.T) {
	const rows = "x,y,z,radius\n-1,0,0,2\n"
	for n, name := range []string{"atoms.scene.toml", "atoms.scene.files", strings.TrimPrefix(stored(rows), "golden/"), "atoms.png"} {
		bulkProject(t)
		fixture.Write(t, "scenes/csv/atoms.csv", rows)
		fixture.Edit(t, "scenes/atoms.toml", "[0, 0, 10]", "[0, 0, 9]")
		r := judged(t, "atoms")
		written := 0
		failing := ""
		err := r.Accept(func(name string, fill func(io.Writer) error) error {
			if written++; written > n {
				failing = filepath.ToSlash(name)
				return errFull
			}
			return writeWhole(name, fill)
		})
		if !errors.Is(err, errFull) || failing != "golden/"+name || r.Outcome != "" {
			t.Errorf("writing %s: error %v at %s, outcome %q", name, err, failing, r.Outcome)
		}
	}
}

// TestProposeAndDrawFail checks that Propose and Draw return the error if their picture cannot be written.
func TestProposeAndDrawFail(t *testing.T) {
	bulkProject(t)
	fixture.Edit(t, "scenes/atoms.toml", "[0, 0, 10]", "[0, 0, 9]")
	r := judged(t, "atoms")
	full := func(string, func(io.Writer) error) error { return errFull }
	if err := errors.Join(r.Propose(full), r.Draw(full)); strings.Count(fmt.Sprint(err), errFull.Error()) != 2 {
		t.Errorf("error %v, want that of both", err)
	}
	fixture.Write(t, "golden/atoms.new.png/file", "in a folder where a picture should be")
	if err := r.Accept(writeWhole); err == nil || !strings.Contains(err.Error(), "atoms.new.png") {
		t.Errorf("a proposal that cannot be removed: %v", err)
	}
}

// TestAcceptIntoAFile checks that Accept fails if golden is a file instead of a folder.
func TestAcceptIntoAFile(t *testing.T) {
	fixture.Folder(t, map[string]string{"scenes/ball.toml": fixture.Ball})
	r := judged(t, "ball")
	fixture.Write(t, "golden", "no folder")
	for what, err := range map[string]error{"accept": r.Accept(writeWhole), "propose": r.Propose(writeWhole)} {
		if err == nil || !strings.Contains(err.Error(), "golden: not a directory") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := fixture.Read(t, "golden"); got != "no folder" {
		t.Errorf("golden is now %q", got)
	}
}

// TestJudgeRefusesWhatAcceptingReplaces checks that a scene must not read the files of its own golden.
func TestJudgeRefusesWhatAcceptingReplaces(t *testing.T) {
	const table = "x,y,z,radius\n-1,0,0,1\n"
	o := Options{Scenes: []string{"atoms"}, Golden: "scenes"}
	for file, want := range map[string]string{
		"atoms.scene/atoms.csv": "scenes/atoms.scene/atoms.csv lies in scenes/atoms.scene, which is for copies of accepted files; move it, or keep the goldens in another folder",
		"atoms.golden.toml":     "scenes/atoms.golden.toml has the name of a file that belongs to the golden; move it, or keep the goldens in another folder",
	} {
		fixture.Folder(t, map[string]string{
			"scenes/atoms.toml": strings.Replace(atoms, "csv/atoms.csv", file, 1),
			"scenes/" + file:    table,
		})
		refs, err := Find(o)
		if err != nil {
			t.Fatal(err)
		}
		r := Judge(t.Context(), o, refs[0])
		if r.Verdict != Failed || filepath.ToSlash(fmt.Sprint(r.Err)) != want {
			t.Errorf("got %v: %v, want %s", r.Verdict, r.Err, want)
		}
	}
}

// TestTallyPasses checks that tolerated results pass, and that an empty tally passes.
func TestTallyPasses(t *testing.T) {
	for want, tallies := range map[bool][]Tally{
		true:  {{}, {Identical: 3}, {Identical: 1, Tolerated: 1}, {Identical: 1, Changed: 0}},
		false: {{Changed: 1}, {Identical: 9, New: 1}, {Orphan: 1}, {Failed: 1}},
	} {
		for _, tally := range tallies {
			if tally.Passes() != want {
				t.Errorf("%v: passes %v", map[Verdict]int(tally), !want)
			}
		}
	}
}

// TestFindFails checks the errors if references cannot be found.
func TestFindFails(t *testing.T) {
	for want, files := range map[string]map[string]string{
		"there is no folder scenes": {"golden/ball.png": ""},
		"no scenes in scenes":       {"scenes/notes.txt": ""},
		"golden: not a directory":   {"scenes/ball.toml": fixture.Ball, "golden": ""},
	} {
		fixture.Folder(t, files)
		if refs, err := Find(Options{}); err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "\\", "/"), want) {
			t.Errorf("%v, error %v, want %s", refs, err, want)
		}
	}
}

// TestResultOriginInline checks that the origin of a change in an inline array of tables is the line of the edited
// table.
func TestResultOriginInline(t *testing.T) {
	const lights = "light = [\n\t{ direction = [-1, -2, -1] },\n\t{ direction = [1, -2, -1], intensity = 0.5 },\n]\n"
	fixture.Folder(t, map[string]string{"scenes/lit.toml": lights + fixture.Ball})
	acceptAll(t)
	fixture.Edit(t, "scenes/lit.toml", "intensity = 0.5", "intensity = 0.75")
	r := check(t)["lit"]
	if r.Origin.Line != 3 || !strings.Contains(r.String(), "lit: changed") || !strings.Contains(r.String(), "light[1].intensity, 0.5 to 0.75: ") {
		t.Errorf("%v: line %d, want 3", r, r.Origin.Line)
	}
}

// TestReportsOnAFullDisk checks that writing a report returns an error if it cannot be written completely, however
// much was written.
func TestReportsOnAFullDisk(t *testing.T) {
	results := []*Result{result("ball", New, nil), result("second", Identical, nil)}
	report := &Report{Tally: Tally{New: 1}}
	for name, write := range map[string]func(io.Writer) error{
		"JUnit": func(w io.Writer) error { return WriteJUnit(w, results, filepath.ToSlash) },
		"HTML":  report.WriteHTML,
	} {
		whole := &room{1 << 20}
		if err := write(whole); err != nil {
			t.Fatal(err)
		}
		size := 1<<20 - whole.left
		for _, left := range []int{0, size / 2, size - 1} {
			if err := write(&room{left}); !errors.Is(err, errFull) {
				t.Errorf("%s of %d bytes with room for %d: %v", name, size, left, err)
			}
		}
	}
}

// room is an [io.Writer]. It accepts as many bytes as the field left states, and then fails.
type room struct{ left int }

func (r *room) Write(p []byte) (int, error) {
	if r.left -= len(p); r.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestAcceptEndsBetween ends accept after it wrote the accepted scene and before it wrote the picture. A check must find this: the
// verdict is Changed, and Damaged if the scene becomes what it was. Accepting again must write the pair.
func TestAcceptEndsBetween(t *testing.T) {
	project(t)
	before := fixture.Read(t, "scenes/pills.toml")
	fixture.Write(t, "scenes/pills.toml", before+"\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n")
	changed := fixture.Read(t, "scenes/pills.toml")
	killed := errors.New("killed")
	r := judge(t, "scenes/pills.toml")
	err := r.Accept(func(name string, write func(io.Writer) error) error {
		if strings.HasSuffix(name, ".png") {
			return killed
		}
		return writeWhole(name, write)
	})
	if !errors.Is(err, killed) || fixture.Read(t, r.Accepted()) != changed {
		t.Fatalf("%v, want the accepted scene and no picture", err)
	}
	for _, test := range []struct {
		scene string
		want  Verdict
	}{{changed, Changed}, {before, Damaged}} {
		fixture.Write(t, "scenes/pills.toml", test.scene)
		if r := check(t)["pills"]; r.Verdict != test.want {
			t.Errorf("%v, want %s", r, test.want)
		}
	}
	acceptAll(t)
	if r := check(t)["pills"]; r.Verdict != Identical || len(r.Damage) > 0 {
		t.Errorf("accepted again: %v, damage %v", r, r.Damage)
	}
}
