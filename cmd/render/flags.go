package main

import (
	"errors"
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/picture"
	"pillbox/scene"
)

// pictureFlags adds the flags that determine which part of the picture is rendered, and how.
func pictureFlags(cmd *cobra.Command, opt *pillbox.Options) {
	flags := cmd.Flags()
	flags.Var(cli.Int(&opt.Size.X, 1, scene.MaxSide), "width", "picture width in pixels; without --height, the height follows")
	flags.Var(cli.Int(&opt.Size.Y, 1, scene.MaxSide), "height", "picture height in pixels; without --width, the width follows")
	flags.Var(cli.Int(&opt.Antialias, 1, scene.MaxAntialias), "antialias", "cast N x N rays per pixel")
	flags.Var(&regionFlag{&opt.Region}, "region", "render only these pixels, the last column and row excluded")
	flags.Var(cli.Int(&opt.Workers, 1, math.MaxInt32), "workers", "render on N threads; does not affect the image (default: one per processor)")
	cli.NoCompletion(cmd, "width", "height", "antialias", "region", "workers")
}

// timeFlag adds the flag --time to cmd.
func timeFlag(cmd *cobra.Command, moment *secondsFlag) {
	cmd.Flags().Var(moment, "time", "use the scene at this time of its animation; by default, without animation")
	cli.NoCompletion(cmd, "time")
}

// secondsFlag is the value of a flag that takes a time in seconds.
type secondsFlag struct {
	seconds float64
	given   bool
}

func (f *secondsFlag) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(0 <= x && x <= scene.MaxSeconds) {
		return fmt.Errorf("must be seconds, 0 to %.0f", scene.MaxSeconds)
	}
	*f = secondsFlag{x, true}
	return nil
}

func (f *secondsFlag) String() string {
	if !f.given {
		return ""
	}
	return strconv.FormatFloat(f.seconds, 'g', -1, 64)
}

// value returns the seconds; nil if the flag was not given.
func (f *secondsFlag) value() *float64 {
	if !f.given {
		return nil
	}
	return &f.seconds
}

func (f *secondsFlag) Type() string { return "SECONDS" }

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

// outputFlag adds -o.
func outputFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().VarP(cli.Text(name, "FILE"), "output", "o", usage)
	cli.Must(cmd.MarkFlagFilename("output", "png", "jpg", "jpeg", "tiff", "tif", "bmp"))
}

// dpiFlag adds --dpi.
func dpiFlag(cmd *cobra.Command, dpi *int) {
	cmd.Flags().Var(cli.Int(dpi, 1, picture.MaxDPI), "dpi", "store a resolution of N pixels per inch in the file, for printing; does not affect the pixels (default: none)")
	cli.NoCompletion(cmd, "dpi")
}

// jsonFlag adds --json.
func jsonFlag(cmd *cobra.Command, on *bool, usage string) {
	cmd.Flags().BoolVar(on, "json", false, usage)
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

func parseGroup(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 5 {
		return 0, errors.New("must be numbers from 0 to 5")
	}
	return n, nil
}

func parseFinite(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, errors.New("must be numbers")
	}
	return x, nil
}

// jointFlag is the value of a flag that sets the positions of joints.
type jointFlag struct{ joints map[string]float64 }

func (f *jointFlag) Set(s string) error {
	i := strings.LastIndexByte(s, '=')
	if i < 1 {
		return fmt.Errorf("must be %s", f.Type())
	}
	x, err := parseFinite(s[i+1:])
	if err != nil {
		return errors.New("must end in a number, radians or meters")
	}
	f.joints[s[:i]] = x
	return nil
}

func (f *jointFlag) String() string { return "" }

func (f *jointFlag) Type() string { return "NAME=VALUE" }

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
