package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// FlagRule states that a flag of a command cannot be combined with certain other flags, or that it requires one of them.
// Such rules make a flag an error where it would have no effect, because the user expects an effect.
type FlagRule struct {
	flag   string
	others []string
	needed bool
}

// Excludes returns the rule that a flag cannot be combined with any of the other flags.
func Excludes(flag string, others ...string) FlagRule { return FlagRule{flag: flag, others: others} }

// Needs returns the rule that a flag requires at least one of the other flags.
func Needs(flag string, others ...string) FlagRule {
	return FlagRule{flag: flag, others: others, needed: true}
}

// CheckFlags returns an error for the first rule that the command line violates. Rules may mention flags that the
// command does not have.
func CheckFlags(cmd *cobra.Command, rules ...FlagRule) error {
	for _, r := range rules {
		if !Given(cmd, r.flag) {
			continue
		}
		var names, given []string
		for _, other := range r.others {
			name := flagText(cmd, other)
			names = append(names, name)
			if Given(cmd, other) {
				given = append(given, name)
			}
		}
		switch {
		case r.needed && len(given) == 0:
			return Misuse(cmd, "%s needs %s", flagText(cmd, r.flag), strings.Join(names, " or "))
		case !r.needed && len(given) > 0:
			return Misuse(cmd, "want %s or %s, not both", flagText(cmd, r.flag), given[0])
		}
	}
	return nil
}

// Alone returns an error if the command line contains any of the command's own flags except the given one.
// Flags that subcommands inherit are allowed.
func Alone(cmd *cobra.Command, flag string) error {
	var err error
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if err == nil && f.Name != flag && Given(cmd, f.Name) {
			err = Misuse(cmd, "want %s or %s, not both", flagText(cmd, flag), FlagName(f))
		}
	})
	return err
}

// Given reports whether the command line contains a flag. A switch set to false does not count.
func Given(cmd *cobra.Command, flag string) bool {
	f := cmd.Flags().Lookup(flag)
	return f != nil && f.Changed && (f.Value.Type() != "bool" || f.Value.String() == "true")
}

// flagText returns a flag of a command as users type it.
func flagText(cmd *cobra.Command, flag string) string {
	if f := cmd.Flags().Lookup(flag); f != nil {
		return FlagName(f)
	}
	return "--" + flag
}
