package main

import (
	"strings"
	"testing"

	"pillbox/internal/cli"
)

// bouncing is a ball that rises for two seconds. At three seconds the scene is invalid, because the camera looks at its
// own position.
const bouncing = `
[image]
width = 40
height = 30
[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]
[animation]
duration = 3
fps = 4
[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 1
[[animate]]
target = "ball.center"
times = [0, 2]
values = [[0, -2, 0], [0, 2, 0]]
[[animate]]
target = "camera.look_at"
times = [2, 4]
values = [[0, 0, 0], [0, 0, 18]]
`

// TestTime checks, for every command that renders, that a scene with --time equals a scene with the animated values
// in its tables.
func TestTime(t *testing.T) {
	at := strings.Replace(bouncing, "center = [0, 0, 0]", "center = [0, 1, 0]", 1)
	inFolder(t, map[string]string{"s.toml": bouncing, "at.toml": at})
	want := mustRun(t, "hash at.toml").stdout
	for _, line := range []string{"hash s.toml --time 1.5", "hash s.png", "hash flat.toml"} {
		switch {
		case strings.HasSuffix(line, ".png"):
			mustRun(t, "s.toml --time 1.5")
		case strings.HasSuffix(line, "flat.toml"):
			mustRun(t, "export s.toml --time 1.5 -o flat.toml")
		}
		if got := mustRun(t, line).stdout; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if got := mustRun(t, "hash s.toml").stdout; got == want {
		t.Error("the time does not count")
	}
	if got := mustRun(t, "explain s.toml --time 1.5 --pixel 20,12").stdout; !strings.Contains(got, "c = (0, 1, 0)") {
		t.Errorf("the ball is not explained where it is at the time:\n%s", got)
	}
	mustRun(t, "bench s.toml --time 1.5 --repeat 1")
	mustRun(t, "contact s.toml --time 1.5 --width 40")
}

func TestTimeErrors(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": bouncing})
	for line, want := range map[string]string{
		"hash s.toml --time 3":   "s.toml: camera.look_at: at 3 s: must differ from position",
		"hash s.toml --time x":   `--time: must be seconds, 0 to 1000000, got "x"`,
		"hash s.toml --time -1":  `--time: must be seconds, 0 to 1000000, got "-1"`,
		"hash s.toml --time NaN": `--time: must be seconds, 0 to 1000000, got "NaN"`,
	} {
		if got := (invocation{}).run(strings.Fields(line)...); got.status != cli.StatusWrong || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v, want %s", line, got, want)
		}
	}
}
