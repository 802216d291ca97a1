// Package program assembles the program render from the commands of the core and those of wings.
package program

import (
	"context"
	"errors"
	"slices"
	"strings"

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
	"pillbox/internal/osfile"
)

// New returns the tree of all commands in an environment.
func New(p *command.Env) *cobra.Command { return newFor(p, nil) }

// newFor returns a tree of commands that handles the arguments of the program as the tree of all commands does. To make a
// command with its flags takes longer than many runs.
func newFor(p *command.Env, args []string) *cobra.Command {
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
	for _, c := range needed(constructors(p.Wings), args) {
		root.AddCommand(c.New(p))
	}
	addGroups(root)
	return root
}

// constructors returns the constructors of all commands.
func constructors(wings []command.Wing) []command.Constructor {
	all := []command.Constructor{
		{Name: "animate", New: animate.New},
		{Name: "bench", New: bench.New},
		{Name: "cast", New: cast.New},
		{Name: "check", New: check.New},
		{Name: "completion", New: completion.New},
		{Name: "contact", New: contact.New},
		{Name: "diff", New: diff.New},
		{Name: "dump", New: dump.New},
		{Name: "explain", New: explain.New},
		{Name: "golden", New: golden.New},
		{Name: "hash", New: hash.New},
		{Name: "init", New: starter.New},
		{Name: "schema", New: starter.NewSchema},
		{Name: "version", New: version.New},
		{Name: "watch", New: picture.NewWatch},
	}
	for _, w := range wings {
		all = append(all, w.Commands...)
	}
	return all
}

// needed returns the constructors of the commands that the arguments can need. If the first argument is a file and not the name of a
// command, the root alone is enough. Help, completion and errors about names may need all commands.
func needed(all []command.Constructor, args []string) []command.Constructor {
	if len(args) == 0 || args[0] == "completion" || args[0] == cobra.ShellCompRequestCmd || slices.ContainsFunc(args, asksForHelp) {
		return all
	}
	if i := slices.IndexFunc(all, func(c command.Constructor) bool { return c.Name == args[0] }); i >= 0 {
		return all[i : i+1]
	}
	if osfile.Exists(args[0]) {
		return nil
	}
	return all
}

// asksForHelp reports whether an argument may be a request for help.
func asksForHelp(arg string) bool {
	return arg == "help" || strings.HasPrefix(arg, "--help") || strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.Contains(arg, "h")
}

// addGroups adds the groups of the help to which commands of root belong.
func addGroups(root *cobra.Command) {
	for _, group := range []*cobra.Group{
		{ID: command.GroupPictures, Title: "Pictures:"},
		{ID: command.GroupScenes, Title: "Scenes:"},
		{ID: command.GroupCourse, Title: "The course:"},
		{ID: command.GroupProgram, Title: "The program:"},
	} {
		// The commands of help are always there.
		if group.ID == command.GroupProgram || slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.GroupID == group.ID }) {
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
