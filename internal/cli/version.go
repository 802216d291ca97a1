package cli

import (
	"github.com/spf13/cobra"
)

// VersionCommand returns the command version. The text long is appended to the command's help; it should explain to users
// of this program what they can do with the hash of the renderer. The function print prints the version.
func VersionCommand(long string, print func() error) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Long: `Print the version of the program, the commit it was built from, the hash of the
renderer's source, and its target. ` + long,
		Args:              WantArgs(0, 0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return print() },
	}
}
