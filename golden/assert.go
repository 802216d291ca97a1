package golden

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/internal/osfile"
)

// folder holds Assert's images. It is relative to the directory of the package under test, in which go test
// runs the test binary.
const folder = "testdata/golden"

// updateVariable names the environment variable that makes Assert accept pictures when it is "1".
const updateVariable = "GOLDEN_UPDATE"

// Assert compares img with the accepted image testdata/golden/NAME.png and reports a test error if they differ; the
// test continues. The name consists of elements separated by slashes. Each element consists of letters, digits and
// "_-+=,.#" and does not start with a dot. The name must not end in .png, .new or .diff. Most test names (t.Name()) are
// valid.
//
// With GOLDEN_UPDATE=1 in the environment, Assert writes the golden instead, unless it already has the same pixels.
// Without it, if the golden is missing or differs, Assert saves img as NAME.new.png; if it differs, Assert also saves
// the [Picture] of the difference as NAME.diff.png. Once the images agree, Assert removes both files. A file is
// written completely or not at all.
//
// The comparison is exact unless there is a sidecar file NAME.golden.toml (see [ParseSidecar]). Its masks must
// be rectangles: Assert has no scene in which to look up objects.
func Assert(t testing.TB, name string, img image.Image) {
	t.Helper()
	if err := assert(name, img); err != nil {
		t.Errorf("golden %q: %v", name, err)
	}
}

func assert(name string, img image.Image) error {
	if err := checkName(name); err != nil {
		return err
	}
	if img == nil {
		return errors.New("want an image, got nil")
	}
	f := files(filepath.Join(filepath.FromSlash(folder), filepath.FromSlash(name)))
	if os.Getenv(updateVariable) == "1" {
		return f.update(img)
	}
	return f.check(img)
}

// checkName returns an error for an invalid name. A file with such a name could lie outside the folder on
// some operating system, or be mistaken for a file of another golden or for a temporary file.
func checkName(name string) error {
	for _, element := range strings.Split(name, "/") {
		if element == "" || element[0] == '.' || strings.ContainsFunc(element, forbidden) {
			return errors.New(`the name must be elements of letters, digits and "_-+=,.#" separated by slashes, none of them empty or starting with a dot`)
		}
	}
	if !filepath.IsLocal(name) {
		return errors.New("the name must not be reserved by the system")
	}
	for _, suffix := range []string{".png", ".new", ".diff"} {
		if strings.HasSuffix(name, suffix) {
			return fmt.Errorf("the name must not end in %s", suffix)
		}
	}
	return nil
}

func forbidden(r rune) bool {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	digit := '0' <= r && r <= '9'
	return !letter && !digit && !strings.ContainsRune("_-+=,.#", r)
}

// files is the path of one golden without extension. Its methods return the paths of the golden's files.
type files string

func (f files) golden() string   { return string(f) + ".png" }
func (f files) sidecar() string  { return string(f) + ".golden.toml" }
func (f files) proposed() string { return string(f) + ".new.png" }
func (f files) diff() string     { return string(f) + ".diff.png" }

// update saves img as the golden. It keeps a golden that has the same pixels, because different releases of Go
// compress the same pixels to different files.
func (f files) update(img image.Image) error {
	want, err := osfile.ReadPNG(f.golden())
	if err == nil {
		var d Diff
		if d, err = Compare(img, want, Tolerance{}); err == nil && d.Passes() {
			return f.clean()
		}
	}
	return errors.Join(writePNG(f.golden(), img), f.clean())
}

// check compares img with the golden.
func (f files) check(img image.Image) error {
	want, err := osfile.ReadPNG(f.golden())
	if errors.Is(err, fs.ErrNotExist) {
		missing := fmt.Errorf("%s does not exist\n\tgot %s\n\taccept with %s=1", f.golden(), f.proposed(), updateVariable)
		return errors.Join(missing, f.clean(), writePNG(f.proposed(), img))
	}
	if err != nil {
		return err
	}
	tol, err := f.tolerance()
	if err != nil {
		return err
	}
	d, err := Compare(img, want, tol)
	if err != nil {
		return err
	}
	if d.Passes() {
		return f.clean()
	}
	different := fmt.Errorf("%v%s\n\twant %s\n\tgot  %s\n\tdiff %s\n\taccept with %s=1",
		d, visibility(img, want, tol), f.golden(), f.proposed(), f.diff(), updateVariable)
	return errors.Join(different, writePNG(f.proposed(), img), writePNG(f.diff(), Picture(img, want, d)))
}

// visibility returns, as text, the FLIP error, which measures how visible a difference is. It returns "" if the error
// cannot be computed.
func visibility(got, want image.Image, tol Tolerance) string {
	flip, err := CompareFLIP(got, want, tol.Masks...)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("\n\tFLIP mean %.4f, 99th percentile %.4f", flip.Mean, flip.P99)
}

// tolerance reads the sidecar. Without a sidecar, no difference is tolerated.
func (f files) tolerance() (Tolerance, error) {
	s, err := ReadSidecar(f.sidecar())
	if errors.Is(err, fs.ErrNotExist) {
		return Tolerance{}, nil
	}
	if err == nil && len(s.Objects) > 0 {
		err = fmt.Errorf("%s: masks: must be rectangles here, got the object %q", f.sidecar(), s.Objects[0].Name)
	}
	return s.Tolerance, err
}

// clean removes the files that an earlier failure wrote.
func (f files) clean() error {
	var errs []error
	for _, path := range []string{f.proposed(), f.diff()} {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := refuseLinkedFolder(path); err != nil {
			errs = append(errs, err)
			continue
		}
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// refuseLinkedFolder returns an error if a folder in a relative path is a symbolic link or, on Windows, a
// junction. A repository from an untrusted source could use such a link to make Assert write outside of it.
func refuseLinkedFolder(path string) error {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
			return &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("%s is a symbolic link, which is not followed here", dir)}
		}
	}
	return nil
}

// writePNG writes an image. It refuses symbolic links, of the file and of its folders, for the reason given at
// [refuseLinkedFolder]. It also refuses devices and pipes: writing to a pipe would wait for a reader.
func writePNG(path string, m image.Image) error {
	if err := refuseLinkedFolder(path); err != nil {
		return err
	}
	if t, err := osfile.Locate(path); err == nil && t.Special {
		return &fs.PathError{Op: "write", Path: path, Err: osfile.ErrNotRegular}
	}
	o := osfile.Outputs{RefuseLinks: true}
	return o.Rewrite(path, func(w io.Writer) error {
		if err := png.Encode(w, m); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		return nil
	})
}
