package osfile

import (
	"os"
	"path/filepath"
)

// InWorkTree returns the path of a file relative to the root of its git work tree, with slashes, as git lists it. Links
// are followed where they lead into a work tree. ok is false if the file is in no work tree. The file need not exist.
func InWorkTree(name string) (rel string, ok bool) {
	for _, path := range locations(name) {
		for root := filepath.Dir(path); ; root = filepath.Dir(root) {
			if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil { // a file in submodules and linked work trees
				return Within(root, path)
			}
			if root == filepath.Dir(root) {
				break
			}
		}
	}
	return "", false
}

// Within returns the path of a file relative to a folder, with slashes. ok is false if the folder does not contain it.
func Within(folder, name string) (rel string, ok bool) {
	for _, root := range locations(folder) {
		for _, path := range locations(name) {
			rel, err := filepath.Rel(root, path)
			if err == nil && filepath.IsLocal(rel) {
				return filepath.ToSlash(rel), true
			}
		}
	}
	return "", false
}

// locations returns the absolute paths of a file: first without links, if that can be found out, then as it is named.
func locations(name string) (paths []string) {
	named, err := filepath.Abs(name)
	if err != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(named); err == nil {
		paths = append(paths, real)
	} else if folder, err := filepath.EvalSymlinks(filepath.Dir(named)); err == nil {
		paths = append(paths, filepath.Join(folder, filepath.Base(named)))
	}
	return append(paths, named)
}
