package main

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"strings"
	"testing"

	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
)

// slow is a scene that takes many seconds to render.
const slow = `
[image]
width = 2000
height = 1500
antialias = 8

[[sphere]]
center = [0, 0, 0]
radius = 1
`

// quick is a scene that takes some tenths of a second to render.
var quick = strings.NewReplacer("width = 2000", "width = 1000", "height = 1500", "height = 750", "antialias = 8", "antialias = 1").Replace(slow)

// trigger is an [io.Writer] that calls act whenever the string text is written to it.
type trigger struct {
	text string
	act  func()
}

func (w *trigger) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.text) {
		w.act()
	}
	return len(p), nil
}

// interrupt runs render with the scene slow as standard input. It interrupts the command when the progress bar
// first shows a percentage.
func interrupt(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	return stop(t, context.Canceled, args...)
}

// stop is interrupt for any cause.
func stop(t *testing.T, cause error, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	var out, log strings.Builder
	status = programtest.Run(ctx, args, command.Streams{
		In:    strings.NewReader(slow),
		Out:   cli.Screen{Writer: &out},
		Err:   cli.Screen{Writer: io.MultiWriter(&trigger{"%", func() { cancel(cause) }}, &log), Columns: 80},
		Files: new(osfile.Outputs),
	})
	return status, out.String(), log.String()
}

func TestInterruptWritesPartial(t *testing.T) {
	programtest.InFolder(t, nil)
	for _, name := range []string{"out.png", "out.jpg"} {
		status, _, log := interrupt(t, "-", "-o", name)
		partial := strings.Replace(name, ".", ".partial.", 1)
		if status != cli.StatusInterrupted || !strings.Contains(log, "render: interrupted; "+partial+" holds the ") {
			t.Errorf("exit status %d, standard error %q", status, log)
		}
		img := decode(t, partial)
		if want := image.Rect(0, 0, 2000, 1500); img.Rect != want {
			t.Errorf("%s covers %v, want %v", partial, img.Rect, want)
		}
		done := 0
		for i := 0; i < len(img.Pix); i += 4 {
			// Missing pixels are transparent in PNG and black in JPEG; the scene itself has neither.
			if img.Pix[i+3] > 0 && img.Pix[i] > 0 {
				done++
			}
		}
		_, said, _ := strings.Cut(log, " holds the ")
		percent := 400 * done / len(img.Pix)
		if done == 0 || percent > 99 || !strings.HasPrefix(said, fmt.Sprintf("%d %% that are finished", percent)) {
			t.Errorf("%s has %d finished pixels, the message is %q", partial, done, said)
		}
	}
	programtest.WantFiles(t, "out.partial.jpg", "out.partial.png")
}

// TestTerminatedSavesInTime checks that SIGTERM saves pictures that are saved in less than a second, and Ctrl-C all.
func TestTerminatedSavesInTime(t *testing.T) {
	const large, refused = "4000x3000", "render: interrupted; nothing is saved, because a picture of 4000x3000 pixels takes too long after SIGTERM\n"
	for _, test := range []struct {
		cause      error
		size, said string
	}{
		{cli.ErrTerminated, "3000x2000", "render: interrupted; out.partial.png holds the "},
		{cli.ErrTerminated, large, refused},
		{context.Canceled, large, "render: interrupted; out.partial.png holds the "},
	} {
		programtest.InFolder(t, nil)
		width, height, _ := strings.Cut(test.size, "x")
		status, _, log := stop(t, test.cause, "-", "-o", "out.png", "--width", width, "--height", height)
		if status != cli.StatusInterrupted || !strings.Contains(log, test.said) {
			t.Errorf("%v, %s: exit status %d, standard error %q", test.cause, test.size, status, log)
		}
		if test.said == refused {
			programtest.WantFiles(t)
		} else {
			programtest.WantFiles(t, "out.partial.png")
		}
	}
}

// TestTerminatedSavesFilm checks that SIGTERM saves the frames of a film that are encoded, however large they are.
func TestTerminatedSavesFilm(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small})
	args := "animate s.toml --turntable 10 --fps 1 --width 4096 --height 2049 --antialias 1 -o out.png"
	status, _, log := stop(t, cli.ErrTerminated, strings.Fields(args)...)
	if status != cli.StatusInterrupted || !strings.Contains(log, "render: interrupted; out.partial.png holds the first ") {
		t.Errorf("exit status %d, standard error %q", status, log)
	}
	programtest.WantFiles(t, "out.partial.png", "s.toml")
}

// TestInterruptBetweenPictureAndViews interrupts render after it has written the picture, when the progress bar of
// the views appears. The picture must remain, and the message must state that views are missing.
func TestInterruptBetweenPictureAndViews(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": quick})
	ctx, cancel := context.WithCancel(t.Context())
	var log strings.Builder
	// The bar appears only if the views take longer than its first tick.
	status := programtest.Run(ctx, []string{"s.toml", "--width", "4000", "--aov", "cost=c.png"}, command.Streams{
		In:    strings.NewReader(""),
		Out:   cli.Screen{Writer: io.Discard},
		Err:   cli.Screen{Writer: io.MultiWriter(&trigger{"views", cancel}, &log), Columns: 80},
		Files: new(osfile.Outputs),
	})
	if want := "render: interrupted; the picture is whole, but not all views are written\n"; status != cli.StatusInterrupted || !strings.HasSuffix(log.String(), want) {
		t.Errorf("exit status %d, standard error %q, want %q", status, log.String(), want)
	}
	programtest.WantFiles(t, "s.png", "s.toml")
}

