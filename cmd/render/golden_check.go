package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

func (p *program) goldenCheckCommand() *cobra.Command {
	c := &goldenChecking{goldens: goldens{program: p}}
	cmd := &cobra.Command{
		Use:   "check [SCENE...]",
		Short: "Compare what scenes give with what was accepted",
		Long: `Render scenes, all of scenes/ if none is given, and compare the pictures with the
accepted ones: identical, within tolerance, changed, of another size, new, missing
(accepted, but the picture is gone) or orphan (accepted, but the scene is gone).

What is not as accepted is left beside the golden as NAME.new.png. The exit status
is 1 unless every scene is identical or within its tolerance.`,
		Example: `  render golden check
  render golden check demo box
  render golden check --ci --junit golden.xml --github`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.cmd = cmd
			return c.run(cmd.Context(), args)
		},
	}
	c.flags(cmd)
	cmd.Flags().BoolVar(&c.ci, "ci", false, "leave no NAME.new.png behind")
	cmd.Flags().StringVar(&c.junit, "junit", "", "write the verdicts to `FILE` as JUnit XML")
	cmd.Flags().BoolVar(&c.github, "github", false, "print annotations for GitHub Actions and append a table to the job's summary")
	jsonFlag(cmd, &c.json, "print each verdict as a JSON object")
	return cmd
}

// goldenChecking is one call of golden check.
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
		return misuse(c.cmd, "--json and --github cannot share standard output")
	}
	refs, err := c.find(scenes)
	if err != nil {
		return err
	}
	if err := c.checkJUnit(refs); err != nil {
		return err
	}
	status := statusDone
	counts := make(tally)
	var done []*judgement
	for j := range c.judgements(ctx, refs, func(j *judgement) { c.finish(ctx, j) }) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := c.spare(j.tables...); err != nil {
			return err
		}
		c.print(j)
		counts[j.verdict]++
		status = max(status, j.status())
		done = append(done, j)
	}
	if !c.json {
		fmt.Fprintln(c.out, counts)
	}
	if !counts.pass() && !c.ci {
		c.note("'render golden review' shows what changed, 'render golden report' writes a page")
	}
	if err := c.publish(done); err != nil {
		return err
	}
	if status != statusDone {
		return &failure{status: status}
	}
	return nil
}

func (c *goldenChecking) checkJUnit(refs []reference) error {
	if !c.cmd.Flags().Changed("junit") {
		return nil
	}
	if c.junit == standard {
		return misuse(c.cmd, "standard output is for the verdicts; give --junit a file")
	}
	return c.checkPage(c.cmd, c.junit, refs)
}

// finish does what takes time, while other scenes render.
func (c *goldenChecking) finish(ctx context.Context, j *judgement) {
	j.study(ctx)
	if !c.ci && ctx.Err() == nil {
		if err := c.leave(j); err != nil {
			j.unsettle(err)
		}
	}
	j.forget()
}

// leave puts the picture beside the golden if it is not accepted, and takes an earlier one
// away if it is.
func (c *goldenChecking) leave(j *judgement) error {
	if j.verdict.passes() {
		return c.tidy(&j.reference)
	}
	if j.got == nil {
		return nil
	}
	return c.propose(j)
}

// unsettle makes it a failure that what belongs beside the golden could not be left or taken
// away, and keeps what was found out.
func (j *judgement) unsettle(err error) {
	if j.verdict == failed {
		return // which says what comes first
	}
	found := string(j.verdict) + j.detail()
	if why := j.sentence(); why != "" {
		found += "; " + why
	}
	j.fail(&failure{
		status: statusFile,
		err:    fmt.Errorf("%s; %w", found, err),
		hint:   "--ci compares without leaving pictures behind",
	})
}

// propose leaves the picture of a scene beside its golden.
func (g *goldens) propose(j *judgement) error {
	if err := os.MkdirAll(filepath.Dir(j.base), 0o777); err != nil {
		return err
	}
	return g.disk.write(j.proposal(), func(w io.Writer) error { return encodePNG(w, j.got) })
}

// tidy removes what earlier failures left behind.
func (g *goldens) tidy(r *reference) error {
	return cmp.Or(removeIfThere(r.proposal()), removeIfThere(r.drawing()))
}

func removeIfThere(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// print tells a judgement.
func (c *goldenChecking) print(j *judgement) {
	if j.verdict == failed {
		c.tell(j)
	}
	if c.json {
		printJSON(c.out, []goldenRecord{c.record(j)})
		return
	}
	c.printLine(j)
}

// printLine prints what is to say about a judgement besides why it failed.
func (g *goldens) printLine(j *judgement) {
	color := red
	switch j.verdict {
	case identical:
		fmt.Fprintf(g.out, "%s: %s\n", j.name, identical)
		return
	case failed:
		fmt.Fprintf(g.out, "%s: %s\n", j.name, g.out.paint(red, string(failed)))
		return
	case tolerated:
		color = yellow
	}
	fmt.Fprintf(g.out, "%s: %s%s\n", g.out.paint(bold, j.name), g.out.paint(color, string(j.verdict)), j.detail())
	if why := j.sentence(); why != "" {
		fmt.Fprintf(g.out, "    %s\n", why)
	}
}

// publish writes what other programs read.
func (c *goldenChecking) publish(done []*judgement) error {
	if c.junit != "" {
		err := c.disk.write(c.junit, func(w io.Writer) error { return writeJUnit(w, done) })
		if err != nil {
			return err
		}
	}
	if c.github {
		return c.annotate(done)
	}
	return nil
}
