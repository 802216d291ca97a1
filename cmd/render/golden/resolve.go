package golden

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/text"
	"pillbox/suite"
)

func goldenResolveCommand(p *command.Env) *cobra.Command {
	r := &resolving{goldens: goldens{Env: p}}
	cmd := &cobra.Command{
		Use:   "resolve [SCENE...]",
		Short: "Resolve merge conflicts of goldens",
		Long: `Resolve the conflicts that a merge left in goldens, after you have resolved those in
scenes: the command renders each scene whose golden has a conflict in the current folder
and below, makes its picture and the copies of its files the golden, and adds these files
to git's index. A scene that still has a conflict is an error, and its golden stays as it
is. Look at the pictures before you commit: no branch may have had them before.`,
		Example: `  git merge other
  git checkout --theirs scenes/box.toml
  render golden resolve
  git add scenes
  git commit`,
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args) },
	}
	r.flags(cmd)
	return cmd
}

// resolving holds the flags of one run of `render golden resolve`.
type resolving struct{ goldens }

func (g *resolving) run(ctx context.Context, scenes []string) error {
	g.All = len(scenes) == 0
	refs, err := g.find(scenes)
	if err != nil {
		return err
	}
	index := readIndex()
	worst, resolved := cli.StatusDone, 0
	for r := range suite.Run(ctx, g.Options, refs, func(*suite.Result) {}) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if index.isConflict(r) {
			if err := g.resolve(index, r); err != nil {
				r.SetFailed(err)
			}
			if r.Verdict == suite.Failed {
				g.printFailure(r)
				worst = max(worst, status(r))
			} else {
				resolved++
			}
		}
		r.Release()
	}
	switch {
	case worst != cli.StatusDone:
		return &cli.Failure{Status: worst, Err: errors.New("not all conflicts of goldens are resolved"), Hint: "resolve the scenes, then run 'render golden resolve' again"}
	case resolved == 0:
		g.Out.Printf("no golden has a merge conflict\n")
	default:
		g.Note("look at the pictures; then 'git add' the scenes, and 'git commit' completes the merge")
	}
	return nil
}

// resolve accepts a result and adds its files to the index.
func (g *resolving) resolve(index index, r *suite.Result) error {
	if r.Verdict == suite.Failed {
		return nil // the scene may have a conflict
	}
	verdict := string(r.Verdict)
	if r.Diff.Differing > 0 {
		verdict = text.Count(r.Diff.Differing, "pixel") + " changed"
	}
	if err := r.Accept(g.Files.Rewrite); err != nil {
		return err
	}
	if err := index.addFiles(r); err != nil {
		return err
	}
	g.Out.Printf("%s: %s (it was %s)\n", r.Name, r.Outcome, verdict)
	return nil
}

// isConflict reports whether a file of the result's golden has a merge conflict: in git's index, or by its contents.
func (x *index) isConflict(r *suite.Result) bool {
	return r.HasConflict() || slices.ContainsFunc(x.unmerged, r.Owns)
}

// addFiles adds the files of a golden to the index, if git lists one of them as unmerged.
func (x *index) addFiles(r *suite.Result) error {
	if x.root == "" {
		return nil
	}
	args := []string{"add", "--all", "--"}
	add := func(name string) {
		if !slices.Contains(args, name) {
			args = append(args, name)
		}
	}
	for _, name := range append(r.Kept(), r.Copies()) {
		whole, err := filepath.Abs(name)
		if err != nil {
			continue
		}
		if listed, err := git(x.root, "ls-files", "--", whole); osfile.Exists(whole) || err == nil && len(listed) > 0 {
			add(whole)
		}
	}
	for _, name := range x.unmerged {
		if r.Owns(name) {
			add(name)
		}
	}
	if len(args) == 3 {
		return nil
	}
	if _, err := git(x.root, args...); err != nil {
		return fmt.Errorf("%s: cannot add its files to git's index: %w", r.Name, err)
	}
	return nil
}