func TestInterruptKeepsOldOutput(t *testing.T) {
	programtest.InFolder(t, map[string]string{"out.png": "old"})
	interrupt(t, "-", "-o", "out.png")
	if got := programtest.ReadText(t, "out.png"); got != "old" {
		t.Errorf("the old picture became %q", got)
	}
}

func TestInterruptWithoutFile(t *testing.T) {
	programtest.InFolder(t, nil)
	for _, args := range []string{"- -o -", "- --verify", "hash -"} {
		status, out, log := interrupt(t, strings.Fields(args)...)
		if status != cli.StatusInterrupted || out != "" || !strings.HasSuffix(log, "render: interrupted\n") {
			t.Errorf("render %s exits %d with %q and says %q", args, status, out, log)
		}
	}
	programtest.WantFiles(t)
}

// TestInterruptStandardOutputIsWhole interrupts render when it writes its first bytes to standard output. The
// output must be complete or empty.
func TestInterruptStandardOutputIsWhole(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out strings.Builder
	status := programtest.Run(ctx, []string{"-", "-o", "-"}, command.Streams{
		In:    strings.NewReader(quick),
		Out:   cli.Screen{Writer: io.MultiWriter(&out, &trigger{"", cancel})},
		Err:   cli.Screen{Writer: io.Discard},
		Files: new(osfile.Outputs),
	})
	if _, err := png.Decode(strings.NewReader(out.String())); out.Len() > 0 && err != nil {
		t.Errorf("exit status %d, and %d bytes of a picture: %v", status, out.Len(), err)
	}
}

// TestInterruptSceneIsWhole interrupts commands that write a scene to standard output when they write their first
// bytes. The scene must still be written completely.
func TestInterruptSceneIsWhole(t *testing.T) {
	balls := strings.Repeat("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n", 7_000)
	atoms := "7000\n\n" + strings.Repeat("C 0 0 0\n", 7_000)
	for args, input := range map[string]string{"export - -o -": balls, "export - -o - --format pov": balls, "import - --format xyz -o -": atoms} {
		want := programtest.Invocation{Stdin: strings.NewReader(input)}.Run(append(strings.Fields(args), "--quiet")...)
		ctx, cancel := context.WithCancel(t.Context())
		var out strings.Builder
		status := programtest.Run(ctx, append(strings.Fields(args), "--quiet"), command.Streams{
			In:    strings.NewReader(input),
			Out:   cli.Screen{Writer: io.MultiWriter(&out, &trigger{"", cancel})},
			Err:   cli.Screen{Writer: io.Discard},
			Files: new(osfile.Outputs),
		})
		if len(want.Stdout) < 1<<18 || out.String() != want.Stdout || status != cli.StatusDone {
			t.Errorf("render %s: status %d, %d bytes of %d", args, status, out.Len(), len(want.Stdout))
		}
	}
}

// endless is an [io.Reader]. Each read calls the function reading and then blocks until the channel done is closed.
type endless struct {
	reading func()
	done    <-chan struct{}
}

func (r endless) Read([]byte) (int, error) {
	r.reading()
	<-r.done
	return 0, io.EOF
}

func TestInterruptWhileReading(t *testing.T) {
	programtest.InFolder(t, nil)
	for _, args := range []string{"-", "check -", "hash -", "--verify -", "diff - other.png"} {
		ctx, cancel := context.WithCancel(t.Context())
		got := programtest.Invocation{Ctx: ctx, Stdin: endless{cancel, t.Context().Done()}}.Run(strings.Fields(args)...)
		if got.Status != cli.StatusInterrupted || got.Stdout != "" || got.Stderr != "render: interrupted\n" {
			t.Errorf("render %s: %+v", args, got)
		}
	}
	programtest.WantFiles(t)
}

// fuse is a context that ends when its method Done is called for the n-th time.
type fuse struct {
	context.Context
	n   int
	end context.CancelFunc
}

func newFuse(t *testing.T, n int) *fuse {
	ctx, cancel := context.WithCancel(t.Context())
	return &fuse{ctx, n, cancel}
}

func (f *fuse) Done() <-chan struct{} {
	if f.n--; f.n == 0 {
		f.end()
	}
	return f.Context.Done()
}

// TestInterruptDiff interrupts diff while it reads the first image, while it reads the second, and while it
// compares them. It must print only that it was interrupted, and write no file.
func TestInterruptDiff(t *testing.T) {
	programtest.InFolder(t, nil)
	writePNG(t, "a.png", image.NewNRGBA(image.Rect(0, 0, 400, 300)))
	for n := 1; n <= 3; n++ {
		got := programtest.Invocation{Ctx: newFuse(t, n)}.Run("diff", "a.png", "a.png", "-o", "diff.png")
		if got.Status != cli.StatusInterrupted || got.Stdout != "" || got.Stderr != "render: interrupted\n" {
			t.Errorf("in step %d: %+v", n, got)
		}
	}
	programtest.WantFiles(t, "a.png")
}
