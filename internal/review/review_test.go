package review_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
	"pillbox/internal/review"
	"pillbox/suite"
)

// project creates a project with three references that need a decision, and returns their results: one whose scene was
// changed, a new one, and one whose scene was removed.
func project(t *testing.T) []*suite.Result {
	t.Helper()
	fixture.Folder(t, fixture.Scenes())
	files := new(osfile.Outputs)
	for _, r := range find(t) {
		result := suite.Judge(t.Context(), suite.Options{}, r)
		if err := result.Accept(files.Rewrite); err != nil {
			t.Fatal(err)
		}
	}
	fixture.Edit(t, "scenes/ball.toml", "radius = 2", "radius = 2.5")
	fixture.Write(t, "scenes/later.toml", fixture.Ball)
	if err := os.Remove("scenes/pills.toml"); err != nil {
		t.Fatal(err)
	}
	return review.Pending(t.Context(), suite.Options{}, find(t), failed(t))
}

func find(t *testing.T) []suite.Reference {
	t.Helper()
	refs, err := suite.Find(suite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return refs
}

// failed returns a callback for results that fails the test whenever it is called.
func failed(t *testing.T) func(*suite.Result) {
	return func(r *suite.Result) { t.Errorf("%v", r) }
}

// state holds the files and the counts that are expected after some decisions.
type state struct {
	files  map[string]string
	counts map[review.Decision]int
}

// TestDecideAndUndo makes random decisions and undoes some of them. After each step, the counts must be right.
// Undoing a decision must restore all files.
func TestDecideAndUndo(t *testing.T) {
	decisions := []review.Decision{review.Accept, review.Reject, review.Skip}
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 0))
		s := review.New(project(t), new(osfile.Outputs).Rewrite)
		if s.Len() != 3 || s.CanUndo() {
			t.Fatalf("%d references, want 3; CanUndo is %t", s.Len(), s.CanUndo())
		}
		now := state{fixture.Snapshot(t), map[review.Decision]int{}}
		for i := 0; i < s.Len(); {
			result, err := s.Judge(t.Context(), suite.Options{}, i)
			if err != nil {
				t.Fatal(err)
			}
			d := decisions[random.IntN(len(decisions))]
			if _, err := s.Picture(result); err != nil {
				t.Fatal(err)
			}
			now.files = fixture.Snapshot(t)
			before := state{now.files, maps.Clone(now.counts)}
			if err := s.Decide(i, d, result); err != nil {
				t.Fatal(err)
			}
			now.counts[d]++
			i++
			if random.IntN(3) == 0 {
				if i, err = s.Undo(); err != nil {
					t.Fatal(err)
				}
				if s.CanUndo() {
					t.Error("a decision can be undone twice")
				}
				now = before
				if got := fixture.Snapshot(t); !maps.Equal(got, now.files) {
					t.Fatalf("seed %d: %s about %s, undone: the files are %v, want %v", seed, d, result.Name, names(got), names(now.files))
				}
			}
			for _, d := range decisions {
				if s.Count(d) != now.counts[d] {
					t.Errorf("seed %d: %d times %s, want %d", seed, s.Count(d), d, now.counts[d])
				}
			}
			if want := s.Len() - now.counts[review.Accept]; s.Left() != want {
				t.Errorf("seed %d: %d left, want %d", seed, s.Left(), want)
			}
		}
		if got := len(review.Pending(t.Context(), suite.Options{}, find(t), failed(t))); got != s.Left() {
			t.Errorf("seed %d: %d are pending in the end, want %d", seed, got, s.Left())
		}
	}
}

// names returns the names of files with the lengths of their contents.
func names(files map[string]string) map[string]int {
	lengths := make(map[string]int)
	for name, text := range files {
		lengths[name] = len(text)
	}
	return lengths
}

// TestForget checks that a forgotten decision cannot be undone, and still counts.
func TestForget(t *testing.T) {
	s := review.New(project(t), new(osfile.Outputs).Rewrite)
	if err := s.Decide(0, review.Skip, nil); err != nil {
		t.Fatal(err)
	}
	s.Forget()
	if s.CanUndo() || s.Count(review.Skip) != 1 {
		t.Errorf("CanUndo is %t, and %d are skipped, want 1", s.CanUndo(), s.Count(review.Skip))
	}
}

// TestPicture checks the picture of a result: the comparison of both versions or, if there is only one version,
// that version.
func TestPicture(t *testing.T) {
	s := review.New(project(t), new(osfile.Outputs).Rewrite)
	var got []string
	for i := range s.Len() {
		result, err := s.Judge(t.Context(), suite.Options{}, i)
		if err != nil {
			t.Fatal(err)
		}
		name, err := s.Picture(result)
		if err != nil || !osfile.Exists(name) {
			t.Errorf("%s: %s, %v", result.Name, name, err)
		}
		got = append(got, filepath.ToSlash(name))
	}
	if want := []string{"golden/ball.diff.png", "golden/later.new.png", "golden/pills.png"}; !slices.Equal(got, want) {
		t.Errorf("the pictures are %v, want %v", got, want)
	}
}

