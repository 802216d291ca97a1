package suite

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"image"
	"strings"

	"pillbox/figure"
	"pillbox/golden"
	"pillbox/internal/osfile"
	"pillbox/internal/regress"
	"pillbox/internal/text"
	"pillbox/scene"
)

// A Result is the outcome of checking a reference: verdict, pictures, difference and cause. It must not
// be used concurrently.
type Result struct {
	Reference
	Verdict Verdict
	Err     error // why the verdict is Failed; [problem.Errors] if the scene is invalid; nil for other verdicts

	Got   *image.NRGBA   // the scene's present picture; nil if rendering failed, or after Release
	Want  image.Image    // the accepted picture; nil if none exists, or after Release
	Rules golden.Sidecar // the accepted differences, and their reason
	Diff  golden.Diff    // between Want and Got; zero if either is missing

	// Current reports whether the copy of the accepted scene, including the other files that it reads, equals the
	// present scene byte for byte.
	Current bool

	// Damage lists what is wrong with the copy of the accepted scene and the copies of the other files that it reads. If
	// the picture is as accepted, the verdict is [Damaged] then.
	Damage []Damage

	// Warnings are what is probably not intended in the sidecar, such as masks outside the picture. They begin with the
	// name of the file and do not affect the verdict.
	Warnings []string

	// RenamedFrom is the name of the golden that the scene had before it was renamed or moved to another folder: that of an
	// orphan with a similar accepted scene, which [Result.Accept] moves, or else with the same picture. It is "" if there is
	// no such orphan.
	RenamedFrom string

	// OtherFiles are the paths of the other files that the scene reads, in order: bulk tables and included files.
	OtherFiles []string

	// [Result.Study] sets these fields.
	Annotations *figure.Difference // how the annotations differ; nil if none differs, or if it is not known
	FLIP        *golden.FLIP       // how visible the difference is; nil if there are no two pictures of equal size, or if they are too large
	Why         *Why               // the edits that changed the picture; nil if they cannot be determined
	Origin      Location           // of the edit that changed the most pixels; line 1 of the scene if no edit did; zero if Why is nil

	// Outcome describes what [Result.Accept] did; "" if it was not called or failed.
	Outcome string

	sum      [sha256.Size]byte // of the present scene's file and of the other files that it reads
	renderer RenderFunc        // renders the scene and edits of it; nil if the picture does not differ
	limit    *Limit
	checked  *contentCache
	gone     *gonePictures
	released bool

	source       []byte          // the scene's file
	presentFiles osfile.Recorder // the other files that it reads
	present      *scene.Scene    // nil if the scene does not exist or is invalid

	acceptedSource []byte          // the copy of the accepted scene's file
	acceptedFiles  osfile.Recorder // the copies of the other files that it reads
	before         *scene.Scene    // nil if there is no copy or it is invalid
}

// A Location is a line of a file. Line and Column count from 1; 0 means unknown.
type Location struct {
	File         string
	Line, Column int
}

// Why lists the edits of a scene that changed its picture. As JSON it is the field why of 'render golden check --json'.
// Other packages get one from [Result.Study]. It is immutable.
type Why struct{ report regress.Report }

// Edit is a difference between the accepted scene and the present one.
type Edit struct {
	Path   string   // of the key, table or row: part.finger.capsule[0].radius
	Text   string   // the path with a name and, where there are any, the values before and after
	Pixels int      // number of pixels that change if only this edit, or its group, is undone; -1 if it was not examined
	At     Location // the place in the present text; for a removed key, table or row, the table that contained it
}

// String returns a line for each edit, followed by indented lines about its effects. It shortens long lists.
func (w *Why) String() string { return w.report.Text }

// MarshalJSON encodes the edits with all details.
func (w *Why) MarshalJSON() ([]byte, error) { return json.Marshal(&w.report) }

// Edits returns all edits of the scene, those that change the most pixels first. It returns nil if r.Why is nil.
func (r *Result) Edits() []Edit {
	if r.Why == nil {
		return nil
	}
	var edits []Edit
	for i := range r.Why.report.Edits {
		e := &r.Why.report.Edits[i]
		edits = append(edits, Edit{Path: e.Path, Text: e.String(), Pixels: e.Alone, At: r.locationOf(e)})
	}
	return edits
}

// SetFailed sets the verdict to [Failed] with the given error. Callers use it when an operation on the result fails.
func (r *Result) SetFailed(err error) { r.Verdict, r.Err = Failed, err }

