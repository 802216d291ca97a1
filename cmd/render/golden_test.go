package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/cmd/render/golden"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
	"pillbox/internal/regress"
	"pillbox/suite"
)

// pills is a scene with named solids and a shadow on the floor.
const pills = fixture.Pills

// goldenProject creates a project with three accepted scenes and changes to its folder.
func goldenProject(t *testing.T) {
	t.Helper()
	programtest.InFolder(t, fixture.Scenes())
	got := programtest.Invocation{}.Run("golden", "accept", "--all")
	want := "ball: accepted golden/ball.png\npills: accepted golden/pills.png\nsecond: accepted golden/second.png\n"
	if got != (programtest.Outcome{Stdout: want}) {
		t.Fatalf("accepting everything: %+v", got)
	}
}

// goldenCases returns changes to the project of goldenProject, each with the verdict that golden check must report.
func goldenCases() []goldenCase {
	const allow = "reason = \"the arm may\\nmove\"\n"
	move := func(t *testing.T) { fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]") }
	return []goldenCase{
		{
			name:   "nothing",
			change: func(*testing.T) {},
			line:   "pills: identical\n",
		},
		{
			name:   "solid moved",
			change: move,
			line:   "pills: changed: ",
			why:    `capsule[0].a[0] of "arm", -1 to -0.9: `,
			status: cli.StatusDifferent,
			left:   "golden/pills.new.png",
		},
		{
			name: "solid moved within tolerance",
			change: func(t *testing.T) {
				move(t)
				programtest.WriteText(t, "golden/pills.golden.toml", allow+"tolerance = { max_pixels = 1000 }\n")
			},
			line: "pills: within tolerance: ",
			why:  `(the arm may move)`,
		},
		{
			name: "masked solid is gone, its shadow too",
			change: func(t *testing.T) {
				text := programtest.ReadText(t, "scenes/pills.toml")
				from, to := strings.Index(text, "[[capsule]]"), strings.Index(text, "[[box]]")
				programtest.WriteText(t, "scenes/pills.toml", text[:from]+text[to:])
				programtest.WriteText(t, "golden/pills.golden.toml", allow+"masks = [\"arm\"]\n")
			},
			line:   "pills: changed: ",
			why:    `capsule[0] of "arm" removed: 3 by itself`,
			status: cli.StatusDifferent,
			left:   "golden/pills.new.png",
			after:  cli.StatusWrong, // the mask names a solid that no longer exists
		},
		{
			name:   "other size",
			change: func(t *testing.T) { fixture.Edit(t, "scenes/pills.toml", "width = 48", "width = 50") },
			line:   "pills: size: 50 x 36, want 48 x 36\n",
			status: cli.StatusDifferent,
			left:   "golden/pills.new.png",
		},
		{
			name:   "new scene",
			change: func(t *testing.T) { programtest.WriteText(t, "scenes/later.toml", programtest.Small) },
			line:   "later: new: ",
			status: cli.StatusDifferent,
			left:   "golden/later.new.png",
		},
		{
			name:   "picture gone",
			change: func(t *testing.T) { removeFile(t, "golden/pills.png") },
			line:   "pills: missing: golden/pills.scene.toml was accepted, but there is no golden/pills.png\n",
			status: cli.StatusDifferent,
			left:   "golden/pills.new.png",
		},
		{
			name:   "scene gone",
			change: func(t *testing.T) { removeFile(t, "scenes/pills.toml") },
			line:   "pills: orphan: golden/pills.png has no scene",
			status: cli.StatusDifferent,
			stays:  "render: golden/pills.png has no scene and stays; 'render golden accept pills' removes it\n",
			after:  cli.StatusDifferent,
		},
		{
			name:   "scene wrong",
			change: func(t *testing.T) { fixture.Edit(t, "scenes/pills.toml", "radius = 0.5", "radius = -0.5") },
			line:   "pills: error\n",
			stderr: "scenes/pills.toml:17:10: capsule[0].radius: must be positive and finite, got -0.5\n",
			status: cli.StatusWrong,
		},
		{
			name:   "sidecar without a reason",
			change: func(t *testing.T) { programtest.WriteText(t, "golden/pills.golden.toml", "masks = []\n") },
			line:   "pills: error\n",
			stderr: "render: golden/pills.golden.toml: reason: is required",
			status: cli.StatusWrong,
			left:   "golden/pills.new.png",
		},
		{
			name:   "mask for an unknown solid",
			change: func(t *testing.T) { programtest.WriteText(t, "golden/pills.golden.toml", allow+"masks = [\"leg\"]\n") },
			line:   "pills: error\n",
			stderr: `render: golden/pills.golden.toml: masks: no solid of scenes/pills.toml is called "leg"`,
			status: cli.StatusWrong,
			left:   "golden/pills.new.png",
		},
		{
			name:   "picture broken",
			change: func(t *testing.T) { programtest.WriteText(t, "golden/pills.png", "no picture") },
			line:   "pills: error\n",
			stderr: "render: read golden/pills.png: ",
			status: cli.StatusFile,
			left:   "golden/pills.new.png",
		},
	}
}

