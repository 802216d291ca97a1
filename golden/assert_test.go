package golden

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/osfile"
)

// fakeTB is a testing.TB for tests in which Assert fails. It records the failure.
type fakeTB struct {
	testing.TB
	errors []string
}

func (f *fakeTB) Helper() {}

func (f *fakeTB) Errorf(format string, args ...any) {
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}

// inEmptyPackage changes to an empty folder and turns update mode off.
func inEmptyPackage(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("GOLDEN_UPDATE", "")
}

// failure calls Assert and returns the message of its failure.
func failure(name string, img image.Image) string {
	var f fakeTB
	Assert(&f, name, img)
	return strings.Join(f.errors, "\n")
}

// leftover lists all files in the current folder and below.
func leftover(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(".", func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func wantFiles(t *testing.T, when string, want ...string) {
	t.Helper()
	if got := leftover(t); !slices.Equal(got, want) {
		t.Errorf("%s: files %q, want %q", when, got, want)
	}
}

func wantMessage(t *testing.T, when, got string, parts ...string) {
	t.Helper()
	if got == "" {
		t.Errorf("%s: Assert passes", when)
	}
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("%s: message %q, want %q in it", when, got, part)
		}
	}
}

func TestAssertLifeOfAGolden(t *testing.T) {
	inEmptyPackage(t)
	first, second := paint(40, 28, disc(255)), paint(40, 28, disc(255))
	second.SetNRGBA(7, 3, color.NRGBA{220, 60, 29, 0})

	wantMessage(t, "no golden", failure("ball", first), `"ball"`, "ball.png does not exist", "ball.new.png", "GOLDEN_UPDATE=1")
	wantFiles(t, "no golden", "testdata/golden/ball.new.png")

	t.Setenv("GOLDEN_UPDATE", "1")
	if msg := failure("ball", first); msg != "" {
		t.Errorf("update: %s", msg)
	}
	wantFiles(t, "updated", "testdata/golden/ball.png")

	t.Setenv("GOLDEN_UPDATE", "")
	if msg := failure("ball", first); msg != "" {
		t.Errorf("same image: %s", msg)
	}
	wantFiles(t, "same image", "testdata/golden/ball.png")

	wantMessage(t, "other image", failure("ball", second),
		"1 pixel of 1120 changed", "largest channel difference 9 at (7, 3)", "first at (7, 3)", "FLIP mean 0.0000",
		filepath.FromSlash("testdata/golden/ball.png"), "ball.new.png", "ball.diff.png")
	wantFiles(t, "other image", "testdata/golden/ball.diff.png", "testdata/golden/ball.new.png", "testdata/golden/ball.png")
	if proposed, err := osfile.ReadPNG("testdata/golden/ball.new.png"); err != nil || !compare(t, proposed, second, Tolerance{}).Passes() {
		t.Errorf("ball.new.png is not the image: %v", err)
	}

	if msg := failure("ball", first); msg != "" {
		t.Errorf("first image again: %s", msg)
	}
	wantFiles(t, "first image again", "testdata/golden/ball.png")

	wantMessage(t, "other size", failure("ball", paint(3, 3, gray(0))), "size 3 x 3, want 40 x 28")
	wantFiles(t, "other size", "testdata/golden/ball.diff.png", "testdata/golden/ball.new.png", "testdata/golden/ball.png")

	t.Setenv("GOLDEN_UPDATE", "1")
	if msg := failure("ball", second); msg != "" {
		t.Errorf("update to other image: %s", msg)
	}
	wantFiles(t, "updated to other image", "testdata/golden/ball.png")
	if golden, err := osfile.ReadPNG("testdata/golden/ball.png"); err != nil || !compare(t, golden, second, Tolerance{}).Passes() {
		t.Errorf("ball.png is not the image it was updated to: %v", err)
	}
}

