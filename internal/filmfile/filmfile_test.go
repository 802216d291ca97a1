package filmfile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
		if err := v.Finish(frames); err != nil {
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
	if err := v.Finish(1); err == nil || !strings.Contains(err.Error(), "ffmpeg") {
		t.Errorf("Finish(1) = %v", err)
	}
}

// TestVideoCutOff cuts a video off at every length. No shorter file is a complete video, nor is the whole file one with
// another number of frames.
func TestVideoCutOff(t *testing.T) {
	const frames = 3
	box := func(kind string, content ...[]byte) []byte {
		data := bytes.Join(content, nil)
		return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(data))), kind...), data...)
	}
	sizes := box("stsz", make([]byte, 8), []byte{0, 0, 0, frames}, make([]byte, 4*frames))
	index := box("moov", box("mvhd", make([]byte, 10)), box("trak", box("mdia", box("minf", box("stbl", sizes)))))
	element := func(id string, content ...[]byte) []byte {
		data := bytes.Join(content, nil)
		return append(append([]byte(id), 0x40|byte(len(data)>>8), byte(len(data))), data...)
	}
	block, group := element("\xA3", make([]byte, 9)), element("\xA0", make([]byte, 9))
	segment := element("\x18\x53\x80\x67", element("\xEC", make([]byte, 130)), element("\x1F\x43\xB6\x75", block, block), element("\x1F\x43\xB6\x75", group))
	unfinished := append([]byte("\x18\x53\x80\x67\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), block...)
	name := filepath.Join(t.TempDir(), "film")
	check := func(data []byte, f filmfile.Format, frames int) error {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return filmfile.CheckWhole(name, f, frames)
	}
	for format, whole := range map[filmfile.Format][]byte{
		filmfile.MP4:  slices.Concat(box("ftyp"), index, box("mdat", make([]byte, 20))),
		filmfile.WebM: slices.Concat(element("\x1A\x45\xDF\xA3"), segment),
	} {
		if err := check(whole, format, frames); err != nil {
			t.Errorf("format %d: %v", format, err)
		}
		if check(whole, format, frames+1) == nil {
			t.Errorf("format %d: a frame can be missing", format)
		}
		for n := range whole {
			if check(whole[:n], format, frames) == nil {
				t.Errorf("format %d: complete after %d of %d bytes", format, n, len(whole))
			}
		}
	}
	if check(unfinished, filmfile.WebM, 1) == nil {
		t.Error("a segment without end is complete")
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