type goldenCase struct {
	name   string
	change func(*testing.T)
	line   string // how the line of the scene begins
	why    string // must occur in that line or the next
	stderr string // how standard error begins; "" means empty
	status int
	left   string // the only file that the check writes
	stays  string // what accepting everything prints on standard error
	after  int    // exit status of a check after accepting everything
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
	img := decode(t, name)
	img.SetNRGBA(5, 6, color.NRGBA{A: 0xff})
	writePNG(t, name, img)
}

func TestGoldenCheck(t *testing.T) {
	for _, test := range goldenCases() {
		t.Run(test.name, func(t *testing.T) {
			goldenProject(t)
			test.change(t)
			before := fixture.Snapshot(t)
			ci := programtest.Invocation{}.Run("golden", "check", "--ci")
			wantSnapshot(t, "golden check --ci", before)
			got := programtest.Invocation{}.Run("golden", "check")
			if ci != got {
				t.Errorf("with --ci %+v, without %+v", ci, got)
			}
			if got.Status != test.status {
				t.Errorf("exit status %d, want %d", got.Status, test.status)
			}
			if at := strings.Index("\n"+got.Stdout, "\n"+test.line); at < 0 || !strings.Contains(got.Stdout[at:], test.why) {
				t.Errorf("got\n%swant a line that begins with %q, and %q after it", got.Stdout, test.line, test.why)
			}
			if !strings.HasPrefix(got.Stderr, test.stderr) || (got.Stderr == "") != (test.stderr == "") {
				t.Errorf("standard error is %q, want %q", got.Stderr, test.stderr)
			}
			if test.left != "" {
				before[test.left] = programtest.ReadText(t, test.left)
			}
			wantSnapshot(t, "golden check", before)
		})
	}
}

