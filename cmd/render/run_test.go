package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
)

// TestRunStatus checks the exit status, the output and the files of every kind of command line. Standard output and
// standard error must contain the given text. If no text is given, they must be empty.
func TestRunStatus(t *testing.T) {
	const help = "Usage:\n  render SCENE.toml"
	for _, test := range []struct {
		args           string
		stdin          string
		status         int
		stdout, stderr string
		files          string // in the folder afterwards, in addition to those before
	}{
		// The command line.
		{args: "", status: 2, stderr: help},
		{args: "--help", stdout: help},
		{args: "-h", stdout: help},
		{args: "help", stdout: help},
		{args: "help check", stdout: "render check SCENE..."},
		{args: "check --help", stdout: "render check SCENE..."},
		{args: "help chek", status: 2, stderr: `render: no command "chek" to show help for`},
		{args: "help check twice", status: 2, stderr: `no command "check twice" to show help for`},
		{args: "help golden chek", status: 2, stderr: `no command "golden chek" to show help for`},
		{args: "--bogus", status: 2, stderr: "render: unknown flag --bogus\nrun 'render --help' for help\n"},
		{args: "--widht 3 small.toml", status: 2, stderr: "render: unknown flag --widht; did you mean '--width'?\n"},
		{args: "check --jsno small.toml", status: 2, stderr: "render: unknown flag --jsno; did you mean '--json'?\n"},
		{args: "golden check --quite", status: 2, stderr: "render: unknown flag --quite; did you mean '--quiet'?\n"},
		{args: "small.toml -width 3", status: 2, stderr: "render: unknown flag -w; did you mean '--width'?\n"},
		{args: "small.toml out.PNG", status: 2, stderr: "render: want one scene, got 2: small.toml out.PNG; did you mean '-o out.PNG'?\n"},
		{args: "-x", status: 2, stderr: "render: unknown flag -x\n"},
		{args: "-ox.png -zy small.toml", status: 2, stderr: "render: unknown flag -z\n"},
		{args: "check --bogus", status: 2, stderr: "render: unknown flag --bogus\nrun 'render check --help' for help\n"},
		{args: "check --width 3 small.toml", status: 2, stderr: "unknown flag --width"},
		{args: "small.toml -o", status: 2, stderr: "render: flag -o needs a value\n"},
		{args: "small.toml --width", status: 2, stderr: "render: flag --width needs a value\n"},
		{args: "small.toml --quiet=perhaps", status: 2, stderr: `render: --quiet: must be true or false, got "perhaps"`},
		{args: "small.toml --width 0", status: 2, stderr: `render: --width: must be 1 to 32768, got "0"`},
		{args: "small.toml --height -4", status: 2, stderr: `render: --height: must be 1 to 32768, got "-4"`},
		{args: "small.toml --width 1e3", status: 2, stderr: `render: --width: must be 1 to 32768, got "1e3"`},
		{args: "small.toml --antialias 17", status: 2, stderr: `render: --antialias: must be 1 to 16, got "17"`},
		{args: "small.toml --workers 0", status: 2, stderr: `render: --workers: must be 1 to 2147483647, got "0"`},
		{args: "small.toml --region 1,2,3", status: 2, stderr: `render: --region: must be X0,Y0,X1,Y1, got "1,2,3"`},
		{args: "small.toml --region 1,2,x,4", status: 2, stderr: `render: --region: must be X0,Y0,X1,Y1, pixels counted from 0, got "1,2,x,4"`},
		{args: "small.toml --region -1,2,3,4", status: 2, stderr: `pixels counted from 0, got "-1,2,3,4"`},
		{args: "small.toml --region 5,0,5,9", status: 2, stderr: `with X0 < X1 and Y0 < Y1, got "5,0,5,9"`},
		{args: "small.toml --region 0,9,5,9", status: 2, stderr: `with X0 < X1 and Y0 < Y1, got "0,9,5,9"`},
		{args: "small.toml --region 0,0,41,30", status: 2, stderr: "must lie inside the picture of 40 x 30 pixels"},
		{args: "small.toml --width 32768 --height 32768", status: 2, stderr: "got 32768 x 32768"},
		{args: "small.toml wrong.toml", status: 2, stderr: "render: want one scene, got 2: small.toml wrong.toml\n"},
		{args: "chek", status: 2, stderr: "render: \"chek\" is neither a scene nor a command; did you mean 'check'?\n"},
		{args: "chek small.toml", status: 2, stderr: "did you mean 'check'?"},
		{args: "--verify small.toml -o x.png", status: 2, stderr: "--verify"},
		{args: "--verify small.toml --stats", status: 2, stderr: "--verify"},

		// Scenes.
		{args: "small.toml", stderr: "small.png: 40 x 30 pixels in ", files: "small.png"},
		{args: "small.toml --quiet", files: "small.png"},
		{args: "--quiet -o out.bmp small.toml", files: "out.bmp"},
		{args: "- -o out.png", stdin: programtest.Small, stderr: "out.png: 40 x 30 pixels in ", files: "out.png"},
		{args: "-", stdin: programtest.Small, stderr: "scene.png: 40 x 30 pixels in ", files: "scene.png"},
		{args: "./hash", stderr: "hash.png: 40 x 30 pixels in ", files: "hash.png"},
		{args: "-- -dash.toml", stderr: "-dash.png: 40 x 30 pixels in ", files: "-dash.png"},
		{args: "folder/deep.toml", stderr: "deep.png: 40 x 30 pixels in ", files: "deep.png"},
		{args: "wrong.toml", status: 2, stderr: "wrong.toml:4:10: sphere[0].radius: "},
		{args: "wrong.toml --json", status: 2, stdout: `{"file":"wrong.toml","line":4,"column":10,"end_column":12,"key":"sphere[0].radius","severity":"error",`},
		{args: "- -o out.png", stdin: programtest.Wrong, status: 2, stderr: "<stdin>:4:10: sphere[0].radius: "},
		{args: "broken.toml", status: 2, stderr: "broken.toml:1:"},
		{args: "idle.toml", stderr: "idle.toml:1:1: warning: material.idle: ", files: "idle.png"},
		{args: "idle.toml --quiet", files: "idle.png"},
		{args: "idle.toml --json", stdout: `{"file":"idle.toml","line":1,`, stderr: "idle.png: 40 x 30 pixels in ", files: "idle.png"},
		{args: "missing.toml", status: 3, stderr: "render: open missing.toml: "},
		{args: "folder", status: 3, stderr: "render: read folder: "},

		// Outputs.
		{args: "small.toml -o out.gif", status: 2, stderr: "render: output must end in .png, .jpg, .jpeg, .tiff, .tif, .bmp, .svg or .pdf, got \"out.gif\"\n"},
		{args: "small.toml -o out", status: 2, stderr: `got "out"`},
		{args: "small.toml --output=", status: 2, stderr: `got ""`},
		{args: "small.toml -o folder", status: 2, stderr: `got "folder"`},
		{args: "small.toml -o dir.png", status: 3, stderr: "render: write dir.png: "},
		{args: "small.toml -o small.toml/out.png", status: 3, stderr: "render: write small.toml/out.png: "},
		{args: "small.toml -o small.toml/out.png", status: 3, stderr: "small.toml/out.png: "},
		{args: "picture.png", status: 2, stderr: "render: output picture.png would replace the input\n"},
		{args: "small.toml -o hard.png", status: 2, stderr: "render: output hard.png would replace the input\n"},
		{args: "small.toml -o - --json", status: 2, stderr: "cannot share standard output"},
		{args: "small.toml -o -", stdout: "\x89PNG\r\n"},
		{args: "wrong.toml -o small.toml/out.png", status: 3, stderr: "render: write small.toml/out.png: "},
		{args: "small.toml -o out.JPEG", stderr: "out.JPEG: 40 x 30 pixels in ", files: "out.JPEG"},

		{args: "- -o out.png", stderr: "<stdin>:1:1: warning: the scene has no solids", files: "out.png"},

		// check.
		{args: "check small.toml"},
		{args: "check small.toml folder/deep.toml -", stdin: programtest.Small},
		{args: "check", status: 2, stderr: "render: want one scene or more, got none\n"},
		{args: "check wrong.toml", status: 2, stdout: "wrong.toml:4:10: sphere[0].radius: "},
		{args: "check small.toml wrong.toml", status: 2, stdout: "wrong.toml:6:1: warning: material.idle: "},
		{args: "check idle.toml", stdout: "idle.toml:1:1: warning: "},
		{args: "check --quiet idle.toml"},
		{args: "diff - -", status: 2, stderr: "only one image or scene can come from standard input"},
		{args: "check --json wrong.toml", status: 2, stdout: `{"file":"wrong.toml","line":4,`},
		{args: "check missing.toml", status: 3, stderr: "render: open missing.toml: "},
		{args: "check wrong.toml missing.toml small.toml", status: 3, stdout: "wrong.toml:4:10", stderr: "render: open missing.toml: "},
		{args: "check missing.toml wrong.toml", status: 3, stdout: "wrong.toml:4:10", stderr: "render: open missing.toml: "},
		{args: "check -", stdin: "[[sphere]]", status: 2, stdout: "<stdin>:1:"},

		// The other commands.
		{args: "help render", stdout: "  render SCENE.toml [-o OUT.png]\n"},
		{args: "schema", stdout: `"$schema"`},
		{args: "schema more", status: 2, stderr: "want no arguments, got 1: more"},
		{args: "init", stderr: "Wrote scene.toml, and scene.schema.json", files: "scene.schema.json scene.toml"},
		{args: "init first.toml", stderr: "Wrote first.toml, and scene.schema.json", files: "first.toml scene.schema.json"},
		{args: "init small.toml", status: 3, stderr: "render: write small.toml: file already exists"},
		{args: "init small.toml/first.toml", status: 3, stderr: "render: write small.toml/first.toml: "},
		{args: "init -", stdout: "[[sphere]]"},
		{args: "init a b", status: 2, stderr: "want one file, got 2: a b"},
		{args: "version", stdout: "render "},
		{args: "--version", stdout: "render "},
		{args: "version more", status: 2, stderr: "want no arguments"},
		{args: "completion bash", stdout: "__start_render"},
		{args: "completion zsh", stdout: "#compdef render"},
		{args: "completion fish", stdout: "complete -c render"},
		{args: "completion powershell", stdout: "Register-ArgumentCompleter"},
		{args: "completion", status: 2, stderr: "render: want bash, fish, powershell or zsh, got none\n"},
		{args: "completion tcsh", status: 2, stderr: "got 1: tcsh"},
		{args: "hash small.toml", stdout: "\n"},
		{args: "hash", status: 2, stderr: "want one scene or image, got none"},
		{args: "hash missing.png", status: 3, stderr: "render: open missing.png: "},
		{args: "hash folder", status: 3, stderr: "render: read folder: "},
		{args: "hash wrong.toml", status: 2, stderr: "wrong.toml:4:10: "},
		{args: "hash cut.png", status: 3, stderr: "render: read cut.png: "},
		{args: "--verify small.toml", stdout: "small.toml: 40 x 30 pixels, equal to brute force\n"},
		{args: "--verify missing.toml", status: 3, stderr: "missing.toml"},
		{args: "--verify wrong.toml", status: 2, stderr: "wrong.toml:4:10"},
		{args: "--verify small.toml --region 0,0,99,99", status: 2, stderr: "inside the picture"},
		{args: "diff small.toml", status: 2, stderr: "want two images, got 1: small.toml"},
		{args: "diff small.toml small.toml", status: 3, stderr: "render: read small.toml: image: unknown format"},
		{args: "diff missing.png small.toml", status: 3, stderr: "missing.png"},
	} {
		t.Run(test.args, func(t *testing.T) {
			programtest.InFolder(t, map[string]string{
				"small.toml": programtest.Small, "hash": programtest.Small, "-dash.toml": programtest.Small, "folder/deep.toml": programtest.Small, "picture.png": programtest.Small,
				"wrong.toml": programtest.Wrong, "broken.toml": "][\n", "idle.toml": "[material.idle]\n" + programtest.Small,
				"dir.png/x": "", "cut.png": "\x89PNG\r\n\x1a\n",
			})
			if err := os.Link("small.toml", "hard.png"); err != nil {
				t.Skipf("no hard links here: %v", err)
			}
			before := programtest.Names(t)
			got := programtest.Invocation{Stdin: strings.NewReader(test.stdin)}.Run(strings.Fields(test.args)...)
			if got.Status != test.status {
				t.Errorf("exit status %d, want %d", got.Status, test.status)
			}
			wantOutput(t, "standard output", got.Stdout, test.stdout)
			wantOutput(t, "standard error", got.Stderr, test.stderr)
			after := programtest.Names(t)
			for name := range before {
				delete(after, name)
			}
			for _, name := range strings.Fields(test.files) {
				if !after[name] && !before[name] {
					t.Errorf("no file %s", name)
				}
				delete(after, name)
			}
			if len(after) > 0 {
				t.Errorf("files %v left behind", after)
			}
		})
	}
}

