package main

import (
	"strings"
	"testing"

	"pillbox/internal/fixture"
)

// TestCheck checks a module with an error that only 32-bit systems have, in a test, and one that only Windows has.
func TestCheck(t *testing.T) {
	fixture.Folder(t, map[string]string{
		"go.mod":           "module example\n\ngo 1.26\n",
		"x.go":             "package example\n\nimport \"example/low\"\n\nfunc F() int { return low.F() }\n",
		"x_test.go":        "package example\n\nvar big = F() + 1<<40\n",
		"low/f_unix.go":    "//go:build !windows\n\npackage low\n\nfunc F() int { return 1 }\n",
		"low/f_windows.go": "package low\n\nfunc F() int { return \"one\" }\n",
	})
	for target, want := range map[string]string{
		"linux/386":     "x_test.go:3:17: 1 << 40 (untyped int constant 1099511627776) overflows int",
		"windows/amd64": `f_windows.go:3:23: cannot use "one" (untyped string constant) as int value in return statement`,
		"windows":       "must be a system and a processor, such as windows/amd64",
	} {
		if err := check(target); err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want only %q", target, err, want)
		}
	}
}