// TestGoldenCheckTidies checks that golden check removes the files of an earlier difference when the picture is
// equal to the golden again.
func TestGoldenCheckTidies(t *testing.T) {
	goldenProject(t)
	before := fixture.Snapshot(t)
	fixture.Edit(t, "scenes/pills.toml", "#d1495b", "#00495b")
	programtest.Invocation{}.Run("golden", "check")
	fixture.Edit(t, "scenes/pills.toml", "#00495b", "#d1495b")
	programtest.WriteText(t, "golden/pills.diff.png", "of an earlier review")
	programtest.Invocation{}.Run("golden", "check")
	wantSnapshot(t, "golden check", before)
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

// TestGoldenAccept accepts every change with --all. Afterwards nothing is pending, and each accepted scene is an exact
// copy, except that references within a tolerance are unchanged.
func TestGoldenAccept(t *testing.T) {
	for _, test := range goldenCases() {
		t.Run(test.name, func(t *testing.T) {
			goldenProject(t)
			test.change(t)
			programtest.Invocation{}.Run("golden", "check")
			got := programtest.Invocation{}.Run("golden", "accept", "--all")
			if want := test.status; want >= cli.StatusWrong {
				if got.Status != want {
					t.Errorf("exit status %d, want %d", got.Status, want)
				}
				return
			}
			if got.Status != cli.StatusDone || got.Stderr != test.stays {
				t.Errorf("accepting: %+v, want %q", got, test.stays)
			}
			got = programtest.Invocation{}.Run("golden", "check", "--ci")
			if got.Status != test.after {
				t.Errorf("after accepting: %+v", got)
			}
			if osfile.Exists("golden/pills.new.png") {
				t.Error("the new picture is still there")
			}
			if strings.Contains(test.line, string(suite.Tolerated)) {
				return
			}
			for name, text := range fixture.Snapshot(t) {
				file, ok := strings.CutPrefix(name, "scenes/")
				copied := "golden/" + strings.TrimSuffix(file, ".toml") + ".scene.toml"
				if ok && programtest.ReadText(t, copied) != text {
					t.Errorf("%s is no copy of %s", copied, name)
				}
			}
		})
	}
}

func TestGoldenAcceptOrphanRemovesIt(t *testing.T) {
	goldenProject(t)
	removeFile(t, "scenes/pills.toml")
	programtest.WriteText(t, "golden/pills.golden.toml", "reason = \"x\"\n")
	programtest.WriteText(t, "golden/pills.new.png", "of an earlier check")
	if got := (programtest.Invocation{}).Run("golden", "accept", "pills"); got != (programtest.Outcome{Stdout: "pills: removed golden/pills.png\n"}) {
		t.Errorf("got %+v", got)
	}
	for name := range fixture.Snapshot(t) {
		if strings.Contains(name, "pills") {
			t.Errorf("%s is still there", name)
		}
	}
}

// TestGoldenAcceptAllKeepsOrphans checks that --all does not remove pictures without a scene in scenes/. Such a
// picture may be the golden of a scene in another folder, or may never have been accepted.
func TestGoldenAcceptAllKeepsOrphans(t *testing.T) {
	goldenProject(t)
	programtest.WriteText(t, "other/m.toml", programtest.Small)
	programtest.WriteText(t, "golden/logo.png", "a picture")
	if got := (programtest.Invocation{}).Run("golden", "accept", "--golden", "golden", "other/m.toml"); got.Status != cli.StatusDone {
		t.Fatalf("got %+v", got)
	}
	before := fixture.Snapshot(t)
	got := programtest.Invocation{}.Run("golden", "accept", "--golden", "golden", "--all")
	const says = "render: golden/logo.png has no scene and stays; 'render golden accept --golden golden logo' removes it\n" +
		"render: golden/m.png has no scene and stays; 'render golden accept --golden golden m' removes it\n"
	if got != (programtest.Outcome{Stderr: says}) {
		t.Errorf("got %+v, want %q", got, says)
	}
	wantSnapshot(t, "accept --all", before)
}

// TestGoldenAcceptKeepsEqualPixels checks that accepting a picture with equal pixels does not write the golden's
// file again.
func TestGoldenAcceptKeepsEqualPixels(t *testing.T) {
	goldenProject(t)
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.NoCompression}
	if err := encoder.Encode(&b, decode(t, "golden/pills.png")); err != nil {
		t.Fatal(err)
	}
	programtest.WriteText(t, "golden/pills.png", b.String())
	fixture.Edit(t, "scenes/pills.toml", "# what a comment says", "# "+strings.Repeat("é\r\n# ", 3))
	programtest.Invocation{}.Run("golden", "accept", "pills")
	if programtest.ReadText(t, "golden/pills.png") != b.String() {
		t.Error("the picture was written again")
	}
	if programtest.ReadText(t, "golden/pills.scene.toml") != programtest.ReadText(t, "scenes/pills.toml") {
		t.Error("the accepted scene is not an exact copy")
	}
}

// TestGoldenAcceptAdvisesOnce checks the advice that golden accept prints on a terminal after the first golden of a
// folder: which files to exclude from version control.
func TestGoldenAcceptAdvisesOnce(t *testing.T) {
	programtest.InFolder(t, map[string]string{"scenes/a.toml": programtest.Small, "scenes/b.toml": programtest.Small})
	for i, args := range []string{"a", "b", "--all"} {
		got := programtest.Invocation{ErrColumns: 80}.Run("golden", "accept", args)
		if said := strings.Contains(got.Stderr, "*.new.png"); got.Status != cli.StatusDone || said != (i == 0) {
			t.Errorf("accept %s: %+v", args, got)
		}
	}
}

func TestGoldenAcceptReplacesBrokenPicture(t *testing.T) {
	goldenProject(t)
	programtest.WriteText(t, "golden/pills.png", "no picture")
	if got := (programtest.Invocation{}).Run("golden", "accept", "pills"); got.Status != cli.StatusDone {
		t.Errorf("got %+v", got)
	}
	if got := (programtest.Invocation{}).Run("golden", "check", "pills"); got.Status != cli.StatusDone {
		t.Errorf("after accepting: %+v", got)
	}
}

