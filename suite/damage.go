package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillbox/golden"
	"pillbox/internal/osfile"
	"pillbox/internal/regress"
	"pillbox/internal/sniff"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/scene"
)

// A Damage is what is wrong with a file of a golden, so that the accepted scene cannot be trusted: the file is missing,
// empty, invalid, or belongs to another scene.
type Damage struct {
	Location        // the file, with a line if there is one
	Text     string // the problem, in one line
}

// String returns the damage as file:line:column: problem.
func (d Damage) String() string { return d.place() + ": " + d.Text }

// place returns file:line:column, as far as they are known.
func (d Damage) place() string {
	place := d.File
	for _, n := range []int{d.Line, d.Column} {
		if n > 0 {
			place += fmt.Sprintf(":%d", n)
		}
	}
	return place
}

// maxDamage is the largest number of problems that are reported for the files of one golden.
const maxDamage = 4

// decodeAccepted decodes the accepted scene, which reads the given files. It sets r.before, or else r.Damage. place returns
// the path of the file that contains the one with a name.
func (r *Result) decodeAccepted(data []byte, files fs.FS, place placeFunc) {
	folder := &copies{Recorder: osfile.Record(files, scene.MaxBulkBytes)}
	r.acceptedFiles = folder.Recorder
	if len(bytes.TrimSpace(data)) == 0 {
		r.damaged(Location{File: r.Accepted()}, "is empty, want the accepted scene")
		return
	}
	// In messages, the folder of the name precedes the names of other files.
	name := filepath.Join(r.Copies(), filepath.Base(r.Accepted()))
	before, err := scene.Decode(name, data, scene.WithFiles(folder))
	if err == nil {
		if r.before, err = r.moment(before); err == nil {
			return
		}
	}
	var problems problem.Errors
	switch {
	case len(folder.missing) > 0:
		for _, missing := range folder.missing {
			if slices.ContainsFunc(folder.missing, func(file string) bool { return isBelow(missing, file) }) {
				continue // a folder of a missing file
			}
			r.damagedCopy(missing, "is missing", place)
		}
	case errors.As(err, &problems):
		for _, file := range names(folder.Recorder.Files) {
			if len(bytes.TrimSpace(folder.Recorder.Files[file])) == 0 {
				r.damagedCopy(file, "is empty", place)
			}
		}
		for _, e := range problems {
			if e.Severity != problem.SeverityError {
				continue
			}
			at := Location{e.File, e.Line, e.Column}
			problem := strings.TrimPrefix(e.Error(), e.Position()+" ")
			if at.File == name {
				at.File = r.Accepted()
			} else if rel, ok := osfile.Within(r.Copies(), at.File); ok && place(rel) != at.File {
				// The lines are those of the stored file.
				at, problem = Location{File: place(rel)}, fmt.Sprintf("%s: %s", Damage{Location{rel, at.Line, at.Column}, "invalid"}.place(), problem)
			}
			r.damaged(at, problem)
		}
	default:
		r.damaged(Location{File: r.Accepted()}, err.Error())
	}
}

// isBelow reports whether a folder of a file system contains a file, also in folders below.
func isBelow(folder, file string) bool {
	return file != folder && (folder == "." || strings.HasPrefix(file, folder+"/"))
}

// A placeFunc returns the path of the file that contains a file that the accepted scene reads.
type placeFunc func(name string) string

// damagedCopy adds the damage of a file that the accepted scene reads.
func (r *Result) damagedCopy(name, problem string, place placeFunc) {
	switch file := place(name); {
	case file == r.list() && slices.ContainsFunc(r.Damage, func(d Damage) bool { return d.File == file }):
		// the list is damaged
	case file == r.list():
		r.damaged(Location{File: file}, fmt.Sprintf("does not list %s, which the accepted scene reads", name))
	case file == r.copyOf(name) && !osfile.Exists(r.Copies()):
		r.damaged(Location{File: r.list()}, "is missing, want the list of the files that the accepted scene reads")
	case !slices.ContainsFunc(r.Damage, func(d Damage) bool { return d.File == file }):
		r.damaged(Location{File: file}, problem+", want the copy of a file that the accepted scene reads")
	}
}

// strayCopies reports a missing accepted scene if there are an accepted picture and copies of the files that the scene
// reads, or a list of them.
func (r *Result) strayCopies() {
	entries, _ := os.ReadDir(r.Copies())
	reads := ""
	switch {
	case !osfile.Exists(r.Picture()):
		return
	case osfile.Exists(r.list()):
		reads = "reads the files that " + r.list() + " lists"
	case len(entries) > 0:
		reads = "reads the copies in " + r.Copies()
	default:
		return
	}
	r.damaged(Location{File: r.Accepted()}, "is missing, want the accepted scene, which "+reads)
}

