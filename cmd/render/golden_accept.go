package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/osfile"
	"pillbox/suite"
)

func (p *program) goldenAcceptCommand() *cobra.Command {
	a := &accepting{goldens: goldens{program: p}}
	cmd := &cobra.Command{
		Use:   "accept SCENE... | --all",
		Short: "Make what scenes give the accepted pictures",
		Long: `Render scenes and make their pictures the accepted ones, with an exact copy of the
scene and of the other files that it reads beside each. Accepting an orphan removes
it. A picture whose pixels are the accepted ones already stays as it is.

--all accepts whatever is pending but orphans, and renews copies of scenes that
changed without changing a pixel. What is within its tolerance stays, so that it
cannot drift. Orphans stay, too: their scenes may lie elsewhere.`,
		Example: `  render golden accept demo
  render golden accept --all`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.all && len(args) > 0 || !a.all && len(args) == 0 {
				return cli.Misuse(cmd, "want scenes or --all, got %s", cli.Quoted(args))
			}
			return a.run(cmd.Context(), args)
		},
	}
	a.flags(cmd)
	cmd.Flags().BoolVar(&a.all, "all", false, "accept whatever is pending but orphans")
	return cmd
}

// accepting is one call of golden accept.
type accepting struct {
	goldens
	all bool
}

func (a *accepting) run(ctx context.Context, scenes []string) error {
	refs, err := a.find(scenes)
	if err != nil {
		return err
	}
	worst := cli.StatusDone
	var begun string // a folder of goldens that was not there before
	if len(refs) > 0 && !osfile.Exists(filepath.Dir(refs[0].Picture())) {
		begun = filepath.Dir(refs[0].Picture())
	}
	for r := range suite.Run(ctx, a.Options, refs, func(r *suite.Result) { a.settle(ctx, r) }) {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case r.Outcome != "":
			a.out.Printf("%s: %s\n", r.Name, r.Outcome)
		case r.Verdict == suite.Orphan:
			a.explain(fmt.Errorf("%s and stays; '%s' removes it", r.Gone(), a.acceptCommand(&r.Reference)))
		case r.Verdict == suite.Failed:
			a.printFailure(r)
			worst = max(worst, status(r))
		}
	}
	if begun != "" && osfile.Exists(begun) {
		a.note("%s belongs into version control, but for *.new.png and *.diff.png, which checks and reviews leave there: add them to .gitignore", begun)
	}
	if worst != cli.StatusDone {
		return &cli.Failure{Status: worst}
	}
	return nil
}

// settle accepts a result, while other scenes render. Where the picture or the sidecar cannot be
// read, that takes the scene's name on the command line.
func (a *accepting) settle(ctx context.Context, r *suite.Result) {
	defer r.Release()
	if ctx.Err() != nil || a.all && !r.NeedsAccept() {
		return
	}
	if err := r.Accept(a.files.Write); err != nil {
		r.SetFailed(err)
	}
}
