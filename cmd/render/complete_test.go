package main

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
)

// TestComplete checks which words the program suggests for incomplete command lines. It calls the program in the
// way that the completion scripts of shells do.
func TestComplete(t *testing.T) {
	programtest.InFolder(t, map[string]string{"scene.toml": programtest.Small, "scenes/a.toml": "", "scenes/a.png": "", "notes.txt": "", ".hidden.toml": ""})
	for _, test := range []struct {
		args []string
		want string // lines; the last is the directive
	}{
		{[]string{""}, "animate assemble bench cast check completion contact diff dump explain export fit golden grade hash help import init page schema serve vectors version watch scene.toml scenes/ :6"},
		{[]string{"sce"}, "scene.toml scenes/ :6"},
		{[]string{"sch"}, "schema :4"},
		{[]string{"scenes/"}, "scenes/a.toml :4"},
		{[]string{".h"}, ".hidden.toml :4"},
		{[]string{"missing/"}, ":4"},
		{[]string{"scene.toml", ""}, ":4"},
		{[]string{"scene.toml", "-o", ""}, "png jpg jpeg tiff tif bmp svg pdf :8"},
		{[]string{"scene.toml", "--width", ""}, ":4"},
		{[]string{"scene.toml", "--wi"}, "--width :4"},
		{[]string{"scene.toml", "--aov", "co"}, "color= cost= :6"},
		{[]string{"scene.toml", "--aov", "color="}, "color=scenes/ :6"},
		{[]string{"scene.toml", "--aov", "depht="}, ":4"},
		{[]string{"cast", ""}, "toml :8"},
		{[]string{"cast", "--rays", ""}, "csv jsonl ndjson f64 :8"},
		{[]string{"cast", "--format", ""}, "csv jsonl f64 records :4"},
		{[]string{"check", ""}, "toml :8"},
		{[]string{"diff", ""}, "png jpg jpeg tiff tif bmp :8"},
		{[]string{"hash", ""}, "png jpg jpeg tiff tif bmp toml :8"},
		{[]string{"import", ""}, "bcif gro xml mjcf cif mmcif mol2 nff pdb ent pqr sdf mol urdf xyz extxyz :8"},
		{[]string{"import", "--format", ""}, "bcif gro mjcf mmcif mol2 nff pdb pqr sdf urdf xyz :4"},
		{[]string{"import", "-o", ""}, "toml :8"},
		{[]string{"completion", ""}, "bash fish powershell zsh :4"},
		{[]string{"page", "scene.toml", "-o", ""}, "html :8"},
		{[]string{"help", "c"}, "cast check completion contact :4"},
		{[]string{"help", "check", ""}, ":4"},
		{[]string{"schema", ""}, ":4"},
	} {
		got := programtest.Invocation{}.Run(append([]string{"__completeNoDesc"}, test.args...)...)
		if words := strings.Join(strings.Fields(got.Stdout), " "); words != test.want {
			t.Errorf("completing %q gives %s, want %s", test.args, words, test.want)
		}
	}
}

func TestCompletionScriptsParse(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("no %s here to read its script", shell)
			continue
		}
		cmd := exec.Command(path, "-n")
		cmd.Stdin = bytes.NewBufferString(programtest.Invocation{}.Run("completion", shell).Stdout)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}

// TestCompleteGoldens checks the names that the golden commands offer as arguments. Names already on the command
// line are omitted.
func TestCompleteGoldens(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"scenes/walk.toml": programtest.Small + "[animation]\ngolden = [0, 1.5]\n", "scenes/ball.toml": programtest.Small, "elsewhere.toml": programtest.Small,
		"golden/gone.png": "", "golden/gone@2.png": "", "golden/walk@9.png": "", "other/only.png": "",
	})
	for _, test := range []struct{ args, want string }{
		{"accept ", "elsewhere.toml golden/ other/ scenes/ ball gone gone@2 walk walk@0 walk@1.5 walk@9 :6"},
		{"accept wa", "walk walk@0 walk@1.5 walk@9 :4"},
		{"accept walk@", "walk@0 walk@1.5 walk@9 :4"},
		{"check walk@0 walk ball gon", "gone gone@2 :4"},
		{"check walk@0 walk ball walk", "walk@1.5 walk@9 :4"},
		{"review scenes/b", "scenes/ball.toml :4"},
		{"accept --golden other o", "other/ only :6"},
	} {
		args := append([]string{"__completeNoDesc", "golden"}, strings.Split(test.args, " ")...)
		if got := strings.Join(strings.Fields(programtest.Invocation{}.Run(args...).Stdout), " "); got != test.want {
			t.Errorf("completing golden %s gives %s, want %s", test.args, got, test.want)
		}
	}
}

