package main

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
)

// hostileNames returns file names with line breaks, terminal escapes, commands for a CI server, right-to-left
// characters, and invalid UTF-8.
func hostileNames() []string {
	return []string{"::error::x", "a\n::error::y", "\x1b]0;title\a\x1b[2J", "x##[error]z", "\u202egpj", "\xff\xfe", "| [a](b) |"}
}

// TestHostileNames tries hostile names of files and solids, texts of sidecars, and arguments. No command may print
// an unprintable character, or a line that a CI server executes, except for requested annotations.
func TestHostileNames(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a file system that takes any name")
	}
	const evil = "name = \"\\u001b[31m\\n::error::solid\"\n"
	sidecar := "reason = \"a \\u001b[5m\\n::error::\\u202ereason\"\ntolerance = { max_pixels = 9999 }\n"
	for _, name := range effort.Some(t, 1, hostileNames()) {
		scene := strings.Replace(programtest.Small, "name = \"ball\"\n", evil, 1)
		programtest.InFolder(t, map[string]string{"scenes/" + name + ".toml": scene, name + ".toml": scene, name + ".bad.toml": programtest.Wrong, "rays.csv": aRay, name + ".csv": "x"})
		inStart := [][]string{
			{"golden", "check", "--github"}, {"golden", "pending"}, {"golden", "pending", "--json"},
			{"golden", "accept", "--all"}, {"golden", "check"}, {"golden", "report"}, {"golden", "review"},
			{"check", name + ".toml"}, {"check", name + ".bad.toml"}, {"check", "--json", name + ".bad.toml"}, {"check", "--overlaps", name + ".toml"},
			{"--", name + ".toml"}, {"--verify", "--", name + ".toml"}, {"bench", "--repeat", "1", "--", name + ".toml"},
			{"explain", "--pixel", "20,15", "--", name + ".toml"}, {"explain", "--json", "--pixel", "20,15", "--", name + ".toml"},
			{"cast", "--rays", "rays.csv", "--", name + ".toml"}, {"cast", "--rays", name + ".csv", "--", name + ".toml"},
			{"contact", "--width", "20", "--", name + ".toml"}, {"diff", "--", name, name}, {"hash", "--", name}, {"golden", name}, {name},
			{"--", name + ".toml", "-o", name}, {"check", "--" + name}, {"golden", "check", "--", name + ".absent"},
		}
		for _, args := range inStart {
			wantHarmless(t, args, programtest.Invocation{Stdin: strings.NewReader("s\n")}.Run(args...))
		}
		programtest.WriteText(t, filepath.Join("golden", name+".golden.toml"), sidecar)
		fixture.Edit(t, filepath.Join("scenes", name+".toml"), "radius = 2", "radius = 1.5")
		for _, args := range [][]string{{"golden", "check", "--github"}, {"golden", "check", "--json"}} {
			wantHarmless(t, args, programtest.Invocation{}.Run(args...))
		}
		programtest.WriteText(t, filepath.Join("golden", name+".golden.toml"), "\"\\u001b\\n::x\" = 1\n")
		wantHarmless(t, []string{"sidecar"}, programtest.Invocation{}.Run("golden", "check", "--github"))
		if err := os.Remove(filepath.Join("scenes", name+".toml")); err != nil {
			t.Fatal(err)
		}
		programtest.WriteText(t, "scenes/fine.toml", programtest.Small)
		for _, args := range [][]string{{"golden", "check", "--github"}, {"golden", "accept", "--all"}} {
			wantHarmless(t, args, programtest.Invocation{ErrColumns: 80, OutColumns: 80}.Run(args...))
		}
	}
}

func wantHarmless(t *testing.T, args []string, got programtest.Outcome) {
	t.Helper()
	annotation := regexp.MustCompile(`^::error (file=[^:,]*,line=\d+,(col=\d+,)?)?title=[^:,]*::`)
	for _, text := range []string{got.Stdout, got.Stderr} {
		for line := range strings.SplitSeq(text, "\n") {
			command := strings.HasPrefix(strings.TrimSpace(line), "::") && !annotation.MatchString(line)
			unprintable := strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) && r != '\t' })
			if command || unprintable || !utf8.ValidString(line) || strings.Contains(line, "##[") {
				t.Errorf("render %q prints %q", args, line)
			}
		}
	}
}

// TestNothingIsPrintedRaw checks in the source that all text for people is printed by [cli.Screen.Printf], which
// escapes it.
func TestNothingIsPrintedRaw(t *testing.T) {
	raw := regexp.MustCompile(`fmt\.Fprint(f|ln)?\((\w+\.)*(out|err|to|s),`)
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for line := range strings.Lines(programtest.ReadText(t, name)) {
			if raw.MatchString(line) && !strings.Contains(line, "fit...") {
				t.Errorf("%s: %s", name, strings.TrimSpace(line))
			}
		}
	}
}

// TestGoldenSummaryHostile checks that a hostile name does not create a link, a cell or a line in the Markdown
// summary.
func TestGoldenSummaryHostile(t *testing.T) {
	programtest.InFolder(t, map[string]string{"scenes/[a](https:x) | b\n## c @me.toml": programtest.Small})
	t.Setenv("GITHUB_STEP_SUMMARY", "summary.md")
	programtest.Invocation{}.Run("golden", "check", "--ci", "--github")
	const want = "| <code>&#91;a&#93;(https&#58;x) &#124; b<br>&#35;&#35; c &#64;me</code> | new |"
	if got := programtest.ReadText(t, "summary.md"); !strings.Contains(got, want) {
		t.Errorf("got\n%swant %s in it", got, want)
	}
}
