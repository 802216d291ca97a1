package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"path/filepath"
	"slices"

	"pillbox/golden"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// Judge renders the scene of ref and compares the picture with the accepted one. If an error occurs,
// the verdict is [Failed]. Judge writes no files.
func Judge(ctx context.Context, o Options, ref Reference) *Result {
	r := &Result{Reference: ref, renderer: o.renderer(), limit: o.Limit, checked: o.checked, gone: o.gone}
	o.Limit.judge(func() {
		if err := r.judge(ctx); err != nil {
			r.SetFailed(err)
		}
	})
	if !r.differs() {
		r.renderer = nil
	}
	return r
}

func (r *Result) judge(ctx context.Context) error {
	if r.refused != nil {
		return r.refused
	}
	if err := r.checkLinks(); err != nil {
		return err
	}
	if r.Scene == "" {
		r.Verdict = Orphan
		// Errors are ignored here, because an orphan's files are only shown and removed.
		r.Want, _ = r.readPicture(r.Picture())
		_, _ = r.readAccepted()
		r.Damage = nil
		return nil
	}
	broken := r.render(ctx)
	accepted, err := r.readReference()
	if broken != nil {
		r.damagedSidecar(err)
		return broken
	}
	switch {
	case err != nil:
		return err
	case r.Want != nil:
		err := r.compare(ctx)
		r.showRenamed()
		return err
	case accepted:
		r.Verdict = Missing
	default:
		r.Verdict = New
		return r.recognize(ctx)
	}
	return nil
}

// showRenamed makes the verdict of a scene that was renamed [New] if its picture is as accepted: there are files to move.
func (r *Result) showRenamed() {
	r.RenamedFrom = r.formerName()
	if r.former != nil && r.Verdict.Passes() {
		r.Verdict = New
	}
}

// recognize sets RenamedFrom if an orphan in the same folder has the picture of this new scene.
func (r *Result) recognize(ctx context.Context) (err error) {
	r.RenamedFrom, err = r.gone.like(ctx, r)
	return err
}

// hasScene reports whether a scene in the folder has a reference with this name.
func hasScene(folder, name string) bool {
	if osfile.Exists(filepath.Join(folder, name+sceneExtension)) {
		return true
	}
	stem, moment, ok := cutMoment(name)
	return ok && slices.Contains(momentsOf(filepath.Join(folder, stem+sceneExtension)), moment)
}

// render reads and renders the scene.
func (r *Result) render(ctx context.Context) error {
	var err error
	if r.source, err = scene.ReadFile(r.Scene); err != nil {
		return err
	}
	r.presentFiles = osfile.Record(scene.Folder(filepath.Dir(r.Scene)), scene.MaxBulkBytes)
	r.present, err = scene.Decode(r.Scene, r.source, scene.WithFiles(r.presentFiles))
	for _, name := range names(r.presentFiles.Files) {
		r.OtherFiles = append(r.OtherFiles, filepath.Join(filepath.Dir(r.Scene), filepath.FromSlash(name)))
	}
	if err == nil {
		err = r.checkOtherFiles()
	}
	if err != nil {
		return err
	}
	if r.present, err = r.moment(r.present); err != nil {
		return err
	}
	r.sum = sumOf(r.source, r.presentFiles.Files)
	r.Got, err = r.renderer(ctx, r.present)
	return err
}

// moment returns the scene s as it is at the time r.At. If the reference has no time or s is nil, it returns s itself.
func (r *Reference) moment(s *scene.Scene) (*scene.Scene, error) {
	if s == nil || r.At == nil {
		return s, nil
	}
	return s.At(float64(*r.At))
}

// readReference reads the reference's files. Missing files are not an error. accepted reports whether
// there is an accepted scene.
func (r *Result) readReference() (accepted bool, err error) {
	if accepted, err = r.readAccepted(); err != nil {
		return false, err
	}
	if r.Rules, err = ignoreMissing(golden.ReadSidecar(r.sidecar())); err != nil {
		return accepted, err
	}
	if r.Rules.Reason == "" && r.project != nil {
		r.Rules = r.project.rules
	}
	r.Want, err = ignoreMissing(r.readPicture(r.Picture()))
	return accepted, err
}

// readPicture reads an accepted picture, to compare it with the present one. If their sizes differ, the accepted one must not be
// large.
func (r *Result) readPicture(name string) (image.Image, error) {
	if r.Got == nil {
		return osfile.ReadPNGBeside(name, image.Point{})
	}
	return osfile.ReadPNGBeside(name, r.Got.Rect.Size())
}

// readAccepted reads the accepted scene and reports whether there is one.
func (r *Result) readAccepted() (accepted bool, err error) {
	data, err := ignoreMissing(scene.ReadFile(r.Accepted()))
	if err == nil && data == nil {
		r.strayCopies()
	}
	if err != nil || data == nil {
		return false, err
	}
	r.acceptedSource = data
	if r.present != nil && len(r.presentFiles.Files) == 0 && bytes.Equal(data, r.source) {
		r.before, r.Current = r.present, true // the usual case: not decoded a second time
		return true, nil
	}
	list, err := r.readList()
	if err != nil {
		return true, err
	}
	if list != nil {
		return true, r.decodeStored(data, list)
	}
	r.decodeAccepted(data, scene.Folder(r.Copies()), r.copyOf)
	r.Current = bytes.Equal(data, r.source) && isEqual(r.acceptedFiles.Files, r.presentFiles.Files)
	return true, nil
}

// ignoreMissing passes on the result of reading a file, but drops the error that the file does not exist.
func ignoreMissing[T any](value T, err error) (T, error) {
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return value, err
}

// compare sets the verdict on two pictures. They are identical only if all pixels are equal; differences under a mask
// or within the tolerance are reported as tolerated.
func (r *Result) compare(ctx context.Context) error {
	tolerance, err := r.tolerance(ctx)
	if err != nil {
		return err
	}
	if r.Diff, err = golden.Compare(r.Got, r.Want, golden.Tolerance{}); err != nil {
		return err
	}
	if r.Diff.Passes() {
		r.Verdict = Identical
		if err := r.verify(ctx); err != nil {
			return err
		}
		r.trust()
		return nil
	}
	if r.Diff, err = golden.Compare(r.Got, r.Want, tolerance); err != nil {
		return err
	}
	switch {
	case r.Diff.Passes():
		r.Verdict = Tolerated
	case r.Diff.Got != r.Diff.Want:
		r.Verdict = Resized
	default:
		r.Verdict = Changed
	}
	r.trust()
	return nil
}

// tolerance returns the tolerance that the sidecar, the file NAME.golden.toml, states. Masks of objects are converted
// to rectangles: an object is masked where it is visible now and where it was visible when the scene was accepted.
func (r *Result) tolerance(ctx context.Context) (golden.Tolerance, error) {
	t := r.Rules.Tolerance
	if r.Rules.Reason != "" {
		for _, warning := range r.Rules.OutsideMasks(r.Got.Rect.Size()) {
			r.Warnings = append(r.Warnings, r.sidecar()+": "+warning)
		}
	}
	masks, err := masksOf(ctx, r.Rules.Objects, r.present, r.before)
	if err != nil {
		return t, fmt.Errorf("%s: masks: %w", r.sidecar(), err)
	}
	t.Masks = append(t.Masks, masks...)
	return t, nil
}