// A testShell is a shell at path that completes command lines of the program exe. It loads the program's completion
// script from the file named completion.
type testShell struct{ path, exe string }

// newShell returns the shell with the given name, or skips the test if it is not installed. It changes to a new
// folder with files of every kind to complete.
func newShell(t *testing.T, name string) testShell {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s here", name)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	programtest.InFolder(t, map[string]string{
		"scene.toml": programtest.Small, "scenes/a.toml": "", "views/d.pfm": "", "views/n.png": "", "depth.PFM": "", "normal.png": "",
		"golden/gone@2.png": "", "completion": programtest.Invocation{}.Run("completion", name).Stdout,
	})
	return testShell{path, exe}
}

// complete returns the sorted suggestions that the shell prints for an incomplete command line. The shell finds
// the command line in the variable COMP_LINE. args are the arguments that make it print the suggestions.
func (s testShell) complete(t *testing.T, line string, args ...string) string {
	t.Helper()
	cmd := exec.Command(s.path, args...)
	cmd.Env = append(os.Environ(), "EXE="+s.exe, "COMP_LINE="+line, "LC_ALL=C", "HOME="+t.TempDir())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Errorf("%q: %v\n%s", line, err, &stderr)
	}
	lines := strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

// TestBashCompletesWithoutItsPackage checks completion in bash if the package bash-completion is not installed.
func TestBashCompletesWithoutItsPackage(t *testing.T) {
	bash := newShell(t, "bash")
	for _, test := range []struct {
		line  string   // up to the cursor
		words []string // the line as bash splits it
		want  string
	}{
		{"render sce", []string{"render", "sce"}, "scene.toml scenes/"},
		{"render check ", []string{"render", "check", ""}, "golden scene.toml scenes views"},
		{"render check scenes/", []string{"render", "check", "scenes/"}, "scenes/a.toml"},
		{"render scene.toml -o ", []string{"render", "scene.toml", "-o", ""}, "golden normal.png scenes views"},
		{"render scene.toml --aov de", []string{"render", "scene.toml", "--aov", "de"}, "depth="},
		{"render scene.toml --aov depth=", []string{"render", "scene.toml", "--aov", "depth", "="}, "depth.PFM golden/ scenes/ views/"},
		{"render scene.toml --aov depth=views/", []string{"render", "scene.toml", "--aov", "depth", "=", "views/"}, "views/d.pfm"},
		{"render scene.toml --aov=depth=views/", []string{"render", "scene.toml", "--aov", "=", "depth", "=", "views/"}, "views/d.pfm"},
		{"render scene.toml  --quiet --aov  normal=v", []string{"render", "scene.toml", "--quiet", "--aov", "normal", "=", "v"}, "views/"},
		{"render golden accept gone@", []string{"render", "golden", "accept", "gone", "@"}, "2"},
		{"render golden accept go", []string{"render", "golden", "accept", "go"}, "golden/ gone@2"},
	} {
		script := `render() { ` + programtest.AsProgram + `=1 "$EXE" "$@"; }
			compopt() { :; }
			source ./completion
			COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_POINT=${#COMP_LINE} COMP_TYPE=9 COLUMNS=80
			__start_render
			printf '%s\n' "${COMPREPLY[@]}"`
		args := append([]string{"--norc", "--noprofile", "-c", script, "bash"}, test.words...)
		if got := bash.complete(t, test.line, args...); got != test.want {
			t.Errorf("%q completes to %q, want %q", test.line, got, test.want)
		}
	}
}

