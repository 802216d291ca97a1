package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/convert"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/selection"
	"pillbox/internal/osfile"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/scene"
)

func newImport(p *command.Env) *cobra.Command {
	c := &importing{Env: p}
	cmd := &cobra.Command{
		Use:   "import FILE [-o SCENE.toml]",
		Short: "Make a scene from another program's file",
		Long: `Make a scene from another program's file. Its extension determines the format,
unless --format names it; a compressed file ends in .gz. The scene is written to the
current directory, with the file's base name and .toml, unless that exists or -o
names another file. More than a thousand solids of a kind in one part go to CSV
files beside the scene. With -o -, which has no folder for CSV files, every solid has
a table of its own in the scene.

Shapes that scenes do not have are skipped, with one note per kind. An invalid
element of a robot is skipped with a warning; with --strict it is an error.

Formats:
` + listFormats(),
		Example: `  render import humanoid.xml --keyframe squat -o - | render - -o squat.png
  render import arm.urdf
  render import arm.urdf --geometry visual --joint elbow=-1.2 -o bent.toml
  render import 4hhb.cif --assembly 1 --style tube --select 'not water'
  render import - --format urdf -o - < arm.urdf | render - -o arm.png`,
		GroupID:           command.GroupScenes,
		Args:              cli.WantArgs(1, 1, "one file"),
		ValidArgsFunction: importFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.cmd, c.input = cmd, args[0]
			return c.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.VarP(cli.Text(&c.output, "FILE"), "output", "o", "write the scene to FILE, or to standard output if it is -")
	flags.Var(cli.Word(&c.format, "", FormatNames()), "format", "the format of the file (default: by its extension)")
	flags.BoolVar(&c.opt.Approximate, "approximate", false, "show meshes, ellipsoids and cones by the solid of the least volume that contains them")
	flags.Var(cli.Int(&c.opt.Fit, 1, maxFit), "fit", "show each mesh or ellipsoid of a robot by up to this many solids; includes --approximate (default: 1)")
	flags.BoolVar(&c.opt.Strict, "strict", false, "refuse a robot with an invalid element instead of skipping the element")
	flags.Var(cli.Text(&c.root, "DIR"), "root", "allow the file to include files in DIR and below (default: the file's folder)")
	flags.Var(cli.List(&c.opt.MJCF.Groups, "0,1,2", parseGroup), "groups", "show geoms of these groups of a MuJoCo model, 0 to 5 (default: 0,1,2)")
	flags.BoolVar(&c.opt.MJCF.Sites, "sites", false, "also show the sites of a MuJoCo model")
	flags.Var(cli.Text(&c.opt.MJCF.Keyframe, "NAME"), "keyframe", "pose a MuJoCo model by the keyframe with this name or number")
	flags.Var(cli.List(&c.opt.MJCF.QPos, "X,X,...", parseFinite), "qpos", "pose a MuJoCo model: all positions of its joints, as in mjData.qpos")
	flags.Var(cli.Text(&c.opt.Camera, "NAME"), "camera", "look through this camera of a robot, or show all solids (free) (default: the first that shows a MuJoCo model from outside)")
	flags.Var(cli.Word(&c.geometry, "", []string{collision, visual}), "geometry", "what to show of a robot's links (default: collision)")
	flags.Var(cli.Text(&c.ghost, "SELECTION"), "ghost", "show these atoms of a molecule, geoms of these groups (MuJoCo), or the collision or visual geometry of a robot as a ghost")
	joints := &c.opt.URDF.Joints
	flags.Var(cli.Value(joints, jointForm, func(s string) (map[string]float64, error) { return addJoint(*joints, s) }), "joint", "pose a joint, in radians or meters; may be given several times")
	c.moleculeFlags(cmd)
	c.ForceFlag(cmd)
	cli.Must(cmd.MarkFlagFilename("output", "toml"))
	for _, name := range [...]string{"format", "geometry", "style", "color", "look"} {
		cli.Must(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(strings.Split(flags.Lookup(name).Value.Type(), "|"), cobra.ShellCompDirectiveNoFileComp)))
	}
	cli.NoCompletion(cmd, "fit", "groups", "keyframe", "qpos", "camera", "joint", "model", "select", "assembly", "label", "ghost")
	return cmd
}

// importing holds the flags of one run of `render import`.
type importing struct {
	*command.Env
	cmd *cobra.Command

	input    string // file name
	output   string // file name
	root     string // value of --root
	dir      string // path of the file's folder relative to root
	format   string
	geometry string
	ghost    string // in the syntax of --select, --groups or --geometry
	style    string
	color    string
	look     string
	labels   []string
	opt      convert.Options
}

