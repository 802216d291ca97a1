package filmfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// ErrNoFFmpeg is the error for a video if the program ffmpeg is not installed.
var ErrNoFFmpeg = errors.New("a video needs the program ffmpeg, which is not on the PATH: install it, or write numbered frames, as in -o frames/%04d.png")

// FindFFmpeg returns [ErrNoFFmpeg] if the program ffmpeg is not installed.
func FindFFmpeg() error {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		return ErrNoFFmpeg
	}
	return nil
}

// Video is a video file that ffmpeg writes. Write raw video (YUV4MPEG2) to it.
type Video struct {
	name     string
	format   Format
	ffmpeg   *exec.Cmd
	input    io.WriteCloser
	broken   bool // ffmpeg does not read its input
	messages bytes.Buffer
}

// NewVideo starts ffmpeg, which replaces the named file by a video. Before ffmpeg starts, NewVideo calls the function
// prepare with the command, so that the caller can change it. The caller must call [Video.Finish].
func NewVideo(name string, f Format, prepare func(*exec.Cmd)) (*Video, error) {
	v := &Video{name: name, format: f, ffmpeg: exec.Command("ffmpeg", arguments(name, f)...)}
	v.ffmpeg.Stderr = &v.messages
	prepare(v.ffmpeg)
	var err error
	if v.input, err = v.ffmpeg.StdinPipe(); err != nil {
		return nil, err
	}
	return v, v.ffmpeg.Start()
}

func (v *Video) Write(p []byte) (int, error) {
	n, err := v.input.Write(p)
	v.broken = v.broken || err != nil
	return n, err
}

// Finish ends the input of ffmpeg and waits until ffmpeg has written the file. It returns nil only if the file is a
// complete video with the given number of frames. With 0 frames, there can be no video: Finish ends ffmpeg, and returns
// an error only if ffmpeg had failed before. The error contains the messages of ffmpeg.
func (v *Video) Finish(frames int) error {
	if frames == 0 && !v.broken {
		_ = v.ffmpeg.Process.Kill()
		v.input.Close()     // for children of ffmpeg, if it is a script
		_ = v.ffmpeg.Wait() // it was killed
		return nil
	}
	v.input.Close()
	err := v.ffmpeg.Wait()
	if err == nil && (v.broken || v.messages.Len() > 0) {
		err = errors.New("it failed")
	}
	if err == nil {
		err = checkWhole(v.name, v.format, frames)
	}
	if err == nil {
		return nil
	}
	said := strings.TrimSpace(strings.ReplaceAll(v.messages.String(), v.name, "the video"))
	if said == "" {
		return fmt.Errorf("ffmpeg: %w", err)
	}
	return fmt.Errorf("ffmpeg: %w: %s", err, said)
}

// arguments returns the command line for ffmpeg.
func arguments(name string, f Format) []string {
	codec := []string{"-c:v", "libx264", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"}
	if f == WebM {
		codec = []string{"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-f", "webm"}
	}
	// Both formats require even sides, and the color matrix and range must be stated explicitly.
	args := []string{"-y", "-xerror", "-loglevel", "error", "-f", "yuv4mpegpipe", "-i", "-",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p",
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1", "-color_range", "tv"}
	return append(append(args, codec...), name)
}
