package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
)

// readme returns the README and its code blocks in a language; "": plain text.
func readme(t *testing.T, language string) (text string, blocks []string) {
	t.Helper()
	text = programtest.ReadText(t, filepath.Join("..", "..", "README.md"))
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		if m[1] == language {
			blocks = append(blocks, m[2])
		}
	}
	return text, blocks
}

// TestReadmeScene checks that the README's scene renders to its picture and that check has nothing to report. It also runs
// the README's golden check and explanation.
func TestReadmeScene(t *testing.T) {
	want := decode(t, filepath.Join("..", "..", "docs", "first.png"))
	_, scenes := readme(t, "toml")
	_, shown := readme(t, "")
	if len(scenes) != 1 || len(shown) != 2 {
		t.Fatalf("the README has %d scenes and %d outputs, want 1 and 2", len(scenes), len(shown))
	}
	programtest.InFolder(t, map[string]string{"first.toml": scenes[0]})
	programtest.MustRun(t, "first.toml")
	if !slices.Equal(decode(t, "first.png").Pix, want.Pix) {
		t.Error("docs/first.png is not the picture of the README's scene")
	}
	if got := programtest.MustRun(t, "check first.toml"); got.Stdout+got.Stderr != "" {
		t.Errorf("check reports\n%s%s", got.Stdout, got.Stderr)
	}
	if got := programtest.MustRun(t, "explain first.toml --pixel 180,290"); !strings.HasPrefix(got.Stdout, shown[1]) {
		t.Errorf("explain prints\n%.200s\nwant\n%s", got.Stdout, shown[1])
	}
	if !effort.IsAll() {
		return
	}
	programtest.MustRun(t, "golden accept first.toml")
	fixture.Edit(t, "first.toml", "radius = 0.35", "radius = 0.3")
	got := programtest.Invocation{}.Run("golden", "check", "first.toml")
	if got.Status != cli.StatusDifferent || !strings.HasPrefix(got.Stdout, shown[0]) {
		t.Errorf("golden check prints\n%s\nwant\n%s", got.Stdout, shown[0])
	}
}

// TestReadmeCommands checks that the README begins with the two commands for a clone, and that the program knows every
// other command that it names.
func TestReadmeCommands(t *testing.T) {
	text, _ := readme(t, "")
	first := regexp.MustCompile("(?m)^    (\\S.*?) *(?:#.*)?$").FindAllStringSubmatch(text, 3)
	for i, want := range []string{"go run ./cmd/render scenes/demo.toml", "scripts/test", "go install ./cmd/render"} {
		if i >= len(first) || first[i][1] != want {
			t.Errorf("command %d of the README is not %s", i+1, want)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^    render (\\w+)|`render (\\w+)").FindAllStringSubmatch(text, -1) {
		name := m[1] + m[2]
		if got := (programtest.Invocation{}).Run("help", name); name != "first" && got.Status != cli.StatusDone {
			t.Errorf("the README names the command %s: %s", name, got.Stderr)
		}
	}
}

// TestReadmePython runs the README's Python program.
func TestReadmePython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	_, programs := readme(t, "python")
	if len(programs) != 1 {
		t.Fatalf("the README has %d Python programs, want 1", len(programs))
	}
	folder, err := filepath.Abs(filepath.Join("..", "..", "python"))
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	programtest.InFolder(t, nil)
	cmd := exec.Command(python, "-c", programs[0])
	cmd.Env = append(os.Environ(), "PYTHONPATH="+folder, "PILLBOX_RENDER="+program, programtest.AsProgram+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := decode(t, "ball.png").Rect.Dx(); got != 400 {
		t.Errorf("the picture is %d pixels wide, want 400", got)
	}
}
