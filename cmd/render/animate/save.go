package animate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"sync/atomic"

	"github.com/spf13/cobra"

	"pillbox/animate"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/filmfile"
	"pillbox/internal/osfile"
	"pillbox/pngfile"
	"pillbox/scene"
)

// Source is a film with the functions that render its frames.
type Source struct {
	Film    animate.Film
	Render  animate.RenderFunc                     // renders the frames of the film
	Preview animate.RenderFunc                     // renders the small frames from which a GIF's palette is chosen
	Digest  func(frame int, s *scene.Scene) string // identifies what a frame shows
}

// NewSaver returns a function that renders a film and writes it to the output, whose extension determines the format.
// Existing files are replaced.
func NewSaver(p *command.Env, cmd *cobra.Command, src Source, output string, dpi int) (func(context.Context) error, error) {
	a := &animating{Env: p, cmd: cmd, scene: "SCENE", output: output, force: true, dpi: dpi,
		film: src.Film, render: src.Render, preview: src.Preview, digest: src.Digest}
	return a.saver()
}

// saver returns a function that renders the film and writes it in the format of the output's extension.
func (a *animating) saver() (func(context.Context) error, error) {
	if a.dpi > 0 && !filmfile.IsNumbered(a.output) {
		return nil, cli.Misuse(a.cmd, "--dpi is for numbered frames, such as -o %s", "f%04d.png")
	}
	if a.output == command.Standard {
		return a.rawSaver()
	}
	if a.output == "" {
		return nil, cli.Misuse(a.cmd, "want an output, as in 'render animate %s -o film.gif'", a.scene)
	}
	format, err := filmfile.Parse(a.output)
	if err != nil {
		return nil, cli.Misuse(a.cmd, "%v", err)
	}
	switch format {
	case filmfile.Frames:
		return a.saveFrames, nil
	case filmfile.GIF:
		return a.saveGIF, nil
	case filmfile.APNG:
		return func(ctx context.Context) error { return a.saveFile(ctx, animate.NewAPNG) }, nil
	}
	if err := filmfile.FindFFmpeg(); err != nil {
		return nil, &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s: %w", a.output, err)}
	}
	return func(ctx context.Context) error { return a.saveVideo(ctx, format) }, nil
}

// rawSaver returns a function that renders the film and writes it to standard output as raw video.
func (a *animating) rawSaver() (func(context.Context) error, error) {
	if a.Out.IsTerminal() {
		return nil, cli.Misuse(a.cmd, "a film on a terminal would be noise; redirect standard output")
	}
	return func(ctx context.Context) error {
		_, err := a.stream(ctx, a.Out, animate.NewY4M)
		return err
	}, nil
}

// isGIF reports whether the output is a GIF. Its palette is chosen from small frames, which this process renders even if
// a farm renders the film.
func (a *animating) isGIF() bool {
	return a.hasFormat(func(f filmfile.Format) bool { return f == filmfile.GIF })
}

// isVideo reports whether the output is a video. Videos have no transparency.
func (a *animating) isVideo() bool {
	return a.output == command.Standard || a.hasFormat(filmfile.Format.IsVideo)
}

// hasFormat reports whether the format of the output is known and fulfills a condition: the function is
// returns true for it.
func (a *animating) hasFormat(is func(filmfile.Format) bool) bool {
	format, err := filmfile.Parse(a.output)
	return err == nil && is(format)
}

// A pass renders a range of frames once. The frames are the frames of the film, or small ones for choosing the palette.
type pass struct {
	film   *animate.Film
	label  string // for the progress bar
	render animate.RenderFunc
	skip   func(int, *scene.Scene) bool // see [animate.Film.Render]
}

