package golden

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// index is what git's index says about a merge. It is zero outside a work tree, or without git.
type index struct {
	root     string   // of the work tree
	unmerged []string // absolute paths of the files with a merge conflict
}

// readIndex reads the index of the work tree around the current folder.
func readIndex() (x index) {
	root, err := git(".", "rev-parse", "--show-toplevel")
	if err != nil {
		return index{}
	}
	x.root = filepath.FromSlash(strings.TrimRight(string(root), "\r\n"))
	list, err := git(x.root, "ls-files", "--unmerged", "-z")
	if err != nil {
		return index{}
	}
	for entry := range bytes.SplitSeq(list, []byte{0}) {
		// mode, object and stage, a tab, and the path; once for each stage
		if _, name, ok := strings.Cut(string(entry), "\t"); ok {
			x.unmerged = append(x.unmerged, filepath.Join(x.root, filepath.FromSlash(name)))
		}
	}
	return x
}

// git runs git in a folder and returns what it prints.
func git(folder string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-C", folder}, args...)...)
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) && len(failed.Stderr) > 0 {
		err = fmt.Errorf("git: %s", bytes.TrimSpace(failed.Stderr))
	}
	return out, err
}
