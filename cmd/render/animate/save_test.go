package animate

import (
	"context"
	"errors"
	"image"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"pillbox"
	"pillbox/animate"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/filmfile"
	"pillbox/internal/fixture"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// TestVideoInterruptedEarly interrupts a film before its first frame.
func TestVideoInterruptedEarly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte("#!/bin/sh\ncat > /dev/null; echo Header too large >&2; exit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	fixture.Folder(t, map[string]string{"s.toml": fixture.Ball + "[animation]\nduration = 1\nfps = 4\n"})
	s, err := scene.Load("s.toml")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	a := &animating{Env: command.NewEnv(command.Streams{Files: new(osfile.Outputs)}, nil), output: "s.mp4"}
	a.render = func(ctx context.Context, _ animate.Frame, _ pillbox.Options) (*image.NRGBA, error) {
		cancel()
		return nil, ctx.Err()
	}
	if err := a.plan(s); err != nil {
		t.Fatal(err)
	}
	if err := a.saveVideo(ctx, filmfile.MP4); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	fixture.WantFiles(t, "s.toml")
}

// TestTerminatedFilm ends films of large frames with SIGTERM, between frames and after the last one. What is encoded is saved, but
// ffmpeg does not begin to finish a large video. An error of writing is reported.
func TestTerminatedFilm(t *testing.T) {
	const refused = "interrupted; nothing is saved, because a video of 4096x2049 pixels takes too long after SIGTERM"
	for _, test := range []struct {
		output  string
		ends    int // SIGTERM arrives while this frame is rendered
		fails   bool
		want    string // the error; "": none
		written string // the file
	}{
		{"s.gif", 1, false, "interrupted; s.partial.gif holds the first 1 of 2 frames", "s.partial.gif"},
		{"s.png", 1, false, "interrupted; s.partial.png holds the first 1 of 2 frames", "s.partial.png"},
		{"s.mp4", 1, false, refused, ""},
		{"s.mp4", 2, true, "full", ""},
		{"s.mp4", 2, false, "", "s.mp4"},
	} {
		fixture.Folder(t, map[string]string{"s.toml": fixture.Ball + "[animation]\nduration = 0.5\nfps = 4\n"})
		s, err := scene.Load("s.toml")
		if err != nil {
			t.Fatal(err)
		}
		s.Image.Width, s.Image.Height = 4096, 2049
		ctx, cancel := context.WithCancelCause(t.Context())
		a := &animating{Env: command.NewEnv(command.Streams{Files: new(osfile.Outputs)}, nil), output: test.output}
		a.Quiet = true
		if err := a.plan(s); err != nil {
			t.Fatal(err)
		}
		a.render = func(ctx context.Context, f animate.Frame, _ pillbox.Options) (*image.NRGBA, error) {
			if f.Index == test.ends {
				cancel(cli.ErrTerminated)
				return nil, context.Cause(ctx)
			}
			return image.NewNRGBA(image.Rect(0, 0, 4096, 2049)), nil
		}
		err = a.saveFile(ctx, func(w io.Writer, f animate.Format) animate.Writer {
			return &stub{w: w, fails: test.fails, last: func() {
				if test.ends == f.Frames {
					cancel(cli.ErrTerminated)
				}
			}, left: f.Frames}
		})
		if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != test.want) {
			t.Errorf("%+v: %v", test, err)
		}
		names := []string{"s.toml"}
		if test.written != "" {
			names = append(names, test.written)
		}
		slices.Sort(names)
		fixture.WantFiles(t, names...)
	}
}

// stub is an [animate.Writer] that writes a byte for each frame.
type stub struct {
	w     io.Writer
	fails bool   // the last frame cannot be written
	left  int    // frames
	last  func() // called with the last frame
}

func (s *stub) Frame(*image.NRGBA) error {
	if s.left--; s.left == 0 {
		s.last()
		if s.fails {
			return errors.New("full")
		}
	}
	_, err := s.w.Write([]byte("f"))
	return err
}

func (s *stub) Close() error { return nil }