// copies is a [osfile.Recorder] that also keeps the names of missing files.
type copies struct {
	osfile.Recorder
	missing []string
}

// Open implements [fs.FS].
func (c *copies) Open(name string) (fs.File, error) {
	f, err := c.Recorder.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		c.missing = append(c.missing, name)
	}
	return f, err
}

// Stat implements [fs.StatFS].
func (c *copies) Stat(name string) (fs.FileInfo, error) {
	info, err := c.Recorder.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		c.missing = append(c.missing, name)
	}
	return info, err
}

// damaged adds a damage, unless it is known already or there are many.
func (r *Result) damaged(at Location, problem string) {
	for _, d := range r.Damage {
		if d.File == at.File && (d.Text == problem || len(r.Damage) >= maxDamage) {
			return
		}
	}
	r.Damage = append(r.Damage, Damage{at, problem})
}

// damagedSidecar adds the problems of a sidecar, if err has them.
func (r *Result) damagedSidecar(err error) {
	if err == nil {
		return
	}
	for line := range strings.Lines(err.Error()) {
		if problem, ok := strings.CutPrefix(line, r.sidecar()+":"); ok {
			r.damaged(Location{File: r.sidecar()}, strings.TrimSpace(problem))
		}
	}
}

// verify checks that the accepted scene gives the accepted picture, if both are known and the present scene gives it,
// too. Otherwise the accepted scene is that of another golden.
func (r *Result) verify(ctx context.Context) error {
	if r.before == nil || r.Current || regress.SameScene(r.before, r.present) {
		return nil
	}
	img, err := r.renderer(ctx, r.before)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		var d golden.Diff
		if d, err = golden.Compare(img, r.Want, golden.Tolerance{}); err == nil && d.Passes() {
			return nil
		}
	}
	r.foreign(r.twin(ctx))
	return nil
}

// foreign adds the damage that the accepted scene does not give the accepted picture. The twin is another golden with
// the same accepted scene, or "".
func (r *Result) foreign(twin string) {
	problem := "does not give " + r.Picture()
	if twin != "" {
		problem += fmt.Sprintf(": it is the same scene as %s", twin)
	} else {
		problem += ": it is another scene, a copy of its files is another one, or the renderer changed"
	}
	r.damaged(Location{File: r.Accepted()}, problem)
}

// twin returns the path of another golden's accepted scene in the same folder if it equals this one and this one gives
// that golden's picture, or "".
func (r *Result) twin(ctx context.Context) string {
	entries, _ := os.ReadDir(r.folder())
	ending := new(Reference).Accepted()
	stem, _, _ := cutMoment(r.stem())
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ending)
		other := Reference{base: filepath.Join(r.folder(), name)}
		if of, _, _ := cutMoment(name); !ok || of == stem {
			continue
		}
		data, err := scene.ReadFile(other.Accepted())
		if err == nil && bytes.Equal(data, r.acceptedSource) && r.acceptedGives(ctx, other.Picture()) {
			return other.Accepted()
		}
	}
	return ""
}

// acceptedGives reports whether the accepted scene gives a picture.
func (r *Result) acceptedGives(ctx context.Context, picture string) bool {
	want, err := r.readPicture(picture)
	if err != nil || want == nil {
		return false
	}
	got, err := r.renderer(ctx, r.before)
	if err != nil {
		return false
	}
	d, err := golden.Compare(got, want, golden.Tolerance{})
	return err == nil && d.Passes()
}

// trust replaces a verdict that passes by [Damaged] if the record is damaged.
func (r *Result) trust() {
	if len(r.Damage) > 0 && r.Verdict.Passes() {
		r.Verdict = Damaged
	}
}

// HasConflict reports whether a file of the golden contains an unresolved merge conflict, judging by its contents. A
// picture never does: git keeps that of one branch.
func (r *Result) HasConflict() bool {
	return slices.ContainsFunc(r.Damage, func(d Damage) bool { return strings.HasPrefix(d.Text, sniff.Conflict) })
}

// damageDetail describes the verdict Damaged.
func (r *Result) damageDetail() string {
	are := "the picture is as accepted, but "
	files := make(map[string]bool)
	for _, d := range r.Damage {
		files[d.File] = true
	}
	return are + text.Count(len(files), "file") + " of the golden cannot be trusted; restore what is wrong, or accept the scene, which writes it anew"
}