// TestAssertRoundTrip checks that an image of any type passes against the golden that was written from it.
func TestAssertRoundTrip(t *testing.T) {
	inEmptyPackage(t)
	for name, kind := range imageKinds() {
		name = strings.ReplaceAll(name, " ", "_")
		m := kind(newRand(1), image.Rect(-3, 2, 20, 30))
		t.Setenv("GOLDEN_UPDATE", "1")
		if msg := failure(name, m); msg != "" {
			t.Fatal(msg)
		}
		t.Setenv("GOLDEN_UPDATE", "")
		if msg := failure(name, m); msg != "" {
			t.Errorf("%s: %s", name, msg)
		}
	}
}

// TestAssertUpdateKeepsEqualGolden checks that an update does not rewrite a golden with equal pixels, even if
// another encoder wrote it.
func TestAssertUpdateKeepsEqualGolden(t *testing.T) {
	inEmptyPackage(t)
	m := paint(9, 9, disc(255))
	path := filepath.Join("testdata", "golden", "a.png")
	if err := writePNG(path, paint(9, 9, disc(255))); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, "bytes that a decoder does not read"...)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOLDEN_UPDATE", "1")
	if msg := failure("a", m); msg != "" {
		t.Fatal(msg)
	}
	if after, err := os.ReadFile(path); err != nil || !slices.Equal(after, data) {
		t.Errorf("the golden was written anew: %v", err)
	}
}

func TestAssertUpdateReplacesBrokenGolden(t *testing.T) {
	inEmptyPackage(t)
	if err := writePNG("testdata/golden/a.png", paint(1, 1, gray(0))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/golden/a.png", []byte("no picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	wantMessage(t, "broken golden", failure("a", paint(1, 1, gray(0))), "a.png", "not a PNG file")
	t.Setenv("GOLDEN_UPDATE", "1")
	if msg := failure("a", paint(1, 1, gray(0))); msg != "" {
		t.Error(msg)
	}
}

func TestAssertUpdatesOnOneOnly(t *testing.T) {
	inEmptyPackage(t)
	for _, v := range []string{"0", "true", "yes", " 1"} {
		t.Setenv("GOLDEN_UPDATE", v)
		wantMessage(t, "GOLDEN_UPDATE="+v, failure("a", paint(1, 1, gray(0))), "does not exist")
	}
}

func TestAssertSidecar(t *testing.T) {
	inEmptyPackage(t)
	want, got := paint(20, 20, gray(9)), paint(20, 20, gray(9))
	got.SetNRGBA(3, 3, color.NRGBA{12, 9, 9, 255})
	got.SetNRGBA(15, 3, color.NRGBA{99, 9, 9, 255})
	t.Setenv("GOLDEN_UPDATE", "1")
	if msg := failure("sub/a", want); msg != "" {
		t.Fatal(msg)
	}
	t.Setenv("GOLDEN_UPDATE", "")
	for _, c := range []struct {
		sidecar string
		message string // empty if Assert passes
	}{
		{"reason = 'drift'\ntolerance = { max_channel = 3, max_pixels = 1 }", ""},
		{"reason = 'drift'\ntolerance = { max_channel = 3 }\nmasks = [[15, 3, 16, 4]]", ""},
		{"reason = 'drift'\ntolerance = { max_channel = 2, max_pixels = 1 }", "2 pixels of 400 changed"},
		{"tolerance = { max_channel = 3 }", "a.golden.toml: reason: is required"},
		{"reason = 'drift'\nmasks = ['clock']", `must be rectangles here, got the object "clock"`},
	} {
		if err := os.WriteFile("testdata/golden/sub/a.golden.toml", []byte(c.sidecar), 0o644); err != nil {
			t.Fatal(err)
		}
		msg := failure("sub/a", got)
		if c.message == "" && msg != "" {
			t.Errorf("%q: %s", c.sidecar, msg)
		}
		if c.message != "" {
			wantMessage(t, c.sidecar, msg, c.message)
		}
	}
}

func TestAssertNames(t *testing.T) {
	inEmptyPackage(t)
	img := paint(1, 1, gray(0))
	t.Setenv("GOLDEN_UPDATE", "1")
	for _, name := range []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/..", ".a", `a\b`, `..\a`, "C:a", "a b", "a\x00b", "a\n", "ä",
		"a.png", "a.new", "b/a.diff", "~/a", "a*", "$a", "%2e%2e",
	} {
		if msg := failure(name, img); !strings.Contains(msg, "the name must") {
			t.Errorf("name %q: %q, want an error about the name", name, msg)
		}
	}
	wantFiles(t, "bad names")
	for _, name := range []string{"a", "A_1", "TestX/case#01", "size=4k,all", "v1.2", "deep/er/still", "a..b"} {
		if msg := failure(name, img); msg != "" {
			t.Errorf("name %q: %s", name, msg)
		}
	}
}