// each renders the frames of a pass, calls write with each, and shows the progress.
func (a *animating) each(ctx context.Context, p pass, write func(animate.Frame) error) error {
	size, err := p.film.Size()
	if err != nil {
		return err
	}
	progress := a.NewProgress(p.label, image.Pt(size.X*size.Y, p.film.Len()))
	defer progress.Clear()
	for frame, err := range p.film.Render(ctx, p.render, p.skip) {
		if err != nil {
			return err
		}
		if err := write(frame); err != nil {
			return err
		}
		progress.Update((frame.Index + 1) * size.X * size.Y)
	}
	return nil
}

// stream renders the film and writes it with the writer that the function make returns. If rendering fails or the user
// interrupts it, stream finishes the film with the frames written so far, unless this takes too long because ffmpeg still encodes
// them, and also returns the error. The result kept is the number of these frames, or 0 if the film is not finished.
func (a *animating) stream(ctx context.Context, w io.Writer, make func(io.Writer, animate.Format) animate.Writer) (kept int, err error) {
	format, err := a.film.Format()
	if err != nil {
		return 0, err
	}
	film := make(w, format)
	var failed error
	err = a.each(ctx, pass{film: &a.film, label: "animating", render: a.render}, func(f animate.Frame) error {
		if failed = film.Frame(f.Image); failed == nil {
			kept++
		}
		return failed
	})
	if kept == format.Frames {
		err = unlessCanceled(err) // the film is complete
	}
	if failed == nil && kept > 0 {
		if err != nil && a.hasFormat(filmfile.Format.IsVideo) {
			if late := a.Finish(ctx, "a video", format.Size); late != nil {
				return 0, late
			}
		}
		defer a.Saving(image.Point{})()
		failed = film.Close()
	}
	if failed != nil {
		return 0, failed
	}
	return kept, err
}

// saveFile streams the film to the output, which is written completely or not at all.
func (a *animating) saveFile(ctx context.Context, make func(io.Writer, animate.Format) animate.Writer) error {
	to, err := a.Files.Create(a.output)
	if err != nil {
		return err
	}
	kept, err := a.stream(ctx, to, make)
	return a.finishFilm(to, kept, err)
}

// finishFilm commits or discards the draft of a film; kept is the number of frames in the draft. err is nil if the film
// is complete. Otherwise finishFilm keeps the frames under another name, with .partial before the extension. It discards
// the draft if there are no frames, and if the output cannot have such a name.
func (a *animating) finishFilm(to *osfile.Draft, kept int, err error) error {
	if err == nil {
		if err := to.Commit(); err != nil {
			return err
		}
		return a.noteFilm(a.film.Len())
	}
	partial, ok := command.Output{Name: to.Path()}.Partial()
	if kept == 0 || !ok {
		to.Discard()
		return err
	}
	if failed := to.Rename(partial.Name); failed != nil {
		to.Discard()
		return cmp.Or(unlessCanceled(err), failed)
	}
	if failed := to.Commit(); failed != nil {
		return cmp.Or(unlessCanceled(err), failed)
	}
	return stopped(err, fmt.Sprintf("%s holds the first %d of %d frames", partial.Name, kept, a.film.Len()))
}

