package check

import (
	"context"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/overlap"
	"pillbox/problem"
	"pillbox/scene"
)

// overlapsMode is the value of --overlaps: how check reports solids that overlap or touch.
type overlapsMode string

const (
	overlapsInfo  overlapsMode = "info"  // list them
	overlapsError overlapsMode = "error" // list them and fail
	overlapsOff   overlapsMode = "off"   // do not search for them
)

// mostOverlaps is the largest number of pairs that are listed per scene; further ones are only counted.
const mostOverlaps = 1000

func overlapsFlag(cmd *cobra.Command, mode *overlapsMode) {
	*mode = overlapsInfo
	modes := []overlapsMode{overlapsInfo, overlapsError, overlapsOff}
	cmd.Flags().Var(cli.Word(mode, "MODE", modes), "overlaps", "treat solids that overlap or touch as: info, error or off")
	cli.Must(cmd.RegisterFlagCompletionFunc("overlaps", cobra.FixedCompletions(
		[]cobra.Completion{string(overlapsInfo), string(overlapsError), string(overlapsOff)},
		cobra.ShellCompDirectiveNoFileComp)))
}

// checkOverlaps prints the pairs of solids of a valid scene that overlap or touch. With --quiet it prints them only if
// they are errors.
func (c *checking) checkOverlaps(ctx context.Context, s *scene.Scene, data []byte) error {
	if c.overlaps == overlapsOff || c.Quiet && c.overlaps == overlapsInfo {
		return nil
	}
	all := 0
	notes, err := command.Await(ctx, func() (problem.Errors, error) {
		var notes problem.Errors
		notes, all = overlap.Describe(s, data, mostOverlaps)
		return notes, nil
	})
	if err != nil {
		return err
	}
	if c.overlaps == overlapsError {
		c.errors += all
		c.overlapping = c.overlapping || len(notes) > 0 // notes may also say that not all pairs were examined
		for _, n := range notes {
			n.Severity = problem.SeverityError
		}
	}
	c.print(notes)
	return nil
}
