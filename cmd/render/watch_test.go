package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"pillbox/internal/cli"
	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
)

// A script is a writer that, whenever what is written contains the first of its texts, takes the
// step that belongs to it, once, and waits for the next text.
type script struct {
	log   bytes.Buffer
	seen  int // bytes of log that earlier texts were found in
	steps []step
}

type step struct {
	text string
	then func()
}

func (s *script) Write(p []byte) (int, error) {
	s.log.Write(p)
	for len(s.steps) > 0 {
		at := strings.Index(s.log.String()[s.seen:], s.steps[0].text)
		if at < 0 {
			break
		}
		s.seen += at + len(s.steps[0].text)
		then := s.steps[0].then
		s.steps = s.steps[1:]
		then()
	}
	return len(p), nil
}

// watchScript runs watch until the steps are done. They must end with one that cancels.
func watchScript(t *testing.T, terminal cli.Screen, args []string, steps func(cancel func()) []step) (status int, log string) {
	t.Helper()
	// The deadline is for a watch that misses a change; nothing else depends on it.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s := &script{steps: steps(cancel)}
	terminal.Writer = s
	var out bytes.Buffer
	status = run(ctx, append([]string{"watch"}, args...), streams{
		in:    strings.NewReader(""),
		out:   cli.Screen{Writer: &out},
		err:   terminal,
		files: new(osfile.Outputs),
	})
	if len(s.steps) > 0 {
		t.Errorf("%q was not said; the log is\n%s", s.steps[0].text, s.log.String())
	}
	if out.Len() > 0 {
		t.Errorf("standard output: %s", out.String())
	}
	return status, s.log.String()
}

// TestWatchRendersAgain: on every way to save a scene, or a file that it names.
func TestWatchRendersAgain(t *testing.T) {
	inFolder(t, map[string]string{
		"s.toml":          small + "[[bulk]]\nfile = \"atoms/a.csv\"\nshape = \"sphere\"\n",
		"atoms/a.csv":     "x,y,z,radius\n-1,0,0,0.5\n",
		"new.toml":        strings.Replace(small, "width = 40", "width = 42", 1) + "[[bulk]]\nfile = \"atoms/a.csv\"\nshape = \"sphere\"\n",
		"atoms/other.csv": "",
	})
	var before []byte
	status, log := watchScript(t, cli.Screen{}, []string{"s.toml"}, func(cancel func()) []step {
		return []step{
			{"s.png: 40 x 30 pixels in ", func() { fixture.Edit(t, "s.toml", "width = 40", "width = 41") }}, // in place
			{"s.png: 41 x 30 pixels in ", func() {
				writeText(t, "s.png.txt", "not watched")
				if err := os.Rename("new.toml", "s.toml"); err != nil { // by another file of the name
					t.Error(err)
				}
			}},
			{"s.png: 42 x 30 pixels in ", func() { fixture.Edit(t, "s.toml", "radius = 2", "radius = -2") }},
			{"s.toml:13:10: sphere[0].radius: must be positive and finite, got -2\n", func() {
				before = []byte(readText(t, "s.png"))
				fixture.Edit(t, "s.toml", "radius = -2", "radius = 1")
			}},
			{"s.png: 42 x 30 pixels in ", func() {
				if bytes.Equal(before, []byte(readText(t, "s.png"))) {
					t.Error("the picture has not changed with the scene")
				}
				fixture.Edit(t, "atoms/a.csv", "0.5", "wide")
			}},
			{"atoms/a.csv:2:8: radius: must be a number, got wide\n", func() { fixture.Edit(t, "atoms/a.csv", "wide", "0.7") }},
			{"s.png: 42 x 30 pixels in ", func() {
				if err := os.Remove("s.toml"); err != nil {
					t.Error(err)
				}
			}},
			{"render: open s.toml: ", func() { writeText(t, "s.toml", small) }},
			{"s.png: 40 x 30 pixels in ", cancel},
		}
	})
	if status != cli.StatusInterrupted {
		t.Errorf("exit status %d, want %d:\n%s", status, cli.StatusInterrupted, log)
	}
	if strings.Contains(log, "\x1b") {
		t.Errorf("escape sequences without a terminal: %q", log)
	}
	decode(t, "s.png") // is whole
}

// TestWatchGivesUpRendering: a change in the middle of a rendering of minutes.
func TestWatchGivesUpRendering(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": slow})
	status, _ := watchScript(t, cli.Screen{Columns: 80}, []string{"s.toml"}, func(cancel func()) []step {
		return []step{
			{"%", func() { writeText(t, "s.toml", small) }},
			{"s.png: 40 x 30 pixels in ", func() { writeText(t, "s.toml", slow) }},
			{"%", cancel},
		}
	})
	if status != cli.StatusInterrupted {
		t.Errorf("exit status %d", status)
	}
	wantFiles(t, "s.png", "s.toml")
}

// TestWatchOnTerminal: each round is in place of the one before, and shows the picture if asked.
func TestWatchOnTerminal(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": small})
	replace := func(from, to string) { // at once: a file that is half written would be a round more
		writeText(t, "new", strings.Replace(readText(t, "s.toml"), from, to, 1))
		if err := os.Rename("new", "s.toml"); err != nil {
			t.Error(err)
		}
	}
	_, log := watchScript(t, cli.Screen{Columns: 60, Color: true}, []string{"s.toml", "-o", "x.png", "--preview"}, func(cancel func()) []step {
		return []step{
			{"s.toml is watched; Ctrl-C ends\n", func() { replace("radius = 2", "radius = 0") }},
			{"s.toml is watched; Ctrl-C ends\n", func() { replace("radius = 0", "radius = 3") }},
			{"s.toml is watched; Ctrl-C ends\n", cancel},
		}
	})
	rounds := strings.Split(log, "\x1b[H\x1b[2J")
	if len(rounds) != 4 || rounds[0] != "" {
		t.Fatalf("%d rounds, want 3: %q", len(rounds)-1, log)
	}
	for i, round := range rounds[1:] {
		broken := i == 1
		if strings.Contains(round, "must be positive") != broken || strings.Contains(round, "▀") == broken || strings.Contains(round, "x.png: 40 x 30 pixels in ") == broken {
			t.Errorf("round %d: %q", i, round)
		}
	}
	// 60 columns are 45 half rows.
	if n := strings.Count(rounds[1], "▀"); n != 60*23 {
		t.Errorf("the preview has %d cells, want %d", n, 60*23)
	}
}

func TestWatchMisuse(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": small})
	for args, want := range map[string]string{
		"watch":                  "want one scene, got none",
		"watch -":                "watch needs files, not standard input or output",
		"watch s.toml -o -":      "watch needs files, not standard input or output",
		"watch s.toml -o x.y":    "output must end in ",
		"watch s.toml --preview": "--preview needs a terminal with colors",
		"watch s.toml a.toml":    "want one scene, got 2: s.toml a.toml",
		"watch nowhere/s.toml":   "cannot watch nowhere/s.toml: ",
	} {
		got := invocation{}.run(strings.Fields(args)...)
		if got.status == cli.StatusDone || !strings.Contains(got.stderr, want) {
			t.Errorf("render %s exits %d: %s, want %s", args, got.status, got.stderr, want)
		}
	}
}
