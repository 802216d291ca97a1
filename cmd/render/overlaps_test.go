package main

import (
	"fmt"
	"strings"
	"testing"
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
	inFolder(t, map[string]string{"touching.toml": touching, "small.toml": small, "wrong.toml": wrong})
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
		got := invocation{}.run(strings.Fields(test.args)...)
		if got.status != test.status || got.stdout != test.stdout {
			t.Errorf("render %s exits %d and says %q, want %d and %q", test.args, got.status, got.stdout, test.status, test.stdout)
		}
	}
	if got := (invocation{}).run("check", "--overlaps=error", "touching.toml", "wrong.toml").status; got != 2 {
		t.Errorf("with a wrong scene check exits %d, want 2", got)
	}
	if got := (invocation{}).run("check", "--overlaps=maybe", "touching.toml"); got.status != 2 || !strings.Contains(got.stderr, "--overlaps: must be info, error or off") {
		t.Errorf("check --overlaps=maybe exits %d: %s", got.status, got.stderr)
	}
	problems := decodeProblems(t, invocation{}.run("check", "--json", "touching.toml").stdout)
	if len(problems) != 1 || problems[0].Code != "touch" || problems[0].Severity != "info" || problems[0].Key != "sphere[0]" {
		t.Errorf("check --json says %+v, want one touch", problems)
	}
	problems = decodeProblems(t, invocation{}.run("check", "--json", "--overlaps=error", "touching.toml").stdout)
	if len(problems) != 1 || problems[0].Code != "touch" || problems[0].Severity != "error" {
		t.Errorf("check --json --overlaps=error says %+v, want one touch as an error", problems)
	}
}

// TestCheckCountsOverlapsBeyondTheList checks the line after a shortened list of overlaps, which states how many
// more pairs there are.
func TestCheckCountsOverlapsBeyondTheList(t *testing.T) {
	inFolder(t, nil)
	for n, want := range map[int]string{
		50: fmt.Sprintf("heap.toml: note: and %d others that overlap or touch\n", 50*49/2-mostOverlaps),
		// 500 solids have 124,750 pairs.
		500: "heap.toml: note: and more than 99000 others that overlap or touch\n",
	} {
		var heap strings.Builder
		for i := range n {
			fmt.Fprintf(&heap, "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1.%03d\n", i)
		}
		writeText(t, "heap.toml", heap.String())
		got := invocation{}.run("check", "heap.toml")
		if n := strings.Count(got.stdout, "overlaps sphere["); n != mostOverlaps {
			t.Errorf("%d pairs are listed, want %d", n, mostOverlaps)
		}
		if !strings.HasSuffix(got.stdout, want) || got.stderr != "" {
			t.Errorf("ends with %.100q and says %q, want %q", got.stdout[max(0, len(got.stdout)-100):], got.stderr, want)
		}
		if got := (invocation{outColumns: 80}).run("check", "--all", "heap.toml"); !strings.HasSuffix(got.stdout, want) {
			t.Errorf("on a terminal it ends with %q", got.stdout[max(0, len(got.stdout)-100):])
		}
		problems := decodeProblems(t, invocation{}.run("check", "--json", "heap.toml").stdout)
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
	inFolder(t, map[string]string{"apart.toml": apart, "long.toml": long})
	if got := (invocation{}).run("check", "apart.toml"); got.status != 0 || got.stdout != "" {
		t.Errorf("check exits %d: %s", got.status, got.stdout)
	}
	const tooLong = "long.toml:10:11: sphere[1].center[0]: must have at most 400 decimal places for exact overlaps, got 0.6"
	if got := (invocation{}).run("check", "long.toml"); got.status != 2 || !strings.HasPrefix(got.stdout, tooLong) {
		t.Errorf("check exits %d: %s", got.status, got.stdout)
	}
	if got := (invocation{}).run("check", "--overlaps=off", "long.toml"); got.status != 0 || got.stdout != "" {
		t.Errorf("check --overlaps=off exits %d: %s", got.status, got.stdout)
	}
	for args, want := range map[string]string{
		"explain apart.toml --capsules left,right":                                  "sphere \"left\" and sphere \"right\" are apart\n",
		"explain --capsules 0,0,0,0,0,0,0.1,0.3,0,0,0.3,0,0,0.2":                    "capsule 1 and capsule 2 are touching\n",
		"explain --capsules 0,0,0,0,0,0,0.1,0.30000000000000001,0,0,0.3,1,0,0.2":    "capsule 1 and capsule 2 are apart\n",
		"explain --capsules 0,0,0,0,0,0,0.1,0.3,0,0,0.3,0,0,0.20000000000000000001": "capsule 1 and capsule 2 are overlapping\n",
	} {
		got := invocation{}.run(strings.Fields(args)...)
		if got.status != 0 || !strings.Contains(got.stdout, want) {
			t.Errorf("%s exits %d: %s%.200s, want %s", args, got.status, got.stderr, got.stdout, want)
		}
	}
	got := invocation{}.run("explain", "--capsules", "0,0,0,0,0,0,0.1,0.3,0,0,0.3,0,0,1e-401")
	if got.status != 2 || !strings.Contains(got.stderr, "--capsules: a number must have at most 400 decimal places, got \"1e-401\"") {
		t.Errorf("exits %d: %s", got.status, got.stderr)
	}
}
