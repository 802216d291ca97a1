package main

import (
	"image/gif"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"pillbox/disk"
)

func TestAnimateGIF(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": bouncing})
	mustRun(t, "animate s.toml -o s.gif --to 2")
	g := readGIF(t, "s.gif")
	if len(g.Image) != 8 || g.Config.Width != 40 || !reflect.DeepEqual(g.Delay, []int{25, 25, 25, 25, 25, 25, 25, 25}) {
		t.Errorf("%d frames of %d pixels, delays %v", len(g.Image), g.Config.Width, g.Delay)
	}
	mustRun(t, "animate s.toml -o t.gif --turntable 1 --from 0.5 --to 1.5 --fps 6 --height 15")
	if g := readGIF(t, "t.gif"); len(g.Image) != 6 || g.Config.Height != 15 {
		t.Errorf("%d frames of %d pixels", len(g.Image), g.Config.Height)
	}
}

func readGIF(t *testing.T, name string) *gif.GIF {
	t.Helper()
	g, err := gif.DecodeAll(strings.NewReader(readText(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestAnimateDocs: the film in docs is that of its scene.
func TestAnimateDocs(t *testing.T) {
	const kept = "../../docs/wave.gif"
	want := readGIF(t, kept)
	name := filepath.Join(t.TempDir(), "wave.gif")
	if got := (invocation{}).run("animate", "../../scenes/wave.toml", "-o", name, "--width", "240"); got.status != statusDone {
		t.Fatal(got)
	}
	if got := readGIF(t, name); !reflect.DeepEqual(got, want) {
		t.Errorf("%s shows something else than the scene; render animate scenes/wave.toml -o docs/wave.gif --width 240 writes it", kept)
	}
}

// TestAnimateFramesGoOn: frames that show the same are kept, others are rendered again.
func TestAnimateFramesGoOn(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": bouncing})
	run := func(args string) map[string]time.Time {
		mustRun(t, "animate s.toml -o f/%03d.png --to 1 "+args)
		files, err := filepath.Glob("f/*.png")
		if err != nil || len(files) != 4 {
			t.Fatalf("%q, %v", files, err)
		}
		past := time.Now().Add(-time.Hour).Truncate(time.Second)
		written := make(map[string]time.Time)
		for _, f := range files {
			info, err := os.Stat(f)
			if err != nil {
				t.Fatal(err)
			}
			if info.ModTime().After(past.Add(time.Minute)) {
				written[filepath.Base(f)] = info.ModTime()
			}
			if err := os.Chtimes(f, past, past); err != nil {
				t.Fatal(err)
			}
		}
		return written
	}
	if n := len(run("")); n != 4 {
		t.Errorf("%d frames are written at first", n)
	}
	if n := len(run("--workers 2")); n != 0 {
		t.Errorf("%d frames are written again", n)
	}
	if err := os.WriteFile("f/002.png", []byte(readText(t, "f/002.png")[:200]), 0o666); err != nil {
		t.Fatal(err)
	}
	if w := run(""); len(w) != 1 || w["002.png"].IsZero() {
		t.Errorf("written again: %v, want the broken one", w)
	}
	for _, args := range []string{"--force", "--antialias 2", "--width 20"} {
		if n := len(run(args)); n != 4 {
			t.Errorf("%s: %d frames are written", args, n)
		}
	}
	run("")
	want := mustRun(t, "hash s.toml --time 0.75").stdout
	if got := mustRun(t, "hash f/003.png").stdout; got != want {
		t.Errorf("frame 3 hashes to %s, want %s", got, want)
	}
}

func TestAnimateStandardOutput(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": bouncing})
	got := mustRun(t, "animate s.toml -o - --to 1").stdout
	if !strings.HasPrefix(got, "YUV4MPEG2 W40 H30 F4:1") || strings.Count(got, "FRAME\n") != 4 {
		t.Errorf("%.60q", got)
	}
}

// TestAnimateVideo stands in for ffmpeg: it writes what it reads to the file that it is told.
func TestAnimateVideo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	inFolder(t, map[string]string{"s.toml": bouncing, "bin/ffmpeg": "#!/bin/sh\nfor last; do :; done\ncat > \"$last\"\n"})
	if err := os.Chmod("bin/ffmpeg", 0o755); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	path := os.Getenv("PATH")
	t.Setenv("PATH", filepath.Join(here, "bin")+string(os.PathListSeparator)+path)
	mustRun(t, "animate s.toml -o s.mp4 --to 1")
	if got := readText(t, "s.mp4"); strings.Count(got, "FRAME\n") != 4 {
		t.Errorf("%.60q", got)
	}
	if err := os.WriteFile("bin/ffmpeg", []byte("#!/bin/sh\ncat > /dev/null\necho no such codec >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	got := (invocation{}).run("animate", "s.toml", "-o", "s.webm", "--to", "1")
	if got.status != statusFile || !strings.Contains(got.stderr, "no such codec") {
		t.Errorf("%+v", got)
	}
	t.Setenv("PATH", filepath.Join(here, "nothing"))
	got = (invocation{}).run("animate", "s.toml", "-o", "s.webm", "--to", "1")
	if got.status != statusWrong || !strings.Contains(got.stderr, "ffmpeg") || !strings.Contains(got.stderr, "frames/%04d.png") {
		t.Errorf("without ffmpeg: %+v", got)
	}
	if left, _ := filepath.Glob("*.tmp"); len(left) > 0 || disk.Exists("s.webm") {
		t.Errorf("left behind: %q", left)
	}
}

func TestAnimateErrors(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": bouncing, "still.toml": picturesque})
	for line, want := range map[string]string{
		"animate s.toml":                           "want an output",
		"animate s.toml -o s.avi":                  "output must end in .gif, .png, .mp4 or .webm, or be -",
		"animate s.toml -o %d/%d.png":              "one number",
		"animate s.toml -o s.gif --fps 120 --to 1": "a GIF shows at most 100 frames a second, got 120",
		"animate s.toml -o s.gif --from 9":         "there is no frame from 9 to 3 seconds",
		"animate s.toml -o s.gif --turntable 0":    "--turntable: must be more than 0 seconds",
		"animate s.toml -o s.gif --fps 0":          `--fps: must be 0.001 to 1000, got "0"`,
		"animate still.toml -o s.gif":              "still.toml has no [animation]",
		"animate s.toml -o s.gif --fps 1 --to 4 ":  "",
	} {
		got := (invocation{}).run(strings.Fields(line)...)
		if want != "" && (got.status != statusWrong || !strings.Contains(got.stderr, want)) || disk.Exists("s.gif") && want != "" {
			t.Errorf("%s: %+v, want %s", line, got, want)
		}
		os.Remove("s.gif")
	}
}
