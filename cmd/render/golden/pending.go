package golden

import (
	"context"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/suite"
)

func goldenPendingCommand(p *command.Env) *cobra.Command {
	l := &listing{goldens: goldens{Env: p}}
	cmd := &cobra.Command{
		Use:   "pending [SCENE...]",
		Short: "List changes that are not accepted yet",
		Long: `List the scenes whose pictures are not the accepted ones. The command writes nothing,
and pending pictures do not make it fail.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.run(cmd.Context(), args)
		},
	}
	l.flags(cmd)
	l.limitFlag(cmd)
	l.allFlag(cmd)
	command.JSONFlag(cmd, &l.json, "print each verdict as a JSON object")
	return cmd
}

// listing holds the flags of one run of `render golden pending`.
type listing struct {
	goldens
	json bool
}

func (l *listing) run(ctx context.Context, scenes []string) error {
	refs, err := l.find(scenes)
	if err != nil {
		return err
	}
	worst := cli.StatusDone
	study := func(r *suite.Result) {
		r.Study(ctx)
		r.Release()
	}
	printer := resultPrinter{goldens: &l.goldens, json: l.json}
	for r := range suite.Run(ctx, l.Options, refs, study) {
		if ctx.Err() == nil {
			l.printWarnings(r)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case r.Verdict == suite.Failed:
			l.printFailure(r)
			worst = max(worst, status(r))
		case !r.Verdict.Pending():
			continue
		}
		if l.json || r.Verdict.Pending() {
			printer.print(r)
		}
	}
	printer.end()
	if worst != cli.StatusDone {
		return &cli.Failure{Status: worst}
	}
	return nil
}
