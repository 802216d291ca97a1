package conformance

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestSteps checks what a script prints that runs functions beside its steps, if all succeed and if one of them fails.
func TestSteps(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	const begin = `
set -euo pipefail
. scripts/steps
await() { until [ -e "$scratch/$1" ]; do sleep 0.05; done; }
say() { await go; echo 'from beside'; touch "$scratch/said"; }
endless() { say; await never; }
fail() { await go; echo 'no luck'; return 7; }
go() { touch "$scratch/go"; await said; }
`
	for _, c := range []struct {
		name, script string
		fails        bool
		want         []string // in this order; a time is 0:00
	}{
		{"passes", "beside quick say\nstep one\ngo\npassed\n", false,
			[]string{"== quick, beside the next steps", "== one", "== what quick printed\nfrom beside\n", "== all checks passed", "0:00  one\n", "0:00  quick, beside others\n"}},
		{"a step fails", "beside endless endless\nstep one\ngo\nstep two\nfalse\nstep three\n", true,
			[]string{"== one", "== two", "== what endless had printed when it was ended\nfrom beside\n", "== failed: two", "0:00  one\n", "0:00  two\n"}},
		{"a function fails", "beside endless endless\nbeside bad fail\nstep one\ngo\nwhile kill -0 ${besides[1]%% *} 2>/dev/null; do sleep 0.05; done\nstep two\npassed\n", true,
			[]string{"== one", "== what bad printed\nno luck\n", "== what endless had printed when it was ended\nfrom beside\n", "== failed: bad", "0:00  one\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			cmd := exec.Command(bash, "-c", begin+c.script)
			cmd.Env = append(os.Environ(), "TMPDIR="+folder)
			out, err := cmd.CombinedOutput()
			if (err != nil) != c.fails {
				t.Errorf("the script ended with %v", err)
			}
			rest := regexp.MustCompile(`\d+:\d\d`).ReplaceAllString(string(out), "0:00")
			for _, want := range c.want {
				before, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("no %q after the former in:\n%s", want, out)
				}
				if rest = after; strings.Contains(before, "three") {
					t.Errorf("the script went on after its failure:\n%s", out)
				}
			}
			if left, _ := os.ReadDir(folder); len(left) != 0 {
				t.Errorf("the script left %v", left)
			}
		})
	}
}