func wantOutput(t *testing.T, stream, got, want string) {
	t.Helper()
	if want == "" && got != "" {
		t.Errorf("%s is %q, want nothing", stream, got)
	}
	if !strings.Contains(got, filepath.FromSlash(want)) && !strings.Contains(got, want) {
		t.Errorf("%s is %q, want %q in it", stream, got, want)
	}
}

// TestRunErrorsAreShort checks that messages about the command line and files consist of one line and at most one
// hint.
func TestRunErrorsAreShort(t *testing.T) {
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small})
	for _, args := range []string{"--bogus", "check", "chek", "small.toml -o x.gif", "missing.toml", "small.toml -o small.toml/x.png", "diff a b"} {
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if n := strings.Count(got.Stderr, "\n"); n < 1 || n > 2 || !strings.HasPrefix(got.Stderr, "render: ") {
			t.Errorf("render %s says %q", args, got.Stderr)
		}
	}
}

// brokenWriter is an [io.Writer] that always returns err, like a full disk or a pipe without a reader.
type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: w.err}
}

func TestRunFullDisk(t *testing.T) {
	wantBrokenOutput(t, errors.New("the disk is full"), "render: write /dev/stdout: the disk is full")
}

// wantBrokenOutput runs commands whose writes to standard output fail with the error cause. Each command must print
// a message that begins with say, or no message if say is empty.
func wantBrokenOutput(t *testing.T, cause error, say string) {
	t.Helper()
	programtest.InFolder(t, map[string]string{"small.toml": programtest.Small, "wrong.toml": programtest.Wrong, "rays.csv": aRay})
	for _, args := range []string{
		"cast small.toml --rays rays.csv",
		"--help", "version", "--version", "schema", "init -", "completion bash", "completion zsh", "completion fish",
		"completion powershell", "hash small.toml", "small.toml -o -", "check wrong.toml", "wrong.toml --json", "--verify small.toml",
	} {
		var stderr strings.Builder
		status := programtest.Run(context.Background(), strings.Fields(args), command.Streams{
			In:    strings.NewReader(""),
			Out:   cli.Screen{Writer: brokenWriter{cause}},
			Err:   cli.Screen{Writer: &stderr},
			Files: new(osfile.Outputs),
		})
		if status != cli.StatusFile {
			t.Errorf("render %s with %v exits %d, want %d", args, cause, status, cli.StatusFile)
		}
		if got := stderr.String(); !strings.HasPrefix(got, say) || (say == "") != (got == "") {
			t.Errorf("render %s with %v says %q, want %q", args, cause, got, say)
		}
	}
	programtest.WantFiles(t, "rays.csv", "small.toml", "wrong.toml")
}

