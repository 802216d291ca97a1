package pngfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"pillbox/internal/fixture/effort"
)

// paint returns a picture whose pixels are the results of f.
func paint(width, height int, f func(x, y int) color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.SetNRGBA(x, y, f(x, y))
		}
	}
	return img
}

func opaque(r, g, b int) color.NRGBA { return color.NRGBA{uint8(r), uint8(g), uint8(b), 255} }

// noise returns a picture whose bytes are random.
func noise(seed uint64, width, height int) *image.NRGBA {
	r := rand.New(rand.NewPCG(seed, 0))
	return paint(width, height, func(x, y int) color.NRGBA {
		v := r.Uint32()
		return color.NRGBA{uint8(v), uint8(v >> 8), uint8(v >> 16), uint8(v >> 24)}
	})
}

// balls returns a picture that looks like a render: shaded balls before a flat background.
func balls(seed uint64, width, height, n int) *image.NRGBA {
	r := rand.New(rand.NewPCG(seed, 0))
	img := paint(width, height, func(x, y int) color.NRGBA { return opaque(187, 217, 255) })
	for range n {
		cx, cy := r.IntN(width), r.IntN(height)
		radius := 4 + r.IntN(max(1, width/5))
		c := [3]int{100 + r.IntN(155), 100 + r.IntN(155), 100 + r.IntN(155)}
		for y := max(0, cy-radius); y < min(height, cy+radius); y++ {
			for x := max(0, cx-radius); x < min(width, cx+radius); x++ {
				dx, dy := x-cx, y-cy
				if d := radius*radius - dx*dx - dy*dy; d > 0 {
					light := max(60, 200+55*(dx-dy)/radius)
					img.SetNRGBA(x, y, opaque(c[0]*light/255, c[1]*light/255, c[2]*light/255))
				}
			}
		}
	}
	return img
}

func horizontal(width, height int) *image.NRGBA {
	return paint(width, height, func(x, y int) color.NRGBA {
		return opaque(60+190*x/width, 90+150*x/width, 240-20*x/width)
	})
}

func vertical(width, height int) *image.NRGBA {
	return paint(width, height, func(x, y int) color.NRGBA {
		return opaque(60+190*y/height, 90+150*y/height, 240-20*y/height)
	})
}

func diagonal(width, height int) *image.NRGBA {
	return paint(width, height, func(x, y int) color.NRGBA {
		return opaque(255*x/width, 255*y/height, 255*(x+y)/(width+height))
	})
}

func bilinear(width, height int) *image.NRGBA {
	return paint(width, height, func(x, y int) color.NRGBA {
		return opaque(255*x/width, 255*y/height, 255*x*y/(width*height))
	})
}

func radial(width, height int) *image.NRGBA {
	return paint(width, height, func(x, y int) color.NRGBA {
		dx, dy := x-width/2, y-height/2
		t := 255 * (dx*dx + dy*dy) / (width*width/4 + height*height/4)
		return opaque(t, t*t/255, 255-t)
	})
}

