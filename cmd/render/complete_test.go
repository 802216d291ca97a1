package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestComplete asks for completions as the shells' scripts do.
func TestComplete(t *testing.T) {
	inFolder(t, map[string]string{"scene.toml": small, "scenes/a.toml": "", "scenes/a.png": "", "notes.txt": "", ".hidden.toml": ""})
	for _, test := range []struct {
		args []string
		want string // lines, the last the directive
	}{
		{[]string{""}, "animate assemble bench cast check completion contact diff explain export golden grade hash help import init schema serve vectors version watch scene.toml scenes/ :6"},
		{[]string{"sce"}, "scene.toml scenes/ :6"},
		{[]string{"sch"}, "schema :4"},
		{[]string{"scenes/"}, "scenes/a.toml :4"},
		{[]string{".h"}, ".hidden.toml :4"},
		{[]string{"missing/"}, ":4"},
		{[]string{"scene.toml", ""}, ":4"},
		{[]string{"scene.toml", "-o", ""}, "png jpg jpeg tiff tif bmp :8"},
		{[]string{"scene.toml", "--width", ""}, ":4"},
		{[]string{"scene.toml", "--wi"}, "--width :4"},
		{[]string{"scene.toml", "--aov", "co"}, "color= cost= :6"},
		{[]string{"scene.toml", "--aov", "color="}, "color=scenes/ :6"},
		{[]string{"scene.toml", "--aov", "depht="}, ":4"},
		{[]string{"cast", ""}, "toml :8"},
		{[]string{"cast", "--rays", ""}, "csv jsonl ndjson f64 :8"},
		{[]string{"cast", "--format", ""}, "csv jsonl f64 :4"},
		{[]string{"check", ""}, "toml :8"},
		{[]string{"diff", ""}, "png jpg jpeg tiff tif bmp :8"},
		{[]string{"hash", ""}, "png jpg jpeg tiff tif bmp toml :8"},
		{[]string{"import", ""}, "xml mjcf cif mmcif nff pdb ent sdf mol urdf xyz extxyz :8"},
		{[]string{"import", "--format", ""}, "mjcf mmcif nff pdb sdf urdf xyz :4"},
		{[]string{"import", "-o", ""}, "toml :8"},
		{[]string{"completion", ""}, "bash fish powershell zsh :4"},
		{[]string{"help", "c"}, "cast check completion contact :4"},
		{[]string{"help", "check", ""}, ":4"},
		{[]string{"schema", ""}, ":4"},
	} {
		got := invocation{}.run(append([]string{"__completeNoDesc"}, test.args...)...)
		if words := strings.Join(strings.Fields(got.stdout), " "); words != test.want {
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
		cmd.Stdin = bytes.NewBufferString(invocation{}.run("completion", shell).stdout)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}

// TestBashCompletesWithoutItsPackage: not everybody has bash-completion.
func TestBashCompletesWithoutItsPackage(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, map[string]string{
		"scene.toml": small, "scenes/a.toml": "", "views/d.pfm": "", "views/n.png": "", "depth.PFM": "", "normal.png": "",
		"completion": invocation{}.run("completion", "bash").stdout,
	})
	for _, test := range []struct {
		line  string   // up to the cursor
		words []string // as bash cuts it
		want  string
	}{
		{"render sce", []string{"render", "sce"}, "scene.toml scenes/"},
		{"render check ", []string{"render", "check", ""}, "scene.toml scenes views"},
		{"render check scenes/", []string{"render", "check", "scenes/"}, "scenes/a.toml"},
		{"render scene.toml -o ", []string{"render", "scene.toml", "-o", ""}, "normal.png scenes views"},
		{"render scene.toml --aov de", []string{"render", "scene.toml", "--aov", "de"}, "depth="},
		{"render scene.toml --aov depth=", []string{"render", "scene.toml", "--aov", "depth", "="}, "depth.PFM scenes/ views/"},
		{"render scene.toml --aov depth=views/", []string{"render", "scene.toml", "--aov", "depth", "=", "views/"}, "views/d.pfm"},
		{"render scene.toml --aov=depth=views/", []string{"render", "scene.toml", "--aov", "=", "depth", "=", "views/"}, "views/d.pfm"},
		{"render scene.toml  --quiet --aov  normal=v", []string{"render", "scene.toml", "--quiet", "--aov", "normal", "=", "v"}, "views/"},
	} {
		script := `render() { ` + asProgram + `=1 "$EXE" "$@"; }
			source ./completion
			COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_POINT=${#COMP_LINE} COMP_TYPE=9 COLUMNS=80
			__start_render
			printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '`
		cmd := exec.Command(bash, append([]string{"--norc", "--noprofile", "-c", script, "bash"}, test.words...)...)
		cmd.Env = append(os.Environ(), "EXE="+exe, "COMP_LINE="+test.line, "LC_ALL=C")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != test.want || strings.Contains(stderr.String(), "not found") {
			t.Errorf("%q completes to %q, want %q: %v\n%s", test.line, got, test.want, err, stderr.Bytes())
		}
	}
}

// TestCompletionsHaveNoBackquotes: descriptions of flags are shown as they stand.
func TestCompletionsHaveNoBackquotes(t *testing.T) {
	inFolder(t, nil)
	for _, command := range []string{"", "animate", "assemble", "bench", "cast", "check", "contact", "diff", "explain", "export", "golden check", "golden accept", "golden report", "hash", "import", "serve", "watch"} {
		got := invocation{}.run(append(append([]string{"__complete"}, strings.Fields(command)...), "--")...)
		if got.status != 0 || !strings.Contains(got.stdout, "--quiet") || strings.Contains(got.stdout, "`") {
			t.Errorf("render %s -- completes to\n%s", command, got.stdout)
		}
		if help := (invocation{}).run(append(strings.Fields(command), "--help")...); strings.Contains(help.stdout, "`") {
			t.Errorf("help of render %s:\n%s", command, help.stdout)
		}
	}
}
