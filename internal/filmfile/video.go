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
	io.WriteCloser // the input of ffmpeg
	ffmpeg         *exec.Cmd
	messages       bytes.Buffer
}

// NewVideo starts ffmpeg, which replaces the named file by a video. Before ffmpeg starts, NewVideo calls the function
// prepare with the command, so that the caller can change it. The caller must close the video. The file is complete
// when Close returns without an error.
func NewVideo(name string, f Format, prepare func(*exec.Cmd)) (*Video, error) {
	v := &Video{ffmpeg: exec.Command("ffmpeg", arguments(name, f)...)}
	v.ffmpeg.Stderr = &v.messages
	prepare(v.ffmpeg)
	var err error
	if v.WriteCloser, err = v.ffmpeg.StdinPipe(); err != nil {
		return nil, err
	}
	return v, v.ffmpeg.Start()
}

// Close ends the input of ffmpeg and waits until ffmpeg has written the file. The error contains the messages of ffmpeg.
func (v *Video) Close() error {
	v.WriteCloser.Close()
	if err := v.ffmpeg.Wait(); err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, strings.TrimSpace(v.messages.String()))
	}
	return nil
}

// arguments returns the command line for ffmpeg.
func arguments(name string, f Format) []string {
	codec := []string{"-c:v", "libx264", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"}
	if f == WebM {
		codec = []string{"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-f", "webm"}
	}
	// Both formats require even sides, and the color matrix and range must be stated explicitly.
	args := []string{"-y", "-loglevel", "error", "-f", "yuv4mpegpipe", "-i", "-",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p",
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1", "-color_range", "tv"}
	return append(append(args, codec...), name)
}
