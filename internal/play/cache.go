package play

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"slices"
	"sync"

	"pillbox"
	"pillbox/internal/follow"
	"pillbox/problem"
	"pillbox/scene"
)

// sceneRequest contains the fields of every request about a scene.
type sceneRequest struct {
	Text      string  `json:"text"`
	File      bool    `json:"file"`
	Time      float64 `json:"time"`
	Width     int     `json:"width"`
	Height    int     `json:"height"`
	Antialias int     `json:"antialias"`
}

// document is the text of a scene and the scene decoded from it.
type document struct {
	key    [sha256.Size]byte
	name   string
	isFile bool // the text is that of the served file
	text   *sceneText

	mu       sync.Mutex // guards the fields below; held while the text is decoded
	isRead   bool
	scene    *scene.Scene // nil: it is invalid
	problems problem.Errors
	moments  []*moment // the most recently used last
}

// moment is a scene as it is at one time of its animation, prepared for tracing.
type moment struct {
	time  float64
	scene *scene.Scene
	tree  *pillbox.Prepared // of the scene at its own size; pictures of other sizes share its acceleration structure
}

// maxDocuments and maxMoments limit the cache: to the scenes of a few browser tabs, and to the times of one scene that a
// page requests at once.
const (
	maxDocuments = 8
	maxMoments   = 3
)

// cache keeps the most recently used documents.
type cache struct {
	mu        sync.Mutex
	documents []*document // the most recently used last
	most      int         // largest number of solids, counted once for each moment; the latest document may exceed it
}

// document returns the document for a text. It takes the document with the same identity from the cache, or makes a new
// one.
func (c *cache) document(identity, name, text string, isFile bool) *document {
	key := sha256.Sum256([]byte(identity))
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.documents, func(d *document) bool { return d.key == key })
	if i < 0 {
		d := &document{key: key, name: name, isFile: isFile, text: newText(text)}
		c.documents = append(c.documents, d)
		if len(c.documents) > maxDocuments {
			c.documents = slices.Delete(c.documents, 0, 1)
		}
		return d
	}
	d := c.documents[i]
	c.documents = append(slices.Delete(c.documents, i, i+1), d)
	return d
}

// limit drops documents, the least recently used first, until the number of solids is within the limit. It keeps the
// latest document, which has the given number of solids.
func (c *cache) limit(latest *document, solids int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := maxMoments * solids
	for i := len(c.documents) - 1; i >= 0; i-- {
		d := c.documents[i]
		if d == latest || !d.mu.TryLock() {
			continue // in use; it is counted at the next call
		}
		if d.scene != nil {
			sum += len(d.moments) * d.scene.Objects.Len()
		}
		d.mu.Unlock()
		if sum > c.most {
			c.documents = slices.Delete(c.documents, 0, i+1)
			return
		}
	}
}

// read returns the document of a request, decoded.
func (e *Engine) read(r *sceneRequest) (*document, error) {
	return e.readText(r.Text, r.File)
}

// readAs returns the document for another text. Like the text of d, the other text is or is not that of the served
// file.
func (e *Engine) readAs(d *document, text string) (*document, error) {
	return e.readText(text, d.isFile)
}

func (e *Engine) readText(text string, isFile bool) (*document, error) {
	name, state, files := pageName, "", fs.FS(nil)
	if isFile {
		if e.File == nil {
			return nil, refused("no file is served")
		}
		f := e.File.State()
		name, state, files = f.Name, fmt.Sprint(f.Version, f.Files), e.File.Files()
	}
	d := e.cache.document(fmt.Sprintf("%t %q %s %s", isFile, name, state, text), name, text, isFile)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.isRead {
		return d, nil
	}
	s, err := scene.Decode(name, []byte(text), scene.WithFiles(files), scene.WithMaxPlaced(e.Limits.Solids))
	var problems problem.Errors
	switch {
	case errors.As(err, &problems):
		d.problems = problems
	case err != nil:
		return nil, err
	default:
		d.scene, d.problems = s, s.Warnings
		e.cache.limit(d, s.Objects.Len())
	}
	d.isRead = true
	return d, nil
}

