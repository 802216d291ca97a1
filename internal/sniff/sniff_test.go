package sniff

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestGit(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
	for text, want := range map[string]int{
		pointer: 1,
		strings.ReplaceAll(pointer, "\n", "\r\n"):     1,
		"version https://hawser.github.com/spec/v1\n": 1,
		"a = 1\n": 0, "": 0,
		"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n":                     1,
		"<<<<<<< HEAD\r\na\r\n=======\r\nb\r\n>>>>>>> other":               1,
		"<<<<<<<\na\n||||||| 1a2b\nc\n=======\nb\n>>>>>>>\nx\n<<<<<<< a\n": 2,
		"x\n>>>>>>> other\n": 1,
		"x\n=======\n":       1,
		"========\n":         0,
		"======= title\n":    0,
		"<<<<<<<x\n":         0,
		"# <<<<<<< HEAD\n":   0,
		"<<<<<<<< HEAD\n":    0,
		strings.Repeat("=======\n>>>>>>> a\n", 50): maxConflicts,
	} {
		found := Git([]byte(text))
		if len(found) != want {
			t.Errorf("%q: %d findings, want %d", text, len(found), want)
		}
		for _, f := range found {
			if f.Start < 0 || f.End <= f.Start || f.End > len(text) || strings.ContainsAny(text[f.Start:f.End], "\r\n") {
				t.Errorf("%q: finding %+v", text, f)
			}
		}
	}
}

// TestGitRecognizesGit checks the markers that git itself writes, in each of its styles.
func TestGitRecognizesGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	folder := t.TempDir()
	for name, text := range map[string]string{"ours": "a\nb\nc\n", "base": "a\nx\nc\n", "theirs": "a\ny\nc\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, style := range []string{"--diff3", "--zdiff3", "-q"} {
		c := exec.Command("git", "merge-file", "-p", style, "ours", "base", "theirs")
		c.Dir = folder
		merged, _ := c.Output() // the exit status is the number of conflicts
		if found := Git(merged); len(found) != 1 || found[0].Start != len("a\n") {
			t.Errorf("%s: %+v in\n%s", style, found, merged)
		}
	}
}

func TestFormat(t *testing.T) {
	for text, want := range map[string]string{
		"image:\n  width: 640\n":                            "YAML",
		"# scene\n---\nwidth: 640\nheight: 480\n":           "YAML",
		"%YAML 1.2\n---\na: 1\n":                            "YAML",
		"sphere:\r\n- center: [0, 0, 0]\r\n  radius: 1\r\n": "YAML",
		"spheres:\n  -\n    radius: 1\n":                    "YAML",
		"- sphere:\n    radius: 1\n":                        "YAML",
		"\"image\":\n  width: 640\n":                        "YAML",
		"image: {width: 640}\ncamera: {fov: 30}\n":          "YAML",
		"sphere: &ball\n  radius: 1\n":                      "YAML",
		"image: # of the page\n  width: 640\n":              "YAML",
		"image: {width: 640}\n":                             "YAML",
		"sphere:\n  center: [0,\n    0, 0]\n":               "YAML",
		"image: # the picture\n  width = 640\n":             "",
		"[{\"radius\": 1}]":                                 "JSON",
		"[\n  1,\n  2\n]\n":                                 "JSON",
		"[[sphere]\nradius: 1\n":                            "",
		"[ image ]\nwidth: 1\n":                             "",
		"[[\"sphere\"]]\nradius: 1\n":                       "",
		"width: 640\nheight: 480\n":                         "", // as likely TOML with two mistakes
		"image:\nwidth = 640\n":                             "",
		"[image]\nwidth: 640\n":                             "",
		"{\"image\": {\"width\": 640}}":                     "JSON",
		"\uFEFF{\n \"a\" : 1 }":                             "JSON",
		"{":                                                 "",
		"<?xml version=\"1.0\"?>":                           "XML",
		"\n<mujoco>":                                        "XML",
		"<0, 0, 0>":                                         "",
		"\x89PNG\r\n\x1a\n":                                 "a PNG picture",
		"":                                                  "",
	} {
		if got := Format([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func ExampleMistaken() {
	fmt.Println(Mistaken(Format([]byte("<mujoco/>")), "TOML"))
	// Output: this is XML, not TOML
}
