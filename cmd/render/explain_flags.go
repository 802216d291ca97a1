package main

import (
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	"pillbox/geom"
)

// pixelFlag is the value of a flag that takes a pixel.
type pixelFlag struct{ value image.Point }

const pixelForm = "X,Y"

func (f *pixelFlag) Set(s string) error {
	x, y, ok := strings.Cut(s, ",")
	column, errX := strconv.Atoi(strings.TrimSpace(x))
	row, errY := strconv.Atoi(strings.TrimSpace(y))
	if !ok || errX != nil || errY != nil || column < 0 || row < 0 {
		return fmt.Errorf("must be %s, column and row counted from 0", pixelForm)
	}
	f.value = image.Pt(column, row)
	return nil
}

func (f *pixelFlag) String() string { return "" }

func (f *pixelFlag) Type() string { return pixelForm }

// numbersFlag is the value of a flag that takes as many coordinates as its form has names.
type numbersFlag struct {
	form   string
	values []float64
}

const (
	rayForm     = "OX,OY,OZ,DX,DY,DZ"
	segmentForm = "AX,AY,AZ,BX,BY,BZ"
)

func (f *numbersFlag) Set(s string) error {
	n, err := numbers(s, strings.Count(f.form, ",")+1)
	if err != nil {
		return fmt.Errorf("must be %s, %w", f.form, err)
	}
	f.values = n
	return nil
}

func (f *numbersFlag) String() string { return "" }

func (f *numbersFlag) Type() string { return f.form }

// numbers reads n coordinates, separated by commas.
func numbers(s string, n int) ([]float64, error) {
	parts := strings.Split(s, ",")
	if len(parts) != n {
		return nil, fmt.Errorf("%d numbers", n)
	}
	values := make([]float64, n)
	for i, part := range parts {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(math.Abs(x) <= geom.MaxCoordinate) {
			return nil, fmt.Errorf("numbers of at most %g in magnitude", geom.MaxCoordinate)
		}
		values[i] = x
	}
	return values, nil
}

// themeFlag is the colours of a diagram.
type themeFlag string

const (
	themeLight = "light"
	themeDark  = "dark"
)

func (f *themeFlag) Set(s string) error {
	if s != themeLight && s != themeDark {
		return fmt.Errorf("must be %s or %s", themeLight, themeDark)
	}
	*f = themeFlag(s)
	return nil
}

func (f *themeFlag) String() string { return string(*f) }

func (f *themeFlag) Type() string { return "THEME" }
