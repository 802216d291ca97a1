package scene

import (
	"io/fs"
	"os"
)

// Folder returns the file system of a folder and its subfolders, for [WithFiles]. Unlike [os.DirFS], it
// guarantees that neither a name nor a symbolic link leads out of the folder; it never follows a link
// to an absolute path. The folder need not exist until a file is opened.
func Folder(dir string) fs.FS { return folder(dir) }

// folder is the path of a folder, which is opened for each access.
type folder string

func (dir folder) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(dir))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.FS().Open(name)
}

// Stat implements [fs.StatFS]. Callers need it to detect a pipe, because opening one would block.
func (dir folder) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(dir))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return fs.Stat(root.FS(), name)
}
