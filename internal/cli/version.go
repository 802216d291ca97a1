package cli

import (
	"io"

	"github.com/spf13/cobra"

	"pillbox/internal/version"
)

// VersionCommand returns the command version. The text long is appended to the command's help; it should explain to users
// of this program what they can do with the hash of the renderer. The function print prints the version to out; with the
// flag --licenses, the command writes the licenses to out instead.
func VersionCommand(long string, out io.Writer, print func() error) *cobra.Command {
	var licenses bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Long: `Print the version of the program, the commit it was built from, the hash of the
renderer's source, and its target. ` + long,
		Args:              WantArgs(0, 0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			if licenses {
				return version.WriteLicenses(out)
			}
			return print()
		},
	}
	cmd.Flags().BoolVar(&licenses, "licenses", false, "print the licenses of Pillbox and of all works that it contains")
	return cmd
}
