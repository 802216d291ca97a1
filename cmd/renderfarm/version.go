//go:build !js && !plan9

package main

import (
	"io"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/version"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Long: `Print the version of the program, the commit it was built from, the hash of the
renderer's source, and its target. All programs of a farm must have the same renderer.`,
		Args: cli.WantArgs(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(p.out, version.Describe("renderfarm", pillbox.SourceHash()))
			return err
		},
	}
}
