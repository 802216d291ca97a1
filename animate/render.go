package animate

import (
	"context"
	"fmt"
	"image"
	"iter"
	"sync"

	"pillbox"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// A RenderFunc renders the frame f, whose Image is nil, with opt and returns the picture. It must be
// safe for concurrent use. If ctx ends, it returns the error of ctx.
type RenderFunc func(ctx context.Context, f Frame, opt pillbox.Options) (*image.NRGBA, error)

// Local is a [RenderFunc] that renders on this machine.
func Local(ctx context.Context, f Frame, opt pillbox.Options) (*image.NRGBA, error) {
	film, err := pillbox.Render(ctx, f.Scene, opt)
	if err != nil {
		return nil, err
	}
	return film.Image, nil
}

// largeFrame is the number of samples from which a single frame keeps all processors busy. Such frames are
// rendered one after another.
const largeFrame = 1 << 20

// atOnce returns how many frames to render concurrently.
func (f *Film) atOnce() int {
	workers := parallel.Workers(f.Options.Workers)
	size, err := f.Size()
	n := max(f.Options.Antialias, f.Scene.Image.Antialias)
	if err != nil || size.X*size.Y*n*n >= largeFrame {
		return 1
	}
	return min(workers, f.Len())
}

// Render calls the function render for each frame, for several frames at a time, and yields the frames with
// their pictures in order. If skip is not nil and returns true for a frame, Render yields this frame
// without a picture.
//
// After an error, Render yields the error as the last value. If ctx ends, this error is the cause
// ([context.Cause]). Render keeps at most one picture per worker in memory. When the loop over the frames
// ends, all goroutines of Render have ended.
func (f *Film) Render(ctx context.Context, render RenderFunc, skip func(i int, s *scene.Scene) bool) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		if err := f.Validate(); err != nil {
			yield(Frame{}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()

		atOnce := f.atOnce()
		opt := f.Options
		opt.Progress, opt.Rows = nil, nil
		if atOnce > 1 {
			opt.Workers = 1
		}
		window := make(chan chan result, atOnce-1) // frames being rendered, in order, except for the next one to yield
		wg.Go(func() {
			defer close(window)
			for i := range f.Len() {
				done := make(chan result, 1)
				select {
				case window <- done:
				case <-ctx.Done():
					return
				}
				wg.Go(func() { done <- f.frame(ctx, i, opt, render, skip) })
			}
		})
		for done := range window {
			r := <-done
			if !yield(r.Frame, r.err) || r.err != nil {
				return
			}
		}
		if err := context.Cause(ctx); err != nil {
			yield(Frame{}, err)
		}
	}
}

// Frame is a frame of a film.
type Frame struct {
	Index int // counted from 0 at the first frame of the film
	Scene *scene.Scene
	Image *image.NRGBA // nil before it is rendered, or if the frame was skipped
}

type result struct {
	Frame
	err error
}

func (f *Film) frame(ctx context.Context, i int, opt pillbox.Options, render RenderFunc, skip func(int, *scene.Scene) bool) result {
	r := result{Frame: Frame{Index: i}}
	if r.err = context.Cause(ctx); r.err != nil {
		return r
	}
	if r.Scene, r.err = f.At(i); r.err != nil || skip != nil && skip(i, r.Scene) {
		return r
	}
	r.Image, r.err = render(ctx, r.Frame, opt)
	if r.err != nil && ctx.Err() == nil && f.validOptions() {
		r.err = fmt.Errorf("at %v s: %w", f.Time(i), r.err)
	}
	return r
}

// validOptions reports whether a scene with the picture of the film's scene, but with nothing that changes with time,
// can be rendered with the film's options. If not, an error in a frame does not depend on the frame's time.
func (f *Film) validOptions() bool {
	still := scene.New()
	still.Image, still.Outline = f.Scene.Image, f.Scene.Outline
	_, err := pillbox.Prepare(still, f.Options.Picture)
	return err == nil
}
