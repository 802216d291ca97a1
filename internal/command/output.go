package command

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pillbox/figure"
	"pillbox/internal/cli"
	"pillbox/internal/osfile"
	"pillbox/internal/picture"
	"pillbox/internal/text"
	"pillbox/scene"
)

// Standard is the file name that means standard input or output.
const Standard = "-"

// Output is the destination of a picture.
type Output struct {
	Name   string // as given on the command line
	Format picture.Format
	DPI    int // resolution to write into the file; 0: none

	Vectors VectorWriter // writes SVG or PDF; nil for a picture
}

// VectorWriter writes a file with a picture and, over it, the annotations of the figure f as vectors.
type VectorWriter func(f *figure.Figure, w io.Writer, picture *image.NRGBA, dpi int) error

// PictureOutput returns the output for a file name. The name must have the extension of a picture format.
// Standard output, devices and pipes need no extension; they receive a PNG. For other names, pictureOutput
// returns an error that lists the possible extensions; others are extensions that the caller handles
// itself.
func (p *Env) PictureOutput(cmd *cobra.Command, name string, others ...string) (Output, error) {
	if name == Standard {
		if p.Out.IsTerminal() {
			return Output{}, cli.Misuse(cmd, "a picture on a terminal would be noise; redirect standard output")
		}
		return Output{Name: name, Format: picture.PNG}, nil
	}
	if format, ok := picture.FormatOf(name); ok {
		return Output{Name: name, Format: format}, nil
	}
	if t, err := osfile.Locate(name); err == nil && t.Special {
		return Output{Name: name, Format: picture.PNG}, nil
	}
	return Output{}, cli.Misuse(cmd, "output must end in %s, got %q", text.Series(append(picture.Extensions(), others...), "or"), name)
}

// NoteWritten prints the file of a picture, its size, the elapsed time, and the names of the other files that were
// written.
func (p *Env) NoteWritten(out Output, size image.Point, others ...string) {
	name := out.Name
	if name == Standard {
		name = "standard output"
	}
	also := ""
	if len(others) > 0 {
		also = ", with " + strings.Join(others, ", ")
	}
	p.NoteFile(out.Name, "%s: %d x %d pixels in %.2f s%s", name, size.X, size.Y, time.Since(p.Started).Seconds(), also)
}

// NoteDrawing prints the file, the size and the elapsed time of a picture, on a terminal only. It is for a picture
// that a command writes in addition to its result.
func (p *Env) NoteDrawing(out Output, size image.Point) {
	if p.Err.IsTerminal() {
		p.NoteWritten(out, size)
	}
}

// NoteFile prints a note about a written file. If the result went to standard output, it prints the note
// only if standard error is a terminal.
func (p *Env) NoteFile(name, format string, args ...any) {
	if !p.Quiet && (name != Standard || p.Err.IsTerminal()) {
		p.Err.Printf(format+"\n", args...)
	}
}

// CheckOutput returns an error if the output cannot be written, would replace one of the given inputs, or must not
// replace the existing file. It protects the inputs: see [osfile.Outputs.Protect].
func (p *Env) CheckOutput(cmd *cobra.Command, output string, inputs ...string) error {
	if err := p.Protect(inputs...); err != nil {
		return err
	}
	if output == Standard {
		return p.Out.CheckOpen()
	}
	return p.refused(cmd, p.Files.Check(output))
}

// CheckFormat is CheckOutput for an output in the given format, one of the names of package sniff, whose name need not
// have a certain extension. It returns an error if the extension is that of another format.
func (p *Env) CheckFormat(cmd *cobra.Command, output, kind string, inputs ...string) error {
	if err := p.CheckOutput(cmd, output, inputs...); err != nil || output == Standard {
		return err
	}
	if err := osfile.CheckFormat(output, kind); err != nil {
		return cli.Misuse(cmd, "%v; choose another name", err)
	}
	return nil
}

// CheckDerived is CheckOutput for a name that the program has chosen: it must not be a symbolic link.
func (p *Env) CheckDerived(cmd *cobra.Command, output string, inputs ...string) error {
	if err := osfile.RefuseLink(output); err != nil {
		return err
	}
	return p.CheckOutput(cmd, output, inputs...)
}

// ExpectPartial reserves the name that the unfinished picture of an output gets if the command is interrupted. It returns an
// error if this name is an input or a symbolic link.
func (p *Env) ExpectPartial(o Output) error {
	partial, ok := o.Partial()
	if !ok {
		return nil
	}
	if err := osfile.RefuseLink(partial.Name); err != nil {
		return err
	}
	return p.Files.Expect(partial.Name)
}