// TestPendingReportsFailures checks that a reference that cannot be judged is not pending, and that its failure is
// reported.
func TestPendingReportsFailures(t *testing.T) {
	project(t)
	fixture.Edit(t, "scenes/second.toml", "radius = 1", "radius = -1")
	var failed []string
	pending := review.Pending(t.Context(), suite.Options{}, find(t), func(r *suite.Result) { failed = append(failed, r.Name) })
	if len(pending) != 3 || len(failed) != 1 || failed[0] != "second" {
		t.Errorf("%d pending, %v failed", len(pending), failed)
	}
}

// TestDecideAll answers questions about two causes that scenes have in common, one scene has both, and one has an edit of its
// own. It undoes an answer, which must restore all files. Then it accepts the first cause and rejects the second: the scene
// with both is rejected. A scene that changes during the review stays pending.
func TestDecideAll(t *testing.T) {
	scene := func(names ...string) string {
		var include, spheres string
		for i, name := range names {
			include += fmt.Sprintf("%q, ", "lib/"+name+".toml")
			spheres += fmt.Sprintf("[[sphere]]\ncenter = [%d, 0, 0]\nradius = 0.5\nmaterial = %q\n", 2*i, name)
		}
		return "include = [" + include + "]\n[image]\nwidth = 24\nheight = 18\n[camera]\nposition = [1, 0, 8]\nlook_at = [1, 0, 0]\n" + spheres
	}
	fixture.Folder(t, map[string]string{
		"scenes/lib/a.toml": "[material.a]\ncolor = \"red\"\n", "scenes/lib/b.toml": "[material.b]\ncolor = \"red\"\n",
		"scenes/a1.toml": scene("a"), "scenes/a2.toml": scene("a"), "scenes/a3.toml": scene("a"), "scenes/b.toml": scene("b"),
		"scenes/both.toml": scene("a", "b"), "scenes/own.toml": scene("a"),
	})
	write := new(osfile.Outputs).Rewrite
	for _, r := range find(t) {
		if err := suite.Judge(t.Context(), suite.Options{}, r).Accept(write); err != nil {
			t.Fatal(err)
		}
	}
	fixture.Edit(t, "scenes/lib/a.toml", "red", "blue")
	fixture.Edit(t, "scenes/lib/b.toml", "red", "lime")
	fixture.Edit(t, "scenes/own.toml", "radius = 0.5", "radius = 0.625")
	s := review.New(review.Pending(t.Context(), suite.Options{}, find(t), failed(t)), write)
	if s.Len() != 3 || s.Left() != 6 {
		t.Fatalf("%d questions about %d references, want 3 about 6", s.Len(), s.Left())
	}
	for i, want := range []string{"lib/a.toml", "lib/b.toml"} {
		if cause, results := s.Shared(i); cause == nil || !strings.HasSuffix(filepath.ToSlash(cause.At.File), want) || len(results) != 4-2*i {
			t.Errorf("question %d is about %v and %d results", i, cause, len(results))
		}
	}
	decide := func(i int, d review.Decision) []string {
		t.Helper()
		changed, err := s.DecideAll(t.Context(), suite.Options{}, i, d)
		if err != nil {
			t.Fatal(err)
		}
		return changed
	}
	before := fixture.Snapshot(t)
	decide(0, review.Accept)
	if maps.Equal(fixture.Snapshot(t), before) || s.Count(review.Accept) != 3 {
		t.Errorf("%d are accepted, want a1, a2 and a3", s.Count(review.Accept))
	}
	if i, err := s.Undo(); i != 0 || err != nil || s.Count(review.Accept) != 0 {
		t.Errorf("undo: %d, %v", i, err)
	}
	if after := fixture.Snapshot(t); !maps.Equal(after, before) {
		t.Errorf("undone, the files are %v, want %v", names(after), names(before))
	}
	fixture.Edit(t, "scenes/a2.toml", "radius = 0.5", "radius = 0.75")
	if changed := decide(0, review.Accept); !slices.Equal(changed, []string{"a2"}) {
		t.Errorf("changed during the review: %v, want a2", changed)
	}
	decide(1, review.Reject)
	if s.Count(review.Accept) != 2 || s.Count(review.Reject) != 2 || s.Left() != 4 {
		t.Errorf("%d accepted, %d rejected, %d left", s.Count(review.Accept), s.Count(review.Reject), s.Left())
	}
	if cause, results := s.Shared(2); cause != nil || results[0].Name != "own" {
		t.Errorf("the last question is about %v", results)
	}
}
