package main

import (
	"bytes"
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
		{[]string{""}, "bench check completion contact diff explain golden hash help init schema version scene.toml scenes/ :6"},
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
		{[]string{"scene.toml", "--aov", "color=c"}, ":0"},
		{[]string{"check", ""}, "toml :8"},
		{[]string{"diff", ""}, "png jpg jpeg tiff tif bmp :8"},
		{[]string{"hash", ""}, "png jpg jpeg tiff tif bmp toml :8"},
		{[]string{"completion", ""}, "bash fish powershell zsh :4"},
		{[]string{"help", "c"}, "check completion contact :4"},
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
