package commands

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/internal/fixture"
)

// TestCommandFiles checks which files grade watches: those that the command names, and those in the same folder
// with the same extension.
func TestCommandFiles(t *testing.T) {
	fixture.Folder(t, map[string]string{"a.py": "", "b.py": "", "c.txt": "", "d/e.js": "", "d/f.js": "", "tool": "", "other": ""})
	for command, want := range map[string][]string{
		"python3 a.py":      {"a.py", "b.py"},
		"node d/e.js c.txt": {"d/e.js", "c.txt", "d/f.js"},
		"./tool":            {"tool"},
		"tool -x":           nil,
		"python3 missing":   nil,
	} {
		got := commandFiles(strings.Fields(command))
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
