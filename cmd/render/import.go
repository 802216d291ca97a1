package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"pillbox/convert"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/molecule"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

func (p *program) importCommand() *cobra.Command {
	c := &importing{program: p}
	c.opt.URDF.Joints = make(map[string]float64)
	cmd := &cobra.Command{
		Use:   "import FILE [-o SCENE.toml]",
		Short: "Make a scene from another program's file",
		Long: `Make a scene from another program's file: the format is that of its extension, or
of --format. The scene is the file's base name with .toml in the current directory,
which must not be there yet, or that of -o. More than a thousand solids of a kind in
one part go to CSV files beside the scene.

What a scene cannot show is named, with its number, and left out.

Formats:
` + listFormats(),
		Example: `  render import humanoid.xml --keyframe squat -o - | render - -o squat.png
  render import arm.urdf
  render import arm.urdf --geometry visual --joint elbow=-1.2 -o bent.toml
  render import - --format urdf -o - < arm.urdf | render - -o arm.png`,
		GroupID:           groupScenes,
		Args:              wantArgs(1, 1, "one file"),
		ValidArgsFunction: importFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.cmd, c.input = cmd, args[0]
			return c.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.VarP(&textFlag{&c.output, "FILE"}, "output", "o", "write the scene to FILE, or to standard output if it is -")
	flags.Var(&wordFlag{&c.format, formatNames()}, "format", "what the file is (default: by its extension)")
	flags.BoolVar(&c.opt.Approximate, "approximate", false, "show what has no solid of its own as the nearest one: cylinders as capsules")
	flags.Var(&listFlag[int]{&c.opt.MJCF.Groups, "0,1,2", parseGroup}, "groups", "show geoms of these groups of a MuJoCo model, 0 to 5 (default: 0,1,2)")
	flags.BoolVar(&c.opt.MJCF.Sites, "sites", false, "show the sites of a MuJoCo model, too")
	flags.Var(&textFlag{&c.opt.MJCF.Keyframe, "NAME"}, "keyframe", "pose a MuJoCo model as a keyframe of this name or number has it")
	flags.Var(&listFlag[float64]{&c.opt.MJCF.QPos, "X,X,...", parseFinite}, "qpos", "pose a MuJoCo model: all positions of its joints, as in mjData.qpos")
	flags.Var(&textFlag{&c.opt.MJCF.Camera, "NAME"}, "camera", "look through this camera of a MuJoCo model (default: the first that shows it from outside)")
	flags.Var(&wordFlag{&c.geometry, []string{"collision", "visual"}}, "geometry", "what to show of a robot's links (default: collision)")
	flags.Var(&jointFlag{c.opt.URDF.Joints}, "joint", "pose a joint, in radians or meters; may be given several times")
	flags.Var(&wordFlag{&c.style, styles}, "style", "how to show a molecule (default: spacefill)")
	flags.Var(&wordFlag{&c.color, colorings}, "color", "what atoms of one color have in common (default: element)")
	flags.Var(&intFlag{&c.opt.Molecule.Model, 1, math.MaxInt32}, "model", "which model, frame or record of the file to show, from 1")
	flags.BoolVar(&c.opt.Molecule.NoWater, "no-water", false, "leave out water")
	flags.BoolVar(&c.opt.Molecule.NoHydrogens, "no-hydrogens", false, "leave out hydrogen")
	must(cmd.MarkFlagFilename("output", "toml"))
	for _, name := range [...]string{"format", "geometry", "style", "color"} {
		must(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(flags.Lookup(name).Value.(*wordFlag).words, cobra.ShellCompDirectiveNoFileComp)))
	}
	for _, name := range [...]string{"groups", "keyframe", "qpos", "camera", "joint", "model"} {
		noCompletion(cmd, name)
	}
	return cmd
}

// importing is one call of import.
type importing struct {
	*program
	cmd *cobra.Command

	input    string // file name
	output   string // file name
	format   string
	geometry string
	style    string
	color    string
	opt      convert.Options
}