// pictures returns pictures of all kinds. The Color of each is the one with the fewest channels that suffice.
func pictures() map[string]struct {
	img   *image.NRGBA
	color Color
} {
	type entry = struct {
		img   *image.NRGBA
		color Color
	}
	flat := func(w, h int, c color.NRGBA) *image.NRGBA {
		return paint(w, h, func(x, y int) color.NRGBA { return c })
	}
	holes := balls(1, 300, 200, 9)
	for i := 3; i < len(holes.Pix); i += 4 {
		if i/4%301 < 50 {
			holes.Pix[i] = byte(i) // colors stay, also under alpha 0
		}
	}
	grayNoise := noise(2, 211, 97)
	for i := 0; i < len(grayNoise.Pix); i += 4 {
		copy(grayNoise.Pix[i:], []byte{grayNoise.Pix[i], grayNoise.Pix[i], grayNoise.Pix[i], 255})
	}
	solidNoise := noise(3, 640, 360)
	for i := 3; i < len(solidNoise.Pix); i += 4 {
		solidNoise.Pix[i] = 255
	}
	almost := flat(500, 300, opaque(9, 9, 9))
	almost.SetNRGBA(499, 299, opaque(9, 9, 8))
	pierced := flat(500, 300, opaque(9, 9, 9))
	pierced.SetNRGBA(499, 299, color.NRGBA{9, 9, 9, 254})
	return map[string]entry{
		"noise":       {noise(4, 300, 500), RGBA},
		"solid noise": {solidNoise, RGB},
		"gray noise":  {grayNoise, Gray},
		"flat":        {flat(300, 200, opaque(1, 2, 3)), RGB},
		"black":       {flat(300, 200, opaque(0, 0, 0)), Gray},
		"nothing":     {image.NewNRGBA(image.Rect(0, 0, 300, 200)), RGBA},
		"holes":       {holes, RGBA},
		"almost gray": {almost, RGB},
		"almost full": {pierced, RGBA},
		"balls":       {balls(5, 320, 240, 20), RGB},
		"dust":        {balls(6, 320, 240, 3000), RGB},
		"gray ramp":   {paint(600, 400, func(x, y int) color.NRGBA { return opaque((x+y)/4, (x+y)/4, (x+y)/4) }), Gray},
		"horizontal":  {horizontal(300, 200), RGB},
		"vertical":    {vertical(300, 200), RGB},
		"diagonal":    {diagonal(700, 500), RGB},
		"radial":      {radial(500, 800), RGB},
		"1x1":         {noise(7, 1, 1), RGBA},
		"2x1":         {flat(2, 1, opaque(5, 6, 7)), RGB},
		"1x2000":      {noise(8, 1, 2000), RGBA},
		"2000x1":      {noise(9, 2000, 1), RGBA},
		"tiny":        {balls(12, 64, 64, 5), RGB},
		"tiny noise":  {noise(13, 64, 64), RGBA},
		"tiny wide":   {noise(14, 1365, 3), RGBA},
		"not tiny":    {balls(12, 64, 65, 5), RGB},
		"1x200000":    {flat(1, 200000, opaque(5, 6, 7)), RGB},
		"wide":        {balls(10, 20000, 35, 50), RGB},
		"part":        {noise(11, 90, 80).SubImage(image.Rect(13, 17, 71, 80)).(*image.NRGBA), RGBA},
	}
}

// decode decodes a PNG file with image/png, and returns the picture with straight alpha.
func decode(t *testing.T, data []byte) *image.NRGBA {
	t.Helper()
	r := bytes.NewReader(data)
	img, err := png.Decode(r)
	if err != nil {
		t.Fatal(err)
	}
	if r.Len() > 0 {
		t.Errorf("%d bytes follow the picture", r.Len())
	}
	if img, ok := img.(*image.NRGBA); ok {
		return img
	}
	straight := image.NewNRGBA(img.Bounds()) // opaque, so nothing is rounded
	draw.Draw(straight, straight.Rect, img, image.Point{}, draw.Src)
	return straight
}

func encode(t testing.TB, img *image.NRGBA) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func equal(t *testing.T, got, want *image.NRGBA) {
	t.Helper()
	if got.Rect.Size() != want.Rect.Size() {
		t.Fatalf("the picture has %v pixels, want %v", got.Rect.Size(), want.Rect.Size())
	}
	for y := range want.Rect.Dy() {
		if !bytes.Equal(pixels(got, y), pixels(want, y)) {
			t.Fatalf("row %d differs", y)
		}
	}
}

func TestEncode(t *testing.T) {
	for name, p := range pictures() {
		t.Run(name, func(t *testing.T) {
			if c := colorOf(p.img); c != p.color {
				t.Errorf("stored as %v, want %v", c, p.color)
			}
			file := encode(t, p.img)
			checkChunks(t, file, p.img.Rect.Size(), p.color)
			equal(t, decode(t, file), p.img)
		})
	}
}

// TestColorOf changes single pixels of a gray picture one after another, and checks which Color colorOf returns.
func TestColorOf(t *testing.T) {
	for width := 1; width <= 20; width++ {
		img := paint(width, 2, func(x, y int) color.NRGBA { return opaque(7, 7, 7) })
		for i := range 2 * width {
			for pixel, want := range map[color.NRGBA]Color{
				{7, 7, 7, 255}: Gray, {9, 9, 9, 255}: Gray,
				{6, 7, 7, 255}: RGB, {7, 135, 7, 255}: RGB, {7, 7, 6, 255}: RGB,
				{7, 7, 7, 254}: RGBA, {7, 7, 7, 127}: RGBA, {7, 7, 8, 0}: RGBA,
			} {
				img.SetNRGBA(i%width, i/width, pixel)
				if got := colorOf(img); got != want {
					t.Fatalf("with %v as pixel %d, a gray picture %d wide is stored as %v, want %v", pixel, i, width, got, want)
				}
			}
			img.SetNRGBA(i%width, i/width, opaque(7, 7, 7))
		}
	}
}