// unlessCanceled returns err, or nil for an interruption.
func unlessCanceled(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// stopped returns err, the error that ended a film early, with a note about the frames that remain.
func stopped(err error, remains string) error {
	if errors.Is(err, context.Canceled) {
		return &cli.Failure{Status: cli.StatusInterrupted, Err: fmt.Errorf("interrupted; %s", remains)}
	}
	f := *cli.FailureOf(err)
	f.Err = errors.Join(f.Err, errors.New(remains))
	return &f
}

func (a *animating) saveGIF(ctx context.Context) error {
	if a.film.FPS > animate.MaxGIFRate {
		return cli.Misuse(a.cmd, "a GIF shows at most %d frames a second, got %v; --fps changes that", animate.MaxGIFRate, a.film.FPS)
	}
	preview, err := a.film.Preview()
	if err != nil {
		return err
	}
	var colors animate.Histogram
	previewed := a.each(ctx, pass{film: &preview, label: "choosing colors", render: a.preview}, func(f animate.Frame) error {
		colors.Add(f.Image)
		return nil
	})
	if errors.Is(previewed, context.Canceled) {
		return previewed
	}
	// If a frame cannot be rendered, saveFile writes the frames before it and returns the error.
	palette := colors.Palette()
	err = a.saveFile(ctx, func(w io.Writer, f animate.Format) animate.Writer { return animate.NewGIF(w, f, palette) })
	return cmp.Or(err, previewed)
}

// ownDigest returns the digest of a frame's scene and picture size.
func (a *animating) ownDigest(_ int, s *scene.Scene) string {
	size, err := a.film.Size()
	if err != nil {
		return ""
	}
	return animate.Digest(s, size, cmp.Or(a.film.Options.Antialias, s.Image.Antialias))
}

// frameNote returns the text that identifies a frame's content. It is stored in the frame's file.
func (a *animating) frameNote(i int, s *scene.Scene) string {
	if a.dpi == 0 {
		return a.digest(i, s)
	}
	return fmt.Sprintf("%s at %d dpi", a.digest(i, s), a.dpi)
}

// isThere reports whether the file of a frame already shows the frame, so that it need not be rendered.
func (a *animating) isThere(i int, s *scene.Scene) bool {
	if a.force {
		return false
	}
	data, err := os.ReadFile(filmfile.Frame(a.output, a.film.First+i))
	return err == nil && animate.HasNote(data, a.frameNote(i, s))
}

// saveFrames writes a PNG for each frame whose file is missing or out of date.
func (a *animating) saveFrames(ctx context.Context) error {
	var kept atomic.Int64
	isThere := func(i int, s *scene.Scene) bool {
		is := a.isThere(i, s)
		if is {
			kept.Add(1)
		}
		return is
	}
	finished := 0
	err := a.each(ctx, pass{film: &a.film, label: "animating", render: a.render, skip: isThere}, func(f animate.Frame) error {
		if f.Image != nil {
			if err := a.saveFrame(f); err != nil {
				return err
			}
		}
		finished++
		return nil
	})
	if err != nil {
		return stopped(err, fmt.Sprintf("%d of %d frames are there", finished, a.film.Len()))
	}
	return a.noteFilm(a.film.Len() - int(kept.Load()))
}

func (a *animating) saveFrame(f animate.Frame) error {
	var png bytes.Buffer
	if err := pngfile.EncodeImageAt(&png, f.Image, a.dpi); err != nil {
		return err
	}
	return a.Files.Write(filmfile.Frame(a.output, a.film.First+f.Index), func(w io.Writer) error {
		_, err := w.Write(animate.WithNote(png.Bytes(), a.frameNote(f.Index, f.Scene)))
		return err
	})
}

func (a *animating) noteFilm(rendered int) error {
	size, err := a.film.Size()
	if err == nil {
		a.NoteFile(a.output, "%s: %d frames of %d x %d pixels, %d of them rendered", a.output, a.film.Len(), size.X, size.Y, rendered)
	}
	return err
}

// saveVideo pipes raw video to ffmpeg and renames ffmpeg's output file when the file is complete. An
// interrupt does not reach ffmpeg. Instead the raw video ends, so ffmpeg finishes the film with the frames
// received so far.
func (a *animating) saveVideo(ctx context.Context, format filmfile.Format) error {
	to, err := a.Files.Create(a.output)
	if err != nil {
		return err
	}
	video, err := filmfile.NewVideo(to.TempName(), format, cli.Isolate)
	if err != nil {
		to.Discard()
		return err
	}
	kept, err := a.stream(ctx, video, animate.NewY4M)
	if failed := video.Finish(kept); failed != nil {
		if kept == 0 || unlessCanceled(err) == nil { // otherwise err came first
			err = cli.Unavailable(failed)
		}
		kept = 0
	}
	return a.finishFilm(to, kept, err)
}
