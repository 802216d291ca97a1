package pngfile_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
	"pillbox/pngfile"
)

// decodeRows decodes a PNG by rows.
func decodeRows(file []byte) (*image.NRGBA, error) {
	d, err := pngfile.NewDecoder(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	m := image.NewNRGBA(image.Rectangle{Max: d.Size()})
	next := m.Pix
	err = d.Rows(func(row []byte) error {
		next = next[copy(next, row):]
		return nil
	})
	if err == nil && len(next) > 0 {
		err = errors.New("rows are missing")
	}
	return m, err
}

// wantSame compares the pixels that the decoder finds with those of image/png.
func wantSame(t *testing.T, what string, file []byte) {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(what, err)
	}
	got, err := decodeRows(file)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	b := m.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			if want := color.NRGBAModel.Convert(m.At(b.Min.X+x, b.Min.Y+y)); got.NRGBAAt(x, y) != want {
				t.Fatalf("%s: pixel (%d, %d) is %v, want %v", what, x, y, got.NRGBAAt(x, y), want)
			}
		}
	}
}

// randomPicture returns an image of a kind that image/png writes without interlacing.
func randomPicture(r *rand.Rand) image.Image {
	rect := image.Rect(0, 0, 1+r.IntN(20), 1+r.IntN(20))
	most := 1 + r.IntN(255)
	fill := func(pix []uint8) {
		for i := range pix {
			pix[i] = uint8(r.IntN(most + 1))
		}
	}
	switch r.IntN(4) {
	case 0:
		m := image.NewNRGBA(rect)
		fill(m.Pix)
		return m
	case 1:
		m := image.NewRGBA(rect) // opaque: three channels
		fill(m.Pix)
		for i := 3; i < len(m.Pix); i += 4 {
			m.Pix[i] = 0xff
		}
		return m
	case 2:
		m := image.NewGray(rect)
		fill(m.Pix)
		return m
	}
	var palette color.Palette
	for range 1 + r.IntN(256) {
		palette = append(palette, color.NRGBA{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), uint8(255 - r.IntN(2)*r.IntN(256))})
	}
	m := image.NewPaletted(rect, palette)
	for i := range m.Pix {
		m.Pix[i] = uint8(r.IntN(len(palette)))
	}
	return m
}

// TestDecoder compares the pixels of random pictures with those that image/png decodes, and checks that a file that is cut off
// or has a wrong bit is an error, as image/png says.
func TestDecoder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range effort.Of(100, 300, 3000) {
		m := randomPicture(r)
		var file bytes.Buffer
		if err := png.Encode(&file, m); err != nil {
			t.Fatal(err)
		}
		wantSame(t, m.Bounds().String(), file.Bytes())
		broken := slices.Clone(file.Bytes())
		if i := r.IntN(len(broken)); r.IntN(2) == 0 {
			broken = broken[:i]
		} else {
			broken[i] ^= 1 << r.IntN(8)
		}
		if _, err := decodeRows(broken); err == nil {
			wantSame(t, "broken", broken)
		}
		if _, err := png.Decode(bytes.NewReader(broken)); err == nil {
			if _, err := decodeRows(broken); err != nil {
				t.Errorf("image/png reads a broken file, but %v", err)
			}
		}
	}
}

// rawPNG returns a PNG of random samples, with each filter in turn.
func rawPNG(r *rand.Rand, size image.Point, depth, kind byte, extra ...string) []byte {
	samples := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(size.X)), uint32(size.Y))
	file := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(head, depth, kind, 0, 0, 0))...)
	for _, c := range extra {
		file = append(file, chunk(c[:4], []byte(c[4:]))...)
	}
	var pixels []byte
	for y := range size.Y {
		pixels = append(pixels, byte((y+1)%5))
		for range (size.X*samples*int(depth) + 7) / 8 {
			pixels = append(pixels, byte(r.Uint32())&[2]byte{0xff, 0x11}[y%2])
		}
	}
	data := deflated(pixels)
	half := len(data) / 2
	file = append(file, chunk("IDAT", data[:half])...)
	file = append(file, chunk("IDAT", nil)...)
	file = append(file, chunk("IDAT", data[half:])...)
	return append(file, chunk("IEND", nil)...)
}

func deflated(data []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func chunk(kind string, data []byte) []byte {
	body := append([]byte(kind), data...)
	return binary.BigEndian.AppendUint32(append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), body...), crc32.ChecksumIEEE(body))
}

