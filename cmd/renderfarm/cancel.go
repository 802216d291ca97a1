//go:build !js && !plan9

package main

import (
	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
)

func (p *program) cancelCommand() *cobra.Command {
	var a farm.Access
	cmd := &cobra.Command{
		Use:   "cancel URL JOB",
		Short: "Cancel a job; finished units are kept",
		Args:  cli.WantArgs(2, 2, "the URL of a server and a job"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := connect(cmd.Context(), cmd, args[0], a)
			if err != nil {
				return err
			}
			defer f.Close()
			return cli.Unavailable(f.Cancel(cmd.Context(), args[1]))
		},
	}
	accessFlags(cmd, &a)
	return cmd
}