// TestGoldenAcceptAllDoesNotDrift checks that --all does not accept pictures that are within the tolerance of their
// golden. Otherwise small changes could add up.
func TestGoldenAcceptAllDoesNotDrift(t *testing.T) {
	goldenProject(t)
	programtest.WriteText(t, "golden/pills.golden.toml", "reason = \"x\"\ntolerance = { max_channel = 9 }\n")
	fixture.Edit(t, "scenes/pills.toml", "#d1495b", "#d3495b")
	before := fixture.Snapshot(t)
	if got := (programtest.Invocation{}).Run("golden", "accept", "--all"); got != (programtest.Outcome{}) {
		t.Errorf("got %+v", got)
	}
	wantSnapshot(t, "accept --all", before)
	if got := (programtest.Invocation{}).Run("golden", "accept", "pills"); got.Status != cli.StatusDone {
		t.Errorf("got %+v", got)
	}
	if got := (programtest.Invocation{}).Run("golden", "check", "pills").Stdout; !strings.HasPrefix(got, "pills: identical\n") {
		t.Errorf("got %q after accepting by name", got)
	}
}

// TestGoldenStatus checks that the worst verdict determines the exit status.
func TestGoldenStatus(t *testing.T) {
	goldenProject(t)
	spoil(t, "golden/ball.png")
	if got := (programtest.Invocation{}).Run("golden", "check"); got.Status != cli.StatusDifferent {
		t.Errorf("a change exits %d", got.Status)
	}
	fixture.Edit(t, "scenes/pills.toml", "radius = 0.5", "radius = 0")
	for _, args := range []string{"check", "check --ci", "check --json", "check --github", "pending", "review", "report", "accept --all", "accept pills"} {
		if got := (programtest.Invocation{}).Run(append([]string{"golden"}, strings.Fields(args)...)...); got.Status != cli.StatusWrong {
			t.Errorf("golden %s with a bad scene exits %d, want %d", args, got.Status, cli.StatusWrong)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range []string{"check", "pending", "review", "report", "accept --all"} {
		before := fixture.Snapshot(t)
		if got := (programtest.Invocation{Ctx: ctx}).Run(append([]string{"golden"}, strings.Fields(args)...)...); got.Status != cli.StatusInterrupted {
			t.Errorf("golden %s, interrupted, exits %d", args, got.Status)
		}
		wantSnapshot(t, "golden "+args, before)
	}
}

func TestGoldenMisuse(t *testing.T) {
	goldenProject(t)
	programtest.WriteText(t, "elsewhere/scenes/pills.toml", pills)
	programtest.WriteText(t, "scenes/odd.new.toml", pills)
	before := fixture.Snapshot(t)
	for args, want := range map[string]string{
		"":                            "Usage:\n  render golden COMMAND",
		"chek":                        `render: no command "chek"; did you mean 'check'?`,
		"nonsense":                    `render: no command "nonsense"`,
		"check none":                  "render: no scene scenes/none.toml and no picture golden/none.png",
		"check --json --github pills": "render: --json and --github cannot share standard output",
		"check --junit - pills":       "render: standard output is for the verdicts; give --junit a file",
		"check --golden g pills elsewhere/scenes/pills.toml": "render: two scenes are called pills: scenes/pills.toml and elsewhere/scenes/pills.toml",
		"check scenes/odd.new.toml":                          "render: scenes/odd.new.toml: the name of a scene with a golden must not end in .new",
		"accept":                                             "render: want scenes or --all, got none",
		"check --all pills":                                  "render: want scenes or --all, got 1: pills and --all",
		"accept --all pills":                                 "render: want scenes or --all, got 1: pills",
	} {
		got := programtest.Invocation{}.Run(append([]string{"golden"}, strings.Fields(args)...)...)
		if got.Status != cli.StatusWrong || got.Stdout != "" || !strings.Contains(got.Stderr, want) {
			t.Errorf("golden %s: %+v, want %q", args, got, want)
		}
	}
	for args, want := range map[string]string{
		"check absent.toml":                         "render: open absent.toml: ",
		"check --junit scenes/ball.toml/x.xml ball": "render: write scenes/ball.toml/x.xml: ",
		"report -o scenes/ball.toml/x.html ball":    "render: write scenes/ball.toml/x.html: ",
	} {
		got := programtest.Invocation{}.Run(append([]string{"golden"}, strings.Fields(args)...)...)
		if got.Status != cli.StatusFile || !strings.HasPrefix(got.Stderr, want) {
			t.Errorf("golden %s: %+v, want %q", args, got, want)
		}
	}
	wantSnapshot(t, "a wrong command line", before)
	removeFile(t, "scenes/odd.new.toml")
	if got := (programtest.Invocation{}).Run("golden", "check", "pills", "scenes/pills.toml", "./scenes/../scenes/pills.toml"); !strings.HasPrefix(got.Stdout, "pills: identical\n1 golden: ") {
		t.Errorf("one scene three times: %+v", got)
	}
}

// TestGoldenFolder accepts scenes from several working directories, and checks in which folder the golden is.
func TestGoldenFolder(t *testing.T) {
	for _, test := range []struct{ folder, args, want string }{
		{".", "scenes/x.toml", "golden/x.png"},
		{".", "x", "golden/x.png"},
		{"scenes", "x.toml", "golden/x.png"},
		{"scenes", "../a/scenes/x.toml", "a/golden/x.png"},
		{".", "a/scenes/x.toml", "a/golden/x.png"},
		{".", "a/x.toml", "a/golden/x.png"},
		{"a", "x.toml", "a/golden/x.png"},
		{".", "a/x.toml --golden deep/er", "deep/er/x.png"},
		{".", "x --golden deep", "deep/x.png"},
	} {
		t.Run(test.folder+" "+test.args, func(t *testing.T) {
			programtest.InFolder(t, map[string]string{"scenes/x.toml": programtest.Small, "a/scenes/x.toml": programtest.Small, "a/x.toml": programtest.Small})
			root, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(test.folder)
			args := append([]string{"golden", "accept"}, strings.Fields(test.args)...)
			if got := (programtest.Invocation{}).Run(args...); got.Status != cli.StatusDone {
				t.Fatalf("got %+v", got)
			}
			args[1] = "check"
			if got := (programtest.Invocation{}).Run(args...); got.Status != cli.StatusDone {
				t.Errorf("after accepting: %+v", got)
			}
			t.Chdir(root)
			found, err := filepath.Glob("*/*.png")
			deeper, _ := filepath.Glob("*/*/*.png")
			if found = append(found, deeper...); err != nil || len(found) != 1 || filepath.ToSlash(found[0]) != test.want {
				t.Errorf("pictures %q, want %s", found, test.want)
			}
		})
	}
}

// TestGoldenAcceptCommand runs the command in the field accept of the JSON of golden pending. It must accept the
// reference.
func TestGoldenAcceptCommand(t *testing.T) {
	for _, args := range []string{"", "other/it's new.toml", "--golden|my pictures", "-- -x.toml"} {
		t.Run(args, func(t *testing.T) {
			programtest.InFolder(t, map[string]string{"scenes/a b.toml": programtest.Small, "other/it's new.toml": programtest.Small, "-x.toml": programtest.Small})
			list := strings.Split(args, "|")
			if args == "" {
				list = nil
			}
			if args == "-- -x.toml" {
				list = []string{"--", "./-x.toml"}
			}
			got := programtest.Invocation{}.Run(append([]string{"golden", "pending", "--json"}, list...)...)
			var record golden.Record
			if err := json.Unmarshal([]byte(got.Stdout), &record); err != nil {
				t.Fatalf("%+v: %v", got, err)
			}
			words := shellWords(t, record.Accept)
			if got := (programtest.Invocation{}).Run(words[1:]...); got.Status != cli.StatusDone {
				t.Errorf("%s: %+v", record.Accept, got)
			}
			if got := (programtest.Invocation{}).Run(append([]string{"golden", "pending"}, list...)...); got.Stdout != "" {
				t.Errorf("still pending after %s: %+v", record.Accept, got)
			}
		})
	}
}

// shellWords splits a command line into words, as a shell does, and removes single quotes.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	var words []string
	var word strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && !quoted:
			i++
			word.WriteByte(line[i])
		case c == ' ' && !quoted:
			words = append(words, word.String())
			word.Reset()
		default:
			word.WriteByte(c)
		}
	}
	if quoted {
		t.Fatalf("open quote in %q", line)
	}
	return append(words, word.String())
}

