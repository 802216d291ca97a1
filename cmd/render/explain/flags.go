package explain

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/explain/diagram"
	"pillbox/internal/text"
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

// numbersFlag is the value of a flag that takes a list of numbers. form names them, such as
// OX,OY,OZ,DX,DY,DZ, and so determines how many there must be.
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

// points returns the first three numbers and the last three as points.
func (f *numbersFlag) points() (a, b geom.Vec3) {
	n := f.values
	return geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, geom.Vec3{X: n[3], Y: n[4], Z: n[5]}
}

// sectionsFlag is the value of a flag that selects sections of an explanation.
type sectionsFlag []explain.Section

// sectionNames lists the sections.
func sectionNames() string {
	var names []string
	for _, s := range explain.Sections() {
		names = append(names, string(s))
	}
	return text.Series(names, "or")
}

func (f *sectionsFlag) Set(s string) error {
	for name := range strings.SplitSeq(s, ",") {
		section := explain.Section(strings.TrimSpace(name))
		if !slices.Contains(explain.Sections(), section) {
			return fmt.Errorf("must be %s", sectionNames())
		}
		*f = append(*f, section)
	}
	return nil
}

func (f *sectionsFlag) String() string { return "" }

func (f *sectionsFlag) Type() string { return "NAME[,NAME]" }

// completeSections completes the last section in a list of sections.
func completeSections(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var all []cobra.Completion
	for _, s := range explain.Sections() {
		all = append(all, before+string(s))
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// numbers parses n numbers separated by commas.
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

// themeFlag is the value of a flag that selects the colors of a diagram.
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

// kindFlag is the value of a flag that selects what a diagram draws.
type kindFlag string

// kindNames lists the kinds of diagrams.
func kindNames() string {
	var names []string
	for _, k := range diagram.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

func (f *kindFlag) Set(s string) error {
	if !slices.Contains(diagram.Kinds(), diagram.Kind(s)) {
		return fmt.Errorf("must be %s", kindNames())
	}
	*f = kindFlag(s)
	return nil
}

func (f *kindFlag) String() string { return string(*f) }

func (f *kindFlag) Type() string { return "KIND" }
