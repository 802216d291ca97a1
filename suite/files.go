package suite

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/internal/osfile"
)

// isEqual reports whether two sets of files have the same names and contents.
func isEqual(a, b osfile.Memory) bool { return maps.EqualFunc(a, b, bytes.Equal) }

// names returns the names of files, sorted.
func names(files osfile.Memory) []string { return slices.Sorted(maps.Keys(files)) }

// sumOf returns a hash of a scene's file and of the other files that it reads.
func sumOf(source []byte, files osfile.Memory) (sum [sha256.Size]byte) {
	h := sha256.New()
	add := func(data []byte) {
		part := sha256.Sum256(data)
		h.Write(part[:])
	}
	add(source)
	for _, name := range names(files) {
		add([]byte(name))
		add(files[name])
	}
	h.Sum(sum[:0])
	return sum
}

// checkOtherFiles returns an error if a file that the scene reads lies where the files of its reference are kept:
// Accept or Tidy would replace or remove it.
func (r *Result) checkOtherFiles() error {
	const remedy = "move it, or keep the goldens in another folder"
	for _, file := range append(r.OtherFiles, r.Scene) {
		if r.HoldsCopy(file) {
			return fmt.Errorf("%s lies in %s, which is for copies of accepted files; %s", file, r.Copies(), remedy)
		}
		for _, own := range r.Files() {
			if osfile.Same(file, own) {
				return fmt.Errorf("%s has the name of a file that belongs to the golden; %s", file, remedy)
			}
		}
	}
	return nil
}

// Owns reports whether a path is that of a file of the golden, or contains a file that its accepted scene reads.
func (r *Reference) Owns(file string) bool {
	for _, own := range r.Files() {
		if isSamePath(file, own) {
			return true
		}
	}
	if sum, ok := strings.CutSuffix(filepath.Base(file), contentExtension); ok && isSamePath(filepath.Dir(file), r.contents()) {
		return r.listedSums()[sum]
	}
	_, ok := osfile.Within(r.Copies(), file)
	return ok
}

// HoldsCopy reports whether an existing file lies in the folder of copies or below it, also if its path leads there
// through a link. Only accepting may write in that folder.
func (r *Reference) HoldsCopy(file string) bool {
	there, err := os.Stat(r.Copies())
	if err != nil {
		return false
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return false
	}
	if file, err = filepath.Abs(file); err != nil {
		return false
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if above, err := os.Stat(dir); err == nil && os.SameFile(above, there) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// Leftovers returns the paths of the unfinished files in the folders of the goldens. A process that was killed leaves such
// files; a process that writes a golden at the same time has some as well.
func Leftovers(refs []Reference) []string {
	var folders []string
	for i := range refs {
		folders = append(folders, refs[i].folder(), refs[i].contents())
	}
	return osfile.Leftovers(folders...)
}
