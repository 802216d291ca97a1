package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/tools/peers"
	"pillbox/shade"
)

// TestEverybodyRendersTheSame runs the program with small pictures and all installed ray tracers. Their pictures
// must agree. It builds the program and other ray tracers, so it needs -effort all.
func TestEverybodyRendersTheSame(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("needs -effort all: it builds programs")
	}
	t.Chdir("../../../..")
	o := options{solids: []int{30, 400}, rodCounts: []int{200}, softCounts: []int{60}, insideCounts: []int{60}, scenes: few(t), rounds: 1, repeat: 1, threads: 2, cache: t.TempDir(), size: image.Pt(320, 180)}
	var out strings.Builder
	if err := run(t.Context(), o, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"|     30 |", "|    400 |", "no |", "yes |", "bulk |", "sphereflake-1 |", "round linear curve |", "user geometry |", "prism, 62 quads |", "soft shadows |", "occlusion |", "ghosts, one hull |", "one section |", "fog |", "cylinders / capsules |", "## 2 threads against one", " ms.\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, &out)
		}
	}
}

func TestRunFailsWithoutProject(t *testing.T) {
	t.Chdir(t.TempDir())
	o := options{solids: []int{30}, rounds: 1, repeat: 1, threads: 1, cache: ".", size: image.Pt(8, 8)}
	if err := run(t.Context(), o, io.Discard); err == nil {
		t.Error("there is no program to build, want an error")
	}
}

func TestRunInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	t.Chdir("../../../..")
	o := options{solids: []int{30}, rounds: 1, repeat: 1, threads: 1, cache: t.TempDir(), size: image.Pt(8, 8)}
	if err := run(ctx, o, io.Discard); err == nil || err.Error() != "interrupted" {
		t.Errorf("run = %v, want interrupted", err)
	}
}

func TestParseOptions(t *testing.T) {
	for _, test := range []struct {
		args string
		want []int // nil: an error
	}{
		{"", []int{30, 1000, 100_000, 1_000_000}},
		{"-rods 1000,9", []int{30, 1000, 100_000, 1_000_000}},
		{"-solids 30", []int{30}},
		{"-solids 1000,30,1000 -rounds 1 -repeat 2 -threads 3 -cache x", []int{30, 1000}},
		{"-solids 2", nil}, {"-solids 30,", nil}, {"-solids x", nil}, {"-rods 2", nil}, {"-rounds 0", nil}, {"-repeat -1", nil}, {"-threads 0", nil},
		{"more", nil}, {"-bogus", nil},
	} {
		o, err := parseOptions(strings.Fields(test.args), io.Discard)
		if (err != nil) != (test.want == nil) || err == nil && !slices.Equal(o.solids, test.want) {
			t.Errorf("%q gives %v, %v, want %v", test.args, o.solids, err, test.want)
		}
	}
}