func TestGoldenCheckJSON(t *testing.T) {
	goldenProject(t)
	fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]")
	fixture.Edit(t, "scenes/ball.toml", "radius = 2", "radius = -2")
	got := programtest.Invocation{}.Run("golden", "check", "--json")
	type record struct {
		golden.Record
		Why *regress.Report `json:"why"`
	}
	var records []record
	for dec := json.NewDecoder(strings.NewReader(got.Stdout)); dec.More(); {
		var r record
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	if len(records) != 3 || got.Status != cli.StatusWrong {
		t.Fatalf("%d records, exit status %d", len(records), got.Status)
	}
	ball, pills, second := records[0], records[1], records[2]
	if ball.Verdict != suite.Failed || ball.Pending || len(ball.Problems) != 1 || ball.Problems[0].Key != "sphere[0].radius" || ball.Error == "" {
		t.Errorf("got %+v", ball)
	}
	if pills.Verdict != suite.Changed || !pills.Pending || pills.Diff == nil || pills.Diff.Changed == 0 || pills.Diff.FLIP == nil ||
		pills.Why == nil || pills.Why.Edits[0].Path != "capsule[0].a[0]" || pills.Accept != "render golden accept pills" || pills.Current {
		t.Errorf("got %+v", pills)
	}
	if second.Verdict != suite.Identical || second.Pending || second.Diff != nil || second.Why != nil || second.Accept != "" || !second.Current {
		t.Errorf("got %+v", second)
	}
}