func (c *importing) run(ctx context.Context) error {
	format, err := c.check()
	if err != nil {
		return err
	}
	if c.lists() {
		return c.printAssemblies(ctx, format)
	}
	s, err := c.read(ctx, format)
	if err != nil {
		return c.problemsOf(err)
	}
	if !c.Quiet {
		c.PrintProblems(c.Err, s.Notes())
	}
	if err := c.Protect(s.Files()...); err != nil {
		return err
	}
	return c.problemsOf(c.write(ctx, s.Write, s.Files()))
}

// problemsOf prints err if it is about the contents of the file, and returns the error to exit with.
func (c *importing) problemsOf(err error) error {
	var one *problem.Error
	var all problem.Errors
	switch {
	case errors.As(err, &all):
	case errors.As(err, &one):
		all = problem.Errors{one}
	default:
		return err
	}
	c.PrintProblems(c.Err, all)
	return &cli.Failure{Status: cli.StatusWrong}
}

// check sets the defaults of flags and returns an error for flags that cannot be combined.
func (c *importing) check() (convert.Format, error) {
	format, ok := convert.ForFile(c.input)
	switch {
	case c.format != "":
		format, _ = convert.Named(c.format)
	case c.input == command.Standard:
		return format, cli.Misuse(c.cmd, "standard input needs --format: %s", strings.Join(FormatNames(), ", "))
	case slices.Contains(mesh.Extensions(), strings.ToLower(filepath.Ext(c.input))):
		return format, cli.Misuse(c.cmd, "%s is a mesh; 'render fit %s' makes a scene of solids around it", c.input, c.input)
	case !ok:
		return format, cli.Misuse(c.cmd, "no format has the extension %q; import reads %s; specify the format of another file with --format", filepath.Ext(c.input), strings.Join(formatsWithExtensions(), ", "))
	}
	for flag, formats := range FlagFormats() {
		if c.cmd.Flags().Changed(flag) && !slices.Contains(formats, format.Name) {
			return format, cli.Misuse(c.cmd, "--%s is for %s, and the file is %s", flag, text.Series(formats, "and"), format.Name)
		}
	}
	if err := cli.CheckFlags(c.cmd, cli.Excludes("keyframe", "qpos"), cli.Excludes("fit", "approximate")); err != nil {
		return format, err
	}
	c.opt.Approximate = c.opt.Approximate || c.opt.Fit > 0
	c.opt.URDF.Visual = c.geometry == visual
	if err := c.setGhost(format); err != nil {
		return format, err
	}
	if err := c.setMolecule(); err != nil {
		return format, err
	}
	if err := c.checkRoot(); err != nil {
		return format, err
	}
	if c.lists() {
		return format, nil
	}
	return format, c.checkScene()
}

// setGhost sets the options for ghosts from the value of --ghost. With --ghost collision, the geometry inside the ghost is
// the visual one by default.
func (c *importing) setGhost(format convert.Format) (err error) {
	if !c.cmd.Flags().Changed("ghost") {
		return nil
	}
	switch format.Name {
	case "mjcf":
		if err = cli.List(&c.opt.MJCF.Ghost, "0,1,2", parseGroup).Set(c.ghost); err == nil && len(c.opt.MJCF.Ghost) == 0 {
			err = errors.New("must be groups of geoms, such as 3 or 3,4")
		}
	case "urdf":
		c.opt.URDF.Ghost = c.ghost
		if c.ghost != collision && c.ghost != visual {
			err = fmt.Errorf("must be %s or %s, got %q", collision, visual, c.ghost)
		}
		c.opt.URDF.Visual = c.geometry == visual || c.geometry == "" && c.ghost == collision
	default:
		c.opt.Molecule.Ghost = c.ghost
		_, err = selection.Parse(c.ghost)
	}
	if err != nil {
		return cli.Misuse(c.cmd, "--ghost: %v", err)
	}
	return nil
}

// lists reports whether to list the file's assemblies instead of writing a scene.
func (c *importing) lists() bool { return c.opt.Molecule.Assembly == listAssemblies }