// TestFishCompletes checks that completion in fish offers only files of the right types, and completes values after
// --flag=.
func TestFishCompletes(t *testing.T) {
	fish := newShell(t, "fish")
	const script = `function render; ` + programtest.AsProgram + `=1 $EXE $argv; end
		source completion
		complete --do-complete $argv[1] | string split --fields 1 \t
		true`
	for line, want := range map[string]string{
		"render sce":                            "scene.toml scenes/",
		"render check ":                         "golden/ scene.toml scenes/ views/",
		"render check scenes/":                  "scenes/a.toml",
		"render scene.toml -o ":                 "golden/ normal.png scenes/ views/",
		"render scene.toml -o v":                "views/",
		"render scene.toml --output=v":          "--output=views/",
		"render scene.toml --output=views/":     "--output=views/n.png",
		"render scene.toml --aov de":            "depth=",
		"render scene.toml --aov=de":            "--aov=depth=",
		"render scene.toml --aov depth=":        "depth=depth.PFM depth=golden/ depth=scenes/ depth=views/",
		"render scene.toml --aov=depth=views/":  "--aov=depth=views/d.pfm",
		"render 'a b.toml' --aov de":            "depth=",
		"render '; touch x' --aov de":           "depth=",
		"render golden accept --golden ":        "golden/ scenes/ views/",
		"render golden accept g":                "golden/ gone@2",
		"render golden accept gone@":            "gone@2",
		"render explain scene.toml --section h": "hit hit,",
		"render grade all v":                    "views/",
		"render scene.toml --width ":            "",
	} {
		if got := fish.complete(t, line, "--no-config", "-c", script, line); got != want {
			t.Errorf("%q completes to %q, want %q", line, got, want)
		}
	}
	programtest.WantFiles(t, "completion", "depth.PFM", "golden", "normal.png", "scene.toml", "scenes", "views")
}

// TestZshCompletes checks what the script passes to zsh's completion functions.
func TestZshCompletes(t *testing.T) {
	zsh := newShell(t, "zsh")
	const script = `render() { ` + programtest.AsProgram + `=1 $EXE "$@"; }
		compdef() { }
		_describe() { print -rl -- "${@[3,-1]}" "${(P@)1}"; }
		_arguments() { print -rl -- "$@"; }
		source ./completion
		words=("$@") CURRENT=$#
		_render`
	for line, want := range map[string]string{
		"render sce":                           "-S scene.toml scenes/",
		"render check ":                        `*:filename:_files -g \*.toml `,
		"render scene.toml --aov de":           "-S depth=:distance along the ray",
		"render scene.toml --aov=de":           "--aov= -P -S depth=:distance along the ray",
		"render scene.toml --aov depth=views/": "depth=views/d.pfm",
		"render scene.toml --aov=depth=views/": "--aov= -P depth=views/d.pfm",
		"render golden accept gone@":           "gone@2",
	} {
		args := append([]string{"-f", "-c", script, "zsh"}, strings.Split(line, " ")...)
		if got := zsh.complete(t, line, args...); got != want {
			t.Errorf("%q completes to %q, want %q", line, got, want)
		}
	}
}

// TestCompletionsHaveNoBackquotes checks that descriptions of flags contain no backquotes, because completions show
// them verbatim.
func TestCompletionsHaveNoBackquotes(t *testing.T) {
	programtest.InFolder(t, nil)
	for _, command := range []string{"", "animate", "assemble", "bench", "cast", "check", "contact", "diff", "explain", "export", "golden check", "golden accept", "golden report", "hash", "import", "serve", "watch"} {
		got := programtest.Invocation{}.Run(append(append([]string{"__complete"}, strings.Fields(command)...), "--")...)
		if got.Status != 0 || !strings.Contains(got.Stdout, "--quiet") || strings.Contains(got.Stdout, "`") {
			t.Errorf("render %s -- completes to\n%s", command, got.Stdout)
		}
		if help := (programtest.Invocation{}).Run(append(strings.Fields(command), "--help")...); strings.Contains(help.Stdout, "`") {
			t.Errorf("help of render %s:\n%s", command, help.Stdout)
		}
	}
}
