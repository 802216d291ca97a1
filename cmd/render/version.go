package main

import (
	"io"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/version"
)

func (p *program) versionCommand() *cobra.Command {
	cmd := cli.VersionCommand(`Programs whose renderers have the same hash render
the same pixels.`, p.writeVersion)
	cmd.GroupID = groupProgram
	return cmd
}

func (p *program) writeVersion() error {
	_, err := io.WriteString(p.out, version.Describe("render", pillbox.SourceHash()))
	return err
}
