package filmfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillbox/internal/filmfile"
)

func TestParse(t *testing.T) {
	for name, want := range map[string]filmfile.Format{
		"a.gif": filmfile.GIF, "b/a.PNG": filmfile.APNG, "a.mp4": filmfile.MP4, "a.WebM": filmfile.WebM,
		"f%d.png": filmfile.Frames, "f/%04d.png": filmfile.Frames, "%12d.PNG": filmfile.Frames, "100%.gif": filmfile.GIF, "%0d.gif": filmfile.GIF,
	} {
		if got, err := filmfile.Parse(name); got != want || err != nil {
			t.Errorf("Parse(%q) = %v, %v, want %v", name, got, err, want)
		}
		if filmfile.IsNumbered(name) != (want == filmfile.Frames) {
			t.Errorf("IsNumbered(%q) = %t", name, filmfile.IsNumbered(name))
		}
	}
	for name, problem := range map[string]string{
		"": "must end in", "a": "must end in", "a.jpg": "must end in", "%d%d.png": "one number", "%d/%d.png": "one number",
		"%d.gif": "must end in .png", "%d.mp4": "must end in .png", "%d/a.png": "not of their folder",
	} {
		if _, err := filmfile.Parse(name); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("Parse(%q): %v, want %q", name, err, problem)
		}
	}
}

// TestFrame checks that different frames have different file names, and that a name without a number is not
// changed.
func TestFrame(t *testing.T) {
	for pattern, want := range map[string]string{"f%d.png": "f7.png", "%04d.png": "0007.png", "%3d.png": "  7.png", "a.gif": "a.gif", "100%.png": "100%.png"} {
		if got := filmfile.Frame(pattern, 7); got != want {
			t.Errorf("Frame(%q, 7) = %q, want %q", pattern, got, want)
		}
	}
	names := make(map[string]bool)
	for i := range 2000 {
		names[filmfile.Frame("%03d.png", i)] = true
	}
	if len(names) != 2000 {
		t.Errorf("2000 frames have %d names", len(names))
	}
}

// TestVideo writes a video with frames of 33 x 21 pixels and decodes it with ffmpeg. It must have all frames, with
// sides that are rounded up to even numbers.
func TestVideo(t *testing.T) {
	if errors.Is(filmfile.FindFFmpeg(), filmfile.ErrNoFFmpeg) {
		t.Skip("no ffmpeg here")
	}
	const width, height, frames = 33, 21, 5
	for _, format := range []filmfile.Format{filmfile.MP4, filmfile.WebM} {
		file := filepath.Join(t.TempDir(), "film")
		prepared := false
		v, err := filmfile.NewVideo(file, format, func(*exec.Cmd) { prepared = true })
		if err != nil || !prepared {
			t.Fatal(err, prepared)
		}
		fmt.Fprintf(v, "YUV4MPEG2 W%d H%d F10:1 Ip C444\n", width, height)
		for range frames {
			fmt.Fprintf(v, "FRAME\n%s", bytes.Repeat([]byte{128}, 3*width*height))
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		raw, err := exec.Command("ffmpeg", "-loglevel", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "gray", "-").Output()
		if want := frames * (width + 1) * (height + 1); err != nil || len(raw) != want {
			t.Errorf("format %d: %d bytes, %v, want %d", format, len(raw), err, want)
		}
	}
}

// TestVideoFails checks that the error of a failed video contains the message of ffmpeg.
func TestVideoFails(t *testing.T) {
	if filmfile.FindFFmpeg() != nil {
		t.Skip("no ffmpeg here")
	}
	file := filepath.Join(t.TempDir(), "film")
	v, err := filmfile.NewVideo(file, filmfile.MP4, func(*exec.Cmd) {})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(v, "not a video")
	if err := v.Close(); err == nil || !strings.Contains(err.Error(), "ffmpeg") {
		t.Errorf("Close() = %v", err)
	}
}

func ExampleFrame() {
	for i := range 3 {
		fmt.Println(filmfile.Frame("frames/%04d.png", i))
	}
	// Output:
	// frames/0000.png
	// frames/0001.png
	// frames/0002.png
}
