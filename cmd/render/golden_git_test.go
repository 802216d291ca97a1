package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
)

// TestGoldenDocsCommands runs each command of the chapters about packages, git and CI in docs/golden.md, in real
// repositories. A command must have the exit status that its comment states, or succeed.
func TestGoldenDocsCommands(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	page, err := os.ReadFile("../../docs/golden.md")
	if err != nil {
		t.Fatal(err)
	}
	sameScene := func(t *testing.T, block int) { gitRepository(t, block > 0) }
	for _, chapter := range []struct {
		begin, end string
		blocks     int
		prepare    func(t *testing.T, block int)
	}{
		{"\n### Several packages\n", "\n### ", 1, packages},
		{"\n## In git\n", "\n## ", 6, sameScene},
		{"\n## In CI\n", "\n## ", 1, packages},
	} {
		_, text, _ := strings.Cut(string(page), chapter.begin)
		text, _, _ = strings.Cut(text, chapter.end)
		blocks := commandBlocks(text)
		if len(blocks) != chapter.blocks {
			t.Fatalf("got %d blocks of commands in the chapter %q", len(blocks), chapter.begin)
		}
		for i, block := range blocks {
			t.Run(fmt.Sprint(strings.Trim(chapter.begin, "\n# "), " ", i), func(t *testing.T) {
				chapter.prepare(t, i)
				for _, line := range block {
					runLine(t, line)
				}
			})
		}
	}
}

// packages makes a repository of two packages with scenes of one name and a shared table, whose goldens are accepted.
func packages(t *testing.T, _ int) {
	t.Helper()
	fixture.Folder(t, map[string]string{"pkgA/scenes/x.toml": fixture.Pills, "pkgB/scenes/x.toml": fixture.Ball})
	runLine(t, "git init -q -b main")
	runLine(t, "render golden accept --all")
}

// TestPointersOfLFS makes pointers by hand, in place of each file of a golden, and checks that all commands name the remedy.
func TestPointersOfLFS(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
	for file, status := range map[string]int{
		"golden/atoms.png":        cli.StatusFile,
		"golden/atoms.scene.toml": cli.StatusDifferent, "golden/atoms.scene.files": cli.StatusDifferent, "golden/files": cli.StatusDifferent,
		"scenes/atoms.toml": cli.StatusWrong, "scenes/csv/atoms.csv": cli.StatusWrong,
	} {
		programtest.InFolder(t, map[string]string{"scenes/atoms.toml": atoms, "scenes/csv/atoms.csv": atomsFile})
		runLine(t, "render golden accept --all")
		if file == "golden/files" {
			stored, err := filepath.Glob("golden/files/*.gz")
			if err != nil || len(stored) != 1 {
				t.Fatal(stored, err)
			}
			file = stored[0]
		}
		fixture.Write(t, file, pointer)
		got := programtest.Invocation{}.Run("golden", "check", "--ci")
		if got.Status != status || !strings.Contains(got.Stdout+got.Stderr, "git lfs pull") {
			t.Errorf("%s: %+v, want the exit status %d", file, got, status)
		}
	}
}

// commandBlocks returns the indented blocks of a text outside fences.
func commandBlocks(text string) (blocks [][]string) {
	inside, fenced := false, false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		command, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		if ok && !inside {
			blocks = append(blocks, nil)
		}
		if inside = ok; ok {
			last := &blocks[len(blocks)-1]
			*last = append(*last, command)
		}
	}
	return blocks
}

// gitRepository makes a repository with a branch other. Both branches accept a scene: the same one if same is set.
func gitRepository(t *testing.T, same bool) {
	t.Helper()
	fixture.Folder(t, map[string]string{"repository/scenes/box.toml": fixture.Pills, "repository/scenes/second.toml": fixture.Pills})
	home := t.TempDir() // so that the user's settings do not matter
	for name, value := range map[string]string{
		"HOME": home, "GIT_CONFIG_GLOBAL": filepath.Join(home, "none"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
	} {
		t.Setenv(name, value)
	}
	t.Chdir("repository")
	ours := "scenes/second.toml"
	if same {
		ours = "scenes/box.toml"
	}
	runLine(t, "git init -q -b main")
	commit := func() {
		t.Helper()
		runLine(t, "render golden accept --all")
		runLine(t, "git add --all")
		runLine(t, "git commit -q -m change")
	}
	commit()
	runLine(t, "git checkout -q -b other")
	fixture.Edit(t, "scenes/box.toml", "#d1495b", "#11db49")
	commit()
	runLine(t, "git checkout -q main")
	fixture.Edit(t, ours, "#d1495b", "#1149db")
	commit()
}

// runLine runs a line of a shell script in the current folder; cd and render run in this process.
func runLine(t *testing.T, line string) {
	t.Helper()
	command, comment, _ := strings.Cut(line, " # ")
	want := cli.StatusDone
	if _, status, ok := strings.Cut(comment, "exit status "); ok {
		if _, err := fmt.Sscan(status, &want); err != nil {
			t.Fatal(err)
		}
	}
	words := strings.Fields(command)
	switch words[0] {
	case "cd":
		t.Chdir(words[1])
	case "render":
		if got := (programtest.Invocation{}).Run(words[1:]...); got.Status != want {
			t.Fatalf("%s: %+v, want the exit status %d", command, got, want)
		}
	default:
		run := exec.Command("sh", "-c", command)
		out, err := run.CombinedOutput()
		if got := run.ProcessState.ExitCode(); got != want {
			t.Fatalf("%s: %v, want the exit status %d\n%s", command, err, want, out)
		}
	}
}
