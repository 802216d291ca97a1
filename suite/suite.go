// Package suite checks scenes against goldens, the pictures that were accepted of them: it finds
// the references of a project, renders, compares, says which solid or light changed a picture, and
// accepts what is right.
//
// The picture of scenes/NAME.toml is golden/NAME.png. Beside it lie, as far as there are any,
//
//	NAME.scene.toml   the scene as it was when that picture was accepted, byte for byte
//	NAME.scene/       copies of the other files that that scene read
//	NAME.golden.toml  what may differ, and why: see [golden.ParseSidecar]
//	NAME.new.png      what the scene gave when a check found another picture
//	NAME.diff.png     both pictures and their difference, drawn for a review
//
// Where a scene lists times, as in [animation] golden = [0, 1.5], its pictures at these times
// have references of their own, NAME@1.5.png and so on, each with the same files beside it.
//
// [Check] does it all in one call, for a Go test:
//
//	for r, err := range suite.Check(t.Context(), suite.Options{}) {
//		if err != nil {
//			t.Fatal(err)
//		}
//		if !r.Verdict.Passes() {
//			t.Errorf("%v", r)
//		}
//	}
//
// A program takes the steps one by one: [Find] lists references, [Run] judges several at once and
// yields each [Result] in order, and the results' methods explain, propose and accept.
//
// Paths are the system's, relative ones to the working directory. Nothing here prints, exits or
// reads the environment, and nothing writes a file but the methods that take a [WriteFunc] and
// those that say they remove one.
package suite

import (
	"context"
	"image"
	"io"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"pillbox"
	"pillbox/scene"
)

// Options say what is checked, and how. The zero value checks all scenes of the folder scenes/
// against the folder golden/.
type Options struct {
	// Scenes are paths of scene files, names of scenes in scenes/, or names of orphans in golden/.
	// Either may end in a moment, as walk@1.5: then it means no other picture of the scene.
	// Without any these are all scenes in scenes/ and all orphans.
	Scenes []string

	// Golden is the folder of the references. Without it each scene's place decides: golden/ beside
	// the folder scenes/ that holds the scene, or else beside the scene.
	Golden string

	// Render makes the picture of a scene; nil means [pillbox.Render] without options. It is called
	// from several goroutines.
	Render RenderFunc

	// Limit bounds the time for finding causes; nil: there is no bound.
	Limit *Limit
}

// A RenderFunc returns the whole picture that a valid scene asks for, or an error, that of ctx if
// it ended.
type RenderFunc func(ctx context.Context, s *scene.Scene) (*image.NRGBA, error)

// A WriteFunc makes or replaces the named file with what fill writes. If either fails it returns
// the error, and should leave what was there.
type WriteFunc func(name string, fill func(io.Writer) error) error

// A CommandFunc returns the command line that accepts a reference.
type CommandFunc func(*Reference) string

// renderer returns a function that makes the pictures of one scene and of edits of it, on one goroutine at a time.
func (o *Options) renderer() RenderFunc {
	if o.Render != nil {
		return o.Render
	}
	var first *scene.Scene
	var tree *pillbox.Prepared // of the first scene
	return func(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
		var p *pillbox.Prepared
		var err error
		if first != nil && scene.SameSolids(first, s) {
			p, err = tree.Prepare(s, pillbox.Picture{})
		} else {
			p, err = pillbox.Prepare(s, pillbox.Picture{})
		}
		if err != nil {
			return nil, err
		}
		if first == nil {
			first, tree = s, p
		}
		film, err := p.Render(ctx, pillbox.Work{})
		if err != nil {
			return nil, err
		}
		return film.Image, nil
	}
}

// Check judges the references that [Find] finds, studies those that differ, and yields the results
// in that order. A scene, picture or sidecar that cannot be used is a result, with the verdict
// [Failed]; the error that ends the sequence says that references cannot be found or that ctx ended.
// Pictures are let go of before a result is yielded, see [Result.Release].
func Check(ctx context.Context, o Options) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		refs, err := Find(o)
		if err != nil {
			yield(nil, err)
			return
		}
		finish := func(r *Result) {
			r.Study(ctx)
			r.Release()
		}
		for r := range Run(ctx, o, refs, finish) {
			if ctx.Err() != nil {
				yield(nil, context.Cause(ctx))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Run judges references, as many at once as there are processors, calls finish with each result,
// on the goroutine that judged it, and then yields it in the order of the references. Results pile
// up while an earlier one takes long, so finish should end with [Result.Release]. Once ctx has ended,
// results mean nothing. Run has no goroutine left when the loop over it ends.
func Run(ctx context.Context, o Options, refs []Reference, finish func(*Result)) iter.Seq[*Result] {
	o.Limit.begin(len(refs))
	return inOrder(refs, func(ref Reference) *Result {
		r := Judge(ctx, o, ref)
		finish(r)
		return r
	})
}

// inOrder calls f for each of the given values, on as many goroutines as there are
// processors, and yields the results in the order of the values.
func inOrder[V, R any](values []V, f func(V) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		results := make([]chan R, len(values))
		for i := range results {
			results[i] = make(chan R, 1)
		}
		var next atomic.Int64
		var workers sync.WaitGroup
		for range min(len(values), runtime.GOMAXPROCS(0)) {
			workers.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(values); i = int(next.Add(1)) - 1 {
					results[i] <- f(values[i])
				}
			})
		}
		defer workers.Wait()
		defer next.Store(int64(len(values))) // so that no worker begins another
		for _, result := range results {
			if !yield(<-result) {
				return
			}
		}
	}
}