func TestEncodeEmpty(t *testing.T) {
	for _, size := range []image.Point{{0, 0}, {5, 0}, {0, 5}} {
		var b bytes.Buffer
		if err := Encode(&b, image.NewNRGBA(image.Rectangle{Max: size})); err == nil || b.Len() > 0 {
			t.Errorf("a picture of %v pixels gives %d bytes and error %v", size, b.Len(), err)
		}
	}
}

// TestEncoderColor encodes a gray picture with every Color, and checks that the file has this Color and the same
// pixels. It also encodes a transparent picture without alpha, which must become opaque.
func TestEncoderColor(t *testing.T) {
	gray := pictures()["gray noise"].img
	for _, c := range []Color{RGBA, RGB, Gray} {
		var b bytes.Buffer
		if err := NewEncoder(&b, gray, Options{Color: c}).Close(); err != nil {
			t.Fatal(err)
		}
		if got := b.Bytes()[25]; got != c.code() {
			t.Errorf("the color type is %d, want %d", got, c.code())
		}
		equal(t, decode(t, b.Bytes()), gray)
	}

	img := noise(12, 50, 40)
	var b bytes.Buffer
	if err := NewEncoder(&b, img, Options{Color: RGB}).Close(); err != nil {
		t.Fatal(err)
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	equal(t, decode(t, b.Bytes()), img)
}

// TestEncoderWorkers checks that the file is the same for any number of workers. A negative number must be an
// error.
func TestEncoderWorkers(t *testing.T) {
	img := noise(23, 300, 1500)
	want := encode(t, img)
	for workers, ok := range map[int]bool{math.MinInt: false, -1: false, 0: true, 1000: true, math.MaxInt: true} {
		synctest.Test(t, func(t *testing.T) {
			var b bytes.Buffer
			err := NewEncoder(&b, img, Options{Workers: workers}).Close()
			switch {
			case ok && (err != nil || !bytes.Equal(b.Bytes(), want)):
				t.Errorf("%d workers write another file than Encode, or fail: %v", workers, err)
			case !ok && (err == nil || b.Len() > 0):
				t.Errorf("%d workers write %d bytes and Close returns %v, want an error", workers, b.Len(), err)
			}
		})
	}
}

func TestEncoderUnknownColor(t *testing.T) {
	var b bytes.Buffer
	if err := NewEncoder(&b, noise(24, 3, 4), Options{Color: Gray + 1}).Close(); err == nil || b.Len() > 0 {
		t.Errorf("Close returns %v after %d bytes, want an error alone", err, b.Len())
	}
}

// checkChunks checks the chunks of a PNG file with a second parser.
func checkChunks(t *testing.T, file []byte, size image.Point, color Color) {
	t.Helper()
	data, ok := bytes.CutPrefix(file, []byte("\x89PNG\r\n\x1a\n"))
	if !ok {
		t.Error("the file does not start as a PNG")
	}
	var kinds []string
	content := map[string][]byte{}
	for len(data) > 0 {
		n := binary.BigEndian.Uint32(data)
		kind, body := string(data[4:8]), data[8:8+n]
		if got, want := binary.BigEndian.Uint32(data[8+n:]), crc32.ChecksumIEEE(data[4:8+n]); got != want {
			t.Errorf("the CRC of %s is %08x, want %08x", kind, got, want)
		}
		kinds = append(kinds, kind)
		content[kind] = body
		data = data[12+n:]
	}
	if want := []string{"IHDR", "sRGB", "gAMA", "IDAT", "IEND"}; !slices.Equal(slices.Compact(kinds), want) {
		t.Errorf("the chunks are %q, want %q", slices.Compact(kinds), want)
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	header = binary.BigEndian.AppendUint32(header, uint32(size.Y))
	header = append(header, 8, color.code(), 0, 0, 0)
	for kind, want := range map[string][]byte{"IHDR": header, "sRGB": {0}, "gAMA": {0, 0, 0xb1, 0x8f}, "IEND": {}} {
		if !bytes.Equal(content[kind], want) {
			t.Errorf("%s holds %v, want %v", kind, content[kind], want)
		}
	}
}

// TestWorkersAndTimingChangeNothing paints pictures row by row and calls Rows at random times. The files must equal
// those of complete pictures.
func TestWorkersAndTimingChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 0))
	all := pictures()
	for _, name := range []string{"noise", "holes", "gray ramp", "diagonal", "wide", "1x200000", "tiny", "1x1"} {
		p := all[name]
		want := encode(t, p.img)
		height := p.img.Rect.Dy()
		for _, workers := range []int{1, 3} {
			img := image.NewNRGBA(image.Rectangle{Max: p.img.Rect.Size()})
			var b bytes.Buffer
			e := NewEncoder(&b, img, Options{Color: p.color, Workers: workers})
			for from := 0; from < height; {
				to := min(height, from+1+r.IntN(max(1, height/4)))
				for y := from; y < to; y++ {
					copy(pixels(img, y), pixels(p.img, y))
				}
				e.Rows(to)
				e.Rows(r.IntN(to + 1)) // no effect
				from = to
			}
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%s: %d workers write another file than Encode", name, workers)
			}
		}
	}
}

