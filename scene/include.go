package scene

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"pillbox/internal/keytable"
	"pillbox/problem"
)

// source is a TOML file: the scene's own, or one that it includes.
type source struct {
	*keytable.Report
	folder string // in loader.files, to which the paths of its bulk tables are relative
	raw    rawFile
}

// include reads the files of the key include, which hold parts and materials.
func (l *loader) include(v any) {
	t := l.Table("")
	list, ok := v.([]any)
	if v != nil && !ok {
		t.Wrong("include", problem.CodeWrongType, "must be an array of file names")
	}
	included := make(map[string]bool)
	for i, v := range list {
		key := t.Report.Element("include", i).Key("")
		if name, isText := v.(string); isText && included[path.Clean(name)] {
			t.Wrong(key, problem.CodeDuplicateName, "is included already")
			continue
		}
		file, content, ok := l.open(t, key, ".", v)
		var data []byte
		if ok {
			data, ok = readContent(t, key, content)
		}
		if !ok {
			l.lacksInclude = true
			continue
		}
		included[file.Path] = true
		l.included(file, data)
	}
}

// readContent reads and closes the file that a key names. It reports an error if that fails.
func readContent(t keytable.Table, key string, content fs.File) (data []byte, ok bool) {
	data, err := Read(content)
	if err = errors.Join(err, content.Close()); err != nil {
		reportUnreadable(t, key, err)
	}
	return data, err == nil
}

// included reads an included file.
func (l *loader) included(file File, data []byte) {
	src, root := l.parseIncluded(file, data)
	for _, key := range foreignKeys(root) {
		src.Table("").WrongKey(key, problem.CodeNotIncludable, "not allowed in an included file: only [part], [material] and [theme] tables are")
		delete(root, key)
	}
	l.readIncluded(src, root)
}

// foreignKeys returns the keys of a scene that included files must not have.
func foreignKeys(root map[string]any) []string {
	allowed := includedKeys().Names()
	return slices.DeleteFunc(fileKeys().Names(), func(key string) bool {
		_, there := root[key]
		return !there || slices.Contains(allowed, key)
	})
}

// parseIncluded parses an included file. The root is nil if it cannot be read.
func (l *loader) parseIncluded(file File, data []byte) (src *source, root map[string]any) {
	src = &source{Report: &keytable.Report{File: file.Name, Speller: l.Speller}, folder: path.Dir(file.Path)}
	l.sources = append(l.sources, src)
	root = parseFile(src.Report, data)
	l.progress.addBytes(int64(len(data)), int64(len(data)))
	if src.Huge != nil {
		src.Report.Add(src.Huge)
		root = nil
	}
	l.lacksInclude = l.lacksInclude || src.LacksNames || root == nil
	return src, root
}

// readIncluded reads the root of an included file. Its parts and materials are read later.
func (l *loader) readIncluded(src *source, root map[string]any) {
	if root == nil {
		return
	}
	t := src.Table("")
	src.raw, _, _ = includedKeys().Read(t, root)
	reportFormat(t, src.raw.format)
}

// File is a file that a scene refers to: an included file or a bulk file.
type File struct {
	Path string // relative to the scene's folder, with slashes
	Name string // the path in messages, which begins with the folder of the scene's name
}

// file returns the File with a path relative to the scene's folder.
func (l *loader) file(name string) File {
	name = path.Clean(name)
	return File{Path: name, Name: filepath.Join(filepath.Dir(l.scene.Name), filepath.FromSlash(name))}
}
