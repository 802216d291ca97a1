package main

import (
	"fmt"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
)

const touching = `[camera]
position = [0, 0, 9]
look_at = [0, 0, 0]
[[sphere]]
name = "left"
center = [0.3, 0, 0]
radius = 0.1
[[sphere]]
center = [0.6, 0, 0]
radius = 0.2
`

func TestCheckOverlaps(t *testing.T) {
	programtest.InFolder(t, map[string]string{"touching.toml": touching, "small.toml": programtest.Small, "wrong.toml": programtest.Wrong})
	const note = "touching.toml:4:1: note: sphere[0]: \"left\" touches sphere[1] at line 8\n"
	const wrong = "touching.toml:4:1: sphere[0]: \"left\" touches sphere[1] at line 8\n"
	for _, test := range []struct {
		args   string
		status int
		stdout string
	}{
		{"check touching.toml", 0, note},
		{"check --overlaps=info touching.toml", 0, note},
		{"check --overlaps=off touching.toml", 0, ""},
		{"check --overlaps=error touching.toml", 1, wrong},
		{"check --overlaps=error --quiet touching.toml", 1, wrong}, // printed although quiet, because they are the reason for the failure
		{"check --overlaps=info --quiet touching.toml", 0, ""},
		{"check --overlaps=error small.toml", 0, ""},
	} {
		got := programtest.Invocation{}.Run(strings.Fields(test.args)...)
		if got.Status != test.status || got.Stdout != test.stdout {
			t.Errorf("render %s exits %d and says %q, want %d and %q", test.args, got.Status, got.Stdout, test.status, test.stdout)
		}
	}
	if got := (programtest.Invocation{}).Run("check", "--overlaps=error", "touching.toml", "wrong.toml").Status; got != 2 {
		t.Errorf("with a wrong scene check exits %d, want 2", got)
	}
	if got := (programtest.Invocation{}).Run("check", "--overlaps=maybe", "touching.toml"); got.Status != 2 || !strings.Contains(got.Stderr, "--overlaps: must be info, error or off") {
		t.Errorf("check --overlaps=maybe exits %d: %s", got.Status, got.Stderr)
	}
	problems := decodeProblems(t, programtest.Invocation{}.Run("check", "--json", "touching.toml").Stdout)
	if len(problems) != 1 || problems[0].Code != "touch" || problems[0].Severity != "info" || problems[0].Key != "sphere[0]" {
		t.Errorf("check --json says %+v, want one touch", problems)
	}
	problems = decodeProblems(t, programtest.Invocation{}.Run("check", "--json", "--overlaps=error", "touching.toml").Stdout)
	if len(problems) != 1 || problems[0].Code != "touch" || problems[0].Severity != "error" {
		t.Errorf("check --json --overlaps=error says %+v, want one touch as an error", problems)
	}
}

// TestCheckCountsOverlapsBeyondTheList checks the line after a shortened list of overlaps, which states how many
// more pairs there are.
func TestCheckCountsOverlapsBeyondTheList(t *testing.T) {
	programtest.InFolder(t, nil)
	for n, want := range map[int]string{
		50: fmt.Sprintf("heap.toml: note: and %d others that overlap or touch\n", 50*49/2-1000),
		// 500 solids have 124,750 pairs.
		500: "heap.toml: note: and more than 99000 others that overlap or touch\n",
	} {
		var heap strings.Builder
		for i := range n {
			fmt.Fprintf(&heap, "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1.%03d\n", i)
		}
		programtest.WriteText(t, "heap.toml", heap.String())
		got := programtest.Invocation{}.Run("check", "heap.toml")
		if n := strings.Count(got.Stdout, "overlaps sphere["); n != 1000 {
			t.Errorf("%d pairs are listed, want %d", n, 1000)
		}
		if !strings.HasSuffix(got.Stdout, want) || got.Stderr != "" {
			t.Errorf("ends with %.100q and says %q, want %q", got.Stdout[max(0, len(got.Stdout)-100):], got.Stderr, want)
		}
		if got := (programtest.Invocation{OutColumns: 80}).Run("check", "--all", "heap.toml"); !strings.HasSuffix(got.Stdout, want) {
			t.Errorf("on a terminal it ends with %q", got.Stdout[max(0, len(got.Stdout)-100):])
		}
		problems := decodeProblems(t, programtest.Invocation{}.Run("check", "--json", "heap.toml").Stdout)
		if last := problems[len(problems)-1]; last.Code != "more-overlaps" {
			t.Errorf("the last in --json is %+v", last)
		}
	}
}

// TestExactlyForTheDecimalsInTheFile checks that overlaps are computed from all decimals in the file or on the
// command line, even if a float64 cannot hold them.
func TestExactlyForTheDecimalsInTheFile(t *testing.T) {
	apart := strings.Replace(touching, "center = [0.6, 0, 0]", "name = \"right\"\ncenter = [0.60000000000000001, 0, 0]", 1)
	long := strings.Replace(apart, "01, 0, 0]", strings.Repeat("1", 400)+", 0, 0]", 1)
	programtest.InFolder(t, map[string]string{"apart.toml": apart, "long.toml": long})
	if got := (programtest.Invocation{}).Run("check", "apart.toml"); got.Status != 0 || got.Stdout != "" {
		t.Errorf("check exits %d: %s", got.Status, got.Stdout)
	}
	const tooLong = "long.toml:10:11: sphere[1].center[0]: must have at most 400 decimal places for exact overlaps, got 0.6"
	if got := (programtest.Invocation{}).Run("check", "long.toml"); got.Status != 2 || !strings.HasPrefix(got.Stdout, tooLong) {
		t.Errorf("check exits %d: %s", got.Status, got.Stdout)
	}
	if got := (programtest.Invocation{}).Run("check", "--overlaps=off", "long.toml"); got.Status != 0 || got.Stdout != "" {
		t.Errorf("check --overlaps=off exits %d: %s", got.Status, got.Stdout)
	}
	for args, want := range map[string]string{
		"explain apart.toml --capsules left,right":                                  "sphere \"left\" and sphere \"right\" are apart\n",
		"explain --capsules 0,0,0,0,0,0,0.1,0.3,0,0,0.3,0,0,0.2":                    "capsule 1 and capsule 2 are touching\n",
		"explain --capsules 0,0,0,0,0,0,0.1,0.30000000000000001,0,0,0.3,1,0,0.2":    "capsule 1 and capsule 2 are apart\n",
		"explain --capsules 0,0,0,0,0,0,0.1,0.3,0,0,0.3,0,0,0.20000000000000000001": "capsule 1 and capsule 2 are overlapping\n",
	} {
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if got.Status != 0 || !strings.Contains(got.Stdout, want) {
			t.Errorf("%s exits %d: %s%.200s, want %s", args, got.Status, got.Stderr, got.Stdout, want)
		}
	}
	got := programtest.Invocation{}.Run("explain", "--capsules", "0,0,0,0,0,0,0.1,0.3,0,0,0.3,0,0,1e-401")
	if got.Status != 2 || !strings.Contains(got.Stderr, "--capsules: a number must have at most 400 decimal places, got \"1e-401\"") {
		t.Errorf("exits %d: %s", got.Status, got.Stderr)
	}
}
