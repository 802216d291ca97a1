package commands

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/convert"
	"pillbox/geom"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/convert/fit"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/problem"
	"pillbox/scene"
)

// maxFit is the largest number of solids to which a mesh can be fitted.
const maxFit = 1000

func newFit(p *command.Env) *cobra.Command {
	c := &fitting{importing: importing{Env: p}, scale: 1}
	cmd := &cobra.Command{
		Use:   "fit MESH [-o SCENE.toml]",
		Short: "Make a scene of solids that contain a mesh",
		Long: `Make a scene of solids that contain a triangle mesh: the sphere, capsule, cylinder or
box of the least volume that was found or, with -n, up to N of them around pieces of
the mesh. Every vertex and every triangle lies inside; a note says how much larger
than the mesh the solids are. The mesh is a file in STL, OBJ, COLLADA or
MuJoCo's MSH.

The scene is written to the current directory, with the mesh's base name and .toml,
unless that exists or -o names another file. With --part it is a part for other
scenes to include and place.`,
		Example: `  render fit gripper.stl -o gripper.toml && render gripper.toml
  render fit gripper.stl -n 8 --shape capsule,sphere --part -o part.toml
  render fit gripper.stl -n 4 -o - > gripper.toml && render export gripper.toml -o gripper.urdf`,
		GroupID: command.GroupScenes,
		Args:    cli.WantArgs(1, 1, "one mesh"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return meshExtensions(), cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c.cmd, c.input = cmd, args[0]
			return c.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.VarP(cli.Text(&c.output, "FILE"), "output", "o", "write the scene to FILE, or to standard output if it is -")
	flags.VarP(cli.Int(&c.options.Most, 1, maxFit), "solids", "n", "use up to this many solids (default: 1)")
	flags.Var(cli.List(&c.options.Kinds, fitKinds(), parseKind), "shape", "use solids of these kinds only (default: all)")
	flags.Var(cli.Float(&c.scale, "X", geom.MinSize, geom.MaxSize), "scale", "multiply coordinates, as by 0.001 for a mesh in millimeters")
	flags.BoolVar(&c.part, "part", false, "write a part to include, named after the mesh, without camera and lights")
	c.ForceFlag(cmd)
	cli.Must(cmd.MarkFlagFilename("output", "toml"))
	cli.NoCompletion(cmd, "solids", "scale")
	return cmd
}

func meshExtensions() (list []cobra.Completion) {
	for _, e := range mesh.Extensions() {
		list = append(list, strings.TrimPrefix(e, "."))
	}
	return list
}

// fitKinds returns the names of the kinds of solids that can be fitted to a mesh, separated by commas.
func fitKinds() string {
	var names []string
	for _, k := range fit.Kinds() {
		names = append(names, k.String())
	}
	return strings.Join(names, ",")
}

func parseKind(name string) (fit.Kind, error) {
	for _, k := range fit.Kinds() {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("must be some of %s, separated by commas", fitKinds())
}

// fitting holds the flags of one run of `render fit`.
type fitting struct {
	importing
	options fit.Options
	scale   float64
	part    bool
}

func (c *fitting) run(ctx context.Context) error {
	if !slices.Contains(mesh.Extensions(), strings.ToLower(filepath.Ext(c.input))) {
		return cli.Misuse(c.cmd, "the mesh must end in %s, got %q", strings.Join(mesh.Extensions(), ", "), c.input)
	}
	if c.part {
		c.Files.IsScene = scene.IsSceneOrParts
	}
	if err := c.checkScene(); err != nil {
		return err
	}
	s, err := command.Await(ctx, c.fit)
	if err != nil {
		return c.problemsOf(err)
	}
	if !c.Quiet {
		c.PrintProblems(c.Err, s.Account.Notes())
	}
	return c.problemsOf(c.write(ctx, func(w io.Writer, tables convert.Tables) error {
		if c.part {
			return s.WritePart(w, c.name(), model.Tables(tables))
		}
		return s.Write(w, model.Tables(tables))
	}, s.Files))
}

// name returns the name of the mesh's file without folder and extension.
func (c *fitting) name() string {
	base := filepath.Base(c.input)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// fit reads the mesh and fits solids to it.
func (c *fitting) fit() (*model.Scene, error) {
	in, err := c.OpenInput(c.input)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	m, err := mesh.Read(c.input, in)
	if err != nil {
		return nil, err
	}
	if m, err = m.Scaled(geom.Vec3{X: c.scale, Y: c.scale, Z: c.scale}); err != nil {
		return nil, fmt.Errorf("%s %w", c.input, err)
	}
	f := m.Fit(c.options)
	s := &model.Scene{File: c.input, Source: c.input + ", a mesh", Maker: "render fit", Up: geom.Vec3{Z: 1}, From: geom.Vec3{X: 1.4, Y: -1, Z: 0.6}}
	m.NoteSkipped(&s.Account, filepath.Base(c.input), problem.Error{File: c.input})
	s.Account.Note("mesh", "fitted by "+mesh.Describe(&f), problem.Error{File: c.input})
	library := mesh.Library{Source: model.Source{Name: c.input, Folder: scene.Folder(filepath.Dir(c.input))}, Scene: s, NoRoot: true}
	color := library.Color(c.input, m, problem.Error{File: c.input})
	mesh.AddSolids(&s.Part, &f, model.Pose{}, model.Label{Color: color})
	return s, nil
}
