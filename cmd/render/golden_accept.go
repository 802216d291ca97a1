package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pillbox/golden"
)

func (p *program) goldenAcceptCommand() *cobra.Command {
	a := &accepting{goldens: goldens{program: p}}
	cmd := &cobra.Command{
		Use:   "accept SCENE... | --all",
		Short: "Make what scenes give the accepted pictures",
		Long: `Render scenes and make their pictures the accepted ones, with an exact copy of the
scene and of the files of its bulk tables beside each. Accepting an orphan removes
it. A picture whose pixels are the accepted ones already stays as it is.

--all accepts whatever is pending but orphans, and renews copies of scenes that
changed without changing a pixel. What is within its tolerance stays, so that it
cannot drift. Orphans stay, too: their scenes may lie elsewhere.`,
		Example: `  render golden accept demo
  render golden accept --all`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.all && len(args) > 0 || !a.all && len(args) == 0 {
				return misuse(cmd, "want scenes or --all, got %s", quoted(args))
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
	status := statusDone
	settle := func(j *judgement) { a.settle(ctx, j) }
	for j := range a.judgements(ctx, refs, settle) {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case j.settled != "":
			fmt.Fprintf(a.out, "%s: %s\n", j.name, j.settled)
		case j.verdict == orphan:
			a.explain(fmt.Errorf("%s has no scene and stays; '%s' removes it", j.first(), a.acceptCommand(&j.reference)))
		case j.verdict == failed:
			a.tell(j)
			status = max(status, j.status())
		}
	}
	if status != statusDone {
		return &failure{status: status}
	}
	return nil
}

// settle accepts a judgement, while other scenes render. Where the picture or the sidecar
// cannot be read, that takes the scene's name on the command line.
func (a *accepting) settle(ctx context.Context, j *judgement) {
	defer j.forget()
	if ctx.Err() != nil || a.all && !j.stale() {
		return
	}
	settled := "accepted " + j.picture()
	if j.verdict == orphan {
		settled = "removed " + j.first()
	}
	if err := a.accept(j); err != nil {
		j.fail(err)
		return
	}
	j.settled = settled
}

// stale reports whether accepting all means this one: it is pending, or the accepted scene is
// another one that gives the same picture. An orphan must be named, for it may be the golden of
// a scene elsewhere or no golden at all.
func (j *judgement) stale() bool {
	return j.verdict.pending() && j.verdict != orphan || j.verdict == identical && !j.current
}

// accept makes what the scene gives the reference. The error says why that cannot be; a
// picture or a sidecar that cannot be read is no reason.
func (g *goldens) accept(j *judgement) error {
	if j.verdict == orphan {
		return j.remove()
	}
	if j.got == nil {
		return j.err
	}
	if err := os.MkdirAll(filepath.Dir(j.base), 0o777); err != nil {
		return err
	}
	if err := g.acceptPicture(j); err != nil {
		return err
	}
	if err := g.writeBytes(j.accepted(), j.source); err != nil {
		return err
	}
	if err := g.acceptBulk(j); err != nil {
		return err
	}
	return g.tidy(&j.reference)
}

// acceptPicture writes the picture unless its pixels are there already: releases of Go
// compress the same pixels to different files.
func (g *goldens) acceptPicture(j *judgement) error {
	if j.want != nil {
		d, err := golden.Compare(j.got, j.want, golden.Tolerance{})
		if err != nil || d.Passes() {
			return err
		}
	}
	return g.disk.write(j.picture(), func(w io.Writer) error { return encodePNG(w, j.got) })
}

// remove removes everything that belongs to an orphan.
func (j *judgement) remove() error {
	if err := j.removeCopies(); err != nil {
		return err
	}
	for _, name := range j.files() {
		if err := removeIfThere(name); err != nil {
			return err
		}
	}
	return nil
}
