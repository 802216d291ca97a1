package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	// Images can also be read in these formats.
	_ "image/gif"
	"io"
	"os"

	_ "golang.org/x/image/webp"

	"pillbox/internal/cli"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// Image reads an image. If the input is not an image, the error wraps [image.ErrFormat], and [Env.OpenInput] opens it at its
// beginning again, even if it is standard input or a pipe.
func (p *Env) Image(ctx context.Context, name string) (image.Image, error) {
	return Await(ctx, func() (image.Image, error) { return p.readImage(name) })
}

func (p *Env) readImage(name string) (image.Image, error) {
	in, err := p.OpenInput(name)
	if err != nil {
		return nil, err
	}
	var img image.Image
	if f, ok := in.(*os.File); ok && isRegular(f) {
		img, _, err = osfile.DecodeFile(f)
	} else {
		start := bufio.NewReader(in)
		if img, err = decodeStream(start); errors.Is(err, image.ErrFormat) {
			p.unread(name, start, in)
			in = io.NopCloser(nil) // must stay open
		}
	}
	in.Close()
	if err != nil {
		return nil, &cli.Failure{Status: cli.StatusFile, Err: fmt.Errorf("read %s: %w", name, err)}
	}
	return img, nil
}

// peeked is a pipe or device of which only the beginning was read.
type peeked struct {
	name      string
	io.Reader // from the beginning
	io.Closer
}

// unread makes the next OpenInput of an input return what was already read from it, too.
func (p *Env) unread(name string, whole io.Reader, in io.Closer) {
	if name == Standard {
		p.In = whole
		return
	}
	p.peeked = peeked{name, whole, in}
}

func isRegular(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// decodeStream decodes an image from a pipe or a device. It stops reading as soon as the input cannot be an image.
func decodeStream(in *bufio.Reader) (image.Image, error) {
	head, err := in.Peek(in.Size())
	if err != nil && err != io.EOF { // EOF means that the input is shorter than the peeked length
		return nil, err
	}
	if _, _, err := image.DecodeConfig(bytes.NewReader(head)); errors.Is(err, image.ErrFormat) {
		return nil, err
	}
	data, err := scene.Read(in)
	if err != nil {
		return nil, err
	}
	if len(data) > scene.MaxBytes {
		return nil, fmt.Errorf("more than %d MiB; write it to a file first", scene.MaxBytes>>20)
	}
	img, _, err := osfile.Decode(bytes.NewReader(data), int64(len(data)))
	return img, err
}
