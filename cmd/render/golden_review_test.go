package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
)

// The prompts of golden review.
const (
	shownPrompt   = "[a]ccept, [r]eject, [s]kip, [u]ndo, [o]pen, [q]uit or [?] "
	shownIfNarrow = "[a/r/s/u/o/q/?] "
	shownAtEnd    = "[u]ndo or Enter to finish "
)

// reviewProject creates a project with four golden pictures that need a decision: one whose scene was changed, a
// new one, one whose scene was removed, and one with another size.
func reviewProject(t *testing.T) {
	t.Helper()
	goldenProject(t)
	fixture.Edit(t, "scenes/ball.toml", "radius = 2", "radius = 2.5")
	programtest.WriteText(t, "scenes/later.toml", programtest.Small)
	removeFile(t, "scenes/pills.toml")
	fixture.Edit(t, "scenes/second.toml", "width = 40", "width = 41")
	programtest.Invocation{}.Run("golden", "check")
}

func TestGoldenReview(t *testing.T) {
	type review struct {
		name, input string
		left        string // what is pending afterwards
		end         string // how the output ends
	}
	for _, test := range effort.Some(t, 5, []review{
		{"accept all", "accept\na\nA\n a \n", "", "4 accepted, 0 rejected, 0 pending\n"},
		{"reject all", "r\nr\nr\nreject\n", "ball later pills second", "0 accepted, 4 rejected, 4 pending\n"},
		{"skip all", "s\ns\ns\ns\n", "ball later pills second", "0 accepted, 0 rejected, 4 pending\n"},
		{"each", "a\nr\ns\na\n", "later pills", "2 accepted, 1 rejected, 2 pending\n"},
		{"quit", "a\nq\na\n", "later pills second", "1 accepted, 0 rejected, 3 pending\n"},
		{"end of input", "a\n", "later pills second", shownPrompt + "\n1 accepted, 0 rejected, 3 pending\n"},
		{"no newline at the end", "a\na", "pills second", "2 accepted, 0 rejected, 2 pending\n"},
		{"help", "?\ns\n?\nq\n", "ball later pills second", "0 accepted, 0 rejected, 4 pending\n"},
		{"undo", "a\nu\nr\nundo\ns\nu\na\na\nu\nq\n", "later pills second", "1 accepted, 0 rejected, 3 pending\n"},
		{"nothing to undo", "u\na\nu\nu\nq\n", "ball later pills second", "nothing to undo\n" + shownPrompt + "0 accepted, 0 rejected, 4 pending\n"},
		{"no answer", "\nwhat\naccept all\nxyz\na\n", "later pills second", "1 accepted, 0 rejected, 3 pending\n"},
	}) {
		t.Run(test.name, func(t *testing.T) {
			reviewProject(t)
			got := programtest.Invocation{Stdin: strings.NewReader(test.input)}.Run("golden", "review")
			if got.Status != cli.StatusDone || got.Stderr != "" || !strings.HasSuffix(got.Stdout, test.end) {
				t.Errorf("got %+v, want it to end in %q", got, test.end)
			}
			if !strings.Contains(got.Stdout, "\n1 of 4  ball: changed: ") || !strings.Contains(got.Stdout, "sphere[0].radius of \"ball\"") {
				t.Errorf("got\n%swant the first scene and the cause of its change", got.Stdout)
			}
			var left []string
			for _, line := range strings.Split((programtest.Invocation{}).Run("golden", "pending").Stdout, "\n") {
				if name, _, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, " ") {
					left = append(left, name)
				}
			}
			if strings.Join(left, " ") != test.left {
				t.Errorf("%q are pending, want %s", left, test.left)
			}
		})
	}
}

// TestScreenFlow checks how text is wrapped. On a terminal, no line is wider than the screen unless a single word
// is, and no word is split. Elsewhere lines are not wrapped.
func TestScreenFlow(t *testing.T) {
	const text = "1548 pixels changed. Cause: capsule \"Ärmchen\" moved (a[1] -1 to -0.9). 日本語 1412 on its silhouette, 12 more"
	for columns := range 90 {
		s := cli.Screen{Columns: columns}
		got := string(s.Flow(7, text))
		if strings.Join(strings.Fields(got), " ") != text {
			t.Fatalf("%d columns: %q has other words", columns, got)
		}
		if columns == 0 && got != text {
			t.Errorf("no terminal: %q", got)
		}
		for i, line := range strings.Split(got, "\n") {
			used := uniseg.StringWidth(line)
			if i == 0 {
				used += 7
			}
			if columns > 0 && used > columns && len(strings.Fields(line)) > 1 {
				t.Errorf("%d columns: %q takes %d", columns, line, used)
			}
		}
	}
}

