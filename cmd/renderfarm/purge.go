//go:build !js && !plan9

package main

import (
	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/text"
)

func (p *program) purgeCommand() *cobra.Command {
	var a farm.Access
	cmd := &cobra.Command{
		Use:   "purge URL",
		Short: "Delete all results, and switch the farm to this program's renderer",
		Long: `Cancel all jobs and delete all results. From then on the farm accepts the programs that
have the same renderer as this one, and workers with another renderer end. The files
of scenes stay.`,
		Args: cli.WantArgs(1, 1, "the URL of a server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.URL = args[0]
			n, err := farm.Purge(cmd.Context(), cmd.CommandPath(), a)
			if err != nil {
				return unconnected(cmd, err)
			}
			p.err.Printf("renderfarm: deleted %s\n", text.Count(n, "result"))
			return nil
		},
	}
	accessFlags(cmd, &a)
	return cmd
}
