// Package review carries out a reviewer's decisions about the pending references of a suite, that is, those whose
// picture differs from the golden or has no golden, or whose scene is gone. It can undo the last decision.
package review

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"pillbox/suite"
)

// A Decision is what a reviewer decides about a pending reference.
type Decision string

// The decisions.
const (
	Accept Decision = "accept" // make the new picture the golden
	Reject Decision = "reject" // keep the golden, and remove the new picture
	Skip   Decision = "skip"   // keep both: the reference stays pending
)

// Session is the state of a review. It must not be used concurrently.
type Session struct {
	pending   []*suite.Result // released
	questions []question
	answers   []Decision // to the questions so far
	write     suite.WriteFunc
	counts    map[Decision]int // of references
	last      *decided         // nil: there is nothing to undo
}

// A question is about one reference, or about all references that a cause changes and no other cause that is not shared.
type question struct {
	cause   *suite.SharedCause // nil if the question is about one reference
	results []*suite.Result    // those that the cause changes most come first
	final   []*suite.Result    // those that no later question is about
}

// decided is a decision that was carried out, with backups of the files that it changed.
type decided struct {
	index   int
	counts  map[Decision]int // of references
	backups []*suite.Backup
}

// Pending judges references and studies and returns those with a pending verdict, in order. It calls the function failed
// with each result whose verdict is [suite.Failed]. If ctx ends, the list must not be used.
func Pending(ctx context.Context, o suite.Options, refs []suite.Reference, failed func(*suite.Result)) (pending []*suite.Result) {
	study := func(r *suite.Result) {
		r.Study(ctx)
		r.Release()
	}
	for result := range suite.Run(ctx, o, refs, study) {
		switch {
		case result.Verdict.Pending():
			pending = append(pending, result)
		case result.Verdict == suite.Failed && ctx.Err() == nil:
			failed(result)
		}
	}
	return pending
}

// New returns a session about the given pending results. It writes files with the function write. Questions about causes
// that several references have in common come first. A reference with several such causes is decided about when the last of
// them is: it is accepted if all of its causes are, and rejected if one of them is.
func New(pending []*suite.Result, write suite.WriteFunc) *Session {
	s := &Session{pending: pending, write: write, counts: make(map[Decision]int)}
	causes := suite.FindSharedCauses(pending)
	for _, c := range causes {
		q := question{cause: c}
		for _, change := range c.Changed {
			of, all := causes.Of(change.Result)
			if !all {
				continue
			}
			q.results = append(q.results, change.Result)
			if isLast(causes, of, c) {
				q.final = append(q.final, change.Result)
			}
		}
		if len(q.results) > 0 {
			s.questions = append(s.questions, q)
		}
	}
	for _, r := range causes.Rest(pending) {
		s.questions = append(s.questions, question{results: []*suite.Result{r}, final: []*suite.Result{r}})
	}
	return s
}

// isLast reports whether c is the last of the causes of a reference.
func isLast(causes, of suite.SharedCauses, c *suite.SharedCause) bool {
	last := slices.MaxFunc(of, func(a, b *suite.SharedCause) int {
		return cmp.Compare(slices.Index(causes, a), slices.Index(causes, b))
	})
	return c == last
}

// Len returns the number of questions.
func (s *Session) Len() int { return len(s.questions) }

// Shared returns the cause that the question with the given index, from 0, is about, and the references that it changes. It
// returns nil if the question is about one reference.
func (s *Session) Shared(index int) (*suite.SharedCause, []*suite.Result) {
	q := s.questions[index]
	return q.cause, q.results
}