// TestGoldenReviewWrapsWords checks that the review wraps a scene's description between words.
func TestGoldenReviewWrapsWords(t *testing.T) {
	reviewProject(t)
	got := programtest.Invocation{OutColumns: 40, Stdin: strings.NewReader("q\n")}.Run("golden", "review").Stdout
	for _, line := range strings.Split(got, "\n") {
		if len(line) > 40 && !strings.HasPrefix(line, shownIfNarrow) {
			t.Errorf("a line of %d cells: %q", len(line), line)
		}
	}
	if !strings.Contains(got, "\n    ") {
		t.Errorf("got\n%swant lines that continue others", got)
	}
}

// TestGoldenReviewHelp checks that the prompt lists all answers, and that the help explains each of them on one
// line.
func TestGoldenReviewHelp(t *testing.T) {
	reviewProject(t)
	got := programtest.Invocation{Stdin: strings.NewReader("?\nq\n")}.Run("golden", "review").Stdout
	for _, a := range strings.Fields("accept reject skip undo open quit ?") {
		key := a[:1]
		if !strings.Contains(shownPrompt, "["+key+"]"+a[1:]) {
			t.Errorf("the prompt %q does not show %s", shownPrompt, a)
		}
		if line := "\n  " + key + "  " + a + " "; a != "?" && strings.Count(got, line) != 1 {
			t.Errorf("got\n%swant one line %q", got, line)
		}
	}
}

func TestGoldenReviewRejectRemovesProposal(t *testing.T) {
	reviewProject(t)
	golden := programtest.ReadText(t, "golden/ball.png")
	programtest.Invocation{Stdin: strings.NewReader("r\ns\n")}.Run("golden", "review")
	if osfile.Exists("golden/ball.new.png") || !osfile.Exists("golden/later.new.png") {
		t.Error("reject must remove the new picture, and skip must not")
	}
	if programtest.ReadText(t, "golden/ball.png") != golden {
		t.Error("reject changed the golden")
	}
}

// TestGoldenReviewUndo checks that undo restores all files after accept and after reject.
func TestGoldenReviewUndo(t *testing.T) {
	reviewProject(t)
	before := fixture.Snapshot(t)
	everything := "a\nu\nr\nu\n"
	got := programtest.Invocation{OutColumns: 80, Stdin: strings.NewReader(
		everything + "s\n" + everything + "s\n" + everything + "s\n" + everything + "a\nu\nr\nu\nq\n",
	)}.Run("golden", "review")
	if got.Status != cli.StatusDone || got.Stderr != "" || !strings.HasSuffix(got.Stdout, "0 accepted, 0 rejected, 4 pending\n") {
		t.Errorf("got %+v", got)
	}
	if strings.Count(got.Stdout, shownAtEnd) != 4 { // after a and r about the last scene, each given twice
		t.Errorf("the last answer cannot be undone: %s", got.Stdout)
	}
	for name, data := range fixture.Snapshot(t) {
		if before[name] != data {
			t.Errorf("%s has changed", name)
		}
		delete(before, name)
	}
	for name := range before {
		t.Errorf("%s is gone", name)
	}
}

// full is an [io.Writer]. It keeps what is written to it in text, up to the number of bytes in the field room.
// Writes beyond that fail.
type full struct {
	room int
	text strings.Builder
}

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	f.room -= n
	f.text.Write(p[:n])
	if n < len(p) {
		return n, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: errors.New("no space left on device")}
	}
	return n, nil
}

