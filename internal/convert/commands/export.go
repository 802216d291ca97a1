package commands

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/convert/gltf"
	"pillbox/internal/convert/povray"
	"pillbox/internal/convert/robot"
	"pillbox/internal/sniff"
	"pillbox/problem"
	"pillbox/scene"
)

// exportFormat is a file format to which scenes are exported.
type exportFormat struct {
	name      string
	extension string // without the dot
	kind      string // as package sniff names it
	title     string
	write     func(io.Writer, *scene.Scene) error
	notes     func(*scene.Scene) []string // what the other program shows differently; nil if nothing
}

func exportFormats(opt gltf.Options) []exportFormat {
	writeGLTF := func(w io.Writer, s *scene.Scene) error { return gltf.Write(w, s, opt) }
	return []exportFormat{
		{name: "glb", extension: "glb", kind: sniff.GLTF, title: "glTF 2.0 in one file, for 3D editors and viewers", write: writeGLTF, notes: gltf.Notes},
		{name: "mjcf", extension: "xml", kind: sniff.XML, title: "MuJoCo's XML: a body for each placement, without joints", write: robot.WriteMJCF},
		{name: "pov", extension: "pov", kind: sniff.POVRay, title: "POV-Ray 3.7, which renders the same picture", write: povray.Write, notes: povray.Notes},
		{name: "urdf", extension: "urdf", kind: sniff.XML, title: "a robot for ROS: a link for each placement, with fixed joints", write: robot.WriteURDF},
		{name: "toml", extension: "toml", kind: sniff.TOML, title: "a scene with a table for every solid: the same picture, to the bit", write: writeTOML},
	}
}

func writeTOML(w io.Writer, s *scene.Scene) error { return s.WriteTOML(w) }

func newExport(p *command.Env) *cobra.Command {
	var output, format, lights string
	var moment *float64
	var names, extensions, lines []string
	for _, f := range exportFormats(gltf.Options{}) {
		names, extensions = append(names, f.name), append(extensions, f.extension)
		lines = append(lines, fmt.Sprintf("  %-6s%s (.%s)", f.name, f.title, f.extension))
	}
	cmd := &cobra.Command{
		Use:   "export SCENE -o FILE",
		Short: "Write a scene for other programs, or with a table for every solid",
		Long: `Write a scene as one file, without bulk tables and included files.
The format is that of the file's extension, or of --format.

Formats:
` + strings.Join(lines, "\n"),
		Example: `  render export chess.toml -o flat.toml
  render export chess.toml -o chess.glb
  render export chess.toml -o chess.pov
  render export chess.toml -o - | wc -l`,
		GroupID:           command.GroupScenes,
		Args:              cli.WantArgs(1, 1, "one scene"),
		ValidArgsFunction: command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runExport(p, cmd, args[0], output, format, lights, moment)
		},
	}
	cmd.Flags().VarP(cli.Text(&output, "FILE"), "output", "o", "write the scene to FILE, or to standard output if it is -")
	cmd.Flags().Var(cli.Word(&format, "", names), "format", "the format (default: by the extension; toml to standard output)")
	cmd.Flags().Var(cli.Word(&lights, "", []string{"standard", "blender"}), "lights", "units of lights in glTF: blender multiplies intensities by 683 (default: standard)")
	p.ForceFlag(cmd)
	cli.Must(cmd.MarkFlagFilename("output", extensions...))
	cli.Must(cmd.RegisterFlagCompletionFunc("lights", cobra.FixedCompletions([]string{"standard", "blender"}, cobra.ShellCompDirectiveNoFileComp)))
	cli.Must(cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)))
	command.TimeFlag(cmd, &moment)
	return cmd
}

func runExport(p *command.Env, cmd *cobra.Command, name, output, formatName, lights string, moment *float64) error {
	if output == "" {
		return cli.Misuse(cmd, "want an output, as in 'render export %s -o flat.toml'", name)
	}
	format, err := exportFormatOf(cmd, output, formatName, gltf.Options{Blender: lights == "blender"})
	if err != nil {
		return err
	}
	if lights != "" && format.name != "glb" {
		return cli.Misuse(cmd, "--lights is for glb, and the output is %s", format.name)
	}
	if err := p.CheckFormat(cmd, output, format.kind, name); err != nil {
		return err
	}
	s, err := p.Load(cmd.Context(), name, command.LoadOptions{Moment: moment, Cameraless: true})
	if err != nil {
		return err
	}
	if format.notes != nil && !p.Quiet {
		for _, text := range format.notes(s) {
			p.PrintProblems(p.Err, []*problem.Error{{File: s.Name, Severity: problem.SeverityInfo, Message: text}})
		}
	}
	return writeScene(cmd.Context(), p, s, output, format.write)
}

// exportFormatOf returns the format with the given name. If the name is empty, it returns the format for the output's
// extension.
func exportFormatOf(cmd *cobra.Command, output, name string, opt gltf.Options) (exportFormat, error) {
	if name == "" && output == command.Standard {
		name = "toml"
	}
	extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(output), "."))
	var extensions []string
	for _, f := range exportFormats(opt) {
		if f.name == name || name == "" && f.extension == extension {
			return f, nil
		}
		extensions = append(extensions, "."+f.extension)
	}
	return exportFormat{}, cli.Misuse(cmd, "output must end in %s, got %q", strings.Join(extensions, " or "), output)
}

// writeScene writes a scene to a file or to standard output.
func writeScene(ctx context.Context, p *command.Env, s *scene.Scene, output string, write func(io.Writer, *scene.Scene) error) error {
	return p.WriteOutput(ctx, output, func(w io.Writer) error { return write(w, s) })
}
