// Package dump contains the command "render dump".
package dump

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/sniff"
	"pillbox/problem"
	"pillbox/scene"
)

// New returns the command dump in an environment.
func New(p *command.Env) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "dump SCENE",
		Short: "Print a scene's tables as JSON",
		Long: `Check a scene and print a JSON object with two keys. "scene" has the same tables, keys
and values as the file, with all digits. "files" lists the paths of the files that the
scene reads. Parts, placements, bulk tables and included files stay as they are;
'render export' expands them.

The problems of an invalid scene are printed instead, one JSON object per line, as by
'render check --json'; the exit status is then 2.`,
		Example: `  render dump scene.toml
  render dump scene.toml | jq '.scene.sphere | length'`,
		GroupID:           command.GroupScenes,
		Args:              cli.WantArgs(1, 1, "one scene"),
		ValidArgsFunction: command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return dump(cmd, p, args[0], output)
		},
	}
	cmd.Flags().VarP(cli.Text(&output, "FILE"), "output", "o", "write to FILE, or to standard output if it is - (default)")
	cli.Without(cmd, "theme", "it prints the tables of the file, which no theme changes")
	return cmd
}

// dumped is the JSON that `render dump` prints.
type dumped struct {
	Scene map[string]any `json:"scene"`
	Files []string       `json:"files"` // relative to the scene's folder
}

// dump writes a scene as JSON.
func dump(cmd *cobra.Command, p *command.Env, name, output string) error {
	ctx := cmd.Context()
	if output == "" {
		output = command.Standard
	}
	if err := p.CheckFormat(cmd, output, sniff.JSON, name); err != nil {
		return err
	}
	s, src, err := p.Decode(ctx, name, command.LoadOptions{})
	var problems problem.Errors
	if errors.As(err, &problems) {
		p.ReportProblems(p.Out, problems, true)
		return &cli.Failure{Status: cli.StatusWrong}
	}
	if err != nil {
		return err
	}
	d := dumped{Files: []string{}}
	if d.Scene, err = scene.Tables(src.Data); err != nil {
		return err
	}
	for _, f := range s.Files {
		d.Files = append(d.Files, f.Path)
	}
	return p.WriteOutput(ctx, output, func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		return out.Encode(d)
	})
}