// TestDecoderLayouts decodes all layouts that the decoder supports, with all filters, transparency and several chunks of pixels.
func TestDecoderLayouts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	palette := "PLTE" + strings.Repeat("abc012xyz987", 64)
	for _, size := range []image.Point{{1, 1}, {7, 11}, {33, 12}} {
		for _, depth := range []byte{1, 2, 4, 8} {
			wantSame(t, "gray", rawPNG(r, size, depth, 0))
			wantSame(t, "gray with a transparent value", rawPNG(r, size, depth, 0, "tRNS\x00\x01"))
			wantSame(t, "indexed", rawPNG(r, size, depth, 3, palette[:4+3<<depth]))
			wantSame(t, "indexed with alpha", rawPNG(r, size, depth, 3, palette[:4+3<<depth], "tRNS\x00\x80"))
			wantSame(t, "indexed with few colors", rawPNG(r, size, depth, 3, palette[:4+3]))
		}
		for _, kind := range []byte{2, 4, 6} {
			wantSame(t, "colors", rawPNG(r, size, 8, kind, "tEXta\x00b"))
		}
		wantSame(t, "a transparent color", rawPNG(r, size, 8, 2, "tRNS\x00\x11\x00\x11\x00\x11"))
	}
}

// TestDecoderErrors checks files that are not read by rows.
func TestDecoderErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	size := image.Pt(3, 2)
	interlaced := rawPNG(r, size, 8, 6)
	interlaced[28] = 1
	binary.BigEndian.PutUint32(interlaced[29:], crc32.ChecksumIEEE(interlaced[12:29]))
	for _, file := range [][]byte{interlaced, rawPNG(r, size, 16, 6)} {
		if _, err := decodeRows(file); !errors.Is(err, pngfile.ErrNotByRows) {
			t.Errorf("got %v", err)
		}
	}
	short := rawPNG(r, size, 8, 6)
	binary.BigEndian.PutUint32(short[20:], 9) // claims more rows
	binary.BigEndian.PutUint32(short[29:], crc32.ChecksumIEEE(short[12:29]))
	long := rawPNG(r, image.Pt(3, 9), 8, 6)
	binary.BigEndian.PutUint32(long[20:], 2)
	binary.BigEndian.PutUint32(long[29:], crc32.ChecksumIEEE(long[12:29]))
	for _, file := range [][]byte{nil, []byte("text"), rawPNG(r, size, 3, 0), rawPNG(r, size, 8, 5), rawPNG(r, image.Pt(0, 3), 8, 6), short, long,
		rawPNG(r, size, 8, 4, "tRNSab"), rawPNG(r, size, 8, 3, "PLTE"), rawPNG(r, size, 8, 6, "IEND"), rawPNG(r, size, 8, 6, "IHDR")} {
		if _, err := decodeRows(file); err == nil {
			t.Errorf("no error for %.30q", file)
		}
	}
	failed := errors.New("failed")
	d, err := pngfile.NewDecoder(bytes.NewReader(rawPNG(r, size, 8, 6)))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Rows(func([]byte) error { return failed }); err != failed {
		t.Errorf("got %v, want the error of the caller", err)
	}
}

// TestDecoderOrder checks that pictures with random chunks at random places, which image/png may refuse, are read by rows
// only if image/png finds the same pixels.
func TestDecoderOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	chunks := []string{"PLTEabc", "PLTEabcdef", "PLTE" + strings.Repeat("abc", 256), "tRNS\x01", "tRNS\x00\x01", "tRNS\x00\x01\x00\x01\x00\x01",
		"tEXta\x00b", "IDAT", "IEND", "IENDa", "IHDRabcdefghijklm", "acTL\x00\x00\x00\x01\x00\x00\x00\x00"}
	read := 0
	for range effort.Of(300, 1000, 30000) {
		kind := [5]byte{0, 2, 3, 4, 6}[r.IntN(5)]
		var before, after []string
		for range r.IntN(4) {
			before = append(before, chunks[r.IntN(len(chunks))])
		}
		if r.IntN(2) == 0 {
			after = append(after, chunks[r.IntN(len(chunks))])
		}
		file := rawPNG(r, image.Pt(3, 2), 8, kind, before...)
		end := len(file) - len(chunk("IEND", nil))
		tail := slices.Clone(file[end:])
		file = file[:end]
		for _, c := range after {
			file = append(file, chunk(c[:4], []byte(c[4:]))...)
		}
		file = append(file, tail...)
		if _, err := decodeRows(file); err == nil {
			read++
			wantSame(t, fmt.Sprintf("color type %d, %.20q, pixels, %.20q", kind, before, after), file)
		}
	}
	if read < 50 {
		t.Errorf("only %d pictures were read", read)
	}
}
