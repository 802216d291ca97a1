// Package commands contains the commands of the importers and exporters for the program render.
package commands

import (
	"github.com/spf13/cobra"

	"pillbox/internal/command"
)

// Wing adds the importers and exporters to the program.
func Wing() command.Wing {
	return command.Wing{
		Name: "convert",
		Commands: func(p *command.Env) []*cobra.Command {
			return []*cobra.Command{newImport(p), newExport(p), newFit(p)}
		},
		OtherFile: otherFile,
	}
}
