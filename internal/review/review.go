// Package review carries out a reviewer's decisions about the pending references of a suite, that is, those whose
// picture differs from the golden or has no golden, or whose scene is gone. It can undo the last decision.
package review

import (
	"context"

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
	pending []suite.Reference
	write   suite.WriteFunc
	counts  map[Decision]int
	last    *decided // nil: there is nothing to undo
}

// decided is a decision that was carried out, with a backup of the files that it changed.
type decided struct {
	index    int
	decision Decision
	backup   *suite.Backup // nil if the decision changes no files
}

// Pending judges references and returns those with a pending verdict, in order. It calls the function failed with each
// result whose verdict is [suite.Failed]. If ctx ends, the list must not be used.
func Pending(ctx context.Context, o suite.Options, refs []suite.Reference, failed func(*suite.Result)) (pending []suite.Reference) {
	for result := range suite.Run(ctx, o, refs, (*suite.Result).Release) {
		switch {
		case result.Verdict.Pending():
			pending = append(pending, result.Reference)
		case result.Verdict == suite.Failed && ctx.Err() == nil:
			failed(result)
		}
	}
	return pending
}

// New returns a session about the given pending references. It writes files with the function write.
func New(pending []suite.Reference, write suite.WriteFunc) *Session {
	return &Session{pending: pending, write: write, counts: make(map[Decision]int)}
}

// Len returns the number of references.
func (s *Session) Len() int { return len(s.pending) }

// Judge judges the reference with the given index, from 0, and studies the result. The reviewer then decides about this
// result. A session judges each reference again because scenes may change during a review, and because the pictures of
// all references together might not fit into memory. If ctx ends, the error is its cause.
func (s *Session) Judge(ctx context.Context, o suite.Options, index int) (*suite.Result, error) {
	result := suite.Judge(ctx, o, s.pending[index])
	result.Study(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return result, nil
}

// Decide carries out a decision about the reference with the given index, whose result [Session.Judge] has returned. If
// Decide fails, the decision is not counted and cannot be undone, but some files may have changed.
func (s *Session) Decide(index int, d Decision, result *suite.Result) error {
	last := &decided{index: index, decision: d}
	if d != Skip {
		var err error
		if last.backup, err = result.Backup(); err != nil {
			return err
		}
	}
	if err := s.apply(d, result); err != nil {
		return err
	}
	s.last = last
	s.counts[d]++
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

// Undo restores the files that the last decision changed, and returns the index of the reference that was decided
// about. It must only be called if [Session.CanUndo] returns true. If Undo fails, the decision remains, but some files
// may have been restored.
func (s *Session) Undo() (index int, err error) {
	if s.last.backup != nil {
		if err := s.last.backup.Restore(s.write); err != nil {
			return 0, err
		}
	}
	index = s.last.index
	s.counts[s.last.decision]--
	s.last = nil
	return index, nil
}

// Forget makes the last decision final.
func (s *Session) Forget() { s.last = nil }

// Count returns the number of decisions of a kind, without those that were undone.
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