func TestGoldenPending(t *testing.T) {
	goldenProject(t)
	if got := (programtest.Invocation{}).Run("golden", "pending"); got != (programtest.Outcome{}) {
		t.Errorf("nothing pending: %+v", got)
	}
	programtest.WriteText(t, "scenes/later.toml", programtest.Small)
	removeFile(t, "scenes/ball.toml")
	before := fixture.Snapshot(t)
	got := programtest.Invocation{}.Run("golden", "pending")
	if want := "later: new: renamed from ball, whose picture it still gives; accepting moves the files of the golden\n"; got != (programtest.Outcome{Stdout: want}) {
		t.Errorf("got %+v, want %q", got, want)
	}
	got = programtest.Invocation{}.Run("golden", "pending", "--json", "later", "second")
	if want := `{"name":"later","scene":"scenes/later.toml","golden":"golden/ball.png","verdict":"new","pending":true,`; !strings.HasPrefix(got.Stdout, want) || strings.Count(got.Stdout, "\n") != 1 {
		t.Errorf("got %+v, want %q", got, want)
	}
	wantSnapshot(t, "golden pending", before)

	fixture.Edit(t, "scenes/second.toml", "radius = 1", "radius = -1")
	got = programtest.Invocation{}.Run("golden", "pending", "--json", "second", "pills")
	if want := `{"name":"second","scene":"scenes/second.toml","golden":"golden/second.png","verdict":"error","pending":false,`; got.Status != cli.StatusWrong || !strings.HasPrefix(got.Stdout, want) || strings.Count(got.Stdout, "\n") != 1 {
		t.Errorf("a scene that is wrong: %+v, want %q", got, want)
	}
	if got = (programtest.Invocation{}).Run("golden", "pending", "second"); got.Status != cli.StatusWrong || got.Stdout != "" {
		t.Errorf("a scene that is wrong: %+v", got)
	}
}

