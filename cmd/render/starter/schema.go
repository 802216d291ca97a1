package starter

import (
	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/scene"
)

// NewSchema returns the command schema in an environment.
func NewSchema(p *command.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of scenes",
		Long: `Print the JSON Schema of the scene format, with which editors complete and check
scenes. Save it as scene.schema.json beside a scene that begins with the line
"#:schema ./scene.schema.json".`,
		Example:           `  render schema > scene.schema.json`,
		GroupID:           command.GroupScenes,
		Args:              cli.WantArgs(0, 0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			_, err := p.Out.Write(scene.Schema())
			return err
		},
	}
}