// TestLibraryWritesOnce requests every file twice, and changes it in between. The second request must not write it
// again.
func TestLibraryWritesOnce(t *testing.T) {
	l, err := newLibrary(t.TempDir(), image.Pt(64, 48))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{peers.SpheresFile, peers.CapsulesFile, peers.BoxesFile, peers.CylindersFile}
	for _, f := range []form{tomlForm(unshadowed), tomlForm(shadowed), bulkForm(shadowed), bulkForm(unshadowed), embreeForm, povrayForm, tachyonForm} {
		name, err := l.file(l.mixed(12), f)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, filepath.Base(name))
		if err := os.WriteFile(name, []byte("kept"), 0o666); err != nil {
			t.Fatal(err)
		}
		again, err := l.file(l.mixed(12), f)
		if data, _ := os.ReadFile(name); err != nil || again != name || string(data) != "kept" {
			t.Errorf("%s was written again: %q, %v", name, data, err)
		}
	}
	var got []string
	entries, err := os.ReadDir(filepath.Join(l.dir, "12"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

func TestLibraryKeepsScenesApart(t *testing.T) {
	l, err := newLibrary(t.TempDir(), image.Pt(64, 48))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{12, 30, 12} {
		name, err := l.file(l.mixed(n), embreeForm)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if got := bytes.Count(data, []byte("\n")) - 4; err != nil || got != n {
			t.Errorf("the scene of %d solids has %d, %v", n, got, err)
		}
	}
	other, err := newLibrary(filepath.Dir(l.dir), image.Pt(64, 49))
	if err != nil || other.dir == l.dir {
		t.Errorf("pictures of another size share the folder: %v", err)
	}
}

// checker returns a picture with a black background, in which the given number of pixels, at the end, show solids.
func checker(solids int) *picture {
	p := &picture{width: 100, height: 100, pixels: make([][3]uint8, 10_000)}
	for i := range solids {
		p.pixels[len(p.pixels)-1-i] = [3]uint8{100, 120, 140}
	}
	return p
}

func TestAgree(t *testing.T) {
	const solids, colors = 4000, 0.03
	for name, test := range map[string]struct {
		change func(*picture)
		want   bool
	}{
		"equal": {func(*picture) {}, true},
		"a little off": {func(p *picture) {
			for i := range solids {
				p.pixels[9999-i] = [3]uint8{100 + closeChannel, 120 - closeChannel, 140}
			}
		}, true},
		"few pixels": {func(p *picture) {
			for i := range int(colors * solids) {
				p.pixels[9000-i][1] = 20
			}
		}, true},
		"many pixels": {func(p *picture) {
			for i := range int(colors*solids) + 1 {
				p.pixels[9000-i][2] = 20
			}
		}, false},
		"few solids": {func(p *picture) { *p = *checker(solids + closeHits*solids) }, true},
		"more":       {func(p *picture) { *p = *checker(solids + closeHits*solids + 1) }, false},
		"fewer":      {func(p *picture) { *p = *checker(solids - closeHits*solids - 1) }, false},
		"other size": {func(p *picture) { p.width, p.height = 200, 50 }, false},
	} {
		other := checker(solids)
		test.change(other)
		if words, err := agree(checker(solids), other, colors); (err == nil) != test.want {
			t.Errorf("%s: %q, %v", name, words, err)
		}
	}
}

// TestDecodePictures encodes a picture as the other programs do: as PPM like Embree's renderer, as TGA like Tachyon, and
// as PNG like POV-Ray. The decoders must return the picture in sRGB, and all decoders must reject invalid files.
func TestDecodePictures(t *testing.T) {
	want := &picture{width: 2, height: 3}
	var ppm, tga bytes.Buffer
	ppm.WriteString("P6\n2 3\n255\n")
	binary.Write(&tga, binary.LittleEndian, [18]byte{2: 2, 12: 2, 14: 3, 16: 24, 17: 0x20})
	img := image.NewNRGBA(image.Rect(0, 0, 2, 3))
	for i := range 6 {
		c := [3]uint8{uint8(40 * i), uint8(255 - i), uint8(i * i)}
		want.pixels = append(want.pixels, [3]uint8{})
		for k := range c {
			v := float64(c[k]) / 255
			want.pixels[i][k] = shade.EncodeSRGB8(v * v)
		}
		ppm.Write(c[:])
		tga.Write([]byte{c[2], c[1], c[0]})
		copy(img.Pix[4*i:], append(c[:], 255))
	}
	if got, err := decodePPM(&ppm); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("PPM gives %v, %v, want %v", got, err, want)
	}
	for i := range want.pixels {
		for k, v := range img.Pix[4*i : 4*i+3] {
			want.pixels[i][k] = shade.EncodeSRGB8(float64(v) / 255)
		}
	}
	if got, err := decodeTGA(&tga); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("TGA gives %v, %v, want %v", got, err, want)
	}
	for i := range want.pixels {
		want.pixels[i] = [3]uint8(img.Pix[4*i:])
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, img); err != nil {
		t.Fatal(err)
	}
	if got, err := decodePNG(&encoded); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("PNG gives %v, %v, want %v", got, err, want)
	}
	for _, decode := range []func(io.Reader) (*picture, error){decodePPM, decodeTGA, decodePNG} {
		for _, text := range []string{"", "P6\n2 3\n255\nxx", "P6\n2 3\n65535\n", strings.Repeat("x", 30)} {
			if p, err := decode(strings.NewReader(text)); err == nil {
				t.Errorf("%q gives %v, want an error", text, p)
			}
		}
	}
}