// valid returns an error if the scene of a document is invalid or too large.
func (e *Engine) valid(d *document) error {
	if d.scene == nil {
		f := refused("the scene has errors: %v", d.problems[0])
		f.Problems = d.describe(d.problems)
		return f
	}
	return e.limitSolids(d.scene)
}

// moment returns a document's scene as it is after the given number of seconds, prepared for rendering.
func (e *Engine) moment(d *document, seconds float64) (*moment, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.scene.Moves() {
		seconds = 0
	}
	if i := slices.IndexFunc(d.moments, func(m *moment) bool { return m.time == seconds }); i >= 0 {
		m := d.moments[i]
		d.moments = append(slices.Delete(d.moments, i, i+1), m)
		return m, nil
	}
	s, err := d.scene.At(seconds)
	var problems problem.Errors
	if errors.As(err, &problems) {
		f := refused("at %g seconds the scene has errors: %v", seconds, problems[0])
		f.Problems = d.describe(problems)
		return nil, f
	}
	if err != nil {
		return nil, refused("%v", err)
	}
	tree, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		return nil, refused("%v", err)
	}
	m := &moment{seconds, s, tree}
	if d.moments = append(d.moments, m); len(d.moments) > maxMoments {
		d.moments = slices.Delete(d.moments, 0, 1)
	}
	return m, nil
}

// picture is a document at a moment, with the size and antialiasing of a picture.
type picture struct {
	*document
	*moment
	size      image.Point
	antialias int
}

// picture returns the picture that a request is about.
func (e *Engine) picture(ctx context.Context, r *sceneRequest) (*picture, error) {
	d, err := e.read(r)
	if err != nil {
		return nil, err
	}
	if err := e.valid(d); err != nil {
		return nil, err
	}
	p := &picture{document: d, antialias: r.Antialias}
	if p.antialias == 0 {
		p.antialias = d.scene.Image.Antialias
	}
	opt := pillbox.Options{Picture: pillbox.Picture{Size: image.Pt(r.Width, r.Height)}}
	if p.size, err = opt.SizeOf(d.scene); err != nil {
		return nil, refused("%v", err)
	}
	if err := e.limitSize(p.size, p.antialias); err != nil {
		return nil, err
	}
	if p.moment, err = e.moment(d, r.Time); err != nil {
		return nil, err
	}
	return p, context.Cause(ctx)
}

// limitSize returns an error if a picture is too large.
func (e *Engine) limitSize(size image.Point, antialias int) error {
	pixels := size.X * size.Y
	switch {
	case antialias < 1 || antialias > scene.MaxAntialias:
		return refused("antialias must lie between 1 and %d, got %d", scene.MaxAntialias, antialias)
	case pixels > e.Limits.Pixels:
		return refused("a picture must have at most %d pixels here, got %d x %d", e.Limits.Pixels, size.X, size.Y)
	case pixels*antialias*antialias > e.Limits.Samples:
		return refused("a picture must have at most %d samples here, got %d x %d with %d x %d each", e.Limits.Samples, size.X, size.Y, antialias, antialias)
	}
	return nil
}

// prepare prepares the picture.
func (p *picture) prepare() (*pillbox.Prepared, error) {
	return p.moment.prepare(pillbox.Picture{Size: p.size, Antialias: p.antialias})
}

// prepare prepares a picture of the scene at this moment.
func (m *moment) prepare(pic pillbox.Picture) (*pillbox.Prepared, error) {
	p, err := m.tree.Prepare(m.scene, pic)
	if err != nil {
		return nil, refused("%v", err)
	}
	return p, nil
}

// trace prepares the picture for single rays.
func (p *picture) trace() (*follow.Prepared, error) {
	prepared, err := p.prepare()
	if err != nil {
		return nil, err
	}
	return follow.Of(prepared), nil
}
