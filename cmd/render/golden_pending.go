package main

import (
	"context"

	"github.com/spf13/cobra"
)

func (p *program) goldenPendingCommand() *cobra.Command {
	l := &listing{goldens: goldens{program: p}}
	cmd := &cobra.Command{
		Use:   "pending [SCENE...]",
		Short: "List what waits to be accepted",
		Long: `List the scenes whose pictures are not the accepted ones. Nothing is written, and
something pending is no failure.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.run(cmd.Context(), args)
		},
	}
	l.flags(cmd)
	jsonFlag(cmd, &l.json, "print each verdict as a JSON object")
	return cmd
}

// listing is one call of golden pending.
type listing struct {
	goldens
	json bool
}

func (l *listing) run(ctx context.Context, scenes []string) error {
	refs, err := l.find(scenes)
	if err != nil {
		return err
	}
	status := statusDone
	study := func(j *judgement) {
		j.study(ctx)
		j.forget()
	}
	for j := range l.judgements(ctx, refs, study) {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case j.verdict == failed:
			l.tell(j)
			status = max(status, j.status())
		case !j.verdict.pending():
			continue
		}
		switch {
		case l.json:
			printJSON(l.out, []goldenRecord{l.record(j)})
		case j.verdict.pending():
			l.printLine(j)
		}
	}
	if status != statusDone {
		return &failure{status: status}
	}
	return nil
}
