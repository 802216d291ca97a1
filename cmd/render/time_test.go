package main

import (
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
)

// TestTime checks, for every command that renders, that a scene with --time equals a scene with the animated values
// in its tables.
func TestTime(t *testing.T) {
	at := strings.Replace(programtest.Bouncing, "center = [0, 0, 0]", "center = [0, 1, 0]", 1)
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Bouncing, "at.toml": at})
	want := programtest.MustRun(t, "hash at.toml").Stdout
	for _, line := range []string{"hash s.toml --time 1.5", "hash s.png", "hash flat.toml"} {
		switch {
		case strings.HasSuffix(line, ".png"):
			programtest.MustRun(t, "s.toml --time 1.5")
		case strings.HasSuffix(line, "flat.toml"):
			programtest.MustRun(t, "export s.toml --time 1.5 -o flat.toml")
		}
		if got := programtest.MustRun(t, line).Stdout; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if got := programtest.MustRun(t, "hash s.toml").Stdout; got == want {
		t.Error("the time does not count")
	}
	if got := programtest.MustRun(t, "explain s.toml --time 1.5 --pixel 20,12").Stdout; !strings.Contains(got, "c = (0, 1, 0)") {
		t.Errorf("the ball is not explained where it is at the time:\n%s", got)
	}
	programtest.MustRun(t, "bench s.toml --time 1.5 --repeat 1")
	programtest.MustRun(t, "contact s.toml --time 1.5 --width 40")
}

func TestTimeErrors(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Bouncing})
	for line, want := range map[string]string{
		"hash s.toml --time 3":   "s.toml: camera.look_at: at 3 s: must differ from position",
		"hash s.toml --time x":   `--time: must be seconds, 0 to 1000000, got "x"`,
		"hash s.toml --time -1":  `--time: must be seconds, 0 to 1000000, got "-1"`,
		"hash s.toml --time NaN": `--time: must be seconds, 0 to 1000000, got "NaN"`,
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(line)...); got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, want) {
			t.Errorf("%s: %+v, want %s", line, got, want)
		}
	}
}
