// Package starter contains the commands that help to begin a scene: "render init" and "render schema".
package starter

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/sniff"
	"pillbox/scene"
)

// New returns the command init in an environment.
func New(p *command.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a scene to start from",
		Long: `Write a commented scene, by default to scene.toml, and beside it scene.schema.json,
from which editors complete and check keys. With "-" the scene goes to standard output,
without a schema. An existing file is never overwritten.`,
		GroupID:           command.GroupScenes,
		Args:              cli.WantArgs(0, 1, "one file"),
		ValidArgsFunction: command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "scene.toml"
			if len(args) > 0 {
				name = args[0]
			}
			if err := osfile.CheckFormat(name, sniff.TOML); err != nil && name != command.Standard {
				return cli.Misuse(cmd, "%v; choose a name that ends in .toml", err)
			}
			return runInit(p, name)
		},
	}
}

// schemaFile is the file to which the first line of the starter scene refers.
const schemaFile = "scene.schema.json"

func runInit(p *command.Env, name string) error {
	if name == command.Standard {
		// On standard output there is no schema file, so the first line, which refers to it, is omitted.
		_, text, _ := bytes.Cut(scene.Starter(), []byte("\n"))
		_, err := p.Out.Write(bytes.TrimLeft(text, "\n"))
		return err
	}
	if err := p.Files.WriteNew(name, scene.Starter()); err != nil {
		return err
	}
	schema := filepath.Join(filepath.Dir(name), schemaFile)
	switch err := p.Files.WriteNew(schema, scene.Schema()); {
	case errors.Is(err, fs.ErrExist): // the schema file of another scene serves for this one, too
		p.NoteFile(name, "Wrote %s. Next: render %[1]s", name)
	case err != nil:
		os.Remove(name)
		return err
	default:
		p.NoteFile(name, "Wrote %s, and %s, with which editors complete and check keys. Next: render %[1]s", name, schema)
	}
	return nil
}
