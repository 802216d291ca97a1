// Package version contains the command "render version".
package version

import (
	"io"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/version"
)

// New returns the command version in an environment.
func New(p *command.Env) *cobra.Command {
	cmd := cli.VersionCommand(`Programs whose renderers have the same hash render
the same pixels.`, p.Out, func() error { return WriteVersion(p) })
	cmd.GroupID = command.GroupProgram
	return cmd
}

// WriteVersion prints the version of the program.
func WriteVersion(p *command.Env) error {
	_, err := io.WriteString(p.Out, version.Describe("render", pillbox.SourceHash()))
	return err
}
