package suite

import (
	"context"

	"pillbox/golden"
	"pillbox/internal/regress"
)

// Study finds out why and how visibly a picture differs, which takes longer than to see that it
// does. It must come before [Result.Release].
func (r *Result) Study(ctx context.Context) {
	if !r.differs() {
		return
	}
	err := r.measureFLIP()
	if err == nil {
		err = r.explain(ctx)
	}
	if err != nil {
		r.SetFailed(err)
	}
}

// measureFLIP finds how visible the difference is.
func (r *Result) measureFLIP() error {
	if r.Diff.Got != r.Diff.Want {
		return nil
	}
	flip, err := golden.CompareFLIP(r.Got, r.Want, r.Diff.Tolerance.Masks...)
	if err != nil {
		return err
	}
	r.FLIP = &flip
	return nil
}

// explain finds why the pictures differ, if it is known what was accepted.
func (r *Result) explain(ctx context.Context) error {
	if r.before == nil {
		return nil
	}
	diff := r.Diff
	if r.Verdict == Tolerated {
		// What is tolerated does not count as changed, but it has a cause all the same.
		var err error
		diff, err = golden.Compare(r.Got, r.Want, golden.Tolerance{Masks: diff.Tolerance.Masks})
		if err != nil {
			return err
		}
	}
	why, err := regress.Explain(ctx, r.before, r.present,
		regress.Comparison{Want: r.Want, Got: r.Got, Diff: diff, Render: r.renderer})
	if err != nil {
		return err
	}
	r.Why = &why
	r.Origin = r.origin()
	return nil
}
