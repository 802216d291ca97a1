package osfile_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"pillbox/internal/osfile"
)

// format is an image format. It can encode pictures, and change the size in a picture's header.
type format struct {
	name   string
	encode func(io.Writer, image.Image) error
	claim  func(file []byte, width, height uint32)
}

func formats() []format {
	return []format{
		{"png", png.Encode, func(file []byte, w, h uint32) {
			binary.BigEndian.PutUint32(file[16:], w)
			binary.BigEndian.PutUint32(file[20:], h)
			binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
		}},
		{"bmp", bmp.Encode, func(file []byte, w, h uint32) {
			binary.LittleEndian.PutUint32(file[18:], w)
			binary.LittleEndian.PutUint32(file[22:], h)
		}},
		{"gif", func(w io.Writer, img image.Image) error { return gif.Encode(w, img, nil) }, func(file []byte, w, h uint32) {
			binary.LittleEndian.PutUint16(file[6:], uint16(min(w, 1<<16-1)))
			binary.LittleEndian.PutUint16(file[8:], uint16(min(h, 1<<16-1)))
		}},
		{"jpeg", func(w io.Writer, img image.Image) error { return jpeg.Encode(w, img, nil) }, func(file []byte, w, h uint32) {
			frame := bytes.Index(file, []byte{0xff, 0xc0})
			binary.BigEndian.PutUint16(file[frame+5:], uint16(min(h, 1<<16-1)))
			binary.BigEndian.PutUint16(file[frame+7:], uint16(min(w, 1<<16-1)))
		}},
		{"tiff", func(w io.Writer, img image.Image) error { return tiff.Encode(w, img, nil) }, func(file []byte, w, h uint32) {
			const widthTag, heightTag, entry = 256, 257, 12
			at := binary.LittleEndian.Uint32(file[4:])
			for e := file[at+2:]; len(e) >= entry; e = e[entry:] {
				const long = 4
				size, ok := map[uint16]uint32{widthTag: w, heightTag: h}[binary.LittleEndian.Uint16(e)]
				if ok {
					binary.LittleEndian.PutUint16(e[2:], long)
					binary.LittleEndian.PutUint32(e[8:], size)
				}
			}
		}},
	}
}

