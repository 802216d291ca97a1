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
	return cli.VersionCommand("All programs of a farm must have the same renderer.", p.out, func() error {
		_, err := io.WriteString(p.out, version.Describe("renderfarm", pillbox.SourceHash()))
		return err
	})
}
