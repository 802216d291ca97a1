package main

import (
	"bytes"
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
)

// standard represents standard input or output in place of a file name.
const standard = "-"

// output is where a picture goes.
type output struct {
	name   string // as the command line has it
	format picture.Format
	dpi    int // resolution; 0: none
}

// pictureOutput returns the output of the given name; what is wrong with the name alone is
// found here. Devices and pipes need no extension: they get a PNG.
func (p *program) pictureOutput(cmd *cobra.Command, name string) (output, error) {
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
	return output{}, cli.Misuse(cmd, "output must end in %s, got %q", picture.Extensions, name)
}

// noteWritten prints where a picture is, how large and how long it took, and where what goes
// with it is, if anything.
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

// noteDrawing is noteWritten for a picture beside a result on standard output: it prints only if a person reads it.
func (p *program) noteDrawing(out output, size image.Point) {
	if p.err.IsTerminal() {
		p.noteWritten(out, size)
	}
}

// noteFile prints something about a file that was written. In a pipe only what goes through it is of interest.
func (p *program) noteFile(name, format string, args ...any) {
	if !p.quiet && (name != standard || p.err.IsTerminal()) {
		p.err.Printf(format+"\n", args...)
	}
}

// claims are the files that a command writes. No input of the command may be among them.
type claims []claim

// claim is a file that a command line wants to write.
type claim struct {
	cmd    *cobra.Command
	output string
}

// check reports an output that would replace one of the inputs.
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

// checkOutput reports an output that cannot be written, and adds it to all. It reports an output that would
// replace one of the inputs of the command line; those that turn up later are for [claims.check].
func (p *program) checkOutput(all *claims, cmd *cobra.Command, output string, inputs ...string) error {
	if output == standard {
		return nil
	}
	*all = append(*all, claim{cmd, output})
	if err := all.check(inputs...); err != nil {
		return err
	}
	return p.files.Check(output)
}

// save writes img to its output.
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

// A destination is written to, and then either kept or discarded.
type destination interface {
	io.Writer
	Commit() error
	Discard()
}

// stream is the destination of what cannot be taken back, so it holds everything to the end: what
// reads from there gets a whole picture or none.
type stream struct {
	bytes.Buffer
	to io.Writer
}

func (s *stream) Commit() error {
	_, err := s.WriteTo(s.to)
	return err
}

func (s *stream) Discard() {}

// open starts to write an output.
func (p *program) open(o output) (destination, error) {
	if o.name == standard {
		return &stream{to: p.out}, nil
	}
	return p.files.Create(o.name)
}

// piecemeal reports whether the output can be written while the picture is being rendered. A named pipe is opened
// only when the picture is complete, because opening it waits for a reader.
func (o output) piecemeal() bool {
	if o.name == standard {
		return true
	}
	t, err := osfile.Locate(o.name)
	return err == nil && !t.Special && o.format == picture.PNG
}

// partial returns the output for a picture that was not finished, and false if only a whole
// picture makes sense there.
func (o output) partial() (output, bool) {
	if o.name == standard {
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
