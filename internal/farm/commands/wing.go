// Package commands contains the commands of the render farm for the program render.
package commands

import (
	"github.com/spf13/cobra"

	"pillbox/internal/command"
)

// Wing adds the render farm to the program.
func Wing() command.Wing {
	return command.Wing{
		Name:     "farm",
		Commands: func(p *command.Env) []*cobra.Command { return []*cobra.Command{newAssemble(p), newTopic()} },
		Delegate: newDelegate,
	}
}
