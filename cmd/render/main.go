// Command render turns TOML scenes of spheres, capsules, oriented boxes and cylinders into pictures.
//
// The main job is
//
//	render SCENE.toml [-o OUT.png]
//
// and "render help" shows the other commands. SCENE and OUT may be "-", the standard input and output. Results go to
// standard output, everything else to standard error. Files appear whole or not at all.
//
// The exit status is 0 when done. It is 1 if a comparison found a difference, solids overlap or an answer is wrong, and
// 2 if a scene or the command line is wrong. It is 3 if a file, a server or another program could not be used, and 130
// if interrupted.
package main

import (
	"os"

	"pillbox/internal/cli"
	"pillbox/internal/osfile"
)

func main() {
	cli.SurvivePipes()
	var files osfile.Outputs
	ctx := cli.Interruptible(func() {
		files.Abandon()
		os.Exit(cli.StatusInterrupted)
	})
	os.Exit(run(ctx, os.Args[1:], streams{
		in:    cli.Input(os.Stdin),
		out:   cli.ScreenOn(os.Stdout),
		err:   cli.ScreenOn(os.Stderr),
		files: &files,
	}))
}
