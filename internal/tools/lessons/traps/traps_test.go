package main

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"pillbox"
	"pillbox/golden"
	"pillbox/internal/play/broken"
)

// TestTracerWithoutFaults checks that the tracer's pictures without a fault equal those of the renderer, so that
// every difference is due to the fault.
func TestTracerWithoutFaults(t *testing.T) {
	for _, x := range traps() {
		s, err := x.load()
		if err != nil {
			t.Fatal(err)
		}
		got, err := newTracer(s).picture()
		if err != nil {
			t.Fatal(err)
		}
		film, err := pillbox.Render(context.Background(), s, pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Pix, film.Image.Pix) {
			t.Errorf("%s: the tracer without faults does not make the picture of package pillbox", x.name)
		}
	}
}

// TestFaultsShow checks that every fault changes enough pixels to be visible.
func TestFaultsShow(t *testing.T) {
	const visible = 0.01 // of the pixels
	for _, x := range traps() {
		fault, cure, err := x.pictures()
		if err != nil {
			t.Fatal(err)
		}
		d, err := golden.Compare(fault, cure, golden.Tolerance{MaxChannel: 16})
		if err != nil {
			t.Fatal(err)
		}
		if all := d.Want.X * d.Want.Y; float64(d.Changed) < visible*float64(all) {
			t.Errorf("%s: only %d of %d pixels are wrong", x.name, d.Changed, all)
		}
	}
}

// TestEpsilonSuitsItsScale checks that the fixed epsilon changes at most 10 pixels in the large scene.
func TestEpsilonSuitsItsScale(t *testing.T) {
	large := trap{name: "acne", spoil: epsilon}
	fault, cure, err := large.pictures()
	if err != nil {
		t.Fatal(err)
	}
	if d, err := golden.Compare(fault, cure, golden.Tolerance{}); err != nil || d.Changed > 10 {
		t.Errorf("%d pixels differ (%v), want at most 10", d.Changed, err)
	}
}

// TestPageMakesTheSameMistakes checks that the mistakes in the playground give the same pictures as in the lesson.
func TestPageMakesTheSameMistakes(t *testing.T) {
	compared := 0
	for _, x := range traps() {
		m, ok := broken.Find(x.name)
		if !ok {
			continue
		}
		fault, _, err := x.pictures()
		if err != nil {
			t.Fatal(err)
		}
		s, err := x.load()
		if err != nil {
			t.Fatal(err)
		}
		p, err := pillbox.Prepare(s, pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := broken.Render(t.Context(), p, m, pillbox.Work{})
		if err != nil {
			t.Fatal(err)
		}
		if compared++; !bytes.Equal(got.Pix, fault.(*image.NRGBA).Pix) {
			t.Errorf("%s: the picture is another one", x.name)
		}
	}
	if compared != 3 {
		t.Errorf("%d mistakes are compared, want 3", compared)
	}
}

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "slabs.png")
	if err := run("slabs", file); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if want := image.Pt(860, 392); img.Bounds().Size() != want {
		t.Errorf("the sheet has %v pixels, want %v", img.Bounds().Size(), want)
	}
	if err := run("lion", file); err == nil {
		t.Error("a trap that does not exist is no error")
	}
}
