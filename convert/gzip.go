package convert

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// MaxDecompressed is the largest size in bytes of a file after decompression.
const MaxDecompressed = 8 << 30

// decompressed returns the contents of a file, decompressed if it begins with the magic number of gzip
// (RFC 1952, section 2.3.1), whatever its name. No file of a supported format begins with this number.
// Errors contain the name.
func decompressed(name string, file io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(file)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return buffered, nil
	}
	text, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot decompress the file: %w", name, err)
	}
	return &limitedText{name: name, text: text, left: MaxDecompressed}, nil
}

// limitedText reads decompressed text up to a limit. Its errors contain the name of the file.
type limitedText struct {
	name string
	text io.Reader
	left int64
}

func (l *limitedText) Read(p []byte) (int, error) {
	n, err := l.text.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, fmt.Errorf("%s: the decompressed file must have at most %d bytes", l.name, int64(MaxDecompressed))
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: cannot decompress the file: %w", l.name, err)
	}
	return n, err
}
