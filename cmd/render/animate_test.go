package main

import (
	"context"
	"encoding/binary"
	"image"
	"image/gif"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pillbox/animate"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
)

func TestAnimateGIF(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Bouncing})
	programtest.MustRun(t, "animate s.toml -o s.gif --to 2")
	g := readGIF(t, "s.gif")
	if len(g.Image) != 8 || g.Config.Width != 40 || !reflect.DeepEqual(g.Delay, []int{25, 25, 25, 25, 25, 25, 25, 25}) {
		t.Errorf("%d frames of %d pixels, delays %v", len(g.Image), g.Config.Width, g.Delay)
	}
	programtest.MustRun(t, "animate s.toml -o t.gif --turntable 1 --from 0.5 --to 1.5 --fps 6 --height 15")
	if g := readGIF(t, "t.gif"); len(g.Image) != 6 || g.Config.Height != 15 {
		t.Errorf("%d frames of %d pixels", len(g.Image), g.Config.Height)
	}
}

func readGIF(t *testing.T, name string) *gif.GIF {
	t.Helper()
	g, err := gif.DecodeAll(strings.NewReader(programtest.ReadText(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestAnimateDocs compares docs/wave.gif with a rendering of its scene.
func TestAnimateDocs(t *testing.T) {
	effort.Thorough(t)
	const kept = "../../docs/wave.gif"
	want := readGIF(t, kept)
	name := filepath.Join(t.TempDir(), "wave.gif")
	if got := (programtest.Invocation{}).Run("animate", "../../scenes/wave.toml", "-o", name, "--width", "240"); got.Status != cli.StatusDone {
		t.Fatal(got)
	}
	if got := readGIF(t, name); !reflect.DeepEqual(got, want) {
		t.Errorf("%s shows something else than the scene; render animate scenes/wave.toml -o docs/wave.gif --width 240 writes it", kept)
	}
}

// TestAnimateFramesGoOn checks that animate, if run again, keeps the frames that are up to date and renders the
// others.
func TestAnimateFramesGoOn(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Bouncing})
	run := func(args string) map[string]time.Time {
		programtest.MustRun(t, "animate s.toml -o f/%03d.png --to 1 "+args)
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
	if err := os.WriteFile("f/002.png", []byte(programtest.ReadText(t, "f/002.png")[:200]), 0o666); err != nil {
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
	for _, title := range []string{"high", "low"} {
		if err := os.WriteFile("s.toml", []byte(programtest.Bouncing+"[title]\ntext = \""+title+"\"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if n := len(run("")); n != 4 {
			t.Errorf("%d frames are written with the title %q", n, title)
		}
	}
	if err := os.WriteFile("s.toml", []byte(programtest.Bouncing), 0o666); err != nil {
		t.Fatal(err)
	}
	run("")
	want := programtest.MustRun(t, "hash s.toml --time 0.75").Stdout
	if got := programtest.MustRun(t, "hash f/003.png").Stdout; got != want {
		t.Errorf("frame 3 hashes to %s, want %s", got, want)
	}
}

func TestAnimateStandardOutput(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Bouncing})
	got := programtest.MustRun(t, "animate s.toml -o - --to 1").Stdout
	if !strings.HasPrefix(got, "YUV4MPEG2 W40 H30 F4:1") || strings.Count(got, "FRAME\n") != 4 {
		t.Errorf("%.60q", got)
	}
}

// installFFmpeg makes the program find the given shell script instead of ffmpeg.
func installFFmpeg(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte("#!/bin/sh\nfor last; do :; done\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// fourFrames is the smallest MP4 file that states that it has four frames.
const fourFrames = "\x00\x00\x00\x3Cmoov\x00\x00\x00\x34trak\x00\x00\x00\x2Cmdia\x00\x00\x00\x24minf\x00\x00\x00\x1Cstbl" +
	"\x00\x00\x00\x14stsz\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x04" + "\x00\x00\x00\x0Cmdat\x01\x01\x01\x01"

// TestAnimateVideo checks that animate passes every frame to ffmpeg. A shell script replaces ffmpeg.
func TestAnimateVideo(t *testing.T) {
	installFFmpeg(t, `cat > raw; cp four.mp4 "$last"`)
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Bouncing, "four.mp4": fourFrames})
	programtest.MustRun(t, "animate s.toml -o s.mp4 --to 1")
	if got := programtest.ReadText(t, "raw"); strings.Count(got, "FRAME\n") != 4 {
		t.Errorf("%.60q", got)
	}
	programtest.WantFiles(t, "four.mp4", "raw", "s.mp4", "s.toml")
}

// TestAnimateVideoFails checks that a film that ffmpeg could not write does not replace an old film. ffmpeg may exit
// successfully although the end of the film is missing.
func TestAnimateVideoFails(t *testing.T) {
	for script, want := range map[string]string{
		"cat > /dev/null; echo no such codec >&2; exit 1":                      "ffmpeg: exit status 1: no such codec",
		"echo no space >&2; exit 0":                                            "ffmpeg: it failed: no space",
		`cat > /dev/null; cp four.mp4 "$last"; echo Error writing "$last" >&2`: "ffmpeg: it failed: Error writing the video",
		`cat > /dev/null; head -c 70 four.mp4 > "$last"`:                       "ffmpeg: the video is incomplete: it is cut off",
		`cat > "$last"`:   "ffmpeg: the video is incomplete",
		`cat > /dev/null`: "ffmpeg: the video is incomplete",
	} {
		t.Run(script, func(t *testing.T) {
			installFFmpeg(t, script)
			programtest.InFolder(t, map[string]string{"s.toml": programtest.Bouncing, "s.mp4": old("s.mp4"), "four.mp4": fourFrames})
			got := (programtest.Invocation{}).Run("animate", "s.toml", "-o", "s.mp4", "--to", "1")
			if got.Status != cli.StatusFile || !strings.HasPrefix(got.Stderr, "render: "+want) || programtest.ReadText(t, "s.mp4") != old("s.mp4") {
				t.Errorf("%+v, want %q", got, want)
			}
			programtest.WantFiles(t, "four.mp4", "s.mp4", "s.toml")
		})
	}
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Bouncing})
	t.Setenv("PATH", t.TempDir())
	got := (programtest.Invocation{}).Run("animate", "s.toml", "-o", "s.webm", "--to", "1")
	if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "ffmpeg") || !strings.Contains(got.Stderr, "frames/%04d.png") {
		t.Errorf("without ffmpeg: %+v", got)
	}
	programtest.WantFiles(t, "s.toml")
}