func TestRunUnreadableInput(t *testing.T) {
	programtest.InFolder(t, nil)
	cause := errors.New("worn out")
	for _, args := range []string{"-", "check -", "hash -", "diff - other.png"} {
		got := programtest.Invocation{Stdin: io.MultiReader(strings.NewReader("x"), failingReader{cause})}.Run(strings.Fields(args)...)
		if got.Status != cli.StatusFile || !strings.Contains(got.Stderr, "worn out") {
			t.Errorf("render %s exits %d and says %q", args, got.Status, got.Stderr)
		}
	}
	programtest.WantFiles(t)
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) {
	return 0, &os.PathError{Op: "read", Path: "/dev/stdin", Err: r.err}
}

// TestRunProblemsAsJSON checks that --json reports the same problems as the text.
func TestRunProblemsAsJSON(t *testing.T) {
	programtest.InFolder(t, map[string]string{"wrong.toml": programtest.Wrong})
	plain := programtest.Invocation{}.Run("check", "wrong.toml")
	for _, args := range []string{"check --json wrong.toml", "wrong.toml --json"} {
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if got.Stderr != "" {
			t.Errorf("render %s says %q", args, got.Stderr)
		}
		var lines strings.Builder
		for _, e := range decodeProblems(t, got.Stdout) {
			lines.WriteString(e.Error() + "\n")
		}
		if lines.String() != plain.Stdout {
			t.Errorf("render %s prints\n%swant\n%s", args, lines.String(), plain.Stdout)
		}
	}
}