// styles and colorings are words for the values of molecule.Style and molecule.Coloring, in order.
var (
	styles    = []string{"spacefill", "sticks", "balls-and-sticks"}
	colorings = []string{"element", "chain", "residue"}
)

// flagFormats says which formats a flag is for, of those that are not for all.
func flagFormats() map[string][]string {
	molecules := []string{"mmcif", "pdb", "sdf", "xyz"}
	return map[string][]string{
		"groups":       {"mjcf"},
		"sites":        {"mjcf"},
		"keyframe":     {"mjcf"},
		"qpos":         {"mjcf"},
		"camera":       {"mjcf"},
		"geometry":     {"urdf"},
		"joint":        {"urdf"},
		"style":        molecules,
		"color":        molecules,
		"model":        molecules,
		"no-water":     {"mmcif", "pdb"},
		"no-hydrogens": molecules,
	}
}

func (c *importing) run(ctx context.Context) error {
	format, err := c.check()
	if err != nil {
		return err
	}
	s, err := c.read(ctx, format)
	var one *scene.Error
	var all scene.Errors
	switch {
	case errors.As(err, &all):
		c.printProblems(c.err, all)
		return &failure{status: statusWrong}
	case errors.As(err, &one):
		c.printProblems(c.err, scene.Errors{one})
		return &failure{status: statusWrong}
	case err != nil:
		return err
	}
	if !c.quiet {
		c.printProblems(c.err, s.Account.Notes())
	}
	if err := c.checkInputs(s.Files...); err != nil {
		return err
	}
	_, err = await(ctx, func() (struct{}, error) { return struct{}{}, c.write(s) })
	return err
}

// check completes the flags and finds those that do not go together.
func (c *importing) check() (convert.Format, error) {
	format, ok := convert.ForFile(c.input)
	switch {
	case c.format != "":
		format, _ = convert.Named(c.format)
	case c.input == standard:
		return format, misuse(c.cmd, "want --format to say what standard input is: %s", strings.Join(formatNames(), ", "))
	case !ok:
		return format, misuse(c.cmd, "no format has the extension %q; --format says what the file is", filepath.Ext(c.input))
	}
	for flag, formats := range flagFormats() {
		if c.cmd.Flags().Changed(flag) && !slices.Contains(formats, format.Name) {
			return format, misuse(c.cmd, "--%s is for %s, and the file is %s", flag, strings.Join(formats, " and "), format.Name)
		}
	}
	c.opt.URDF.Visual = c.geometry == "visual"
	c.opt.Molecule.Style = molecule.Style(max(0, slices.Index(styles, c.style)))
	c.opt.Molecule.Color = molecule.Coloring(max(0, slices.Index(colorings, c.color)))
	if c.output == "" {
		c.output = strings.TrimSuffix(defaultOutput(c.input), ".png") + ".toml"
		if osfile.Exists(c.output) {
			return format, misuse(c.cmd, "%s is there already; '-o %[1]s' replaces it", c.output)
		}
	}
	if c.output != standard && !strings.EqualFold(filepath.Ext(c.output), ".toml") {
		return format, misuse(c.cmd, "output must end in .toml, got %q", c.output)
	}
	return format, c.checkOutput(c.cmd, c.output, c.input)
}

// read reads the file.
func (c *importing) read(ctx context.Context, format convert.Format) (*model.Scene, error) {
	return await(ctx, func() (*model.Scene, error) {
		in, err := c.openInput(c.input)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		src := model.Source{Name: c.input, Text: in, Folder: scene.Folder(filepath.Dir(c.input))}
		if c.input == standard {
			src.Name, src.Folder = standardInput, scene.Folder(".")
			if c.err.isTerminal() { // which gets the lines that are wrong
				var seen bytes.Buffer
				src.Text = io.TeeReader(in, &seen)
				defer func() { c.program.in = &seen }()
			}
		}
		return format.Read(src, c.opt)
	})
}

