package convert

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// MaxDecompressed is the largest size in bytes of a file after decompression.
const MaxDecompressed = 8 << 30

// limits bound the work that a small compressed file can cause. A maliciously made file expands 1000 times. Texts with numbers are
// typically 4 times as large as the compressed file, those of crystals and meshes up to 40 times.
type limits struct {
	free  int64 // decompressed bytes that each file may have
	ratio int64 // a larger file may be this many times as large as the compressed data read so far
}

var (
	// Of these files, much stays in memory.
	keptWhole = limits{4 << 20, 10}

	// These files are read line by line. What stays in memory are atoms and similar elements: see maxElements.
	readByLine = limits{32 << 20, 40}
)

// maxElements returns the largest number of elements, such as atoms, of a file of which some compressed bytes were read. The
// coordinates of an atom take more than 2 bytes unless they repeat others.
func maxElements(packed int64) int { return max(freeElements, int(packed/bytesEach)) }

const (
	freeElements = 300_000
	bytesEach    = 2
)

// decompressed returns the contents of a file, decompressed if it begins with the magic number of gzip (RFC 1952,
// section 2.3.1), whatever its name. No file of a supported format begins with this number. Errors of decompression
// contain the name.
func decompressed(name string, file io.Reader, most limits) (io.Reader, error) {
	buffered := bufio.NewReader(file)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return buffered, nil
	}
	packed := &counter{from: buffered}
	text, err := gzip.NewReader(bufio.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%s: cannot decompress the file: %w", name, err)
	}
	return &limitedText{limits: most, name: name, text: text, packed: packed}, nil
}

// counter counts the bytes that are read.
type counter struct {
	from io.Reader
	n    int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

// limitedText reads decompressed text up to a limit. Its errors contain the name of the file.
type limitedText struct {
	limits
	name   string
	text   io.Reader
	packed *counter
	n      int64
}

// MaxElements implements [model.Limited].
func (l *limitedText) MaxElements() int { return maxElements(l.packed.n) }

func (l *limitedText) Read(p []byte) (int, error) {
	n, err := l.text.Read(p)
	switch l.n += int64(n); {
	case l.n > MaxDecompressed:
		return 0, fmt.Errorf("%s: the decompressed file must have at most %d bytes", l.name, int64(MaxDecompressed))
	case l.n > l.free && l.n/l.ratio > l.packed.n:
		return 0, fmt.Errorf("%s: the decompressed file has more than %d bytes and is more than %d times as large as the file; decompress it first", l.name, l.free, l.ratio)
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: cannot decompress the file: %w", l.name, err)
	}
	return n, err
}
