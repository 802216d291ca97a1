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
renderer's source, and its target. Programs whose renderers have the same hash render
the same pixels.`,
		GroupID:           groupProgram,
		Args:              cli.WantArgs(0, 0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return p.writeVersion() },
	}
}

func (p *program) writeVersion() error {
	_, err := io.WriteString(p.out, version.Describe("render", pillbox.SourceHash()))
	return err
}