// TestScratchSpaceChangesNothing checks that a compressor that has been used before gives the same bytes as a new
// one.
func TestScratchSpaceChangesNothing(t *testing.T) {
	busy, calm := balls(14, 640, 200, 900), vertical(640, 200)
	for _, img := range []*image.NRGBA{busy, calm} {
		want := newCompressor(img, RGB).compress(50, 150)
		c := newCompressor(img, RGB)
		c.compress(150, 200)
		c.compress(0, 120)
		if got := c.compress(50, 150); !bytes.Equal(got.data, want.data) || got.sum != want.sum {
			t.Error("a compressor remembers what it did before")
		}
	}
}

// failing is an [io.Writer] that returns an error after n bytes.
type failing struct{ n int }

var errFull = errors.New("no more")

func (f *failing) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return max(0, f.n+len(p)), errFull
	}
	return len(p), nil
}

// TestWriterError checks that errors of the [io.Writer] are returned, and that no goroutine remains: synctest.Test
// fails if one does.
func TestWriterError(t *testing.T) {
	img := noise(15, 300, 1000)
	size := len(encode(t, img))
	for _, n := range []int{0, size / 2, size - 1} {
		synctest.Test(t, func(t *testing.T) {
			e := NewEncoder(&failing{n}, img, Options{Workers: 3})
			if err := e.Close(); err != errFull {
				t.Errorf("after %d bytes: %v, want %v", n, err, errFull)
			}
			e.Stop()
			if err := e.Close(); err != errFull {
				t.Errorf("once more: %v, want %v", err, errFull)
			}
		})
	}
}

func TestStop(t *testing.T) {
	img := noise(16, 300, 1500)
	for _, rows := range []int{0, 1, 1000, 1499} {
		synctest.Test(t, func(t *testing.T) {
			var b bytes.Buffer
			e := NewEncoder(&b, img, Options{Workers: 3})
			e.Rows(rows)
			e.Stop()
			written := b.Len()
			e.Rows(1500)
			synctest.Wait()
			if err := e.Close(); err != errStopped || b.Len() != written {
				t.Errorf("after %d rows: Close returns %v and %d bytes are written after Stop", rows, err, b.Len()-written)
			}
		})
	}
}

func TestStopAfterClose(t *testing.T) {
	e := NewEncoder(io.Discard, noise(17, 30, 30), Options{})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e.Stop()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// stalled is an [io.Writer] that blocks until it is released.
type stalled struct {
	open    chan struct{}
	written int
}

func (s *stalled) Write(p []byte) (int, error) {
	<-s.open
	s.written += len(p)
	return len(p), nil
}

// TestBandsAhead checks that compression stops while a write blocks, so that memory is bounded.
func TestBandsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		img := noise(18, 50, 16000)
		w := &stalled{open: make(chan struct{})}
		e := NewEncoder(w, img, Options{Workers: 2})
		e.Rows(img.Rect.Dy())
		synctest.Wait()
		if e.taken > e.ahead {
			t.Errorf("%d of %d bands are compressed before any is written", e.taken, e.bands)
		}
		close(w.open)
		if err := e.Close(); err != nil || e.taken != e.bands {
			t.Errorf("%v, %d bands of %d", err, e.taken, e.bands)
		}
	})
}