// Judge judges the reference that the question with the given index, from 0, is about, or the one that a cause changes
// most, and studies the result. The reviewer then decides about this result. A session judges each reference again because
// scenes may change during a review, and because the pictures of all references together might not fit into memory. If ctx
// ends, the error is its cause.
func (s *Session) Judge(ctx context.Context, o suite.Options, index int) (*suite.Result, error) {
	result := suite.Judge(ctx, o, s.questions[index].results[0].Reference)
	result.Study(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return result, nil
}

// Decide carries out a decision about the question with the given index, which is about one reference, whose result
// [Session.Judge] has returned. If Decide fails, the decision is not counted and cannot be undone, but some files may have
// changed.
func (s *Session) Decide(index int, d Decision, result *suite.Result) error {
	last := &decided{index: index, counts: map[Decision]int{d: 1}}
	if d != Skip {
		backup, err := result.Backup()
		if err != nil {
			return err
		}
		last.backups = []*suite.Backup{backup}
	}
	if err := s.apply(d, result); err != nil {
		return err
	}
	s.keep(last, d)
	return nil
}

// DecideAll carries out a decision about a cause. It judges the references again and returns those whose scenes have changed
// since the review began: they stay pending. If it fails, it restores all files, and the decision is not counted.
func (s *Session) DecideAll(ctx context.Context, o suite.Options, index int, d Decision) (changed []string, err error) {
	last := &decided{index: index, counts: make(map[Decision]int)}
	var refs []suite.Reference
	known := make(map[string]*suite.Result)
	decisions := make(map[string]Decision)
	for _, r := range s.questions[index].final {
		all := s.combined(r, index, d)
		if all == Skip {
			last.counts[Skip]++
			continue
		}
		refs = append(refs, r.Reference)
		known[r.Name], decisions[r.Name] = r, all
	}
	var mu sync.Mutex
	var errs []error
	finish := func(r *suite.Result) {
		mu.Lock()
		defer mu.Unlock()
		defer r.Release()
		if len(errs) > 0 || ctx.Err() != nil {
			return
		}
		if !r.IsOf(known[r.Name]) {
			changed = append(changed, r.Name)
			last.counts[Skip]++
			return
		}
		backup, err := r.Backup()
		if err == nil {
			last.backups = append(last.backups, backup)
			err = s.apply(decisions[r.Name], r)
		}
		if err != nil {
			errs = append(errs, err)
		}
		last.counts[decisions[r.Name]]++
	}
	for range suite.Run(ctx, o, refs, finish) {
	}
	if ctx.Err() != nil {
		errs = append(errs, context.Cause(ctx))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errors.Join(errs...), s.restore(last))
	}
	slices.Sort(changed)
	s.keep(last, d)
	return changed, nil
}

// combined returns the decision about a reference, given the one about its last cause.
func (s *Session) combined(r *suite.Result, index int, last Decision) Decision {
	all := []Decision{last}
	for i := range s.questions[:index] {
		if slices.Contains(s.questions[i].results, r) {
			all = append(all, s.answers[i])
		}
	}
	for _, d := range []Decision{Reject, Skip} {
		if slices.Contains(all, d) {
			return d
		}
	}
	return Accept
}

// keep counts a decision that was carried out.
func (s *Session) keep(last *decided, d Decision) {
	s.answers = append(s.answers[:min(last.index, len(s.answers))], d)
	s.last = last
	for d, n := range last.counts {
		s.counts[d] += n
	}
}

// restore restores the files that a decision changed, the last ones first.
func (s *Session) restore(last *decided) error {
	for _, backup := range slices.Backward(last.backups) {
		if err := backup.Restore(s.write); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) apply(d Decision, result *suite.Result) error {
	switch d {
	case Accept:
		return result.Accept(s.write)
	case Reject:
		return result.Tidy()
	}
	return nil
}

// CanUndo reports whether [Session.Undo] can undo a decision. It can undo only the last one, once, and not after
// [Session.Forget].
func (s *Session) CanUndo() bool { return s.last != nil }

// Undo restores the files that the last decision changed, and returns the index of its question. It must only be called
// if [Session.CanUndo] returns true. If Undo fails, the decision remains, but some files may have been restored.
func (s *Session) Undo() (index int, err error) {
	if err := s.restore(s.last); err != nil {
		return 0, err
	}
	index = s.last.index
	for d, n := range s.last.counts {
		s.counts[d] -= n
	}
	s.last = nil
	return index, nil
}

// Forget makes the last decision final.
func (s *Session) Forget() { s.last = nil }

// Count returns the number of references about which there is a decision of a kind, without those that were undone.
func (s *Session) Count(d Decision) int { return s.counts[d] }

// Left returns the number of references that are still pending.
func (s *Session) Left() int { return len(s.pending) - s.counts[Accept] }

// Picture returns the name of a file that shows a result to the reviewer. If there are an accepted and a present
// picture, it writes the drawing of both and their difference. If there is only a present picture, it writes that one.
// If there is only an accepted picture, it writes nothing and returns the name of the golden.
func (s *Session) Picture(result *suite.Result) (name string, err error) {
	switch {
	case result.Got == nil:
		return result.Picture(), nil
	case result.Want == nil:
		return result.Proposal(), result.Propose(s.write)
	default:
		return result.Drawing(), result.Draw(s.write)
	}
}
