package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestDuration checks durations in flags. A number without a unit means seconds.
func TestDuration(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"2": 2 * time.Second, "2s": 2 * time.Second, "0.5": time.Second / 2, "1m30s": 90 * time.Second, "20ms": 20 * time.Millisecond,
		"0": 0, "-1": 0, "0s": 0, "": 0, "s": 0, "2 s": 0, "1e3": 0, "inf": 0, "NaN": 0,
	} {
		var d time.Duration
		if err := Duration(&d).Set(s); (err == nil) != (want > 0) || d != want {
			t.Errorf("%q is %v, %v, want %v", s, d, err, want)
		}
	}
}

// TestFlagError checks that the message about an unknown or invalid flag names the flag, the problem, and a similar
// flag if there is one.
func TestFlagError(t *testing.T) {
	for args, want := range map[string]string{
		"--widht":       "unknown flag --widht; did you mean '--width'?",
		"--zzz":         "unknown flag --zzz",
		"-w":            "unknown flag -w",
		"-width":        "unknown flag -w; did you mean '--width'?",
		"--width":       "flag --width needs a value",
		"--width=0":     `--width: must be 1 to 9, got "0"`,
		"--width=x":     `--width: must be 1 to 9, got "x"`,
		"--quiet=maybe": `--quiet: must be true or false, got "maybe"`,
		"--shape=cube":  `--shape: must be ball or box, got "cube"`,
		"-o":            "flag -o needs a value",
		"--heigt":       "'draw' has no --heigt: draw squares",
	} {
		cmd := &cobra.Command{Use: "draw", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error { return nil }}
		var width int
		var quiet bool
		var shape, output string
		cmd.Flags().Var(Int(&width, 1, 9), "width", "")
		cmd.Flags().Var(Word(&shape, "", []string{"ball", "box"}), "shape", "")
		cmd.Flags().BoolVar(&quiet, "quiet", false, "")
		cmd.Flags().VarP(Text(&output, "FILE"), "output", "o", "")
		cmd.SetFlagErrorFunc(FlagError)
		Without(cmd, "heigt", "draw squares")
		cmd.SetArgs([]string{args})
		if err := cmd.Execute(); err == nil || err.Error() != want || FailureOf(err).Status != StatusWrong {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// TestTexts checks a flag that may be repeated: it collects all values, and the help shows the form of one value.
func TestTexts(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	var values []string
	flags.Var(Texts(&values, "FILE"), "scene", "a scene")
	if err := flags.Parse([]string{"--scene", "a b", "--scene=c,d"}); err != nil || !slices.Equal(values, []string{"a b", "c,d"}) {
		t.Errorf("got %q, %v", values, err)
	}
	if got := flags.FlagUsages(); !strings.Contains(got, "--scene FILE") || strings.Contains(got, "default") {
		t.Errorf("got %q", got)
	}
}

// TestValues checks the kinds of values: what a valid text sets, that an invalid one changes nothing, and the default that the
// help shows.
func TestValues(t *testing.T) {
	number := 7
	var optional *int
	repeated, list := []int{1}, []int{1}
	for _, c := range []struct {
		name  string
		value pflag.Value
		texts []string
		want  string // what the help says of the value before, and what the flag has after
		got   func() any
	}{
		{"Value", Value(&number, "N", strconv.Atoi), []string{"8", "x", "9", ""}, "N (default 7); 9", func() any { return number }},
		{"Optional", Optional(&optional, "N", strconv.Atoi), []string{"x", "0", "y"}, "N; 0", func() any { return *optional }},
		{"Repeated", Repeated(&repeated, "N", strconv.Atoi), []string{"2", "x", "3"}, "N (default [1]); [1 2 3]", func() any { return repeated }},
		{"List", List(&list, "N,N", strconv.Atoi), []string{"2, 3 4", "5,", "5,x"}, "N,N (default [1]); [2 3 4]", func() any { return list }},
	} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.Var(c.value, "it", "")
		help := strings.Join(strings.Fields(flags.FlagUsages()), " ")
		for _, text := range c.texts {
			_ = c.value.Set(text) // an invalid text must change nothing
		}
		if got := fmt.Sprintf("%s; %v", strings.TrimPrefix(help, "--it "), c.got()); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
