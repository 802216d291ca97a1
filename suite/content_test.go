package suite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
)

// oldLayout replaces stored contents by copies for each golden, as earlier versions of the program kept them.
func oldLayout(t *testing.T) {
	t.Helper()
	lists, err := filepath.Glob("golden/*.scene.files")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		r := Reference{base: strings.TrimSuffix(list, ".scene.files")}
		sums, problems := parseList([]byte(fixture.Read(t, list)))
		if problems != nil {
			t.Fatal(problems)
		}
		for name, sum := range sums {
			data, err := r.readContent(sum)
			if err != nil {
				t.Fatal(err)
			}
			fixture.Write(t, r.copyOf(name), string(data))
		}
		removeFile(t, list)
	}
	removeTree(t, "golden/files")
}

func removeTree(t *testing.T, name string) {
	t.Helper()
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
}

// wantContents checks that the stored contents are exactly those that scenes read.
func wantContents(t *testing.T, when string, texts ...string) {
	t.Helper()
	var got []string
	err := filepath.WalkDir("golden", func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".gz") {
			got = append(got, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var want []string
	for _, text := range texts {
		want = append(want, stored(text))
	}
	slices.Sort(got)
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("%s: stored %q, want %q", when, got, want)
	}
	if osfile.Exists("golden/files") != (len(want) > 0) {
		t.Errorf("%s: the folder for contents must exist only with contents", when)
	}
}

// rowsOf returns a table with one sphere.
func rowsOf(k int) string { return fmt.Sprintf("x,y,z,radius\n%d,0,0,1\n", k%4) }

// TestContentsOfRandomProjects edits, renames, removes and accepts scenes with shared tables at random, and undoes some of
// that. After each step, the stored contents are exactly those of accepted scenes, and accepted scenes are as accepted.
func TestContentsOfRandomProjects(t *testing.T) {
	const tables = 3
	for seed := range effort.Of[uint64](1, 4, 4) {
		random := rand.New(rand.NewPCG(seed, 1))
		fixture.Folder(t, map[string]string{"scenes/ball.toml": fixture.Ball})
		for i := range tables {
			fixture.Write(t, fmt.Sprintf("scenes/csv/t%d.csv", i), rowsOf(i))
		}
		accepted := make(map[string]string) // the accepted table of each scene, by name
		for step := range 40 {
			name := fmt.Sprintf("scene%d", random.IntN(5))
			if random.IntN(3) == 0 {
				fixture.Write(t, fmt.Sprintf("scenes/csv/t%d.csv", random.IntN(tables)), rowsOf(random.IntN(4)))
			}
			file := fmt.Sprintf("csv/t%d.csv", random.IntN(tables))
			scene := fmt.Sprintf("# %s\n", name) + strings.Replace(atoms, "csv/atoms.csv", file, 1)
			when := fmt.Sprintf("seed %d, step %d, %s", seed, step, name)
			was := maps.Clone(accepted)
			switch {
			case random.IntN(4) > 0:
				fixture.Write(t, "scenes/"+name+".toml", scene)
				accepted[name] = fixture.Read(t, "scenes/"+file)
			case accepted[name] == "":
				continue
			default:
				removeFile(t, "scenes/"+name+".toml")
				delete(accepted, name)
			}
			if random.IntN(5) == 0 && osfile.Exists("golden/"+name+".scene.files") {
				oldLayoutOf(t, name)
				delete(was, name)
			}
			before := tree(t)
			r := judged(t, name)
			b, err := r.Backup()
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Accept(new(osfile.Outputs).Rewrite); err != nil {
				t.Fatal(err)
			}
			if random.IntN(3) == 0 {
				if err := b.Restore(new(osfile.Outputs).Rewrite); err != nil {
					t.Fatal(err)
				}
				if after := tree(t); !maps.Equal(before, after) {
					t.Fatalf("%s: undone: the files differ", when)
				}
				wantContents(t, when+", undone", slices.Collect(maps.Values(was))...)
				if err := judged(t, name).Accept(new(osfile.Outputs).Rewrite); err != nil {
					t.Fatal(err)
				}
			}
			wantContents(t, when, slices.Collect(maps.Values(accepted))...)
			if accepted[name] != "" {
				if r := judged(t, name); r.Verdict != Identical || !r.Current || r.Damage != nil {
					t.Errorf("%s: %v", when, r)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

// oldLayoutOf gives one golden copies in place of its list, and drops the contents that no other golden needs.
func oldLayoutOf(t *testing.T, name string) {
	t.Helper()
	r := Reference{base: "golden/" + name}
	list, _ := parseList([]byte(fixture.Read(t, r.list())))
	unused := r.listedSums()
	for name, sum := range list {
		data, err := r.readContent(sum)
		if err != nil {
			t.Fatal(err)
		}
		fixture.Write(t, r.copyOf(name), string(data))
	}
	removeFile(t, r.list())
	if err := r.dropContents(writeWhole, unused); err != nil {
		t.Fatal(err)
	}
}

// TestAcceptMigrates checks that goldens with copies keep their verdicts, and that accepting one stores its files by
// content and keeps the copies of others.
func TestAcceptMigrates(t *testing.T) {
	tableProject(t)
	fixture.Write(t, "scenes/other.toml", "# other\n"+fixture.Read(t, "scenes/table.toml"))
	acceptAll(t)
	oldLayout(t)
	for name, r := range check(t) {
		if r.Verdict != Identical || !r.Current || r.Damage != nil {
			t.Errorf("%s with copies: %v", name, r)
		}
	}
	fixture.Edit(t, "scenes/beads.csv", "1,2,0", "1,2,1")
	if r := check(t)["table"]; r.Verdict != Changed || !strings.Contains(r.Cause(), "csv beads.csv row 1 z, 0 to 1") {
		t.Errorf("an edit of a table, with copies: %v", r)
	}
	if err := judged(t, "table").Accept(writeWhole); err != nil {
		t.Fatal(err)
	}
	wantContents(t, "migrated", lookText, fixture.Read(t, "scenes/beads.csv"))
	if osfile.Exists("golden/table.scene") || !osfile.Exists("golden/other.scene/beads.csv") {
		t.Error("want copies of the other golden only")
	}
	fixture.Edit(t, "scenes/beads.csv", "1,2,1", "1,2,2")
	if r := check(t)["table"]; r.Verdict != Changed || !strings.Contains(r.Cause(), "csv beads.csv row 1 z, 1 to 2") {
		t.Errorf("an edit of a table: %v", r)
	}
}

// TestContentLineEndings checks that texts with LF and with CR LF are one content, also after conversions of the scene and
// of the list.
func TestContentLineEndings(t *testing.T) {
	tableProject(t)
	before := fixture.Snapshot(t)
	for _, name := range []string{"scenes/table.toml", "scenes/beads.csv", "scenes/lib/look.toml", "golden/table.scene.toml", "golden/table.scene.files"} {
		if name != "golden/table.scene.toml" || t.Failed() {
			fixture.Write(t, name, strings.ReplaceAll(fixture.Read(t, name), "\n", "\r\n"))
		}
		if r := check(t)["table"]; r.Verdict != Identical || !r.Current || r.Damage != nil {
			t.Errorf("with CR LF in %s: %v", name, r)
		}
	}
	if err := judged(t, "table").Accept(writeWhole); err != nil {
		t.Fatal(err)
	}
	wantContents(t, "accepted with CR LF", lookText, beadsText)
	removeTree(t, "golden/files")
	if err := judged(t, "table").Accept(writeWhole); err != nil {
		t.Fatal(err)
	}
	for name, was := range before {
		if strings.HasPrefix(name, "golden/files") && fixture.Read(t, name) != was {
			t.Errorf("%s has changed", name)
		}
	}
}

// TestAcceptAtTheSameTime lets another process accept a scene that drops a content, at the moment when this one has listed
// the content and not yet stored it. The content must be there in the end.
func TestAcceptAtTheSameTime(t *testing.T) {
	bulkProject(t)
	fixture.Write(t, "scenes/other.toml", "# other\n"+atoms)
	other := judged(t, "other")
	text := fixture.Read(t, "scenes/csv/atoms.csv")
	fixture.Edit(t, "scenes/csv/atoms.csv", "-1,0,0,1", "-1,0,0,2")
	atoms := judged(t, "atoms")
	write := func(name string, fill func(io.Writer) error) error {
		if err := writeWhole(name, fill); err != nil || filepath.Base(name) != "other.scene.files" {
			return err
		}
		removeFile(t, stored(text)) // as if the other process had read the lists before
		return atoms.storeFilesNow(writeWhole)
	}
	if err := other.Accept(write); err != nil {
		t.Fatal(err)
	}
	wantContents(t, "two at the same time", text, fixture.Read(t, "scenes/csv/atoms.csv"))
}

// TestDropContentAtTheSameTime lets another process list a content after this one has found that no list contains it. The
// content must stay.
func TestDropContentAtTheSameTime(t *testing.T) {
	bulkProject(t)
	r := judged(t, "atoms")
	name := stored(atomsText)
	was := fixture.Read(t, name)
	for _, test := range []struct {
		answers []bool // whether the content is needed, each time when this is asked
		stays   bool
	}{{[]bool{true}, true}, {[]bool{false, true}, true}, {[]bool{false, false}, false}} {
		asked := 0
		err := r.dropContent(writeWhole, name, func() bool { asked++; return test.answers[asked-1] })
		if err != nil || asked != len(test.answers) || osfile.Exists(name) != test.stays || test.stays && fixture.Read(t, name) != was {
			t.Errorf("needed: %v: asked %d times, %v, and the content is there: %t", test.answers, asked, err, osfile.Exists(name))
		}
	}
}

// TestListOfFiles checks that lists keep unusual names.
func TestListOfFiles(t *testing.T) {
	sums := map[string]string{}
	for _, name := range []string{"a.csv", "lib/ä b.toml", `"quoted"`, "tab\t", `back\slash`, "line\nfeed", " space "} {
		sums[name] = contentSum([]byte(name))
	}
	for _, ending := range []string{"\n", "\r\n"} {
		got, problems := parseList([]byte(strings.ReplaceAll(string(formatList(sums)), "\n", ending)))
		if problems != nil || !maps.Equal(got, sums) {
			t.Errorf("got %q, %v", got, problems)
		}
	}
}

// TestKeepsContentOfUnreadableList checks that a content stays stored if another golden's list cannot be read, or if
// somebody wrote its sums with capital letters.
func TestKeepsContentOfUnreadableList(t *testing.T) {
	for what, spoil := range map[string]func(name string) error{
		"capital letters": func(name string) error {
			return os.WriteFile(name, []byte(strings.ToUpper(fixture.Read(t, name))), 0o666)
		},
		"a link to itself": func(name string) error {
			removeFile(t, name)
			return os.Symlink(filepath.Base(name), name)
		},
	} {
		t.Run(what, func(t *testing.T) {
			tableProject(t)
			fixture.Write(t, "scenes/other.toml", "# other\n"+fixture.Read(t, "scenes/table.toml"))
			acceptAll(t)
			if err := spoil("golden/other.scene.files"); err != nil {
				t.Skip(err)
			}
			fixture.Edit(t, "scenes/beads.csv", "1,2,0", "1,2,1")
			if err := judged(t, "table").Accept(writeWhole); err != nil {
				t.Fatal(err)
			}
			wantContents(t, what, lookText, beadsText, fixture.Read(t, "scenes/beads.csv"))
		})
	}
}

// TestLargeListIsDamage checks that a list that is far too large is not followed.
func TestLargeListIsDamage(t *testing.T) {
	tableProject(t)
	list := fixture.Read(t, "golden/table.scene.files")
	fixture.Write(t, "golden/table.scene.files", strings.Repeat(list, maxList/len(list)+1))
	r := check(t)["table"]
	if r.Verdict != Damaged || len(r.Damage) == 0 || r.Damage[0].Text != "is larger than 1 MiB" {
		t.Errorf("%v %v", r.Verdict, r.Damage)
	}
}

// TestMissingContentsAreNamed checks that missing contents are the only damage, also if all files have changed.
func TestMissingContentsAreNamed(t *testing.T) {
	tableProject(t)
	removeTree(t, "golden/files")
	fixture.Edit(t, "scenes/beads.csv", "1,2,0", "1,2,1")
	fixture.Write(t, "scenes/lib/look.toml", "# edited\n"+lookText)
	r := check(t)["table"]
	for _, d := range r.Damage {
		if !strings.HasPrefix(filepath.ToSlash(d.File), "golden/files/") {
			t.Errorf("unexpected damage: %v", d)
		}
	}
	if len(r.Damage) != 2 {
		t.Errorf("damage %v, want that of 2 files", r.Damage)
	}
}
