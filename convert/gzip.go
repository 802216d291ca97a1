package convert

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// MaxDecompressed is the largest size in bytes of a file after decompression.
const MaxDecompressed = 8 << 30

// Decompression fails if the decompressed text is both larger than freeBytes and more than maxRatio times
// as large as the compressed data read so far. Text with numbers is typically 4 times as large as the
// compressed file, that of a crystal or a mesh up to 40 times. A maliciously made file can expand 1000 times. An import of a
// molecule needs up to 1 kB of memory for each atom, whose line can have 8 bytes.
const (
	maxRatio  = 10
	freeBytes = 4 << 20
)

// decompressed returns the contents of a file, decompressed if it begins with the magic number of gzip (RFC 1952,
// section 2.3.1), whatever its name. No file of a supported format begins with this number. Errors of decompression
// contain the name.
func decompressed(name string, file io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(file)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return buffered, nil
	}
	packed := &counter{from: buffered}
	text, err := gzip.NewReader(bufio.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%s: cannot decompress the file: %w", name, err)
	}
	return &limitedText{name: name, text: text, packed: packed}, nil
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
	name   string
	text   io.Reader
	packed *counter
	n      int64
}

func (l *limitedText) Read(p []byte) (int, error) {
	n, err := l.text.Read(p)
	switch l.n += int64(n); {
	case l.n > MaxDecompressed:
		return 0, fmt.Errorf("%s: the decompressed file must have at most %d bytes", l.name, int64(MaxDecompressed))
	case l.n > freeBytes && l.n/maxRatio > l.packed.n:
		return 0, fmt.Errorf("%s: the decompressed file has more than %d bytes and is more than %d times as large as the file; decompress it first", l.name, freeBytes, maxRatio)
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: cannot decompress the file: %w", l.name, err)
	}
	return n, err
}
