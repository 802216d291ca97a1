package farm

import (
	"context"
	"image"
	"slices"
	"sync"

	"pillbox"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// sceneCache is a cache of loaded and prepared scenes. Safe for concurrent use.
type sceneCache struct {
	load func(ctx context.Context, hash string) (*scene.Scene, error)
	most int // the largest number of entries

	mu     sync.Mutex
	recent []*entry // in the order of their last use
}

// newSceneCache returns a cache large enough for the given number of goroutines, even if each of them renders a different
// scene; workers = 0 means GOMAXPROCS. The cache does not copy the scenes that load returns: do not modify them.
func newSceneCache(load func(ctx context.Context, hash string) (*scene.Scene, error), workers int) *sceneCache {
	return &sceneCache{load: load, most: 2 * (1 + parallel.Workers(workers))}
}

// moment is the key of an entry: a scene, as loaded or prepared for rendering, with or without a time of its animation.
type moment struct {
	scene    string
	prepared bool
	timed    bool // the scene is as it is at the time below; otherwise its [[animate]] tables have no effect
	time     float64
}

// entry contains a scene, or the error of loading or preparing it, after fill has run.
type entry struct {
	moment
	fill  sync.Once
	scene *scene.Scene
	tree  *pillbox.Prepared // for rendering; nil for a scene as loaded
	err   error
}

// render renders a task with the given number of goroutines; 0 means GOMAXPROCS.
func (w *sceneCache) render(ctx context.Context, t task, workers int) (*pillbox.Film, error) {
	e, err := w.prepared(ctx, t)
	if err != nil {
		return nil, err
	}
	p, err := e.tree.Prepare(t.aim(e.scene), t.picture(t.Region))
	if err != nil {
		return nil, err
	}
	return p.Render(ctx, pillbox.Work{Workers: workers})
}

// prepared returns the entry with the prepared scene of a task.
func (w *sceneCache) prepared(ctx context.Context, t task) (*entry, error) {
	base := w.entry(moment{scene: t.Scene}, func(e *entry) { e.scene, e.err = w.load(ctx, t.Scene) })
	if base.err != nil {
		return nil, base.err
	}
	m := moment{scene: t.Scene, prepared: true}
	if t.Time != nil && base.scene.Moves() {
		m.timed, m.time = true, *t.Time
	} else {
		t.Time = nil
	}
	t.Camera = nil
	e := w.entry(m, func(e *entry) {
		if e.scene, e.err = t.scene(base.scene); e.err == nil {
			e.tree, e.err = pillbox.Prepare(e.scene, pillbox.Picture{})
		}
	})
	return e, e.err
}

// entry returns the entry of a moment. The first caller runs fill; concurrent callers wait for it. An entry with an error
// is removed from the cache.
func (w *sceneCache) entry(m moment, fill func(*entry)) *entry {
	w.mu.Lock()
	e := &entry{moment: m}
	if i := slices.IndexFunc(w.recent, func(e *entry) bool { return e.moment == m }); i >= 0 {
		e = w.recent[i]
		w.recent = slices.Delete(w.recent, i, i+1)
	}
	w.recent = append(w.recent, e)
	if len(w.recent) > w.most {
		w.recent = slices.Delete(w.recent, 0, 1)
	}
	w.mu.Unlock()
	e.fill.Do(func() { fill(e) })
	if e.err != nil {
		w.mu.Lock()
		w.recent = slices.DeleteFunc(w.recent, func(x *entry) bool { return x == e })
		w.mu.Unlock()
	}
	return e
}

// sizeOf returns the number of pixels in a rectangle.
func sizeOf(r image.Rectangle) int { return r.Dx() * r.Dy() }