// checkScene sets the default name of the scene file and checks that the file can be written.
func (c *importing) checkScene() error {
	if c.output == "" {
		c.output = strings.TrimSuffix(command.DefaultOutput(strings.TrimSuffix(c.input, ".gz")), ".png") + ".toml"
		if osfile.Exists(c.output) && !c.Files.ReplaceScenes {
			var refused *osfile.Refusal
			if err := c.CheckOutput(c.cmd, c.output, c.input); errors.As(err, &refused) && !refused.Scene {
				return err // --force does not replace it either
			}
			return cli.Misuse(c.cmd, "%s is there already; '-o %[1]s --force' replaces it", c.output)
		}
	}
	if c.output != command.Standard && !strings.EqualFold(filepath.Ext(c.output), ".toml") {
		return cli.Misuse(c.cmd, "output must end in .toml, got %q", c.output)
	}
	return c.CheckOutput(c.cmd, c.output, c.input)
}

// checkRoot determines the path of the file's folder relative to the folder of --root.
func (c *importing) checkRoot() error {
	if c.root == "" {
		return nil
	}
	root, err := filepath.Abs(c.root)
	if err != nil {
		return err
	}
	own := "."
	if c.input != command.Standard {
		own = filepath.Dir(c.input)
	}
	if own, err = filepath.Abs(own); err != nil {
		return err
	}
	dir, err := filepath.Rel(root, own)
	if err != nil || !filepath.IsLocal(dir) {
		return cli.Misuse(c.cmd, "--root must contain the file's folder, got %s", c.root)
	}
	c.dir = filepath.ToSlash(dir)
	return nil
}

// folder returns the folder from which the file may include others.
func (c *importing) folder() string {
	switch {
	case c.root != "":
		return c.root
	case c.input == command.Standard:
		return "."
	}
	return filepath.Dir(c.input)
}

// read reads the file to import.
func (c *importing) read(ctx context.Context, format convert.Format) (*convert.Scene, error) {
	return importFile(ctx, c, func(src convert.Source) (*convert.Scene, error) { return format.Read(src, c.opt) })
}

// importFile calls the function read with the file to import.
func importFile[T any](ctx context.Context, c *importing, read func(convert.Source) (T, error)) (T, error) {
	return command.Await(ctx, func() (T, error) {
		in, err := c.OpenInput(c.input)
		if err != nil {
			var none T
			return none, err
		}
		defer in.Close()
		src := convert.Source{Name: c.input, Text: in, Folder: scene.Folder(c.folder()), Dir: c.dir}
		if src.Path, err = filepath.Abs(c.folder()); err != nil {
			src.Path = ""
		}
		if c.input == command.Standard {
			src.Name = command.StandardInput
			if c.Err.IsTerminal() { // a terminal shows the lines with problems
				var seen bytes.Buffer
				src.Text = io.TeeReader(in, &seen)
				defer func() { c.Env.In = &seen }()
			}
		}
		return read(src)
	})
}

// write calls the function do, which writes the scene and its bulk tables. If do fails, no file is kept. The slice
// read lists the files that were read; write returns an error if a bulk table would replace one of them.
func (c *importing) write(ctx context.Context, do func(io.Writer, convert.Tables) error, read []string) error {
	if c.output == command.Standard {
		return c.WriteOutput(ctx, command.Standard, func(w io.Writer) error { return do(w, convert.Tables{}) })
	}
	_, err := command.Await(ctx, func() (struct{}, error) { return struct{}{}, c.writeFiles(do, read) })
	return err
}

// writeFiles calls do to write the scene file and its bulk tables. If do fails, no file is kept.
func (c *importing) writeFiles(do func(io.Writer, convert.Tables) error, read []string) error {
	dir, base := filepath.Split(c.output)
	var names []string
	err := c.Files.WriteTogether(func(create func(string) (io.Writer, error)) error {
		w, err := create(c.output)
		if err != nil {
			return err
		}
		return do(w, convert.Tables{
			Prefix: strings.TrimSuffix(base, filepath.Ext(base)),
			Create: func(name string) (io.Writer, error) {
				name = filepath.Join(dir, name)
				if err := c.checkTable(name, read); err != nil {
					return nil, err
				}
				names = append(names, name)
				return create(name)
			},
		})
	})
	if err != nil {
		return err
	}
	also := ""
	if len(names) > 0 {
		also = ", with " + strings.Join(names, ", ")
	}
	c.Note("wrote %s%s; next: render %[1]s", c.output, also)
	return nil
}

// checkTable returns an error if a bulk table of the scene cannot be written or would replace a file that was read. Like the
// scene, the table replaces another one only with --force, and never a folder.
func (c *importing) checkTable(name string, read []string) error {
	if err := c.CheckDerived(c.cmd, name, append(read, c.input)...); err != nil {
		return err
	}
	if _, err := os.Stat(name); err == nil && !c.Files.ReplaceScenes {
		return cli.Misuse(c.cmd, "the scene's table %s is there already; --force replaces it", name)
	}
	return nil
}