// TestGoldenReviewAcceptsOnlyWhatItShows makes the output fail after different numbers of bytes. Only references
// that were shown completely may be accepted.
func TestGoldenReviewAcceptsOnlyWhatItShows(t *testing.T) {
	t.Setenv("COLORTERM", "truecolor")
	reviewProject(t)
	all := programtest.Invocation{OutColumns: 80, Color: true, Stdin: strings.NewReader("s\ns\ns\ns\n\n")}.Run("golden", "review").Stdout
	first := strings.Index(all, shownPrompt) + len(shownPrompt)
	for _, test := range []struct {
		room int
		want string // what is accepted
	}{{0, ""}, {1, ""}, {first / 2, ""}, {first - 1, ""}, {first, "ball"}, {first + 100, "ball"}} {
		reviewProject(t)
		out := &full{room: test.room}
		status := programtest.Run(t.Context(), []string{"golden", "review"}, command.Streams{
			In:    strings.NewReader("a\na\na\na\n\n"),
			Out:   cli.Screen{Writer: out, Columns: 80, Color: true},
			Err:   cli.Screen{Writer: io.Discard},
			Files: new(osfile.Outputs),
		})
		if status != cli.StatusFile {
			t.Errorf("%d bytes: exit status %d", test.room, status)
		}
		left := programtest.Invocation{}.Run("golden", "pending").Stdout
		if got := strings.Count(left, "\n") > 0 && !strings.Contains(left, "ball: changed"); got != (test.want == "ball") || !strings.Contains(left, "later: new") {
			t.Errorf("%d bytes: pending afterwards:\n%sthe output is\n%s", test.room, left, out.text.String())
		}
	}
}

// TestGoldenReviewOpen checks that the answers "o" and "open" open the picture with the system's program for
// files. A script in PATH replaces xdg-open, and records the names of the files.
func TestGoldenReviewOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs xdg-open to be what opens files")
	}
	reviewProject(t)
	bin := t.TempDir()
	programtest.WriteText(t, filepath.Join(bin, "xdg-open"), "#!/bin/sh\necho \"$1\" >> opened\n")
	if err := os.Chmod(filepath.Join(bin, "xdg-open"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	got := programtest.Invocation{Stdin: strings.NewReader("o\ns\nopen\ns\no\ns\no\na\n")}.Run("golden", "review")
	if got.Status != cli.StatusDone || got.Stderr != "" {
		t.Errorf("got %+v", got)
	}
	var opened []string
	for _, path := range strings.Fields(programtest.ReadText(t, "opened")) {
		if !filepath.IsAbs(path) {
			t.Errorf("%s is no absolute path", path)
		}
		opened = append(opened, filepath.Base(path))
	}
	if got, want := strings.Join(opened, " "), "ball.diff.png later.new.png pills.png second.diff.png"; got != want {
		t.Errorf("opened %s, want %s", got, want)
	}
	if osfile.Exists("golden/second.diff.png") || !osfile.Exists("golden/ball.diff.png") {
		t.Error("accepting must remove the difference, and skipping must not")
	}

	t.Setenv("PATH", t.TempDir())
	got = programtest.Invocation{Stdin: strings.NewReader("o\nq\n")}.Run("golden", "review")
	if got.Status != cli.StatusDone || !strings.HasPrefix(got.Stderr, "render: no program to open files, tried xdg-open, gio open, wslview; the picture is golden/ball.diff.png\n") {
		t.Errorf("without a program to open files: %+v", got)
	}
}

// TestGoldenReviewPreview checks that previews, which consist of half-block characters, appear only on a terminal
// with 24-bit colors.
func TestGoldenReviewPreview(t *testing.T) {
	reviewProject(t)
	for _, test := range []struct {
		colorterm string
		color     bool
		shown     bool
	}{
		{"", true, false}, {"256", true, false}, {"truecolor", true, true}, {"24bit", true, true}, {"truecolor", false, false},
	} {
		t.Setenv("COLORTERM", test.colorterm)
		terminal := programtest.Invocation{OutColumns: 80, Color: test.color, Stdin: strings.NewReader("s\ns\ns\ns\n")}
		rows := previewRows(t, terminal.Run("golden", "review").Stdout)
		if shown := rows >= 40; shown != test.shown || !shown && rows > 0 {
			t.Errorf("COLORTERM=%s, colors %t: %d rows of half blocks for four previews", test.colorterm, test.color, rows)
		}
	}
}

// previewRows counts the lines of text with half-block characters, and checks that they fit on a terminal of 80
// columns.
func previewRows(t *testing.T, text string) (rows int) {
	t.Helper()
	escapes := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, line := range strings.Split(escapes.ReplaceAllString(text, ""), "\n") {
		if !strings.Contains(line, "▀") {
			continue
		}
		rows++
		if n := len([]rune(line)); n > 80 {
			t.Errorf("a row of %d cells on a terminal of 80", n)
		}
	}
	return rows
}
