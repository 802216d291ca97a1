package main

import (
	"errors"
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillbox"
	"pillbox/internal/text"
	"pillbox/scene"
)

// pictureFlags adds the flags that say what part of the picture is rendered, and how.
func pictureFlags(cmd *cobra.Command, opt *pillbox.Options) {
	flags := cmd.Flags()
	flags.Var(&intFlag{&opt.Size.X, 1, scene.MaxSide}, "width", "picture width in pixels; the height follows if not given")
	flags.Var(&intFlag{&opt.Size.Y, 1, scene.MaxSide}, "height", "picture height in pixels; the width follows if not given")
	flags.Var(&intFlag{&opt.Antialias, 1, scene.MaxAntialias}, "antialias", "cast N x N rays per pixel")
	flags.Var(&regionFlag{&opt.Region}, "region", "render only these pixels, the last column and row excluded")
	flags.Var(&intFlag{&opt.Workers, 1, math.MaxInt32}, "workers", "render on N threads; never changes a pixel (default: one per processor)")
	for _, name := range []string{"width", "height", "antialias", "region", "workers"} {
		noCompletion(cmd, name)
	}
}

// timeFlag adds --time.
func (p *program) timeFlag(cmd *cobra.Command) {
	cmd.Flags().Var(&p.moment, "time", "show the scene as its animation has it at this time; without, as it stands in its tables")
	noCompletion(cmd, "time")
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

func (f *secondsFlag) Type() string { return "SECONDS" }

// intFlag is the value of a flag that takes an integer from min to max, both above 0.
type intFlag struct {
	value    *int
	min, max int
}

func (f *intFlag) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < f.min || n > f.max {
		return fmt.Errorf("must be %d to %d", f.min, f.max)
	}
	*f.value = n
	return nil
}

func (f *intFlag) String() string {
	if f.value == nil || *f.value == 0 {
		return ""
	}
	return strconv.Itoa(*f.value)
}

func (f *intFlag) Type() string { return "N" }

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

// textFlag is the value of a flag that takes a text. The form is what help shows of it: the library
// would take it from backquotes in the usage, which completions show as they stand.
type textFlag struct {
	value *string
	form  string
}

func (f *textFlag) Set(s string) error {
	*f.value = s
	return nil
}

func (f *textFlag) String() string {
	if f.value == nil {
		return ""
	}
	return *f.value
}

func (f *textFlag) Type() string { return f.form }

// outputFlag adds -o.
func outputFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().VarP(&textFlag{name, "FILE"}, "output", "o", usage)
	must(cmd.MarkFlagFilename("output", "png", "jpg", "jpeg", "tiff", "tif", "bmp"))
}

// jsonFlag adds --json.
func jsonFlag(cmd *cobra.Command, on *bool, usage string) {
	cmd.Flags().BoolVar(on, "json", false, usage)
}

// flagError words what is wrong with a flag as the other messages are worded.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		first := []rune(unknown.GetSpecifiedName())[0]
		return misuse(cmd, "unknown flag -%c%s", first, suggestFlag(cmd, unknown.GetSpecifiedShortnames()))
	case errors.As(err, &unknown):
		return misuse(cmd, "unknown flag --%s%s", unknown.GetSpecifiedName(), suggestFlag(cmd, unknown.GetSpecifiedName()))
	case errors.As(err, &missing):
		return misuse(cmd, "flag %s needs a value", flagName(missing.GetFlag()))
	case errors.As(err, &invalid) && errors.As(err, &number):
		// Ours are intFlags, so this is a switch.
		return misuse(cmd, "%s: must be true or false, got %q", flagName(invalid.GetFlag()), invalid.GetValue())
	case errors.As(err, &invalid):
		return misuse(cmd, "%s: %v, got %q", flagName(invalid.GetFlag()), invalid.Unwrap(), invalid.GetValue())
	default:
		return misuse(cmd, "%v", err)
	}
}

// suggestFlag asks whether a flag was meant whose name is near, and says nothing if there is none.
func suggestFlag(cmd *cobra.Command, name string) string {
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	if near := text.Nearest(name, known); near != "" {
		return fmt.Sprintf("; did you mean '--%s'?", near)
	}
	return ""
}

func flagName(f *pflag.Flag) string {
	if f.Name == "output" {
		return "-o"
	}
	return "--" + f.Name
}

// wantArgs returns a check for the number of arguments, from least to most; what says what
// they are.
func wantArgs(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return misuse(cmd, "want %s, got %s", what, quoted(args))
		}
		return nil
	}
}

func quoted(args []string) string {
	if len(args) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d: %s", len(args), strings.Join(args, " "))
}
