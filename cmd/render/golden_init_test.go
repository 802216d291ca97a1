package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/fixture"
)

// TestGoldenInit checks that `render golden init` adds the lines that .gitattributes lacks, keeps all others after them,
// byte for byte, and adds nothing the second time.
func TestGoldenInit(t *testing.T) {
	for name, old := range map[string]string{
		"new":         "",
		"others":      "# pictures\n*.jpg binary\n*.png filter=lfs diff=lfs merge=lfs -text\n\n*.toml text",
		"CR LF":       "*.jpg binary\r\n*.csv -text\r\n",
		"unlike text": "*.bin\t-text\n  \n\xff\n",
	} {
		t.Run(name, func(t *testing.T) {
			fixture.Folder(t, map[string]string{".gitattributes": old})
			if got := (programtest.Invocation{}).Run("golden", "init", "--lfs"); got.Status != cli.StatusDone || !strings.Contains(got.Stdout, "added to .gitattributes:") {
				t.Fatalf("got %+v", got)
			}
			text := fixture.Read(t, ".gitattributes")
			added, ok := strings.CutSuffix(text, old)
			if !ok {
				t.Errorf("the text is %q, want it to end in %q", text, old)
			}
			for pattern, want := range map[string]string{
				"*.toml": "text eol=lf", "*.csv": "text eol=lf", "*.scene.files": "text eol=lf", "*.gz": "binary", "*.png": "binary",
				"**/golden/*.png": "filter=lfs diff=lfs merge=lfs -text",
			} {
				end := "\n"
				if strings.Contains(old, "\r\n") {
					end = "\r\n"
				}
				if strings.Contains("\n"+added, "\n"+pattern+" "+want+end) == strings.Contains("\n"+old, "\n"+pattern+" ") {
					t.Errorf("added %q, want a line about %s unless %q has one", added, pattern, old)
				}
			}
			if got := (programtest.Invocation{}).Run("golden", "init", "--lfs"); got != (programtest.Outcome{Stdout: ".gitattributes has all lines for goldens\n"}) || fixture.Read(t, ".gitattributes") != text {
				t.Errorf("the second time: %+v", got)
			}
		})
	}
}

// TestGoldenInitLooksAtAttributes checks that a line about something else than storage does not replace one of init, and
// that a byte order mark stays at the beginning.
func TestGoldenInitLooksAtAttributes(t *testing.T) {
	fixture.Folder(t, map[string]string{".gitattributes": "\ufeff*.toml linguist-language=TOML\n*.csv -text diff=csv\n"})
	if got := (programtest.Invocation{}).Run("golden", "init"); got.Status != cli.StatusDone {
		t.Fatalf("got %+v", got)
	}
	const want = "\ufeff*.toml text eol=lf\n*.scene.files text eol=lf\n*.gz binary\n*.png binary\n*.toml linguist-language=TOML\n*.csv -text diff=csv\n"
	if got := fixture.Read(t, ".gitattributes"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestGoldenInitInGit checks that the file is at the root of the work tree, and what git makes of it.
func TestGoldenInitInGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	gitRepository(t, true)
	fixture.Write(t, "package/notes.txt", "")
	t.Chdir("package")
	runLine(t, "render golden init --lfs")
	t.Chdir("..")
	for file, want := range map[string]string{
		"package/golden/a.png":         "filter: lfs",
		"package/b.png":                "text: unset",
		"package/golden/a.scene.files": "eol: lf",
		"scenes/box.toml":              "eol: lf",
		"golden/files/abc.gz":          "binary: set",
	} {
		out, err := exec.Command("git", "check-attr", "--all", "--", filepath.FromSlash(file)).CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, got %q, want %q", file, err, out, want)
		}
	}
}
