package cli

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillbox/internal/text"
)

// Value returns the value of a flag that takes a T. The function parse converts the text of the flag; its error says what
// the text must be. In the help, form is written in place of the value, as N or FILE. The help shows a value that is set
// before the flags are read as the default.
func Value[T any](value *T, form string, parse func(string) (T, error)) pflag.Value {
	return &flagValue[T]{value, form, parse}
}

// Optional is like [Value] for a flag without a default: value is nil unless the flag is given.
func Optional[T any](value **T, form string, parse func(string) (T, error)) pflag.Value {
	return Value(value, form, func(s string) (*T, error) {
		x, err := parse(s)
		return &x, err
	})
}

// Repeated is like [Value] for a flag that may be given several times. Each time adds an element to values.
func Repeated[T any](values *[]T, form string, parse func(string) (T, error)) pflag.Value {
	return Value(values, form, func(s string) ([]T, error) {
		x, err := parse(s)
		return append(*values, x), err
	})
}

// List is like [Value] for a flag that takes a list, such as numbers or names, separated by commas or spaces. The function
// parse converts one element.
func List[T any](values *[]T, form string, parse func(string) (T, error)) pflag.Value {
	return Value(values, form, func(s string) ([]T, error) {
		list := []T{}
		for part := range strings.SplitSeq(s, ",") {
			fields := strings.Fields(part)
			if len(fields) == 0 && strings.TrimSpace(s) != "" {
				return nil, fmt.Errorf("must be %s, with a value beside each comma", form)
			}
			for _, field := range fields {
				x, err := parse(field)
				if err != nil {
					return nil, err
				}
				list = append(list, x)
			}
		}
		return list, nil
	})
}

// flagValue is the value of a flag, for the flag library.
type flagValue[T any] struct {
	value *T
	form  string
	parse func(string) (T, error)
}

func (f *flagValue[T]) Set(s string) error {
	x, err := f.parse(s)
	if err == nil {
		*f.value = x
	}
	return err
}

// String returns the default, or "" for the zero value.
func (f *flagValue[T]) String() string {
	if f.value == nil || reflect.ValueOf(f.value).Elem().IsZero() {
		return ""
	}
	return fmt.Sprint(*f.value)
}

func (f *flagValue[T]) Type() string { return f.form }

// Int returns the value of a flag that takes an integer from least to most, both above 0.
func Int(value *int, least, most int) pflag.Value {
	return Value(value, "N", func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("must be %d to %d", least, most)
		}
		return n, nil
	})
}

// Float returns the value of a flag that takes a number from least to most.
func Float(value *float64, form string, least, most float64) pflag.Value {
	return Value(value, form, func(s string) (float64, error) {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || !(least <= x && x <= most) {
			return 0, fmt.Errorf("must be %g to %g", least, most)
		}
		return x, nil
	})
}

// Text returns the value of a flag that takes any text. The help shows the word in the parameter form in place
// of the text. (The flag library can also take form from backquotes in the usage text, but shell completions
// would then show the backquotes.)
func Text(value *string, form string) pflag.Value { return Value(value, form, anyText) }

// Texts is like [Text] for a flag that may be given several times. Each time adds an element to values.
func Texts(values *[]string, form string) pflag.Value { return Repeated(values, form, anyText) }

func anyText(s string) (string, error) { return s, nil }

// Word returns the value of a flag that takes one of the given words. If form is "", the help lists them.
func Word[T ~string](value *T, form string, words []T) pflag.Value {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	if form == "" {
		form = strings.Join(all, "|")
	}
	return Value(value, form, func(s string) (T, error) {
		if !slices.Contains(words, T(s)) {
			return "", fmt.Errorf("must be %s", text.Series(all, "or"))
		}
		return T(s), nil
	})
}

// Duration returns the value of a flag that takes a duration above 0 with a unit, such as 500ms, or a number of
// seconds.
func Duration(value *time.Duration) pflag.Value {
	return Value(value, "DURATION", func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil {
			d, err = time.ParseDuration(s + "s")
		}
		if err != nil || d <= 0 {
			return 0, errors.New("must be a duration above 0, such as 2, 2.5, 2s or 1m30s")
		}
		return d, nil
	})
}

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
		name := unknown.GetSpecifiedName()
		if why := whyWithout(cmd, name); why != "" {
			return Misuse(cmd, "'%s' has no --%s: %s", cmd.CommandPath(), name, why)
		}
		return Misuse(cmd, "unknown flag --%s%s", name, suggestFlag(cmd, name))
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

// withoutFlag begins the names of annotations of commands that state why they lack a flag.
const withoutFlag = "without --"

// Without states why a command and its subcommands lack a flag that similar commands have. [FlagError] reports it.
func Without(cmd *cobra.Command, flag, why string) {
	if cmd.Annotations == nil {
		cmd.Annotations = make(map[string]string)
	}
	cmd.Annotations[withoutFlag+flag] = why
}

// whyWithout returns what [Without] stated about a flag; "" for nothing.
func whyWithout(cmd *cobra.Command, flag string) string {
	for ; cmd != nil; cmd = cmd.Parent() {
		if why := cmd.Annotations[withoutFlag+flag]; why != "" {
			return why
		}
	}
	return ""
}

// suggestFlag returns a suggestion for the name of an unknown flag, or "" if no flag is similar.
func suggestFlag(cmd *cobra.Command, name string) string {
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	return text.DidYouMean(text.ClosestWord(name, known), "'--%s'")
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