// refused adds a hint to the error of an output that would replace a scene. It returns other errors as they are.
func (p *Env) refused(cmd *cobra.Command, err error) error {
	var refused *osfile.Refusal
	if errors.As(err, &refused) && refused.Scene {
		err = &cli.Failure{Status: cli.StatusWrong, Err: err, Hint: "choose another name"}
		if f := cmd.Flag(forceFlag); f != nil {
			err = &cli.Failure{Status: cli.StatusWrong, Err: err, Hint: "--force replaces it"}
		}
	}
	return err
}

// Protect makes inputs, and the file to which standard input is redirected, files that no output may replace. It returns an error if one of them is an output.
func (p *Env) Protect(inputs ...string) error {
	names := slices.DeleteFunc(slices.Clone(inputs), func(name string) bool { return name == Standard })
	if info, err := os.Stat(standardInput); err == nil && info.Mode().IsRegular() {
		names = append(names, standardInput)
	}
	return p.Files.Protect(names...)
}

// standardInput is the file from which the process reads standard input, on systems that have it.
const standardInput = "/dev/stdin"

// forceFlag is the flag of commands that write scenes.
const forceFlag = "force"

// ForceFlag adds --force, which lets a command replace existing scenes.
func (p *Env) ForceFlag(cmd *cobra.Command) {
	p.Files.IsScene = scene.IsScene
	cmd.Flags().BoolVar(&p.Files.ReplaceScenes, forceFlag, false, "replace existing scenes")
}

// Save encodes img and writes it to the output.
func (p *Env) Save(o Output, img image.Image) error {
	defer p.Saving(img.Bounds().Size())()
	to, err := p.Open(o)
	if err != nil {
		return err
	}
	if err := o.Format.Encode(to, img, o.DPI); err != nil {
		to.Discard()
		return err
	}
	return to.Commit()
}

// A destination receives the data of an output, which is then either committed or discarded.
type destination interface {
	io.Writer
	Commit() error
	Discard()
}

// stream is the destination for standard output. It holds all data in memory until Commit, because data that was
// written to a pipe cannot be withdrawn.
type stream struct {
	bytes.Buffer
	to io.Writer
}

func (s *stream) Commit() error {
	_, err := s.WriteTo(s.to)
	return err
}

func (s *stream) Discard() {}

// WriteOutput writes a file or to standard output. If the function fill fails or the user interrupts it,
// nothing is written.
func (p *Env) WriteOutput(ctx context.Context, name string, fill func(io.Writer) error) error {
	if name != Standard {
		_, err := Await(ctx, func() (struct{}, error) { return struct{}{}, p.Files.Write(name, fill) })
		return err
	}
	whole, err := Await(ctx, func() (*stream, error) {
		s := &stream{to: p.Out}
		return s, fill(s)
	})
	if err != nil {
		return err
	}
	return whole.Commit()
}

// Open creates the destination for an output.
func (p *Env) Open(o Output) (destination, error) {
	if o.Name == Standard {
		return &stream{to: p.Out}, nil
	}
	return p.Files.Create(o.Name)
}

// CanStream reports whether the output can be written while the picture is being rendered: standard output, which gets a
// PNG, and regular PNG files. A named pipe is opened only when the picture is complete, because opening it waits for a
// reader.
func (o Output) CanStream() bool {
	if o.Name == Standard {
		return true
	}
	t, err := osfile.Locate(o.Name)
	return err == nil && !t.Special && o.Format == picture.PNG
}

// Partial returns the output for an unfinished picture. It returns false for standard output, devices, pipes, SVG and
// PDF, which receive only complete pictures.
func (o Output) Partial() (Output, bool) {
	if o.Name == Standard || o.Vectors != nil {
		return Output{}, false
	}
	if t, err := osfile.Locate(o.Name); err != nil || t.Special {
		return Output{}, false
	}
	ext := filepath.Ext(o.Name)
	o.Name = strings.TrimSuffix(o.Name, ext) + ".partial" + ext
	return o, true
}

// OpenInput opens the named file or standard input for reading.
func (p *Env) OpenInput(name string) (io.ReadCloser, error) {
	if in := p.peeked; in.Reader != nil && in.name == name {
		p.peeked = peeked{}
		return in, nil
	}
	if name == Standard {
		return io.NopCloser(p.In), nil
	}
	return os.Open(name)
}

// DefaultOutput returns the scene's base name with the extension .png, in the current
// directory.
func DefaultOutput(scene string) string {
	base := filepath.Base(scene)
	name := strings.TrimSuffix(base, filepath.Ext(base))
	if scene == Standard || name == "" {
		name = "scene"
	}
	return name + ".png"
}
