package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillbox/internal/text"
)

// Int returns the value of a flag that takes an integer from least to most, both above 0.
func Int(value *int, least, most int) pflag.Value { return &intFlag{value, least, most} }

type intFlag struct {
	value       *int
	least, most int
}

func (f *intFlag) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < f.least || n > f.most {
		return fmt.Errorf("must be %d to %d", f.least, f.most)
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

// Float returns the value of a flag that takes a number from least to most, both above 0.
func Float(value *float64, least, most float64) pflag.Value { return &floatFlag{value, least, most} }

type floatFlag struct {
	value       *float64
	least, most float64
}

func (f *floatFlag) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f.least <= x && x <= f.most) {
		return fmt.Errorf("must be a number from %g to %g", f.least, f.most)
	}
	*f.value = x
	return nil
}

func (f *floatFlag) String() string { return "" }

func (f *floatFlag) Type() string { return "X" }

// Text returns the value of a flag that takes any text. The help shows the word in the parameter form in place
// of the text. (The flag library can also take form from backquotes in the usage text, but shell completions
// would then show the backquotes.)
func Text(value *string, form string) pflag.Value { return &textFlag{value, form} }

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

// Texts is like [Text] for a flag that may be given several times. Each time adds an element to values.
func Texts(values *[]string, form string) pflag.Value { return &textsFlag{values, form} }

type textsFlag struct {
	values *[]string
	form   string
}

func (f *textsFlag) Set(s string) error {
	*f.values = append(*f.values, s)
	return nil
}

func (f *textsFlag) String() string {
	if f.values == nil {
		return ""
	}
	return strings.Join(*f.values, " ")
}

func (f *textsFlag) Type() string { return f.form }

// Word returns the value of a flag that takes one of the given words.
func Word(value *string, words []string) pflag.Value { return &wordFlag{value, words} }

type wordFlag struct {
	value *string
	words []string
}

func (f *wordFlag) Set(s string) error {
	if !slices.Contains(f.words, s) {
		return fmt.Errorf("must be %s", strings.Join(f.words, ", "))
	}
	*f.value = s
	return nil
}

func (f *wordFlag) String() string { return "" }

func (f *wordFlag) Type() string { return strings.Join(f.words, "|") }

// Duration returns the value of a flag that takes a duration above 0 with a unit, such as 500ms, or a number of
// seconds.
func Duration(value *time.Duration) pflag.Value { return &durationFlag{value} }

type durationFlag struct{ value *time.Duration }

func (f *durationFlag) Set(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil {
		d, err = time.ParseDuration(s + "s")
	}
	if err != nil || d <= 0 {
		return errors.New("must be a duration above 0, such as 2, 2.5, 2s or 1m30s")
	}
	*f.value = d
	return nil
}

func (f *durationFlag) String() string {
	if f.value == nil || *f.value == 0 {
		return ""
	}
	return f.value.String()
}

func (f *durationFlag) Type() string { return "DURATION" }

// FlagError returns the error for an invalid flag. For an unknown flag, it suggests a similar one, if there is one.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		first := []rune(unknown.GetSpecifiedName())[0]
		return Misuse(cmd, "unknown flag -%c%s", first, suggestFlag(cmd, unknown.GetSpecifiedShortnames()))
	case errors.As(err, &unknown):
		return Misuse(cmd, "unknown flag --%s%s", unknown.GetSpecifiedName(), suggestFlag(cmd, unknown.GetSpecifiedName()))
	case errors.As(err, &missing):
		return Misuse(cmd, "flag %s needs a value", FlagName(missing.GetFlag()))
	case errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool":
		return Misuse(cmd, "%s: must be true or false, got %q", FlagName(invalid.GetFlag()), invalid.GetValue())
	case errors.As(err, &invalid):
		return Misuse(cmd, "%s: %v, got %q", FlagName(invalid.GetFlag()), invalid.Unwrap(), invalid.GetValue())
	default:
		return Misuse(cmd, "%v", err)
	}
}

// suggestFlag returns a suggestion for the name of an unknown flag, or "" if no flag is similar.
func suggestFlag(cmd *cobra.Command, name string) string {
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	if near := text.ClosestWord(name, known); near != "" {
		return fmt.Sprintf("; did you mean '--%s'?", near)
	}
	return ""
}

// FlagName returns a flag as users type it.
func FlagName(f *pflag.Flag) string {
	if f.Name == "output" {
		return "-o"
	}
	return "--" + f.Name
}

// WantArgs returns an argument check that requires from least to most arguments, none of them empty. The message of its error
// contains the parameter what, a text that describes the arguments.
func WantArgs(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return Misuse(cmd, "want %s, got %s", what, Quoted(args))
		}
		if slices.Contains(args, "") { // such as an unset variable of the shell
			return Misuse(cmd, "want %s, got an empty argument", what)
		}
		return nil
	}
}

// Quoted returns arguments for a message: their number and the arguments, such as "2: a b", or "none".
func Quoted(args []string) string {
	if len(args) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d: %s", len(args), strings.Join(args, " "))
}

// NoCompletion prevents the shell from completing the values of flags with file names.
func NoCompletion(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		Must(cmd.RegisterFlagCompletionFunc(flag, cobra.NoFileCompletions))
	}
}

// Must panics if err is not nil. It is for errors that only a mistake in building a command can cause.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}
