package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
)

// atoms is a scene with two spheres, which are rows of a bulk file: a CSV file with one solid per row.
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
color = "red"
`

const atomsFile = "x,y,z,radius\n-1,0,0,1\n1,0,0,1\n"

// TestBulkFilesAreInSceneFolder checks where the program looks for a scene's bulk files, which are CSV files with
// solids. Their names must be relative to the scene's folder, or to the working directory if the scene comes from
// standard input.
func TestBulkFilesAreInSceneFolder(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"dir/atoms.toml":    atoms,
		"dir/csv/atoms.csv": atomsFile,
		"tables.toml": strings.Split(atoms, "[[bulk]]")[0] +
			"[[sphere]]\ncenter = [-1, 0, 0]\nradius = 1\ncolor = \"red\"\n[[sphere]]\ncenter = [1, 0, 0]\nradius = 1\ncolor = \"red\"\n",
	})
	want := programtest.Invocation{}.Run("hash", "tables.toml")
	if got := (programtest.Invocation{}).Run("hash", "dir/atoms.toml"); got != want || got.Status != cli.StatusDone {
		t.Errorf("bulk: %+v, tables: %+v", got, want)
	}
	got := programtest.Invocation{Stdin: strings.NewReader(atoms)}.Run("hash", "-")
	const message = "<stdin>:11:8: bulk[0].file: there is no such file, got \"csv/atoms.csv\"\n"
	if got != (programtest.Outcome{Status: cli.StatusWrong, Stderr: message}) {
		t.Errorf("from standard input, elsewhere: %+v, want %s", got, message)
	}
	t.Chdir("dir")
	if got := (programtest.Invocation{Stdin: strings.NewReader(atoms)}).Run("hash", "-"); got != want {
		t.Errorf("from standard input: %+v, want %+v", got, want)
	}
}

// TestBulkProblemsShowTheRow checks the message about an invalid row of a bulk file, a CSV file with solids. On a
// terminal, the row must follow the message.
func TestBulkProblemsShowTheRow(t *testing.T) {
	programtest.InFolder(t, map[string]string{"dir/atoms.toml": atoms, "dir/csv/atoms.csv": strings.Replace(atomsFile, "1,0,0,1", "1,0,0,-1", 2)})
	file := filepath.Join("dir", "csv", "atoms.csv")
	want := file + ":2:8: radius: must be positive and finite, got -1\n" +
		"    2 | -1,0,0,-1\n" +
		"      |        ^^\n"
	got := programtest.Invocation{OutColumns: 80}.Run("check", "dir/atoms.toml")
	if got.Status != cli.StatusWrong || !strings.HasPrefix(got.Stdout, want) {
		t.Errorf("got %+v, want\n%s", got, want)
	}
	got = programtest.Invocation{}.Run("check", "--overlaps=error", "dir/atoms.toml")
	if got.Status != cli.StatusWrong {
		t.Errorf("an invalid scene: %+v", got)
	}
	programtest.WriteText(t, file, atomsFile)
	got = programtest.Invocation{}.Run("check", "--overlaps=error", "dir/atoms.toml")
	if want := file + ":2:1: sphere[0]: touches sphere[1] at line 3\n"; got != (programtest.Outcome{Status: cli.StatusDifferent, Stdout: want, Stderr: ""}) {
		t.Errorf("got %+v, want %s", got, want)
	}
}

// TestOutputsReplaceNoBulkFile checks that no command replaces a bulk file, a CSV file with solids of the scene,
// by its output.
func TestOutputsReplaceNoBulkFile(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"scenes/atoms.toml": strings.Replace(atoms, "csv/atoms.csv", "atoms.png", 1),
		"scenes/atoms.png":  atomsFile,
	})
	if got := (programtest.Invocation{}).Run("golden", "accept", "--all"); got.Status != cli.StatusDone {
		t.Fatalf("accepting: %+v", got)
	}
	programtest.WriteText(t, "golden/atoms.scene/atoms.png", atomsFile) // in the folder for copies of an earlier version
	before := fixture.Snapshot(t)
	for args, want := range map[string]string{
		"scenes/atoms.toml -o scenes/atoms.png":                                      "scenes/atoms.png would replace",
		"scenes/atoms.toml -o a.png --aov cost=scenes/atoms.png":                     "scenes/atoms.png would replace",
		"contact scenes/atoms.toml -o scenes/atoms.png":                              "scenes/atoms.png would replace",
		"explain scenes/atoms.toml --pixel 1,2 --solid 0 --diagram scenes/atoms.png": "scenes/atoms.png would replace",
		"golden check --ci --junit scenes/atoms.png":                                 "scenes/atoms.png would replace",
		"golden report -o scenes/atoms.png":                                          "scenes/atoms.png would replace",
		"golden check --ci --junit golden/atoms.scene/atoms.png":                     "lies in golden/atoms.scene,",
		"golden report -o golden/atoms.scene/atoms.png":                              "lies in golden/atoms.scene,",
	} {
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if got.Status != cli.StatusWrong || !strings.Contains(filepath.ToSlash(got.Stderr), want) {
			t.Errorf("render %s: %+v, want %q", args, got, want)
		}
	}
	wantSnapshot(t, "outputs that name bulk files", before)

	for _, table := range []string{"a.partial.png", "atoms.new.png", "atoms.diff.png"} {
		fixture.Edit(t, "scenes/atoms.toml", "atoms.png", table)
		programtest.WriteText(t, "scenes/"+table, atomsFile)
		before := fixture.Snapshot(t)
		for _, args := range []string{"scenes/atoms.toml -o scenes/a.png", "golden check --golden scenes", "golden accept --golden scenes atoms"} {
			if strings.HasPrefix(args, "golden") == (table == "a.partial.png") {
				continue
			}
			got := programtest.Invocation{}.Run(strings.Fields(args)...)
			if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, table) {
				t.Errorf("render %s, bulk file %s: %+v", args, table, got)
			}
		}
		wantSnapshot(t, "goldens that name bulk files", before)
		removeFile(t, "scenes/"+table)
		fixture.Edit(t, "scenes/atoms.toml", table, "atoms.png")
	}
	t.Chdir("scenes")
	if got := (programtest.Invocation{}).Run("atoms.toml"); got.Status != cli.StatusWrong || programtest.ReadText(t, "atoms.png") != atomsFile {
		t.Errorf("the default output replaces a bulk file: %+v", got)
	}
}

// storedContents returns the contents that goldens store, in any order.
func storedContents(t *testing.T) (contents []string) {
	t.Helper()
	files, err := filepath.Glob("golden/files/*.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		z, err := gzip.NewReader(strings.NewReader(programtest.ReadText(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		contents = append(contents, string(data))
	}
	return contents
}

// TestGoldenBulk checks that accepting a scene also stores its bulk files, which are CSV files with solids. After
// a change in such a file, golden check must report the changed row.
func TestGoldenBulk(t *testing.T) {
	programtest.InFolder(t, map[string]string{"scenes/atoms.toml": atoms, "scenes/csv/atoms.csv": atomsFile})
	const file = "scenes/csv/atoms.csv"
	accept := func() {
		t.Helper()
		if got := (programtest.Invocation{}).Run("golden", "accept", "--all"); got != (programtest.Outcome{Stdout: "atoms: accepted golden/atoms.png\n"}) {
			t.Fatalf("accepting: %+v", got)
		}
		if got, want := storedContents(t), []string{programtest.ReadText(t, file)}; !slices.Equal(got, want) {
			t.Errorf("stored %q, want %q", got, want)
		}
	}
	accept()
	if got := (programtest.Invocation{}).Run("golden", "accept", "--all"); got != (programtest.Outcome{}) {
		t.Errorf("nothing to accept: %+v", got)
	}

	programtest.WriteText(t, file, strings.Replace(atomsFile, "\n1,0,0", "\n1.5,0,0", 1))
	got := programtest.Invocation{}.Run("golden", "check", "--ci")
	const cause = "csv csv/atoms.csv row 2 x, 1 to 1.5: 70 by itself"
	if got.Status != cli.StatusDifferent || !strings.Contains(got.Stdout, cause) {
		t.Errorf("a moved solid: %+v, want %s", got, cause)
	}
	got = programtest.Invocation{}.Run("golden", "check", "--ci", "--github")
	if want := "::error file=" + file + ",line=3,"; !strings.Contains(got.Stdout, want) {
		t.Errorf("annotation: %+v, want %s", got, want)
	}
	accept()

	// Reordered columns give the same picture, but the copy is out of date.
	programtest.WriteText(t, file, "y,x,z,radius\n0,-1,0,1\n0,1.5,0,1\n")
	if got := (programtest.Invocation{}).Run("golden", "check"); got != (programtest.Outcome{Stdout: "atoms: identical\n1 golden: 1 identical\n"}) {
		t.Errorf("the same picture: %+v", got)
	}
	accept()

	// Contents that are no longer used are removed. A file that the program did not create stays.
	programtest.WriteText(t, "golden/files/notes.csv", "of the user")
	fixture.Edit(t, "scenes/atoms.toml", "csv/atoms.csv", "more.csv")
	programtest.WriteText(t, "scenes/more.csv", atomsFile)
	if got := (programtest.Invocation{}).Run("golden", "accept", "atoms"); got.Status != cli.StatusDone {
		t.Errorf("another file: %+v", got)
	}
	if got := storedContents(t); !slices.Equal(got, []string{atomsFile}) {
		t.Errorf("stored %q", got)
	}

	// Without its files, the accepted scene cannot explain a change.
	removeFile(t, "golden/atoms.scene.files")
	programtest.WriteText(t, "scenes/more.csv", strings.Replace(atomsFile, "-1,", "-2,", 1))
	got = programtest.Invocation{}.Run("golden", "check", "--ci")
	if got.Status != cli.StatusDifferent || !strings.Contains(got.Stdout, "cause unknown") {
		t.Errorf("without its files: %+v", got)
	}

	removeFile(t, "scenes/atoms.toml")
	programtest.WriteText(t, "scenes/other.toml", programtest.Small)
	if got := (programtest.Invocation{}).Run("golden", "accept", "atoms"); got != (programtest.Outcome{Stdout: "atoms: removed golden/atoms.png\n"}) {
		t.Errorf("an orphan: %+v", got)
	}
	if files := fixture.Snapshot(t); len(files) != 4 || files["golden/files/notes.csv"] != "of the user" {
		t.Errorf("files left: %q", files)
	}
}

// TestGoldenBulkRefusesItsOwnFiles checks that golden accept refuses scenes and bulk files (CSV files with solids)
// that are in the folder where it keeps copies of accepted files.
func TestGoldenBulkRefusesItsOwnFiles(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"foo.toml":                strings.Replace(atoms, "csv/", "foo.scene/", 1),
		"foo.scene/atoms.csv":     atomsFile,
		"foo.scene/foo.toml":      programtest.Small,
		"bar.toml":                strings.Replace(atoms, "csv/", "link/", 1),
		"bar.scene/csv/atoms.csv": atomsFile,
	})
	if err := os.Symlink("bar.scene/csv", "link"); err != nil {
		t.Fatal(err)
	}
	before := fixture.Snapshot(t)
	for scene, file := range map[string]string{
		"foo.toml":           "foo.scene/atoms.csv",
		"foo.scene/foo.toml": "foo.scene/foo.toml",
		"bar.toml":           "link/atoms.csv",
	} {
		got := programtest.Invocation{}.Run("golden", "accept", "--golden", ".", scene)
		folder := strings.TrimSuffix(filepath.Base(scene), ".toml") + ".scene"
		want := "render: " + file + " lies in " + folder + ", which is for copies of accepted files; move it, or keep the goldens in another folder\n"
		if got != (programtest.Outcome{Status: cli.StatusWrong, Stderr: want}) {
			t.Errorf("%s: %+v, want %s", scene, got, want)
		}
		wantSnapshot(t, "refusing "+scene, before)
	}
}
