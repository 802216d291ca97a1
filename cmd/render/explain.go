package main

import (
	"context"
	"errors"
	"image"
	"slices"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/accel"
	"pillbox/escape"
	"pillbox/explain"
	"pillbox/explain/diagram"
	"pillbox/geom"
	"pillbox/scene"
)

func (p *program) explainCommand() *cobra.Command {
	e := &explaining{program: p, theme: themeLight}
	e.ray.form, e.segment.form = rayForm, segmentForm
	cmd := &cobra.Command{
		Use:   "explain SCENE --pixel X,Y",
		Short: "Tell why a pixel has its colour",
		Long: `Tell why a pixel has its colour, in words and in the numbers that the renderer
computed: the camera ray, the nodes of the search tree that it visits and skips, the
roots of every solid that it is tested against and why each is accepted or rejected,
the point and the normal, every light and what blocks it, mirrors, and the colour.
The first sample of a pixel is told in full, the others in a line each.

Instead of --pixel, --ray explains a ray that no camera casts, --segment which solids
a segment touches, and --capsules how two capsules or spheres lie to each other,
decided in integers. Its two solids are named, or given by 14 numbers without a scene.`,
		Example: `  render explain scene.toml --pixel 320,240
  render explain scene.toml --pixel 320,240 --diagram why.png
  render explain scene.toml --ray 0,0,10,0,0,-1 --json
  render explain scene.toml --segment 0,0,0,5,0,0
  render explain robot.toml --capsules arm,hand
  render explain --capsules 0,0,0,4,0,0,1,2,1.9,0,5,3,0,0.9`,
		DisableFlagsInUseLine: true,
		GroupID:               groupPictures,
		Args:                  wantArgs(0, 1, "one scene"),
		ValidArgsFunction:     sceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			e.cmd = cmd
			if len(args) > 0 {
				e.scene = args[0]
			}
			return e.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.Var(&e.pixel, "pixel", "explain this pixel, counted from 0 at the top left")
	flags.Var(&e.ray, "ray", "explain a ray from a point along a direction, which is brought to unit length")
	flags.Var(&e.segment, "segment", "explain which solids a segment touches")
	flags.StringVar(&e.capsules, "capsules", "", "explain how two capsules lie to each other: `NAME,NAME` of the scene, or A, B and radius of both as 14 numbers")
	flags.Var(&intFlag{&e.opt.Size.X, 1, scene.MaxSide}, "width", "picture width in pixels; the height follows if not given")
	flags.Var(&intFlag{&e.opt.Size.Y, 1, scene.MaxSide}, "height", "picture height in pixels; the width follows if not given")
	flags.Var(&intFlag{&e.opt.Antialias, 1, scene.MaxAntialias}, "antialias", "cast N x N rays per pixel")
	flags.BoolVar(&e.verbose, "verbose", false, "tell everything, however long: every node, sample and solid")
	flags.BoolVar(&e.markdown, "markdown", false, "write Markdown")
	jsonFlag(cmd, &e.json, "write JSON, with every number in full")
	flags.BoolVar(&e.schema, "schema", false, "print the JSON Schema of --json instead")
	flags.StringVar(&e.diagram, "diagram", "", "draw the solid and the ray to `FILE`")
	must(cmd.MarkFlagFilename("diagram", "png", "jpg", "jpeg", "tiff", "tif", "bmp"))
	flags.StringVar(&e.solid, "solid", "", "draw this solid, by its `NAME` or kind and index such as sphere[3], instead of the one that is met")
	flags.Var(&e.theme, "theme", "colours of the diagram: light or dark")
	for _, name := range []string{"pixel", "ray", "segment", "capsules", "width", "height", "antialias", "solid"} {
		noCompletion(cmd, name)
	}
	must(cmd.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions([]cobra.Completion{themeLight, themeDark}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// explaining is one call of explain.
type explaining struct {
	*program
	cmd   *cobra.Command
	scene string // file name

	pixel    pixelFlag
	ray      numbersFlag
	segment  numbersFlag
	capsules string

	opt      pillbox.Options
	verbose  bool
	markdown bool
	json     bool
	schema   bool
	diagram  string // file name
	solid    string
	theme    themeFlag
}

func (e *explaining) run(ctx context.Context) error {
	if e.schema {
		_, err := e.out.Write(explain.Schema())
		return err
	}
	if err := e.check(); err != nil {
		return err
	}
	var out output
	if e.given("diagram") {
		var err error
		if out, err = e.diagramOutput(); err != nil {
			return err
		}
	}
	x, object, err := e.explanation(ctx)
	if err != nil {
		return err
	}
	if out.name != "" {
		if err := e.draw(ctx, x, object, out); err != nil {
			return err
		}
	}
	return e.write(x)
}

func (e *explaining) given(flag string) bool { return e.cmd.Flags().Changed(flag) }

// check finds flags that do not go together.
func (e *explaining) check() error {
	queries := []string{"pixel", "ray", "segment", "capsules"}
	asked := slices.DeleteFunc(queries, func(flag string) bool { return !e.given(flag) })
	if len(asked) != 1 {
		return misuse(e.cmd, "want one of --pixel, --ray, --segment and --capsules")
	}
	if e.scene == "" && asked[0] != "capsules" {
		return misuse(e.cmd, "want one scene, got none")
	}
	if e.json && e.markdown {
		return misuse(e.cmd, "want --json or --markdown, not both")
	}
	for _, f := range [...]struct{ flag, needs string }{
		{"width", "pixel"}, {"height", "pixel"}, {"antialias", "pixel"}, {"solid", "diagram"}, {"theme", "diagram"},
	} {
		if e.given(f.flag) && !e.given(f.needs) {
			return misuse(e.cmd, "--%s needs --%s", f.flag, f.needs)
		}
	}
	if e.given("solid") && e.given("capsules") {
		return misuse(e.cmd, "--capsules draws both solids; leave out --solid")
	}
	return nil
}

// diagramOutput returns the file that the diagram goes to.
func (e *explaining) diagramOutput() (output, error) {
	if e.diagram == standard {
		return output{}, misuse(e.cmd, "standard output is for the explanation; give --diagram a file")
	}
	out, err := e.pictureOutput(e.cmd, e.diagram)
	if err != nil {
		return output{}, err
	}
	var inputs []string
	if e.scene != "" {
		inputs = append(inputs, e.scene)
	}
	return out, e.checkOutput(e.cmd, out.name, inputs...)
}

// explanation returns what is asked for and the solid that its diagram shows, or accel.None.
func (e *explaining) explanation(ctx context.Context) (explain.Explanation, int32, error) {
	if e.given("capsules") {
		x, err := e.explainCapsules(ctx)
		return x, accel.None, err
	}
	s, err := e.load(ctx, e.scene, false)
	if err != nil {
		return nil, 0, err
	}
	object := accel.None
	if e.given("solid") {
		var ok bool
		if object, ok = explain.Solid(s, e.solid); !ok {
			return nil, 0, e.unknownSolid("solid", e.solid)
		}
	}
	t, err := await(ctx, func() (*explain.Tracer, error) { return explain.New(s, e.opt) })
	if err != nil {
		return nil, 0, err
	}
	switch {
	case e.given("pixel"):
		x, err := t.Pixel(e.pixel.value)
		if err != nil {
			return nil, 0, misuse(e.cmd, "--pixel: %v", err)
		}
		return x, object, nil
	case e.given("ray"):
		n := e.ray.values
		x, err := t.Ray(geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, geom.Vec3{X: n[3], Y: n[4], Z: n[5]})
		if err != nil {
			return nil, 0, misuse(e.cmd, "--ray: %v", err)
		}
		return x, object, nil
	default:
		n := e.segment.values
		return t.Segment(geom.Segment{
			A: geom.Vec3{X: n[0], Y: n[1], Z: n[2]},
			B: geom.Vec3{X: n[3], Y: n[4], Z: n[5]},
		}), object, nil
	}
}

func (e *explaining) unknownSolid(flag, name string) error {
	return misuse(e.cmd, "--%s: no solid of %s is named %q; give a name, or kind and index such as sphere[3]", flag, e.scene, name)
}

// draw writes the diagram.
func (e *explaining) draw(ctx context.Context, x explain.Explanation, object int32, out output) error {
	img, err := await(ctx, func() (image.Image, error) {
		d, err := diagram.Draw(x, diagram.Options{Dark: e.theme == themeDark, Object: object})
		if err != nil {
			return nil, err
		}
		return d.Image(), nil
	})
	if errors.Is(err, diagram.ErrNothing) {
		return misuse(e.cmd, "--diagram: %v; choose one with --solid", err)
	}
	if err != nil {
		return err
	}
	return e.save(out, img)
}

// write prints the explanation in the format that is wanted.
func (e *explaining) write(x explain.Explanation) error {
	switch {
	case e.json:
		data, err := x.JSON(e.verbose)
		if err != nil {
			return err
		}
		_, err = e.out.Write(escape.JSON(data))
		return err
	case e.markdown:
		return x.Document(e.verbose).WriteMarkdown(e.out)
	}
	const widest = 100
	style := explain.TextStyle{Columns: widest, Color: e.out.color}
	if e.out.isTerminal() {
		style.Columns = min(widest, e.out.columns)
	}
	return x.Document(e.verbose).WriteText(e.out, style)
}
