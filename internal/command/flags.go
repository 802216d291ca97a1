package command

import (
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/picture"
	"pillbox/scene"
)

// PictureFlags adds the flags that determine which part of the picture is rendered, and how.
func PictureFlags(cmd *cobra.Command, opt *pillbox.Options) {
	flags := cmd.Flags()
	flags.Var(cli.Int(&opt.Size.X, 1, scene.MaxSide), "width", "picture width in pixels; without --height, the height follows")
	flags.Var(cli.Int(&opt.Size.Y, 1, scene.MaxSide), "height", "picture height in pixels; without --width, the width follows")
	flags.Var(cli.Int(&opt.Antialias, 1, scene.MaxAntialias), "antialias", "cast N x N rays per pixel")
	flags.Var(&regionFlag{&opt.Region}, "region", "render only these pixels, the last column and row excluded")
	flags.Var(cli.Int(&opt.Workers, 1, math.MaxInt32), "workers", "render on N threads; does not affect the image (default: one per processor)")
	cli.NoCompletion(cmd, "width", "height", "antialias", "region", "workers")
}

// TimeFlag adds the flag --time to cmd.
func TimeFlag(cmd *cobra.Command, moment *SecondsFlag) {
	cmd.Flags().Var(moment, "time", "use the scene at this time of its animation; by default, without animation")
	cli.NoCompletion(cmd, "time")
}

// SecondsFlag is the value of a flag that takes a time in seconds.
type SecondsFlag struct {
	Seconds float64
	Given   bool
}

// Set parses seconds.
func (f *SecondsFlag) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(0 <= x && x <= scene.MaxSeconds) {
		return fmt.Errorf("must be seconds, 0 to %.0f", scene.MaxSeconds)
	}
	*f = SecondsFlag{x, true}
	return nil
}

// String returns the seconds, or "" if the flag was not given.
func (f *SecondsFlag) String() string {
	if !f.Given {
		return ""
	}
	return strconv.FormatFloat(f.Seconds, 'g', -1, 64)
}

// Value returns the seconds; nil if the flag was not given.
func (f *SecondsFlag) Value() *float64 {
	if !f.Given {
		return nil
	}
	return &f.Seconds
}

// Type returns the name of the value in the help.
func (f *SecondsFlag) Type() string { return "SECONDS" }

// regionFlag is the value of a flag that takes a rectangle of pixels.
type regionFlag struct{ value *image.Rectangle }

const regionForm = "X0,Y0,X1,Y1"

func (f *regionFlag) Set(s string) error {
	parts := strings.Split(s, ",")
	if len(parts) != 4 {
		return fmt.Errorf("must be %s", regionForm)
	}
	var n [4]int
	for i, part := range parts {
		var err error
		if n[i], err = strconv.Atoi(strings.TrimSpace(part)); err != nil || n[i] < 0 {
			return fmt.Errorf("must be %s, pixels counted from 0", regionForm)
		}
	}
	if n[0] >= n[2] || n[1] >= n[3] {
		return fmt.Errorf("must be %s with X0 < X1 and Y0 < Y1", regionForm)
	}
	*f.value = image.Rect(n[0], n[1], n[2], n[3])
	return nil
}

func (f *regionFlag) String() string {
	if f.value == nil || f.value.Empty() {
		return ""
	}
	r := *f.value
	return fmt.Sprintf("%d,%d,%d,%d", r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
}

func (f *regionFlag) Type() string { return regionForm }

// OutputFlag adds -o.
func OutputFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().VarP(cli.Text(name, "FILE"), "output", "o", usage)
	cli.Must(cmd.MarkFlagFilename("output", "png", "jpg", "jpeg", "tiff", "tif", "bmp"))
}

// DPIFlag adds --dpi.
func DPIFlag(cmd *cobra.Command, dpi *int) {
	cmd.Flags().Var(cli.Int(dpi, 1, picture.MaxDPI), "dpi", "store a resolution of N pixels per inch in the file, for printing; does not affect the pixels (default: none)")
	cli.NoCompletion(cmd, "dpi")
}

// JSONFlag adds --json.
func JSONFlag(cmd *cobra.Command, on *bool, usage string) {
	cmd.Flags().BoolVar(on, "json", false, usage)
}

// List returns the value of a flag that takes a list, such as numbers or names, separated by commas or spaces. The
// function parse converts one element, and form describes the list in the help.
func List[T any](value *[]T, form string, parse func(string) (T, error)) pflag.Value {
	return &listFlag[T]{value, form, parse}
}

// listFlag is the value of a flag that takes a list, such as numbers or names, separated by commas or spaces. parse
// converts one element.
type listFlag[T any] struct {
	value *[]T
	form  string
	parse func(string) (T, error)
}

func (f *listFlag[T]) Set(s string) error {
	numbers := []T{}
	for part := range strings.SplitSeq(s, ",") {
		fields := strings.Fields(part)
		if len(fields) == 0 && strings.TrimSpace(s) != "" {
			return fmt.Errorf("must be %s, with a value beside each comma", f.form)
		}
		for _, field := range fields {
			x, err := f.parse(field)
			if err != nil {
				return err
			}
			numbers = append(numbers, x)
		}
	}
	*f.value = numbers
	return nil
}

func (f *listFlag[T]) String() string { return "" }

func (f *listFlag[T]) Type() string { return f.form }

// Rate returns the value of a flag that takes frames per second.
func Rate(value *float64) pflag.Value { return &rateFlag{value} }

// rateFlag is the value of a flag that takes frames per second.
type rateFlag struct{ value *float64 }

func (f *rateFlag) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(0.001 <= x && x <= scene.MaxFPS) {
		return fmt.Errorf("must be 0.001 to %d", scene.MaxFPS)
	}
	*f.value = x
	return nil
}

func (f *rateFlag) String() string {
	if f.value == nil || *f.value == 0 {
		return ""
	}
	return strconv.FormatFloat(*f.value, 'g', -1, 64)
}

func (f *rateFlag) Type() string { return "N" }
