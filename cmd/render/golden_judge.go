package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"pillbox"
	"pillbox/golden"
	"pillbox/regress"
	"pillbox/scene"
)

// A verdict says how a scene compares with its reference.
type verdict string

const (
	identical verdict = "identical"        // every pixel is the accepted one
	tolerated verdict = "within tolerance" // pixels differ as the sidecar allows
	changed   verdict = "changed"          // pixels differ
	resized   verdict = "size"             // the picture has another size
	unknown   verdict = "new"              // nothing was accepted yet
	missing   verdict = "missing"          // a scene was accepted, but its picture is gone
	orphan    verdict = "orphan"           // what was accepted has no scene any more
	failed    verdict = "error"            // the scene, the picture or the sidecar cannot be used
)

// worstFirst is the order in which a report has the verdicts.
func worstFirst() []verdict {
	return []verdict{failed, changed, resized, missing, unknown, orphan, tolerated, identical}
}

func (v verdict) passes() bool { return v == identical || v == tolerated }

// pending reports whether someone has to accept the picture or to mend the scene.
func (v verdict) pending() bool { return !v.passes() && v != failed }

// A judgement is what was found out about a reference.
type judgement struct {
	reference
	verdict verdict
	err     error // why it failed

	source  []byte       // the scene's file
	bulk    reading      // the files of its bulk tables
	tables  []string     // their paths
	present *scene.Scene // nil if there is none or it is wrong
	got     *image.NRGBA // what it renders to; nil likewise

	before  *scene.Scene // the accepted scene; nil if there is none or it is wrong
	kept    reading      // the copies of the files of its bulk tables
	current bool         // the accepted scene is an exact copy of the present one
	want    image.Image  // the accepted picture; nil if there is none
	rules   golden.Sidecar

	diff golden.Diff // between want and got

	// What study finds.
	flip *golden.FLIP    // how visible the difference is; nil if there is none in pixels
	why  *regress.Report // nil if that cannot be known

	origin place // where the cause stands; without a file, in the scene's

	settled string // what accepting did, and with which file; "" is nothing
}

// judge renders a scene and compares the picture with the accepted one.
func judge(ctx context.Context, r reference) *judgement {
	j := &judgement{reference: r}
	if err := j.examine(ctx); err != nil {
		j.fail(err)
	}
	return j
}

func (j *judgement) fail(err error) { j.verdict, j.err = failed, err }

// status returns the exit status that the judgement asks for.
func (j *judgement) status() int {
	switch {
	case j.verdict == failed:
		return failureOf(j.err).status
	case j.verdict.pending():
		return statusDifferent
	default:
		return statusDone
	}
}

func (j *judgement) examine(ctx context.Context) error {
	if j.scene == "" {
		j.verdict = orphan
		// As far as they can be read: an orphan is only shown and removed.
		j.want, _ = readPicture(j.picture())
		_, _ = j.recallScene()
		return nil
	}
	if err := j.render(ctx); err != nil {
		return err
	}
	accepted, err := j.recall()
	switch {
	case err != nil:
		return err
	case j.want != nil:
		return j.compare()
	case accepted:
		j.verdict = missing
	default:
		j.verdict = unknown
	}
	return nil
}

// render reads and renders the scene.
func (j *judgement) render(ctx context.Context) error {
	var err error
	if j.source, err = scene.ReadFile(j.scene); err != nil {
		return err
	}
	j.bulk = newReading(filepath.Dir(j.scene))
	j.present, err = scene.DecodeFS(j.bulk, j.scene, j.source)
	for _, name := range j.bulk.names() {
		j.tables = append(j.tables, filepath.Join(filepath.Dir(j.scene), filepath.FromSlash(name)))
	}
	if err == nil {
		err = j.checkTables()
	}
	if err != nil {
		return err
	}
	film, err := pillbox.Render(ctx, j.present, pillbox.Options{})
	if err != nil {
		return err
	}
	j.got = film.Image
	return nil
}

// recallScene reads the scene that was accepted and tells whether there is one.
func (j *judgement) recallScene() (accepted bool, err error) {
	data, err := readIfThere(j.accepted())
	if err != nil || data == nil {
		return false, err
	}
	// A copy that is no scene any more explains no change, and that is all it is for.
	j.kept = newReading(j.copies())
	j.before, _ = scene.DecodeFS(j.kept, j.accepted(), data)
	j.current = bytes.Equal(data, j.source) && j.kept.equal(j.bulk)
	return true, nil
}

// recall reads what was accepted, as far as it is there, and tells whether a scene was.
func (j *judgement) recall() (accepted bool, err error) {
	if accepted, err = j.recallScene(); err != nil {
		return false, err
	}
	data, err := readIfThere(j.sidecar())
	if err != nil {
		return accepted, err
	}
	if data != nil {
		if j.rules, err = golden.ParseSidecar(data, j.sidecar()); err != nil {
			return accepted, err
		}
	}
	j.want, err = readPicture(j.picture())
	return accepted, err
}

// readPicture returns a picture, or nil if there is no such file.
func readPicture(name string) (image.Image, error) {
	data, err := readIfThere(name)
	if err != nil || data == nil {
		return nil, err
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, &failure{status: statusFile, err: fmt.Errorf("read %s: %w", name, err)}
	}
	return img, nil
}

// readIfThere returns what a file holds, or nil if there is no such file.
func readIfThere(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err // not nil for an empty file
}

// compare reaches a verdict on two pictures. Only equal pixels are called identical: what a
// mask or a tolerance hides is told.
func (j *judgement) compare() error {
	tolerance, err := j.tolerance()
	if err != nil {
		return err
	}
	if j.diff, err = golden.Compare(j.got, j.want, golden.Tolerance{}); err != nil {
		return err
	}
	if j.diff.Passes() {
		j.verdict = identical
		return nil
	}
	if j.diff, err = golden.Compare(j.got, j.want, tolerance); err != nil {
		return err
	}
	switch {
	case j.diff.Passes():
		j.verdict = tolerated
	case j.diff.Got != j.diff.Want:
		j.verdict = resized
	default:
		j.verdict = changed
	}
	return nil
}

// tolerance returns what the sidecar allows, its objects turned into rectangles: an object
// is masked where it is seen now and where it was seen when the scene was accepted.
func (j *judgement) tolerance() (golden.Tolerance, error) {
	t := j.rules.Tolerance
	for _, name := range j.rules.Objects {
		masks, found, err := masksOf(name, j.present, j.before)
		if err != nil {
			return t, err
		}
		if !found {
			return t, fmt.Errorf("%s: masks: no solid of %s is called %q", j.sidecar(), j.scene, name)
		}
		t.Masks = append(t.Masks, masks...)
	}
	return t, nil
}

// forget lets go of the pictures. There may be many.
func (j *judgement) forget() {
	j.got, j.want = nil, nil
	j.present, j.before = nil, nil
	j.bulk, j.kept = reading{}, reading{}
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
		defer next.Store(int64(len(values))) // so that nobody begins another
		for _, result := range results {
			if !yield(<-result) {
				return
			}
		}
	}
}