// overhead is a scene whose camera looks straight down after a second, which is between two keys, and so has no up.
const overhead = programtest.Small + `
[animation]
duration = 2
fps = 4

[[animate]]
target = "camera.position"
times = [0, 2]
values = [[0, 8, 8], [0, 8, -8]]
`

// TestAnimateStops checks that a film whose fifth frame cannot be rendered keeps the first four, as after an interrupt,
// and does not replace an old film.
func TestAnimateStops(t *testing.T) {
	for _, name := range []string{"s.gif", "s.png", "s.mp4", "f%d.png"} {
		t.Run(name, func(t *testing.T) {
			if name == "s.mp4" {
				installFFmpeg(t, `cat > /dev/null; cp four.mp4 "$last"`)
			}
			programtest.InFolder(t, map[string]string{"s.toml": overhead, "four.mp4": fourFrames, "s.gif": old("s.gif"), "s.png": old("s.png"), "s.mp4": old("s.mp4")})
			got := (programtest.Invocation{}).Run("animate", "s.toml", "-o", name)
			partial := strings.Replace(name, ".", ".partial.", 1)
			remains, files := partial+" holds the first 4 of 8 frames", []string{partial}
			if name == "f%d.png" {
				remains, files = "4 of 8 frames are there", []string{"f0.png", "f1.png", "f2.png", "f3.png"}
			}
			if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "at 1 s: ") || !strings.HasSuffix(got.Stderr, "\n"+remains+"\n") {
				t.Errorf("%+v", got)
			}
			if name != "f%d.png" && (programtest.ReadText(t, name) != old(name) || filepath.Ext(name) != ".mp4" && framesOf(t, partial) != 4) {
				t.Errorf("%s is replaced, or %s is damaged", name, partial)
			}
			files = append(files, "four.mp4", "s.gif", "s.mp4", "s.png", "s.toml")
			slices.Sort(files)
			programtest.WantFiles(t, files...)

			got = (programtest.Invocation{}).Run("animate", "s.toml", "-o", name, "--from", "1")
			if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, "at 1 s: ") || strings.Contains(got.Stderr, "ffmpeg") {
				t.Errorf("without a frame: %+v", got)
			}
			programtest.WantFiles(t, files...)
		})
	}
}

