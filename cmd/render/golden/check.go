package golden

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/sniff"
	"pillbox/internal/text"
	"pillbox/suite"
)

func goldenCheckCommand(p *command.Env) *cobra.Command {
	c := &goldenChecking{goldens: goldens{Env: p}}
	cmd := &cobra.Command{
		Use:   "check [SCENE...]",
		Short: "Compare pictures of scenes with the accepted ones",
		Long: `Render scenes, all of scenes/ if none is given, and compare the pictures with the
accepted ones: identical, within tolerance, changed, of another size, new, missing
(accepted, but the picture is gone) or orphan (accepted, but the scene is gone).

Other pictures are written beside their golden as NAME.new.png. The exit status is 1
unless every scene is identical or within its tolerance.`,
		Example: `  render golden check
  render golden check demo box
  render golden check --all
  render golden check --ci --junit golden.xml --github`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.cmd = cmd
			return c.run(cmd.Context(), args)
		},
	}
	c.flags(cmd)
	c.limitFlag(cmd)
	c.allFlag(cmd)
	cmd.Flags().BoolVar(&c.ci, "ci", false, "do not write NAME.new.png")
	cmd.Flags().Var(cli.Text(&c.junit, "FILE"), "junit", "write the verdicts to FILE as JUnit XML")
	cmd.Flags().BoolVar(&c.github, "github", false, "print annotations for GitHub Actions and append a table to the job's summary")
	command.JSONFlag(cmd, &c.json, "print each verdict as a JSON object")
	return cmd
}

// goldenChecking holds the flags of one run of `render golden check`.
type goldenChecking struct {
	goldens
	cmd    *cobra.Command
	ci     bool
	junit  string // file name
	github bool
	json   bool
}

func (c *goldenChecking) run(ctx context.Context, scenes []string) error {
	if c.json && c.github {
		return cli.Misuse(c.cmd, "--json and --github cannot share standard output")
	}
	refs, err := c.find(scenes)
	if err != nil {
		return err
	}
	if err := c.checkJUnit(refs); err != nil {
		return err
	}
	worst := cli.StatusDone
	counts := make(suite.Tally)
	var done []*suite.Result
	printer := resultPrinter{goldens: &c.goldens, json: c.json, proposals: !c.ci, shorten: true}
	for r := range suite.Run(ctx, c.Options, refs, func(r *suite.Result) { c.finish(ctx, r) }) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := c.Protect(r.OtherFiles...); err != nil {
			return err
		}
		if r.Verdict == suite.Failed {
			c.printFailure(r)
		}
		c.printWarnings(r)
		printer.print(r)
		counts[r.Verdict]++
		worst = max(worst, status(r))
		done = append(done, r)
	}
	printer.end()
	if !c.json {
		c.Out.Printf("%v\n", counts)
	}
	if !counts.Passes() && !c.ci {
		c.Note("'render golden review' shows what changed, 'render golden report' writes a page")
	}
	c.warnOfConflicts(done)
	if err := c.publish(done); err != nil {
		return err
	}
	if worst != cli.StatusDone {
		return &cli.Failure{Status: worst}
	}
	return nil
}

// warnOfConflicts states what to do about goldens with merge conflicts.
func (c *goldenChecking) warnOfConflicts(done []*suite.Result) {
	done = slices.DeleteFunc(slices.Clone(done), func(r *suite.Result) bool { return r.Verdict.Passes() })
	if len(done) == 0 {
		return
	}
	merged, n := readIndex(), 0
	for _, r := range done {
		if merged.isConflict(r) {
			n++
		}
	}
	if n > 0 {
		c.Warn("%s in a merge conflict: resolve the scenes, then 'render golden resolve' writes the goldens anew", text.Count(n, "golden"))
	}
}

func (c *goldenChecking) checkJUnit(refs []suite.Reference) error {
	if !c.cmd.Flags().Changed("junit") {
		return nil
	}
	if c.junit == command.Standard {
		return cli.Misuse(c.cmd, "standard output is for the verdicts; give --junit a file")
	}
	return c.checkReport(c.cmd, c.junit, sniff.XML, refs)
}

// finish completes a result: it searches for the cause of a difference and, unless --ci is given, writes or
// removes the files beside the golden. Because these steps are slow, other scenes render meanwhile.
func (c *goldenChecking) finish(ctx context.Context, r *suite.Result) {
	r.Study(ctx)
	if !c.ci && ctx.Err() == nil {
		if err := r.UpdateProposal(c.Files.Write); err != nil {
			failProposal(r, err)
		}
	}
	r.Release()
}

// failProposal marks a result as failed because its file NAME.new.png could not be written or removed. The
// error also contains the verdict and the cause that the result had before.
func failProposal(r *suite.Result, err error) {
	if r.Verdict == suite.Failed {
		return // the first error remains
	}
	found := r.Summary()
	if cause := r.Cause(); cause != "" {
		found += "; " + cause
	}
	r.SetFailed(&cli.Failure{
		Status: cli.StatusFile,
		Err:    fmt.Errorf("%s; %w", found, err),
		Hint:   "--ci compares without leaving pictures behind",
	})
}

// publish writes the reports for other programs.
func (c *goldenChecking) publish(done []*suite.Result) error {
	if c.junit != "" {
		err := c.Files.Write(c.junit, func(w io.Writer) error { return suite.WriteJUnit(w, done, repositoryPath) })
		if err != nil {
			return err
		}
	}
	if c.github {
		return c.annotate(done)
	}
	return nil
}

// summaryVariable names the environment variable with the path of the step summary in GitHub Actions.
const summaryVariable = "GITHUB_STEP_SUMMARY"

// annotate prints annotations for GitHub Actions and appends to the step's summary.
func (c *goldenChecking) annotate(done []*suite.Result) error {
	for _, line := range suite.GitHubAnnotations(done, repositoryPath) {
		c.Out.Printf("%s\n", cli.Fitted(line))
	}
	name := os.Getenv(summaryVariable)
	if name == "" {
		return nil
	}
	return c.Files.Append(name, suite.MarkdownSummary(done, c.acceptCommand))
}
