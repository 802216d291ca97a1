// Package commands contains the commands of the playground for the program render.
package commands

import (
	"github.com/spf13/cobra"

	"pillbox/internal/command"
)

// Wing adds the playground to the program.
func Wing() command.Wing {
	return command.Wing{
		Name:     "play",
		Commands: func(p *command.Env) []*cobra.Command { return []*cobra.Command{newServe(p), newPage(p)} },
	}
}
