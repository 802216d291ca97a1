package suite

import (
	"bytes"
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
	"pillbox/scene"
)

// Accept makes the scene's present output the reference. It writes the picture, an exact copy of the scene, and the other
// files that the scene reads: each content once for all goldens in the folder. If the accepted picture has the same pixels, Accept does not write it again,
// because different releases of Go compress the same pixels to different files. Accept also removes the files that
// earlier checks wrote.
//
// If the scene was renamed since its picture was accepted, Accept moves all files of the golden to the new name, the sidecar
// included.
//
// An orphan is a reference whose scene, or whose time in the scene, is gone. If r is the result of an orphan, Accept
// removes all of the orphan's files instead.
//
// If there is no picture to accept, Accept returns r.Err; if writing fails, it returns that error. An unreadable
// accepted picture or sidecar does not prevent accepting. After [Result.Release], Accept returns an error.
func (r *Result) Accept(write WriteFunc) error {
	if err := r.checkNotReleased(); err != nil {
		return err
	}
	if r.Verdict == Orphan {
		removed := "removed " + r.firstFile()
		return r.settle(removed, r.removeAll(write))
	}
	if r.Got == nil {
		return r.Err
	}
	if err := r.checkOwned(); err != nil {
		return err
	}
	was := r.Picture()
	err := r.replace(write)
	accepted := "accepted " + r.Picture()
	if was != r.Picture() {
		accepted += ", moved from " + was
	}
	return r.settle(accepted, err)
}

// checkNotReleased returns an error if the result was released: its pictures and scenes are gone.
func (r *Result) checkNotReleased() error {
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

// checkOwned returns an error if an existing file, by its name the accepted scene, is probably another scene: if its
// folder contains this scene, or if it differs from this scene and has no picture.
func (r *Result) checkOwned() error {
	if r.former != nil {
		return nil // nothing has the scene's name yet
	}
	data, err := scene.ReadFile(r.Accepted())
	if err != nil || bytes.Equal(data, r.source) || len(data) == 0 {
		return nil
	}
	scenes := filepath.Dir(r.Scene)
	if osfile.Same(scenes, r.folder()) {
		return fmt.Errorf("%s may be a scene, because %s contains scenes: keep the goldens in another folder", r.Accepted(), scenes)
	}
	if r.Verdict == Missing {
		return fmt.Errorf("%s may be another scene, because it differs from %s and there is no %s: remove it, or keep the goldens in another folder", r.Accepted(), r.Scene, r.Picture())
	}
	return nil
}

// replace writes the files of the new reference. If the scene was renamed, it then removes those with the former name.
func (r *Result) replace(write WriteFunc) (err error) {
	old := r.former
	r.former = nil
	defer func() {
		if err != nil {
			r.former = old
		}
	}()
	if err := r.makeFolder(); err != nil {
		return err
	}
	// The picture comes last: if the process ends before, the present picture still differs from it, and a check
	// reports that.
	if err := r.writeBytes(write, r.Accepted(), r.source); err != nil {
		return err
	}
	if err := r.storeFiles(write); err != nil {
		return err
	}
	if old != nil {
		if err := r.copyFormer(write, old.ownSidecar(), r.sidecar()); err != nil {
			return err
		}
	}
	if err := r.acceptPicture(write, old); err != nil {
		return err
	}
	if err := r.Tidy(); err != nil || old == nil {
		return err
	}
	return r.removeFormer(write, old)
}

// acceptPicture writes the picture unless its pixels are those of the accepted one. If that has a former name, it copies
// the file.
func (r *Result) acceptPicture(write WriteFunc, old *Reference) error {
	if r.Want != nil {
		d, err := golden.Compare(r.Got, r.Want, golden.Tolerance{})
		if err == nil && d.Passes() && old != nil {
			return r.copyFormer(write, old.ownPicture(), r.Picture())
		}
		if err != nil || d.Passes() {
			return err
		}
	}
	return r.write(write, r.Picture(), func(w io.Writer) error { return pngfile.Encode(w, r.Got) })
}

// removeCopies removes the copies of the files that the accepted scene read, and the folders that become empty: earlier
// versions of this program kept such copies for each golden. It keeps unrelated files in the folder.
func (r *Result) removeCopies() error {
	if !osfile.Exists(r.Copies()) {
		return nil
	}
	for _, name := range names(r.acceptedFiles.Files) {
		if err := r.Reference.remove(r.copyOf(name)); err != nil {
			return err
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			_ = r.Reference.remove(r.copyOf(dir)) // fails if the folder is not empty
		}
	}
	_ = r.Reference.remove(r.Copies())
	return nil
}

// copyOf returns the path of the copy of a file that the scene reads by the given name.
func (r *Reference) copyOf(name string) string {
	return filepath.Join(r.Copies(), filepath.FromSlash(name))
}

// removeAll removes all files of the reference, and those that its accepted scene read unless other goldens need them.
func (r *Result) removeAll(write WriteFunc) error {
	accepting.Lock()
	defer accepting.Unlock()
	if err := r.checkLinks(); err != nil {
		return err
	}
	if err := r.removeCopies(); err != nil {
		return err
	}
	unused := r.listedSums()
	for _, name := range r.Files() {
		if err := r.Reference.remove(name); err != nil {
			return err
		}
	}
	return r.dropContents(write, unused)
}

// Propose writes the scene's present picture at [Reference.Proposal], beside the golden. It does nothing if there is no
// picture. Another process may have accepted the picture in the meantime, so that the golden has the same pixels. Then
// Propose removes the proposal and the drawing again, unless the verdict is [Failed]. After [Result.Release] it returns
// an error.
func (r *Result) Propose(write WriteFunc) error {
	if err := r.checkNotReleased(); err != nil {
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
		return nil // keep the proposal even if it equals the golden
	}
	// Another process may accept the picture at the same time. It writes the golden and then removes the proposal; this
	// process writes the proposal and then reads the golden. So at least one of them finds what the other has written.
	accepted, err := r.readPicture(r.Picture())
	if err != nil {
		return nil // the verdict reports that the accepted picture cannot be read
	}
	if d, err := golden.Compare(r.Got, accepted, golden.Tolerance{}); err != nil || !d.Passes() {
		return err
	}
	return r.Tidy()
}

// Draw writes one picture that shows the accepted picture, the present picture and the changed pixels, at
// [Reference.Drawing]. It does nothing if either picture is missing. After [Result.Release] it returns an error.
func (r *Result) Draw(write WriteFunc) error {
	if err := r.checkNotReleased(); err != nil {
		return err
	}
	if r.Got == nil || r.Want == nil {
		return nil
	}
	return r.writeFresh(write, r.Drawing(), golden.Picture(r.Got, r.Want, r.Diff))
}

// writeFresh writes a generated picture. If the name is a symbolic link, writeFresh first removes the link: in a
// repository from an untrusted source it could point anywhere.
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
