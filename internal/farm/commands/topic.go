package commands

import (
	"github.com/spf13/cobra"

	"pillbox/internal/command"
)

// newTopic returns the help topic about the flags with which commands render on a farm.
func newTopic(*command.Env) *cobra.Command {
	topic := &cobra.Command{
		Use:   "farm",
		Short: "Flags for rendering on many machines",
	}
	topic.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		flags := new(cobra.Command)
		new(farmFlags).add(flags)
		cmd.Printf(`render SCENE and render animate can render on the workers of a farm, which the program
renderfarm serves. docs/farm.md describes it.

Flags:
%s
Examples:
  render scene.toml --farm local:4                 in four processes on this machine
  render scene.toml --farm nats://farm:4222        on the workers of a farm
`, flags.Flags().FlagUsages())
	})
	return topic
}
