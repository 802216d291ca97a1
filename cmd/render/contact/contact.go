// Package contact contains the command "render contact".
package contact

import (
	"context"
	"image"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/aov"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/scene"
)

// New returns the command contact in an environment.
func New(p *command.Env) *cobra.Command {
	c := &contact{Env: p}
	cmd := &cobra.Command{
		Use:   "contact SCENE [-o SHEET.png]",
		Short: "Draw a scene and all its views on one sheet",
		Long: `Draw a scene and all its views on one labeled sheet: depth, normals, solids, facing,
shadow, occlusion, mirror bounces and the cost of the search. 'render --aov' writes single views.

The sheet goes to the scene's base name with .contact.png in the current folder.
--width and --height set the size of each view.`,
		Example: `  render contact scene.toml
  render contact scene.toml -o sheet.png --width 800`,
		DisableFlagsInUseLine: true,
		GroupID:               command.GroupPictures,
		Args:                  cli.WantArgs(1, 1, "one scene"),
		ValidArgsFunction:     command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.cmd, c.scene = cmd, args[0]
			return c.run(cmd.Context())
		},
	}
	command.DPIFlag(cmd, &c.dpi)
	command.OutputFlag(cmd, &c.output, "write the sheet to FILE, or to standard output if it is -")
	flags := cmd.Flags()
	flags.Var(cli.Int(&c.opt.Size.X, 1, scene.MaxSide), "width", "width of each view in pixels; without --height, the height follows")
	flags.Var(cli.Int(&c.opt.Size.Y, 1, scene.MaxSide), "height", "height of each view in pixels; without --width, the width follows")
	flags.Var(cli.Int(&c.opt.Antialias, 1, scene.MaxAntialias), "antialias", "cast N x N rays per pixel of the picture")
	flags.Var(cli.Int(&c.opt.Workers, 1, math.MaxInt32), "workers", "render on N threads; does not affect the image (default: one per processor)")
	command.TimeFlag(cmd, &c.moment)
	command.ViewFlag(cmd, &c.view)
	command.ThemeFlag(cmd, &c.theme)
	cli.NoCompletion(cmd, "width", "height", "antialias", "workers")
	return cmd
}

// contact holds the flags of one run of `render contact`.
type contact struct {
	*command.Env
	cmd    *cobra.Command
	scene  string // file name
	output string // file name
	dpi    int
	moment *float64
	view   string
	theme  string // file name
	opt    pillbox.Options
}

func (c *contact) run(ctx context.Context) error {
	if !c.cmd.Flags().Changed("output") {
		picture := command.DefaultOutput(c.scene)
		c.output = strings.TrimSuffix(picture, filepath.Ext(picture)) + ".contact.png"
	}
	out, err := c.PictureOutput(c.cmd, c.output)
	if err != nil {
		return err
	}
	out.DPI = c.dpi
	if err := c.CheckOutput(c.cmd, out.Name, c.scene); err != nil {
		return err
	}
	s, err := c.Load(ctx, c.scene, command.LoadOptions{Moment: c.moment, View: c.view, Theme: c.theme})
	if err != nil {
		return err
	}
	sheet, err := command.Await(ctx, func() (image.Image, error) { return aov.Sheet(ctx, s, c.opt) })
	if err != nil {
		return err
	}
	if err := c.Save(out, sheet); err != nil {
		return err
	}
	c.NoteWritten(out, sheet.Bounds().Size())
	return nil
}
