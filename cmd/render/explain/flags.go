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
	"pillbox/internal/cli"
	"pillbox/internal/explain/diagram"
	"pillbox/internal/text"
)

const pixelForm = "X,Y"

// parsePixel parses a pixel.
func parsePixel(s string) (image.Point, error) {
	x, y, ok := strings.Cut(s, ",")
	column, errX := strconv.Atoi(strings.TrimSpace(x))
	row, errY := strconv.Atoi(strings.TrimSpace(y))
	if !ok || errX != nil || errY != nil || column < 0 || row < 0 {
		return image.Point{}, fmt.Errorf("must be %s, column and row counted from 0", pixelForm)
	}
	return image.Pt(column, row), nil
}

const (
	rayForm     = "OX,OY,OZ,DX,DY,DZ"
	segmentForm = "AX,AY,AZ,BX,BY,BZ"
)

// vectorPair is two points, or a point and a direction.
type vectorPair [2]geom.Vec3

// vectors adds a flag that takes six numbers, which form names.
func vectors(cmd *cobra.Command, pair *vectorPair, flag, form, usage string) {
	cmd.Flags().Var(cli.Value(pair, form, func(s string) (vectorPair, error) {
		n, err := numbers(s, 6)
		if err != nil {
			return vectorPair{}, fmt.Errorf("must be %s, %w", form, err)
		}
		return vectorPair{{X: n[0], Y: n[1], Z: n[2]}, {X: n[3], Y: n[4], Z: n[5]}}, nil
	}), flag, usage)
}

// sectionNames lists the sections of an explanation.
func sectionNames() string {
	var names []string
	for _, s := range explain.Sections() {
		names = append(names, string(s))
	}
	return text.Series(names, "or")
}

// addSections returns the sections asked for so far and those that s names.
func (e *explaining) addSections(s string) ([]explain.Section, error) {
	all := e.sections
	for name := range strings.SplitSeq(s, ",") {
		section := explain.Section(strings.TrimSpace(name))
		if !slices.Contains(explain.Sections(), section) {
			return nil, fmt.Errorf("must be %s", sectionNames())
		}
		all = append(all, section)
	}
	return all, nil
}

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

const (
	colorsLight = "light"
	colorsDark  = "dark"
)

// kindNames lists the kinds of diagrams.
func kindNames() string {
	var names []string
	for _, k := range diagram.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
