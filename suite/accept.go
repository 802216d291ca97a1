package suite

import (
	"cmp"
	"fmt"
	"image"
	"io"
	"os"
	"path"
	"path/filepath"

	"pillbox/golden"
	"pillbox/internal/osfile"
	"pillbox/pngfile"
)

// Accept makes what the scene gives the reference: the picture, and exact copies of the scene and
// of the other files that it reads. A picture whose pixels are the accepted ones already stays as it
// is, for releases of Go compress the same pixels to different files. Accepting an orphan removes
// what there is of it. What earlier checks left behind goes.
//
// The error is Err if there is no picture to accept, or that of write; a picture or a sidecar that
// cannot be read is no reason. After [Result.Release] nothing can be accepted, which is an error, too.
func (r *Result) Accept(write WriteFunc) error {
	if err := r.checkHeld(); err != nil {
		return err
	}
	if r.Verdict == Orphan {
		removed := "removed " + r.firstFile()
		return r.settle(removed, r.removeAll())
	}
	if r.Got == nil {
		return r.Err
	}
	return r.settle("accepted "+r.Picture(), r.replace(write))
}

// checkHeld reports that what accepting and proposing need was let go of.
func (r *Result) checkHeld() error {
	if r.released {
		return fmt.Errorf("%s: the result was released; judge the scene again", r.Name)
	}
	return nil
}

func (r *Result) settle(what string, err error) error {
	if err == nil {
		r.Outcome = what
	}
	return err
}

// replace makes what the scene gives the reference.
func (r *Result) replace(write WriteFunc) error {
	if err := r.makeFolder(); err != nil {
		return err
	}
	if err := r.acceptPicture(write); err != nil {
		return err
	}
	if err := r.writeBytes(write, r.Accepted(), r.source); err != nil {
		return err
	}
	if err := r.copyOtherFiles(write); err != nil {
		return err
	}
	return r.Tidy()
}

func (r *Result) acceptPicture(write WriteFunc) error {
	if r.Want != nil {
		d, err := golden.Compare(r.Got, r.Want, golden.Tolerance{})
		if err != nil || d.Passes() {
			return err
		}
	}
	return r.write(write, r.Picture(), func(w io.Writer) error { return pngfile.Encode(w, r.Got) })
}

// copyOtherFiles keeps copies of the other files that the scene reads, instead of those that the
// accepted scene read. Other files in the folder stay.
func (r *Result) copyOtherFiles(write WriteFunc) error {
	if err := r.removeCopies(); err != nil {
		return err
	}
	for _, name := range names(r.presentFiles.Files) {
		copied := r.copyOf(name)
		if err := r.makeFolders(filepath.Dir(copied)); err != nil {
			return err
		}
		if err := r.writeBytes(write, copied, r.presentFiles.Files[name]); err != nil {
			return err
		}
	}
	return nil
}

// removeCopies removes the copies of files that the present scene does not use, and what folders
// that leaves empty.
func (r *Result) removeCopies() error {
	for _, name := range names(r.acceptedFiles.Files) {
		if _, used := r.presentFiles.Files[name]; used {
			continue
		}
		if err := r.Reference.remove(r.copyOf(name)); err != nil {
			return err
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			_ = r.Reference.remove(r.copyOf(dir)) // fails if anything is in it
		}
		_ = r.Reference.remove(r.Copies())
	}
	return nil
}

// copyOf returns the path of the copy of a file, whose name is that in the scene.
func (r *Result) copyOf(name string) string {
	return filepath.Join(r.Copies(), filepath.FromSlash(name))
}

// removeAll removes everything that belongs to an orphan.
func (r *Result) removeAll() error {
	if err := r.checkLinks(); err != nil {
		return err
	}
	if err := r.removeCopies(); err != nil {
		return err
	}
	for _, name := range r.Files() {
		if err := r.Reference.remove(name); err != nil {
			return err
		}
	}
	return nil
}

// Propose leaves the picture of the scene beside its golden, as [Reference.Proposal]. Without a
// picture it does nothing, and none stays if the picture was accepted meanwhile. After
// [Result.Release] it is an error.
func (r *Result) Propose(write WriteFunc) error {
	if err := r.checkHeld(); err != nil {
		return err
	}
	if r.Got == nil {
		return nil
	}
	if err := r.makeFolder(); err != nil {
		return err
	}
	if err := r.writeFresh(write, r.Proposal(), r.Got); err != nil {
		return err
	}
	if r.Verdict == Failed {
		return nil // a picture that is as accepted is proposed, too
	}
	// Accepting writes the golden and then removes the proposal. If it came in between, one of the
	// two sees what the other has done.
	accepted, err := osfile.ReadPNG(r.Picture())
	if err != nil {
		return nil // which the verdict says
	}
	if d, err := golden.Compare(r.Got, accepted, golden.Tolerance{}); err != nil || !d.Passes() {
		return err
	}
	return r.Tidy()
}

// Draw leaves want, got and the changed pixels, in one picture, as [Reference.Drawing]. Without two
// pictures it does nothing. After [Result.Release] it is an error.
func (r *Result) Draw(write WriteFunc) error {
	if err := r.checkHeld(); err != nil {
		return err
	}
	if r.Got == nil || r.Want == nil {
		return nil
	}
	return r.writeFresh(write, r.Drawing(), golden.Picture(r.Got, r.Want, r.Diff))
}

// writeFresh replaces a picture that no one edits. A symbolic link of its name goes first: in a folder
// that came from elsewhere it may lead anywhere.
func (r *Reference) writeFresh(write WriteFunc, name string, img image.Image) error {
	if info, err := os.Lstat(name); err == nil && isLink(info.Mode()) {
		if err := r.remove(name); err != nil {
			return err
		}
	}
	return r.write(write, name, func(w io.Writer) error { return pngfile.EncodeImage(w, img) })
}

// makeFolder makes the folder of the goldens.
func (r *Reference) makeFolder() error {
	if !r.folderNamed {
		if err := refuseLink(r.folder()); err != nil {
			return err
		}
	}
	return os.MkdirAll(r.folder(), 0o777)
}

// Tidy removes what earlier checks and reviews left behind: the proposal and the drawing.
func (r *Reference) Tidy() error { return cmp.Or(r.remove(r.Proposal()), r.remove(r.Drawing())) }

func (r *Reference) writeBytes(write WriteFunc, name string, data []byte) error {
	return r.write(write, name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
