package picture

import (
	"image"
	"io"

	"pillbox/pngfile"
)

// Stream writes a picture as a PNG while it is being rendered. It must not be used concurrently.
type Stream struct {
	w       io.Writer
	options pngfile.Options
	encoder *pngfile.Encoder // nil before the first rows
}

// NewStream returns a stream to w. It calls the function failed with every error of w, so that the caller can stop
// rendering.
func NewStream(w io.Writer, o pngfile.Options, failed func(error)) *Stream {
	return &Stream{w: tripwire{w, failed}, options: o}
}

// Rows reports that the first n rows of img are final. All calls must have the same image.
func (s *Stream) Rows(img *image.NRGBA, n int) {
	if s.encoder == nil {
		s.encoder = pngfile.NewEncoder(s.w, img, s.options)
	}
	s.encoder.Rows(n)
}

// Close waits until the picture is written completely. It must only be called after the last row is final.
func (s *Stream) Close() error { return s.encoder.Close() }

// Stop ends the stream without finishing the picture.
func (s *Stream) Stop() {
	if s.encoder != nil {
		s.encoder.Stop()
	}
}

// A tripwire is a writer that calls the function trip with every error.
type tripwire struct {
	io.Writer
	trip func(error)
}

func (t tripwire) Write(p []byte) (int, error) {
	n, err := t.Writer.Write(p)
	if err != nil {
		t.trip(err)
	}
	return n, err
}
