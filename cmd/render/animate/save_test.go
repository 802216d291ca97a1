package animate

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pillbox"
	"pillbox/animate"
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