func TestAnimateErrors(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Bouncing, "still.toml": picturesque})
	for line, want := range map[string]string{
		"animate s.toml":                           "want an output",
		"animate s.toml -o s.avi":                  "output must end in .gif, .png, .mp4 or .webm, or be -",
		"animate s.toml -o %d/%d.png":              "one number",
		"animate s.toml -o s%d.gif":                `numbered frames must end in .png, got "s%d.gif"`,
		"animate s.toml -o %d/s.png":               "the number must be in the name of the files, not of their folder",
		"animate s.toml -o s.gif --fps 120 --to 1": "a GIF shows at most 100 frames a second, got 120",
		"animate s.toml -o s.gif --from 9":         "there is no frame from 9 to 3 seconds",
		"animate s.toml -o s.gif --to 0":           "there is no frame from 0 to 0 seconds",
		"animate s.toml -o s.gif --turntable 0":    "--turntable: must be more than 0 seconds",
		"animate s.toml -o s.gif --fps 0":          `--fps: must be 0.001 to 1000, got "0"`,
		"animate still.toml -o s.gif":              "still.toml has no [animation]",
		"animate s.toml -o s.gif --fps 1 --to 4 ":  "",
	} {
		got := (programtest.Invocation{}).Run(strings.Fields(line)...)
		if want != "" && (got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, want)) || osfile.Exists("s.gif") && want != "" {
			t.Errorf("%s: %+v, want %s", line, got, want)
		}
		os.Remove("s.gif")
	}
}

// TestAnimateInterrupted checks that an interrupted film is kept under its partial name, playable, and does not
// replace an old film.
func TestAnimateInterrupted(t *testing.T) {
	long := strings.Replace(programtest.Bouncing, "duration = 3", "duration = 1000", 1)
	long = long[:strings.LastIndex(long, "[[animate]]")]
	for _, name := range []string{"s.gif", "s.png", "s.mp4"} {
		t.Run(name, func(t *testing.T) {
			if name == "s.mp4" {
				needFFmpeg(t)
			}
			programtest.InFolder(t, map[string]string{"s.toml": long, name: old(name)})
			ctx, cancel := context.WithCancel(t.Context())
			var log strings.Builder
			status := programtest.Run(ctx, []string{"animate", "s.toml", "-o", name, "--to", "50", "--width", "640"}, command.Streams{
				In:    strings.NewReader(""),
				Out:   cli.Screen{Writer: io.Discard},
				Err:   cli.Screen{Writer: io.MultiWriter(&trigger{"animating", cancel}, &log), Columns: 80},
				Files: new(osfile.Outputs),
			})
			partial := strings.Replace(name, ".", ".partial.", 1)
			_, said, _ := strings.Cut(log.String(), "render: interrupted; "+partial+" holds the first ")
			n, rest, _ := strings.Cut(said, " ")
			frames, err := strconv.Atoi(n)
			if status != cli.StatusInterrupted || err != nil || rest != "of 200 frames\n" || frames < 1 || frames > 199 {
				t.Fatalf("exit status %d, standard error %q", status, log.String())
			}
			if got := framesOf(t, partial); got != frames {
				t.Errorf("%s has %d frames, want %d", partial, got, frames)
			}
			if got := programtest.ReadText(t, name); got != old(name) {
				t.Errorf("the old film became %.60q", got)
			}
			left := []string{name, partial, "s.toml"}
			slices.Sort(left)
			programtest.WantFiles(t, left...)
		})
	}
}

