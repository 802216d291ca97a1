package main

import (
	"bytes"
	"context"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/osfile"
	"pillbox/internal/picture"
	"pillbox/internal/text"
)

// standard is the file name that means standard input or output.
const standard = "-"

// output is the destination of a picture.
type output struct {
	name   string // as given on the command line
	format picture.Format
	dpi    int // resolution to write into the file; 0: none

	vectors vectorWriter // writes SVG or PDF; nil for a picture
}

// pictureOutput returns the output for a file name. The name must have the extension of a picture format.
// Standard output, devices and pipes need no extension; they receive a PNG. For other names, pictureOutput
// returns an error that lists the possible extensions; others are extensions that the caller handles
// itself.
func (p *program) pictureOutput(cmd *cobra.Command, name string, others ...string) (output, error) {
	if name == standard {
		if p.out.IsTerminal() {
			return output{}, cli.Misuse(cmd, "a picture on a terminal would be noise; redirect standard output")
		}
		return output{name: name, format: picture.PNG}, nil
	}
	if format, ok := picture.FormatOf(name); ok {
		return output{name: name, format: format}, nil
	}
	if t, err := osfile.Locate(name); err == nil && t.Special {
		return output{name: name, format: picture.PNG}, nil
	}
	return output{}, cli.Misuse(cmd, "output must end in %s, got %q", text.Series(append(picture.Extensions(), others...), "or"), name)
}

// noteWritten prints the file of a picture, its size, the elapsed time, and the names of the other files that were
// written.
func (p *program) noteWritten(out output, size image.Point, others ...string) {
	name := out.name
	if name == standard {
		name = "standard output"
	}
	also := ""
	if len(others) > 0 {
		also = ", with " + strings.Join(others, ", ")
	}
	p.noteFile(out.name, "%s: %d x %d pixels in %.2f s%s", name, size.X, size.Y, time.Since(p.started).Seconds(), also)
}

// noteDrawing prints the file, the size and the elapsed time of a picture, on a terminal only. It is for a picture
// that a command writes in addition to its result.
func (p *program) noteDrawing(out output, size image.Point) {
	if p.err.IsTerminal() {
		p.noteWritten(out, size)
	}
}

// noteFile prints a note about a written file. If the result went to standard output, it prints the note
// only if standard error is a terminal.
func (p *program) noteFile(name, format string, args ...any) {
	if !p.quiet && (name != standard || p.err.IsTerminal()) {
		p.err.Printf(format+"\n", args...)
	}
}

// claims are the files that a command writes. None of them may be an input of the command.
type claims []claim

// claim is a file that a command is going to write.
type claim struct {
	cmd    *cobra.Command
	output string
}

// check returns an error if an output would replace one of the inputs.
func (all claims) check(inputs ...string) error {
	for _, c := range all {
		for _, name := range inputs {
			if name != standard && (osfile.Same(name, c.output) || osfile.Canonical(name) == osfile.Canonical(c.output)) {
				return cli.Misuse(c.cmd, "output %s would replace the input", c.output)
			}
		}
	}
	return nil
}

// checkOutput adds an output to the list all. It returns an error if the output cannot be written or would
// replace one of the given inputs. To check inputs that become known later, use [claims.check].
func (p *program) checkOutput(all *claims, cmd *cobra.Command, output string, inputs ...string) error {
	if output == standard {
		return p.out.CheckOpen()
	}
	*all = append(*all, claim{cmd, output})
	if err := all.check(inputs...); err != nil {
		return err
	}
	return p.files.Check(output)
}

// save encodes img and writes it to the output.
func (p *program) save(o output, img image.Image) error {
	to, err := p.open(o)
	if err != nil {
		return err
	}
	if err := o.format.Encode(to, img, o.dpi); err != nil {
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

// writeOutput writes a file or to standard output. If the function fill fails or the user interrupts it,
// nothing is written.
func (p *program) writeOutput(ctx context.Context, name string, fill func(io.Writer) error) error {
	if name != standard {
		_, err := await(ctx, func() (struct{}, error) { return struct{}{}, p.files.Write(name, fill) })
		return err
	}
	whole, err := await(ctx, func() (*stream, error) {
		s := &stream{to: p.out}
		return s, fill(s)
	})
	if err != nil {
		return err
	}
	return whole.Commit()
}

// open creates the destination for an output.
func (p *program) open(o output) (destination, error) {
	if o.name == standard {
		return &stream{to: p.out}, nil
	}
	return p.files.Create(o.name)
}

// canStream reports whether the output can be written while the picture is being rendered: standard output, which gets a
// PNG, and regular PNG files. A named pipe is opened only when the picture is complete, because opening it waits for a
// reader.
func (o output) canStream() bool {
	if o.name == standard {
		return true
	}
	t, err := osfile.Locate(o.name)
	return err == nil && !t.Special && o.format == picture.PNG
}

// partial returns the output for an unfinished picture. It returns false for standard output, devices, pipes, SVG and
// PDF, which receive only complete pictures.
func (o output) partial() (output, bool) {
	if o.name == standard || o.vectors != nil {
		return output{}, false
	}
	if t, err := osfile.Locate(o.name); err != nil || t.Special {
		return output{}, false
	}
	ext := filepath.Ext(o.name)
	o.name = strings.TrimSuffix(o.name, ext) + ".partial" + ext
	return o, true
}

// openInput opens the named file or standard input for reading.
func (p *program) openInput(name string) (io.ReadCloser, error) {
	if name == standard {
		return io.NopCloser(p.in), nil
	}
	return os.Open(name)
}

// defaultOutput returns the scene's base name with the extension .png, in the current
// directory.
func defaultOutput(scene string) string {
	base := filepath.Base(scene)
	name := strings.TrimSuffix(base, filepath.Ext(base))
	if scene == standard || name == "" {
		name = "scene"
	}
	return name + ".png"
}
