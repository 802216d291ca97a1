// Package explain contains the command "render explain".
package explain

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/explain/diagram"
	"pillbox/internal/text"
	"pillbox/scene"
)

// New returns the command explain in an environment.
func New(p *command.Env) *cobra.Command {
	e := &explaining{Env: p, colors: colorsLight}
	cmd := &cobra.Command{
		Use:   "explain SCENE --pixel X,Y",
		Short: "Explain why a pixel has its color",
		Long: `Explain why a pixel has its color, in words and in the numbers that the renderer
computed: the camera ray, the nodes of the search tree that it enters or skips, the
roots of every solid that is tested and why each is accepted or rejected, the point
and the normal, every light and what blocks it, mirrors, and the color. The first
sample of a pixel is printed in full, the others in one line each.

--brief prints the main steps, in less than 60 lines if possible; --section prints
only the named parts, and --verbose everything.

Instead of a pixel, --ray explains a ray, with both crossings of its line with the
solid that it hits; --segment explains which solids a segment touches; --capsules
decides in integers whether two capsules or spheres overlap, touch or are apart. Give
their names or, without a scene, 14 numbers. --solid also derives the named solid,
even if the ray does not hit it.`,
		Example: `  render explain scene.toml --pixel 320,240
  render explain scene.toml --pixel 320,240 --diagram why.png
  render explain scene.toml --pixel 320,240 --section hit,lights
  render explain scene.toml --ray 0,0,10,0,0,-1 --solid floor
  render explain scene.toml --segment 0,0,0,5,0,0
  render explain robot.toml --capsules arm,hand
  render explain --capsules 0,0,0,4,0,0,1,2,1.9,0,5,3,0,0.9`,
		DisableFlagsInUseLine: true,
		GroupID:               command.GroupPictures,
		Args:                  cli.WantArgs(0, 1, "one scene"),
		ValidArgsFunction:     command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			e.cmd = cmd
			if len(args) > 0 {
				e.scene = args[0]
			}
			return e.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.Var(cli.Value(&e.pixel, pixelForm, parsePixel), "pixel", "explain this pixel, counted from 0 at the top left")
	vectors(cmd, &e.ray, "ray", rayForm, "explain a ray from a point along a direction, which is normalized")
	vectors(cmd, &e.segment, "segment", segmentForm, "explain which solids a segment touches")
	flags.Var(cli.Text(&e.capsules, "NAME,NAME"), "capsules", "explain whether two capsules overlap, touch or are apart: NAME,NAME of the scene, or A, B and radius of both as 14 numbers")
	flags.Var(cli.Int(&e.opt.Size.X, 1, scene.MaxSide), "width", "picture width in pixels; without --height, the height follows")
	flags.Var(cli.Int(&e.opt.Size.Y, 1, scene.MaxSide), "height", "picture height in pixels; without --width, the width follows")
	flags.Var(cli.Int(&e.opt.Antialias, 1, scene.MaxAntialias), "antialias", "cast N x N rays per pixel")
	flags.BoolVar(&e.verbose, "verbose", false, "print everything, however long: every node, sample and solid")
	flags.BoolVar(&e.brief, "brief", false, "print only the main steps, in less than 60 lines if possible")
	flags.Var(cli.Value(&e.sections, "NAME[,NAME]", e.addSections), "section", "print only these parts: "+sectionNames())
	flags.BoolVar(&e.markdown, "markdown", false, "write Markdown")
	command.JSONFlag(cmd, &e.json, "write JSON, with every number in full")
	flags.BoolVar(&e.schema, "schema", false, "print the JSON Schema of --json instead")
	flags.Var(cli.Text(&e.diagram, "FILE"), "diagram", "draw the solid and the ray to FILE, as pixels or .svg; with -, only as SVG to standard output")
	command.PictureFlag(cmd, "diagram", "svg")
	flags.Var(cli.Text(&e.solid, "NAME"), "solid", "derive and draw this solid, hit or not: its NAME, its path, or its kind and index such as sphere[3]")
	flags.Var(cli.Word(&e.colors, "COLORS", []string{colorsLight, colorsDark}), "colors", "colors of the diagram: light or dark")
	flags.Var(cli.Word(&e.kind, "KIND", diagram.Kinds()), "draw", "what --diagram draws: "+kindNames())
	cli.Must(cmd.RegisterFlagCompletionFunc("draw", cobra.FixedCompletions(strings.Split(kindNames(), ", "), cobra.ShellCompDirectiveNoFileComp)))
	command.TimeFlag(cmd, &e.moment)
	command.ViewFlag(cmd, &e.view)
	command.ThemeFlag(cmd, &e.theme)
	cli.NoCompletion(cmd, "pixel", "ray", "segment", "capsules", "width", "height", "antialias", "solid")
	cli.Must(cmd.RegisterFlagCompletionFunc("section", completeSections))
	cli.Must(cmd.RegisterFlagCompletionFunc("colors", cobra.FixedCompletions([]cobra.Completion{colorsLight, colorsDark}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// explaining holds the flags of one run of `render explain`.
type explaining struct {
	*command.Env
	cmd   *cobra.Command
	scene string // file name

	pixel    image.Point
	ray      vectorPair
	segment  vectorPair
	capsules string

	opt      pillbox.Options
	moment   *float64
	view     string
	verbose  bool
	brief    bool
	sections []explain.Section
	markdown bool
	json     bool
	schema   bool
	diagram  string // file name
	solid    string
	theme    string
	colors   string // of the diagram
	kind     diagram.Kind
}

func (e *explaining) run(ctx context.Context) error {
	if e.schema {
		if err := cli.Alone(e.cmd, "schema"); err != nil {
			return err
		}
		if e.scene != "" {
			return cli.Misuse(e.cmd, "--schema needs no scene")
		}
		_, err := e.Out.Write(explain.Schema())
		return err
	}
	if err := e.check(); err != nil {
		return err
	}
	var out command.Output
	if e.given("diagram") {
		var err error
		if out, err = e.diagramOutput(); err != nil {
			return err
		}
	}
	x, err := e.explanation(ctx)
	if err != nil {
		return err
	}
	if out.Name != "" {
		if err := e.draw(ctx, x, out); err != nil || out.Name == command.Standard {
			return err
		}
	}
	return e.write(x)
}

func (e *explaining) given(flag string) bool { return e.cmd.Flags().Changed(flag) }

// check returns an error for flags that cannot be combined.
func (e *explaining) check() error {
	queries := []string{"pixel", "ray", "segment", "capsules"}
	asked := slices.DeleteFunc(queries, func(flag string) bool { return !e.given(flag) })
	if len(asked) != 1 {
		return cli.Misuse(e.cmd, "want one of --pixel, --ray, --segment and --capsules")
	}
	if e.scene == "" && asked[0] != "capsules" {
		return cli.Misuse(e.cmd, "want one scene, got none")
	}
	err := cli.CheckFlags(e.cmd,
		cli.Excludes("brief", "verbose", "section", "json"), cli.Excludes("section", "json"),
		cli.Excludes("json", "markdown"), cli.Excludes("capsules", "verbose"),
		cli.Needs("brief", "pixel", "ray"), cli.Needs("section", "pixel", "ray"), cli.Needs("draw", "pixel", "ray"),
		cli.Needs("width", "pixel", "ray"), cli.Needs("height", "pixel", "ray"), cli.Needs("antialias", "pixel", "ray"),
		cli.Needs("colors", "diagram"), cli.Needs("draw", "diagram"))
	if err != nil {
		return err
	}
	for _, flag := range []string{"time", "theme"} {
		if e.scene == "" && e.given(flag) {
			return cli.Misuse(e.cmd, "--%s needs a scene", flag)
		}
	}
	if e.kind == diagram.Camera && !e.given("pixel") {
		return cli.Misuse(e.cmd, "--draw camera needs --pixel")
	}
	if e.given("solid") && e.given("capsules") {
		return cli.Misuse(e.cmd, "--capsules has its own two solids; leave out --solid")
	}
	return nil
}

// explanation returns the explanation that the flags request.
func (e *explaining) explanation(ctx context.Context) (explain.Explanation, error) {
	if e.given("capsules") {
		return e.explainCapsules(ctx)
	}
	s, err := e.Load(ctx, e.scene, command.LoadOptions{Moment: e.moment, View: e.view, Theme: e.theme, ThemeHint: e.themeHint(), Unseen: e.given("segment"), Cameraless: !e.given("pixel")})
	if err != nil {
		return nil, err
	}
	return e.ask(ctx, s, e.query())
}

// themeHint returns what is added to the message about a missing theme whose name is that of colors of a diagram.
func (e *explaining) themeHint() string {
	if e.theme != colorsLight && e.theme != colorsDark {
		return ""
	}
	return fmt.Sprintf("; for a diagram in these colors, use `--colors %s`", e.theme)
}

// query returns the pixel, ray or segment given on the command line.
func (e *explaining) query() explain.Query {
	q := explain.Query{Solid: e.solid}
	switch {
	case e.given("pixel"):
		q.Pixel = &e.pixel
	case e.given("ray"):
		q.Ray = (*[2]geom.Vec3)(&e.ray)
	default:
		q.Segment = &geom.Segment{A: e.segment[0], B: e.segment[1]}
	}
	return q
}

// ask explains a query about a scene.
func (e *explaining) ask(ctx context.Context, s *scene.Scene, q explain.Query) (explain.Explanation, error) {
	p, err := e.PrepareScene(ctx, s, e.opt.Picture)
	if err != nil {
		return nil, err
	}
	x, err := command.Await(ctx, func() (explain.Explanation, error) { return explain.Explain(ctx, p, q) })
	if invalid := (*explain.QueryError)(nil); errors.As(err, &invalid) {
		return nil, cli.Misuse(e.cmd, "--%s: %v", invalid.Part, invalid.Err)
	}
	return x, err
}

// write prints the explanation in the requested format.
func (e *explaining) write(x explain.Explanation) error {
	check := explain.CheckDocument
	if e.json {
		check = explain.CheckJSON
	}
	if err := check(x, e.detail()); err != nil {
		return err
	}
	switch {
	case e.json:
		data, err := x.JSON(e.detail())
		if err != nil {
			return err
		}
		_, err = e.Out.Write(text.EscapeJSON(data))
		return err
	case e.markdown:
		return e.document(x).WriteMarkdown(e.Out)
	}
	const widest = 100
	style := explain.TextStyle{Columns: widest, Color: e.Out.Color}
	if e.Out.IsTerminal() {
		style.Columns = min(widest, e.Out.Columns)
	}
	return e.document(x).WriteText(e.Out, style)
}

// detail returns the requested level of detail.
func (e *explaining) detail() explain.Detail {
	switch {
	case e.brief:
		return explain.Brief
	case e.verbose:
		return explain.Verbose
	}
	return explain.Usual
}

// document returns the explanation as a document, reduced to the sections of --section.
func (e *explaining) document(x explain.Explanation) *explain.Document {
	d := x.Document(e.detail())
	if e.given("section") {
		d = d.Select(e.sections...)
	}
	return d
}