// TestSize checks that the file of a painted picture is at most 1.5 times as large as that of image/png, apart
// from flat areas. The encoder uses deflate with fixed tables, which needs 13 bits for 258 equal bytes, so the
// test adds this size for the whole picture.
func TestSize(t *testing.T) {
	width, height := effort.Of(640, 1280, 1280), effort.Of(360, 720, 720)
	images := map[string]func() *image.NRGBA{
		"few balls":  func() *image.NRGBA { return balls(18, width, height, 10) },
		"many balls": func() *image.NRGBA { return balls(19, width, height, 300) },
		"dust":       func() *image.NRGBA { return balls(20, 640, 360, effort.Of(1000, 10000, 10000)) },
		"horizontal": func() *image.NRGBA { return horizontal(width, height) },
		"vertical":   func() *image.NRGBA { return vertical(width, height) },
		"diagonal":   func() *image.NRGBA { return diagonal(width, height) },
		"bilinear":   func() *image.NRGBA { return bilinear(width, height) },
		"radial":     func() *image.NRGBA { return radial(width, height) },
		"noise":      func() *image.NRGBA { return noise(21, 300, 200) },
		"small":      func() *image.NRGBA { return balls(22, 64, 64, 5) },
	}
	for _, name := range effort.Some(t, 4, slices.Sorted(maps.Keys(images))) {
		img := images[name]()
		got, other := len(encode(t, img)), sizeOfStandard(t, img)
		flat := img.Rect.Dx() * img.Rect.Dy() * colorOf(img).bytes() * 13 / 8 / 258
		t.Logf("%s: %d bytes, image/png %d", name, got, other)
		if most := other*3/2 + flat; got > most {
			t.Errorf("%s takes %d bytes, want at most %d", name, got, most)
		}
	}
}

// TestSizeOfRenders checks the sizes of the files of reference images. Together, they may be at most 1.25 times as
// large as those of image/png, and each at most 1.5 times.
func TestSizeOfRenders(t *testing.T) {
	files, err := filepath.Glob("../golden/*.png")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d reference images, %v", len(files), err)
	}
	sum, others := 0, 0
	for _, name := range effort.Some(t, 5, files) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		img := decode(t, data)
		got, other := len(encode(t, img)), sizeOfStandard(t, img)
		t.Logf("%s: %d bytes, image/png %d, ratio %.2f", filepath.Base(name), got, other, float64(got)/float64(other))
		if 2*got > 3*other {
			t.Errorf("%s takes %d bytes, want at most %d", name, got, other*3/2)
		}
		sum += got
		others += other
	}
	t.Logf("all: %d bytes, image/png %d, ratio %.2f", sum, others, float64(sum)/float64(others))
	if 4*sum > 5*others {
		t.Errorf("all take %d bytes, want at most %d", sum, others*5/4)
	}
}

// sizeOfStandard returns the size of the file that image/png writes for img.
func sizeOfStandard(t *testing.T, img *image.NRGBA) int {
	t.Helper()
	var n counter
	if err := png.Encode(&n, img); err != nil {
		t.Fatal(err)
	}
	return int(n)
}

func FuzzEncode(f *testing.F) {
	f.Add(uint8(3), uint8(0), []byte("some pixels, some pixels, some pixels"))
	f.Add(uint8(1), uint8(1), []byte{0})
	f.Add(uint8(200), uint8(2), bytes.Repeat([]byte{1, 2, 3}, 999))
	f.Fuzz(func(t *testing.T, width, kind uint8, data []byte) {
		n := int(width) + 1
		height := (len(data) + 4*n - 1) / (4 * n)
		if height == 0 {
			return
		}
		img := image.NewNRGBA(image.Rect(0, 0, n, height))
		copy(img.Pix, data)
		for i := 0; i < len(img.Pix); i += 4 {
			if kind%3 > 0 {
				img.Pix[i+3] = 255
			}
			if kind%3 > 1 {
				img.Pix[i+1], img.Pix[i+2] = img.Pix[i], img.Pix[i]
			}
		}
		file := encode(t, img)
		equal(t, decode(t, file), img)
		var b bytes.Buffer
		if err := NewEncoder(&b, img, Options{Color: colorOf(img), Workers: 3}).Close(); err != nil || !bytes.Equal(b.Bytes(), file) {
			t.Errorf("three workers write another file, or fail: %v", err)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	for _, p := range []struct {
		name string
		img  *image.NRGBA
	}{
		{"few-balls", balls(18, 1920, 1080, 10)},
		{"many-balls", balls(19, 1920, 1080, 1000)},
		{"dust", balls(20, 1920, 1080, 3000)},
		{"gradient", diagonal(1920, 1080)},
	} {
		for _, w := range []struct {
			name   string
			encode func(io.Writer, *image.NRGBA) error
		}{
			{"pngfile", Encode},
			{"image-png", func(w io.Writer, img *image.NRGBA) error { return png.Encode(w, img) }},
		} {
			b.Run(fmt.Sprintf("picture=%s/writer=%s", p.name, w.name), func(b *testing.B) {
				var file bytes.Buffer
				b.SetBytes(int64(len(p.img.Pix)))
				for b.Loop() {
					file.Reset()
					if err := w.encode(&file, p.img); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(file.Len()), "bytes/file")
			})
		}
	}
}
