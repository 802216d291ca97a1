package main

import (
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"
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

// writeTriple writes a.png, b.png with two changed pixels, and c.png of another size.
func writeTriple(t *testing.T) {
	t.Helper()
	inFolder(t, nil)
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
		{"diff a.png a.png", "no pixel differs\n", statusDone},
		{"diff a.png b.png", "2 pixels of 200 changed in 2 clusters, largest channel difference 200 at (3, 4), first at (3, 4)\n", statusDifferent},
		{"diff a.png c.png", "size 21 x 10, want 20 x 10\n", statusDifferent},
	} {
		got := invocation{}.run(strings.Fields(test.args)...)
		if got.status != test.status || !strings.HasPrefix(got.stdout, test.stdout) || got.stderr != "" {
			t.Errorf("render %s: %+v, want %d and %q", test.args, got, test.status, test.stdout)
		}
	}
	if got := (invocation{}).run("diff", "a.png", "b.png").stdout; !strings.Contains(got, "visibility (FLIP") {
		t.Errorf("got %q, want how visible the change is", got)
	}
	wantFiles(t, "a.png", "b.png", "c.png")
}

func TestDiffJSON(t *testing.T) {
	writeTriple(t)
	for got, want := range map[string]string{
		"a.png": `{"equal":true,"want":[20,10],"got":[20,10],"changed":0,"first":null,"max":0,"max_at":null,"mean":0,"flip":{"mean":0,"p99":0},"clusters":[]}`,
		"b.png": `{"equal":false,"want":[20,10],"got":[20,10],"changed":2,"first":[3,4],"max":200,"max_at":[3,4],"mean":0.375,"flip":FLIP,"clusters":[` +
			`{"bounds":[3,4,4,5],"pixels":1,"max":200,"max_at":[3,4]},{"bounds":[15,7,16,8],"pixels":1,"max":100,"max_at":[15,7]}]}`,
		"c.png": `{"equal":false,"want":[20,10],"got":[21,10],"changed":0,"first":null,"max":0,"max_at":null,"mean":0,"flip":null,"clusters":[]}`,
	} {
		line := invocation{}.run("diff", "a.png", got, "--json").stdout
		var record diffRecord
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

func TestDiffPicture(t *testing.T) {
	writeTriple(t)
	for _, name := range []string{"a.png", "b.png", "c.png"} {
		invocation{}.run("diff", "a.png", name, "-o", "diff.png")
		if size := decode(t, "diff.png").Rect.Size(); size.X < 60 || size.Y < 10 {
			t.Errorf("the difference to %s is drawn on %v pixels", name, size)
		}
		if err := os.Remove("diff.png"); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]int{
		"diff a.png b.png -o -":             statusWrong,
		"diff a.png b.png -o x.gif":         statusWrong,
		"diff a.png b.png -o a.png":         statusWrong,
		"diff a.png b.png -o missing/x.png": statusFile,
	} {
		if got := (invocation{}).run(strings.Fields(args)...); got.status != want || got.stdout != "" {
			t.Errorf("render %s: %+v, want exit status %d", args, got, want)
		}
	}
	wantFiles(t, "a.png", "b.png", "c.png")
}
