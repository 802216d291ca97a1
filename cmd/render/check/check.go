// Package check contains the command "render check".
package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/scene"
)

// New returns the command check in an environment.
func New(p *command.Env) *cobra.Command {
	c := &checking{Env: p}
	cmd := &cobra.Command{
		Use:   "check SCENE...",
		Short: "Report every problem in scenes",
		Long: `Read scenes and print every problem on standard output, as
file:line:column: key: message. Warnings do not make the command fail.

Notes list solids that overlap or touch: first identical solids in the same position,
then pairs with their depth. Between spheres and capsules the relation is exact: it
compares the numbers as decimals, as the file has them (docs/scene.md names exceptions).
With other solids it is approximate. A scene has at most 1000 notes. List intended
overlaps in the scene's table [overlaps].

Also name the files that killed commands left in the current folder and in the folders
of the scenes: unfinished ones, and old versions of scenes that were being replaced.`,
		Example: `  render check scenes/*.toml
  render check --json scene.toml
  render check --overlaps=error robot.toml`,
		GroupID:           command.GroupScenes,
		Args:              cli.WantArgs(1, math.MaxInt, "one scene or more"),
		ValidArgsFunction: command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckFlags(cmd, cli.Excludes("json", "all")); err != nil {
				return err
			}
			return c.run(cmd.Context(), args)
		},
	}
	command.JSONFlag(cmd, &c.json, "print each problem as a JSON object")
	cmd.Flags().BoolVar(&c.all, "all", false, "print each problem, instead of counts of similar ones")
	overlapsFlag(cmd, &c.overlaps)
	command.ThemeFlag(cmd, &c.theme)
	return cmd
}

// checking holds the flags and the counts of one run of `render check`.
type checking struct {
	*command.Env
	json, all        bool
	theme            string // file name
	overlaps         overlapsMode
	errors, warnings int
	overlapping      bool // solids overlap, and --overlaps=error was given
}

func (c *checking) run(ctx context.Context, names []string) error {
	status := cli.StatusDone
	for _, name := range names {
		err := c.check(ctx, name)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			status = max(status, c.Report(err))
		}
	}
	c.WarnLeftovers(leftovers(names))
	c.Note("%s: %s, %s", text.Count(len(names), "scene"), text.Count(c.errors, "error"), text.Count(c.warnings, "warning"))
	if status == cli.StatusDone && c.overlapping {
		status = cli.StatusDifferent
	}
	if status != cli.StatusDone {
		return &cli.Failure{Status: status}
	}
	return nil
}

// leftovers returns the unfinished files in the current folder and in the folders of scenes.
func leftovers(scenes []string) []string {
	folders := []string{"."}
	for _, name := range scenes {
		if name != command.Standard {
			folders = append(folders, filepath.Dir(name))
		}
	}
	return osfile.Leftovers(folders...)
}

// check prints the problems of a scene, or of a figure with panels without its scenes. It returns an error if the file cannot be
// read or has errors.
func (c *checking) check(ctx context.Context, name string) error {
	var problems problem.Errors
	panels, err := c.Panels(ctx, name)
	if errors.As(err, &problems) {
		c.report(problems)
		return &cli.Failure{Status: cli.StatusWrong}
	}
	if panels != nil && c.theme != "" {
		c.Warn("--theme has no effect: %s is a figure with panels, whose scenes are not checked", name)
	}
	if err != nil || panels != nil {
		return err
	}
	s, src, err := c.Decode(ctx, name, command.LoadOptions{Exact: c.overlaps != overlapsOff, Theme: c.theme})
	if err != nil && !errors.As(err, &problems) {
		return err
	}
	if err != nil {
		c.report(problems)
		return &cli.Failure{Status: cli.StatusWrong}
	}
	f, err := c.arrange(ctx, s)
	c.report(command.AllWarnings(s, src.Data, f))
	if err != nil {
		return err
	}
	_, err = command.Await(ctx, func() (struct{}, error) { return struct{}{}, s.CheckFrames(ctx) })
	if errors.As(err, &problems) {
		c.report(problems)
		return &cli.Failure{Status: cli.StatusWrong}
	}
	if err != nil {
		return err
	}
	if note := s.FramingNote(s.Image.Width, s.Image.Height); note != "" && s.Framing != nil && !c.json {
		c.Note("%s: camera: %s", name, note)
	}
	return c.checkOverlaps(ctx, s, src.Data)
}

// arrange returns the annotations in a picture of the size that the scene states, or nil if it has none.
func (c *checking) arrange(ctx context.Context, s *scene.Scene) (*figure.Figure, error) {
	if s.Annotations.IsEmpty() {
		return nil, nil
	}
	p, err := c.PrepareScene(ctx, s, pillbox.Picture{})
	if err != nil {
		return nil, err
	}
	f, err := figure.New(ctx, p)
	if err != nil && ctx.Err() == nil {
		err = &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s: %w", s.Name, err)}
	}
	return f, err
}

func (c *checking) report(problems problem.Errors) {
	var shown problem.Errors
	for _, e := range problems {
		if e.Severity == problem.SeverityWarning {
			c.warnings++
			if c.Quiet {
				continue
			}
		} else {
			c.errors++
		}
		shown = append(shown, e)
	}
	c.print(shown)
}

// print prints problems. On a terminal it may shorten the list.
func (c *checking) print(problems problem.Errors) {
	if c.all && !c.json {
		c.PrintAllProblems(c.Out, problems)
		return
	}
	c.ReportProblems(c.Out, problems, c.json)
}
