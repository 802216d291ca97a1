package main

import (
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	"pillbox/cmd/render/diff"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/osfile"
)

func writePNG(t *testing.T, name string, img image.Image) {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, img); err != nil {
		t.Fatal(err)
	}
}

// writeTriple writes three images. b.png differs from a.png in two pixels, and c.png has another size.
func writeTriple(t *testing.T) {
	t.Helper()
	programtest.InFolder(t, nil)
	img := image.NewNRGBA(image.Rect(0, 0, 20, 10))
	writePNG(t, "a.png", img)
	img.SetNRGBA(3, 4, color.NRGBA{0, 0, 0, 200})
	img.SetNRGBA(15, 7, color.NRGBA{100, 0, 0, 0})
	writePNG(t, "b.png", img)
	writePNG(t, "c.png", image.NewNRGBA(image.Rect(0, 0, 21, 10)))
}

func TestDiff(t *testing.T) {
	writeTriple(t)
	for _, test := range []struct {
		args, stdout string
		status       int
	}{
		{"diff a.png a.png", "no pixel differs\n", cli.StatusDone},
		{"diff a.png b.png", "2 pixels of 200 changed in 2 clusters, largest channel difference 200 at (3, 4), first at (3, 4)\n", cli.StatusDifferent},
		{"diff a.png c.png", "size 21 x 10, want 20 x 10\n", cli.StatusDifferent},
	} {
		got := programtest.Invocation{}.Run(strings.Fields(test.args)...)
		if got.Status != test.status || !strings.HasPrefix(got.Stdout, test.stdout) || got.Stderr != "" {
			t.Errorf("render %s: %+v, want %d and %q", test.args, got, test.status, test.stdout)
		}
	}
	if got := (programtest.Invocation{}).Run("diff", "a.png", "b.png").Stdout; !strings.Contains(got, "visibility (FLIP") {
		t.Errorf("got %q, want how visible the change is", got)
	}
	programtest.WantFiles(t, "a.png", "b.png", "c.png")
}

func TestDiffJSON(t *testing.T) {
	writeTriple(t)
	for got, want := range map[string]string{
		"a.png": `{"equal":true,"want":[20,10],"got":[20,10],"changed":0,"first":null,"max":0,"max_at":null,"mean":0,"flip":{"mean":0,"p99":0,"max":0},"clusters":[],"more_clusters":0}`,
		"b.png": `{"equal":false,"want":[20,10],"got":[20,10],"changed":2,"first":[3,4],"max":200,"max_at":[3,4],"mean":0.375,"flip":FLIP,"clusters":[` +
			`{"bounds":[3,4,4,5],"pixels":1,"max":200,"max_at":[3,4]},{"bounds":[15,7,16,8],"pixels":1,"max":100,"max_at":[15,7]}],"more_clusters":0}`,
		"c.png": `{"equal":false,"want":[20,10],"got":[21,10],"changed":0,"first":null,"max":0,"max_at":null,"mean":0,"flip":null,"clusters":[],"more_clusters":0}`,
	} {
		line := programtest.Invocation{}.Run("diff", "a.png", got, "--json").Stdout
		var record diff.Record
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if record.FLIP != nil {
			flip, err := json.Marshal(record.FLIP)
			if err != nil {
				t.Fatal(err)
			}
			want = strings.Replace(want, "FLIP", string(flip), 1)
		}
		if line != want+"\n" {
			t.Errorf("diff a.png %s prints\n%swant\n%s", got, line, want)
		}
	}
}

// TestDiffFLIP checks the picture that --flip writes, which must be brighter where the images differ. If the flags
// or the images do not allow this picture, the message must state the reason.
func TestDiffFLIP(t *testing.T) {
	writeTriple(t)
	got := programtest.Invocation{}.Run("diff", "a.png", "b.png", "--flip", "f.png", "-o", "d.png")
	if got.Status != cli.StatusDifferent || !strings.Contains(got.Stdout, ", maximum ") {
		t.Errorf("got %+v", got)
	}
	img := decode(t, "f.png")
	if at, far := img.NRGBAAt(3, 4).R, img.NRGBAAt(0, 9).R; img.Rect.Size() != image.Pt(20, 10) || at <= far {
		t.Errorf("the map is %v, %d at a difference and %d elsewhere", img.Rect, at, far)
	}
	removeFile(t, "f.png")
	for args, want := range map[string]string{
		"diff a.png c.png --flip f.png":              "--flip needs images of one size, got size 21 x 10, want 20 x 10",
		"diff a.png b.png --flip f.png -o ./f.png":   "-o and --flip would share the file f.png",
		"diff a.png b.png --flip -":                  "standard output is for the verdict; give --flip a file",
		"diff a.png b.png --flip a.png":              "output a.png would replace the input",
		"diff a.png b.png --flip f.pgm -o other.png": "output must end in",
	} {
		got := programtest.Invocation{}.Run(strings.Fields(args)...)
		if got.Status != cli.StatusWrong || !strings.Contains(got.Stderr, want) || osfile.Exists("f.png") {
			t.Errorf("render %s: %+v, want %q", args, got, want)
		}
	}
}

// TestDiffJSONCutsClusters checks that the list of clusters in the JSON is cut off after a fixed number, even for
// noise.
func TestDiffJSONCutsClusters(t *testing.T) {
	programtest.InFolder(t, nil)
	a, b := image.NewNRGBA(image.Rect(0, 0, 60, 8)), image.NewNRGBA(image.Rect(0, 0, 60, 8))
	for x := 0; x < 60; x += 2 {
		for y := 0; y < 8; y += 2 {
			b.SetNRGBA(x, y, color.NRGBA{A: 0xff})
		}
	}
	writePNG(t, "a.png", a)
	writePNG(t, "b.png", b)
	var record diff.Record
	if err := json.Unmarshal([]byte(programtest.Invocation{}.Run("diff", "a.png", "b.png", "--json").Stdout), &record); err != nil {
		t.Fatal(err)
	}
	if len(record.Clusters) != 50 || record.More != 120-50 {
		t.Errorf("%d clusters and %d more, want %d and %d", len(record.Clusters), record.More, 50, 120-50)
	}
}

func TestDiffPicture(t *testing.T) {
	writeTriple(t)
	for _, name := range []string{"a.png", "b.png", "c.png"} {
		programtest.Invocation{}.Run("diff", "a.png", name, "-o", "diff.png")
		if size := decode(t, "diff.png").Rect.Size(); size.X < 60 || size.Y < 10 {
			t.Errorf("the difference to %s is drawn on %v pixels", name, size)
		}
		if err := os.Remove("diff.png"); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]int{
		"diff a.png b.png -o -":           cli.StatusWrong,
		"diff a.png b.png -o x.gif":       cli.StatusWrong,
		"diff a.png b.png -o a.png":       cli.StatusWrong,
		"diff a.png b.png -o a.png/x.png": cli.StatusFile,
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...); got.Status != want || got.Stdout != "" {
			t.Errorf("render %s: %+v, want exit status %d", args, got, want)
		}
	}
	programtest.WantFiles(t, "a.png", "b.png", "c.png")
}
