package golden

import (
	"context"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/sniff"
	"pillbox/suite"
)

func goldenReportCommand(p *command.Env) *cobra.Command {
	r := &reporting{goldens: goldens{Env: p}}
	cmd := &cobra.Command{
		Use:   "report [SCENE...] [-o FILE]",
		Short: "Write a page that shows what changed",
		Long: `Write one HTML file that shows all pictures that are not as accepted, failures first:
side by side, under a slider, blinking, with their difference, the solids, the numbers,
the cause, and the command that accepts each. The file needs only a browser.`,
		Example: `  render golden report
  render golden report demo -o demo.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.cmd = cmd
			return r.run(cmd.Context(), args)
		},
	}
	r.flags(cmd)
	r.limitFlag(cmd)
	r.allFlag(cmd)
	r.output = "report.html"
	cmd.Flags().VarP(cli.Text(&r.output, "FILE"), "output", "o", "write the page to FILE, or to standard output if it is -")
	cli.Must(cmd.MarkFlagFilename("output", "html"))
	return cmd
}

// reporting holds the flags of one run of `render golden report`.
type reporting struct {
	goldens
	cmd    *cobra.Command
	output string // file name
}

func (r *reporting) run(ctx context.Context, scenes []string) error {
	refs, err := r.find(scenes)
	if err != nil {
		return err
	}
	if err := r.checkReport(r.cmd, r.output, sniff.HTML, refs); err != nil {
		return err
	}
	report, err := suite.MakeReport(ctx, r.Options, refs, r.acceptCommand)
	if err != nil {
		return err
	}
	worst, err := r.failures(report)
	if err != nil {
		return err
	}
	if err := r.WriteOutput(ctx, r.output, report.WriteHTML); err != nil {
		return err
	}
	r.Note("%s: %s", r.output, report.Tally)
	if worst != cli.StatusDone {
		return &cli.Failure{Status: worst}
	}
	return nil
}

// failures prints which scenes failed and returns the resulting exit status. It returns an error if the page would
// replace a file that was read.
func (r *reporting) failures(report *suite.Report) (worst int, err error) {
	for _, result := range report.Results {
		if err := r.Protect(result.OtherFiles...); err != nil {
			return 0, err
		}
		r.printWarnings(result)
		if result.Verdict == suite.Failed {
			r.printFailure(result)
			worst = max(worst, status(result))
		}
	}
	return worst, nil
}
