package main

import (
	"context"
	"github.com/spf13/cobra"

	"pillbox/internal/cli"
)

// The groups of commands in the help text.
const (
	groupScenes   = "scenes"
	groupPictures = "pictures"
	groupCourse   = "course"
	groupProgram  = "program"
)

// command returns the tree of commands, bound to p.
func (p *program) command() *cobra.Command {
	root := p.renderCommand()
	root.SilenceErrors = true // [program.explain] prints errors
	root.SilenceUsage = true
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.DisableDefaultCmd = true // the program has a smaller completion command
	root.SetFlagErrorFunc(cli.FlagError)
	root.PersistentFlags().BoolVar(&p.quiet, "quiet", false, "suppress progress, notes and warnings")

	root.PersistentFlags().BoolVar(&p.attached, "attached", false, "for programs that run this one: end when standard input ends, print progress as JSON")
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		if p.attached {
			p.err.Events = true
			ctx, interrupt := context.WithCancel(cmd.Context())
			p.interrupt = interrupt
			cmd.SetContext(ctx)
		}
	}

	root.AddGroup(
		&cobra.Group{ID: groupPictures, Title: "Pictures:"},
		&cobra.Group{ID: groupScenes, Title: "Scenes:"},
		&cobra.Group{ID: groupCourse, Title: "The course:"},
		&cobra.Group{ID: groupProgram, Title: "The program:"},
	)
	root.SetHelpCommand(cli.HelpCommand())
	root.SetHelpCommandGroupID(groupProgram)
	root.AddCommand(
		p.animateCommand(),
		p.assembleCommand(),
		p.benchCommand(),
		p.castCommand(),
		p.checkCommand(),
		p.completionCommand(),
		p.contactCommand(),
		p.diffCommand(),
		p.dumpCommand(),
		p.explainCommand(),
		p.exportCommand(),
		p.fitCommand(),
		p.goldenCommand(),
		p.gradeCommand(),
		p.hashCommand(),
		p.importCommand(),
		p.initCommand(),
		p.schemaCommand(),
		p.serveCommand(),
		p.vectorsCommand(),
		p.versionCommand(),
		p.watchCommand(),
	)
	return root
}
