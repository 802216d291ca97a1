package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillbox/internal/text"
)

// HelpCommand returns the command help. It replaces Cobra's, which exits with status 0 if the command does not exist.
func HelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Show what a command does and its flags",
		ValidArgsFunction: completeCommands,
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if len(args) == 1 && args[0] == cmd.Root().Name() {
				topic, rest, err = cmd.Root(), nil, nil
			}
			if err != nil || len(rest) > 0 {
				return Misuse(cmd.Root(), "no command %q to show help for", strings.Join(args, " "))
			}
			topic.InitDefaultHelpFlag()
			topic.InitDefaultVersionFlag()
			return topic.Help()
		},
	}
}

// topic is the annotation of a flag that a help topic describes, with the name of the topic.
const topic = "help topic"

// UnderTopic moves flags of a command from its help to a help topic.
func UnderTopic(cmd *cobra.Command, name string, flags ...string) {
	for _, flag := range flags {
		Must(cmd.Flags().SetAnnotation(flag, topic, []string{name}))
	}
}

// Help prints the help of a command without the flags that a help topic describes. show prints all flags that are not
// hidden.
func Help(cmd *cobra.Command, show func()) {
	var moved []*pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[topic] != nil && !f.Hidden {
			f.Hidden = true
			moved = append(moved, f)
		}
	})
	show()
	for _, f := range moved {
		f.Hidden = false
	}
}

// completeCommands completes the names of commands.
func completeCommands(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	parent, _, err := cmd.Root().Find(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []cobra.Completion
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), prefix) {
			found = append(found, cobra.CompletionWithDesc(c.Name(), c.Short))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// SimilarCommand returns the subcommand of cmd whose name resembles a misspelled or incomplete name, or "" if none does.
func SimilarCommand(cmd *cobra.Command, name string) string {
	const leastPrefix = 3 // letters
	var known []string
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		if len(name) >= leastPrefix && strings.HasPrefix(c.Name(), strings.ToLower(name)) {
			return c.Name()
		}
		known = append(known, c.Name())
	}
	return text.ClosestWord(name, known)
}

// WantCommand is an argument check for a command that requires a subcommand. Use it with [ShowHelp].
func WantCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return Misuse(cmd, "no command %q%s", args[0], text.DidYouMean(SimilarCommand(cmd, args[0]), "'%s'"))
}

// ShowHelp prints the help of a command that was called without its required subcommand, and returns an error.
func ShowHelp(cmd *cobra.Command, to *Screen) error {
	cmd.SetOut(to)
	_ = cmd.Help()
	return &Failure{Status: StatusWrong}
}