// framesOf counts the frames of a film by parsing it.
func framesOf(t *testing.T, name string) int {
	t.Helper()
	switch filepath.Ext(name) {
	case ".gif":
		return len(readGIF(t, name).Image)
	case ".png":
		data := []byte(programtest.ReadText(t, name))
		stated, frames, last := 0, 0, ""
		for kind, chunk := range animate.Chunks(data) {
			switch last = kind; kind {
			case "acTL":
				stated = int(binary.BigEndian.Uint32(chunk))
			case "fcTL":
				frames++
			}
		}
		if stated != frames || last != "IEND" {
			t.Errorf("%s says it has %d frames, has %d and ends with %s", name, stated, frames, last)
		}
		decode(t, name)
		return frames
	}
	n, err := strconv.Atoi(probe(t, name)["nb_read_frames"])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func needFFmpeg(t *testing.T) {
	t.Helper()
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("needs %s", name)
		}
	}
}

// probe returns the properties that ffprobe reports for a film.
func probe(t *testing.T, name string) map[string]string {
	t.Helper()
	out, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-of", "default=noprint_wrappers=1", "-show_entries",
		"stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames,color_space,color_range:format=duration", name).Output()
	if err != nil {
		t.Fatalf("ffprobe %s: %v", name, err)
	}
	found := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		found[key] = value
	}
	return found
}

// TestAnimateFFmpeg checks films that the real ffmpeg encodes. Odd sides become one pixel longer, because the video
// formats require even sides.
func TestAnimateFFmpeg(t *testing.T) {
	needFFmpeg(t)
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Bouncing})
	for name, codec := range map[string]string{"s.mp4": "h264", "s.webm": "vp9"} {
		if name == "s.webm" && !effort.IsAll() {
			continue
		}
		programtest.MustRun(t, "animate s.toml -o "+name+" --to 2 --width 41 --height 31")
		got := probe(t, name)
		want := map[string]string{
			"codec_name": codec, "width": "42", "height": "32", "pix_fmt": "yuv420p", "r_frame_rate": "4/1",
			"nb_read_frames": "8", "color_space": "bt709", "color_range": "tv",
		}
		for key, value := range want {
			if got[key] != value {
				t.Errorf("%s: %s is %q, want %q", name, key, got[key], value)
			}
		}
		if seconds, err := strconv.ParseFloat(got["duration"], 64); err != nil || math.Abs(seconds-2) > 0.01 {
			t.Errorf("%s takes %s seconds, want 2", name, got["duration"])
		}
	}
	// The first frame equals the picture up to losses of compression and of chroma subsampling.
	if out, err := exec.Command("ffmpeg", "-v", "error", "-i", "s.mp4", "-frames:v", "1", "first.png").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	programtest.MustRun(t, "s.toml --time 0 --width 41 --height 31 -o want.png")
	got, want := decode(t, "first.png"), decode(t, "want.png")
	for _, at := range []image.Point{{5, 5}, {20, 29}, {38, 15}, {20, 22}} {
		g, w := got.NRGBAAt(at.X, at.Y), want.NRGBAAt(at.X, at.Y)
		for i, d := range [3]int{int(g.R) - int(w.R), int(g.G) - int(w.G), int(g.B) - int(w.B)} {
			if d < -12 || d > 12 {
				t.Errorf("pixel %v, channel %d: %v, want nearly %v", at, i, g, w)
			}
		}
	}
}

// TestAnimateToBeyondEnd checks the warning that is printed if a film ends before the time of --to.
func TestAnimateToBeyondEnd(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": programtest.Small})
	for to, warned := range map[string]bool{"1": false, "2": false, "2.2": false, "3": true} {
		got := programtest.Invocation{}.Run("animate", "s.toml", "--turntable", "2", "--fps", "2", "--width", "8", "-o", "x.gif", "--to", to)
		if got.Status != cli.StatusDone || strings.Contains(got.Stderr, "--to 3 has no effect: the animation ends at 2 seconds") != warned {
			t.Errorf("--to %s: %+v, warned %v", to, got, warned)
		}
	}
}

// old returns the contents of a file that a film may replace: the beginning of a file that matches
// its extension.
func old(name string) string {
	return map[string]string{".gif": "GIF89a old", ".png": "\x89PNG\r\n\x1a\nold", ".mp4": "\x00\x00\x00\x10ftypold "}[filepath.Ext(name)]
}
