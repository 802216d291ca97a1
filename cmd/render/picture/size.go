package picture

import (
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	"pillbox/internal/cli"
	"pillbox/scene"
)

// printedSize is the printed width of a picture, and optionally its height.
type printedSize struct {
	inches [2]float64
	text   string // as given; "": not given
}

// parseSize parses the printed size of a picture, such as 85mm or 85mmx60mm.
func parseSize(s string) (printedSize, error) {
	f := printedSize{text: s}
	width, height, both := strings.Cut(s, "x")
	var err error
	if f.inches[0], err = parseLength(width); err == nil && both {
		f.inches[1], err = parseLength(height)
	}
	return f, err
}

// parseLength returns a length in inches.
func parseLength(s string) (float64, error) {
	s = strings.TrimSpace(s)
	for _, unit := range []struct {
		name    string
		perInch float64
	}{{"mm", 25.4}, {"cm", 2.54}, {"in", 1}, {"pt", 72}} {
		if number, ok := strings.CutSuffix(s, unit.name); ok {
			x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if err != nil || !(x > 0 && x <= math.MaxInt32) {
				break
			}
			return x / unit.perInch, nil
		}
	}
	return 0, fmt.Errorf("must be a length in mm, cm, in or pt, such as 85mm, or a width and a height, such as 85mmx60mm")
}

// pixels returns the size of the picture at a resolution. Its height is 0 if only the width was given.
func (f *printedSize) pixels(dpi int) (image.Point, error) {
	var side [2]int
	for i, inches := range f.inches {
		x := math.Round(inches * float64(dpi))
		if inches > 0 && !(1 <= x && x <= scene.MaxSide) {
			return image.Point{}, fmt.Errorf("must be 1 to %d pixels, but %s at %d dots per inch is %.0f", scene.MaxSide, f.text, dpi, x)
		}
		side[i] = int(x)
	}
	return image.Pt(side[0], side[1]), nil
}

// applySize sets the size of the picture from the flag --size.
func (r *rendering) applySize() error {
	if r.size.text == "" {
		return nil
	}
	size, err := r.size.pixels(r.dpi)
	if err != nil {
		return cli.Misuse(r.cmd, "--size: %v", err)
	}
	r.opt.Size = size
	return nil
}
