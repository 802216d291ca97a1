// Package program assembles the program render from the commands of the core and those of wings.
package program

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillbox/cmd/render/animate"
	"pillbox/cmd/render/bench"
	"pillbox/cmd/render/cast"
	"pillbox/cmd/render/check"
	"pillbox/cmd/render/completion"
	"pillbox/cmd/render/contact"
	"pillbox/cmd/render/diff"
	"pillbox/cmd/render/dump"
	"pillbox/cmd/render/explain"
	"pillbox/cmd/render/golden"
	"pillbox/cmd/render/hash"
	"pillbox/cmd/render/picture"
	"pillbox/cmd/render/starter"
	"pillbox/cmd/render/version"
	"pillbox/internal/cli"
	"pillbox/internal/command"
)

// New returns the tree of commands in an environment.
func New(p *command.Env) *cobra.Command {
	root := picture.New(p)
	root.SilenceErrors = true // [command.Env.Report] prints errors
	root.SilenceUsage = true
	root.CompletionOptions.DisableDefaultCmd = true // the program has a smaller completion command
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVar(&p.Quiet, "quiet", false, "suppress progress, notes and warnings")

	root.PersistentFlags().BoolVar(&p.Attached, "attached", false, "for programs that run this one: end when standard input ends, print progress as JSON")
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		if p.Attached {
			p.Err.Events = true
			ctx, interrupt := context.WithCancel(cmd.Context())
			p.Interrupt = interrupt
			cmd.SetContext(ctx)
		}
	}

	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) { cli.Help(cmd, func() { help(cmd, args) }) })
	root.SetHelpCommand(cli.HelpCommand())
	root.SetHelpCommandGroupID(command.GroupProgram)
	root.AddCommand(
		animate.New(p),
		bench.New(p),
		cast.New(p),
		check.New(p),
		completion.New(p),
		contact.New(p),
		diff.New(p),
		dump.New(p),
		explain.New(p),
		golden.New(p),
		hash.New(p),
		starter.New(p),
		starter.NewSchema(p),
		version.New(p),
		picture.NewWatch(p),
	)
	for _, w := range p.Wings {
		root.AddCommand(w.Commands(p)...)
	}
	addGroups(root)
	return root
}

// addGroups adds the groups of the help to which commands of root belong.
func addGroups(root *cobra.Command) {
	for _, group := range []*cobra.Group{
		{ID: command.GroupPictures, Title: "Pictures:"},
		{ID: command.GroupScenes, Title: "Scenes:"},
		{ID: command.GroupCourse, Title: "The course:"},
		{ID: command.GroupProgram, Title: "The program:"},
	} {
		if slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.GroupID == group.ID }) {
			root.AddGroup(group)
		}
	}
}

// flagError returns the error for an invalid flag. An unknown flag may belong to a wing that this build lacks.
func flagError(cmd *cobra.Command, err error) error {
	result := cli.FlagError(cmd, err)
	var unknown *pflag.NotExistError
	if missing := command.MissingWings(); missing != "" && errors.As(err, &unknown) {
		return cli.Misuse(cmd, "unknown flag --%s; %s", unknown.GetSpecifiedName(), missing)
	}
	return result
}
