package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/scene"
)

func (p *program) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a scene to start from",
		Long: `Write a commented scene, by default to scene.toml, and beside it scene.schema.json,
from which editors complete and check keys. With "-" the scene goes to standard output,
without a schema. An existing file is never overwritten.`,
		GroupID:           groupScenes,
		Args:              cli.WantArgs(0, 1, "one file"),
		ValidArgsFunction: sceneFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			name := "scene.toml"
			if len(args) > 0 {
				name = args[0]
			}
			return p.runInit(name)
		},
	}
}

// schemaFile is the file to which the first line of the starter scene refers.
const schemaFile = "scene.schema.json"

func (p *program) runInit(name string) error {
	if name == standard {
		// On standard output there is no schema file, so the first line, which refers to it, is omitted.
		_, text, _ := bytes.Cut(scene.Starter(), []byte("\n"))
		_, err := p.out.Write(bytes.TrimLeft(text, "\n"))
		return err
	}
	if err := p.files.WriteNew(name, scene.Starter()); err != nil {
		return err
	}
	schema := filepath.Join(filepath.Dir(name), schemaFile)
	switch err := p.files.WriteNew(schema, scene.Schema()); {
	case errors.Is(err, fs.ErrExist): // the schema file of another scene serves for this one, too
		p.note("%s is written; 'render %s' renders it", name, name)
	case err != nil:
		os.Remove(name)
		return err
	default:
		p.note("%s is written, and %s for editors; 'render %s' renders it", name, schema, name)
	}
	return nil
}
