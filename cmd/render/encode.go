package main

import (
	"io"

	"pillbox"
	"pillbox/pngfile"
)

// A pngWriter writes a picture as a PNG while it is being rendered.
type pngWriter struct {
	w       io.Writer
	options pngfile.Options
	encoder *pngfile.Encoder // nil before the first rows
}

// rows implements [pillbox.Options.Rows].
func (p *pngWriter) rows(film *pillbox.Film, n int) {
	if p.encoder == nil {
		p.encoder = pngfile.NewEncoder(p.w, film.Image, p.options)
	}
	p.encoder.Rows(n)
}

// finish waits until the picture is written completely.
func (p *pngWriter) finish() error { return p.encoder.Close() }

// stop ends the encoder without finishing the file.
func (p *pngWriter) stop() {
	if p.encoder != nil {
		p.encoder.Stop()
	}
}

// A tripwire is a writer that calls trip with every error.
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
