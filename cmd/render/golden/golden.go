// Package golden contains the command "render golden".
package golden

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/suite"
)

// New returns the command golden in an environment.
func New(p *command.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "golden COMMAND",
		Short: "Check scenes against accepted pictures",
		Long: `Check that scenes still render to their accepted pictures, show what changed, and
accept changes.

The picture of scenes/NAME.toml is golden/NAME.png, and golden/NAME.scene.toml is
the scene as it was when that picture was accepted. golden/NAME.scene.files lists the
other files that it reads; the folder golden/files stores the content of each such file
once. A scene elsewhere has its folder golden beside it. Commit all of these files to
version control.

A scene with [animation] golden = [0, 1.5] has golden/NAME@0.png and NAME@1.5.png,
too: its pictures at these times.

Every pixel counts, unless a file golden/NAME.golden.toml says otherwise:

  reason = "the clock shows the time of the test"
  tolerance = { max_channel = 2, max_pixels = 10 }
  masks = [[0, 0, 64, 32], "hand", { solid = "bell", shadow = true, mirror = true }]

A mask is a rectangle [x0, y0, x1, y1] or a solid, where it is visible and, with
shadow and mirror, where its shadow falls and mirrors show it.

SCENE is a path of a scene, or its name if it is in scenes/. It selects all pictures
of the scene or, with a time such as NAME@1.5, only that one. It may also be a folder,
which selects all scenes in it and below, or a name such as pkg/box, which is that of
pkg/scenes/box.toml.`,
		GroupID:                    command.GroupPictures,
		SuggestionsMinimumDistance: 2,
		Args:                       cli.WantCommand,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cli.ShowHelp(cmd, &p.Err) },
	}
	cmd.AddCommand(
		goldenCheckCommand(p),
		goldenPendingCommand(p),
		goldenReviewCommand(p),
		goldenReportCommand(p),
		goldenAcceptCommand(p),
		goldenResolveCommand(p),
		goldenInitCommand(p),
	)
	cli.Without(cmd, "theme", "a golden is the picture of a scene with its own theme; to test another theme, add a scene that includes it")
	return cmd
}

// goldens holds what the golden commands have in common.
type goldens struct {
	*command.Env
	suite.Options
	limit *float64 // the longest time to search for the edits of a scene that changed its picture
}

// flags adds the flags that all golden commands have.
func (g *goldens) flags(cmd *cobra.Command) {
	cmd.Flags().Var(cli.Text(&g.Golden, "DIR"), "golden", "keep the accepted pictures in DIR")
	cli.Must(cmd.MarkFlagDirname("golden"))
	cmd.ValidArgsFunction = g.complete
}

// complete completes scene files and the names of references that are not on the command line yet.
func (g *goldens) complete(_ *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	found, directive := command.CompleteFiles("", prefix, command.SceneExtension)
	refs, local := g.completable()
	for i := range refs {
		name := refs[i].Argument()
		if !local {
			name = refs[i].Name
		}
		if strings.HasPrefix(name, prefix) && !slices.Contains(args, name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found, directive
}

// completable returns the references of the project in the current folder and true, or else those of all folders below
// and false.
func (g *goldens) completable() (refs []suite.Reference, local bool) {
	o := suite.Options{Golden: g.Golden}
	if refs, err := suite.Find(o); !errors.Is(err, suite.ErrNoScenes) {
		return refs, true
	}
	o.All = true
	refs, _ = suite.Find(o)
	return refs, false
}

// allFlag adds the flag --all to a command that reads goldens.
func (g *goldens) allFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&g.All, "all", false, "check all scenes in this folder and in all folders below")
}

// limitFlag adds the flag --explain-limit. It is for commands that search for the causes of a difference:
// the edits of the scene that changed its picture.
func (g *goldens) limitFlag(cmd *cobra.Command) {
	cmd.Flags().Var(cli.Optional(&g.limit, "SECONDS", command.ParseSeconds), "explain-limit", "look for causes for at most SECONDS (default: about as long as everything else takes)")
	cli.NoCompletion(cmd, "explain-limit")
}