// TestMissingFolders checks that every command creates the folder of its output, but not if there is no output.
func TestMissingFolders(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"s.toml": programtest.Small, "wrong.toml": programtest.Wrong, "rays.csv": "ox,oy,oz,dx,dy,dz\n0,0,9,0,0,-1\n", "m.xyz": "1\n\nC 0 0 0\n",
		"scenes/ball.toml": programtest.Small,
	})
	programtest.MustRun(t, "s.toml -o a.png")
	programtest.MustRun(t, "golden accept ball")
	for _, args := range []string{
		"%s -o new/out.png",
		"%s -o new/out.jpg",
		"%s -o picture.png --aov depth=new/out.pfm",
		"%s -o new/out.shard --shard 0/1",
		"contact %s -o new/out.png",
		"animate %s --turntable 0.1 -o new/out.gif",
		"animate %s --turntable 0.1 -o new/%%d.png",
		"export %s -o new/out.toml",
		"import m.xyz -o new/out.toml",
		"cast %s --rays rays.csv -o new/out.csv",
		"explain %s --pixel 20,15 --diagram new/out.png",
		"explain %s --pixel 20,15 --diagram new/out.svg",
		"diff a.png a.png -o new/out.png",
		"golden check --junit new/out.xml",
		"golden report -o new/out.html",
		"init new/scene.toml",
	} {
		good := args
		if strings.Contains(args, "%s") {
			good = fmt.Sprintf(args, "s.toml")
			bad := fmt.Sprintf(args, "wrong.toml")
			if got := (programtest.Invocation{}).Run(strings.Fields(bad)...); got.Status != cli.StatusWrong || osfile.Exists("new") {
				t.Errorf("render %s: %+v, and the folder exists: %t", bad, got, osfile.Exists("new"))
			}
		}
		programtest.MustRun(t, good)
		if found, _ := filepath.Glob("new/*"); len(found) == 0 {
			t.Errorf("render %s writes nothing to the folder", good)
		}
		if err := os.RemoveAll("new"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEmptyArgument checks that an empty argument, as from an unset variable of the shell, is an error and not the
// name of a file.
func TestEmptyArgument(t *testing.T) {
	for _, args := range [][]string{{""}, {"check", ""}, {"export", "", "-o", "x.toml"}, {"hash", ""}} {
		got := programtest.Invocation{}.Run(args...)
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "got an empty argument") {
			t.Errorf("%q: %+v", args, got)
		}
	}
}