// write writes the scene and its tables: all of them or none.
func (c *importing) write(s *model.Scene) error {
	if c.output == standard {
		return s.Write(c.out, model.Tables{})
	}
	var drafts []*osfile.Draft
	discard := func() {
		for _, d := range drafts {
			d.Discard()
		}
	}
	open := func(name string) (io.Writer, error) {
		d, err := c.files.Create(name)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
		return d, nil
	}
	dir, base := filepath.Split(c.output)
	w, err := open(c.output)
	if err != nil {
		return err
	}
	var names []string
	err = s.Write(w, model.Tables{
		Prefix: strings.TrimSuffix(base, filepath.Ext(base)),
		Create: func(name string) (io.Writer, error) {
			name = filepath.Join(dir, name)
			if err := c.checkOutput(c.cmd, name, append(s.Files, c.input)...); err != nil {
				return nil, err
			}
			names = append(names, name)
			return open(name)
		},
	})
	if err != nil {
		discard()
		return err
	}
	slices.Reverse(drafts) // the scene last: it names the others
	if err := c.files.Commit(drafts...); err != nil {
		return err
	}
	also := ""
	if len(names) > 0 {
		also = ", with " + strings.Join(names, ", ")
	}
	c.note("%s is written%s; 'render %[1]s' renders it", c.output, also)
	return nil
}

func formatNames() (names []string) {
	for _, f := range convert.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// listFormats returns a line for each format.
func listFormats() string {
	var lines []string
	for _, f := range convert.Formats() {
		lines = append(lines, fmt.Sprintf("  %-10s%s (%s)", f.Name, f.Title, strings.Join(f.Extensions, ", ")))
	}
	return strings.Join(lines, "\n")
}

// importFiles completes the files of all formats.
func importFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var extensions []cobra.Completion
	for _, f := range convert.Formats() {
		for _, e := range f.Extensions {
			extensions = append(extensions, strings.TrimPrefix(e, "."))
		}
	}
	return extensions, cobra.ShellCompDirectiveFilterFileExt
}

// wordFlag is the value of a flag that takes one of some words.
type wordFlag struct {
	value *string
	words []string
}

func (f *wordFlag) Set(s string) error {
	if !slices.Contains(f.words, s) {
		return fmt.Errorf("must be %s", strings.Join(f.words, ", "))
	}
	*f.value = s
	return nil
}

func (f *wordFlag) String() string { return "" }

func (f *wordFlag) Type() string { return strings.Join(f.words, "|") }

// listFlag is the value of a flag that takes numbers with commas or spaces between them.
type listFlag[T any] struct {
	value *[]T
	form  string
	parse func(string) (T, error)
}

func (f *listFlag[T]) Set(s string) error {
	numbers := []T{}
	for _, field := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		x, err := f.parse(field)
		if err != nil {
			return err
		}
		numbers = append(numbers, x)
	}
	*f.value = numbers
	return nil
}

func (f *listFlag[T]) String() string { return "" }

func (f *listFlag[T]) Type() string { return f.form }

func parseGroup(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 5 {
		return 0, errors.New("must be numbers from 0 to 5")
	}
	return n, nil
}

func parseFinite(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, errors.New("must be numbers")
	}
	return x, nil
}

// jointFlag is the value of a flag that poses joints.
type jointFlag struct{ joints map[string]float64 }

func (f *jointFlag) Set(s string) error {
	i := strings.LastIndexByte(s, '=')
	if i < 1 {
		return fmt.Errorf("must be %s", f.Type())
	}
	x, err := parseFinite(s[i+1:])
	if err != nil {
		return errors.New("must end in a number, radians or meters")
	}
	f.joints[s[:i]] = x
	return nil
}

func (f *jointFlag) String() string { return "" }

func (f *jointFlag) Type() string { return "NAME=VALUE" }