// find returns the references of the given scenes.
func (g *goldens) find(scenes []string) ([]suite.Reference, error) {
	g.Scenes = scenes
	limit := time.Duration(-1)
	if g.limit != nil {
		limit = time.Duration(*g.limit * float64(time.Second))
	}
	g.Limit = suite.NewLimit(limit)
	if g.All && len(scenes) > 0 {
		return nil, &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("want scenes or --all, got %s and --all", cli.Quoted(scenes))}
	}
	found, err := suite.Search(g.Options)
	g.printSkipped(found.Skipped)
	if errors.Is(err, suite.ErrNoScenes) {
		return nil, &cli.Failure{Status: cli.StatusWrong, Err: err,
			Hint: "change to the folder that contains scenes/, name a scene, as in 'render golden check scene.toml', or check all folders below with 'render golden check --all'"}
	}
	g.WarnLeftovers(suite.Leftovers(found.References))
	return found.References, err
}

// maxSkipped is the largest number of skipped files that are listed.
const maxSkipped = 4

// printSkipped lists the files beside the scenes that are not checked.
func (g *goldens) printSkipped(skipped []suite.Skipped) {
	if g.Quiet {
		return
	}
	for i, s := range skipped {
		if i == maxSkipped && len(skipped) > maxSkipped+1 {
			g.Err.Printf("and %s more that are not scenes\n", text.Count(len(skipped)-i, "file"))
			return
		}
		g.Err.Printf("skipped %s\n", text.Escape(filepath.ToSlash(s.File)+": "+s.Why))
	}
}

// checkReport returns an error if a report, whose kind is one of the names of package sniff, cannot be written to the named file,
// or would replace a file of a reference. It does not check other files that scenes read; these are checked when the scenes are read.
func (g *goldens) checkReport(cmd *cobra.Command, name, kind string, refs []suite.Reference) error {
	for i := range refs {
		r := &refs[i]
		if r.HoldsCopy(name) {
			return cli.Misuse(cmd, "output %s lies in %s, which is for copies of accepted files", name, r.Copies())
		}
		for _, own := range append(r.Files(), r.Scene) {
			if own != "" && osfile.SameTarget(name, own) {
				return cli.Misuse(cmd, "output %s would replace the input", name)
			}
		}
	}
	return g.CheckFormat(cmd, name, kind)
}

// status returns the exit status for a result.
func status(r *suite.Result) int {
	switch {
	case r.Verdict == suite.Failed:
		return cli.FailureOf(r.Err).Status
	case r.Verdict.Pending():
		return cli.StatusDifferent
	default:
		return cli.StatusDone
	}
}

// printFailure prints why a result failed. If files of its golden are damaged, it prints that, too.
func (g *goldens) printFailure(r *suite.Result) {
	defer func() {
		for _, d := range r.Damage {
			g.Report(errors.New(d.String()))
		}
	}()
	var problems problem.Errors
	if errors.As(r.Err, &problems) {
		const asJSON = false
		g.ReportProblems(g.Err, problems, asJSON)
		return
	}
	g.Report(r.Err)
}

// printWarnings prints the warnings about a result.
func (g *goldens) printWarnings(r *suite.Result) {
	for _, warning := range r.Warnings {
		g.Warn("%s", text.Escape(warning))
	}
}

// printLine prints the line of a result, starting at the given column. For a failure it omits the reason.
func (g *goldens) printLine(column int, r *suite.Result) {
	color := cli.Red
	switch r.Verdict {
	case suite.Identical:
		g.Out.Printf("%s: %s\n", r.Name, r.Verdict)
		return
	case suite.Failed:
		g.Out.Printf("%s: %s\n", r.Name, g.Out.Paint(cli.Red, string(r.Verdict)))
		return
	case suite.Tolerated:
		color = cli.Yellow
	}
	g.Out.Printf("%s: %s", g.Out.Paint(cli.Bold, r.Name), g.Out.Paint(color, string(r.Verdict)))
	for i, detail := range r.Details() {
		if i == 0 {
			g.Out.Printf(": %s", g.Out.Flow(column+uniseg.StringWidth(r.Name+string(r.Verdict)+": : "), detail))
		} else {
			g.Out.Printf("\n%s%s", strings.Repeat(" ", cli.FlowIndent), g.Out.FlowFrom(cli.FlowIndent, 2*cli.FlowIndent, detail))
		}
	}
	g.Out.Printf("\n")
	for line := range strings.Lines(r.Cause()) {
		line = strings.TrimSuffix(line, "\n")
		text := strings.TrimLeft(line, " ")
		indent := cli.FlowIndent + len(line) - len(text)
		g.Out.Printf("%s%s\n", strings.Repeat(" ", indent), g.Out.FlowFrom(indent, indent+cli.FlowIndent, text))
	}
}

// acceptCommand returns the command line that accepts a reference.
func (g *goldens) acceptCommand(r *suite.Reference) string { return g.AcceptCommand(r) }