func TestStatistics(t *testing.T) {
	a, b := []float64{2, 9, 4}, []float64{1, 3, 8}
	if got := ratios(a, b); !slices.Equal(got, []float64{2, 3, 0.5}) {
		t.Errorf("ratios = %v", got)
	}
	if got := ratios(a, nil); got != nil {
		t.Errorf("ratios to nothing = %v", got)
	}
	if got := faster(a, b); !slices.Equal(got, []float64{1, 3, 4}) {
		t.Errorf("faster = %v", got)
	}
	if x, y := faster(a, nil), faster(nil, b); !slices.Equal(x, a) || !slices.Equal(y, b) {
		t.Errorf("faster than nothing = %v, %v", x, y)
	}
	if x, y := median(a), median([]float64{4, 1, 2, 9}); x != 4 || y != 3 {
		t.Errorf("median = %v, %v, want 4, 3", x, y)
	}
	if !slices.Equal(a, []float64{2, 9, 4}) {
		t.Errorf("median reorders to %v", a)
	}
	for n, want := range map[int]string{3: "3", 999: "999", 1000: "1,000", 100_000: "100,000", 1_000_000: "1,000,000"} {
		if got := count(n); got != want {
			t.Errorf("count(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestReport(t *testing.T) {
	b := &bench{options: options{solids: []int{1000, 100_000}, rounds: 3, threads: 2}, log: records{}}
	b.rodCounts = []int{1000}
	for round := range 3 {
		x := float64(round)
		for _, shadows := range []bool{false, true} {
			for i, program := range []string{ours, "Embree, user geometry", "Embree, prism, 62 quads"} {
				b.log.addValue(record{what: perPixel, program: program, solids: 1000, shadows: shadows, scene: "cylinder"}, 20*(1+float64(i)*x))
			}
			for i, program := range []string{ours, "Embree, round linear curve"} {
				b.log.addValue(record{what: perPixel, program: program, solids: 1000, shadows: shadows, scene: "capsule"}, 10*float64(1+9*i))
			}
		}
		b.log.addValue(record{what: processTime, program: ours, solids: fewSolids, shadows: false}, 0.005)
		for i, n := range b.solids {
			for _, shadows := range []bool{false, true} {
				b.keep(ours, n, shadows, report{PerPixel: 50 * float64(1+i), Best: 0.1, Build: 0.01, Heap: int64(300 * n)})
				b.keep(embree, n, shadows, report{PerPixel: (100 + 50*x) * float64(1+2*i), Best: 0.2, Build: 0.02, Heap: int64(400 * n)})
			}
			b.log.addValue(record{what: renderAlone, program: ours, solids: n, shadows: true}, 0.19)
			b.log.addValue(record{what: tablesToFile, program: ours, solids: n, shadows: true}, 0.5)
			b.log.addValue(record{what: bulkToFile, program: ours, solids: n, shadows: true}, 0.25)
			b.log.addValue(record{what: tablesToFile, program: povray, solids: n, shadows: true}, 2+x)
			b.log.addValue(record{what: tablesToFile, program: tachyon, solids: n, shadows: true}, 4-x)
		}
	}
	var out strings.Builder
	if err := b.print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"|   1,000 |      no |  150.0 |    50.0 | 3.00 (2.00 to 4.00) |",
		"| 100,000 |     yes |  450.0 |   100.0 | 4.50 (3.00 to 6.00) |",
		"|   1,000 |      20.00 |       10.00 | 2.00 (2.00 to 2.00) |                   400 |                    300 |",
		"|   1,000 |          190.0 |         100.0 | 1.90 (1.90 to 1.90) |",
		"| 1,000 to 100,000 |      no | 3.00 (3.00 to 3.00) | 2.00 (2.00 to 2.00) |",
		"|   1,000 | tables |    3.00 |    3.00 |   0.500 |  4.00 (4.00 to 6.00) |   6.00 (4.00 to 8.00) |",
		"|   1,000 |   bulk |    3.00 |    3.00 |   0.250 | 8.00 (8.00 to 12.00) | 12.00 (8.00 to 16.00) |",
		"|  1,000 |      no |  capsule | round linear curve |  100.0 |    10.0 | 10.00 (10.00 to 10.00) |",
		"|  1,000 |     yes | cylinder |      user geometry |   40.0 |    20.0 |    2.00 (1.00 to 3.00) |",
		"|  1,000 |     yes | cylinder |    prism, 62 quads |   60.0 |    20.0 |    3.00 (1.00 to 5.00) |",
		"|  1,000 |      no |     10.0 |      20.0 |  2.00 (2.00 to 2.00) |",
		"takes 5.0 (5.0 to 5.0) ms.",
	} {
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("the report lacks\n%s\n%s", want, &out)
		}
	}
	if got := strings.Count(out.String(), embreeNote); got != 2 {
		t.Errorf("%d notes on Embree's boxes, want 2", got)
	}
	const warning = "busy at the start"
	if strings.Contains(out.String(), warning) {
		t.Errorf("the report warns without reason:\n%s", &out)
	}
	b.busy = 2
	if err := b.print(&out); err != nil || !strings.Contains(out.String(), warning) {
		t.Errorf("the report does not tell that the machine was busy: %v\n%s", err, &out)
	}
}

// TestReportWithoutPeers checks that tables are printed if no other ray tracer is installed.
func TestReportWithoutPeers(t *testing.T) {
	b := &bench{options: options{solids: []int{1000}, rounds: 1, threads: 1}, log: records{}}
	b.keep(ours, 1000, false, report{PerPixel: 50, Best: 0.1, Build: 0.01, Heap: 300_000})
	b.keep(ours, 1000, true, report{PerPixel: 50, Best: 0.1, Build: 0.01, Heap: 300_000})
	var out strings.Builder
	if err := b.print(&out); err != nil {
		t.Fatal(err)
	}
	if want := "|  1,000 |      no |      - |    50.0 |                - |\n"; !strings.Contains(out.String(), want) {
		t.Errorf("the report lacks\n%s\n%s", want, &out)
	}
}

func few(t *testing.T) []named {
	list, err := parseScenes("sphereflake-1")
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list
}

func TestParseScenes(t *testing.T) {
	list, err := parseScenes("rings,lattice")
	if err != nil || len(list) != 2 || list[0].name != "rings" {
		t.Errorf("parseScenes = %v, %v", list, err)
	}
	if _, err := parseScenes("bogus"); err == nil {
		t.Error("want an error")
	}
}
