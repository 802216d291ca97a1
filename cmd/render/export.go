package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/scene"
)

func (p *program) exportCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "export SCENE -o FLAT.toml",
		Short: "Write a scene with every solid on its own",
		Long: `Write a scene as one file with a table for every solid: without parts, placements,
bulk tables and included files. It shows the same picture, to the bit.`,
		Example: `  render export chess.toml -o flat.toml
  render export chess.toml -o - | wc -l`,
		GroupID:           groupScenes,
		Args:              wantArgs(1, 1, "one scene"),
		ValidArgsFunction: sceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.runExport(cmd, args[0], output)
		},
	}
	cmd.Flags().VarP(&textFlag{&output, "FILE"}, "output", "o", "write the scene to FILE, or to standard output if it is -")
	must(cmd.MarkFlagFilename("output", "toml"))
	p.timeFlag(cmd)
	return cmd
}

func (p *program) runExport(cmd *cobra.Command, name, output string) error {
	switch {
	case output == "":
		return misuse(cmd, "want an output, as in 'render export %s -o flat.toml'", name)
	case output != standard && !strings.EqualFold(filepath.Ext(output), ".toml"):
		return misuse(cmd, "output must end in .toml, got %q", output)
	}
	if err := p.checkOutput(cmd, output, name); err != nil {
		return err
	}
	s, err := p.load(cmd.Context(), name)
	if err != nil {
		return err
	}
	return p.writeScene(cmd.Context(), s, output)
}

// writeScene writes a scene to a file or to standard output.
func (p *program) writeScene(ctx context.Context, s *scene.Scene, output string) error {
	_, err := await(ctx, func() (struct{}, error) {
		if output == standard {
			return struct{}{}, s.WriteTOML(p.out)
		}
		return struct{}{}, p.disk.write(output, func(w io.Writer) error { return s.WriteTOML(w) })
	})
	return err
}
