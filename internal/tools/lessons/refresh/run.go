package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"pillbox/golden"
)

// runner runs the commands of the pages.
type runner struct {
	dir      string // the working directory, with the scenes and the generated pictures
	bin      string // the folder of the programs
	programs []program
}

// program is a program that commands may run.
type program struct{ prefix, file string }

// newRunner builds the programs and copies the scenes of a folder. The caller must close the runner.
func newRunner(folder string) (*runner, error) {
	top, err := os.MkdirTemp("", "lessons")
	if err != nil {
		return nil, err
	}
	r := &runner{dir: filepath.Join(top, "lessons"), bin: filepath.Join(top, "bin")}
	if err := r.prepare(folder); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *runner) close() { os.RemoveAll(filepath.Dir(r.dir)) }

func (r *runner) prepare(folder string) error {
	for _, dir := range []string{r.dir, r.bin} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			return err
		}
	}
	r.programs = []program{
		{"render ", filepath.Join(r.bin, "render")},
		{"go run ./traps ", filepath.Join(r.bin, "traps")},
		{"go run ./figures ", filepath.Join(r.bin, "figures")},
	}
	build := exec.Command("go", "build", "-o", r.bin+string(filepath.Separator), "./cmd/render", "./internal/tools/lessons/traps", "./internal/tools/lessons/figures")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", build, err, out)
	}
	scenes, err := filepath.Glob(filepath.Join(folder, "*.toml"))
	if err != nil {
		return err
	}
	for _, name := range scenes {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.dir, filepath.Base(name)), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// The pattern written matches the line with which a program reports a written file. This line is not a warning.
var written = regexp.MustCompile(`(?m)^\S+: \d+ x \d+ pixels in \d+\.\d+ s.*\n?`)

// output runs a command without a shell and returns its output. It returns an error if the command is not one of the
// lessons' programs, fails, or prints a warning.
func (r *runner) output(line string) (string, error) {
	if i := strings.IndexAny(line, "'\"\\|<>;&$*?`"); i >= 0 {
		return "", fmt.Errorf("`%s`: must be plain words, got %q", line, line[i])
	}
	for _, p := range r.programs {
		args, ok := strings.CutPrefix(line, p.prefix)
		if !ok {
			continue
		}
		cmd := exec.Command(p.file, strings.Fields(args)...)
		cmd.Dir = r.dir
		var out, complaint bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &complaint
		err := cmd.Run()
		warnings := strings.TrimSpace(written.ReplaceAllString(complaint.String(), ""))
		switch {
		case err != nil && warnings != "":
			return "", fmt.Errorf("`%s`: %w: %s", line, err, warnings)
		case err != nil:
			return "", fmt.Errorf("`%s`: %w", line, err)
		case warnings != "":
			return "", fmt.Errorf("`%s`: must print no warning, got %s", line, warnings)
		}
		return out.String(), nil
	}
	return "", fmt.Errorf("`%s`: must begin with render, go run ./traps or go run ./figures", line)
}

// pictures returns the names of the pictures in the working directory.
func (r *runner) pictures() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(r.dir, "*.png"))
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	return files, err
}

// samePicture reports whether two pictures are equal, except for small differences in smooth edges. It returns false if
// the file with the name want is missing.
func samePicture(got, want string) (bool, error) {
	g, err := readPicture(got)
	if err != nil {
		return false, err
	}
	w, err := readPicture(want)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// Smooth edges of lines and letters are computed in floating point, and some processors fuse multiplication and
	// addition: on arm64 this changes a few pixels by 1 of 255. A wrong digit changes pixels by about 100.
	const edge = 4
	diff, err := golden.Compare(g, w, golden.Tolerance{MaxChannel: edge})
	return diff.Passes(), err
}

func readPicture(name string) (image.Image, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return img, nil
}