func TestAssertNilImage(t *testing.T) {
	inEmptyPackage(t)
	for _, update := range []string{"", "1"} {
		t.Setenv("GOLDEN_UPDATE", update)
		wantMessage(t, "nil image", failure("a", nil), "got nil")
	}
	wantFiles(t, "nil image")
}

// TestAssertLink checks that Assert refuses a golden that is a symbolic link, because the link's target is not a
// file of the test.
func TestAssertLink(t *testing.T) {
	inEmptyPackage(t)
	if err := errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile("victim", []byte("text"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("..", "..", "victim"), filepath.Join(folder, "a.png")); err != nil {
		t.Skip(err)
	}
	t.Setenv("GOLDEN_UPDATE", "1")
	wantMessage(t, "golden", failure("a", paint(2, 2, gray(1))), "symbolic link")
	if data, err := os.ReadFile("victim"); err != nil || string(data) != "text" {
		t.Errorf("the file behind the links holds %q, %v", data, err)
	}
}

// TestAssertLinkedFolder checks that nothing is created, replaced or removed through a folder that is a symbolic
// link.
func TestAssertLinkedFolder(t *testing.T) {
	for _, link := range []string{"testdata", "testdata/golden", "testdata/golden/sub"} {
		for _, update := range []string{"", "1"} {
			inEmptyPackage(t)
			rest, err := filepath.Rel(link, "testdata/golden/sub/deep")
			if err != nil {
				t.Fatal(err)
			}
			there := filepath.Join("elsewhere", rest)
			old := filepath.Join(there, "old.new.png")
			if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o777), os.MkdirAll(there, 0o777), os.WriteFile(old, []byte("text"), 0o666)); err != nil {
				t.Fatal(err)
			}
			target, err := filepath.Abs("elsewhere")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, link); err != nil {
				t.Skip(err)
			}
			t.Setenv("GOLDEN_UPDATE", update)
			for _, name := range []string{"sub/deep/a", "sub/deep/new/a", "sub/deep/old"} {
				wantMessage(t, link+", "+name, failure(name, paint(2, 2, gray(1))), "symbolic link")
			}
			if entries, err := os.ReadDir(there); err != nil || len(entries) != 1 {
				t.Errorf("%s: the folder behind the link holds %v, %v", link, entries, err)
			}
			if data, err := os.ReadFile(old); err != nil || string(data) != "text" {
				t.Errorf("%s: the file behind the link holds %q, %v", link, data, err)
			}
		}
	}
}

// TestWriteFileWholeOrNotAtAll checks that no part of a file remains if writing it fails.
func TestWriteFileWholeOrNotAtAll(t *testing.T) {
	inEmptyPackage(t)
	if err := writePNG("a.png", image.NewNRGBA(image.Rectangle{})); err == nil || !strings.Contains(err.Error(), "write a.png: ") {
		t.Errorf("writing an empty image: %v, want an error that names the file", err)
	}
	wantFiles(t, "empty image")

	if err := writePNG("b.png", paint(2, 2, gray(1))); err != nil {
		t.Fatal(err)
	}
	if err := writePNG("b.png", image.NewNRGBA(image.Rectangle{})); err == nil {
		t.Error("writing an empty image over another: no error")
	}
	if m, err := osfile.ReadPNG("b.png"); err != nil || !compare(t, m, paint(2, 2, gray(1)), Tolerance{}).Passes() {
		t.Errorf("the file before was damaged: %v", err)
	}

	if err := os.Mkdir("c.png", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writePNG("c.png", paint(2, 2, gray(1))); err == nil {
		t.Error("writing over a directory: no error")
	}
	wantFiles(t, "over a directory", "b.png")
}
