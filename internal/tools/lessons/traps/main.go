// Traps renders classic faults of ray tracers next to the right pictures, for the lesson on numeric traps.
//
//	go run ./traps NAME OUT.png
//
// Package pillbox renders the right picture. A small tracer with one mistake renders the faulty one, so that the
// renderer itself needs no switches for mistakes. The scenes are TOML files in this folder and in the folder of package
// broken. Traps prints how many pixels are wrong.
package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"image"
	"image/png"
	"os"
	"slices"
	"strings"

	"pillbox"
	"pillbox/golden"
	"pillbox/internal/play/broken"
	"pillbox/scene"
)

//go:embed *.toml
var scenes embed.FS

func main() {
	if len(os.Args) != 3 {
		var names []string
		for _, t := range traps() {
			names = append(names, t.name)
		}
		fail(fmt.Errorf("want NAME OUT.png, where NAME is one of %s", strings.Join(names, ", ")))
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "traps:", err)
	os.Exit(2)
}

// run writes the picture of a trap to a file.
func run(name, file string) error {
	all := traps()
	i := slices.IndexFunc(all, func(t trap) bool { return t.name == name })
	if i < 0 {
		return fmt.Errorf("no trap %q", name)
	}
	fault, cure, err := all[i].pictures()
	if err != nil {
		return err
	}
	var data bytes.Buffer
	if err := png.Encode(&data, sheet(all[i], fault, cure)); err != nil {
		return err
	}
	if err := os.WriteFile(file, data.Bytes(), 0o666); err != nil {
		return err
	}
	d, err := golden.Compare(fault, cure, golden.Tolerance{})
	if err != nil {
		return err
	}
	pixels := d.Want.X * d.Want.Y
	fmt.Printf("%s: %d of %d pixels are wrong, by up to %d of 255 steps\n", name, d.Changed, pixels, d.Max)
	return nil
}

// pictures renders the trap's scene with the mistake and without it.
func (t *trap) pictures() (fault, cure image.Image, err error) {
	s, err := t.load()
	if err != nil {
		return nil, nil, err
	}
	faulty := newTracer(s)
	t.spoil(faulty)
	if fault, err = faulty.picture(); err != nil {
		return nil, nil, err
	}
	film, err := pillbox.Render(context.Background(), s, pillbox.Options{})
	if err != nil {
		return nil, nil, err
	}
	return fault, film.Image, nil
}

func (t *trap) load() (*scene.Scene, error) {
	name := t.name + ".toml"
	if m, ok := broken.Find(t.name); ok {
		return scene.Decode(name, []byte(m.Scene()))
	}
	data, err := scenes.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return scene.Decode(name, data)
}
