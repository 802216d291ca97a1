package suite

import (
	"fmt"
	"image"
	"strings"

	"pillbox/golden"
	"pillbox/internal/osfile"
	"pillbox/internal/regress"
	"pillbox/internal/text"
	"pillbox/scene"
)

// A Result is what was found out about a reference. It serves one goroutine at a time.
type Result struct {
	Reference
	Verdict Verdict
	Err     error // why it failed; [scene.Errors] if the scene is wrong

	Got   *image.NRGBA   // what the scene renders to; nil if it does not, or after Release
	Want  image.Image    // the accepted picture; nil if none exists, or after Release
	Rules golden.Sidecar // what may differ, and why
	Diff  golden.Diff    // between Want and Got; zero if either is not there

	// Current says that the accepted scene is an exact copy of the present one, the other files that
	// it reads included.
	Current bool

	// RenamedFrom is the name of an accepted picture whose scene is gone and which this one gives,
	// if nothing was accepted of it under its own name; "" if none exists.
	RenamedFrom string

	// OtherFiles are the paths of the files that the scene reads, in order: bulk tables and included
	// files.
	OtherFiles []string

	// What [Result.Study] finds.
	FLIP   *golden.FLIP    // how visible the difference is; nil if none exists in pixels
	Why    *regress.Report // what changed the picture; nil if that cannot be known
	Origin Location        // of the edit that changed the most pixels; line 1 of the scene if none did; zero without Why

	// Outcome is what [Result.Accept] did, and with which file; "" if that was not called or failed.
	Outcome string

	renderer RenderFunc // nil if the result does not differ
	limit    *Limit
	released bool

	source       []byte          // the scene's file
	presentFiles osfile.Recorder // the other files that it reads
	present      *scene.Scene    // nil if none exists or it is wrong

	acceptedSource []byte          // the copy of the accepted scene's file
	acceptedFiles  osfile.Recorder // the copies of the other files that it reads
	before         *scene.Scene    // nil if none exists or it is wrong
}

// A Location is a line of a file. Line and Column count from 1; 0 is none.
type Location struct {
	File         string
	Line, Column int
}

// SetFailed makes the verdict [Failed], for the given reason: for what a caller could not do with a
// result.
func (r *Result) SetFailed(err error) { r.Verdict, r.Err = Failed, err }

// Release drops pictures and scenes, which may take much memory. The findings stay.
func (r *Result) Release() {
	r.released = true
	r.Got, r.Want = nil, nil
	r.present, r.before = nil, nil
	r.source, r.acceptedSource = nil, nil
	r.presentFiles, r.acceptedFiles = osfile.Recorder{}, osfile.Recorder{}
	r.renderer = nil // which holds the present scene's tree
}

// String returns the result in a line, for people: the name, the verdict, what belongs to it and
// the cause. It is fit to be printed; what the other methods return may hold whatever names of
// files do, see package text.
func (r *Result) String() string {
	line := r.Name + ": " + r.Summary()
	for cause := range strings.Lines(r.Cause()) {
		line += "; " + strings.TrimSpace(cause)
	}
	return text.Escape(line)
}

// Summary returns the verdict and what belongs to it, without name and cause.
func (r *Result) Summary() string {
	if detail := r.Detail(); detail != "" {
		return string(r.Verdict) + ": " + detail
	}
	return string(r.Verdict)
}

// Detail returns what belongs to the verdict, except for the cause; it may be empty.
func (r *Result) Detail() string {
	switch r.Verdict {
	case Changed:
		return r.Diff.String()
	case Resized:
		got, want := r.Diff.Got, r.Diff.Want
		return fmt.Sprintf("%d x %d, want %d x %d", got.X, got.Y, want.X, want.Y)
	case Tolerated:
		if r.Diff.Differing == 0 {
			return fmt.Sprintf("no pixel differs outside the masks (%s)", oneLine(r.Rules.Reason))
		}
		return fmt.Sprintf("%v (%s)", r.Diff, oneLine(r.Rules.Reason))
	case New:
		if _, _, ok := cutMoment(r.RenamedFrom); ok {
			return fmt.Sprintf("no picture was accepted yet; it is that of %s, which no scene lists any more", r.RenamedFrom)
		}
		if r.RenamedFrom != "" {
			return fmt.Sprintf("no picture was accepted yet; it is that of %s, whose scene is gone", r.RenamedFrom)
		}
		return "no picture was accepted yet"
	case Missing:
		return fmt.Sprintf("%s was accepted, but there is no %s", r.Accepted(), r.Picture())
	case Orphan:
		return r.Gone() + "; accepting removes it"
	case Failed:
		return r.Err.Error()
	default:
		return ""
	}
}

// Gone returns what an orphan lacks: its scene, or its time in the scene.
func (r *Reference) Gone() string {
	if _, _, ok := cutMoment(r.Name); ok {
		return r.firstFile() + " has no scene that lists its time"
	}
	return r.firstFile() + " has no scene"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Cause explains why the picture differs: a line for each edit of the scene, and indented lines about its
// effects. It is empty if there is nothing to explain, before [Result.Study], and if the reference failed:
// then Err says all.
func (r *Result) Cause() string {
	switch {
	case r.Verdict == Failed:
		return ""
	case r.Why != nil && r.Why.Pixels == 0 && r.Verdict == Tolerated:
		return "" // all under masks
	case r.Why != nil:
		return r.Why.Text
	case r.differs():
		return fmt.Sprintf("cause unknown: without a valid %s the accepted scene is not known", r.Accepted())
	default:
		return ""
	}
}

// differs reports whether there are two pictures that are not equal.
func (r *Result) differs() bool {
	return r.Verdict == Changed || r.Verdict == Tolerated || r.Verdict == Resized
}

// NeedsAccept reports whether accepting everything means this one: it is pending, or the accepted scene
// is another one that gives the same picture. An orphan must be named, for it may be the golden of
// a scene elsewhere or no golden at all. What is within its tolerance stays, so that it cannot
// drift.
func (r *Result) NeedsAccept() bool {
	return r.Verdict.Pending() && r.Verdict != Orphan || r.Verdict == Identical && !r.Current
}