// file returns a small picture in the format.
func (f format) file(t testing.TB) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 5, 3))
	for i := range img.Pix {
		img.Pix[i] = byte(37*i) | 1
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	var b bytes.Buffer
	if err := f.encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decode(data []byte) (image.Image, string, error) {
	return osfile.Decode(bytes.NewReader(data), int64(len(data)))
}

func TestDecode(t *testing.T) {
	for _, f := range formats() {
		data := f.file(t)
		img, name, err := decode(data)
		want, _, _ := image.Decode(bytes.NewReader(data))
		if err != nil || name != f.name || img.Bounds() != want.Bounds() || img.At(3, 2) != want.At(3, 2) {
			t.Errorf("%s: a %s that differs from what package image decodes, %v", f.name, name, err)
		}
		if _, _, err := decode(data[:len(data)/2]); err == nil {
			t.Errorf("%s: half a file is decoded", f.name)
		}
	}
}

// TestDecodeClaims writes large sizes into the headers of small files. Decoding must fail before memory for that
// many pixels is allocated.
func TestDecodeClaims(t *testing.T) {
	for _, f := range formats() {
		for _, size := range [][2]uint32{{200000, 200000}, {1 << 15, 1<<13 + 1}, {1<<15 + 1, 1}, {1, 1<<15 + 1}, {0, 5}, {5, 0}, {1<<31 - 1, 1<<31 - 1}} {
			data := f.file(t)
			f.claim(data, size[0], size[1])
			before := allocated()
			_, _, err := decode(data)
			if err == nil {
				t.Errorf("%s of %d x %d pixels: no error", f.name, size[0], size[1])
			}
			if got := allocated() - before; got > 1<<20 {
				t.Errorf("%s of %d x %d pixels takes %d bytes of memory to be refused: %v", f.name, size[0], size[1], got, err)
			}
		}
	}
}

// allocated returns how many bytes this process has allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestDecodeClaimsJPEG checks the limits for JPEG files, because decoding some kinds needs more memory per pixel
// than others.
func TestDecodeClaimsJPEG(t *testing.T) {
	for _, f := range formats() {
		if f.name != "jpeg" {
			continue
		}
		data := f.file(t)
		f.claim(data, 1<<15, 1<<12+1)
		if _, _, err := decode(data); err == nil || !strings.Contains(err.Error(), "want at most 16777216 in a file of ") {
			t.Errorf("%v, want a smaller limit", err)
		}
	}
}

// TestDecodeSaysWhatIsClaimed checks that the error for a picture that is too large contains the size in its
// header.
func TestDecodeSaysWhatIsClaimed(t *testing.T) {
	f := formats()[0]
	for size, want := range map[[2]uint32]string{
		{200000, 200000}:   "claims 200000 x 200000 pixels, want at most 32768 either way",
		{1 << 15, 1 << 15}: "claims 32768 x 32768 pixels, want at most 33554432 in a file of 92 bytes; if that is no mistake, save it as BMP, without compression",
	} {
		data := f.file(t)
		f.claim(data, size[0], size[1])
		if _, _, err := decode(data); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// endless is an [io.Reader] that returns the bytes start and then zeros without end.
type endless struct{ start []byte }

func (e endless) ReadAt(p []byte, at int64) (int, error) {
	clear(p)
	if at < int64(len(e.start)) {
		copy(p, e.start[at:])
	}
	return len(p), nil
}

func TestDecodeTooManyBytes(t *testing.T) {
	start := formats()[0].file(t)
	if _, _, err := osfile.Decode(endless{start}, 1<<20); err != nil {
		t.Errorf("a picture followed by a mebibyte: %v", err)
	}
	_, _, err := osfile.Decode(endless{start}, 1<<30)
	if want := "has 1073741824 bytes, too many for 5 x 3 pixels"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestDecodeNone checks that errors distinguish files that are not pictures from damaged pictures.
func TestDecodeNone(t *testing.T) {
	for _, data := range []string{"", "x", "[camera]\nfov = 3\n", strings.Repeat("\x00", 1<<20)} {
		if _, _, err := decode([]byte(data)); !errors.Is(err, image.ErrFormat) {
			t.Errorf("%.10q: %v, want %v", data, err, image.ErrFormat)
		}
	}
	if _, _, err := decode([]byte("\x89PNG\r\n\x1a\nx")); err == nil || errors.Is(err, image.ErrFormat) {
		t.Errorf("a broken PNG: %v", err)
	}
}

func TestReadPNG(t *testing.T) {
	t.Chdir(t.TempDir())
	all := formats()
	for i, name := range []string{"good.png", "bmp.png"} {
		if err := os.WriteFile(name, all[i].file(t), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	huge := all[0].file(t)
	all[0].claim(huge, 1<<16, 1<<16)
	if err := errors.Join(os.WriteFile("huge.png", huge, 0o666), os.Mkdir("folder.png", 0o777)); err != nil {
		t.Fatal(err)
	}
	img, err := osfile.ReadPNG("good.png")
	if err != nil || img.Bounds() != image.Rect(0, 0, 5, 3) || img.ColorModel() != color.RGBAModel {
		t.Errorf("good.png: %v, %v", img, err)
	}
	for name, want := range map[string]string{
		"bmp.png":    "read bmp.png: png: invalid format: not a PNG file",
		"huge.png":   "read huge.png: claims 65536 x 65536 pixels, want at most 32768 either way",
		"folder.png": "open folder.png: not a regular file",
	} {
		var failed *fs.PathError
		if _, err := osfile.ReadPNG(name); !errors.As(err, &failed) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := osfile.ReadPNG("none.png"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none.png: %v", err)
	}
}

// FuzzDecode checks that the limits hold, that no decoder panics, and that every pixel can be read. The limit of
// pixels is small, so that no input is slow.
func FuzzDecode(f *testing.F) {
	for _, format := range formats() {
		data := format.file(f)
		f.Add(data)
		format.claim(data, 1<<9, 1<<9)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const maxPixels = 1 << 16
		img, _, err := osfile.DecodeWithin(bytes.NewReader(data), int64(len(data)), maxPixels)
		if err != nil {
			return
		}
		size := img.Bounds().Size()
		if size.X > osfile.MaxSide || size.Y > osfile.MaxSide {
			t.Fatalf("a picture of %v pixels", size)
		}
		for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
			for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
				img.At(x, y).RGBA()
			}
		}
	})
}

// TestDecodePNGWithoutPixels checks that a PNG that claims far more colors than its bytes can hold is refused, or more than a
// small file may have, and that the PNG that compresses best is not.
func TestDecodePNGWithoutPixels(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewNRGBA(image.Rect(0, 0, 3000, 3000))); err != nil {
		t.Fatal(err)
	}
	if _, _, err := osfile.Decode(bytes.NewReader(file.Bytes()), int64(file.Len())); err != nil {
		t.Error(err)
	}
	for side, want := range map[uint32]string{
		5000:  "claims 5000 x 5000 pixels, but has only ",
		16384: "claims 16384 x 16384 pixels, want at most 33554432 in a file of ",
	} {
		formats()[0].claim(file.Bytes(), side, side)
		if _, _, err := osfile.Decode(bytes.NewReader(file.Bytes()), int64(file.Len())); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestDecodeGrayWithAlpha checks that a large PNG of one gray with alpha, which has two bytes per pixel, is not refused.
func TestDecodeGrayWithAlpha(t *testing.T) {
	const side = 2500
	var file bytes.Buffer
	file.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, data []byte) {
		body := append([]byte(kind), data...)
		file.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
		file.Write(body)
		file.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
	}
	const depth, grayWithAlpha = 8, 4
	size := binary.BigEndian.AppendUint32(nil, side)
	chunk("IHDR", append(append(size, size...), depth, grayWithAlpha, 0, 0, 0))
	var rows bytes.Buffer
	z, err := zlib.NewWriterLevel(&rows, zlib.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(make([]byte, side*(1+2*side))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	chunk("IDAT", rows.Bytes())
	chunk("IEND", nil)
	if _, _, err := osfile.Decode(bytes.NewReader(file.Bytes()), int64(file.Len())); err != nil {
		t.Error(err)
	}
}

// TestReadPNGBeside checks that a large picture is read only beside one of the same size.
func TestReadPNGBeside(t *testing.T) {
	name := filepath.Join(t.TempDir(), "p.png")
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4097, 4096))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := osfile.ReadPNGBeside(name, image.Pt(4097, 4096)); err != nil {
		t.Error(err)
	}
	_, err := osfile.ReadPNGBeside(name, image.Pt(40, 30))
	const want = "claims 4097 x 4096 pixels, want at most 16777216 in a picture of another size than 40 x 30"
	var path *fs.PathError
	if !errors.As(err, &path) || path.Err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
