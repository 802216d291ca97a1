package mjcf

import (
	"fmt"
	"path"
	"path/filepath"

	"pillbox/internal/convert/markup"
	"pillbox/problem"
)

// maxModels is the largest nesting depth of attached models.
const maxModels = 8

// attachment is a model whose bodies can be attached. If its file was not found, file is nil, and reason states the
// problem.
type attachment struct {
	file   *file
	reason string
}

// instance is an attached copy of a model.
type instance struct {
	*file
	prefix string  // prepended to names
	copied *copied // the attach element
}

// model reads a file whose bodies can be attached. If the file is not found, the elements that would attach its bodies
// are skipped later.
func (r *reader) model(e *markup.Element, in *includer, depth int) error {
	if depth == maxModels {
		return e.Wrong("", problem.CodeTooDeep, "models must be in each other at most %d deep", maxModels)
	}
	folder := path.Clean(r.src.Dir)
	if from, err := filepath.Rel(filepath.Dir(r.src.Name), filepath.Dir(e.File())); err == nil {
		folder = path.Join(folder, filepath.ToSlash(from))
	}
	name := e.Get("name")
	found, wrong := in.find(e, folder)
	if wrong != nil {
		if name == "" {
			name = stem(e.Get("file"))
		}
		r.models[name] = attachment{reason: fmt.Sprintf("%s %s", wrong.Value, wrong.Message)}
		return nil
	}
	own := &includer{reader: r}
	root, err := own.open(e, found)
	if err != nil {
		return err
	}
	if name == "" {
		name = root.Get("model")
	}
	outer := r.file
	r.file = newFile()
	defer func() { r.file = outer }()
	outer.models[name] = attachment{file: r.file}
	return r.sections(root, own, depth+1)
}

// stem returns the name of a file without folder and extension.
func stem(file string) string {
	base := path.Base(filepath.ToSlash(file))
	return base[:len(base)-len(path.Ext(base))]
}

// attach reads the bodies to which the attach element e refers, as if they were written in place of e. They are a body or
// a frame of another model, or all bodies of that model. If e names no model, the body or frame is in this file.
func (r *reader) attach(e *markup.Element, in context) error {
	from := r.file
	if name, ok := e.Attr("model"); ok {
		model, ok := r.models[name]
		if !ok {
			return e.Wrong("model", problem.CodeUnknownValue, "must be the name of a model in the assets")
		}
		if model.file == nil {
			r.scene.Account.SkipBecause("attached model", model.reason, e.Where())
			return nil
		}
		from = model.file
	}
	outer := r.file
	r.file = from
	defer func() { r.file = outer }()
	in.prefix += e.Get("prefix")
	in.copied = &copied{in.copied, e, 0}
	if in.attached == nil && from != outer {
		in.attached = &instance{from, in.prefix, in.copied}
		r.instances = append(r.instances, in.attached)
	}
	for _, kind := range [...]string{"body", "frame"} {
		name := e.Get(kind)
		if name == "" {
			continue
		}
		found, class, err := from.search(kind, name)
		if err != nil {
			return err
		}
		if found == nil {
			return e.Wrong(kind, problem.CodeUnknownValue, "must be the name of a %s in the model", kind)
		}
		if in.depth++; in.depth > maxDepth {
			return e.Wrong(kind, problem.CodeTooDeep, "elements must nest at most %d deep, with those that are attached", maxDepth)
		}
		return r.element(found, in, class)
	}
	if from == outer {
		return e.Wrong("model", problem.CodeMissingKey, "is missing, and so is body")
	}
	in.class = from.classes.main
	return each(from.root, "worldbody", func(w *markup.Element) error { return r.contents(w, in) })
}

// search returns the first body or frame with the given kind and name, and the default class that applies to it. If the
// file has no such element, found is nil.
func (f *file) search(kind, name string) (found *markup.Element, class *class, err error) {
	for _, c := range f.root.Children {
		if c.Name != "worldbody" {
			continue
		}
		if found, class, err = f.searchIn(c, f.classes.main, kind, name); found != nil || err != nil {
			return found, class, err
		}
	}
	return nil, nil, nil
}

func (f *file) searchIn(e *markup.Element, outer *class, kind, name string) (*markup.Element, *class, error) {
	for _, c := range e.Children {
		if c.Name == kind && c.Get("name") == name {
			return c, outer, nil
		}
		switch c.Name {
		case "body", "frame", "replicate":
		default:
			continue
		}
		class, err := f.classes.of(c, "class", outer)
		if err == nil {
			class, err = f.classes.of(c, "childclass", class)
		}
		if err != nil {
			return nil, nil, err
		}
		if found, class, err := f.searchIn(c, class, kind, name); found != nil || err != nil {
			return found, class, err
		}
	}
	return nil, nil, nil
}