// TestGoldenCheckWithoutRoomForPictures checks the outputs if the new picture cannot be written. The result must be
// an error, and the messages must still contain the verdict and the cause.
func TestGoldenCheckWithoutRoomForPictures(t *testing.T) {
	goldenProject(t)
	fixture.Edit(t, "scenes/pills.toml", "a = [-1, 0.5, 0]", "a = [-0.9, 0.5, 0]")
	programtest.WriteText(t, "golden/pills.new.png/in the way", "")
	programtest.WriteText(t, "golden/ball.new.png/in the way", "")
	got := programtest.Invocation{}.Run("golden", "check", "--junit", "j.xml")
	const end = "\n--ci compares without leaving pictures behind\n"
	for _, want := range []string{"render: changed: ", `capsule[0].a[0] of "arm", -1 to -0.9: `, "golden/pills.new.png", "render: identical; ", "golden/ball.new.png", end} {
		if got.Status != cli.StatusFile || !strings.Contains(filepath.ToSlash(got.Stderr), want) {
			t.Errorf("got %+v, want %q", got, want)
		}
	}
	if want := "ball: error\npills: error\nsecond: identical\n3 goldens: 2 error, 1 identical\n"; got.Stdout != want {
		t.Errorf("got %q, want %q", got.Stdout, want)
	}
	if junit := programtest.ReadText(t, "j.xml"); !strings.Contains(junit, `errors="2"`) || !strings.Contains(junit, "capsule[0].a[0] of ") {
		t.Errorf("JUnit: %s", junit)
	}

	programtest.WriteText(t, "golden/pills.golden.toml", "masks = []\n")
	got = programtest.Invocation{}.Run("golden", "check", "pills")
	if got.Status != cli.StatusWrong || !strings.Contains(filepath.ToSlash(got.Stderr), "golden/pills.golden.toml:") {
		t.Errorf("a sidecar that is wrong: %+v", got)
	}
}

// TestGoldenCheckMany checks a hundred scenes several times. The results must always be sorted by name.
func TestGoldenCheckMany(t *testing.T) {
	contents := make(map[string]string)
	var want strings.Builder
	scenes := effort.Of(30, 100, 100)
	for i := range scenes {
		name := fmt.Sprintf("s%02d", i)
		contents["scenes/"+name+".toml"] = strings.Replace(programtest.Small, "radius = 2", fmt.Sprintf("radius = %v", 0.5+float64(i)/50), 1)
		fmt.Fprintf(&want, "%s: identical\n", name)
	}
	fmt.Fprintf(&want, "%d goldens: %d identical\n", scenes, scenes)
	programtest.InFolder(t, contents)
	programtest.Invocation{}.Run("golden", "accept", "--all")
	for range 2 {
		if got := (programtest.Invocation{}).Run("golden", "check"); got != (programtest.Outcome{Stdout: want.String()}) {
			t.Fatalf("got %+v", got)
		}
	}
}

// TestGoldenOutputsReplaceNoInput checks that neither a report nor a JUnit file may replace an input.
func TestGoldenOutputsReplaceNoInput(t *testing.T) {
	goldenProject(t)
	before := fixture.Snapshot(t)
	for _, name := range []string{"scenes/pills.toml", "golden/pills.png", "golden/pills.scene.toml"} {
		for _, args := range []string{"report -o " + name, "check --ci --junit " + name} {
			got := programtest.Invocation{}.Run(strings.Fields("golden " + args)...)
			if want := "render: output " + name + " would replace the input\n"; got.Status != cli.StatusWrong || !strings.HasPrefix(got.Stderr, want) {
				t.Errorf("%s: %+v, want %q", args, got, want)
			}
		}
	}
	wantSnapshot(t, "outputs that name inputs", before)
}

// TestGoldenAcceptKeepsTolerated checks that accept --all says why it leaves a damaged golden whose picture is only within its
// tolerance, and that accepting it by name repairs it.
func TestGoldenAcceptKeepsTolerated(t *testing.T) {
	programtest.InFolder(t, map[string]string{"scenes/a.toml": programtest.Small})
	accept := func(args ...string) programtest.Outcome {
		return programtest.Invocation{}.Run(append([]string{"golden", "accept"}, args...)...)
	}
	accept("--all")
	programtest.WriteText(t, "golden/a.golden.toml", "reason = \"noise\"\ntolerance = { max_pixels = 9999 }\n")
	programtest.WriteText(t, "golden/a.scene.toml", "")
	fixture.Edit(t, "scenes/a.toml", "radius = 2", "radius = 1.99")
	const want = "a stays damaged, because its picture is not exactly the accepted one; 'render golden accept a' accepts both"
	if got := accept("--all"); got.Status != cli.StatusDone || !strings.Contains(got.Stderr, want) {
		t.Errorf("got %+v, want %q", got, want)
	}
	if got := accept("a"); got.Stdout != "a: accepted golden/a.png\n" {
		t.Errorf("%+v", got)
	}
	if got := (programtest.Invocation{}).Run("golden", "check"); got.Status != cli.StatusDone {
		t.Errorf("%+v", got)
	}
}
