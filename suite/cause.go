package suite

import (
	"context"
	"errors"
	"image"
	"path/filepath"

	"pillbox/golden"
	"pillbox/internal/regress"
	"pillbox/scene"
)

// Study determines how the accepted and the present picture differ: which annotations, how visibly, and
// which edits of the scene caused it. It sets r.Annotations, r.FLIP, r.Why and r.Origin. It does nothing if the
// pictures do not differ. If it fails, the verdict becomes [Failed]. Study takes longer than the
// comparison itself. Call it before [Result.Release].
func (r *Result) Study(ctx context.Context) {
	if !r.differs() {
		return
	}
	var err error
	r.limit.measure(func() {
		if r.Verdict != Tolerated || r.Diff.Differing > 0 {
			r.compareAnnotations(ctx)
		}
		err = r.measureFLIP(ctx)
	})
	if err == nil {
		err = r.explain(ctx)
	}
	if err != nil {
		r.SetFailed(err)
		return
	}
	r.trust() // explain may have found damage
}

// measureFLIP computes how visible the difference is, unless this takes too long.
func (r *Result) measureFLIP(ctx context.Context) error {
	if r.Diff.Got != r.Diff.Want {
		return nil
	}
	flip, err := golden.CompareFLIPContext(ctx, r.Got, r.Want, r.Diff.Tolerance.Masks...)
	if errors.Is(err, golden.ErrFLIPTooLarge) {
		return nil
	}
	if err != nil {
		return err
	}
	r.FLIP = &flip
	return nil
}

// explain finds out which edits made the pictures differ. It does nothing if the accepted scene is not known.
func (r *Result) explain(ctx context.Context) error {
	if r.before == nil {
		return nil
	}
	if size := image.Pt(r.before.Image.Width, r.before.Image.Height); size != r.Diff.Want {
		r.foreign(r.twin(ctx))
		return nil // the edits lead from another scene to this one
	}
	diff := r.Diff
	if r.Verdict == Tolerated {
		// Tolerated differences do not count as changed pixels, but their cause is reported as well.
		var err error
		diff, err = golden.Compare(r.Got, r.Want, golden.Tolerance{Masks: diff.Tolerance.Masks})
		if err != nil {
			return err
		}
	}
	c := regress.Comparison{Want: r.Want, Got: r.Got, Diff: diff, At: (*float64)(r.At), Render: r.renderInTime}
	accepted := regress.Version{Name: r.Scene, Text: r.acceptedSource, Files: r.acceptedFiles.Files, Scene: r.before}
	present := regress.Version{Name: r.Scene, Text: r.source, Files: r.presentFiles.Files, Scene: r.present}
	var why regress.Report
	err := r.limit.explain(func(more func() bool) (err error) {
		c.More = more
		why, err = regress.Explain(ctx, accepted, present, c)
		return err
	})
	if err != nil {
		return err
	}
	if why.Renderer > 0 && !r.Current {
		if twin := r.twin(ctx); twin != "" {
			r.foreign(twin)
			return nil // the edits lead from another scene to this one
		}
	}
	r.Why = &Why{why}
	r.Origin = r.locationOf(nil)
	if len(why.Edits) > 0 && why.Edits[0].Alone > 0 {
		r.Origin = r.locationOf(&why.Edits[0])
	}
	return nil
}

// renderInTime renders a scene, or returns an error when the time for explaining is over.
func (r *Result) renderInTime(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
	ctx, cancel := r.limit.bound(ctx)
	defer cancel()
	return r.renderer(ctx, s)
}

// locationOf returns the location of an edit. If e is nil, because no edit is known, it returns line 1 of the scene.
func (r *Result) locationOf(e *regress.Edit) Location {
	switch {
	case e == nil:
		return Location{File: r.Scene, Line: 1}
	case e.File == "":
		return Location{File: r.Scene, Line: e.Line}
	}
	return Location{File: filepath.Join(filepath.Dir(r.Scene), filepath.FromSlash(e.File)), Line: e.Line}
}
