package mjcf

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/internal/convert/markup"
	"pillbox/problem"
)

// maxFiles is the largest number of files of a model.
const maxFiles = 1000

// includer replaces include elements by the contents of files. A model may include each file once.
type includer struct {
	reader *reader
	paths  []string // of included files, in the source's Folder
}

// expand replaces the include elements in e. folder is the folder of the file that contains e.
func (in *includer) expand(e *markup.Element, folder string) error {
	var children []*markup.Element
	for _, c := range e.Children {
		if in.reader.parts++; in.reader.parts > markup.MaxElements {
			return c.Wrong("", problem.CodeTooLarge, "a model must have at most %d elements", markup.MaxElements)
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

// include returns the elements that replace an include element.
func (in *includer) include(e *markup.Element, folder string) ([]*markup.Element, error) {
	name, wrong := in.find(e, folder)
	switch {
	case wrong != nil:
		return nil, wrong
	case slices.Contains(in.paths, name) || name == in.reader.ownPath():
		return nil, e.Wrong("file", problem.CodeUnreadableFile, "is included already")
	}
	in.paths = append(in.paths, name)
	root, err := in.open(e, name)
	if err != nil {
		return nil, err
	}
	return root.Children, nil
}

// ownPath returns the path of the model's file in the source's Folder.
func (r *reader) ownPath() string {
	return path.Join(r.src.Dir, filepath.ToSlash(filepath.Base(r.src.Name)))
}

// find returns the path, in the source's Folder, of the file to which an element refers. The reference is relative to
// the folder of the model or, if that names no file that can be read, to the folder of the referring file.
func (in *includer) find(e *markup.Element, folder string) (string, *problem.Error) {
	name := filepath.ToSlash(e.Get("file"))
	if name == "" {
		return "", e.Wrong("file", problem.CodeMissingKey, "is missing")
	}
	if inside := in.reader.src.Absolute(name); inside != nil {
		if why := in.check(inside[0], false); why != "" {
			return "", e.Wrong("file", problem.CodeUnreadableFile, "%s", why)
		}
		return inside[0], nil
	}
	isAbsolute := path.IsAbs(name) || filepath.IsAbs(name)
	var why string
	for _, file := range [...]string{path.Join(in.reader.src.Dir, name), path.Join(folder, name)} {
		if why = in.check(file, isAbsolute); why == "" {
			return file, nil
		}
	}
	return "", e.Wrong("file", problem.CodeUnreadableFile, "%s", why)
}

// check returns why a file cannot be included, or "" if it can. The file is a path in the source's Folder, made from an
// absolute or a relative reference.
func (in *includer) check(file string, isAbsolute bool) string {
	src := &in.reader.src
	switch {
	case fs.ValidPath(file) && !isAbsolute:
	case !src.HasRoot():
		return "must be in the folder of the model or below it; --root DIR allows another folder"
	case isAbsolute:
		return "must be relative to the folder of the model"
	default:
		return "must be in the folder of --root or below it"
	}
	if src.Folder == nil {
		return "cannot be read here"
	}
	info, err := fs.Stat(src.Folder, file)
	switch {
	case err != nil:
		return "cannot be read: " + reason(err)
	case !info.Mode().IsRegular():
		return "must be a regular file"
	case len(in.reader.scene.Files) == maxFiles:
		return fmt.Sprintf("is one too many: a model has at most %d files", maxFiles)
	}
	return ""
}

// reason returns the text of an error of reading a file, without the file's name.
func reason(err error) string {
	message := err.Error()
	return strings.TrimSpace(message[strings.LastIndex(message, ":")+1:])
}

// open reads and parses a file that an element names.
func (in *includer) open(e *markup.Element, file string) (*markup.Element, error) {
	f, err := in.reader.src.Folder.Open(file)
	if err != nil {
		return nil, e.Wrong("file", problem.CodeUnreadableFile, "cannot be read: %s", reason(err))
	}
	defer f.Close()
	name, err := filepath.Rel(filepath.FromSlash(path.Clean(in.reader.src.Dir)), filepath.FromSlash(file))
	if err != nil {
		return nil, e.Wrong("file", problem.CodeUnreadableFile, "cannot be read: %s", reason(err))
	}
	name = filepath.Join(filepath.Dir(in.reader.src.Name), name)
	root, err := markup.Parse(name, f)
	if err != nil {
		return nil, err
	}
	in.reader.scene.Files = append(in.reader.scene.Files, name)
	return root, in.expand(root, path.Dir(file))
}
