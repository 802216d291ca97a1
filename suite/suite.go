// Package suite checks scenes against goldens, which are their accepted pictures. It finds the
// references of a project, renders and compares them, reports which edit of the scene changed a
// picture, and accepts new pictures.
//
// The accepted picture of scenes/NAME.toml is golden/NAME.png. These files may lie beside it:
//
//	NAME.scene.toml   the scene as it was when that picture was accepted, byte for byte
//	NAME.scene.files  the other files that the scene read then, with the sums of their contents
//	NAME.golden.toml  which differences are accepted, and why: see [golden.ParseSidecar]
//	NAME.new.png      the picture that a check rendered, if it differs
//	NAME.diff.png     both pictures and their difference, drawn for a review
//
// The folder files beside them contains the contents of such files, compressed, each once for all scenes. Earlier
// versions of this program kept copies in a folder NAME.scene for each scene; they can still be read, and accepting
// replaces them.
//
// Where a scene lists times, as in [animation] golden = [0, 1.5], its pictures at these times
// have references of their own, NAME@1.5.png and so on, each with the same files beside it.
//
// A Go test calls [Assert], which reports what 'render golden check' prints:
//
//	suite.Assert(t, suite.Options{})
//
// [Check] finds, judges and explains in one call. A program that needs more control calls the steps itself: [Find] lists references, [Run] judges several at once and
// yields each [Result] in order, and the results' methods explain, propose and accept.
//
// Paths are those of the operating system; relative ones start at the working directory. Nothing here
// prints, exits or reads the environment. Only [Assert] and methods that take a [WriteFunc] write files, and
// only methods documented to remove files remove any.
package suite

import (
	"context"
	"image"
	"io"
	"iter"
	"sync"
	"sync/atomic"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// Options select what is checked, and how. The zero value checks all scenes in scenes/ against the goldens in golden/.
type Options struct {
	// Scenes are paths of scene files, names of scenes in scenes/, names of orphans in golden/, or paths of folders. The
	// name pkg/box is that of pkg/scenes/box.toml, and box suffices if no other scene below the current folder has this
	// name. An entry may end in a moment, such as walk@1.5, to select only the scene's picture at that time. A folder
	// stands for all scenes in it and below. If Scenes is empty, all scenes in scenes/ and all orphans are checked.
	Scenes []string

	// All selects all scenes and orphans in the current folder and below. Scenes must be empty then.
	All bool

	// Golden is the folder of the references. If it is empty, the folder depends on the scene: the one that a file
	// golden.toml names, or golden/ next to the folder scenes/ that contains the scene, or else next to the scene.
	Golden string

	// Render renders a scene; nil means [figure.Render] without options. It is called from several goroutines.
	Render RenderFunc

	// Limit bounds the time for finding causes; nil means no bound.
	Limit *Limit

	checked *contentCache // nil if stored contents must be read for each result
	gone    *gonePictures // nil if pictures without scenes must be read for each result
}

// A RenderFunc renders a valid scene at its full size. If ctx ends, it returns the error of ctx.
type RenderFunc func(ctx context.Context, s *scene.Scene) (*image.NRGBA, error)

// A WriteFunc creates or replaces the named file with what fill writes. If fill or writing fails, it
// returns the error and should keep the old file.
type WriteFunc func(name string, fill func(io.Writer) error) error

// A PathFunc returns the path of a file as another program expects it, such as relative to the root of a repository.
type PathFunc func(name string) string

// A CommandFunc returns the command line that accepts a reference.
type CommandFunc func(*Reference) string

// renderer returns a function that renders one scene and edits of it. The function reuses the first scene's
// acceleration structure where the solids are the same. It must not be called concurrently.
func (o *Options) renderer() RenderFunc {
	if o.Render != nil {
		return o.Render
	}
	var first *scene.Scene
	var tree *pillbox.Prepared // the first scene, prepared
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
		film, err := figure.RenderPrepared(ctx, p, pillbox.Work{})
		if err != nil {
			return nil, err
		}
		return film.Image, nil
	}
}

// Check judges the references that [Find] finds, studies those that differ, and yields the results in the order of
// Find. A scene, picture or sidecar that cannot be used yields a result with the verdict [Failed]. The sequence ends
// with an error if references cannot be found or ctx ends. Each result is released before it is yielded, see
// [Result.Release].
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

// Run judges references, as many at once as there are processors. It calls finish with each result, on
// the goroutine that judged it, and then yields it in the order of the references. Results wait in
// memory for earlier ones to finish, so finish should end with [Result.Release]. After ctx has ended,
// the results are meaningless. When the loop over Run ends, the goroutines of Run have ended.
func Run(ctx context.Context, o Options, refs []Reference, finish func(*Result)) iter.Seq[*Result] {
	o.Limit.begin(len(refs))
	o.checked, o.gone = new(contentCache), new(gonePictures)
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
		for range min(len(values), parallel.Workers(0)) {
			workers.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(values); i = int(next.Add(1)) - 1 {
					results[i] <- f(values[i])
				}
			})
		}
		defer workers.Wait()
		defer next.Store(int64(len(values))) // no worker begins another value
		for _, result := range results {
			if !yield(<-result) {
				return
			}
		}
	}
}
