package suite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pillbox"
	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// project creates a folder with three accepted scenes and changes to it.
func project(t *testing.T) {
	t.Helper()
	fixture.Folder(t, fixture.Scenes())
	acceptAll(t)
}

// writeWhole is a [WriteFunc] that writes directly to the named file.
func writeWhole(name string, fill func(io.Writer) error) error {
	var b bytes.Buffer
	if err := fill(&b); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}

// acceptAll accepts every result for which NeedsAccept returns true.
func acceptAll(t *testing.T) {
	t.Helper()
	refs, err := Find(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r := range Run(t.Context(), Options{}, refs, func(*Result) {}) {
		if !r.NeedsAccept() {
			continue
		}
		if err := r.Accept(writeWhole); err != nil {
			t.Errorf("accept %s: %v", r.Name, err)
		}
	}
}

// check returns the results of all scenes by name.
func check(t *testing.T) map[string]*Result {
	t.Helper()
	all := make(map[string]*Result)
	for r, err := range Check(t.Context(), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		all[r.Name] = r
	}
	return all
}

// cases returns changes to the folder that project creates, each with the verdict that it must cause.
func cases() []testCase {
	const allow = "reason = \"the arm may\\nmove\"\n"
	move := func(t *testing.T) { fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]") }
	return []testCase{
		{
			name:    "nothing",
			change:  func(*testing.T) {},
			verdict: Identical,
		},
		{
			name:    "comment",
			change:  func(t *testing.T) { fixture.Edit(t, "scenes/pills.toml", "a comment", "another comment") },
			verdict: Identical,
		},
		{
			name:    "solid moved",
			change:  move,
			verdict: Changed,
			cause:   `capsule[0].a[0] of "arm", -1 to -0.9: `,
			left:    "golden/pills.new.png",
		},
		{
			name: "solid moved, accepted scene unknown",
			change: func(t *testing.T) {
				move(t)
				removeFile(t, "golden/pills.scene.toml")
			},
			verdict: Changed,
			cause:   "cause unknown: there is no golden/pills.scene.toml, so ",
			left:    "golden/pills.new.png",
		},
		{
			name:    "renderer changed",
			change:  func(t *testing.T) { spoil(t, "golden/pills.png") },
			verdict: Changed,
			detail:  "1 pixel of 1728 changed in 1 cluster, largest channel difference 246 at (5, 6)",
			cause:   "in 1 pixel the accepted scene no longer gives the accepted picture: the renderer changed, or the picture was replaced",
			left:    "golden/pills.new.png",
		},
		{
			name: "solid moved within tolerance",
			change: func(t *testing.T) {
				move(t)
				fixture.Write(t, "golden/pills.golden.toml", allow+"tolerance = { max_pixels = 1000 }\n")
			},
			verdict: Tolerated,
			detail:  `(the arm may move)`,
		},
		{
			name: "color drifted within tolerance",
			change: func(t *testing.T) {
				fixture.Edit(t, "scenes/pills.toml", "#d1495b", "#d2495b")
				fixture.Write(t, "golden/pills.golden.toml", allow+"tolerance = { max_channel = 2 }\n")
			},
			verdict: Tolerated,
			cause:   `capsule[0].color of "arm", "#d1495b" to "#d2495b": `,
		},
		{
			name: "tolerance not needed",
			change: func(t *testing.T) {
				fixture.Write(t, "golden/pills.golden.toml", allow+"masks = [\"arm\"]\n")
			},
			verdict: Identical,
		},
		{
			name: "tolerance not enough",
			change: func(t *testing.T) {
				move(t)
				fixture.Write(t, "golden/pills.golden.toml", allow+"tolerance = { max_pixels = 3 }\n")
			},
			verdict: Changed,
			left:    "golden/pills.new.png",
		},
		{
			name: "change under a rectangle",
			change: func(t *testing.T) {
				spoil(t, "golden/pills.png")
				fixture.Write(t, "golden/pills.golden.toml", allow+"masks = [[5, 6, 6, 7]]\n")
			},
			verdict: Tolerated,
			detail:  "no pixel differs outside the masks (the arm may move)",
		},
		{
			name: "change beside a rectangle",
			change: func(t *testing.T) {
				spoil(t, "golden/pills.png")
				fixture.Write(t, "golden/pills.golden.toml", allow+"masks = [[6, 6, 7, 7]]\n")
			},
			verdict: Changed,
			detail:  "1 pixel",
			left:    "golden/pills.new.png",
		},
		{
			name: "change of a masked solid",
			change: func(t *testing.T) {
				fixture.Edit(t, "scenes/pills.toml", "#d1495b", "#00495b")
				fixture.Write(t, "golden/pills.golden.toml", allow+"masks = [\"arm\"]\n")
			},
			verdict: Tolerated,
			detail:  "no pixel differs outside the masks",
		},
		{
			name: "masked solid moved before the sky",
			change: func(t *testing.T) {
				fixture.Edit(t, "scenes/ball.toml", "center = [0.3,", "center = [0.9,")
				fixture.Write(t, "golden/ball.golden.toml", allow+"masks = [\"ball\"]\n")
			},
			of:      "ball",
			verdict: Tolerated,
			detail:  "no pixel differs outside the masks",
		},
		{
			name: "masked solid is gone, its shadow too",
			change: func(t *testing.T) {
				text := fixture.Read(t, "scenes/pills.toml")
				from, to := strings.Index(text, "[[capsule]]"), strings.Index(text, "[[box]]")
				fixture.Write(t, "scenes/pills.toml", text[:from]+text[to:])
				fixture.Write(t, "golden/pills.golden.toml", allow+"masks = [\"arm\"]\n")
			},
			verdict: Changed,
			cause:   `capsule[0] of "arm" removed: 3 by itself`,
			left:    "golden/pills.new.png",
			after:   Failed, // the mask names a solid that no longer exists
		},
		{
			name:    "other size",
			change:  func(t *testing.T) { fixture.Edit(t, "scenes/pills.toml", "width = 48", "width = 50") },
			verdict: Resized,
			detail:  "50 x 36, want 48 x 36",
			left:    "golden/pills.new.png",
		},
		{
			name:    "new scene",
			change:  func(t *testing.T) { fixture.Write(t, "scenes/later.toml", fixture.Ball) },
			of:      "later",
			verdict: New,
			left:    "golden/later.new.png",
		},
		{
			name:    "picture gone",
			change:  func(t *testing.T) { removeFile(t, "golden/pills.png") },
			verdict: Missing,
			detail:  "golden/pills.scene.toml was accepted, but there is no golden/pills.png",
			left:    "golden/pills.new.png",
		},
		{
			name:    "scene gone",
			change:  func(t *testing.T) { removeFile(t, "scenes/pills.toml") },
			verdict: Orphan,
			detail:  "golden/pills.png has no scene",
			after:   Orphan,
		},
		{
			name: "scene and picture gone",
			change: func(t *testing.T) {
				removeFile(t, "scenes/pills.toml")
				removeFile(t, "golden/pills.png")
			},
			verdict: Orphan,
			detail:  "golden/pills.scene.toml has no scene",
			after:   Orphan,
		},
		{
			name:    "new picture left behind",
			change:  func(t *testing.T) { fixture.Write(t, "golden/long.gone.new.png", "of an earlier check") },
			of:      "long.gone",
			verdict: Orphan,
			detail:  "golden/long.gone.new.png has no scene",
			after:   Orphan,
		},
		{
			name:    "scene wrong",
			change:  func(t *testing.T) { fixture.Edit(t, "scenes/pills.toml", "radius = 0.5", "radius = -0.5") },
			verdict: Failed,
			err:     "scenes/pills.toml:17:10: capsule[0].radius: must be positive and finite, got -0.5",
		},
		{
			name:    "sidecar without a reason",
			change:  func(t *testing.T) { fixture.Write(t, "golden/pills.golden.toml", "masks = []\n") },
			verdict: Failed,
			err:     "golden/pills.golden.toml: reason: is required",
			left:    "golden/pills.new.png",
		},
		{
			name:    "mask for an unknown solid",
			change:  func(t *testing.T) { fixture.Write(t, "golden/pills.golden.toml", allow+"masks = [\"leg\"]\n") },
			verdict: Failed,
			err:     `golden/pills.golden.toml: masks: no solid of scenes/pills.toml is called "leg"`,
			left:    "golden/pills.new.png",
		},
		{
			name:    "picture broken",
			change:  func(t *testing.T) { fixture.Write(t, "golden/pills.png", "no picture") },
			verdict: Failed,
			err:     "read golden/pills.png: ",
			left:    "golden/pills.new.png",
		},
	}
}

type testCase struct {
	name    string
	change  func(*testing.T)
	of      string // the name of the reference; "" is pills
	verdict Verdict
	detail  string  // must occur in the result's Detail
	cause   string  // must occur in the result's Cause
	err     string  // must occur in the result's Err
	left    string  // the only file that a check with proposals writes; "" if it writes none
	after   Verdict // the verdict after everything is accepted; "" is identical
}

func removeFile(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// spoil makes pixel (5, 6) black in the picture that the named file contains. This pixel shows the sky.
func spoil(t *testing.T, name string) {
	t.Helper()
	img, err := osfile.ReadPNG(name)
	if err != nil {
		t.Fatal(err)
	}
	spoilt := image.NewNRGBA(img.Bounds())
	draw.Draw(spoilt, spoilt.Rect, img, image.Point{}, draw.Src)
	spoilt.SetNRGBA(5, 6, color.NRGBA{A: 0xff})
	writePicture(t, name, spoilt)
}

func writePicture(t *testing.T, name string, img image.Image) {
	t.Helper()
	if err := writeWhole(name, func(w io.Writer) error { return png.Encode(w, img) }); err != nil {
		t.Fatal(err)
	}
}

// TestCheck checks the verdict and the cause of every change, and that Check writes no file.
func TestCheck(t *testing.T) {
	for _, test := range cases() {
		t.Run(test.name, func(t *testing.T) {
			project(t)
			test.change(t)
			before := fixture.Snapshot(t)
			r := check(t)[cmp.Or(test.of, "pills")]
			wantSnapshot(t, "Check", before)
			if r == nil {
				t.Fatal("no result")
			}
			if r.Verdict != test.verdict || !strings.Contains(r.Detail(), test.detail) || !strings.Contains(r.Cause(), test.cause) {
				t.Errorf("got %v, want %s, %q and %q", r, test.verdict, test.detail, test.cause)
			}
			if (r.Err != nil) != (test.err != "") || r.Err != nil && !strings.Contains(r.Err.Error(), test.err) {
				t.Errorf("error %v, want %q", r.Err, test.err)
			}
			if (r.Diff.Changed > 0) != (test.verdict == Changed) && test.verdict != Tolerated {
				t.Errorf("%s: difference %v", r.Verdict, r.Diff)
			}
		})
	}
}

// TestResultPropose proposes the pictures of results that do not pass, and tidies the others. Only the expected
// file may be written.
func TestResultPropose(t *testing.T) {
	for _, test := range cases() {
		t.Run(test.name, func(t *testing.T) {
			project(t)
			test.change(t)
			before := fixture.Snapshot(t)
			refs, err := Find(Options{})
			if err != nil {
				t.Fatal(err)
			}
			for r := range Run(t.Context(), Options{}, refs, func(*Result) {}) {
				if r.Verdict.Passes() {
					err = r.Tidy()
				} else {
					err = r.Propose(writeWhole)
				}
				if err != nil {
					t.Error(err)
				}
			}
			if test.left != "" {
				before[test.left] = fixture.Read(t, test.left)
			}
			wantSnapshot(t, "Propose", before)
		})
	}
}

// TestResultAccept accepts every change, except errors and differences within a tolerance. Afterward, each result
// must have the expected verdict, and each accepted scene must be an exact copy.
func TestResultAccept(t *testing.T) {
	for _, test := range cases() {
		t.Run(test.name, func(t *testing.T) {
			project(t)
			test.change(t)
			if test.verdict == Failed {
				return
			}
			acceptAll(t)
			want := cmp.Or(test.after, Identical)
			if test.verdict == Tolerated {
				want = Tolerated
			}
			name := cmp.Or(test.of, "pills")
			for _, r := range check(t) {
				if r.Name == name && r.Verdict != want || r.Name != name && r.Verdict != Identical {
					t.Errorf("after accepting: %v, want %s", r, want)
				}
				if r.Scene != "" && want != Tolerated && fixture.Read(t, r.Accepted()) != fixture.Read(t, r.Scene) {
					t.Errorf("%s is no copy of %s", r.Accepted(), r.Scene)
				}
			}
		})
	}
}

// TestCheckEnds checks that Check returns an error if references cannot be found or the context ends.
func TestCheckEnds(t *testing.T) {
	project(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		ctx  context.Context
		o    Options
		want string
	}{
		{t.Context(), Options{Scenes: []string{"none"}}, "no scene scenes/none.toml and no picture golden/none.png"},
		{t.Context(), Options{Scenes: []string{"a.scene.toml"}}, "must not end in .scene"},
		{ended, Options{}, context.Canceled.Error()},
	} {
		n := 0
		for r, err := range Check(test.ctx, test.o) {
			if n++; r != nil || err == nil || !strings.Contains(filepath.ToSlash(err.Error()), test.want) {
				t.Errorf("got %v, %v, want %s", r, err, test.want)
			}
		}
		if n != 1 {
			t.Errorf("%d results, want an error alone", n)
		}
	}
}

// TestOptionsRender checks that results contain the picture that the function Options.Render returns, and fail if
// it returns an error.
func TestOptionsRender(t *testing.T) {
	project(t)
	gray := image.NewNRGBA(image.Rect(0, 0, 48, 36))
	o := Options{Scenes: []string{"pills"}, Render: func(context.Context, *scene.Scene) (*image.NRGBA, error) { return gray, nil }}
	for r, err := range Check(t.Context(), o) {
		if err != nil || r.Verdict != Changed || r.Diff.Changed != 48*36 || !strings.Contains(r.Cause(), "the renderer changed") {
			t.Errorf("got %v, %v", r, err)
		}
	}
	broken := errors.New("no room")
	o.Render = func(context.Context, *scene.Scene) (*image.NRGBA, error) { return nil, broken }
	for r, err := range Check(t.Context(), o) {
		if err != nil || r.Verdict != Failed || !errors.Is(r.Err, broken) {
			t.Errorf("got %v, %v", r, err)
		}
	}
}

// TestReferenceArgument checks that the Argument of each reference finds that reference.
func TestReferenceArgument(t *testing.T) {
	project(t)
	fixture.Write(t, "other/x.toml", fixture.Ball)
	removeFile(t, "scenes/ball.toml")
	for _, o := range []Options{{}, {Scenes: []string{"other/x.toml"}}, {Golden: "golden"}} {
		refs, err := Find(o)
		if err != nil || len(refs) == 0 {
			t.Fatalf("Find(%+v) = %v, %v", o, refs, err)
		}
		for _, r := range refs {
			o.Scenes = []string{r.Argument()}
			if again, err := Find(o); err != nil || !slices.Equal(again, []Reference{r}) {
				t.Errorf("%s finds %v, %v, want %v", r.Argument(), again, err, r)
			}
		}
	}
}

func wantSnapshot(t *testing.T, after string, want map[string]string) {
	t.Helper()
	got := fixture.Snapshot(t)
	for name, text := range got {
		if want[name] != text {
			t.Errorf("%s wrote %s", after, name)
		}
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s removed %s", after, name)
		}
	}
}

func TestInOrder(t *testing.T) {
	values := make([]int, 100)
	for i := range values {
		values[i] = i
	}
	var running, calls atomic.Int64
	square := func(i int) int {
		running.Add(1)
		defer running.Add(-1)
		calls.Add(1)
		time.Sleep(time.Millisecond) // so that some still run when the loop ends
		return i * i
	}
	if got := slices.Collect(inOrder(values, square)); len(got) != len(values) || got[7] != 49 || !slices.IsSorted(got) {
		t.Errorf("got %v", got)
	}
	calls.Store(0)
	for got := range inOrder(values, square) {
		if got == 9 {
			break
		}
	}
	if n := running.Load(); n != 0 {
		t.Errorf("%d calls still run after the loop was left", n)
	}
	if n := calls.Load(); n == int64(len(values)) {
		t.Error("leaving the loop did not keep calls from being made")
	}
	if got := slices.Collect(inOrder(nil, square)); len(got) != 0 {
		t.Errorf("got %v from nothing", got)
	}
}

// TestResultProposeFollowsNoLink checks that Propose and Draw replace a link instead of writing to its target.
func TestResultProposeFollowsNoLink(t *testing.T) {
	project(t)
	fixture.Edit(t, "scenes/pills.toml", "#d1495b", "#00495b")
	fixture.Write(t, "precious.txt", "precious")
	for _, name := range []string{"golden/pills.new.png", "golden/pills.diff.png"} {
		if err := os.Symlink("../precious.txt", name); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	r := judged(t, "pills")
	if err := errors.Join(r.Propose(writeWhole), r.Draw(writeWhole)); err != nil {
		t.Fatal(err)
	}
	if got := fixture.Read(t, "precious.txt"); got != "precious" {
		t.Errorf("the file behind the link holds %d other bytes", len(got))
	}
	for _, name := range []string{"golden/pills.new.png", "golden/pills.diff.png"} {
		if img, err := osfile.ReadPNG(name); err != nil || img == nil {
			t.Errorf("%s: %v, %v", name, img, err)
		}
	}
}

// TestResultProposeBesideAccept interleaves the steps of a check and of a process that accepts, in all orders. No
// proposed picture may remain after the picture was accepted.
func TestResultProposeBesideAccept(t *testing.T) {
	for _, accept := range []string{"before", "while", "after"} {
		project(t)
		fixture.Edit(t, "scenes/pills.toml", "#d1495b", "#00495b")
		checking, accepting := judged(t, "pills"), judged(t, "pills")
		step := func(when string) {
			if when != accept {
				return
			}
			if err := accepting.Accept(writeWhole); err != nil {
				t.Fatal(err)
			}
		}
		step("before")
		err := checking.Propose(func(name string, fill func(io.Writer) error) error {
			step("while")
			return writeWhole(name, fill)
		})
		step("after")
		if err != nil {
			t.Error(err)
		}
		if osfile.Exists("golden/pills.new.png") {
			t.Errorf("accepted %s proposing, the proposal stays", accept)
		}
	}
}

// TestResultReleased checks that Accept, Propose and Draw of a released result return an error and change no file.
func TestResultReleased(t *testing.T) {
	project(t)
	fixture.Edit(t, "scenes/pills.toml", "#d1495b", "#00495b")
	removeFile(t, "scenes/ball.toml")
	before := fixture.Snapshot(t)
	refs, err := Find(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r := range Run(t.Context(), Options{}, refs, (*Result).Release) {
		for name, err := range map[string]error{
			"Accept": r.Accept(writeWhole), "Propose": r.Propose(writeWhole), "Draw": r.Draw(writeWhole),
		} {
			if err == nil {
				t.Errorf("%s of %v after Release: no error", name, r)
			}
		}
	}
	wantSnapshot(t, "accepting what was released", before)
}

// TestResultStudyStopsAtError checks that Study does not search for the cause, which takes long, if it cannot
// measure the difference.
func TestResultStudyStopsAtError(t *testing.T) {
	project(t)
	fixture.Edit(t, "scenes/pills.toml", "#d1495b", "#00495b")
	r := judged(t, "pills")
	r.Want = image.NewNRGBA(image.Rect(0, 0, 1, 1)) // another size than in Diff
	rendered := false
	r.renderer = func(context.Context, *scene.Scene) (*image.NRGBA, error) {
		rendered = true
		return nil, errors.New("not to be rendered")
	}
	r.Study(t.Context())
	if r.Verdict != Failed || r.FLIP != nil || r.Why != nil || rendered {
		t.Errorf("%v, FLIP %v, cause %v, rendered %v", r, r.FLIP, r.Why, rendered)
	}
}

// TestRendererEqualsRender compares pictures of edited scenes that reuse the first scene's acceleration structure
// with those of Render, also after an edit of solids.
func TestRendererEqualsRender(t *testing.T) {
	o := Options{}
	render := o.renderer()
	for _, edit := range [][2]string{
		{"", ""},
		{"#d1495b", "#00495b"},
		{"[-1, -2, -1]", "[1, -2, -1]"},
		{"[0, 3, 8]", "[2, 3, 8]"},
		{"width = 48", "width = 60"},
		{"radius = 0.5", "radius = 0.7"},
		{"a = [-1,", "a = [-1.5,"},
		{"name = \"arm\"", "name = \"leg\""},
	} {
		s, err := scene.Decode("pills", []byte(strings.Replace(fixture.Pills, edit[0], edit[1], 1)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := render(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		want, err := pillbox.Render(t.Context(), s, pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Pix, want.Image.Pix) {
			t.Errorf("%q instead of %q: another picture than that of Render", edit[1], edit[0])
		}
	}
}
