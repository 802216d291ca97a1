package mjcf

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"pillbox/convert/markup"
	"pillbox/convert/model"
	"pillbox/scene"
)

// maxFiles is how many files a model may have. Each may be included once.
const maxFiles = 1000

// includer puts the contents of files in the place of elements that include them.
type includer struct {
	src      model.Source
	main     *markup.Element
	paths    []string // in the model's folder
	names    []string // the same as messages have them
	elements int
}

// expand replaces what is included in e, which is in a file of the given folder.
func (in *includer) expand(e *markup.Element, folder string) error {
	var children []*markup.Element
	for _, c := range e.Children {
		if in.elements++; in.elements > markup.MaxElements {
			return c.Wrong("", scene.CodeTooLarge, "a model must have at most %d elements", markup.MaxElements)
		}
		if c.Name != "include" {
			if err := in.expand(c, folder); err != nil {
				return err
			}
			children = append(children, c)
			continue
		}
		included, err := in.include(c, folder)
		if err != nil {
			return err
		}
		children = append(children, included...)
	}
	e.Children = children
	return nil
}

// include returns what an include element stands for. Its file lies in the folder of the model or, if
// there is none, in that of the file that includes it.
func (in *includer) include(e *markup.Element, folder string) ([]*markup.Element, error) {
	name := filepath.ToSlash(e.Get("file"))
	if name == "" {
		return nil, e.Wrong("file", scene.CodeMissingKey, "is missing")
	}
	wrong := func(format string, args ...any) ([]*markup.Element, error) {
		return nil, e.Wrong("file", scene.CodeUnreadableFile, format, args...)
	}
	var tried error
	for _, file := range [...]string{path.Clean(name), path.Join(folder, name)} {
		if !fs.ValidPath(file) || path.IsAbs(name) || filepath.IsAbs(name) {
			return wrong("must be in the folder of the model or below it")
		}
		if in.src.Folder == nil {
			return wrong("cannot be read here")
		}
		info, err := fs.Stat(in.src.Folder, file)
		if err != nil {
			tried = err
			continue
		}
		switch {
		case !info.Mode().IsRegular():
			return wrong("must be a regular file")
		case in.has(file):
			return wrong("is included already")
		case len(in.paths) == maxFiles:
			return wrong("is one too many: a model has at most %d files", maxFiles)
		}
		return in.open(e, file)
	}
	return wrong("cannot be read: %s", reason(tried))
}

// reason returns why a file cannot be read, without its name.
func reason(err error) string {
	message := err.Error()
	return strings.TrimSpace(message[strings.LastIndex(message, ":")+1:])
}

func (in *includer) has(file string) bool {
	for _, p := range in.paths {
		if p == file {
			return true
		}
	}
	return filepath.ToSlash(filepath.Base(in.src.Name)) == file
}

// open reads a file that is included.
func (in *includer) open(e *markup.Element, file string) ([]*markup.Element, error) {
	f, err := in.src.Folder.Open(file)
	if err != nil {
		return nil, e.Wrong("file", scene.CodeUnreadableFile, "cannot be read: %s", reason(err))
	}
	defer f.Close()
	name := filepath.Join(filepath.Dir(in.src.Name), filepath.FromSlash(file))
	root, err := markup.Parse(name, f)
	if err != nil {
		return nil, err
	}
	in.paths, in.names = append(in.paths, file), append(in.names, name)
	if err := in.expand(root, path.Dir(file)); err != nil {
		return nil, err
	}
	return root.Children, nil
}
