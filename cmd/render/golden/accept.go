package golden

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/suite"
)

func goldenAcceptCommand(p *command.Env) *cobra.Command {
	a := &accepting{goldens: goldens{Env: p}}
	cmd := &cobra.Command{
		Use:   "accept SCENE... | --all [FOLDER...]",
		Short: "Accept the current pictures of scenes",
		Long: `Render scenes and accept their pictures. An exact copy of the scene and the other
files that it reads are stored beside each picture. Accepting an orphan removes it. A
picture whose pixels are already accepted is not written again.

--all accepts everything that is pending in this folder and in all folders below, or in the
given folders. It does not accept orphans, whose scenes may be in another folder, and updates
the copies of scenes that changed without changing a pixel. Pictures within their tolerance are
not replaced, so that they cannot drift.`,
		Example: `  render golden accept demo
  render golden accept --all`,
		RunE: func(cmd *cobra.Command, args []string) error {
			notFolder := slices.IndexFunc(args, func(arg string) bool {
				info, err := os.Stat(arg)
				return err != nil || !info.IsDir()
			})
			if a.all && notFolder >= 0 || !a.all && len(args) == 0 {
				return cli.Misuse(cmd, "want scenes or --all, got %s", cli.Quoted(args))
			}
			return a.run(cmd.Context(), args)
		},
	}
	a.flags(cmd)
	cmd.Flags().BoolVar(&a.all, "all", false, "accept everything that is pending except orphans")
	return cmd
}

// accepting holds the flags of one run of `render golden accept`.
type accepting struct {
	goldens
	all bool
}

func (a *accepting) run(ctx context.Context, scenes []string) error {
	a.All = a.all && len(scenes) == 0
	refs, err := a.find(scenes)
	if err != nil {
		return err
	}
	worst := cli.StatusDone
	var begun string // a folder of goldens that did not exist before
	if len(refs) > 0 && !osfile.Exists(filepath.Dir(refs[0].Picture())) {
		begun = filepath.Dir(refs[0].Picture())
	}
	for r := range suite.Run(ctx, a.Options, refs, func(r *suite.Result) { a.acceptResult(ctx, r) }) {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case r.Outcome != "":
			a.Out.Printf("%s: %s\n", r.Name, r.Outcome)
		case r.Verdict == suite.Orphan:
			a.Report(fmt.Errorf("%s and stays; '%s' removes it", r.Gone(), a.acceptCommand(&r.Reference)))
		case r.Verdict == suite.Damaged:
			a.Report(fmt.Errorf("%s stays damaged, because its picture is not exactly the accepted one; '%s' accepts both", r.Name, a.acceptCommand(&r.Reference)))
		case r.Verdict == suite.Failed:
			a.printFailure(r)
			worst = max(worst, status(r))
		}
	}
	if err := suite.DropUnused(a.Files.Rewrite, refs); err != nil {
		return err
	}
	if begun != "" && osfile.Exists(begun) {
		a.Note("commit %s to version control, except *.new.png and *.diff.png, which checks and reviews write: add those to .gitignore", begun)
	}
	if worst != cli.StatusDone {
		return &cli.Failure{Status: worst}
	}
	return nil
}

// acceptResult accepts a result; meanwhile, other scenes render. With --all it skips results that
// [suite.Result.NeedsAccept] rejects. It also skips results whose picture or sidecar cannot be read.
func (a *accepting) acceptResult(ctx context.Context, r *suite.Result) {
	defer r.Release()
	if ctx.Err() != nil || a.all && !r.NeedsAccept() {
		return
	}
	if err := r.Accept(a.Files.Rewrite); err != nil {
		r.SetFailed(err)
	}
}
