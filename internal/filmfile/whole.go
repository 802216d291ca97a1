package filmfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
)

// checkWhole returns an error unless the named file is a complete video with the given number of frames. ffmpeg exits
// successfully even if it could not write the end of a file, for example because the disk was full.
func checkWhole(name string, f Format, frames int) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	whole := part{file, 0, info.Size()}
	count := countMP4
	if f == WebM {
		count = countWebM
	}
	found, err := count(whole)
	if err == nil && found != frames {
		err = fmt.Errorf("it has %d of %d frames", found, frames)
	}
	if err != nil {
		return fmt.Errorf("the video is incomplete: %w", err)
	}
	return nil
}

// part is a range of bytes of a file.
type part struct {
	file       io.ReaderAt
	start, end int64
}

var errCutOff = errors.New("it is cut off")

// read returns n bytes at an offset from the start of the part.
func (p part) read(at int64, n int) ([]byte, error) {
	data := make([]byte, n)
	if p.start+at+int64(n) > p.end {
		return nil, errCutOff
	}
	_, err := p.file.ReadAt(data, p.start+at)
	return data, err
}

// after returns the remainder of the part and its first size bytes after a header, without that header.
func (p part) after(header, size int64) (content, rest part, err error) {
	if size < 0 || size > p.end-p.start-header {
		return part{}, part{}, errCutOff
	}
	middle := p.start + header + size
	return part{p.file, p.start + header, middle}, part{p.file, middle, p.end}, nil
}

// countMP4 returns the number of frames of the first track of an MP4 file. Source: ISO/IEC 14496-12, sections 4.2 and
// 8.7.3.
func countMP4(whole part) (int, error) {
	movie, data := part{}, false
	for whole.start < whole.end {
		kind, content, rest, err := nextBox(whole)
		if err != nil {
			return 0, err
		}
		switch kind {
		case "moov":
			movie = content
		case "mdat":
			data = true
		}
		whole = rest
	}
	if movie.file == nil || !data {
		return 0, errors.New("it has no index or no data")
	}
	for _, want := range [...]string{"trak", "mdia", "minf", "stbl", "stsz"} {
		kind, content := "", movie
		for rest := movie; kind != want; {
			var err error
			if kind, content, rest, err = nextBox(rest); err != nil {
				return 0, fmt.Errorf("its index has no %s: %w", want, err)
			}
		}
		movie = content
	}
	const countAt = 8 // after the version, the flags and the size that all frames have, or 0
	count, err := movie.read(countAt, 4)
	if err != nil {
		return 0, err
	}
	return int(binary.BigEndian.Uint32(count)), nil
}

// nextBox splits a part of an MP4 file into its first box and the rest.
func nextBox(p part) (kind string, content, rest part, err error) {
	head, err := p.read(0, 8)
	if err != nil {
		return "", part{}, part{}, err
	}
	header, size := int64(8), int64(binary.BigEndian.Uint32(head))
	if size == 1 { // the size follows with 64 bits
		large, err := p.read(header, 8)
		if err != nil {
			return "", part{}, part{}, err
		}
		header, size = header+8, int64(binary.BigEndian.Uint64(large))
	}
	content, rest, err = p.after(header, size-header)
	return string(head[4:]), content, rest, err
}

// Identifiers of elements of WebM. Source: RFC 9559, section 5.1.
const (
	webmSegment     = 0x18538067
	webmCluster     = 0x1F43B675
	webmSimpleBlock = 0xA3
	webmBlockGroup  = 0xA0
)

// countWebM returns the number of frames of a WebM file with one track. Until ffmpeg has written everything, the size of
// the segment is unknown.
func countWebM(whole part) (int, error) {
	frames, segments := 0, 0
	var walk func(part) error
	walk = func(p part) error {
		for p.start < p.end {
			id, content, rest, err := nextElement(p)
			if err != nil {
				return err
			}
			switch id {
			case webmSegment:
				segments++
				err = walk(content)
			case webmCluster:
				err = walk(content)
			case webmSimpleBlock, webmBlockGroup:
				frames++
			}
			if err != nil {
				return err
			}
			p = rest
		}
		return nil
	}
	if err := walk(whole); err != nil {
		return 0, err
	}
	if segments == 0 {
		return 0, errors.New("it has no data")
	}
	return frames, nil
}

// nextElement splits a part of a WebM file into its first element and the rest. Source: RFC 8794, sections 4 to 6.
func nextElement(p part) (id uint64, content, rest part, err error) {
	id, header, err := p.readNumber(0)
	if err != nil {
		return 0, part{}, part{}, err
	}
	size, width, err := p.readNumber(header)
	if err != nil {
		return 0, part{}, part{}, err
	}
	marker := uint64(1) << (7 * width)
	if size -= marker; size == marker-1 {
		return 0, part{}, part{}, errors.New("it has no end")
	}
	content, rest, err = p.after(header+width, int64(size))
	return id, content, rest, err
}

// readNumber returns the variable-size integer at an offset, with its length marker, and its length in bytes.
func (p part) readNumber(at int64) (value uint64, width int64, err error) {
	first, err := p.read(at, 1)
	if err != nil {
		return 0, 0, err
	}
	width = int64(bits.LeadingZeros8(first[0])) + 1
	if width > 8 {
		return 0, 0, errors.New("it is damaged")
	}
	data, err := p.read(at, int(width))
	for _, b := range data {
		value = value<<8 | uint64(b)
	}
	return value, width, err
}
