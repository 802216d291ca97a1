package main

import (
	"os"

	"github.com/spf13/cobra"

	"pillbox/scene"
)

func (p *program) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a scene to start from",
		Long: `Write a commented scene that renders, to scene.toml if no file is given or to
standard output if it is "-". An existing file is never overwritten.`,
		GroupID:           groupScenes,
		Args:              wantArgs(0, 1, "one file"),
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

func (p *program) runInit(name string) error {
	if name == standard {
		_, err := p.out.Write(scene.Starter())
		return err
	}
	if err := writeNew(name, scene.Starter()); err != nil {
		return err
	}
	p.note("%s is written; 'render %s' renders it", name, name)
	return nil
}

// writeNew writes a file that must not exist yet.
func writeNew(name string, data []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		os.Remove(name)
	}
	return err
}
