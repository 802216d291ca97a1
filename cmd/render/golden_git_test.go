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

// TestGoldenGitCommands runs each command of the chapter about git in docs/golden.md, in real repositories. A command must
// have the exit status that its comment states, or succeed.
func TestGoldenGitCommands(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	page, err := os.ReadFile("../../docs/golden.md")
	if err != nil {
		t.Fatal(err)
	}
	_, chapter, _ := strings.Cut(string(page), "\n## In git\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	blocks := commandBlocks(chapter)
	if len(blocks) != 5 {
		t.Fatalf("got %d blocks of commands", len(blocks))
	}
	for i, block := range blocks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			gitRepository(t, i > 0)
			for _, line := range block {
				runLine(t, line)
			}
		})
	}
}

// commandBlocks returns the indented blocks of a text.
func commandBlocks(text string) (blocks [][]string) {
	inside := false
	for line := range strings.Lines(text) {
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