// Release frees the pictures and scenes, which may take much memory. The verdict, figures and causes remain.
func (r *Result) Release() {
	r.released = true
	r.Got, r.Want = nil, nil
	r.present, r.before = nil, nil
	r.source, r.acceptedSource = nil, nil
	r.presentFiles, r.acceptedFiles = osfile.Recorder{}, osfile.Recorder{}
	r.renderer = nil // holds the acceleration structure of the present scene
}

// IsOf reports whether two results of a reference are about the same present scene: neither its file nor another file that
// it reads has changed. It reports false if the scene could not be read.
func (r *Result) IsOf(other *Result) bool {
	return r.identity() == other.identity() && r.sum == other.sum && (r.sum != [sha256.Size]byte{} || r.Scene == "")
}

// String returns the name, the verdict, its details and the cause as text for people. It is safe to print; names of
// files in the results of other methods may contain control characters, see package text.
func (r *Result) String() string {
	line := r.Name + ": " + r.Summary()
	for cause := range strings.Lines(r.Cause()) {
		line += "; " + strings.TrimSpace(cause)
	}
	return text.Escape(line)
}

// Summary returns the verdict, how annotations changed, and the details of the verdict, without name and cause.
func (r *Result) Summary() string {
	if details := r.Details(); len(details) > 0 {
		return string(r.Verdict) + ": " + strings.Join(details, "; ")
	}
	return string(r.Verdict)
}

// Details returns a line for each annotation that changed, the details of the verdict, and a line for each damage.
func (r *Result) Details() []string {
	details := r.Texts()
	if detail := r.Detail(); detail != "" {
		details = append(details, detail)
	}
	if renamed := r.renamedDetail(); renamed != "" {
		details = append(details, renamed)
	}
	for _, d := range r.Damage {
		details = append(details, d.String())
	}
	return details
}

// Detail returns the details of the verdict without annotations and cause; it may be empty.
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
		if r.former != nil {
			return fmt.Sprintf("renamed from %s, whose picture it still gives; accepting moves the files of the golden", r.RenamedFrom)
		}
		if r.RenamedFrom != "" {
			return fmt.Sprintf("no picture was accepted yet; it is that of %s, whose scene is gone", r.RenamedFrom)
		}
		return "no picture was accepted yet"
	case Missing:
		return fmt.Sprintf("%s was accepted, but there is no %s", r.Accepted(), r.Picture())
	case Orphan:
		return r.Gone() + "; accepting removes it"
	case Damaged:
		return r.damageDetail()
	case Failed:
		return r.Err.Error()
	default:
		return ""
	}
}

// Gone returns what is missing from an orphan: its scene, or its time in the scene.
func (r *Reference) Gone() string {
	if _, _, ok := cutMoment(r.Name); ok {
		return r.firstFile() + " has no scene that lists its time"
	}
	return r.firstFile() + " has no scene"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Cause explains why the picture differs: one line for each edit of the scene, and indented lines about the edit's
// effects, shortened if there are many. It is empty if there is nothing to explain, and for a failed reference, whose
// Err has the explanation. Call it after [Result.Study]: until then, the cause of a difference is reported as unknown.
func (r *Result) Cause() string {
	switch {
	case r.Verdict == Failed:
		return ""
	case r.Why != nil && r.Why.report.Pixels == 0 && r.Verdict == Tolerated:
		return "" // all under masks
	case r.Why != nil:
		return r.Why.String()
	case r.differs() && len(r.Damage) > 0:
		return fmt.Sprintf("cause unknown: the accepted scene is not known because of %s", r.Damage[0].File)
	case r.differs():
		return fmt.Sprintf("cause unknown: there is no %s, so the accepted scene is not known", r.Accepted())
	default:
		return ""
	}
}

// differs reports whether judging found two pictures that are not equal. It returns false for a failed result.
func (r *Result) differs() bool {
	return r.Verdict == Changed || r.Verdict == Tolerated || r.Verdict == Resized
}

// NeedsAccept reports whether a command that accepts everything should accept this reference. It
// returns true if the verdict is pending, or if the scene was edited without changing the picture. It
// returns false for an orphan, which must be accepted by name, because it may be the golden of a scene
// elsewhere or not a golden at all. It also returns false for a picture within its tolerance: accepting
// such pictures repeatedly would let the golden drift.
func (r *Result) NeedsAccept() bool {
	return r.Verdict.Pending() && r.Verdict != Orphan && !(r.Verdict == Damaged && r.Diff.Differing > 0) || r.Verdict == Identical && !r.Current
}
