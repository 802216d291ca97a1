package scene

import (
	"io/fs"
	"os"
)

// Folder returns the files in a folder of the operating system and below, for [WithFiles]. Neither
// a name nor a symbolic link leads out of it, which [os.DirFS] does not promise; a link to an
// absolute path is never followed. The folder need not exist until a file is opened.
func Folder(dir string) fs.FS { return folder(dir) }

// folder is a folder that is not open.
type folder string

func (dir folder) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(dir))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.FS().Open(name)
}

// Stat lets callers recognize a pipe, which cannot be opened without waiting.
func (dir folder) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(dir))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return fs.Stat(root.FS(), name)
}
